"""Whole sheets played by bots: the same again from any deal, dealers by the rules, and bots that fail."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from types import NoneType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.bots import STRATEGIES, Bot, Chances, Estimate, GameView, HouseBot, Strategy, house_bot
from games.errors import GameError
from games.gin.actions import GINS, Action, ActionKind
from games.gin.cards import CARD_TEXTS
from games.gin.hand import HandState, shuffled
from games.gin.log import HandLog
from games.gin.view import View
from games.tables.dealing import derived_seed, first_dealer
from games.tables.play import BotError, play_deals, play_sheet
from scoring.core.errors import SheetError
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, SheetSide, score_sheet
from tests.games.bot_play import ANN_AND_BOB, PUBLISHED, quick_bot
from tests.refusals import refuses
from tests.scoring.strategies import rules, sides

SIMPLE = {"Ann": house_bot("simple"), "Bob": house_bot("simple")}


def bots_of(seats: tuple[SheetSide, SheetSide], *names: str) -> dict[str, HouseBot]:
    players = [player for side in seats for player in side.players]
    return {player: quick_bot(names[index % len(names)]) for index, player in enumerate(players)}


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("next_dealer", ["loser", "winner", "alternate"])
def test_sheet_goes_on_the_same_after_any_deal(size: int, next_dealer: str) -> None:
    by, seats = Rules(next_dealer=next_dealer, columns=3), sides(size)
    bots = bots_of(seats, "simple", "steady", "novice")
    whole = list(play_sheet(by, seats, bots, 11))
    assert whole == list(play_sheet(by, seats, bots, 11))
    assert whole != list(play_sheet(by, seats, bots, 12))
    for played in range(len(whole) + 1):
        assert list(play_sheet(by, seats, bots, 11, played=whole[:played])) == whole[played:]
    assert score_sheet(by, seats, whole).status == "finished"


@pytest.mark.dear("plays hundreds of hands by bots")
@given(
    by=rules(packs="per_table"),
    size=st.integers(1, 2),
    seed=st.integers(0, 2**64),
    names=st.lists(st.sampled_from(sorted(STRATEGIES)), min_size=2, max_size=4),
)
def test_bots_play_legally_under_any_rules(by: Rules, size: int, seed: int, names: list[str]) -> None:
    seats = sides(size)
    deals = list(islice(play_deals(by, seats, bots_of(seats, *names), seed), 3))
    score_sheet(by, seats, [played.deal for played in deals])
    for played in deals:
        for hand, result in zip(played.two_handed, played.deal.hands, strict=True):
            assert hand.is_over
            assert HandState.replay(hand.rules, hand.log, players=hand.players).result == result


def test_seeds_are_the_stated_hash() -> None:
    digest = hashlib.sha256(b"7 pack 3 0").hexdigest()
    assert derived_seed(7, "pack", 3, 0) == int(digest[:16], 16)
    (third,) = islice(play_deals(PUBLISHED, ANN_AND_BOB, SIMPLE, 7), 2, 3)
    assert third.two_handed[0].deck == shuffled(derived_seed(7, "pack", 3, 0))


def test_every_bot_has_chances_of_its_own_in_every_hand() -> None:
    drawn: list[int] = []

    def sit_down(level: int | None, chances: Chances) -> Bot:
        drawn.append(chances.one_of(range(10**9)))
        return STRATEGIES["simple"].sit_down(level, chances)

    teams = sides(2)
    bot = HouseBot.of(Strategy("drawing", "Draws a number.", sit_down))
    bots = dict.fromkeys([*teams[0].players, *teams[1].players], bot)
    assert len(list(islice(play_sheet(Rules(), teams, bots, 7), 2))) == 2
    assert drawn == [
        Chances(derived_seed(7, "bot", deal, table, side)).one_of(range(10**9))
        for deal in (1, 2)
        for table in (0, 1)
        for side in (0, 1)
    ]
    assert len(set(drawn)) == 8


@pytest.mark.parametrize("next_dealer", ["loser", "winner", "alternate"])
@pytest.mark.parametrize("size", [1, 2])
def test_dealer_follows_the_last_hand_of_the_pair(size: int, next_dealer: str) -> None:
    """RULES §3; playing for gin only, some hands end dead."""
    by, seats = Rules(knock_limit=0, next_dealer=next_dealer, target=3_000, team_target=3_000), sides(size)
    deals = list(play_deals(by, seats, bots_of(seats, "simple"), 5))
    expected: dict[tuple[str, str], str] = {}
    dead = 0
    for played in deals:
        for hand in played.two_handed:
            pair, winner = hand.players, hand.score().winner
            dealer = pair[hand.dealer]
            assert expected.get(pair, dealer) == dealer
            dead += winner is None
            if winner is None:
                expected[pair] = dealer
            elif next_dealer == "alternate":
                expected[pair] = pair[1 - hand.dealer]
            elif next_dealer == "winner":
                expected[pair] = winner
            else:
                expected[pair] = next(player for player in pair if player != winner)
    assert dead
    assert len(expected) == size**2


def test_highest_cut_deals_first() -> None:
    """RULES §3: equal ranks go spades, hearts, diamonds, clubs."""
    order = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    high, low = Rules(), Rules(first_dealer="low")
    equal_ranks = 0
    for seed in range(500):
        cut = [CARD_TEXTS[card] for card in shuffled(seed)[:2]]
        highest = cut.index(max(cut, key=order.index))
        assert (first_dealer(high, seed), first_dealer(low, seed)) == (highest, 1 - highest)
        equal_ranks += cut[0][0] == cut[1][0]
    assert equal_ranks


def test_opponents_change_after_every_deal_of_teams() -> None:
    """RULES §7: A1–B1, A2–B2, then A1–B2, A2–B1; each table has a pack of its own."""
    seats = SheetSide("A", ("A1", "A2")), SheetSide("B", ("B1", "B2"))
    deals = list(islice(play_deals(Rules(), seats, bots_of(seats, "simple"), 3), 3))
    assert [[hand.players for hand in played.two_handed] for played in deals] == [
        [("A1", "B1"), ("A2", "B2")],
        [("A1", "B2"), ("A2", "B1")],
        [("A1", "B1"), ("A2", "B2")],
    ]
    assert len({hand.deck for played in deals for hand in played.two_handed}) == 6


def test_voided_deal_keeps_its_number() -> None:
    whole = list(play_deals(PUBLISHED, ANN_AND_BOB, SIMPLE, 9))
    resumed = play_deals(PUBLISHED, ANN_AND_BOB, SIMPLE, 9, played=[whole[0].deal, VOID])
    after = next(resumed)
    assert after.number == 3
    assert after.two_handed[0].deck == whole[2].two_handed[0].deck


class Watching:
    """Plays on while it can be seen what it was told of the sheet."""

    def __init__(self, told: list[GameView], chances: Chances) -> None:
        self._bot = STRATEGIES["simple"].sit_down(None, chances)
        self._told = told

    def choose(self, view: View, game: GameView) -> Action:
        if not self._told or self._told[-1] != game:
            self._told.append(game)
        return self._bot.choose(view, game)


def test_bots_play_a_match_of_deals() -> None:
    """To its last deal, however many points that takes, and they are told how many are left."""
    told: list[GameView] = []
    watching = HouseBot.of(Strategy("watching", "Looks.", lambda level, chances: Watching(told, chances)))
    by = Rules(deals=6, target=10, undercut_penalty="all")
    deals = list(play_sheet(by, ANN_AND_BOB, {**SIMPLE, "Bob": watching}, 4))
    assert len(deals) == 6
    assert score_sheet(by, ANN_AND_BOB, deals).status == "finished"
    assert [game.deals_left for game in told] == [6, 5, 4, 3, 2, 1]
    assert all(column.is_open for game in told for column in game.columns)


@pytest.mark.parametrize("side", [0, 1])
def test_bot_is_told_the_columns_from_its_own_side(side: int) -> None:
    by = Rules(columns=3, target=60)
    told: list[GameView] = []
    watching = HouseBot.of(Strategy("watching", "Looks.", lambda level, chances: Watching(told, chances)))
    deals = list(play_sheet(by, ANN_AND_BOB, {**SIMPLE, ("Ann", "Bob")[side]: watching}, 4))
    expected: list[GameView] = []
    for played in range(len(deals)):
        columns = score_sheet(by, ANN_AND_BOB, deals[:played]).columns
        seen = []
        for column in columns:
            own, other = column.sides[side], column.sides[1 - side]
            running = [sum(entry.points for entry in one.entries) for one in (own, other)]
            seen.append((column.status == "open", *running, own.boxes, other.boxes))
        view = GameView(60, tuple(seen))  # type: ignore[arg-type]
        if not expected or expected[-1] != view:
            expected.append(view)
    assert told == expected


class Weighing:
    """Takes the first of what is legal, and says so."""

    def choose(self, view: View, game: GameView) -> Action:
        self._said = (Estimate(view.legal[0], len(view.moves), 1),)
        return view.legal[0]

    def estimates(self) -> tuple[Estimate, ...]:
        return self._said


def test_estimates_are_kept_for_the_actions_of_who_gives_them() -> None:
    weighing = HouseBot.of(Strategy("weighing", "Weighs.", lambda samples, chances: Weighing()))
    (played,) = islice(play_deals(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": weighing}, 3), 1)
    (hand,), (estimates,) = played.two_handed, played.estimates
    assert len(estimates) == len(hand.actions)
    said = 0
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    for number, (action, thought) in enumerate(zip(hand.actions, estimates, strict=True)):
        assert thought == ((Estimate(action, number, 1),) if state.turn == 1 else ())
        said += state.turn
        state.act(action)
    assert said


class Failing:
    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, view: View, game: GameView) -> Action:
        if isinstance(self._answer, Exception):
            raise self._answer
        answer: Action = self._answer
        return answer


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (ZeroDivisionError("by nothing"), "ZeroDivisionError: by nothing"),
        (KeyError("x" * 500), "KeyError: 'x"),
        (None, "What it chose is not an action but of type NoneType."),
        ("pass", "What it chose is not an action but of type str."),
        (Action._make(["wink", 99, None, None]), "There is no such action."),
        (Action._make(["pass", [], None, None]), "TypeError: unhashable"),
        (
            Action._make(["gin", 0.0, None, None]),
            "It chose “gin AC”. The upcard is offered: take it or pass.",
        ),
        (GINS[0], "It chose “gin AC”. The upcard is offered: take it or pass."),
    ],
    ids=["raises", "raises at length", "nothing", "text", "wink", "unhashable", "look-alike", "illegal"],
)
def test_bot_that_fails_is_named_with_deal_and_reason(answer: Any, reason: str) -> None:
    failing = HouseBot.of(Strategy("failing", "Fails.", lambda level, chances: Failing(answer)))
    played = list(islice(play_sheet(PUBLISHED, ANN_AND_BOB, SIMPLE, 2), 1))
    going_on = play_sheet(PUBLISHED, ANN_AND_BOB, {"Ann": failing, "Bob": failing}, 2, played=played)
    with refuses(BotError, "bot_failed") as failed:
        next(going_on)
    assert failed.value.bot in SIMPLE
    assert failed.value.deal == 2
    assert str(failed.value.reason).startswith(reason)
    assert len(str(failed.value.message)) < 120


class Altering:
    """Plays as simple does, but says it in its own way."""

    def __init__(self, chances: Chances, alter: Callable[[View, Action], Action]) -> None:
        self._simple = STRATEGIES["simple"].sit_down(None, chances)
        self._alter = alter

    def choose(self, view: View, game: GameView) -> Action:
        return self._alter(view, self._simple.choose(view, game))


def altering(alter: Callable[[View, Action], Action]) -> HouseBot:
    return HouseBot.of(Strategy("altering", "Alters.", lambda level, chances: Altering(chances, alter)))


class LikeNumber(int):
    """As numbers of other libraries are: equal to a card, and no shift takes it."""

    def __rlshift__(self, other: int) -> int:
        raise AttributeError


@pytest.mark.parametrize(
    "alter",
    [
        lambda view, action: Action._make([action.kind.value, action.card, None, None]),
        lambda view, action: Action._make(
            [action.kind, action.card if action.card is None else float(action.card), None, None]
        ),
        lambda view, action: Action(
            action.kind, action.card if action.card is None else LikeNumber(action.card)
        ),
    ],
    ids=["kind is text", "card is a float", "card is of another library"],
)
def test_what_equals_an_action_is_played_as_that_action(alter: Callable[[View, Action], Action]) -> None:
    """A knock spelt as text is no big gin; a card that only looks like one does nothing to the hand."""
    plain = list(play_deals(PUBLISHED, ANN_AND_BOB, SIMPLE, 7))
    spelt = list(play_deals(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": altering(alter)}, 7))
    assert [one.deal for one in spelt] == [one.deal for one in plain]
    for played in spelt:
        (hand,) = played.two_handed
        assert HandState.replay(hand.rules, hand.log, players=hand.players).result == hand.result
        assert all(type(action.kind) is ActionKind for action in hand.actions)
        assert all(type(action.card) in {int, NoneType} for action in hand.actions)
        assert HandLog.from_document(hand.log.to_document()) == hand.log


def test_bot_cannot_change_what_it_is_shown() -> None:
    """Else what it chose next could not even be refused."""

    def alter(view: View, action: Action) -> Action:
        if view.after:
            with suppress(AttributeError):
                view.after.clear()  # type: ignore[attr-defined]
            return GINS[next(card for card in view.hand if GINS[card] not in view.legal)]
        return action

    with pytest.raises(BotError) as failed:
        list(play_sheet(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": altering(alter)}, 2))
    assert failed.value.bot == "Bob"
    assert "that is not gin" in str(failed.value.reason)


def test_only_the_bot_that_fails_is_named() -> None:
    failing = HouseBot.of(Strategy("failing", "Fails.", lambda level, chances: Failing(None)))
    for seed in range(4):
        with pytest.raises(BotError) as failed:
            list(play_sheet(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": failing}, seed))
        assert failed.value.bot == "Bob"


def test_bot_that_cannot_sit_down_has_failed() -> None:
    def sit_down(level: int | None, chances: Chances) -> Failing:
        raise OSError("no chair")

    late = HouseBot.of(Strategy("late", "Never comes.", sit_down))
    with pytest.raises(BotError, match="no chair"):
        next(play_sheet(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Ann": late}, 1))


def test_sheet_that_cannot_be_played_is_refused_at_once() -> None:
    with refuses(GameError, "no_bot", field="bots"):
        play_sheet(PUBLISHED, ANN_AND_BOB, {"Ann": SIMPLE["Ann"]}, 1)
    for size, code, field in ((2, "not_played", "bots"), (3, "shared_pack", "rules.packs")):
        teams = sides(size)
        with refuses(GameError, code, field=field):
            play_sheet(Rules(packs="shared"), teams, bots_of(teams, "simple"), 1)
    with pytest.raises(SheetError, match="called"):
        play_sheet(PUBLISHED, (ANN_AND_BOB[0], ANN_AND_BOB[0]), SIMPLE, 1)


def test_finished_sheet_has_no_more_deals() -> None:
    whole: list[Deal] = list(play_sheet(PUBLISHED, ANN_AND_BOB, SIMPLE, 1))
    assert list(play_sheet(PUBLISHED, ANN_AND_BOB, SIMPLE, 1, played=whole)) == []


def test_sheet_that_is_full_ends_unfinished() -> None:
    """At most 500 deals go on a sheet."""
    by = Rules(target=10_000)
    almost_full = [VOID] * 498
    assert len(list(play_sheet(by, ANN_AND_BOB, SIMPLE, 1, played=almost_full))) == 2


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ([Estimate(Action(ActionKind.DRAW), 0.5, 1)] * 100, "more estimates than choices"),
        ([Estimate(Action(ActionKind.DRAW), float("nan"), 1)], "not finite"),
        ([Estimate(Action(ActionKind.DRAW), 0.5, -1)], "samples"),
        ([Estimate(Action(ActionKind.DRAW), 0.5, 1 << 60)], "samples"),
        (["draw"], "no estimate"),
    ],
)
def test_estimates_that_are_none_are_the_bots_failure(said: list[Any], why: str) -> None:
    class Babbling(Weighing):
        def estimates(self) -> tuple[Estimate, ...]:
            return tuple(said)

    babbling = HouseBot.of(Strategy("babbling", "Babbles.", lambda samples, chances: Babbling()))
    with pytest.raises(BotError) as failure:
        list(islice(play_deals(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": babbling}, 3), 1))
    assert failure.value.bot == "Bob"
    assert why in str(failure.value.__cause__)


def test_estimates_are_kept_as_actions_and_floats() -> None:
    """What only equals them could not be written down."""

    class Spelling(Weighing):
        def estimates(self) -> tuple[Estimate, ...]:
            ((action, value, samples, is_chance),) = self._said
            assert isinstance(action, Action)
            card = action.card if action.card is None else float(action.card)
            spelt = Action._make([action.kind.value, card, None, None])
            return (Estimate._make([spelt, Fraction(value), samples, is_chance]),)

    spelling = HouseBot.of(Strategy("spelling", "Spells.", lambda samples, chances: Spelling()))
    (played,) = islice(play_deals(PUBLISHED, ANN_AND_BOB, {**SIMPLE, "Bob": spelling}, 3), 1)
    (hand,), (estimates,) = played.two_handed, played.estimates
    said = [(action, one) for action, one in zip(hand.actions, estimates, strict=True) if one]
    assert any(action.card is not None for action, _ in said)
    for action, (estimate,) in said:
        assert str(estimate.action) == str(action)
        assert type(estimate.value) is float
