"""Compares the two typings of a sheet, row by row."""

from dataclasses import dataclass

from league.entry.figures import write_paper
from league.entry.saving import TypingChanges, changed_by, typed_deals
from league.models import Match
from league.policy.naming import Names
from scoring.core.errors import ScoringError
from scoring.core.sheets import Deal, SheetState
from scoring.models import Scoresheet, SecondTyping
from scoring.services.records import KeptSheet, kept_sheet
from scoring.typing.notation import write_row
from scoring.typing.paper_figures import Paper
from scoring.typing.wording import echo_rows
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One row as saved and as typed again; "" if one of them lacks it.

    `is_untouched` if the second typist left it as it was before somebody else changed it.
    """

    number: int
    saved: str
    saved_words: str
    again: str
    again_words: str
    is_untouched: bool = False

    @property
    def differs(self) -> bool:
        """True if the two typings disagree."""
        return self.saved != self.again and not self.is_untouched


@dataclass(frozen=True, slots=True)
class TypingComparison:
    """A second typing beside the current sheet; `again` is the sheet if it were accepted."""

    second: SecondTyping
    rows: list[ComparedRow]
    saved: SheetState
    again: SheetState
    saved_paper: str
    again_paper: str

    @property
    def count(self) -> int:
        """The number of rows that differ."""
        return sum(row.differs for row in self.rows)

    @property
    def saved_result(self) -> str:
        """The net of the sheet as saved."""
        return _net(self.saved)

    @property
    def again_result(self) -> str:
        """The net of the sheet with what was typed again."""
        return _net(self.again)


def comparisons(sheet: Scoresheet, names: Names, match: Match | None) -> list[TypingComparison]:
    """Every unsettled second typing of a sheet, perhaps of a match."""
    kept = names.sheet(kept_sheet(sheet), match)
    seconds = list(SecondTyping.objects.filter(sheet=sheet, settled_at=None).order_by("id"))
    names.learn_authors(seconds)
    return [_compared(kept, second, names) for second in seconds]


def _compared(kept: KeptSheet, second: SecondTyping, names: Names) -> TypingComparison:
    deals = typed_deals(kept, second)
    theirs = changed_by(kept, second, names)
    stopped = kept.sheet.stopped if theirs.stopped is None else theirs.stopped
    try:
        again = kept.score(_taken_over(kept, theirs), stopped=stopped)
    except ScoringError:
        # Where a result tells who plays next, both together may be impossible; the second alone is not.
        again = kept.score(deals, stopped=second.stopped)
    saved_words, again_words = echo_rows(kept.state), echo_rows(again)
    rows = []
    for number in range(1, max(len(deals), len(kept.deals)) + 1):
        rows.append(
            ComparedRow(
                number,
                _text(kept, kept.deals, number),
                translated(saved_words.get(number, "")),
                _text(kept, deals, number),
                translated(again_words.get(number, "")),
                number in theirs.untouched and deals[number - 1] != kept.deals[number - 1],
            )
        )
    if kept.sheet.stopped or stopped:
        texts = ["t" if is_stopped else "" for is_stopped in (kept.sheet.stopped, stopped)]
        rows.append(ComparedRow(len(rows) + 1, texts[0], "", texts[1], ""))
    return TypingComparison(
        second,
        rows,
        kept.state,
        again,
        _paper(kept.sheet, kept.sheet.paper),
        _paper(kept.sheet, kept.sheet.paper if theirs.paper is None else second.paper),
    )


def _taken_over(kept: KeptSheet, theirs: TypingChanges) -> list[Deal]:
    """The sheet's deals with the changes of the second typing."""
    deals = {**dict(enumerate(kept.deals, start=1)), **theirs.changes}
    return [deals[number] for number in sorted(deals)]


def _text(kept: KeptSheet, deals: list[Deal], number: int) -> str:
    if number > len(deals):
        return ""
    sheet = kept.sheet
    fields = write_row(
        deals[number - 1], number, rules=sheet.rules.rules, sides=kept.sides, left=sheet.left_side
    )
    return " · ".join(fields)


def _net(state: SheetState) -> str:
    if len(state.sides) > 2:
        return ", ".join(f"{side.name} {net:,}" for side, net in zip(state.sides, state.nets, strict=True))
    return "0" if state.net == 0 else f"{state.sides[int(state.net < 0)].name} +{abs(state.net):,}"


def _paper(sheet: Scoresheet, document: object) -> str:
    """The paper's figures on one line."""
    if document is None:
        return ""
    fields = write_paper(Paper.from_document(document), sheet.left_side, sheet.rules.rules.columns)
    return ", ".join(text for text in (fields.net, *fields.totals, fields.boxes, fields.lines) if text)
