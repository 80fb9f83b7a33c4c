"""How long a sheet is where that is not as its house rules say."""

import pytest

from scoring.core.errors import RulesError
from scoring.core.lengths import AS_RULES_SAY, Length, length_of, usual_lengths
from scoring.core.rules import Rules
from scoring.words.rules_words import length_words
from tests.refusals import refuses

HUNDRED = Rules()
EIGHT_DEALS = Rules(deals=8)
JERSEY = Rules.preset("jersey")


@pytest.mark.parametrize(
    ("rules", "size", "length", "short", "words"),
    [
        (HUNDRED, 1, Length(target=50), "50", "one game to 50"),
        (HUNDRED, 1, Length(columns=3), "3x", "three games to 100"),
        (HUNDRED, 1, Length(target=150, columns=3), "3x150", "three games to 150"),
        (HUNDRED, 2, Length(columns=3), "3x", "three games to 125"),
        (HUNDRED, 2, Length(target=100), "100", "one game to 100"),
        (Rules(columns=3), 1, Length(target=100, columns=1), "1x", "one game to 100"),
        (EIGHT_DEALS, 1, Length(deals=1), "1d", "1 deal"),
        (JERSEY, 1, Length(target=100, columns=1), "100", "one game to 100"),
    ],
)
def test_a_length_changes_what_the_rules_say_otherwise_and_nothing_else(
    rules: Rules, size: int, length: Length, short: str, words: str
) -> None:
    played = length.of(rules, size)
    assert length_words(played, team_size=size) == words
    assert str(length.beside(rules, size)) == short
    lengths = {"target", "team_target", "columns", "deals"}
    before, after = rules.to_document(), played.to_document()
    assert {knob for knob in before if before[knob] != after[knob]} <= lengths


@pytest.mark.parametrize("rules", [HUNDRED, Rules(columns=3), Rules(target=7), EIGHT_DEALS, JERSEY])
@pytest.mark.parametrize("size", [1, 2])
def test_what_the_rules_say_themselves_leaves_them_as_they_are(rules: Rules, size: int) -> None:
    for length in (AS_RULES_SAY, length_of(rules, size)):
        assert length.of(rules, size) == rules
        assert str(length.beside(rules, size)) == ""


@pytest.mark.parametrize(
    ("rules", "length", "code"),
    [
        (HUNDRED, Length(deals=8), "conflicting_knobs"),
        (EIGHT_DEALS, Length(target=50), "conflicting_knobs"),
        (EIGHT_DEALS, Length(columns=1), "conflicting_knobs"),
        (JERSEY, Length(columns=3), "conflicting_knobs"),
        (HUNDRED, Length(target=0), "out_of_range"),
        (HUNDRED, Length(target=10_001), "out_of_range"),
        (HUNDRED, Length(columns=13), "out_of_range"),
        (EIGHT_DEALS, Length(deals=501), "out_of_range"),
    ],
)
def test_what_these_rules_cannot_say_is_refused(rules: Rules, length: Length, code: str) -> None:
    with refuses(RulesError, code, field="length"):
        length.of(rules, 1)


@pytest.mark.parametrize(
    ("rules", "size", "expected"),
    [
        (HUNDRED, 1, "1x50 1x100 1x150 3x50 3x100 3x150"),
        (HUNDRED, 2, "1x50 1x125 1x200 3x50 3x125 3x200"),
        (Rules(target=10, columns=2), 1, "1x5 1x10 1x15 3x5 3x10 3x15 2x10"),
        (Rules(target=1), 1, "1x1 3x1"),
        (Rules(target=10_000), 1, "1x5000 1x10000 3x5000 3x10000"),
        (JERSEY, 1, "1x100 1x200 1x300"),
        (EIGHT_DEALS, 1, "1d 5d 8d 10d 20d"),
    ],
)
def test_a_few_usual_lengths_are_offered_and_all_can_be_played(
    rules: Rules, size: int, expected: str
) -> None:
    found = usual_lengths(rules, size)
    assert " ".join(map(str, found)) == expected
    for length in found:
        assert length_of(length.of(rules, size), size) == length
