"""A round robin: everybody meets everybody, once or twice, and all rounds are drawn at once."""

from django.utils.translation import gettext_lazy as _

from league.draws.formats import Format, register
from league.models import DEFAULT_FORMAT, Event


class RoundRobin(Format):
    """See `league.core.pairing.round_robin`. The lot only splits ties of the table, so it is never fixed."""

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
        """Nobody is late: who is not in the draw has no matches, and has missed none."""
        return 1


register(RoundRobin())
