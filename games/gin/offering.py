"""What a knocker is offered to lay down, and a defender to lay off, from what each may know (RULES §2)."""

from games.gin.actions import Action, ActionKind
from games.gin.cards import ALL_CARDS, Hand, mask_of, value_of
from games.gin.layoffs import open_to, reply
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


def offered_lay_off(view: View) -> Action:
    """The melds and lay-offs that leave the defender, who is to move, least; he sees all that decides it."""
    assert view.laid is not None  # noqa: S101 (the knocker has laid down his cards before anybody lays off)
    best = reply(view.laid.melds, view.hand, ace=view.rules.ace)
    return Action(ActionKind.LAY_OFF, None, tuple([meld.mask for meld in best.melds]), best.lay_offs)
