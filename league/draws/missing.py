"""Matches without a result, and the sentence that lists them."""

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Event, Match, RoundState, wants_result
from league.models.matches import MatchQuerySet

_MOST_NAMED: Final = 12


def missing_results(event: Event, *, before: int) -> list[Match]:
    """Return the matches of earlier rounds that want a result (`wants_result`)."""
    rows = event.matches.filter(wants_result(), round__number__lt=before)
    return in_order(rows.exclude(round__state=RoundState.DRAFTED))


def in_order(matches: MatchQuerySet) -> list[Match]:
    """Return these matches as they are listed, with what names them."""
    return list(matches.with_sides("round").order_by("round__number", "table", "id"))


def results_missing(matches: Sequence[Match]) -> str:
    """Return the sentence that lists matches without a result."""
    listed = "; ".join(
        f"{match.label} {match}" + (f" ({_('pending')})" if match.held else "")
        for match in matches[:_MOST_NAMED]
    )
    if len(matches) > _MOST_NAMED:
        listed = _("%(listed)s; and %(more)d more") % {
            "listed": listed,
            "more": len(matches) - _MOST_NAMED,
        }
    return ngettext(
        "%(count)d result is missing: %(listed)s.", "%(count)d results are missing: %(listed)s.", len(matches)
    ) % {"count": len(matches), "listed": listed}
