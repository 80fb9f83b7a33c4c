"""Problems of a file, each with its place, collected before the file is refused."""

from dataclasses import dataclass
from typing import Final

from league.errors import LeagueError
from scoring.core.messages import Sentence, mark, mark_plural, together

MOST_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class CellProblem:
    """A problem with one cell. `row` counts from 1, the header; 0 is the whole file.

    `option` names the field of `ImportOptions` that would accept the cell. A file without cells has lines
    (`by_line`), and in place of the column says whom it is about.
    """

    row: int
    column: str
    message: Sentence
    option: str = ""
    by_line: bool = False

    def placed(self) -> Sentence:
        """The sentence after its place: “row 3, date: …”."""
        unit = (
            mark("line %(number)s", number=self.row)
            if self.by_line
            else mark("row %(number)s", number=self.row)
        )
        where: list[Sentence] = [unit] if self.row else []
        if self.column:
            where.append(self.column)
        return together([together(where, ", "), self.message], ": ") if where else self.message


class FileRefused(LeagueError):
    """A refused file. `problems` are the first of `count`, in order of rows."""

    def __init__(self, problems: list[CellProblem], count: int | None = None) -> None:
        self.problems = problems
        self.count = len(problems) if count is None else count
        super().__init__("file_refused", together(self.lines(), "\n"), field="file")

    @property
    def options(self) -> set[str]:
        """The import options that would accept some of the cells."""
        return {problem.option for problem in self.problems} - {""}

    def lines(self) -> list[Sentence]:
        """One line for each problem, then the number of those not shown."""
        lines = [problem.placed() for problem in self.problems]
        if more := self.count - len(self.problems):
            lines.append(mark_plural("… and %(count)s more.", "… and %(count)s more.", more))
        return lines


class Problems:
    """Collects problems without duplicates."""

    def __init__(self, *, by_line: bool = False) -> None:
        self._by_line = by_line
        self._found: list[CellProblem] = []
        self._seen: set[CellProblem] = set()

    def add(self, row: int, column: str, message: Sentence, *, option: str = "") -> None:
        """Add a problem, unless the same sentence about the same cell is there."""
        problem = CellProblem(row, column, message, option, self._by_line)
        if problem not in self._seen:
            self._seen.add(problem)
            self._found.append(problem)

    def __bool__(self) -> bool:
        return bool(self._found)

    def refuse_if_any(self) -> None:
        """Raise `FileRefused` with all problems found so far, if there are any."""
        if self._found:
            ordered = sorted(self._found, key=lambda problem: problem.row)
            raise FileRefused(ordered[:MOST_SHOWN], len(ordered))
