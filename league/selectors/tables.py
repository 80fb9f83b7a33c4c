"""The table of an event as pages and PDF print it: rows with links, marks and footnotes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from league.models import Adjustment, Entry, EntryMember, Event, EventKind, Player, Standing

LEADING = 3
_DAGGERS = ("†", "‡", "§", "‖", "¶")


@dataclass(frozen=True, slots=True)
class Named:
    """Who an entry is: its players, and its own name where that says more than theirs."""

    name: str
    players: tuple[Player, ...]
    is_team: bool

    @property
    def shows_name(self) -> bool:
        """Whether the name is printed beside the players': a team called after its players needs none."""
        return not self.players or any(player.name not in self.name for player in self.players)


@dataclass(frozen=True, slots=True)
class Footnote:
    """A director's adjustment as it stands under the table."""

    mark: str
    adjustment: Adjustment


@dataclass(frozen=True, slots=True)
class TableRow:
    """One line of the table. `marks` are the footnotes at its points."""

    standing: Standing
    named: Named
    marks: str
    withdrawn: bool
    leading: bool


@dataclass(frozen=True, slots=True)
class EventTable:
    """The table: its rows, best first, its footnotes, and the entries that have no row yet."""

    rows: Sequence[TableRow]
    footnotes: Sequence[Footnote]
    unranked: Sequence[Named] = field(default=())


def event_table(event: Event) -> EventTable:
    """The stored table of an event, in four queries."""
    standings = list(Standing.objects.filter(event=event).order_by("position").select_related("entry"))
    ranked = {standing.entry_id for standing in standings}
    unranked = list(Entry.objects.filter(event=event).exclude(pk__in=ranked).order_by("seed", "name"))
    named = named_entries(event, [*(standing.entry for standing in standings), *unranked])
    footnotes = [
        Footnote(_mark(index), adjustment)
        for index, adjustment in enumerate(
            Adjustment.objects.filter(event=event).select_related("entry").order_by("id")
        )
    ]
    marks: dict[int, str] = {}
    for note in footnotes:
        marks[note.adjustment.entry_id] = marks.get(note.adjustment.entry_id, "") + note.mark
    crowded = len(standings) > 2 * LEADING
    rows = [
        TableRow(
            standing,
            named[standing.entry_id],
            marks.get(standing.entry_id, ""),
            standing.entry.withdrawn_at is not None,
            leading=standing.rank <= (LEADING if crowded else 1) and standing.played > 0,
        )
        for standing in standings
    ]
    return EventTable(rows, footnotes, [named[entry.pk] for entry in unranked])


def named_entries(event: Event, entries: Iterable[Entry]) -> dict[int, Named]:
    """The entries of one event with their players, by id, in one query."""
    players: dict[int, list[Player]] = {}
    members = EntryMember.objects.filter(event=event).select_related("player").order_by("position", "id")
    for member in members:
        players.setdefault(member.entry_id, []).append(member.player)
    is_team = event.kind == EventKind.TEAM
    return {entry.pk: Named(entry.name, tuple(players.get(entry.pk, ())), is_team) for entry in entries}


def _mark(index: int) -> str:
    return _DAGGERS[index] if index < len(_DAGGERS) else f"({index + 1})"
