"""Tables of three to six by points: those who have as many sit together."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy

from league.draws import table_rounds
from league.draws.formats import register
from league.draws.formats.at_tables import TableFormat
from league.draws.plans import RoundPlan
from league.models import Entry, Event


class TablesSwiss(TableFormat):
    """See `league.core.pairing.tables.swiss_tables`. The number of rounds may change after the start."""

    key = "tables_swiss"
    title = gettext_lazy("tables by points")
    pairs_by_results = True
    export_note = gettext_lazy(
        "Tables are by points here: an import that makes the event makes it one of “tables of three to six”."
    )

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return table_rounds.plan_by_points(event, number, present)


register(TablesSwiss())
