"""Player ratings, computed from all finished matches in the order in which they were played.

The model is in `scoring.core.skills`. The same ratings serve players alone, in teams, and with rotating
partners. A rating is provisional until the tenth match.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from league.errors import LeagueError
from scoring.core.messages import mark
from scoring.core.skills import NEWCOMER, PLAYERS, Skill

PROVISIONAL_BELOW: Final = 10


class RatingsError(LeagueError):
    """A refused calculation; `field` is the argument at fault."""


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A finished match: the players of both sides and the winning side (None: a draw).

    At a table of more than two sides there is no winner, but the place of each side, from 1; those who are
    level share one.
    """

    id: int
    sides: tuple[tuple[int, ...], ...]
    winner: int | None
    places: tuple[int, ...] = ()


class Step(NamedTuple):
    """The effect of a match on one player, whose `number`-th rated match it was (from 1)."""

    player: int
    match: int
    number: int
    before: Skill
    after: Skill


@dataclass(frozen=True, slots=True)
class Ratings:
    """Current skills and match counts of all players, and every step in order of matches."""

    players: dict[int, Skill]
    matches: dict[int, int]
    steps: list[Step]


def rate(matches: Iterable[RatedMatch], *, known: Mapping[int, Skill] | None = None) -> Ratings:
    """Return the ratings after these matches, given in the order in which they were played.

    `known` holds skills before the first of them; players not in it are newcomers. The caller leaves out
    forfeits, walkovers and byes. Refused: a side without players (`empty_side`), a player twice in a match
    (`player_twice`), a winner that is no side (`out_of_range`), places that are not one for each of more than
    two sides (`wrong_places`), a repeated match (`match_twice`).
    """
    players: dict[int, Skill] = {}
    begun_at = {} if known is None else known
    counts: dict[int, int] = {}
    steps: list[Step] = []
    seen: set[int] = set()
    for match in matches:
        _check(match, seen)
        seen.add(match.id)
        before = [
            [players.get(player) or begun_at.get(player, NEWCOMER) for player in side] for side in match.sides
        ]
        after = PLAYERS.after(before, match.winner, places=match.places)
        for side, skills, results in zip(match.sides, before, after, strict=True):
            for player, old, new in zip(side, skills, results, strict=True):
                number = counts.get(player, 0) + 1
                players[player], counts[player] = new, number
                steps.append(Step(player, match.id, number, old, new))
    return Ratings(players, counts, steps)


def is_provisional(matches: int) -> bool:
    """True if a rating rests on too few matches to be compared."""
    return matches < PROVISIONAL_BELOW


def _check(match: RatedMatch, seen: set[int]) -> None:
    players = [player for side in match.sides for player in side]
    if not all(match.sides):
        raise RatingsError(
            "empty_side", mark("Match %(id)s has a side without players.", id=match.id), field="matches"
        )
    if len(set(players)) != len(players):
        raise RatingsError(
            "player_twice", mark("A player is in match %(id)s twice.", id=match.id), field="matches"
        )
    if match.winner not in (0, 1, None):
        raise RatingsError(
            "out_of_range", mark("The winner of match %(id)s is not a side.", id=match.id), field="matches"
        )
    if len(match.places) != (0 if len(match.sides) == 2 else len(match.sides)):
        raise RatingsError(
            "wrong_places",
            mark("Match %(id)s has no place for each of its sides.", id=match.id),
            field="matches",
        )
    if match.id in seen:
        raise RatingsError("match_twice", mark("Match %(id)s is given twice.", id=match.id), field="matches")
