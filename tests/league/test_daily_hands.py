"""The daily hand: one pack for all, one try each, and nothing told before one has played it."""

import re
from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
import time_machine
from django.db import IntegrityError, transaction

from games.gin.cards import text_of
from games.models import TableMatch
from games.tables.members import commitment_of
from league.errors import LeagueError
from league.models import Club, DailyHand, DailyTry, Player, Role
from league.people.daily_hands import act_daily, begin_daily, hand_of_today, state_of, table_of_day
from league.people.erasing import erase_person
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory
from tests.league.table_players import browser, by, member
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("own_rules")]

ADDRESS = "/clubs/harbour/play/daily/"


def play(player: Player) -> DailyTry:
    """Plays the hand of today to its end: ends it when that can be, and else does what is legal last."""
    own = begin_daily(actor=by(player), club=player.club)
    while own.points is None:
        state = state_of(own.hand, own.actions)
        legal = [str(action) for action in state.legal_actions()]
        endings = [each for each in legal if each.split()[0] in ("knock", "gin", "big_gin")]
        action = (endings or legal)[-1]
        own = act_daily(actor=by(player), club=player.club, version=own.version, action=action)
    return own


def refused(code: str, actor: Actor, club: Club, version: int, action: str = "draw") -> None:
    with refuses(LeagueError, code), transaction.atomic():
        act_daily(actor=actor, club=club, version=version, action=action)


def test_who_has_another_account_now_does_not_play_a_second_time(club: Club, ann: Player) -> None:
    play(ann)
    other = UserFactory.create(club=club, role=Role.MEMBER, username="ann2")
    Player.objects.filter(pk=ann.pk).update(user=other)
    with refuses(LeagueError, "begun_elsewhere"):
        begin_daily(actor=actor_of(other), club=club)
    client = logged_in(other)
    answer = client.post(ADDRESS, {"do": "begin"})
    assert answer.status_code == 409
    assert "Ann has played today’s hand from another account." in answer.content.decode()
    assert DailyTry.objects.count() == 1


def test_all_get_the_same_cards_and_the_same_play_comes_to_the_same(
    club: Club, ann: Player, bob: Player
) -> None:
    one, other = play(ann), play(bob)
    assert one.hand == other.hand
    # Both play by one rule, so that the bot answers both the same.
    assert (one.actions, one.points) == (other.actions, other.points)
    state = state_of(one.hand, one.actions)
    assert abs(one.points or 0) == state.score().points
    assert one.hand.commitment == commitment_of(one.hand.pack, one.hand.nonce)
    # It is on no sheet, so that nothing counts it.
    assert not Scoresheet.objects.exists()
    assert not TableMatch.objects.exists()
    assert [line.place for line in table_of_day(one.hand)] == [1, 1]


def test_one_has_one_try(club: Club, ann: Player) -> None:
    refused("not_begun", by(ann), club, 1)
    begun = begin_daily(actor=by(ann), club=club)
    refused("stale_version", by(ann), club, begun.version + 1)
    refused("not_now", by(ann), club, begun.version, "lay_off")
    assert begin_daily(actor=by(ann), club=club) == begun
    ended = play(ann)
    refused("table_over", by(ann), club, ended.version)
    assert begin_daily(actor=by(ann), club=club).points == ended.points
    second = Player.objects.create(club=club, name="Ann again", user=None)
    with pytest.raises(IntegrityError), transaction.atomic():
        DailyTry.objects.create(hand=ended.hand, account_id=ended.account_id, player=second)


def test_who_plays_nothing_in_the_club_begins_nothing(club: Club, director: Actor) -> None:
    with refuses(LeagueError, "no_player"):
        begin_daily(actor=director, club=club)
    assert not DailyHand.objects.exists()


def test_nothing_is_told_before_one_has_played_and_no_pack_before_the_day_is_over(
    club: Club, ann: Player, bob: Player, clock: time_machine.Traveller
) -> None:
    ended = play(ann)
    client = browser(bob)
    before = client.get(ADDRESS).content.decode()
    client.post(ADDRESS, {"do": "begin"})
    during = client.get(ADDRESS).content.decode()
    for page in (before, during):
        assert "Ann" not in page
        assert ended.hand.commitment in page
        assert ended.hand.nonce not in page
        assert ended.hand.pack not in page
    play(bob)
    after = client.get(ADDRESS).content.decode()
    assert "Ann" in after
    assert ended.hand.nonce not in after
    assert ended.hand.pack not in after
    cid = browser(member(club, "Cid"))
    assert "Ann" not in cid.get(ADDRESS).content.decode()
    clock.shift(timedelta(days=1))
    next_day = cid.get(ADDRESS).content.decode()
    assert ended.hand.pack in next_day
    assert ended.hand.nonce in next_day
    assert "Ann" in next_day
    assert hand_of_today(club) is None
    refused("not_begun", by(ann), club, ended.version)
    assert begin_daily(actor=by(ann), club=club).hand.pack != ended.hand.pack


def test_a_day_is_one_by_the_clubs_clock(club: Club, ann: Player, clock: time_machine.Traveller) -> None:
    club.time_zone = "Pacific/Auckland"
    club.save()
    clock.move_to(datetime(2026, 11, 27, 12, 30, tzinfo=UTC))
    assert begin_daily(actor=by(ann), club=club).hand.day == date(2026, 11, 28)
    clock.move_to(datetime(2026, 11, 28, 10, 30, tzinfo=UTC))
    assert hand_of_today(club) is not None
    clock.move_to(datetime(2026, 11, 28, 11, 30, tzinfo=UTC))
    assert hand_of_today(club) is None


def test_the_hand_is_played_on_its_page_with_and_without_a_script(club: Club, ann: Player) -> None:
    client = browser(ann)
    assert client.post(ADDRESS, {"do": "begin"}).status_code == 302
    for turn in count():
        own = DailyTry.objects.get()
        if own.points is not None:
            break
        state = state_of(own.hand, own.actions)
        page = client.get(ADDRESS).content.decode()
        assert re.search(rf'name="version" value="{own.version}"', page)
        # The member's own cards are on the page, and none that he has not seen is in a field.
        unseen = set(text_of(state.view(0).unseen).split())
        assert unseen.isdisjoint(re.findall(r'value="(?:\w+ )?([2-9TJQKA][CDHS])"', page))
        action = str(state.legal_actions()[-1])
        headers = {"HX-Request": "true"} if turn % 2 else {}
        answer = client.post(ADDRESS, {"version": own.version, "action": action}, headers=headers)
        assert answer.status_code == (200 if headers else 302)
        if turn > 200:
            pytest.fail("The hand does not end.")
    assert "<html" not in answer.content.decode()
    late = client.post(ADDRESS, {"version": own.version, "action": "draw"})
    assert late.status_code == 409
    assert "everybody has one try" in late.content.decode()


def test_a_press_replaces_the_table_and_says_who_is_signed_out(club: Club, ann: Player) -> None:
    """The form of the page puts its answer in place of the whole table; a sign-in page is none."""
    client = browser(ann)
    client.post(ADDRESS, {"do": "begin"})
    page = client.get(ADDRESS).content.decode()
    (table,) = re.findall(r'<div id="table"[^>]*>', page)
    assert 'hx-swap="outerHTML"' in table
    assert "hx-get" not in table
    client.logout()
    pressed = {"version": 1, "action": "draw"}
    assert client.post(ADDRESS, pressed, headers={"HX-Request": "true"}).status_code == 404
    assert client.post(ADDRESS, pressed).headers["Location"] == f"/login/?next={ADDRESS}"


def test_tries_are_in_ones_own_data_and_cards_look_as_chosen_after_the_end(club: Club, ann: Player) -> None:
    ended = play(ann)
    assert ann.user is not None
    (player,) = own_data(ann.user)["players"]
    (told,) = player["daily_hands"]
    day = ended.hand.day.isoformat()
    assert told == {"day": day, "actions": ended.actions, "points": ended.points}
    page = browser(ann).get(ADDRESS).content.decode()
    assert 'class="card hand-over"' in page
    assert "games/looks" in page


def test_who_is_merged_stands_in_the_table_once(club: Club, ann: Player, bob: Player) -> None:
    own, others = play(ann), play(bob)
    merge_players(actor=OPERATOR, keep=ann, drop=bob)
    assert list(DailyTry.objects.all()) == [own]
    assert [line.player for line in table_of_day(others.hand)] == [ann]


def test_who_is_erased_takes_his_tries_with_him(club: Club, ann: Player) -> None:
    play(ann)
    erase_person(actor=OPERATOR, player=ann)
    assert not DailyTry.objects.exists()
