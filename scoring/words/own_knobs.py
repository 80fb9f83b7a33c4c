"""The knobs that only one kind of game has (RULES §8) in words, a group for each kind."""

from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy
from django_stubs_ext import StrOrPromise

from scoring.core.kinds import KINDS
from scoring.core.rules import Rules
from scoring.words.knob import Knob
from scoring.words.messages import translated_lazy


def _own(rules: Rules, knob: str) -> Any:
    return getattr(rules.own, knob)


def why_own_idle(rules: Rules, knob: str) -> str:
    """Why a knob is without effect, given the knobs of the kind; "" if it is in force."""
    match rules.kind, knob:
        case "captains", "first_dealer" | "next_dealer" if _own(rules, "box_deals"):
            return _("the player in the box deals.")
        case "basic_rummy", "basic_rummy_floating" if not _own(rules, "last_discard"):
            return _("the last card need not be discarded.")
        case "basic_rummy", "basic_rummy_stock" if not _own(rules, "turnovers"):
            return _("the pile is not used again.")
    return ""


_CUTTHROAT: Final = {
    "sits_out": Knob(
        gettext_lazy("Who sits out"),
        gettext_lazy("Who makes room for the next player."),
        {
            "loser": gettext_lazy("The loser of a hand makes room for the first of those who wait."),
            "in_turn": gettext_lazy("All sit out in turn, whoever wins."),
        },
        {"loser": gettext_lazy("the loser of the hand"), "in_turn": gettext_lazy("all in turn")},
    ),
    "sitter_deals": Knob(
        gettext_lazy("Whoever sits out deals"),
        gettext_lazy("Otherwise whoever comes in deals, and plays."),
        {
            True: gettext_lazy("Whoever has just made room deals the next hand, and does not play it."),
            False: gettext_lazy("Whoever comes in deals the next hand, and plays it."),
        },
    ),
}
_CAPTAINS: Final = {
    "box_held": Knob(
        gettext_lazy("In the box"),
        gettext_lazy("How long one player is alone against the others."),
        {
            "game": gettext_lazy(
                "One player is in the box for the whole game, and settles its result with every partner "
                "in full."
            ),
            "hand": gettext_lazy(
                "Whoever loses a hand in the box goes to the end of the line; everybody has a total."
            ),
        },
        {"game": gettext_lazy("for the game"), "hand": gettext_lazy("until a hand is lost")},
    ),
    "box_deals": Knob(
        gettext_lazy("The box deals"),
        gettext_lazy("Otherwise the dealer changes as between two."),
        {
            True: gettext_lazy("The player in the box deals every hand."),
            False: gettext_lazy("The player in the box and the captain deal as any two do."),
        },
    ),
}
_JERSEY: Final = {
    "count": Knob(
        gettext_lazy("Worth of a hand"),
        gettext_lazy("What the winner of a hand scores."),
        {
            "each": gettext_lazy("The winner scores the difference to each of the others."),
            "sum": gettext_lazy("The winner scores what both others have, less their own count once."),
        },
        {
            "each": gettext_lazy("the difference to each"),
            "sum": gettext_lazy("both counts, less the winner’s own once"),
        },
    ),
    "bonus": Knob(
        gettext_lazy("Bonus for gin"),
        gettext_lazy("Won from each of the others, or once."),
        {
            "each": gettext_lazy("The bonus for gin is won from each of the others."),
            "once": gettext_lazy("The bonus for gin is won once."),
        },
        {"each": gettext_lazy("from each"), "once": gettext_lazy("once")},
    ),
    "undercut": Knob(
        gettext_lazy("Undercuts"),
        gettext_lazy("Who wins where somebody has less than the knocker."),
        {
            "lowest": gettext_lazy("Whoever undercuts with the lowest count wins from both others."),
            "each": gettext_lazy("Each is alone against the knocker: one may undercut while the other pays."),
        },
        {
            "lowest": gettext_lazy("the lowest, from all"),
            "each": gettext_lazy("each against the knocker alone"),
        },
    ),
    "lay_off": Knob(
        gettext_lazy("Laying off"),
        gettext_lazy("Whether cards go on what another player has laid off."),
        {
            "original": gettext_lazy(
                "Cards are laid off on the knocker's melds, not on a card that another has laid off."
            ),
            "chained": gettext_lazy("Cards are laid off on what another has laid off, too."),
        },
        {
            "original": gettext_lazy("on the knocker's melds"),
            "chained": gettext_lazy("on what others laid off, too"),
        },
    ),
    "upcard": Knob(
        gettext_lazy("The first upcard"),
        gettext_lazy("Offered to each in turn, or to the first player only."),
        {
            "offered": gettext_lazy(
                "The upcard is offered to each in turn; then the first player draws from the stock."
            ),
            "open": gettext_lazy("The first player takes the upcard or draws from the stock."),
        },
        {"offered": gettext_lazy("to each in turn"), "open": gettext_lazy("to the first player")},
    ),
    "discards": Knob(
        gettext_lazy("Discards to be taken"),
        gettext_lazy("The last one, or the last of either opponent."),
        {
            "last": gettext_lazy("Only the last discard may be taken."),
            "last_two": gettext_lazy("The last discard of either opponent may be taken, while it is there."),
        },
        {"last": gettext_lazy("the last"), "last_two": gettext_lazy("the last of either opponent")},
    ),
    "stock_left": Knob(
        gettext_lazy("Left of the stock"),
        gettext_lazy("This many cards are not drawn."),
        ngettext_lazy(
            "The last card of the stock is not drawn.",
            "The last %(count)s cards of the stock are not drawn.",
            "count",
        ),
        nothing=gettext_lazy("The stock is drawn to its last card."),
    ),
}
_ONE_PACK: Final = {
    "cards": Knob(
        gettext_lazy("Cards for each"),
        gettext_lazy("Ten leave a stock of twelve, seven one of 24."),
        {
            10: gettext_lazy("Each player has ten cards, which leaves a stock of twelve."),
            7: gettext_lazy("Each player has seven cards, which leaves a stock of 24."),
        },
        {"10": gettext_lazy("ten"), "7": gettext_lazy("seven")},
    ),
    "reshuffles": Knob(
        gettext_lazy("New stocks"),
        gettext_lazy("How often the piles are shuffled into a new stock."),
        ngettext_lazy(
            "When the stock has run out the piles are shuffled into a new one, once.",
            "When the stock has run out the piles are shuffled into a new one, %(count)s times.",
            "count",
        ),
        nothing=gettext_lazy("When the stock has run out the piles are not used again."),
    ),
}
_RUMMY: Final = {
    "ace": Knob(
        gettext_lazy("Ace in a run"),
        gettext_lazy("Below the two, above the king, or either."),
        {
            "low": gettext_lazy("The ace is low: ace, two, three is a run; queen, king, ace is not."),
            "high": gettext_lazy("The ace is high: queen, king, ace is a run; ace, two, three is not."),
            "low_or_high": gettext_lazy("The ace is low or high, and no run goes round the corner."),
        },
        {
            "low": gettext_lazy("low only"),
            "high": gettext_lazy("high only"),
            "low_or_high": gettext_lazy("low or high"),
        },
    ),
    "ace_points": Knob(
        gettext_lazy("An ace counts"),
        gettext_lazy("Left in a hand."),
        gettext_lazy("An ace that is left in a hand counts %(count)s."),
        {"1": "1", "11": "11", "15": "15"},
    ),
    "melds": Knob(
        gettext_lazy("Melds in a turn"),
        gettext_lazy("How many may be laid down."),
        {
            "any": gettext_lazy("Any number of melds is laid down in a turn."),
            "one": gettext_lazy("One meld is laid down in a turn, unless the whole hand is."),
        },
        {"any": gettext_lazy("any number"), "one": gettext_lazy("one")},
    ),
    "lay_off": Knob(
        gettext_lazy("Laying off"),
        gettext_lazy("Who may lay off on melds on the table."),
        {
            "always": gettext_lazy("Everybody lays off on anybody's melds."),
            "after_meld": gettext_lazy("Only players who have laid down a meld lay off."),
        },
        {
            "always": gettext_lazy("everybody"),
            "after_meld": gettext_lazy("players who have laid down a meld"),
        },
    ),
    "last_discard": Knob(
        gettext_lazy("Discard to go out"),
        gettext_lazy("The last card must be discarded."),
        {
            True: gettext_lazy("To go out the last card must be discarded."),
            False: gettext_lazy("A player goes out by melding, laying off or discarding."),
        },
    ),
    "floating": Knob(
        gettext_lazy("Floating"),
        gettext_lazy("A player with no card left for the discard plays on."),
        {
            True: gettext_lazy(
                "A player with no card left for the discard floats: counts nothing, and plays on."
            ),
            False: gettext_lazy("A card must be kept for the last discard."),
        },
    ),
    "going_rummy_doubles": Knob(
        gettext_lazy("Going rummy doubles"),
        gettext_lazy("The whole hand in one turn, with nothing laid down before."),
        {
            True: gettext_lazy("Going rummy, with the whole hand in one turn, scores double."),
            False: gettext_lazy("Going rummy, with the whole hand in one turn, scores as going out does."),
        },
    ),
    "stock": Knob(
        gettext_lazy("The pile as a stock"),
        gettext_lazy("How the pile becomes the stock."),
        {
            "turned_over": gettext_lazy("The whole pile is turned over, and not shuffled."),
            "shuffled": gettext_lazy("The pile is shuffled, but for its top card."),
        },
        {"turned_over": gettext_lazy("turned over"), "shuffled": gettext_lazy("shuffled")},
    ),
    "turnovers": Knob(
        gettext_lazy("New stocks"),
        gettext_lazy("How often the pile becomes the stock."),
        ngettext_lazy(
            "When the stock has run out the pile becomes the stock, once.",
            "When the stock has run out the pile becomes the stock, %(count)s times.",
            "count",
        ),
        nothing=gettext_lazy("When the stock has run out the pile is not used again."),
    ),
    "blocked": Knob(
        gettext_lazy("A blocked hand"),
        gettext_lazy("What it counts when the cards have run out."),
        {
            "dead": gettext_lazy("A blocked hand is dead: nobody scores."),
            "lowest_each": gettext_lazy(
                "In a blocked hand whoever has least scores the difference to each of the others."
            ),
            "lowest_once": gettext_lazy(
                "In a blocked hand whoever has least scores what the others have, less their own count once."
            ),
            "lowest_full": gettext_lazy(
                "In a blocked hand whoever has least scores all that the others have."
            ),
            "all_lose": gettext_lazy("In a blocked hand everybody loses what is left in the hand."),
        },
        {
            "dead": gettext_lazy("nothing"),
            "lowest_each": gettext_lazy("the difference to each, for the lowest"),
            "lowest_once": gettext_lazy("all less the lowest once, for the lowest"),
            "lowest_full": gettext_lazy("all of the others', for the lowest"),
            "all_lose": gettext_lazy("everybody loses"),
        },
    ),
    "settlement": Knob(
        gettext_lazy("Settlement"),
        gettext_lazy("What is paid: each hand, or the totals."),
        {
            "hands": gettext_lazy("Each hand is paid to its winner by each of the others."),
            "totals": gettext_lazy("At the end each settles the totals with each."),
        },
        {"hands": gettext_lazy("each hand"), "totals": gettext_lazy("the totals")},
    ),
}
_OF_KINDS: Final = {
    "cutthroat": _CUTTHROAT,
    "captains": _CAPTAINS,
    "jersey": _JERSEY,
    "partners_one_pack": _ONE_PACK,
    "basic_rummy": _RUMMY,
}

# Each kind's title, and its own knobs by their names in `rule_differences.SINGLE_KNOBS`.
OWN_GROUPS: Final[tuple[tuple[StrOrPromise, dict[str, Knob]], ...]] = tuple(
    (translated_lazy(KINDS[kind].title), {f"{kind}_{name}": knob for name, knob in knobs.items()})
    for kind, knobs in _OF_KINDS.items()
)
