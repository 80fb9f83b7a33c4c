"""FIDE's Tournament Report File as text, to check a Swiss with other programs.

Columns are those of TRF16 (FIDE Handbook C.04, annex 2), which the version of 2026 keeps; what is new in 2026
(the records 142, 162, 202, 212, 250, 260 and 299) is skipped by older readers, for whom XXR and XXP say some
of it again, as pairing programs have agreed. XXA would not: programs that know both add it to record 250.
Record 192 is left out, since programs refuse a file with a pairing system that they do not know, and that of
RULES §12 is none of FIDE's; so is in record 162 what is usual, as not all know all symbols. A player's
points are always those of the results, of record 299 where they are not the letter's, and of bonuses.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Final

from league.core.trf_letters import LETTERS, USUAL, Worth
from league.errors import LeagueError
from scoring.core.messages import mark

_NAME: Final = 33
_LONGEST: Final = 99
# Those that two figures of record 132 tell.
_YEARS: Final = range(1969, 2069)


@dataclass(frozen=True, slots=True)
class Game:
    """What a player has for a round: the opponent's number (0: none), the colour and the result.

    Colours are `w` and `b`, `-` without an opponent; results are `LETTERS`. `points` are None where they are
    those of the letter.
    """

    opponent: int = 0
    colour: str = "-"
    result: str = "Z"
    points: Decimal | None = None


@dataclass(frozen=True, slots=True)
class TrfPlayer:
    """One line of the file; players are numbered from 1 in the order in which they are given.

    A `bonus`, or a penalty below 0, belongs to no round.
    """

    name: str
    rank: int
    games: Sequence[Game]
    bonus: Decimal = Decimal(0)


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
    """A Swiss as a file has it; `rounds` is 0 where nobody knows how many.

    `dates` are those of its rounds, None where unknown; of centuries other than record 132 can tell none is.
    `tie_breaks` are FIDE's names of what puts the players in order, points first, as far as there are such.
    """

    name: str
    players: Sequence[TrfPlayer]
    rounds: int
    starts_on: date | None = None
    ends_on: date | None = None
    dates: Sequence[date | None] = ()
    worth: Worth = field(default_factory=lambda: USUAL)
    tie_breaks: Sequence[str] = ()
    virtual: Sequence[Virtual] = ()
    apart: Sequence[tuple[int, int]] = ()


def written(tournament: Tournament) -> str:
    """Return the file, each line ended by carriage return and line feed.

    Refused (`trf_points`): points that its four columns have no room for.
    """
    return "".join(f"{line.rstrip()}\r\n" for line in _lines(tournament))


def fits(points: Decimal) -> bool:
    """Return whether a file has room for points: tenths, four signs."""
    return points * 10 % 1 == 0 and len(_short(points)) <= 4


def _lines(tournament: Tournament) -> Iterable[str]:
    yield f"012 {_plain(tournament.name)}"
    for tag, day in (("042", tournament.starts_on), ("052", tournament.ends_on)):
        if day is not None:
            yield f"{tag} {day:%Y/%m/%d}"
    yield f"062 {len(tournament.players)}"
    yield "092 Individual: Swiss-System"
    dates = [day if day is not None and day.year in _YEARS else None for day in tournament.dates]
    if any(dates):
        yield f"132 {'':87}" + "  ".join(f"{day:%y/%m/%d}" if day else f"{'':8}" for day in dates)
    if tournament.rounds:
        yield f"142 {tournament.rounds}"
        yield f"XXR {tournament.rounds}"
    usual = {**USUAL, "P": tournament.worth["W"]}
    if unusual := [symbol for symbol in USUAL if tournament.worth[symbol] != usual[symbol]]:
        yield "162  " + "    ".join(f"{symbol}{_told(tournament.worth[symbol])}" for symbol in unusual)
    if tournament.tie_breaks[1:]:
        yield f"202 {','.join(tournament.tie_breaks[1:])}"
    if tournament.tie_breaks:
        yield f"212 {','.join(tournament.tie_breaks)}"
    for number, player in enumerate(tournament.players, start=1):
        yield _player(number, player, tournament.worth)
    for each in tournament.virtual:
        yield (
            f"250 {'':4} {_told(each.points)} {each.first_round:03} {each.last_round:03} "
            f"{1:04} {each.last:04}"
        )
    for one, other in tournament.apart:
        yield f"260 {1:03} {tournament.rounds or _LONGEST:03} {one:4} {other:4}"
        yield f"XXP {one} {other}"
    yield from _assigned(tournament)


def _player(number: int, player: TrfPlayer, worth: Worth) -> str:
    points = sum((_points(game, worth) for game in player.games), player.bonus)
    head = f"001 {number:4} {'':4} {_plain(player.name)[:_NAME]:{_NAME}}"
    line = f"{head:79} {_told(points)} {player.rank:4}"
    for game in player.games:
        line += f"  {game.opponent or '0000':>4} {game.colour} {game.result}"
    return line


def _assigned(tournament: Tournament) -> Iterable[str]:
    """Yield record 299: points that are not those of the letter, by round, then bonuses and penalties."""
    given: dict[tuple[int, str, Decimal], list[int]] = defaultdict(list)
    bonuses: dict[tuple[int, str, Decimal], list[int]] = defaultdict(list)
    for number, player in enumerate(tournament.players, start=1):
        for round_, game in enumerate(player.games, start=1):
            letter, points = LETTERS[game.result], _points(game, tournament.worth)
            if points != tournament.worth[letter.symbol]:
                given[round_, letter.assigned, points].append(number)
        if player.bonus:
            bonuses[0, " ", player.bonus].append(number)
    for (round_, assigned, points), numbers in (*sorted(given.items()), *sorted(bonuses.items())):
        who = "".join(f" {number:4}" for number in numbers)
        yield f"299 {assigned}  {'':4}  {_told(points)}  {round_:03}{who}"


def _points(game: Game, worth: Worth) -> Decimal:
    return worth[LETTERS[game.result].symbol] if game.points is None else game.points


def _told(points: Decimal) -> str:
    """Points in four columns."""
    if not fits(points):
        raise LeagueError(
            "trf_points",
            mark(
                "FIDE's TRF has no room for %(points)s points: it has tenths, and four signs.",
                points=str(points),
            ),
        )
    return f"{_short(points):>4}"


def _short(points: Decimal) -> str:
    """As 11.5; whole points without tenths where they have no room."""
    tenths = f"{points:.1f}"
    return tenths if len(tenths) <= 4 else tenths.removesuffix(".0")


def _plain(text: str) -> str:
    """The text on one line."""
    return " ".join(text.split())
