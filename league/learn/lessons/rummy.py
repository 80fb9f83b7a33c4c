"""Basic rummy: melds are laid down in the course of play (RULES §8)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons.lesson import Lesson, Line, Section
from league.learn.sources import BICYCLE_RUMMY, PAGAT_RUMMY, SEVEN_CARDS, WIKIPEDIA_RUMMY

RUMMY: Final = Lesson(
    kind="basic_rummy",
    preset="basic_rummy",
    players=_("Two to six players"),
    sentence=_("Lay down melds as you make them, and be the first without a card."),
    sections=(
        Section(
            _("The deal"),
            (
                (
                    Line(_("Two get ten cards each, three or four get seven, five or six get six.")),
                    Line(_("The rest is the stock; its top card is turned up beside it.")),
                ),
                (
                    Line(knob="next_dealer"),
                    Line(_("With more than two players the deal passes to the left instead.")),
                ),
            ),
        ),
        Section(
            _("Melds"),
            (
                (
                    Line(
                        _(
                            "A set is three or four cards of one rank; a run is three or more of one suit in "
                            "order."
                        )
                    ),
                    Line(knob="basic_rummy_ace"),
                ),
            ),
        ),
        Section(
            _("A turn"),
            (
                (
                    Line(_("Draw the top card of the stock, or the top card of the discard pile.")),
                    Line(_("Then lay melds on the table, face up.")),
                    Line(knob="basic_rummy_melds"),
                ),
                (
                    Line(_("Cards that fit melds on the table may be laid off there.")),
                    Line(knob="basic_rummy_lay_off"),
                    Line(_("Last, discard one card, but not the one you have just taken from the pile.")),
                ),
            ),
        ),
        Section(
            _("Going out"),
            (
                (
                    Line(_("The hand ends when somebody has no card left.")),
                    Line(knob="basic_rummy_last_discard"),
                    Line(knob="basic_rummy_floating"),
                    Line(_("Whoever goes out scores all cards left in the other hands, matched or not.")),
                ),
                (
                    Line(_("A picture card counts 10, any other its number.")),
                    Line(knob="basic_rummy_ace_points"),
                    Line(knob="basic_rummy_going_rummy_doubles"),
                ),
            ),
        ),
        Section(
            _("When the stock runs out"),
            (
                (
                    Line(knob="basic_rummy_turnovers"),
                    Line(knob="basic_rummy_stock"),
                    Line(
                        _("After that only the top discard may be taken; whoever leaves it blocks the hand.")
                    ),
                    Line(knob="basic_rummy_blocked"),
                ),
            ),
        ),
        Section(
            _("The game"),
            (
                (
                    Line(knob="target"),
                    Line(knob="deals"),
                    Line(knob="basic_rummy_settlement"),
                    Line(_("There are no boxes and no bonuses.")),
                ),
            ),
        ),
    ),
    sources=(BICYCLE_RUMMY, PAGAT_RUMMY, WIKIPEDIA_RUMMY, SEVEN_CARDS),
    is_judged=False,
)
