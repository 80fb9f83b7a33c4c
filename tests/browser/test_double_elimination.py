"""A double elimination of seven, run whole through the administration in a browser.

In the check the same clicks lead through a Swiss event, and services through every bracket.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import BracketPart, Event, EventState, Match, Standing, Tie
from league.tables.placings import placings
from tests.browser.director import Director, director_at, play_round
from tests.league.bracket_play import next_round

pytestmark = [pytest.mark.browser, pytest.mark.long, pytest.mark.django_db(transaction=True)]

# By strength: the better seed wins, but for the first final.
NAMES = ("Abbott", "Bianchi", "Castell", "Dvorak", "Eklund", "Farouk", "Gruber")


@pytest.fixture
def director(page: Page, client: Client, live_server: Any) -> Iterator[Director]:
    with director_at(page, client, live_server.url, NAMES) as director:
        yield director


def winner_of(match: Match) -> int:
    assert match.entry_b is not None
    assert match.tie is not None
    stronger = int(NAMES.index(match.entry_b.name) < NAMES.index(match.entry_a.name))
    return 1 - stronger if match.tie.part == BracketPart.FINAL else stronger


def test_seven_from_the_form_to_the_winner(director: Director) -> None:
    page = director.page
    page.goto(director.url + reverse("admin:league_event_add"))
    rounds, best_of = page.get_by_label("Rounds:"), page.get_by_label("Sheets of a tie:")
    expect(rounds).to_be_hidden()
    page.get_by_label("Format:").select_option(label="Swiss")
    expect(rounds).to_be_visible()
    expect(best_of).to_be_hidden()
    event = director.new_event("Harbour Cup", "double elimination")
    director.enter(*NAMES)
    director.says("A draft with 7 entries")
    director.act("Seed the entries")
    page.get_by_label("The list:").fill("\n".join(NAMES))
    director.go_on()
    director.confirm()
    director.do("Start the event")
    director.says("nothing is drawn yet")

    director.do("Draw the bracket")
    director.open(event)
    director.says("Round 1 is drafted: look at its pairings and publish it.")
    assert Tie.objects.filter(event=event).count() > 0
    director.open(event.rounds.get())
    director.publish()
    first = event.rounds.get()
    assert {str(bye.entry_a) for bye in first.matches.filter(entry_b=None)} == {"Abbott"}

    # One sheet is typed from its paper; the better seed of table 1 wins it.
    typed = first.matches.exclude(entry_b=None).order_by("table")[0]
    side = "ab"[winner_of(typed)]
    director.type_sheet(typed, f"{side}60", f"{side}50")
    play_round(first, winner_of=winner_of)

    director.open(event)
    director.says("All results of round 1 are in: pair round 2.")
    play_round(director.pair(event), winner_of=winner_of)
    # What is clicked once is the same in every round.
    while event.ties.filter(winner=None, part__in=[BracketPart.FINAL, BracketPart.RESET]).exists():
        play_round(next_round(event), winner_of=winner_of)
    director.open(event)
    director.says("Everything is played: finish the event.")
    reset = Tie.objects.get(event=event, part=BracketPart.RESET)
    assert str(reset.winner) == "Abbott", "the first final was lost, so there was a second"

    director.do("Finish the event")
    event.refresh_from_db()
    assert event.state == EventState.FINISHED
    placed = placings(event)
    places = {entry.name: placed[entry.pk] for entry in event.entries.all()}
    assert set(places) == set(NAMES)
    assert [places[name] for name in ("Abbott", "Bianchi", "Castell", "Dvorak")] == [1, 2, 3, 4]
    check_pages(director, event)


def check_pages(director: Director, event: Event) -> None:
    """The bracket as members see it, and the table by its places."""
    page = director.page
    way = ["harbour", event.slug]
    page.goto(director.url + reverse("event", args=way))
    rows = page.locator("table tbody tr")
    expect(rows.first).to_contain_text("Abbott")
    assert Standing.objects.get(event=event, position=2).entry.name == "Bianchi"
    page.goto(director.url + reverse("event_bracket", args=way))
    expect(page.locator("svg").first).to_be_visible()
    for name in NAMES:
        expect(page.get_by_text(re.compile(name)).first).to_be_attached()
