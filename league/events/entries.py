"""Entries of an event: players or teams, late entries, guests, withdrawals."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.bots.bot_matches import end_bot_matches, with_bots
from league.core.lifecycle import Doing, check_doing
from league.draws.forfeits import award_walkover
from league.draws.formats import format_of
from league.errors import LeagueError
from league.events.annulling import write_annulment
from league.events.entry_rows import write_entries, write_members
from league.events.seeding import check_seedable
from league.events.waiting import fill_places
from league.models import (
    SEATED,
    Entry,
    EntryMember,
    Event,
    EventKind,
    Match,
    MatchState,
    Player,
    RoundState,
)
from league.notices.causes import entries_made, entry_withdrawn
from league.policy import Permission, require
from league.policy.eligibility import check_choosable
from league.record.audit import add_row, change_row, directed, given_reason, locked, record_audit, remove_row
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True)
class LateEntry:
    """The first round of a late entry, and its points for the rounds it has missed."""

    first_round: int
    points: Decimal


@transaction.atomic
def enter_players(
    *,
    actor: Actor,
    event: Event,
    players: Sequence[Player],
    is_guest: bool = False,
    first_round: int = 1,
) -> list[Entry]:
    """Enter players in an event of players, in the order given; an entry has its player's name.

    Guests play but are not ranked. For the `first_round` of a late entry see `enter_late`.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.ENTER)
    if event.kind != EventKind.INDIVIDUAL:
        raise LeagueError("wrong_kind", _("This is an event of teams."), field="players")
    _check_players(event, players)
    return write_entries(
        actor=actor, event=event, players=players, is_guest=is_guest, first_round=first_round
    )


@transaction.atomic
def enter_team(
    *,
    actor: Actor,
    event: Event,
    name: str,
    players: Sequence[Player],
    seed: int | None = None,
    is_guest: bool = False,
    first_round: int = 1,
) -> Entry:
    """Enter a team, with at least as many members as play on a side; otherwise like `enter_players`."""
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.ENTER)
    if event.kind != EventKind.TEAM:
        raise LeagueError("wrong_kind", _("This is an event of players, not of teams."), field="name")
    _check_players(event, players)
    _check_team(event, players)
    entry = Entry(
        event=event, name=" ".join(name.split()), seed=seed, is_guest=is_guest, first_round=first_round
    )
    add_row(actor, "entry.add", entry)
    write_members(entry, players)
    entries_made(event, [entry])
    request_standings(event.pk)
    # Those entered may have left teams for which places were kept.
    fill_places(actor=actor, event=event)
    return entry


def late_entry(event: Event) -> LateEntry:
    """Return when an entry made now would start, and its points for the rounds before.

    Refused as by `Format.first_round_of_late`, for instance if a draw admits nobody (`already_drawn`).
    """
    first = format_of(event).first_round_of_late(event)
    return LateEntry(first, (first - 1) * event.late_points)


@transaction.atomic
def enter_late(
    *,
    actor: Actor,
    event: Event,
    players: Sequence[Player],
    name: str = "",
    is_guest: bool = False,
) -> list[Entry]:
    """Enter players, or one team called `name`, from the next round on.

    The table gives them the event's points for late entries for each round missed.
    """
    event = directed(actor, event)
    check_doing(event.name, event.state, Doing.ENTER)
    first_round = late_entry(event).first_round
    if event.kind == EventKind.INDIVIDUAL:
        return enter_players(
            actor=actor, event=event, players=players, is_guest=is_guest, first_round=first_round
        )
    return [
        enter_team(
            actor=actor,
            event=event,
            name=name,
            players=players,
            is_guest=is_guest,
            first_round=first_round,
        )
    ]


@transaction.atomic
def change_entry(
    *, actor: Actor, entry: Entry, players: Sequence[Player] | None = None, **values: Any
) -> Entry:
    """Change the name of a team, the seed, the guest status, or the members (`players`, in order).

    A team may gain members while the event runs; members who have played for it stay. The entry of a single
    player has the player's name.
    """
    require(actor, Permission.DIRECT, entry.event.club)
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.ENTER)
    entry = locked(entry)
    if values.get("seed", entry.seed) != entry.seed:
        check_seedable(event)
    if event.kind == EventKind.INDIVIDUAL and values.get("name", entry.name) != entry.name:
        raise LeagueError("wrong_kind", _("Change the name of the player instead."), field="name")
    if "name" in values:
        values["name"] = " ".join(values["name"].split())
    before = change_row(actor, "entry.change", entry, values)
    if players is not None:
        _change_members(actor, event, entry, players)
    if before or players is not None:
        request_standings(event.pk)
    return entry


@transaction.atomic
def withdraw_entry(
    *, actor: Actor, entry: Entry, reason: str, give_matches: bool = False, annul: bool = False
) -> int:
    """Withdraw an entry from future draws; results stand. Returns the number of matches awarded.

    A match that has begun may be finished; on others nothing is recorded any more. With `give_matches` every
    match not begun is awarded to the other side by walkover, except in drafted rounds, which are paired
    again. If a partner can play on, the match takes a substitute in the line-up instead. Bots do not start
    any of them. With `annul` all results of the entry are annulled as well, as by `annul_results`.
    """
    require(actor, Permission.DIRECT, entry.event.club)
    if annul:
        wanted: QuerySet[Match] = Match.objects.of_entry(entry)
    else:
        wanted = _unplayed(entry) if give_matches else with_bots(_unplayed(entry))
    ids = lock_matches(wanted)
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.WITHDRAW)
    entry = locked(entry)
    if entry.withdrawn_at is not None:
        raise LeagueError("withdrawn", _("%(entry)s has withdrawn already.") % {"entry": entry})
    reason = given_reason(reason)
    change_row(actor, "entry.withdraw", entry, {"withdrawn_at": timezone.now()}, reason=reason)
    given = matches_to_give(entry) if give_matches else []
    if give_matches:
        check_all_locked(_unplayed(entry), ids)
    note = mark("%(entry)s has withdrawn.", entry=str(entry))
    end_bot_matches(_unplayed(entry).filter(pk__in=ids), note)
    for match in given:
        award_walkover(actor=actor, match=match, winner_side=_other_side(match, entry), reason=reason)
    if annul:
        write_annulment(actor=actor, event=event, entry=entry, ids=ids, reason=reason)
    entry_withdrawn(event, entry)
    request_standings(event.pk)
    fill_places(actor=actor, event=event)
    return len(given)


@transaction.atomic
def reinstate_entry(*, actor: Actor, entry: Entry, reason: str) -> Entry:
    """Take a withdrawal back; matches awarded meanwhile are taken back one by one.

    Refused (`annulled`) while the results of the entry are annulled.
    """
    require(actor, Permission.DIRECT, entry.event.club)
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.WITHDRAW)
    entry = locked(entry)
    if entry.withdrawn_at is None:
        raise LeagueError("not_withdrawn", _("%(entry)s has not withdrawn.") % {"entry": entry})
    if entry.annulled_at is not None:
        raise LeagueError(
            "annulled",
            _("The results of %(entry)s are annulled: let them count again first.") % {"entry": entry},
        )
    change_row(actor, "entry.reinstate", entry, {"withdrawn_at": None}, reason=given_reason(reason))
    entries_made(event, [entry])
    request_standings(event.pk)
    return entry


@transaction.atomic
def remove_entry(*, actor: Actor, entry: Entry) -> None:
    """Delete an entry without matches; one with matches is withdrawn instead.

    Before the draw the first on the waiting list moves up.
    """
    require(actor, Permission.DIRECT, entry.event.club)
    event = locked(entry.event)
    check_doing(event.name, event.state, Doing.ENTER)
    drop_entry(actor=actor, event=event, entry=locked(entry))


def drop_entry(*, actor: Actor, event: Event, entry: Entry) -> None:
    """Delete an entry without matches, under the event's lock; who is first on the waiting list moves up.

    Who may is for the callers to check.
    """
    if Match.objects.of_entry(entry).exists():
        raise LeagueError(
            "in_use", _("%(entry)s has matches; withdraw the entry instead.") % {"entry": entry}
        )
    if entry.adjustments.exists():
        raise LeagueError("in_use", _("%(entry)s has adjustments of points.") % {"entry": entry})
    remove_row(actor, "entry.remove", entry)
    entry_withdrawn(event, entry)
    request_standings(event.pk)
    fill_places(actor=actor, event=event)


def unplayed_matches(entry: Entry) -> list[Match]:
    """Return the entry's matches that have not begun, by round, without those of drafted rounds."""
    matches = _unplayed(entry).select_related("event__club", "round", *SEATED)
    return list(matches.order_by("round__number", "sheet_id"))


def matches_to_give(entry: Entry) -> list[Match]:
    """Return the unplayed matches that the side of a withdrawing entry cannot play.

    Where partners rotate, the partner plays on with a substitute.
    """
    return [
        match
        for match in unplayed_matches(entry)
        if not match.is_table
        and all(
            partner == entry or partner.withdrawn_at is not None
            for partner in match.side(1 - _side_against(match, entry))
        )
    ]


def _unplayed(entry: Entry) -> QuerySet[Match]:
    scheduled = Match.objects.of_entry(entry).filter(state=MatchState.SCHEDULED)
    return scheduled.exclude(round__state=RoundState.DRAFTED)


def _other_side(match: Match, entry: Entry) -> int | None:
    """Return the side that gets a match of a withdrawing entry: None if the other has withdrawn too."""
    side = _side_against(match, entry)
    return None if all(other.withdrawn_at for other in match.side(side)) else side


def _side_against(match: Match, entry: Entry) -> int:
    return 1 - match.side_of(entry)


def _check_players(event: Event, players: Sequence[Player], *, but: Entry | None = None) -> None:
    if not players:
        raise LeagueError("no_players", _("Choose at least one player."), field="players")
    check_choosable(event.club, players)
    if len({player.pk for player in players}) != len(players):
        raise LeagueError("player_twice", _("A player is named twice."), field="players")
    entered = EntryMember.objects.filter(event=event, player__in=players).exclude(entry=but)
    for member in entered.select_related("player", "entry"):
        raise LeagueError(
            "player_twice",
            _("%(player)s is entered already, in “%(entry)s”.")
            % {"player": member.player, "entry": member.entry},
            field="players",
        )


def _check_team(event: Event, players: Sequence[Player]) -> None:
    if len(players) < event.team_size:
        raise LeagueError(
            "team_too_small",
            ngettext(
                "A team of this event has at least %(count)d member.",
                "A team of this event has at least %(count)d members.",
                event.team_size,
            )
            % {"count": event.team_size},
            field="players",
        )


def _change_members(actor: Actor, event: Event, entry: Entry, players: Sequence[Player]) -> None:
    old = [member.player for member in entry.members.select_related("player").order_by("position", "id")]
    if old == list(players):
        return
    _check_players(event, players, but=entry)
    if event.kind == EventKind.INDIVIDUAL:
        raise LeagueError("wrong_kind", _("An entry of one player stays that player's."), field="players")
    _check_team(event, players)
    gone = {player.pk for player in old} - {player.pk for player in players}
    for appearance in entry.appearances.filter(player__in=gone).select_related("player")[:1]:
        raise LeagueError(
            "has_played",
            _("%(player)s is in a line-up of “%(entry)s” and stays a member.")
            % {"player": appearance.player, "entry": entry},
            field="players",
        )
    entry.members.all().delete()
    write_members(entry, players)
    if entry.captain is not None and entry.captain not in players:
        # It is the director's from now on: nobody of it acts for a captain who is gone.
        entry.captain = None
        entry.save(update_fields=["captain"])
    fill_places(actor=actor, event=event)
    record_audit(actor, "entry.members", entry, before={"players": old}, after={"players": list(players)})
