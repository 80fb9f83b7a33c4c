"""The pages on which brackets and groups are drawn, and those of ties: what they say before they do it."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.brackets import draw_bracket
from league.draws.group_rounds import draw_groups
from league.models import Club, Event, EventState, Role, TieDecider
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.bracket_play import (
    after_first_round,
    correct,
    cup,
    draw_it,
    drawn,
    match_of,
    ties,
    win,
)

pytestmark = pytest.mark.django_db

YES = {"_confirm": "1"}


def offered(client: Client, name: str, row: object) -> set[str]:
    """The acts on a row's page, by the end of their addresses."""
    shown = text(client.get(page(name, row)))
    slugs = ("draw-bracket", "draw-groups", "decide", "clear", "confirm-change", "pair")
    return {slug for slug in slugs if f"/{slug}/" in shown}


def test_bracket_is_shown_before_it_is_drawn(owner: Client, club: Club) -> None:
    event = cup(club, 5, format="double")
    before = contents()
    shown = text(owner.post(page("event", event, "draw_bracket"), {"date": ""}))
    assert "5 entries." in shown
    assert "3 entries will have a bye: the first seeds." in shown
    for cell in ("1. E1", "4. E4", "bye", "winner of 2", "loser of 6", "Losers"):
        assert cell in shown
    assert contents() == before
    answer = owner.post(page("event", event, "draw_bracket"), {"date": "2026-09-03"} | YES, follow=True)
    assert "The bracket is drawn; round 1 is a draft." in text(answer)
    assert ties(event)[2] == "E4-E5"
    assert str(event.rounds.get().date) == "2026-09-03"


def test_page_shows_a_refusal_and_nothing_is_drawn(owner: Client, club: Club) -> None:
    event = cup(club, 1)
    before = contents()
    answer = owner.post(page("event", event, "draw_bracket"), {"date": ""})
    assert answer.status_code == 422
    assert "A bracket needs at least 2 entries, not 1." in text(answer)
    assert contents() == before


def test_draw_is_offered_while_it_can_be_made(owner: Client, club: Club) -> None:
    event = cup(club, 4)
    assert offered(owner, "event", event) >= {"draw-bracket"}
    drawn(event)
    assert "draw-bracket" in offered(owner, "event", event)
    shown = text(owner.post(page("event", event, "draw_bracket"), {"date": ""}))
    assert "The bracket drawn before will be replaced; nothing of it was played." in shown
    win(event, 1, "E1")
    assert "draw-bracket" not in offered(owner, "event", event)


@pytest.mark.parametrize(
    ("format", "state", "expected"),
    [
        ("swiss", EventState.RUNNING, set()),
        ("single", EventState.OPEN, set()),
        ("single", EventState.RUNNING, {"draw-bracket"}),
        ("groups", EventState.RUNNING, {"draw-groups"}),
    ],
)
def test_only_what_fits_the_event_is_offered(
    owner: Client, club: Club, format: str, state: str, expected: set[str]
) -> None:
    event = cup(club, 4, format=format, state=state, group_count=2, qualifiers=1)
    assert offered(owner, "event", event) - {"pair"} == expected


def test_groups_are_shown_before_they_are_drawn(owner: Client, club: Club) -> None:
    event = cup(club, 6, format="groups", group_count=2, qualifiers=2)
    before = contents()
    data = {"first_date": "2026-09-03", "days_between": "7"}
    shown = text(owner.post(page("event", event, "draw_groups"), data))
    assert "6 entries, 2 groups, 3 rounds, 6 matches." in shown
    assert "From 3 September 2026 to 17 September 2026." in shown
    assert "The best 2 of each group will go on." in shown
    assert contents() == before
    owner.post(page("event", event, "draw_groups"), data | YES)
    assert event.entries.filter(group=1).count() == 3


def test_bracket_after_groups_asks_while_results_are_missing(owner: Client, club: Club) -> None:
    event = cup(club, 6, format="groups", group_count=2, qualifiers=2)
    draw_groups(actor=OPERATOR, event=event)
    assert "draw-bracket" in offered(owner, "event", event)
    asked = text(owner.get(page("event", event, "draw_bracket")))
    assert "Draw although results are missing" in asked
    assert "6 results are missing" in asked
    assert owner.post(page("event", event, "draw_bracket"), {"date": ""}).status_code == 422
    shown = owner.post(page("event", event, "draw_bracket"), {"date": "", "despite_missing": "on"})
    assert "6 results are missing" in text(shown)


@pytest.fixture
def open_tie(club: Club) -> Event:
    event = cup(club, 4, tie_decider=TieDecider.DIRECTOR)
    drawn(event)
    draw_it(event, 1)
    win(event, 2, "E2")
    return event


def test_tie_that_waits_for_the_director_is_decided_on_its_page(owner: Client, open_tie: Event) -> None:
    tie = open_tie.ties.get(number=1)
    assert offered(owner, "tie", tie) == {"decide"}
    # The token of the form may have any two characters.
    asked = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text(owner.get(page("tie", tie, "decide"))))
    assert "E1" in asked
    assert "E3" not in asked
    data = {"winner": open_tie.entries.get(name="E4").pk, "reason": "cut the cards"}
    shown = text(owner.post(page("tie", tie, "decide"), data))
    assert "E4 will go on from match 1 by the director’s word." in shown.replace("&#x27;", "’")
    assert ties(open_tie)[1] == "E1-E4"
    owner.post(page("tie", tie, "decide"), data | YES)
    assert ties(open_tie)[1] == "E1-E4 E4 by director"
    assert offered(owner, "tie", tie) == {"clear"}


def test_tie_in_doubt_offers_both_ways(owner: Client, club: Club) -> None:
    event = after_first_round(cup(club, 4), "E1", "E2")
    win(event, 3, "E1")
    tie = event.ties.get(number=1)
    assert offered(owner, "tie", tie) == set()
    correct(event, 1, "E4")
    assert offered(owner, "tie", tie) == {"decide", "confirm-change"}
    label = match_of(event, 3).label
    before = contents()
    shown = text(owner.post(page("tie", tie, "confirm_change"), {"reason": "misread"}))
    assert "E4 will go on from match 1 in place of E1." in shown
    assert label in shown
    assert contents() == before
    answer = owner.post(page("tie", tie, "confirm_change"), {"reason": "misread"} | YES, follow=True)
    assert "The bracket follows the sheets again." in text(answer)
    assert ties(event)[3] == "E4-E2"


def test_what_others_began_is_put_away_on_the_page_of_the_tie(owner: Client, club: Club) -> None:
    event = after_first_round(cup(club, 4), "E1", "E2")
    win(event, 3, "E1")
    event.matches.filter(tie__number=3).update(entry_a=event.entries.get(name="E3"))
    tie, label = event.ties.get(number=3), match_of(event, 3).label
    assert offered(owner, "tie", tie) == {"confirm-change"}
    shown = text(owner.post(page("tie", tie, "confirm_change"), {"reason": "the wrong table"}))
    assert "Match 3 will be for E1 v E2." in shown
    assert label in shown
    owner.post(page("tie", tie, "confirm_change"), {"reason": "the wrong table"} | YES)
    assert str(match_of(event, 3)) == "E1 v E2"


def test_list_of_ties_says_how_far_they_are(owner: Client, club: Club) -> None:
    event = cup(club, 5)
    draw_bracket(actor=OPERATOR, event=event)
    shown = text(owner.get(reverse("admin:league_tie_changelist")))
    for words in ("E1 (bye)", "E4 – E5", "open", "waits"):
        assert words in shown


def test_list_of_ties_takes_a_few_queries(
    owner: Client, club: Club, django_assert_max_num_queries: object
) -> None:
    draw_bracket(actor=OPERATOR, event=cup(club, 16))
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        owner.get(reverse("admin:league_tie_changelist"))


def test_scorekeeper_sees_ties_and_no_acts(club: Club, open_tie: Event) -> None:
    client = logged_in(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    assert offered(client, "tie", open_tie.ties.get(number=1)) == set()
