"""Every write to a kept sheet.

Each service takes an actor, asks the policy, locks the one sheet it changes, checks, appends, replays the
sheet through the scorer, stores the derived state beside it and tells the floors above, all in one
transaction. A refusal is a `ScoringError` and changes nothing.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from unicodedata import category

from django.db import transaction
from django.utils import timezone

from scoring.actors import Actor
from scoring.documents import deal_document, read_sides
from scoring.errors import RecordingError, SheetError
from scoring.models import (
    ActKind,
    DealVersion,
    HouseRules,
    PaperState,
    Scoresheet,
    Seat,
    SheetAct,
    SheetStatus,
    Side,
    Signature,
    SignatureMethod,
)
from scoring.paper import Paper, check_columns, differences
from scoring.policy import Action, policy
from scoring.records import KeptSheet, derived_document, kept_sheet
from scoring.rules import Rules
from scoring.sheets import Deal, SheetSide, SheetState
from scoring.signals import sheet_changed

LONGEST_LABEL: Final = 40
LONGEST_KEY: Final = 200
LONGEST_REASON: Final = 300


@dataclass(frozen=True, slots=True)
class Receipt:
    """What a write answers, now and whenever its key is sent again.

    `version` is the sheet's after the act, `first` the number of the first deal recorded (None where the
    act brought none), `count` how many, `repeated` whether this is the stored answer to an earlier request.
    """

    sheet: str
    version: int
    first: int | None
    count: int
    status: str
    net: int
    repeated: bool = False

    def to_document(self) -> dict[str, Any]:
        """The stored answer: the same for the first request and every repetition."""
        return {
            "sheet": self.sheet,
            "version": self.version,
            "first": self.first,
            "count": self.count,
            "status": self.status,
            "net": self.net,
        }


@dataclass(frozen=True, slots=True)
class SheetPlan:
    """A sheet to be opened: its sides and the label printed on it."""

    sides: tuple[SheetSide, SheetSide]
    label: str = ""


def make_house_rules(
    *, actor: Actor, name: str, rules: Rules, earlier: HouseRules | None = None
) -> HouseRules:
    """A new version of `earlier` rules, or new rules; every knob is stored."""
    fields: dict[str, Any] = {"name": name, "knobs": rules.to_document(), **HouseRules.actor_fields(actor)}
    if earlier is None:
        return HouseRules.objects.create(**fields)
    with transaction.atomic():
        versions = HouseRules.objects.filter(code=earlier.code)
        # Two directors at once: whoever comes second waits here, and counts on from the first one's version.
        first = versions.select_for_update(no_key=True).earliest("version")
        newest = versions.latest("version")
        return HouseRules.objects.create(code=first.code, version=newest.version + 1, **fields)


def open_sheet(
    *, actor: Actor, rules: HouseRules, sides: tuple[SheetSide, SheetSide], label: str = ""
) -> Scoresheet:
    """A new sheet with nothing on it; refuses sides as `documents.read_sides` does."""
    return open_sheets(actor=actor, rules=rules, plans=[SheetPlan(sides, label)])[0]


@transaction.atomic
def open_sheets(*, actor: Actor, rules: HouseRules, plans: Sequence[SheetPlan]) -> list[Scoresheet]:
    """Many new sheets by the same rules, in the order of the plans."""
    if not policy().allows(actor, Action.OPEN, None):
        raise _not_allowed(actor)
    for plan in plans:
        _check_sides(plan.sides)
        if len(plan.label) > LONGEST_LABEL:
            raise SheetError("too_long", f"A label has at most {LONGEST_LABEL} characters.", field="label")
    fields = Scoresheet.actor_fields(actor)
    sheets = Scoresheet.objects.bulk_create(
        [Scoresheet(rules=rules, label=plan.label, **fields) for plan in plans]
    )
    _seat(sheets, [plan.sides for plan in plans])
    return sheets


@transaction.atomic
def reseat_sheet(*, actor: Actor, sheet: Scoresheet, sides: tuple[SheetSide, SheetSide]) -> None:
    """Other names at the top of a sheet that is still blank (else `sheet_begun`); code and label stay."""
    locked = _locked(sheet)
    _ask(actor, Action.OPEN, locked)
    if locked.acts.exists():
        raise RecordingError("sheet_begun", "The names on a sheet change only while it is blank.")
    _check_sides(sides)
    locked.sides.all().delete()
    _seat([locked], [sides])


@transaction.atomic
def record_deals(
    *,
    actor: Actor,
    sheet: Scoresheet,
    deals: Sequence[Deal],
    key: str | None = None,
    expected_version: int | None = None,
    stopped: bool = False,
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """Appends deals to a sheet, as one act.

    `key` makes it idempotent: the same actor's same key and content answers the first receipt again, before
    any version is looked at; with other content it is refused with `key_reused`. `expected_version` refuses
    a stale writer with `stale_version`. `stopped` calls time after the deals. `paper` is what the paper says
    of the whole sheet; `left_side` which side stands left on it. Further refusals: `not_allowed`,
    `sheet_void`, `sheet_stopped`, `sheet_finished`, `nothing_to_record`, `too_many_totals`, and any
    `HandError` placed at its deal and hand.
    """
    locked = _locked(sheet)
    _ask(actor, Action.RECORD, locked)
    documents = [deal_document(deal) for deal in deals]
    digest = _digest(ActKind.RECORD, documents, stopped, paper, left_side)
    if receipt := _repeated(locked, actor, key, digest):
        return receipt
    _check_version(locked, expected_version)
    _check_not_void(locked)
    if locked.stopped:
        raise RecordingError("sheet_stopped", "Time was called on this sheet; it takes corrections only.")
    if not deals and not stopped and paper is None:
        raise RecordingError("nothing_to_record", "There is nothing to record.", field="deals")
    if stopped and locked.status != SheetStatus.OPEN:
        raise SheetError("sheet_finished", "The sheet had ended before time was called.", field="stopped")
    kept = kept_sheet(locked)
    first = len(kept.deals) + 1
    changes = [(number, 1, _checked(kept, number, asked)) for number, asked in enumerate(documents, first)]
    if any(deal.is_void for _, _, deal in changes):
        raise RecordingError("nothing_to_record", "A new deal has hands.", field="deals")
    state = kept.score([*kept.deals, *(deal for _, _, deal in changes)], stopped=stopped)
    for scored in state.deals[first - 1 :]:
        if not scored.counted:
            raise SheetError("sheet_finished", "The sheet had ended before this deal.", deal=scored.number)
    locked.stopped = stopped
    if left_side is not None:
        locked.left_side = left_side
    if paper is not None:
        check_columns(paper, locked.rules.rules.columns)
        locked.paper = paper.to_document()
    return _commit(
        kept, state, actor, ActKind.RECORD, changes, key=key, digest=digest, paper=paper, left_side=left_side
    )


@transaction.atomic
def correct_deals(
    *,
    actor: Actor,
    sheet: Scoresheet,
    changes: Mapping[int, Deal],
    reason: str,
    key: str | None = None,
    expected_version: int | None = None,
    stopped: bool | None = None,
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """Puts new versions in the place of deals, as one act with its reason; a `VOID` deal counts nothing.

    Numbers are those of the sheet; a forgotten deal is entered by correcting the deals from there on, so the
    numbers may run on beyond the last deal. `stopped` calls time or takes it back where it is not None;
    `left_side` is which side stands left on the paper, where that was mistaken too.
    Deals equal to what is stored are passed over; a left side alone is a correction too. If the sheet now
    ends earlier, later deals are kept and count nothing; it may also be open again. Refusals as for
    `record_deals`, and `reason_missing`, `unknown_deal`, `nothing_changed`.
    """
    locked = _locked(sheet)
    _ask(actor, Action.CORRECT, locked)
    asked = {number: deal_document(deal) for number, deal in sorted(changes.items())}
    digest = _digest(ActKind.CORRECT, asked, stopped, paper, [reason, left_side])
    if receipt := _repeated(locked, actor, key, digest):
        return receipt
    _check_version(locked, expected_version)
    _check_not_void(locked)
    reason = _reason(reason)
    kept = kept_sheet(locked)
    deals, rows = _changed(kept, asked)
    before = (locked.stopped, locked.paper, locked.left_side)
    if stopped is not None:
        locked.stopped = stopped
    if left_side is not None:
        locked.left_side = left_side
    if paper is not None:
        check_columns(paper, locked.rules.rules.columns)
        locked.paper = paper.to_document()
    if not rows and (locked.stopped, locked.paper, locked.left_side) == before:
        raise RecordingError("nothing_changed", "This is what the sheet says already.", field="deals")
    state = kept.score(deals, stopped=locked.stopped)
    return _commit(
        kept,
        state,
        actor,
        ActKind.CORRECT,
        rows,
        key=key,
        digest=digest,
        reason=reason,
        paper=paper,
        left_side=left_side,
    )


@transaction.atomic
def stop_sheet(
    *, actor: Actor, sheet: Scoresheet, reason: str = "", expected_version: int | None = None
) -> Receipt:
    """Calls time: the open columns settle with points and boxes (RULES §5)."""
    locked = _locked(sheet)
    _ask(actor, Action.STOP, locked)
    _check_version(locked, expected_version)
    _check_not_void(locked)
    reason = _reason(reason, required=False)
    if locked.status != SheetStatus.OPEN:
        raise RecordingError("sheet_finished", "The sheet has ended already.")
    kept = kept_sheet(locked)
    locked.stopped = True
    return _commit(kept, kept.score(kept.deals, stopped=True), actor, ActKind.STOP, [], reason=reason)


@transaction.atomic
def void_sheet(*, actor: Actor, sheet: Scoresheet, reason: str) -> Receipt:
    """Takes a whole sheet out: its deals stay readable and count nothing. It cannot be taken back."""
    locked = _locked(sheet)
    _ask(actor, Action.VOID, locked)
    _check_not_void(locked)
    reason = _reason(reason)
    kept = kept_sheet(locked)
    locked.status = SheetStatus.VOID
    return _commit(kept, kept.state, actor, ActKind.VOID, [], reason=reason)


@transaction.atomic
def accept_difference(
    *, actor: Actor, sheet: Scoresheet, reason: str, expected_version: int | None = None
) -> SheetAct:
    """Lets the computed result count although the paper says otherwise.

    The paper's figures, the actor and the reason stay visible.
    """
    locked = _locked(sheet)
    _ask(actor, Action.ACCEPT, locked)
    _check_version(locked, expected_version)
    _check_not_void(locked)
    reason = _reason(reason)
    if locked.paper_state != PaperState.DIFFERS:
        raise RecordingError("nothing_changed", "The sheet does not differ from its paper.")
    locked.paper_state = PaperState.ACCEPTED
    act = _act(locked, actor, ActKind.ACCEPT, reason=reason, body={"paper": locked.paper, "net": locked.net})
    locked.save(update_fields=["paper_state", "updated_at"])
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return act


@transaction.atomic
def sign_sheet(
    *,
    actor: Actor,
    sheet: Scoresheet,
    sides: Iterable[int] = (0, 1),
    method: SignatureMethod = SignatureMethod.PAPER,
    expected_version: int | None = None,
) -> list[Signature]:
    """Signs this version of the sheet for these sides (0, 1); sides that have signed it are passed over.

    A scorekeeper who has seen both signatures on the paper signs for both, by `SignatureMethod.PAPER`.
    Refused on a sheet still open (`sheet_open`), and for a side that is none (`unknown_side`).
    """
    sides = set(sides)
    if not sides <= {0, 1}:
        raise RecordingError("unknown_side", "A sheet has the sides 0 and 1.", field="sides")
    locked = _locked(sheet)
    _ask(actor, Action.SIGN, locked)
    _check_version(locked, expected_version)
    _check_not_void(locked)
    if locked.status == SheetStatus.OPEN:
        raise RecordingError("sheet_open", "A sheet is signed when it has ended.")
    signed = set(locked.signatures.filter(version=locked.version).values_list("side", flat=True))
    missing = [side for side in sorted(sides) if side not in signed]
    if not missing:
        return []
    act = _act(locked, actor, ActKind.SIGN, body={"sides": missing, "method": method.value})
    fields = Signature.actor_fields(actor)
    signatures = [
        Signature.objects.create(
            sheet=locked, act=act, version=locked.version, side=side, method=method, **fields
        )
        for side in missing
    ]
    sheet_changed.send(Scoresheet, sheet=locked, state=None, act=act)
    return signatures


def derive(sheet: Scoresheet, kept: KeptSheet, state: SheetState) -> None:
    """Sets everything on the sheet that is computed from its deals; saves nothing."""
    if sheet.status != SheetStatus.VOID:
        sheet.status = SheetStatus(state.status)
    sheet.deal_count = len(state.deals)
    sheet.net = state.net
    sheet.winner_side = None if state.winner is None else int(state.winner != kept.sides[0].name)
    sheet.derived = derived_document(kept, state)


DERIVED_FIELDS = ("status", "deal_count", "net", "winner_side", "derived")
_WRITTEN_FIELDS = ("version", "stopped", "paper", "paper_state", "left_side", "updated_at", *DERIVED_FIELDS)


def _locked(sheet: Scoresheet) -> Scoresheet:
    """The sheet's row, locked until the transaction ends, its rules loaded along."""
    rows = Scoresheet.objects.select_related("rules").select_for_update(no_key=True, of=("self",))
    locked = rows.filter(pk=sheet.pk).first()
    if locked is None:
        raise RecordingError(
            "sheet_gone", "This sheet is no longer there: the draw it came from was deleted."
        )
    return locked


def _ask(actor: Actor, action: Action, sheet: Scoresheet) -> None:
    if not policy().allows(actor, action, sheet):
        raise _not_allowed(actor)


def _seat(sheets: Sequence[Scoresheet], pairs: Sequence[tuple[SheetSide, SheetSide]]) -> None:
    """Writes the sides and seats of new sheets; seats are numbered through, side 0 first."""
    rows = Side.objects.bulk_create(
        [
            Side(sheet=sheet, position=position, name=side.name)
            for sheet, sides in zip(sheets, pairs, strict=True)
            for position, side in enumerate(sides)
        ]
    )
    Seat.objects.bulk_create(
        [
            Seat(sheet=sheet, side=row, number=number, name=name)
            for sheet, sides, pair in zip(
                sheets, pairs, zip(rows[0::2], rows[1::2], strict=True), strict=True
            )
            for number, (row, name) in enumerate(
                (row, name) for row, side in zip(pair, sides, strict=True) for name in side.players
            )
        ]
    )


def _not_allowed(actor: Actor) -> RecordingError:
    return RecordingError("not_allowed", f"{actor.name} may not do this.")


def _check_sides(sides: tuple[SheetSide, SheetSide]) -> None:
    read_sides([{"name": side.name, "players": list(side.players)} for side in sides])


def _check_version(sheet: Scoresheet, expected: int | None) -> None:
    if expected is not None and expected != sheet.version:
        raise RecordingError(
            "stale_version",
            f"The sheet was changed meanwhile: it is at version {sheet.version}, not {expected}.",
        )


def _check_not_void(sheet: Scoresheet) -> None:
    if sheet.status == SheetStatus.VOID:
        raise RecordingError("sheet_void", "This sheet was voided.")


def _reason(reason: str, *, required: bool = True) -> str:
    """The reason on one line; refused where it is missing, too long, or cannot be stored."""
    reason = " ".join(reason.split())
    if required and not reason:
        raise RecordingError("reason_missing", "Say why.", field="reason")
    if len(reason) > LONGEST_REASON:
        raise RecordingError("too_long", f"A reason has at most {LONGEST_REASON} characters.", field="reason")
    _check_storable(reason, "reason")
    return reason


def _check_storable(text: str, field: str) -> None:
    if any(category(character) in ("Cc", "Cs") for character in text):
        raise RecordingError("wrong_text", f"The {field} has a character that cannot be kept.", field=field)


def _digest(kind: ActKind, deals: object, stopped: bool | None, paper: Paper | None, more: object) -> str:
    asked = [kind.value, deals, stopped, None if paper is None else paper.to_document(), more]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def _repeated(sheet: Scoresheet, actor: Actor, key: str | None, digest: str) -> Receipt | None:
    """The stored receipt of this key, if the actor has used it on this sheet."""
    if key is None:
        return None
    if not 1 <= len(key) <= LONGEST_KEY:
        raise RecordingError("wrong_key", f"A key has 1 to {LONGEST_KEY} characters.", field="key")
    _check_storable(key, "key")
    acts = SheetAct.objects.filter(sheet=sheet, actor_kind=actor.kind.value, actor_id=actor.id, key=key)
    for stored, answer in acts.order_by().values_list("digest", "answer"):
        if stored != digest or answer is None:
            raise RecordingError("key_reused", "This key was used for something else.", field="key")
        return Receipt(**answer, repeated=True)
    return None


def _checked(kept: KeptSheet, number: int, document: dict[str, Any] | None) -> Deal:
    """The deal as this sheet takes it, whatever door it came by: its players, their number, the ranges."""
    return kept.reader.read(document, number)


def _changed(
    kept: KeptSheet, asked: Mapping[int, dict[str, Any] | None]
) -> tuple[list[Deal], list[tuple[int, int, Deal]]]:
    """All deals after a correction, and the (number, version, deal) that are new."""
    deals = list(kept.deals)
    rows = []
    for number, document in asked.items():
        if not 1 <= number <= len(deals) + 1 or (number > len(deals) and document is None):
            raise RecordingError("unknown_deal", f"The sheet has {len(kept.deals)} deals.", deal=number)
        deal = _checked(kept, number, document)
        if number > len(deals):
            deals.append(deal)
            rows.append((number, 1, deal))
        elif deals[number - 1] != deal:
            deals[number - 1] = deal
            rows.append((number, kept.versions[number - 1].version + 1, deal))
    return deals, rows


def _commit(
    kept: KeptSheet,
    state: SheetState,
    actor: Actor,
    kind: ActKind,
    changes: Sequence[tuple[int, int, Deal]],
    *,
    key: str | None = None,
    digest: str = "",
    reason: str = "",
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """Appends the act and its deals, stores what is derived, tells the floors above. The sheet is locked."""
    sheet = kept.sheet
    sheet.version += 1
    derive(sheet, kept, state)
    sheet.paper_state = paper_state(sheet.paper, state)
    first = changes[0][0] if changes else None
    receipt = Receipt(sheet.code, sheet.version, first, len(changes), str(sheet.status), sheet.net)
    body: dict[str, Any] = {"stopped": sheet.stopped}
    if paper is not None:
        body["paper"] = paper.to_document()
    if left_side is not None:
        body["left_side"] = left_side
    act = _act(
        sheet, actor, kind, reason=reason, body=body, key=key, digest=digest, answer=receipt.to_document()
    )
    if changes:
        DealVersion.objects.bulk_create(
            [
                DealVersion(sheet=sheet, act=act, number=number, version=version, body=kept.stored(deal))
                for number, version, deal in changes
            ]
        )
    sheet.updated_at = timezone.now()
    Scoresheet.objects.filter(pk=sheet.pk).update(**{name: getattr(sheet, name) for name in _WRITTEN_FIELDS})
    sheet_changed.send(Scoresheet, sheet=sheet, state=state, act=act)
    return receipt


def paper_state(document: dict[str, Any] | None, state: SheetState) -> PaperState:
    """How the sheet stands to the paper's figures; an acceptance does not outlive a change of the sheet."""
    paper = Paper() if document is None else Paper.from_document(document)
    if paper.is_blank:
        return PaperState.NONE
    return PaperState.DIFFERS if differences(state, paper) else PaperState.AGREES


def _act(
    sheet: Scoresheet,
    actor: Actor,
    kind: ActKind,
    *,
    reason: str = "",
    body: dict[str, Any] | None = None,
    key: str | None = None,
    digest: str = "",
    answer: dict[str, Any] | None = None,
) -> SheetAct:
    return SheetAct.objects.create(
        sheet=sheet,
        kind=kind,
        version=sheet.version,
        reason=reason,
        key=key,
        digest=digest,
        answer=answer,
        body=body or {},
        **SheetAct.actor_fields(actor),
    )
