"""Tables whose entries are level at a line, and directors who decide."""

from collections.abc import Sequence
from typing import Any

from league.draws.brackets import plan_bracket
from league.draws.group_rounds import draw_groups
from league.draws.levels import LevelAt, decide_level, undecided
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.models import Club, CutDecision, CutHow, Event, Match
from league.people.players import change_player
from league.policy.naming import AS_WRITTEN
from league.tables.cut_tables import PrizeRow
from league.tables.tables import event_table
from tests.factories import OPERATOR, play
from tests.league.bracket_play import cup
from tests.refusals import refuses

PLAIN = ["match_points", "net"]


def drawn_groups(club: Club, count: int, *, groups: int, qualifiers: int = 1, **values: Any) -> Event:
    """Groups that are drawn, with a table that has no lot where nothing else is said."""
    values = {"criteria": PLAIN, **values}
    event = cup(club, count, format="groups", group_count=groups, qualifiers=qualifiers, **values)
    draw_groups(actor=OPERATOR, event=event)
    return event


def level_groups(club: Club, count: int = 4, *, groups: int = 2, qualifiers: int = 1, **values: Any) -> Event:
    """Groups in which every sheet was drawn, so that everybody is level."""
    event = drawn_groups(club, count, groups=groups, qualifiers=qualifiers, **values)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, stopped=True)
    recalculate(event.pk)
    event.refresh_from_db()
    return event


def decide(event: Event, level: LevelAt, how: CutHow = CutHow.WORD, **said: Any) -> CutDecision:
    if how is CutHow.WORD:
        said = {"order": level.entries, "reason": "agreed", **said}
    return decide_level(actor=OPERATOR, event=event, key=level.cut.key, how=how, **said)


def decide_all(event: Event) -> None:
    while asked := undecided(event):
        decide(event, asked[0])


def prizes_of(event: Event) -> Sequence[PrizeRow]:
    return event_table(event, AS_WRITTEN).cuts.prizes


def refused(event: Event) -> str:
    with refuses(LeagueError, "level_at_cut") as refusal:
        plan_bracket(event)
    return str(refusal.value.message)


def rename_all(event: Event) -> None:
    """Everybody gets a name that turns the order of names round."""
    entries = list(event.entries.order_by("name"))
    for number, entry in enumerate(entries):
        change_player(actor=OPERATOR, player=entry.players.get(), name=f"N{len(entries) - number:02}")


def play_offs(event: Event) -> list[Match]:
    rows = event.matches.exclude(play_off=None).select_related("sheet", "event").order_by("round", "table")
    return list(rows)
