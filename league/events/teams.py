"""Teams that members enter: a captain invites partners, who accept or decline; and who looks for a partner.

Whoever enters a team is its captain. It is on the event's list (`league.events.waiting`) and complete once as
many have accepted as play on a side; then it has a place, or waits for one. All of it is written under the
event's lock, after that of the player who acts. The rules are in docs/RULES, 20.
"""

import re
from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import LeagueError
from league.events.entries import drop_entry
from league.events.may_enter import check_bounds, check_entrant, check_open, check_partner
from league.events.waiting import drop_request, fill_places, last_position
from league.models import (
    Entry,
    EntryMember,
    EntryRequest,
    Event,
    EventKind,
    InvitationState,
    PartnerInvitation,
    PartnerSearch,
    Player,
    RequestState,
    WhoEnters,
)
from league.notices.causes import invited_to_team, own_id, team_changed
from league.people.accounts import own_players
from league.people.called_after import called_anew
from league.people.forming_teams import KEPT, form_anew, members_of, team_of, teams_of, users_of
from league.record.audit import check_plain, locked, record_audit
from league.record.requests import request_standings
from scoring.core.actors import Actor, ActorKind

# What stands between players' names.
_JOINTS: Final = re.compile(r"\s*[+&/,]\s*|\s+and\s+")

LONGEST_NAME: Final = 80
LONGEST_NOTE: Final = 160


@transaction.atomic
def form_team(*, actor: Actor, event: Event, name: str = "", partner: Player | None = None) -> EntryRequest:
    """Enter a team as its captain, and invite a partner if one is given; returns its row on the list.

    Without a name it is called after its players. Refused as `check_may_form`; a name that another team has,
    or that is made of names of players (`name_taken`), is too long (`too_long`) or cannot be read
    (`invalid`); and as `invite_partner`.
    """
    player, event = _acting(actor, event)
    player = check_may_form(actor, event, player)
    name = _line(name, LONGEST_NAME, "name")
    _check_free(event, name)
    _check_is_own(event, name)
    # One of before that was not complete in time.
    EntryRequest.objects.filter(event=event, player=player).delete()
    PartnerSearch.objects.filter(event=event, player=player).delete()
    team = EntryRequest.objects.create(
        event=event,
        player=player,
        state=RequestState.FORMING,
        position=last_position(event) + 1,
        team_name=name,
        kept_until=timezone.now() + KEPT,
    )
    record_team(actor, "team.form", team, player)
    if partner is not None:
        _invite(actor, event, team, partner)
    return team


@transaction.atomic
def invite_partner(*, actor: Actor, event: Event, player: Player) -> PartnerInvitation:
    """Invite a player to the team of which the actor is captain; who declined may be asked once more.

    Refused: who is no captain of a team that looks for partners (`no_team`), entries that are not open
    (`check_open`), the captain himself (`oneself`), who may not play in it (`check_partner`), is entered or
    in a team already (`player_twice`) or invited already (`invited_already`), and more than the team needs
    (`enough`).
    """
    own, event = _acting(actor, event)
    team = _own_forming(event, own)
    check_open(event)
    return _invite(actor, event, team, player)


@transaction.atomic
def take_back_invitation(*, actor: Actor, event: Event, invitation: int) -> None:
    """Take back an invitation (an id) that was not answered; refused else (`answered`), or as no captain."""
    own, event = _acting(actor, event)
    team = _own_forming(event, own)
    row = team.invitations.filter(pk=invitation).exclude(state=InvitationState.ACCEPTED).first()
    if row is None:
        raise LeagueError("answered", _("This invitation is gone, or was accepted meanwhile."))
    record_team(actor, "team.uninvite", team, row.player)
    row.delete()


@transaction.atomic
def accept_invitation(*, actor: Actor, event: Event, invitation: int) -> Entry | EntryRequest:
    """Accept an invitation (an id) to a team; the last one to do so completes it.

    The team then has a place, or waits for one, in its turn; all other invitations of the player to the event
    are declined. Returns the entry, or the row on the list. Refused: an invitation that is not the actor's or
    was taken back (`not_invited`), one answered already (`answered`), entries that are not open
    (`check_open`), who is entered or in another team (`player_twice`), and a team of which somebody may not
    play (`check_partner`).
    """
    event, row = _invited(actor, event, invitation)
    check_open(event)
    team, player = row.request, row.player
    _check_looks(team)
    _check_nowhere(event, player)
    for member in (*members_of(team), player):
        check_partner(event, member)
    row.state = InvitationState.ACCEPTED
    row.save(update_fields=["state"])
    record_team(actor, "team.accept", team, player)
    PartnerSearch.objects.filter(event=event, player=player).delete()
    _end_others(event, row)
    if len(members_of(team)) >= event.team_size:
        return _completed(actor, event, team)
    team_changed(event, users_of(team) - own_id(actor))
    return team


@transaction.atomic
def decline_invitation(*, actor: Actor, event: Event, invitation: int) -> None:
    """Decline an invitation (an id), at any time; refused: `not_invited`, `answered`, as to accept it."""
    event, row = _invited(actor, event, invitation)
    _check_looks(row.request)
    row.state = InvitationState.DECLINED
    row.save(update_fields=["state"])
    record_team(actor, "team.decline", row.request, row.player)
    team_changed(event, _account(row.request.player))


@transaction.atomic
def leave_team(*, actor: Actor, event: Event) -> EntryRequest | None:
    """Step out of a team as a partner; the team looks for another one and keeps its turn for a while.

    Returns its row on the list, None if enough stay to play. A team that is not entered yet may be left at
    any time. Refused: who is in none (`not_entered`), its captain (`is_captain`), and as `check_may_leave`.
    """
    players, event = _acting_all(actor, event)
    return _step_out(actor, event, players)


@transaction.atomic
def withdraw_team(*, actor: Actor, event: Event) -> None:
    """Take the team of which the actor is captain out of the event, or off its list; its members are told.

    The list may be left at any time. Refused: who is in no team (`not_entered`) or is not its captain
    (`not_captain`), and as `check_may_leave`.
    """
    players, event = _acting_all(actor, event)
    _withdraw(actor, event, players)


def go_from_team(*, actor: Actor, event: Event, player: Player) -> None:
    """Take the actor's own player, who leaves the club, out of his team in an event that is locked.

    A captain withdraws the team, a partner steps out of it. Refused as `withdraw_team` and `leave_team`.
    """
    team = team_of(player, event.pk)
    entry = own_team_entry(event, [player])
    captain = team.player if team is not None else entry and entry.captain
    if captain == player:
        _withdraw(actor, event, [player])
    else:
        _step_out(actor, event, [player])


@transaction.atomic
def look_for_partner(*, actor: Actor, event: Event, note: str = "") -> PartnerSearch:
    """Put the actor's player on the event's list of those who look for a partner, or change what he says.

    Refused as `check_may_form`, and a note as a team's name.
    """
    player, event = _acting(actor, event)
    player = check_may_form(actor, event, player)
    note = _line(note, LONGEST_NOTE, "note")
    search, _made = PartnerSearch.objects.update_or_create(
        event=event, player=player, defaults={"note": note}
    )
    # Without what he says, which goes with the row.
    record_audit(actor, "partner.look", player, after={"event": event})
    return search


@transaction.atomic
def stop_looking(*, actor: Actor, event: Event) -> None:
    """Take the actor's player off the list of those who look for a partner; nothing if he is not on it."""
    players, event = _acting_all(actor, event)
    for search in PartnerSearch.objects.filter(event=event, player__in=players).select_related("player"):
        record_audit(actor, "partner.stop", search.player, after={"event": event})
        search.delete()


def check_may_form(actor: Actor, event: Event, player: Player | None) -> Player:
    """Refuse who may not enter a team as captain now; returns the player who may.

    An event of players (`wrong_kind`), as `check_entrant` and `check_open`, who is entered or in a team
    already (`player_twice`), whose team was declined (`declined`), and `check_bounds`.
    """
    if event.kind != EventKind.TEAM:
        raise LeagueError("wrong_kind", _("This is an event of players, not of teams."))
    player = check_entrant(actor, event, player)
    check_open(event)
    _check_nowhere(event, player)
    declined = EntryRequest.objects.filter(event=event, player=player, state=RequestState.DECLINED).first()
    if declined is not None:
        raise LeagueError(
            "declined", _("A director has declined your team: %(reason)s") % {"reason": declined.reason}
        )
    check_bounds(event, player)
    return player


def check_may_leave(event: Event, entry: Entry | None) -> Entry:
    """Refuse to take an entered team apart, or out; returns it else.

    Who is in none (`not_entered`), a team that a director has entered, or whose captain is gone
    (`not_allowed`), or that has withdrawn (`withdrawn`), entries that are not open any more (`check_open`),
    and a fee that is paid (`paid`).
    """
    if entry is None:
        raise LeagueError("not_entered", _("You are in no team of “%(event)s”.") % {"event": event})
    if entry.withdrawn_at is not None:
        raise LeagueError("withdrawn", _("Your team has withdrawn: ask a director to let it play again."))
    if entry.captain is None or event.who_enters == WhoEnters.DIRECTOR:
        raise LeagueError(
            "not_allowed", _("A director has entered or changed your team: ask a director to take it out.")
        )
    check_open(event)
    if entry.paid_at is not None:
        raise LeagueError(
            "paid", _("The fee is paid: ask a director to take your team out; it is given back as is agreed.")
        )
    return entry


def own_team_entry(event: Event, players: Sequence[Player]) -> Entry | None:
    """The team with a place in which one of the players is."""
    rows = Entry.objects.filter(event=event, members__player__in=players).select_related("captain")
    return rows.order_by("pk").first()


def _acting(actor: Actor, event: Event) -> tuple[Player | None, Event]:
    """The actor's player and the event, locked in this order; None if he has none."""
    players, event = _acting_all(actor, event)
    return (players[0] if players else None), event


def _acting_all(actor: Actor, event: Event) -> tuple[list[Player], Event]:
    """All players of the actor in the club, by id, and the event, locked in this order."""
    rows = own_players(actor.id, event.club) if actor.kind is ActorKind.USER else Player.objects.none()
    players = list(rows.select_for_update(no_key=True, of=("self",)))
    return players, locked(event)


def _own_forming(event: Event, player: Player | None) -> EntryRequest:
    team = None if player is None else team_of(player, event.pk)
    if team is None or team.player != player or team.state != RequestState.FORMING:
        raise LeagueError("no_team", _("You are captain of no team that looks for partners."))
    return team


def _invited(actor: Actor, event: Event, invitation: int) -> tuple[Event, PartnerInvitation]:
    """The locked event, and the actor's invitation, which waits for an answer."""
    players, event = _acting_all(actor, event)
    rows = PartnerInvitation.objects.filter(pk=invitation, event=event, player__in=players)
    row = rows.select_related("request__player", "player__user").first()
    if row is None:
        raise LeagueError("not_invited", _("There is no such invitation for you: it may be taken back."))
    row.request.event = event
    if row.state != InvitationState.INVITED:
        raise LeagueError("answered", _("You have answered this invitation already."))
    return event, row


def _check_looks(team: EntryRequest) -> None:
    if team.state != RequestState.FORMING:
        raise LeagueError("answered", _("This team is no longer looking for a partner."))


def _invite(actor: Actor, event: Event, team: EntryRequest, player: Player) -> PartnerInvitation:
    members = members_of(team)
    if player == team.player:
        raise LeagueError("oneself", _("You are in your team already."))
    check_partner(event, player)
    row = team.invitations.filter(player=player).first()
    if row is not None and row.state == InvitationState.INVITED:
        raise LeagueError("invited_already", _("%(player)s is invited already.") % {"player": player})
    if EntryMember.objects.filter(event=event, player=player).exists() or team_of(player, event.pk):
        raise LeagueError(
            "player_twice",
            _("%(player)s is in a team of “%(event)s” already.") % {"player": player, "event": event},
        )
    asked = team.invitations.filter(state=InvitationState.INVITED).count()
    if len(members) + asked >= event.team_size:
        raise LeagueError(
            "enough",
            ngettext(
                "You have invited as many as your team needs, %(count)d: take an invitation back first.",
                "You have invited as many as your team needs, %(count)d: take an invitation back first.",
                event.team_size - 1,
            )
            % {"count": event.team_size - 1},
        )
    row, _made = PartnerInvitation.objects.update_or_create(
        event=event, request=team, player=player, defaults={"state": InvitationState.INVITED}
    )
    record_team(actor, "team.invite", team, player)
    invited_to_team(event, player)
    return row


def _end_others(event: Event, accepted: PartnerInvitation) -> None:
    """Decline all other invitations of a player who has accepted one; their captains are told."""
    others = PartnerInvitation.objects.filter(
        event=event, player=accepted.player, state=InvitationState.INVITED
    ).exclude(pk=accepted.pk)
    captains = [row.request.player for row in others.select_related("request__player")]
    others.update(state=InvitationState.DECLINED)
    team_changed(event, {user for captain in captains for user in _account(captain)})


def _completed(actor: Actor, event: Event, team: EntryRequest) -> Entry | EntryRequest:
    """Have a team that is complete take its turn: the one that was kept, else the last one now."""
    if team.kept_until is None or team.kept_until <= timezone.now():
        team.position = last_position(event) + 1
    team.state = RequestState.ASKED if event.approves_entries else RequestState.WAITING
    team.kept_until = None
    team.save(update_fields=["position", "state", "kept_until"])
    for entry in fill_places(actor=actor, event=event):
        if entry.captain_id == team.player_id:
            return entry
    team_changed(event, users_of(team) - own_id(actor))
    return team


def _step_out(actor: Actor, event: Event, players: Sequence[Player]) -> EntryRequest | None:
    team = teams_of(players, event.pk).first()
    if team is None:
        return _leave_entry(actor, event, players)
    if team.player in players:
        raise _is_captain()
    player = next(member for member in members_of(team) if member in players)
    team.invitations.filter(player=player).update(state=InvitationState.DECLINED)
    if team.state != RequestState.FORMING:
        form_anew(team)
    record_team(actor, "team.leave", team, player)
    team_changed(event, users_of(team))
    return team


def _withdraw(actor: Actor, event: Event, players: Sequence[Player]) -> None:
    team = teams_of(players, event.pk).first()
    if team is not None:
        _check_captain(team.player in players)
        record_team(actor, "team.withdraw", team, team.player)
        drop_request(actor=actor, request=locked(team))
        return
    entry = check_may_leave(event, own_team_entry(event, players))
    _check_captain(entry.captain in players)
    told = {user for player in _of_entry(entry) for user in _account(player)} - own_id(actor)
    drop_entry(actor=actor, event=event, entry=locked(entry))
    team_changed(event, told)


def _leave_entry(actor: Actor, event: Event, players: Sequence[Player]) -> EntryRequest | None:
    entry = check_may_leave(event, own_team_entry(event, players))
    captain = entry.captain
    if captain is None or captain in players:
        raise _is_captain()
    before = _of_entry(entry)
    left = [member for member in before if member not in players]
    told = {user for member in left for user in _account(member)}
    gone = next(member for member in before if member in players)
    if len(left) >= event.team_size:
        entry.members.filter(player=gone).delete()
        record_audit(actor, "entry.members", entry, before={"players": before}, after={"players": left})
        request_standings(event.pk)
        team_changed(event, told)
        return None
    written = [member.name for member in before]
    is_called_after = called_anew(entry.name, written, written) is not None
    # Before the entry goes, so that its place is kept and nobody moves up into it.
    team = EntryRequest.objects.create(
        event=event,
        player=captain,
        state=RequestState.FORMING,
        position=0,
        team_name="" if is_called_after else entry.name,
        kept_until=timezone.now() + KEPT,
    )
    PartnerInvitation.objects.bulk_create(
        PartnerInvitation(event=event, request=team, player=member, state=InvitationState.ACCEPTED)
        for member in left
        if member != captain
    )
    record_team(actor, "team.leave", team, gone)
    drop_entry(actor=actor, event=event, entry=locked(entry))
    team_changed(event, told)
    return team


def _of_entry(entry: Entry) -> list[Player]:
    """The players of an entered team, in order."""
    rows = entry.members.select_related("player").order_by("position", "id")
    return [member.player for member in rows]


def _account(player: Player) -> set[int]:
    return set() if player.user_id is None else {player.user_id}


def _check_nowhere(event: Event, player: Player) -> None:
    """Refuse (`player_twice`) a player of the actor's who is entered, or in a team already."""
    if EntryMember.objects.filter(event=event, player=player).exists():
        raise LeagueError("player_twice", _("You are entered in “%(event)s” already.") % {"event": event})
    team = team_of(player, event.pk)
    if team is None:
        return
    if team.player == player:
        said = _("You are captain of a team in “%(event)s”: withdraw it first.")
    else:
        said = _("You are in a team of “%(event)s” already: step out of it first.")
    raise LeagueError("player_twice", said % {"event": event})


def _check_free(event: Event, name: str) -> None:
    """Refuse (`name_taken`) a name that an entry or another team of the event has."""
    others = EntryRequest.objects.filter(event=event, team_name__iexact=name)
    others = others.exclude(state__in=(RequestState.DECLINED, RequestState.LAPSED))
    if name and (event.entries.filter(name__iexact=name).exists() or others.exists()):
        raise LeagueError(
            "name_taken", _("There is a team “%(name)s” already.") % {"name": name}, field="name"
        )


def _check_is_own(event: Event, name: str) -> None:
    """Refuse (`name_taken`) a name made of names of the club's players: it could be taken for theirs."""
    parts = {part.casefold() for part in _JOINTS.split(name) if part}
    rows = Player.objects.filter(club=event.club, merged_into=None)
    if parts and parts <= {each.casefold() for each in rows.values_list("name", flat=True)}:
        raise LeagueError(
            "name_taken",
            _("Players have that name. Leave it empty, and the team is named after its own."),
            field="name",
        )


def _check_captain(is_captain: bool) -> None:
    if not is_captain:
        raise LeagueError("not_captain", _("Only its captain withdraws a team; you may step out of it."))


def _is_captain() -> LeagueError:
    return LeagueError("is_captain", _("You are its captain: withdraw the team instead."))


def _line(text: str, most: int, field: str) -> str:
    """A line as it is kept; refuses one that is too long (`too_long`) or cannot be seen (`invalid`)."""
    text = " ".join(text.split())
    if len(text) > most:
        raise LeagueError(
            "too_long",
            ngettext("At most %(count)d character.", "At most %(count)d characters.", most) % {"count": most},
            field=field,
        )
    check_plain(text, field)
    return text


def record_team(actor: Actor, action: str, team: EntryRequest, player: Player) -> None:
    """Note it of the player, whose name the record follows."""
    after: dict[str, object] = {"event": team.event, "captain": team.player}
    if team.team_name:
        after["team"] = team.team_name
    record_audit(actor, action, player, after=after)
