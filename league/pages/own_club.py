"""My club: the first page of who is signed in, for each club that he belongs to."""

import datetime
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from league.events.own_club import OwnClub, ToArrange, WaitingMatch, own_club, when_it_comes
from league.events.team_standing import invitations_to, teams_being_formed
from league.matches.offers import count_to_answer
from league.models import Club, Membership, PartnerInvitation, Player
from league.pages.doors import own_page
from league.pages.pages import (
    by_name,
    page,
    signed_in,
    today_in,
    visible_club,
    way_in,
)
from league.people.accounts import own_players
from league.people.claiming import may_claim
from league.people.friendlies import own_tables
from league.people.joining import belongs_to
from league.policy import Permission, clubs_where
from league.policy.naming import Names, names_for
from league.tables.rating_lists import rating_curve, rating_of

# How much of what waits in one of several clubs is told, each kind; the rest stands on the club's own page.
_MOST_WAITING: Final = 3


@dataclass(frozen=True, slots=True)
class _ClubAtAGlance:
    """One of the reader's clubs; `own` is None where he has no player. `invitations` are those to teams."""

    club: Club
    names: Names
    today: datetime.date
    own: OwnClub | None
    invitations: Sequence[PartnerInvitation]

    @property
    def to_arrange(self) -> Sequence[ToArrange]:
        """The first matches of which he is to say when he plays."""
        return self.own.to_arrange[:_MOST_WAITING] if self.own else ()

    @property
    def waiting(self) -> Sequence[WaitingMatch]:
        """The first matches that somebody has to act on."""
        return self.own.waiting[:_MOST_WAITING] if self.own else ()

    @property
    def more(self) -> int:
        """How much more waits than is told."""
        if self.own is None:
            return 0
        told = len(self.to_arrange) + len(self.waiting)
        return len(self.own.to_arrange) + len(self.own.waiting) - told


@own_page
def me(request: HttpRequest) -> HttpResponse:
    """What is next and what waits in each club of who is signed in; redirects to a single one.

    Who belongs to none is shown the clubs that he may read.
    """
    user = signed_in(request)
    clubs = _clubs_of(user)
    if len(clubs) == 1:
        return redirect("club_me", clubs[0].slug)
    others = [] if clubs else by_name(clubs_where(user, Permission.VIEW).order_by("name")[:100])
    told = _at_a_glance(user, clubs)
    return render(request, "league/me.html", {"at": "me", "clubs": told, "others": others})


@require_safe
@login_required
def club_me(request: HttpRequest, club: str) -> HttpResponse:
    """What is next for the reader in this club, what waits for him, his form, rating and events.

    Who has no player here is told how to get one; an officer, where his work is. Made anew each time: it
    shows more than counts of writes know of (`league.record.write_counts`), and nobody else asks for it.
    """
    shown = visible_club(request, club)
    players = list(own_players(signed_in(request).pk, shown))
    context: dict[str, Any] = {"at": "me", "today": today_in(shown), "others": players[1:]}
    context["belongs"] = bool(players) or belongs_to(signed_in(request), shown)
    if players:
        own = own_club(players[0], today=context["today"])
        context |= {
            "invitations": invitations_to(players),
            "forming": teams_being_formed(players),
            "player": players[0],
            "tables": own_tables(signed_in(request).pk, shown),
            "offered": count_to_answer(shown, players),
            "own": own,
            "rating": rating_of(players[0]),
            "curve": rating_curve(players[0], own.verdicts),
        }
    else:
        context |= way_in(request, shown) | {"claims": may_claim(signed_in(request), shown)}
    response = page(request, "league/club_me.html", context, club=shown)
    # Nobody else's, in a public club too.
    patch_cache_control(response, private=True)
    return response


def _at_a_glance(user: User, clubs: Sequence[Club]) -> list[_ClubAtAGlance]:
    """The user's clubs with what is next in each: in the order in which that comes, the others after them.

    In eight queries for each club in which he has a player, and two.
    """
    players: dict[int, Player] = {}
    for player in Player.objects.filter(user=user, club__in=clubs, merged_into=None).order_by("-pk"):
        players[player.club_id] = player
    invitations = defaultdict(list)
    for invitation in invitations_to(players.values()):
        invitations[invitation.event.club_id].append(invitation)
    coming, rest = [], []
    for club in clubs:
        today, player_here = today_in(club), players.get(club.pk)
        own = own_club(player_here, today=today) if player_here else None
        told = _ClubAtAGlance(club, names_for(user, club), today, own, invitations[club.pk])
        if own is not None and own.next:
            coming.append((when_it_comes(own.next[0]), told))
        else:
            rest.append(told)
    coming.sort(key=lambda each: each[0])
    rest.sort(key=lambda each: (each.own is None, not (each.invitations or each.to_arrange or each.waiting)))
    return [told for _when, told in coming] + rest


def _clubs_of(user: User) -> list[Club]:
    """The clubs in which the user holds an office or has a player, and whose pages he may read, by name."""
    offices = Membership.objects.filter(club=OuterRef("pk"), user=user)
    players = Player.objects.filter(club=OuterRef("pk"), user=user, merged_into=None)
    seen = clubs_where(user, Permission.VIEW)
    return by_name(seen.filter(Exists(offices) | Exists(players)).order_by("name")[:100])
