"""An uploaded file between preview and confirmation, stored in the database for all web servers."""

import hashlib
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils import timezone

from league.files.planning import plan_import
from league.files.plans import ImportOptions, ImportPlan
from league.models import Club, ImportDraft
from scoring.core.rules import Rules

KEPT_FOR: Final = timedelta(days=1)


def keep_draft(*, user: User, club: Club, data: bytes, file_name: str, options: ImportOptions) -> ImportDraft:
    """Check a file and store it for its preview; refuses as `plan_import`. Deletes expired drafts."""
    plan_import(club=club, data=data, file_name=file_name, options=options)
    ImportDraft.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()
    return ImportDraft.objects.create(
        user=user,
        club=club,
        file_name=file_name[-200:],
        content=data.decode(),
        options={
            "create": options.create,
            "rules": options.rules and options.rules.to_document(),
            "season": options.season,
            "correct": options.correct,
        },
    )


def plan_of(draft: ImportDraft) -> ImportPlan:
    """The plan for importing the draft now; refuses as `plan_import`."""
    kept: dict[str, Any] = dict(draft.options)
    rules = kept.pop("rules")
    options = ImportOptions(rules=None if rules is None else Rules.from_document(rules), **kept)
    return plan_import(
        club=draft.club, data=draft.content.encode(), file_name=draft.file_name, options=options
    )


def fingerprint(plan: ImportPlan) -> str:
    """A hash of the preview, so that a confirmation applies to nothing else."""
    return hashlib.sha256("\n".join(plan.lines()).encode()).hexdigest()
