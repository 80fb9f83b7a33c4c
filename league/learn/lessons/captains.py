"""Captains, or chouette: one in the box against all others (RULES §8)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons import shared
from league.learn.lessons.lesson import Lesson, Line, Section
from league.learn.sources import CAPTAIN_PLAY, CHOUETTE, FOUR_PLAYERS, THREE_HANDED
from scoring.core.rules import Rules


def _for_the_game(rules: Rules) -> bool:
    return getattr(rules.own, "box_held", "") == "game"


def _for_a_hand(rules: Rules) -> bool:
    return not _for_the_game(rules)


CAPTAINS: Final = Lesson(
    kind="captains",
    preset="captains",
    players=_("Three to six players"),
    sentence=_("One is alone in the box, and plays against a captain who plays for all the others."),
    sections=(
        Section(
            _("The box and the captain"),
            (
                (
                    Line(
                        _(
                            "All cut for seats: the highest is in the box, the next is captain, the others "
                            "form a line."
                        )
                    ),
                    Line(
                        _("A captain who loses goes to the end of the line, and the first of it is captain.")
                    ),
                    Line(knob="captains_box_held"),
                    Line(_("A captain who wins goes into the box."), when=_for_a_hand),
                    Line(_("Partners may give advice; the captain decides.")),
                ),
                (Line(knob="captains_box_deals"), Line(knob="first_dealer"), Line(knob="next_dealer")),
            ),
        ),
        Section(_("The deal"), (shared.DEAL,)),
        shared.MELDS,
        shared.TURN,
        shared.KNOCKING,
        shared.GIN,
        shared.COUNT,
        Section(_("When the stock runs out"), ((Line(knob="stock_end"),),)),
        Section(
            _("The game"),
            (
                (
                    Line(_("The box and the partners have one total each."), when=_for_the_game),
                    Line(
                        _("What the box wins is entered for the box, what it loses for each of the others."),
                        when=_for_a_hand,
                    ),
                    *shared.ENDS,
                    *shared.COLUMNS,
                ),
                shared.BOXES,
                (
                    *shared.BONUSES,
                    Line(_("In the end each settles the totals with each."), when=_for_a_hand),
                ),
            ),
        ),
    ),
    sources=(CHOUETTE, CAPTAIN_PLAY, FOUR_PLAYERS, THREE_HANDED),
)
