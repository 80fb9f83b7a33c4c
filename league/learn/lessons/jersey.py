"""Jersey gin: three play at once with one pack (RULES §8)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons import shared
from league.learn.lessons.lesson import Lesson, Line, Section, knocks
from league.learn.sources import BATTLE_ROYAL, JERSEY

JERSEY_GIN: Final = Lesson(
    kind="jersey",
    preset="jersey",
    players=_("Three players"),
    sentence=_("Three play one hand of gin, and who wins it wins from both of the others."),
    sections=(
        Section(
            _("The deal"),
            (
                (
                    Line(_("The highest of a cut deals first; then the deal passes to the left.")),
                    Line(_("Everybody gets ten cards, one at a time; a card is turned up beside the stock.")),
                    Line(knob="jersey_upcard"),
                ),
            ),
        ),
        shared.MELDS,
        Section(
            _("A turn"),
            (
                (
                    Line(_("Turns go to the left. Draw the top card of the stock, or take a discard.")),
                    Line(knob="jersey_discards"),
                    Line(_("Then put one card face up on the pile.")),
                    Line(knob="discard_taken_card"),
                ),
                (
                    Line(knob="jersey_stock_left"),
                    Line(
                        _("If nobody knocks by the last card that may be drawn, the hand is dead."),
                        knob="stock_end",
                        when=lambda rules: rules.stock_end == "two_left",
                    ),
                    Line(
                        _(
                            "After the last card that may be drawn the next player, then the third, may take "
                            "the discard to knock; otherwise the hand is dead."
                        ),
                        knob="stock_end",
                        when=lambda rules: rules.stock_end == "fiftieth_card",
                    ),
                ),
            ),
        ),
        Section(
            _("Knocking"),
            (
                (
                    Line(knob="knock_limit"),
                    Line(knob="oklahoma"),
                    Line(_("A knock ends the hand for all."), when=knocks),
                    Line(
                        _(
                            "From the knocker’s left each lays down melds, then lays off on those of the "
                            "knocker."
                        ),
                        when=knocks,
                    ),
                    Line(knob="jersey_lay_off"),
                    Line(knob="zero_knock"),
                ),
            ),
        ),
        Section(
            _("Gin"),
            (
                (
                    Line(_("A whole hand in melds is gin. Nobody lays off against gin.")),
                    Line(knob="gin_bonus"),
                    Line(knob="big_gin_bonus"),
                    Line(knob="jersey_bonus"),
                ),
            ),
        ),
        Section(
            _("What a hand counts"),
            (
                (
                    Line(knob="jersey_count"),
                    Line(knob="jersey_undercut"),
                    Line(knob="undercut_bonus"),
                    Line(knob="undercut_on_tie"),
                    Line(knob="undercut_penalty"),
                ),
                (Line(knob="spades_double"),),
            ),
        ),
        Section(
            _("The game"),
            (
                shared.ENDS,
                shared.BOXES,
                (
                    *shared.BONUSES,
                    Line(_("In the end each settles the difference of the totals with each of the others.")),
                ),
            ),
        ),
    ),
    sources=(JERSEY, BATTLE_ROYAL),
    is_judged=False,
)
