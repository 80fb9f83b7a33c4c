"""Friendly games on this site: a bot at once, an offer that a member takes, and what becomes of them."""

import datetime
from functools import partial

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch
from games.services import keep_clocks, table_state
from league.events.house_rules import make_club_rules
from league.events.leaving import leave_club
from league.matches.club_sheets import open_club_sheet
from league.matches.member_tables import begin_table
from league.matches.offers import offers_seen
from league.models import AuditEntry, Club, ClubRules, GameOffer, Notice, OfferState, Player
from league.notices.words import said_by
from league.people import friendlies, lobbies
from league.people.daily_hands import daily_rules
from league.people.erasing import erase_person
from league.people.friendlies import (
    break_off,
    end_game,
    own_tables,
    play_bot,
    rules_to_play,
)
from league.people.lobbies import Wanted, decline_offer, offer_game, withdraw_offer
from league.people.players import merge_players
from league.policy.naming import names_for
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import ActKind, Scoresheet, Seat, SheetStatus
from scoring.services import record_deals
from tests.factories import OPERATOR, PlayerFactory, won
from tests.league.table_players import QUICK, browser, by, member, plain_text, play_on, refused, taken

pytestmark = pytest.mark.django_db


def offered(by_whom: Player, rules: ClubRules, to: Player | None = None) -> GameOffer:
    others = [to or Wanted.ANYBODY]
    return offer_game(actor=by(by_whom), club=by_whom.club, rules=rules.rules, others=others).offer


def test_member_plays_a_bot_at_once(club: Club, own_rules: ClubRules, ann: Player) -> None:
    """The form names what may be chosen; the table is a sheet of the club on which nobody else records."""
    client, address = browser(ann), reverse("club_play", args=["harbour"])
    page = client.get(address).content.decode()
    assert "novice" in page
    # A level is of a bot that has levels; `simple` plays as it does.
    asked = {"do": "bot", "bot": "simple", "level": "2", "rules": own_rules.rules.code}
    answer = client.post(address, asked)
    table = TableMatch.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/play/{table.code}/")
    sheet = table.sheet
    assert sheet.exhibition.club == club
    assert list(sheet.seats.order_by("number").values_list("name", "person")) == [
        ("Ann", ann.code),
        ("simple", ""),
    ]
    with pytest.raises(ScoringError):
        record_deals(actor=by(ann), sheet=sheet, deals=[won("Ann", "simple", 20)])
    told = table_state(actor=by(ann), match=table, seat=0)
    (own,) = own_tables(ann.user_id or 0, club)
    # The bot has moved already if it was its turn.
    assert told["hand"]["turn"] == 0
    assert own.is_turn
    assert (own.others, own.is_friendly) == (((None, "simple", False),), True)
    for name in ("club", "club_me"):
        assert (
            reverse("club_play", args=["harbour"])
            in client.get(reverse(name, args=["harbour"])).content.decode()
        )
    assert f"/play/{table.code}/" in client.get(reverse("club_me", args=["harbour"])).content.decode()
    assert not club.events.filter(matches__sheet=sheet).exists()


def test_member_plays_a_bot_that_thinks_at_the_level_he_chooses(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    asked = {"do": "bot", "bot": "expert", "level": "2", "rules": own_rules.rules.code}
    assert browser(ann).post(reverse("club_play", args=["harbour"]), asked).status_code == 302
    bot = TableMatch.objects.get().seats.get(account=None).bot
    assert bot is not None
    assert (bot["strategy"], bot["level"]) == ("expert", 2)


def test_what_cannot_be_played_is_refused_beside_the_form(
    club: Club, own_rules: ClubRules, ann: Player, director: Actor
) -> None:
    three = make_club_rules(actor=director, club=club, name="Of three", rules=Rules.preset("cutthroat"))
    assert rules_to_play(club) == [own_rules.rules]
    refused("wrong_number", lambda: play_bot(actor=by(ann), club=club, bot="simple", rules=three.rules))
    refused("wrong_number", lambda: offered(ann, three))
    expert = partial(play_bot, actor=by(ann), club=club, bot="expert", rules=own_rules.rules)
    refused("level_out_of_range", lambda: expert(level=99))
    refused("unknown_strategy", lambda: play_bot(actor=by(ann), club=club, bot="x", rules=own_rules.rules))
    refused("no_player", lambda: play_bot(actor=director, club=club, bot="simple", rules=own_rules.rules))
    assert not Scoresheet.objects.exists()
    answer = browser(ann).post(
        reverse("club_play", args=["harbour"]), {"do": "bot", "bot": "expert", "level": "99"}
    )
    assert answer.status_code == 422


def test_rummy_is_a_friendly_game_of_two_and_never_the_hand_of_the_day(
    club: Club, ann: Player, bob: Player, director: Actor
) -> None:
    rummy = make_club_rules(
        actor=director, club=club, name="Rummy", rules=Rules.preset("standard", kind="basic_rummy")
    )
    assert (rules_to_play(club), daily_rules(club)) == ([rummy.rules], [])
    table = taken(bob, GameOffer.objects.get(pk=offered(ann, rummy).pk))
    told = table_state(actor=by(ann), match=table, seat=0)
    assert (told["hand"]["counts"], told["hand"]["melds"]) == ([10, 10], [])
    page = browser(ann).get(reverse("play_table", args=[table.code])).content.decode()
    assert "Nothing is laid down yet." in page
    bots = partial(play_bot, actor=by(ann), club=club, rules=rummy.rules)
    refused("not_played", lambda: bots(bot="expert"))
    assert bots(bot="steady").seats.count() == 2


def test_games_at_once_are_bounded_and_broken_off(
    club: Club, own_rules: ClubRules, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(friendlies, "MOST_TABLES", 1)
    first = play_bot(actor=by(ann), club=club, bot="simple", rules=own_rules.rules)
    refused("too_many", lambda: play_bot(actor=by(ann), club=club, bot="simple", rules=own_rules.rules))
    offer = offered(ann, own_rules)
    refused("too_many", lambda: taken(bob, offer))
    refused("not_allowed", lambda: break_off(actor=by(bob), table=first))
    break_off(actor=by(ann), table=first)
    refused("table_over", lambda: break_off(actor=by(ann), table=first))
    assert Scoresheet.objects.get().status == SheetStatus.VOID
    assert own_tables(ann.user_id or 0, club) == []
    taken(bob, offer)


@pytest.mark.parametrize("has_phrases", [False, True])
def test_in_friendly_games_set_phrases_are_as_the_club_says(
    club: Club, own_rules: ClubRules, ann: Player, bob: Player, *, has_phrases: bool
) -> None:
    Club.objects.filter(pk=club.pk).update(has_phrases=has_phrases)
    offer = GameOffer.objects.get(pk=offered(ann, own_rules).pk)
    assert taken(bob, offer).has_phrases == has_phrases


@pytest.mark.usefixtures("mails")
def test_offer_to_a_member_is_taken_or_declined_by_him_alone(
    club: Club, own_rules: ClubRules, ann: Player, bob: Player
) -> None:
    cid = member(club, "Cid")
    offer = offered(ann, own_rules, bob)
    assert [notice.user_id for notice in Notice.objects.filter(kind="game")] == [bob.user_id]
    assert [offers_seen(club, [each]) for each in (bob, cid, ann)] == [[offer], [], [offer]]
    refused("offered", lambda: offered(ann, own_rules, bob))
    refused("same_member", lambda: offered(ann, own_rules, ann))
    refused("not_allowed", lambda: taken(cid, offer))
    refused("same_member", lambda: taken(ann, offer))
    refused("not_allowed", lambda: decline_offer(actor=by(cid), offer=offer))
    refused("not_allowed", lambda: withdraw_offer(actor=by(bob), offer=offer))
    notice, reader = Notice.objects.get(kind="game"), bob.user
    assert reader is not None
    said = said_by(notice, reader, names_for(reader, club))
    assert said is not None
    assert said.lines == ("Ann: Ours, three games to 100.",)
    page = browser(bob).get(reverse("club_me", args=["harbour"])).content.decode()
    assert "You are offered a game" in page
    answer = browser(bob).post(reverse("club_play", args=["harbour"]), {"take": offer.code})
    table = TableMatch.objects.get()
    assert answer.headers["Location"] == f"/play/{table.code}/"
    assert list(table.seats.values_list("account", flat=True)) == [ann.user_id, bob.user_id]
    begun, host = Notice.objects.get(kind="game", user=ann.user), ann.user
    assert host is not None
    told = said_by(begun, host, names_for(host, club))
    assert told is not None
    assert told.lines == ("Your game with Bob has begun: Ours, three games to 100.",)
    seats = Seat.objects.filter(sheet=table.sheet).order_by("number")
    assert list(seats.values_list("person", flat=True)) == [ann.code, bob.code]
    again = offered(ann, own_rules, bob)
    decline_offer(actor=by(bob), offer=again)
    refused("offer_over", lambda: taken(bob, again))
    states = GameOffer.objects.order_by("pk").values_list("state", flat=True)
    assert said_by(notice, reader, names_for(reader, club)) is None
    assert list(states) == [OfferState.TAKEN, OfferState.DECLINED]


def test_open_offer_is_taken_once(club: Club, own_rules: ClubRules, ann: Player, bob: Player) -> None:
    cid = member(club, "Cid")
    offer = offered(ann, own_rules)
    late = GameOffer.objects.get(pk=offer.pk)
    table = taken(bob, offer)
    refused("offer_over", lambda: taken(cid, late))
    answer = browser(cid).post(reverse("club_play", args=["harbour"]), {"take": offer.code})
    assert answer.status_code == 422
    assert "Somebody has taken this game already" in answer.content.decode()
    assert list(TableMatch.objects.all()) == [table]


def test_a_game_has_the_clock_that_it_is_offered_with_and_who_lets_it_run_out_has_lost(
    club: Club, own_rules: ClubRules, ann: Player, bob: Player
) -> None:
    page = reverse("club_play", args=["harbour"])
    asked = {"do": "offer", "seat_2": bob.code, "rules": own_rules.rules.code, "clock": "correspondence"}
    with time_machine.travel(timezone.now(), tick=False) as time:
        assert browser(ann).post(page, asked).status_code == 302
        for one in (ann, bob):
            assert "3 days a turn" in browser(one).get(page).content.decode()
        table = taken(bob, GameOffer.objects.get())
        turn = table_state(actor=by(ann), match=table, seat=0)["turn"]
        assert table.deadline == timezone.now() + datetime.timedelta(days=3)
        time.shift(datetime.timedelta(days=3))
        keep_clocks(timezone.now())
        won = {player: friendlies.games_over(player.user_id or 0, club)[0].won for player in (ann, bob)}
        assert won == {(ann, bob)[turn]: False, (bob, ann)[turn]: True}
        late, other = ("Ann", "Bob") if turn == 0 else ("Bob", "Ann")
        for one in (ann, bob):
            said = plain_text(browser(one).get(f"/play/{table.code}/").content.decode())
            assert f"The time of {late} ran out. {other} wins." in said
            assert "time ran out" in browser(one).get(page).content.decode()
        # Without one nothing runs.
        table = taken(bob, offered(ann, own_rules))
        assert table.clock is None


def test_offers_are_bounded_and_end_with_who_made_them(
    club: Club, own_rules: ClubRules, ann: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobbies, "MOST_OFFERS", 2)
    first, second = offered(ann, own_rules), offered(ann, own_rules, bob)
    refused("too_many", lambda: offered(ann, own_rules, member(club, "Cid")))
    withdraw_offer(actor=by(ann), offer=first)
    assert offers_seen(club, [ann]) == [second]
    assert bob.user is not None
    leave_club(user=bob.user, club=club)
    assert not GameOffer.objects.filter(seats__player=bob).exists()
    offered(ann, own_rules, member(club, "Dan"))
    erase_person(actor=OPERATOR, player=ann)
    assert not GameOffer.objects.exists()


def test_offers_of_who_is_merged_are_gone(club: Club, own_rules: ClubRules, ann: Player) -> None:
    offered(ann, own_rules)
    merge_players(actor=OPERATOR, keep=PlayerFactory.create(club=club), drop=ann)
    assert not GameOffer.objects.exists()


def test_a_game_that_is_over_is_told_with_its_winner(club: Club, ann: Player, bob: Player) -> None:
    rules = make_club_rules(actor=OPERATOR, club=club, name="Short", rules=Rules(**QUICK))
    table = taken(bob, offered(ann, rules))
    play_on(table, ann, bob)
    sheet = Scoresheet.objects.get()
    assert sheet.status == SheetStatus.FINISHED
    over = {player: friendlies.games_over(player.user_id or 0, club)[0].won for player in (ann, bob)}
    assert over == {ann: sheet.places == [1, 2], bob: sheet.places == [2, 1]}
    assert own_tables(ann.user_id or 0, club) == []
    page = browser(ann).get(reverse("club_play", args=["harbour"])).content.decode()
    assert ("won" if over[ann] else "lost") in page


def test_a_director_ends_a_friendly_game_for_a_reason(
    club: Club, own_rules: ClubRules, ann: Player, director: Actor
) -> None:
    """It is noted on the sheet, which is void, and on the record; nobody else ends it so."""
    table = play_bot(actor=by(ann), club=club, bot="simple", rules=own_rules.rules)
    with pytest.raises(ScoringError) as refusal:
        end_game(actor=by(ann), table=table, reason="I lose.")
    assert refusal.value.code == "not_allowed"
    refused("reason_missing", lambda: end_game(actor=director, table=table, reason=" "))
    end_game(actor=director, table=table, reason="Ann has left.")
    sheet = Scoresheet.objects.get()
    assert sheet.status == SheetStatus.VOID
    assert sheet.acts.get(kind=ActKind.VOID).reason == "Ann has left."
    noted = AuditEntry.objects.get(action="table.end")
    assert (noted.club, noted.reason, noted.actor_name) == (club, "Ann has left.", director.name)
    assert own_tables(ann.user_id or 0, club) == []
    refused("table_over", lambda: end_game(actor=director, table=table, reason="Once more."))


def test_the_sheet_of_an_evening_is_written_on_after_a_director_has_ended_its_play(
    club: Club, own_rules: ClubRules, ann: Player, director: Actor
) -> None:
    sides = [SheetSide("Ann", ("Ann",)), SheetSide("Guest", ("Guest",))]
    sheet = open_club_sheet(actor=OPERATOR, club=club, rules=own_rules.rules, sides=sides)
    table = begin_table(actor=by(ann), sheet=sheet, bot="simple")
    end_game(actor=director, table=table, reason="With cards.")
    assert Scoresheet.objects.get().status == SheetStatus.OPEN
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Guest", 20)])


def test_a_sheet_that_a_scorekeeper_opened_is_not_broken_off(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    sides = [SheetSide("Ann", ("Ann",)), SheetSide("Guest", ("Guest",))]
    sheet = open_club_sheet(actor=OPERATOR, club=club, rules=own_rules.rules, sides=sides)
    table = begin_table(actor=by(ann), sheet=sheet, bot="simple")
    refused("not_allowed", lambda: break_off(actor=by(ann), table=table))
    assert Scoresheet.objects.get().status == SheetStatus.OPEN
