"""The figures for a club's records: the best hand and the gins of a seat, the come-back of a side."""

import importlib
from types import SimpleNamespace

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from scoring.core.hands import Gin, Outcome
from scoring.core.sheets import VOID, Deal, score_sheet
from scoring.documents.player_records import tallies_of
from scoring.models import Scoresheet, Seat, Side
from scoring.services import add_substitute, correct_deals, open_sheet, record_deals, records, stop_sheet
from scoring.services.feats import Feats, SeatFeats, SideFeats, stored_feats
from scoring.services.rebuilding import check_sheets, repair_sheets
from tests.factories import OPERATOR, house_rules, won
from tests.kept import assert_derived
from tests.scoring.conftest import ANN_AND_BOB

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def game() -> Scoresheet:
    """Ann against Bob, one game to 100: nothing on it yet."""
    return open_sheet(actor=OPERATOR, rules=house_rules(columns=1, target=100), sides=ANN_AND_BOB, label="G1")


def _come_back(sheet: Scoresheet) -> None:
    """Bob leads 94 to 12, by 82; then Ann wins with two gins, an undercut, and a knock."""
    record_deals(
        actor=OPERATOR,
        sheet=sheet,
        deals=[
            won("Bob", "Ann", 60, mark=Outcome.KNOCK),
            won("Ann", "Bob", 12),
            won("Bob", "Ann", 34, mark=Outcome.GIN),
            won("Ann", "Bob", 30, mark=Outcome.GIN),
            won("Ann", "Bob", 30, mark=Outcome.UNDERCUT),
            won("Ann", "Bob", 26, mark=Outcome.BIG_GIN),
        ],
    )


ANN, BOB = SeatFeats(2, 30, "gin", 4), SeatFeats(1, 60, "knock", 1)


def _feats(sheet: Scoresheet) -> Feats:
    return stored_feats([assert_derived(sheet)])[sheet.pk]


def test_an_ended_sheet_tells_best_hands_gins_and_the_come_back(game: Scoresheet) -> None:
    rules = house_rules(columns=1, target=110)
    longer = open_sheet(actor=OPERATOR, rules=rules, sides=ANN_AND_BOB, label="G2")
    _come_back(game)
    _come_back(longer)
    assert assert_derived(game).status == "open"
    for sheet in (game, longer):
        assert _feats(sheet).seats == {0: SeatFeats(), 1: SeatFeats()}

    record_deals(actor=OPERATOR, sheet=game, deals=[won("Ann", "Bob", 2, mark=Outcome.KNOCK)])
    # Of two hands of 30 the first one is told.
    assert _feats(game) == Feats({0: ANN, 1: BOB}, {0: SideFeats(82, 12, 1), 1: SideFeats()})

    # Time called: the hands stand, and nobody has won a game.
    stop_sheet(actor=OPERATOR, sheet=longer)
    assert _feats(longer) == Feats({0: ANN, 1: BOB}, {0: SideFeats(), 1: SideFeats()})


def test_a_hand_that_was_won_by_time_is_no_gin_and_tells_its_points_alone(game: Scoresheet) -> None:
    """50 and 25 for gin."""
    hands = [Gin("Ann", "Bob", 50, by_time=True), Gin("Ann", "Bob", 0)]
    record_deals(actor=OPERATOR, sheet=game, deals=[Deal((hand,)) for hand in hands])
    assert _feats(game).seats == {0: SeatFeats(1, 75, "", 1), 1: SeatFeats()}
    state = score_sheet(game.rules.rules, ANN_AND_BOB, [Deal((hand,)) for hand in hands])
    assert tallies_of(state)["Ann"] == {"hands": 2, "won": 2, "points": 100, "gins": 1}


def test_a_correction_tells_them_anew(game: Scoresheet) -> None:
    _come_back(game)
    record_deals(actor=OPERATOR, sheet=game, deals=[won("Ann", "Bob", 2)])
    correct_deals(actor=OPERATOR, sheet=game, changes={3: VOID}, reason="not played")
    feats = _feats(game)
    assert feats.seats == {0: ANN, 1: SeatFeats(0, 60, "knock", 1)}
    # Bob led 60 to 0, and then by 48.
    assert feats.sides[0] == SideFeats(60, 0, 1)
    correct_deals(actor=OPERATOR, sheet=game, changes={7: VOID}, reason="not played")
    assert _feats(game) == Feats({0: SeatFeats(), 1: SeatFeats()}, {0: SideFeats(), 1: SideFeats()})


def test_rebuild_compares_them_and_repairs(game: Scoresheet) -> None:
    _come_back(game)
    record_deals(actor=OPERATOR, sheet=game, deals=[won("Ann", "Bob", 2)])
    Seat.objects.filter(sheet=game, number=0).update(best_hand=99)
    Side.objects.filter(sheet=game, position=1).update(come_back=7)
    ((_count, (finding,)),) = check_sheets(Scoresheet.objects.filter(pk=game.pk))
    assert finding.lines() == [
        f"sheet G1 ({game.code}): seat 1, best_hand is 99, the deals give 30",
        f"sheet G1 ({game.code}): side 2, come_back is 7, the deals give 0",
    ]
    repair_sheets([game.pk])
    assert _feats(game).seats[0] == ANN
    assert [found for _count, found in check_sheets(Scoresheet.objects.filter(pk=game.pk))] == [[]]


def test_sheets_of_before_get_them_by_the_migration(
    game: Scoresheet, sheet: Scoresheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the models of the migration alone: today's may have columns that its database has not."""
    _come_back(game)
    add_substitute(actor=OPERATOR, sheet=game, side=1, replaces="Bob", name="Cid", from_deal=7)
    record_deals(actor=OPERATOR, sheet=game, deals=[won("Ann", "Cid", 2)])
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 2)])
    Seat.objects.update(gins=0, best_hand=0, best_hand_how="", best_hand_deal=0)
    Side.objects.update(come_back=0, come_back_from=0, come_back_game=0)
    migration = importlib.import_module("scoring.migrations.0012_feats_of_sheets")
    loader = MigrationLoader(connection, replace_migrations=False)
    state = loader.project_state(("scoring", "0012_feats_of_sheets"))
    with monkeypatch.context() as later:
        for name in ("DealVersion", "HouseRules", "Scoresheet", "Seat", "SheetAct", "Side"):
            later.delattr(records, name)
        migration.tell_feats(state.apps, SimpleNamespace(connection=connection))
    assert _feats(game) == Feats({0: ANN, 1: BOB, 2: SeatFeats()}, {0: SideFeats(82, 12, 1), 1: SideFeats()})
    assert _feats(sheet).seats[0] == SeatFeats()
