"""Matches of events that are played on this site: at once, or once both want to; and when they count."""

import datetime
import random
import re
from typing import Any

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch, TableWarning
from games.services import act, keep_clocks, table_state, watched_state
from games.tables.clocks import PRESETS
from league.draws.forfeits import award_forfeit
from league.draws.online import end_online_offer, offer_online, online_play, play_online
from league.draws.recalculating import recalculate
from league.draws.round_life import publish_round, unpublish_round
from league.draws.round_swaps import swap_entries
from league.matches.member_tables import adjourn_for
from league.models import (
    Club,
    CountsWhen,
    Event,
    EventState,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    OnlineOffer,
    PlayedWhere,
    Player,
    Role,
    Round,
    RoundState,
    Standing,
)
from league.notices.words import said_by
from league.policy.naming import names_for
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.models import Scoresheet, SheetStatus
from scoring.services import correct_deals, dispute_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
    play,
    won,
)
from tests.league import table_cases
from tests.league.admin_pages import event_data, page
from tests.league.table_players import (
    QUICK,
    address,
    browser,
    by,
    member,
    plain_text,
    play_on,
    refused,
    shown,
)

pytestmark = pytest.mark.django_db


def drawn(played: str, one: Player, other: Player, **settings: Any) -> Match:
    """A match of an event whose sheets are soon played."""
    rules = house_rules(**QUICK)
    event = EventFactory.create(club=one.club, slug="league", rules=rules, played=played, **settings)
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (one, other)]
    match: Match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    return match


@pytest.mark.parametrize("counts", [CountsWhen.AT_ONCE, CountsWhen.BOTH_SIGNATURES])
def test_match_of_an_online_event_is_played_at_once_and_counts(
    ann: Player, bob: Player, counts: CountsWhen
) -> None:
    """Without signatures, as nobody has written anything down; what is disputed does not count."""
    match = drawn(PlayedWhere.ONLINE, ann, bob, counts_when=counts)
    client, guest = browser(ann), browser()
    Club.objects.update(is_public=True)
    assert "Play now" in shown(client, match)
    assert "Play now" not in shown(guest, match)
    assert client.get(address(match, "match_play")).status_code == 200
    answer = client.post(address(match, "match_play"), {"what": "play"})
    table = TableMatch.objects.get(sheet=match.sheet)
    assert answer.headers["Location"] == f"/play/{table.code}/"
    assert list(table.seats.values_list("account", flat=True)) == [ann.user_id, bob.user_id]
    assert "is being played card by card" in shown(guest, match)
    assert f"/play/{table.code}/" in shown(browser(bob), match)
    assert client.get(address(match, "match_play")).headers["Location"] == f"/play/{table.code}/"
    refused("already_planned", lambda: play_online(actor=by(bob), match=match))
    play_on(table, ann, bob)
    assert "The table, hand by hand" in shown(client, match)
    # So does a guest, as hands that are over are anybody's who may see the sheet.
    assert "The table, hand by hand" in shown(guest, match)
    assert guest.get(f"/play/{table.code}/").status_code == 200
    match.refresh_from_db()
    assert match.sheet is not None
    assert match.sheet.status == SheetStatus.FINISHED
    assert (match.state, match.held, match.is_counted) == (MatchState.FINISHED, False, True)
    assert "is being played card by card" not in shown(guest, match)
    dispute_sheet(actor=by(bob), sheet=match.sheet, sentence="I said gin.")
    match.refresh_from_db()
    assert match.held


def test_sheet_that_somebody_corrected_waits_for_signatures(ann: Player, bob: Player) -> None:
    match = drawn(PlayedWhere.ONLINE, ann, bob, counts_when=CountsWhen.BOTH_SIGNATURES)
    play_on(play_online(actor=by(ann), match=match), ann, bob)
    match.refresh_from_db()
    assert match.sheet is not None
    number = match.sheet.deal_count
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes={number: won("Ann", "Bob", 99)}, reason="wrong")
    match.refresh_from_db()
    assert match.held


def test_either_is_played_online_once_the_other_side_accepts(ann: Player, bob: Player) -> None:
    match = drawn(PlayedWhere.EITHER, ann, bob)
    refused("not_online", lambda: play_online(actor=by(ann), match=match))
    browser(ann).post(address(match, "match_play"), {"what": "offer"})
    offer = OnlineOffer.objects.get()
    assert (offer.match, offer.side) == (match, 0)
    refused("offered", lambda: offer_online(actor=by(bob), match=match))
    refused("not_online", lambda: play_online(actor=by(ann), match=match))
    assert "Ann offers to play this match online" in shown(browser(bob), match)
    assert "You are offered a game" in browser(bob).get(reverse("club_me", args=["harbour"])).content.decode()
    browser(bob).post(address(match, "match_play"), {"what": "end_offer"})
    assert not TableMatch.objects.exists()
    refused("offer_over", lambda: end_online_offer(actor=by(ann), match=match))
    refused("not_online", lambda: play_online(actor=by(bob), match=match))
    offer_online(actor=by(bob), match=match)
    browser(ann).post(address(match, "match_play"), {"what": "play"})
    assert TableMatch.objects.get().sheet == match.sheet
    assert not OnlineOffer.objects.exists()


@pytest.mark.usefixtures("mails")
def test_who_offered_a_match_is_told_when_it_begins(club: Club, pairs: list[list[Player]]) -> None:
    """So are all others at the table but who began it; with the first hand on the sheet it is no news.

    Both the game and the notice are dated by the clock of this program, whatever that of the database says.
    """
    (ann, cid), (bob, dan) = pairs
    match = of_teams(club, pairs, played=PlayedWhere.EITHER)
    offer_online(actor=by(ann), match=match)
    assert told_of_games(bob) == told_of_games(dan) != []
    Notice.objects.all().delete()
    with time_machine.travel(timezone.now() - datetime.timedelta(hours=1), tick=False):
        table = play_online(actor=by(dan), match=match)
    assert set(Notice.objects.values_list("user", "kind")) == {
        (player.user_id, NoticeKind.GAME) for player in (ann, bob, cid)
    }
    one, other = match.entry_a, match.entry_b
    said = f"Your match in {match.event.name} has begun: {one} v {other}."
    assert [told_of_games(player) for player in (ann, bob, cid)] == [[said]] * 3
    play_on(table, *pairs[0], *pairs[1])
    assert told_of_games(ann) == []


@pytest.mark.usefixtures("mails")
def test_who_offered_a_match_is_told_when_it_is_declined(club: Club, pairs: list[list[Player]]) -> None:
    """All of his side are, as long as it is to be played; of what is taken back nobody is."""
    (ann, cid), (bob, dan) = pairs
    match = of_teams(club, pairs, played=PlayedWhere.EITHER)
    offer_online(actor=by(ann), match=match)
    Notice.objects.all().delete()
    end_online_offer(actor=by(cid), match=match)
    assert not Notice.objects.exists()
    offer_online(actor=by(ann), match=match)
    Notice.objects.all().delete()
    end_online_offer(actor=by(dan), match=match)
    said = f"Dan declines to play it online: {match.entry_a} v {match.entry_b}."
    assert [told_of_games(player) for player in (ann, cid)] == [[said]] * 2
    assert not Notice.objects.filter(user=bob.user_id).exists()
    Match.objects.filter(pk=match.pk).update(state=MatchState.FORFEIT, winner_side=0)
    assert told_of_games(ann) == []


def told_of_games(player: Player) -> list[str]:
    """What the notice of games that waits for a player says now."""
    notice, user = Notice.objects.get(kind=NoticeKind.GAME, user=player.user_id), player.user
    assert user is not None
    said = said_by(notice, user, names_for(user, player.club))
    return [] if said is None else list(said.lines)


def test_nobody_has_offered_what_is_drawn_anew(ann: Player, bob: Player) -> None:
    """Else Ann, who sits on the other side now, would answer what she has offered herself."""
    match = drawn(PlayedWhere.EITHER, ann, bob)
    offer_online(actor=by(ann), match=match)
    unpublish_round(actor=OPERATOR, round_=match.round)
    one, other = match.side(0)[0], match.side(1)[0]
    swap_entries(actor=OPERATOR, round_=Round.objects.get(), one=one, other=other)
    publish_round(actor=OPERATOR, round_=Round.objects.get())
    match = Match.objects.with_sides("round", "sheet").get()
    refused("not_online", lambda: play_online(actor=by(ann), match=match))
    offer_online(actor=by(bob), match=match)


def test_until_then_the_sheet_is_used_as_always(ann: Player, bob: Player) -> None:
    """Once something is on it, it is not played online any more."""
    match = drawn(PlayedWhere.EITHER, ann, bob)
    offer_online(actor=by(ann), match=match)
    play(match, 5)
    refused("has_begun", lambda: play_online(actor=by(bob), match=match))
    refused("has_begun", lambda: offer_online(actor=by(bob), match=match))
    assert browser(bob).get(address(match, "match_play")).status_code == 404
    assert "online" not in shown(browser(bob), match)


def test_who_cannot_play_online_is_told_why(club: Club, ann: Player, director: Actor) -> None:
    cid = PlayerFactory.create(club=club, name="Cid")
    match = drawn(PlayedWhere.ONLINE, ann, cid)
    refused("no_account", lambda: play_online(actor=by(ann), match=match))
    assert "Cid: no account here" in browser(ann).get(address(match, "match_play")).content.decode()
    refused("not_allowed", lambda: play_online(actor=director, match=match))
    Round.objects.update(state=RoundState.COMPLETE)
    refused("wrong_state", lambda: play_online(actor=by(ann), match=Match.objects.get()))
    Round.objects.update(state=RoundState.PUBLISHED)
    Event.objects.update(played=PlayedWhere.AT_TABLE)
    refused("not_online", lambda: play_online(actor=by(ann), match=Match.objects.get()))
    assert browser(ann).get(address(match, "match_play")).status_code == 404
    assert online_play(Match.objects.with_sides("round", "sheet").get(), ann.user_id) is None


def of_teams(club: Club, sides: list[list[Player]], **settings: Any) -> Match:
    """A match of two teams in an event of teams."""
    settings = {"rules": house_rules(**QUICK), "played": PlayedWhere.ONLINE, **settings}
    event = EventFactory.create(club=club, slug="league", team_size=2, **settings)
    one, other = [EntryFactory.create(event=event, players=players) for players in sides]
    match: Match = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    return match


@pytest.fixture
def pairs(club: Club, ann: Player, bob: Player) -> list[list[Player]]:
    return [[ann, member(club, "Cid")], [bob, member(club, "Dan")]]


def test_teams_play_all_hands_of_a_deal_and_the_result_counts(club: Club, pairs: list[list[Player]]) -> None:
    match = of_teams(club, pairs)
    for player in (*pairs[0], *pairs[1]):
        assert "Play now" in shown(browser(player), match)
    refused("not_allowed", lambda: play_online(actor=by(member(club, "Eve")), match=match))
    answer = browser(pairs[1][1]).post(address(match, "match_play"), {"what": "play"})
    table = TableMatch.objects.get(sheet=match.sheet)
    assert answer.headers["Location"] == reverse("play_table", args=[table.code])
    seated = list(table.seats.order_by("number").values_list("account", "side"))
    assert seated == [(player.user_id, side) for side in (0, 1) for player in pairs[side]]
    assert "To the table" in shown(browser(pairs[0][1]), match)
    play_on(table, *pairs[0], *pairs[1])
    match.refresh_from_db()
    assert (match.state, match.held, match.is_counted) == (MatchState.FINISHED, False, True)
    assert match.sheet is not None
    assert match.sheet.status == SheetStatus.FINISHED


def test_of_a_team_anybody_answers_for_it(club: Club, pairs: list[list[Player]]) -> None:
    (ann, cid), (_bob, dan) = pairs
    match = of_teams(club, pairs, played=PlayedWhere.EITHER)
    offer_online(actor=by(ann), match=match)
    refused("offered", lambda: offer_online(actor=by(dan), match=match))
    refused("not_online", lambda: play_online(actor=by(cid), match=match))
    assert "Your side has offered" in shown(browser(cid), match)
    assert "offers to play this match online" in shown(browser(dan), match)
    browser(cid).post(address(match, "match_play"), {"what": "end_offer"})
    assert not OnlineOffer.objects.exists()
    offer_online(actor=by(cid), match=match)
    browser(dan).post(address(match, "match_play"), {"what": "end_offer"})
    assert not OnlineOffer.objects.exists()
    offer_online(actor=by(cid), match=match)
    play_online(actor=by(dan), match=match)
    assert TableMatch.objects.get().seats.count() == 4


def test_teams_play_two_games_from_one_pack(club: Club, pairs: list[list[Player]]) -> None:
    match = of_teams(club, pairs, rules=house_rules(**QUICK, packs="shared"))
    table = play_online(actor=by(pairs[0][0]), match=match)
    (hand,) = table.hands.all()
    assert sorted(hand.seats) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    "preset", ["cutthroat", *[pytest.param(one, marks=pytest.mark.long) for one in ("jersey", "basic_rummy")]]
)
def test_a_table_of_three_is_played_online_and_counts(club: Club, preset: str) -> None:
    """Any of the three opens it, all have a seat in the hands, and the places are those of the sheet."""
    event = table_cases.evening(club, ("Ann", "Bob", "Cid"), preset=preset, knobs=QUICK)
    Event.objects.update(played=PlayedWhere.ONLINE, online_clock="lively")
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(user=UserFactory.create(club=club, username=player.name))
    (match,) = table_cases.drawn(Event.objects.get(pk=event.pk))
    ann, bob, cid = [Player.objects.get(name=name) for name in table_cases.names_at(match)]
    assert "Play now" in shown(browser(ann), match)
    asked = browser(bob).get(address(match, "match_play")).content.decode()
    assert "The table is opened for all who sit there" in asked
    browser(bob).post(address(match, "match_play"), {"what": "play"})
    table = TableMatch.objects.get()
    assert "You play this match on this site." in shown(browser(cid), match)
    director = Client()
    director.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    noted = director.get(address(match, "match_conduct")).content.decode()
    assert re.findall(r"<h2 id=\"side-\d\">(.*?)</h2>", noted) == list(table_cases.names_at(match))
    page = browser(cid).get(reverse("club_play", args=["harbour"])).content.decode()
    others = [entry.name for entry in match.against(2)]
    assert f">{', '.join(others)}</a>" in re.sub(r"\s+<", "<", re.sub(r">\s+", ">", page))
    play_all(table, [ann, bob, cid])
    match.refresh_from_db()
    assert (match.state, len(match.at_table)) == (MatchState.FINISHED, 3)
    assert browser(cid).get(reverse("play_table", args=[table.code])).status_code == 200


def test_an_event_of_tables_has_no_clock_by_which_a_match_is_lost(club: Club) -> None:
    """RULES §19: a table is neither forfeited nor given."""
    event = table_cases.evening(club, ("Ann", "Bob", "Cid"))
    event.online_clock = "lively"
    event.full_clean()
    event.online_clock = "correspondence"
    with pytest.raises(ValidationError) as refusal:
        event.full_clean()
    assert list(refusal.value.message_dict) == ["online_clock"]
    event.online_time_out = "default_action"
    event.full_clean()
    assert event.clock_words == "3 days a turn. If time runs out, the turn is played automatically."
    for lost in ("lose_hand", "forfeit_match"):
        event.online_time_out = lost
        with pytest.raises(ValidationError) as refusal:
            event.full_clean()
        assert refusal.value.message_dict == {
            "online_time_out": [
                "At a table of three or more nobody loses a hand or forfeits: have the turn played."
            ]
        }
    event.online_clock = "none"
    event.full_clean()


@pytest.mark.parametrize(
    ("pace", "time_out", "words"),
    [
        ("none", "lose_hand", "no clock"),
        (
            "lively",
            "clock",
            "30 seconds a turn, 5 minutes for the match. If time runs out, the turn is played automatically.",
        ),
        (
            "lively",
            "forfeit_match",
            "30 seconds a turn, 5 minutes for the match. Whoever runs out of time loses the match.",
        ),
        (
            "relaxed",
            "lose_hand",
            "2 minutes a turn, 15 for the match. Whoever runs out of time loses the hand.",
        ),
        ("correspondence", "clock", "3 days a turn. Whoever runs out of time loses the match."),
    ],
)
def test_an_event_says_its_clock_and_what_a_time_out_does(
    club: Club, pace: str, time_out: str, words: str
) -> None:
    event = EventFactory.create(
        club=club, played=PlayedWhere.ONLINE, online_clock=pace, online_time_out=time_out
    )
    assert event.clock_words == words
    clock, usual = event.table_clock, PRESETS.get(pace)
    if clock is None or usual is None:
        assert clock is usual
    else:
        assert (clock.turn_seconds, clock.bank_seconds) == (usual.turn_seconds, usual.bank_seconds)
        assert clock.time_out == (usual.time_out if time_out == "clock" else time_out)


def test_hands_lost_by_time_go_from_the_form_of_the_event_into_the_standings(
    owner: Client, ann: Player, bob: Player
) -> None:
    """Nobody comes back: whoever is to move loses each hand, until the sheet is full."""
    match = drawn(PlayedWhere.ONLINE, ann, bob)
    chosen = event_data(
        match.event, club=match.event.club_id, online_clock="lively", online_time_out="lose_hand"
    )
    assert owner.post(page("event", match.event), chosen).status_code == 302
    match = Match.objects.get(pk=match.pk)
    announced = browser(ann).get(reverse("event", args=["harbour", "league"])).content.decode()
    assert "30 seconds a turn, 5 minutes for the match. Whoever runs out of time loses the hand." in announced
    now = datetime.datetime(2026, 3, 2, 20, tzinfo=datetime.UTC)
    with time_machine.travel(now, tick=False) as clock:
        table = play_online(actor=by(ann), match=match)
        assert table.clock == {"turn_seconds": 30, "bank_seconds": 300, "time_out": "lose_hand"}
        while TableMatch.objects.get(pk=table.pk).is_live:
            clock.shift(331)
            keep_clocks(timezone.now())
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.state, match.sheet.status) == (MatchState.FINISHED, SheetStatus.FINISHED)
    winner = kept_sheet(match.sheet).state.places.index(1)
    recalculate(match.event_id)
    assert match.winner_side == winner
    first = Standing.objects.get(event=match.event, position=1)
    assert first.entry_id == (match.entry_a_id, match.entry_b_id)[winner]
    assert "wins by time: " in shown(browser(bob), match)
    noted = plain_text(owner.get(address(match, "match_conduct")).content.decode())
    assert re.search(r"1 time-out, which lost the hand|\d time-outs, each of which lost a hand", noted)


def test_a_table_of_three_is_offered_to_nobody(club: Club) -> None:
    event = table_cases.evening(club, ("Ann", "Bob", "Cid"))
    Event.objects.update(played=PlayedWhere.EITHER)
    for player in Player.objects.all():
        Player.objects.filter(pk=player.pk).update(user=UserFactory.create(club=club, username=player.name))
    (match,) = table_cases.drawn(Event.objects.get(pk=event.pk))
    ann = Player.objects.get(name="Ann")
    assert "online" not in shown(browser(ann), match)
    refused("not_online", lambda: offer_online(actor=by(ann), match=match))
    refused("not_online", lambda: play_online(actor=by(ann), match=match))


def play_all(table: TableMatch, players: list[Player]) -> None:
    """Plays to the end of the sheet; whoever can end a hand or lay something down does."""
    chances = random.Random(7)
    while (told := watched_state(match=table))["deal"] is not None:
        seat = told["turn"]
        legal = table_state(actor=by(players[seat]), match=table, seat=seat)["hand"]["legal"]
        chosen = next((one for one in legal if one.split()[0] in ("gin", "knock", "meld", "lay_off")), None)
        act(
            actor=by(players[seat]),
            match=table,
            seat=seat,
            version=told["version"],
            action=chosen or chances.choice(legal),
            key=f"key {told['version']}",
        )


def test_a_team_with_somebody_without_an_account_is_told(club: Club, pairs: list[list[Player]]) -> None:
    pairs[1][1] = PlayerFactory.create(club=club, name="Guy")
    match = of_teams(club, pairs)
    assert "Guy: no account here" in shown(browser(pairs[0][0]), match)
    refused("no_account", lambda: play_online(actor=by(pairs[0][0]), match=match))


def test_a_director_warns_one_of_a_team_and_reads_how_each_of_them_plays(
    club: Club, pairs: list[list[Player]]
) -> None:
    club.has_phrases = True
    club.save()
    match = of_teams(club, pairs)
    table = play_online(actor=by(pairs[0][0]), match=match)
    director = UserFactory.create(club=club, role=Role.DIRECTOR)
    client = Client()
    client.force_login(director)
    warn = f"/admin/league/match/{match.pk}/warn/"
    asked = client.get(warn).content.decode()
    names = [player.name for side in pairs for player in side]
    assert all(name in asked for name in names)
    assert client.post(warn, {"seat": "3", "reason": "Play on.", "confirmed": "on"}).status_code == 302
    assert [each.seat for each in TableWarning.objects.filter(match=table)] == [3]
    noted = client.get(reverse("match_conduct", args=[club.slug, match.event.slug, match.code]))
    assert all(f": {name}</h2>" in noted.content.decode() for name in names)
    adjourn_for(actor=OPERATOR, match=table, reason="Tea.")
    page = browser(pairs[1][1]).get(reverse("play_table", args=[table.code])).content.decode()
    for words in ("Play is adjourned.", "Tea.", "Play on.", "Do not show what others say"):
        assert words in page


def test_a_bot_sits_in_a_seat_of_a_team(club: Club, pairs: list[list[Player]]) -> None:
    pairs[1][1] = PlayerFactory.create(club=club, name="Robin", strategy="simple")
    table = play_online(actor=by(pairs[0][0]), match=of_teams(club, pairs))
    assert table.seats.filter(number=3, side=1, bot__strategy="simple").exists()


def test_a_bot_that_is_drawn_plays_at_once(club: Club, ann: Player) -> None:
    match = drawn(PlayedWhere.EITHER, ann, PlayerFactory.create(club=club, name="Robin", strategy="simple"))
    table = play_online(actor=by(ann), match=match)
    assert table.seats.filter(number=1, bot__strategy="simple").exists()


def test_the_event_says_where_it_is_played(ann: Player, bob: Player) -> None:
    match = drawn(PlayedWhere.ONLINE, ann, bob)
    page = browser(ann).get(reverse("event", args=["harbour", match.event.slug])).content.decode()
    assert "online, on this site" in page


def test_a_hand_that_ends_after_its_event_is_not_recorded(ann: Player, bob: Player) -> None:
    match = drawn(PlayedWhere.ONLINE, ann, bob)
    table = play_online(actor=by(ann), match=match)
    Event.objects.filter(pk=match.event_id).update(state=EventState.FINISHED)
    with pytest.raises(ScoringError) as refusal:
        play_on(table, ann, bob)
    assert refusal.value.code == "not_allowed"
    sheet = Scoresheet.objects.get(pk=table.sheet_id)
    assert (sheet.deal_count, sheet.status) == (0, SheetStatus.OPEN)
    assert table.hands.get().is_over is False


def test_a_match_that_is_awarded_is_played_no_more(ann: Player, bob: Player) -> None:
    match = drawn(PlayedWhere.ONLINE, ann, bob)
    table = play_online(actor=by(ann), match=match)
    award_forfeit(actor=OPERATOR, match=match, winner_side=1, reason="left")
    table.refresh_from_db()
    assert (table.is_live, table.hands.exists()) == (False, False)
