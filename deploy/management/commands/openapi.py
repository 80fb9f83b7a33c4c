"""`manage.py openapi`: writes the OpenAPI document that the repository keeps."""

import json
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand

from deploy.document import gathered_document

ANNOUNCED: Final = Path(__file__).resolve().parents[2] / "openapi.json"


class Command(BaseCommand):
    """To be run when the API has changed on purpose; the changelog then says what and for whom."""

    help = "Writes the OpenAPI document of the API to deploy/openapi.json."

    def handle(self, *args: Any, **options: Any) -> None:
        ANNOUNCED.write_text(written(gathered_document()), encoding="utf-8")
        self.stdout.write(f"Written to {ANNOUNCED}. Say in CHANGELOG.md what has changed.")


def written(document: dict[str, Any]) -> str:
    """The document as it is kept: a line for every value, so that a difference can be read."""
    return json.dumps(document, indent=1, ensure_ascii=False, default=str) + "\n"
