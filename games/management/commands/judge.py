"""`manage.py judge FILE`: rules on a hand from a file, as `POST /api/v1/judge/` does."""

import io
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from rest_framework.renderers import JSONRenderer

from games.documents import judge_document
from games.errors import GameError
from scoring.documents import LARGEST_DOCUMENT, parse_document
from scoring.errors import ScoringError


class Command(BaseCommand):
    help = "Judges a hand written as JSON and prints what POST /api/v1/judge/ answers. Nothing is stored."
    # Neither a database nor settings are asked for anything.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the JSON document, or - for standard input")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            answer = judge_document(parse_document(_read(file)))
        except (GameError, ScoringError) as error:
            raise CommandError(str(error), returncode=2) from None
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is UTF-8 whatever the terminal speaks
        self.stdout.write(JSONRenderer().render(answer).decode())


def _read(file: str) -> bytes:
    """The file's bytes, at most one more than a document may have."""
    if file == "-":
        return sys.stdin.buffer.read(LARGEST_DOCUMENT + 1)
    try:
        with Path(file).open("rb") as source:
            return source.read(LARGEST_DOCUMENT + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}.", returncode=2) from None
