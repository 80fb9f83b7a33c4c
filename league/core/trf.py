"""FIDE's Tournament Report File as text, to check a Swiss with other programs.

Columns are those of TRF16 (FIDE Handbook C.04, annex 2), which the version of 2026 keeps; what is new in 2026
(the records 142, 162, 250 and 260) is skipped by older readers, for whom XXR, XXA and XXP say it again, as
pairing programs have agreed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final

_NAME: Final = 33


@dataclass(frozen=True, slots=True)
class Game:
    """What a player has for a round: the opponent's number (0: none), the colour and the result.

    Colours are `w` and `b`, `-` without an opponent. Results: `1`, `=`, `0` played; `+`, `-` forfeit; `U` the
    bye of the draw; `F`, `H`, `Z` a bye of a whole, half or no point.
    """

    opponent: int = 0
    colour: str = "-"
    result: str = "Z"


@dataclass(frozen=True, slots=True)
class Player:
    """One line of the file; players are numbered from 1 in the order in which they are given."""

    name: str
    points: Decimal
    rank: int
    games: Sequence[Game]


@dataclass(frozen=True, slots=True)
class Virtual:
    """Points with which the players 1 … `last` are paired more than they have, from one round to another.

    The first begins with round 1, each other after the one before.
    """

    points: Decimal
    first_round: int
    last_round: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """A Swiss as a file has it; `worth` are points by TRF's letters where they are not 1, ½ and 0."""

    name: str
    players: Sequence[Player]
    rounds: int
    starts_on: date | None = None
    ends_on: date | None = None
    worth: Sequence[tuple[str, Decimal]] = ()
    virtual: Sequence[Virtual] = ()
    forbidden: Sequence[tuple[int, int]] = ()


def written(tournament: Tournament) -> str:
    """Return the file, each line ended by carriage return and line feed."""
    return "".join(f"{line.rstrip()}\r\n" for line in _lines(tournament))


def _lines(tournament: Tournament) -> Iterable[str]:
    yield f"012 {_plain(tournament.name)}"
    for tag, day in (("042", tournament.starts_on), ("052", tournament.ends_on)):
        if day is not None:
            yield f"{tag} {day:%Y/%m/%d}"
    yield f"062 {len(tournament.players)}"
    yield "092 Individual: Swiss-System"
    yield f"142 {tournament.rounds}"
    yield f"XXR {tournament.rounds}"
    if tournament.worth:
        yield "162  " + "    ".join(f"{letter}{points:4.1f}" for letter, points in tournament.worth)
    for number, player in enumerate(tournament.players, start=1):
        yield _player(number, player)
    for each in tournament.virtual:
        yield (
            f"250 {'':4} {each.points:4.1f} {each.first_round:03} {each.last_round:03} {1:04} {each.last:04}"
        )
    # The same for readers of TRF16, as pairing programs have it.
    rounds = [each for each in tournament.virtual for _ in range(each.first_round, each.last_round + 1)]
    for number in range(1, max((each.last for each in rounds), default=0) + 1):
        yield f"XXA {number:4} " + " ".join(f"{each.points:4.1f}" for each in rounds)
    for one, other in tournament.forbidden:
        yield f"260 {1:03} {tournament.rounds:03} {one:4} {other:4}"
        yield f"XXP {one} {other}"


def _player(number: int, player: Player) -> str:
    head = f"001 {number:4} {'':4} {_plain(player.name)[:_NAME]:{_NAME}}"
    line = f"{head:79} {player.points:4.1f} {player.rank:4}"
    for game in player.games:
        line += f"  {game.opponent or '0000':>4} {game.colour} {game.result}"
    return line


def _plain(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())
