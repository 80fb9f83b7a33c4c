"""Gin rummy, of two players or of two teams (RULES §3 to §7)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons import shared
from league.learn.lessons.lesson import Lesson, Line, Section
from league.learn.sources import CONTINENTAL, EASY_RULES, FIFTIETH_CARD, POINT_RULES, WHITE_KNUCKLE

GIN: Final = Lesson(
    kind="gin",
    preset="standard",
    players=_("Two players, or two teams"),
    sentence=_(
        "Make melds of ten cards, and end the hand when you have less left over than the other player."
    ),
    sections=(
        Section(
            _("The aim"),
            (
                (
                    Line(
                        _(
                            "Each player tries to turn ten cards into melds, draw by draw and discard by "
                            "discard."
                        )
                    ),
                    Line(
                        _(
                            "Whoever has come far enough may end the hand, and scores if the other has more "
                            "left over."
                        )
                    ),
                ),
            ),
        ),
        Section(_("The deal"), ((Line(knob="first_dealer"), Line(knob="next_dealer")), shared.DEAL)),
        shared.MELDS,
        shared.TURN,
        shared.KNOCKING,
        shared.GIN,
        shared.COUNT,
        Section(_("When the stock runs out"), ((Line(knob="stock_end"),),)),
        Section(
            _("The game"),
            (
                (*shared.ENDS, *shared.COLUMNS),
                shared.BOXES,
                (
                    *shared.BONUSES,
                    Line(_("The result is the winner’s total less the loser’s.")),
                ),
            ),
        ),
        Section(
            _("Teams"),
            (
                (
                    Line(
                        _(
                            "Two teams of the same size play a hand at each of their tables, and change "
                            "opponents after every deal."
                        )
                    ),
                    Line(knob="packs"),
                    Line(knob="team_scoring"),
                    Line(knob="sweep_boxes"),
                    Line(knob="team_target"),
                ),
            ),
        ),
    ),
    sources=(POINT_RULES, EASY_RULES, CONTINENTAL, WHITE_KNUCKLE, FIFTIETH_CARD),
)
