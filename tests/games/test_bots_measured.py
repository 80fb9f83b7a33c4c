"""The bots in figures: `simple` against what is published of it, the others against `simple`."""

from collections import Counter
from math import sqrt
from statistics import fmean, stdev

import pytest

from games.gin.actions import ActionKind
from scoring.core.hands import Outcome
from tests.games.bot_play import game, mirrored_wins

pytestmark = pytest.mark.dear("plays hundreds of games")

# Four standard errors: a figure is off by chance once in 16,000 samples.
ERRORS = 4
# Half of the last digit of the published figures, which are rounded.
ROUNDED = 0.05

ENDS_A_TURN = {ActionKind.DISCARD, ActionKind.KNOCK, ActionKind.GIN}
PUBLISHED_SHARES = {"knock": 93.5, "gin": 2.0, "undercut": 4.3, "dead": 0.2}


def test_simple_against_itself_plays_as_published(*, long: bool) -> None:
    """About 12.5 turns and these outcomes per hand, 10.2 hands per game to 100.

    A turn is a card drawn from the stock or taken from the pile and a card put down after it, by either
    player; passing the upcard is none (with passes there are about 14.0). Dead hands count as hands of the
    game. An undercut to 0 is an undercut.
    """
    turns: list[int] = []
    lengths: list[int] = []
    outcomes: Counter[str] = Counter()
    for seed in range(6_000 if long else 500):
        deals = game("simple", "simple", seed)
        lengths.append(len(deals))
        for played in deals:
            (hand,) = played.two_handed
            turns.append(sum(action.kind in ENDS_A_TURN for action in hand.actions))
            scored = hand.score().outcome
            outcomes[Outcome.UNDERCUT if scored is Outcome.GIN_OFF else scored] += 1
    hands = len(turns)
    assert abs(fmean(turns) - 12.5) <= ROUNDED + ERRORS * stdev(turns) / sqrt(hands)
    assert abs(fmean(lengths) - 10.2) <= ROUNDED + ERRORS * stdev(lengths) / sqrt(len(lengths))
    assert set(outcomes) <= set(PUBLISHED_SHARES)
    for outcome, published in PUBLISHED_SHARES.items():
        error = 100 * sqrt(published / 100 * (1 - published / 100) / hands)
        share = 100 * outcomes[outcome] / hands
        assert abs(share - published) <= ROUNDED + ERRORS * error, (outcome, share)


def test_steady_wins_69_of_100_games_against_simple(*, long: bool) -> None:
    """Mirrored pairs of games to 100. The small sample may fall short by two standard errors, the long one
    by nothing; 71 % were seen in 1,600 games."""
    share, error = _share("steady", "simple", 1_500 if long else 150)
    assert share >= (0.69 if long else 0.69 - 2 * error), (share, error)
    # And no better than two who play alike would be, would be seen.
    assert share - ERRORS * error > 0.5


def test_simple_beats_novice(*, long: bool) -> None:
    share, error = _share("simple", "novice", 500 if long else 40)
    assert share - ERRORS * error > 0.75, (share, error)


def _share(one: str, other: str, pairs: int) -> tuple[float, float]:
    """The share of games that `one` wins of so many mirrored pairs, and its standard error."""
    shares = [mirrored_wins(one, other, seed) / 2 for seed in range(pairs)]
    return fmean(shares), stdev(shares) / sqrt(pairs)
