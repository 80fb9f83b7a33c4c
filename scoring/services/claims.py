"""Deals entered at the table by either side: recorded, found there already, or kept as claims.

Also the withdrawal of one's own last deal or claim. Every entry says which deal it is meant to be. So two
telephones entering the same deal make one, a deal sent again makes none, and neither side overwrites the
other's entries.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError, ScoringError, SheetError
from scoring.core.hands import HandResult, Outcome
from scoring.core.keys import stored_forms
from scoring.core.kinds import kind_of
from scoring.core.kinds.base import Score, named_in
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal
from scoring.core.table_hands import TableResult, TableScore
from scoring.documents.sheets import deal_document
from scoring.models import ActedOn, ActKind, Claim, ClaimSettlement, Scoresheet, SheetAct, TableAnswer
from scoring.policy import SheetAction
from scoring.services.acts import (
    Receipt,
    ask,
    check_not_spent,
    check_not_void,
    checked_reason,
    commit,
    digest_of,
    kept_for,
    key_reused,
    locked_sheet,
    repeated_receipt,
    write_act,
)
from scoring.services.recording import correct_deals
from scoring.services.records import KeptSheet, kept_sheet

MOST_OPEN_CLAIMS: Final = 50


class Entered(StrEnum):
    """The outcome of an entry made at the table."""

    RECORDED = "recorded"
    # The same deal was there already, entered by the other side.
    SAME = "same"
    CLAIMED = "claimed"


@dataclass(frozen=True, slots=True)
class TableReceipt:
    """The answer to an entry at the table: the outcome for deal `number`, and the sheet's version.

    `claim` is the id of the claim it was kept as, None unless `outcome` is `claimed`.
    """

    outcome: Entered
    sheet: str
    number: int
    version: int
    claim: int | None = None
    repeated: bool = False


def open_claims(sheet: Scoresheet) -> QuerySet[Claim]:
    """The undecided claims of a sheet, oldest first."""
    return sheet.claims.filter(settlement=None).order_by("id")


def next_number(kept: KeptSheet) -> int:
    """The number of the next deal; a deal taken back at the table is entered again."""
    return len(kept.versions) + (not _last_was_taken_back(kept))


@transaction.atomic
def record_at_table(*, actor: Actor, sheet: Scoresheet, number: int, deal: Deal, key: str) -> TableReceipt:
    """Enters a deal that the sender believes to be number `number` (from 1).

    The next deal is recorded. If the deal is there already with the same content (the same winners, points
    and boxes, with or without counts), nothing changes. Other content is kept as a claim without effect, and
    so is a deal that arrives after time was called, since it may have been played before.

    The same key and content from the same actor gets the first receipt again, whatever has become of the deal
    and the event; other content is refused (`key_reused`). Also refused: a number beyond the next
    (`unknown_deal`), a voided deal (`nothing_to_record`), more than `MOST_OPEN_CLAIMS` open claims
    (`too_many_claims`), and whatever `record_deals` refuses.
    """
    locked = locked_sheet(sheet)
    document = deal_document(deal)
    kept = kept_for(locked, actor, key)
    # By seat numbers: a player may have another name when the request is repeated.
    digest = digest_of(ActKind.RECORD, [kept.by_seats(document)], None, None, {"table": number})
    named = digest_of(ActKind.RECORD, [document], None, None, {"table": number})
    if repeated := _repeated_table_receipt(kept, actor, number, key, {digest, named}):
        return repeated
    ask(actor, SheetAction.RECORD, locked)
    check_not_void(locked)
    expected = next_number(kept)
    latest = max(expected, _number_after_claims(locked)) if locked.stopped else expected
    if document is None:
        raise RecordingError("nothing_to_record", _("A new deal has hands."), field="deals")
    if not 1 <= number <= latest:
        raise RecordingError(
            "unknown_deal",
            _("The next deal of this sheet is number %(next)d.") % {"next": latest},
            deal=number,
        )
    asked = kept.reader.read(document, number)
    if number == expected and not locked.stopped:
        version = _append(kept, actor, number, asked, key=key, digest=digest)
        return TableReceipt(Entered.RECORDED, locked.code, number, version)
    _check_scores(kept, asked, number)
    if number < expected and _same_content(kept.sheet.rules.rules, kept.deals[number - 1], asked):
        _store_answer(locked, actor, None, key=key, digest=digest)
        return TableReceipt(Entered.SAME, locked.code, number, locked.version)
    claim = _claim(kept, actor, number, asked, key=key, digest=digest)
    return TableReceipt(Entered.CLAIMED, locked.code, number, locked.version, claim=claim.pk)


@transaction.atomic
def undo_last(*, actor: Actor, sheet: Scoresheet, number: int, key: str) -> Receipt:
    """Takes back deal `number`, the last one, if the actor entered it; that number is then next again.

    The deal gets a voided version, so the entry stays in the history. Idempotent by `key` like
    `record_at_table`. Refused: a deal that is not the last (`not_last`) or another's (`not_yours`), and
    sheets whose current version is signed (`signed`), on which time was called (`sheet_stopped`) or that are
    void.
    """
    locked = locked_sheet(sheet)
    digest = digest_of(ActKind.CORRECT, [], None, None, {"undone": number})
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    _earlier_answer(locked, actor, key, digest)
    ask(actor, SheetAction.UNDO, locked)
    check_not_void(locked)
    _check_not_stopped(locked)
    last = kept.versions[-1] if kept.versions else None
    if last is None or last.number != number or last.body is None:
        raise RecordingError("not_last", _("Only the last deal can be taken back."), deal=number)
    _check_entered_by(actor, last.act, number)
    if locked.signatures.filter(version=locked.version).exists():
        raise RecordingError(
            "signed", _("The sheet is signed; what is wrong with it the director corrects."), deal=number
        )
    state = kept.score([*kept.deals[:-1], VOID], stopped=False)
    return commit(
        kept,
        state,
        actor,
        ActKind.CORRECT,
        [(number, last.version + 1, VOID)],
        key=key,
        digest=digest,
        reason=_("Taken back at the table."),
        more={"undone": number},
    )


@transaction.atomic
def settle_claim(*, actor: Actor, claim: Claim, take: bool, reason: str = "") -> ClaimSettlement:
    """Decides a claim: accepted as a correction of its deal, or dismissed and kept.

    A claim that the sheet agrees with by now is accepted without a correction. A decision that corrects
    nothing is an act of its own, with a standard sentence if no reason is given. Refused: actors who may not
    decide (`not_allowed`), a claim decided otherwise (`settled`), and whatever `correct_deals` refuses, such
    as accepting the later one first of two deals sent after time was called.
    """
    locked = locked_sheet(claim.sheet)
    ask(actor, SheetAction.SETTLE, locked)
    check_not_void(locked)
    reason = checked_reason(reason, required=False)
    settled = ClaimSettlement.objects.filter(claim=claim).first()
    if settled is not None:
        if settled.taken == take:
            return settled
        raise _settled_otherwise()
    kept = kept_sheet(locked)
    deal = kept.deal(claim.body, claim.number)
    if not take:
        said = _("Deal %(number)d: the other entry is dismissed.") % {"number": claim.number}
        act = _write_settling(locked, actor, claim, reason or said)
    elif list(kept.deals[claim.number - 1 : claim.number]) == [deal]:
        said = _("Deal %(number)d stands as the other entry has it by now.") % {"number": claim.number}
        act = _write_settling(locked, actor, claim, reason or said)
    else:
        said = _("As entered differently at the table.")
        correct_deals(actor=actor, sheet=locked, changes={claim.number: deal}, reason=reason or said)
        act = locked.acts.filter(kind=ActKind.CORRECT).latest("id")
    return ClaimSettlement.objects.create(
        claim=claim, taken=take, reason=reason, act=act, **ClaimSettlement.actor_fields(actor)
    )


@transaction.atomic
def withdraw_claim(*, actor: Actor, claim: Claim) -> ClaimSettlement:
    """Withdraws a claim at the request of the actor who entered it; the sheet stays as it is.

    The withdrawal is an act of its own, whose reason names the deal. Repeating it returns the same
    settlement. Refused: another's claim (`not_yours`), a claim decided by somebody else (`settled`), a void
    sheet, and an actor who may not undo any more.
    """
    locked = locked_sheet(claim.sheet)
    ask(actor, SheetAction.UNDO, locked)
    check_not_void(locked)
    _check_entered_by(actor, claim, claim.number)
    fields = ClaimSettlement.actor_fields(actor)
    settled = ClaimSettlement.objects.filter(claim=claim).first()
    if settled is not None:
        if settled.is_by(actor) and not settled.taken:
            return settled
        raise _settled_otherwise()
    reason = _("Deal %(number)d: the other entry is taken back at the table.") % {"number": claim.number}
    act = _write_settling(locked, actor, claim, reason)
    return ClaimSettlement.objects.create(claim=claim, taken=False, reason=reason, act=act, **fields)


def _write_settling(sheet: Scoresheet, actor: Actor, claim: Claim, reason: str) -> SheetAct:
    return write_act(sheet, actor, ActKind.SETTLE, reason=reason, body={"claim": claim.pk})


def _append(kept: KeptSheet, actor: Actor, number: int, deal: Deal, *, key: str, digest: str) -> int:
    """Records the next deal, perhaps in the place of one taken back; returns the sheet's version."""
    deals = [*kept.deals[: number - 1], deal]
    state = kept.score(deals, stopped=False)
    if not state.deals[-1].counted:
        raise SheetError("sheet_finished", _("The sheet had ended before this deal."), deal=number)
    version = kept.versions[number - 1].version + 1 if number <= len(kept.versions) else 1
    changes = [(number, version, deal)]
    return commit(kept, state, actor, ActKind.RECORD, changes, key=key, digest=digest).version


def _claim(kept: KeptSheet, actor: Actor, number: int, deal: Deal, *, key: str, digest: str) -> Claim:
    """Keeps a claim to a deal; the same entry by the same actor is one claim, whatever its keys."""
    body = kept.stored(deal)
    standing = open_claims(kept.sheet)
    who: dict[str, Any] = Claim.actor_fields(actor)
    for same in standing.filter(number=number, actor_kind=who["actor_kind"], actor_id=who["actor_id"]):
        if same.body == body:
            _store_answer(kept.sheet, actor, same, key=key, digest=digest)
            return same
    if standing.count() >= MOST_OPEN_CLAIMS:
        raise RecordingError(
            "too_many_claims",
            _("%(count)d entries of this sheet wait for the director already.") % {"count": MOST_OPEN_CLAIMS},
        )
    claim = Claim.objects.create(
        sheet=kept.sheet,
        number=number,
        against_version=kept.versions[number - 1].version if number <= len(kept.versions) else 0,
        key=key,
        key_holder=actor.key_holder,
        digest=digest,
        body=body,
        **who,
    )
    reason = _("Deal %(number)d differs here from the sheet.") % {"number": number}
    write_act(kept.sheet, actor, ActKind.CLAIM, reason=reason, body={"claim": claim.pk})
    return claim


def _repeated_table_receipt(
    kept: KeptSheet, actor: Actor, number: int, key: str, digests: Collection[str]
) -> TableReceipt | None:
    """The receipt for this key if the actor already used it on this sheet for one of these digests."""
    sheet = kept.sheet
    if receipt := repeated_receipt(kept, *digests):
        return TableReceipt(Entered.RECORDED, sheet.code, number, receipt.version, repeated=True)
    said = _earlier_answer(sheet, actor, key, *digests)
    if said is None:
        return None
    version, claim = (sheet.version, said.pk) if isinstance(said, Claim) else (said.version, said.claim_id)
    outcome = Entered.SAME if claim is None else Entered.CLAIMED
    return TableReceipt(outcome, sheet.code, number, version, claim=claim, repeated=True)


def _earlier_answer(sheet: Scoresheet, actor: Actor, key: str, *digests: str) -> Claim | TableAnswer | None:
    """The claim or stored answer this key led to; other content is refused."""
    who = {"key_holder": actor.key_holder, "key__in": stored_forms(key)}
    for said in (sheet.claims.filter(**who).first(), sheet.answers.filter(**who).first()):
        if said is not None:
            check_not_spent(said.digest)
            if said.digest not in digests:
                raise key_reused()
            return said
    return None


def _store_answer(sheet: Scoresheet, actor: Actor, claim: Claim | None, *, key: str, digest: str) -> None:
    """Stores the answer to an entry that left no other trace."""
    TableAnswer.objects.create(
        sheet=sheet,
        actor_kind=actor.kind.value,
        actor_id=actor.id,
        key=key,
        key_holder=actor.key_holder,
        digest=digest,
        version=sheet.version,
        claim=claim,
    )


def _number_after_claims(sheet: Scoresheet) -> int:
    """The number after the last claimed deal; 1 without claims."""
    return (open_claims(sheet).aggregate(last=Max("number"))["last"] or 0) + 1


def _last_was_taken_back(kept: KeptSheet) -> bool:
    """Whether the last deal was taken back at the table; one voided by an officer keeps its number."""
    if not kept.versions or kept.versions[-1].body is not None:
        return False
    return "undone" in kept.versions[-1].act.body


def _check_not_stopped(sheet: Scoresheet) -> None:
    if sheet.stopped:
        raise RecordingError("sheet_stopped", _("Time was called on this sheet; it takes corrections only."))


def _check_entered_by(actor: Actor, entry: ActedOn, number: int) -> None:
    if not entry.is_by(actor):
        raise RecordingError("not_yours", _("Only whoever entered this deal can take it back."), deal=number)


def _settled_otherwise() -> RecordingError:
    """The refusal of a decision that contradicts an earlier one."""
    return RecordingError("settled", _("This has been decided already."))


def _check_scores(kept: KeptSheet, deal: Deal, number: int) -> None:
    """Refuses impossible hands, and who does not play this deal, before they are kept as a claim."""
    before = kept.deals[: number - 1]
    if len(before) == number - 1:
        kept.score([*before, deal], stopped=False)
        return
    # Who plays after deals that are themselves but claimed is open.
    rules = kept.sheet.rules.rules
    for hand, result in enumerate(deal.hands, start=1):
        try:
            kind_of(rules).score_hand(rules, result)
        except ScoringError as refusal:
            raise refusal.at(deal=number, hand=hand) from None


def _same_content(rules: Rules, one: Deal, other: Deal) -> bool:
    """Whether two entries of a deal agree, even if one tells more."""
    if one == other:
        return True
    if one.line is not None or other.line is not None or one.is_void or other.is_void:
        return False
    told = [
        {frozenset(_players(hand)): kind_of(rules).score_hand(rules, hand) for hand in deal.hands}
        for deal in (one, other)
    ]
    return told[0].keys() == told[1].keys() and all(
        _agree(score, told[1][players]) for players, score in told[0].items()
    )


def _players(hand: HandResult | TableResult) -> Iterable[str]:
    """The players by whom hands of a deal are told apart: at one table of several there is one hand."""
    return [player for player, _field in named_in(hand)] if isinstance(hand, HandResult) else ()


def _agree(one: Score, other: Score) -> bool:
    """Whether two scores of a hand agree; bare points leave the outcome open."""
    if _brings(one) != _brings(other):
        return False
    return one.outcome == other.outcome or Outcome.POINTS in (one.outcome, other.outcome)


def _brings(score: Score) -> tuple[object, ...]:
    """What a hand brings to whom."""
    if isinstance(score, TableScore):
        return score.gains, score.penalties
    return score.winner, score.points, score.boxes, score.penalty
