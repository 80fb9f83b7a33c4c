"""What a knocker is offered to lay down, and a defender to lay off, from what each may know (RULES §2)."""

from collections.abc import Iterator
from operator import itemgetter

from games.gin.actions import LAY_OFF, Action, ActionKind
from games.gin.cards import ALL_CARDS, Hand, mask_of, value_of
from games.gin.layoffs import open_to, ways_to_reply
from games.gin.melds import best_arrangements, melds_in
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
    return lay_off_choices(view)[0]


def lay_off_choices(view: View) -> list[Action]:
    """The ways to lay off of who is to do so: the offered one, and one for each other set of cards laid off.

    Least deadwood comes first. Empty in any other phase, and for the other seat.
    """
    if view.laid is None or LAY_OFF not in view.legal:
        return []
    return [
        Action(ActionKind.LAY_OFF, None, tuple([meld.mask for meld in one.melds]), one.lay_offs)
        for one in ways_to_reply(view.laid.melds, view.hand, ace=view.rules.ace)
    ]


def knock_choices(view: View) -> list[Action]:
    """The knocks of the player to move with their melds: the offered one of each card, then all others.

    In both parts least deadwood comes first. Left out is what lays down less than it could: a meld, or a card
    that fits one, left in the hand, or a run in pieces.
    """
    cards = [action.card for action in view.legal if action.kind is ActionKind.KNOCK]
    offered, others = [], []
    for card in cards:
        if card is None:
            continue
        held = view.mask & ~(1 << card)
        best = offered_knock(view, card)
        offered.append((_left(held, best.melds or ()), best))
        melds = melds_in(held, view.rules.ace)
        for laid in _ways_to_lay(held, melds):
            left = _left(held, laid)
            if left <= view.limit and set(laid) != set(best.melds or ()) and _is_whole(laid, set(melds)):
                others.append((left, Action(ActionKind.KNOCK, card, laid)))
    return [action for part in (offered, others) for _, action in sorted(part, key=itemgetter(0))]


def _left(held: int, laid: tuple[int, ...]) -> int:
    """The points of the cards that are in none of these melds."""
    return value_of(held & ~sum(laid))


def _ways_to_lay(free: int, melds: list[int]) -> Iterator[tuple[int, ...]]:
    """All ways to lay down none or some of these melds, which share no card."""
    yield ()
    for number, meld in enumerate(melds):
        if meld & free == meld:
            for rest in _ways_to_lay(free & ~meld, melds[number + 1 :]):
                yield (meld, *rest)


def _is_whole(laid: tuple[int, ...], melds: set[int]) -> bool:
    """Whether none of these `melds` could be laid down instead of free cards and whole laid melds."""
    return not any(meld not in laid and all(one & meld in (0, one) for one in laid) for meld in melds)
