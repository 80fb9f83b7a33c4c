"""When an ended match counts, and what it waits for.

A match is `held` while it waits for anything. This is derived from its sheet, its event and the director's
confirmation, and updated with every act on the sheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.db import models
from django.db.models import Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy

from games.models import TableMatch
from games.services.hands import TABLE
from league.models import AWARDED, SEATED, CountsWhen, Event, Exhibition, Match
from scoring.core.kinds import MOST_SIDES
from scoring.models import (
    ActKind,
    Claim,
    Dispute,
    PaperState,
    Scoresheet,
    SheetAct,
    SheetStatus,
    Signature,
)

# Played to the end, or until time was called.
ENDED: Final = (SheetStatus.FINISHED, SheetStatus.STOPPED)
# Acts by which somebody says what was played.
_ENTERS: Final = (ActKind.RECORD, ActKind.CORRECT, ActKind.STOP)


class Waits(models.TextChoices):
    """What a match waits for before it counts."""

    PAPER = "paper", gettext_lazy("it differs from its paper")
    CLAIM = "claim", gettext_lazy("a deal was entered in two ways")
    DISPUTE = "dispute", gettext_lazy("it is disputed")
    ONE_SIGNATURE = "one", gettext_lazy("it waits for a signature")
    BOTH_SIGNATURES = "both", gettext_lazy("it waits for both signatures")
    ALL_SIGNATURES = "all", gettext_lazy("it waits for signatures")
    DIRECTOR = "director", gettext_lazy("it waits for the director")


# What somebody of a side has to sign for.
SIGNATURES: Final = (Waits.ONE_SIGNATURE, Waits.BOTH_SIGNATURES, Waits.ALL_SIGNATURES)


@dataclass(frozen=True, slots=True)
class Statements:
    """Statements about a sheet in its present version.

    The sides that have signed, whether it is disputed, and whether a conflicting entry from the table awaits
    the director. `online`: it was played card by card on this site, and nobody has entered anything.
    """

    signed: frozenset[int]
    disputed: bool
    claimed: bool
    online: bool


def said_under(sheet: Scoresheet) -> Statements:
    """Return the statements about a sheet as it is stored, in one query."""
    return _as_said(_asked_of_sheets().get(pk=sheet.pk))


def with_what_counts(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Load matches with their sheets and all that `waits_for` needs, in one query; see `said_of`."""
    related = matches.select_related("event", "sheet", *SEATED)
    return related.annotate(**_questions("sheet", "sheet__version"))


def undisputed_online(exhibitions: QuerySet[Exhibition]) -> QuerySet[Exhibition]:
    """Those on whose sheets nobody but a table on this site has entered anything, and none is disputed."""
    asked = _questions("sheet", "sheet__version")
    return exhibitions.filter(Q(asked["online"]), ~Q(asked["disputed"]), ~Q(asked["claimed"]))


def said_of(match: Match) -> Statements:
    """Return the statements about the sheet of a match from `with_what_counts`."""
    return _as_said(match.__dict__)


def _questions(sheet: str, version: str) -> dict[str, Exists | ExpressionWrapper[Any]]:
    """Return the subqueries about a sheet and its version, for rows that lead to them by these names."""
    signed = Signature.objects.filter(sheet=OuterRef(sheet), version=OuterRef(version))
    table = TableMatch.objects.filter(sheet=OuterRef(sheet))
    entered = SheetAct.objects.filter(sheet=OuterRef(sheet), kind__in=_ENTERS)
    by_hand = entered.exclude(actor_kind=TABLE.kind, actor_id=TABLE.id)
    return {
        "online": ExpressionWrapper(Exists(table) & ~Exists(by_hand), output_field=models.BooleanField()),
        **{f"signed_{side}": Exists(signed.filter(side=side)) for side in range(MOST_SIDES)},
        "disputed": Exists(Dispute.objects.filter(sheet=OuterRef(sheet), settlement=None)),
        "claimed": Exists(Claim.objects.filter(sheet=OuterRef(sheet), settlement=None)),
    }


@cache
def _asked_of_sheets() -> QuerySet[Scoresheet, Any]:
    """Return the subqueries prepared for sheets: building them takes three times as long as running them."""
    return Scoresheet.objects.values(**_questions("pk", "version"))


def _as_said(answers: Mapping[str, Any]) -> Statements:
    signed = frozenset(side for side in range(MOST_SIDES) if answers[f"signed_{side}"])
    return Statements(signed, answers["disputed"], answers["claimed"], answers["online"])


def waits_for(match: Match, sheet: Scoresheet | None, said: Statements | None = None) -> list[Waits]:
    """Return what the match waits for; empty if it counts or has not ended.

    `match.event` and the entries of both sides must be loaded; `said` is queried if not given. Sides of bots
    alone need not sign, and nobody what was played card by card on this site (RULES §11). A match confirmed
    by the director needs no signatures while its sheet stays at that version.
    """
    if sheet is None or sheet.status == SheetStatus.VOID:
        return []
    waits = [Waits.PAPER] if sheet.paper_state == PaperState.DIFFERS else []
    if sheet.status == SheetStatus.OPEN:
        return waits
    said = said or said_under(sheet)
    if said.claimed:
        waits.append(Waits.CLAIM)
    if said.disputed:
        waits.append(Waits.DISPUTE)
    wanted = CountsWhen(match.event.counts_when)
    if wanted == CountsWhen.AT_ONCE or match.confirmed_version == sheet.version:
        return waits
    if wanted == CountsWhen.DIRECTOR:
        return [*waits, Waits.DIRECTOR]
    people = [side for side in match.sides if not (said.online or _is_bots(match, side))]
    missing = [side for side in people if side not in said.signed]
    if wanted == CountsWhen.BOTH_SIGNATURES and len(missing) > 1:
        waits.append(Waits.ALL_SIGNATURES if match.is_table else Waits.BOTH_SIGNATURES)
    elif missing and (wanted == CountsWhen.BOTH_SIGNATURES or missing == people):
        waits.append(Waits.ONE_SIGNATURE)
    return waits


def may_be_confirmed(waits: Sequence[Waits]) -> bool:
    """True if a match waits for what a director's confirmation can stand for: signatures, or the director."""
    return bool(waits) and {Waits.CLAIM, Waits.DISPUTE, Waits.PAPER}.isdisjoint(waits)


def count_anew(event: Event) -> None:
    """Update `held` for all matches of an event after its rule for counting has changed.

    The caller holds the matches of the event and their sheets (`lock_matches`), and the event.
    """
    rows = with_what_counts(event.matches.exclude(Q(state__in=AWARDED) | Q(sheet=None)))
    changed = []
    for match in rows.order_by("pk"):
        match.event = event
        held = bool(waits_for(match, match.sheet, said_of(match)))
        if held != match.held:
            match.held = held
            changed.append(match)
    Match.objects.bulk_update(changed, ["held"], batch_size=500)


def in_words(waits: Sequence[Waits]) -> str:
    """Return why a match is held: "it is disputed, it waits for both signatures"."""
    return ", ".join(str(each.label) for each in waits)


def _is_bots(match: Match, side: int) -> bool:
    return all(entry.is_bot for entry in match.side(side))
