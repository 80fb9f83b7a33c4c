"""Files and sheets that bots play: nobody writes between their deals, and an undone import ends them."""

import pytest

from games.models import BotMatch, BotMatchState
from league.bots.bot_matches import play_now
from league.files.undoing import plan_undo, undo_import
from league.models import Club, Event, FormerSheet, Match
from league.people.players import create_player
from scoring.core.errors import RecordingError
from tests.factories import OPERATOR
from tests.kept import contents
from tests.league.hand_files import file_of, imported, knock
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def planted(club: Club) -> Match:
    """Ann and Bob are bots, their sheet was begun in a file, and they are to play on."""
    for name in ("Ann", "Bob"):
        create_player(actor=OPERATOR, club=club, name=name, strategy="simple")
    imported(club, file_of(knock(1)))
    match = Match.objects.select_related("event__club").get()
    play_now(actor=OPERATOR, match=match)
    return match


def test_deals_are_not_imported_between_those_of_bots(club: Club, planted: Match) -> None:
    before = contents()
    with refuses(RecordingError, "bots_play") as refusal:
        imported(club, file_of(knock(1), knock(2)))
    assert str(refusal.value.message) == f"Bots play sheet {planted.label}; cancel the bot match first."
    assert contents() == before


def test_import_that_is_undone_ends_the_bot_match(club: Club, planted: Match) -> None:
    batch = club.imports.get()
    assert plan_undo(batch).voided
    undo_import(actor=OPERATOR, batch=batch)
    bots = BotMatch.objects.get()
    assert (bots.state, bots.note) == (BotMatchState.CANCELLED, "The sheet was voided.")
    assert FormerSheet.objects.get().sheet_id == bots.sheet_id
    assert not Event.objects.exists()
    assert club.players.filter(strategy="simple").count() == 2
