"""Single elimination; the losers of the semifinals may play for third place."""

from django.utils.translation import gettext_lazy as _

from league.draws.formats import register
from league.draws.formats.with_bracket import WithBracket


class SingleElimination(WithBracket):
    """See `league.core.pairing.elimination.bracket`."""

    key = "single"
    title = _("single elimination")
    settings = WithBracket.settings | {"third_place"}


register(SingleElimination())
