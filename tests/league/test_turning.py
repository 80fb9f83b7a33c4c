"""How often the winner of each game of a sheet has won the match."""

import pytest
from django.test import Client

from league.models import Event, Match
from league.tables import turning
from league.tables.turning import TurningGame, turns_of
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    house_rules,
    won,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def test_each_game_is_compared_with_the_match(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"), slug="cup", rules=house_rules(columns=2, target=100)
    )
    ann, bob = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob"))
    # Ann wins both games; Bob both; Ann the first game narrowly, and Bob the second by far, with the match.
    for hands in (
        (("Ann", 100), ("Ann", 100)),
        (("Bob", 100), ("Bob", 100)),
        (("Bob", 90), ("Ann", 100), ("Bob", 300)),
    ):
        match = MatchFactory.create(
            event=event, round=RoundFactory.create(event=event), entry_a=ann, entry_b=bob
        )
        assert match.sheet is not None
        deals = [won(who, "Bob" if who == "Ann" else "Ann", points) for who, points in hands]
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    last = Match.objects.get(round__number=3)
    assert (last.state, last.winner_side, last.columns_a, last.columns_b) == ("finished", 1, 1, 1)

    address = "/clubs/harbour/events/cup/"
    assert turns_of(event) == []
    assert "When matches turn" not in client.get(address).content.decode()
    monkeypatch.setattr(turning, "FEWEST_MATCHES", 3)
    assert turns_of(event) == [TurningGame(1, 2, 3), TurningGame(2, 3, 3)]
    Match.objects.filter(pk=last.pk).update(annulled=True)
    monkeypatch.setattr(turning, "FEWEST_MATCHES", 2)
    assert turns_of(event) == [TurningGame(1, 2, 2), TurningGame(2, 2, 2)]
    assert "When matches turn" in client.get(address).content.decode()
    Event.objects.filter(pk=event.pk).update(holds_results=True)
    event.refresh_from_db()
    assert turns_of(event) == []
