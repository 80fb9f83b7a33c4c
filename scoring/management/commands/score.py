"""`manage.py score FILE`: scores a sheet from a file, like `POST /api/v1/score/`."""

from typing import Any

from scoring.documents.sheets import score_document
from scoring.management.document_command import DocumentCommand


class Command(DocumentCommand):
    help = "Scores a sheet in JSON and prints the answer of POST /api/v1/score/. Nothing is stored."

    def answer(self, document: Any) -> Any:
        return score_document(document)
