"""A knock with the melds that the knocker chose (RULES §2): examples, refusals, and what holds of any."""

import json
import random

import pytest

from games.errors import GameError
from games.gin.actions import DRAW, LAY_OFF, PASS, Action, ActionKind
from games.gin.cards import ALL_CARDS, Hand, cards_of, mask_of, parse_number
from games.gin.hand import HandState, shuffled
from games.gin.jersey import JerseyHand
from games.gin.judging import judge
from games.gin.judging_jersey import judge_jersey
from games.gin.log import HandLog
from games.gin.melds import best_arrangements, deadwood_of, melds_in
from games.gin.offering import offered_knock
from games.gin.one_pack import OnePackHand, reshuffles_of
from games.gin.view import Phase
from games.tables.replaying import replayed
from scoring.core.hands import Knock
from scoring.core.rules import Rules
from tests.games.tables import do, pack
from tests.refusals import refuses

STANDARD = Rules()
# The seven of clubs is in the set of four, or in the run; either way seven points are left.
EITHER_WAY = "7C 8C 9C TC 7D 7H 7S 2S 4D AH"
FOUR_SEVENS = "7C 7D 7H 7S / 8C 9C TC"
THREE_SEVENS = "7C 8C 9C TC / 7D 7H 7S"
# 89 points, of which the jack, and on the long run also the six and then the five of clubs can be laid off.
CLUBS = "6C 5C JC KD KH QH QS JD 9D 9H"
GIN = "7C 8C 9C TC 7D 7H 7S AS AH AD"


def drawn(rules: Rules = STANDARD, *, own: str = EITHER_WAY, other: str = CLUBS) -> HandState:
    """Bob, at seat 1, has drawn the king of spades."""
    deck = pack(elder=own, younger=other, upcard="3D", stock="KS")
    return do(HandState(rules, deck, dealer=0, players=("Ann", "Bob")), "pass", "pass", "draw")


def finished(state: HandState) -> HandState:
    """The hand at its end, where the defender still lays off the best."""
    return state if state.is_over else do(state, "lay_off")


@pytest.mark.parametrize(
    ("knock", "defender", "laid_off"),
    [
        (f"knock KS: {FOUR_SEVENS}", 79, "JC"),
        (f"knock KS: {THREE_SEVENS}", 68, "JC 6C 5C"),
        # The referee leaves the defender most.
        ("knock KS", 79, "JC"),
    ],
)
def test_defender_lays_off_on_the_chosen_melds(knock: str, defender: int, laid_off: str) -> None:
    state = finished(do(drawn(), knock))
    assert state.result == Knock("Bob", "Ann", 7, defender, "3D")
    assert state.answer is not None
    assert {one.card for one in state.answer.lay_offs} == {parse_number(card) for card in laid_off.split()}
    assert state.score().points == defender - 7


def test_who_could_say_gin_may_knock_with_what_he_leaves_unmelded() -> None:
    for rules in (STANDARD, Rules(zero_knock="gin")):
        state = do(drawn(rules, own=GIN), f"knock KS: {THREE_SEVENS}", "lay_off")
        assert state.result == Knock("Bob", "Ann", 3, 68, "3D")


def test_lays_down_less_than_he_could_and_more_is_left() -> None:
    state = do(drawn(Rules(knock_limit=98)), "knock KS: 7D 7H 7S", "lay_off")
    # 7C 8C 9C TC and 2S 4D AH count; nothing of the defender's fits three sevens.
    assert state.result == Knock("Bob", "Ann", 7 + 8 + 9 + 10 + 7, 89, "3D")
    state = do(drawn(Rules(knock_limit=98)), "knock KS:", "lay_off")
    assert state.result == Knock("Bob", "Ann", 62, 89, "3D")


@pytest.mark.parametrize(
    ("rules", "own", "knock", "code", "said"),
    [
        (
            {},
            EITHER_WAY,
            "knock KS: 7C 7D 7H 7S / 8C 9C",
            "not_a_meld",
            "“8C 9C” is neither a set nor a run.",
        ),
        ({}, EITHER_WAY, "knock KS: 8C 9C TC JC", "not_in_hand", "The knocker does not hold JC."),
        ({}, EITHER_WAY, "knock KS: 7C 7D 7H / 7C 8C 9C", "card_twice", "7C is in two melds."),
        # The card of the knock is put down.
        ({}, EITHER_WAY, "knock TC: 8C 9C TC", "illegal_knock", "17 is left; the limit of this hand is 10."),
        (
            {},
            EITHER_WAY,
            "knock KS: 7D 7H 7S / 8C 9C TC",
            "illegal_knock",
            "14 is left; the limit of this hand is 10.",
        ),
        ({}, EITHER_WAY, f"knock 5C: {FOUR_SEVENS}", "not_in_hand", "5C is not in the hand."),
        (
            {"zero_knock": "gin"},
            GIN,
            f"knock KS: {THREE_SEVENS} / AD AH AS",
            "say_gin",
            "With nothing left that is gin under these rules.",
        ),
    ],
)
def test_other_arrangements_are_refused(
    rules: dict[str, str], own: str, knock: str, code: str, said: str
) -> None:
    state = drawn(Rules.from_document(rules), own=own)
    before = state.view(0), state.view(1), list(state.actions)
    with pytest.raises(GameError) as caught:
        state.act(Action.parse(knock))
    assert (caught.value.code, str(caught.value.message), caught.value.field) == (code, said, "action")
    assert (state.view(0), state.view(1), state.actions) == before


def test_only_a_knock_names_melds_and_only_cards() -> None:
    for text in ("gin KS: 7C 7D 7H", "discard KS: 7C 7D 7H", "draw:", "knock: 7C 7D 7H"):
        with pytest.raises(GameError, match="is not an action of a hand") as caught:
            Action.parse(text)
        assert caught.value.code == "unknown_action"
    with refuses(GameError, "unknown_card"):
        Action.parse("knock KS: 7C 7D XX")
    state = drawn()
    for melds in ((-1,), (ALL_CARDS + 1,), ("7C",), [7]):
        action = Action(ActionKind.KNOCK, parse_number("KS"), melds)  # type: ignore[arg-type]
        assert state.known(action) is None
        with refuses(GameError, "unknown_action"):
            state.act(action)


def test_log_keeps_the_choice_and_replays_to_it() -> None:
    state = do(drawn(), f"knock KS: {THREE_SEVENS}", "lay_off")
    document = json.loads(json.dumps(state.log.to_document()))
    assert document["actions"][-2] == f"knock KS: {THREE_SEVENS}"
    log = HandLog.from_document(document)
    again = HandState.replay(STANDARD, log, players=("Ann", "Bob"))
    assert (again.result, again.laid, again.log) == (state.result, state.laid, state.log)
    knocked = replayed(STANDARD, log, players=("Ann", "Bob")).frames[-2]
    assert knocked.move is not None
    assert (knocked.move.deadwood, list(knocked.endings)) == (7, [1])
    document["actions"][-2] = "knock KS: 7C 8C 9C JC"
    with refuses(GameError, "not_in_hand", field=f"actions.{len(log.actions) - 2}"):
        HandState.replay(STANDARD, HandLog.from_document(document), players=("0", "1"))


def some_melds(rng: random.Random, mask: int, ace: str) -> list[int]:
    """Melds of these cards that share none, often fewer than there could be."""
    found = []
    while (can_be := melds_in(mask, ace)) and rng.random() < 0.8:
        found.append(rng.choice(can_be))
        mask ^= found[-1]
    return found


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_any_legal_arrangement_scores_as_the_referee_says(ace: str) -> None:
    rules = Rules(knock_limit=98, ace=ace)
    rng = random.Random(3)
    with_melds = 0
    for seed in range(400):
        state = do(HandState(rules, shuffled(seed), dealer=0), "pass", "pass", "draw")
        card = rng.choice(cards_of(state.hands[1]))
        held = state.hands[1] ^ 1 << card
        melds = some_melds(rng, held, ace)
        state.act(Action(ActionKind.KNOCK, card, tuple(melds)))
        state.act(LAY_OFF)
        ruling = judge(
            rules,
            knocker=Hand(held),
            defender=Hand(state.hands[0]),
            melds=[Hand(meld) for meld in melds],
        )
        score = state.score()
        assert (state.laid, state.answer) == (ruling.knocker, ruling.defender)
        assert (score.outcome, score.points, score.boxes) == (ruling.outcome, ruling.points, ruling.boxes)
        with_melds += bool(melds)
    assert with_melds > 100


def test_any_legal_arrangement_of_three_scores_as_the_referee_says() -> None:
    for lay_off in ("original", "chained"):
        rules = Rules.from_document({"kind": "jersey", "knock_limit": 98, "jersey": {"lay_off": lay_off}})
        rng = random.Random(4)
        for seed in range(100):
            state = JerseyHand(rules, shuffled(seed), dealer=0)
            while DRAW not in state.legal_actions():
                state.act(PASS)
            state.act(DRAW)
            seat = state.turn
            card = rng.choice(cards_of(state.hands[seat]))
            held = state.hands[seat] ^ 1 << card
            melds = some_melds(rng, held, rules.ace)
            state.act(Action(ActionKind.KNOCK, card, tuple(melds)))
            others = [Hand(state.hands[(seat + step) % 3]) for step in (1, 2)]
            ruling = judge_jersey(
                rules, knocker=Hand(held), others=others, melds=[Hand(meld) for meld in melds]
            )
            assert (state.laid, state.answers) == (ruling.knocker, ruling.others)


def test_two_games_of_one_pack_take_the_choice() -> None:
    rules = Rules.from_document({"kind": "partners_one_pack", "knock_limit": 98, "partners_one_pack": {}})
    rng = random.Random(5)
    for seed in range(30):
        deck = shuffled(seed)
        state = OnePackHand(
            rules, deck, dealer=0, players=tuple("0123"), orders=[deck] * reshuffles_of(rules)
        )
        while (action := state.legal_actions()[0]).kind is not ActionKind.DISCARD:
            state.act(action)
        seat, card = state.turn, action.card
        assert card is not None
        game, held = state.games[seat // 2], state.hands[seat] ^ 1 << card
        melds = some_melds(rng, held, rules.ace)
        with pytest.raises(GameError, match="neither a set nor a run"):
            state.act(Action(ActionKind.KNOCK, card, (held & -held,)))
        assert game.result is None
        state.act(Action(ActionKind.KNOCK, card, tuple(melds)))
        assert game.laid is not None
        assert [meld.mask for meld in game.laid.melds] == melds
        # The defender lays off before anybody else moves; then it goes on at the knocker's left.
        assert (state.turn, game.result, state.view(state.turn).phase) == (seat ^ 1, None, Phase.LAY_OFF)
        defender = state.hands[seat ^ 1]
        others = [state.view(other) for other in (seat ^ 2, seat ^ 3)]
        assert [view.elsewhere & (held | defender) for view in others] == [held, held]
        state.act(LAY_OFF)
        following = [other % 4 for other in range(seat + 1, seat + 4) if other % 4 // 2 != seat // 2]
        assert (state.turn, game.is_over) == (following[0], True)
        others = [state.view(other) for other in (seat ^ 2, seat ^ 3)]
        assert [view.elsewhere & (held | defender) for view in others] == [held | defender] * 2
        again = OnePackHand.replay(rules, state.log, players=state.players)
        assert (again.hands, again.games[seat // 2].result) == (state.hands, game.result)


def test_offer_leaves_least_and_never_looks_at_the_defender() -> None:
    assert str(offered_knock(drawn().view(1), parse_number("KS"))) == f"knock KS: {FOUR_SEVENS}"
    rules, ties = Rules(knock_limit=98), 0
    for seed in range(400):
        deck = shuffled(seed)
        state = do(HandState(rules, deck, dealer=0), "pass", "pass", "draw")
        view = state.view(1)
        # Ann's cards, and those of the stock after Bob's, change places.
        hidden = [*range(1, 20, 2), *range(22, 52)]
        moved = dict(zip(hidden, [*hidden[7:], *hidden[:7]], strict=True))
        other = do(
            HandState(rules, tuple([deck[moved.get(at, at)] for at in range(52)]), dealer=0),
            "pass",
            "pass",
            "draw",
        )
        assert other.view(1) == view
        assert other.hands[0] != state.hands[0]
        for card in cards_of(view.mask)[:3]:
            offer = offered_knock(view, card)
            assert offered_knock(other.view(1), card) == offer
            assert offer.melds is not None
            ties += len(best_arrangements(Hand(view.mask ^ 1 << card))) > 1
            unmatched = view.mask ^ 1 << card ^ mask_of(one for meld in offer.melds for one in cards_of(meld))
            assert sum(min(one % 13 + 1, 10) for one in cards_of(unmatched)) == deadwood_of(
                view.mask ^ 1 << card
            )
            HandState.replay(rules, HandLog(deck, 0, (*state.actions, offer)), players=("0", "1"))
    assert ties
