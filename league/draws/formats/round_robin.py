"""Round robin, single or double, with all rounds drawn at once."""

from django.utils.translation import gettext_lazy as _

from league.draws.formats import Format, register
from league.models import DEFAULT_FORMAT, Event


class RoundRobin(Format):
    """See `league.core.pairing.round_robin`. The lot only breaks ties in the table, so it is never fixed."""

    key = DEFAULT_FORMAT
    title = _("round robin")
    meets_all = True
    first_act = "draw"
    acts = frozenset({"draw"})
    settings = frozenset({"pyramid", "level"})
    fixed_by_draw = frozenset()
    pairs_rounds = False
    takes_late_entries = False

    def first_round_of_late(self, event: Event) -> int:
        """Always the first: entries outside the draw have no matches and have missed none."""
        return 1


register(RoundRobin())
