"""Deals as they are entered at the table, by either side: appended, found to stand there already, or kept as
a claim for the director; and one's own taken back, the last deal or a claim.

Whoever enters a deal says which one he believes it to be. So two telephones that enter the same deal make
one, a deal sent again makes none, and what one side has entered the other never writes over.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils.translation import gettext as _

from scoring.core.actors import Actor
from scoring.core.errors import RecordingError, ScoringError, SheetError
from scoring.core.hands import HandScore, Outcome, score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal
from scoring.documents.sheets import deal_document, players_of
from scoring.models import ActedOn, ActKind, Claim, ClaimSettlement, Scoresheet, SheetAct, TableAnswer
from scoring.policy import Action
from scoring.services.acts import (
    Receipt,
    ask,
    check_not_void,
    checked_reason,
    commit,
    digest_of,
    kept_for,
    locked_sheet,
    repeated_receipt,
    write_act,
)
from scoring.services.recording import correct_deals
from scoring.services.records import KeptSheet, kept_sheet

MOST_OPEN_CLAIMS: Final = 50


class Entered(StrEnum):
    """What became of an entry made at the table."""

    RECORDED = "recorded"
    # Stood there already, as the other side had entered it.
    SAME = "same"
    CLAIMED = "claimed"


@dataclass(frozen=True, slots=True)
class TableReceipt:
    """What an entry at the table answers: what became of deal `number`, at which version the sheet is.

    `claim` is the claim it was kept as, None unless `outcome` is `claimed`.
    """

    outcome: Entered
    sheet: str
    number: int
    version: int
    claim: int | None = None
    repeated: bool = False


def open_claims(sheet: Scoresheet) -> QuerySet[Claim]:
    """The claims of a sheet on which nobody has decided yet, oldest first."""
    return sheet.claims.filter(settlement=None).order_by("id")


def next_number(kept: KeptSheet) -> int:
    """The number of the deal that is entered next: one that was taken back at the table is played again."""
    return len(kept.versions) + (not _is_taken_back(kept))


@transaction.atomic
def record_at_table(*, actor: Actor, sheet: Scoresheet, number: int, deal: Deal, key: str) -> TableReceipt:
    """Enters a deal, which is number `number` (from 1) to whoever enters it.

    The next one is recorded. One that stands there already and says the same is answered and changes
    nothing; one that says something else is kept as a claim, of which nothing counts. So is one that comes
    after time was called, as it may have been played before. To say the same, hands
    have the same winners, points and boxes, told with or without counts. The same actor's same key and
    content answers the first receipt again, whatever has become of the deal and of the event since; with
    other content it is refused (`key_reused`). Further refusals: a number beyond the next (`unknown_deal`), a
    struck-out deal (`nothing_to_record`), more than `MOST_OPEN_CLAIMS` undecided (`too_many_claims`), and
    those of `record_deals`.
    """
    locked = locked_sheet(sheet)
    document = deal_document(deal)
    kept = kept_for(locked, actor, key)
    # By the numbers of the seats: whoever sits there may be called otherwise when it comes again.
    digest = digest_of(ActKind.RECORD, [kept.by_seats(document)], None, None, {"table": number})
    named = digest_of(ActKind.RECORD, [document], None, None, {"table": number})
    if repeated := _repeated(kept, actor, number, key, {digest, named}):
        return repeated
    ask(actor, Action.RECORD, locked)
    check_not_void(locked)
    expected = next_number(kept)
    latest = max(expected, _next_claimed(locked)) if locked.stopped else expected
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
    _check_scores(kept.sheet.rules.rules, asked, number)
    if number < expected and _says_the_same(kept.sheet.rules.rules, kept.deals[number - 1], asked):
        _keep_answer(locked, actor, None, key=key, digest=digest)
        return TableReceipt(Entered.SAME, locked.code, number, locked.version)
    claim = _claim(kept, actor, number, asked, key=key, digest=digest)
    return TableReceipt(Entered.CLAIMED, locked.code, number, locked.version, claim=claim.pk)


@transaction.atomic
def undo_last(*, actor: Actor, sheet: Scoresheet, number: int, key: str) -> Receipt:
    """Takes back the last deal, `number`, which the same actor has entered; it is then the next again.

    The deal gets a version that is struck out, so what was entered stays in the history. Idempotent by `key`,
    as for `record_at_table`. Refused: a deal that is not the last (`not_last`), another's (`not_yours`), one
    of a sheet that a side has signed as it is (`signed`), on which time was called (`sheet_stopped`) or that
    was voided.
    """
    locked = locked_sheet(sheet)
    digest = digest_of(ActKind.CORRECT, [], None, None, {"undone": number})
    kept = kept_for(locked, actor, key)
    if receipt := repeated_receipt(kept, digest):
        return receipt
    _said_before(locked, actor, key, digest)
    ask(actor, Action.UNDO, locked)
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
    """Decides on a claim: taken over as a correction of its deal, or dismissed and kept.

    One that stands on the sheet by now is taken without a correction; what corrects nothing is an act of its
    own, with a sentence where no reason is given. Refused: who may not decide (`not_allowed`), a claim on
    which somebody has decided otherwise (`settled`), and what `correct_deals` refuses: of two deals played
    before time was called and sent after it, the later one taken first.
    """
    locked = locked_sheet(claim.sheet)
    ask(actor, Action.SETTLE, locked)
    check_not_void(locked)
    reason = checked_reason(reason, required=False)
    settled = ClaimSettlement.objects.filter(claim=claim).first()
    if settled is not None:
        if settled.taken == take:
            return settled
        raise _decided(settled)
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
    """Takes an entry back that is kept as a claim, by who has entered it; what stands on the sheet stays.

    It is an act of its own, whose reason says which deal it was. Asked again it answers the same settlement.
    Refused: another's (`not_yours`), one on which somebody else has decided (`settled`), one of a sheet that
    was voided, and what may not be taken back any more.
    """
    locked = locked_sheet(claim.sheet)
    ask(actor, Action.UNDO, locked)
    check_not_void(locked)
    _check_entered_by(actor, claim, claim.number)
    fields = ClaimSettlement.actor_fields(actor)
    settled = ClaimSettlement.objects.filter(claim=claim).first()
    if settled is not None:
        if settled.is_by(actor) and not settled.taken:
            return settled
        raise _decided(settled)
    reason = _("Deal %(number)d: the other entry is taken back at the table.") % {"number": claim.number}
    act = _write_settling(locked, actor, claim, reason)
    return ClaimSettlement.objects.create(claim=claim, taken=False, reason=reason, act=act, **fields)


def _write_settling(sheet: Scoresheet, actor: Actor, claim: Claim, reason: str) -> SheetAct:
    return write_act(sheet, actor, ActKind.SETTLE, reason=reason, body={"claim": claim.pk})


def _append(kept: KeptSheet, actor: Actor, number: int, deal: Deal, *, key: str, digest: str) -> int:
    """Records the next deal, in the place of one taken back too; answers the sheet's version."""
    deals = [*kept.deals[: number - 1], deal]
    state = kept.score(deals, stopped=False)
    if not state.deals[-1].counted:
        raise SheetError("sheet_finished", _("The sheet had ended before this deal."), deal=number)
    version = kept.versions[number - 1].version + 1 if number <= len(kept.versions) else 1
    changes = [(number, version, deal)]
    return commit(kept, state, actor, ActKind.RECORD, changes, key=key, digest=digest).version


def _claim(kept: KeptSheet, actor: Actor, number: int, deal: Deal, *, key: str, digest: str) -> Claim:
    """Keeps another entry of a deal; the same actor's same entry is one claim, whatever its keys."""
    body = kept.stored(deal)
    standing = open_claims(kept.sheet)
    who: dict[str, Any] = Claim.actor_fields(actor)
    for same in standing.filter(number=number, actor_kind=who["actor_kind"], actor_id=who["actor_id"]):
        if same.body == body:
            _keep_answer(kept.sheet, actor, same, key=key, digest=digest)
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
        digest=digest,
        body=body,
        **who,
    )
    reason = _("Deal %(number)d differs here from the sheet.") % {"number": number}
    write_act(kept.sheet, actor, ActKind.CLAIM, reason=reason, body={"claim": claim.pk})
    return claim


def _repeated(
    kept: KeptSheet, actor: Actor, number: int, key: str, digests: Collection[str]
) -> TableReceipt | None:
    """The receipt of this key, if the actor has used it on this sheet for what has one of these digests."""
    sheet = kept.sheet
    if receipt := repeated_receipt(kept, *digests):
        return TableReceipt(Entered.RECORDED, sheet.code, number, receipt.version, repeated=True)
    said = _said_before(sheet, actor, key, *digests)
    if said is None:
        return None
    version, claim = (sheet.version, said.pk) if isinstance(said, Claim) else (said.version, said.claim_id)
    outcome = Entered.SAME if claim is None else Entered.CLAIMED
    return TableReceipt(outcome, sheet.code, number, version, claim=claim, repeated=True)


def _said_before(sheet: Scoresheet, actor: Actor, key: str, *digests: str) -> Claim | TableAnswer | None:
    """The claim or the answer without an act that this key has led to before; refuses another content."""
    who = {"actor_kind": actor.kind.value, "actor_id": actor.id}
    for said in (sheet.claims.filter(key=key, **who).first(), sheet.answers.filter(key=key, **who).first()):
        if said is not None:
            if said.digest not in digests:
                raise RecordingError("key_reused", _("This key was used for something else."), field="key")
            return said
    return None


def _keep_answer(sheet: Scoresheet, actor: Actor, claim: Claim | None, *, key: str, digest: str) -> None:
    """Keeps what is answered to an entry of which nothing else is kept."""
    TableAnswer.objects.create(
        sheet=sheet,
        actor_kind=actor.kind.value,
        actor_id=actor.id,
        key=key,
        digest=digest,
        version=sheet.version,
        claim=claim,
    )


def _next_claimed(sheet: Scoresheet) -> int:
    """The number after the last that somebody claims; 1 where nobody does."""
    return (open_claims(sheet).aggregate(last=Max("number"))["last"] or 0) + 1


def _is_taken_back(kept: KeptSheet) -> bool:
    """Whether the last deal was taken back at the table; one an officer struck out keeps its number."""
    if not kept.versions or kept.versions[-1].body is not None:
        return False
    return "undone" in kept.versions[-1].act.body


def _check_not_stopped(sheet: Scoresheet) -> None:
    if sheet.stopped:
        raise RecordingError("sheet_stopped", _("Time was called on this sheet; it takes corrections only."))


def _check_entered_by(actor: Actor, entry: ActedOn, number: int) -> None:
    if not entry.is_by(actor):
        raise RecordingError(
            "not_yours",
            _("%(name)s has entered this deal, and takes it back.") % {"name": entry.actor_name},
            deal=number,
        )


def _decided(settled: ClaimSettlement) -> RecordingError:
    """The refusal of who decides otherwise than somebody has before."""
    return RecordingError(
        "settled", _("%(name)s has decided on this already.") % {"name": settled.actor_name}
    )


def _check_scores(rules: Rules, deal: Deal, number: int) -> None:
    """Refuses hands that cannot have been, before they are kept as a claim."""
    for hand, result in enumerate(deal.hands, start=1):
        try:
            score_hand(rules, result)
        except ScoringError as refusal:
            raise refusal.at(deal=number, hand=hand) from None


def _says_the_same(rules: Rules, one: Deal, other: Deal) -> bool:
    """Whether two entries of a deal tell the same, the one perhaps in more words than the other."""
    if one == other:
        return True
    if one.line is not None or other.line is not None or one.is_void or other.is_void:
        return False
    told = [
        {frozenset(players_of(hand)): score_hand(rules, hand) for hand in deal.hands} for deal in (one, other)
    ]
    return told[0].keys() == told[1].keys() and all(
        _agree(score, told[1][players]) for players, score in told[0].items()
    )


def _agree(one: HandScore, other: HandScore) -> bool:
    """Whether two scores of a hand are the same; bare points do not say how they were won."""
    if (one.winner, one.points, one.boxes) != (other.winner, other.points, other.boxes):
        return False
    return one.outcome == other.outcome or Outcome.POINTS in (one.outcome, other.outcome)
