"""Random rules, sides and deals for the properties of the scorer."""

from typing import Any

from hypothesis import strategies as st

from scoring.core.hands import MARKS, BigGin, Dead, Gin, HandResult, Knock, Outcome, Points, hand_limit
from scoring.core.rules import CHOICES, RANGES, SWITCHES, ExtraBoxes, Rules
from scoring.core.sheets import VOID, Deal, SheetSide, TeamLine

UPCARDS = st.sampled_from([None, "AS", "AH", "3S", "3D", "7S", "KS", "QH"])


@st.composite
def rules(draw: st.DrawFn, /, **fixed: Any) -> Rules:
    """Rules of two-sided gin with any values of the knobs; targets low enough for sheets to end."""
    knobs: dict[str, Any] = {
        name: draw(st.integers(low, min(high, 60))) for name, (low, high) in RANGES.items()
    }
    knobs |= {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    knobs |= {name: draw(st.booleans()) for name in SWITCHES}
    knobs["kind"] = "gin"
    knobs["columns"] = 1 if fixed.get("deals") else fixed.get("columns", draw(st.integers(1, 4)))
    # A sheet that ends after a number of deals has one game.
    knobs["deals"] = draw(st.sampled_from([None, 1, 3, 8])) if knobs["columns"] == 1 else None
    knobs["target"] = draw(st.integers(1, 150))
    knobs["team_target"] = draw(st.integers(1, 200))
    knobs["big_gin_bonus"] = draw(st.none() | st.integers(0, 60))
    boxes = st.integers(0, 3)
    knobs["extra_boxes"] = ExtraBoxes(
        gin=draw(boxes), big_gin=draw(boxes), undercut=draw(boxes), gin_off=draw(boxes)
    )
    if knobs["oklahoma"] != "off" or knobs["spades_double"]:
        knobs["deal"] = "upcard"
    return Rules(**{**knobs, **fixed})


def sides(size: int) -> tuple[SheetSide, SheetSide]:
    """Two sides of that many players; single players stand for themselves."""
    if size == 1:
        return SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",))
    return (
        SheetSide("We", tuple(f"W{number}" for number in range(size))),
        SheetSide("They", tuple(f"T{number}" for number in range(size))),
    )


@st.composite
def hands(draw: st.DrawFn, by: Rules, left: str, right: str) -> HandResult:
    """A hand the rules allow between two players."""
    winner, loser = draw(st.sampled_from([(left, right), (right, left)]))
    upcard = draw(UPCARDS)
    kind = draw(st.sampled_from(["knock", "knock", "knock", "gin", "big_gin", "points", "points", "dead"]))
    count = draw(st.integers(0, 60))
    if kind == "knock":
        return Knock(winner, loser, draw(st.integers(0, hand_limit(by, upcard))), count, upcard)
    if kind == "gin" or (kind == "big_gin" and by.big_gin_bonus is None):
        return Gin(winner, loser, count, upcard)
    if kind == "big_gin":
        return BigGin(winner, loser, count, upcard)
    if kind == "dead":
        return Dead((winner, loser), upcard)
    marks = [None, *(mark for mark in MARKS if mark is not Outcome.BIG_GIN or by.big_gin_bonus is not None)]
    return Points(winner, loser, count, draw(st.sampled_from(marks)), upcard)


@st.composite
def deals(draw: st.DrawFn, by: Rules, pair: tuple[SheetSide, SheetSide]) -> Deal:
    """A deal of these sides: a hand per table, seldom voided, or a team's line."""
    first, second = pair
    sort = draw(st.integers(0, 19))
    if sort == 0:
        return VOID
    if len(first.players) > 1 and sort < 4:
        winner = draw(st.sampled_from([first.name, second.name]))
        return Deal(line=TeamLine(winner, draw(st.integers(0, 80)), draw(st.integers(1, 4))))
    opponents = draw(st.permutations(second.players)) if len(first.players) > 1 else second.players
    return Deal(
        tuple(draw(hands(by, left, right)) for left, right in zip(first.players, opponents, strict=True))
    )


@st.composite
def sheets(
    draw: st.DrawFn, /, most: int = 25, sizes: tuple[int, ...] = (1, 1, 2, 3), **fixed: Any
) -> tuple[Rules, tuple[SheetSide, SheetSide], list[Deal]]:
    """Rules, sides and deals; the deals may go on after the end of the sheet."""
    by = draw(rules(**fixed))
    pair = sides(draw(st.sampled_from(sizes)))
    count = draw(st.integers(0, most))  # lists of free length would mostly be short
    return by, pair, draw(st.lists(deals(by, pair), min_size=count, max_size=count))


WORDS = """
    rules sides deals stopped surplus preset standard columns target name players hands line kind knock gin
    big_gin points dead knocker defender knocker_deadwood defender_deadwood winner loser mark upcard boxes
    undercut keep refuse extra_boxes Ann Bob AS 10♦
"""


def json_documents() -> st.SearchStrategy[Any]:
    """Anything JSON can say, with the words of the contract thrown in to get past the first door."""
    text = st.sampled_from(WORDS.split()) | st.text(max_size=5)
    scalars = st.none() | st.booleans() | st.integers() | st.floats() | text
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=6),
        max_leaves=20,
    )
