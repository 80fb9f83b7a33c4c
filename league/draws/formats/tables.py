"""Tables of three to six: everybody meets everybody as evenly as can be."""

from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _

from league.draws import table_rounds
from league.draws.formats import register
from league.draws.formats.at_tables import TableFormat
from league.draws.plans import RoundPlan
from league.models import Entry, Event


class Tables(TableFormat):
    """See `league.core.pairing.tables.schedule`. The lot decides who sits where, not seeds."""

    key = "tables"
    title = _("tables of three to six")

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return table_rounds.plan_evenly(event, number, present)


register(Tables())
