"""What is wrong with a file: every problem by row and column, collected before anything is refused."""

from dataclasses import dataclass
from typing import Final

from league.errors import LeagueError
from scoring.core.messages import Sentence, mark, mark_plural, together

MOST_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class CellProblem:
    """One sentence about one cell. `row` counts as spreadsheets do, the header is 1; 0 is the whole file.

    `option` names the field of `ImportOptions` with which the cell would be taken.
    """

    row: int
    column: str
    message: Sentence
    option: str = ""

    def placed(self) -> Sentence:
        """The sentence behind where it is: “row 3, date: …”."""
        where: list[Sentence] = [mark("row %(number)s", number=self.row)] if self.row else []
        if self.column:
            where.append(self.column)
        return together([together(where, ", "), self.message], ": ") if where else self.message


class FileRefused(LeagueError):
    """A file that is not taken; `problems` are the first of `count`, in order of their rows."""

    def __init__(self, problems: list[CellProblem], count: int | None = None) -> None:
        self.problems = problems
        self.count = len(problems) if count is None else count
        super().__init__("file_refused", together(self.lines(), "\n"), field="file")

    @property
    def options(self) -> set[str]:
        """The options of an import that some of the problems lack."""
        return {problem.option for problem in self.problems} - {""}

    def lines(self) -> list[Sentence]:
        """A line for each problem, and how many more there are."""
        lines = [problem.placed() for problem in self.problems]
        if more := self.count - len(self.problems):
            lines.append(mark_plural("… and %(count)s more.", "… and %(count)s more.", more))
        return lines


class Problems:
    """Collects problems; only the first ones of a hopeless file are kept."""

    def __init__(self) -> None:
        self._found: list[CellProblem] = []
        self._seen: set[CellProblem] = set()

    def add(self, row: int, column: str, message: Sentence, *, option: str = "") -> None:
        """One more; the same sentence about the same cell is said once."""
        problem = CellProblem(row, column, message, option)
        if problem not in self._seen:
            self._seen.add(problem)
            self._found.append(problem)

    def __bool__(self) -> bool:
        return bool(self._found)

    def refuse_if_any(self) -> None:
        """Raises `FileRefused` with everything found so far."""
        if self._found:
            ordered = sorted(self._found, key=lambda problem: problem.row)
            raise FileRefused(ordered[:MOST_SHOWN], len(ordered))
