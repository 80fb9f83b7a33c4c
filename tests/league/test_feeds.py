"""An event followed from elsewhere: its table in a frame, its rounds as a calendar, its results as a feed."""

import datetime
import html
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from django.test import Client
from icalendar import Calendar

from league.draws.recalculating import recalculate
from league.models import Club, Entry, Event, EventState, Match, Player, Role, Round, RoundState, ShownAs
from league.policy.naming import AS_WRITTEN
from league.tables.latest import result_line
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    house_rules,
    play,
)

pytestmark = pytest.mark.django_db

WHERE = "/clubs/harbour/events/league/"
ATOM = {"a": "http://www.w3.org/2005/Atom"}


@pytest.fixture
def event() -> Event:
    club = ClubFactory.create(name="Harbour", slug="harbour", time_zone="Europe/Paris")
    rules = house_rules(columns=1)
    event: Event = EventFactory.create(club=club, slug="league", name="Monday “A”, league", rules=rules)
    return event


@pytest.fixture
def match(event: Event) -> Match:
    made: Match = MatchFactory.create(
        event=event,
        round=RoundFactory.create(event=event, date=datetime.date(2026, 3, 28)),
        entry_a=EntryFactory.create(event=event, name="Ann Archer"),
        entry_b=EntryFactory.create(event=event, name="Bob Baker"),
    )
    return made


def entries_of(client: Client) -> list[ET.Element]:
    """The results in the feed, without the report of the last night before them."""
    answer = client.get(f"{WHERE}results.atom")
    assert answer.status_code == 200
    entries = ET.fromstring(answer.content).findall("a:entry", ATOM)  # noqa: S314
    return [entry for entry in entries if not text_of(entry, "title").endswith(" in short")]


def days_of(content: bytes) -> list[Any]:
    """The days of a calendar."""
    return list(Calendar.from_ical(content).walk("VEVENT"))


def text_of(element: ET.Element, name: str) -> str:
    return element.findtext(f"a:{name}", "", ATOM)


@pytest.mark.parametrize("feed", ["embed/", "rounds.ics", "results.atom"])
def test_it_has_an_etag_and_is_not_sent_twice(client: Client, match: Match, feed: str) -> None:
    first = client.get(WHERE + feed)
    assert first.status_code == 200
    assert first.headers["Cache-Control"] == "no-cache"
    again = client.get(WHERE + feed, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("feed", ["embed/", "rounds.ics", "results.atom"])
def test_of_a_draft_and_of_a_private_club_nobody_else_learns(client: Client, match: Match, feed: str) -> None:
    Event.objects.update(state=EventState.DRAFT)
    assert client.get(WHERE + feed).status_code == 404
    Event.objects.update(state=EventState.RUNNING)
    Club.objects.update(is_public=False)
    assert client.get(WHERE + feed).status_code == 404


def test_the_calendar_has_a_day_for_each_round(client: Client, match: Match) -> None:
    RoundFactory.create(event=match.event, date=None)
    RoundFactory.create(event=match.event, date=datetime.date(2026, 4, 4), state=RoundState.DRAFTED)
    answer = client.get(f"{WHERE}rounds.ics")
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    (day,) = days_of(answer.content)
    assert day["UID"] == f"round-{match.round.code}"
    # A date and no hour: the day at the club, wherever one reads it.
    assert day["DTSTART"].dt == datetime.date(2026, 3, 28)
    assert day["DTEND"].dt == datetime.date(2026, 3, 29)
    assert str(calendar["X-WR-TIMEZONE"]) == "Europe/Paris"
    assert str(day["SUMMARY"]) == "Monday “A”, league, round 1"
    assert str(day["URL"]) == f"http://testserver{WHERE}rounds/1/"
    assert all(len(line) <= 75 for line in answer.content.split(b"\r\n"))


def test_a_round_that_is_put_off_stays_the_same_in_the_calendar(client: Client, match: Match) -> None:
    before = days_of(client.get(f"{WHERE}rounds.ics").content)[0]
    match.round.number = 7
    match.round.date = datetime.date(2026, 5, 2)
    match.round.save()
    after = days_of(client.get(f"{WHERE}rounds.ics").content)[0]
    assert (after["UID"], after["DTSTART"].dt) == (before["UID"], datetime.date(2026, 5, 2))


def test_members_of_a_private_club_have_its_calendar(client: Client, match: Match) -> None:
    Club.objects.update(is_public=False)
    client.force_login(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    answer = client.get(f"{WHERE}rounds.ics")
    assert answer.status_code == 200
    assert set(answer.headers["Cache-Control"].split(", ")) == {"no-cache", "private"}


def test_a_result_is_in_the_feed_once_it_counts(client: Client, match: Match) -> None:
    assert entries_of(client) == []
    play(match, 40)
    assert entries_of(client) == []
    play(match, 70)
    (entry,) = entries_of(client)
    # 110 points, two boxes of 25, 100 for the game, doubled for the shutout or not: the net is the sheet's.
    assert text_of(entry, "title").startswith("Ann Archer beats Bob Baker, 1–0 in columns, net +")
    link = entry.find("a:link", ATOM)
    assert link is not None
    assert link.get("href") == f"http://testserver{WHERE}matches/{match.code}/"
    Match.objects.update(held=True)
    assert entries_of(client) == []


def test_what_is_held_back_is_not_in_the_feed(client: Client, match: Match) -> None:
    Event.objects.update(holds_results=True)
    play(match, 120)
    assert entries_of(client) == []
    assert "Ann Archer" not in client.get(f"{WHERE}results.atom").content.decode()


def test_nothing_of_a_round_that_is_drafted_is_in_the_feed(client: Client, match: Match) -> None:
    play(match, 120)
    assert len(entries_of(client)) == 1
    Round.objects.filter(pk=match.round_id).update(state=RoundState.DRAFTED)
    assert entries_of(client) == []


def test_what_is_released_later_is_news_since_then(client: Client, match: Match) -> None:
    play(match, 120)
    other = MatchFactory.create(
        event=match.event,
        round=RoundFactory.create(event=match.event),
        entry_a=EntryFactory.create(event=match.event, name="Cid Cole"),
        entry_b=EntryFactory.create(event=match.event, name="Dee Dunn"),
    )
    play(other, 120)
    assert text_of(entries_of(client)[0], "title").startswith("Cid Cole")
    Event.objects.update(holds_results=True)
    Round.objects.filter(pk=other.round.pk).update(released_at="2031-01-07T20:00:00Z")
    Round.objects.filter(pk=match.round.pk).update(released_at="2031-01-08T20:00:00Z")
    latest, earlier = entries_of(client)
    assert text_of(latest, "title").startswith("Ann Archer")
    shown = [datetime.datetime.fromisoformat(text_of(one, "updated")) for one in (latest, earlier)]
    assert [at.astimezone(datetime.UTC).isoformat() for at in shown] == [
        "2031-01-08T20:00:00+00:00",
        "2031-01-07T20:00:00+00:00",
    ]


def test_ids_of_the_feed_stay_when_addresses_change(client: Client, match: Match) -> None:
    play(match, 120)

    def ids(slug: str) -> list[str]:
        """Of the feed itself, of the report of the night, and of the result."""
        feed = ET.fromstring(client.get(f"/clubs/harbour/events/{slug}/results.atom").content)  # noqa: S314
        return [text_of(one, "id") for one in (feed, *feed.findall("a:entry", ATOM))]

    before = ids("league")
    Event.objects.update(slug="monday")
    assert ids("monday") == before
    assert len(set(before)) == 3
    assert all(one.startswith("urn:uuid:") for one in before)


def test_the_public_reads_names_as_their_players_chose(client: Client, match: Match) -> None:
    play(match, 120)
    recalculate(match.event_id)
    Player.objects.filter(name="Ann Archer").update(shown_as=ShownAs.INITIALS)
    for page in ("embed/", "results.atom"):
        text = client.get(WHERE + page).content.decode()
        assert "Ann Archer" not in text
        assert "A. A." in text
    client.force_login(UserFactory.create(club=match.event.club, role=Role.OWNER))
    assert "Ann Archer" in client.get(f"{WHERE}results.atom").content.decode()
    # In a frame of another site everybody sees the same.
    assert "Ann Archer" not in client.get(f"{WHERE}embed/").content.decode()


@pytest.mark.parametrize(
    ("fields", "line"),
    [
        ({"state": "finished", "winner_side": 0, "net": 227, "columns_a": 2, "columns_b": 1},
         "Ann beats Bob, 2–1 in columns, net +227"),
        ({"state": "stopped", "winner_side": 1, "net": -31, "columns_a": 1, "columns_b": 2},
         "Bob beats Ann, 2–1 in columns, net +31"),
        ({"state": "finished", "winner_side": None, "columns_a": 1, "columns_b": 1},
         "Ann and Bob are level, 1–1 in columns"),
        ({"state": "forfeit", "winner_side": 1}, "Bob gets the match: Ann forfeits"),
        ({"state": "forfeit", "winner_side": None}, "Ann and Bob both forfeit"),
        ({"state": "walkover", "winner_side": 0}, "Ann gets a walkover against Bob"),
        ({"state": "walkover", "winner_side": None}, "Neither Ann nor Bob came"),
    ],
)  # fmt: skip
def test_a_result_in_a_line(event: Event, fields: dict[str, object], line: str) -> None:
    entries = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob")]
    match = MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    for name, value in fields.items():
        setattr(match, name, value)
    assert result_line(match, AS_WRITTEN) == line


def test_the_table_stands_in_frames_of_other_sites_and_nothing_else_does(
    client: Client, match: Match
) -> None:
    embedded = client.get(f"{WHERE}embed/")
    assert "frame-ancestors *" in embedded.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in embedded.headers
    page = client.get(WHERE)
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert page.headers["X-Frame-Options"] == "DENY"


def test_the_framed_table_sets_no_cookie_and_is_everybodys(client: Client, match: Match) -> None:
    client.force_login(UserFactory.create(club=match.event.club, role=Role.OWNER))
    own = client.get(f"{WHERE}embed/")
    assert own.content == Client().get(f"{WHERE}embed/").content
    assert not own.cookies
    assert "Cookie" not in own.headers.get("Vary", "")


@pytest.mark.parametrize(("look", "theme"), [("light", "light"), ("dark", "dark"), ('"><b>', None)])
def test_the_framed_table_has_the_look_that_is_asked_for(
    client: Client, match: Match, look: str, theme: str | None
) -> None:
    text = client.get(f"{WHERE}embed/", {"look": look}).content.decode()
    assert (f'data-theme="{theme}"' in text) if theme else ("data-theme" not in text and '"><b>' not in text)


def test_the_snippet_escapes_the_name_for_the_page_it_is_pasted_into(client: Client, match: Match) -> None:
    Event.objects.update(name='"><script>alert(1)</script>')
    page = client.get(WHERE).content.decode()
    shown = html.unescape(page.split('spellcheck="false">')[1].split("</textarea>")[0])
    assert shown.startswith(
        f'<iframe src="http://testserver{WHERE}embed/" title="Standings of &quot;&gt;&lt;'
    )
    assert "<script" not in shown


def test_the_page_of_a_private_event_offers_no_frame(client: Client, match: Match) -> None:
    Club.objects.update(is_public=False)
    client.force_login(UserFactory.create(club=match.event.club, role=Role.MEMBER))
    page = client.get(WHERE).content.decode()
    assert "&lt;iframe" not in page
    assert "rounds.ics" in page


def test_feed_is_xml_whatever_an_earlier_version_took_for_a_name(
    event: Event, match: Match, client: Client
) -> None:
    play(match, 120)
    Event.objects.update(name="Monday\x07 \ufffe")
    Entry.objects.filter(pk=match.entry_a_id).update(name="Ann\x1b")
    (one,) = entries_of(client)
    assert "Ann\N{REPLACEMENT CHARACTER}" in one.findtext("a:title", "", ATOM)
