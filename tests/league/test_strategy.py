"""Advice on strategy: each position can be played, and `expert` finds the better choice better."""

from math import sqrt
from statistics import fmean, stdev

import pytest

from games.bots.rehearsal import Rehearsal
from games.gin.cards import Hand
from league.learn.positions import POSITIONS, Position
from league.learn.strategy import CHAPTERS

# How often a choice is played out, by so many players who guess independently of each other.
SHORT, LONG = (5, 1200), (24, 4800)


def test_every_position_has_its_place_and_only_one() -> None:
    used = [advice.position.key for chapter in CHAPTERS for advice in chapter.advice]
    assert sorted(used) == sorted(POSITIONS)


@pytest.mark.parametrize("position", POSITIONS.values(), ids=lambda position: position.key)
def test_a_position_is_a_hand_that_can_be_played(position: Position) -> None:
    view = position.view
    assert position.choice in view.legal
    assert position.rival in view.legal
    assert len(Hand(view.mask)) == (11 if view.after else 10)
    assert position.laid.size == len(Hand(view.mask))
    # What is shown beside the hand is not in it, and is seen by the player who chooses.
    shown = {*position.thrown, *position.taken} - {None}
    assert not shown & set(Hand(view.mask))
    assert not shown & set(view.unseen)
    assert position.fresh is None or position.fresh in Hand(view.mask)


@pytest.mark.dear("plays both choices of every position out some thousand times")
def test_expert_finds_the_better_choice_better(*, long: bool) -> None:
    """By more than three times the error of the difference, and by as much as the page says."""
    wrong = []
    for position in POSITIONS.values():
        ahead, error = _ahead(position, *(LONG if long else SHORT))
        if ahead <= 3 * error or abs(ahead - position.gain) > 4 * error + 1:
            wrong.append(f"{position.key}: {ahead:.1f} ± {error:.1f}, not {position.gain}")
    assert wrong == []


def _ahead(position: Position, players: int, samples: int) -> tuple[float, float]:
    """How many more of a thousand games the better choice wins, and the error of that."""
    found = []
    for seed in range(players):
        weighed = Rehearsal(samples, seed).weigh(
            position.view, position.game, [position.choice, position.rival]
        )
        value = {estimate.action: estimate.value for estimate in weighed}
        found.append(1000 * (value[position.choice] - value[position.rival]))
    return fmean(found), stdev(found) / sqrt(players)
