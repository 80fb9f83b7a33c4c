"""A director about a match played on this site: the hall's screen, warnings, and how long moves took."""

import datetime
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.core.serializers import serialize
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.arena.choices import shipped_choices
from games.bots import house_bot
from games.errors import GameError
from games.models import HandReport, TableHand, TableMatch, TableSeat
from games.services import act, agree_pause, ask_pause, keep_clocks, resume, say, table_state
from games.services.outages import beat_site
from games.tables.clocks import PRESETS
from games.tables.reports import appraisal_document
from league.draws.hall import hide_in_hall, is_in_hall, show_in_hall
from league.draws.online import play_online
from league.errors import LeagueError
from league.events.entries import reinstate_entry, withdraw_entry
from league.matches.member_tables import adjourn_for, conduct_of, end_table_for, let_go_on_for, warn_for
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    Match,
    Notice,
    NoticeKind,
    PlayedWhere,
    Player,
    Role,
)
from league.notices.delivery import deliver
from league.policy import actor_of
from league.record.audit import given_reason
from scoring.models import Scoresheet, SheetStatus
from scoring.services import correct_deals
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
)
from tests.games.test_clocks_of_tables import DEAD
from tests.games.test_reports_on_hands import BLUNDER, played, reported
from tests.league.table_players import by, member, play_on, playing, shown
from tests.league.test_sitting_in import drawn
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return playing()


def table_of(match: Match) -> TableMatch:
    return TableMatch.objects.get(sheet=match.sheet)


def players_of(match: Match) -> list[Player]:
    found = match.appearances.select_related("player__user").order_by("side")
    return [seat.player for seat in found]


def browser(match: Match, role: Role | None = None) -> Client:
    return logged_in(UserFactory.create(club=match.event.club, role=role)) if role is not None else Client()


def signed_in(player: Player) -> Client:
    return logged_in(player.user)


def conduct_page(match: Match) -> str:
    return reverse("match_conduct", args=[match.event.club.slug, match.event.slug, match.code])


def read(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def screen(match: Match, client: Client | None = None) -> str:
    address = reverse("event_screen", args=[match.event.club.slug, match.event.slug])
    return read(client or Client(), address)


def on_a_clock(club: Club) -> tuple[Match, list[Player]]:
    """Such a match with a clock by which a hand is lost, and its players."""
    ann, bob = (member(club, name) for name in ("Ann", "Bob"))
    match = drawn(None, ann, bob, online_clock="lively", online_time_out="lose_hand")
    play_online(actor=by(ann), match=match)
    return Match.objects.get(pk=match.pk), [ann, bob]


def look_after_clocks(*hours: int) -> None:
    """Look after clocks so many hours from now, in a site that was never down."""
    for hour in hours:
        now = timezone.now() + datetime.timedelta(hours=hour)
        beat_site(now)
        keep_clocks(now)


def play_a_hand(match: Match) -> TableHand:
    """Plays until a hand is over, by rules under which whoever has drawn may knock."""
    table, players = table_of(match), players_of(match)
    for number in range(500):
        over = TableHand.objects.filter(match=table, is_over=True).first()
        if over is not None:
            return over
        told = [table_state(actor=by(player), match=table, seat=at) for at, player in enumerate(players)]
        seat = told[0]["turn"]
        legal = told[seat]["hand"]["legal"]
        action = next((each for each in legal if each.startswith("knock")), legal[-1])
        act(
            actor=by(players[seat]),
            match=table,
            seat=seat,
            version=told[seat]["version"],
            action=action,
            key=f"{number}",
        )
    raise AssertionError("The hand does not end.")


# -- ways between the pages ---------------------------------------------------------------------------------


def match_page(match: Match) -> str:
    return reverse("match", args=[match.event.club.slug, match.event.slug, match.code])


def test_spectators_come_from_the_match_to_its_table_and_hands_that_are_over_with_their_proof() -> None:
    match = playing(target=500)
    hand, table = play_a_hand(match), reverse("play_table", args=[table_of(match).code])
    assert f'href="{table}"' in read(Client(), match_page(match))
    replay = reverse("play_hand", args=[table_of(match).code, hand.deal])
    assert f'href="{replay}"' in read(Client(), table)
    assert hand.pack in read(Client(), replay)
    # So it stays once play is over.
    end_table_for(actor=OPERATOR, match=table_of(match), reason="It is late.")
    assert f'href="{table}"' in read(Client(), match_page(match))
    assert f'href="{replay}"' in read(Client(), table)


def test_no_link_to_the_table_for_who_may_not_see_the_sheet() -> None:
    match = playing(target=500)
    match.event.holds_results = True
    match.event.save()
    page, table = match_page(match), reverse("play_table", args=[table_of(match).code])
    assert Client().get(table).status_code == 302
    assert f'href="{table}"' not in read(Client(), page)
    assert f'href="{table}"' in read(signed_in(players_of(match)[0]), page)


def test_directors_alone_are_led_to_how_a_match_is_played() -> None:
    match = playing(target=500)
    link = f'href="{conduct_page(match)}"'
    for page in (match_page(match), reverse("play_table", args=[table_of(match).code])):
        assert link in read(browser(match, Role.DIRECTOR), page)
        for other in (Client(), browser(match, Role.SCOREKEEPER), signed_in(players_of(match)[0])):
            assert link not in read(other, page)
    acts = reverse("admin:league_match_change", args=[match.pk])
    assert f'href="{acts}"' in read(browser(match, Role.DIRECTOR), conduct_page(match))


# -- the hall's screen --------------------------------------------------------------------------------------


def test_the_screen_shows_the_match_that_a_director_chose_and_no_card_before_the_hand_is_over() -> None:
    match = playing(target=500)
    assert "is being played" not in screen(match)
    show_in_hall(actor=OPERATOR, match=match)
    match.refresh_from_db()
    assert is_in_hall(match)
    shown = screen(match)
    assert "deal 1 is being played" in shown
    assert "The first hand is shown when it is over." in shown
    # Also to a player who opens it: he sees no hand of his own there.
    own = signed_in(players_of(match)[0])
    for told in (shown, screen(match, own)):
        assert 'class="face' not in told
        assert "playing-card" not in told
    play_a_hand(match)
    told = screen(match)
    assert "deal 2 is being played" in told
    assert told.count('class="laid"') == 2
    hide_in_hall(actor=OPERATOR, match=match)
    assert 'class="face' not in screen(match)
    with refuses(LeagueError, "not_shown"):
        hide_in_hall(actor=OPERATOR, match=match)
    assert [each.action for each in AuditEntry.objects.filter(action="event.hall")] == ["event.hall"] * 2


def test_the_screen_shows_a_match_only_while_it_is_played(match: Match) -> None:
    show_in_hall(actor=OPERATOR, match=match)
    adjourn_for(actor=OPERATOR, match=table_of(match), reason="Ann fell ill.")
    told = screen(match)
    assert "Play is adjourned." in told
    assert "is being played" not in told
    assert "Ann fell ill." not in told
    TableMatch.objects.update(is_live=False, adjourned_at=None)
    assert "panel-hall" not in screen(match)
    with refuses(LeagueError, "not_live"):
        show_in_hall(actor=OPERATOR, match=match)


def test_the_screen_says_that_the_players_have_agreed_on_a_pause() -> None:
    match, now = playing(target=500), timezone.now()
    clock = PRESETS["correspondence"]
    since = {"turn_since": now, "deadline": now + datetime.timedelta(seconds=clock.turn_seconds)}
    TableMatch.objects.update(clock=clock.to_document(), **since)
    show_in_hall(actor=OPERATOR, match=match)
    first, second = players_of(match)
    ask_pause(actor=by(first), match=table_of(match), seat=0)
    assert "deal 1 is being played" in screen(match)
    agree_pause(actor=by(second), match=table_of(match), seat=1)
    told = screen(match)
    assert "Play is paused." in told
    assert "is being played" not in told
    resume(actor=by(second), match=table_of(match), seat=1)
    told = screen(match)
    assert "Play is paused." not in told
    assert "deal 1 is being played" in told


def test_the_screen_shows_nothing_of_a_night_whose_results_are_hidden(match: Match) -> None:
    show_in_hall(actor=OPERATOR, match=match)
    Event.objects.update(holds_results=True)
    assert "panel-hall" not in screen(match)
    match.event.refresh_from_db()
    with refuses(LeagueError, "withheld"):
        show_in_hall(actor=OPERATOR, match=match)


# -- directing ----------------------------------------------------------------------------------------------


def test_both_players_read_at_the_table_why_it_is_adjourned_and_spectators_that_it_is(match: Match) -> None:
    Club.objects.update(is_public=True)
    table = table_of(match)
    adjourn_for(actor=OPERATOR, match=table, reason="The hall is closing.")
    address = reverse("play_table", args=[table.code])
    own = signed_in(players_of(match)[0])
    assert "The hall is closing." in read(own, address)
    assert "The hall is closing." in shown(own, match)
    watched = read(Client(), address)
    assert "Play is adjourned." in watched
    assert "The hall is closing." not in watched
    let_go_on_for(actor=OPERATOR, match=table)
    assert "Play is adjourned." not in read(own, address)
    noted = AuditEntry.objects.filter(action__startswith="table.").order_by("pk")
    assert [(each.action, each.reason) for each in noted] == [
        ("table.adjourn", "The hall is closing."),
        ("table.go_on", ""),
    ]


def test_who_is_warned_reads_it_at_the_table_and_directors_on_the_page(match: Match) -> None:
    table = table_of(match)
    warn_for(actor=OPERATOR, match=table, seat=1, reason="Please play on.")
    address = reverse("play_table", args=[table.code])
    for at, player in enumerate(players_of(match)):
        assert ("Please play on." in read(signed_in(player), address)) == (at == 1)
    assert "Please play on." in read(browser(match, Role.DIRECTOR), conduct_page(match))
    assert AuditEntry.objects.get(action="table.warn").reason == "Please play on."


@pytest.mark.parametrize("role", [None, Role.MEMBER, Role.SCOREKEEPER])
def test_only_directors_read_how_long_moves_took(match: Match, role: Role | None) -> None:
    Club.objects.update(is_public=True)
    assert browser(match, role).get(conduct_page(match)).status_code == 404


def test_a_director_reads_how_long_moves_took(match: Match) -> None:
    play_a_hand(match)
    told = read(browser(match, Role.DIRECTOR), conduct_page(match))
    assert told.count("How long a move took</h3>") == 2
    assert "The figures accuse nobody" in told
    assert "Under 1 s" in told
    assert "Half took less than" in told


def test_a_director_reads_how_far_choices_agree_once_play_is_over_but_no_choice() -> None:
    match = playing(target=500)
    director = browser(match, Role.DIRECTOR)
    hand = play_a_hand(match)
    # One of two agrees, after adding two and two 3 of 6: 50 % ± √(¼ / 6). They cost 0 and 4.25 points.
    choices = [None, *map(appraisal_document, (BLUNDER, BLUNDER._replace(better=None, cost=0.0)))]
    HandReport.objects.create(hand=hand, seat=0, choices=choices, discards=2, discard_cost=BLUNDER.cost)
    told = read(director, conduct_page(match))
    assert "Shown once play is over." in told
    assert "50 %" not in told
    end_table_for(actor=OPERATOR, match=table_of(match), reason="They went home.")
    told = read(director, conduct_page(match))
    row = re.search(r'<th scope="row">Ann</th>(.*?)</tr>', told)
    assert row is not None
    figures = re.sub(r"<[^>]+>", " ", row[1]).split()
    assert figures == ["2", "50", "%", "±20", "%", "2.13", "±2.13"]
    assert "One hand is still to be weighed." in told
    assert "Good players agree often" in told
    for bot in shipped_choices().bots:
        assert f"{bot.agreement.mean_cost:.2f}" in told
    assert "7♠" not in told
    assert "7S" not in told


def failing(settings: Any, club: Club) -> Match:
    """A match of Ann against Rob, a bot that has failed in the first deal."""
    settings.BOT_STRATEGIES = ["tests.games.bad_bots.CLUELESS"]
    ann, bot = member(club, "Ann"), PlayerFactory.create(club=club, name="Rob", strategy="simple")
    event = EventFactory.create(club=club, played=PlayedWhere.ONLINE)
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (ann, bot)]
    drawn = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    table = play_online(actor=by(ann), match=drawn)
    TableSeat.objects.filter(match=table, number=1).update(
        bot={"strategy": "clueless", "level": None, "samples": None}
    )
    told = table_state(actor=by(ann), match=table, seat=0)
    legal = told["hand"]["legal"]
    action = "pass" if "pass" in legal else legal[0]
    with refuses(GameError, "bot_failed"):
        act(actor=by(ann), match=table, seat=0, version=told["version"], action=action, key="a")
    return drawn


def test_beside_a_match_stand_its_members_matches_of_the_club_and_no_friendly_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The package has a function of the module's name.
    monkeypatch.setattr(import_module("games.services.conduct"), "LEAST_FORMER", 1)
    match = playing()
    User.objects.update(is_superuser=True)
    ann = by(players_of(match)[0])
    in_event, friendly, now = (played(ann, house_bot("simple")) for _table in range(3))
    for each in (in_event, friendly):
        reported(each)
    before = MatchFactory.create(event=match.event, round=match.round)
    for played_in, table in ((before, in_event), (match, now)):
        Match.objects.filter(pk=played_in.pk).update(sheet=table.sheet)
    TableMatch.objects.update(is_live=False)
    now.refresh_from_db()
    (noted,) = conduct_of(match, now)
    assert noted.former is not None
    assert noted.former.matches == 1


def test_a_bot_that_fails_in_a_match_is_told_to_the_director_by_name(settings: Any, club: Club) -> None:
    drawn = failing(settings, club)
    table = table_of(drawn)
    noted = AuditEntry.objects.get(action="table.adjourn")
    assert (noted.club, noted.actor_name, noted.reason) == (club, "the table", "Rob failed in deal 1.")
    director = browser(drawn, Role.DIRECTOR)
    assert "Rob failed in deal 1." in read(director, conduct_page(drawn))
    assert "(adjourned)" in read(director, "/admin/league/match/?here=adjourned")
    assert "Rob failed in deal 1." in read(director, f"/admin/league/match/{drawn.pk}/let-go-on/")
    let_go_on_for(actor=OPERATOR, match=table)
    assert "(adjourned)" not in read(director, "/admin/league/match/?here=live")
    assert f"/admin/league/match/{drawn.pk}/" not in read(director, "/admin/league/match/?here=adjourned")


# -- directors are told ------------------------------------------------------------------------------------


def letters() -> dict[str, tuple[str, str]]:
    """Subject and text of what is delivered now, by whom it is for."""
    mail.outbox.clear()
    deliver()
    return {each.to[0]: (str(each.subject), " ".join(str(each.body).split())) for each in mail.outbox}


@pytest.mark.usefixtures("mails")
def test_directors_are_told_that_a_failed_bot_stopped_play_with_the_act_that_helps(
    settings: Any, club: Club
) -> None:
    """Neither players nor other officers are; and nobody once play goes on."""
    for role in (Role.DIRECTOR, Role.SCOREKEEPER):
        UserFactory.create(club=club, role=role, email=f"{role}@a.test")
    drawn = failing(settings, club)
    told = letters()
    assert list(told) == ["director@a.test"]
    subject, said = told["director@a.test"]
    assert subject == f"{club}: Play waits for a director: {drawn.label}, {drawn.event.name}"
    assert "Ann v Rob (bot): play is adjourned. Rob failed in deal 1. Nobody moves until a director" in said
    (page,) = re.findall(r"/admin/league/match/\S+", said)
    assert page == f"/admin/league/match/{drawn.pk}/let-go-on/"
    assert "Rob failed in deal 1." in read(browser(drawn, Role.DIRECTOR), page)


@pytest.mark.usefixtures("mails")
@pytest.mark.parametrize("by_clock", [True, False])
def test_play_stops_once_where_the_sheet_does_not_take_what_was_played(club: Club, by_clock: bool) -> None:
    """A side has withdrawn during the first hand: it cannot be recorded, by whatever way it ends."""
    UserFactory.create(club=club, role=Role.DIRECTOR, email="director@a.test")
    match, (ann, bob) = on_a_clock(club)
    table, gone = table_of(match), Entry.objects.get(event=match.event, name="Bob")
    withdraw_entry(actor=OPERATOR, entry=gone, reason="He has to go.")
    if by_clock:
        look_after_clocks(1, 2)
    else:
        with refuses(LeagueError, "withdrawn"):
            play_on(table, ann, bob)
    table.refresh_from_db()
    assert (table.is_live, table.deadline) == (True, None)
    assert table.adjourned_note.startswith("Deal 1 cannot be recorded: Bob has withdrawn:")
    assert "Deal 1 cannot be recorded" in read(signed_in(ann), reverse("play_table", args=[table.code]))
    assert signed_in(ann).get(reverse("club_play", args=[club.slug])).status_code == 200
    assert "play is adjourned. Deal 1 cannot be recorded" in letters()["director@a.test"][1]
    reinstate_entry(actor=OPERATOR, entry=gone, reason="He is back.")
    let_go_on_for(actor=OPERATOR, match=table)
    look_after_clocks(3)
    assert Scoresheet.objects.get(table_match=table).deal_count == 1


@pytest.mark.usefixtures("mails")
def test_of_play_that_goes_on_meanwhile_nobody_is_told(settings: Any, club: Club) -> None:
    UserFactory.create(club=club, role=Role.DIRECTOR, email="director@a.test")
    drawn = failing(settings, club)
    end_table_for(actor=OPERATOR, match=table_of(drawn), reason="Played with cards.")
    assert letters() == {}


@pytest.mark.usefixtures("mails")
def test_directors_are_told_that_a_hand_is_to_be_dealt_anew_but_not_by_themselves() -> None:
    match = playing(target=500)
    club = match.event.club
    own, other = (
        UserFactory.create(club=club, role=Role.DIRECTOR, email=f"{name}@a.test") for name in ("own", "other")
    )
    assert play_a_hand(match).deal == 1
    assert match.sheet is not None
    sheet = Scoresheet.objects.get(pk=match.sheet.pk)
    correct_deals(actor=actor_of(own), sheet=sheet, changes={2: DEAD}, reason="Played with cards.")
    told = letters()
    assert list(told) == [other.email]
    _subject, said = told[other.email]
    assert "the sheet was changed during a hand" in said
    (page,) = re.findall(r"/admin/league/match/\S+", said)
    assert page == f"/admin/league/match/{match.pk}/deal-anew/"
    assert browser(match, Role.DIRECTOR).get(page).status_code == 200


@pytest.mark.usefixtures("mails")
def test_nobody_is_told_of_hands_that_follow_each_other() -> None:
    match = playing(target=500)
    UserFactory.create(club=match.event.club, role=Role.DIRECTOR, email="director@a.test")
    play_a_hand(match)
    assert not Notice.objects.filter(kind=NoticeKind.STOPPED).exists()


# -- phrases ------------------------------------------------------------------------------------------------


def test_the_club_switches_phrases_on_for_matches_and_each_is_shown_what_the_other_says(club: Club) -> None:
    club.has_phrases = True
    club.save()
    ann, bob = member(club, "Ann"), member(club, "Bob")
    event = EventFactory.create(club=club, played=PlayedWhere.ONLINE)
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (ann, bob)]
    drawn = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    table = play_online(actor=by(ann), match=drawn)
    clients = [signed_in(player) for player in (ann, bob)]
    address, send = (reverse(name, args=[table.code]) for name in ("play_table", "play_say"))
    before = clients[1].get(reverse("play_live", args=[table.code]))["ETag"]
    assert clients[0].post(send, {"phrase": "good_luck"}).status_code == 302
    assert clients[1].get(reverse("play_live", args=[table.code]))["ETag"] != before
    said = "</span> Good luck.</p>"
    assert said in read(clients[1], address)
    refused = clients[0].post(send, {"phrase": "well_played"})
    assert refused.status_code == 409
    assert "wait 10 seconds" in refused.content.decode()
    clients[1].post(send, {"do": "mute"})
    assert said not in read(clients[1], address)
    assert said in read(clients[0], address)
    clients[1].post(send, {"do": "unmute"})
    assert said in read(clients[1], address)
    Club.objects.update(is_public=True)
    assert "Good luck" not in read(Client(), address)
    assert Client().post(send, {"phrase": "thank_you"}).status_code == 409


def test_without_the_clubs_wish_nothing_is_said(match: Match) -> None:
    own = signed_in(players_of(match)[0])
    assert "Say something" not in read(own, reverse("play_table", args=[table_of(match).code]))
    with pytest.raises(GameError):
        say(actor=by(players_of(match)[0]), match=table_of(match), seat=0, phrase="good_luck")


# -- reasons ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["a\x07b", "a\u202eb", "a\x00b"])
def test_a_reason_has_no_characters_that_nobody_sees(reason: str) -> None:
    with refuses(LeagueError, "invalid", field="reason"):
        given_reason(reason)


def test_a_reason_is_one_line() -> None:
    assert given_reason(" Ann \r\n went\thome. ") == "Ann went home."


# -- addresses ----------------------------------------------------------------------------------------------


def move(table: TableMatch, players: list[Player], at: Sequence[str], number: int) -> bool:
    """Has whoever is to move do so on the page, from his address; False once play is over."""
    told = [table_state(actor=by(player), match=table, seat=seat) for seat, player in enumerate(players)]
    if told[0]["deal"] is None:
        return False
    seat = told[0]["turn"]
    legal = told[seat]["hand"]["legal"]
    action = next((each for each in legal if each.startswith("knock")), legal[-1])
    sent = {"action": action, "version": told[seat]["version"], "key": f"{number}"}
    answer = signed_in(players[seat]).post(reverse("play_act", args=[table.code]), sent, REMOTE_ADDR=at[seat])
    assert answer.status_code == 302
    return True


def test_nothing_that_is_kept_of_play_says_from_which_address_somebody_plays(match: Match) -> None:
    """Two in one household, or at the club's own network, are not accused by that."""
    table, players = table_of(match), players_of(match)
    at = ("203.0.113.71", "198.51.100.92")
    TableMatch.objects.update(has_phrases=True)
    for seat, player in enumerate(players):
        said = reverse("play_say", args=[table.code]), {"phrase": "good_luck"}
        assert signed_in(player).post(*said, REMOTE_ADDR=at[seat]).status_code == 302
    warn_for(actor=OPERATOR, match=table, seat=1, reason="Please play on.")
    moves = 0
    while move(table, players, at, moves):
        moves += 1
    assert Scoresheet.objects.get().status == SheetStatus.FINISHED
    kept = [
        serialize("json", [row])
        for app in ("games", "league", "scoring")
        for model in apps.get_app_config(app).get_models()
        for row in model._base_manager.all()
    ]
    assert any(f'"{table.code}"' in row for row in kept)
    assert any('"table.warn"' in row for row in kept)
    # The act that has recorded a hand is the table's, though a player's last move has brought it about.
    assert [row for row in kept for address in at if address in row] == []
    told = read(browser(match, Role.DIRECTOR), conduct_page(match))
    assert "How long a move took" in told
    assert not any(address in told for address in at)
