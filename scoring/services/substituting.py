"""Substitutes who take over a seat in the middle of a sheet, which then records who played which deal."""

from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError, SheetError
from scoring.core.mentions import mention
from scoring.core.sheets import Deal, Substitute
from scoring.documents.hand_names import named_in_hand, renamed_hand
from scoring.documents.sheets import deal_document
from scoring.documents.sides import check_sides
from scoring.models import ActKind, DealVersion, Scoresheet, Seat, SecondTyping, SheetStatus, Side
from scoring.policy import SheetAction
from scoring.services.acts import (
    Receipt,
    ask,
    check_not_void,
    checked_reason,
    commit,
    locked_sheet,
    write_act,
)
from scoring.services.deriving import DERIVED_FIELDS, derive
from scoring.services.disputes import checked_sides
from scoring.services.feats import feats_of, store_feats
from scoring.services.records import KeptSheet, kept_sheet
from scoring.signals import sheet_changed


@transaction.atomic
def add_substitute(
    *,
    actor: Actor,
    sheet: Scoresheet,
    side: int,
    replaces: str,
    name: str,
    from_deal: int,
    person: str = "",
    reason: str = "",
) -> Receipt:
    """Seats `name` in place of `replaces`, from deal `from_deal` to the end of the sheet.

    `person` is the key of the substitute. `from_deal` is at least 2 (before the first deal the line-up is
    changed) and at most the next deal. Deals from there on that name the replaced player are corrected to
    name the substitute, which takes permission to correct and a reason; the version stays the same if nothing
    is corrected. Refused: `not_allowed`, `sheet_void`, `unknown_side`, `out_of_range`, `sheet_finished`
    (nothing left to play), `reason_missing`, and whatever `sides.check_sides` refuses (`unknown_player`,
    `duplicate_name`).
    """
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.RECORD, locked)
    kept = kept_sheet(locked)
    check_not_void(locked)
    checked_sides(locked, [side], field="side")
    _check_first_deal(kept, from_deal)
    sides = list(kept.sides)
    substitute = Substitute(name, replaces, from_deal)
    sides[side] = replace(sides[side], substitutes=(*sides[side].substitutes, substitute))
    seated = check_sides(sides, kept.sheet.rules.rules)
    numbers = {seat: number for number, seat in kept.seat_names.items()}
    number = max(kept.seat_names) + 1
    Seat.objects.create(
        sheet=locked,
        side=Side.objects.get(sheet=locked, position=side),
        number=number,
        name=name,
        person=person,
        replaces=numbers[replaces],
        from_deal=from_deal,
    )
    persons = {**kept.persons, number: person} if person else kept.persons
    after = replace(kept, sides=seated, seat_names={**kept.seat_names, number: name}, persons=persons)
    reason = _correct_later_deals(actor, after, replaces, name, from_deal, reason)
    body = _act_body(after, side, number, numbers[replaces], from_deal)
    return _append_act(actor, after, ActKind.SEAT, body, reason=reason)


@transaction.atomic
def remove_substitute(*, actor: Actor, sheet: Scoresheet, name: str, reason: str) -> Receipt:
    """Removes a substitute who was seated by mistake and has played no deal.

    Refused: `unknown_player` if no such substitute sits here, `seat_passed_on` if another one followed,
    `has_hands` if a deal names the substitute; otherwise as `add_substitute`.
    """
    locked = locked_sheet(sheet)
    ask(actor, SheetAction.RECORD, locked)
    check_not_void(locked)
    reason = checked_reason(reason)
    kept = kept_sheet(locked)
    seat = Seat.objects.filter(sheet=locked, name=name, replaces__isnull=False).select_related("side").first()
    if seat is None:
        raise RecordingError(
            "unknown_player", _("No substitute “%(name)s” sits here.") % {"name": name}, field="name"
        )
    words = {"name": name}
    if Seat.objects.filter(sheet=locked, replaces=seat.number).exists():
        raise RecordingError("seat_passed_on", _("Another substitute has followed %(name)s.") % words)
    if _has_entries(locked, seat):
        raise RecordingError(
            "has_hands",
            _("Hands of %(name)s are recorded, so the seat stays; what is wrong with them can be corrected.")
            % words,
            field="name",
        )
    body = _act_body(kept, seat.side.position, seat.number, seat.replaces or 0, seat.from_deal)
    seat.delete()
    return _append_act(actor, kept_sheet(locked), ActKind.UNSEAT, body, reason=reason)


def _act_body(kept: KeptSheet, side: int, seat: int, replaces: int, from_deal: int) -> dict[str, Any]:
    """The body of the act: both players by key and written name."""
    return {
        "side": side,
        "seat": seat,
        "player": mention(kept.persons.get(seat, ""), kept.seat_names[seat]),
        "replaces": mention(kept.persons.get(replaces, ""), kept.seat_names[replaces]),
        "from_deal": from_deal,
    }


def _check_first_deal(kept: KeptSheet, from_deal: int) -> None:
    """Refuses a first deal that a substitute cannot have on this sheet."""
    last = len(kept.versions)
    if from_deal < 2:
        raise SheetError(
            "out_of_range",
            _("Before the first deal the line-up is changed; a substitute sits from deal 2 on."),
            field="from_deal",
        )
    if from_deal > last + 1:
        raise SheetError(
            "out_of_range",
            _("A substitute sits from deal %(next)d at the latest, the next one.") % {"next": last + 1},
            field="from_deal",
        )
    if from_deal > last and kept.sheet.status != SheetStatus.OPEN:
        raise SheetError(
            "sheet_finished", _("The sheet has ended: nothing is left to play."), field="from_deal"
        )


def _correct_later_deals(
    actor: Actor, kept: KeptSheet, old: str, new: str, from_deal: int, reason: str
) -> str:
    """Corrects the deals from there on to name the substitute; returns the checked reason.

    `kept` has the new seat already.
    """
    deals = list(kept.deals)
    changes: list[tuple[int, int, Deal]] = []
    for number in range(from_deal, len(deals) + 1):
        deal = deals[number - 1]
        passed = kept.reader.read(_renamed(deal_document(deal), old, new), number)
        if passed != deal:
            deals[number - 1] = passed
            changes.append((number, kept.versions[number - 1].version + 1, passed))
    reason = checked_reason(reason, required=bool(changes))
    if changes:
        ask(actor, SheetAction.CORRECT, kept.sheet)
        state = kept.score(deals, stopped=kept.sheet.stopped)
        commit(kept, state, actor, ActKind.CORRECT, changes, reason=reason)
    return reason


def _renamed(document: dict[str, Any] | None, old: str, new: str) -> dict[str, Any] | None:
    """The deal as JSON, with the new player in place of the old one."""
    if document is None or "line" in document:
        return document

    def name(player: str) -> str:
        return new if player == old else player

    return {"hands": [renamed_hand(hand, name) for hand in document["hands"]]}


def _has_entries(sheet: Scoresheet, seat: Seat) -> bool:
    """Whether any version of a deal or any second typing names the seat."""
    bodies = [*DealVersion.objects.filter(sheet=sheet).values_list("body", flat=True)]
    for deals in SecondTyping.objects.filter(sheet=sheet).values_list("deals", flat=True):
        bodies += deals
    return any(
        str(seat.number) == str(named)
        for body in bodies
        for hand in (body or {}).get("hands", [])
        for named in named_in_hand(hand)
    )


def _append_act(
    actor: Actor, kept: KeptSheet, kind: ActKind, body: dict[str, Any], *, reason: str
) -> Receipt:
    """Appends the act, updates the derived state, signals the apps above."""
    sheet = kept.sheet
    if sheet.version:
        state = kept_sheet(sheet).state
        derive(sheet, kept, state)
        fields = {name: getattr(sheet, name) for name in DERIVED_FIELDS}
        Scoresheet.objects.filter(pk=sheet.pk).update(updated_at=timezone.now(), **fields)
        if state.status != "open":
            store_feats(sheet.pk, feats_of(kept, state))
    receipt = Receipt.of(sheet, None, 0)
    act = write_act(sheet, actor, kind, reason=reason, body=body, answer=receipt.to_document())
    sheet_changed.send(Scoresheet, sheet=sheet, state=None, act=act)
    return receipt
