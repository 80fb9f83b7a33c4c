"""When a match counts whose sheet has ended: what it waits for.

A match is `held` while it waits for anything. That is derived from its sheet, its event and what the director
has confirmed, and derived again with every act on the sheet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from django.db import models
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy

from league.models import AWARDED, CountsWhen, Event, Match
from scoring.models import Claim, Dispute, PaperState, Scoresheet, SheetStatus, Signature

# Played to the end, or to the time that was called.
ENDED: Final = (SheetStatus.FINISHED, SheetStatus.STOPPED)


class Waits(models.TextChoices):
    """What a match waits for before it counts."""

    PAPER = "paper", gettext_lazy("it differs from its paper")
    CLAIM = "claim", gettext_lazy("a deal was entered in two ways")
    DISPUTE = "dispute", gettext_lazy("it is disputed")
    ONE_SIGNATURE = "one", gettext_lazy("it waits for a signature")
    BOTH_SIGNATURES = "both", gettext_lazy("it waits for both signatures")
    DIRECTOR = "director", gettext_lazy("it waits for the director")


@dataclass(frozen=True, slots=True)
class Said:
    """What was said of a sheet as it is now: the sides that have signed it, whether it is disputed, whether
    an entry of the table that says otherwise waits for the director.
    """

    signed: frozenset[int]
    disputed: bool
    claimed: bool


def said_under(sheet: Scoresheet) -> Said:
    """What was said of a sheet as it is stored, in one statement."""
    return _as_said(_asked_of_sheets().get(pk=sheet.pk))


def with_what_counts(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Matches with their sheets and all that `waits_for` looks at, read in one statement; see `said_of`."""
    related = matches.select_related("event", "sheet", "entry_a", "entry_b", "partner_a", "partner_b")
    return related.annotate(**_questions("sheet", "sheet__version"))


def said_of(match: Match) -> Said:
    """What was said of the sheet of a match that came from `with_what_counts`."""
    return _as_said(match.__dict__)


def _questions(sheet: str, version: str) -> dict[str, Exists]:
    """What is asked of a row that leads to a sheet and to the sheet's version."""
    signed = Signature.objects.filter(sheet=OuterRef(sheet), version=OuterRef(version))
    return {
        "signed_0": Exists(signed.filter(side=0)),
        "signed_1": Exists(signed.filter(side=1)),
        "disputed": Exists(Dispute.objects.filter(sheet=OuterRef(sheet), settlement=None)),
        "claimed": Exists(Claim.objects.filter(sheet=OuterRef(sheet), settlement=None)),
    }


@cache
def _asked_of_sheets() -> QuerySet[Scoresheet, Any]:
    """The questions, ready to be asked of a sheet: to put them takes three times as long as to ask them."""
    return Scoresheet.objects.values(**_questions("pk", "version"))


def _as_said(answers: Mapping[str, Any]) -> Said:
    signed = frozenset(side for side in (0, 1) if answers[f"signed_{side}"])
    return Said(signed, answers["disputed"], answers["claimed"])


def waits_for(match: Match, sheet: Scoresheet | None, said: Said | None = None) -> list[Waits]:
    """What the match waits for, by its sheet as it is now; nothing where it counts, or has not ended.

    `match.event` and the entries of both sides are loaded; what was `said` is asked for where it is not
    given. A side of nobody but bots needs to sign nothing. What a director has confirmed needs no signatures
    as long as the sheet stays at that version.
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
    people = [side for side in (0, 1) if not _is_bots(match, side)]
    missing = [side for side in people if side not in said.signed]
    if wanted == CountsWhen.BOTH_SIGNATURES and len(missing) == 2:
        waits.append(Waits.BOTH_SIGNATURES)
    elif missing and (wanted == CountsWhen.BOTH_SIGNATURES or missing == people):
        waits.append(Waits.ONE_SIGNATURE)
    return waits


def waiting_for(matches: QuerySet[Match]) -> QuerySet[Match]:
    """Those of the matches whose sheets have ended and that do not count yet."""
    return matches.filter(held=True, sheet__status__in=ENDED).exclude(state__in=AWARDED)


def count_anew(event: Event) -> None:
    """Brings what is held of an event in line with when its matches count now.

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
    """Why a match is held back: "it is disputed, it waits for both signatures"."""
    return ", ".join(str(each.label) for each in waits)


def _is_bots(match: Match, side: int) -> bool:
    return all(entry.is_bot for entry in match.side(side))
