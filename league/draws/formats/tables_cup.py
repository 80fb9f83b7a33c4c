"""A knockout by tables of three to six: the best of each table go on, until one table is left."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar

from django.db.models import Count
from django.utils.translation import gettext_lazy

from league.core.pairing.knockout_tables import course
from league.draws import table_rounds
from league.draws.formats import Due, first_round_unless_drawn, register
from league.draws.formats.at_tables import SETTINGS, TableFormat
from league.draws.plans import RoundPlan
from league.draws.qualifying import wanted_qualifiers
from league.models import Entry, Event


class TablesCup(TableFormat):
    """See `league.core.pairing.knockout_tables`. Places are those of the last table an entry came to."""

    key = "tables_cup"
    title = gettext_lazy("knockout by tables")
    pairs_by_results = True
    cuts_tables = True
    leading_criteria = ("place",)
    usual_order = ("place", "match_points", "net", "wins", "lot")
    usual_settings: ClassVar[dict[str, Any]] = {**TableFormat.usual_settings, "qualifiers": 2}
    settings = SETTINGS - {"rounds_planned", "late_points", "absent_points", "absent_net"} | {"qualifiers"}
    fixed_by_draw = frozenset({"table_size"})
    night_by_night = False
    drawn_by_seeds = True
    takes_foreign_matches = False
    export_note = gettext_lazy(
        "This is a knockout by tables: an import that makes the event makes it one of “tables of three to "
        "six”, in order of points."
    )

    def check_start(self, event: Event, count: int) -> None:
        """Also refused: no number of those who go on, and one with which the event does not end."""
        super().check_start(event, count)
        course(count, go_on=wanted_qualifiers(event), **asdict(table_rounds.sizes_of(event)))

    def first_round_of_late(self, event: Event) -> int:
        return first_round_unless_drawn(event)

    def asks_who_is_here(self, number: int) -> bool:
        """Only the first; then it is known who goes on."""
        return number == 1

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return table_rounds.plan_knockout(event, number, present)

    def next_draw(self, event: Event, last: int) -> Due | None:
        following = super().next_draw(event, last)
        if following is not None and (level := table_rounds.level_at_tables(event)):
            return level, "decide-level"
        return following

    def last_round(self, event: Event) -> int | None:
        """The final, once it is there: a round of one table."""
        tables = event.matches.filter(entry_c__isnull=False, play_off=None).order_by("round__number")
        finals = tables.values("round__number").annotate(count=Count("id")).filter(count=1)
        return finals.values_list("round__number", flat=True).first()

    def places(self, event: Event, *, until: int | None = None) -> Mapping[int, int]:
        """Those of the final first, then of who went out in the round before, by place at the table."""
        return table_rounds.places_in_knockout(event, until=until)


register(TablesCup())
