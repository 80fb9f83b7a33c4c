"""The policy by which `expert` plays hands out: tuned on some packs, and ahead on others."""

import json
from io import StringIO
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import CommandError, call_command

from games.arena.tuning import START, ahead, points_by_part, to_document, tune
from games.bots.kernel import kernel
from games.bots.kernel_policy import LAST_TURN, LIMITS, LOWERS, knocks_with
from games.bots.policies import OWN_POLICY, PLAYOUTS_PLACE, policy
from games.gin.cards import Hand

# Not that of the policy in force.
SEED = 77


@pytest.fixture
def compiled() -> SimpleNamespace:
    return kernel(compiled=True)


def limit(block: list[int], turn: int, taken: str = "") -> int:
    return knocks_with(block, 0, turn, Hand.parse(taken).mask)


def test_limits_are_by_turns_and_by_what_the_opponent_took() -> None:
    block = policy(knocks_with=[[10, 8, 5], [7, 0]], takes=LOWERS)
    assert [limit(block, turn) for turn in (0, 1, 2, 3, LAST_TURN, LAST_TURN + 9)] == [10, 8, 5, 5, 5, 5]
    for taken in ("7H", "7H 8H", "7H 8H 9H KC"):
        assert [limit(block, turn, taken) for turn in (0, 1, LAST_TURN + 1)] == [7, 0, 0]


def test_policy_in_force_is_careful_of_who_took_cards() -> None:
    """It never knocks with more after he took more, nor in a later turn; and at first with ten."""
    rows = [
        [limit(OWN_POLICY, turn, taken) for turn in range(LAST_TURN + 1)] for taken in ("", "7H", "7H 8H")
    ]
    assert rows[0][0] == 10
    for row in rows:
        assert row == sorted(row, reverse=True)
    for fewer, more in pairwise(rows):
        assert all(one >= other for one, other in zip(fewer, more, strict=True))
        assert fewer != more


@pytest.mark.dear("plays a hundred thousand hands")
def test_policy_in_force_is_ahead_on_other_packs(compiled: SimpleNamespace) -> None:
    """Of the one that it began with, of one that knocks as soon as it can, and of one that never does."""
    tuned = points_by_part(compiled, OWN_POLICY, 12_000, SEED)
    for other in (START, _with_limits([[10]]), _with_limits([[0]])):
        points, error = ahead(tuned, points_by_part(compiled, other, 12_000, SEED))
        assert points > 2 * error


@pytest.mark.dear("tunes, though by few hands")
def test_equal_seeds_find_the_same_and_it_is_ahead(compiled: SimpleNamespace) -> None:
    """From one that knocks as soon as it can, on packs that it was not tuned with."""
    rash = _with_limits([[10]])
    found = tune(compiled, 300, SEED, start=rash)
    assert found == tune(compiled, 300, SEED, start=rash)
    points, error = ahead(*[points_by_part(compiled, block, 3_000, SEED + 1) for block in (found, rash)])
    assert points > 3 * error


@pytest.mark.long
def test_numbers_in_force_are_those_of_their_seed(compiled: SimpleNamespace) -> None:
    document = json.loads(PLAYOUTS_PLACE.read_text(encoding="utf-8"))
    hands, seed = document["hands"], document["seed"]
    assert to_document(tune(compiled, hands, seed), hands=hands, seed=seed) == document


def test_a_document_is_read_as_it_was_written() -> None:
    block = policy(
        knocks_with=[[10, 6], [3, 0], [0]], takes=LOWERS, gain=5, left=12, value=1, wanted=4, outs=7
    )
    assert policy(**to_document(block, hands=60, seed=1)["policy"]) == block


def test_command_prints_what_is_ahead_and_writes_if_asked(
    compiled: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.management.commands import bots

    place = tmp_path / "playouts.json"
    monkeypatch.setattr(bots, "PLAYOUTS_PLACE", place)
    lines = tuned("--hands", "60", "--seed", "5").splitlines()
    assert [line.split()[0] for line in lines[2:-1]] == [
        "simple",
        "taker",
        "rash",
        "steady",
        "hunter",
        "careful",
    ]
    assert lines[-1].startswith("Tuned is ahead of what is in force by ")
    assert not place.exists()
    tuned("--hands", "60", "--seed", "5", "--write")
    assert json.loads(place.read_text()) == to_document(tune(compiled, 60, 5), hands=60, seed=5)


@pytest.mark.parametrize("hands", ["59", "1000001"])
def test_command_refuses_numbers_of_hands(hands: str) -> None:
    with pytest.raises(CommandError, match="from 60 to 1000000"):
        tuned("--hands", hands)


def tuned(*words: str) -> str:
    out = StringIO()
    call_command("bots", "tune", *words, stdout=out)
    return out.getvalue()


def _with_limits(knocks: list[list[int]]) -> list[int]:
    """The policy in force but for its limits."""
    return [*policy(knocks_with=knocks, takes=LOWERS)[:LIMITS], *OWN_POLICY[LIMITS:]]
