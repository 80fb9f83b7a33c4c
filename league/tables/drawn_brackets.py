"""A bracket as drawn, from its rows, and which of its ties were played."""

from collections.abc import Collection, Iterable

from django.db.models import Q

from league.core.pairing.elimination import Bracket, BracketMatch, BracketPart, Way
from league.models import PLAYED, Event, Match, MatchState, Tie
from scoring.models import SheetStatus


def drawn_bracket(ties: Iterable[Tie]) -> Bracket:
    """Return the rows of a bracket as `league.core.pairing.elimination` represents it."""
    ties = list(ties)
    numbers = {tie.pk: tie.number for tie in ties}

    def way(to: int | None, side: int | None) -> Way | None:
        return None if to is None or side is None else Way(numbers[to], side)

    return Bracket(
        tuple(
            BracketMatch(
                tie.number,
                BracketPart(tie.part),
                tie.level,
                tie.stage,
                (tie.seed_a, tie.seed_b),
                winner_to=way(tie.winner_to_id, tie.winner_to_side),
                loser_to=way(tie.loser_to_id, tie.loser_to_side),
            )
            for tie in ties
        )
    )


def was_played(match: Match) -> bool:
    """True if the sheet has ended, or was given up after a deal; walkovers were not played."""
    if match.state == MatchState.FORFEIT:
        sheet = match.sheet
        return sheet is not None and sheet.status != SheetStatus.VOID and sheet.deal_count > 0
    return match.state in PLAYED


def played_ties(event: Event) -> frozenset[int]:
    """Return the numbers of ties with a sheet that was played (`was_played`), in one query."""
    return played_ties_of([event.pk]).get(event.pk, frozenset())


def played_ties_of(events: Collection[int]) -> dict[int, frozenset[int]]:
    """Return `played_ties` of several events, by their ids, in one query; none where no tie was played."""
    if not events:
        return {}
    given_up = Q(state=MatchState.FORFEIT, sheet__deal_count__gt=0) & ~Q(sheet__status=SheetStatus.VOID)
    ended = Q(state__in=PLAYED)
    sheets = Match.objects.filter(ended | given_up, event__in=events, tie__isnull=False).order_by()
    found: dict[int, set[int]] = {}
    for event, number in sheets.values_list("event_id", "tie__number"):
        found.setdefault(event, set()).add(number)
    return {event: frozenset(numbers) for event, numbers in found.items()}
