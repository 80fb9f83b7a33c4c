"""Friendly games for more than two: who is asked, when they begin, and what becomes of the offers."""

from collections.abc import Sequence
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.models import TableMatch
from games.services import act, gives_hints, table_state
from games.tables.clocks import PRESETS
from league.events.house_rules import make_club_rules
from league.events.leaving import leave_club
from league.matches.offers import offers_seen, offers_to_answer
from league.models import Club, GameOffer, Notice, OfferState, Player, RatedGames
from league.notices.words import said_by
from league.people import friendlies, lobbies
from league.people.clubs import change_club
from league.people.erasing import erase_person
from league.people.friendlies import (
    break_off,
    games_over,
    own_tables,
    play_bot,
    rules_to_play,
)
from league.people.guests import guest_seat, sit_down_as_guest
from league.people.lobbies import (
    Other,
    Wanted,
    begin_game,
    decline_offer,
    lobby_of,
    offer_game,
    take_seat,
    withdraw_offer,
)
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy.naming import names_for
from league.tables import ratings
from scoring.core.rules import Rules
from scoring.models import HouseRules, Scoresheet, SheetStatus
from tests.factories import OPERATOR, PlayerFactory
from tests.league.table_players import QUICK, browser, by, member, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules(club: Club) -> HouseRules:
    return make_club_rules(actor=OPERATOR, club=club, name="Pairs", rules=Rules(**QUICK)).rules


@pytest.fixture
def four(club: Club) -> Sequence[Player]:
    """Ann, who offers it, Bob with her, against Cid and Dot."""
    return [member(club, name) for name in ("Ann", "Bob", "Cid", "Dot")]


def offered(rules: HouseRules, host: Player, *others: Other) -> GameOffer:
    made = offer_game(actor=by(host), club=host.club, rules=rules, others=others)
    assert made.table is None
    return made.offer


def agreed(offer: GameOffer, *players: Player) -> TableMatch | None:
    """What the last of these has got for agreeing."""
    tables = [take_seat(actor=by(one), offer=offer) for one in players]
    return tables[-1]


def begun(rules: HouseRules, four: Sequence[Player]) -> TableMatch:
    table = agreed(offered(rules, *four), *four[1:])
    assert table is not None
    return table


def play_out(table: TableMatch, four: Sequence[Player]) -> None:
    """Plays to the end of the sheet; by these rules all knock as soon as they may."""
    for number in range(2000):
        if Scoresheet.objects.get(pk=table.sheet_id).status != SheetStatus.OPEN:
            return
        for seat, player in enumerate(four):
            told = table_state(actor=by(player), match=table, seat=seat)
            if told["turn"] != seat:
                continue
            legal = told["hand"]["legal"]
            action = next((each for each in legal if each.startswith("knock")), legal[-1])
            asked = {"version": told["version"], "action": action, "key": f"{number}"}
            act(actor=by(player), match=table, seat=seat, **asked)
    raise AssertionError("The sheet does not end.")


@pytest.mark.usefixtures("mails")
def test_a_game_of_teams_begins_once_all_have_agreed(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, dot = four
    offer = offered(rules, ann, bob, cid, dot)
    asked = Notice.objects.filter(kind="game").values_list("user", flat=True)
    assert set(asked) == {each.user_id for each in (bob, cid, dot)}
    assert bob.user is not None
    said = said_by(Notice.objects.filter(user=bob.user).get(), bob.user, names_for(bob.user, club))
    assert said is not None
    assert said.lines == ("Ann: Pairs, one game to 125.",)
    assert agreed(offer, bob, dot) is None
    assert not TableMatch.objects.exists()
    refused("not_allowed", lambda: agreed(offer, bob))
    refused("not_allowed", lambda: agreed(offer, member(club, "Eve")))
    table = agreed(offer, cid)
    assert table is not None
    sheet = table.sheet
    sides = [
        (side.name, [seat.name for seat in side.seats.all()]) for side in sheet.sides.order_by("position")
    ]
    assert sides == [("Ann + Bob", ["Ann", "Bob"]), ("Cid + Dot", ["Cid", "Dot"])]
    seated = list(table.seats.order_by("number").values_list("account", flat=True))
    assert seated == [each.user_id for each in four]
    assert [seat.person for seat in sheet.seats.order_by("number")] == [each.code for each in four]
    refused("offer_over", lambda: agreed(offer, cid))
    for each in four:
        (own,) = own_tables(each.user_id or 0, club)
        assert (own.table, own.is_friendly, own.is_rated) == (table, True, False)


def test_a_game_of_teams_is_played_to_its_end_and_rated_nowhere(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    change_club(actor=OPERATOR, club=club, rated_games=RatedGames.BOTS)
    table = begun(rules, four)
    play_out(table, four)
    sheet = Scoresheet.objects.get()
    assert sheet.status == SheetStatus.FINISHED
    won = [games_over(each.user_id or 0, club)[0].won for each in four]
    assert won == [sheet.places[0] == 1] * 2 + [sheet.places[1] == 1] * 2
    assert ratings.rated_matches(club.pk) == []
    page = browser(four[0]).get(reverse("club_play", args=["harbour"])).content.decode()
    assert "Cid" in page
    assert ("won" if won[0] else "lost") in page


def test_bots_fill_seats_and_where_nobody_is_asked_it_begins_at_once(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, *_ = four
    table = offer_game(actor=by(ann), club=club, rules=rules, others=["simple", "steady", "simple"]).table
    assert table is not None
    names = list(table.sheet.seats.order_by("number").values_list("name", flat=True))
    assert names == ["Ann", "simple", "steady", "simple 2"]
    assert gives_hints(table), "one member alone plays, and it counts nowhere"
    page = browser(ann).get(reverse("club_play", args=["harbour"])).content.decode()
    assert f"friendly · {rules.name}" in " ".join(page.split()), "one of several tables is found by its game"
    with_bob = agreed(offered(rules, ann, "simple", bob, "simple"), bob)
    assert with_bob is not None
    accounts = list(with_bob.seats.order_by("number").values_list("account", flat=True))
    assert accounts == [ann.user_id, None, bob.user_id, None]
    # It thinks too long for a table at which several hands wait.
    refused("unknown_strategy", lambda: offered(rules, ann, "expert", "simple", "simple"))


def test_who_cannot_sit_there_is_refused(club: Club, rules: HouseRules, four: Sequence[Player]) -> None:
    ann, bob, cid, _dot = four
    refused("same_member", lambda: offered(rules, ann, bob, cid, bob))
    refused("same_member", lambda: offered(rules, ann, bob, cid, ann))
    refused("no_account", lambda: offered(rules, ann, bob, cid, PlayerFactory.create(club=club)))
    refused("no_account", lambda: offered(rules, ann, bob, cid, member(PlayerFactory.create().club, "Far")))
    refused("wrong_number", lambda: offered(rules, ann, bob, cid))
    three = make_club_rules(actor=OPERATOR, club=club, name="Three", rules=Rules.preset("cutthroat")).rules
    assert (rules_to_play(club, 2), rules_to_play(club, 3)) == ([rules], [three])
    assert rules_to_play(club, 4) == [rules, three]
    refused("wrong_number", lambda: offered(three, ann, bob))
    assert not GameOffer.objects.exists()


def test_games_and_offers_at_once_are_bounded_as_those_of_two(
    club: Club, rules: HouseRules, four: Sequence[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, cid, dot = four
    monkeypatch.setattr(lobbies, "MOST_OFFERS", 1)
    monkeypatch.setattr(friendlies, "MOST_TABLES", 1)
    offer = offered(rules, *four)
    refused("too_many", lambda: offered(rules, *four))
    busy = play_bot(actor=by(dot), club=club, bot="simple", rules=rules)
    agreed(offer, bob, dot)
    refused("too_many", lambda: agreed(offer, cid))
    assert GameOffer.objects.get().state == OfferState.OPEN
    break_off(actor=by(dot), table=busy)
    table = agreed(offer, cid)
    assert table is not None
    refused("too_many", lambda: play_bot(actor=by(bob), club=club, bot="simple", rules=rules))
    break_off(actor=by(bob), table=table)
    assert Scoresheet.objects.get(pk=table.sheet_id).status == SheetStatus.VOID
    play_bot(actor=by(ann), club=club, bot="simple", rules=rules)


def test_an_offer_of_teams_ends_when_one_declines_or_it_is_taken_back(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, dot = four
    offer = offered(rules, *four)
    refused("not_allowed", lambda: decline_offer(actor=by(member(club, "Eve")), offer=offer))
    refused("not_allowed", lambda: withdraw_offer(actor=by(bob), offer=offer))
    assert (offers_seen(club, [ann]), offers_seen(club, [dot])) == ([offer], [offer])
    agreed(offer, bob)
    assert [list(offers_to_answer(club, [one])) for one in (bob, cid)] == [[], [offer]]
    decline_offer(actor=by(cid), offer=offer)
    refused("offer_over", lambda: agreed(offer, dot))
    again = offered(rules, *four)
    withdraw_offer(actor=by(ann), offer=again)
    states = list(GameOffer.objects.order_by("pk").values_list("state", flat=True))
    assert states == [OfferState.DECLINED, OfferState.WITHDRAWN]
    assert offers_seen(club, [ann]) == []


def test_who_goes_takes_offers_of_teams_with_him(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, dot = four
    offered(rules, *four)
    assert dot.user is not None
    assert ann.user is not None
    (own,) = own_data(dot.user)["players"]
    assert [(row["by"], row["agreed_at"]) for row in own["games_offered_by_others"]] == [("Ann", None)]
    leave_club(user=dot.user, club=club)
    assert not GameOffer.objects.exists()
    eve = member(club, "Eve")
    offered(rules, ann, bob, cid, eve)
    erase_person(actor=OPERATOR, player=eve)
    assert not GameOffer.objects.exists()
    offered(rules, ann, bob, cid, "simple")
    merge_players(actor=OPERATOR, keep=PlayerFactory.create(club=club), drop=bob)
    assert not GameOffer.objects.exists()


def test_the_page_leads_from_the_invitation_to_the_table(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, _dot = four
    address = reverse("club_play", args=["harbour"])
    asked = {
        "do": "offer",
        "seats": "4",
        "seat_2": bob.code,
        "seat_3": cid.code,
        "seat_4": "bot:simple",
        "rules": rules.code,
    }
    assert browser(ann).post(address, {**asked, "seat_3": bob.code}).status_code == 422
    assert browser(ann).post(address, asked).status_code == 302
    offer = GameOffer.objects.get()
    for one in (ann, bob, cid):
        page = browser(one).get(address).content.decode()
        assert page.count(">asked<") == 2
        assert "simple (bot)" in page
        assert ('name="take"' in page) == (one != ann)
        assert ('name="withdraw"' in page) == (one == ann)
    assert "You are offered a game" in browser(cid).get(reverse("club_me", args=["harbour"])).content.decode()
    assert browser(cid).post(address, {"take": offer.code}).headers["Location"] == address
    answer = browser(bob).post(address, {"take": offer.code})
    table = TableMatch.objects.get()
    assert answer.headers["Location"] == f"/play/{table.code}/"
    assert browser(ann).get(f"/play/{table.code}/").status_code == 200
    listed = " ".join(browser(ann).get(address).content.decode().split())
    assert "Cid + simple (bot)" in listed


@pytest.fixture
def jersey(club: Club) -> HouseRules:
    preset = Rules.preset("jersey")
    return make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=preset).rules


@pytest.fixture
def rummy(club: Club) -> HouseRules:
    preset = Rules.preset("basic_rummy")
    return make_club_rules(actor=OPERATOR, club=club, name="Rummy", rules=preset).rules


def test_a_table_of_three_has_a_clock_by_which_turns_are_played_and_none_by_which_one_loses(
    club: Club, jersey: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, _dot = four
    offers = partial(offer_game, actor=by(ann), club=club, rules=jersey, others=[bob, cid])
    refused("no_forfeit", partial(offers, clock="correspondence"))
    table = agreed(offers(clock="lively").offer, bob, cid)
    assert table is not None
    assert table.clock == PRESETS["lively"].to_document()


@pytest.mark.usefixtures("mails")
def test_a_table_of_three_is_open_to_whoever_comes_first(
    club: Club, jersey: HouseRules, four: Sequence[Player]
) -> None:
    """One is asked by name and one seat is open; who takes it may leave it to another."""
    ann, bob, cid, dot = four
    offer = offered(jersey, ann, bob, Wanted.ANYBODY)
    assert set(Notice.objects.filter(kind="game").values_list("user", flat=True)) == {bob.user_id}
    assert [offers_seen(club, [each]) for each in four] == [[offer]] * 4
    refused("offered", lambda: offered(jersey, ann, bob, Wanted.ANYBODY))
    assert agreed(offer, cid) is None
    refused("seat_taken", lambda: agreed(offer, dot))
    assert offers_seen(club, [dot]) == []
    decline_offer(actor=by(cid), offer=offer)
    assert agreed(offer, dot) is None
    refused("seat_taken", lambda: agreed(offer, cid))
    table = agreed(offer, bob)
    assert table is not None
    assert list(table.seats.order_by("number").values_list("account", flat=True)) == [
        each.user_id for each in (ann, bob, dot)
    ]
    assert [side.name for side in table.sheet.sides.order_by("position")] == ["Ann", "Bob", "Dot"]
    (own,) = own_tables(dot.user_id or 0, club)
    assert [name for _player, name, _guest in own.others] == ["Ann", "Bob"]
    refused("offer_over", lambda: agreed(offer, cid))


def test_who_offers_it_begins_with_those_who_are_there_where_so_many_play(
    rummy: HouseRules, jersey: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, dot = four
    offer = offered(rummy, ann, bob, cid, dot, "novice")
    agreed(offer, bob)
    refused("not_allowed", lambda: begin_game(actor=by(bob), offer=offer))
    decline_offer(actor=by(cid), offer=offer)
    lobby = lobby_of(GameOffer.objects.get(pk=offer.pk), [ann])
    assert (lobby.may_begin, [len(side) for side in lobby.sides]) == (True, [1] * 5)
    table = begin_game(actor=by(ann), offer=offer)
    assert list(table.sheet.seats.order_by("number").values_list("name", flat=True)) == [
        "Ann",
        "Bob",
        "novice",
    ]
    refused("offer_over", lambda: agreed(offer, dot))
    of_three = offered(jersey, ann, bob, Wanted.ANYBODY)
    agreed(of_three, bob)
    refused("wrong_number", lambda: begin_game(actor=by(ann), offer=of_three))
    assert not lobby_of(of_three, [ann]).may_begin
    # Without one of three nobody plays by these rules.
    decline_offer(actor=by(bob), offer=of_three)
    refused("offer_over", lambda: agreed(of_three, cid))


def test_of_teams_nobody_gets_another_partner_by_beginning_without_some(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, cid, dot = four
    eve, fay = member(club, "Eve"), member(club, "Fay")
    offer = offered(rules, ann, bob, cid, dot, eve, fay)
    agreed(offer, dot, eve)
    # Ann alone of her three is there.
    refused("wrong_number", lambda: begin_game(actor=by(ann), offer=offer))
    agreed(offer, bob)
    table = begin_game(actor=by(ann), offer=offer)
    assert [side.name for side in table.sheet.sides.order_by("position")] == ["Ann + Bob", "Dot + Eve"]


def test_where_one_sits_out_all_seats_are_members_too(club: Club, four: Sequence[Player]) -> None:
    preset = Rules.preset("captains")
    captains = make_club_rules(actor=OPERATOR, club=club, name="Captains", rules=preset).rules
    ann, bob, cid, _dot = four
    offer = offered(captains, ann, bob, cid)
    table = agreed(offer, bob, cid)
    assert table is not None
    assert sorted(len(side.seats.all()) for side in table.sheet.sides.all()) in ([1, 2], [1, 1, 1])
    assert table.seats.count() == 3


def test_guests_take_seats_by_their_links_and_wait_for_the_others(
    club: Club, jersey: HouseRules, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, *_ = four
    made = offer_game(actor=by(ann), club=club, rules=jersey, others=[Wanted.GUEST, Wanted.ANYBODY])
    (secret,) = made.secrets
    address, zoe = reverse("guest_seat", args=[secret]), Client()
    assert zoe.post(address, {"name": "Zoe"}).headers["Location"] == address
    waiting = zoe.get(address).content.decode()
    assert "You have a seat, Zoe." in waiting
    assert "One player is still missing." in waiting
    seat = guest_seat(secret)
    assert seat is not None
    refused("offer_over", lambda: sit_down_as_guest(seat=seat, name="Yan"))
    assert "Zoe (guest)" in browser(bob).get(reverse("club_play", args=["harbour"])).content.decode()
    table = agreed(made.offer, bob)
    assert table is not None
    assert zoe.get(address).headers["Location"] == f"/play/{table.code}/"
    assert 'id="at-table"' in zoe.get(f"/play/{table.code}/").content.decode()
    assert list(table.seats.order_by("number").values_list("is_guest", flat=True)) == [False, True, False]
    # A link lets in to a side, in which another guest's seat would be open to it.
    wanted = [Wanted.ANYBODY, Wanted.GUEST, Wanted.GUEST]
    refused("two_guests", lambda: offer_game(actor=by(ann), club=club, rules=rules, others=wanted))
    apart = offer_game(actor=by(ann), club=club, rules=rules, others=[Wanted.GUEST, "simple", Wanted.GUEST])
    seats = [guest_seat(each) for each in apart.secrets]
    assert all(seats)
    first, second = [each for each in seats if each is not None]
    sit_down_as_guest(seat=first, name="Zoe")
    refused("known_name", lambda: sit_down_as_guest(seat=second, name="zoe"))
    of_teams = sit_down_as_guest(seat=second, name="Yan")
    assert of_teams is not None
    assert [side.name for side in of_teams.sheet.sides.order_by("position")] == ["Ann + Zoe", "simple + Yan"]


def test_who_goes_frees_the_open_seat_that_he_took(jersey: HouseRules, four: Sequence[Player]) -> None:
    ann, bob, cid, dot = four
    offer = offered(jersey, ann, Wanted.ANYBODY, Wanted.ANYBODY)
    agreed(offer, bob)
    erase_person(actor=OPERATOR, player=bob)
    assert agreed(offer, cid) is None
    assert agreed(offer, dot) is not None


def test_a_table_of_three_is_two_steps_on_the_page(
    club: Club, rules: HouseRules, jersey: HouseRules, four: Sequence[Player]
) -> None:
    """The number of players leads to a form that is filled in already: all seats are open."""
    address, ann = reverse("club_play", args=["harbour"]), browser(four[0])
    first = ann.get(address).content.decode()
    assert all(f'href="?seats={number}#others"' in first for number in (2, 3, 4))
    assert 'href="?seats=5#others"' not in first
    form = ann.get(address, {"seats": "3"}).content.decode()
    assert 'name="seat_3"' in form
    assert 'name="seat_4"' not in form
    assert "is_rated" not in form
    answer = ann.post(address, {"do": "offer", "seats": "3", "rules": jersey.code})
    assert answer.status_code == 302
    seats = GameOffer.objects.get().seats.values_list("number", "is_open")
    assert list(seats) == [(1, True), (2, True)]
    said = ann.get(address, {"seats": "4"}).content.decode()
    assert "Pairs: seat 2 is your partner." in said
    bob, cid = browser(four[1]), browser(four[2])
    code = GameOffer.objects.get().code
    assert bob.post(address, {"take": code}).headers["Location"] == address
    assert cid.post(address, {"take": code}).headers["Location"] == f"/play/{TableMatch.objects.get().code}/"


@pytest.mark.usefixtures("mails")
def test_who_offers_a_game_is_told_who_declines(
    club: Club, rules: HouseRules, four: Sequence[Player]
) -> None:
    ann, bob, _cid, _dot = four
    assert ann.user is not None
    decline_offer(actor=by(bob), offer=offered(rules, *four))
    said = said_by(Notice.objects.get(kind="game", user=ann.user), ann.user, names_for(ann.user, club))
    assert said is not None
    assert said.lines[0] == "Bob does not play: Pairs, one game to 125."


@pytest.mark.parametrize("name", ["club_play", "club_me"])
def test_pages_ask_as_often_however_many_tables_one_plays_at(
    club: Club, rules: HouseRules, four: Sequence[Player], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of each kind one, then four: against a bot, a member, and of two teams; and as many on offer."""
    monkeypatch.setattr(friendlies, "MOST_TABLES", 12)
    ann, bob = four[:2]
    client, address = browser(ann), reverse(name, args=["harbour"])
    counts = []
    for more in (1, 3):
        for _ in range(more):
            play_bot(actor=by(ann), club=club, bot="simple", rules=rules)
            agreed(offered(rules, bob, ann), ann)
            begun(rules, four)
            offered(rules, ann, Wanted.GUEST)
        client.get(address)
        with CaptureQueriesContext(connection) as asked:
            client.get(address)
        counts.append(len(asked))
    assert len(own_tables(ann.user_id or 0, club)) == 12
    assert counts[0] == counts[1]
