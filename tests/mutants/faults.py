"""The small faults that can be made in a module: its text with one place replaced."""

import ast
import hashlib
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import pairwise

_COMPARISONS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: (r"is\s+not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: (r"not\s+in", "in"),
}
_SUMS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "-"),
    ast.Sub: ("-", "+"),
    ast.Mult: ("*", "+"),
    ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "*"),
}
_OTHER_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# What is only logged or printed for people is not what tests are about.
_TELLING = {"logger", "log", "logging", "print"}


@dataclass(frozen=True, slots=True)
class Fault:
    """One place of a module, as offsets into its bytes, and what stands there instead.

    `function` is the qualified name of the function around it, "" outside of any. `key` is the same wherever
    the function is moved to, so that two versions of the product can be given the same faults.
    """

    path: str
    line: int
    function: str
    kind: str
    start: int
    end: int
    before: str
    after: str
    key: str

    def applied_to(self, source: bytes) -> bytes:
        """The module with this fault; `ValueError` if it no longer says what it said when that was found."""
        if source[self.start : self.end].decode() != self.before:
            raise ValueError(f"{self.path}:{self.line} has changed")
        return source[: self.start] + self.after.encode() + source[self.end :]


def faults_in(path: str, source: bytes) -> list[Fault]:
    """Every fault that can be made in this module, from the top down; each leaves it valid Python."""
    text = source.decode()
    finder = _Finder(source)
    finder.visit(ast.parse(text))
    lines = text.splitlines()
    found: list[Fault] = []
    seen: dict[str, int] = {}
    for place in sorted(finder.places, key=lambda place: (place.start, place.end, place.kind)):
        before = source[place.start : place.end].decode()
        identity = "\0".join((place.function, place.kind, lines[place.line - 1].strip(), before, place.after))
        nth = seen[identity] = seen.get(identity, 0) + 1
        key = hashlib.sha256(f"{identity}\0{nth}".encode()).hexdigest()[:20]
        found.append(Fault(path, **asdict(place), before=before, key=key))
    return found


@dataclass(frozen=True, slots=True)
class _Place:
    line: int
    function: str
    kind: str
    start: int
    end: int
    after: str


class _Finder(ast.NodeVisitor):
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.places: list[_Place] = []
        self._scope: list[str] = []
        self._in_function = 0
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        self._line_starts = starts

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        for decorator in node.decorator_list:
            self.visit(decorator)
        self._inside(node.name, node.body, function=False)

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        # Decorators and defaults are executed where the function is defined; annotations say nothing.
        for outer in (*node.decorator_list, *node.args.defaults, *filter(None, node.args.kw_defaults)):
            self.visit(outer)
        self._inside(node.name, node.body, function=True)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._negated(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        self._negated(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._add(condition, "condition", "True")
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        pairs = pairwise([node.left, *node.comparators])
        for (left, right), operator in zip(pairs, node.ops, strict=True):
            pattern, after = _COMPARISONS[type(operator)]
            bound = isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
            self._between(left, right, pattern, after, "bound" if bound else "operator")
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        word, other = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
        for left, right in pairwise(node.values):
            self._between(left, right, word, other, "operator")
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not):
            self._add(node, "condition", f"bool({self._text(node.operand)})")
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in _SUMS and not any(map(_is_text, (node.left, node.right))):
            symbol, after = _SUMS[type(node.op)]
            self._between(node.left, node.right, re.escape(symbol), after, "operator")
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        if type(node.op) in _SUMS and not _is_text(node.value):
            symbol, after = _SUMS[type(node.op)]
            self._between(node.target, node.value, re.escape(f"{symbol}="), f"{after}=", "operator")
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, "constant", str(not node.value))
        elif isinstance(node.value, int):
            self._add(node, "bound", str(node.value + 1))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        pass  # before Python 3.12 the places inside are not told

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in _OTHER_CALLS:
            self._add(node.func, "operator", _OTHER_CALLS[node.func.id])
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant):
            return  # a docstring
        if isinstance(node.value, ast.Call) and _first_name(node.value.func) not in _TELLING:
            self._add(node, "dropped call", "pass")
        self.generic_visit(node)

    def _inside(self, name: str, body: list[ast.stmt], *, function: bool) -> None:
        self._scope.append(name)
        self._in_function += function
        for statement in body:
            self.visit(statement)
        self._in_function -= function
        self._scope.pop()

    def _negated(self, test: ast.expr) -> None:
        self._add(test, "condition", f"not ({self._text(test)})")

    def _between(self, left: ast.expr, right: ast.expr, pattern: str, after: str, kind: str) -> None:
        """Replace the operator that stands between two operands, past brackets and line ends."""
        assert left.end_lineno is not None
        assert left.end_col_offset is not None
        start = self._offset(left.end_lineno, left.end_col_offset)
        end = self._offset(right.lineno, right.col_offset)
        between = re.sub(rb"#[^\n]*", lambda comment: b" " * len(comment[0]), self.source[start:end])
        if pattern[0].isalpha():
            pattern = rf"\b{pattern}\b"
        match = re.search(pattern.encode(), between)
        assert match is not None, (pattern, between)
        line = left.end_lineno + between[: match.start()].count(b"\n")
        self._place(line, start + match.start(), start + match.end(), kind, after)

    def _add(self, node: ast.expr | ast.stmt, kind: str, after: str) -> None:
        self._place(node.lineno, *self._span(node), kind, after)

    def _place(self, line: int, start: int, end: int, kind: str, after: str) -> None:
        function = ".".join(self._scope) if self._in_function else ""
        self.places.append(_Place(line, function, kind, start, end, after))

    def _text(self, node: ast.expr) -> str:
        start, end = self._span(node)
        return self.source[start:end].decode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, line: int, column: int) -> int:
        return self._line_starts[line - 1] + column


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _first_name(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def drawn(faults: dict[str, list[Fault]], number: int, seed: str) -> list[Fault]:
    """A fixed random sample over all rooms, each with a share in proportion to the faults it offers.

    `faults` are by room. What is drawn depends on the seed and on the faults' keys alone: a function that
    was moved keeps its place in the order.
    """
    total = sum(map(len, faults.values()))
    number = min(number, total)
    exact = {room: number * len(offered) / total for room, offered in faults.items()}
    shares = {room: int(share) for room, share in exact.items()}
    by_remainder = sorted(exact, key=lambda room: (shares[room] - exact[room], room))
    for room in by_remainder[: number - sum(shares.values())]:
        shares[room] += 1
    return [fault for room in sorted(faults) for fault in _in_order(faults[room], seed)[: shares[room]]]


def _in_order(faults: list[Fault], seed: str) -> list[Fault]:
    def place(fault: Fault) -> tuple[str, str]:
        return hashlib.sha256(f"{seed}\0{fault.key}".encode()).hexdigest(), fault.path

    return sorted(faults, key=place)


def room_of(path: str) -> str:
    """The app of a module, and the first folder in it."""
    return "/".join(path.split("/")[:2] if path.count("/") > 1 else path.split("/")[:1])


def rooms(faults: Iterator[Fault]) -> dict[str, list[Fault]]:
    found: dict[str, list[Fault]] = {}
    for fault in faults:
        found.setdefault(room_of(fault.path), []).append(fault)
    return found
