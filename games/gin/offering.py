"""The melds that a knocker is offered to lay down, from what he may know (RULES §2)."""

from games.gin.actions import Action, ActionKind
from games.gin.cards import ALL_CARDS, Hand, mask_of, value_of
from games.gin.layoffs import open_to
from games.gin.melds import best_arrangements
from games.gin.view import View


def offered_knock(view: View, card: int) -> Action:
    """The knock with this card of the player to move that leaves least deadwood; `card` is in the hand.

    Of several arrangements it is the one on which the cards that others may hold could lay off least, counted
    in points. The others' hands decide nothing: equal views get equal offers.
    """
    ace = view.rules.ace
    not_theirs = view.mask | mask_of(view.pile) | view.elsewhere
    theirs = ALL_CARDS & ~not_theirs
    laid = min(
        best_arrangements(Hand(view.mask & ~(1 << card)), ace=ace),
        key=lambda one: value_of(open_to(one.melds, theirs, ace)),
    )
    return Action(ActionKind.KNOCK, card, tuple([meld.mask for meld in laid.melds]))
