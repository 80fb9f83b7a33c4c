"""The field of opponents: legal under any rules, and each as its sentence says, in figures."""

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.arena.learning import HELD_OUT, TYPES
from games.arena.playing import known_strategies
from games.bots import STRATEGIES, Chances, HouseBot, Strategy
from games.bots.field import FIELD
from games.bots.field.defender import Defender
from games.bots.field.reckoner import Reckoner
from games.gin.actions import TAKE, Action, ActionKind
from games.gin.cards import CARD_TEXTS, CARD_VALUES
from games.gin.hand import HandState
from games.gin.melds import deadwood_without_each
from games.gin.view import Phase, View
from games.tables.play import play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import score_sheet
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED, choices
from tests.games.tables import do, pack
from tests.scoring.strategies import rules

HANDS = 150
GINS = {ActionKind.GIN, ActionKind.BIG_GIN}
ENDINGS = {ActionKind.KNOCK, *GINS}


def choices_of(
    strategy: Strategy, against: str = "simple", rules: Rules = PUBLISHED, hands: int = HANDS
) -> Iterator[tuple[View, Action]]:
    """Every choice of so many hands of Ann, who plays so, against Bob."""
    bots = {"Ann": HouseBot.of(strategy), "Bob": HouseBot.of(STRATEGIES[against])}
    for seed in range(hands // 5):
        for played in islice(play_deals(rules, ANN_AND_BOB, bots, seed), 5):
            for view, action in choices(played.two_handed[0]):
                if view.seat == 0:
                    yield view, action


def turn(view: View) -> int:
    """The turn of his that is on, from 1."""
    return 1 + sum(move.seat == view.seat and move.kind is ActionKind.DISCARD for move in view.moves)


def test_field_is_known_to_the_arena_beside_the_house() -> None:
    assert set(FIELD) == {"rash", "hunter", "hoarder", "taker", "defender", "counter", "reckoner"}
    assert not set(FIELD) & set(STRATEGIES)
    known = known_strategies()
    assert set(known) == set(FIELD) | set(STRATEGIES)
    for name, strategy in FIELD.items():
        assert known[name] is strategy
        assert strategy.name == name
        assert str(strategy.sentence).endswith(".")
        assert HouseBot.from_document({"strategy": name}, known) == HouseBot.of(strategy)


@given(
    by=rules(packs="per_table"),
    seed=st.integers(0, 2**64),
    names=st.tuples(st.sampled_from(sorted(FIELD)), st.sampled_from(sorted(FIELD))),
)
def test_field_plays_legally_under_any_rules(by: Rules, seed: int, names: tuple[str, str]) -> None:
    bots = {name: HouseBot.of(FIELD[each]) for name, each in zip(("Ann", "Bob"), names, strict=True)}
    deals = list(islice(play_deals(by, ANN_AND_BOB, bots, seed), 3))
    score_sheet(by, ANN_AND_BOB, [played.deal for played in deals])
    for played in deals:
        (hand,) = played.two_handed
        assert hand.is_over
        assert HandState.replay(hand.rules, hand.log, players=hand.players).result == played.deal.hands[0]
    assert [one.deal for one in islice(play_deals(by, ANN_AND_BOB, bots, seed), 3)] == [
        one.deal for one in deals
    ]


def test_counter_knocks_with_less_the_longer_it_takes() -> None:
    """In the first turns, if nothing was taken, always; after ten turns with two at most."""
    early = late = refused = 0
    for view, action in choices_of(FIELD["counter"], "steady"):
        least = [view.after[each.card or 0] for each in view.legal if each.kind is ActionKind.KNOCK]
        if not least or view.phase is Phase.LAST_KNOCK or any(each.kind in GINS for each in view.legal):
            continue
        if turn(view) <= 4 and not view.known:
            early += 1
            assert action.kind is ActionKind.KNOCK
        elif turn(view) > 10:
            late += 1
            refused += action.kind is not ActionKind.KNOCK
            assert (action.kind is ActionKind.KNOCK) == (min(least) <= 2)
    assert early > 10
    assert late > refused > 10


def test_reckoner_is_no_source_of_what_expert_takes_for_likely() -> None:
    """So strong an opponent shows what `expert` is worth against a style that nothing was learned from."""
    learned = {*HELD_OUT, *[style for styles in TYPES.values() for style in styles]}
    assert set(FIELD) - learned == {"reckoner"}


def test_reckoner_knocks_by_what_the_other_should_have_left() -> None:
    """With ten after a turn, when he has most of what he was dealt; not after eight turns of his."""
    reckoner = Reckoner(Chances(1))
    early, late = (_to_shed(draws) for draws in (1, 8))
    assert (early.limit, late.limit) == (10, 10)
    assert reckoner.knocks(early, 10)
    assert not reckoner.knocks(late, 10)


def test_reckoner_knocks_the_less_the_more_an_undercut_costs() -> None:
    """With three in his seventh turn: the other should have some 15, but in some hands no more than that."""
    cheap, dear = (_to_shed(6, Rules.preset("online", undercut_bonus=bonus)) for bonus in (0, 90))
    assert Reckoner(Chances(1)).knocks(cheap, 3)
    assert not Reckoner(Chances(1)).knocks(dear, 3)


def _to_shed(draws: int, rules: Rules = PUBLISHED) -> View:
    """Both have shed what they drew so many times; the elder has drawn again, to three melds and a ten."""
    deck = pack(elder="AC 2C 3C 4D 5D 6D 9H 9S 9C TD", younger="KC KD 7S 5S 3H JD TC 2H 8S QC")
    state = do(HandState(rules, deck, dealer=0), "pass", "pass", "draw")
    for card in deck[21 : 21 + 2 * draws]:
        do(state, f"discard {CARD_TEXTS[card]}", "draw")
    return state.view(1)


def test_rash_ends_the_hand_whenever_he_can() -> None:
    to_knock = knocks = 0
    for view, action in choices_of(FIELD["rash"]):
        if any(each.kind in ENDINGS for each in view.legal):
            knocks += 1
            assert action.kind in ENDINGS
        if TAKE in view.legal and view.phase is not Phase.LAST_OFFER:
            after = deadwood_without_each(view.mask | 1 << view.pile[-1])
            after.pop(view.pile[-1])
            if min(after.values()) <= view.limit:
                to_knock += 1
                assert action == TAKE
    assert knocks > 50
    assert to_knock > 20


def test_hunter_never_knocks() -> None:
    endings: Counter[ActionKind] = Counter()
    could = 0
    for view, action in choices_of(FIELD["hunter"]):
        endings[action.kind] += action.kind in ENDINGS
        could += any(each.kind is ActionKind.KNOCK for each in view.legal)
        if view.phase is Phase.LAST_OFFER:
            assert action != TAKE
    assert endings[ActionKind.KNOCK] == 0
    assert endings[ActionKind.GIN] > 10
    assert could > 50


def test_hunter_takes_the_last_discard_for_gin_alone() -> None:
    """RULES §3, `fiftieth_card`: whoever takes it has to end the hand with it."""
    rules = Rules.preset("tournament", undercut_bonus=0)
    offers = 0
    bot = HouseBot.of(FIELD["hunter"])
    for seed in range(40):
        for played in play_deals(rules, ANN_AND_BOB, {"Ann": bot, "Bob": bot}, seed):
            for view, action in choices(played.two_handed[0]):
                if view.phase is Phase.LAST_OFFER and TAKE in view.legal:
                    offers += 1
                    after = deadwood_without_each(view.mask | 1 << view.pile[-1])
                    after.pop(view.pile[-1])
                    assert (action == TAKE) == (min(after.values()) == 0)
    assert offers


def test_hoarder_sheds_low_cards_first() -> None:
    hoarder, simple = (
        fmean(
            [
                CARD_VALUES[action.card or 0]
                for view, action in choices_of(strategy)
                if action.kind is ActionKind.DISCARD and turn(view) <= 2
            ]
        )
        for strategy in (FIELD["hoarder"], STRATEGIES["simple"])
    )
    # `simple` sheds what counts most: tens nearly always.
    assert simple > 9
    assert hoarder < simple - 1.5


@pytest.mark.parametrize("name", ["steady", "simple"])
def test_taker_takes_more_often_than_who_waits_for_melds(name: str) -> None:
    taker, other = (
        fmean([action == TAKE for view, action in choices_of(strategy) if TAKE in view.legal])
        for strategy in (FIELD["taker"], STRATEGIES[name])
    )
    assert taker > 1.5 * other


def test_defender_feeds_less_than_who_does_not_look() -> None:
    """Beside one who plays as he does, but for the danger of a discard; the opponent takes whatever melds."""

    class Careless(Defender):
        danger_cost = 0.0

    careless = Strategy("careless", "Does not look.", lambda samples, chances: Careless(chances))
    assert _fed(FIELD["defender"]) < 0.8 * _fed(careless)


def test_defender_knocks_late() -> None:
    turns = {
        strategy.name: [
            turn(view) for view, action in choices_of(strategy) if action.kind is ActionKind.KNOCK
        ]
        for strategy in (FIELD["defender"], STRATEGIES["simple"])
    }
    assert min(turns["defender"]) > 8
    assert fmean(turns["simple"]) < 8


def _fed(strategy: Strategy) -> float:
    """The share of the discards of this one that the other takes."""
    shed = taken = 0
    bots = {"Ann": HouseBot.of(strategy), "Bob": HouseBot.of(STRATEGIES["simple"])}
    for seed in range(60):
        for played in islice(play_deals(PUBLISHED, ANN_AND_BOB, bots, seed), 5):
            for view, action in choices(played.two_handed[0]):
                if view.seat == 1 and view.phase is Phase.DRAW:
                    shed += 1
                    taken += action == TAKE
    return taken / shed
