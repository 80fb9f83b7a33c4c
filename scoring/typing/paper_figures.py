"""The figures at the foot of a paper sheet, and where the computed sheet differs from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from scoring.core.errors import DocumentError, SheetError
from scoring.core.kinds import MOST_SIDES
from scoring.core.messages import mark, mark_plural
from scoring.core.sheets import SheetState

_LARGEST: Final = 9_999_999
_FIELDS: Final = frozenset({"net", "no_net", "totals", "boxes", "lines", "nets"})

# A figure of each side; empty if none was read.
BySide = tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Paper:
    """The figures on the paper; None for a figure that was not read.

    `net` is the sheet's net in points, positive for the first of two sides; of more sides `nets` has that of
    each. `no_net` states that the paper has none. `totals` are the settled totals of each column by side.
    `boxes` are boxes by side, each win counted once however many columns it is in (`SheetState.boxes`);
    `lines` is the number of rows, dead hands included.
    """

    net: int | None = None
    no_net: bool = False
    totals: tuple[BySide, ...] = ()
    boxes: BySide = ()
    lines: int | None = None
    nets: BySide = ()

    @property
    def is_blank(self) -> bool:
        """Whether nothing was read."""
        return not (self.no_net or self.totals or self.has_figures)

    @property
    def has_figures(self) -> bool:
        """Whether a figure was read that the sheet can be compared with."""
        single = (self.net, self.lines, *self.boxes, *self.nets)
        return bool(self.totals) or any(figure is not None for figure in single)

    @classmethod
    def from_document(cls, document: object) -> Self:
        """The figures from JSON; refuses invalid ones with `DocumentError`."""
        if not isinstance(document, Mapping):
            raise DocumentError("wrong_type", mark("What the paper says is an object."), field="paper")
        for name in document:
            if name not in _FIELDS:
                raise DocumentError(
                    "unknown_field",
                    mark("“%(name)s” is not something a paper says.", name=str(name)[:40]),
                    field="paper",
                )
        no_net = document.get("no_net", False)
        if not isinstance(no_net, bool):
            raise DocumentError("wrong_type", mark("no_net is true or false."), field="paper.no_net")
        net = _figure(document.get("net"), "net")
        if no_net and net is not None:
            raise DocumentError(
                "conflicting_fields", mark("The paper has a net or it has none."), field="paper.net"
            )
        totals = document.get("totals", [])
        if not isinstance(totals, list):
            raise DocumentError(
                "wrong_type", mark("totals is a list with the figures of each column."), field="paper.totals"
            )
        return cls(
            net,
            no_net,
            tuple(_by_side(column, "totals") for column in totals),
            _if_any(_by_side(document.get("boxes", []), "boxes")),
            _figure(document.get("lines"), "lines"),
            _if_any(_by_side(document.get("nets", []), "nets")),
        )

    def to_document(self) -> dict[str, Any]:
        """The figures as JSON, which `from_document` reads back."""
        document: dict[str, Any] = {
            "net": self.net,
            "no_net": self.no_net,
            "totals": [list(pair) for pair in self.totals],
            "boxes": list(self.boxes) or [None, None],
            "lines": self.lines,
        }
        return document | ({"nets": list(self.nets)} if self.nets else {})


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that differs between sheet and paper.

    `figure` is `net`, `total`, `boxes` or `lines`; `column` (from 1) and `side` are given if it
    belongs to one. The net of two sides is the first's.
    """

    figure: str
    sheet: int
    paper: int
    column: int | None = None
    side: int | None = None


def check_columns(paper: Paper, columns: int, sides: int) -> None:
    """Refuses totals of columns the sheet does not have (`too_many_totals`), and of sides (`wrong_sides`)."""
    by_side = {"totals": paper.totals, "boxes": (paper.boxes,), "nets": (paper.nets,)}
    for name, figures in by_side.items():
        if any(one and len(one) != sides for one in figures):
            message = mark("%(field)s has a figure for each side.", field=name)
            raise SheetError("wrong_sides", message, field=f"paper.{name}")
    if sides > 2 and paper.net is not None:
        raise SheetError("wrong_sides", mark("Each side has a net of its own."), field="paper.net")
    if len(paper.totals) > columns:
        raise SheetError(
            "too_many_totals",
            mark_plural(
                "The paper has totals of %(count)s column, the sheet has %(columns)s.",
                "The paper has totals of %(count)s columns, the sheet has %(columns)s.",
                len(paper.totals),
                columns=columns,
            ),
            field="paper.totals",
        )


def differences(state: SheetState, paper: Paper) -> tuple[Difference, ...]:
    """Every figure of the paper that differs from the sheet's, the net first."""
    found = []
    if paper.net is not None and paper.net != state.net:
        found.append(Difference("net", state.net, paper.net))
    for side, net in enumerate(paper.nets):
        if net is not None and net != state.nets[side]:
            found.append(Difference("net", state.nets[side], net, side=side))
    for column, totals in zip(state.columns, paper.totals, strict=False):
        for side, total in enumerate(totals):
            if total is not None and total != column.sides[side].total:
                found.append(Difference("total", column.sides[side].total, total, column.number, side))
    for side, boxes in enumerate(paper.boxes):
        if boxes is not None and boxes != state.boxes[side]:
            found.append(Difference("boxes", state.boxes[side], boxes, side=side))
    lines = sum(not scored.deal.is_void for scored in state.deals)
    if paper.lines is not None and paper.lines != lines:
        found.append(Difference("lines", lines, paper.lines))
    return tuple(found)


def _by_side(value: object, field: str) -> BySide:
    if not isinstance(value, list) or len(value) > MOST_SIDES:
        raise DocumentError(
            "wrong_type", mark("%(field)s has a figure for each side.", field=field), field=f"paper.{field}"
        )
    return tuple([_figure(figure, field) for figure in value])


def _if_any(figures: BySide) -> BySide:
    """The figures; none if no side has one."""
    return figures if any(figure is not None for figure in figures) else ()


def _figure(value: object, field: str) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool):
        raise DocumentError(
            "wrong_type", mark("%(field)s is a whole number.", field=field), field=f"paper.{field}"
        )
    if abs(value) > _LARGEST:
        raise DocumentError(
            "out_of_range",
            mark("%(field)s is too large for a score sheet.", field=field),
            field=f"paper.{field}",
        )
    return value
