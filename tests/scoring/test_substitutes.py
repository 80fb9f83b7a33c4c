"""Substitutes in the core: who sits at which deal, how it is written, and whose share of the net is whose."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.errors import ScoringError
from scoring.core.hands import Points
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, Substitute, score_sheet
from scoring.documents.player_records import shares_of_net, tallies_of
from scoring.documents.sheets import DealReader, read_deals, score_document, state_of_document
from scoring.documents.sides import read_sides
from scoring.paper.layout import sheet_table
from scoring.typing.notation import read_rows, write_row
from scoring.typing.rows import seat_pairing, team_pairing
from tests.factories import won
from tests.refusals import refuses

# Xid takes over Ann's seat with deal 3, Yve his with deal 5.
ANN = SheetSide("Ann", ("Ann",), (Substitute("Xid", "Ann", 3), Substitute("Yve", "Xid", 5)))
BOB = SheetSide("Bob", ("Bob",))
WE = SheetSide("We", ("Ann", "Cid"), (Substitute("Xid", "Cid", 2),))
THEY = SheetSide("They", ("Bob", "Dee"))


def side(*substitutes: tuple[str, str, int], players: tuple[str, ...] = ("Ann", "Cid")) -> dict[str, Any]:
    return {
        "name": "We",
        "players": list(players),
        "substitutes": [
            {"player": player, "replaces": replaces, "from_deal": number}
            for player, replaces, number in substitutes
        ],
    }


OTHERS = {"name": "They", "players": ["Bob", "Dee"]}


def test_seats_pass_on_at_their_deals() -> None:
    assert [ANN.seated(number) for number in (1, 2, 3, 4, 5, 99)] == [
        ("Ann",),
        ("Ann",),
        ("Xid",),
        ("Xid",),
        ("Yve",),
        ("Yve",),
    ]
    assert ANN.everyone == ("Ann", "Xid", "Yve")
    assert dict(ANN.seat_of) == {"Ann": 0, "Xid": 0, "Yve": 0}
    assert (WE.seated(1), WE.seated(2)) == (("Ann", "Cid"), ("Ann", "Xid"))


def test_sides_are_read_with_substitutes_in_order_of_their_deals() -> None:
    first, second = read_sides([side(("Yve", "Xid", 5), ("Xid", "Cid", 3)), OTHERS], Rules())
    assert first.substitutes == (Substitute("Xid", "Cid", 3), Substitute("Yve", "Xid", 5))
    assert second.substitutes == ()


@pytest.mark.parametrize(
    ("first", "code", "field"),
    [
        (side(("Xid", "Cyd", 3)), "unknown_player", "sides[0].substitutes"),
        (side(("Xid", "Bob", 3)), "unknown_player", "sides[0].substitutes"),
        (side(("Xid", "Cid", 3), ("Yve", "Cid", 4)), "unknown_player", "sides[0].substitutes"),
        (side(("Xid", "Cid", 3), ("Yve", "Xid", 3)), "out_of_range", "sides[0].substitutes"),
        (side(("Xid", "Cid", 1)), "out_of_range", "sides[0].substitutes[0].from_deal"),
        (side(("Xid", "Cid", 501)), "out_of_range", "sides[0].substitutes[0].from_deal"),
        (side(("Ann", "Cid", 3)), "duplicate_name", "sides"),
        (side(("Bob", "Cid", 3)), "duplicate_name", "sides"),
        (side(("", "Cid", 3)), "missing_field", "sides[0].substitutes[0].player"),
        ({**side(), "substitutes": {}}, "wrong_type", "sides[0].substitutes"),
        ({**side(), "substitutes": ["Xid"]}, "wrong_type", "sides[0].substitutes[0]"),
        ({**side(), "substitutes": [{"who": "Xid"}]}, "unknown_field", "sides[0].substitutes[0].who"),
        (
            {**side(), "substitutes": [{"player": "Xid", "replaces": "Cid", "from_deal": "3"}]},
            "wrong_type",
            "sides[0].substitutes[0].from_deal",
        ),
        (side(*((f"S{n}", f"S{n - 1}" if n else "Cid", n + 2) for n in range(25))), "out_of_range", None),
    ],
)
def test_sides_refuse_substitutes_who_cannot_sit(first: dict[str, Any], code: str, field: str | None) -> None:
    with refuses(ScoringError, code) as refusal:
        read_sides([first, OTHERS], Rules())
    assert field is None or refusal.value.field == field


def test_hand_names_who_sits_at_its_deal() -> None:
    reader = DealReader((ANN, BOB), Rules())
    hand = {"kind": "points", "winner": "Ann", "points": 5}
    assert reader.read({"hands": [hand]}, 2).hands == (Points("Ann", "Bob", 5),)
    assert reader.read({"hands": [{**hand, "winner": "Bob"}]}, 4).hands == (Points("Bob", "Xid", 5),)
    for number, name in ((3, "Ann"), (2, "Xid"), (5, "Xid"), (4, "Yve")):
        with refuses(ScoringError, "not_seated", deal=number, hand=1):
            reader.read({"hands": [{**hand, "winner": name}]}, number)
    # An earlier version of a deal may name who was replaced since.
    kept = DealReader((ANN, BOB), Rules(), anyone=True)
    assert kept.read({"hands": [{**hand, "loser": "Bob"}]}, 3).hands == (Points("Ann", "Bob", 5),)


def test_sheet_with_a_substitute_is_scored_as_one_side() -> None:
    document = {
        "rules": {"preset": "standard"},
        "sides": [
            {"name": "Ann", "substitutes": [{"player": "Xid", "replaces": "Ann", "from_deal": 2}]},
            {"name": "Bob"},
        ],
        "deals": [
            {"hands": [{"kind": "points", "winner": "Ann", "points": 60}]},
            {"hands": [{"kind": "points", "winner": "Xid", "points": 50}]},
        ],
    }
    answer = score_document(document)
    # 110 points, two boxes, the game and its shutout.
    assert answer["net"] == {"Ann": 110 + 50 + 100 + 100, "Bob": -360}
    assert [deal["hands"][0]["winner"] for deal in answer["deals"]] == ["Ann", "Xid"]


def test_pairing_of_a_deal_has_the_substitute_in_the_seat() -> None:
    assert team_pairing(1, (WE, THEY)) == (("Ann", "Bob"), ("Cid", "Dee"))
    assert team_pairing(2, (WE, THEY)) == (("Ann", "Dee"), ("Xid", "Bob"))


@pytest.mark.parametrize("size", range(1, 13))
def test_every_seat_meets_every_other_once_in_as_many_deals(size: int) -> None:
    met = [pair for number in range(1, size + 1) for pair in seat_pairing(number, size)]
    assert sorted(met) == [(one, other) for one in range(size) for other in range(size)]
    assert seat_pairing(size + 1, size) == seat_pairing(1, size)


def test_rows_are_read_with_whoever_sits_there() -> None:
    rules = Rules.preset("standard")
    rows = [["a12", "b5"], ["a7", "a9"], ["2v2 a3", "b4"], ["ld"]]
    typed = read_rows(rows, rules=rules, sides=(WE, THEY))
    assert not typed.errors
    assert not any(row.warnings for row in typed.rows)
    assert [row.deal.hands if row.deal else () for row in typed.rows[:3]] == [
        (Points("Ann", "Bob", 12), Points("Dee", "Cid", 5)),
        (Points("Ann", "Dee", 7), Points("Xid", "Bob", 9)),
        (Points("Xid", "Dee", 3), Points("Bob", "Ann", 4)),
    ]
    again = [
        list(write_row(deal, number, rules=rules, sides=(WE, THEY)))
        for number, deal in enumerate(typed.deals, start=1)
    ]
    assert read_rows(again, rules=rules, sides=(WE, THEY)).deals == typed.deals
    assert again[:2] == rows[:2]


def test_single_players_rows_are_written_without_seats() -> None:
    rules = Rules.preset("standard")
    typed = read_rows([["a1"], ["b2"], ["a3"], ["d"], ["a5"]], rules=rules, sides=(ANN, BOB))
    assert [
        write_row(deal, number, rules=rules, sides=(ANN, BOB))
        for number, deal in enumerate(typed.deals, start=1)
    ] == [("a1",), ("b2",), ("a3",), ("d",), ("a5",)]
    # What an earlier version said of deal 3, before Xid came.
    assert write_row(won("Ann", "Bob", 3), 3, rules=rules, sides=(ANN, BOB)) == ("a3",)
    assert [str(row.echo).split(":")[0] for row in typed.rows] == [
        "Ann 1",
        "Bob 2",
        "Xid 3",
        "dead hand",
        "Yve 5",
    ]


def test_table_says_who_comes_at_which_deal() -> None:
    state = score_sheet(
        Rules.preset("standard"),
        (ANN, BOB),
        [won("Ann", "Bob", 1), won("Bob", "Ann", 1), won("Xid", "Bob", 1)],
    )
    table = sheet_table(state)
    assert table.substitutes == ANN.substitutes
    assert [row.arrivals for row in table.rows] == [(), (), (ANN.substitutes[0],)]
    assert table.rows[2].hands[0].side == 0


def test_shares_of_the_net_follow_the_sheet_stopped_before_each_change() -> None:
    deals = [
        won("Ann", "Bob", 30),
        won("Bob", "Ann", 10),
        won("Bob", "Xid", 60),
        won("Xid", "Bob", 20),
        won("Yve", "Bob", 60),
    ]
    state = score_sheet(Rules.preset("standard"), (ANN, BOB), deals)
    # Stopped before deal 3: 30 + 25 against 10 + 25. Before deal 5: 50 + 50 against 70 + 50.
    # In the end: 110 + 3 boxes + the game against 70 + 2 boxes.
    assert state.net == (110 + 75 + 100) - (70 + 50)
    assert shares_of_net(state) == {"Ann": 20, "Xid": -20 - 20, "Yve": 165 + 20}
    tallies = tallies_of(state)
    assert [(tallies[name]["hands"], tallies[name]["won"]) for name in ("Ann", "Xid", "Yve", "Bob")] == [
        (2, 1),
        (2, 1),
        (1, 1),
        (5, 2),
    ]


def test_share_of_who_came_after_the_end_is_nothing() -> None:
    deals = [won("Ann", "Bob", 100)]
    state = score_sheet(Rules.preset("standard"), (ANN, BOB), deals)
    assert shares_of_net(state) == {"Ann": 325, "Xid": 0, "Yve": 0}
    assert "Xid" not in tallies_of(state)


def test_player_of_a_seat_that_passed_on_leaves_the_others_net_whole() -> None:
    document = {
        "rules": {"preset": "standard"},
        "sides": [side(("Xid", "Cid", 2)), OTHERS],
        "deals": [
            {
                "hands": [
                    {"kind": "gin", "knocker": "Ann", "defender": "Bob", "defender_deadwood": 10},
                    {"kind": "dead", "knocker": "Cid", "defender": "Dee"},
                ]
            },
            {
                "hands": [
                    {"kind": "points", "winner": "Dee", "loser": "Ann", "points": 12, "mark": "big_gin"},
                    {"kind": "points", "winner": "Xid", "loser": "Bob", "points": 40},
                ]
            },
            {"line": {"winner": "They", "points": 9}},
        ],
        "stopped": True,
    }
    state = state_of_document(document)
    # Lines of 35 and 28 for We, of 9 for They, a box each.
    assert state.net == (35 + 28 + 50) - (9 + 25)
    # Ann, whose seat nobody took over, has the net of the side.
    assert shares_of_net(state) == {"Cid": 35 + 25, "Xid": 79 - 60}
    assert tallies_of(state) == {
        "Ann": {"hands": 2, "won": 1, "points": 35, "gins": 1},
        "Cid": {"hands": 1},
        "Xid": {"hands": 1, "won": 1, "points": 40},
        "Bob": {"hands": 2},
        "Dee": {"hands": 2, "won": 1, "points": 12, "gins": 1},
    }


@given(
    points=st.lists(st.integers(-60, 60), min_size=1, max_size=30),
    changes=st.lists(st.tuples(st.integers(0, 1), st.integers(2, 32)), max_size=6),
    columns=st.integers(1, 3),
    stopped=st.booleans(),
)
def test_shares_of_a_seat_add_up_to_the_net_of_its_side(
    points: list[int], changes: list[tuple[int, int]], columns: int, stopped: bool
) -> None:
    seats: list[list[Substitute]] = [[], []]
    sitting = ["Ann", "Bob"]
    for number, (place, deal) in enumerate(sorted(set(changes), key=lambda change: change[1])):
        seats[place].append(Substitute(f"S{number}", sitting[place], deal))
        sitting[place] = f"S{number}"
    sides = (SheetSide("Ann", ("Ann",), tuple(seats[0])), SheetSide("Bob", ("Bob",), tuple(seats[1])))
    document = [
        {"hands": [{"kind": "points", "winner": sides[figure < 0].seated(number)[0], "points": abs(figure)}]}
        for number, figure in enumerate(points, start=1)
    ]
    deals = read_deals(document, sides, Rules())
    rules = Rules.preset("standard", columns=columns)
    state = score_sheet(rules, sides, deals, stopped=stopped, surplus="keep")
    plain = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
    same = score_sheet(
        rules,
        plain,
        [won(plain[figure < 0].name, plain[figure >= 0].name, abs(figure)) for figure in points],
        stopped=stopped,
        surplus="keep",
    )
    assert (state.net, state.totals, state.boxes) == (same.net, same.totals, same.boxes)
    counted = sum(deal.counted for deal in state.deals)
    tallies, shares = tallies_of(state), shares_of_net(state)
    for side, seat, net in zip(sides, seats, state.nets, strict=True):
        # A side whose seat did not pass on has its net undivided.
        assert sum(shares.get(player, 0) for player in side.everyone) == (net if seat else 0)
        assert sum(tallies[player]["hands"] for player in side.everyone if player in tallies) == counted
    assert sum(tally.get("won", 0) for tally in tallies.values()) == counted
