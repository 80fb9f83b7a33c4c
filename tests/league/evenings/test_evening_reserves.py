"""Teams with reserves in an evening that runs itself: who hands in line-ups, and who plays for the absent."""

import datetime
from functools import partial
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from games.models import TableMatch
from games.services.outages import beat_site
from league.draws.online import come_to_table
from league.draws.rounds import draw_round_robin
from league.draws.sitting_in import give_bye_instead, let_bot_sit_in
from league.events.entries import withdraw_entry
from league.events.evening_sweep import sweep_evenings
from league.matches.line_ups import hand_in_line_up, set_line_up, to_hand_in
from league.models import (
    Appearance,
    Arrival,
    AuditEntry,
    Club,
    Entry,
    EntryMember,
    Evening,
    LineUpSeat,
    Match,
    MatchState,
    Notice,
    NoticeKind,
    Player,
    Rest,
    Role,
)
from league.notices.words import said_by
from league.policy.naming import names_for
from league.tables.left_to_play import foretold
from tests.clients import logged_in
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, UserFactory, play
from tests.league.nights import NAMES, START, Night, at
from tests.league.table_players import address, browser, by, member, plain_text, play_on, refused, text
from tests.league.test_odd_tables import byes

pytestmark = pytest.mark.django_db


class Reserves(Night):
    """An evening of teams of two; each has a third player, Ann3 and so on, and its first as captain."""

    def __init__(
        self, club: Club, names: tuple[str, ...] = NAMES, *, format_: str = "swiss", **settings: Any
    ) -> None:
        usual = {"check_in": False} if format_ == "swiss" else {}
        super().__init__(club, format_, names, team_size=2, slug="friday", **usual | settings)
        for name in names:
            self.players[f"{name}3"] = third = member(club, f"{name}3")
            entry = self.entry(name)
            EntryMember.objects.create(event=self.event, entry=entry, player=third, position=2)
            Entry.objects.filter(pk=entry.pk).update(captain=self.players[name])

    def begin(self) -> None:
        """Begin the evening, and let the break before the first round be over."""
        super().begin()
        now = timezone.now()
        Evening.objects.filter(event=self.event).exclude(next_at=None).update(next_at=now)
        sweep_evenings(now)

    def line_up(self, name: str, number: int) -> list[str]:
        """Who sits for a team in its match of this round."""
        match = self.of_team(name, number)
        side = match.side_of(self.entry(name))
        seats = match.appearances.filter(side=side).order_by("position")
        return list(seats.values_list("player__name", flat=True))

    def of_team(self, name: str, number: int) -> Match:
        """The match of a team in this round."""
        rows = Match.objects.of_entry(self.entry(name)).filter(round__number=number)
        return rows.with_sides("round", "event__club", "sheet__rules").get()

    def handed_in(self, name: str, number: int) -> list[str]:
        """Who is handed in for a team in its match of this round, and not written yet."""
        match = self.of_team(name, number)
        seats = LineUpSeat.objects.filter(match=match, side=match.side_of(self.entry(name)))
        assert not match.appearances.filter(player__in=seats.values("player")).exists()
        return list(seats.values_list("player__name", flat=True))

    def hand_in(self, name: str, number: int, *players: str) -> Match:
        """Its captain hands in who plays for a team."""
        match, chosen = self.of_team(name, number), [self.players[each] for each in players]
        return hand_in_line_up(actor=by(self.players[name]), match=match, players=chosen)

    def come_all(self, number: int, *names: str) -> None:
        """These come to their match of the round, one by one."""
        for name in names:
            come_to_table(actor=by(self.players[name]), match=self.of_team(name.rstrip("23"), number))

    def give_all(self, number: int) -> None:
        """Every match of the round goes to its first side."""
        rows = Match.objects.filter(event=self.event, round__number=number, state=MatchState.SCHEDULED)
        rows.update(state=MatchState.FORFEIT, winner_side=0)


@pytest.mark.dear("plays a match of teams, card by card")
def test_whole_evening_of_teams_with_reserves(club: Club, clock: time_machine.Traveller) -> None:
    """By the roster, then as handed in, then as in the last match, with a reserve for who is absent."""
    night = Reserves(club)
    night.begin()
    assert [night.line_up(name, 1) for name in NAMES] == [[name, f"{name}2"] for name in NAMES]
    night.give_all(1)
    at(clock, 1)
    # The next round is drawn as the break begins, and nobody comes to it before the break is over.
    assert night.rounds() == 2
    assert night.evening.round == night.of_team("Ann", 1).round
    assert night.line_up("Ann", 2) == []
    refused("not_yet", partial(night.come_all, 2, "Ann"))
    night.hand_in("Ann", 2, "Ann3", "Ann2")
    night.hand_in("Ann", 2, "Ann3", "Ann")
    at(clock, 6)
    match = night.of_team("Ann", 2)
    assert night.evening.round == match.round
    other = next(entry.name for side in match.sides for entry in match.side(side) if entry.name != "Ann")
    assert (night.line_up("Ann", 2), night.line_up(other, 2)) == (["Ann3", "Ann"], [other, f"{other}2"])
    night.come_all(2, "Ann3", "Ann", other, f"{other}3")
    assert f"Not there yet: {other}2." in text(browser(night.players[other]), match)
    at(clock, 15)
    assert night.line_up(other, 2) == [other, f"{other}2"]
    at(clock, 16)
    assert night.line_up(other, 2) == [other, f"{other}3"]
    late, said = browser(night.players[f"{other}2"]), f"In this round your team plays with {other}, {other}3."
    assert said in text(late, match)
    assert late.post(address(match, "match_play"), {"what": "play"}).headers["Location"] == address(match)
    match = night.of_team("Ann", 2)
    assert match.sheet is not None
    sides = [[other, f"{other}3"], ["Ann3", "Ann"]]
    ordered = sides[::-1] if match.entry_a.name == "Ann" else sides
    play_on(match.sheet.table_match, *[night.players[name] for side in ordered for name in side])
    (told,) = AuditEntry.objects.filter(action="evening.absent")
    assert len((told.after or {})["absent"]) == 4
    at(clock, 17)
    at(clock, 22)
    assert night.evening.round == night.of_team("Ann", 3).round
    assert (night.line_up("Ann", 3), night.line_up(other, 3)) == (["Ann3", "Ann"], [other, f"{other}3"])
    night.give_all(3)
    at(clock, 23)
    assert night.evening.state == "over"


@pytest.mark.usefixtures("mails")
def test_of_rounds_drawn_at_once_a_line_up_is_handed_in_until_its_own_begins(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club, format_="round_robin")
    draw_round_robin(actor=OPERATOR, event=night.event)
    night.hand_in("Ann", 1, "Ann2", "Ann3")
    night.begin()
    refused("too_late", partial(night.hand_in, "Ann", 1, "Ann", "Ann2"))
    night.hand_in("Ann", 3, "Ann3", "Ann")
    night.give_all(1)
    at(clock, 1)
    wanted = [to_hand_in(night.of_team("Ann", number), night.players["Ann"].user_id) for number in (2, 3)]
    assert [each and each.until for each in wanted] == [START + datetime.timedelta(minutes=6), None]
    assert [_told(night, name)[-1][:26] for name in ("Ann", "Bob")] == ["By Friday 6 November 2026,"] * 2
    at(clock, 6)
    assert [night.line_up("Ann", number) for number in (1, 2, 3)] == [
        ["Ann2", "Ann3"],
        ["Ann2", "Ann3"],
        [],
    ]
    assert night.handed_in("Ann", 3) == ["Ann3", "Ann"]


def test_line_up_is_its_captains_of_its_members_and_until_the_round_begins(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    night.begin()
    refused("too_late", partial(night.hand_in, "Ann", 1, "Ann3", "Ann"))
    night.give_all(1)
    at(clock, 1)
    match = night.of_team("Ann", 2)
    players = [night.players[name] for name in ("Ann", "Ann3")]
    for name in ("Ann2", "Bob3"):
        refused(
            "not_allowed",
            partial(hand_in_line_up, actor=by(night.players[name]), match=match, players=players),
        )
    refused("not_a_member", partial(night.hand_in, "Ann", 2, "Ann", "Bob3"))
    refused("wrong_size", partial(night.hand_in, "Ann", 2, "Ann"))
    night.hand_in("Ann", 2, "Ann", "Ann3")
    wanted = to_hand_in(match, night.players["Ann"].user_id)
    assert wanted is not None
    assert wanted.until == START + datetime.timedelta(minutes=6)
    assert [each.name for each in wanted.players] == ["Ann", "Ann3"]
    assert to_hand_in(match, night.players["Ann2"].user_id) is None
    # Nobody has looked after the evening yet, but the time is over.
    clock.move_to(START + datetime.timedelta(minutes=6))
    beat_site(timezone.now())
    refused("too_late", partial(night.hand_in, "Ann", 2, "Ann", "Ann2"))
    sweep_evenings(timezone.now())
    assert night.line_up("Ann", 2) == ["Ann", "Ann3"]
    refused("too_late", partial(night.hand_in, "Ann", 2, "Ann", "Ann2"))
    side = match.side_of(night.entry("Ann"))
    set_line_up(
        actor=OPERATOR, match=night.of_team("Ann", 2), side=side, players=[night.players["Ann2"], players[0]]
    )
    assert night.line_up("Ann", 2) == ["Ann2", "Ann"]


def test_an_incomplete_team_without_a_reserve_there_loses(club: Club, clock: time_machine.Traveller) -> None:
    """One reserve plays for one of two who are absent, and that is not enough."""
    night = Reserves(club, ("Ann", "Bob"))
    night.begin()
    night.come_all(1, "Ann", "Ann2", "Ann3", "Bob3")
    assert Arrival.objects.count() == 4
    at(clock, 10)
    match = night.of_team("Ann", 1)
    assert match.state == MatchState.WALKOVER
    assert match.side_name(match.winner_side or 0) == "Ann"
    assert night.line_up("Ann", 1) == ["Ann", "Ann2"]
    assert night.line_up("Bob", 1) == ["Bob3", "Bob2"]


def test_a_bot_that_sits_in_stays_where_a_reserve_takes_another_seat(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    night = Reserves(club, ("Ann", "Bob"), sits_in=robo)
    night.begin()
    match = night.of_team("Ann", 1)
    let_bot_sit_in(actor=by(night.players["Ann"]), match=match, absent=night.players["Ann2"])
    night.come_all(1, "Ann3", "Bob", "Bob2")
    at(clock, 10)
    assert night.line_up("Ann", 1) == ["Ann3", "Robo"]
    assert TableMatch.objects.get().sheet_id == match.sheet_id
    assert Appearance.objects.get(player=robo).sits_in_for == night.players["Ann2"]


def test_who_has_left_the_team_is_replaced_by_its_roster(club: Club, clock: time_machine.Traveller) -> None:
    night = Reserves(club)
    EntryMember.objects.create(
        event=night.event, entry=night.entry("Ann"), player=member(club, "Ann4"), position=3
    )
    night.begin()
    night.give_all(1)
    at(clock, 1)
    night.hand_in("Ann", 2, "Ann3", "Ann2")
    at(clock, 6)
    night.give_all(2)
    EntryMember.objects.filter(event=night.event, player=night.players["Ann3"]).delete()
    at(clock, 7)
    at(clock, 12)
    assert night.line_up("Ann", 3) == ["Ann2", "Ann"]


def test_who_has_no_account_any_more_is_replaced_by_the_roster(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    night.begin()
    User.objects.filter(players=night.players["Ann2"]).update(is_active=False)
    night.give_all(1)
    at(clock, 1)
    at(clock, 6)
    assert night.line_up("Ann", 2) == ["Ann", "Ann3"]


def test_next_sheet_of_a_tie_is_played_by_the_same(club: Club, clock: time_machine.Traveller) -> None:
    night = Reserves(club, ("Ann", "Bob"), format_="single", best_of=3)
    night.begin()
    (first,) = night.matches(1)
    side, players = first.side_of(night.entry("Ann")), [night.players[name] for name in ("Ann3", "Ann")]
    play(set_line_up(actor=OPERATOR, match=first, side=side, players=players), 5, stopped=True)
    at(clock, 1)
    (second,) = [match for match in night.matches(1) if match.leg == 2]
    seats = second.appearances.filter(side=side).order_by("position")
    assert list(seats.values_list("player__name", flat=True)) == ["Ann3", "Ann"]
    assert second.appearances.count() == 4
    assert second.sheet is not None
    assert night.evening.state == "going"


def test_who_has_a_bot_playing_for_him_is_no_reserve(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    """He takes his own seat, and nobody else's beside the bot that plays for him."""
    night = Reserves(club, ("Ann", "Bob"), sits_in=robo)
    night.begin()
    match, absent = night.of_team("Ann", 1), night.players["Ann2"]
    let_bot_sit_in(actor=by(night.players["Ann"]), match=match, absent=absent)
    assert "You are not in the line-up." not in text(browser(absent), match)
    refused("not_allowed", partial(night.come_all, 1, "Ann2"))
    # However he comes: a director may seat him elsewhere, and then the bot plays for nobody.
    side = match.side_of(night.entry("Ann"))
    set_line_up(actor=OPERATOR, match=match, side=side, players=[absent, robo])
    assert not Appearance.objects.filter(sits_in_for=absent).exists()


def test_bye_that_a_director_has_given_stays_one_as_its_round_begins(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    night = Reserves(club, NAMES[:3], format_="round_robin", sits_in=robo)
    draw_round_robin(actor=OPERATOR, event=night.event)
    # Nobody knows what is played in their place, though nobody has said yet who plays.
    assert not foretold(night.event)
    night.begin()
    first, second, _third = byes(night.event)
    name = second.entry_a.name
    night.hand_in(name, 2, f"{name}3", name)
    for match in (first, second):
        give_bye_instead(actor=OPERATOR, match=match, reason="They have left.")
    # Nor does its captain bring it back; a director may.
    refused("too_late", partial(night.hand_in, name, 2, f"{name}3", name))
    night.give_all(1)
    at(clock, 1)
    at(clock, 6)
    assert night.evening.round == second.round
    assert [match.sheet for match in byes(night.event)[:2]] == [None, None]


def test_given_bye_of_a_team_without_reserves_stays_one(club: Club, robo: Player) -> None:
    night = Night(club, "round_robin", NAMES[:3], team_size=2, slug="friday", sits_in=robo)
    draw_round_robin(actor=OPERATOR, event=night.event)
    first = byes(night.event)[0]
    give_bye_instead(actor=OPERATOR, match=first, reason="They rest.")
    night.begin()
    first.refresh_from_db()
    assert (night.evening.round, first.sheet, first.appearances.count()) == (first.round, None, 0)


def test_whoever_has_the_bye_plays_the_bot_with_the_line_up_of_nobodys_word(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    """And a reserve who is there opens its table, once the time is over."""
    night = Reserves(club, NAMES[:3], sits_in=robo)
    night.begin()
    (bye,) = byes(night.event)
    name = bye.entry_a.name
    assert bye.rest == Rest.PLAYED
    assert night.line_up(name, 1) == [name, f"{name}2"]
    night.come_all(1, f"{name}3", name)
    at(clock, 10)
    (bye,) = byes(night.event)
    assert night.line_up(name, 1) == [name, f"{name}3"]
    assert bye.sheet is not None
    seats = bye.sheet.table_match.seats.order_by("number")
    assert [seat.account for seat in seats][:2] == [night.players[each].user for each in (name, f"{name}3")]


def test_a_team_that_withdraws_has_the_bye_though_a_reserve_of_it_is_there(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    night = Reserves(club, NAMES[:3], sits_in=robo)
    night.begin()
    (bye,) = byes(night.event)
    night.come_all(1, f"{bye.entry_a.name}3")
    withdraw_entry(actor=OPERATOR, entry=bye.entry_a, reason="They have left.")
    at(clock, 10)
    (bye,) = byes(night.event)
    assert (night.evening.state, night.evening.why, bye.sheet) == ("going", "", None)


def test_whoever_meets_a_team_that_withdraws_before_its_line_up_is_known_wins(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    night.begin()
    night.give_all(1)
    at(clock, 1)
    withdraw_entry(actor=OPERATOR, entry=night.entry("Ann"), reason="They have left.")
    at(clock, 6)
    match = night.of_team("Ann", 2)
    for name in NAMES:
        if night.of_team(name, 2) != match:
            night.come_all(2, name, f"{name}2")
    at(clock, 16)
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1 - match.side_of(night.entry("Ann")))
    assert night.evening.is_going


def test_event_page_leads_the_captain_with_the_next_bye_to_his_line_up(
    club: Club, clock: time_machine.Traveller, robo: Player
) -> None:
    """In the break, before it is a match against the bot; nobody else of his team has anything to do."""
    night = Reserves(club, NAMES[:3], sits_in=robo)
    night.begin()
    night.give_all(1)
    night.come_all(1, "Cid")
    at(clock, 10)
    at(clock, 11)
    bye = byes(night.event)[-1]
    name = bye.entry_a.name
    assert (bye.round.number, bye.sheet) == (2, None)
    page = reverse("event", args=["harbour", "friday"])
    link = f'href="{address(bye)}">\n    To your match'
    assert link in browser(night.players[name]).get(page).content.decode()
    assert "To your match" not in browser(night.players[f"{name}2"]).get(page).content.decode()


def test_a_knockout_is_drawn_as_the_break_begins_and_a_reserve_wins_it(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club, format_="single", third_place=False)
    night.begin()
    night.come_all(1, "Ann", "Ann3", "Cid", "Cid2")
    at(clock, 10)
    at(clock, 11)
    winners = {each.winner_side is not None and each.side_name(each.winner_side) for each in night.matches(1)}
    assert winners == {"Ann", "Cid"}
    (final,) = night.matches(2)
    assert (night.evening.round != final.round, final.sheet) == (True, None)
    night.hand_in("Cid", 2, "Cid3", "Cid2")
    at(clock, 16)
    assert (night.line_up("Ann", 2), night.line_up("Cid", 2)) == (["Ann", "Ann3"], ["Cid3", "Cid2"])
    night.come_all(2, "Ann", "Ann2", "Cid3")
    at(clock, 26)
    at(clock, 27)
    final.refresh_from_db()
    assert final.winner_side is not None
    assert final.side_name(final.winner_side) == "Ann"
    assert night.evening.state == "over"


def test_a_line_up_of_players_of_another_club_is_refused_without_their_names(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    night.begin()
    night.give_all(1)
    at(clock, 1)
    other = EventFactory.create(club=ClubFactory.create(is_public=True))
    stranger, friend = member(other.club, "Zoe"), member(other.club, "Yan")
    for player in (stranger, friend):
        EntryFactory.create(event=other, players=[player])
    draw_round_robin(actor=OPERATOR, event=other)
    answer = browser(night.players["Ann"]).post(
        f"/api/v1/matches/{night.of_team('Ann', 2).code}/line-up/",
        {"players": [stranger.code, night.players["Ann"].code]},
        content_type="application/json",
    )
    assert (answer.json()["code"], "Zoe" in answer.content.decode()) == ("other_club", False)


@pytest.mark.dear("asks for many pages of a match")
@pytest.mark.usefixtures("mails")
def test_captain_is_told_and_hands_it_in_on_the_page_or_by_the_api(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    night.begin()
    night.give_all(1)
    at(clock, 1)
    match = night.of_team("Ann", 2)
    lines = {name: _told(night, name) for name in ("Ann", "Ann2")}
    assert (
        lines["Ann"][-1]
        == "By Friday 6 November 2026, 19:06 name who plays for your team; otherwise those who played last "
        "will play."
    )
    assert len(lines["Ann2"]) == len(lines["Ann"]) - 1
    captain, other = browser(night.players["Ann"]), browser(night.players["Ann2"])
    play = address(match, "match_play")
    assert "Name who plays for your team in this round. The round begins at 19:06." in text(captain, match)
    assert "Name who plays" not in text(other, match)
    assert other.get(play).status_code == 404
    assert "Until 19:06, when the round begins." in plain_text(captain.get(play).content.decode())
    codes = {name: night.players[name].code for name in ("Ann", "Ann2", "Ann3", "Bob")}
    sent = {"what": "line_up", "player": [codes["Ann3"], codes["Ann3"]]}
    assert "A side has 2 different players." in captain.post(play, sent).content.decode()
    assert captain.post(play, sent | {"player": [codes["Ann3"], codes["Bob"]]}).status_code == 404
    assert captain.post(play, sent | {"player": [codes["Ann3"], codes["Ann"]]}).status_code == 302
    assert night.handed_in("Ann", 2) == ["Ann3", "Ann"]
    assert "You may still change the line-up of your team." in text(captain, match)
    assert len(_told(night, "Ann")) == len(lines["Ann2"])
    api = f"/api/v1/matches/{match.code}/line-up/"
    said = {"players": [codes["Ann2"], codes["Ann"]]}
    assert other.post(api, said, content_type="application/json").status_code == 403
    assert captain.post(api, said, content_type="application/json").status_code == 200
    (told,) = captain.get(api).json()["closed"]
    assert told["side"] == match.side_of(night.entry("Ann"))
    assert [one["code"] for one in told["players"]] == said["players"]
    late = START + datetime.timedelta(minutes=6)
    clock.move_to(late)
    assert captain.post(api, said, content_type="application/json").json()["code"] == "too_late"
    told = captain.post(play, sent | {"player": said["players"]}).content.decode()
    assert "Line-ups are handed in before the round begins." in told
    at(clock, 6)
    reserve = browser(night.players["Ann3"])
    assert "You are not in the line-up." in text(reserve, match)
    assert reserve.post(play, {"what": "play"}).status_code == 302
    assert "You play if somebody of your team has not come" in text(reserve, match)
    assert _told(night, "Ann")[-1] == "Come to your table by Friday 6 November 2026, 19:16."


def _told(night: Night, name: str) -> list[str]:
    """The lines of the latest notice of a round to a member, as it would be sent now."""
    user = night.players[name].user
    assert user is not None
    notice = Notice.objects.filter(kind=NoticeKind.ROUND, user=user).latest("pk")
    said = said_by(notice, user, names_for(user, night.event.club))
    assert said is not None
    return list(said.lines)


@pytest.mark.dear("evenings of four and of sixteen teams")
def test_sweep_and_program_ask_as_often_for_many_tables_as_for_few(clock: time_machine.Traveller) -> None:
    """Somebody has come to each, and nothing is to be done yet."""
    asked = []
    for tables, letters in ((2, "abcd"), (8, "efghijklmnopqrst")):
        night = Reserves(ClubFactory.create(), tuple(f"{letter}um" for letter in letters))
        director = UserFactory.create(club=night.event.club, role=Role.DIRECTOR)
        night.begin()
        rows = night.matches(1)
        assert len(rows) == tables
        for match in rows:
            Arrival.objects.create(round=match.round, player=night.pair(match)[0], at=START)
        with CaptureQueriesContext(connection) as by_sweep:
            sweep_evenings(timezone.now())
        with CaptureQueriesContext(connection) as by_program:
            told = logged_in(director).get(f"/api/v1/events/{night.event.code}/evening/").json()
        assert [len(one["waited_for"]) for one in told["matches"]] == [3] * tables
        asked.append((len(by_sweep), len(by_program)))
        night.evening.delete()
    assert asked[0] == asked[1]
    # Whether the teams have reserves is asked once of the event, and of the line-ups it is not.
    assert sum("GROUP BY" in query["sql"] for query in by_sweep) == 1
