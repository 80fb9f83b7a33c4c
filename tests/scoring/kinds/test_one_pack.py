"""Partners with one pack (RULES §8): scored as teams of two, with one pack in force."""

from typing import Any

from scoring.documents.sheets import score_document
from tests.scoring.kinds.paper import figures, lines

SIDES = [{"name": "We", "players": ["Ann", "Cid"]}, {"name": "They", "players": ["Bob", "Dee"]}]


def sheet(*hands: dict[str, Any], **knobs: Any) -> dict[str, Any]:
    return score_document(
        {
            "rules": {"preset": "partners_one_pack", **knobs},
            "sides": SIDES,
            "deals": [{"hands": list(hands)}],
            "stopped": True,
        }
    )


def won(winner: str, loser: str, points: int) -> dict[str, Any]:
    return {"kind": "points", "winner": winner, "loser": loser, "points": points}


def test_examples_of_the_rules() -> None:
    # a wins 12, d wins 10: 2 for a and c, one box.
    answer = sheet(won("Ann", "Bob", 12), won("Dee", "Cid", 10))
    assert lines(answer) == [[("w", 2, 1)]]
    assert figures(answer, "net") == (27, -27)
    # a wins 16, the other game is dead and is not replayed.
    dead = {"kind": "dead", "knocker": "Cid", "defender": "Dee"}
    assert lines(sheet(won("Ann", "Bob", 16), dead)) == [[("w", 16, 1)]]


def test_one_pack_and_the_target_of_teams_are_in_force() -> None:
    answer = sheet(won("Ann", "Bob", 12), won("Dee", "Cid", 10), packs="per_table")
    assert (answer["rules"]["packs"], answer["rules"]["target"]) == ("shared", 125)
    assert "next" not in answer
