"""An uploaded file between preview and confirmation, stored in the database for all web servers."""

import hashlib
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth.models import User
from django.utils import timezone

from league.files.planning import plan_import
from league.files.plans import ImportOptions, ImportPlan
from league.files.taking_over import TakingOptions, TakingPlan, plan_taking
from league.models import Club, ImportDraft, Player
from scoring.core.rules import Rules

KEPT_FOR: Final = timedelta(days=1)
# The kind of a draft of a tournament to be taken over.
TAKING: Final = "taking"


def keep_draft(*, user: User, club: Club, data: bytes, file_name: str, options: ImportOptions) -> ImportDraft:
    """Check a file and store it for its preview; refuses as `plan_import`. Deletes expired drafts."""
    plan_import(club=club, data=data, file_name=file_name, options=options)
    return _keep(
        user,
        club,
        file_name,
        data.decode(),
        {
            "create": options.create,
            "rules": options.rules and options.rules.to_document(),
            "season": options.season,
            "correct": options.correct,
        },
    )


def keep_taking(
    *, user: User, club: Club, data: bytes, file_name: str, options: TakingOptions
) -> ImportDraft:
    """Check a tournament's file and store it for its preview; refuses as `plan_taking`."""
    plan_taking(club=club, data=data, file_name=file_name, options=options)
    return _keep(
        user,
        club,
        file_name,
        # Whatever it is written in, byte for byte.
        data.decode("latin-1"),
        {
            "kind": TAKING,
            "season": options.season,
            "name": options.name,
        },
    )


def taking_of(draft: ImportDraft, players: Mapping[int, Player | None] | None = None) -> TakingPlan:
    """The plan for taking the draft over now, with the people chosen; refuses as `plan_taking`."""
    kept = draft.options
    options = TakingOptions(season=kept["season"], name=kept["name"], players=players)
    return plan_taking(
        club=draft.club, data=draft.content.encode("latin-1"), file_name=draft.file_name, options=options
    )


def plan_of(draft: ImportDraft) -> ImportPlan:
    """The plan for importing the draft now; refuses as `plan_import`."""
    kept: dict[str, Any] = dict(draft.options)
    rules = kept.pop("rules")
    options = ImportOptions(rules=None if rules is None else Rules.from_document(rules), **kept)
    return plan_import(
        club=draft.club, data=draft.content.encode(), file_name=draft.file_name, options=options
    )


def fingerprint(plan: ImportPlan | TakingPlan) -> str:
    """A hash of the preview, so that a confirmation applies to nothing else."""
    return hashlib.sha256("\n".join(plan.lines()).encode()).hexdigest()


def _keep(user: User, club: Club, file_name: str, content: str, options: dict[str, Any]) -> ImportDraft:
    ImportDraft.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()
    return ImportDraft.objects.create(
        user=user, club=club, file_name=file_name[-200:], content=content, options=options
    )
