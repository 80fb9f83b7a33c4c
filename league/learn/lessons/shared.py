"""Sections that all kinds of gin have in common: melds, a turn, the end of a hand, what it counts."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from league.learn.lessons.lesson import Drawn, Line, Section, knocks

MELDS: Final = Section(
    _("Melds and deadwood"),
    (
        (
            Line(_("A set is three or four cards of one rank; a run is three or more of one suit in order.")),
            Line(_("A card belongs to one meld only.")),
            Line(knob="ace"),
        ),
        (
            Line(_("What is left over is deadwood: a picture card counts 10, any other its number.")),
            Line(_("Cards are arranged so that as little as possible is left over.")),
        ),
    ),
    (Drawn(_("A set, a run, and the rest"), "4H 5H 6H 9C 9D 9S AS 2C 3D 4C"),),
)

TURN: Final = Section(
    _("A turn"),
    (
        (
            Line(_("Draw the top card of the stock, or the top card of the discard pile.")),
            Line(_("Then put one card face up on the pile.")),
            Line(knob="discard_taken_card"),
            Line(_("Melds stay in the hand until it ends.")),
        ),
    ),
)

KNOCKING: Final = Section(
    _("Knocking"),
    (
        (
            Line(knob="knock_limit"),
            Line(knob="oklahoma"),
            Line(
                _(
                    "To knock, draw a card, put another face down, and lay your hand on the table, in melds "
                    "and deadwood."
                ),
                when=knocks,
            ),
        ),
        (
            Line(
                _(
                    "The defender lays down melds too, and then lays off: cards that lengthen a run of the "
                    "knocker, or make four of a set of three, are no longer deadwood."
                ),
                when=knocks,
            ),
            Line(_("The knocker never lays off."), when=knocks),
            Line(knob="zero_knock"),
        ),
    ),
)

GIN: Final = Section(
    _("Gin"),
    (
        (
            Line(_("A whole hand in melds is gin. Nobody lays off against gin.")),
            Line(knob="gin_bonus"),
            Line(knob="big_gin_bonus"),
        ),
    ),
)

COUNT: Final = Section(
    _("What a hand counts"),
    (
        (
            Line(_("If the defender has more left over, the knocker scores the difference."), when=knocks),
            Line(_("If it is the defender who has less, that is an undercut."), when=knocks),
            Line(knob="undercut_bonus"),
            Line(knob="undercut_on_tie"),
            Line(knob="undercut_penalty"),
        ),
        (Line(knob="spades_double"),),
    ),
)

# What boxes and bonuses add where a game is settled.
BOXES: Final = (
    Line(knob="box_bonus"),
    Line(knob="box_credit"),
    Line(knob="extra_boxes_gin"),
    Line(knob="extra_boxes_big_gin"),
    Line(knob="extra_boxes_undercut"),
    Line(knob="extra_boxes_gin_off"),
    Line(knob="spades_double_boxes"),
)
BONUSES: Final = (
    Line(knob="game_bonus"),
    Line(knob="shutout"),
    Line(knob="shutout_amount"),
    Line(knob="double_if_loser_boxless"),
)
COLUMNS: Final = (Line(knob="columns"), Line(knob="last_column_double"))
ENDS: Final = (Line(knob="target"), Line(knob="deals"))
DEAL: Final = (
    Line(_("Both get ten cards, one at a time; the rest is the stock, face down.")),
    Line(knob="deal"),
    Line(
        _("If both pass, the player who did not deal draws from the stock."),
        when=lambda rules: rules.deal == "upcard",
    ),
)
# The same, said of whoever has the first turn, where the dealer may be none of the two.
TURNED_UP: Final = (
    Line(
        _("A card is turned up: whoever has the first turn may take it, then the other player."),
        knob="deal",
        when=lambda rules: rules.deal == "upcard",
    ),
    Line(
        _("If both pass, whoever has the first turn draws from the stock."),
        knob="deal",
        when=lambda rules: rules.deal == "upcard",
    ),
    Line(
        _("Whoever has the first turn gets an eleventh card, and begins by discarding."),
        knob="deal",
        when=lambda rules: rules.deal == "elder_eleven",
    ),
)
