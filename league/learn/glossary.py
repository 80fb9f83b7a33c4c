"""The words of the game, as this product uses them (RULES §1)."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise


@dataclass(frozen=True, slots=True)
class Term:
    """A word and its meaning; `key` is its anchor on the page."""

    key: str
    name: StrOrPromise
    meaning: StrOrPromise


TERMS: Final = tuple(
    Term(key, name, meaning)
    for key, name, meaning in (
        ("big-gin", _("Big gin"), _("Eleven cards that are all in melds, laid down without a discard.")),
        (
            "blocked",
            _("Blocked hand"),
            _("A hand of rummy that nobody can go on with: the stock has run out."),
        ),
        ("box", _("Box"), _("A line won on the sheet. Boxes are worth points when the game is settled.")),
        (
            "in-the-box",
            _("In the box"),
            _("In captains: who plays alone against all the others."),
        ),
        ("captain", _("Captain"), _("In captains: who plays the hand for all those who are not in the box.")),
        ("column", _("Column"), _("One game of a Hollywood sheet, with a place for each side.")),
        (
            "dead-hand",
            _("Dead hand"),
            _("A hand that nobody has ended before the stock ran out. Nobody scores."),
        ),
        ("deadwood", _("Deadwood"), _("Cards in no meld, and what they count together.")),
        (
            "deal",
            _("Deal"),
            _("All hands dealt at the same time: one between two, one per table between teams."),
        ),
        ("dealer", _("Dealer"), _("Who deals the hand. The other player has the first turn.")),
        ("defender", _("Defender"), _("The knocker’s opponent.")),
        (
            "discard-pile",
            _("Discard pile"),
            _("The open pile of cards that were put down; its top card may be taken."),
        ),
        (
            "floating",
            _("Floating"),
            _("In rummy: to have no card left for the last discard, and to play on."),
        ),
        ("game", _("Game"), _("Hands played up to the target, or a number of deals; then it is settled.")),
        ("gin", _("Gin"), _("Ten cards that are all in melds.")),
        ("going-out", _("Going out"), _("In rummy: to get rid of the last card.")),
        ("going-rummy", _("Going rummy"), _("To go out in one turn, with nothing laid down before.")),
        ("hand", _("Hand"), _("One deal between two players; also the ten cards that a player holds.")),
        (
            "hollywood",
            _("Hollywood"),
            _(
                "Three games on one sheet. A side’s first win counts in the first, its second in two, all "
                "others in three."
            ),
        ),
        ("knock", _("Knock"), _("To end the hand with deadwood that is low enough.")),
        ("knock-limit", _("Knock limit"), _("The most deadwood with which one may knock.")),
        ("knocker", _("Knocker"), _("Who ends the hand, by a knock or with gin.")),
        (
            "lay-off",
            _("Lay off"),
            _("To add deadwood of one’s own to the knocker’s melds; in rummy, to any meld on the table."),
        ),
        ("line", _("Line"), _("What one deal adds to the sheet for the side that won it.")),
        ("meld", _("Meld"), _("A set or a run.")),
        ("oklahoma", _("Oklahoma"), _("Gin in which the card turned up sets the knock limit of the hand.")),
        ("pack", _("Pack"), _("The 52 cards, without jokers.")),
        ("partner", _("Partner"), _("Another player of the same side.")),
        ("rank", _("Rank"), _("What is the same in all four sevens.")),
        ("run", _("Run"), _("Three or more cards of one suit in order, as five, six, seven of hearts.")),
        ("set", _("Set"), _("Three or four cards of one rank.")),
        (
            "settlement",
            _("Settlement"),
            _("What is added and compared when a game is over: points, boxes, bonuses."),
        ),
        (
            "shutout",
            _("Shutout"),
            _("A game in which the loser has won no hand. Also called schneider or blitz."),
        ),
        ("side", _("Side"), _("A player or a team on a sheet.")),
        ("stock", _("Stock"), _("The cards that were not dealt, face down.")),
        ("suit", _("Suit"), _("Clubs, diamonds, hearts or spades.")),
        ("target", _("Target"), _("The points that win a game.")),
        (
            "undercut",
            _("Undercut"),
            _(
                "The defender has less deadwood than the knocker, or by most rules as much, and wins the "
                "hand."
            ),
        ),
        (
            "gin-off",
            _("Undercut with nothing left"),
            _("The defender lays off or melds every card after a knock. Also called gin off."),
        ),
        ("upcard", _("Upcard"), _("The card that is turned up when the hands have been dealt.")),
    )
)
