"""`manage.py openapi`: writes the OpenAPI document kept in the repository."""

import json
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

from deploy.document import gathered_document

ANNOUNCED: Final = Path(__file__).resolve().parents[2] / "openapi.json"


class Command(BaseCommand):
    """Run it after an intended change of the API, and describe that change in the changelog."""

    help = "Writes the OpenAPI document of the API to deploy/openapi.json."

    def handle(self, *args: Any, **options: Any) -> None:
        ANNOUNCED.write_text(written(gathered_document()), encoding="utf-8")
        self.stdout.write(
            _("Written to %(file)s. Describe the change in CHANGELOG.md.") % {"file": ANNOUNCED}
        )


def written(document: dict[str, Any]) -> str:
    """The document as stored: one value per line, so that differences are readable."""
    return json.dumps(document, indent=1, ensure_ascii=False, default=str) + "\n"
