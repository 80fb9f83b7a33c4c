"""Friendly games of a length of their own: what is chosen, what is told of it, and by which rules."""

from functools import partial
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from league.events.house_rules import make_club_rules, next_version
from league.events.house_rules_lists import rules_of, versions_seen
from league.models import Club, ClubRules, GameOffer, Player, RatedGames
from league.people.clubs import change_club
from league.people.friendlies import own_tables, play_bot, rules_to_play
from league.people.lobbies import Wanted, begin_game, offer_game, take_seat
from league.people.own_data import own_data
from league.policy import rules_seen
from scoring.core.errors import RulesError
from scoring.core.lengths import Length
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet, SheetStatus
from tests.factories import OPERATOR, EventFactory
from tests.league.table_players import QUICK, browser, by, member, plain_text, play_on, refused, taken
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

PLAY: Final = "/clubs/harbour/play/"


@pytest.fixture
def quick(club: Club) -> ClubRules:
    """House rules of one game to 10."""
    return make_club_rules(actor=OPERATOR, club=club, name="Quick", rules=Rules(**QUICK))


@pytest.fixture
def of_deals(club: Club) -> ClubRules:
    """House rules of eight deals."""
    rules = Rules(deals=8, knock_limit=98)
    return make_club_rules(actor=OPERATOR, club=club, name="Eight", rules=rules)


def offered(by_whom: Player, rules: ClubRules, length: Length, **more: Any) -> GameOffer:
    made = offer_game(
        actor=by(by_whom),
        club=by_whom.club,
        rules=rules.rules,
        others=[Wanted.ANYBODY],
        length=length,
        **more,
    )
    return made.offer


def begun(one: Player, other: Player, rules: ClubRules, length: Length) -> TableMatch:
    return taken(other, offered(one, rules, length))


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return plain_text(answer.content.decode())


@pytest.mark.parametrize(
    ("length", "columns"),
    [(Length(target=90), 1), (Length(target=5, columns=3), 3), (Length(columns=3), 3)],
)
def test_a_game_is_played_to_the_target_and_in_the_columns_that_are_chosen(
    ann: Player, bob: Player, quick: ClubRules, length: Length, columns: int
) -> None:
    table = begun(ann, bob, quick, length)
    play_on(table, ann, bob)
    sheet = Scoresheet.objects.get()
    target = length.target or QUICK["target"]
    assert sheet.status == SheetStatus.FINISHED
    assert (sheet.rules.rules.target, len(sheet.derived["columns"])) == (target, columns)
    for column in sheet.derived["columns"]:
        assert max(column["points"]) >= target


def test_so_many_hands_are_played_as_are_chosen_where_a_number_of_them_ends_the_sheet(
    ann: Player, bob: Player, of_deals: ClubRules
) -> None:
    table = begun(ann, bob, of_deals, Length(deals=2))
    play_on(table, ann, bob)
    sheet = Scoresheet.objects.get()
    assert (sheet.status, sheet.deal_count) == (SheetStatus.FINISHED, 2)


def test_a_bot_is_played_to_the_length_that_is_chosen_on_the_page(
    club: Club, ann: Player, quick: ClubRules
) -> None:
    client = browser(ann)
    said = page(client, PLAY)
    assert "one game to 10 (house rules)" in said
    assert "three games to 15" in said
    asked = {"do": "bot", "bot": "simple", "rules": quick.rules.code, "length": "3x15"}
    assert client.post(PLAY, asked).status_code == 302
    table = TableMatch.objects.get()
    rules = table.sheet.rules
    assert (rules.rules.columns, rules.rules.target, rules.name) == (3, 15, "Quick")
    for address in (PLAY, reverse("play_table", args=[table.code])):
        assert "three games to 15" in page(client, address), address
    # What is not among the choices is refused beside them.
    answer = client.post(PLAY, asked | {"length": "7x7"})
    assert answer.status_code == 422
    assert TableMatch.objects.count() == 1


def test_whoever_reads_an_offer_reads_how_long_the_game_is(
    ann: Player, bob: Player, quick: ClubRules
) -> None:
    asked = {"do": "offer", "seat_2": bob.code, "rules": quick.rules.code, "length": "1x5"}
    assert browser(ann).post(PLAY, asked).status_code == 302
    offer = GameOffer.objects.get()
    assert offer.length == {"target": 5, "columns": 1}
    for one in (ann, bob):
        assert "Quick, one game to 5 ·" in page(browser(one), PLAY)
    # There are no rules of this length before there is a sheet.
    assert HouseRules.objects.count() == 1
    offer_game(
        actor=by(ann), club=ann.club, rules=quick.rules, others=[Wanted.GUEST], length=Length(columns=3)
    )
    asked |= {"seat_2": "guest:", "length": "3x5"}
    link = browser(ann).post(PLAY, asked).context["guest_links"][0]
    assert "Quick, three games to 5" in page(Client(), link)
    assert ann.user is not None
    (own,) = own_data(ann.user)["players"]
    assert own["games_offered"][0]["length"] == offer.length


def test_sheets_of_a_length_share_rules_that_are_on_no_list(
    club: Club, ann: Player, bob: Player, quick: ClubRules
) -> None:
    first = begun(ann, bob, quick, Length(target=5)).sheet.rules
    again = begun(bob, ann, quick, Length(target=5, columns=1)).sheet.rules
    assert first == again
    assert (first.code, first.version) == (f"{quick.rules.code}-5", 1)
    assert begun(ann, bob, quick, Length(target=10)).sheet.rules == quick.rules
    assert HouseRules.objects.count() == 2
    assert [line.rules for line in rules_of(club)] == rules_to_play(club) == [quick.rules]
    assert bob.user is not None
    assert first not in rules_seen(bob.user)
    # Who may read the sheet reads its rules, of which they are, and no others of the club's list.
    assert versions_seen(bob.user, first.code) == [first]
    told = page(browser(bob), reverse("rules", args=[first.code]))
    assert "As Quick , but for the length." in told
    assert "Version 2" not in told
    chosen = browser(ann).get(PLAY).content.decode()
    assert first.code not in chosen
    refused("other_club", lambda: play_bot(actor=by(ann), club=club, bot="simple", rules=first))
    # Of the next version of the rules there is another, under the same code.
    own = next_version(actor=OPERATOR, club_rules=quick, name="Quick", rules=Rules(**QUICK, gin_bonus=20))
    later = begun(ann, bob, own, Length(target=5)).sheet.rules
    assert (later.code, later.version, later.copied_from) == (first.code, 2, own.rules)
    assert (later.rules.gin_bonus, first.rules.gin_bonus) == (20, 25)
    told = page(browser(bob), reverse("rules", args=[first.code]))
    assert "As Quick, version 2 , but for the length." in told


def test_private_rules_of_a_length_are_nobody_elses(
    club: Club, ann: Player, bob: Player, quick: ClubRules
) -> None:
    Club.objects.update(is_public=False)
    rules = begun(ann, bob, quick, Length(target=5)).sheet.rules
    address = reverse("rules", args=[rules.code])
    assert browser(bob).get(address).status_code == 200
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize(
    ("length", "code"),
    [
        (Length(deals=2), "conflicting_knobs"),
        (Length(target=0), "out_of_range"),
        (Length(target=10_001), "out_of_range"),
        (Length(columns=13), "out_of_range"),
    ],
)
def test_a_length_that_the_rules_cannot_say_is_refused_and_nothing_is_kept(
    club: Club, ann: Player, quick: ClubRules, length: Length, code: str
) -> None:
    with refuses(RulesError, code, field="length"), transaction.atomic():
        offered(ann, quick, length)
    bot = partial(play_bot, actor=by(ann), club=club, bot="simple", rules=quick.rules)
    with refuses(RulesError, code, field="length"), transaction.atomic():
        bot(length=length)
    assert not GameOffer.objects.exists()
    assert HouseRules.objects.count() == 1


def test_of_rules_of_several_kinds_what_does_not_fit_is_refused_beside_the_length(
    ann: Player, quick: ClubRules, of_deals: ClubRules
) -> None:
    client = browser(ann)
    said = page(client, PLAY)
    assert "(house rules)" not in said
    assert "Quick: one game to 10" in said
    assert "Eight: 8 deals" in said
    assert "5 deals" in said
    for do in ({"do": "bot", "bot": "simple"}, {"do": "offer", "seat_2": ""}):
        answer = client.post(PLAY, do | {"rules": quick.rules.code, "length": "5d"})
        assert answer.status_code == 422
        assert "not after a number of deals" in plain_text(answer.content.decode())
        form = answer.context["bot_form" if do["do"] == "bot" else "offer_form"]
        assert list(form.errors) == ["length"]


def test_a_rated_game_is_as_long_as_its_rules_say(
    club: Club, ann: Player, bob: Player, quick: ClubRules
) -> None:
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.MEMBERS)
    EventFactory.create(club=club, rules=quick.rules)
    rated = partial(offered, ann, quick, is_rated=True)
    refused("rated_length", lambda: rated(length=Length(target=5)))
    answer = browser(ann).post(
        PLAY,
        {"do": "offer", "seat_2": "", "rules": quick.rules.code, "length": "3x10", "is_rated": "on"},
    )
    assert answer.status_code == 422
    assert "A rated game is as long as its house rules say" in answer.content.decode()
    # To say what they say is to choose nothing.
    table = taken(bob, rated(length=Length(target=10, columns=1)))
    assert table.sheet.rules == quick.rules
    assert table.sheet.exhibition.is_rated


def test_a_game_of_teams_is_to_the_target_that_was_chosen_also_where_fewer_begin(
    club: Club, quick: ClubRules
) -> None:
    """By these rules a team plays to 125, and one alone to 10."""
    ann, bob, cid, dot = [member(club, name) for name in ("Ann", "Bob", "Cid", "Dot")]
    offer = partial(offer_game, actor=by(ann), club=club, rules=quick.rules, others=[bob, cid, dot])
    made = offer(length=Length(target=125, columns=3)).offer
    for one in (bob, cid):
        take_seat(actor=by(one), offer=made)
    assert "Quick, three games to 125" in page(browser(dot), PLAY)
    table = taken(dot, made)
    (own, *_others) = own_tables(bob.user_id or 0, club)
    assert own.game == "Quick, three games to 125"
    assert table.sheet.rules.code == f"{quick.rules.code}-3x"
    made = offer(length=Length(target=125)).offer
    take_seat(actor=by(cid), offer=made)
    # Of two she plays on to what was chosen, not to what these rules say for two.
    table = begin_game(actor=by(ann), offer=made)
    assert table.sheet.rules.rules.target == 125
