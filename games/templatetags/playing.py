"""Cards and moves on pages: a face of rank and suit, read out as “seven of hearts”."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django import template
from django.template.defaultfilters import floatformat
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrPromise

from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_TEXTS, cards_of
from games.gin.judging import Ruling
from games.gin.rummy_actions import TAKE, RummyAction, RummyActionKind
from games.tables.clocks import TimeOut
from games.tables.replaying import ShownMove
from games.tables.reports import DearChoice
from scoring.core.hands import Outcome
from scoring.templatetags.figures import card as printed
from scoring.words.messages import translated

register = template.Library()
register.filter(translated)

_RANKS: Final = {
    "A": gettext_lazy("ace"),
    "2": gettext_lazy("two"),
    "3": gettext_lazy("three"),
    "4": gettext_lazy("four"),
    "5": gettext_lazy("five"),
    "6": gettext_lazy("six"),
    "7": gettext_lazy("seven"),
    "8": gettext_lazy("eight"),
    "9": gettext_lazy("nine"),
    "T": gettext_lazy("ten"),
    "J": gettext_lazy("jack"),
    "Q": gettext_lazy("queen"),
    "K": gettext_lazy("king"),
}
_SUITS: Final = {
    "C": gettext_lazy("clubs"),
    "D": gettext_lazy("diamonds"),
    "H": gettext_lazy("hearts"),
    "S": gettext_lazy("spades"),
}
# Without the text selector a heart may be shown as an emoji.
_AS_TEXT: Final = "\ufe0e"
_BY_SUIT: Final = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


@register.filter
def card_text(card: int) -> str:
    """A card as typed: 7H."""
    return CARD_TEXTS[card]


@register.simple_tag
def card_words(card: int) -> str:
    """A card as read out: seven of hearts."""
    text = CARD_TEXTS[card]
    return _("%(rank)s of %(suit)s") % {"rank": _RANKS[text[0]], "suit": _SUITS[text[1]]}


@register.simple_tag
def face(card: int, mark: str = "", said: str = "") -> SafeString:
    """The card's face, with `mark` as a class; `said` is read out after its name."""
    words = card_words(card)
    return format_html(
        '<span class="{}" role="img" aria-label="{}">{}</span>',
        f"face {_BY_SUIT[CARD_TEXTS[card][1]]} {mark}".strip(),
        f"{words}, {said}" if said else words,
        pips(card),
    )


@register.simple_tag
def pips(card: int) -> SafeString:
    """Rank and suit alone, where the card is named beside it."""
    text = printed(CARD_TEXTS[card])
    return format_html('{}<span class="suit">{}</span>', text[:-1], text[-1] + _AS_TEXT)


@register.simple_tag
def suit_words(card: int) -> str:
    """The suit of a card: hearts."""
    return str(_SUITS[CARD_TEXTS[card][1]])


@register.simple_tag
def seat_at(seats: Sequence[Any], number: int) -> Any:
    """What these have for the seat of this number."""
    return seats[number]


@register.filter
def suit_class(card: int) -> str:
    """The CSS class for the colour of the suit."""
    return _BY_SUIT[CARD_TEXTS[card][1]]


@register.filter
def move_words(move: ShownMove) -> str:
    """The move in words: “draws 7♥”, “knocks with 4, putting down 9♦”, “lays off 8♣, keeps 20”."""
    values = _values(move)
    if move.kind == ActionKind.DRAW and move.card is None:
        return _("draws from the stock")
    if move.kind == ActionKind.TIME_OUT and move.card is not None:
        return _("runs out of time; %(card)s is put down") % values
    if isinstance(move.kind, RummyActionKind):
        return (_DONE_IN_RUMMY[move.kind] % values).rstrip()
    if move.kind is ActionKind.LAY_OFF and move.deadwood is None:
        return _("lays off")
    if move.kind is ActionKind.LAY_OFF and not move.laid_off:
        return _("lays off nothing, keeps %(deadwood)s") % values
    return (_DONE[move.kind] % values).rstrip()


@register.filter
def own_move_words(move: ShownMove) -> str:
    """The move in words to who made it, after “you”: “draw from the stock”, “discard K♠”."""
    return (_you_did(move) % _values(move)).rstrip()


@register.filter
def move_said(move: ShownMove) -> str:
    """The move of a hand in play, as `move_words` for those who hear it: “discards the seven of hearts”."""
    if move.kind == ActionKind.DRAW:
        return _("draws from the stock")
    if move.kind is ActionKind.LAY_OFF:
        return _("lays off")
    done = _DONE_IN_RUMMY[move.kind] if isinstance(move.kind, RummyActionKind) else _DONE[move.kind]
    return (done % _values(move, _said)).rstrip()


@register.filter
def own_move_said(move: ShownMove) -> str:
    """As `own_move_words` for those who hear it: “discard the king of spades”."""
    return (_you_did(move) % _values(move, _said)).rstrip()


def _you_did(move: ShownMove) -> StrPromise:
    if isinstance(move.kind, RummyActionKind):
        return _YOU_DID_IN_RUMMY[move.kind]
    return _YOU_DID[move.kind]


def _printed(card: int) -> str:
    return printed(CARD_TEXTS[card]) + _AS_TEXT


def _values(move: ShownMove, named: Callable[[int], str] = _printed) -> dict[str, object]:
    return {
        "card": "" if move.card is None else named(move.card),
        "cards": " ".join([named(card) for card in move.laid_off]),
        "deadwood": move.deadwood,
    }


def _said(card: int) -> str:
    return _("the %(card)s") % {"card": card_words(card)}


@register.filter
def action_words(action: Action | RummyAction) -> str:
    """An action in words: “discard K♠”."""
    if isinstance(action, RummyAction):
        cards = " ".join([_printed(card) for card in cards_of(action.cards)])
        to_do = _TO_DO[ActionKind.TAKE] if action == TAKE else _YOU_DID_IN_RUMMY[action.kind]
        return (to_do % {"card": cards, "cards": cards}).rstrip()
    card = "" if action.card is None else _printed(action.card)
    return _TO_DO[action.kind] % {"card": card}


@register.filter
def dear_words(action: Action | RummyAction, dear: DearChoice) -> str:
    """An action that a dear choice is about, in words; a card that was to be taken is named if known."""
    if dear.top is not None and str(action) == ActionKind.TAKE:
        return _("take %(card)s") % {"card": _printed(dear.top)}
    return action_words(action)


@register.filter
def time_out_words(time_out: str) -> str:
    """What happens to whoever runs out of time, a `TimeOut` by its name, as a sentence."""
    return translated(TimeOut(time_out).said)


@register.filter
def percent_words(share: float) -> str:
    """A share of 0 to 1 in whole percent, kept on one line: “22 %”."""
    said = _("%(percent)s %%") % {"percent": round(100 * share)}
    return said.replace(" ", "\N{NO-BREAK SPACE}")


@register.filter
def points_words(points: float) -> str:
    """Points to a tenth, with a minus sign that is one: “−1.5”."""
    return str(floatformat(points, 1)).replace("-", "−")


# A risk is told from this difference on.
_RISKIER: Final = 0.05


@register.filter
def why_words(dear: DearChoice) -> str:
    """Why the other choice was better: what it leaves, the chance to knock, the risk; "" if none of these."""
    made, better = dear.compared
    values = {
        "left": made.deadwood,
        "less": better.deadwood,
        "knocking": made.knocking,
        "more": better.knocking,
        "risk": percent_words(made.risk or 0),
        "safer": percent_words(better.risk or 0),
    }
    said = []
    if not {made.action.kind, better.action.kind}.isdisjoint(_ENDINGS):
        said = [_UNDERCUT % values for one in (made, better) if one.action.kind is ActionKind.KNOCK][:1]
        if made.action.kind not in _ENDINGS:
            said = [_COULD_END[better.action.kind] % values]
    else:
        if better.deadwood < made.deadwood:
            said.append(_LEAVES_LESS % values)
        if (better.knocking or 0) > (made.knocking or 0):
            said.append(_KNOCKS_SOONER % values)
        if (made.risk or 0) >= (better.risk or 0) + _RISKIER:
            said.append(_IS_SAFER % values)
    return " ".join(said)


_ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
_LEAVES_LESS: Final = gettext_lazy("It leaves %(left)s in deadwood, the better one %(less)s.")
_KNOCKS_SOONER: Final = gettext_lazy(
    "Unseen cards with which you could knock next: %(knocking)s, after the better choice %(more)s."
)
_IS_SAFER: Final = gettext_lazy(
    "The next player can meld it in %(risk)s of the deals, the better one in %(safer)s."
)
_UNDERCUT: Final = gettext_lazy("The knock with %(left)s is undercut in %(risk)s of the deals.")
_COULD_END: Final[Mapping[str, StrPromise]] = {
    ActionKind.KNOCK: gettext_lazy("You could knock with %(less)s, undercut in %(safer)s of the deals."),
    ActionKind.GIN: gettext_lazy("You could say gin."),
    ActionKind.BIG_GIN: gettext_lazy("You could say big gin."),
}


_DONE: Final = {
    ActionKind.PASS: gettext_lazy("passes %(card)s"),
    ActionKind.TAKE: gettext_lazy("takes %(card)s"),
    ActionKind.TAKE_BELOW: gettext_lazy("takes %(card)s from below"),
    ActionKind.DRAW: gettext_lazy("draws %(card)s"),
    ActionKind.DISCARD: gettext_lazy("discards %(card)s"),
    ActionKind.KNOCK: gettext_lazy("knocks with %(deadwood)s, putting down %(card)s"),
    ActionKind.GIN: gettext_lazy("says gin, putting down %(card)s"),
    ActionKind.BIG_GIN: gettext_lazy("says big gin"),
    ActionKind.LAY_OFF: gettext_lazy("lays off %(cards)s, keeps %(deadwood)s"),
    ActionKind.TIME_OUT: gettext_lazy("runs out of time"),
}
# Of a hand in play, in which what is drawn stands in no move.
_YOU_DID: Final = {
    ActionKind.PASS: gettext_lazy("pass"),
    ActionKind.TAKE: gettext_lazy("take %(card)s"),
    ActionKind.TAKE_BELOW: gettext_lazy("take %(card)s from below"),
    ActionKind.DRAW: gettext_lazy("draw from the stock"),
    ActionKind.DISCARD: gettext_lazy("discard %(card)s"),
    ActionKind.KNOCK: gettext_lazy("knock with %(deadwood)s, putting down %(card)s"),
    # As is said while another game from the same pack goes on.
    ActionKind.GIN: gettext_lazy("say gin, putting down %(card)s"),
    ActionKind.BIG_GIN: gettext_lazy("say big gin"),
    ActionKind.LAY_OFF: gettext_lazy("lay off"),
    ActionKind.TIME_OUT: gettext_lazy("run out of time"),
}
_DONE_IN_RUMMY: Final = {
    RummyActionKind.DRAW: gettext_lazy("draws %(card)s"),
    RummyActionKind.TAKE: gettext_lazy("takes %(card)s"),
    RummyActionKind.PASS: gettext_lazy("passes"),
    RummyActionKind.MELD: gettext_lazy("lays down %(cards)s"),
    RummyActionKind.LAY_OFF: gettext_lazy("lays off %(card)s"),
    RummyActionKind.DISCARD: gettext_lazy("discards %(card)s"),
    RummyActionKind.TIME_OUT: gettext_lazy("runs out of time"),
}
_YOU_DID_IN_RUMMY: Final = {
    RummyActionKind.DRAW: gettext_lazy("draw from the stock"),
    RummyActionKind.TAKE: gettext_lazy("take %(card)s"),
    RummyActionKind.PASS: gettext_lazy("pass"),
    RummyActionKind.MELD: gettext_lazy("lay down %(cards)s"),
    RummyActionKind.LAY_OFF: gettext_lazy("lay off %(card)s"),
    RummyActionKind.DISCARD: gettext_lazy("discard %(card)s"),
    RummyActionKind.TIME_OUT: gettext_lazy("run out of time"),
}
_TO_DO: Final = {
    ActionKind.PASS: gettext_lazy("pass"),
    ActionKind.TAKE: gettext_lazy("take the top of the pile"),
    ActionKind.TAKE_BELOW: gettext_lazy("take the card below the top"),
    ActionKind.DRAW: gettext_lazy("draw from the stock"),
    ActionKind.DISCARD: gettext_lazy("discard %(card)s"),
    ActionKind.KNOCK: gettext_lazy("knock with %(card)s"),
    ActionKind.GIN: gettext_lazy("gin with %(card)s"),
    ActionKind.BIG_GIN: gettext_lazy("big gin"),
    ActionKind.LAY_OFF: gettext_lazy("lay off"),
}


@register.filter
def ruling_words(ruling: Ruling) -> str:
    """The ruling in a sentence."""
    values = {
        "own": ruling.knocker.deadwood,
        "other": ruling.defender.deadwood,
        "points": ruling.points,
    }
    said = str(_RULED[ruling.outcome] % values)
    if not ruling.penalty:
        return said
    return _("%(said)s The knocker loses %(penalty)s.") % {"said": said, "penalty": ruling.penalty}


_RULED: Final = {
    Outcome.KNOCK: gettext_lazy(
        "The knocker has %(own)s, the defender is left with %(other)s: %(points)s to the knocker."
    ),
    Outcome.GIN: gettext_lazy("Gin: the defender is left with %(other)s, and %(points)s go to the knocker."),
    Outcome.BIG_GIN: gettext_lazy(
        "Big gin: the defender is left with %(other)s, and %(points)s go to the knocker."
    ),
    Outcome.UNDERCUT: gettext_lazy(
        "The knocker has %(own)s, the defender keeps %(other)s: an undercut, %(points)s to the defender."
    ),
    Outcome.GIN_OFF: gettext_lazy(
        "The knocker has %(own)s, the defender has nothing left: an undercut, %(points)s to the defender."
    ),
    Outcome.DEAD: gettext_lazy(
        "Both are left with %(own)s: under these rules a dead hand, and nobody scores."
    ),
}


@register.filter
def outcome_words(outcome: str) -> str:
    """The outcome of a hand in a word."""
    return str(_OUTCOMES[Outcome(outcome)])


_OUTCOMES: Final = {
    Outcome.KNOCK: gettext_lazy("Knock"),
    Outcome.GIN: gettext_lazy("Gin"),
    Outcome.BIG_GIN: gettext_lazy("Big gin"),
    Outcome.UNDERCUT: gettext_lazy("Undercut"),
    Outcome.GIN_OFF: gettext_lazy("Undercut"),
    Outcome.POINTS: gettext_lazy("Points"),
    Outcome.DEAD: gettext_lazy("Dead hand"),
}
