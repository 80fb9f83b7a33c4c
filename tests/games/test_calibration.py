"""What `expert` believes of the opponent's hand, against what he truly holds, in games of different players.

His deadwood, whether he is ready to knock, and where single cards are, by the Brier score: the mean square of
what is believed less what is so. The positions are those of `steady` against itself, `simple` and the field.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from math import sqrt
from statistics import fmean
from typing import Final, NamedTuple

import pytest

from games.bots import Chances, ColumnView, GameView, HouseBot, house_bot
from games.bots.expert import candidates
from games.bots.field import FIELD
from games.bots.inference import History
from games.bots.judges import HINT_ERROR, HINT_SAMPLES
from games.bots.kernel import kernel
from games.bots.kernel_inference import ROW
from games.bots.rehearsal import Rehearsal
from games.gin.cards import Hand
from games.gin.hand import HandState
from games.gin.melds import deadwood_of
from games.gin.view import Phase
from games.tables.play import play_deals
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED, choices, hands_of

SAMPLES: Final = 800
# Against each of the opponents.
HANDS: Final = 25
LATE: Final = 8


class Position(NamedTuple):
    """`error` and `without` are the Brier scores of single cards, guessed and all held equally likely."""

    turns: int
    believed: float
    true: int
    chance: float
    is_ready: bool
    error: float
    without: float


@pytest.mark.long
def test_what_is_believed_is_so() -> None:
    positions = list(_positions(HANDS))
    late = [one for one in positions if one.turns > LATE]
    assert len(positions) > 1_500
    # His deadwood, in points, of 25 on average and of 8 late, where a chain that settles slowly believes 17.
    assert abs(fmean([one.believed - one.true for one in positions])) < 2.5
    assert abs(fmean([one.believed - one.true for one in late])) < 3
    # How often he could knock, and whether it is now: better than always to say how often.
    assert abs(fmean([one.chance for one in positions]) - _rate(positions)) < 0.1
    assert _of_chances(positions) < _rate(positions) * (1 - _rate(positions))
    # Every card: better than to think each as likely as the others.
    assert fmean([one.error for one in positions]) < 0.96 * fmean([one.without for one in positions])
    assert abs(fmean([one.chance for one in late]) - _rate(late)) < 0.12
    assert _of_chances(late) < _rate(late) * (1 - _rate(late))
    assert fmean([one.error for one in late]) < 0.9 * fmean([one.without for one in late])


def _rate(positions: Sequence[Position]) -> float:
    return fmean([one.is_ready for one in positions])


def _of_chances(positions: Sequence[Position]) -> float:
    """The Brier score of the chances to knock."""
    return fmean([(one.chance - one.is_ready) ** 2 for one in positions])


@pytest.mark.dear("weighs every choice of some hands twice, once with many samples")
def test_the_difference_of_two_options_of_a_hint_is_off_by_as_much_as_is_said(*, long: bool) -> None:
    """In percent of a game, by estimates with far more samples; a third more or less is chance."""
    game = GameView(100, (ColumnView(True, 0, 0, 0, 0),))
    errors = []
    for seed, hand in enumerate(hands_of("steady", 24 if long else 4, PUBLISHED, seed=5)):
        hinting, exact = Rehearsal(HINT_SAMPLES, seed), Rehearsal(4800 if long else 1200, 1000 + seed)
        for view, _ in choices(hand):
            options = candidates(view, Chances(1))
            if view.seat or len(options) < 2:
                continue
            true = {one.action: one.value for one in exact.weigh(view, game, options)}
            first, *others = [
                one for one in hinting.weigh(view, game, options) if one.samples == HINT_SAMPLES
            ]
            for one in others:
                ahead = true[one.action] - true[first.action]
                errors.append(100 * (one.value - first.value - ahead))
    assert len(errors) > (500 if long else 80)
    assert HINT_ERROR * 2 / 3 < sqrt(fmean([error**2 for error in errors])) < HINT_ERROR * 4 / 3


def _positions(hands: int) -> Iterator[Position]:
    others = [house_bot("steady"), house_bot("simple"), *map(HouseBot.of, FIELD.values())]
    for other in others:
        for seed in range(hands):
            deals = play_deals(PUBLISHED, ANN_AND_BOB, {"Ann": house_bot("steady"), "Bob": other}, seed)
            for played in islice(deals, 1):
                yield from _of_hand(played.two_handed[0], seed)


def _of_hand(hand: HandState, seed: int) -> Iterator[Position]:
    rehearsal = Rehearsal(SAMPLES, seed)
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    least_left = kernel(compiled=True).least_left
    for action in hand.actions:
        view = state.view(state.turn)
        if view.seat == 0 and view.phase in (Phase.DRAW, Phase.DISCARD):
            history = History(view)
            guesses = rehearsal.follow(view, history)
            held = dict.fromkeys(view.unseen, 0)
            left = []
            chains = list(map(int, guesses.chains))
            for row in range(0, guesses.samples * ROW, ROW):
                mask = view.known
                for card in chains[row : row + guesses.places]:
                    if card in held:
                        held[card] += 1
                        mask |= 1 << card
                left.append(int(least_left(mask, 0)))
            true = Hand(state.hands[1])
            even = (10 - view.known.bit_count()) / len(held)
            deadwood = deadwood_of(true.mask, "low")
            yield Position(
                history.turns[1],
                fmean(left),
                deadwood,
                fmean([one <= view.limit for one in left]),
                deadwood <= view.limit,
                fmean([(count / guesses.samples - (card in true)) ** 2 for card, count in held.items()]),
                fmean([(even - (card in true)) ** 2 for card in held]),
            )
        state.act(action)
