"""A knockout with a plate: who loses the first match he actually plays goes on in a second bracket."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.pairing.elimination import Bracket
from league.core.pairing.plate import add_plate
from league.draws.formats import register
from league.draws.formats.with_bracket import WithBracket
from league.models import BracketPart, Event


class Consolation(WithBracket):
    """See `league.core.pairing.plate`, which has the rule and where it comes from.

    Nobody enters the plate by a match that was not played: a bye, or one conceded before its first deal. Who
    goes on that way has his first match still before him; who conceded is out. Places that a knockout leaves
    shared are settled by the plate.
    """

    key = "consolation"
    title = gettext_lazy("knockout with a plate")
    settings = WithBracket.settings | {"third_place"}

    def bracket(self, event: Event, entries: int) -> Bracket:
        return add_plate(super().bracket(event, entries))

    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """As in a plain knockout, the rounds of the plate under its name."""
        if part != BracketPart.PLATE:
            return super().stage_heading(part, level, ties, losers)
        known = {1: _("Plate, final"), 2: _("Plate, semifinals"), 4: _("Plate, quarterfinals")}
        return known.get(ties) or _("Plate, round of %s") % (2 * ties)


register(Consolation())
