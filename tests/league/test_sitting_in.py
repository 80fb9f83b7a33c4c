"""A bot that sits in for an absent player: who lets it, what it counts, and who comes late."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import HandReport, TableHand, TableMatch, TableSeat
from games.services import act, table_state
from league.draws.online import play_online
from league.draws.recalculating import recalculate
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Club,
    Event,
    Match,
    PlayedWhere,
    Player,
    Rating,
    Role,
    SitInCounts,
    Standing,
)
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.core.actors import Actor
from scoring.models import Seat, SheetStatus
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
)
from tests.league.table_players import QUICK, by, member, play_on

pytestmark = pytest.mark.django_db
# Rules under which whoever has drawn may knock, and a sheet takes some hands.
LONG = partial(house_rules, columns=1, target=250, knock_limit=98)
WHY = "he is not there"


@pytest.fixture
def ann(club: Club) -> Player:
    return member(club, "Ann")


@pytest.fixture
def bob(club: Club) -> Player:
    return member(club, "Bob")


@pytest.fixture
def robo(club: Club) -> Player:
    player: Player = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    return player


@pytest.fixture
def match(ann: Player, bob: Player, robo: Player) -> Match:
    return drawn(robo, ann, bob)


def drawn(robo: Player | None, one: Player, other: Player, **settings: Any) -> Match:
    """A match of an event in which this bot sits in, and whose sheets are soon played."""
    usual = {"rules": house_rules(**QUICK), "played": PlayedWhere.ONLINE, "sits_in": robo, "slug": "league"}
    event = EventFactory.create(club=one.club, **usual | settings)
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (one, other)]
    match: Match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    return match


def sit_in(match: Match, absent: Player) -> Match:
    return let_bot_sit_in(actor=OPERATOR, match=match, absent=absent, reason=WHY)


def refused(code: str, what: Callable[[], object]) -> None:
    with pytest.raises(LeagueError) as refusal, transaction.atomic():
        what()
    assert refusal.value.code == code


def play_until_over(table: TableMatch, player: Player, seat: int, *, deals: int = 500) -> None:
    """Plays a seat against a bot that answers at once, until so many deals are over, or the sheet is."""
    for number in range(2000):
        told = table_state(actor=by(player), match=table, seat=seat)
        if told["deal"] is None or told["deal"] > deals:
            return
        legal = told["hand"]["legal"]
        action = next((each for each in legal if each.startswith("knock")), legal[-1])
        version = told["version"]
        act(
            actor=by(player),
            match=table,
            seat=seat,
            version=version,
            action=action,
            key=f"{seat}-{number}-{deals}",
        )
    raise AssertionError("The sheet does not end.")


def test_bot_plays_for_who_is_absent_and_nobody_is_rated(
    match: Match, ann: Player, bob: Player, robo: Player
) -> None:
    sit_in(match, ann)
    table = play_online(actor=by(bob), match=match)
    assert [seat.bot and seat.bot["strategy"] for seat in table.seats.order_by("number")] == ["simple", None]
    play_until_over(table, bob, 1)
    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet.status == SheetStatus.FINISHED
    assert match.is_counted
    recalculate(match.event_id)
    counted = {row.entry.name: row for row in Standing.objects.filter(event=match.event)}
    assert {counted["Ann"].played, counted["Bob"].played} == {1}
    assert counted["Ann"].net == match.net
    request_ratings(match.event.club_id)
    ratings.recalculate(match.event.club_id)
    assert not Rating.objects.exists()
    assert not Seat.objects.filter(person=ann.code).exists()


def test_who_comes_late_has_the_seat_with_the_next_hand(ann: Player, bob: Player, robo: Player) -> None:
    """The hand in play is the bot's to its end."""
    match = drawn(robo, ann, bob, rules=LONG())
    sit_in(match, ann)
    table = play_online(actor=by(bob), match=match)
    take_own_seat(actor=by(ann), match=match)
    take_own_seat(actor=by(ann), match=match)
    chair = TableSeat.objects.get(match=table, number=0)
    assert (chair.account, chair.arrived) == (None, ann.user)
    play_until_over(table, bob, 1, deals=1)
    chair.refresh_from_db()
    assert (chair.account, chair.arrived, chair.bot) == (ann.user, None, None)
    seats = Seat.objects.filter(sheet=match.sheet, side__position=0).order_by("number")
    assert list(seats.values_list("person", "from_deal")) == [(robo.code, 1), (ann.code, 2)]
    told = AuditEntry.objects.get(action="match.arrive")
    assert (told.actor_id, told.after["from_deal"]) == (str(ann.user_id), 2)
    refused("not_allowed", lambda: take_own_seat(actor=by(ann), match=match))
    play_on(table, ann, bob)
    match.refresh_from_db()
    assert match.is_counted
    assert match.bot_side is None
