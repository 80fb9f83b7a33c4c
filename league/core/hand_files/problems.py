"""What is wrong with a file: every problem by row and column, collected before anything is refused."""

from dataclasses import dataclass
from typing import Final

from league.errors import LeagueError

MOST_SHOWN: Final = 50


@dataclass(frozen=True, slots=True)
class CellProblem:
    """One sentence about one cell. `row` counts as spreadsheets do, the header is 1; 0 is the whole file.

    `option` names the field of `ImportOptions` with which the cell would be taken.
    """

    row: int
    column: str
    message: str
    option: str = ""

    def __str__(self) -> str:
        where = f"row {self.row}" if self.row else ""
        if self.column:
            where = f"{where}, {self.column}" if where else self.column
        return f"{where}: {self.message}" if where else self.message


class FileRefused(LeagueError):
    """A file that is not taken; `problems` are the first of `count`, in order of their rows."""

    def __init__(self, problems: list[CellProblem], count: int | None = None) -> None:
        self.problems = problems
        self.count = len(problems) if count is None else count
        super().__init__("file_refused", "\n".join(self.lines()), field="file")

    @property
    def options(self) -> set[str]:
        """The options of an import that some of the problems lack."""
        return {problem.option for problem in self.problems} - {""}

    def lines(self) -> list[str]:
        """A line for each problem, and how many more there are."""
        lines = [str(problem) for problem in self.problems]
        if self.count > len(self.problems):
            lines.append(f"… and {self.count - len(self.problems)} more.")
        return lines


class Problems:
    """Collects problems; only the first ones of a hopeless file are kept."""

    def __init__(self) -> None:
        self._found: list[CellProblem] = []
        self._seen: set[CellProblem] = set()

    def add(self, row: int, column: str, message: str, *, option: str = "") -> None:
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
