"""Members of a club who play at tables on this site."""

import re
from collections.abc import Callable
from typing import Any, Final

from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from games.services import act, table_state
from league.draws.online import play_online
from league.errors import LeagueError
from league.models import Club, GameOffer, Match, PlayedWhere, Player, Role
from league.people.lobbies import take_seat
from league.policy import actor_of
from scoring.core.actors import Actor
from tests.clients import logged_in
from tests.factories import (
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
)
from tests.refusals import refuses

# A sheet of one column to 10, in which one knocks with anything.
QUICK: Final[dict[str, Any]] = {"columns": 1, "target": 10, "knock_limit": 98}


def member(club: Club, name: str) -> Player:
    """A member with an account and an address."""
    user = UserFactory.create(
        club=club, role=Role.MEMBER, is_staff=False, username=name.lower(), email=f"{name.lower()}@a.test"
    )
    player: Player = PlayerFactory.create(club=club, name=name, user=user)
    return player


def by(player: Player) -> Actor:
    """The actor of a member's account."""
    assert player.user is not None
    return actor_of(player.user)


def browser(player: Player | None = None) -> Client:
    """The browser of a player who is signed in, or of a guest."""
    return Client() if player is None else logged_in(player.user)


def address(match: Match, name: str = "match") -> str:
    """The address of a page of a match."""
    return reverse(name, args=[match.event.club.slug, match.event.slug, match.code])


def shown(client: Client, match: Match) -> str:
    """The page of a match, as HTML."""
    return client.get(address(match)).content.decode()


def text(client: Client, match: Match) -> str:
    """The words on the page of a match."""
    return plain_text(shown(client, match))


def plain_text(page: str) -> str:
    """The words on a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def refused(code: str, what: Callable[[], object]) -> None:
    """Checks that this is refused with the code."""
    with refuses(LeagueError, code), transaction.atomic():
        what()


def taken(by_whom: Player, offer: GameOffer) -> TableMatch:
    """The table that begins with the seat that he takes."""
    table = take_seat(actor=by(by_whom), offer=offer)
    assert table is not None
    return table


def play_on(table: TableMatch, *players: Player) -> None:
    """Plays to the end of a sheet of these players, by seat, by rules under which all may knock (`QUICK`)."""
    for number in range(500):
        seat, told = next(
            (seat, told)
            for seat, player in enumerate(players)
            if (told := table_state(actor=by(player), match=table, seat=seat))["deal"] is None
            or told["turn"] == seat
        )
        if told["deal"] is None:
            return
        legal = told["hand"]["legal"]
        action = next((each for each in legal if each.startswith("knock")), legal[-1])
        act(
            actor=by(players[seat]),
            match=table,
            seat=seat,
            version=told["version"],
            action=action,
            key=f"{number}",
        )
    raise AssertionError("The sheet does not end.")


def playing(*names: str, **knobs: Any) -> Match:
    """A match of an event that two members, Ann and Bob unless named, play on this site now."""
    event = EventFactory.create(rules=house_rules(**{**QUICK, **knobs}), played=PlayedWhere.ONLINE)
    players = [member(event.club, name) for name in names or ("Ann", "Bob")]
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in players]
    match: Match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    play_online(actor=by(players[0]), match=match)
    return Match.objects.get(pk=match.pk)
