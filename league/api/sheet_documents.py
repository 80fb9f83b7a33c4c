"""Sheets, their deals and what was done to them, as the API writes them.

A deal is written as one would send it (INTERFACES §2), both players of every hand named; null is one that was
voided.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from league.api.at_sheet import club_of
from league.people.naming import Names
from scoring.core.sheets import SheetSide
from scoring.documents.sheets import deal_document
from scoring.models import (
    DealVersion,
    Dispute,
    DisputeSettlement,
    HouseRules,
    Scoresheet,
    SheetAct,
    SheetStatus,
    Signature,
)
from scoring.services.records import KeptSheet

Document = dict[str, Any]


def spelt(kept: KeptSheet, names: Names) -> KeptSheet:
    """The sheet with its names as they are printed for whoever reads it."""
    if not names.instead:
        return kept
    first, second = (_spelt_side(side, names) for side in kept.sides)
    seats = {number: names.shown(name) for number, name in kept.seat_names.items()}
    return replace(kept, sides=(first, second), seat_names=seats)


def sheet_row(sheet: Scoresheet, side_names: Sequence[str]) -> Document:
    """A sheet as it stands in a list; its club and match were read along."""
    return {
        **_about(sheet),
        "sides": list(side_names),
        "status": sheet.status,
        "stopped": sheet.stopped,
        "deal_count": sheet.deal_count,
        "net": sheet.net,
        "winner": None if sheet.winner_side is None else side_names[sheet.winner_side],
        "opened_at": sheet.opened_at,
        "updated_at": sheet.updated_at,
    }


def whole_sheet(kept: KeptSheet) -> Document:
    """The sheet with all that the scorer says of it (INTERFACES §2); its status is "void" once it was voided.

    But for the names it changes with the sheet's version and with who sits where, and with nothing else.
    """
    document = kept.state.to_document()
    if kept.sheet.status == SheetStatus.VOID:
        document["status"] = str(SheetStatus.VOID)
    sides = [_side_document(side) for side in kept.sides]
    return {**_about(kept.sheet), "sides": sides, "stopped": kept.sheet.stopped, **document}


def names_digest(kept: KeptSheet, *, as_written: bool) -> str:
    """What tells apart who sits where under which name; "" where that is as it was when the sheet was opened:
    nobody took over a seat, and the names are `as_written`.
    """
    if as_written and not kept.has_substitutes:
        return ""
    told = repr([(side.name, side.everyone, side.substitutes) for side in kept.sides])
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def deal_version(kept: KeptSheet, row: DealVersion, names: Names) -> Document:
    """One version of a deal, with the act that brought it."""
    act = row.act
    return {
        "version": row.version,
        "deal": deal_document(kept.deal(row.body, row.number)),
        **_by(act, names),
        "reason": names.in_sentence(act.reason),
    }


def correction(kept: KeptSheet, act: SheetAct, rows: Iterable[DealVersion], names: Names) -> Document:
    """A correction: who, when, why, each deal it changed, before and after; `rows` are all of the sheet."""
    bodies = {(row.number, row.version): row.body for row in rows}
    changed = [row for row in rows if row.act_id == act.pk]
    return {
        "sheet_version": act.version,
        **_by(act, names),
        "reason": names.in_sentence(act.reason),
        "stopped": bool(act.body.get("stopped")),
        "deals": [
            {
                "number": row.number,
                "version": row.version,
                "before": _deal(kept, bodies.get((row.number, row.version - 1)), row.number),
                "after": _deal(kept, row.body, row.number),
            }
            for row in changed
        ],
    }


def signature(kept: KeptSheet, row: Signature, names: Names) -> Document:
    """A signature; it has lapsed where the sheet has a newer version."""
    return {
        "side": kept.sides[row.side].name,
        "sheet_version": row.version,
        "lapsed": row.version != kept.sheet.version,
        "method": row.method,
        **_by(row, names),
    }


def dispute(kept: KeptSheet, number: int, row: Dispute, names: Names) -> Document:
    """The sheet's dispute of this number, counted from 1; its settlement is null while it is open."""
    settled = getattr(row, "settlement", None)
    return {
        "number": number,
        "side": kept.sides[row.side].name,
        "sheet_version": row.version,
        "sentence": names.in_sentence(row.sentence),
        **_by(row, names),
        "settlement": None
        if settled is None
        else {"reason": names.in_sentence(settled.reason), **_by(settled, names)},
    }


def _about(sheet: Scoresheet) -> Document:
    match = getattr(sheet, "match", None)
    club = club_of(sheet)
    return {
        "code": sheet.code,
        "label": sheet.label,
        "version": sheet.version,
        "club": None if club is None else club.slug,
        "event": None if match is None else match.event.code,
        "match": None if match is None else match.code,
        "house_rules": _rules(sheet.rules),
    }


def _rules(rules: HouseRules) -> Document:
    return {"code": rules.code, "version": rules.version, "name": rules.name}


def _side_document(side: SheetSide) -> Document:
    document: Document = {"name": side.name, "players": list(side.players)}
    if side.substitutes:
        document["substitutes"] = [
            {"player": one.player, "replaces": one.replaces, "from_deal": one.from_deal}
            for one in side.substitutes
        ]
    return document


def _spelt_side(side: SheetSide, names: Names) -> SheetSide:
    return SheetSide(
        names.shown(side.name),
        tuple(names.shown(player) for player in side.players),
        tuple(
            replace(one, player=names.shown(one.player), replaces=names.shown(one.replaces))
            for one in side.substitutes
        ),
    )


def _deal(kept: KeptSheet, body: Document | None, number: int) -> Document | None:
    return None if body is None else deal_document(kept.deal(body, number))


def _by(row: SheetAct | Signature | Dispute | DisputeSettlement, names: Names) -> Document:
    return {"at": row.at, "by": names.shown(row.actor_name)}
