"""`expert`: what it may guess, what it thinks of its choices, and that it is the same compiled or plain."""

from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean

import pytest

from games.bots import Chances, ColumnView, GameView, HouseBot, house_bot
from games.bots.expert import EXPERT, Expert, candidates
from games.bots.inference import FEWEST_CHAINS, Guesses, History
from games.bots.kernel import kernel
from games.bots.kernel_ends import ENDS
from games.bots.kernel_inference import KIND, ROW
from games.bots.kernel_policy import STATE_SIZE
from games.bots.kernel_rollouts import CARDS, DISCARDS, DRAWS, KNOCKS, PASSES, TAKES_TOP
from games.bots.policies import KINDS_OF_PLAYERS, OWN, POLICIES
from games.bots.rehearsal import WHOLE, Rehearsal, rules_of, state_of, surely_best, worth_of_ends
from games.bots.winning import MANY_HANDS, chance_to_lead, chance_to_win, worth_of_score
from games.gin.actions import TAKE, Action, ActionKind
from games.gin.cards import Hand
from games.gin.hand import HandState
from games.gin.view import Phase, View
from games.tables.play import play_deals
from scoring.core.rules import Rules
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED, choices, hands_of
from tests.games.tables import pack

EVEN = GameView(100, (ColumnView(True, 0, 0, 0, 0),))
LEVELS = range(1, EXPERT.levels + 1)
CODES = {
    ActionKind.PASS: PASSES,
    ActionKind.TAKE: TAKES_TOP,
    ActionKind.DRAW: DRAWS,
    ActionKind.DISCARD: DISCARDS,
    ActionKind.KNOCK: KNOCKS,
}


def test_more_samples_at_every_level() -> None:
    samples = [house_bot("expert", level).samples or 0 for level in LEVELS]
    assert samples[0] == 0
    assert samples == sorted(set(samples))
    assert house_bot("expert").samples == samples[-1]


@pytest.mark.dear("plays with the strongest bot, not compiled")
@pytest.mark.parametrize(
    ("rules", "samples"),
    [(PUBLISHED, FEWEST_CHAINS + 1), (Rules.preset("tournament"), 12), (Rules.preset("continental"), 12)],
)
def test_expert_decides_the_same_compiled_or_plain(rules: Rules, samples: int, *, long: bool) -> None:
    """With as many chains as samples, and with several samples in a chain."""
    weighed = 0
    for number, hand in enumerate(hands_of("simple", 5 if long else 2, rules, seed=3)):
        plain, compiled = [Rehearsal(samples, number, compiled=compiled) for compiled in (False, True)]
        for view, _ in choices(hand):
            options = candidates(view, Chances(1))
            if view.seat == 0 and len(options) > 1:
                estimates = plain.weigh(view, EVEN, options)
                assert estimates == compiled.weigh(view, EVEN, options)
                weighed += 1
    assert weighed > (20 if long else 8)


@pytest.mark.dear("plays with the strongest bot")
@pytest.mark.parametrize("deal", ["upcard", "elder_eleven"])
@pytest.mark.parametrize("strategy", ["simple", "novice", "steady"])
def test_guesses_agree_with_what_was_seen(strategy: str, deal: str, *, long: bool) -> None:
    """Ten cards, none of them seen elsewhere; what he took is there; what he shed he had at the time."""
    rules = Rules.preset("online", deal=deal, knock_limit=3)
    for guesses, view, history, _ in _followed(strategy, rules, 20 if long else 6):
        unseen = view.unseen
        for row in range(0, guesses.samples * ROW, ROW):
            cards = [int(guesses.chains[row + place]) for place in range(guesses.total)]
            assert len(set(cards)) == len(cards)
            held = {card for card in cards[: guesses.places] if card in unseen}
            assert len(held) + view.known.bit_count() == 10
            assert set(cards[guesses.places :]) <= set(unseen)
            assert len(cards) - guesses.places == view.stock
            assert 0 <= guesses.chains[row + KIND] < KINDS_OF_PLAYERS
            by_then = set()
            for turn in history.rows:
                shed, places, from_places = turn[2], turn[5], turn[8]
                by_then |= set(cards[:places])
                assert not from_places or shed in by_then


def test_guesses_are_better_than_none() -> None:
    """Which unseen cards he holds: closer to the truth than to think each as likely, and more so later on."""
    ahead: dict[bool, list[float]] = {False: [], True: []}
    for guesses, view, history, true in _followed("simple", PUBLISHED, 40):
        unseen = view.unseen
        even = (10 - view.known.bit_count()) / len(unseen)
        counts = dict.fromkeys(unseen, 0)
        for row in range(0, guesses.samples * ROW, ROW):
            for place in range(guesses.places):
                card = int(guesses.chains[row + place])
                if card in counts:
                    counts[card] += 1
        error = fmean([(count / guesses.samples - (card in true)) ** 2 for card, count in counts.items()])
        without = fmean([(even - (card in true)) ** 2 for card in unseen])
        ahead[history.turns[1 - view.seat] > 5].append(without - error)
    assert fmean(ahead[False]) > 0
    assert fmean(ahead[True]) > 0.02


def test_card_that_was_taken_has_its_meld_in_most_guesses() -> None:
    """He took the seven of hearts and shed a king: mostly he holds two that go with it."""
    state = HandState(PUBLISHED, pack(elder="AC 2C 3D 9S JD QC KS 6H 8H 4D", upcard="7H"), dealer=0)
    state.act(TAKE)
    state.act(next(one for one in state.legal_actions() if str(one) == "discard KS"))
    guesses, view = _follow(state.view(0), 320)
    fitting = 0
    for row in range(0, guesses.samples * ROW, ROW):
        mask = sum([1 << int(guesses.chains[row + place]) for place in range(guesses.places)])
        fitting += kernel(compiled=True).melds_with(mask, 32, 0)
    assert view.known == 1 << 32
    assert fitting > 0.7 * guesses.samples


def test_estimates_are_of_its_choices_and_the_chosen_is_first() -> None:
    bots = {"Ann": HouseBot.of(EXPERT, 2, 20), "Bob": house_bot("simple")}
    weighed = 0
    for played in play_deals(PUBLISHED, ANN_AND_BOB, bots, 5):
        (hand,), (estimates,) = played.two_handed, played.estimates
        for (view, action), thought in zip(choices(hand), estimates, strict=True):
            if view.seat == 1:
                assert thought == ()
            elif thought:
                weighed += 1
                assert thought[0].action == action
                assert {one.action for one in thought} <= set(view.legal)
                assert all(0 <= one.value <= 1 and 1 <= one.samples <= 20 for one in thought)
                assert max(one.samples for one in thought) == 20
    assert weighed > 30


def test_lowest_level_plays_as_the_policy_advises_and_guesses_nothing() -> None:
    """The compiled kernel is asked for the policy's advice; of equal discards either may be drawn."""
    made_by = kernel(compiled=True)
    rules, policies = made_by.ints_of([10, 0, 0, 1, 0, 1, 1]), made_by.ints_of(POLICIES)
    after, kinds = made_by.ints(52), set()
    for hand in hands_of("steady", 4, PUBLISHED, seed=8):
        for view, _ in choices(hand):
            options = candidates(view, Chances(1))
            if len(options) < 2 or view.phase is Phase.LAST_OFFER:
                continue
            bot = HouseBot.of(EXPERT, 1).sit_down(3)
            assert isinstance(bot, Expert)
            action = bot.choose(view, EVEN)
            assert bot.estimates() == ()
            state = made_by.ints_of(state_of(view, History(view)))
            advice = made_by.advised(state, rules, policies, OWN, after, made_by.ints_of([1]))
            assert CODES[action.kind] == advice // CARDS
            kinds.add(action.kind)
            if action.kind is ActionKind.DISCARD:
                made_by.score_discards(policies, OWN, state, rules, after)
                assert after[action.card] == min(
                    after[one.card] for one in options if one.kind is action.kind
                )
    assert kinds >= {ActionKind.TAKE, ActionKind.DRAW, ActionKind.PASS, ActionKind.KNOCK, ActionKind.DISCARD}


def test_first_quarter_of_the_samples_comes_from_every_chain() -> None:
    """Choices are dropped by hands from all of the chains."""
    state = HandState(PUBLISHED, pack(elder="AC 2C 3D 9S JD QC KS 6H 8H 4D", upcard="7H"), dealer=0)
    state.act(TAKE)
    rehearsal = Rehearsal(64, 1)
    view = state.view(1)
    estimates = rehearsal.weigh(view, EVEN, candidates(view, Chances(1)))
    assert sorted({one.samples for one in estimates}) == [16, 64]
    chains = rehearsal.follow(view, History(view)).count
    assert chains == 16
    # With a single one there is nothing to tell luck by, and the policy's own choice stands.
    single = Rehearsal(1, 1).weigh(view, EVEN, candidates(view, Chances(1)))
    alone = HouseBot.of(EXPERT, 1).sit_down(1).choose(view, EVEN)
    assert single[0].action == alone


def test_gin_is_said_at_once_and_nothing_is_weighed_where_there_is_no_choice() -> None:
    state = HandState(PUBLISHED, pack(elder="AC 2C 3C 4D 5D 6D 7H 8H 9H 9S", upcard="TH"), dealer=0)
    expert = Expert(20, Chances(1))
    assert expert.choose(state.view(1), EVEN) == TAKE
    state.act(TAKE)
    assert expert.choose(state.view(1), EVEN).kind is ActionKind.GIN
    assert expert.estimates() == ()


def test_expert_knocks_when_that_wins_the_game_and_waits_when_an_undercut_would_lose_it() -> None:
    """Eight points left after a few turns: with eight to win a knock is enough; the score decides."""
    view = _could_knock()
    knocks = {}
    for own, other in ((95, 0), (0, 95)):
        game = GameView(100, (ColumnView(True, own, other, 1, 1),))
        estimates = Rehearsal(800, 3).weigh(view, game, candidates(view, Chances(1)))
        value = {one.action.kind: one.value for one in reversed(estimates)}
        knocks[own] = value[ActionKind.KNOCK]
    assert knocks[95] > 0.9
    assert knocks[0] < knocks[95]


def test_same_seed_same_game() -> None:
    bots = {"Ann": HouseBot.of(EXPERT, 2), "Bob": HouseBot.of(EXPERT, 1)}
    logs = [
        [played.hands[0].log for played in play_deals(PUBLISHED, ANN_AND_BOB, bots, 11)] for _ in range(2)
    ]
    assert logs[0] == logs[1]


def test_even_a_few_samples_are_of_every_chain() -> None:
    """Played out with outcomes that all count 1, sixteen samples leave one in each of sixteen chains."""
    view = _could_knock()
    guesses, made_by = Rehearsal(64, 1).follow(view, History(view)), kernel(compiled=False)
    options = candidates(view, Chances(1))[:2]
    sums = [0] * (len(options) * guesses.count)
    made_by.roll_out(
        [int(number) for number in guesses.chains],
        guesses.count,
        guesses.in_a_row,
        0,
        16,
        guesses.places,
        guesses.total,
        view.unseen.mask,
        1,
        state_of(view, History(view)),
        [CODES[one.kind] * CARDS + (one.card or 0) for one in options],
        [view.after[one.card or 0] for one in options],
        0b11,
        len(options),
        [1] * ENDS,
        sums,
        [0] * STATE_SIZE,
        [0] * 52,
        rules_of(view.rules, view.limit),
        POLICIES,
        OWN,
        [0] * 52,
        [0],
    )
    assert (guesses.count, guesses.in_a_row) == (16, 4)
    assert sums == [1] * 32


def test_samples_of_one_chain_are_no_independent_evidence() -> None:
    """Ahead by as much in all: in every chain it is sure; in one of four it may be luck."""
    counts, first = [100] * 4, [50] * 4
    in_all, in_one, behind = [60] * 4, [90, 50, 50, 50], [40] * 4
    assert surely_best([first, in_all], [400] * 2, counts) == 1
    assert surely_best([first, in_one], [400] * 2, counts) == 0
    assert surely_best([first, behind], [400] * 2, counts) == 0
    # Of two that are sure the one that is further ahead; but not one that was given up after a quarter.
    assert surely_best([first, [55] * 4, in_all], [400] * 3, counts) == 2
    assert surely_best([first, [55] * 4, in_all], [400, 400, 100], counts) == 1
    assert surely_best([[5], [9]], [10] * 2, [10]) == 0


# What an end is worth.


def test_chance_to_win_is_even_between_equals_and_grows_with_points() -> None:
    rules = PUBLISHED
    assert chance_to_win(rules, 100, 0, 0) == pytest.approx(0.5, abs=1e-3)
    for own in range(0, 100, 7):
        for other in range(0, 100, 9):
            chance = chance_to_win(rules, 100, own, other)
            assert chance + chance_to_win(rules, 100, other, own) == pytest.approx(1, abs=1e-3)
            assert chance <= chance_to_win(rules, 100, own + 1, other) + 1e-9
    assert chance_to_win(rules, 100, 100, 99) == 1
    assert chance_to_win(rules, 100, 0, 100) == 0
    # Whoever wins the next hand wins the game.
    assert chance_to_win(rules, 100, 99, 99) == pytest.approx(0.5)
    # A hundred ahead of ten thousand to go: an eighth of what the lead varies by.
    assert 0.5 < chance_to_win(rules, 10_000, 100, 0) < 0.56


@pytest.mark.dear("plays with the strongest bot")
@pytest.mark.parametrize("rules", [PUBLISHED, Rules(gin_bonus=0, undercut_bonus=0), Rules(gin_bonus=200)])
@pytest.mark.parametrize("target", [500, 1000, 10_000])
def test_every_point_counts_across_what_is_near_and_far(rules: Rules, target: int) -> None:
    """Where one has four hundred to go no point is worth more than its neighbours."""
    for own in (target - 470, target - 200, target - 20):
        chances = [chance_to_win(rules, target, own, target - need) for need in range(480, 320, -1)]
        steps = [one - other for one, other in pairwise(chances)]
        assert min(steps) >= -1e-6
        # At 400 to go: as much as it may be anywhere around it.
        at = 480 - 400
        assert max(steps[at - 2 : at + 2]) <= 1.5 * max(steps[: at - 2] + steps[at + 2 :]) + 1e-6
        both = chance_to_win(rules, target, own, 20) + chance_to_win(rules, target, 20, own)
        assert both == pytest.approx(1, abs=1e-3)


def test_last_column_counts_twice_where_the_rules_say_so() -> None:
    """Won the last of two columns, lost the other: two thirds, or else a half."""
    game = GameView(100, (ColumnView(True, 0, 100, 0, 1), ColumnView(True, 100, 0, 1, 0)))
    assert worth_of_score(Rules(columns=2, last_column_double=True), game, 0, 0) == pytest.approx(2 / 3)
    assert worth_of_score(Rules(columns=2), game, 0, 0) == pytest.approx(1 / 2)


def test_worth_counts_open_columns_and_where_a_win_is_entered() -> None:
    """RULES §6: the first win goes into column 1 only, the second into columns 1 and 2."""
    rules = Rules.preset("online", columns=3)
    fresh = ColumnView(True, 0, 0, 0, 0)
    begun = ColumnView(True, 40, 0, 2, 0)
    closed = ColumnView(False, 110, 0, 3, 0)
    in_one = worth_of_score(rules, GameView(100, (fresh, fresh, fresh)), 30, 1)
    assert in_one == pytest.approx((chance_to_win(rules, 100, 30, 0) + 1) / 3, abs=1e-3)
    in_two = worth_of_score(rules, GameView(100, (closed, begun, fresh)), 30, 1)
    assert in_two == pytest.approx(
        (chance_to_win(rules, 100, 70, 0) + chance_to_win(rules, 100, 30, 0)) / 2, abs=1e-3
    )
    assert worth_of_score(rules, GameView(100, (closed, begun, fresh)), -30, 1) < in_two


def test_chance_to_lead_is_that_of_the_hands_to_come() -> None:
    """Bonuses of 25: of 1,000 hands 710 move the lead by less than 30, 860 by less than 36, 80 by 36."""
    assert [chance_to_lead(PUBLISHED, lead, 0) for lead in (1, 0, -1)] == [1, 0.5, 0]
    assert chance_to_lead(PUBLISHED, 0, 1) == pytest.approx(0.5)
    assert chance_to_lead(PUBLISHED, 30, 1) == pytest.approx((1 + 0.71) / 2)
    # Level after it in 80 of them.
    assert chance_to_lead(PUBLISHED, 36, 1) == pytest.approx((1 + 0.86 + 0.08 / 2) / 2)
    assert chance_to_lead(PUBLISHED, 43, 1) == pytest.approx(1)
    for hands in (1, 2, 5, MANY_HANDS, 40):
        chances = [chance_to_lead(PUBLISHED, lead, hands) for lead in range(-80, 81)]
        assert min(one - other for other, one in pairwise(chances)) >= -1e-9
        assert chances[0] + chances[-1] == pytest.approx(1)


def test_a_lead_is_worth_less_with_every_one_of_many_hands_to_come() -> None:
    chances = [chance_to_lead(PUBLISHED, 40, hands) for hands in range(MANY_HANDS, 60)]
    steps = [one - other for one, other in pairwise(chances)]
    assert min(steps) > 0
    # As smooth where many hands begin as after that.
    assert steps[0] < 2 * steps[1]


def test_a_match_of_deals_is_won_by_the_lead() -> None:
    """Whatever the target; this deal is one of those that are left."""
    game = GameView(100, (ColumnView(True, 130, 110, 4, 3),), 3)
    assert worth_of_score(PUBLISHED, game, -20, 1) == pytest.approx(0.5)
    assert worth_of_score(PUBLISHED, game, 0, 0) == chance_to_lead(PUBLISHED, 20, 2)
    assert worth_of_score(PUBLISHED, game._replace(deals_left=1), -21, 1) == 0
    at_once = Rules(box_credit="at_once", deals=8)
    assert worth_of_score(at_once, game, 10, 1) == chance_to_lead(at_once, 20 + 10 + 25, 2)


def test_penalties_move_a_lead_as_points_do() -> None:
    game = GameView(100, (ColumnView(True, 30, 40, 2, 2),), 4)
    worth = [
        worth_of_score(Rules(undercut_penalty=penalty), game, points, 1, off)
        for penalty, points, off in (("none", 27, 0), ("bonus", 2, 25), ("all", 0, 27))
    ]
    assert len(set(worth)) == 1


def test_penalties_are_no_way_to_the_target() -> None:
    """The opponent falls back to 50, and the player gets no nearer than by the points."""
    rules = Rules(undercut_penalty="bonus")
    game = GameView(100, (ColumnView(True, 60, 75, 2, 2),))
    assert worth_of_score(rules, game, 2, 1, 25) == chance_to_win(rules, 100, 62, 50)
    assert worth_of_score(rules, game, -2, 1, -25) == chance_to_win(rules, 100, 35, 77)
    # Whoever has only penalties has won nothing: the next win is entered here, and not in the second game.
    game = GameView(100, (ColumnView(True, -25, 2, 0, 1), ColumnView(True, 0, 0, 0, 0)))
    assert (
        worth_of_score(rules, game, 30, 1)
        == (chance_to_win(rules, 100, 5, 2) + chance_to_win(rules, 100, 0, 0)) / 2
    )


def test_ends_are_worth_what_is_taken_off_too() -> None:
    """Seat 0 undercuts by 6, the difference of index 6: 6 and 25, or all of 31 off the knocker."""
    for penalty, own, other in (("none", 31, 0), ("bonus", 6, -25), ("all", 0, -31)):
        rules = Rules(undercut_penalty=penalty)
        worth = worth_of_ends(rules, EVEN, None)[3 * 99 + 6]
        assert worth == round(chance_to_win(rules, 100, own, other) * WHOLE)


def test_expert_plays_for_the_lead_in_the_last_deal() -> None:
    view = _could_knock()
    knocks, best = {}, {}
    for lead in (60, 5, -60, -130):
        game = GameView(100, (ColumnView(True, max(lead, 0), max(-lead, 0), 2, 2),), 1)
        estimates = Rehearsal(800, 3).weigh(view, game, candidates(view, Chances(1)))
        value = {one.action.kind: one.value for one in reversed(estimates)}
        knocks[lead], best[lead] = value[ActionKind.KNOCK], max(one.value for one in estimates)
    # Ahead by 60 no undercut loses it; behind by 60 few knocks win it, by 130 nothing does.
    assert knocks[60] > 0.99
    assert knocks[5] > 0.5 > knocks[-60] > 0
    assert best[-130] == 0


def test_boxes_count_for_the_game_where_they_are_credited_at_once() -> None:
    game = GameView(100, (ColumnView(True, 0, 0, 0, 0),))
    at_once = Rules(box_credit="at_once")
    assert worth_of_score(at_once, game, 10, 1) == chance_to_win(at_once, 100, 35, 0)
    assert worth_of_score(Rules(), game, 10, 1) == chance_to_win(Rules(), 100, 10, 0)


def test_ends_are_worth_what_the_scorer_gives_for_them() -> None:
    """Seat 0 gins with 15 against it: 40 points; with a spade turned up 80."""
    rules = Rules(spades_double=True)
    number = 99 + 15
    plain, doubled = worth_of_ends(rules, EVEN, 0)[number], worth_of_ends(rules, EVEN, 39)[number]
    assert plain == round(chance_to_win(rules, 100, 40, 0) * WHOLE)
    assert doubled == round(chance_to_win(rules, 100, 80, 0) * WHOLE)
    assert len(worth_of_ends(rules, EVEN, None)) == 991


def _could_knock() -> View:
    """He has drawn and may knock with eight; both shed twice."""
    deck = pack(elder="AC 2C 3C 4D 5D 6D 9H 9S 8H 9C", younger="KC KD 7S 5S 3H JD TC 2H 8S QC")
    state = HandState(PUBLISHED, deck, dealer=0)
    while not (state.turn == 1 and state.phase is Phase.DISCARD and _has_knock(state)):
        legal = [one for one in state.legal_actions() if one != TAKE]
        state.act(legal[0] if state.phase is not Phase.DISCARD else _highest(state))
    return state.view(1)


def _has_knock(state: HandState) -> bool:
    return any(one.kind is ActionKind.KNOCK for one in state.legal_actions())


def _highest(state: HandState) -> Action:
    after = state.view(state.turn).after
    return min(
        [one for one in state.legal_actions() if one.kind is ActionKind.DISCARD],
        key=lambda one: after[one.card or 0],
    )


def _followed(strategy: str, rules: Rules, how_many: int) -> Iterator[tuple[Guesses, View, History, Hand]]:
    """A player of hands between two of a strategy guesses along; with what the other truly holds."""
    for number, hand in enumerate(hands_of(strategy, how_many, rules, seed=21)):
        rehearsal = Rehearsal(48, number)
        state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
        for action in hand.actions:
            view = state.view(state.turn)
            if view.seat == 0 and view.phase in (Phase.DRAW, Phase.DISCARD):
                history = History(view)
                yield rehearsal.follow(view, history), view, history, Hand(state.hands[1])
            state.act(action)


def _follow(view: View, samples: int) -> tuple[Guesses, View]:
    return Rehearsal(samples, 1).follow(view, History(view)), view
