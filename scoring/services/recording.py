"""Deals appended to a sheet, and deals corrected.

Deals are handed in as the core has them, or as the documents in which they were sent. These are read under
the lock, and not before their key was looked up: what comes again is answered as it was, whoever sits at the
table by now.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.actors import Actor
from scoring.core.errors import DocumentError, HandError, RecordingError, SheetError
from scoring.core.sheets import Deal
from scoring.documents.sheets import deal_document
from scoring.models import ActKind, Scoresheet, SheetStatus
from scoring.policy import Action, policy
from scoring.services.acts import (
    Receipt,
    ask,
    check_not_void,
    check_version,
    checked_reason,
    commit,
    digest_of,
    kept_for,
    locked_sheet,
    repeated_receipt,
)
from scoring.services.records import PLAYER_FIELDS, KeptSheet
from scoring.typing.paper_figures import Paper, check_columns


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
    any version is looked at and whatever he may by now; with other content it is refused with `key_reused`.
    `expected_version` refuses a stale writer with `stale_version`. `stopped` calls time after the deals.
    `paper` is what the paper says of the whole sheet; `left_side` which side stands left on it. Further
    refusals: `not_allowed`, `sheet_void`, `sheet_stopped`, `sheet_finished`, `nothing_to_record`,
    `too_many_totals`, and any `HandError` placed at its deal and hand.
    """
    return record_documents(
        actor=actor,
        sheet=sheet,
        documents=[deal_document(deal) for deal in deals],
        key=key,
        expected_version=expected_version,
        stopped=stopped,
        paper=paper,
        left_side=left_side,
    )


@transaction.atomic
def record_documents(
    *,
    actor: Actor,
    sheet: Scoresheet,
    documents: Sequence[object],
    key: str | None = None,
    expected_version: int | None = None,
    stopped: bool = False,
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """`record_deals` with deals as in INTERFACES §2; refused also as `documents.DealReader` refuses them."""
    locked = locked_sheet(sheet)
    digest = _digest_of(ActKind.RECORD, documents, stopped, paper, left_side)
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    ask(actor, Action.RECORD, locked)
    check_version(locked, expected_version)
    check_not_void(locked)
    if locked.stopped:
        raise RecordingError("sheet_stopped", _("Time was called on this sheet; it takes corrections only."))
    if not documents and not stopped and paper is None:
        raise RecordingError("nothing_to_record", _("There is nothing to record."), field="deals")
    if stopped and locked.status != SheetStatus.OPEN:
        raise SheetError("sheet_finished", _("The sheet had ended before time was called."), field="stopped")
    first = len(kept.deals) + 1
    new = [_checked(kept, number, asked) for number, asked in enumerate(documents, first)]
    if any(deal.is_void for deal in new):
        raise RecordingError("nothing_to_record", _("A new deal has hands."), field="deals")
    state = kept.score([*kept.deals, *new], stopped=stopped)
    for scored in state.deals[first - 1 :]:
        if not scored.counted:
            raise SheetError("sheet_finished", _("The sheet had ended before this deal."), deal=scored.number)
    locked.stopped = stopped
    _note_paper(locked, paper, left_side)
    changes = [(number, 1, deal) for number, deal in enumerate(new, first)]
    return commit(
        kept, state, actor, ActKind.RECORD, changes, key=key, digest=digest, paper=paper, left_side=left_side
    )


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
    return correct_documents(
        actor=actor,
        sheet=sheet,
        changes={number: deal_document(deal) for number, deal in changes.items()},
        reason=reason,
        key=key,
        expected_version=expected_version,
        stopped=stopped,
        paper=paper,
        left_side=left_side,
    )


@transaction.atomic
def correct_documents(
    *,
    actor: Actor,
    sheet: Scoresheet,
    changes: Mapping[int, object],
    reason: str,
    key: str | None = None,
    expected_version: int | None = None,
    stopped: bool | None = None,
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """`correct_deals` with deals as in INTERFACES §2, null to void one; refused as `record_documents` is."""
    locked = locked_sheet(sheet)
    asked = dict(sorted(changes.items()))
    digest = _digest_of(ActKind.CORRECT, asked, stopped, paper, [reason, left_side])
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    ask(actor, Action.CORRECT, locked)
    check_version(locked, expected_version)
    check_not_void(locked)
    reason = checked_reason(reason)
    deals, rows = _changed(kept, asked)
    before = (locked.stopped, locked.paper, locked.left_side)
    if stopped is not None:
        locked.stopped = stopped
    _note_paper(locked, paper, left_side)
    if not rows and (locked.stopped, locked.paper, locked.left_side) == before:
        raise RecordingError("nothing_changed", _("The sheet says this already."), field="deals")
    state = kept.score(deals, stopped=locked.stopped)
    return commit(
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


def _digest_of(kind: ActKind, deals: object, stopped: bool | None, paper: Paper | None, more: object) -> str:
    """`digest_of`, for documents that nobody has looked into yet."""
    try:
        return digest_of(kind, deals, stopped, paper, more)
    except RecursionError:
        raise DocumentError("not_json", _("The document is nested too deep.")) from None


def _note_paper(sheet: Scoresheet, paper: Paper | None, left_side: int | None) -> None:
    """What the paper says of the whole sheet and which side stands left on it, as far as told."""
    if left_side is not None:
        sheet.left_side = left_side
    if paper is not None:
        check_columns(paper, sheet.rules.rules.columns)
        sheet.paper = paper.to_document()


def _checked(kept: KeptSheet, number: int, document: object) -> Deal:
    """The deal as this sheet takes it, whatever door it came by: its players, their number, the ranges.

    Players go by the names that are written on the sheet, or by those they have now.
    """
    try:
        return kept.reader.read(document, number)
    except HandError as error:
        written = _as_written(kept, document) if error.code == "unknown_player" else document
        if written == document:
            raise
    return kept.reader.read(written, number)


def _as_written(kept: KeptSheet, document: Any) -> Any:
    """The deal with the names on the sheet where it has those of now, of its players and sides."""
    persons = policy().called(set(kept.persons.values()))
    now = kept.called(lambda key, name: persons.get(key, name))
    written = {now.seat_names[number]: name for number, name in kept.seat_names.items()}
    written |= {after.name: before.name for after, before in zip(now.sides, kept.sides, strict=True)}
    known = {*kept.seat_names.values(), *(side.name for side in kept.sides)}

    def renamed(value: Any, names: Collection[str]) -> Any:
        return value | {
            name: written.get(value[name], value[name])
            for name in names
            if isinstance(value.get(name), str) and value[name] not in known
        }

    hands, line = document.get("hands"), document.get("line")
    if isinstance(line, dict):
        return document | {"line": renamed(line, ("winner",))}
    return document | {
        "hands": [renamed(hand, PLAYER_FIELDS) if isinstance(hand, dict) else hand for hand in hands]
    }


def _changed(kept: KeptSheet, asked: Mapping[int, object]) -> tuple[list[Deal], list[tuple[int, int, Deal]]]:
    """All deals after a correction, and the (number, version, deal) that are new."""
    deals = list(kept.deals)
    rows = []
    for number, document in asked.items():
        if not 1 <= number <= len(deals) + 1 or (number > len(deals) and document is None):
            count = len(kept.deals)
            raise RecordingError(
                "unknown_deal",
                ngettext("The sheet has %(count)d deal.", "The sheet has %(count)d deals.", count)
                % {"count": count},
                deal=number,
            )
        deal = _checked(kept, number, document)
        if number > len(deals):
            deals.append(deal)
            rows.append((number, 1, deal))
        elif deals[number - 1] != deal:
            deals[number - 1] = deal
            rows.append((number, kept.versions[number - 1].version + 1, deal))
    return deals, rows
