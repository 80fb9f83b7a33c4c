"""The page of a ladder, and its places where tables are told."""

import datetime
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.challenges import call_off_challenge
from league.draws.forfeits import award_walkover
from league.draws.ladders import add_absence
from league.draws.recalculating import recalculate
from league.events.next_step import next_step, step_of
from league.models import Event, Match
from league.pages.printing.standings import standings_pdf
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.factories import OPERATOR, EventFactory, play
from tests.league.ladder_cases import challenge, entry, ladder
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


@pytest.fixture
def event() -> Iterator[Event]:
    """Five, weeks later: D has beaten B, E challenges B, C is away, D protected; one was called off."""
    with time_machine.travel(NOON, tick=False) as clock:
        event = ladder(5, protected_days=7)
        call_off_challenge(actor=OPERATOR, challenge=challenge(event, "B", "A"), reason="both ill")
        clock.shift(datetime.timedelta(days=40))
        made = challenge(event, "D", "B")
        clock.shift(datetime.timedelta(days=1))
        play(Match.objects.select_related("event", "sheet").get(challenge=made), 5)
        recalculate(event.pk)
        clock.shift(datetime.timedelta(days=1))
        today = datetime.date(2026, 4, 13)
        add_absence(actor=OPERATOR, entry=entry(event, "C"), first_day=today, last_day=None)
        challenge(event, "E", "A")
        yield event


def shown(event: Event, name: str = "event_ladder", **asked: Any) -> str:
    answer = Client().get(reverse(name, args=[event.club.slug, event.slug]), asked)
    assert answer.status_code == 200
    body = answer.content.decode().split("<main", 1)[1].split(">", 1)[1].split("</main>", 1)[0]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_page_of_a_ladder_tells_places_challenges_and_history(event: Event) -> None:
    text = shown(event)
    places = text.split("State", 1)[1].split("Arrows", 1)[0]
    assert " ".join(places.split()) == (
        "1 A plays by 27 Apr ▲ up 2 2 D protected until 19 Apr ▼ down 1 3 B protected until 19 Apr "
        "▼ down 1 4 C away 5 E plays by 27 Apr"
    )
    assert "Open challenges E challenges A by 27 Apr" in text
    assert "12 Apr 2026 D beat B and went from 4 to 2" in text
    assert "2 Mar 2026 B against A was called off" in text
    assert text.index("E challenged A") < text.index("D beat B") < text.index("A joined at place 1")


def test_ladder_of_a_day_is_told_without_what_came_later(event: Event) -> None:
    text = shown(event, on="2026-04-11")
    places = text.split("State", 1)[1].split("Arrows", 1)[0]
    assert " ".join(places.split()) == "1 A 2 B 3 C 4 D 5 E"
    assert "at the end of 11 April 2026" in text
    assert "D challenged B" in text
    assert "D beat B" not in text
    assert "Open challenges" not in text


@pytest.mark.parametrize("asked", ["today", "2026-02-30", "1"])
def test_what_is_no_day_is_not_found(event: Event, asked: str) -> None:
    address = reverse("event_ladder", args=[event.club.slug, event.slug])
    assert Client().get(address, {"on": asked}).status_code == 404


def test_challenges_are_listed_with_players_day_and_outcome(event: Event) -> None:
    text = shown(event, "event_rounds")
    assert "Made on Challenge Outcome 13 Apr 2026 13 Apr 2026 E challenges A by 27 Apr" in text
    assert "11 Apr 2026 D challenges B D won, from 4 to 2" in text
    assert "2 Mar 2026 B challenges A called off" in text
    assert "Round" not in text
    assert "Standings Ladder Challenges Crosstable" in text


def test_deadlines_on_pages_are_later_by_days_of_absence(event: Event) -> None:
    day = datetime.date(2026, 4, 20)
    add_absence(actor=OPERATOR, entry=entry(event, "A"), first_day=day, last_day=day)
    assert "E challenges A by 28 Apr" in shown(event)
    assert "E challenges A by 28 Apr" in shown(event, "event_rounds")
    match = event.challenges.get(number=3).match
    assert match is not None
    address = reverse("match", args=[event.club.slug, event.slug, match.code])
    answer = Client().get(address).content.decode()
    assert "Due by 28 April 2026." in answer
    assert "round 2" not in answer


def test_front_pages_speak_of_no_rounds_on_a_ladder(event: Event) -> None:
    text = shown(event, "event")
    assert "Round" not in text
    assert "Still to play" in text
    club = Client().get(reverse("club", args=[event.club.slug])).content.decode()
    assert event.name in club
    assert "round 2" not in club
    # Match points do not order a ladder.
    play(Match.objects.select_related("event", "sheet").get(state="scheduled"), 5)
    recalculate(event.pk)
    club = Client().get(reverse("club", args=[event.club.slug])).content.decode()
    assert re.search(r">first</span> <strong>\s*\w</strong></p>", club)


def test_ladder_without_anybody_says_so() -> None:
    event = ladder(0)
    assert "Nobody is on the ladder yet." in shown(event)
    assert "Nothing has happened yet." in shown(event)
    assert "Nobody has challenged anybody yet." in shown(event, "event_rounds")


def test_next_step_of_a_ladder_is_a_challenge(event: Event) -> None:
    assert next_step(event) == "Running; 1 challenge is open."
    assert step_of(event).act == "challenge"
    award_walkover(actor=OPERATOR, match=Match.objects.get(state="scheduled"), winner_side=1, reason="x")
    recalculate(event.pk)
    assert next_step(event) == "Running; no challenge is open."


def test_other_events_have_no_ladder() -> None:
    other = EventFactory.create()
    assert Client().get(reverse("event_ladder", args=[other.club.slug, other.slug])).status_code == 404
    assert "ladder" not in Client().get(reverse("event", args=[other.club.slug, other.slug])).content.decode()


def test_long_history_comes_in_pages(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("league.tables.ladder_pages.LINES", 3)
    assert "joined at place 1" not in shown(event)
    assert "A joined at place 1" in shown(event, page=4)
    assert shown(event, page=99) == shown(event, page=4)


def test_page_asks_as_often_whatever_has_happened(event: Event) -> None:
    address = reverse("event_ladder", args=[event.club.slug, event.slug])
    with CaptureQueriesContext(connection) as few:
        Client().get(address)
    for name in ("D", "B"):
        add_absence(
            actor=OPERATOR, entry=entry(event, name), first_day=datetime.date(2026, 5, 1), last_day=None
        )
    with CaptureQueriesContext(connection) as many:
        Client().get(address)
    assert len(many) == len(few)


def test_table_api_and_pdf_tell_the_places_of_the_ladder(event: Event) -> None:
    event.criteria = ["place"]
    event.save()
    recalculate(event.pk)
    table = event_table(event, AS_WRITTEN)
    assert [(row.standing.rank, row.standing.entry.name) for row in table.rows] == list(
        enumerate("ADBCE", start=1)
    )
    told = Client().get(f"/api/v1/events/{event.code}/standings/").json()["results"]
    assert [(row["rank"], row["entry"]["name"], row["metrics"]["place"]) for row in told] == [
        (place, name, place) for place, name in enumerate("ADBCE", start=1)
    ]
    said = texts(standings_pdf(event, table, AS_WRITTEN, recalculating=False))
    assert not any("Ties are decided" in text for text in said), "nobody shares a place"
    assert [text for text in said if text in "ABCDE"] == list("ADBCE")
