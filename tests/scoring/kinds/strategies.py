"""Random sheets of the kinds of game, as JSON, for the properties of the scorer.

Hypothesis chooses a seed, and the sheet follows from it: of so many choices it would make too few different
ones in a short run.
"""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st

from scoring.core.hands import MARKS
from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import Rules
from tests.scoring.kinds import slow

Sheet = dict[str, Any]
Hand = dict[str, Any]
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
KINDS = ("cutthroat", "captains", "jersey", "basic_rummy")
SEATS = {"cutthroat": (3, 4), "captains": (3, 6), "jersey": (3, 3), "basic_rummy": (2, 6)}
UPCARDS = (None, None, "AS", "AH", "3S", "7D", "KS")
# What the cards of a hand count at most, by players.
MOST_LEFT = {2: 100, 3: 70, 4: 70, 5: 60, 6: 60}


@st.composite
def sheets(draw: st.DrawFn, kind: str, /, most: int = 14, **fixed: Any) -> Sheet:
    """A sheet whose deals are played by whose turn it is; they may go on after its end."""
    return sheet_of(Random(draw(st.integers(0, 2**64 - 1))), kind, most, fixed)


def sheet_of(random: Random, kind: str, most: int, fixed: dict[str, Any]) -> Sheet:
    document = rules_of(random, kind, fixed)
    rules = Rules.from_document(document)
    seats = random.randint(*SEATS[kind])
    sides: list[dict[str, Any]] = [{"name": name} for name in NAMES[:seats]]
    count = random.randint(0, most)
    for seat in random.sample(range(seats), 2):
        if count > 1 and random.random() < 0.3:
            from_deal = random.randint(2, count)
            one = {"player": f"Sub{seat}", "replaces": NAMES[seat], "from_deal": from_deal}
            sides[seat]["substitutes"] = [one]
    table = slow.FIRST[kind](rules, seats)
    deals: list[Any] = []
    for number in range(1, count + 1):
        if random.random() < 0.06:
            deals.append(None)
            continue
        playing = sorted(table.playing)
        players = [seated(sides[seat], number) for seat in playing]
        hand = HANDS[kind](random, rules, players)
        deals.append({"hands": [hand]})
        made = slow.MADE[kind](rules, hand)
        if made.wins or made.off:
            winner = playing[players.index(made.wins[0][0])] if made.wins else None
            table = slow.NEXT[kind](rules, table, winner)
    return {"rules": document, "sides": sides, "deals": deals, "surplus": "keep"}


def rules_of(random: Random, kind: str, fixed: dict[str, Any]) -> dict[str, Any]:
    """Rules with any values of the knobs that count; targets low enough for sheets to end."""

    def bonus() -> int:
        return random.choice([0, random.randint(0, 40)])

    own = OWN_KNOBS[kind]
    knobs: dict[str, Any] = {}
    for name in own().to_document():
        if name in own.RANGES:
            knobs[name] = random.randint(*own.RANGES[name])
        else:
            knobs[name] = random.choice(own.CHOICES.get(name, (False, True)))
    if kind == "captains":
        knobs["box_held"] = "hand"
    if kind == "basic_rummy":
        knobs["floating"] = knobs["floating"] and knobs["last_discard"]
        if knobs["ace"] == "low":
            knobs["ace_points"] = 1
    return {
        "kind": kind,
        "target": random.randint(1, 200),
        "deals": random.choice([None, None, random.randint(1, 8)]),
        "knock_limit": random.randint(0, 20),
        "oklahoma": random.choice(["off", "off", "ace_is_one", "ace_is_gin"]),
        "spades_double": random.random() < 0.5,
        "spades_double_boxes": random.choice(["none", "extra", "all"]),
        "gin_bonus": bonus(),
        "big_gin_bonus": random.choice([None, bonus()]),
        "undercut_bonus": bonus(),
        "undercut_on_tie": random.random() < 0.5,
        "undercut_penalty": random.choice(["none", "bonus", "all"]),
        "zero_knock": random.choice(["knock", "gin"]),
        "extra_boxes": {name: random.randint(0, 2) for name in ("gin", "big_gin", "undercut", "gin_off")},
        "box_bonus": bonus(),
        "box_credit": random.choice(["at_end", "at_once"]),
        "game_bonus": random.randint(0, 100),
        "shutout": random.choice(["none", "double_game_bonus", "double_points", "double_total", "flat"]),
        "shutout_amount": bonus(),
        "double_if_loser_boxless": random.random() < 0.5,
        "first_dealer": random.choice(["high", "low"]),
        "next_dealer": random.choice(["loser", "winner", "alternate"]),
        **fixed,
        kind: {**knobs, **fixed.get(kind, {})},
    }


def seated(side: dict[str, Any], number: int) -> str:
    """Who sits on this side at this deal."""
    came = [one["player"] for one in side.get("substitutes", []) if one["from_deal"] <= number]
    return str([side["name"], *came][-1])


def limit(rules: Rules, upcard: str | None) -> int:
    """The most that a legal knock may have."""
    if rules.oklahoma == "off" or upcard is None:
        return rules.knock_limit
    ace = 0 if rules.oklahoma == "ace_is_gin" else 1
    return min(rules.knock_limit, {"A": ace, "3": 3, "7": 7, "K": 10}[upcard[0]])


def mark(random: Random, rules: Rules) -> dict[str, str]:
    """A mark that the rules play, or none."""
    played = [str(one) for one in MARKS if one != "big_gin" or rules.big_gin_bonus is not None]
    return {"mark": random.choice(played)} if random.random() < 0.7 else {}


def upcard_of(random: Random) -> dict[str, str]:
    upcard = random.choice(UPCARDS)
    return {} if upcard is None else {"upcard": upcard}


def hand_of_two(random: Random, rules: Rules, players: list[str]) -> Hand:
    one, other = random.sample(players, 2)
    kind = random.choice(["knock", "knock", "knock", "gin", "big_gin", "points", "points", "dead"])
    if kind == "big_gin" and rules.big_gin_bonus is None:
        kind = "gin"
    upcard = upcard_of(random)
    if kind == "dead":
        return {"kind": kind, "knocker": one, "defender": other, **upcard}
    if kind == "points":
        points = random.choice([0, random.randint(0, 60)])
        return {
            "kind": kind,
            "winner": one,
            "loser": other,
            "points": points,
            **mark(random, rules),
            **upcard,
        }
    hand: Hand = {"kind": kind, "knocker": one, "defender": other, **upcard}
    k = random.randint(0, limit(rules, upcard.get("upcard")))
    hand["defender_deadwood"] = count_near(random, k)
    return {**hand, "knocker_deadwood": k} if kind == "knock" else hand


def count_near(random: Random, k: int) -> int:
    """A count, often one that just undercuts, ties, or loses."""
    return random.choice([0, k, max(k - 1, 0), k + 1, random.randint(0, 98), random.randint(0, 98)])


def hand_of_jersey(random: Random, rules: Rules, players: list[str]) -> Hand:
    kind = random.choice(["knock", "knock", "knock", "knock", "gin", "big_gin", "points", "dead"])
    if kind == "big_gin" and rules.big_gin_bonus is None:
        kind = "gin"
    upcard = upcard_of(random)
    if kind == "dead":
        return {"kind": kind, **upcard}
    at = random.randrange(3)
    first, second, third = players[at:] + players[:at]
    if kind == "points":
        return {**points_of_jersey(random, rules, first, second, third), **upcard}
    k = random.randint(0, limit(rules, upcard.get("upcard")))
    others = {second: count_near(random, k), third: count_near(random, k)}
    if random.random() < 0.2:
        others[third] = others[second]
    hand: Hand = {"kind": kind, "knocker": first, "others": others, **upcard}
    return {**hand, "knocker_deadwood": k} if kind == "knock" else hand


def points_of_jersey(random: Random, rules: Rules, first: str, second: str, third: str) -> Hand:
    def points(*players: str) -> dict[str, int]:
        return {player: random.randint(0, 60) for player in players}

    hand: Hand = {"kind": "points", **mark(random, rules)}
    knocker = first
    match random.choice(["one", "one", "level", "chain"]):
        case "one":
            hand |= {"winner": first, "from": points(second, third)}
            knocker = random.choice([second, third])
        case "chain" if slow.knob(rules, "undercut") == "each":
            hand["gains"] = [
                {"winner": second, "from": points(first)},
                {"winner": first, "from": points(third)},
            ]
        case _:
            hand["gains"] = [
                {"winner": second, "from": points(first)},
                {"winner": third, "from": points(first)},
            ]
    if rules.undercut_penalty != "none" and random.random() < 0.5:
        hand["penalties"] = points(knocker)
    return hand


def hand_of_rummy(random: Random, rules: Rules, players: list[str]) -> Hand:
    kind = random.choice(["out", "out", "blocked", "blocked", "dead"])
    if kind == "dead":
        return {"kind": "dead"}
    least = 0 if slow.knob(rules, "floating") else 1 if slow.knob(rules, "ace_points") == 1 else 2

    def left(*players_: str) -> dict[str, int]:
        most = random.choice([4, MOST_LEFT[len(players)]])
        return {player: random.randint(least, most) for player in players_}

    if kind == "blocked":
        return {"kind": kind, "left": left(*players)}
    at = random.randrange(len(players))
    winner, *others = players[at:] + players[:at]
    hand: Hand = {"kind": kind, "winner": winner, "left": left(*others)}
    return {**hand, "rummy": True} if random.random() < 0.4 else hand


HANDS: dict[str, Callable[[Random, Rules, list[str]], Hand]] = {
    "cutthroat": hand_of_two,
    "captains": hand_of_two,
    "jersey": hand_of_jersey,
    "basic_rummy": hand_of_rummy,
}
