"""Matches without a result, and the sentence that lists them."""

from collections.abc import Sequence
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import SEATED, UNFINISHED, Event, Match, RoundState, extra_to_play

_MOST_NAMED: Final = 12


def missing_results(event: Event, *, before: int) -> list[Match]:
    """Return matches of earlier rounds without a result, or with a held one; annulled ones need none.

    So do byes that count as they are played against a bot.
    """
    earlier = event.matches.filter(round__number__lt=before, annulled=False)
    waiting = (Q(state__in=UNFINISHED) | Q(held=True)) & Q(entry_b__isnull=False) | extra_to_play()
    rows = earlier.filter(waiting).exclude(round__state=RoundState.DRAFTED)
    named = rows.select_related("round", *SEATED)
    return list(named.order_by("round__number", "table", "id"))


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
