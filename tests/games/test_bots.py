"""What each strategy says it does, looked at in its play; and how bots are found and refused."""

from dataclasses import replace
from itertools import combinations

import pytest

from games.bots import STRATEGIES, Chances, ColumnView, GameView, HouseBot, Strategy, house_bot
from games.bots.base import completes_meld
from games.bots.simple import SIMPLE, Simple
from games.errors import GameError
from games.gin.actions import DISCARDS, TAKE, Action, ActionKind
from games.gin.cards import CARD_VALUES, Hand, parse_number
from games.gin.hand import HandState
from games.gin.melds import deadwood, deadwood_without_each, meld_of
from games.gin.view import Phase, View
from scoring.core.errors import ScoringError
from scoring.core.rules import Rules
from tests.games.bot_play import choices, hands_of, quick_bot
from tests.games.hands import random_hands
from tests.games.tables import pack
from tests.refusals import refuses

ENDINGS = {ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN}
LEVELLED = Strategy("levelled", "Has levels.", lambda level, chances: Simple(chances), (5, 10, 20), 2)


def test_bots_are_found_by_name_with_a_sentence_each() -> None:
    assert {"novice", "simple", "steady"} <= set(STRATEGIES)
    for name, strategy in STRATEGIES.items():
        assert strategy.name == name
        assert str(strategy.sentence).endswith(".")
        assert house_bot(name).strategy is strategy


@pytest.mark.parametrize(
    ("name", "level", "code", "field"),
    [
        ("", None, "unknown_strategy", "strategy"),
        ("Simple", None, "unknown_strategy", "strategy"),
        ("expert\n" * 50, 1, "unknown_strategy", "strategy"),
        ("simple", 0, "level_out_of_range", "level"),
        ("steady", 1, "level_out_of_range", "level"),
    ],
)
def test_house_bot_refuses_what_is_not_there(name: str, level: int | None, code: str, field: str) -> None:
    with refuses(GameError, code, field=field) as refused:
        house_bot(name, level)
    assert len(str(refused.value.message)) < 200


@pytest.mark.parametrize("level", [0, 4, -1, True])
def test_levels_out_of_range_are_refused(level: int) -> None:
    with pytest.raises(GameError, match="levels from 1 to 3") as refused:
        HouseBot.of(LEVELLED, level)
    assert refused.value.code == "level_out_of_range"


def test_levels_are_kept_and_have_a_default() -> None:
    assert HouseBot.of(LEVELLED, 3).level == 3
    assert HouseBot.of(LEVELLED).level == 2
    assert house_bot("simple").level is None


def test_samples_come_from_the_level_unless_given() -> None:
    sat_down: list[int | None] = []

    def sit_down(samples: int | None, chances: Chances) -> Simple:
        sat_down.append(samples)
        return Simple(chances)

    levelled = replace(LEVELLED, sit_down=sit_down)
    for bot in (HouseBot.of(levelled, 3), HouseBot.of(levelled), HouseBot.of(levelled, 1, 7)):
        bot.sit_down(1)
    HouseBot.of(replace(SIMPLE, sit_down=sit_down)).sit_down(1)
    assert sat_down == [20, 10, 7, None]


@pytest.mark.parametrize(
    ("strategy", "samples"), [(LEVELLED, 0), (LEVELLED, 100_001), (LEVELLED, True), (SIMPLE, 10)]
)
def test_samples_out_of_range_are_refused(strategy: Strategy, samples: int) -> None:
    with refuses(GameError, "samples_out_of_range", field="samples"):
        HouseBot.of(strategy, samples=samples)


@pytest.mark.parametrize(
    ("bot", "document"),
    [
        (HouseBot.of(LEVELLED, 3), {"strategy": "levelled", "level": 3, "samples": 20}),
        (HouseBot.of(LEVELLED, 1, 99), {"strategy": "levelled", "level": 1, "samples": 99}),
        (house_bot("simple"), {"strategy": "simple", "level": None, "samples": None}),
    ],
)
def test_bot_is_stored_as_a_document(bot: HouseBot, document: dict[str, object]) -> None:
    assert bot.to_document() == document
    assert HouseBot.from_document(document, {**STRATEGIES, "levelled": LEVELLED}) == bot


def test_stored_bot_keeps_its_samples_when_its_level_is_gone() -> None:
    fewer = {"levelled": replace(LEVELLED, samples=(5, 10))}
    bot = HouseBot.from_document({"strategy": "levelled", "level": 3, "samples": 20}, fewer)
    assert (bot.level, bot.samples) == (3, 20)
    for level in (0, 100, True, "3"):
        with refuses(GameError, "level_out_of_range"):
            HouseBot.from_document({"strategy": "levelled", "level": level, "samples": 20}, fewer)
    with pytest.raises(GameError, match="no levels"):
        HouseBot.from_document({"strategy": "simple", "level": 1, "samples": 20}, STRATEGIES)


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ([], "wrong_type"),
        ({"strategy": "simple", "lvl": 1}, "unknown_field"),
        ({"strategy": ["simple"]}, "unknown_strategy"),
        ({}, "unknown_strategy"),
        ({"strategy": "levelled", "level": 4}, "level_out_of_range"),
        ({"strategy": "levelled", "level": "1"}, "level_out_of_range"),
        ({"strategy": "levelled", "level": [1]}, "level_out_of_range"),
        ({"strategy": "levelled", "level": 1, "samples": 0}, "samples_out_of_range"),
    ],
)
def test_document_that_is_no_bot_is_refused(document: object, code: str) -> None:
    with pytest.raises((GameError, ScoringError)) as refused:
        HouseBot.from_document(document, {**STRATEGIES, "levelled": LEVELLED})
    assert isinstance(refused.value, GameError | ScoringError)
    assert refused.value.code == code


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_completes_meld_is_any_meld_of_three_with_the_card(ace: str) -> None:
    for hand, drawn in random_hands(5, 2_000, 10, 1):
        (card,) = drawn
        melds = [meld_of(Hand.of([*pair, card]), ace=ace) for pair in combinations(hand, 2)]
        assert completes_meld(hand.mask, card, ace) == any(melds), f"{hand} with {drawn}"


def test_chances_are_even_and_their_own() -> None:
    counts = [0, 0, 0]
    chances = Chances(1)
    for _ in range(3_000):
        counts[chances.one_of([0, 1, 2])] += 1
    # Four standard errors.
    assert all(abs(count - 1_000) < 104 for count in counts)
    assert [Chances(7).one_of(range(1000)) for _ in range(3)] == [Chances(7).one_of(range(1000))] * 3


def test_simple_takes_what_melds_and_knocks_at_once() -> None:
    for hand in hands_of("simple", 200):
        for view, action in choices(hand):
            if TAKE in view.legal:
                assert (action == TAKE) == completes_meld(view.mask, view.pile[-1])
            if _may_end(view):
                assert action.kind in ENDINGS
                assert left(view, action) == min(view.after.values())


def test_simple_sheds_what_leaves_least_but_no_pair_twice() -> None:
    for hand in hands_of("simple", 300):
        held = {0: 0, 1: 0}
        shed_for: dict[int, set[frozenset[int]]] = {0: set(), 1: set()}
        for view, action in choices(hand):
            if not view.after:
                held[view.seat] = view.mask
            elif action.kind is ActionKind.DISCARD:
                (drawn,) = Hand(view.mask & ~held[view.seat])
                before = shed_for[view.seat]
                open_to_him = [card for card in _sheddable(view) if frozenset({drawn, card}) not in before]
                assert action.card in open_to_him
                assert left(view, action) == min([view.after[card] for card in open_to_him])
                before.add(frozenset({drawn, action.card or 0}))


def test_simple_does_not_shed_again_what_he_drew_for_it() -> None:
    """He drew the king for the queen; drawing the queen again he keeps the king and sheds the next best."""
    held = Hand.parse("AC 2C 3C 4D 5D 6D 9H 9S 8H KS")
    queen, king = parse_number("QD"), parse_number("KS")
    begun = HandState(Rules(knock_limit=0), pack(elder=str(held)), dealer=0).view(1)

    def turn_of(simple: Simple, before: Hand, drawn: int, only: Hand) -> Action:
        """His discard of those `only`, after drawing a card."""
        simple.choose(begun._replace(mask=before.mask), game)
        mask = before.mask | 1 << drawn
        legal = tuple(DISCARDS[card] for card in only)
        return simple.choose(begun._replace(mask=mask, legal=legal, after=deadwood_without_each(mask)), game)

    game = GameView(100, ())
    for seed in range(10):
        simple = Simple(Chances(seed))
        without = held.remove(king)
        assert turn_of(simple, without | Hand.of([queen]), king, Hand.of([queen])) == DISCARDS[queen]
        again = turn_of(simple, held, queen, Hand.of([king]) | Hand.parse("9H 9S 8H"))
        assert str(again) in {"discard 9H", "discard 9S"}
        assert turn_of(Simple(Chances(seed)), held, queen, held) == DISCARDS[king]


def test_simple_sheds_each_of_equal_cards_now_and_then() -> None:
    places = set()
    for hand in hands_of("simple", 200):
        for view, action in choices(hand):
            equal = [card for card in _sheddable(view) if view.after[card] == min(view.after.values())]
            if action.kind is ActionKind.DISCARD and len(equal) == 3 and action.card in equal:
                places.add(equal.index(action.card))
    assert places == {0, 1, 2}


def test_steady_knocks_in_three_turns_and_plays_for_gin_later() -> None:
    knocks = held_back = 0
    for hand in hands_of("steady", 400):
        shed = {0: 0, 1: 0}
        for view, action in choices(hand):
            if _may_end(view):
                is_gin = min(view.after.values()) == 0
                ends = action.kind in ENDINGS
                assert ends == (is_gin or shed[view.seat] < 3)
                knocks += action.kind is ActionKind.KNOCK
                held_back += not ends
            shed[view.seat] += action.kind is ActionKind.DISCARD
    assert knocks > 20
    assert held_back > 20


def test_steady_takes_only_what_melds_and_lowers_deadwood() -> None:
    melds_for_nothing = 0
    for hand in hands_of("steady", 400):
        for view, action in choices(hand):
            if TAKE in view.legal:
                card = view.pile[-1]
                melds = completes_meld(view.mask, card)
                with_it = view.hand | Hand.of([card])
                least = min([deadwood(with_it.remove(other)) for other in view.hand])
                assert (action == TAKE) == (melds and least < deadwood(view.hand))
                melds_for_nothing += melds and action != TAKE
    assert melds_for_nothing


def test_steady_sheds_the_highest_of_equal_cards() -> None:
    for hand in hands_of("steady", 200):
        for view, action in choices(hand):
            if action.kind is ActionKind.DISCARD:
                least = min([view.after[card] for card in _sheddable(view)])
                equal = [card for card in _sheddable(view) if view.after[card] == least]
                assert action.card in equal
                assert CARD_VALUES[action.card] == max([CARD_VALUES[card] for card in equal])


def test_steady_keeps_what_the_opponent_may_want() -> None:
    """Of two kings that leave him equal he sheds the one that fits less to what the opponent took."""
    sheds = fits = 0
    for hand in hands_of("steady", 600):
        for view, action in choices(hand):
            if action.kind is not ActionKind.DISCARD or not view.known or action.card is None:
                continue
            least = min([view.after[card] for card in _sheddable(view)])
            equal = [card for card in _sheddable(view) if view.after[card] == least]
            high = [card for card in equal if CARD_VALUES[card] == CARD_VALUES[action.card]]
            fitting = [card for card in high if _fits(view.known, card)]
            if fitting and len(fitting) < len(high):
                sheds += 1
                fits += action.card in fitting
    assert sheds > 20
    assert fits < sheds / 20


@pytest.mark.dear("plays five hundred hands")
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_last_discard_is_taken_to_knock_with_it(strategy: str) -> None:
    """RULES §3, `fiftieth_card`: whoever takes it ends the hand; `novice` does not see it."""
    offers = 0
    rules = Rules.preset("tournament", knock_limit=0)
    game = GameView(100, (ColumnView(True, 0, 0, 0, 0),))
    for hand in hands_of("simple", 500, rules):
        for view, _ in choices(hand):
            if view.phase in (Phase.LAST_OFFER, Phase.LAST_KNOCK):
                action = quick_bot(strategy).sit_down(1).choose(view, game)
                if view.phase is Phase.LAST_KNOCK:
                    assert action.kind in ENDINGS
                elif TAKE in view.legal:
                    offers += 1
                    assert (action == TAKE) == (strategy != "novice")
    assert offers


def left(view: View, action: Action) -> int:
    assert action.card is not None
    return view.after[action.card]


def _may_end(view: View) -> bool:
    return any(action.kind in ENDINGS for action in view.legal)


def _sheddable(view: View) -> list[int]:
    return [card for card in view.after if card != view.taken]


def _fits(known: int, card: int) -> bool:
    """Whether a card the opponent holds for certain is of that rank, or its neighbour in the suit."""
    return any(
        other % 13 == card % 13 or (other // 13 == card // 13 and abs(other - card) <= 2)
        for other in Hand(known)
    )
