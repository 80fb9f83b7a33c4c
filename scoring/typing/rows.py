"""Turns typed rows into deals, one after another, on the sheet they are written on.

This decides which side `a` is, who plays at which table of a team deal or next of several, and what a running
total adds. A
refused row stands on the sheet as a voided deal, so that rows and deals keep the same numbers.

A **running total** (`a62=`) is the side's sum in its first open column once this hand is entered, that is
`running` of INTERFACES §2, which includes box points under `box_credit: at_once`. The first open column
always takes the side's next win (RULES §6), so the points are the total less the previous sum and less that
credit. An undercut that is all taken off the knocker adds to no sum, and its figure is always points.
"""

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Final, Self

from scoring.core.errors import ScoringError
from scoring.core.hands import (
    UNDERCUTS,
    BigGin,
    Dead,
    Gin,
    HandResult,
    Knock,
    Outcome,
    Points,
    score_hand,
)
from scoring.core.kinds import KINDS
from scoring.core.messages import Message, Sentence, Value, mark, mark_plural, together
from scoring.core.rules import Rules
from scoring.core.sheet_state import sides_in_columns
from scoring.core.sheets import MOST_DEALS, VOID, Deal, DealScore, RunningSheet, SheetSide, TeamLine
from scoring.core.table_hands import Blocked, Counts, Gain, Out, TableKnock, TablePoints, TableResult
from scoring.typing.cells import ANY_SPADE, LETTERS, Basis, Cell, CellForm, Grammar, NotationError, write_cell

_ALONE: Final = mark("%(typed)s stands alone in its row.", typed="")
_WHOLE_ROW: Final = {
    CellForm.TIME: _ALONE.filled(typed="t"),
    CellForm.STRUCK: _ALONE.filled(typed="v"),
    CellForm.LINE: mark("A team's line stands alone in its row."),
    CellForm.DEAD_LINE: _ALONE.filled(typed="ld"),
}
GRAMMARS: Final = {
    "gin": Grammar.TWO_SIDES,
    "cutthroat": Grammar.TWO_OF_MORE,
    "captains": Grammar.TWO_OF_MORE,
    "jersey": Grammar.JERSEY,
    "partners_one_pack": Grammar.TWO_SIDES,
    "basic_rummy": Grammar.RUMMY,
}
assert GRAMMARS.keys() == KINDS.keys()  # noqa: S101 (a kind whose hands nobody types)
_ADVICE: Final = {
    "illegal_knock": mark("Check the first count; points as written are typed %(letter)s12.", letter=""),
    "not_played": mark("Gin is typed %(letter)s44g or %(letter)sg 19.", letter=""),
}


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a row is refused, and what to type instead. `cell` counts from 0; None is the whole row."""

    code: str
    message: Sentence
    cell: int | None = None


@dataclass(frozen=True, slots=True)
class Taken:
    """The outcome of a row: its deal and score, its refusal, or neither if it calls time.

    A deal after the end of the sheet has both, and does not count.
    """

    deal: Deal | None = None
    score: DealScore | None = None
    error: Refusal | None = None


def team_pairing(number: int, sides: Sequence[SheetSide]) -> tuple[tuple[str, str], ...]:
    """The players who meet in deal `number` (from 1), a pair per table in the first side's seat order.

    RULES §7: A1–B1, A2–B2, then A1–B2, A2–B1; larger teams move on by one seat each deal.
    """
    first, second = sides[0].seated(number), sides[1].seated(number)
    return tuple([(first[one], second[other]) for one, other in seat_pairing(number, len(first))])


def seat_pairing(number: int, size: int) -> tuple[tuple[int, int], ...]:
    """The seats (from 0) that meet in deal `number` (from 1) of teams of `size`, the first side's first.

    Over `size` deals every seat meets every seat of the other side once.
    """
    return tuple([(table, (table + number - 1) % size) for table in range(size)])


def takes_all_off(rules: Rules, outcome: Outcome | None) -> bool:
    """Whether the points of a hand with this mark are taken off its loser, and nobody wins them."""
    return rules.undercut_penalty == "all" and outcome in UNDERCUTS


def grammar_of(rules: Rules) -> Grammar:
    """What is typed for a hand under these rules."""
    return GRAMMARS[rules.kind]


class RowReader:
    """Takes rows in order.

    `left` is the side that `a` stands for, the other letters for the sides that follow in order of seats;
    `stopped_by` is the row that called time.
    """

    def __init__(
        self, rules: Rules, sides: Sequence[SheetSide], *, left: int = 0, running_totals: bool = False
    ) -> None:
        self.sheet = RunningSheet(rules, sides, surplus="keep")
        self.rules = self.sheet.rules
        self.stopped_by: int | None = None
        self.rows = 0
        self._sides = tuple(sides)
        self._left = left
        # Which sides the seats are on, where it follows from the deals before who plays.
        self._side_of_seat = [number for number, side in enumerate(sides) for _player in side.players]
        self._size = len(sides[0].players)
        self._running_totals = running_totals
        self.grammar = grammar_of(rules)

    @property
    def _is_single(self) -> bool:
        """Whether a deal has one hand, which two or all play."""
        return self.grammar is not Grammar.TWO_SIDES or self._size == 1

    def _letter(self, side: int) -> int:
        """The letter that stands for a side, from 0."""
        return (side - self._left) % len(self._sides)

    def copy(self) -> Self:
        """An independent copy of the reader at this point."""
        other = copy(self)
        other.sheet = self.sheet.copy()
        return other

    def take(self, cells: Sequence[Cell]) -> Taken:
        """Reads the next row and enters its deal; never raises, whatever was typed."""
        try:
            self._check_not_stopped()
            if cells and cells[0].form is CellForm.TIME and len(cells) == 1:
                self.rows += 1
                self.stopped_by = self.rows
                return Taken()
            deal = self._deal(cells)
            score = self.sheet.add(deal)
        except ScoringError as error:
            return self.refuse(error, cells=cells)
        self.rows += 1
        if score.counted or deal.is_void:
            return Taken(deal, score)
        return Taken(deal, score, self._refusal(self._surplus()))

    def take_again(self, deal: Deal) -> bool:
        """Enters a deal read earlier from a row without running totals; False if the sheet had ended."""
        self.rows += 1
        return self.sheet.add(deal).counted or deal.is_void

    def refuse(self, error: ScoringError, *, cell: int | None = None, cells: Sequence[Cell] = ()) -> Taken:
        """Takes a refused row as a voided deal, unless the sheet has ended."""
        if cell is None and error.hand is not None:
            cell = error.hand - 1
        elif cell is None and len(cells) == 1:
            cell = 0
        advice = _ADVICE.get(error.code)
        if advice is not None and cell is not None and cell < len(cells):
            letter = LETTERS[cells[cell].side or 0]
            error.message = together([error.message, advice.filled(letter=letter)])
        self.rows += 1
        if self.stopped_by is None and self.sheet.played < MOST_DEALS:
            self.sheet.add(VOID)
        return Taken(error=self._refusal(error, cell))

    def _refusal(self, error: ScoringError, cell: int | None = None) -> Refusal:
        message = error.message
        if isinstance(message, Message):
            message = message.filled(left=self._name(0), right=self._name(1))
        return Refusal(error.code, message, cell)

    def _name(self, letter: int) -> str:
        return self._sides[self._side(letter)].name

    def _side(self, letter: int) -> int:
        """The side for a letter: 0 for a, 1 for b; one that the sheet has not is refused (`no_such_side`)."""
        if letter >= len(self._sides):
            last = LETTERS[len(self._sides) - 1]
            message = mark(
                "There is no %(letter)s here: sides are a to %(last)s.", letter=LETTERS[letter], last=last
            )
            raise NotationError("no_such_side", message)
        return (self._left + letter) % len(self._sides)

    def _seated(self) -> list[tuple[str, ...]]:
        """The players of the next deal, by side."""
        number = self.sheet.played + 1
        return [side.seated(number) for side in self._sides]

    def _check_not_stopped(self) -> None:
        if self.stopped_by is not None:
            raise NotationError(
                "after_time",
                mark("Time was called in row %(row)s: strike this row, or that one.", row=self.stopped_by),
            )

    def _surplus(self) -> NotationError:
        return NotationError(
            "sheet_finished",
            mark(
                "The sheet had ended with row %(row)s: strike this row, or look for a mistake above.",
                row=self.sheet.ended_by or self.rows,
            ),
        )

    def _deal(self, cells: Sequence[Cell]) -> Deal:
        if not cells:
            raise NotationError(
                "empty_row", mark("This row is empty: type its hand, d if it was dead, or strike it.")
            )
        if self._is_single and len(cells) == 1:
            cell = cells[0]
            if cell.pair is None and cell.form not in _WHOLE_ROW:
                return Deal((self._single_hand(cell),))
        for cell in cells:
            if cell.form in _WHOLE_ROW and len(cells) > 1:
                raise NotationError("row_alone", _WHOLE_ROW[cell.form])
        first = cells[0]
        if first.form is CellForm.STRUCK:
            return VOID
        if first.form in (CellForm.LINE, CellForm.DEAD_LINE):
            return self._line(first)
        pairs = self._pairs(cells)
        hands = []
        for index, (cell, pair) in enumerate(zip(cells, pairs, strict=True), start=1):
            try:
                hands.append(self._hand(cell, pair))
            except NotationError as error:
                raise error.at(hand=index) from None
        return Deal(tuple(hands))

    def _line(self, cell: Cell) -> Deal:
        if self._is_single:
            raise NotationError(
                "not_a_team_sheet",
                mark("Only a team's sheet keeps lines without hands: type a12 or b12, without l."),
            )
        if cell.form is CellForm.DEAD_LINE:
            pairs = team_pairing(self.sheet.played + 1, self._sides)
            return Deal(tuple([Dead(pair) for pair in pairs]))
        side = self._side(cell.side or 0)
        points, boxes = cell.numbers
        if self._is_total(cell):
            points = self._points_of_total(points, boxes, side)
        return Deal(line=TeamLine(self._sides[side].name, points, boxes))

    def _pairs(self, cells: Sequence[Cell]) -> list[tuple[str, str]]:
        """The players at each table: as prefilled, as written before the hand, or the two left over."""
        if len(cells) > self._size:
            raise NotationError(
                "too_many_fields",
                mark_plural("A row here has one field.", "A row here has %(count)s fields.", self._size),
            )
        prefilled = list(team_pairing(self.sheet.played + 1, self._sides))
        for index in range(self._size):
            if index >= len(cells) or cells[index].form is CellForm.EMPTY:
                raise NotationError(
                    "table_missing",
                    mark(
                        "Table %(table)s is empty: type its hand, d if it was dead; la28 is a team's line.",
                        table=index + 1,
                    ),
                ).at(hand=index + 1)
        pairs = [
            pair if cell.pair is None else self._written_pair(cell.pair, index)
            for index, (cell, pair) in enumerate(zip(cells, prefilled, strict=True), start=1)
        ]
        unsaid = [index for index, cell in enumerate(cells) if cell.pair is None]
        if len(unsaid) == 1 < self._size:
            others = [pair for index, pair in enumerate(pairs) if index != unsaid[0]]
            free = [
                [player for player in seated if all(player != pair[number] for pair in others)]
                for number, seated in enumerate(self._seated())
            ]
            if len(free[0]) == len(free[1]) == 1:
                pairs[unsaid[0]] = (free[0][0], free[1][0])
        seen: set[str] = set()
        for index, pair in enumerate(pairs, start=1):
            for player in pair:
                if player in seen:
                    raise NotationError(
                        "player_twice",
                        mark(
                            "%(player)s plays at two tables in this row: say who meets whom, as in 1v2 "
                            "before the hand.",
                            player=player,
                        ),
                    ).at(hand=index)
                seen.add(player)
        return pairs

    def _written_pair(self, numbers: tuple[int, int], index: int) -> tuple[str, str]:
        if not all(1 <= number <= self._size for number in numbers):
            raise NotationError(
                "no_such_player",
                mark(
                    "Players are numbered 1 to %(most)s, as in 1v%(most)s before the hand.",
                    most=self._size,
                ),
            ).at(hand=index)
        first, second = numbers[::-1] if self._left else numbers
        seated = self._seated()
        return seated[0][first - 1], seated[1][second - 1]

    def _hand(self, cell: Cell, pair: tuple[str, str]) -> HandResult:
        side = self._side(cell.side or 0)
        return self._hand_of_two(cell, pair, pair[side], pair[1 - side], side)

    def _single_hand(self, cell: Cell) -> HandResult | TableResult:
        """The one hand of a deal, of the two or of all who play it."""
        if self.grammar in (Grammar.JERSEY, Grammar.RUMMY):
            return self._hand_at_once(cell)
        seated, table = self._seated(), self.sheet.table
        if table is None:
            return self._hand(cell, (seated[0][0], seated[1][0]))
        players = [player for side in seated for player in side]
        first, second = (players[seat] for seat in table.playing)
        if cell.side is None:
            # A dead hand: who plays, in order of seats.
            one, other = (players[seat] for seat in sorted(table.playing))
            return self._hand_of_two(cell, (one, other), one, other, 0)
        side = self._side(cell.side)
        playing = [self._side_of_seat[seat] for seat in table.playing]
        if side not in playing:
            message = mark(
                "%(player)s sits out in this deal: %(first)s plays %(second)s.",
                player=seated[side][0],
                first=first,
                second=second,
            )
            raise NotationError("sits_out", message)
        who, other = (first, second) if playing[0] == side else (second, first)
        return self._hand_of_two(cell, (first, second), who, other, side)

    def _hand_at_once(self, cell: Cell) -> TableResult:
        """A hand that all play at one table, each a side of its own."""
        seated = [side[0] for side in self._seated()]
        count = len(seated)

        def from_left_of(side: int, numbers: Sequence[int]) -> Counts:
            if len(numbers) != count - 1:
                raise NotationError(
                    "wrong_count",
                    mark_plural(
                        "This hand has a figure for the other player.",
                        "This hand has a figure for each of the %(count)s others.",
                        count - 1,
                    ),
                )
            return tuple(
                [(seated[(side + step) % count], number) for step, number in enumerate(numbers, start=1)]
            )

        if cell.form is CellForm.DEAD:
            return Dead((), self._upcard(cell))
        if cell.form is CellForm.BLOCKED:
            if len(cell.numbers) != count:
                raise NotationError(
                    "wrong_count", mark("Blocked: type what each of %(players)s had left.", players=count)
                )
            columns = sides_in_columns(self._left, count)
            left = dict(zip(columns, cell.numbers, strict=True))
            return Blocked(tuple([(seated[side], left[side]) for side in range(count)]))
        side = self._side(cell.side or 0)
        who = seated[side]
        match cell.form:
            case CellForm.OUT | CellForm.RUMMY:
                return Out(who, from_left_of(side, cell.numbers), cell.form is CellForm.RUMMY)
            case CellForm.COUNTS:
                return TableKnock(
                    who, cell.numbers[0], from_left_of(side, cell.numbers[1:]), upcard=self._upcard(cell)
                )
            case CellForm.GIN | CellForm.BIG_GIN:
                ending = Outcome.GIN if cell.form is CellForm.GIN else Outcome.BIG_GIN
                return TableKnock(who, 0, from_left_of(side, cell.numbers), ending, self._upcard(cell))
            case CellForm.SHARES:
                winners = [(side, cell.numbers)]
                if cell.also is not None:
                    winners.append((self._side(cell.also[0]), cell.also[1]))
                gains = tuple([self._gain(one, numbers, winners, from_left_of) for one, numbers in winners])
                off = () if cell.off is None else ((seated[self._side(cell.off[0])], cell.off[1]),)
                return TablePoints(gains, off, cell.mark, self._upcard(cell))
            case _:
                raise NotationError("empty_row", mark("This row is empty: type its hand, d if it was dead."))

    def _gain(
        self,
        side: int,
        numbers: tuple[int, ...],
        winners: Sequence[tuple[int, tuple[int, ...]]],
        from_left_of: Callable[[int, Sequence[int]], Counts],
    ) -> Gain:
        """What one of the winners of a hand has won: one of two from the third, or from who has a figure."""
        who = self._seated()[side][0]
        if len(winners) == 1:
            return Gain(who, from_left_of(side, numbers))
        if len(numbers) == 1:
            (third,) = set(range(len(self._sides))) - {one for one, _numbers in winners}
            return Gain(who, ((self._seated()[third][0], numbers[0]),))
        shares = [share for share in from_left_of(side, numbers) if share[1]]
        if len(shares) != 1:
            raise NotationError(
                "two_winners", mark("Two won, each from one: type b28 c28, or b 0 28 & a 0 22.")
            )
        return Gain(who, tuple(shares))

    def _upcard(self, cell: Cell) -> str | None:
        """The upcard of the hand; refused (`upcard_needed`) where a bare spade leaves the limit open."""
        if not cell.spade:
            return cell.upcard
        if cell.form is CellForm.COUNTS and self.rules.oklahoma != "off":
            counts = " ".join(map(str, cell.numbers))
            raise NotationError(
                "upcard_needed",
                mark(
                    "The upcard sets the knock limit here: type the card, as in %(typed)s 7s.",
                    typed=f"{LETTERS[cell.side or 0]}{counts}",
                ),
            )
        return ANY_SPADE

    def _hand_of_two(self, cell: Cell, pair: tuple[str, str], who: str, other: str, side: int) -> HandResult:
        """A hand of the pair, named first by `who`, of this side."""
        upcard = self._upcard(cell)
        match cell.form:
            case CellForm.POINTS:
                hand = Points(who, other, cell.numbers[0], cell.mark, upcard)
                return self._from_total(hand, side) if self._is_total(cell) else hand
            case CellForm.COUNTS:
                return Knock(who, other, cell.numbers[0], cell.numbers[1], upcard)
            case CellForm.GIN:
                return Gin(who, other, cell.numbers[0], upcard)
            case CellForm.BIG_GIN:
                return BigGin(who, other, cell.numbers[0], upcard)
            case CellForm.DEAD:
                return Dead(pair if cell.side is None else (who, other), upcard)
            case _:
                raise NotationError("empty_row", mark("This row is empty: type its hand, d if it was dead."))

    def _is_total(self, cell: Cell) -> bool:
        if cell.form is CellForm.POINTS and not self._is_single:
            if cell.basis is Basis.TOTAL:
                raise NotationError(
                    "total_at_table",
                    mark("A running total is the team's, not a table's: type points here, or la62= alone."),
                )
            return False
        if takes_all_off(self.rules, cell.mark):
            if cell.basis is Basis.TOTAL:
                raise NotationError(
                    "total_of_penalty",
                    mark(
                        "An undercut is taken off the other side here and adds to no running total: type the "
                        "points, as in %(typed)s.",
                        typed=write_cell(replace(cell, numbers=(27,), basis=Basis.UNSAID, pair=None)),
                    ),
                )
            return False
        return cell.basis is Basis.TOTAL or (cell.basis is Basis.UNSAID and self._running_totals)

    def _from_total(self, hand: Points, side: int) -> Points:
        boxes = 0
        if self.rules.box_credit == "at_once":
            boxes = score_hand(self.rules, replace(hand, points=0)).boxes
        points = self._points_of_total(hand.points, boxes, side)
        return Points(hand.winner, hand.loser, points, hand.mark, hand.upcard)

    def _points_of_total(self, total: int, boxes: int, side: int) -> int:
        if self.sheet.is_finished:
            raise self._surplus()
        before = self.sheet.running(side)
        credit = boxes * self.rules.box_bonus if self.rules.box_credit == "at_once" else 0
        points = total - before - credit
        if points < 0:
            known: dict[str, Value] = {
                "name": self._sides[side].name,
                "before": before,
                "total": total,
                "typed": f"{'l' if not self._is_single else ''}{LETTERS[self._letter(side)]}{total}!",
            }
            message = mark(
                "%(name)s stood at %(before)s already: the running total cannot be %(total)s. For %(total)s "
                "points type %(typed)s",
                **known,
            )
            if credit:
                message = mark(
                    "%(name)s stood at %(before)s already, and a box adds %(credit)s: the running total "
                    "cannot be %(total)s. For %(total)s points type %(typed)s",
                    credit=credit,
                    **known,
                )
            raise NotationError("total_too_low", message)
        return points
