"""A knockout with a plate: whoever loses the first match they actually play enters a second bracket."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.pairing.elimination import Bracket
from league.core.pairing.plate import add_plate
from league.draws.formats import register
from league.draws.formats.with_bracket import WithBracket
from league.models import BracketPart, Event


class Consolation(WithBracket):
    """A knockout with a plate; rule and sources are in `league.core.pairing.plate`.

    A match that was not played (a bye, or one conceded before its first deal) sends nobody to the plate: its
    winner has yet to play a first match, and whoever conceded is out. The plate decides the places that a
    knockout leaves shared.
    """

    key = "consolation"
    title = gettext_lazy("knockout with a plate")
    second_prize = BracketPart.PLATE
    settings = WithBracket.settings | {"third_place"}

    def bracket(self, event: Event, entries: int) -> Bracket:
        return add_plate(super().bracket(event, entries))

    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """As in a plain knockout; rounds of the plate say so."""
        if part != BracketPart.PLATE:
            return super().stage_heading(part, level, ties, losers)
        known = {1: _("Plate, final"), 2: _("Plate, semifinals"), 4: _("Plate, quarterfinals")}
        return known.get(ties) or _("Plate, round of %s") % (2 * ties)


register(Consolation())
