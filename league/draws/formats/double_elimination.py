"""Double elimination: one loss leads to the losers' bracket, two are out."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.pairing.elimination import Bracket, bracket
from league.draws.formats import register
from league.draws.formats.with_bracket import WithBracket
from league.models import BracketPart, Event


class DoubleElimination(WithBracket):
    """See `league.core.pairing.elimination.bracket`; the losers' bracket decides third place."""

    key = "double"
    title = gettext_lazy("double elimination")

    def bracket(self, event: Event, entries: int) -> Bracket:
        return bracket(entries, double=True)

    def stage_heading(self, part: str, level: int, ties: int, losers: int) -> str:
        """The bracket, winners' or losers', and the number of the round in it."""
        if part == BracketPart.FINAL:
            return _("Final")
        if part == BracketPart.RESET:
            return _("Second final")
        if part == BracketPart.WINNERS:
            return _("Winners’ final") if ties == 1 else _("Winners, round %s") % level
        return _("Losers’ final") if level == losers else _("Losers, round %s") % level


register(DoubleElimination())
