"""Deals of several sheets in one request, with an outcome for each entry.

Each entry is recorded like a separate request, in its own transaction, with two differences: after a refused
entry, further ones for the same sheet are refused as well, as they would take the numbers of its deals; and
all entries share one time limit for waiting, so that the request is answered however many sheets are busy.
"""

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from league.api import sheet_examples
from league.api.answers import WRITING, answers
from league.api.asking import actor_for
from league.api.at_sheet import writing_on
from league.api.outcomes import outcomes_of
from league.api.sheet_answers import OutcomesTold
from league.api.sheet_serializers import Batch, BatchEntry
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.core.keys import stored_forms
from scoring.models import SheetAct
from scoring.services import Receipt, record_deals

# The longest wait for other writers, in seconds for the whole batch; then busy sheets are a 409 at once.
PATIENCE_SECONDS: Final = 10.0


class Batches(APIView):
    """Batches of deals."""

    @extend_schema(
        operation_id="batch",
        tags=["sheets"],
        summary="Record deals of several sheets",
        description=(
            "Records up to 200 deals in several entries. Each entry has its own key and is recorded "
            "as if it were a request of its own: all of its deals or none. Once an entry is "
            "refused, later entries for the same sheet are refused too (424, `earlier_refused`), so "
            "that no deal takes another's place. If somebody else is writing on a sheet, the "
            "request waits, for at most 10 seconds in all; after that such entries are refused at "
            "once (409, `busy`). Send refused entries again."
        ),
        request={"application/json": Batch},
        responses=answers(
            {200: OpenApiResponse(OutcomesTold, description="One outcome per entry, in the order sent.")},
            WRITING,
            s422="The whole request is refused: it has no entries, or too many deals. Nothing was recorded.",
        ),
        examples=[sheet_examples.BATCH, sheet_examples.OUTCOMES],
    )
    def post(self, request: Request) -> Response:
        actor = actor_for(request)
        entries = Batch().run_validation(request.data)["entries"]
        batch = _Batch(request, actor, time.monotonic() + PATIENCE_SECONDS)
        return Response({"outcomes": outcomes_of(entries, about=_about, write=partial(_write, batch))})


@dataclass(frozen=True, slots=True)
class _Batch:
    """A batch being recorded.

    Other writers are waited for until `until` on the monotonic clock; `refused` holds the codes of the sheets
    with a refused entry.
    """

    request: Request
    actor: Actor
    until: float
    refused: set[str] = field(default_factory=set)
    entry: BatchEntry = field(default_factory=BatchEntry)


def _about(entry: object) -> dict[str, Any]:
    said = entry if isinstance(entry, dict) else {}
    return {name: said.get(name) if isinstance(said.get(name), str) else None for name in ("sheet", "key")}


def _write(batch: _Batch, entry: object) -> dict[str, Any]:
    """Record one entry; adds its sheet to `refused` if that fails."""
    try:
        receipt = _record(batch, entry)
    except Exception:
        batch.refused.add(_about(entry)["sheet"])
        raise
    return {"status": 201, "receipt": receipt.to_document()}


def _record(batch: _Batch, entry: object) -> Receipt:
    said = batch.entry.run_validation(entry)
    code, key = said["sheet"], said["key"]
    if code in batch.refused and not _was_recorded(batch.actor, code, key):
        raise RecordingError(
            "earlier_refused", _("An earlier entry of this sheet was refused; this one would take its place.")
        )
    with writing_on(batch.request, code, until=batch.until) as sheet:
        return record_deals(
            actor=batch.actor,
            sheet=sheet,
            deals=said["deals"],
            key=key,
            expected_version=said.get("version"),
            stopped=said["stopped"],
        )


def _was_recorded(actor: Actor, code: str, key: str) -> bool:
    """Return whether the actor used this key on the sheet before: a repetition, which adds no deals."""
    acts = SheetAct.objects.filter(sheet__code=code, key_holder=actor.key_holder)
    return acts.filter(key__in=stored_forms(key)).exists()
