"""A knockout with a plate, played through the services: who comes to it, who does not, what places follow.

The rule is that of `league.core.pairing.plate`: losers of the first match they actually play.
"""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.core.bracket_layout import Measures, draw
from league.draws.bracket_lists import event_bracket
from league.draws.deciding import confirm_change, decide_tie
from league.draws.forfeits import award_forfeit, award_walkover
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.tie_tree import bracket_now
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event
from league.events.next_step import next_step
from league.models import Club, Event, MatchState, Round, Standing
from league.policy.naming import AS_WRITTEN
from scoring.core.actors import Actor
from tests.factories import OPERATOR, house_rules, play
from tests.league.admin_pages import page, text
from tests.league.bracket_play import (
    after_first_round,
    correct,
    cup,
    drawn,
    match_of,
    next_round,
    pairs,
    places,
    ties,
    win,
)
from tests.league.simulation import SHORT
from tests.pdf_text import texts

pytestmark = pytest.mark.django_db


def plate_cup(club: Club, count: int, **values: Any) -> Event:
    return cup(club, count, format="consolation", **values)


def concede(event: Event, tie: int, winner: int | None) -> None:
    award_walkover(actor=OPERATOR, match=match_of(event, tie), winner_side=winner, reason="did not come")
    recalculate(event.pk)


def test_losers_of_the_first_round_play_on_and_settle_their_places(club: Club) -> None:
    event = plate_cup(club, 8)
    assert pairs(drawn(event)) == ["E1 v E8", "E4 v E5", "E2 v E7", "E3 v E6"]
    for tie, name in enumerate(("E1", "E4", "E2", "E3"), start=1):
        win(event, tie, name)
    assert places(event) == {"E1": 1, "E2": 1, "E3": 1, "E4": 1} | dict.fromkeys(("E5", "E6", "E7", "E8"), 5)
    assert pairs(next_round(event)) == ["E1 v E4", "E2 v E3", "E8 v E5", "E7 v E6"]
    for tie, name in ((5, "E1"), (6, "E2"), (8, "E5"), (9, "E6")):
        win(event, tie, name)
    assert pairs(next_round(event)) == ["E1 v E2", "E5 v E6"]
    assert "result" in next_step(event)
    win(event, 7, "E1")
    win(event, 10, "E6")
    assert places(event) == {"E1": 1, "E2": 2, "E3": 3, "E4": 3, "E6": 5, "E5": 6, "E7": 7, "E8": 7}
    assert next_step(event) == "Everything is played: finish the event."
    finish_event(actor=OPERATOR, event=event)
    table = Standing.objects.filter(event=event).order_by("position").values_list("entry__name", flat=True)
    assert list(table)[:2] == ["E1", "E2"]
    assert list(table)[4:6] == ["E6", "E5"]
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    assert found.second_prize is not None
    assert (str(found.champion), *map(str, found.second_prize)) == ("E1", "plate", "E6")


def test_match_conceded_before_its_first_deal_is_not_the_first(club: Club) -> None:
    """E8 does not come: he is out, and E1, who then loses, enters the plate in that place."""
    event = plate_cup(club, 8)
    drawn(event)
    concede(event, 1, winner=0)
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    assert ties(event)[8] == "?-E5"
    now = bracket_now(event)
    assert now is not None
    assert str(now.ties[8]) == "loser of match 5 v E5"
    assert pairs(next_round(event)) == ["E1 v E4", "E2 v E3", "E7 v E6"]
    win(event, 5, "E4")
    assert ties(event)[8] == "E1-E5"
    win(event, 6, "E2")
    win(event, 9, "E7")
    assert pairs(next_round(event)) == ["E4 v E2", "E1 v E5"]
    win(event, 8, "E1")
    win(event, 7, "E4")
    assert pairs(next_round(event)) == ["E1 v E7"]
    win(event, 10, "E1")
    # E8 has played nobody and stands behind all others; E1 lost a semifinal, and nobody shares that but E3.
    assert places(event) == {"E4": 1, "E2": 2, "E3": 3, "E1": 4, "E7": 5, "E5": 6, "E6": 6, "E8": 8}
    finish_event(actor=OPERATOR, event=event)


def test_winner_of_a_match_that_was_played_does_not_come(club: Club) -> None:
    """E1 goes on unplayed and wins then: his place in the plate is a bye for E5."""
    event = plate_cup(club, 8)
    drawn(event)
    concede(event, 1, winner=0)
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    next_round(event)
    win(event, 5, "E1")
    assert ties(event)[8] == "?-E5 E5 by bye"
    win(event, 9, "E6")
    assert ties(event)[10] == "E5-E6"


def test_who_has_a_bye_comes_by_the_second_round(club: Club) -> None:
    """Of five, three have byes: E3 loses the first match he plays, E1 and E2 win theirs."""
    event = plate_cup(club, 5)
    assert pairs(drawn(event)) == ["E4 v E5"]
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    assert [side.waits for side in found.ties[8].sides] == ["loser of 5", "loser of 2"]
    assert [side.waits for side in found.ties[9].sides] == ["loser of 6", "loser of 6"]
    win(event, 2, "E4")
    assert pairs(next_round(event)) == ["E1 v E4", "E2 v E3"]
    win(event, 5, "E1")
    win(event, 6, "E2")
    assert ties(event)[8] == "?-E5 E5 by bye"
    assert ties(event)[9] == "?-E3 E3 by bye"
    assert pairs(next_round(event)) == ["E1 v E2"]
    win(event, 7, "E2")
    assert pairs(next_round(event)) == ["E5 v E3"]
    win(event, 10, "E5")
    assert places(event) == {"E2": 1, "E1": 2, "E4": 3, "E3": 4, "E5": 5}
    finish_event(actor=OPERATOR, event=event)


def test_match_given_up_after_a_deal_was_played(club: Club) -> None:
    event = plate_cup(club, 4)
    event.rules = house_rules(**{**SHORT, "target": 100})
    event.save()
    drawn(event)
    match = match_of(event, 1)
    play(match, 1)
    match.refresh_from_db()
    assert match.state == MatchState.PLAYING
    award_forfeit(actor=OPERATOR, match=match, winner_side=0, reason="had to leave")
    recalculate(event.pk)
    assert ties(event)[4] == "E4-?"


def test_nobody_who_played_nothing_has_a_match_left(club: Club) -> None:
    """Both who lost the first round conceded, and all the others win: the plate is not needed."""
    event = plate_cup(club, 4)
    drawn(event)
    concede(event, 1, winner=0)
    concede(event, 2, winner=0)
    assert pairs(next_round(event)) == ["E1 v E2"]
    win(event, 3, "E1")
    # E2 has lost the first match that he played, and there is nobody to meet.
    assert ties(event)[4] == "?-E2 E2 by bye"
    assert places(event) == {"E1": 1, "E2": 2, "E3": 3, "E4": 3}
    assert next_step(event) == "Everything is played: finish the event."


def test_who_withdraws_from_the_plate_gives_it(club: Club) -> None:
    event = plate_cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E4"), reason="ill")
    recalculate(event.pk)
    assert ties(event)[4] == "E4-E3 E3 by walkover"
    assert places(event)["E3"] == 3


def test_correction_after_the_plate_has_begun_waits_for_the_director(club: Club) -> None:
    event = after_first_round(plate_cup(club, 4), "E1", "E2")
    win(event, 4, "E4")
    correct(event, 1, "E4")
    assert ties(event)[1] == "E1-E4 E1 by sheet", "who has begun in the plate stays there"
    now = bracket_now(event)
    assert now is not None
    assert now.ties[1].in_doubt
    assert str(now.ties[1].says) == "E4"
    confirm_change(actor=OPERATOR, tie=event.ties.get(number=1), reason="misread")
    assert ties(event)[1] == "E1-E4 E4 by sheet"
    assert ties(event)[3] == "E4-E2"
    assert ties(event)[4] == "E1-E3"


def test_correction_of_a_later_match_that_was_the_first(club: Club) -> None:
    """E1 had no match before the semifinal; he lost it and plays in the plate when it is corrected."""
    event = plate_cup(club, 8)
    drawn(event)
    concede(event, 1, winner=0)
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    next_round(event)
    win(event, 5, "E4")
    win(event, 6, "E2")
    next_round(event, despite_missing=True)
    win(event, 8, "E1")
    now = bracket_now(event)
    assert now is not None
    assert not any(tie.in_doubt for tie in now.ties.values())
    correct(event, 5, "E1")
    now = bracket_now(event)
    assert now is not None
    assert now.ties[5].in_doubt
    assert [number for number, tie in now.ties.items() if tie.in_doubt] == [5]
    assert ties(event)[8].startswith("E1-E5")


def test_plate_of_held_results_tells_nothing(client: Client, club: Club) -> None:
    """The loser of the semifinal comes to the plate, which is not to be known before the release."""
    event = plate_cup(club, 8, holds_results=True)
    first = drawn(event)
    concede(event, 1, winner=0)
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    release_round(actor=OPERATOR, round_=first)
    next_round(event)
    win(event, 5, "E4")
    assert ties(event)[8] == "E1-E5"
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    assert [side.name for side in found.ties[8].sides] == ["", "E5"]
    told = client.get(f"/api/v1/events/{event.code}/bracket/").json()
    assert [side["entry"] and side["entry"]["name"] for side in told["ties"][7]["sides"]] == [None, "E5"]
    known = event_bracket(event, AS_WRITTEN, seen=Round.objects.all(), withheld_too=True)
    assert known is not None
    assert [side.name for side in known.ties[8].sides] == ["E1", "E5"]


def test_page_and_print_show_both_brackets(client: Client, club: Club) -> None:
    event = plate_cup(club, 8)
    drawn(event)
    for tie, name in enumerate(("E1", "E4", "E2", "E3"), start=1):
        win(event, tie, name)
    next_round(event)
    win(event, 8, "E5")
    win(event, 9, "E6")
    next_round(event, despite_missing=True)
    win(event, 10, "E5")
    shown = text(client.get(reverse("event_bracket", args=[club.slug, event.slug])))
    for heading in ("Quarterfinals", "Semifinals", "Final", "Plate, semifinals", "Plate, final"):
        assert f">{heading}<" in shown
    assert "plate won by E5" in shown
    paper = " ".join(texts(client.get(reverse("bracket_pdf", args=[club.slug, event.slug])).content))
    assert "Plate, semifinals" in paper
    assert "plate won by E5" in paper


def test_plate_stands_under_the_main_draw(club: Club) -> None:
    event = plate_cup(club, 8)
    drawn(event)
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    drawing = draw(found.nodes, Measures(100, 20, 10, 10, 30))
    tops = {box.number: box.y for box in drawing.boxes}
    columns = {box.number: box.column for box in drawing.boxes}
    assert max(tops[number] for number in range(1, 8)) < min(tops[number] for number in (8, 9, 10))
    assert [columns[number] for number in (8, 9, 10)] == [0, 0, 1]
    assert {(link.start, link.end) for link in drawing.links} >= {(8, 10), (9, 10)}


def test_preview_says_who_comes_to_the_plate(owner: Client, director: Actor, club: Club) -> None:
    event = plate_cup(club, 5)
    shown = text(owner.post(page("event", event, "draw_bracket"), {"date": "2026-09-03"}))
    assert "Plate, semifinals" in shown
    assert "loser of 6" in shown


def test_match_to_which_neither_came_is_decided_and_leaves_its_place_open(club: Club) -> None:
    """E1 goes on by the director's word from a match nobody played: his first match is still before him."""
    event = plate_cup(club, 8)
    drawn(event)
    concede(event, 1, winner=None)
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    assert next_step(event) == "The director is to decide match 1 (E1 v E8)."
    decide_tie(
        actor=OPERATOR, tie=event.ties.get(number=1), winner=event.entries.get(name="E1"), reason="the lot"
    )
    recalculate(event.pk)
    assert ties(event)[5] == "E1-E4"
    assert ties(event)[8] == "?-E5"
    found = event_bracket(event, AS_WRITTEN, seen=Round.objects.all())
    assert found is not None
    assert found.ties[8].sides[0].waits == "loser of 5"
    next_round(event)
    win(event, 5, "E4")
    assert ties(event)[8] == "E1-E5"
    # E8, who never played, stands last.
    win(event, 6, "E2")
    win(event, 9, "E6")
    next_round(event)
    win(event, 7, "E2")
    win(event, 8, "E1")
    next_round(event)
    win(event, 10, "E1")
    assert places(event) == {"E2": 1, "E4": 2, "E3": 3, "E1": 4, "E6": 5, "E5": 6, "E7": 6, "E8": 8}


def test_who_withdraws_before_the_plate_is_drawn_gives_his_first_match_there(club: Club) -> None:
    """He has lost the match he played, so his place is his; whoever would meet him goes on."""
    event = plate_cup(club, 8)
    drawn(event)
    win(event, 1, "E1")
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E8"), reason="ill")
    recalculate(event.pk)
    assert ties(event)[8] == "E8-?"
    for tie, name in ((2, "E4"), (3, "E2"), (4, "E3")):
        win(event, tie, name)
    assert ties(event)[8] == "E8-E5 E5 by walkover"
    assert pairs(next_round(event)) == ["E1 v E4", "E2 v E3", "E7 v E6"]
    for tie, name in ((5, "E1"), (6, "E2"), (9, "E6")):
        win(event, tie, name)
    assert pairs(next_round(event)) == ["E1 v E2", "E5 v E6"]
    win(event, 7, "E1")
    win(event, 10, "E5")
    assert places(event) == {"E1": 1, "E2": 2, "E3": 3, "E4": 3, "E5": 5, "E6": 6, "E7": 7, "E8": 7}


def test_correction_of_a_first_match_before_the_plate_begins_changes_who_comes(club: Club) -> None:
    event = after_first_round(plate_cup(club, 4), "E1", "E2")
    correct(event, 1, "E4")
    assert ties(event)[3] == "E4-E2"
    assert ties(event)[4] == "E1-E3"
    win(event, 3, "E2")
    win(event, 4, "E3")
    assert places(event) == {"E2": 1, "E4": 2, "E3": 3, "E1": 4}
