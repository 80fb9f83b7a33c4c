"""How the API reads what it is sent."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.parsers import BaseParser

from scoring.documents.sheets import LARGEST_DOCUMENT, parse_document


class DocumentParser(BaseParser):
    """JSON that is refused, and never a fault, when it is too large, not JSON, or nested without end."""

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        return parse_document(stream.read(LARGEST_DOCUMENT + 1))
