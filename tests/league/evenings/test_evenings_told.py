"""What people and programs are told of an evening that runs itself, on pages and by mail."""

import re
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from league.events.evenings import pause_evening
from league.events.presence import mark_everybody, set_presence
from league.models import (
    Club,
    Event,
    Match,
    Notice,
    NoticeKind,
    Player,
    Presence,
    PresenceState,
    Role,
)
from league.notices.words import said_by
from league.policy.naming import names_for
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    PlayerFactory,
    UserFactory,
)
from tests.league.nights import NAMES, Night, at
from tests.league.table_players import browser, plain_text

pytestmark = pytest.mark.django_db


def test_pages_tell_players_when_and_let_them_come(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", check_in=False, slug="friday")
    where = reverse("event", args=["harbour", "friday"])
    assert "Each round begins 5 minutes after" in browser(night.players["Ann"]).get(where).content.decode()
    night.begin()
    match = night.matches(1)[0]
    one, other = night.pair(match)
    page = browser(one).get(where).content.decode()
    assert "Players of round 1 have until 19:10 to come to their table." in page
    assert 'data-ends="2026-11-06T19:10:00+00:00"' in page
    own = reverse("match", args=["harbour", "friday", match.code])
    assert own in page
    assert "I am here" in browser(one).get(own).content.decode()
    play = reverse("match_play", args=["harbour", "friday", match.code])
    assert "I am here" in browser(one).get(play).content.decode()
    assert browser(one).post(play, {"what": "play"}).headers["Location"] == own
    assert "You are at the table" in browser(one).get(own).content.decode()
    answer = browser(other).post(play, {"what": "play"})
    table = TableMatch.objects.get()
    assert answer.headers["Location"] == f"/play/{table.code}/"
    pause_evening(actor=OPERATOR, event=night.event)
    assert "It goes on when a director says so" in browser(one).get(where).content.decode()


def test_page_tells_a_member_before_the_evening_whether_he_is_checked_in(club: Club) -> None:
    """He says himself that he cannot come; then he is not paired, nor ticked with all others."""
    night = Night(club, "swiss", slug="friday")
    ann, where = browser(night.players["Ann"]), reverse("event", args=["harbour", "friday"])
    enter = reverse("event_enter", args=["harbour", "friday"])

    def said() -> list[str]:
        pages = [plain_text(ann.get(page).content.decode()) for page in (where, enter)]
        sentence = re.compile(r"You (?:are|sit)[^.]* round 1[^.]*\.")
        return [" ".join(sentence.findall(page)) for page in pages]

    missing = "You are not checked in for round 1."
    assert said() == [missing, missing]
    for page in (where, enter):
        assert "Only players whom a director has checked in are paired." in plain_text(
            ann.get(page).content.decode()
        )
    assert ann.post(enter, {"what": "out"}).status_code == 422
    entry = night.entry("Ann")
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    assert said() == ["You are checked in for round 1."] * 2
    assert f'href="{enter}">Say that you cannot come' in ann.get(where).content.decode()
    assert "checked in for round" not in Client().get(where).content.decode()
    assert ann.post(enter, {"what": "out"}).status_code == 302
    assert said() == [missing, missing]
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    assert Presence.objects.get(entry=entry).state == PresenceState.AWAY
    set_presence(actor=OPERATOR, event=night.event, entry=entry, number=1, state=PresenceState.BYE)
    assert said() == ["You sit round 1 out."] * 2
    night.begin()
    assert [len(night.matches(1)), said()] == [1, ["", ""]]


def test_anybody_of_a_team_says_that_it_cannot_come(club: Club) -> None:
    night = Night(club, "single", team_size=2, check_in=True, slug="friday")
    mark_everybody(actor=OPERATOR, event=night.event, number=1)
    other, enter = browser(night.players["Ann2"]), reverse("event_enter", args=["harbour", "friday"])
    page = reverse("event", args=["harbour", "friday"])
    for address in (page, enter):
        assert "Your team is checked in for round 1." in plain_text(other.get(address).content.decode())
    assert other.post(enter, {"what": "out"}).status_code == 302
    assert "Your team is not checked in" in plain_text(other.get(page).content.decode())
    assert Presence.objects.get(entry=night.entry("Ann")).state == PresenceState.AWAY


def test_director_sees_who_is_not_there_yet(club: Club, clock: time_machine.Traveller) -> None:
    """As long as they are waited for; nobody else reads it of all tables."""
    night = Night(club, "swiss", check_in=False, slug="friday")
    where = reverse("event", args=["harbour", "friday"])
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))

    def said(client: Client) -> list[str]:
        found = re.findall(r"Not there yet: ([^<]*)\.</p>", client.get(where).content.decode())
        return found[0].split(", ") if found else []

    night.begin()
    first, second = night.matches(1)
    (one, other), both = night.pair(first), night.pair(second)
    assert sorted(said(director)) == sorted(each.name for each in (one, other, *both))
    for each in (one, *both):
        night.come(each.name, 1)
    assert said(director) == [other.name]
    assert said(browser(one)) == said(Client()) == []
    at(clock, 11)
    assert said(director) == []


@pytest.mark.usefixtures("mails")
def test_directors_are_told_why_it_stops_and_that_it_is_over(
    club: Club, clock: time_machine.Traveller
) -> None:
    director = UserFactory.create(club=club, role=Role.DIRECTOR, email="d@a.test")
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, rounds_planned=2)
    night.begin()
    night.play(1)
    name = night.event.name

    def titles() -> list[str | None]:
        notices = Notice.objects.filter(kind=NoticeKind.EVENING, user=director).order_by("pk")
        said = [said_by(notice, director, names_for(director, club)) for notice in notices]
        return [None if each is None else each.title for each in said]

    for minute in (1, 6):
        at(clock, minute)
    assert titles() == [f"{name} has stopped and waits for you"]
    page = f"/clubs/harbour/events/{night.event.slug}/"
    assert night.evening.why
    assert night.evening.why in logged_in(director).get(page).content.decode()
    assert night.evening.why not in browser(night.players["Ann"]).get(page).content.decode()
    Event.objects.update(rounds_planned=1)
    night.begin()
    at(clock, 7)
    # That it had stopped is no longer true.
    assert titles() == [None, f"The evening is over: {name}"]
    assert not Notice.objects.filter(kind=NoticeKind.EVENING).exclude(user=director).exists()


@pytest.mark.usefixtures("mails")
def test_player_is_told_by_when_to_come_and_where(club: Club, clock: time_machine.Traveller) -> None:
    night = Night(club, "swiss", names=("Ann", "Bob"), check_in=False, slug="friday")
    night.begin()
    reader = night.players["Ann"].user
    assert reader is not None
    notice = Notice.objects.get(kind=NoticeKind.ROUND, user=reader)
    said = said_by(notice, reader, names_for(reader, club))
    assert said is not None
    assert said.lines[-1] == "Come to your table by Friday 6 November 2026, 19:10."
    assert said.path == reverse("match", args=["harbour", "friday", night.matches(1)[0].code])


@pytest.mark.usefixtures("mails")
def test_who_plays_a_bot_in_place_of_a_bye_is_told_by_when_to_come(
    club: Club, clock: time_machine.Traveller
) -> None:
    bot = PlayerFactory.create(club=club, name="Robo", strategy="simple")
    night = Night(club, "swiss", NAMES[:3], rounds_planned=2, check_in=False, slug="friday", sits_in=bot)
    night.begin()
    (alone,) = Match.objects.filter(event=night.event, entry_b=None)
    player = night.players[alone.entry_a.name]
    assert player.user is not None
    notice = Notice.objects.get(kind=NoticeKind.ROUND, user=player.user)
    said = said_by(notice, player.user, names_for(player.user, club))
    assert said is not None
    assert f"{player.name} plays a bot, as there is no opponent." in said.lines[0]
    assert said.lines[-1] == "Come to your table by Friday 6 November 2026, 19:10."
    match = reverse("match", args=["harbour", "friday", alone.code])
    assert said.path == match
    client = Client()
    client.force_login(player.user)
    page = reverse("event", args=["harbour", "friday"])
    assert f'href="{match}">\n    To your match' in client.get(page).content.decode()
    at(clock, 10)
    assert "To your match" not in client.get(page).content.decode()


def test_program_comes_to_its_table_and_is_told_to_wait_for_the_other(
    club: Club, clock: time_machine.Traveller
) -> None:
    night = Night(club, "round_robin")
    night.begin()
    at(clock, 0)
    match = night.matches(1)[0]
    one, other = night.pair(match)
    address = f"/api/v1/matches/{match.code}/play/"

    def come(player: Player) -> Any:
        return browser(player).post(address, {}, content_type="application/json").json()

    assert come(one) == {"table": None}
    assert come(one) == {"table": None}
    opened = come(other)
    assert opened == {"table": TableMatch.objects.get().code}
    assert come(one) == opened
