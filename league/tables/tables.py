"""The table of an event for pages and PDF: rows with links, marks and footnotes."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from django.db.models import Min, Q

from league.core.collation import name_key
from league.core.standings import CRITERIA, Metric
from league.models import (
    Adjustment,
    Entry,
    EntryMember,
    Event,
    EventKind,
    Player,
    Prospect,
    Round,
    Standing,
    counts_as_played,
    marked,
)
from league.policy.naming import Names
from league.tables.cut_tables import NOTHING, ToldCuts, told_cuts
from league.tables.placings import ranks_at_lines
from league.tables.results import criteria_of, late_points, late_reason
from league.tables.round_summaries import byes
from league.tables.standings import standings_as_of
from scoring.models import ActKind, SheetAct
from scoring.templatetags.figures import grouped

LEADING = 3
BYE_MARK = "*"
# Criteria shown by every table, and those that compare only some rows and so have no column.
_WITH_COLUMN: Final = frozenset(
    {"match_points", "net", "columns_won", "boxes", "wins", "head_to_head", "lot", "place"}
)
# Criteria whose figures are in the row at every width, or that have none.
_SAYS_IT_ALL: Final = frozenset({"match_points", "net", "head_to_head", "lot", "place"})
_DAGGERS = ("†", "‡", "§", "‖", "¶")


@dataclass(frozen=True, slots=True)
class NamePart:
    """A piece of an entry's name: a player's name, or the text between two."""

    text: str
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """An entry as shown to one reader: its players, and its own name if that says more than theirs."""

    names: Names
    entry: Entry
    players: tuple[Player, ...]
    is_team: bool

    @property
    def name(self) -> str:
        """The bare name."""
        return self.names.entry(self.entry)

    def __str__(self) -> str:
        return marked(self.name, is_bot=self.is_bot)

    @property
    def is_bot(self) -> bool:
        """True if all its players are bots."""
        return bool(self.players) and all(player.is_bot for player in self.players)

    @property
    def shows_name(self) -> bool:
        """True if the name is printed besides the players'; not if it is made of theirs."""
        if not self.is_team:
            return not self.players
        return not self.players or any(self.names.player(player) not in self.name for player in self.players)

    @property
    def parts(self) -> Sequence[NamePart]:
        """The name split where a player's name starts or ends."""
        if not self.is_team and self.players:
            return [NamePart(self.name, self.players[0])]
        parts = [NamePart(self.name)]
        called = {self.names.player(player): player for player in self.players}
        for name, player in sorted(called.items(), key=lambda one: -len(one[0])):
            place = next(
                (i for i, part in enumerate(parts) if part.player is None and name in part.text), None
            )
            if place is not None:
                before, after = parts[place].text.split(name, 1)
                pieces = NamePart(before), NamePart(name, player), NamePart(after)
                parts[place : place + 1] = [piece for piece in pieces if piece.text]
        return parts


@dataclass(frozen=True, slots=True)
class Footnote:
    """A footnote of the table: an adjustment, or the points of a late entry."""

    mark: str
    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the table. `marks` are the footnotes at its points.

    `extra` are figures of criteria without a column of their own (`EventTable.extra`). `moved` is the number
    of places gained since the round before, None if there was none. `above_next_by` is what puts it above the
    next row, "" before anything is played; `ahead` are both rows' figures in it, its own first, if the table
    does not show them at every width.
    """

    standing: Standing
    named: Named
    marks: str
    withdrawn: bool
    leading: bool
    extra: Sequence[tuple[Metric, str]] = field(default=())
    moved: int | None = None
    above_next_by: str = ""
    ahead: tuple[str, str] | None = None

    @property
    def goes_on(self) -> bool:
        """True if it is sure to go on from its group."""
        return self.standing.qualification == Prospect.SURE

    @property
    def is_out(self) -> bool:
        """True if it cannot go on from its group any more."""
        return self.standing.qualification == Prospect.OUT


@dataclass(frozen=True, slots=True)
class TableSection:
    """Rows ranked among each other: all of them, or those of a `group`; `annulled` have no row."""

    group: int | None
    rows: Sequence[TableRow]
    annulled: Sequence[Named] = field(default=())


@dataclass(frozen=True, slots=True)
class EventTable:
    """The table: its rows, best first, by group if there are any, and its footnotes.

    `unranked` entries have no row yet; `guests` never have one, nor those whose results are `annulled`.
    `has_byes` says whether the draw gives any; `bye_mark` marks the points of entries whose bye counts by
    now, "" if there are none or byes are worth nothing. `criteria` are those the event ranks by; `extra`
    those of them whose column is shown only if used, which may replace the columns won. `cuts` say who
    goes on and why, and what was decided. `shows_possible`: some row has places that are no longer possible.
    Unless it `has_deals`, as results are another program's, there are no figures of sheets.
    """

    rows: Sequence[TableRow]
    footnotes: Sequence[Footnote]
    unranked: Sequence[Named] = field(default=())
    guests: Sequence[Named] = field(default=())
    annulled: Sequence[Named] = field(default=())
    has_byes: bool = False
    bye_mark: str = ""
    criteria: Sequence[Metric] = field(default=())
    extra: Sequence[Metric] = field(default=())
    cuts: ToldCuts = NOTHING
    shows_possible: bool = False
    has_deals: bool = True

    @property
    def is_open_below(self) -> bool:
        """True if others may still come, and be above somebody."""
        return self.shows_possible and any(row.standing.worst_place is None for row in self.rows)

    @property
    def shows_columns(self) -> bool:
        """True if columns won have a column."""
        if not self.has_deals:
            return False
        return not self.extra or CRITERIA["columns_won"] in self.criteria

    @property
    def sections(self) -> Sequence[TableSection]:
        """The rows as separate tables; one empty table if there are no rows."""
        groups: dict[int | None, list[TableRow]] = {}
        for row in self.rows:
            groups.setdefault(row.standing.group, []).append(row)
        if not groups:
            return [TableSection(None, [], self.annulled)]
        return [
            TableSection(
                group,
                rows,
                self.annulled
                if group is None
                else [named for named in self.annulled if named.entry.group == group],
            )
            for group, rows in groups.items()
        ]

    @property
    def is_empty(self) -> bool:
        """True if nobody is in it."""
        return not (self.rows or self.unranked or self.guests or self.annulled)

    @property
    def has_begun(self) -> bool:
        """True if anybody has a result in it, or points without one."""
        return any(row.standing.played or row.standing.points for row in self.rows) or bool(self.annulled)

    @property
    def start_list(self) -> Sequence[tuple[int | None, Sequence[Named]]]:
        """Who plays, by group if there are any: by seed, then by name; guests last."""
        groups: dict[int | None, list[Named]] = {}
        for named in [*(row.named for row in self.rows), *self.unranked]:
            groups.setdefault(named.entry.group, []).append(named)
        if self.guests:
            groups.setdefault(None, []).extend(self.guests)
        return [
            (
                group,
                sorted(
                    groups[group],
                    key=lambda one: (
                        one.entry.is_guest,
                        one.entry.seed is None,
                        one.entry.seed,
                        name_key(one.name),
                    ),
                ),
            )
            for group in sorted(groups, key=lambda group: (group is None, group))
        ]

    @property
    def groups_differ(self) -> bool:
        """True if it is of groups that are not equally large."""
        return len({len(section.rows) for section in self.sections}) > 1


def event_table(event: Event, names: Names, *, as_of: int | None = None) -> EventTable:
    """Return the stored table of an event with `names` as its reader sees them, in four queries.

    With `as_of` it is computed for that round.
    """
    entries = list(Entry.objects.filter(event=event).select_related("standing"))
    if as_of is None:
        standings = [entry.standing for entry in entries if hasattr(entry, "standing")]
    else:
        standings = standings_as_of(event, as_of)
        entries = [entry for entry in entries if entry.first_round <= as_of]
    # Until it is recalculated, a table has their rows still.
    annulled = {entry.pk for entry in entries if entry.annulled_at is not None}
    standings = [standing for standing in standings if standing.entry_id not in annulled]
    standings.sort(key=lambda row: (row.group is None, row.group, row.position))
    ranked = {standing.entry_id for standing in standings}
    others = sorted(
        (entry for entry in entries if entry.pk not in ranked),
        key=lambda entry: (entry.seed is None, entry.seed, name_key(names.entry(entry))),
    )
    named = named_entries(event, names, [*(standing.entry for standing in standings), *others])
    adjustments = [
        *Adjustment.objects.filter(event=event).select_related("entry").order_by("id"),
        *(
            Adjustment(event=event, entry=entry, points=points, reason=late_reason(entry))
            for entry in entries
            if not entry.is_guest and (points := Decimal(late_points(event, entry)))
        ),
    ]
    footnotes = [Footnote(_mark(index), adjustment) for index, adjustment in enumerate(adjustments)]
    until = Q() if as_of is None else Q(round__number__lte=as_of)
    drawn_byes = byes(Q(event=event) & until & ~counts_as_played())
    had_bye = {bye.entry_a_id for bye, counts in drawn_byes if counts and event.bye_points} & ranked
    marks: dict[int, str] = dict.fromkeys(had_bye, BYE_MARK)
    for note in footnotes:
        marks[note.adjustment.entry_id] = marks.get(note.adjustment.entry_id, "") + note.mark
    criteria = [CRITERIA[name] for name in criteria_of(event)]
    extra = [metric for metric in criteria if metric.name not in _WITH_COLUMN]
    begun = any(standing.played for standing in standings)
    leaders = _leaders(event, standings)
    ranks = ranks_at_lines(event, standings)
    by_id = {entry.pk: entry for entry in entries}
    cuts = told_cuts(event, by_id, standings, names) if as_of is None else NOTHING
    gone = _withdrawn(event, entries, as_of)
    rows = [
        TableRow(
            standing,
            named[standing.entry_id],
            marks.get(standing.entry_id, ""),
            standing.entry_id in gone,
            leading=standing.played > 0
            and (
                ranks[standing.entry_id] <= leaders
                if cuts.goes_on is None
                else standing.entry_id in cuts.goes_on
            ),
            extra=[(metric, _figure(standing.metrics.get(metric.name))) for metric in extra],
            moved=None if standing.previous_rank is None else standing.previous_rank - standing.rank,
            above_next_by=standing.above_next_by if begun else "",
            ahead=_ahead(standing, following) if begun else None,
        )
        for standing, following in zip_longest(standings, standings[1:])
    ]
    return EventTable(
        rows,
        footnotes,
        [named[entry.pk] for entry in others if not entry.is_guest and entry.pk not in annulled],
        [named[entry.pk] for entry in others if entry.is_guest and entry.pk not in annulled],
        [named[entry.pk] for entry in others if entry.pk in annulled],
        bool(drawn_byes),
        BYE_MARK if had_bye else "",
        criteria,
        extra,
        cuts,
        begun and any(map(_tells_places, standings)),
        not event.taken_over,
    )


def _tells_places(standing: Standing) -> bool:
    """Whether its possible places say anything: not while it may still have any, and others may come."""
    return standing.best_place is not None and (standing.best_place, standing.worst_place) != (1, None)


def _ahead(standing: Standing, following: Standing | None) -> tuple[str, str] | None:
    """Return both rows' figures in what puts the first above the second."""
    name = standing.above_next_by
    if following is None or not name or name in _SAYS_IT_ALL:
        return None
    own, others = standing.metrics.get(name), following.metrics.get(name)
    return None if own is None and others is None else (_figure(own), _figure(others))


def _withdrawn(event: Event, entries: Iterable[Entry], as_of: int | None) -> set[int]:
    """Return who has withdrawn; with `as_of`, who had before a later round began."""
    left = {entry.pk: entry.withdrawn_at for entry in entries if entry.withdrawn_at is not None}
    if as_of is None or not left:
        return set(left)
    later = Round.objects.filter(event=event, number__gt=as_of)
    recorded = SheetAct.objects.filter(sheet__match__round__in=later, kind=ActKind.RECORD)
    first_day = later.aggregate(day=Min("date"))["day"]
    begun = [at for at in [recorded.aggregate(at=Min("at"))["at"]] if at is not None]
    if first_day is not None:
        begun.append(datetime.datetime.combine(first_day, datetime.time(), event.club.zone))
    return {entry for entry, at in left.items() if not begun or at < min(begun)}


def _leaders(event: Event, standings: Sequence[Standing]) -> int:
    """Return how many places to highlight: the qualifiers of a group, those with a prize, or the first few.

    In a short table, and on a ladder, it is the first alone.
    """
    if event.qualifiers and any(standing.group is not None for standing in standings):
        return event.qualifiers
    if event.prizes:
        return event.prizes
    return LEADING if event.counts_rounds and len(standings) > 2 * LEADING else 1


def _figure(value: object) -> str:
    """Return a stored figure (an integer, or a decimal as text) as printed."""
    if value is None:
        return "–"
    return grouped(round(Decimal(str(value)), 2))


def named_entries(event: Event, names: Names, entries: Iterable[Entry]) -> dict[int, Named]:
    """Return the entries of one event with their players, by id, in one query."""
    players: dict[int, list[Player]] = {}
    members = EntryMember.objects.filter(event=event).select_related("player").order_by("position", "id")
    for member in members:
        players.setdefault(member.entry_id, []).append(member.player)
    is_team = event.kind == EventKind.TEAM
    return {entry.pk: Named(names, entry, tuple(players.get(entry.pk, ())), is_team) for entry in entries}


def _mark(index: int) -> str:
    return _DAGGERS[index] if index < len(_DAGGERS) else f"({index + 1})"
