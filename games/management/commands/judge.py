"""`manage.py judge FILE`: judges a hand from a file, like `POST /api/v1/judge/`."""

from typing import Any

from games.errors import GameError
from games.gin.documents import judge_document
from scoring.core.errors import ScoringError
from scoring.management.document_command import DocumentCommand


class Command(DocumentCommand):
    help = "Judges a hand in JSON and prints the answer of POST /api/v1/judge/. Nothing is stored."
    refusals = (GameError, ScoringError)

    def answer(self, document: Any) -> Any:
        return judge_document(document)
