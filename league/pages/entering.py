"""Entering an event oneself: one page that says how one stands in it, with a button for each act."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.events import teams
from league.events.entering import ask_rounds_off, enter_oneself, own_standing, withdraw_oneself
from league.events.evening_presence import come_back, has_missed, is_left_out
from league.events.evening_words import evening_of_event
from league.events.presence import check_out_own, own_check_in
from league.events.team_standing import own_team, players_found
from league.models import Event, EventKind, Player
from league.pages.doors import form_page
from league.pages.events import about
from league.pages.pages import page, row_id, visible_event, way_in
from league.people.forming_teams import KEPT
from league.policy import actor_of
from league.policy.own import own_entry
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


@form_page
def event_enter(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """How the signed-in user stands in an event. A POST's `what` enters him, withdraws him, asks rounds off.

    And has him back who was left out of an evening that runs itself, and checks him out who was checked in
    for the next round. In an event of teams it enters his team,
    and invites, accepts and declines; `?who=` looks for a partner. Whoever is not signed in is asked to do so
    first.
    """
    shown = visible_event(request, club, event)
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    of_teams = shown.kind == EventKind.TEAM
    refused = ""
    if request.method == "POST":
        try:
            with refused_when_crossed():
                if (act := _OF_ENTRIES.get(request.POST.get("what", ""))) is not None:
                    _do_for_entry(act, request.user, shown)
                else:
                    (_do_with_team if of_teams else _do)(request, request.user, shown)
            return redirect("event_enter", club, event)
        except LeagueError as refusal:
            refused = translated(refusal.message)
    context = about(shown) | {"refused": refused, **way_in(request, shown.club)}
    if of_teams:
        context |= _team_page(request, request.user, shown)
    else:
        context["own"] = own_standing(shown, request.user)
    entry, evening = own_entry(request.user.pk, shown), evening_of_event(shown)
    if entry is not None and evening is not None and has_missed(shown, entry):
        context |= {"has_missed": True, "is_left_out": is_left_out(shown, entry)}
    elif entry is not None:
        context["check_in"] = own_check_in(shown, entry)
    template = "league/enter_team.html" if of_teams else "league/enter.html"
    return page(request, template, context, club=shown.club, is_refused=refused)


def _team_page(request: HttpRequest, user: User, event: Event) -> dict[str, Any]:
    """What the page of a team shows: how the reader stands, and whom he has looked for."""
    own, word = own_team(event, user), request.GET.get("who", "")[:80]
    asks = own.is_captain and bool(own.missing)
    return {
        "own": own,
        "word": word,
        "found": players_found(event, user, word) if asks else [],
        "kept_days": KEPT.days,
        "longest_name": teams.LONGEST_NAME,
        "longest_note": teams.LONGEST_NOTE,
    }


def _do_with_team(request: HttpRequest, user: User, event: Event) -> None:
    """Do what was asked for with a team; nothing where that is none of the acts."""
    by, sent = actor_of(user), request.POST
    what, row, player = sent.get("what", ""), row_id(sent.get("row", "")), sent.get("player", "")
    if what == "team":
        partner = _player(event, player) if player else None
        teams.form_team(actor=by, event=event, name=sent.get("name", ""), partner=partner)
    elif what == "invite":
        teams.invite_partner(actor=by, event=event, player=_player(event, player))
    elif what in _ANSWERS and row is not None:
        _ANSWERS[what](actor=by, event=event, invitation=row)
    elif what == "look":
        teams.look_for_partner(actor=by, event=event, note=sent.get("note", ""))
    elif what in _OWN_ACTS:
        _OWN_ACTS[what](actor=by, event=event)


_ANSWERS: Final[Mapping[str, Callable[..., object]]] = {
    "accept": teams.accept_invitation,
    "decline": teams.decline_invitation,
    "uninvite": teams.take_back_invitation,
}
_OWN_ACTS: Final[Mapping[str, Callable[..., object]]] = {
    "leave": teams.leave_team,
    "withdraw": teams.withdraw_team,
    "stop": teams.stop_looking,
}


def _player(event: Event, code: str) -> Player:
    """The player of the event's club with this code; refused (`other_club`) if there is none."""
    player = Player.objects.filter(club=event.club, code=code[:16]).select_related("user").first()
    if player is None:
        raise LeagueError("other_club", _("Choose only players of %(club)s.") % {"club": event.club})
    return player


_OF_ENTRIES: Final[Mapping[str, Callable[..., object]]] = {"back": come_back, "out": check_out_own}


def _do_for_entry(act: Callable[..., object], user: User, event: Event) -> None:
    """Do this for his entry, or for the team for which he plays; nothing where he plays for none."""
    if (entry := own_entry(user.pk, event)) is not None:
        act(actor=actor_of(user), event=event, entry=entry)


def _do(request: HttpRequest, user: User, event: Event) -> None:
    """Do what was asked for; nothing where that is none of the acts."""
    by, what = actor_of(user), request.POST.get("what", "")
    if what == "enter":
        enter_oneself(actor=by, event=event)
    elif what == "withdraw":
        withdraw_oneself(actor=by, event=event)
    elif what == "rounds":
        asked = [text for text in request.POST.getlist("off") if text.isascii() and text.isdigit()]
        ask_rounds_off(actor=by, event=event, numbers=[int(text) for text in asked if len(text) <= 2])
