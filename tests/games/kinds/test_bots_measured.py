"""`steady` against `novice` in figures, in every kind of game: one steady player, or team, among novices."""

from math import sqrt
from statistics import fmean, stdev
from typing import Any

import pytest

from games.bots import house_bot
from games.tables.play import play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, SheetState, score_sheet
from tests.games.kinds.sheets import seats_of

pytestmark = pytest.mark.dear("plays thousands of hands")

# Four standard errors: by chance so far off once in 30,000 samples.
ERRORS = 4
# Deals of a sheet.
DEALS = 4
TEAMS = (SheetSide("We", ("Ann", "Cid")), SheetSide("They", ("Bob", "Dee")))


def sheets(preset: str, sides: tuple[SheetSide, ...], seed: int, **knobs: Any) -> list[SheetState]:
    """As many sheets with the same packs as there are sides, of which each in turn is steady.

    Nothing but points counts: there are no boxes and no bonus for a game.
    """
    rules = Rules.preset(preset, deals=DEALS, box_bonus=0, game_bonus=0, shutout="none", **knobs)
    states = []
    for steady in sides:
        bots = {
            player: house_bot("steady" if side is steady else "novice")
            for side in sides
            for player in side.players
        }
        deals = [played.deal for played in play_deals(rules, sides, bots, seed)]
        states.append(score_sheet(rules, sides, deals))
    return states


@pytest.mark.parametrize(
    ("preset", "sides", "knobs", "ratio"),
    [
        ("cutthroat", seats_of(3), {}, 2.0),
        ("captains", seats_of(3), {"captains": {"box_held": "hand"}}, 1.5),
        ("jersey", seats_of(3), {}, 2.5),
        ("partners_one_pack", TEAMS, {}, 2.5),
        ("basic_rummy", seats_of(2), {}, 2.5),
        ("basic_rummy", seats_of(4), {}, 2.5),
        ("basic_rummy", seats_of(6), {}, 2.0),
    ],
    ids=["cutthroat", "captains", "jersey", "partners", "rummy of two", "rummy of four", "rummy of six"],
)
def test_steady_beats_novices(
    preset: str, sides: tuple[SheetSide, ...], knobs: dict[str, Any], ratio: float, *, long: bool
) -> None:
    """What it wins is above 0 by four standard errors, and its points are so many times a novice's.

    In the small sample the ratios seen were 3.6, 2.5, 4.5, 4.0, 17, 5.6 and 4.9.
    """
    nets, own, others = [], 0, 0
    for seed in range(200 if long else 25):
        states = sheets(preset, sides, seed, **knobs)
        nets.append(fmean(state.nets[seat] for seat, state in enumerate(states)))
        for seat, state in enumerate(states):
            points = [side.points for side in state.columns[0].sides]
            own += points[seat]
            others += sum(points) - points[seat]
    error = stdev(nets) / sqrt(len(nets))
    assert fmean(nets) - ERRORS * error > 0, (fmean(nets), error)
    assert own / (others / (len(sides) - 1)) > ratio
