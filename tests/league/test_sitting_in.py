"""A bot that sits in for an absent player: who lets it, what it counts, and who comes late."""

from collections.abc import Callable
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.models import HandReport, TableHand, TableMatch, TableSeat
from games.services import act, hands_to_report, report_hand, say, table_state
from league.core.trf_reading import read_trf
from league.draws.forfeits import award_forfeit
from league.draws.levels import decide_level, levels_at_cuts
from league.draws.online import play_online
from league.draws.recalculating import recalculate
from league.draws.sitting_in import let_bot_sit_in, take_own_seat
from league.errors import LeagueError
from league.events.events import change_event
from league.events.leaving import leave_club
from league.files.trf import export_trf
from league.matches.line_ups import set_line_up
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    CutHow,
    Entry,
    Event,
    Match,
    PlayedWhere,
    Player,
    Rating,
    Role,
    ShownAs,
    SitInCounts,
    Standing,
)
from league.people.erasing import erase_person
from league.people.friendlies import own_tables
from league.people.players import change_player
from league.people.records import meetings_of
from league.policy import actor_of
from league.policy.eligibility import check_free
from league.record.requests import request_ratings
from league.tables import ratings
from scoring.models import Seat, SheetStatus
from scoring.services import stop_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    house_rules,
    play,
)
from tests.league.table_players import QUICK, address, browser, by, member, plain_text, play_on, refused, text
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db
# Rules under which whoever has drawn may knock, and a sheet takes some hands.
LONG = partial(house_rules, columns=1, target=250, knock_limit=98)
WHY = "he is not there"


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
    match = drawn(robo, ann, bob, rules=LONG(), sits_in_counts=SitInCounts.FORFEIT)
    sit_in(match, ann)
    table = play_online(actor=by(bob), match=match)
    take_own_seat(actor=by(ann), match=match)
    take_own_seat(actor=by(ann), match=match)
    chair = TableSeat.objects.get(match=table, number=0)
    assert (chair.account, chair.arrived) == (None, ann.user)
    play_until_over(table, bob, 1, deals=1)
    chair.refresh_from_db()
    assert (chair.account, chair.arrived, chair.bot) == (ann.user, None, None)
    assert [each.others for each in own_tables(bob.user_id or 0, bob.club)] == [((ann, "Ann", False),)]
    seats = Seat.objects.filter(sheet=match.sheet, side__position=0).order_by("number")
    assert list(seats.values_list("person", "from_deal")) == [(robo.code, 1), (ann.code, 2)]
    note = AuditEntry.objects.get(action="match.arrive")
    assert note.after is not None
    assert (note.actor_id, note.after["from_deal"]) == (str(ann.user_id), 2)
    refused("not_allowed", lambda: take_own_seat(actor=by(ann), match=match))
    told = table_state(actor=by(ann), match=table, seat=0)
    assert told["deal"] == 2
    assert told["hand"] is not None
    assert match.sheet is not None
    stop_sheet(actor=OPERATOR, sheet=match.sheet)
    match.refresh_from_db()
    assert match.is_counted
    assert match.bot_side is None
    assert standing(match)["Ann"][3] == match.net
    request_ratings(match.event.club_id)
    ratings.recalculate(match.event.club_id)
    assert not Rating.objects.exists()
    assert meetings_of(bob, ann) == meetings_of(ann, bob) == []
    assert "sat in for Ann, who plays from deal 2" in text(browser(bob), match)


def standing(match: Match) -> dict[str, tuple[int, int, int, int]]:
    """Points, matches won, matches lost and net by entry."""
    recalculate(match.event_id)
    rows = Standing.objects.filter(event=match.event).select_related("entry")
    return {row.entry.name: (int(row.points), row.wins, row.losses, row.net) for row in rows}


@pytest.mark.parametrize("winner", [0, 1])
def test_it_counts_for_the_other_as_played_and_for_the_absent_as_a_forfeit(
    ann: Player, bob: Player, robo: Player, winner: int
) -> None:
    """Bob's points are those of the sheet; Ann has lost, and adds nothing to her net."""
    match = sit_in(drawn(robo, ann, bob, sits_in_counts=SitInCounts.FORFEIT, loss_points=1), ann)
    play(match, -7 if winner else 7, stopped=True)
    assert match.winner_side == winner
    counted = standing(match)
    assert counted["Ann"] == (1, 0, 1, 0)
    assert counted["Bob"] == (2 if winner else 1, winner, 1 - winner, -match.net)
    change_event(actor=OPERATOR, event=match.event, sits_in_counts=SitInCounts.PLAYED)
    assert standing(match)["Ann"] == (1 if winner else 2, 1 - winner, winner, match.net)


def test_who_comes_before_it_has_begun_plays_as_if_nothing_had_been(
    match: Match, ann: Player, bob: Player
) -> None:
    sit_in(match, ann)
    client = browser(ann)
    assert "Take your seat" in text(client, match)
    assert "Take your seat" not in text(browser(bob), match)
    own = reverse("club_me", args=[match.event.club.slug])
    assert "A bot sits in for you." in client.get(own).content.decode()
    assert "A bot sits in for you." not in browser(bob).get(own).content.decode()
    # Pressed twice it is as once.
    for _press in range(2):
        answer = client.post(
            reverse("match_play", args=["harbour", "league", match.code]), {"what": "arrive"}
        )
        assert answer.headers["Location"] == address(match)
    match.refresh_from_db()
    assert match.bot_side is None
    table = play_online(actor=by(ann), match=match)
    play_on(table, ann, bob)
    request_ratings(match.event.club_id)
    ratings.recalculate(match.event.club_id)
    assert Rating.objects.count() == 2
    note = AuditEntry.objects.get(action="match.arrive")
    assert note.after is not None
    assert note.after["player"]["person"] == ann.code


def test_bot_is_marked_on_pages_prints_sheets_and_by_the_api(
    match: Match, ann: Player, bob: Player, robo: Player
) -> None:
    """The public, which sees initials, is not told the whole name by it."""
    Club.objects.update(is_public=True)
    Player.objects.filter(pk=ann.pk).update(name="Ann Berg", shown_as=ShownAs.INITIALS)
    Entry.objects.filter(name="Ann").update(name="Ann Berg")
    match.refresh_from_db()
    sit_in(match, Player.objects.get(pk=ann.pk))
    director = UserFactory.create(club=match.event.club, role=Role.DIRECTOR)
    client = Client()
    client.force_login(director)
    printed = client.get(reverse("blank_sheets_pdf", args=["harbour", "league", 1])).content
    table = play_online(actor=by(bob), match=match)
    play_until_over(table, bob, 1)
    for reader, name in ((browser(bob), "Ann Berg"), (browser(), "A. B.")):
        page = text(reader, match)
        assert f"bot, for {name} v Bob" in page
        assert f"A bot, Robo, plays for {name}, who is not there. This match is not rated." in page
        assert f"Robo bot for {name}" in page
        assert f"Score sheet {match.label}: bot, for {name} v Bob" in page
        of_round = reader.get(reverse("round", args=["harbour", "league", 1]))
        assert f"bot, for {name}" in plain_text(of_round.content.decode())
        here = plain_text(reader.get(reverse("play_table", args=[table.code])).content.decode())
        assert f"Robo for {name}" in here
        told = reader.get(f"/api/v1/matches/{match.code}/").json()["sides"][0]
        assert told["sits_in_for"] == {"code": ann.code, "name": name}
        assert [one["code"] for one in told["players"]] == [robo.code]
        sheet = reader.get(f"/api/v1/sheets/{told_sheet(reader, match)}/").json()
        assert sheet["sides"][0] == {"name": f"bot, for {name}", "players": ["Robo"]}
        assert name == "Ann Berg" or "Ann Berg" not in page
    assert "bot, for Ann Berg" in " ".join(texts(printed))
    assert "Robo (bot) for Ann Berg" in client.get(admin_page(match)).content.decode()


def told_sheet(reader: Client, match: Match) -> str:
    code: str = reader.get(f"/api/v1/matches/{match.code}/").json()["sheet"]
    return code


def admin_page(match: Match) -> str:
    return reverse("admin:league_match_change", args=[match.pk])


def test_who_may_not_let_a_bot_sit_in_and_where_none_does(
    club: Club, match: Match, ann: Player, bob: Player, robo: Player
) -> None:
    scorekeeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    with pytest.raises(LeagueError) as refusal:
        let_bot_sit_in(actor=scorekeeper, match=match, absent=ann, reason=WHY)
    assert refusal.value.code == "not_allowed"
    cid = member(club, "Cid")
    refused("not_seated", lambda: sit_in(match, cid))
    refused("not_allowed", lambda: take_own_seat(actor=by(ann), match=match))
    refused("reason_missing", lambda: let_bot_sit_in(actor=OPERATOR, match=match, absent=ann, reason=" "))
    Event.objects.update(sits_in=None)
    refused("no_sitting_in", lambda: sit_in(Match.objects.get(), ann))
    Event.objects.update(sits_in=robo, played=PlayedWhere.AT_TABLE)
    refused("not_online", lambda: sit_in(Match.objects.get(), ann))
    Event.objects.update(played=PlayedWhere.EITHER)
    sit_in(Match.objects.get(), ann)
    refused("no_member", lambda: sit_in(Match.objects.get(), bob))
    refused("not_allowed", lambda: take_own_seat(actor=by(bob), match=Match.objects.get()))
    take_own_seat(actor=by(ann), match=Match.objects.get())
    Event.objects.update(played=PlayedWhere.ONLINE)
    play_online(actor=by(ann), match=Match.objects.get())
    refused("has_begun", lambda: sit_in(Match.objects.get(), ann))


def test_bot_that_does_not_play_the_game_does_not_sit_in(ann: Player, bob: Player, robo: Player) -> None:
    match = drawn(robo, ann, bob, rules=house_rules("basic_rummy", columns=1))
    refused("not_played", lambda: sit_in(match, ann))


def test_event_has_a_bot_of_its_club_and_counts_what_can_be_counted(
    club: Club, match: Match, ann: Player
) -> None:
    event = match.event
    stranger = PlayerFactory.create(strategy="simple")
    for values, field in (
        ({"sits_in": ann}, "sits_in"),
        ({"sits_in": stranger}, "sits_in"),
        ({"played": PlayedWhere.AT_TABLE}, "sits_in"),
    ):
        with pytest.raises(LeagueError) as refusal, transaction.atomic():
            change_event(actor=OPERATOR, event=event, **values)
        assert refusal.value.field == field
    cup = EventFactory.create(club=club, slug="cup", format="single")
    refused("invalid", lambda: change_event(actor=OPERATOR, event=cup, sits_in_counts=SitInCounts.FORFEIT))


def test_one_bot_sits_in_at_several_tables_and_its_players_nowhere_else(
    club: Club, match: Match, ann: Player, robo: Player
) -> None:
    cid, dan = member(club, "Cid"), member(club, "Dan")
    event, round_ = match.event, match.round
    sides = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in (cid, dan)]
    other = MatchFactory.create(event=event, round=round_, entry_a=sides[0], entry_b=sides[1])
    sit_in(match, ann)
    sit_in(other, cid)
    assert Appearance.objects.filter(round=round_, player=robo).count() == 2
    refused("plays_already", lambda: check_free(round_, [ann]))
    check_free(round_, [robo])


def test_line_up_that_is_set_again_ends_it(match: Match, ann: Player) -> None:
    match = sit_in(match, ann)
    set_line_up(actor=OPERATOR, match=match, side=0, players=[ann])
    match.refresh_from_db()
    assert match.bot_side is None
    seat = match.appearances.get(side=0)
    assert (seat.player, seat.sits_in_for) == (ann, None)
    assert Seat.objects.get(sheet=match.sheet, side__position=0).person == ann.code


def test_bot_plays_beside_a_member_of_a_team_whose_result_counts(
    club: Club, ann: Player, bob: Player, robo: Player
) -> None:
    """It counts for the team as played; nobody is rated, and the table of players has no line of Cid."""
    cid, dan = member(club, "Cid"), member(club, "Dan")
    event = EventFactory.create(
        club=club, slug="teams", team_size=2, rules=LONG(), played=PlayedWhere.ONLINE, sits_in=robo
    )
    one, other = [EntryFactory.create(event=event, players=pair) for pair in ((ann, cid), (bob, dan))]
    match = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    match = sit_in(match, cid)
    assert match.bot_side is None
    refused("plays_already", lambda: sit_in(match, dan))
    page = text(browser(bob), match)
    assert "Robo bot for Cid" in page
    table = play_online(actor=by(bob), match=match)
    assert TableSeat.objects.get(match=table, number=1).bot is not None
    take_own_seat(actor=by(cid), match=match)
    play_deal_of_teams(table, {0: ann, 2: bob, 3: dan})
    assert TableSeat.objects.get(match=table, number=1).account == cid.user
    assert Seat.objects.get(person=cid.code).from_deal == 2
    assert TableHand.objects.filter(match=table, deal=2, is_over=False).exists()
    assert "Cid from deal 2" in text(browser(bob), match)


@pytest.mark.parametrize("level", [1, 2])
def test_in_a_team_sits_only_a_bot_that_chooses_at_once(
    level: int, club: Club, ann: Player, bob: Player
) -> None:
    """The lowest level of `expert` weighs nothing; it plays both hands of a deal at which members move."""
    cid, dan = member(club, "Cid"), member(club, "Dan")
    bot = PlayerFactory.create(club=club, name="Deep", strategy="expert", level=level)
    event = EventFactory.create(
        club=club, slug="teams", team_size=2, rules=LONG(), played=PlayedWhere.ONLINE, sits_in=bot
    )
    one, other = [EntryFactory.create(event=event, players=pair) for pair in ((ann, cid), (bob, dan))]
    match = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    if level == 2:
        refused("slow_bot", lambda: sit_in(match, cid))
        return
    match = sit_in(match, cid)
    table = play_online(actor=by(bob), match=match)
    play_deal_of_teams(table, {0: ann, 2: bob, 3: dan})
    assert set(TableHand.objects.filter(match=table, deal=1).values_list("is_over", flat=True)) == {True}
    table.sheet.refresh_from_db()
    assert table.sheet.deal_count == 1


def test_captain_lets_the_bot_play_for_others_of_his_team(
    club: Club, ann: Player, bob: Player, robo: Player
) -> None:
    """Not for himself or the others; also one who does not play himself, and not once play has begun."""
    cid, dan, eve = (member(club, name) for name in ("Cid", "Dan", "Eve"))
    event = EventFactory.create(
        club=club, slug="teams", team_size=2, rules=LONG(), played=PlayedWhere.ONLINE, sits_in=robo
    )
    one, other = [EntryFactory.create(event=event, players=pair) for pair in ((ann, cid), (bob, dan))]
    Entry.objects.filter(pk=one.pk).update(captain=ann)
    Entry.objects.filter(pk=other.pk).update(captain=eve)
    made = MatchFactory.create(event=event, entry_a=one, entry_b=other)
    match = Match.objects.get(pk=made.pk)
    for captain, player in ((ann, ann), (ann, dan), (cid, ann), (eve, cid)):
        with pytest.raises(LeagueError) as refusal:
            let_bot_sit_in(actor=by(captain), match=match, absent=player, reason=WHY)
        assert refusal.value.code == "not_allowed"
    address = reverse("match_play", args=["harbour", "teams", match.code])
    assert "Somebody of your team is not here" in text(browser(ann), match)
    assert "Somebody of your team is not here" in text(browser(eve), match)
    assert "Somebody of your team is not here" not in text(browser(cid), match)
    page = browser(eve).get(address).content.decode()
    assert all(each.code in page for each in (bob, dan))
    assert all(each.code not in page for each in (ann, cid))
    asked = {"what": "sit_in", "absent": cid.code}
    assert browser(cid).post(address, asked).status_code == 404
    assert browser(eve).post(address, asked).status_code == 404
    # Pressed twice it is as once.
    for _press in range(2):
        answer = browser(ann).post(address, asked)
        assert answer.status_code == 302, plain_text(answer.content.decode())
    assert Appearance.objects.get(match=match, sits_in_for=cid).player == robo
    noted = AuditEntry.objects.get(action="match.sit_in")
    assert noted.reason == "The team’s captain says so."
    play_online(actor=by(bob), match=match)
    with pytest.raises(LeagueError) as refusal:
        let_bot_sit_in(actor=by(eve), match=match, absent=dan, reason=WHY)
    assert refusal.value.code == "not_allowed"


def play_deal_of_teams(table: TableMatch, players: dict[int, Player]) -> None:
    """Plays the hands of the first deal to their end."""
    for number in range(500):
        moves = {
            seat: told["hand"]["legal"]
            for seat, player in players.items()
            if (told := table_state(actor=by(player), match=table, seat=seat))["deal"] == 1
            and told["hand"] is not None
            and told["turn"] == seat
        }
        if not moves:
            return
        seat, legal = next(iter(moves.items()))
        action = next((each for each in legal if each.startswith("knock")), legal[-1])
        told = table_state(actor=by(players[seat]), match=table, seat=seat)
        act(
            actor=by(players[seat]),
            match=table,
            seat=seat,
            version=told["version"],
            action=action,
            key=f"{seat}-{number}",
        )
    raise AssertionError("The deal does not end.")


def test_what_the_bot_has_played_is_reported_to_nobody(ann: Player, bob: Player, robo: Player) -> None:
    match = sit_in(drawn(robo, ann, bob, rules=LONG()), ann)
    table = play_online(actor=by(bob), match=match)
    take_own_seat(actor=by(ann), match=match)
    play_until_over(table, bob, 1, deals=1)
    hand = TableHand.objects.get(match=table, deal=1)
    report_hand(hand.pk)
    assert HandReport.objects.get(hand=hand, seat=0).choices == []
    assert HandReport.objects.get(hand=hand, seat=1).choices
    assert hand.pk not in hands_to_report()
    page = plain_text(browser(bob).get(reverse("play_hand", args=[table.code, 1])).content.decode())
    assert "Robo for Ann" in page


def test_who_has_come_and_the_other_may_send_each_other_phrases(
    ann: Player, bob: Player, robo: Player
) -> None:
    Club.objects.update(has_phrases=True)
    match = sit_in(drawn(robo, ann, bob, rules=LONG()), ann)
    table = play_online(actor=by(bob), match=match)
    take_own_seat(actor=by(ann), match=match)
    assert not table.has_phrases
    play_until_over(table, bob, 1, deals=1)
    say(actor=by(ann), match=table, seat=0, phrase="good_luck")
    assert [
        each["phrase"] for each in table_state(actor=by(bob), match=table, seat=1)["phrases"]["latest"]
    ] == ["good_luck"]


@pytest.mark.parametrize(
    "go",
    [
        lambda player: erase_person(actor=OPERATOR, player=player),
        lambda player: change_player(actor=OPERATOR, player=player, user=None),
        lambda player: leave_club(user=player.user, club=player.club),
    ],
    ids=["erased", "unlinked", "left"],
)
def test_who_goes_while_he_waits_for_his_seat_leaves_it_to_the_bot(
    ann: Player, bob: Player, robo: Player, go: Callable[[Player], object]
) -> None:
    match = sit_in(drawn(robo, ann, bob, rules=LONG()), ann)
    table = play_online(actor=by(bob), match=match)
    take_own_seat(actor=by(ann), match=match)
    go(ann)
    play_until_over(table, bob, 1, deals=1)
    chair = TableSeat.objects.get(match=table, number=0)
    assert (chair.account, chair.arrived) == (None, None)
    assert chair.bot is not None


def test_nobody_takes_a_seat_in_a_match_that_was_awarded_meanwhile(match: Match, ann: Player) -> None:
    sit_in(match, ann)
    award_forfeit(actor=OPERATOR, match=match, winner_side=1, reason=WHY)
    refused("stated_already", lambda: take_own_seat(actor=by(ann), match=match))


@pytest.mark.parametrize(("points", "letter", "worth"), [(-7, "+", 1), (7, "-", 0), (None, "-", "0.5")])
def test_file_of_pairings_has_a_forfeit_and_what_the_other_played_for(
    ann: Player, bob: Player, robo: Player, points: int | None, letter: str, worth: Any
) -> None:
    """A pair of letters that readers take: nobody has a forfeit against a game."""
    match = drawn(robo, ann, bob, format="swiss", rounds_planned=3, sits_in_counts=SitInCounts.FORFEIT)
    play(sit_in(match, ann), *([] if points is None else [points]), stopped=True)
    read = read_trf(export_trf(match.event).encode())
    told = {each.name: (each.games[0].result, read.points_of(each.games[0])) for each in read.players}
    assert told == {"Ann": ("-", 0), "Bob": (letter, Decimal(worth))}


@pytest.mark.parametrize("points", [None, 7])
def test_play_off_counts_as_it_was_played(ann: Player, bob: Player, robo: Player, points: int | None) -> None:
    """Whoever wins it goes on: a forfeit is not read into it, and a drawn one settles nothing."""
    usual = {"format": "swiss", "rounds_planned": 1, "prizes": 1, "criteria": ["match_points", "net"]}
    match = drawn(robo, ann, bob, sits_in_counts=SitInCounts.FORFEIT, **usual)
    play(match, stopped=True)
    recalculate(match.event_id)
    event = Event.objects.get(pk=match.event_id)
    (level,) = levels_at_cuts(event)
    decision = decide_level(actor=OPERATOR, event=event, key=level.cut.key, how=CutHow.PLAY_OFF)
    play_off = Match.objects.get(play_off=decision)
    absent = ann if play_off.entry_a.name == "Ann" else bob
    sit_in(play_off, absent)
    play_off.refresh_from_db()
    play(play_off, *([] if points is None else [points]), stopped=True)
    recalculate(event.pk)
    (level,) = levels_at_cuts(Event.objects.get(pk=event.pk))
    assert level.is_open == (points is None)
    won = () if points is None else (play_off.entry_a_id, play_off.entry_b_id)
    assert level.order == won
