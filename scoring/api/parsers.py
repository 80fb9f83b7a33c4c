"""Request parsing for the API."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from scoring.documents.sheets import LARGEST_DOCUMENT, parse_document


class DocumentParser(BaseParser):
    """JSON; input that is too large, malformed or too deeply nested is refused, never a server error."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return parse_document(stream.read(LARGEST_DOCUMENT + 1))
