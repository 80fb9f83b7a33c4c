"""Recording and correcting deals.

Deals are given as the core's `Deal` or as JSON documents. Documents are read under the lock and only after
their key was looked up: a repeated request gets its first answer, whoever sits at the table by now.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.actors import Actor
from scoring.core.errors import DocumentError, HandError, RecordingError, SheetError
from scoring.core.sheets import Deal
from scoring.documents.hand_names import renamed_hand
from scoring.documents.sheets import deal_document
from scoring.models import ActKind, Scoresheet, SheetStatus
from scoring.policy import SheetAction, policy
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
from scoring.services.disputes import checked_sides
from scoring.services.records import KeptSheet
from scoring.typing.paper_figures import Paper, check_columns


@transaction.atomic
def record_deals(
    *,
    actor: Actor,
    sheet: Scoresheet,
    deals: Sequence[object],
    key: str | None = None,
    expected_version: int | None = None,
    stopped: bool = False,
    paper: Paper | None = None,
    left_side: int | None = None,
) -> Receipt:
    """Appends deals to a sheet as one act.

    `key` makes it idempotent: the same key and content from the same actor gets the first receipt again,
    before versions and permissions are checked; other content is refused with `key_reused`.
    `expected_version` refuses a stale writer with `stale_version`. `stopped` calls time after the deals.
    `paper` has the paper's figures for the whole sheet; `left_side` is the side in its first column. Also
    refused: `not_allowed`, `sheet_void`, `sheet_stopped`, `sheet_finished`, `nothing_to_record`,
    `too_many_totals`, `wrong_sides` (figures of a paper of other sides), `unknown_side`, and any `HandError`,
    with its deal and hand.
    """
    locked = locked_sheet(sheet)
    documents = [_as_document(deal) for deal in deals]
    digest = _digest_of(ActKind.RECORD, documents, stopped, paper, left_side)
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    ask(actor, SheetAction.RECORD, locked)
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


@transaction.atomic
def correct_deals(
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
    """Replaces deals by new versions, as one act with a reason; `VOID` voids a deal.

    `changes` is by deal number. A forgotten deal is inserted by correcting all deals from there on, so
    numbers may continue beyond the last one. `stopped` calls time or revokes the call, None leaves it;
    `left_side` corrects the side on the left of the paper. Deals equal to the stored ones are skipped; a new
    left side alone is a correction too. If the sheet now ends earlier, later deals are kept and count
    nothing; it may also be open again. Refuses like `record_deals`, and `reason_missing`, `unknown_deal`,
    `nothing_changed`.
    """
    locked = locked_sheet(sheet)
    asked = {number: _as_document(deal) for number, deal in sorted(changes.items())}
    digest = _digest_of(ActKind.CORRECT, asked, stopped, paper, [reason, left_side])
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    ask(actor, SheetAction.CORRECT, locked)
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


def _as_document(deal: object) -> object:
    return deal_document(deal) if isinstance(deal, Deal) else deal


def _digest_of(kind: ActKind, deals: object, stopped: bool | None, paper: Paper | None, more: object) -> str:
    """`digest_of` for documents that have not been checked yet."""
    try:
        return digest_of(kind, deals, stopped, paper, more)
    except RecursionError:
        raise DocumentError("not_json", _("The document is nested too deep.")) from None


def _note_paper(sheet: Scoresheet, paper: Paper | None, left_side: int | None) -> None:
    """Stores the paper's figures and left side, as far as given."""
    if left_side is not None:
        checked_sides(sheet, [left_side], field="left_side")
        sheet.left_side = left_side
    if paper is not None:
        check_columns(paper, sheet.rules.rules.columns, len(sheet.nets))
        sheet.paper = paper.to_document()


def _checked(kept: KeptSheet, number: int, document: object) -> Deal:
    """The deal, checked against this sheet: its players, their number, the ranges.

    Players are named as written on the sheet, or by their current names.
    """
    try:
        return kept.reader.read(document, number)
    except HandError as error:
        written = _as_written(kept, document) if error.code == "unknown_player" else document
        if written == document:
            raise
    return kept.reader.read(written, number)


def _as_written(kept: KeptSheet, document: Any) -> Any:
    """The document with current names of players and sides replaced by those on the sheet."""
    persons = policy().called(set(kept.persons.values()))
    now = kept.called(lambda key, name: persons.get(key, name))
    written = {now.seat_names[number]: name for number, name in kept.seat_names.items()}
    written |= {after.name: before.name for after, before in zip(now.sides, kept.sides, strict=True)}
    known = {*kept.seat_names.values(), *(side.name for side in kept.sides)}

    def as_written(name: Any) -> Any:
        return name if not isinstance(name, str) or name in known else written.get(name, name)

    hands, line = document.get("hands"), document.get("line")
    if isinstance(line, dict):
        return document | {"line": renamed_hand(line, as_written)}
    return document | {
        "hands": [renamed_hand(hand, as_written) if isinstance(hand, dict) else hand for hand in hands]
    }


def _changed(kept: KeptSheet, asked: Mapping[int, object]) -> tuple[list[Deal], list[tuple[int, int, Deal]]]:
    """All deals after a correction, and the new ones as (number, version, deal)."""
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
            deals[number - 1] = deal = _as_it_was(deals[number - 1], deal)
            rows.append((number, kept.versions[number - 1].version + 1, deal))
    return deals, rows


def _as_it_was(before: Deal, after: Deal) -> Deal:
    """The new deal with those hands as they stood whose figures are the same.

    What a row of figures cannot say of a hand, as that it was lost by time, is not lost with another hand.
    """
    stood = {hand: hand for hand in before.hands}
    return replace(after, hands=tuple([stood.get(hand, hand) for hand in after.hands]))
