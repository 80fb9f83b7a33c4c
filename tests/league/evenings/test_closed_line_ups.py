"""Line-ups that are handed in before their round begins: closed until both are in, or it begins."""

import datetime
import re
from collections.abc import Iterable
from functools import partial
from itertools import product
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import URLPattern, reverse

import league.api.urls
import league.urls
from league.admin.match_people import LineUpForm
from league.draws.absences import settle_absence
from league.draws.online import play_online
from league.draws.round_life import draft_round, publish_round, unpublish_round
from league.draws.rounds import draw_round_robin
from league.draws.sitting_in import let_bot_sit_in
from league.events.evenings import begin_evening, check_rounds, drop_evening, pause_evening
from league.events.event_life import finish_event, reopen_event
from league.matches.line_ups import closed_line_ups, set_line_up, to_hand_in
from league.models import (
    AbsentMember,
    AuditEntry,
    Club,
    EntryMember,
    Event,
    LineUpSeat,
    Role,
    Round,
    RoundState,
)
from league.people.own_data import own_data
from league.people.players import create_player, merge_players
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import OPERATOR, PlayerFactory, UserFactory
from tests.league.evenings.test_evening_reserves import Reserves
from tests.league.nights import START, at
from tests.league.table_players import address, browser, by, member, plain_text, refused, text

pytestmark = pytest.mark.django_db

NAMES = ("Ann", "Bob")


@pytest.fixture
def night(club: Club, clock: time_machine.Traveller) -> Reserves:
    """Two teams with a reserve each, who meet; the break before the first round goes on."""
    made = Reserves(club, NAMES)
    begin_evening(actor=OPERATOR, event=made.event)
    at(clock, 1)
    return made


def drawn_at_once(club: Club, **settings: Any) -> Reserves:
    """Teams without a reserve, whose rounds are all drawn before the evening begins."""
    night = Reserves(club, NAMES, format_="round_robin", **settings)
    EntryMember.objects.filter(event=night.event, position=2).delete()
    draw_round_robin(actor=OPERATOR, event=night.event)
    return night


def lined_up(night: Reserves) -> list[list[str]]:
    """Who sits for Ann's team and for Bob's, as is written in the match."""
    return [night.line_up(name, 1) for name in NAMES]


def noted() -> list[tuple[str, list[str]]]:
    """Who has set which line-up, as the audit says."""
    rows = AuditEntry.objects.filter(action="match.line_up").order_by("pk")
    return [(row.actor_name, [one["name"] for one in (row.after or {})["players"]]) for row in rows]


def test_line_up_is_closed_until_both_are_in(night: Reserves) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann2")
    night.hand_in("Ann", 1, "Ann3", "Ann")
    assert (lined_up(night), noted()) == ([[], []], [])
    night.hand_in("Bob", 1, "Bob", "Bob3")
    assert lined_up(night) == [["Ann3", "Ann"], ["Bob", "Bob3"]]
    assert sorted(noted()) == [("ann", ["Ann3", "Ann"]), ("bob", ["Bob", "Bob3"])]
    match = night.of_team("Ann", 1)
    assert match.sheet is not None
    # Who has seen the other's changes his own no more, though the round has not begun.
    for name in NAMES:
        refused("too_late", partial(night.hand_in, name, 1, name, f"{name}2"))
        assert to_hand_in(match, night.players[name].user_id) is None
    side = match.side_of(night.entry("Ann"))
    set_line_up(actor=OPERATOR, match=match, side=side, players=[night.players["Ann2"], night.players["Ann"]])
    assert night.line_up("Ann", 1) == ["Ann2", "Ann"]


def test_line_up_is_opened_as_the_round_begins(night: Reserves, clock: time_machine.Traveller) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann")
    at(clock, 4)
    assert lined_up(night) == [[], []]
    at(clock, 5)
    assert lined_up(night) == [["Ann3", "Ann"], ["Bob", "Bob2"]]
    assert noted() == [("ann", ["Ann3", "Ann"]), ("the evening", ["Bob", "Bob2"])]
    assert not LineUpSeat.objects.exists()
    assert night.evening.round == night.of_team("Ann", 1).round


def test_line_up_that_a_director_hands_in_is_closed_as_well(night: Reserves) -> None:
    """He may be asked to by a captain, who has no account; the captain who has may change it."""
    match = night.of_team("Ann", 1)
    sides = {name: match.side_of(night.entry(name)) for name in NAMES}
    players = [night.players[name] for name in ("Ann3", "Ann2")]
    set_line_up(actor=OPERATOR, match=match, side=sides["Ann"], players=players)
    assert night.handed_in("Ann", 1) == ["Ann3", "Ann2"]
    wanted = to_hand_in(match, night.players["Ann"].user_id)
    assert wanted is not None
    assert (wanted.is_in, list(wanted.players)) == (True, players)
    night.hand_in("Ann", 1, "Ann2", "Ann3")
    guest = PlayerFactory.create(club=night.event.club, name="Zoe")
    set_line_up(actor=OPERATOR, match=match, side=sides["Bob"], players=[guest, night.players["Bob"]])
    assert lined_up(night) == [["Ann2", "Ann3"], ["Zoe", "Bob"]]
    assert sorted(noted()) == [(OPERATOR.name, ["Zoe", "Bob"]), ("ann", ["Ann2", "Ann3"])]


def test_line_up_with_somebody_who_has_left_the_team_counts_for_nothing(
    night: Reserves, clock: time_machine.Traveller
) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann2")
    EntryMember.objects.filter(event=night.event, player=night.players["Ann3"]).delete()
    at(clock, 5)
    assert lined_up(night) == [["Ann", "Ann2"], ["Bob", "Bob2"]]


def test_one_that_counts_for_nothing_opens_no_other_and_is_handed_in_again(night: Reserves) -> None:
    """Its captain is not late: what the other team handed in meanwhile is closed until his is in."""
    night.hand_in("Ann", 1, "Ann3", "Ann2")
    EntryMember.objects.filter(event=night.event, player=night.players["Ann3"]).delete()
    night.hand_in("Bob", 1, "Bob3", "Bob")
    assert (lined_up(night), noted()) == ([[], []], [])
    night.hand_in("Ann", 1, "Ann2", "Ann")
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob3", "Bob"]]


def test_evening_that_is_dropped_leaves_no_line_up_closed(night: Reserves) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann")
    drop_evening(actor=OPERATOR, event=night.event)
    assert lined_up(night) == [["Ann3", "Ann"], []]
    assert not LineUpSeat.objects.exists()
    # What a director sets now is seen at once.
    match = night.of_team("Bob", 1)
    players = [night.players[name] for name in ("Bob3", "Bob2")]
    set_line_up(actor=OPERATOR, match=match, side=match.side_of(night.entry("Bob")), players=players)
    assert lined_up(night) == [["Ann3", "Ann"], ["Bob3", "Bob2"]]


def test_round_that_is_taken_back_leaves_no_line_up_handed_in(night: Reserves) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann")
    unpublish_round(actor=OPERATOR, round_=Round.objects.get(event=night.event))
    assert not LineUpSeat.objects.exists()


def test_merged_player_is_handed_in_as_who_is_kept(night: Reserves) -> None:
    night.hand_in("Ann", 1, "Ann3", "Ann")
    twin = PlayerFactory.create(club=night.event.club, name="Anna")
    merge_players(actor=OPERATOR, keep=twin, drop=night.players["Ann3"])
    assert night.handed_in("Ann", 1) == ["Anna", "Ann"]


def test_order_of_seats_is_closed_too(club: Club, clock: time_machine.Traveller) -> None:
    """Of teams without a reserve, in rounds drawn at once: what the draw has written is seen meanwhile."""
    night = drawn_at_once(club)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    assert lined_up(night) == [["Ann", "Ann2"], ["Bob", "Bob2"]]
    night.begin()
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob", "Bob2"]]


def test_director_who_sets_one_side_leaves_what_is_handed_in_for_the_other(
    club: Club, clock: time_machine.Traveller
) -> None:
    """His form has both sides, and that which is closed as the draw has written it."""
    night = drawn_at_once(club)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    assert "The line-ups are noted" in sent(night, shown(night), Bob=["Bob2", "Bob"])
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob2", "Bob"]]


def shown(night: Reserves) -> dict[str, Any]:
    """The form of line-ups of the first round as a director has it on his screen, by its fields."""
    form = LineUpForm(night.of_team("Ann", 1))
    return {name: field.initial or "" for name, field in form.fields.items()}


def sent(night: Reserves, fields: dict[str, Any], **teams: list[str]) -> str:
    """What a director reads who sends that form with these line-ups chosen for teams, and confirms it."""
    match = night.of_team("Ann", 1)
    page = reverse("admin:league_match_line_ups", args=[match.pk])
    data = {name: getattr(value, "pk", value) for name, value in fields.items()}
    for name, players in teams.items():
        side = match.side_of(night.entry(name))
        data |= {f"seat_{side}_{position}": night.players[each].pk for position, each in enumerate(players)}
    director = logged_in(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    answer = director.post(page, data | {"_confirm": "1"}, follow=True)
    return plain_text(answer.content.decode())


def test_form_that_was_shown_before_both_line_ups_were_in_puts_neither_back(
    club: Club, clock: time_machine.Traveller
) -> None:
    """What it shows as it was is left alone; what is chosen anew for a side that has changed is refused."""
    night = drawn_at_once(club)
    before = shown(night)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    night.hand_in("Bob", 1, "Bob2", "Bob")
    sent(night, before)
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob2", "Bob"]]
    guest = PlayerFactory.create(club=club, name="Zoe")
    night.players["Zoe"] = guest
    said = sent(night, before, Bob=["Zoe", "Bob"])
    assert "The line-up of Bob was changed meanwhile." in said
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob2", "Bob"]]
    sent(night, shown(night), Bob=["Zoe", "Bob"])
    assert lined_up(night) == [["Ann2", "Ann"], ["Zoe", "Bob"]]


def test_who_is_absent_sits_in_no_line_up_that_was_handed_in_before(
    club: Club, clock: time_machine.Traveller
) -> None:
    """A director has seated somebody else since then."""
    night = drawn_at_once(club, absent_member=AbsentMember.SUBSTITUTE)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    ill, guest = night.players["Ann2"], member(club, "Zoe")
    match = night.of_team("Ann", 1)
    settle_absence(actor=OPERATOR, match=match, absent=ill, substitute=guest, reason="Ill.")
    night.begin()
    assert lined_up(night) == [["Ann", "Zoe"], ["Bob", "Bob2"]]


def test_who_is_absent_is_not_seated_again_where_a_bot_sits_in_for_him(
    club: Club, clock: time_machine.Traveller
) -> None:
    bot = create_player(actor=OPERATOR, club=club, name="Robo", strategy="steady")
    night = drawn_at_once(club, sits_in=bot)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    match = night.of_team("Ann", 1)
    let_bot_sit_in(actor=OPERATOR, match=match, absent=night.players["Ann2"], reason="Ill.")
    night.begin()
    assert lined_up(night) == [["Ann", "Robo"], ["Bob", "Bob2"]]


def test_match_that_is_played_before_the_evening_begins_is_played_as_handed_in(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = drawn_at_once(club)
    night.hand_in("Ann", 1, "Ann2", "Ann")
    table = play_online(actor=by(night.players["Bob"]), match=night.of_team("Ann", 1))
    assert lined_up(night) == [["Ann2", "Ann"], ["Bob", "Bob2"]]
    seats = table.seats.filter(side=night.of_team("Ann", 1).side_of(night.entry("Ann"))).order_by("number")
    assert [seat.account_id for seat in seats] == [night.players[name].user_id for name in ("Ann2", "Ann")]


def test_first_round_of_teams_with_reserves_begins_after_a_break(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club, NAMES)
    begin_evening(actor=OPERATOR, event=night.event)
    match, ann = night.of_team("Ann", 1), browser(night.players["Ann"])
    assert (night.evening.round, night.evening.next_at) == (None, START + datetime.timedelta(minutes=5))
    page = plain_text(ann.get(reverse("event", args=[club.slug, "friday"])).content.decode())
    assert "Round 1 begins at 19:05." in page
    assert "The first one begins 5 minutes after the evening does." in page
    assert "Name who plays for your team in this round. The round begins at 19:05." in text(ann, match)
    refused("not_yet", partial(night.come_all, 1, "Ann"))
    # As any break, it begins anew after a pause.
    at(clock, 3)
    pause_evening(actor=OPERATOR, event=night.event)
    at(clock, 10)
    begin_evening(actor=OPERATOR, event=night.event)
    at(clock, 14)
    night.hand_in("Ann", 1, "Ann3", "Ann")
    assert (night.evening.round, night.evening.come_by) == (None, None)
    at(clock, 15)
    assert night.evening.round == match.round
    assert night.evening.come_by == START + datetime.timedelta(minutes=25)
    assert night.line_up("Ann", 1) == ["Ann3", "Ann"]
    night.come_all(1, "Ann", "Ann3", "Bob", "Bob2")
    assert (Round.objects.count(), night.evening.state) == (1, "going")


def test_without_a_break_the_first_round_begins_at_once(club: Club, clock: time_machine.Traveller) -> None:
    night = Reserves(club, NAMES, break_minutes=0)
    begin_evening(actor=OPERATOR, event=night.event)
    assert night.evening.round == night.of_team("Ann", 1).round


def test_round_that_is_taken_back_in_the_first_break_begins_a_break_after_it_is_published(
    night: Reserves, clock: time_machine.Traveller
) -> None:
    """Captains have as much time to hand in as if it had been drawn then."""
    back = unpublish_round(actor=OPERATOR, round_=Round.objects.get(event=night.event))
    at(clock, 4)
    assert night.evening.next_at == START + datetime.timedelta(minutes=5)
    at(clock, 6)
    waiting = night.evening
    assert (waiting.state, waiting.round, waiting.next_at) == ("going", None, None)
    page = reverse("event", args=[night.event.club.slug, "friday"])
    said = plain_text(browser(night.players["Ann"]).get(page).content.decode())
    assert "The next round begins once a director has published it." in said
    director = UserFactory.create(club=night.event.club, role=Role.DIRECTOR)
    led = logged_in(director).get(page).content.decode()
    assert "Round 1 is drawn and waits for you: look at it and publish it." in plain_text(led)
    assert reverse("admin:league_round_change", args=[back.pk]) in led
    publish_round(actor=OPERATOR, round_=back)
    at(clock, 7)
    resting = night.evening
    assert (resting.round, resting.next_at) == (None, START + datetime.timedelta(minutes=12))
    night.hand_in("Ann", 1, "Ann3", "Ann")
    at(clock, 12)
    assert night.evening.round == back
    assert night.line_up("Ann", 1) == ["Ann3", "Ann"]


def test_round_that_is_drafted_in_the_first_break_keeps_none_from_beginning(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Reserves(club)
    begin_evening(actor=OPERATOR, event=night.event)
    at(clock, 1)
    night.hand_in("Ann", 1, "Ann3", "Ann")
    drafted = draft_round(actor=OPERATOR, event=night.event, despite_missing=True)
    at(clock, 4)
    assert night.evening.next_at == START + datetime.timedelta(minutes=5)
    at(clock, 5)
    assert night.evening.round == night.of_team("Ann", 1).round
    assert night.line_up("Ann", 1) == ["Ann3", "Ann"]
    # It is the director's to publish; then captains have a break.
    night.give_all(1)
    at(clock, 6)
    waiting = night.evening
    assert (waiting.next_at, Round.objects.get(number=2).state) == (None, RoundState.DRAFTED)
    publish_round(actor=OPERATOR, round_=drafted, reason="They stay as they are.")
    at(clock, 7)
    assert night.evening.next_at == START + datetime.timedelta(minutes=12)


def test_event_that_is_finished_by_mistake_goes_on_as_it_stood(
    night: Reserves, clock: time_machine.Traveller
) -> None:
    """Nobody hands anything in meanwhile, and nothing that is handed in is lost."""
    night.hand_in("Ann", 1, "Ann3", "Ann")
    finish_event(actor=OPERATOR, event=night.event, despite_unfinished=True)
    page = reverse("event", args=[night.event.club.slug, "friday"])
    for minute in (2, 3):
        at(clock, minute)
        assert night.evening.state == "stopped"
        refused("wrong_state", partial(night.hand_in, "Bob", 1, "Bob3", "Bob"))
        refused("wrong_state", partial(drop_evening, actor=OPERATOR, event=night.event))
        assert to_hand_in(night.of_team("Bob", 1), night.players["Bob"].user_id) is None
        assert "runs itself" not in browser(night.players["Bob"]).get(page).content.decode()
    reopen_event(actor=OPERATOR, event=night.event)
    assert night.evening.why == "The event was finished before its evening was over."
    assert night.handed_in("Ann", 1) == ["Ann3", "Ann"]
    wanted = to_hand_in(night.of_team("Ann", 1), night.players["Ann"].user_id)
    assert wanted is not None
    assert wanted.is_in
    begin_evening(actor=OPERATOR, event=night.event)
    at(clock, 4)
    night.hand_in("Bob", 1, "Bob3", "Bob")
    assert lined_up(night) == [["Ann3", "Ann"], ["Bob3", "Bob"]]


def test_event_that_is_finished_while_a_sweep_looks_at_it_loses_nothing_either(
    night: Reserves, clock: time_machine.Traveller, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweep has read that it is running, and its break is over."""
    night.hand_in("Ann", 1, "Ann3", "Ann")
    looking = "league.events.evening_sweep.check_rounds"

    def finished_meanwhile(event: Event) -> None:
        monkeypatch.setattr(looking, check_rounds)
        check_rounds(event)
        finish_event(actor=OPERATOR, event=event, despite_unfinished=True)

    monkeypatch.setattr(looking, finished_meanwhile)
    at(clock, 5)
    at(clock, 6)
    assert (night.evening.state, night.evening.round) == ("stopped", None)
    reopen_event(actor=OPERATOR, event=night.event)
    assert night.handed_in("Ann", 1) == ["Ann3", "Ann"]


def test_line_up_of_a_round_before_that_with_which_the_evening_begins_is_opened(
    club: Club, clock: time_machine.Traveller
) -> None:
    """Of teams without a reserve, of which the evening plays the last round that is published."""
    night = Reserves(club)
    EntryMember.objects.filter(event=night.event, position=2).delete()
    for despite in (False, True):
        publish_round(
            actor=OPERATOR,
            round_=draft_round(actor=OPERATOR, event=night.event, despite_missing=despite),
        )
    night.hand_in("Ann", 1, "Ann2", "Ann")
    night.hand_in("Ann", 2, "Ann2", "Ann")
    begin_evening(actor=OPERATOR, event=night.event)
    assert night.evening.round == night.of_team("Ann", 2).round
    assert [night.line_up("Ann", number) for number in (1, 2)] == [["Ann2", "Ann"]] * 2
    assert not LineUpSeat.objects.exists()


def test_directors_and_its_captain_read_what_is_closed(night: Reserves) -> None:
    """By page and API; a director who is of one of the teams is as anybody of it."""
    night.hand_in("Ann", 1, "Ann3", "Ann2")
    match, club = night.of_team("Ann", 1), night.event.club
    api = f"/api/v1/matches/{match.code}/line-up/"
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    told = [{"side": match.side_of(night.entry("Ann")), "players": ["Ann3", "Ann2"]}]
    for reader, sees in (
        (director, True),
        (browser(night.players["Ann"]), True),
        (browser(night.players["Ann2"]), False),
        (browser(night.players["Bob"]), False),
    ):
        rows = reader.get(api).json()["closed"]
        found = [row | {"players": [each["name"] for each in row["players"]]} for row in rows]
        assert found == (told if sees else [])
        assert ("Ann: Ann3, Ann2" in text(reader, match)) == sees
    assert closed_line_ups(match, night.players["Bob2"].user_id, directs=True) == []
    for name, seats in (("Ann", [("Ann3", 0), ("Ann2", 1)]), ("Ann3", [])):
        user = night.players[name].user
        assert user is not None
        told_own = own_data(user)["line_ups_handed_in"]
        assert [(seat["player"], seat["position"]) for seat in told_own] == seats


def test_officers_hand_in_by_the_api_for_a_side(night: Reserves) -> None:
    match, club = night.of_team("Ann", 1), night.event.club
    sides = {name: match.side_of(night.entry(name)) for name in NAMES}
    user = UserFactory.create(club=club, role=Role.DIRECTOR)
    director, bob = logged_in(user), browser(night.players["Bob"])

    def post(client: Client, side: int | None, *names: str) -> tuple[int, str]:
        said: dict[str, object] = {"players": [night.players[name].code for name in names]}
        said |= {} if side is None else {"side": side}
        answer = client.post(f"/api/v1/matches/{match.code}/line-up/", said, content_type="application/json")
        return answer.status_code, "" if answer.status_code == 200 else answer.json()["code"]

    assert post(director, None, "Ann3", "Ann")[0] == 403
    assert post(bob, sides["Ann"], "Ann3", "Ann")[0] == 403
    assert post(director, 7, "Ann3", "Ann") == (422, "max_value")
    assert post(director, sides["Ann"], "Bob", "Ann") == (422, "other_entry")
    assert post(director, sides["Ann"], "Ann3", "Ann") == (200, "")
    assert lined_up(night) == [[], []]
    assert post(bob, None, "Bob3", "Bob") == (200, "")
    assert lined_up(night) == [["Ann3", "Ann"], ["Bob3", "Bob"]]
    assert sorted(noted()) == sorted([(actor_of(user).name, ["Ann3", "Ann"]), ("bob", ["Bob3", "Bob"])])
    # It is no captain's any more; the director's is seen at once.
    assert post(bob, None, "Bob", "Bob2") == (422, "too_late")
    assert post(director, sides["Bob"], "Bob", "Bob2") == (200, "")
    assert night.line_up("Bob", 1) == ["Bob", "Bob2"]


# What differs each time a page is made.
_EACH_TIME = re.compile(rb'(name="csrfmiddlewaretoken" value|"X-CSRFToken"|nonce|data-csrf)[=:] ?"[^"]*"')


def doors(night: Reserves) -> list[str]:
    """Each address of the site and of its API, filled in with what this evening has."""
    match, club = night.of_team("Ann", 1), night.event.club
    own = {"club": [club.slug], "event": [night.event.slug], "number": ["1"]}
    own["code"] = [match.code, match.round.code, night.entry("Ann").code, night.players["Ann3"].code]
    coded = own | {"event": [night.event.code]}
    found = []
    for prefix, patterns, values in (
        ("/", league.urls.urlpatterns, own),
        ("/api/v1/", league.api.urls.urlpatterns, coded),
    ):
        for each in patterns:
            route = prefix + str(each.pattern)
            names = re.findall(r"<\w+:(\w+)>", route)
            if isinstance(each, URLPattern) and set(names) <= values.keys():
                filled = product(*[values[name] for name in names])
                found += [re.sub(r"<\w+:\w+>", "{}", route).format(*chosen) for chosen in filled]
    return found


def told_by(reader: Client, addresses: Iterable[str]) -> dict[str, tuple[bytes, str]]:
    """What a reader is told at these addresses, as far as he is told anything, and the ETag of that."""
    told = {}
    for place in addresses:
        answer = reader.get(place)
        if answer.status_code == 200:
            body = answer.getvalue()
            kept = _EACH_TIME.sub(b"", body)
            told[place] = kept, answer.headers.get("ETag", "") if kept == body else ""
    return told


@pytest.mark.long
@pytest.mark.usefixtures("mails")
def test_the_other_captain_learns_nothing_at_any_door(night: Reserves) -> None:
    """Byte by byte all is as it was before; once his own is in he reads it where all do."""
    bob, match = browser(night.players["Bob"]), night.of_team("Ann", 1)
    before = told_by(bob, doors(night))
    page, api = address(match), f"/api/v1/matches/{match.code}/"
    assert {page, api, f"{api}line-up/", address(match, "match_play"), "/account/data/"} <= before.keys()
    night.hand_in("Ann", 1, "Ann3", "Ann")
    assert told_by(bob, before) == before
    night.hand_in("Bob", 1, "Bob", "Bob2")
    after = told_by(bob, (page, api))
    assert [b"Ann3" in before[each][0] for each in (page, api)] == [False, False]
    assert [b"Ann3" in after[each][0] for each in (page, api)] == [True, True]
