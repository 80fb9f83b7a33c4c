"""A table at which cards are dealt is not taken away from its players, though nothing is on its sheet yet."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from games.models import TableMatch
from league.draws.matches_by_hand import remove_match
from league.draws.online import come_to_table
from league.draws.recalculating import recalculate
from league.draws.round_life import unpublish_round
from league.events.evening_sweep import sweep_evenings
from league.matches.line_ups import set_line_up
from league.matches.member_tables import end_table_for
from league.models import Club, Match
from scoring.services import void_sheet
from tests.factories import OPERATOR
from tests.league.nights import Night
from tests.league.table_players import by, member, playing, refused

pytestmark = pytest.mark.django_db


def _take_the_round_back(match: Match) -> None:
    unpublish_round(actor=OPERATOR, round_=match.round)


def _remove(match: Match) -> None:
    remove_match(actor=OPERATOR, match=match)


def _set_another_line_up(match: Match) -> None:
    set_line_up(actor=OPERATOR, match=match, side=0, players=[member(match.event.club, "Zed")])


@pytest.mark.parametrize("act", [_take_the_round_back, _remove, _set_another_line_up])
def test_what_is_played_at_a_table_is_changed_once_play_is_ended(act: Callable[[Match], None]) -> None:
    match = playing()
    table = TableMatch.objects.get()
    refused("has_hands", lambda: act(match))
    end_table_for(actor=OPERATOR, match=table, reason="They are called home.")
    act(Match.objects.get(pk=match.pk))


def test_who_plays_the_final_plays_on_though_his_semifinal_is_voided(club: Club) -> None:
    """Somebody else would have his points otherwise; a director is asked, as once a hand is recorded."""
    night = Night(club, "single", break_minutes=0)
    night.begin()
    night.play(1)
    for _each in range(2):
        sweep_evenings(timezone.now())
    (final,) = night.matches(2)
    finalists = night.pair(final)
    assert [come_to_table(actor=by(player), match=final) is None for player in finalists] == [True, False]
    won = next(each for each in night.matches(1) if final.entry_a in (*each.side(0), *each.side(1)))
    assert won.sheet is not None
    void_sheet(actor=OPERATOR, sheet=won.sheet, reason="Other cards were dealt.")
    recalculate(night.event.pk)
    (final,) = night.matches(2)
    assert night.pair(final) == finalists
    assert won.tie is not None
    assert won.tie.winner == final.entry_a
