"""Tables of three to six by points: those who have as many sit together."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from league.draws import table_rounds
from league.draws.formats import register
from league.draws.formats.at_tables import AtTables
from league.draws.plans import RoundPlan
from league.models import Entry, Event


class TablesSwiss(AtTables):
    """See `league.core.pairing.tables.swiss_tables`. The number of rounds may change after the start."""

    key = "tables_swiss"
    title = _("tables by points")
    pairs_by_results = True

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return table_rounds.plan_by_points(event, number, present)


register(TablesSwiss())
