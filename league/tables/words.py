"""Deals in words."""

from django.utils.translation import gettext as _

from league.matches.histories import DealText
from scoring.templatetags.figures import hand_words


def deal_words(deal: DealText) -> str:
    """Return a stored deal in words."""
    if deal.hands:
        return " · ".join(hand_words(hand) for hand in deal.hands)
    return f"{deal.line_name} {deal.line_points}" if deal.line_name else _("struck out")
