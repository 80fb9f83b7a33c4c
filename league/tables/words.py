"""Deals, and what an event is played by, in words."""

from django.utils.translation import gettext as _

from league.matches.histories import DealText
from league.models import Event
from scoring.core.hands import Outcome
from scoring.templatetags.figures import hand_words
from scoring.words.rules_words import rules_headline


def deal_words(deal: DealText) -> str:
    """Return a stored deal in words."""
    if deal.hands:
        return " · ".join(hand_words(hand) for hand in deal.hands)
    if deal.at_table:
        return deal.at_table
    return f"{deal.line_name} {deal.line_points}" if deal.line_name else _("struck out")


def won_how(outcome: str) -> str:
    """Return how a hand was won, to follow its winner: "with gin"; "" where the sheet does not say."""
    words = {
        Outcome.KNOCK: _("with a knock"),
        Outcome.GIN: _("with gin"),
        Outcome.BIG_GIN: _("with big gin"),
        Outcome.UNDERCUT: _("with an undercut"),
        Outcome.GIN_OFF: _("with an undercut that left nothing"),
        Outcome.OUT: _("by going out"),
        Outcome.RUMMY: _("with rummy"),
        Outcome.BLOCKED: _("with the lowest count"),
    }
    return words.get(Outcome(outcome), "") if outcome else ""


def event_headline(event: Event) -> str:
    """Return the rules of an event in a few words, or that its results are another program's."""
    if event.taken_over:
        return _("taken over from another program")
    return rules_headline(event.rules.rules, team_size=event.team_size)
