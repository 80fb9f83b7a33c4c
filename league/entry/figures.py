"""The paper's own figures as typed (`c 96`, `5 / 6`, `12`), parsed, and formatted for the page.

Figures of several sides are in the order of the paper's columns, the left side's first. So is the net of more
than two, which is that of each. Nothing here raises: an unreadable field yields a message beside it.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from scoring.core.sheet_state import sides_in_columns
from scoring.typing.paper_figures import BySide, Paper

_NET: Final = re.compile(r"(?P<who>[^\W\d_].*?|[+\-−]?)\s*(?P<figure>[0-9]{1,7})")
# A total may be below 0.
_BETWEEN: Final = re.compile(r"\s*[/:]\s*|\s+")
_FIGURE: Final = re.compile(r"[-−]?[0-9]{1,7}|-")
# 1,234 and 1’234, as people write thousands.
_GROUPED: Final = re.compile(r"(?<=[0-9])[,.’'](?=[0-9]{3}(?![0-9]))")
_NOBODY: Final = {"none", "n", "-", "–", "no"}
_LETTERS: Final = {"a": 0, "+": 0, "b": 1, "-": 1, "−": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperFields:
    """The fields as typed. `none` says that the paper has no net; `totals` has one text per column."""

    net: str = ""
    none: bool = False
    totals: tuple[str, ...] = ()
    boxes: str = ""
    lines: str = ""


BLANK: Final = PaperFields()


@dataclass(frozen=True, slots=True)
class PaperAsRead:
    """The paper's figures (None if it has none), and messages for unreadable fields.

    `net_words` names the side of the net, so that a misread letter is noticed at once.
    """

    paper: Paper | None
    errors: dict[str, str] = field(default_factory=dict)
    net_words: str = ""


def read_paper(fields: PaperFields, names: Sequence[str], left: int, columns: int) -> PaperAsRead:
    """Parse the figures of a sheet of `columns` games between `names` (by side); `left` is the left side."""
    errors: dict[str, str] = {}
    sides = len(names)
    net, no_net = None, fields.none
    nets: BySide = ()
    text = fields.net.strip()
    if text.casefold() in _NOBODY:
        no_net, text = True, ""
    if text and no_net:
        errors["net"] = _("The paper has a net or it has none: clear one of the two.")
    elif text and sides > 2:
        nets, problem = _by_side(text, left, sides)
        if problem:
            errors["net"] = problem
    elif text:
        net, problem = _net(text, names, left)
        if problem:
            errors["net"] = problem
    totals = []
    for column, typed in enumerate(fields.totals[:columns]):
        figures, problem = _by_side(typed, left, sides)
        totals.append(figures or (None,) * sides)
        if problem:
            errors[f"total-{column + 1}"] = problem
    boxes, problem = _by_side(fields.boxes, left, sides)
    if any(count is not None and count < 0 for count in boxes):
        boxes, problem = (), _no_figures(sides)
    if problem:
        errors["boxes"] = problem
    lines = None
    if typed := fields.lines.strip():
        if typed.isascii() and typed.isdigit() and len(typed) <= 4:
            lines = int(typed)
        else:
            errors["lines"] = _("How many rows the paper has: a number such as 12.")
    while totals and not any(figure is not None for figure in totals[-1]):
        totals.pop()
    paper = Paper(net, no_net and net is None, tuple(totals), boxes, lines, nets)
    words = ", ".join(f"{name} {net:,}" for name, net in zip(names, nets, strict=False) if net is not None)
    if net is not None:
        words = _("level") if net == 0 else f"{names[int(net < 0)]} +{abs(net):,}"
    return PaperAsRead(None if paper.is_blank else paper, errors, words)


def write_paper(paper: Paper | None, left: int, columns: int) -> PaperFields:
    """The fields for stored figures; `read_paper` reads them back to the same figures."""
    if paper is None:
        return PaperFields(totals=("",) * columns)
    net = ""
    if paper.net is not None:
        side = int(paper.net < 0)
        net = "0" if paper.net == 0 else f"{'ab'[side ^ left]} {abs(paper.net)}"
    totals = [_written(figures, left) for figures in paper.totals[:columns]]
    totals += [""] * (columns - len(totals))
    return PaperFields(
        net=net or _written(paper.nets, left),
        none=paper.no_net,
        totals=tuple(totals),
        boxes=_written(paper.boxes, left),
        lines="" if paper.lines is None else str(paper.lines),
    )


def _net(text: str, names: Sequence[str], left: int) -> tuple[int | None, str]:
    found = _NET.fullmatch(_GROUPED.sub("", " ".join(text.split())))
    if found is None:
        return None, _("Whose net, and how much: %(example)s.") % {"example": _example(names, left)}
    figure = int(found["figure"])
    who = found["who"].strip().casefold()
    if figure == 0:
        return 0, ""
    if not who:
        return None, _("Whose net? Write %(example)s.") % {"example": _example(names, left)}
    if who in _LETTERS:
        side = _LETTERS[who] ^ left
        return (-figure if side else figure), ""
    sides = [side for side, name in enumerate(names) if name.casefold().startswith(who)]
    if len(sides) == 1:
        return (-figure if sides[0] else figure), ""
    if sides:
        return None, _("Both names begin so: write %(example)s.") % {"example": _example(names, left)}
    return None, _("Nobody here begins so: write %(example)s.") % {"example": _example(names, left)}


def _example(names: Sequence[str], left: int) -> str:
    return _("a 96 for %(left)s, b 96 for %(right)s") % {"left": names[left], "right": names[1 - left]}


def _by_side(text: str, left: int, sides: int) -> tuple[BySide, str]:
    """The figures of all sides; none, with a message, if these are not as many."""
    typed = text.strip()
    if not typed:
        return (), ""
    parts = _BETWEEN.split(_GROUPED.sub("", typed))
    if len(parts) != sides or not all(map(_FIGURE.fullmatch, parts)):
        return (), _no_figures(sides)
    by_side: list[int | None] = [None] * sides
    for side, figure in zip(sides_in_columns(left, sides), parts, strict=True):
        by_side[side] = None if figure == "-" else int(figure.replace("−", "-"))
    return (tuple(by_side) if any(figure is not None for figure in by_side) else ()), ""


def _no_figures(sides: int) -> str:
    if sides == 2:
        return _("Both figures, the left side's first: 5 / 6.")
    example = " / ".join(str(5 + side) for side in range(sides))
    return _("A figure for each, the left side's first: %(example)s.") % {"example": example}


def _written(figures: BySide, left: int) -> str:
    if not any(figure is not None for figure in figures):
        return ""
    ordered = [figures[side] for side in sides_in_columns(left, len(figures))]
    return " / ".join("-" if figure is None else str(figure) for figure in ordered)
