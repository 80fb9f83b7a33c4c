"""A second reader of FIDE's Tournament Report File, which shares nothing with the product's.

Written by the format of 2026 (FIDE Handbook, *Format of Tournament Report File*) and by the tie-breaks of
C.07 (applied from 1 March 2026): it checks that a file does not contradict itself, that its points are those
of its results, and that its ranks are in the order that record 212 says.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise

PAIRS = {"1": "0", "=": "=", "0": "01", "+": "-", "-": "+-"}
SYMBOL = {"1": "W", "+": "W", "F": "W", "=": "D", "H": "D", "0": "L", "-": "A", "Z": "A", "U": "P"}
ASSIGNED = {"1": "W", "=": "D", "0": "L"}


@dataclass
class File:
    """A file as it is read: points, ranks and games (opponent, colour, letter) of players, by number."""

    worth: dict[str, Fraction] = field(default_factory=dict)
    points: dict[int, Fraction] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)
    games: dict[int, list[tuple[int, str, str]]] = field(default_factory=dict)
    given: dict[tuple[int, int], Fraction] = field(default_factory=dict)
    bonus: dict[int, Fraction] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    @property
    def rounds(self) -> int:
        return max(map(len, self.games.values()), default=0)

    def of(self, player: int, round_: int) -> Fraction:
        """The points of a player in a round, counted from 0."""
        letter = self.games[player][round_][2]
        return self.given.get((player, round_), self.worth[SYMBOL[letter]])

    def score(self, player: int) -> Fraction:
        return sum((self.of(player, at) for at in range(self.rounds)), Fraction(0))


def checked(text: str) -> File:
    """Read a file and check all of it; what is wrong is an assertion."""
    file = _read(text)
    for player, games in file.games.items():
        assert len(games) == file.rounds
        assert file.points[player] == file.score(player) + file.bonus.get(player, 0)
        for at, (opponent, colour, letter) in enumerate(games):
            if not opponent:
                assert (colour, letter in "UFHZ") == ("-", True)
                continue
            other, others, against = file.games[opponent][at]
            assert (other, {colour, others}) == (player, {"w", "b"})
            assert against in PAIRS[letter]
    for at in range(file.rounds):
        assert sum(games[at][2] == "U" for games in file.games.values()) <= 1
    if file.order:
        _check_ranks(file)
    return file


def _read(text: str) -> File:
    assert text.endswith("\r\n")
    file, told = File(), {}
    for line in text.split("\r\n")[:-1]:
        record, rest = line[:3], line[4:]
        if record == "001":
            number = int(line[4:8])
            file.points[number], file.ranks[number] = Fraction(line[80:84].strip()), int(line[85:89])
            results = line[91:]
            file.games[number] = [
                (int(results[at : at + 4]), results[at + 5], results[at + 7])
                for at in range(0, len(results), 10)
            ]
        elif record == "299":
            _assign(file, line)
        elif record not in ("250", "260", "XXP"):
            assert record not in told, f"{record} twice"
            told[record] = rest
    assert int(told["062"]) == len(file.games) == max(file.games, default=0)
    assert told.get("142") == told.get("XXR")
    if "142" in told:
        assert int(told["142"]) >= max(file.rounds, 1)
    file.worth = dict(zip("WDLA", map(Fraction, ("1", "1/2", "0", "0")), strict=True))
    points = "  " + told["162"][1:] if "162" in told else ""
    for at in range(2, len(points), 9):
        file.worth[points[at]] = Fraction(points[at + 1 : at + 5].strip())
    file.worth.setdefault("P", file.worth["W"])
    file.order = told.get("212", "").split(",") if "212" in told else []
    assert told.get("202", "") == ",".join(file.order[1:])
    assert file.order[:1] in ([], ["PTS"])
    # Programs refuse a system that they do not know, and add points of XXA to those of 250.
    assert not {"192", "XXA"} & told.keys()
    return file


def _assign(file: File, line: str) -> None:
    assert line[7:11].strip() == ""
    letter, points, round_ = line[4], Fraction(line[13:17].strip()), int(line[19:22])
    for at in range(23, len(line), 5):
        player = int(line[at : at + 4])
        if letter == " ":
            assert round_ == 0
            file.bonus[player] = file.bonus.get(player, Fraction(0)) + points
        else:
            had = file.games[player][round_ - 1][2]
            assert ASSIGNED.get(had, had) == letter
            file.given[player, round_ - 1] = points


def _check_ranks(file: File) -> None:
    """Whoever the order puts above another has the better rank."""
    parts = [list(file.games)]
    for name in file.order:
        parts = [smaller for part in parts for smaller in _split(file, name, part)]
    places = [{file.ranks[player] for player in part} for part in parts]
    for better, worse in pairwise(places):
        assert max(better) < min(worse)


def _split(file: File, name: str, part: Sequence[int]) -> Iterator[list[int]]:
    if name == "DE":
        yield from _direct(file, list(part))
        return
    figures = {player: TIE_BREAKS[name](file, player) for player in part}
    for figure in sorted(set(figures.values()), reverse=True):
        yield [player for player in part if figures[player] == figure]


# --- article 16


def _is_requested(letter: str) -> bool:
    return letter in "HZ"


def _is_vur(letter: str) -> bool:
    return letter in "HZ-"


def _adjusted(file: File, player: int) -> Fraction:
    """16.3: requested byes after which nothing came are draws."""
    total = file.score(player)
    for at in reversed(range(file.rounds)):
        letter = file.games[player][at][2]
        if not _is_vur(letter):
            break
        if _is_requested(letter):
            total += file.worth["D"] - file.of(player, at)
    return total


def _opponents(file: File, player: int) -> list[tuple[Fraction, Fraction, bool]]:
    """16.4: the points of each opponent or dummy, what was taken, and whether one was not available."""
    found = []
    for at, (opponent, _colour, letter) in enumerate(file.games[player]):
        if letter in "1=0":
            strength = _adjusted(file, opponent)
        elif letter in "+-":
            strength = min(file.score(player), _adjusted(file, opponent))
        else:
            strength = min(file.score(player), file.worth["D"] * file.rounds)
        found.append((strength, file.of(player, at), _is_vur(letter)))
    return found


def _buchholz(file: File, player: int, *, low: int = 0, high: int = 0) -> Fraction:
    values = [(strength, vur) for strength, _taken, vur in _opponents(file, player)]
    for _ in range(min(low, len(values))):
        of_vur = [value for value in values if value[1]]
        values.remove(min(of_vur or values))
    kept = sorted(value for value, _vur in values)
    return sum(kept[: len(kept) - high] if high else kept, Fraction(0))


TIE_BREAKS: dict[str, Callable[[File, int], Fraction]] = {
    "PTS": lambda file, player: file.points[player],
    "BH": _buchholz,
    "BH/C1": lambda file, player: _buchholz(file, player, low=1),
    "BH/M1": lambda file, player: _buchholz(file, player, low=1, high=1),
    "SB": lambda file, player: sum(
        (strength * taken for strength, taken, _vur in _opponents(file, player)), Fraction(0)
    ),
}


# --- article 6


def _direct(file: File, part: list[int]) -> Iterator[list[int]]:
    met: dict[tuple[int, int], list[Fraction]] = {}
    for player in part:
        for at, (opponent, _colour, letter) in enumerate(file.games[player]):
            if opponent in part and letter in "1=0":
                met.setdefault((player, opponent), []).append(file.of(player, at))
    own = {
        player: sum(
            (sum(met[player, other]) / len(met[player, other]) for other in part if (player, other) in met),
            Fraction(0),
        )
        for player in part
    }
    missing = {
        player: sum((player, other) not in met for other in part if other != player) for player in part
    }
    if len(part) < 2:
        yield part
    elif not any(missing.values()):
        levels = sorted(set(own.values()), reverse=True)
        if len(levels) == 1:
            yield part
        else:
            for level in levels:
                yield from _direct(file, [player for player in part if own[player] == level])
    else:
        ahead: list[int] = []
        while first := [
            player
            for player in part
            if player not in ahead
            and all(
                own[player] + missing[player] * file.worth["L"]
                > own[other] + missing[other] * file.worth["W"]
                for other in part
                if other not in (*ahead, player)
            )
        ]:
            ahead += first
            yield first
        rest = [player for player in part if player not in ahead]
        if ahead and rest:
            yield from _direct(file, rest)
        elif rest:
            yield rest
