"""How types of opponents choose their discards, learned from games of the pool.

`expert` guesses at hidden cards by how likely its opponent's discards are with them. For each type of
opponent that is a multinomial logit over the discards he may choose: a weight for each of the traits of
`kernel_policy.trait_sum`, in each part of a hand. `learn` takes the weights that make the discards of each
type's styles likeliest, in games of the pool. `HELD_OUT` plays along, but nothing is learned from it: it
shows what the weights are worth against who is none of the types.

`expert` plays along at its lowest level, by the policy that tuning begins with (`games.arena.tuning`): what
comes of tuning moves no weight.

The weights in force are half of those (`SOFTENED`): by them the discards of styles held out are likelier, and
a type is not believed impossible by one discard. Equal seeds play equal games; the weights need numpy.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from math import log
from typing import Any, Final, NamedTuple

from games.arena.pairs import ARENA_RULES
from games.arena.tuning import START
from games.bots import STRATEGIES
from games.bots.base import Chances, HouseBot, Strategy
from games.bots.expert import EXPERT, Expert
from games.bots.field import FIELD
from games.bots.kernel_policy import ALL, PARTS, TRAITS, part_of, trait_sum
from games.gin.actions import Action, ActionKind
from games.gin.cards import cards_of, mask_of
from games.gin.hand import HandState
from games.gin.view import View
from games.tables.dealing import derived_seed
from games.tables.play import play_deals
from scoring.core.sheets import SheetSide

# By type, in the order of `policies`, the styles it is learned from.
TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    "simple": ("simple",),
    "taker": ("taker",),
    "rash": ("rash",),
    "steady": ("steady",),
    "hunter": ("hunter",),
    "careful": ("expert", "hoarder"),
}
HELD_OUT: Final = ("counter", "defender")
SOFTENED: Final = 0.5
# A weight of this much makes a discard less likely by a factor of e: ten steps of `kernel_tables.SOFT`, each
# `2 ** kernel_inference.FINE`.
A_FACTOR_OF_E: Final = 160
# One hand in so many is kept for measuring.
KEPT: Final = 4
# Shrinks weights that the games say little about.
_PENALTY: Final = 0.5
# Enough for every style and part of a hand; and no more than fit into memory.
FEWEST_HANDS: Final = 60
MOST_HANDS: Final = 40_000
_MOST_STEPS: Final = 25
_MOST_WEIGHT: Final = 8.0
_LARGEST_STEP: Final = 1.0
_UNTUNED: Final = Strategy(
    EXPERT.name, EXPERT.sentence, lambda _samples, chances: Expert(0, chances, policy=START)
)
_SEATS: Final = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
# By these weights a sum of the traits is one of them.
_UNITS: Final = [int(one == other) for one in range(TRAITS) for other in range(TRAITS)]


class Discard(NamedTuple):
    """A discard of a player: the traits of each card he could choose, and which it was.

    `hand` is the number of the hand, and `part` that of `kernel_policy.part_of`.
    """

    style: str
    hand: int
    seat: int
    part: int
    traits: tuple[tuple[int, ...], ...]
    chosen: int

    @property
    def is_kept(self) -> bool:
        """Whether it is for measuring, not for learning."""
        return self.hand % KEPT == 0


def discards_of_pool(hands: int, seed: int) -> Iterator[Discard]:
    """The discards of so many hands between all styles, each in turn with an opponent by chance."""
    players = _players()
    names, chances = sorted(players), Chances(seed)
    for number in range(hands):
        styles = names[number % len(names)], chances.one_of(names)
        bots = {side.name: players[style] for side, style in zip(_SEATS, styles, strict=True)}
        deals = play_deals(ARENA_RULES, _SEATS, bots, derived_seed(seed, "hand", number))
        for played in islice(deals, 1):
            (hand,) = played.two_handed
            yield from _of_hand(hand, styles, number)


def learn(discards: Sequence[Discard]) -> dict[str, list[int]]:
    """The weights by type, in the order of a policy's block, from the discards that are not kept."""
    return {
        name: [
            round(-A_FACTOR_OF_E * SOFTENED * weight)
            for part in range(PARTS)
            for weight in _likeliest(
                [one for one in discards if one.style in styles and one.part == part and not one.is_kept]
            )
        ]
        for name, styles in TYPES.items()
    }


def likelihoods(
    discards: Sequence[Discard], weights: Mapping[str, Sequence[int]]
) -> dict[str, tuple[float, float]]:
    """By style the mean logarithm of the chance of a discard that is kept: by the weights, and all alike.

    Of a player nothing is known at first: a hand is as likely as it is on average over the types.
    """
    import numpy as np

    of_hands: dict[tuple[str, int, int], list[Discard]] = {}
    for one in discards:
        if one.is_kept:
            of_hands.setdefault((one.style, one.hand, one.seat), []).append(one)
    found: dict[str, list[float]] = {}
    for (style, *_), hand in of_hands.items():
        by_type = []
        for block in weights.values():
            likely = 0.0
            for one in hand:
                own = np.array(block[one.part * TRAITS : (one.part + 1) * TRAITS]) / A_FACTOR_OF_E
                chances = _chances_of(np.array([one.traits], dtype=float), -own)[0]
                likely += float(np.log(chances[one.chosen]))
            by_type.append(likely)
        most = max(by_type)
        mean = most + log(float(np.mean(np.exp(np.array(by_type) - most))))
        sums = found.setdefault(style, [0.0, 0.0, 0.0])
        sums[0] += mean
        sums[1] -= sum([log(len(one.traits)) for one in hand])
        sums[2] += len(hand)
    return {style: (learned / count, alike / count) for style, (learned, alike, count) in found.items()}


def to_document(weights: Mapping[str, Sequence[int]], *, hands: int, seed: int) -> dict[str, Any]:
    """The file of `policies.SHEDS_PLACE`."""
    return {"hands": hands, "seed": seed, "weights": {name: list(block) for name, block in weights.items()}}


def _players() -> dict[str, HouseBot]:
    """Who plays: every style that something is learned from, without playouts, and those held out.

    `expert` plays by the policy that tuning begins with.
    """
    styles = [*[style for styles in TYPES.values() for style in styles], *HELD_OUT]
    known = {**STRATEGIES, **FIELD, EXPERT.name: _UNTUNED}
    return {style: HouseBot.of(known[style]) for style in styles}


def _of_hand(hand: HandState, styles: Sequence[str], number: int) -> Iterator[Discard]:
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    turns = [0, 0]
    for action in hand.actions:
        seat = state.turn
        if action.kind is ActionKind.DISCARD:
            traits, chosen = _traits(state.view(seat), action, turns[seat])
            yield Discard(styles[seat], number, seat, part_of(turns[seat]), traits, chosen)
            turns[seat] += 1
        state.act(action)


def _traits(view: View, action: Action, turn: int) -> tuple[tuple[tuple[int, ...], ...], int]:
    open_to_him = [card for card in cards_of(view.mask) if card != view.taken]
    least = min([view.after[card] for card in open_to_him])
    live = ALL & ~(view.mask | view.known | mask_of(view.pile))
    traits = [
        tuple(
            [
                trait_sum(_UNITS, unit * TRAITS, view.mask, card, view.after[card] - least, live, view.known)
                for unit in range(TRAITS)
            ]
        )
        for card in open_to_him
    ]
    return tuple(traits), open_to_him.index(action.card or 0)


def _likeliest(discards: Sequence[Discard]) -> list[float]:
    """The weights by which these discards are likeliest, by Newton's method."""
    import numpy as np

    most = max([len(one.traits) for one in discards])
    traits = np.zeros((len(discards), most, TRAITS))
    is_open = np.zeros((len(discards), most), dtype=bool)
    chosen = np.zeros((len(discards), TRAITS))
    for row, one in enumerate(discards):
        traits[row, : len(one.traits)] = one.traits
        is_open[row, : len(one.traits)] = True
        chosen[row] = one.traits[one.chosen]
    weights = np.zeros(TRAITS)
    for _ in range(_MOST_STEPS):
        chances = _chances_of(traits, weights, is_open)
        expected = np.einsum("no,not->nt", chances, traits)
        slope = (chosen - expected).sum(0) - _PENALTY * weights
        curve = np.einsum("no,not,nou->tu", chances, traits, traits) - expected.T @ expected
        step = np.linalg.solve(curve + _PENALTY * np.eye(TRAITS), slope)
        weights += step * min(1.0, _LARGEST_STEP / max(abs(step)))
        if max(abs(step)) < 0.001:
            break
    return [float(weight) for weight in np.clip(weights, -_MOST_WEIGHT, _MOST_WEIGHT)]


def _chances_of(traits: Any, weights: Any, is_open: Any = True) -> Any:
    """The chance of each option of each row."""
    import numpy as np

    sums = np.where(is_open, traits @ weights, -np.inf)
    shares = np.exp(sums - sums.max(1, keepdims=True))
    return shares / shares.sum(1, keepdims=True)
