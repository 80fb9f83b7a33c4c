"""Deals, and what an event is played by, in words."""

from django.utils.translation import gettext as _

from league.matches.histories import DealText
from league.models import Event
from scoring.templatetags.figures import hand_words
from scoring.words.rules_words import rules_headline


def deal_words(deal: DealText) -> str:
    """Return a stored deal in words."""
    if deal.hands:
        return " · ".join(hand_words(hand) for hand in deal.hands)
    if deal.at_table:
        return deal.at_table
    return f"{deal.line_name} {deal.line_points}" if deal.line_name else _("struck out")


def event_headline(event: Event) -> str:
    """Return the rules of an event in a few words, or that its results are another program's."""
    if event.taken_over:
        return _("taken over from another program")
    return rules_headline(event.rules.rules, team_size=event.team_size)
