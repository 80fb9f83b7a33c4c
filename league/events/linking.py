"""Says who an entry of an event that was taken over is, of the club's people (RULES §18)."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.matches import appearances_of
from league.models import Appearance, Club, Entry, EntryMember, Match, Player
from league.policy import Permission, require
from league.policy.eligibility import check_choosable, check_not_erased
from league.record.audit import facts, locked, record_audit
from league.record.locking import check_all_locked, lock_matches
from scoring.core.actors import Actor


def check_linkable(club: Club, players: Iterable[Player]) -> None:
    """Refuse players of another club, merged ones, bots (`bot`) and erased persons (`erased`)."""
    players = list(players)
    check_choosable(club, players)
    for player in players:
        if player.is_bot:
            raise LeagueError("bot", _("%(player)s is a bot.") % {"player": player}, field="player")
        check_not_erased(player, field="player")


def may_link(entry: Entry) -> bool:
    """Return whether the entry is one as written, of an event that was taken over."""
    return entry.event.taken_over and not entry.members.exists()


@transaction.atomic
def link_entry(*, actor: Actor, entry: Entry, player: Player) -> Entry:
    """Say that an entry as written is this player of the club: it gets the name, and the player its matches.

    Refused: an entry that is somebody's, or of an event that was not taken over (`linked_already`), a player
    with another entry (`player_twice`) or as by `check_linkable`, a name that another entry has
    (`name_taken`).
    """
    require(actor, Permission.DIRECT, entry.event.club)
    ids = lock_matches(Match.objects.of_entry(entry))
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.CORRECT)
    entry = locked(entry)
    entry.event = event
    check_all_locked(Match.objects.of_entry(entry), ids)
    if not may_link(entry):
        raise LeagueError("linked_already", _("%(entry)s is not an entry as written.") % {"entry": entry})
    check_linkable(event.club, [player])
    if EntryMember.objects.filter(event=event, player=player).exists():
        raise LeagueError(
            "player_twice", _("%(player)s has another entry.") % {"player": player}, field="player"
        )
    if event.entries.filter(name=player.name).exclude(pk=entry.pk).exists():
        raise LeagueError(
            "name_taken",
            _("Another entry is called %(name)s.") % {"name": player.name},
            field="player",
        )
    before = facts(entry, ["name"])
    entry.name = player.name
    entry.save(update_fields=["name"])
    EntryMember.objects.create(event=event, entry=entry, player=player)
    Appearance.objects.bulk_create(
        [
            appearance
            for match in Match.objects.of_entry(entry).with_sides().exclude(entry_b=None).order_by("pk")
            for appearance in appearances_of(match, match.side_of(entry), [player])
        ]
    )
    record_audit(
        actor, "entry.link", entry, before=before, after=facts(entry, ["name"]) | {"players": [player]}
    )
    return entry
