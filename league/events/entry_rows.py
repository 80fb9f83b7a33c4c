"""Writing the rows of entries with their members; who may, and when, is for the callers to check."""

from collections.abc import Sequence
from typing import Any

from league.models import Entry, EntryMember, EntryRequest, Event, Player
from league.notices.causes import entries_made
from league.record.audit import facts, record_audit
from league.record.requests import request_standings
from scoring.core.actors import Actor


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
        record_audit(
            actor=actor,
            action="entry.add",
            target=entry,
            club=event.club,
            after=with_members(entry, [player]),
        )
    entries_made(event, entries)
    request_standings(event.pk)
    return entries


def write_members(entry: Entry, players: Sequence[Player]) -> None:
    """Write the members of an entry that has none, in order; they are taken off the event's list."""
    leave_list(entry.event_id, players)
    EntryMember.objects.bulk_create(
        [
            EntryMember(event_id=entry.event_id, entry=entry, player=player, position=position)
            for position, player in enumerate(players)
        ]
    )
    if entry.is_bot != all(player.is_bot for player in players):
        entry.is_bot = not entry.is_bot
        entry.save(update_fields=["is_bot"])


def leave_list(event_id: int, players: Sequence[Player]) -> None:
    """Take players who are entered now off the waiting list of the event."""
    EntryRequest.objects.filter(event_id=event_id, player__in=players).delete()


def with_members(entry: Entry, players: Sequence[Player]) -> dict[str, Any]:
    """The facts of an entry for the audit, with its players."""
    return facts(entry) | {"players": list(players)}
