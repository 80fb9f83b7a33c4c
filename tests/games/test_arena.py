"""The arena: pairs of games that mirror each other, played alike on any number of cores."""

from dataclasses import replace
from functools import partial
from math import sqrt
from pathlib import Path

import pytest

from games.arena.figures import Arena, Encounter
from games.arena.kept import KeptPairs
from games.arena.pairs import ARENA_RULES, PlayedPair, PlayingStopped, label, play_pair
from games.arena.playing import MOST_PROCESSES, known_strategies, play_arena
from games.bots import Bot, Chances, GameView, HouseBot, Strategy, house_bot
from games.bots.field import FIELD
from games.bots.policies import DIGEST
from games.errors import GameError
from games.gin.actions import DRAW, Action
from games.gin.view import View
from games.tables.dealing import derived_seed
from games.tables.play import BotError
from scoring.core.errors import ScoringError
from scoring.core.rules import Rules
from scoring.core.sheets import score_sheet
from tests.games.bot_play import ANN_AND_BOB, game
from tests.refusals import refuses

SIMPLE, STEADY, NOVICE = house_bot("simple"), house_bot("steady"), house_bot("novice")
RASH = HouseBot.of(FIELD["rash"])


class Decided:
    """Draws, and sheds or ends by the order of the legal actions: leaves nothing to chance."""

    def choose(self, view: View, game: GameView) -> Action:
        if not view.after:
            return DRAW if DRAW in view.legal else view.legal[-1]
        if view.legal[-1].kind != "discard":
            return view.legal[-1]
        return min(view.legal, key=lambda one: (view.after[one.card or 0], one.card))


def decided(name: str) -> HouseBot:
    return HouseBot.of(Strategy(name, "Decided.", lambda samples, chances: Decided()))


def without_times(arena: Arena) -> list[tuple[str, str, list[PlayedPair]]]:
    return [
        (label(each.one), label(each.other), [pair._replace(seconds=(0, 0)) for pair in each.pairs])
        for each in arena.meetings
    ]


def test_arena_rules_are_those_of_published_figures() -> None:
    """Games to 100, knock to 10, gin and undercut 25, ties undercut, no big gin, no boxes."""
    rules = ARENA_RULES
    assert (rules.target, rules.knock_limit, rules.gin_bonus, rules.undercut_bonus) == (100, 10, 25, 25)
    assert (rules.undercut_on_tie, rules.big_gin_bonus, rules.next_dealer) == (True, None, "alternate")
    assert (rules.box_bonus, rules.game_bonus, rules.columns) == (0, 0, 1)


@pytest.mark.parametrize("next_dealer", ["alternate", "loser", "winner"])
def test_two_who_play_alike_split_every_pair(next_dealer: str) -> None:
    """The second game is the first with the seats changed, card for card."""
    rules = replace(ARENA_RULES, next_dealer=next_dealer)
    for seed in range(10):
        pair = play_pair(decided("one"), decided("other"), seed, rules)
        assert sorted(pair.scores) == [0, 1]
        assert pair.points == 0
        assert pair.hands % 2 == 0


def test_a_pair_counts_what_the_sheets_say() -> None:
    for seed in range(5):
        pair = play_pair(STEADY, SIMPLE, seed)
        games = [game("steady", "simple", seed), game("simple", "steady", seed)]
        sheets = [score_sheet(ARENA_RULES, ANN_AND_BOB, [one.deal for one in each]) for each in games]
        assert pair.scores == (float(sheets[0].winner == "Ann"), float(sheets[1].winner == "Bob"))
        assert pair.score == sum(pair.scores) / 2
        (first,), (second,) = sheets[0].columns, sheets[1].columns
        apart = (
            first.sides[0].points - first.sides[1].points,
            second.sides[1].points - second.sides[0].points,
        )
        assert pair.points == sum(apart)
        assert pair.hands == len(games[0]) + len(games[1])


def test_from_the_other_side_a_pair_is_the_same() -> None:
    for seed in range(5):
        one, other = play_pair(STEADY, SIMPLE, seed), play_pair(SIMPLE, STEADY, seed)
        assert other.scores == (1 - one.scores[1], 1 - one.scores[0])
        assert (other.points, other.hands) == (-one.points, one.hands)
        assert other.decisions == one.decisions[::-1]


def test_choices_and_the_time_they_took_are_counted() -> None:
    pair = play_pair(STEADY, NOVICE, 1)
    moves = [
        len(hand.actions)
        for names in (("steady", "novice"), ("novice", "steady"))
        for played in game(*names, 1)
        for hand in played.two_handed
    ]
    assert sum(pair.decisions) == sum(moves)
    assert all(seconds > 0 for seconds in pair.seconds)


def test_a_sheet_that_nobody_wins_is_half_a_game() -> None:
    """Boxes and points of a stopped column may be equal; here nobody scores in 500 deals."""

    class Passive(Decided):
        def choose(self, view: View, game: GameView) -> Action:
            return (
                DRAW
                if DRAW in view.legal
                else next((one for one in view.legal if one.kind in ("pass", "discard")), view.legal[0])
            )

    def passive(name: str) -> HouseBot:
        return HouseBot.of(Strategy(name, "Passive.", lambda samples, chances: Passive()))

    pair = play_pair(passive("one"), passive("other"), 1)
    assert (pair.scores, pair.hands, pair.points) == ((0.5, 0.5), 1000, 0)


def test_a_bot_does_not_play_itself() -> None:
    with pytest.raises(ScoringError, match="called"):
        play_pair(SIMPLE, SIMPLE, 1)


def test_playing_ends_after_the_hand_when_told() -> None:
    asked = []

    def is_stopped() -> bool:
        asked.append(1)
        return len(asked) == 3

    with pytest.raises(PlayingStopped):
        play_pair(SIMPLE, STEADY, 1, is_stopped=is_stopped)
    assert len(asked) == 3


@pytest.mark.dear("starts processes of its own")
def test_outcome_is_the_same_on_any_number_of_processes_and_in_any_order() -> None:
    bots = [STEADY, NOVICE, SIMPLE, RASH]
    alone = play_arena(bots, 12, seed=5)
    assert [label(bot) for bot in alone.bots] == ["novice", "rash", "simple", "steady"]
    assert [(one, other) for one, other, _ in without_times(alone)] == [
        ("novice", "rash"),
        ("novice", "simple"),
        ("novice", "steady"),
        ("rash", "simple"),
        ("rash", "steady"),
        ("simple", "steady"),
    ]
    played: list[int] = []
    together = play_arena(bots[::-1], 12, seed=5, processes=2, progress=played.append)
    assert without_times(together) == without_times(alone)
    assert sum(played) == 12 * 6
    assert without_times(play_arena(bots, 12, seed=6)) != without_times(alone)


def test_who_else_takes_part_changes_nothing() -> None:
    two, three = play_arena([SIMPLE, STEADY], 8), play_arena([SIMPLE, NOVICE, STEADY], 8)
    assert without_times(two)[0] in without_times(three)
    more = play_arena([SIMPLE, STEADY], 12)
    assert without_times(more)[0][2][:4] == without_times(two)[0][2]


def test_all_meet_on_the_same_packs() -> None:
    arena = play_arena([SIMPLE, STEADY, NOVICE], 4, seed=3)
    for meeting in arena.meetings:
        for packs, pair in enumerate(meeting.pairs):
            again = play_pair(meeting.one, meeting.other, derived_seed(3, "packs", packs))
            assert again._replace(seconds=(0, 0)) == pair._replace(seconds=(0, 0))


def test_other_rules_are_played() -> None:
    arena = play_arena([SIMPLE, STEADY], 4, rules=Rules(columns=3, target=50), processes=2)
    assert arena.rules.columns == 3
    longer = play_arena([SIMPLE, STEADY], 4)
    assert arena.meetings[0].hands != longer.meetings[0].hands


@pytest.mark.parametrize(
    ("bots", "games", "processes", "code", "field"),
    [
        ([], 2, 1, "too_few_bots", "bots"),
        ([SIMPLE], 2, 1, "too_few_bots", "bots"),
        ([SIMPLE, STEADY, SIMPLE], 2, 1, "bot_twice", "bots"),
        ([SIMPLE, STEADY], 0, 1, "out_of_range", "games"),
        ([SIMPLE, STEADY], -2, 1, "out_of_range", "games"),
        ([SIMPLE, STEADY], 3, 1, "out_of_range", "games"),
        ([SIMPLE, STEADY], 10**12, 1, "out_of_range", "games"),
        ([SIMPLE, STEADY], 2, 0, "out_of_range", "processes"),
        ([SIMPLE, STEADY], 2, MOST_PROCESSES + 1, "out_of_range", "processes"),
    ],
)
def test_what_is_no_arena_is_refused(
    bots: list[HouseBot], games: int, processes: int, code: str, field: str
) -> None:
    with refuses(GameError, code, field=field):
        play_arena(bots, games, processes=processes)


@pytest.mark.parametrize("processes", [1, 2])
def test_bot_that_fails_is_named(processes: int) -> None:
    """Also out of another process."""
    paths = ["tests.games.bad_bots.RAISING"]
    raising = HouseBot.of(known_strategies(paths)["raising"])
    with pytest.raises(BotError) as failed:
        play_arena([SIMPLE, raising], 4, processes=processes, paths=paths)
    assert failed.value.bot == "raising"
    assert "no idea" in str(failed.value.reason)


def test_standings_are_over_all_games_of_a_bot() -> None:
    """Worked by hand: two packs, three bots."""
    pair = partial(PlayedPair, decisions=(10, 20), seconds=(0.1, 0.1))
    one, other, third = decided("a"), decided("b"), decided("c")
    arena = Arena(
        ARENA_RULES,
        1,
        4,
        (one, other, third),
        (
            Encounter(one, other, (pair((1, 1), 20, 50), pair((1, 0), 10, -20))),
            Encounter(one, third, (pair((1, 0.5), 10, 10), pair((0, 0), 20, -40))),
            Encounter(other, third, (pair((0, 1), 10, 0), pair((1, 1), 10, 60))),
        ),
    )
    first, second, last = (
        next(each for each in arena.standings() if each.bot == bot) for bot in (one, other, third)
    )
    assert [each.games for each in (first, second, last)] == [8, 8, 8]
    # a: 3 of 4 games with b, 1½ of 4 with c; on the first packs 3½ of 4, on the second 1 of 4.
    assert first.share.mean == pytest.approx(4.5 / 8)
    assert first.share.pairs == 2
    assert first.points_per_hand == pytest.approx((30 - 30) / 60)
    assert first.seconds_per_decision == pytest.approx(0.4 / 40)
    assert second.share.mean == pytest.approx((1 + 3) / 8)
    assert second.points_per_hand == pytest.approx((60 - 30) / 50)
    assert second.seconds_per_decision == pytest.approx(0.4 / 60)
    assert last.share.mean == pytest.approx((2.5 + 1) / 8)
    assert [each.bot for each in arena.standings()] == [one, other, third]


def test_bots_sit_down_with_their_samples() -> None:
    told: list[int | None] = []

    def sit_down(samples: int | None, chances: Chances) -> Bot:
        told.append(samples)
        return Decided()

    levelled = HouseBot.of(Strategy("levelled", "Has levels.", sit_down, (7, 30), 1), 2)
    assert label(levelled) == "levelled:2"
    play_pair(levelled, SIMPLE, 1)
    assert set(told) == {30}


def test_share_counts_the_packs_on_which_a_bot_met_all_others() -> None:
    """Worked by hand: a and b met on two packs, both met c on the first alone."""
    pair = partial(PlayedPair, decisions=(10, 20), seconds=(0.1, 0.1))
    one, other, third = decided("a"), decided("b"), decided("c")
    arena = Arena(
        ARENA_RULES,
        1,
        4,
        (one, other, third),
        (
            Encounter(one, other, (pair((1, 1), 20, 50), pair((0, 0), 10, -20))),
            Encounter(one, third, (pair((1, 0), 10, 10),)),
            Encounter(other, third, (pair((1, 1), 10, 60),)),
        ),
    )
    first = next(each for each in arena.standings() if each.bot == one)
    assert [arena.games_of(bot) for bot in arena.bots] == [6, 6, 4]
    assert (first.games, first.share.pairs) == (6, 1)
    assert first.share.mean == pytest.approx(3 / 4)
    assert first.points_per_hand == pytest.approx((50 + 10) / 30)
    assert first.seconds_per_decision == pytest.approx(0.3 / 30)


def test_a_step_is_the_difference_against_the_same_opponents_pack_by_pack() -> None:
    """Worked by hand: a half more on the first packs, a whole game of two on the second."""
    strategy = Strategy("levelled", "Has levels.", lambda samples, chances: Decided(), (7, 30), 1)
    low, high = HouseBot.of(strategy, 1), HouseBot.of(strategy, 2)
    one, other, third = decided("a"), decided("b"), decided("c")

    def met(first: HouseBot, second: HouseBot, *scores: tuple[float, float]) -> Encounter:
        pairs = [PlayedPair(each, 10, 0, (10, 10), (0.1, 0.1)) for each in scores]
        return Encounter(first, second, tuple(pairs))

    arena = Arena(
        ARENA_RULES,
        1,
        4,
        (one, other, third, low, high),
        (
            met(one, low, (1, 0), (1, 1)),
            met(one, high, (0, 0), (0, 0)),
            met(low, other, (1, 0), (0, 0)),
            met(high, other, (1, 0), (1, 1)),
            # No part in it has what they won of each other, nor who met one of them alone.
            met(low, high, (1, 1), (1, 1)),
            met(high, third, (0, 0), (0, 0)),
        ),
    )
    (step,) = arena.steps()
    assert (step.strategy, step.lower, step.higher, step.opponents) == ("levelled", 1, 2, 2)
    # 1 − ½ and ½ − ½ on the first packs, 1 − 0 twice on the second; the error is that of two such figures
    # after adding 1 and -1 halved: Agresti and Min.
    assert step.ahead == pytest.approx(100 * (1 / 4 + 1) / 2)
    assert step.error == pytest.approx(100 * sqrt((1 / 4) ** 2 + 1 + 1 - (5 / 4) ** 2 / 4) / 4)


def test_who_has_levels_may_play_fewer_games() -> None:
    """The packs are the first of those that the others play."""
    slow = HouseBot.of(Strategy("slow", "Decided.", lambda samples, chances: Decided(), (1,), 1))
    bots = [decided("one"), decided("other"), slow]
    whole, fewer = play_arena(bots, 8), play_arena(bots, 8, level_games=4)
    assert [meeting.games for meeting in fewer.meetings] == [8, 4, 4]
    for (*names, pairs), (*same, first) in zip(without_times(whole), without_times(fewer), strict=True):
        assert (names, pairs[: len(first)]) == (same, first)
    with refuses(GameError, "out_of_range"):
        play_arena(bots, 8, level_games=3)


class Interrupted(Exception):
    pass


def test_an_arena_that_was_interrupted_goes_on_with_what_it_kept(tmp_path: Path) -> None:
    bots, file, played = [STEADY, NOVICE, SIMPLE], tmp_path / "games", list[int]()

    def kept(*names: HouseBot, seed: int = 7, version: str = "1.0") -> KeptPairs:
        return KeptPairs(file, names, seed=seed, rules=ARENA_RULES, version=version)

    def stop_after_four(games: int) -> None:
        played.append(games)
        if sum(played) == 8:
            raise Interrupted

    with pytest.raises(Interrupted):
        play_arena(bots, 6, seed=7, progress=stop_after_four, kept=kept(*bots))
    # The machine fell silent while it wrote the fourth pair.
    file.write_bytes(file.read_bytes()[:-9])
    assert len(kept(*bots)) == 3
    played.clear()
    resumed = play_arena(bots[::-1], 6, seed=7, progress=played.append, kept=kept(*bots[::-1]))
    assert played == [6, 2, 2, 2, 2, 2, 2]
    assert without_times(resumed) == without_times(play_arena(bots, 6, seed=7))
    # More games than before go on from them, too.
    played.clear()
    play_arena(bots, 8, seed=7, progress=played.append, kept=kept(*bots))
    assert played == [18, 2, 2, 2]

    text = file.read_bytes()
    for names, seed, version in (
        ([STEADY, NOVICE], 7, "1.0"),
        (bots, 8, "1.0"),
        (bots, 7, "1.1"),
    ):
        with refuses(GameError, "other_games"):
            kept(*names, seed=seed, version=version)
    assert file.read_bytes() == text
    # Games of bots that played by other numbers.
    file.write_bytes(text.replace(DIGEST.encode(), b"0" * len(DIGEST)))
    with refuses(GameError, "other_games"):
        kept(*bots)


@pytest.mark.parametrize("text", [b"Dear diary", b"Dear diary\n", b"[[0, 0, 1], []]\n"])
def test_a_file_of_something_else_is_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "diary"

    def kept() -> KeptPairs:
        return KeptPairs(file, [STEADY, NOVICE], seed=7, rules=ARENA_RULES, version="1.0")

    kept()
    begun = file.read_bytes()
    for damaged in (text, begun + text + b"\n"):
        file.write_bytes(damaged)
        with refuses(GameError, "other_games"):
            kept()
        assert file.read_bytes() == damaged
