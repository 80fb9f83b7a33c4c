"""Base of commands that answer a JSON document like an API endpoint and store nothing."""

import io
import sys
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer

from scoring.core.errors import CodedError, ScoringError
from scoring.documents.sheets import LARGEST_DOCUMENT, parse_document
from scoring.words.messages import translated


class DocumentCommand(BaseCommand, ABC):
    """Prints `answer` for the document in a file; a refusal is printed as its message, exit status 2."""

    # Needs neither the database nor the settings.
    requires_system_checks = []
    refusals: ClassVar[tuple[type[CodedError], ...]] = (ScoringError,)

    @abstractmethod
    def answer(self, document: Any) -> Any:
        """The endpoint's answer; raises one of `refusals`."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the JSON document, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            answer = self.answer(parse_document(read_file(file, LARGEST_DOCUMENT)[0]))
        except self.refusals as error:
            raise CommandError(translated(error.placed), returncode=2) from None
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 whatever the terminal's encoding
        self.stdout.write(JSONRenderer().render(answer).decode())


def read_file(file: str, most: int) -> tuple[bytes, str]:
    """The file's content, at most one byte more than `most`, and its name."""
    if file == "-":
        return sys.stdin.buffer.read(most + 1), _("standard input")
    try:
        with Path(file).open("rb") as source:
            return source.read(most + 1), Path(file).name
    except OSError as error:
        said = _("%(file)s cannot be read: %(reason)s.") % {"file": file, "reason": error.strerror}
        raise CommandError(said, returncode=2) from None
