"""The bracket of an event whose results are held back, as the API tells it to anybody and to officers."""

from typing import Any

import pytest

from league.draws.releasing import release_round
from league.events.entries import withdraw_entry
from league.models import Club, Event, Role, Tie, TieDecision
from tests.clients import logged_in
from tests.factories import OPERATOR, UserFactory
from tests.league.api.world import ANYBODY, Asking
from tests.league.bracket_play import cup, drawn, next_round, win

pytestmark = pytest.mark.django_db


def held(club: Club, count: int, format: str = "single") -> Event:
    """A bracket of E1, E2 … whose first round is published; results are held back."""
    event = cup(club, count, format=format, holds_results=True)
    drawn(event)
    return event


def told(asking: Asking, event: Event) -> dict[str, Any]:
    bracket: dict[str, Any] = asking.get(f"events/{event.code}/bracket/")
    return bracket


def as_user(club: Club, role: Role) -> Asking:
    client = logged_in(UserFactory.create(club=club, role=role))
    return Asking(client)


def in_the_dark(club: Club) -> list[Asking]:
    return [ANYBODY, as_user(club, Role.MEMBER)]


def known(bracket: dict[str, Any]) -> set[int]:
    """The numbers of the ties of which something is told that came of them."""
    return {tie["number"] for tie in bracket["ties"] if tie["winner"] or tie["decided_by"]}


def sides(bracket: dict[str, Any], number: int) -> list[str | None]:
    tie = bracket["ties"][number - 1]
    assert tie["number"] == number
    return [side["entry"] and side["entry"]["name"] for side in tie["sides"]]


def let_out(event: Event) -> None:
    for round_ in event.rounds.filter(released_at=None):
        release_round(actor=OPERATOR, round_=round_)


def test_who_goes_on_stands_in_the_next_tie_once_that_is_paired(club: Club) -> None:
    event = held(club, 4)
    win(event, 1, "E1")
    win(event, 2, "E3")
    for asking in in_the_dark(club):
        bracket = told(asking, event)
        assert (known(bracket), sides(bracket, 1), sides(bracket, 3)) == (set(), ["E1", "E4"], [None, None])
    bracket = told(as_user(club, Role.DIRECTOR), event)
    assert (known(bracket), sides(bracket, 3)) == ({1, 2}, ["E1", "E3"])
    next_round(event)
    win(event, 3, "E3")
    for asking in in_the_dark(club):
        bracket = told(asking, event)
        assert (known(bracket), sides(bracket, 3), bracket["champion"]) == (set(), ["E1", "E3"], None)
    let_out(event)
    champion = event.entries.get(name="E3").code
    for asking in [*in_the_dark(club), as_user(club, Role.DIRECTOR)]:
        bracket = told(asking, event)
        assert (known(bracket), bracket["champion"]) == ({1, 2, 3}, champion)


def test_second_final_that_is_not_needed_does_not_tell_who_won_the_first(club: Club) -> None:
    event = held(club, 2, "double")
    win(event, 1, "E1")
    let_out(event)
    next_round(event)
    win(event, 2, "E1")
    reset = Tie.objects.get(event=event, part="reset")
    assert (reset.number, reset.decided_by, reset.round) == (3, TieDecision.NOT_NEEDED, None)
    for asking in in_the_dark(club):
        bracket = told(asking, event)
        assert (known(bracket), bracket["champion"]) == ({1}, None)
        assert sides(bracket, 3) == [None, None]
    bracket = told(as_user(club, Role.DIRECTOR), event)
    assert (known(bracket), bracket["champion"]) == ({1, 2, 3}, event.entries.get(name="E1").code)
    let_out(event)
    assert told(ANYBODY, event) == bracket


def test_final_given_away_tells_nothing_of_semifinals_held_back(club: Club) -> None:
    event = held(club, 4)
    win(event, 1, "E1")
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="moved away")
    win(event, 2, "E3")
    final = Tie.objects.select_related("winner").get(event=event, part="final")
    assert (str(final.winner), final.decided_by, final.round) == ("E3", TieDecision.WALKOVER, None)
    for asking in in_the_dark(club):
        bracket = told(asking, event)
        assert (known(bracket), bracket["champion"]) == (set(), None)
        assert sides(bracket, 3) == [None, None]
    bracket = told(as_user(club, Role.DIRECTOR), event)
    assert (known(bracket), bracket["champion"]) == ({1, 2, 3}, event.entries.get(name="E3").code)
    let_out(event)
    assert told(ANYBODY, event) == bracket
