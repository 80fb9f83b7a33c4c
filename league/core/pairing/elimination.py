"""Single and double elimination brackets as data: each match says where its winner and its loser go.

Brackets have 2 to 256 entries; no code is written for one size. Seeds are placed as usual: 1 and 2 can meet
only in the final, the first four only from the semifinals on. Places beyond the last seed are byes, so the
top seeds get them.

In double elimination the losers of each level of the winners' bracket drop into every second level of the
losers' bracket. Where they drop decides how soon two entries can meet again: the positions are XORed with a
mask, the bits of the level's number reversed (the sequence of J. G. van der Corput, 1935). Losers of
neighbouring levels then drop into different halves and cannot meet again before the last match but one of the
losers' bracket; those two levels apart not before its quarters merge, and so on. For 8 entries this is the
table of the tournament program Cobra (`top8.rb`).

A place in the losers' bracket that nobody can reach makes no match: its opponent goes straight on to the next
one. So the byes of the losers' bracket are in the data too.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from league.core.pairing.errors import PairingError
from scoring.core.messages import mark

MOST_ENTRIES: Final = 256


class BracketPart(StrEnum):
    """The part of a bracket that a match belongs to, in the order of numbering within a stage."""

    WINNERS = "winners"
    LOSERS = "losers"
    THIRD = "third"
    FINAL = "final"
    RESET = "reset"
    PLATE = "plate"


@dataclass(frozen=True, slots=True)
class Way:
    """The match and side (0 or 1) that an entry goes on to."""

    match: int
    side: int


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match of a bracket. `level` counts within its part, `stage` over all in order of play, from 1.

    `slots` are the seeds drawn into it. A side without a seed is filled from the match whose way leads there;
    if there is none, it stays empty and the other side has a bye.
    """

    number: int
    part: BracketPart
    level: int
    stage: int
    slots: tuple[int | None, int | None]
    winner_to: Way | None = None
    loser_to: Way | None = None


@dataclass(frozen=True, slots=True)
class Bracket:
    """Matches in order of their numbers; a way always leads to a later match.

    The grand final of a double elimination leads to its reset with both sides. The reset is played only if
    the second side, from the losers' bracket, has won: then both have lost once.
    """

    matches: tuple[BracketMatch, ...]

    @property
    def stages(self) -> int:
        """The number of stages, including a reset that may not be needed."""
        return max(match.stage for match in self.matches)


@dataclass(frozen=True, slots=True)
class Feeder:
    """The source of a side: the winner or the loser of a match."""

    match: int
    won: bool


class Readiness(StrEnum):
    """The state of a match. A reset may not be needed, nor a plate match that nobody reaches."""

    WAITING = "waiting"
    READY = "ready"
    BYE = "bye"
    DECIDED = "decided"
    NOT_NEEDED = "not_needed"


@dataclass(frozen=True, slots=True)
class PlaceRange:
    """A final place; shared places are a range, such as 5 to 8."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class BracketProgress:
    """The state of a bracket, by match number: seeds on both sides, readiness, and winners.

    `winners` are sides (0 or 1), including those of byes. `places` are by seed, for those who are out; with a
    plate, out of the main draw. `drops` maps each match whose loser went into a plate to the place there.
    `awaits` maps plate matches and sides that may still be filled to the match whose loser would come.
    """

    slots: dict[int, tuple[int | None, int | None]]
    readiness: dict[int, Readiness]
    winners: dict[int, int]
    places: dict[int, PlaceRange]
    drops: dict[int, Way] = field(default_factory=dict)
    awaits: dict[tuple[int, int], int] = field(default_factory=dict)

    @property
    def champion(self) -> int | None:
        """The winning seed, once known."""
        return next((seed for seed, place in self.places.items() if place.first == 1), None)


# Returns the winning side (0 or 1) of a match between two seeds, or None while it is open.
Judge = Callable[[BracketMatch, tuple[int, int]], int | None]

# Stands for a seed on a side that nobody will fill.
_NOBODY: Final = 0


def bracket(n: int, double: bool = False, third_place: bool = False) -> Bracket:
    """Return the bracket of seeds 1 … n: n − 1 matches besides byes; with `double`, n − 1 more and a reset.

    With `third_place` the losers of the semifinals meet, if there are four entries or more. Refused: fewer
    than 2 entries (`too_few_entries`), more than 256 (`too_many_entries`), and `third_place` in double
    elimination, where the losers' bracket decides it (`third_place_decided`).
    """
    if n < 2:
        raise PairingError(
            "too_few_entries", mark("A bracket needs at least 2 entries, not %(n)s.", n=n), field="n"
        )
    if n > MOST_ENTRIES:
        raise PairingError(
            "too_many_entries",
            mark("A bracket has at most %(most)s entries, not %(n)s.", most=MOST_ENTRIES, n=n),
            field="n",
        )
    if double and third_place:
        raise PairingError(
            "third_place_decided",
            mark(
                "In double elimination the losers' bracket decides the third place; no match is played for "
                "it."
            ),
            field="third_place",
        )
    nodes = _double(n) if double else _single(n, third_place)
    return _numbered(nodes)


def progress(drawn: Bracket, winners: Mapping[int, int]) -> BracketProgress:
    """Return the state of a bracket after results: the winning side (0 or 1) by match number.

    Byes need no result. Refused: a result of a match that lacks an entry or does not exist (`not_ready`), and
    a winner other than 0 or 1 (`no_such_side`).
    """
    for number, side in winners.items():
        if side not in (0, 1):
            raise PairingError(
                "no_such_side", mark("Match %(number)s has sides 0 and 1.", number=number), field="winners"
            )
    now = advance(drawn, lambda match, _seeds: winners.get(match.number))
    for number in winners:
        if now.readiness.get(number) is not Readiness.DECIDED:
            raise PairingError(
                "not_ready",
                mark("Match %(number)s has not both its entries.", number=number),
                field="winners",
            )
    return now


def advance(drawn: Bracket, judge: Judge, waiting: Collection[tuple[int, int]] = ()) -> BracketProgress:
    """Like `progress`, but `judge` gives the result of each match with both entries, by number.

    `waiting` are the (match, side) pairs that may still be filled from outside these matches.
    """
    known = {*feeders(drawn), *waiting}
    slots = {
        match.number: [
            _NOBODY if seed is None and (match.number, side) not in known else seed
            for side, seed in enumerate(match.slots)
        ]
        for match in drawn.matches
    }
    places = _places(drawn)
    resets = {match.number for match in drawn.matches if match.part is BracketPart.RESET}
    readiness: dict[int, Readiness] = {}
    won: dict[int, int] = {}
    placed: dict[int, PlaceRange] = {}
    cancelled: set[int] = set()
    for match in drawn.matches:
        number, (first, second) = match.number, slots[match.number]
        winner: int | None = None
        if number in cancelled:
            readiness[number] = Readiness.NOT_NEEDED
        elif first is None or second is None:
            readiness[number] = Readiness.WAITING
        elif first and second:
            winner = judge(match, (first, second))
            readiness[number] = Readiness.READY if winner is None else Readiness.DECIDED
        elif first or second:
            winner = 0 if first else 1
            readiness[number] = Readiness.BYE
        else:
            readiness[number] = Readiness.NOT_NEEDED
            if match.winner_to is not None:
                slots[match.winner_to.match][match.winner_to.side] = _NOBODY
        if winner is None:
            continue
        won[number] = winner
        ways = (match.winner_to, match.loser_to)
        if match.winner_to is not None and match.winner_to.match in resets and winner == 0:
            cancelled.add(match.winner_to.match)
            ways = (None, None)
        sides = (first, second) if winner == 0 else (second, first)
        for index, (seed, way) in enumerate(zip(sides, ways, strict=True)):
            if way is not None:
                slots[way.match][way.side] = seed
            elif seed:
                placed[seed] = places[number][index]
    return BracketProgress(
        {number: (sides[0] or None, sides[1] or None) for number, sides in slots.items()},
        readiness,
        won,
        placed,
    )


def feeders(drawn: Bracket) -> dict[tuple[int, int], Feeder]:
    """Map each (match, side) that waits for a match to that match."""
    found = {}
    for match in drawn.matches:
        for way, is_won in ((match.winner_to, True), (match.loser_to, False)):
            if way is not None:
                found[way.match, way.side] = Feeder(match.number, is_won)
    return found


def seeding(levels: int) -> list[int]:
    """Return seeds 1 … 2 ** levels from top to bottom: neighbours add up to 2 ** levels + 1."""
    order = [1]
    for _ in range(levels):
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def _places(drawn: Bracket) -> dict[int, tuple[PlaceRange, PlaceRange]]:
    """Map each match where entries go out to the places of its winner and loser; (1, 2) for a final.

    Losers of the same level share places; a later level is better.
    """
    levels: dict[tuple[int, int], list[int]] = {}
    found = {}
    taken = 2
    for match in drawn.matches:
        if match.part in (BracketPart.FINAL, BracketPart.RESET):
            found[match.number] = (PlaceRange(1, 1), PlaceRange(2, 2))
        elif match.part is BracketPart.THIRD:
            found[match.number] = (PlaceRange(3, 3), PlaceRange(4, 4))
            taken = 4
        elif match.loser_to is None and not _is_bye(match):
            levels.setdefault((match.stage, match.level), []).append(match.number)
    for _, numbers in sorted(levels.items(), reverse=True):
        shared = PlaceRange(taken + 1, taken + len(numbers))
        taken += len(numbers)
        found |= dict.fromkeys(numbers, (shared, shared))
    return found


def _is_bye(match: BracketMatch) -> bool:
    return match.part is BracketPart.WINNERS and match.level == 1 and None in match.slots


_Key = tuple[BracketPart, int, int]


@dataclass(frozen=True, slots=True)
class _From:
    """The winner or loser of the match with this part, level and index."""

    key: _Key
    won: bool


# A seed, an entry from another match, or nobody.
_Source = int | _From | None


@dataclass(frozen=True, slots=True)
class _Node:
    key: _Key
    stage: int
    sources: tuple[_Source, _Source]


def _single(n: int, third_place: bool) -> list[_Node]:
    levels = (n - 1).bit_length()
    nodes = _tree(n, levels, BracketPart.FINAL)
    if third_place and n >= 4:
        losers = [_From((BracketPart.WINNERS, levels - 1, index), won=False) for index in (0, 1)]
        nodes.append(_Node((BracketPart.THIRD, 1, 0), levels, (losers[0], losers[1])))
    return nodes


def _double(n: int) -> list[_Node]:
    levels = (n - 1).bit_length()
    nodes = _tree(n, levels, BracketPart.WINNERS)
    has_bye = {node.key for node in nodes if None in node.sources}

    def losers(level: int) -> list[_Source]:
        keys = [(BracketPart.WINNERS, level, index) for index in range(2 ** (levels - level))]
        return [None if key in has_bye else _From(key, won=False) for key in keys]

    def meet(level: int, pairs: list[tuple[_Source, _Source]]) -> list[_Source]:
        going_on: list[_Source] = []
        for index, (first, second) in enumerate(pairs):
            if first is None or second is None:
                going_on.append(second if first is None else first)
            else:
                key = (BracketPart.LOSERS, level, index)
                nodes.append(_Node(key, level + 1, (first, second)))
                going_on.append(_From(key, won=True))
        return going_on

    left = losers(1)
    for level in range(2, levels + 1):
        left = meet(2 * level - 3, list(zip(left[::2], left[1::2], strict=True)))
        mask = _reversed_bits(level - 1, levels - level)
        dropped = losers(level)
        left = meet(2 * level - 2, [(dropped[index ^ mask], waiting) for index, waiting in enumerate(left)])
    final = (BracketPart.FINAL, 1, 0)
    undefeated = _From((BracketPart.WINNERS, levels, 0), won=True)
    nodes.append(_Node(final, 2 * levels, (undefeated, left[0])))
    nodes.append(
        _Node((BracketPart.RESET, 1, 0), 2 * levels + 1, (_From(final, won=False), _From(final, won=True)))
    )
    return nodes


def _tree(n: int, levels: int, last: BracketPart) -> list[_Node]:
    """A plain knockout, level by level; the last match belongs to the part `last`."""
    sources: list[_Source] = [seed if seed <= n else None for seed in seeding(levels)]
    nodes = []
    for level in range(1, levels + 1):
        going_on: list[_Source] = []
        is_last = level == levels
        for index, pair in enumerate(zip(sources[::2], sources[1::2], strict=True)):
            part = last if is_last else BracketPart.WINNERS
            key = (part, 1 if part is BracketPart.FINAL else level, index)
            nodes.append(_Node(key, level, pair))
            going_on.append(_From(key, won=True))
        sources = going_on
    return nodes


def _reversed_bits(number: int, bits: int) -> int:
    """Reverse the lowest bits of a number: 1 in 3 bits becomes 4."""
    return sum(1 << (bits - 1 - bit) for bit in range(bits) if number >> bit & 1)


def _numbered(nodes: list[_Node]) -> Bracket:
    parts = list(BracketPart)
    nodes = sorted(nodes, key=lambda node: (node.stage, parts.index(node.key[0]), node.key[2]))
    ways = {
        source: Way(number, side)
        for number, node in enumerate(nodes, start=1)
        for side, source in enumerate(node.sources)
        if isinstance(source, _From)
    }
    return Bracket(
        tuple(
            BracketMatch(
                number,
                part=node.key[0],
                level=node.key[1],
                stage=node.stage,
                slots=(_seed(node.sources[0]), _seed(node.sources[1])),
                winner_to=ways.get(_From(node.key, won=True)),
                loser_to=ways.get(_From(node.key, won=False)),
            )
            for number, node in enumerate(nodes, start=1)
        )
    )


def _seed(source: _Source) -> int | None:
    return source if isinstance(source, int) else None
