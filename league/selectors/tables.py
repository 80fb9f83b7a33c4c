"""The table of an event as pages and PDF print it: rows with links, marks and footnotes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from league.collation import name_key
from league.models import Adjustment, Entry, EntryMember, Event, EventKind, Player, Standing
from league.selectors.rounds import byes

LEADING = 3
BYE_MARK = "*"
_DAGGERS = ("†", "‡", "§", "‖", "¶")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of an entry's name: a player's, or what stands between two."""

    text: str
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Named:
    """Who an entry is: its players, and its own name where that says more than theirs."""

    name: str
    players: tuple[Player, ...]
    is_team: bool

    @property
    def shows_name(self) -> bool:
        """Whether the name is printed beside the players': one made of theirs needs none."""
        if not self.is_team:
            return not self.players
        return not self.players or any(player.name not in self.name for player in self.players)

    @property
    def parts(self) -> Sequence[Part]:
        """The name as it is written everywhere, cut where a player's begins and ends."""
        if not self.is_team and self.players:
            return [Part(self.name, self.players[0])]
        parts = [Part(self.name)]
        for player in sorted(self.players, key=lambda player: -len(player.name)):
            place = next(
                (i for i, part in enumerate(parts) if part.player is None and player.name in part.text), None
            )
            if place is not None:
                before, after = parts[place].text.split(player.name, 1)
                pieces = Part(before), Part(player.name, player), Part(after)
                parts[place : place + 1] = [piece for piece in pieces if piece.text]
        return parts


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
    """The table: its rows, best first, its footnotes, and the entries that have no row yet.

    `has_byes` where the draw gives any; `bye_mark` stands at the points of those whose bye counts by now,
    blank where nobody's does or a bye gives nothing.
    """

    rows: Sequence[TableRow]
    footnotes: Sequence[Footnote]
    unranked: Sequence[Named] = field(default=())
    has_byes: bool = False
    bye_mark: str = ""


def event_table(event: Event) -> EventTable:
    """The stored table of an event, in four queries."""
    entries = list(Entry.objects.filter(event=event).select_related("standing"))
    standings = sorted(
        (entry.standing for entry in entries if hasattr(entry, "standing")), key=lambda row: row.position
    )
    ranked = {standing.entry_id for standing in standings}
    unranked = sorted(
        (entry for entry in entries if entry.pk not in ranked),
        key=lambda entry: (entry.seed is None, entry.seed, name_key(entry.name)),
    )
    named = named_entries(event, [*(standing.entry for standing in standings), *unranked])
    footnotes = [
        Footnote(_mark(index), adjustment)
        for index, adjustment in enumerate(
            Adjustment.objects.filter(event=event).select_related("entry").order_by("id")
        )
    ]
    drawn_byes = byes(Q(event=event))
    had_bye = {bye.entry_a_id for bye, counts in drawn_byes if counts and event.bye_points} & ranked
    marks: dict[int, str] = dict.fromkeys(had_bye, BYE_MARK)
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
    return EventTable(
        rows,
        footnotes,
        [named[entry.pk] for entry in unranked],
        bool(drawn_byes),
        BYE_MARK if had_bye else "",
    )


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
