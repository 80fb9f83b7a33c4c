"""By which rules members play at a table: every preset and value of a knob, or they are told why not."""

from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from random import Random
from typing import Any, Final

import pytest

from games.bots.base import discards, leaving_least
from games.errors import GameError
from games.gin.actions import ActionKind
from games.gin.hand import shuffled
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.tables.clocks import play_by_default
from games.tables.dealing import hand_class
from games.tables.members import (
    NextHand,
    check_played,
    laid_by_player,
    next_hands,
    packs_text,
    read_table_log,
    running_sheet,
)
from scoring.core.errors import CodedError
from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import CHOICES, KINDS, OPTIONAL, PRESETS, RANGES, SWITCHES, Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sides import check_sides
from tests.refusals import refuses

_ENDINGS = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
# Who may play: one against one, teams of two and of three, one against two, and three or four for themselves.
LINE_UPS = {
    "singles": (1, 1),
    "pairs": (2, 2),
    "threes": (3, 3),
    "one against two": (1, 2),
    "three": (1, 1, 1),
    "four": (1, 1, 1, 1),
}
# By kind of game: the line-ups that its sheets have, and those that are refused at a table, with the code.
PLAYED: Final[dict[str, dict[str, str | None]]] = {
    "gin": {"singles": None, "pairs": None, "threes": None},
    "cutthroat": {"three": None, "four": None},
    "captains": {"one against two": None},
    "jersey": {"three": None},
    "partners_one_pack": {"pairs": None},
    "basic_rummy": {"singles": None, "three": None, "four": None},
}


def sides_of(*sizes: int) -> tuple[SheetSide, ...]:
    """Sides of so many players each."""
    return tuple(
        SheetSide(f"side {side}", tuple(f"{side}.{player}" for player in range(size)))
        for side, size in enumerate(sizes)
    )


def allowed(rules: Rules) -> dict[str, tuple[SheetSide, ...]]:
    """The line-ups of a sheet by these rules."""
    found = {}
    for name, sizes in LINE_UPS.items():
        try:
            found[name] = tuple(check_sides(sides_of(*sizes), rules))
        except CodedError:
            continue
    return found


def played_hand(rules: Rules, size: int, dealt: NextHand, chances: Random) -> InPlay:
    """This hand played to its end by who ends it as soon as he can; it equals its replay from its text."""
    packs = packs_text([shuffled(chances.randrange(1 << 32)) for _pack in range(dealt.packs)])
    asked: dict[str, Any] = {"pack": packs, "dealer": dealt.dealer}
    kind = hand_class(rules, size)
    log = read_table_log(rules, size, **asked, actions=[])
    state = kind.replay(rules, log, players=dealt.players)
    while not state.is_over:
        state.act(laid_by_player(state, chosen(state)))
    written = read_table_log(rules, size, **asked, actions=[str(action) for action in state.actions])
    again = kind.replay(rules, written, players=dealt.players)
    assert (again.is_over, again.results, again.log) == (True, state.results, state.log)
    return state


def chosen(state: InPlay) -> Any:
    """An ending where there is one, else the discard that leaves least, else whatever comes first.

    In rummy what comes first is a meld, a card that is laid off, or a discard of the lowest card.
    """
    view = state.view(state.turn)
    if isinstance(state, RummyHand):
        return view.legal[0]
    thrown = discards(view)
    endings = [action for action in view.legal if action.kind in _ENDINGS]
    return (endings or (leaving_least(view, thrown) if thrown else view.legal))[0]


def play_deals(rules: Rules, sides: tuple[SheetSide, ...], count: int) -> int:
    """Plays so many deals as members do, by all that is offered, and returns how many are on the sheet."""
    played: list[Deal] = []
    chances = Random(1)
    for _ in range(count):
        results: list[Any] = []
        for dealt in next_hands(rules, sides, played, 7):
            state = played_hand(rules, len(sides[0].players), dealt, chances)
            results += state.results
        if not results:
            break
        played.append(Deal(tuple(results)))
    return running_sheet(rules, sides, played).played


@pytest.mark.parametrize("by_chance", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_hands_of_any_kind_equal_their_replay(kind: str, *, by_chance: bool) -> None:
    """Twenty hands by any legal actions, and twenty in which the time of everybody runs out in every turn."""
    rules, chances = Rules.preset("standard", kind=kind), Random(3)
    for sides in allowed(rules).values():
        for _hand in range(20):
            dealt = next_hands(rules, sides, (), 7)[0]
            pack = packs_text([shuffled(chances.randrange(1 << 32)) for _pack in range(dealt.packs)])
            size = len(sides[0].players)
            kept: dict[str, Any] = {"pack": pack, "dealer": dealt.dealer}
            replay = partial(hand_class(rules, size).replay, rules, players=dealt.players)
            state = replay(read_table_log(rules, size, **kept, actions=[]))
            while not state.is_over:
                seat = state.turn
                if by_chance:
                    state.act(laid_by_player(state, chances.choice(state.legal_actions())))
                else:
                    play_by_default(state)
                    assert state.is_over or state.turn != seat
            again = replay(read_table_log(rules, size, **kept, actions=[str(one) for one in state.actions]))
            assert (again.is_over, again.results, again.hands) == (True, state.results, state.hands)


def every_knob() -> Iterator[tuple[str, dict[str, Any]]]:
    """Standard gin with each value of a knob; of a range its ends."""
    for name in SWITCHES:
        yield from ((name, {name: value}) for value in (True, False))
    for name, values in CHOICES.items():
        yield from ((name, {name: value}) for value in values if name != "kind")
    for name, ends in RANGES.items():
        yield from ((name, {name: value}) for value in ends)
    for name in sorted(OPTIONAL):
        yield name, {name: None}


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_played_or_refused_with_a_sentence(name: str) -> None:
    rules = Rules.preset(name)
    found = allowed(rules)
    assert found.keys() == PLAYED[rules.kind].keys()
    for line_up, sides in found.items():
        code = PLAYED[rules.kind][line_up]
        if code is None:
            assert play_deals(rules, sides, 2) in (1, 2)
            continue
        with refuses(GameError, code) as refusal:
            running_sheet(rules, sides, ())
        assert str(refusal.value.message).endswith(".")


def test_there_is_a_preset_of_every_kind_or_the_kind_is_played_by_itself() -> None:
    for kind in KINDS:
        assert allowed(Rules.preset("standard", kind=kind)).keys() == PLAYED[kind].keys(), kind


@pytest.mark.parametrize(("name", "knobs"), every_knob())
def test_every_value_of_a_knob_is_played_by_two_and_by_teams(name: str, knobs: dict[str, Any]) -> None:
    try:
        rules = Rules.preset("standard", **knobs)
    except CodedError:
        # It goes with others only: a sheet of a number of deals has one game, and so on.
        rules = Rules.preset("standard", **{"columns": 1, "deal": "upcard", **knobs})
    for sizes in ((1, 1), (2, 2)):
        assert play_deals(rules, sides_of(*sizes), 2) in (1, 2), name


def test_larger_teams_with_one_pack_are_refused_with_a_sentence() -> None:
    with refuses(GameError, "shared_pack") as refusal:
        check_played(Rules.preset("standard", packs="shared"), 3)
    assert str(refusal.value.message).endswith(".")


# By knob and value: what goes with it alone.
NEEDED: Final[dict[tuple[str, Any], dict[str, Any]]] = {
    ("ace_points", 11): {"ace": "high"},
    ("ace_points", 15): {"ace": "low_or_high"},
    ("floating", True): {"last_discard": True},
}


@pytest.mark.parametrize("kind", OWN_KNOBS)
def test_every_value_of_a_kinds_own_knobs_is_played(kind: str) -> None:
    own = OWN_KNOBS[kind]
    values = [(name, value) for name, choices in own.CHOICES.items() for value in choices]
    values += [(name, value) for name, ends in own.RANGES.items() for value in ends]
    switches = [knob.name for knob in fields(own) if knob.name not in {*own.CHOICES, *own.RANGES}]
    values += [(name, value) for name in switches for value in (True, False)]
    for name, value in values:
        rules = Rules.preset("standard", kind=kind, **{kind: {**NEEDED.get((name, value), {}), name: value}})
        for sides in allowed(rules).values():
            assert play_deals(rules, sides, 2) in (1, 2), (name, value)
