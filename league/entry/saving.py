"""Saves drafts: one act with one key, however often it is sent; and handles sheets typed twice.

A draft begun on an outdated version never overwrites the sheet. If it says the same as the sheet, it is
dropped and only its ticked boxes are carried out; otherwise it is stored as a `SecondTyping` for people to
compare. Only what its typist changed relative to that version counts as theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from itertools import count
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from league.entry.drafts import Draft
from league.entry.reading import DraftAct, DraftReading, Plan, RowProblem, base_of, read
from league.errors import LeagueError
from league.policy.naming import AS_WRITTEN, Names
from scoring.core.actors import Actor
from scoring.core.errors import RecordingError
from scoring.core.sheets import VOID, Deal
from scoring.models import (
    PaperState,
    Scoresheet,
    SecondTyping,
    SheetAct,
    SheetStatus,
    SignatureMethod,
)
from scoring.policy import SheetAction
from scoring.services import Receipt, accept_difference, correct_deals, record_deals, sign_sheet
from scoring.services.acts import ask
from scoring.services.records import KeptSheet, kept_sheet
from scoring.typing.paper_figures import Paper


class SaveOutcome(Enum):
    """The result of sending a draft."""

    SAVED = "saved"
    SAVED_BEFORE = "saved_before"
    SAME = "same"
    TYPED_TWICE = "typed_twice"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Saved:
    """The answer to a draft: its outcome and the sheet's version."""

    outcome: SaveOutcome
    version: int
    second: SecondTyping | None = None


class NotSaved(LeagueError):
    """Rows or fields are invalid; `problems` by row."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        problems: Mapping[int, RowProblem] | None = None,
    ) -> None:
        super().__init__(code, message, field=field)
        self.problems = problems or {}


class DraftSavedBefore(LeagueError):
    """The same draft was saved before, but the answer was lost; later changes are not saved.

    `version` is the sheet's after that earlier act: what differs from it is a new draft.
    """

    def __init__(self, version: int) -> None:
        message = _("What you sent before was saved. What you changed since is kept: press Save once more.")
        super().__init__("key_reused", message)
        self.version = version


def save_draft(*, actor: Actor, sheet: Scoresheet, draft: Draft) -> Saved:
    """Save a draft, once. Refuses, without changes, with `NotSaved`, `DraftSavedBefore` and `ScoringError`.

    The same draft sent again gives `SAVED_BEFORE`. Signatures and acceptance are saved in the same
    transaction.
    """
    reading = read(sheet, draft)
    _check(reading)
    plan = reading.plan
    try:
        with transaction.atomic():
            receipt = _write(actor, sheet, draft, plan)
            version = draft.version if receipt is None else receipt.version
            if receipt is not None and receipt.repeated and version != _version(sheet):
                # The ticked boxes were meant for a sheet that has changed since.
                return Saved(SaveOutcome.SAVED_BEFORE, version)
            signed = _accept_and_sign(actor, sheet, draft, version)
    except RecordingError as error:
        if error.code == "key_reused":
            raise DraftSavedBefore(_version_of_key(actor, sheet, draft.key)) from error
        if plan.act is DraftAct.NOTHING or error.code not in ("stale_version", "sheet_stopped"):
            raise
        return _keep_second_typing(actor=actor, sheet=sheet, reading=reading)
    if receipt is None:
        return Saved(SaveOutcome.SAVED if signed else SaveOutcome.NOTHING, version)
    return Saved(SaveOutcome.SAVED_BEFORE if receipt.repeated else SaveOutcome.SAVED, version)


@transaction.atomic
def take_over(*, actor: Actor, second: SecondTyping, reason: str, expected_version: int) -> Receipt:
    """Apply the changes of a second typing as a correction.

    If it was typed to the end, further rows are voided. Refuses as `correct_deals`, and `settled`.
    """
    second = _open_second(second)
    kept = kept_sheet(second.sheet)
    theirs = changed_by(kept, second)
    receipt = correct_deals(
        actor=actor,
        sheet=second.sheet,
        changes=theirs.changes,
        reason=reason,
        expected_version=expected_version,
        stopped=theirs.stopped,
        paper=theirs.paper,
    )
    _settle(second, actor, _("taken over: %(reason)s") % {"reason": reason.strip()})
    return receipt


@transaction.atomic
def dismiss(*, actor: Actor, second: SecondTyping, reason: str) -> None:
    """Keep what was saved; the second typing stays readable with the reason."""
    second = _open_second(second)
    ask(actor, SheetAction.RECORD, second.sheet)
    reason = reason.strip()
    if not reason:
        raise RecordingError("reason_missing", _("Give a reason."), field="reason")
    _settle(second, actor, _("dismissed: %(reason)s") % {"reason": reason})


def typed_deals(kept: KeptSheet, second: SecondTyping) -> list[Deal]:
    """The deals of a second typing."""
    return [kept.deal(body, number) for number, body in enumerate(second.deals, start=1)]


@dataclass(frozen=True, slots=True)
class TypingChanges:
    """What a second typing changes of the current sheet; None for `stopped` and `paper` it leaves alone.

    `untouched` are the rows that it leaves as they were when it was begun.
    """

    changes: dict[int, Deal]
    untouched: frozenset[int]
    stopped: bool | None
    paper: Paper | None


def changed_by(kept: KeptSheet, second: SecondTyping, names: Names = AS_WRITTEN) -> TypingChanges:
    """The changes of a second typing, relative to the version it was begun on, for the current sheet."""
    base = base_of(second.sheet, second.begun_version, names)
    deals = typed_deals(kept, second)
    pairs = enumerate(zip(deals, base.deals, strict=False), start=1)
    untouched = frozenset(number for number, (deal, was) in pairs if deal == was)
    changes = {
        number: deal
        for number, deal in enumerate(deals, start=1)
        if number not in untouched and (number > len(kept.deals) or kept.deals[number - 1] != deal)
    }
    if base.is_blank or len(deals) > len(base.deals):
        further = range(len(deals) + 1, len(kept.deals) + 1)
        changes.update({number: VOID for number in further if not kept.deals[number - 1].is_void})
    paper = None if second.paper is None else Paper.from_document(second.paper)
    return TypingChanges(
        changes,
        untouched,
        second.stopped if base.is_blank or second.stopped != base.stopped else None,
        paper if base.is_blank or paper != base.paper else None,
    )


def _check(reading: DraftReading) -> None:
    if reading.problems:
        numbers = ", ".join(str(number) for number in reading.problems)
        message = _("Not saved: look at row %(numbers)s.") % {"numbers": numbers}
        raise NotSaved("rows", message, field="rows", problems=reading.problems)
    for field, message in reading.paper.errors.items():
        raise NotSaved("paper", _("Not saved: %(why)s") % {"why": message}, field=field)
    if reading.draft.signed and reading.typed.state.status == "open":
        raise NotSaved(
            "sheet_open", _("Not saved: a sheet can be signed only when it has ended."), field="signed"
        )


def _write(actor: Actor, sheet: Scoresheet, draft: Draft, plan: Plan) -> Receipt | None:
    match plan.act:
        case DraftAct.NOTHING:
            return None
        case DraftAct.RECORD:
            return record_deals(
                actor=actor,
                sheet=sheet,
                deals=plan.added,
                key=draft.key,
                expected_version=draft.version,
                stopped=bool(plan.stopped),
                paper=plan.paper,
                left_side=draft.left,
            )
        case DraftAct.CORRECT:
            return correct_deals(
                actor=actor,
                sheet=sheet,
                changes=plan.changes or {},
                reason=draft.reason,
                key=draft.key,
                expected_version=draft.version,
                stopped=plan.stopped,
                paper=plan.paper,
                left_side=draft.left,
            )


def _version_of_key(actor: Actor, sheet: Scoresheet, key: str) -> int:
    """The sheet's version after this actor's act with this key."""
    return SheetAct.objects.values_list("version", flat=True).get(
        sheet=sheet, key_holder=actor.key_holder, key=key
    )


def _version(sheet: Scoresheet) -> int:
    return Scoresheet.objects.values_list("version", flat=True).get(pk=sheet.pk)


def _accept_and_sign(actor: Actor, sheet: Scoresheet, draft: Draft, version: int) -> bool:
    """Carry out the boxes ticked beside the rows; returns whether any of that was new."""
    state = Scoresheet.objects.values_list("paper_state", flat=True).get(pk=sheet.pk)
    done = False
    if draft.accepted and state == PaperState.DIFFERS:
        accept_difference(actor=actor, sheet=sheet, reason=draft.accepted, expected_version=version)
        done = True
    if draft.signed:
        signed = sign_sheet(actor=actor, sheet=sheet, method=SignatureMethod.PAPER, expected_version=version)
        done = bool(signed) or done
    return done


@transaction.atomic
def _keep_second_typing(*, actor: Actor, sheet: Scoresheet, reading: DraftReading) -> Saved:
    """Compare the draft with a sheet that has changed since, and store it if it differs."""
    locked = (
        Scoresheet.objects.select_related("rules")
        .select_for_update(no_key=True, of=("self",))
        .get(pk=sheet.pk)
    )
    if locked.status == SheetStatus.VOID:
        raise RecordingError("sheet_void", _("This sheet was voided."))
    ask(actor, SheetAction.RECORD, locked)
    now = base_of(locked)
    paper = reading.paper.paper
    is_same = reading.deals == now.deals and reading.typed.stopped == now.stopped
    if is_same and paper in (None, now.paper):
        # A typist who entered no paper figures has seen no difference to accept.
        ticked = replace(reading.draft, accepted="") if paper is None else reading.draft
        _accept_and_sign(actor, locked, ticked, locked.version)
        return Saved(SaveOutcome.SAME, locked.version)
    said: dict[str, Any] = {
        "begun_version": reading.base.version,
        "deals": [reading.base.kept.stored(deal) for deal in reading.deals],
        "stopped": reading.typed.stopped,
        "paper": None if paper is None else paper.to_document(),
    }
    key = reading.draft.key
    mine = SecondTyping.objects.filter(sheet=locked, actor_kind=actor.kind.value, actor_id=actor.id)
    earlier = list(mine.filter(key__startswith=key))
    for second in earlier:
        if second.settled_at is None and all(getattr(second, name) == said[name] for name in said):
            return Saved(SaveOutcome.TYPED_TWICE, locked.version, second)
    # The draft may have changed since it was stored: store the new state beside the old one.
    taken = {second.key for second in earlier}
    keys = (f"{key}+{number}" if number else key for number in count())
    second = SecondTyping.objects.create(
        sheet=locked,
        key=next(one for one in keys if one not in taken),
        against_version=locked.version,
        reason=reading.draft.reason,
        **said,
        **SecondTyping.actor_fields(actor),
    )
    return Saved(SaveOutcome.TYPED_TWICE, locked.version, second)


def _open_second(second: SecondTyping) -> SecondTyping:
    rows = SecondTyping.objects.select_related("sheet__rules").select_for_update(no_key=True, of=("self",))
    second = rows.get(pk=second.pk)
    if second.settled_at is not None:
        raise RecordingError("settled", _("Somebody has settled this already."))
    return second


def _settle(second: SecondTyping, actor: Actor, how: str) -> None:
    values = {"settled_at": timezone.now(), "settled_how": how[:300]}
    values |= SecondTyping.actor_fields(actor, "settled_by")
    SecondTyping.objects.filter(pk=second.pk).update(**values)
