"""A seat that several give away at once, and a hand recorded while it passes on."""

import pytest

from league.errors import LeagueError
from league.matches.substitutes import seat_substitute
from league.models import Appearance
from scoring.core.errors import ScoringError
from scoring.models import Seat
from scoring.services import record_deals
from scoring.services.rebuilding import check_sheets
from tests.factories import OPERATOR, MatchFactory, PlayerFactory, play, won
from tests.faults.threads import at_once
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_who_give_a_seat_away_one_is_told() -> None:
    match = play(MatchFactory.create(), 10)
    leaving = match.entry_a.players.get()
    players = PlayerFactory.create_batch(2, club=match.event.club)

    def seat(number: int) -> str:
        try:
            seat_substitute(
                actor=OPERATOR, match=match, replaces=leaving, player=players[number], from_deal=2
            )
        except LeagueError as error:
            return error.code
        return "seated"

    assert sorted(at_once([lambda: seat(0), lambda: seat(1)])) == ["not_seated", "seated"]
    assert Seat.objects.filter(sheet=match.sheet, replaces__isnull=False).count() == 1
    assert Appearance.objects.filter(match=match, replaces__isnull=False).count() == 1


@pytest.mark.parametrize("attempt", range(4))
def test_hand_recorded_meanwhile_is_of_who_sat_there(attempt: int) -> None:
    """The hand comes first, and passing it on takes a reason; or the seat does, and the hand is refused."""
    match = play(MatchFactory.create(), 10)
    leaving = match.entry_a.players.get()
    stand_in = PlayerFactory.create(club=match.event.club)
    sheet = match.sheet
    assert sheet is not None

    def seat() -> str:
        try:
            seat_substitute(actor=OPERATOR, match=match, replaces=leaving, player=stand_in, from_deal=2)
        except ScoringError as error:
            return error.code
        return "seated"

    def record() -> str:
        try:
            record_deals(actor=OPERATOR, sheet=sheet, deals=[won(leaving.name, str(match.entry_b), 20)])
        except ScoringError as error:
            return error.code
        return "recorded"

    assert at_once([seat, record]) in (["seated", "not_seated"], ["reason_missing", "recorded"])
    assert_derived(sheet)
    assert [found for _count, found in check_sheets(type(sheet).objects.filter(pk=sheet.pk)) if found] == []
