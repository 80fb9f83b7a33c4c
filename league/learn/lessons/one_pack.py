"""Partners with one pack: two games of two are dealt from it (RULES §8)."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons import shared
from league.learn.lessons.lesson import Drawn, Lesson, Line, Section
from league.learn.sources import FOUR_IN_A_PACK, PARTNERSHIP, POINT_RULES

_TURNED_UP: Final = (
    Line(
        _("A card is turned up for each game: whoever has its first turn may take it, then the opponent."),
        knob="deal",
        when=lambda rules: rules.deal == "upcard",
    ),
    Line(
        _("Whoever has the first turn of a game gets a card more, and begins by discarding."),
        knob="deal",
        when=lambda rules: rules.deal == "elder_eleven",
    ),
)

PARTNERS: Final = Lesson(
    kind="partners_one_pack",
    preset="partners_one_pack",
    players=_("Two teams of two"),
    sentence=_("Each plays a hand of gin against one of the other team, both hands from one pack."),
    sections=(
        Section(
            _("The table"),
            (
                (
                    Line(_("Partners sit opposite each other. Each plays against one neighbour.")),
                    Line(_("After every deal opponents change, and the deal passes to the left.")),
                    Line(knob="first_dealer"),
                ),
            ),
        ),
        Section(
            _("The deal"),
            (
                (
                    Line(knob="partners_one_pack_cards"),
                    Line(_("The two games share the stock; each has a discard pile of its own.")),
                    *_TURNED_UP,
                ),
            ),
        ),
        Section(
            shared.MELDS.title,
            shared.MELDS.paragraphs,
            (Drawn(_("A set, a run, and the rest"), "4H 5H 6H 9C 9D 9S AS"),),
        ),
        Section(
            _("A turn"),
            (
                (
                    Line(_("Turns go round the table; whoever has finished is passed over.")),
                    Line(
                        _(
                            "Draw the top card of the stock, or of your own game’s pile, and put one on that "
                            "pile."
                        )
                    ),
                    Line(knob="discard_taken_card"),
                ),
            ),
        ),
        Section(
            shared.KNOCKING.title,
            (
                (Line(_("A knock or gin ends one of the two games; the other goes on.")),),
                *shared.KNOCKING.paragraphs,
            ),
        ),
        shared.GIN,
        shared.COUNT,
        Section(
            _("When the stock runs out"),
            (
                (
                    Line(_("Two cards of the stock are never drawn.")),
                    Line(knob="partners_one_pack_reshuffles"),
                    Line(
                        _("After that every game still going on is dead."),
                        knob="stock_end",
                        when=lambda rules: rules.stock_end == "two_left",
                    ),
                    Line(
                        _(
                            "After that the next player of each game still going on may take the discard to "
                            "knock; otherwise it is dead."
                        ),
                        knob="stock_end",
                        when=lambda rules: rules.stock_end == "fiftieth_card",
                    ),
                ),
            ),
        ),
        Section(
            _("The game"),
            (
                (
                    Line(knob="team_scoring"),
                    Line(knob="sweep_boxes"),
                    Line(knob="team_target"),
                    Line(knob="deals"),
                    *shared.COLUMNS,
                ),
                shared.BOXES,
                (*shared.BONUSES, Line(_("The result is the winner’s total less the loser’s."))),
            ),
        ),
    ),
    sources=(PARTNERSHIP, FOUR_IN_A_PACK, POINT_RULES),
)
