"""The rules of a ladder: worked examples, and a year left to chance."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random

import pytest

from league.core.ladder import (
    Absence,
    CalledOff,
    Challenged,
    ChallengeRefusal,
    Ended,
    Joined,
    LadderMove,
    LadderRules,
    LadderState,
    Left,
    Step,
    Why,
    is_away,
    last_day,
    protected_until,
    refusal,
    replay,
    until,
    within_reach,
)
from league.errors import LeagueError
from tests.refusals import refuses

NEW_YEAR = datetime.date(2026, 1, 1)
RULES = LadderRules(reach=3, days_to_play=14, protected_days=7, absence_days=28)


def day(number: int) -> datetime.date:
    return NEW_YEAR + datetime.timedelta(days=number)


def ladder_of(count: int) -> list[Step]:
    return [Joined(NEW_YEAR, player) for player in range(1, count + 1)]


def challenge(challenger: int, challenged: int, number: int = 1, on: int = 1) -> Challenged:
    return Challenged(day(on), number, challenger, challenged, day(on + RULES.days_to_play))


def test_winner_takes_the_place_and_those_between_step_down() -> None:
    # Eldon Leisure Squash: B, 8th, beats A, 5th: B is 5th, A 6th, those between 7th and 8th.
    ladder = replay([*ladder_of(9), challenge(8, 5), Ended(day(3), 1, winner=8)])
    assert ladder.players == (1, 2, 3, 4, 8, 5, 6, 7, 9)
    assert ladder.history[-1].moves == (
        LadderMove(8, 8, 5),
        LadderMove(5, 5, 6),
        LadderMove(6, 6, 7),
        LadderMove(7, 7, 8),
    )


@pytest.mark.parametrize("winner", [5, None])
def test_nothing_moves_where_the_challenged_wins_or_it_is_drawn(winner: int | None) -> None:
    ladder = replay([*ladder_of(9), challenge(8, 5), Ended(day(3), 1, winner)])
    assert ladder.players == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    assert (ladder.open, ladder.history[-1].moves) == ({}, ())


def test_place_that_is_given_moves_as_one_that_is_won_and_protects_nobody() -> None:
    ladder = replay([*ladder_of(3), challenge(3, 1), Ended(day(16), 1, winner=3, is_played=False)])
    assert ladder.players == (3, 1, 2)
    assert protected_until(ladder, RULES, 3) is None


def test_who_comes_stands_at_the_foot_and_who_goes_lets_the_others_up() -> None:
    ladder = replay([*ladder_of(3), Left(day(2), 2), Joined(day(3), 9), Joined(day(4), 2)])
    assert ladder.players == (1, 3, 9, 2)
    assert ladder.history[3].moves == (LadderMove(2, 2, None), LadderMove(3, 3, 2))


def test_places_at_the_time_of_the_result_decide() -> None:
    # Swindon Tennis Club: 2, challenged by 3, has come to stand below him meanwhile and wins.
    steps = [*ladder_of(4), challenge(3, 2), Left(day(2), 2), Joined(day(2), 2), Ended(day(3), 1, winner=2)]
    assert replay(steps).players == (1, 2, 3, 4)


def test_result_of_somebody_who_has_left_moves_nobody() -> None:
    ladder = replay([*ladder_of(3), challenge(3, 2), Left(day(2), 2), Ended(day(3), 1, winner=3)])
    assert ladder.players == (1, 3)


def test_ladder_of_a_day_is_the_replay_up_to_it() -> None:
    steps = [*ladder_of(3), challenge(2, 1), Ended(day(5), 1, winner=2), Joined(day(9), 4)]
    assert [replay(until(steps, day(at))).players for at in (0, 4, 5, 9)] == [
        (1, 2, 3),
        (1, 2, 3),
        (2, 1, 3),
        (2, 1, 3, 4),
    ]


def told(
    ladder: LadderState, challenger: int, challenged: int, on: int, *absences: Absence
) -> ChallengeRefusal | None:
    return refusal(ladder, RULES, absences, challenger=challenger, challenged=challenged, on=day(on))


def test_challenge_reaches_so_many_rungs_and_no_further() -> None:
    ladder = replay(ladder_of(6))
    assert told(ladder, 6, 3, 1) is None
    assert told(ladder, 6, 2, 1) == ChallengeRefusal(Why.TOO_FAR, 2, rungs=4)
    assert told(ladder, 3, 6, 1) == ChallengeRefusal(Why.NOT_ABOVE, 6)
    assert told(ladder, 3, 3, 1) == ChallengeRefusal(Why.NOT_ABOVE, 3)
    assert told(ladder, 7, 6, 1) == ChallengeRefusal(Why.NOT_ON_LADDER, 7)
    assert within_reach(ladder, RULES, (), challenger=6, on=day(1)) == [3, 4, 5]
    assert within_reach(ladder, RULES, (), challenger=1, on=day(1)) == []


def test_who_is_away_is_no_rung_and_takes_no_part() -> None:
    ladder = replay(ladder_of(6))
    away = Absence(4, day(0), day(9))
    assert told(ladder, 6, 2, 9, away) is None
    assert told(ladder, 6, 2, 10, away) == ChallengeRefusal(Why.TOO_FAR, 2, rungs=4)
    assert told(ladder, 5, 4, 9, away) == ChallengeRefusal(Why.AWAY, 4)
    assert told(ladder, 4, 3, 9, away) == ChallengeRefusal(Why.AWAY, 4)
    assert told(ladder, 5, 4, 10, away) is None


def test_absence_counts_for_so_many_days_and_no_longer() -> None:
    # Arlington County Tennis Association: up to four weeks, then the player is active again.
    away = Absence(1, day(0), None)
    assert [is_away(1, day(at), RULES, [away]) for at in (0, 27, 28)] == [True, True, False]
    assert is_away(1, day(365), replace(RULES, absence_days=None), [away])
    assert not is_away(2, day(0), RULES, [away])


def test_who_has_played_is_left_alone_for_some_days() -> None:
    ladder = replay([*ladder_of(4), challenge(3, 2), Ended(day(5), 1, winner=2)])
    assert told(ladder, 4, 2, 12) == ChallengeRefusal(Why.PROTECTED, 2, until=day(12))
    assert told(ladder, 4, 2, 13) is None
    # Protected from challenges, not kept from making one.
    assert told(ladder, 2, 1, 6) is None


def test_each_player_is_in_one_challenge_at_a_time() -> None:
    ladder = replay([*ladder_of(4), challenge(3, 2)])
    assert told(ladder, 4, 3, 2) == ChallengeRefusal(Why.ENGAGED, 3)
    assert told(ladder, 2, 1, 2) == ChallengeRefusal(Why.ENGAGED, 2)
    ladder = replay([*ladder_of(4), challenge(3, 2), CalledOff(day(2), 1)])
    assert told(ladder, 4, 3, 2) is None


@pytest.mark.parametrize(
    ("absences", "rules", "expected"),
    [
        ([], RULES, 15),
        ([Absence(1, day(3), day(5))], RULES, 18),
        # Two at the same time are one pause; days after the deadline and before the challenge do not count.
        ([Absence(1, day(3), day(5)), Absence(2, day(4), day(6))], RULES, 19),
        ([Absence(1, day(-3), day(1)), Absence(2, day(20), day(30))], RULES, 15),
        # The last days fall into an absence: they are played after it.
        ([Absence(2, day(15), day(30))], RULES, 31),
        ([Absence(2, day(10), None)], RULES, 15 + 28),
        ([Absence(2, day(10), None)], replace(RULES, absence_days=None), None),
        ([Absence(2, day(16), None)], replace(RULES, absence_days=None), 15),
        ([Absence(3, day(3), day(5))], RULES, 15),
    ],
)
def test_days_on_which_one_is_away_do_not_count_for_the_deadline(
    absences: list[Absence], rules: LadderRules, expected: int | None
) -> None:
    due = last_day(challenge(2, 1), rules, absences)
    assert due == (None if expected is None else day(expected))


@pytest.mark.parametrize(
    ("steps", "code"),
    [
        ([Joined(NEW_YEAR, 1), Joined(NEW_YEAR, 1)], "on_ladder"),
        ([Left(NEW_YEAR, 1)], "not_on_ladder"),
        ([*ladder_of(2), Ended(NEW_YEAR, 1, 1)], "no_challenge"),
        ([*ladder_of(2), challenge(2, 1), CalledOff(day(1), 1), Ended(day(1), 1, 1)], "no_challenge"),
    ],
)
def test_replay_refuses_steps_that_cannot_follow(steps: list[Step], code: str) -> None:
    with refuses(LeagueError, code):
        replay(steps)


def next_step(
    ladder: LadderState, on: int, chance: Random, absences: list[Absence], number: int
) -> Step | None:
    """What may happen on a day, by chance; None where nothing does."""
    due = [each for each in ladder.open.values() if (last_day(each, RULES, absences) or day(999)) < day(on)]
    if due:
        return Ended(day(on), due[0].number, due[0].challenger, is_played=False)
    kind = chance.random()
    if kind < 0.05:
        return Joined(day(on), 100 + number)
    if kind < 0.08 and len(ladder.players) > 2:
        return Left(day(on), chance.choice(ladder.players))
    if kind < 0.1 and ladder.players:
        absences.append(Absence(chance.choice(ladder.players), day(on), day(on + chance.randrange(60))))
        return None
    if kind < 0.55 and ladder.open:
        ended = chance.choice(list(ladder.open.values()))
        return Ended(day(on), ended.number, chance.choice([ended.challenger, ended.challenged, None]))
    challenger = chance.choice(ladder.players)
    above = within_reach(ladder, RULES, absences, challenger=challenger, on=day(on))
    if not above:
        return None
    return Challenged(day(on), number, challenger, chance.choice(above), day(on + RULES.days_to_play))


@pytest.mark.parametrize("seed", range(6))
def test_year_of_play_keeps_the_promises_of_a_ladder(seed: int) -> None:
    chance = Random(seed)
    absences: list[Absence] = []
    steps = ladder_of(12)
    before = replay(steps)
    for on in range(365):
        step = next_step(before, on, chance, absences, number=len(steps))
        if step is None:
            continue
        steps.append(step)
        after = replay(steps)
        assert after.history[:-1] == before.history
        check_step(before, after, step)
        before = after
    results = [step for step in steps if isinstance(step, Ended)]
    assert len(results) > 50
    assert any(not result.is_played for result in results)


def check_step(before: LadderState, after: LadderState, step: Step) -> None:
    """Who moved, and nobody else: read off the two ladders, not from the moves that are told."""
    was, now = before.places, after.places
    assert len(set(after.players)) == len(after.players)
    assert sorted(now.values()) == list(range(1, len(now) + 1))
    others = {player: (was[player], now[player]) for player in was.keys() & now.keys()}
    match step:
        case Joined():
            assert (now[step.player], set(now) - set(was)) == (len(now), {step.player})
            assert all(old == new for old, new in others.values())
        case Left():
            assert set(was) - set(now) == {step.player}
            assert all(new == old - (old > was[step.player]) for old, new in others.values())
        case Challenged() | CalledOff():
            assert was == now
        case Ended():
            made = before.open[step.number]
            on_it = {made.challenger, made.challenged} <= set(was)
            loser = ({made.challenger, made.challenged} - {step.winner}).pop()
            if step.winner is None or not on_it or was[step.winner] < was[loser]:
                assert was == now
            else:
                assert now[step.winner] == was[loser]
                for player, (old, new) in others.items():
                    if player != step.winner:
                        assert new == old + (was[loser] <= old < was[step.winner])
    moved = {player: (was.get(player), now.get(player)) for player in was.keys() | now.keys()}
    told = {move.player: (move.before, move.after) for move in after.history[-1].moves}
    assert told == {player: places for player, places in moved.items() if places[0] != places[1]}


class Plain:
    """A ladder as a list of names that are moved about, for comparison with the replay."""

    def __init__(self) -> None:
        self.names: list[int] = []
        self.pairs: dict[int, tuple[int, int]] = {}

    def do(self, step: Step) -> None:
        match step:
            case Joined():
                self.names.append(step.player)
            case Left():
                self.names = [name for name in self.names if name != step.player]
            case Challenged():
                self.pairs[step.number] = (step.challenger, step.challenged)
            case CalledOff():
                del self.pairs[step.number]
            case Ended():
                self.end(self.pairs.pop(step.number), step.winner)

    def end(self, pair: tuple[int, int], winner: int | None) -> None:
        """The list without the winner, who is put in before the loser if he stood behind him."""
        loser = pair[0] if winner == pair[1] else pair[1]
        if winner is None or not {winner, loser} <= set(self.names):
            return
        if self.names.index(winner) < self.names.index(loser):
            return
        self.names.remove(winner)
        self.names.insert(self.names.index(loser), winner)


def any_step(names: Sequence[int], pairs: Mapping[int, tuple[int, int]], chance: Random, number: int) -> Step:
    """Something that may happen, whatever the rules of challenging say: challenges that cross, and twice."""
    kinds = [Joined] if len(names) < 3 else [Joined, Left, *[Challenged] * 6]
    kinds += [Ended, Ended, Ended, CalledOff] if pairs else []
    kind = chance.choice(kinds)
    if kind is Joined:
        return Joined(day(number), 1000 + number)
    if kind is Left:
        return Left(day(number), chance.choice(names))
    if kind is Challenged:
        one, other = chance.sample(list(names), 2)
        return Challenged(day(number), number, one, other, None)
    of = chance.choice(list(pairs))
    if kind is CalledOff:
        return CalledOff(day(number), of)
    return Ended(day(number), of, chance.choice([*pairs[of], None]), is_played=chance.random() < 0.8)


@pytest.mark.parametrize("seed", range(20))
def test_replay_is_the_same_as_moving_names_in_a_list(seed: int) -> None:
    chance = Random(seed)
    plain, steps = Plain(), ladder_of(chance.randrange(2, 9))
    for step in steps:
        plain.do(step)
    for number in range(1, 150):
        step = any_step(plain.names, plain.pairs, chance, number)
        plain.do(step)
        steps.append(step)
        ladder = replay(steps)
        assert list(ladder.players) == plain.names
        assert {
            each.number: (each.challenger, each.challenged) for each in ladder.open.values()
        } == plain.pairs


@pytest.mark.parametrize("seed", range(8))
def test_result_that_is_corrected_is_as_if_it_had_been_so_from_the_first(seed: int) -> None:
    """One old result is turned round and the rest follows over it; nobody is lost or there twice."""
    chance = Random(seed)
    plain, steps = Plain(), ladder_of(7)
    for step in steps:
        plain.do(step)
    for number in range(1, 80):
        steps.append(any_step(plain.names, plain.pairs, chance, number))
        plain.do(steps[-1])
    ended = [place for place, step in enumerate(steps) if isinstance(step, Ended) and step.winner]
    for place in chance.sample(ended, min(5, len(ended))):
        step = steps[place]
        assert isinstance(step, Ended)
        made = next(each for each in steps if isinstance(each, Challenged) and each.number == step.number)
        turned = made.challenged if step.winner == made.challenger else made.challenger
        corrected = [*steps[:place], replace(step, winner=turned), *steps[place + 1 :]]
        again = Plain()
        for each in corrected:
            again.do(each)
        assert list(replay(corrected).players) == again.names
        assert sorted(again.names) == sorted(plain.names)


def test_movement_counts_from_before_the_last_result_that_moved_anybody() -> None:
    steps: list[Step] = [*ladder_of(4), challenge(2, 1, number=1), challenge(4, 3, number=2)]
    assert replay(steps).places_before == {}
    # The second challenge ends first; then the first does, and then one that moves nobody.
    steps += [Ended(day(3), 2, winner=4), Ended(day(5), 1, winner=2)]
    assert replay(steps).players == (2, 1, 4, 3)
    assert replay(steps).places_before == {1: 1, 2: 2, 4: 3, 3: 4}
    steps += [challenge(3, 4, number=3, on=6), Ended(day(7), 3, winner=None), Joined(day(8), 5)]
    assert replay(steps).places_before == {1: 1, 2: 2, 4: 3, 3: 4}
