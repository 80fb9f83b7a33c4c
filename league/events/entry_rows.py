"""Writing the rows of entries with their members; who may, and when, is for the callers to check."""

from collections.abc import Sequence
from typing import Any, Final

from league.models import Entry, EntryMember, EntryRequest, Event, EventKind, Player
from league.notices.causes import entries_made
from league.people.forming_teams import leave_teams
from league.record.audit import facts, record_audit
from league.record.requests import request_standings
from scoring.core.actors import Actor

_LONGEST_NAME: Final = 80


def write_entries(
    *,
    actor: Actor,
    event: Event,
    players: Sequence[Player],
    is_guest: bool = False,
    first_round: int = 1,
) -> list[Entry]:
    """Enter players in an event of players, which is locked; an entry has its player's name."""
    entries = Entry.objects.bulk_create(
        [
            Entry(
                event=event,
                name=player.name,
                is_guest=is_guest,
                first_round=first_round,
                is_bot=player.is_bot,
            )
            for player in players
        ]
    )
    for entry, player in zip(entries, players, strict=True):
        write_members(entry, [player])
        record_audit(actor, "entry.add", entry, after=with_members(entry, [player]))
    entries_made(event, entries)
    request_standings(event.pk)
    return entries


def write_members(entry: Entry, players: Sequence[Player]) -> None:
    """Write the members of an entry that has none, in order; they are taken off the event's list."""
    leave_list(entry.event, players)
    EntryMember.objects.bulk_create(
        [
            EntryMember(event_id=entry.event_id, entry=entry, player=player, position=position)
            for position, player in enumerate(players)
        ]
    )
    if entry.is_bot != all(player.is_bot for player in players):
        entry.is_bot = not entry.is_bot
        entry.save(update_fields=["is_bot"])


def write_team(*, actor: Actor, event: Event, name: str, players: Sequence[Player], captain: Player) -> Entry:
    """Enter a team that its captain has formed, in an event of teams, which is locked.

    Called after its players where `name` is "", and numbered where the name is taken.
    """
    entry = Entry(event=event, name=_free_name(event, name or _called_after(players)), captain=captain)
    entry.save()
    write_members(entry, players)
    record_audit(actor, "entry.add", entry, after=with_members(entry, players) | {"captain": captain})
    entries_made(event, [entry])
    request_standings(event.pk)
    return entry


def _called_after(players: Sequence[Player]) -> str:
    """The name of a team that has none; where all names are too long, that of its captain."""
    name = " + ".join(player.name for player in players)
    return name if len(name) <= _LONGEST_NAME else players[0].name


def _free_name(event: Event, name: str) -> str:
    taken = set(event.entries.values_list("name", flat=True))
    free, number = name, 1
    while free in taken:
        number += 1
        end = f" {number}"
        free = name[: _LONGEST_NAME - len(end)] + end
    return free


def leave_list(event: Event, players: Sequence[Player]) -> None:
    """Take players who are entered now off the waiting list of the event, and out of teams being formed."""
    if event.kind == EventKind.TEAM:
        leave_teams(event.pk, players)
    EntryRequest.objects.filter(event=event, player__in=players).delete()


def with_members(entry: Entry, players: Sequence[Player]) -> dict[str, Any]:
    """The facts of an entry for the audit, with its players."""
    return facts(entry) | {"players": list(players)}
