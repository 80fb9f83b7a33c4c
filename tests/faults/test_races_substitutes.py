"""A seat that several give away at once, and a hand recorded while it passes on."""

from functools import partial
from typing import Any

import pytest

from league.matches.substitutes import seat_substitute
from league.models import Appearance
from scoring.models import Seat
from scoring.services import record_deals
from scoring.services.rebuilding import check_sheets
from tests.factories import OPERATOR, MatchFactory, PlayerFactory, play, won
from tests.faults.threads import at_once
from tests.kept import assert_derived
from tests.refusals import code_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_two_who_give_a_seat_away_one_is_told() -> None:
    match = play(MatchFactory.create(), 10)
    leaving = match.entry_a.players.get()
    players = PlayerFactory.create_batch(2, club=match.event.club)

    asked: dict[str, Any] = {"actor": OPERATOR, "match": match, "replaces": leaving, "from_deal": 2}
    calls = [partial(code_of, partial(seat_substitute, **asked, player=player)) for player in players]
    assert sorted(at_once(calls)) == ["done", "not_seated"]
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

    asked: dict[str, Any] = {"actor": OPERATOR, "match": match, "replaces": leaving, "from_deal": 2}
    seat = partial(code_of, partial(seat_substitute, **asked, player=stand_in))
    deals = [won(leaving.name, str(match.entry_b), 20)]
    record = partial(code_of, partial(record_deals, actor=OPERATOR, sheet=sheet, deals=deals))
    assert at_once([seat, record]) in (["done", "not_seated"], ["reason_missing", "done"])
    assert_derived(sheet)
    assert [found for _count, found in check_sheets(type(sheet).objects.filter(pk=sheet.pk)) if found] == []
