"""Lists of packs: written and read, and what is none."""

import pytest

from games.errors import GameError
from games.gin.cards import cards_of
from games.gin.hand import HandState, shuffled
from games.tables.pack_lists import parts_of, read_pack_list, write_pack_list
from scoring.core.rules import Rules
from tests.refusals import refuses

PACKS = [shuffled(number) for number in (1, 2, 3)]
LISTED = write_pack_list(PACKS)


def test_a_list_has_the_cards_where_a_hand_has_them() -> None:
    parts = parts_of(PACKS[0])
    hand = HandState(Rules.preset("online"), PACKS[0], dealer=0, players=("Ann", "Bob"))
    assert set(parts.dealer) == set(cards_of(hand.view(0).mask))
    assert set(parts.non_dealer) == set(cards_of(hand.view(1).mask))
    assert [parts.upcard] == list(hand.view(0).pile)


def test_what_is_written_is_read() -> None:
    assert read_pack_list(LISTED, count=3) == PACKS
    head, *lines = LISTED.splitlines()
    assert read_pack_list("\r\n".join([head, *reversed(lines)]), count=3) == PACKS


FIRST = LISTED.splitlines()[1]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "wrong_list"),
        ("pack,cards\n1,AS", "wrong_list"),
        (LISTED + FIRST, "wrong_list"),
        (LISTED.replace(FIRST, ""), "wrong_list"),
        (LISTED.replace("\n1,", "\n1,AS "), "wrong_list"),
        (LISTED.replace(FIRST, FIRST.rsplit(" ", 1)[0]), "wrong_list"),
        (LISTED.replace(FIRST, FIRST[:-2] + "XX"), "unknown_card"),
        (LISTED.replace(FIRST, FIRST + ",7H"), "wrong_list"),
        (LISTED.replace(FIRST, "1,AS"), "wrong_list"),
        (LISTED + " " * 100_000, "wrong_list"),
    ],
)
def test_what_is_no_list_is_refused(text: str, code: str) -> None:
    with refuses(GameError, code):
        read_pack_list(text, count=3)
