"""The figures at the foot of a paper sheet, and where the computed sheet differs from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from scoring.core.errors import DocumentError, SheetError
from scoring.core.messages import mark, mark_plural
from scoring.core.sheets import SheetState

_LARGEST: Final = 9_999_999
_FIELDS: Final = frozenset({"net", "no_net", "totals", "boxes", "lines"})


@dataclass(frozen=True, slots=True)
class Paper:
    """The figures on the paper; None for a figure that was not read.

    `net` is the sheet's net in points, positive for the first side; `no_net` states that the paper has none.
    `totals` are the settled column totals as (first side, second side). `boxes` are boxes by side, each win
    counted once however many columns it is in (`SheetState.boxes`); `lines` is the number of rows, dead hands
    included.
    """

    net: int | None = None
    no_net: bool = False
    totals: tuple[tuple[int | None, int | None], ...] = ()
    boxes: tuple[int | None, int | None] = (None, None)
    lines: int | None = None

    @property
    def is_blank(self) -> bool:
        """Whether no figure was read."""
        return self == Paper()

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
            raise DocumentError("wrong_type", mark("totals is a list of pairs."), field="paper.totals")
        return cls(
            net,
            no_net,
            tuple(_pair(pair, "totals") for pair in totals),
            _pair(document.get("boxes", [None, None]), "boxes"),
            _figure(document.get("lines"), "lines"),
        )

    def to_document(self) -> dict[str, Any]:
        """The figures as JSON, which `from_document` reads back."""
        return {
            "net": self.net,
            "no_net": self.no_net,
            "totals": [list(pair) for pair in self.totals],
            "boxes": list(self.boxes),
            "lines": self.lines,
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure that differs between sheet and paper.

    `figure` is `net`, `total`, `boxes` or `lines`; `column` (from 1) and `side` (0 or 1) are given if it
    belongs to one.
    """

    figure: str
    sheet: int
    paper: int
    column: int | None = None
    side: int | None = None


def check_columns(paper: Paper, columns: int) -> None:
    """Refuses totals of columns the sheet does not have (`too_many_totals`)."""
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
    for column, pair in zip(state.columns, paper.totals, strict=False):
        for side, total in enumerate(pair):
            if total is not None and total != column.sides[side].total:
                found.append(Difference("total", column.sides[side].total, total, column.number, side))
    for side, boxes in enumerate(paper.boxes):
        if boxes is not None and boxes != state.boxes[side]:
            found.append(Difference("boxes", state.boxes[side], boxes, side=side))
    lines = sum(not scored.deal.is_void for scored in state.deals)
    if paper.lines is not None and paper.lines != lines:
        found.append(Difference("lines", lines, paper.lines))
    return tuple(found)


def _pair(value: object, field: str) -> tuple[int | None, int | None]:
    if not isinstance(value, list) or len(value) != 2:
        raise DocumentError(
            "wrong_type", mark("%(field)s has a figure for each side.", field=field), field=f"paper.{field}"
        )
    return _figure(value[0], field), _figure(value[1], field)


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
