"""Crosstables: results of an event by opponents or by rounds."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.db.models import BooleanField, ExpressionWrapper, QuerySet, Value
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.collation import name_key
from league.models import (
    PLAYED,
    Entry,
    Event,
    Match,
    MatchState,
    Rest,
    Round,
    between_bots,
    traits_of,
)
from league.policy.withholding import without_results
from scoring.templatetags.figures import grouped, sign_class, signed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# Larger squares are unreadable; the table by rounds takes their place.
MOST_SQUARE: Final = 48
_MOST_CELLS: Final = 2400
_FEWEST_ROWS: Final = 12
# A game of another program: lost, drawn, won.
_HALF: Final = {Decimal("0.5"): "½"}
_GAME: Final = {-1: "0", 0: "½", 1: "1"}
# A round that is sat out; of what was asked for its points, if it gives any.
_RESTS: "Final[Mapping[Rest, StrOrPromise]]" = {
    Rest.BYE: gettext_lazy("bye"),
    Rest.BESIDES: gettext_lazy("bye"),
    Rest.PLAYED: gettext_lazy("bot"),
    Rest.ABSENT: "–",
}


@dataclass(frozen=True, slots=True)
class CrosstableResult:
    """A match in a cell, from the row's side: `figure` is its net, or its state in words.

    A game of another program has 1, ½ or 0.

    `against` names partner and opponents by table numbers, "" if the column says it. Results that do not
    count, such as annulled ones and those between bots, are in brackets.
    """

    match: Match
    figure: str
    kind: str
    against: str = ""


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """A row: its number in the table, the entry, and the matches in each cell."""

    number: int
    entry: Entry
    cells: Sequence[Sequence[CrosstableResult]]
    own: int | None = None


@dataclass(frozen=True, slots=True)
class Crosstable:
    """A square, of a `group` if there are any, or a table by rounds; `heads` are the column headings."""

    heads: Sequence[int]
    lines: Sequence[CrosstableRow]
    group: int | None = None


@dataclass(frozen=True, slots=True)
class CrosstablePage:
    """A page of crosstables: one table, one per group, or some rows of a long one."""

    tables: Sequence[Crosstable]
    by_rounds: bool
    has_square: bool
    page: int
    pages: int

    def legend(self, event: Event) -> list[str]:
        """What the figures mean, in sentences."""
        lines = [line for table in self.tables for line in table.lines]
        if event.taken_over:
            cell = (
                _("Each cell has the opponent’s number in this table and the result: 1 won, ½ drawn, 0 lost.")
                if self.by_rounds
                else _("Each cell has the result, seen from the row: 1 won, ½ drawn, 0 lost.")
            )
        elif traits_of(event).has_tables:
            cell = _("Each cell has the others’ numbers in this table, the place at that table and the net.")
        elif self.by_rounds:
            cell = _("Each cell has the opponent’s number in this table and the net of the match.")
        else:
            cell = _("Each cell has the net of the match, seen from the row.")
        said = [cell, _("Won and lost without a figure: not played.")]
        if any(each.match.annulled for line in lines for results in line.cells for each in results):
            said.append(_("In brackets: annulled, as a side has withdrawn."))
        if not event.bot_matches_count:
            said.append(_("In brackets: between bots, which does not count here."))
        return said

    @property
    def is_empty(self) -> bool:
        """True if nobody is in it."""
        return not any(table.lines for table in self.tables)


def crosstable_page(
    event: Event,
    *,
    seen: QuerySet[Round],
    by: str = "",
    page: int = 1,
    whole: bool = False,
    withheld_too: bool = False,
) -> CrosstablePage:
    """Return the crosstable of rounds `seen` by the reader, in three queries.

    `by` selects "opponents" or "rounds"; the default suits the format. `whole` returns all rows.
    `withheld_too` includes held results.
    """
    entries = _in_order(event)
    own = traits_of(event)
    square = not own.has_tables and (len(entries) <= MOST_SQUARE or own.has_groups)
    by_rounds = not square or (by == "rounds" if by in ("rounds", "opponents") else not own.meets_all)
    idle = Value(False) if event.bot_matches_count else between_bots()
    rows = (
        Match.objects.filter(event=event, round__in=seen.filter(event=event))
        .annotate(is_idle=ExpressionWrapper(idle, BooleanField()))
        .select_related("round")
        .order_by("round__number", "leg", "id")
    )
    if not by_rounds:
        rows = rows.filter(play_off=None)
        if own.has_groups:
            rows = rows.filter(tie=None)
    matches = list(rows) if withheld_too else without_results(rows, event)
    if by_rounds:
        heads = list(seen.filter(event=event).order_by("number").values_list("number", flat=True))
        table = Crosstable(heads, _lines_by_rounds(entries, heads, matches))
        size = len(entries) if whole else max(_MOST_CELLS // max(len(heads), 1), _FEWEST_ROWS)
        pages = max(-(-len(entries) // max(size, 1)), 1)
        page = min(max(page, 1), pages)
        part = Crosstable(heads, table.lines[(page - 1) * size : page * size])
        return CrosstablePage([part], True, square, page, pages)
    groups: dict[int | None, list[Entry]] = {}
    for entry in entries:
        groups.setdefault(entry.group, []).append(entry)
    tables = [
        Crosstable(range(1, len(members) + 1), _lines_by_opponents(members, matches), group)
        for group, members in sorted(groups.items(), key=lambda item: (item[0] is None, item[0]))
    ]
    return CrosstablePage(tables, False, True, 1, 1)


def _in_order(event: Event) -> list[Entry]:
    """Return the entries in table order; those without a row follow by seed and name."""

    def key(entry: Entry) -> tuple[bool, int, int, tuple[str, str]]:
        standing = getattr(entry, "standing", None)
        seed = entry.seed if entry.seed is not None else 10**6
        return standing is None, standing.position if standing else 0, seed, name_key(entry.name)

    return sorted(Entry.objects.filter(event=event).select_related("standing"), key=key)


def _lines_by_opponents(entries: Sequence[Entry], matches: Iterable[Match]) -> Sequence[CrosstableRow]:
    columns = {entry.pk: column for column, entry in enumerate(entries)}
    cells: list[list[list[CrosstableResult]]] = [[[] for _ in entries] for _ in entries]
    for match in matches:
        for side in match.sides:
            for own in match.ids_of(side):
                for other in match.ids_against(side):
                    if own in columns and other in columns:
                        cells[columns[own]][columns[other]].append(_meeting(match, side))
    return [CrosstableRow(index + 1, entry, cells[index], index + 1) for index, entry in enumerate(entries)]


def _lines_by_rounds(
    entries: Sequence[Entry], heads: Sequence[int], matches: Iterable[Match]
) -> Sequence[CrosstableRow]:
    numbers = {entry.pk: number for number, entry in enumerate(entries, start=1)}
    columns = {head: column for column, head in enumerate(heads)}
    cells: list[list[list[CrosstableResult]]] = [[[] for _ in heads] for _ in entries]
    for match in matches:
        column = columns[match.round.number]
        for side in match.sides:
            for own in match.ids_of(side):
                meeting = _meeting(match, side, _against(match, side, own, numbers))
                cells[numbers[own] - 1][column].append(meeting)
    return [CrosstableRow(index + 1, entry, cells[index]) for index, entry in enumerate(entries)]


def _against(match: Match, side: int, own: int, numbers: Mapping[int, int]) -> str:
    others = ", ".join(str(numbers[one]) for one in match.ids_against(side))
    partners = [str(numbers[one]) for one in match.ids_of(side) if one != own]
    if not partners:
        return others
    return _("with %(partner)s v %(others)s") % {"partner": ", ".join(partners), "others": others}


def _meeting(match: Match, side: int, against: str = "") -> CrosstableResult:
    if match.rest is not None:
        given = match.given_points if match.rest == Rest.ABSENT else None
        mark = _HALF.get(given) or grouped(given) if given else str(_RESTS[match.rest])
        return CrosstableResult(match, mark, "soft")
    if match.withheld:
        return CrosstableResult(match, "…", "soft", against)
    if match.held:
        return CrosstableResult(match, "?", "soft", against)
    if match.state in PLAYED:
        net = match.net_of(side)
        figure = f"{match.at_table[side][0]}. {signed(net)}" if match.is_table else signed(net)
        return CrosstableResult(match, f"({figure})" if _is_idle(match) else figure, sign_class(net), against)
    if match.state == MatchState.PLAYING:
        return CrosstableResult(match, "…", "live", against)
    if match.state == MatchState.SCHEDULED:
        return CrosstableResult(match, "–" if match.annulled else "·", "soft", against)
    if match.state == MatchState.TAKEN_OVER:
        taken = 0 if match.winner_side is None else 1 if match.winner_side == side else -1
        return CrosstableResult(match, _GAME[taken], sign_class(taken), against)
    word = _("won") if match.winner_side == side else _("lost")
    return CrosstableResult(match, f"({word})" if _is_idle(match) else word, "soft", against)


def _is_idle(match: Match) -> bool:
    """True if the match does not count; the flag was read with it."""
    return match.annulled or bool(match.is_idle)  # type: ignore[attr-defined]
