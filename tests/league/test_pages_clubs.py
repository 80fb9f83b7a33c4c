"""What the front page of a club shows first, and where it leads."""

import datetime
import re
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.draws.group_rounds import draw_groups
from league.events.front_page import EventLine, archive, front_page, lines_of, navigation, season_events
from league.models import AuditEntry, Club, Event, EventKind, EventState, Role, Round
from league.people.clubs import change_club
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    SeasonFactory,
    UserFactory,
    play,
)
from tests.league.ladder_cases import ladder
from tests.league.test_group_rounds import group_cup, play_groups
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


def names(lines: Sequence[EventLine]) -> list[str]:
    return [line.event.name for line in lines]


def test_what_can_be_entered_comes_first_and_what_is_over_last() -> None:
    club = ClubFactory.create()
    season = SeasonFactory.create(club=club, starts_on=datetime.date(2026, 6, 1))
    for name, state in (
        ("draft", EventState.DRAFT),
        ("open", EventState.OPEN),
        ("archived", EventState.ARCHIVED),
        ("running", EventState.RUNNING),
        ("finished", EventState.FINISHED),
        ("running later", EventState.RUNNING),
    ):
        EventFactory.create(club=club, name=name, state=state, season=season)
    for name in ("running", "running later"):
        # Not on now, as it was due long ago, and not to come either.
        RoundFactory.create(event=Event.objects.get(name=name), date=datetime.date(2026, 1, 7))
    # Without a season, which used to be the last of all.
    EventFactory.create(club=club, name="open to all", state=EventState.OPEN)
    events, rounds, today = Event.objects.all(), Round.objects.all(), timezone.localdate()
    front = front_page(club, seen=events, rounds=rounds, today=today)
    assert front.on_now == []
    assert names(front.open) == ["open", "open to all"]
    assert names(front.running) == ["running later", "running"]
    assert names(front.upcoming) == ["draft"]
    assert names(front.finished) == ["finished", "archived"]
    expected = ["open", "running later", "running", "draft", "finished", "archived"]
    assert names(season_events(season, seen=events, rounds=rounds, today=today)) == expected
    # The menu has what is on.
    assert [event.name for event in navigation(club, seen=events, today=today)] == [
        "running later",
        "running",
        "open",
    ]
    tonight = Event.objects.get(name="open to all")
    RoundFactory.create(event=tonight, date=today)
    assert navigation(club, seen=events, today=today)[0] == tonight
    # And nothing is out of reach.
    found, lines = archive(club, 1, seen=events, rounds=rounds, today=today)
    assert sorted(names(lines)) == sorted([*expected, "open to all"])
    assert not found.has_next()


def test_what_is_to_come_is_upcoming_until_its_first_round(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    today = timezone.localdate(timezone=club.zone)
    in_a_week, in_a_month = (today + datetime.timedelta(days=days) for days in (7, 30))
    EventFactory.create(club=club, name="Not drawn")
    for name, date in (("In a month", in_a_month), ("In a week", in_a_week), ("Tonight", today)):
        event = EventFactory.create(club=club, name=name)
        MatchFactory.create(event=event, round=RoundFactory.create(event=event, date=date))
    begun = EventFactory.create(club=club, name="Begun")
    play(MatchFactory.create(event=begun, round=RoundFactory.create(event=begun)), 40, stopped=True)
    MatchFactory.create(event=begun, round=RoundFactory.create(event=begun, date=in_a_week))
    EventFactory.create(club=club, name="Draft", state=EventState.DRAFT)
    ladder(2, club=club)

    def sections(reader: Client) -> dict[str, list[str]]:
        page = reader.get(reverse("club", args=["harbour"])).content.decode()
        found = re.findall(r'<section aria-labelledby="(\w+)">(.*?)</section>', page, re.DOTALL)
        return {name: re.findall(r'class="place-name"[^>]*>([^<]+)', part) for name, part in found}

    upcoming = ["In a week", "In a month", "Not drawn"]
    assert sections(client) == {"running": ["Harbour Ladder", "Begun"], "upcoming": upcoming}
    assert "Upcoming In a week" in read(client, "club", "harbour")
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert sections(client)["upcoming"] == [*upcoming, "Draft"]


def test_open_entries_lead_everybody_on(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    singles = EventFactory.create(club=club, slug="singles", state=EventState.OPEN)
    teams = EventFactory.create(
        club=club, slug="teams", state=EventState.OPEN, kind=EventKind.TEAM, team_size=2
    )
    for name, role in (("Ann", Role.OWNER), ("Bob", Role.DIRECTOR), ("Cid", Role.SCOREKEEPER)):
        UserFactory.create(club=club, role=role, first_name=name)
    UserFactory.create(club=club, role=Role.DIRECTOR, first_name="Gone", is_active=False)
    UserFactory.create(club=ClubFactory.create(), role=Role.OWNER, first_name="Stranger")
    enter = [
        reverse("admin:league_event_enter", args=[singles.pk]),
        f"{reverse('admin:league_entry_add')}?event={teams.pk}",
    ]
    pages = {"club": ["harbour"], "event": ["harbour", "singles"]}

    def shown(name: str) -> str:
        return re.sub(r"\s+", " ", client.get(reverse(name, args=pages[name])).content.decode())

    for name, way in pages.items():
        page = shown(name)
        assert "Tell a director of the club if you want to play." in page
        assert f'href="{reverse("login")}?next={reverse(name, args=way)}"> Members who sign in' in page
        assert "Ann" not in page
    # Of another club: no more than anybody is told.
    client.force_login(User.objects.get(first_name="Stranger"))
    assert "Tell a director of the club" in shown("club")
    assert "Members who sign in" not in shown("club")
    client.force_login(User.objects.get(first_name="Cid"))
    for name in pages:
        assert "If you want to play, tell Ann or Bob." in shown(name)
        assert not any(address in shown(name) for address in enter)
    assert "If you direct a club, its members see your name" in read(client, "privacy")
    client.force_login(User.objects.get(first_name="Bob"))
    assert all(f'href="{address}"' in shown("club") for address in enter)
    assert f'href="{enter[0]}"' in shown("event")
    for name in pages:
        assert "want to play" not in shown(name)
    for address in enter:
        assert client.get(address).status_code == 200


def test_a_club_says_whom_to_turn_to(client: Client) -> None:
    """To guests too, beside its name and where entries are open; only if it has said so."""
    club = ClubFactory.create(slug="harbour", place="The Boathouse", contact="Bea <b>, play@harbour.example")
    EventFactory.create(club=club, slug="singles", state=EventState.OPEN)
    pages = {"club": ["harbour"], "event": ["harbour", "singles"]}
    link = 'Bea &lt;b&gt;, <a href="mailto:play@harbour.example">play@harbour.example</a>'

    def shown(name: str) -> str:
        return re.sub(r"\s+", " ", client.get(reverse(name, args=pages[name])).content.decode())

    assert f"<p>The Boathouse · {link}</p>" in shown("club")
    for name in pages:
        assert f"If you want to play, write or call: {link}" in shown(name)
    UserFactory.create(club=club, role=Role.DIRECTOR, first_name="Ann")
    client.force_login(UserFactory.create(club=club, role=Role.MEMBER))
    for name in pages:
        assert f"If you want to play, tell Ann: {link}" in shown(name)
    change_club(actor=OPERATOR, club=club, contact="")
    for name in pages:
        assert "play@harbour.example" not in shown(name)


def test_owners_say_whom_to_turn_to(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    client.force_login(UserFactory.create(club=club, role=Role.OWNER))
    address = reverse("admin:league_club_change", args=[club.pk])
    form = client.get(address).context["adminform"].form
    sent = {name: form[name].value() for name in form.fields} | {"contact": "play@harbour.example"}
    inline = {f"memberships-{each}_FORMS": "0" for each in ("TOTAL", "INITIAL")}
    client.post(
        address, {name: value for name, value in (sent | inline).items() if value not in (None, False)}
    )
    club.refresh_from_db()
    assert club.contact == "play@harbour.example"
    entry = AuditEntry.objects.get(action="club.change")
    assert entry.after == {"contact": "play@harbour.example"}


def test_the_first_of_one_group_is_not_the_first_of_the_event(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    (line,) = lines_of(
        Event.objects.filter(pk=event.pk), rounds=Round.objects.all(), today=timezone.localdate()
    )
    assert line.first is None


def test_ratings_can_be_reached_from_every_page(client: Client) -> None:
    ClubFactory.create(slug="harbour")
    address = reverse("ratings", args=["harbour"])
    content = client.get(reverse("club", args=["harbour"])).content.decode()
    assert content.count(f'href="{address}"') == 2
    assert "Players Ratings" in read(client, "players", "harbour")
    assert f'href="{address}" aria-current="true"' in client.get(address).content.decode()


@pytest.mark.parametrize("name", ["club_play", "club_daily", "club_away"])
def test_a_director_without_a_player_is_not_sent_to_a_director(client: Client, name: str) -> None:
    club = ClubFactory.create()
    link = f'href="{reverse("admin:league_player_changelist")}"'
    shown = {}
    for role in (Role.DIRECTOR, Role.MEMBER):
        client.force_login(UserFactory.create(club=club, role=role, first_name=role.label))
        shown[role] = client.get(reverse(name, args=[club.slug])).content.decode()
    assert link in shown[Role.DIRECTOR]
    assert "tell " not in shown[Role.DIRECTOR]
    assert link not in shown[Role.MEMBER]
    assert "If you want to play, tell " in shown[Role.MEMBER]
