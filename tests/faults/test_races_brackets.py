"""A bracket is settled by several workers at once, and while sheets are recorded and corrected."""

import pytest

from league.draws.advancing import settle_ties
from league.draws.recalculating import recalculate
from league.models import Event, Match, Tie
from scoring.core.errors import ScoringError
from scoring.services import correct_deals
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, play, sheet_of, won
from tests.faults.threads import at_once
from tests.league.bracket_play import cup, drawn, match_of, next_round, ties, win

pytestmark = pytest.mark.django_db(transaction=True)


def settled(event: Event) -> bool:
    return settle_ties(Event.objects.get(pk=event.pk))


def test_next_sheet_of_a_tie_is_opened_once() -> None:
    event = cup(ClubFactory.create(), 4, best_of=3)
    drawn(event)
    play(match_of(event, 1), 5)
    play(match_of(event, 2), 5)
    at_once([lambda: settled(event)] * 4)
    assert sorted(Match.objects.values_list("tie__number", "leg")) == [(1, 1), (1, 2), (2, 1), (2, 2)]


def test_ties_are_settled_while_their_sheets_end() -> None:
    event = cup(ClubFactory.create(), 8, format="double")
    drawn(event)

    def end(tie: int) -> bool:
        play(match_of(event, tie), 5)
        return settled(event)

    at_once([lambda tie=tie: end(tie) for tie in (1, 2, 3, 4)])  # type: ignore[misc]
    recalculate(event.pk)
    assert [ties(event)[tie] for tie in (5, 6, 7, 8)] == ["E1-E4", "E2-E3", "E8-E5", "E7-E6"]


def test_correction_and_the_first_hand_of_the_next_match_leave_one_story() -> None:
    """Either who has begun stays, and the tie is in doubt; or the other stood on the sheet by then."""
    event = cup(ClubFactory.create(), 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
    first = match_of(event, 1)

    def correct() -> str:
        correct_deals(
            actor=OPERATOR,
            sheet=sheet_of(first),
            changes={1: won("E4", "E1", 7)},
            reason="misread",
            expected_version=1,
        )
        recalculate(event.pk)
        return "corrected"

    def begin() -> str:
        try:
            play(match_of(event, 3), 5)
        except ScoringError:
            # Other names came onto the sheet after it was read.
            play(match_of(event, 3), 5)
        return "begun"

    assert at_once([correct, begin]) == ["corrected", "begun"]
    recalculate(event.pk)
    match = match_of(event, 3)
    assert match.sheet is not None
    names = [side.name for side in kept_sheet(match.sheet).sides]
    tie = Tie.objects.select_related("entry_a", "entry_b").get(event=event, number=3)
    assert names == [str(match.entry_a), str(match.entry_b)] == [str(tie.entry_a), str(tie.entry_b)]
    assert ties(event)[1].split()[1] == names[0]
