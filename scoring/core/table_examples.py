"""Worked examples of the kinds of game for more than two, or with a hand of several at one table.

They are scored by the scorer itself, as those of `rule_examples`.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import cycle
from typing import Final

from scoring.core.hands import Dead, HandResult, Outcome
from scoring.core.kinds import kind_of
from scoring.core.kinds.rummy import most_left
from scoring.core.own_knobs import CaptainsKnobs
from scoring.core.rule_examples import MOST_DEALS, hand_of_evening
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import Deal, RunningSheet, SheetSide, SheetState
from scoring.core.table_hands import Blocked, Counts, Out, TableKnock, TableResult, TableScore

# The players of the example of each kind, by side.
SIDES: Final[Mapping[str, tuple[int, ...]]] = {
    "cutthroat": (1, 1, 1),
    "captains": (1, 2),
    "jersey": (1, 1, 1),
    "partners_one_pack": (2, 2),
    "basic_rummy": (1, 1, 1, 1),
}
# Who knocks or goes out (a seat, from the dealer's), and what the others count, in turn.
_KNOCKS: Final = ((0, (18, 26)), (1, (31, 12)), (0, (22, 19)), (2, (27, 24)), (1, (14, 33)))
_LEFT: Final = ((0, (31, 8, 15)), (2, (12, 22, 9)), (1, (24, 5, 17)), (3, (10, 10, 26)))


def sides_of_example(rules: Rules, names: Sequence[str]) -> tuple[SheetSide, ...]:
    """The sides of the sheet example; a side of several is called by all its names."""
    sizes = SIDES[rules.kind]
    if isinstance(rules.own, CaptainsKnobs) and rules.own.box_held == "hand":
        sizes = (1,) * sum(sizes)
    left = iter(names)
    players = [tuple([next(left) for _player in range(size)]) for size in sizes]
    return tuple([SheetSide(" + ".join(one), one) for one in players])


def table_sheet_example(rules: Rules, names: Sequence[str]) -> SheetState:
    """A sheet played to its end, or stopped if that takes too many deals."""
    sides = sides_of_example(rules, names)
    sheet = RunningSheet(rules, sides)
    for turn in range(MOST_DEALS):
        if sheet.is_finished:
            break
        sheet.add(Deal(tuple(_hands(sheet, turn))))
    return sheet.settle(stopped=not sheet.is_finished)


def table_hand_examples(rules: Rules, names: Sequence[str]) -> tuple[tuple[TableResult, TableScore], ...]:
    """A hand at one table for the ways it can end; none where two play."""
    players = names[: sum(SIDES[rules.kind])]
    made = _EXAMPLES.get(rules.kind)
    if made is None:
        return ()
    found = []
    for hand in made(rules, players):
        score = kind_of(rules).score_hand(rules, hand)
        if isinstance(score, TableScore):
            found.append((hand, score))
    return tuple(found)


def _hands(sheet: RunningSheet, turn: int) -> Iterator[HandResult | TableResult]:
    """The hands of the next deal."""
    rules = sheet.rules
    players = players_by_seat(sheet.sides, sheet.played + 1)
    if rules.kind in _EXAMPLES:
        yield _at_once(rules, players, turn)
    elif sheet.table is not None:
        first, second = (players[seat] for seat in sheet.table.playing)
        yield hand_of_evening(rules, turn, first, second)
    else:
        size = len(players) // 2
        for table in range(size):
            other = players[size + (table + sheet.played) % size]
            yield hand_of_evening(rules, turn + table, players[table], other)


def _at_once(rules: Rules, players: Sequence[str], turn: int) -> TableResult:
    if rules.kind == "jersey":
        seat, counts = _KNOCKS[turn % len(_KNOCKS)]
        if turn % len(_KNOCKS) == 2 or not rules.knock_limit:
            return TableKnock(players[seat], 0, _others(players, seat, counts), Outcome.GIN)
        return TableKnock(players[seat], min(6, rules.knock_limit), _others(players, seat, counts))
    seat, left = _LEFT[turn % len(_LEFT)]
    most = most_left(rules, len(players))
    return Out(players[seat], _others(players, seat, tuple([min(count, most) for count in left])))


def _others(players: Sequence[str], seat: int, counts: Sequence[int]) -> Counts:
    """The counts of the others, from the next seat."""
    return tuple(
        [(players[(seat + step) % len(players)], count) for step, count in enumerate(counts, start=1)]
    )


def _jersey_hands(rules: Rules, players: Sequence[str]) -> Iterator[TableResult]:
    if limit := rules.knock_limit:
        yield TableKnock(players[0], min(6, limit), _others(players, 0, (18, 26)))
    yield TableKnock(players[0], 0, _others(players, 0, (18, 26)), Outcome.GIN)
    if rules.big_gin_bonus is not None:
        yield TableKnock(players[0], 0, _others(players, 0, (18, 26)), Outcome.BIG_GIN)
    if limit:
        own = min(8, limit)
        yield TableKnock(players[0], own, _others(players, 0, (max(own - 3, 0), 30)))
        yield TableKnock(players[0], own, _others(players, 0, (max(own - 3, 0), max(own - 3, 0))))
    yield Dead(())


def _rummy_hands(rules: Rules, players: Sequence[str]) -> Iterator[TableResult]:
    left = _others(players, 2, (31, 8, 15))
    yield Out(players[2], left)
    yield Out(players[2], left, rummy=True)
    yield Blocked(tuple(zip(players, cycle((6, 15, 7, 21)), strict=False)))


_EXAMPLES: Final = {"jersey": _jersey_hands, "basic_rummy": _rummy_hands}
