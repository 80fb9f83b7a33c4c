"""When in a sheet matches turn: how often the winner of each of its games has won the match."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, F

from league.models import Event, Match, MatchState
from league.policy.withholding import released

# Of fewer matches a share says nothing.
FEWEST_MATCHES: Final = 20


@dataclass(frozen=True, slots=True)
class TurningGame:
    """A game of the sheet, by its number: won in so many `matches`, and in `won` of them with the match."""

    game: int
    won: int
    matches: int


def turns_of(event: Event) -> Sequence[TurningGame]:
    """Return how often the winner of each game has won the match, from what everybody may know.

    Of matches of two sides that count and were played to the end and won; in one query, which reads no deals.
    Empty where a sheet is one game, and of fewer than `FEWEST_MATCHES`.
    """
    games = 0 if event.taken_over or event.has_tables else event.rules.rules.columns
    if games < 2:
        return []
    won = Match.objects.filter(
        released(),
        event=event,
        state=MatchState.FINISHED,
        held=False,
        annulled=False,
        winner_side__isnull=False,
    ).order_by()
    winners = {f"game_{number}": F(f"sheet__derived__columns__{number}__winner") for number in range(games)}
    grouped = won.annotate(**winners).values(*winners, "winner_side").annotate(count=Count("pk"))
    rows = list(grouped.values_list(*winners, "winner_side", "count"))
    if sum(count for *_winners, count in rows) < FEWEST_MATCHES:
        return []
    turns = []
    for number in range(games):
        decided = [(row[number] == row[-2], row[-1]) for row in rows if row[number] is not None]
        won_too = sum(count for same, count in decided if same)
        turns.append(TurningGame(number + 1, won_too, sum(count for _same, count in decided)))
    return [turn for turn in turns if turn.matches]
