"""Pairs kept apart at tables of many: drawn, offered where they have to meet, told (RULES §19)."""

from itertools import combinations

import pytest

from league.draws.kept_apart import allow_pair, keep_apart
from league.draws.planning import plan_next_round
from league.draws.plans import NoRoundPlanError, RoundPlan
from league.draws.round_life import draft_round
from league.draws.round_swaps import plan_swap
from league.draws.staleness import no_longer_fits
from league.models import Club, Event, Match
from scoring.services import record_deals
from tests.factories import OPERATOR
from tests.league.table_cases import NINE, drawn, evening, names_at, play_jersey
from tests.refusals import refuses

pytestmark = pytest.mark.django_db
FORMATS = ("tables", "tables_swiss", "tables_cup")


def keep_all_apart(event: Event, *names: str) -> None:
    """Each of these from each other."""
    for one, other in combinations(names, 2):
        entries = [event.entries.get(name=name) for name in (one, other)]
        keep_apart(actor=OPERATOR, event=event, one=entries[0], other=entries[1], reason="one car")


def meet(plan: RoundPlan, one: str, other: str) -> bool:
    tables = [{entry.name for side in match.sides for entry in side} for match in plan.matches]
    return any({one, other} <= table for table in tables)


@pytest.mark.parametrize("kind", FORMATS)
def test_two_of_a_family_are_kept_apart(club: Club, kind: str) -> None:
    """Who would meet first does not, in two rounds of an event: nine at three tables of three."""
    event = evening(club, format=kind, rounds_planned=3, qualifiers=1 if kind == "tables_cup" else None)
    one, other, _third = (entry.name for (entry,) in plan_next_round(event).matches[0].sides)
    keep_all_apart(event, one, other)
    assert not meet(plan_next_round(event), one, other)
    for match in drawn(event):
        assert not {one, other} <= set(names_at(match))
        play_jersey(match, *(name for name in names_at(match) if name not in (one, other)))
    if kind != "tables_cup":
        assert not meet(plan_next_round(event), one, other)


@pytest.mark.parametrize("kind", FORMATS)
def test_those_who_have_to_meet_are_named_and_a_director_agrees(club: Club, kind: str) -> None:
    """Four kept apart from each other at three tables: two of them meet."""
    event = evening(club, format=kind, rounds_planned=2, qualifiers=1 if kind == "tables_cup" else None)
    family = NINE[:4]
    keep_all_apart(event, *family)
    with refuses(NoRoundPlanError, "no_pairing") as refused:
        plan_next_round(event)
    (pair,) = [pair for pair in combinations(family, 2) if meet(refused.value.offer, *pair)]
    said = str(refused.value)
    assert said.startswith(
        "Round 1 cannot keep all apart who should not meet. In the nearest one 1 pair is at"
    )
    assert all(name in said for name in pair)
    plan = plan_next_round(event, accept_offer=True)
    assert plan.warnings[-1] == said
    assert len(plan.matches) == 3


def test_a_knockout_seats_its_second_round_apart(club: Club) -> None:
    """Of eight who go on from four tables two, who would meet at one, are kept apart."""
    event = evening(
        club,
        [*NINE, "Jan", "Kim", "Lea"],
        format="tables_cup",
        preset="cutthroat",
        table_size=3,
        qualifiers=2,
    )
    for match in drawn(event):
        assert match.sheet is not None
        play_cutthroat(match)
    names = [entry.name for side in plan_next_round(event).matches[0].sides for entry in side]
    keep_all_apart(event, names[0], names[1])
    assert not meet(plan_next_round(event), names[0], names[1])


def play_cutthroat(match: Match) -> None:
    """Two hands, so that nobody shares a place."""
    assert match.sheet is not None
    first, second, third = names_at(match)
    hands = [(first, second, 30), (third, first, 10)]
    deals = [
        {"hands": [{"kind": "points", "winner": winner, "loser": loser, "points": points}]}
        for winner, loser, points in hands
    ]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals, stopped=True)


@pytest.mark.parametrize("kind", FORMATS[:2])
def test_a_draft_tells_that_others_are_kept_apart_since(club: Club, kind: str) -> None:
    event = evening(club, format=kind, rounds_planned=2)
    round_ = draft_round(actor=OPERATOR, event=event)
    assert no_longer_fits(event, round_) == []
    keep_all_apart(event, *NINE[:2])
    assert no_longer_fits(event, round_) == ["Who is kept apart has changed since this round was drawn."]
    allow_pair(actor=OPERATOR, pair=event.forbidden_pairs.get())
    assert no_longer_fits(event, round_) == []


def test_a_swap_that_seats_them_together_is_told(club: Club) -> None:
    event = evening(club)
    keep_all_apart(event, *NINE[:2])
    round_ = draft_round(actor=OPERATOR, event=event)
    tables = [match.side(side)[0] for match in round_.matches.with_sides() for side in match.sides]
    ann, bob = (next(entry for entry in tables if entry.name == name) for name in NINE[:2])
    beside = next(
        entry
        for match in round_.matches.with_sides()
        for side in match.sides
        for entry in match.side(side)
        if ann in [other for at in match.sides for other in match.side(at)] and entry != ann
    )
    warnings = plan_swap(round_=round_, one=bob, other=beside).warnings
    assert [said for said in warnings if said.endswith("they should not meet.")]
