"""How strong `expert` is: mirrored pairs of games to 100 under the rules of the published figures.

The short samples play a lower level, the long ones the default level, and both may fall short by two standard
errors. The figures do not vary: every game comes from its seed. 100 pairs at the default level take five
minutes of a processor.
"""

from math import sqrt
from statistics import fmean, stdev

import pytest

from games.arena.pairs import play_pair
from games.bots import HouseBot, house_bot
from games.bots.field import FIELD

pytestmark = pytest.mark.dear("plays thousands of hands with the strongest bot")

# What is promised at the default level.
AGAINST = {"simple": 0.78, "steady": 0.75}
PACKS = range(30)


@pytest.mark.parametrize("other", ["simple", pytest.param("steady", marks=pytest.mark.long)])
def test_expert_wins_as_often_as_promised(other: str, *, long: bool) -> None:
    if long:
        share, error = _share(house_bot("expert"), house_bot(other), 100)
    else:
        share, error = _share(house_bot("expert", 2), house_bot(other), 16)
    assert share >= AGAINST[other] - 2 * error, (share, error)
    assert share > 0.5


@pytest.mark.long
@pytest.mark.parametrize("name", FIELD)
def test_expert_beats_everyone_of_the_field(name: str) -> None:
    """Knockers, hunters, hoarders, takers, counters, one that never feeds."""
    share, error = _share(house_bot("expert"), HouseBot.of(FIELD[name]), 60)
    assert share - 2 * error > 0.5, (share, error)


@pytest.mark.long
def test_playing_out_is_better_than_the_policy_alone() -> None:
    """Level 2 wins at least 4 games of a hundred more than level 1, on equal packs.

    Against `simple`, `steady` and the field together; it may fall short by two standard errors.
    """
    others = [house_bot("simple"), house_bot("steady"), *map(HouseBot.of, FIELD.values())]
    lower, higher = (
        [
            fmean([play_pair(house_bot("expert", level), other, seed).score for other in others])
            for seed in PACKS
        ]
        for level in (1, 2)
    )
    ahead = [one - other for one, other in zip(higher, lower, strict=True)]
    error = stdev(ahead) / sqrt(len(ahead))
    assert fmean(ahead) > 2 * error
    assert fmean(ahead) >= 0.04 - 2 * error


def _share(one: HouseBot, other: HouseBot, pairs: int) -> tuple[float, float]:
    """The share of games that `one` wins of so many mirrored pairs, and its standard error."""
    scores = [play_pair(one, other, seed).score for seed in range(pairs)]
    return fmean(scores), stdev(scores) / sqrt(pairs)
