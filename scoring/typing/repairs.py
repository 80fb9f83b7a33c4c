"""Finds single typing errors that would explain a difference between the sheet and the paper.

Each candidate repair changes the fields, and everything from the changed row on is read and scored again by
the same code as the sheet itself. Repairs that leave no row refused and agree with every figure of the paper
are offered, the likelier first. A changed running total thus also changes the points of the next one.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from typing import Final

from scoring.core.hands import MOST_DEADWOOD, UNDERCUTS
from scoring.core.kinds import kind_of
from scoring.core.messages import Message, Value, mark, mark_plural, together
from scoring.core.rules import Rules
from scoring.core.sheet_state import sides_in_columns
from scoring.core.sheets import Deal, SheetSide
from scoring.typing.cells import Basis, Cell, CellForm, Grammar, NotationError, parse_cell, write_cell
from scoring.typing.left_out import Trial, left_out_points
from scoring.typing.paper_figures import Paper, differences
from scoring.typing.rows import RowReader, grammar_of, takes_all_off
from scoring.typing.slips import cell_slips, worth_by_mark
from scoring.typing.unlikely import unlikely

# The most fields searched: each is tried in many ways, and all rows after it are rescored each time.
MOST_FIELDS: Final = 100


class RepairKind(StrEnum):
    """The kind of typing error, the likelier first."""

    SWAPPED = "swapped"
    DIGIT = "digit"
    SIDE = "side"
    DOUBLED = "doubled"
    SKIPPED = "skipped"
    MARK = "mark"
    SPADE = "spade"
    TIME = "time"
    LENGTH = "length"


@dataclass(frozen=True, slots=True)
class Repair:
    """One change to the rows after which sheet and paper agree.

    `row` counts from 1. A changed field is row `row`, field `cell` (from 0), `old` to `new`. Without `new`
    the row is deleted; without `old` a row `new` is inserted before row `row`. `rows` are all rows where the
    same would do, `row` included. With `is_partial` a line is missing whose points do not matter (a later
    running total fixes them), so `new` is a row to be completed.
    """

    kind: RepairKind
    row: int
    cell: int | None
    old: str | None
    new: str | None
    sentence: Message
    rows: tuple[int, ...]
    is_partial: bool = False


class Unsearched(Enum):
    """Why no repair was searched for."""

    NO_FIGURES = "the paper says nothing"
    UNREADABLE = "a row cannot be read, that is to be mended first"
    TOO_LONG = "more fields than are searched"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The repairs found, likeliest first; `unsearched` if there was no search."""

    repairs: tuple[Repair, ...] = ()
    unsearched: Unsearched | None = None


def explain(
    rows: Sequence[Sequence[str]],
    paper: Paper,
    *,
    rules: Rules,
    sides: Sequence[SheetSide],
    left: int = 0,
    running_totals: bool = False,
    lines_only: bool = False,
) -> Explanation:
    """Every single repair that makes the rows agree with the paper, likeliest first.

    The arguments are those of `read_rows`. There are none if they agree already. There is no search if the
    paper has no figure, if a row cannot be parsed, or beyond `MOST_FIELDS`.
    """
    if not paper.has_figures:
        return Explanation(unsearched=Unsearched.NO_FIGURES)
    try:
        is_team = kind_of(rules).hands_in(sides) > 1
        typed = _parse(rows, grammar_of(rules), lines_only=lines_only and is_team)
    except NotationError:
        return Explanation(unsearched=Unsearched.UNREADABLE)
    if not typed or not all(typed):
        return Explanation(unsearched=Unsearched.UNREADABLE)
    if sum(len(cells) for cells in typed) > MOST_FIELDS:
        return Explanation(unsearched=Unsearched.TOO_LONG)
    reader = RowReader(rules, sides, left=left, running_totals=running_totals)
    search = _Search(reader, typed, paper, left=left, running_totals=running_totals, lines_only=lines_only)
    return Explanation(tuple(search.repairs()))


@dataclass(frozen=True, slots=True)
class _Found:
    """A repair that works. `index` counts rows from 0; `rarity` orders within a kind."""

    kind: RepairKind
    rarity: int
    index: int
    cell: int | None = None
    old: str | None = None
    new: str | None = None
    # The change in the number of unlikely hands.
    doubts: int = 0
    is_partial: bool = False


class _Search:
    """The sheet as typed, with a copy of the reader from before each of its rows."""

    def __init__(
        self,
        reader: RowReader,
        typed: list[tuple[Cell, ...]],
        paper: Paper,
        *,
        left: int,
        running_totals: bool,
        lines_only: bool,
    ) -> None:
        self._typed = typed
        self._paper = paper
        self._rules = reader.rules
        self._grammar = reader.grammar
        self._left = left
        self._running_totals = running_totals
        self._sides = reader.sheet.sides
        self._size = kind_of(reader.rules).hands_in(self._sides)
        # Whether every row tells by itself what its deal is, wherever it stands.
        self._is_alone = reader.sheet.table is None or reader.grammar in (Grammar.JERSEY, Grammar.RUMMY)
        self._lines_only = lines_only
        # An upper bound of all figures: a running total just before the end, plus the best possible deal.
        self._largest = self._most_before_the_end() + self._most_points()
        self._before = [reader.copy()]
        # Rows up to the first refused one; a later repair would leave it refused.
        self._reach = len(typed)
        self._has_totals = running_totals or any(
            cell.basis is Basis.TOTAL for cells in typed for cell in cells
        )
        self._deals: list[Deal | None] = []
        # By row and standing before it: whether the remaining rows lead to the paper's figures.
        self._agreeing: dict[tuple[int, tuple[object, ...]], bool] = {}
        for index, cells in enumerate(typed):
            taken = reader.take(cells)
            if taken.error is not None and self._reach == len(typed):
                self._reach = index
            self._deals.append(taken.deal if self._is_alone and not self._has_totals else None)
            self._before.append(reader.copy())
        # Voided rows are no lines of the paper; a row refused now will be one once it is repaired.
        self._lines = sum(cells[0].form not in (CellForm.STRUCK, CellForm.TIME) for cells in typed)
        self._stopped_by = reader.stopped_by
        self._state = reader.sheet.settle(stopped=reader.stopped_by is not None)

    def repairs(self) -> Iterator[Repair]:
        if self._reach == len(self._typed) and not differences(self._state, self._paper):
            return
        found = [*self._changed_fields(), *self._doubled(), *self._skipped(), *self._time()]
        order = list(RepairKind)
        found.sort(key=lambda one: (one.doubts, order.index(one.kind), one.rarity, one.index))
        yield from self._merged(found)

    def _agrees_when_changed(self, index: int, row: Sequence[Cell]) -> bool:
        """Whether the paper's figures result with this row in place of row `index`.

        Many candidates lead to the same standing, after which the remaining rows need adding up only once.
        """
        if self._has_totals:
            return self._agrees(index, [row], index + 1)
        reader = self._before[index].copy()
        agrees = reader.take(row).error is None
        passed = []
        for number in range(index + 1, len(self._typed)):
            if not agrees:
                break
            standing = number, reader.sheet.standing
            if standing in self._agreeing:
                agrees = self._agreeing[standing]
                break
            passed.append(standing)
            agrees = self._take_typed(reader, number)
        else:
            state = reader.sheet.settle(stopped=reader.stopped_by is not None)
            agrees = agrees and not differences(state, self._paper)
        self._agreeing.update(dict.fromkeys(passed, agrees))
        return agrees

    def _agrees(self, index: int, rows: Sequence[Sequence[Cell]], rest: int) -> bool:
        """Whether the paper's figures result with these rows in place of those from `index` up to `rest`."""
        state, is_whole = self._trial(index, rows, rest)
        return is_whole and not differences(state, self._paper)

    def _trial(self, index: int, rows: Sequence[Sequence[Cell]], rest: int) -> Trial:
        """The sheet with these rows in place, up to the first refused row."""
        reader = self._before[index].copy()
        is_whole = all(reader.take(cells).error is None for cells in rows) and all(
            self._take_typed(reader, number) for number in range(rest, len(self._typed))
        )
        return Trial(reader.sheet.settle(stopped=reader.stopped_by is not None), is_whole)

    def _take_typed(self, reader: RowReader, index: int) -> bool:
        """Takes a row as typed; without running totals, and at the same number, it is the same deal."""
        deal = self._deals[index]
        if deal is not None and (self._size == 1 or reader.rows == index):
            return reader.take_again(deal)
        return reader.take(self._typed[index]).error is None

    def _changed_fields(self) -> Iterator[_Found]:
        if not self._allows_rows(0):
            return
        for index, cells in enumerate(self._typed[: self._reach + 1]):
            for place, cell in enumerate(cells):
                for slip, rarity, changed in cell_slips(cell, self._rules, self._largest, len(self._sides)):
                    kind = RepairKind(slip)
                    row = (*cells[:place], changed, *cells[place + 1 :])
                    if self._agrees_when_changed(index, row):
                        texts = self._text(cell), self._text(changed)
                        doubts = self._doubts(index, [row], index + 1)
                        yield _Found(kind, rarity, index, place, *texts, doubts)

    def _most_points(self) -> int:
        """An upper bound of the points of a deal."""
        rules = self._rules
        bonus = max(rules.gin_bonus, rules.big_gin_bonus or 0, rules.undercut_bonus + rules.knock_limit)
        # The winner of a hand of several wins from each of them.
        from_each = (
            self._size if self._grammar not in (Grammar.JERSEY, Grammar.RUMMY) else len(self._sides) - 1
        )
        return (MOST_DEADWOOD + bonus) * (2 if rules.spades_double else 1) * from_each

    def _most_before_the_end(self) -> int:
        """An upper bound of a running total before the last deal."""
        deals = self._rules.deals
        return self._rules.target if deals is None else (deals - 1) * self._most_points()

    def _doubts(self, index: int, rows: Sequence[Sequence[Cell]], rest: int) -> int:
        """The change in unlikely hands with these rows in place of those from `index` up to `rest`."""
        typed = self._typed
        return self._unlikely(index, [*rows, *typed[rest:]]) - self._unlikely(index, typed[index:])

    def _unlikely(self, index: int, rows: Iterable[Sequence[Cell]]) -> int:
        reader = self._before[index].copy()
        deals = [reader.take(cells).deal for cells in rows]
        return sum(len(list(unlikely(self._rules, deal, self._size))) for deal in deals if deal is not None)

    def _allows_rows(self, more: int) -> bool:
        """Whether the paper's row count allows for `more` rows than were typed."""
        return self._paper.lines is None or self._paper.lines == self._lines + more

    def _doubled(self) -> Iterator[_Found]:
        """Rows typed twice; of several consecutive ones only the last is offered."""
        if not self._allows_rows(-1):
            return
        typed = self._typed
        for index, cells in enumerate(typed[: self._reach + 1]):
            follows = index > 0 and typed[index - 1] == cells
            if typed[index + 1 : index + 2] == [cells] or typed.count(cells) == 1:
                continue
            if self._agrees(index, [], index + 1):
                text = " ".join([self._text(cell) for cell in cells])
                doubts = self._doubts(index, [], index + 1)
                yield _Found(RepairKind.DOUBLED, int(not follows), index, None, text, doubts=doubts)

    def _skipped(self) -> Iterator[_Found]:
        """A row of the paper that was not typed: a dead hand, or a line of either side."""
        if not self._allows_rows(1):
            return
        last = self._reach if self._stopped_by is None else min(self._reach, self._stopped_by - 1)
        dead = Cell(CellForm.DEAD if self._size == 1 else CellForm.DEAD_LINE)
        for index in range(last + 1):
            if self._agrees(index, [(dead,)], index):
                yield _Found(RepairKind.SKIPPED, 0, index, new=self._text(dead))
            for blank in self._blank_lines():
                yield from self._omitted_line(index, blank)

    def _omitted_line(self, index: int, blank: Cell) -> Iterator[_Found]:
        """The line `blank` before this row, with the points it must have had."""

        def trial(points: int) -> Trial:
            line = replace(blank, numbers=(points, *blank.numbers[1:]))
            return self._trial(index, [(line,)], index)

        # Of an undercut whose bonus is a penalty the defender may have nothing.
        least = 0 if blank.mark in UNDERCUTS and self._rules.undercut_penalty == "bonus" else 1
        # More points may close a column before a penalty, which is then taken off in others than before.
        may_recover = self._has_totals or self._rules.undercut_penalty != "none"
        for points, most in left_out_points(
            trial, self._paper, least, self._most_points(), may_recover=may_recover
        ):
            line = replace(blank, numbers=(points, *blank.numbers[1:]))
            if not self._agrees(index, [(line,)], index):
                continue
            if points < most:
                text = self._text(replace(blank, basis=Basis.UNSAID)).replace("0", "", 1)
                yield _Found(RepairKind.SKIPPED, 2, index, new=text, is_partial=True)
            else:
                text = self._omitted_text(index, blank, points)
                doubts = self._doubts(index, [(line,)], index)
                yield _Found(RepairKind.SKIPPED, 1, index, new=text, doubts=doubts)

    def _blank_lines(self) -> Iterator[Cell]:
        """The lines that may be missing, without points: one for each worth that a mark gives them.

        If the paper gives boxes, those with as many as are missing. A hand of several at one table has more
        figures than one, and none is sought.
        """
        state, paper = self._state, self._paper
        if self._grammar in (Grammar.JERSEY, Grammar.RUMMY):
            return
        is_whole = self._reach == len(self._typed)
        for letter, side in enumerate(sides_in_columns(self._left, len(self._sides))):
            missing = None
            if is_whole and paper.boxes:
                # With more sides than two a line may be entered for several.
                other = paper.boxes[1 - side] if len(self._sides) == 2 else None
                if other is not None and other != state.boxes[1 - side]:
                    continue
                theirs = paper.boxes[side]
                missing = None if theirs is None else theirs - state.boxes[side]
            if self._size > 1:
                if missing is None or missing > 0:
                    yield Cell(CellForm.LINE, letter, (0, missing or 1), basis=Basis.POINTS)
                continue
            plain = Cell(CellForm.POINTS, letter, (0,), basis=Basis.POINTS)
            seen = set()
            for outcome, worth in worth_by_mark(plain, self._rules).items():
                if worth not in seen and missing in (None, worth.boxes):
                    seen.add(worth)
                    yield replace(plain, mark=outcome)

    def _omitted_text(self, index: int, blank: Cell, points: int) -> str:
        """The line as it would have been typed: with a running total where that is the default.

        A total below 0 cannot be typed: points are.
        """
        if not self._running_totals or takes_all_off(self._rules, blank.mark):
            return self._text(replace(blank, numbers=(points, *blank.numbers[1:]), basis=Basis.UNSAID))
        side = ((blank.side or 0) + self._left) % len(self._sides)
        total = points + self._before[index].sheet.running(side)
        if self._rules.box_credit == "at_once":
            boxes = (
                blank.numbers[1] if self._size > 1 else worth_by_mark(blank, self._rules)[blank.mark].boxes
            )
            total += boxes * self._rules.box_bonus
        if total < 0:
            return self._text(replace(blank, numbers=(points, *blank.numbers[1:]), basis=Basis.POINTS))
        return self._text(replace(blank, numbers=(total, *blank.numbers[1:]), basis=Basis.UNSAID))

    def _time(self) -> Iterator[_Found]:
        """Time was called, but not typed."""
        end = len(self._typed)
        if self._state.status == "open" and self._agrees(end, [(Cell(CellForm.TIME),)], end):
            yield _Found(RepairKind.TIME, 0, end, new="t")

    def _text(self, cell: Cell) -> str:
        text = write_cell(cell)
        return text.removeprefix("l") if self._lines_only and cell.form is CellForm.LINE else text

    def _merged(self, found: list[_Found]) -> Iterator[Repair]:
        """One repair for all places where the same line may have been omitted."""
        places: defaultdict[str | None, list[int]] = defaultdict(list)
        for one in found:
            if one.kind is RepairKind.SKIPPED:
                places[one.new].append(one.index + 1)
        for one in found:
            rows: tuple[int, ...] = (one.index + 1,)
            if one.kind is RepairKind.SKIPPED:
                if one.new not in places:
                    continue
                rows = tuple(sorted(set(places.pop(one.new))))
            sentence = self._sentence(one, rows)
            yield Repair(one.kind, rows[0], one.cell, one.old, one.new, sentence, rows, one.is_partial)

    def _sentence(self, one: _Found, rows: tuple[int, ...]) -> Message:
        match one.kind:
            case RepairKind.TIME:
                return mark("after row %(row)s: t, was time called?", row=one.index)
            case RepairKind.DOUBLED:
                return mark("row %(row)s: %(typed)s typed twice?", row=rows[0], typed=one.old or "")
            case RepairKind.SKIPPED:
                place = mark("before row %(row)s", row=rows[0])
                if rows[0] > len(self._typed):
                    place = mark("after row %(row)s", row=rows[0] - 1)
                if len(rows) > 4:
                    others = mark_plural(
                        "(or at %(count)s other place)", "(or at %(count)s other places)", len(rows) - 1
                    )
                    place = together([place, others])
                elif rows[1:]:
                    also = mark("(or %(rows)s)", rows=", ".join(map(str, rows[1:])))
                    place = together([place, also])
                said: dict[str, Value] = {"place": place, "typed": one.new or ""}
                if one.is_partial:
                    return mark(
                        "%(place)s: a line left out, %(typed)s… with whatever the paper has there?", **said
                    )
                return mark("%(place)s: %(typed)s left out?", **said)
            case _:
                said = {"row": rows[0], "new": one.new or "", "old": one.old or ""}
                if len(self._typed[one.index]) == 1:
                    return mark("row %(row)s: %(new)s, not %(old)s?", **said)
                table = (one.cell or 0) + 1
                return mark("row %(row)s, table %(table)s: %(new)s, not %(old)s?", table=table, **said)


def _parse(rows: Sequence[Sequence[str]], grammar: Grammar, *, lines_only: bool) -> list[tuple[Cell, ...]]:
    """The fields, without empty ones at the end of a row and without empty rows at the end."""
    typed = []
    for row in rows:
        texts = list(row)
        while texts and not texts[-1].strip():
            texts.pop()
        line = lines_only and len(texts) == 1
        typed.append(tuple([parse_cell(text, line=line, grammar=grammar) for text in texts]))
    while typed and not typed[-1]:
        typed.pop()
    return typed
