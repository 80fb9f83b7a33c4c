"""A Swiss of four rounds with a late entry and a withdrawal, run whole through the admin in a browser."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from league.models import Event, EventState, Match, MatchState, Round, Standing
from tests.browser.director import Director, director_at, play_round
from tests.league.bracket_play import next_round

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

# By strength: who stands first here wins. Haddad comes late, Eklund leaves.
NAMES = ("Abbott", "Bianchi", "Castell", "Dvorak", "Eklund", "Farouk")
LATE = "Haddad"


@pytest.fixture
def director(page: Page, client: Client, live_server: Any) -> Iterator[Director]:
    with director_at(page, client, live_server.url, [*NAMES, LATE]) as director:
        yield director


def winner_of(match: Match) -> int:
    order = [*NAMES, LATE]
    assert match.entry_b is not None
    return int(order.index(match.entry_b.name) < order.index(match.entry_a.name))


def names_in(round_: Round) -> Counter[str]:
    entries = [entry for match in round_.matches.all() for entry in (match.entry_a, match.entry_b) if entry]
    return Counter(entry.name for entry in entries)


def test_four_rounds_from_the_form_to_the_table(director: Director) -> None:
    page = director.page
    event = director.new_event(
        "Saturday Swiss", "Swiss", **{"Rounds": "4", "Round missed by a late entry": "1"}
    )
    assert event.criteria[:2] == ["match_points", "buchholz"]
    director.enter(*NAMES)
    director.do("Open the entries")
    director.says("Entries are open, 6 entries so far.")
    director.do("Start the event")

    first = director.pair(event)
    typed = first.matches.order_by("table")[0]
    side = "ab"[winner_of(typed)]
    director.type_sheet(typed, f"{side}60", f"{side}50")
    director.open(event)
    director.says("Round 1 is published; 2 results are missing.")
    # The next round waits for the results of this one, unless the director says otherwise.
    director.act("Pair the next round")
    director.says("2 results are missing")
    play_round(first, winner_of=winner_of)

    director.open(event)
    director.act("Enter players")
    page.get_by_label(LATE, exact=True).check()
    director.go_on()
    director.says("They will play from round 2 on.")
    director.says("For the rounds they missed each will get 1 point.")
    director.confirm()
    second = director.pair(event)
    assert names_in(second) == Counter([*NAMES, LATE])
    bye = second.matches.get(state=MatchState.BYE).entry_a
    play_round(second, winner_of=winner_of)

    director.open(event.entries.get(name="Eklund"))
    director.act("Withdraw")
    page.get_by_label("Reason:").fill("Called away")
    director.go_on()
    director.confirm()
    for number in (3, 4):
        round_ = next_round(event)
        assert names_in(round_) == Counter({*NAMES, LATE} - {"Eklund"})
        play_round(round_, winner_of=winner_of)
        assert round_.number == number
    check_pairings(event)

    director.open(event)
    director.says("Everything is played: finish the event.")
    director.do("Finish the event")
    event.refresh_from_db()
    assert event.state == EventState.FINISHED
    check_table(director, event, bye.name)


def check_pairings(event: Event) -> None:
    met = [
        frozenset((match.entry_a.name, match.entry_b.name))
        for match in event.matches.all()
        if match.entry_b is not None
    ]
    assert len(met) == len(set(met)) == 12
    byes = Counter(match.entry_a.name for match in event.matches.filter(state=MatchState.BYE))
    assert set(byes.values()) == {1}


def check_table(director: Director, event: Event, bye: str) -> None:
    """The best of all has won every round; who came late has a point for the round missed."""
    rows = {row.entry.name: row for row in Standing.objects.filter(event=event)}
    assert rows["Abbott"].rank == 1
    assert rows["Abbott"].points == 2 * rows["Abbott"].wins + 2 * (bye == "Abbott")
    entry = event.entries.get(name=LATE)
    won = event.matches.filter(entry_a=entry, entry_b__isnull=False, winner_side=0).count()
    won += event.matches.filter(entry_b=entry, winner_side=1).count()
    sat_out = event.matches.filter(entry_a=entry, state=MatchState.BYE).count()
    assert rows[LATE].points == 1 + 2 * won + 2 * sat_out
    page = director.page
    page.goto(director.url + reverse("event", args=["harbour", event.slug]))
    standings = page.locator("table.standings")
    expect(standings.locator("tbody tr").first).to_contain_text("Abbott")
    for name in (LATE, "Eklund"):
        expect(standings).to_contain_text(name)
