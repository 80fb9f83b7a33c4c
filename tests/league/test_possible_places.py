"""The places still possible, as they are stored with the table and shown to everybody."""

from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from league.draws.group_rounds import draw_groups
from league.draws.matches_by_hand import remove_match
from league.draws.movements import draw_movement
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_life import draft_round, publish_round
from league.draws.rounds import draw_round_robin
from league.events.entries import reinstate_entry, withdraw_entry
from league.events.event_life import finish_event, reopen_event
from league.events.events import change_event
from league.models import Club, Event, Match, Standing
from league.policy.naming import AS_WRITTEN
from league.record.requests import request_standings
from league.tables.standings import current_standings
from league.tables.tables import event_table
from league.upkeep.rebuilding import check_table
from tests.factories import OPERATOR, play
from tests.league.bracket_play import cup
from tests.league.rotation_cases import evening
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db

Shown = tuple[int | None, int | None, bool, str]


def told(event: Event) -> dict[str, Shown]:
    """Best and worst place, whether it is decided, and whether the entry goes on, by name."""
    recalculate(event.pk)
    event.refresh_from_db()
    assert check_table(event).lines == []
    rows = Standing.objects.filter(event=event).select_related("entry").order_by("group", "position")
    return {
        row.entry.name: (row.best_place, row.worst_place, row.place_decided, row.qualification)
        for row in rows
    }


def spans(event: Event) -> dict[str, tuple[int | None, int | None]]:
    return {name: (best, worst) for name, (best, worst, *_) in told(event).items()}


def beats(event: Event, winner: str, loser: str) -> Match:
    match = event.matches.select_related("sheet", "event").get(
        entry_a__name__in=(winner, loser), entry_b__name__in=(winner, loser)
    )
    return play(match, 1 if match.entry_a.name == winner else -1)


@pytest.fixture
def league(club: Club) -> Event:
    """Four in a round robin, nothing played yet."""
    event = cup(club, 4, format="round_robin", criteria=["match_points", "net", "lot"])
    draw_round_robin(actor=OPERATOR, event=event)
    return event


def test_round_robin_until_its_last_match(league: Event, client: Client) -> None:
    assert set(spans(league).values()) == {(1, 4)}
    page = reverse("event", args=[league.club.slug, league.slug])
    assert "Possible" not in client.get(page).content.decode(), "before anything is played it says nothing"
    for winner, loser in (("E1", "E2"), ("E1", "E3"), ("E1", "E4"), ("E2", "E4")):
        beats(league, winner, loser)
    # E1 has 6, E2 has 2: those behind may all be level at 2, if E4 beats E3 and E3 beats E2.
    assert told(league) == {
        "E1": (1, 1, True, ""),
        "E2": (2, 4, False, ""),
        "E3": (2, 4, False, ""),
        "E4": (2, 4, False, ""),
    }
    said = client.get(page).content.decode()
    assert said.count("Possible") > 4
    assert "2–4" in said
    assert said.count('<span class="chip">won</span>') == 2, (
        "in its column, and below the name on a telephone"
    )
    beats(league, "E3", "E4")
    assert spans(league) == {"E1": (1, 1), "E2": (2, 3), "E3": (2, 3), "E4": (4, 4)}
    beats(league, "E2", "E3")
    assert set(told(league).values()) == {(None, None, False, "")}, "nothing is left: the table says it"


def test_possible_places_in_pdf_api_and_terminal(league: Event, client: Client, capsys: Any) -> None:
    for winner, loser in (("E1", "E2"), ("E1", "E3"), ("E1", "E4"), ("E2", "E4")):
        beats(league, winner, loser)
    recalculate(league.pk)
    answer = client.get(f"/api/v1/events/{league.code}/standings/").json()["results"]
    assert [
        (row["best_place"], row["worst_place"], row["place_decided"], row["qualification"]) for row in answer
    ] == [(1, 1, True, ""), *[(2, 4, False, "")] * 3]
    pdf = client.get(reverse("event_standings_pdf", args=[league.club.slug, league.slug]))
    assert {"Possible", "won", "2–4"} <= set(texts(pdf.content))
    call_command("standings", league.slug)
    assert "2–4" in capsys.readouterr().out


def test_only_a_running_event_has_them(league: Event) -> None:
    beats(league, "E1", "E2")
    assert spans(league)["E1"] == (1, 4)
    finish_event(actor=OPERATOR, event=league, despite_unfinished=True)
    assert set(spans(league).values()) == {(None, None)}
    reopen_event(actor=OPERATOR, event=league)
    assert spans(league)["E1"] == (1, 4)


def test_round_robin_that_is_not_drawn_whole_says_nothing(league: Event) -> None:
    beats(league, "E1", "E2")
    match = league.matches.filter(entry_a__name__in=("E3", "E4"), entry_b__name__in=("E3", "E4")).get()
    assert spans(league)["E1"] == (1, 4)
    remove_match(actor=OPERATOR, match=match)
    assert set(spans(league).values()) == {(None, None)}


def test_results_held_back_are_still_to_be_played(club: Club, client: Client) -> None:
    """What everybody reads does not change with a result that is held back, only when it is released."""
    event = cup(club, 4, format="round_robin", holds_results=True, criteria=["match_points", "net"])
    rounds = draw_round_robin(actor=OPERATOR, event=event)
    page = reverse("event", args=[club.slug, event.slug])

    def play_round(number: int) -> None:
        for match in event.matches.filter(round=rounds[number]).select_related("sheet", "event"):
            play(match, 1)

    play_round(0)
    release_round(actor=OPERATOR, round_=rounds[0])
    play_round(1)
    release_round(actor=OPERATOR, round_=rounds[1])
    before = told(event)
    shown = event_table(event, AS_WRITTEN)
    assert shown.shows_possible
    play_round(2)
    assert told(event) == before
    assert "Possible" in client.get(page).content.decode()
    release_round(actor=OPERATOR, round_=rounds[2])
    assert told(event) != before
    assert "Possible" not in client.get(page).content.decode()


@pytest.mark.parametrize("best_next", [0, 1])
def test_groups_tell_who_goes_on(club: Club, client: Client, best_next: int) -> None:
    """One of four goes on: it is sure after three wins, and the others are out, but for a best second."""
    event = cup(club, 8, format="groups", group_count=2, qualifiers=1, best_next=best_next)
    draw_groups(actor=OPERATOR, event=event)
    first = list(event.entries.filter(group=1).order_by("seed").values_list("name", flat=True))
    assert {fate for *_, fate in told(event).values()} == {"open"}
    for loser in first[1:]:
        beats(event, first[0], loser)
    beats(event, first[1], first[2])
    now = told(event)
    assert now[first[0]] == (1, 1, True, "sure")
    assert [now[name][3] for name in first[1:]] == ["open" if best_next else "out"] * 3
    assert {now[name][3] for name in now if name not in first} == {"open"}
    said = client.get(reverse("event", args=[club.slug, event.slug])).content.decode()
    if not best_next:
        assert said.count("goes on</span>") == 2, "in its column, and below the name on a telephone"
    assert said.count(">out</span>") == (0 if best_next else 6)


def test_swiss_knows_its_rounds_or_says_nothing(club: Club, client: Client) -> None:
    event = cup(club, 4, format="swiss", criteria=["match_points", "buchholz"], rounds_planned=2)
    for match in _next_round(event):
        play(match, 1)
    # A round is to come, anybody may meet anybody, and others may come and win it.
    assert set(spans(event).values()) == {(1, None)}
    page = reverse("event", args=[club.slug, event.slug])
    said = client.get(page).content.decode()
    assert "1–…" not in said, "as long as that is all there is to say"
    assert "others may still come" not in said
    final, *others = _next_round(event)
    play(final, 1)
    # Of those who meet for the third place one comes level with whom the winner has beaten. Who comes now has
    # no points, and may be above whoever has none in the end.
    losing = {entry.name for match in others for entry in (*match.side(0), *match.side(1))}
    found = told(event)
    assert found[final.entry_a.name] == (1, 1, True, "")
    assert found[str(final.entry_b)] == (2, 3, False, "")
    assert {found[name] for name in losing} == {(2, None, False, "")}
    said = client.get(page).content.decode()
    assert "<strong>2–…</strong>" in said
    assert "“–…”: others may still come, and be above." in said
    # With a point for each of the two rounds missed it comes level with whoever has two.
    change_event(actor=OPERATOR, event=event, late_points=1)
    found = told(event)
    assert found[final.entry_a.name] == (1, 1, True, "")
    assert found[str(final.entry_b)] == (2, None, False, "")
    change_event(actor=OPERATOR, event=event, rounds_planned=None)
    assert set(told(event).values()) == {(None, None, False, "")}


def test_draft_of_a_swiss_round_is_not_given_away(club: Club) -> None:
    """Who meets whom in a draft is not known yet: the places are those before it was drafted."""
    event = cup(club, 6, format="swiss", criteria=["match_points", "buchholz"], rounds_planned=2)
    for match in _next_round(event):
        play(match, 1)
    before = told(event)
    round_ = draft_round(actor=OPERATOR, event=event)
    assert told(event) == before
    publish_round(actor=OPERATOR, round_=round_)
    assert check_table(event).waits
    told(event)


@pytest.mark.usefixtures("quick_movements")
def test_where_partners_rotate_the_rest_is_open_for_who_comes_late(club: Club) -> None:
    """Of four rounds one is played: who comes for the second can win six points, and be above all.

    Who withdraws can still have points, as a substitute plays in the seats drawn. Of the last round nothing
    is drawn again once it has a result: who came then would have no points.
    """
    event = evening(club, 8, criteria=["match_points", "net"])
    draw_movement(actor=OPERATOR, event=event, rounds=4)
    rounds = [list(each.matches.select_related("sheet", "event")) for each in event.rounds.order_by("number")]
    for match in rounds[0]:
        play(match, 40, stopped=True)
    assert set(spans(event).values()) == {(1, None)}
    (loser, _partner) = rounds[0][0].side(1)
    withdraw_entry(actor=OPERATOR, entry=loser, reason="ill")
    assert set(spans(event).values()) == {(1, None)}
    reinstate_entry(actor=OPERATOR, entry=loser, reason="well again")
    for match in [*rounds[1], *rounds[2], rounds[3][0]]:
        play(match, 40, stopped=True)
    worst = {name: worst for name, (_best, worst) in spans(event).items()}
    points = {row.entry.name: row.points for row in current_standings(event)}
    assert {name for name in worst if worst[name] is None} == {name for name in points if not points[name]}


def _next_round(event: Event) -> list[Match]:
    round_ = publish_round(actor=OPERATOR, round_=draft_round(actor=OPERATOR, event=event))
    return list(round_.matches.select_related("sheet", "event"))


@pytest.mark.parametrize("format", ["ladder", "single", "double", "consolation"])
def test_ladders_and_knockouts_say_nothing(club: Club, format: str) -> None:
    event = cup(club, 4, format=format)
    request_standings(event.pk)
    assert set(told(event).values()) == {(None, None, False, "")}
