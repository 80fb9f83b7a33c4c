"""Cutthroat: of three or four two play, and the others wait (RULES §8)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons import shared
from league.learn.lessons.lesson import Lesson, Line, Section
from league.learn.sources import CONTINENTAL, CUTTHROAT, FOUR_PLAYERS

CUTTHROAT_GIN: Final = Lesson(
    kind="cutthroat",
    preset="cutthroat",
    players=_("Three or four players"),
    sentence=_("Two play a hand of gin rummy, and everybody scores alone."),
    sections=(
        Section(
            _("Who plays"),
            (
                (
                    Line(
                        _(
                            "All cut for seats, the highest first; the first two play, the others wait in "
                            "that order."
                        )
                    ),
                    Line(knob="cutthroat_sits_out"),
                    Line(knob="cutthroat_sitter_deals"),
                    Line(_("After a dead hand the same two play again, and the same player deals.")),
                ),
            ),
        ),
        Section(
            _("The deal"),
            (
                (
                    Line(_("Both get ten cards, one at a time; the rest is the stock, face down.")),
                    Line(_("The next seat after the dealer’s that plays has the first turn.")),
                    *shared.TURNED_UP,
                ),
            ),
        ),
        shared.MELDS,
        shared.TURN,
        shared.KNOCKING,
        shared.GIN,
        shared.COUNT,
        Section(_("When the stock runs out"), ((Line(knob="stock_end"),),)),
        Section(
            _("The game"),
            (
                (Line(_("What is won counts for the player who won it.")), *shared.ENDS),
                shared.BOXES,
                (
                    *shared.BONUSES,
                    Line(_("In the end each settles the difference of the totals with each of the others.")),
                ),
            ),
        ),
    ),
    sources=(CUTTHROAT, CONTINENTAL, FOUR_PLAYERS),
)
