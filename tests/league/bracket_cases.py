"""Rows on which the acts of brackets and groups can be done, with what their forms are sent."""

from typing import Any

from django.db.models import Model

from league.draws.deciding import decide_tie
from league.draws.group_rounds import draw_groups
from league.draws.levels import decide_level, undecided
from league.models import CutHow, Event, Tie, TieDecider
from tests.factories import OPERATOR, ClubFactory, play
from tests.league.bracket_play import (
    correct,
    cup,
    draw_it,
    drawn,
    drawn_from_groups,
    next_round,
    turn_over,
    win,
)


def bracket() -> tuple[Model, dict[str, Any]]:
    return cup(ClubFactory.create(), 3), {"date": "2026-09-03"}


def groups() -> tuple[Model, dict[str, Any]]:
    event = cup(ClubFactory.create(), 6, format="groups", group_count=2, qualifiers=2)
    return event, {"first_date": "2026-09-03", "days_between": "7"}


def keep() -> tuple[Model, dict[str, Any]]:
    event = drawn_from_groups(ClubFactory.create())
    turn_over(event, 1)
    return event, {"reason": "all agree"}


def _level() -> Event:
    """Four in two groups; every sheet was drawn, and the table has no lot."""
    event = cup(
        ClubFactory.create(), 4, format="groups", group_count=2, qualifiers=1, criteria=["match_points"]
    )
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, stopped=True)
    return event


def level() -> tuple[Model, dict[str, Any]]:
    event = _level()
    return event, {"key": undecided(event)[0].cut.key, "how": "lot"}


def take_back() -> tuple[Model, dict[str, Any]]:
    event = _level()
    asked = undecided(event)[0]
    decision = decide_level(actor=OPERATOR, event=event, key=asked.cut.key, how=CutHow.LOT)
    return decision, {"reason": "too soon"}


def _open_tie() -> Event:
    event = cup(ClubFactory.create(), 2, tie_decider=TieDecider.DIRECTOR)
    drawn(event)
    draw_it(event, 1)
    return event


def decide() -> tuple[Model, dict[str, Any]]:
    event = _open_tie()
    return event.ties.get(), {"winner": event.entries.get(name="E2").pk, "reason": "by lot"}


def clear() -> tuple[Model, dict[str, Any]]:
    event = _open_tie()
    tie: Tie = event.ties.get()
    decide_tie(actor=OPERATOR, tie=tie, winner=event.entries.get(name="E2"), reason="by lot")
    return tie, {"reason": "wrong name"}


def change() -> tuple[Model, dict[str, Any]]:
    event = cup(ClubFactory.create(), 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
    win(event, 3, "E1")
    correct(event, 1, "E4")
    return event.ties.get(number=1), {"reason": "misread"}
