"""The referee: the result of a hand from the cards on the table (RULES §2 to §4).

Arranges the knocker's cards, finds the defender's reply, and scores the counts with the scorer of sheets.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.errors import GameError
from games.gin.cards import CARD_TEXTS, Hand, parse_number
from games.gin.layoffs import LayOff, Reply, deadwood_after_reply, reply
from games.gin.melds import Arrangement, Meld, best_arrangements, meld_of
from scoring.core.hands import BigGin, Gin, HandResult, Knock, Outcome, hand_limit, score_hand
from scoring.core.kinds import kind_of
from scoring.core.messages import Value, mark
from scoring.core.rules import Rules

HAND_SIZE: Final = 10
BIG_GIN_SIZE: Final = 11
# As many cards are dealt to two as to any number, in all games in which somebody knocks.
PLAYERS: Final = 2

KNOCKER: Final = "knocker"
DEFENDER: Final = "defender"


@dataclass(frozen=True, slots=True)
class Ruling:
    """The score of the hand and how the cards lie; `winner` is `knocker`, `defender` or None.

    `penalty` is taken off who lost it.
    """

    outcome: Outcome
    winner: str | None
    points: int
    boxes: int
    knocker: Arrangement
    defender: Reply
    penalty: int = 0

    def to_document(self) -> dict[str, Any]:
        """The answer of INTERFACES §3."""
        penalty = {"penalty": self.penalty} if self.penalty else {}
        return {
            "outcome": str(self.outcome),
            "winner": self.winner,
            "points": self.points,
            **penalty,
            "boxes": self.boxes,
            "knocker": arrangement_document(self.knocker),
            "defender": reply_document(self.defender),
        }


def arrangement_document(laid: Arrangement) -> dict[str, Any]:
    """The knocker's cards as JSON."""
    return {
        "melds": [str(meld) for meld in laid.melds],
        "deadwood": laid.deadwood,
        "unmatched": str(laid.unmatched),
    }


def reply_document(reply: Reply) -> dict[str, Any]:
    """A defender's cards as JSON."""
    return {
        "melds": [str(meld) for meld in reply.melds],
        "lay_offs": [{"card": CARD_TEXTS[lay_off.card], "meld": lay_off.meld} for lay_off in reply.lay_offs],
        "deadwood": reply.deadwood,
        "unmatched": str(reply.unmatched),
    }


def judge(
    rules: Rules,
    *,
    knocker: Hand,
    defender: Hand,
    upcard: str | None = None,
    melds: Sequence[Hand] | None = None,
) -> Ruling:
    """Judges a hand of two after the knocker's discard, with a card more of the knocker's for big gin.

    `upcard` is the first face-up card as text, if known; a player may have taken it. `melds` fixes the
    knocker's arrangement, by default `best_laid_down`. A hand without deadwood is gin.

    Refuses with `GameError`: `wrong_hand_size`, `card_twice`, `not_a_meld`, `not_in_hand`, `not_big_gin`
    (a card too many, with deadwood), `not_played` (big gin under other rules), `illegal_knock`,
    `unknown_card`.
    """
    check_hands(rules, knocker, {DEFENDER: defender})
    laid, ending, turned = laid_down(
        rules, knocker, upcard, melds, lambda: best_laid_down(knocker, defender, ace=rules.ace)
    )
    # Nothing is laid off against gin.
    answer = reply(laid.melds if laid.deadwood else (), defender, ace=rules.ace)
    result: HandResult
    match ending:
        case Outcome.KNOCK:
            result = Knock(KNOCKER, DEFENDER, laid.deadwood, answer.deadwood, turned)
        case Outcome.BIG_GIN:
            result = BigGin(KNOCKER, DEFENDER, answer.deadwood, turned)
        case _:
            result = Gin(KNOCKER, DEFENDER, answer.deadwood, turned)
    score = score_hand(rules, result)
    return Ruling(score.outcome, score.winner, score.points, score.boxes, laid, answer, score.penalty)


def laid_down(
    rules: Rules,
    knocker: Hand,
    upcard: str | None,
    melds: Sequence[Hand] | None,
    best: Callable[[], Arrangement],
) -> tuple[Arrangement, Outcome, str | None]:
    """The knocker's arrangement, fixed or else the `best`; knock, gin or big gin; and the upcard.

    Refuses like `judge`.
    """
    laid = best() if melds is None else fixed_arrangement(knocker, melds, ace=rules.ace)
    turned = None if upcard is None else CARD_TEXTS[parse_number(upcard, field="upcard")]
    field = KNOCKER if melds is None else "melds"
    if len(knocker) > kind_of(rules).hand_size(rules, PLAYERS):
        if laid.deadwood:
            raise GameError(
                "not_big_gin",
                mark(
                    "%(held)s cards are big gin or too many: %(cards)s is left of the knocker's.",
                    held=len(knocker),
                    cards=str(laid.unmatched),
                ),
                field=field,
            )
        return laid, Outcome.BIG_GIN, turned
    _check_limit(rules, laid, turned, field=field)
    return laid, Outcome.KNOCK if laid.deadwood else Outcome.GIN, turned


def best_laid_down(knocker: Hand, defender: Hand, *, ace: str = "low") -> Arrangement:
    """The arrangement with least deadwood that leaves this defender the most (RULES §2).

    For who has named no melds, when both hands lie open; `offered_knock` advises who still has to choose.
    """
    arrangements = best_arrangements(knocker, ace=ace)
    if len(arrangements) == 1:
        return arrangements[0]
    return max(arrangements, key=lambda one: deadwood_after_reply(one.melds, defender.mask, ace))


def fixed_arrangement(hand: Hand, melds: Sequence[Hand], *, ace: str = "low") -> Arrangement:
    """The arrangement a player chose; refuses `not_a_meld`, `not_in_hand`, `card_twice`, field `melds`."""
    known: list[Meld] = []
    unmatched = hand
    for cards in melds:
        if foreign := cards - hand:
            raise GameError(
                "not_in_hand", mark("The knocker does not hold %(cards)s.", cards=str(foreign)), field="melds"
            )
        if shared := cards - unmatched:
            raise GameError(
                "card_twice", mark("%(cards)s is in two melds.", cards=str(shared)), field="melds"
            )
        meld = meld_of(cards, ace=ace)
        if meld is None:
            raise GameError(
                "not_a_meld", mark("“%(cards)s” is neither a set nor a run.", cards=str(cards)), field="melds"
            )
        known.append(meld)
        unmatched -= cards
    return Arrangement(tuple(known), unmatched.value, unmatched)


def fixed_reply(
    melds: Sequence[Meld],
    defender: Hand,
    own: Sequence[Hand],
    lay_offs: Sequence[LayOff],
    *,
    ace: str = "low",
) -> Reply:
    """The reply that a defender chose: his own melds, and what he lays off on these of the knocker's.

    The lay-offs may be named in any order, and come out in one in which each fits. Refuses `not_in_hand`,
    `not_a_meld`, `card_twice`, `unknown_meld` and `does_not_fit`, field `melds` or `lay_offs`.
    """
    for cards in own:
        if foreign := cards - defender:
            raise _not_held(foreign, "melds")
    arranged = fixed_arrangement(defender, own, ace=ace)
    unmatched = arranged.unmatched
    for one in lay_offs:
        if one.card not in defender:
            raise _not_held(Hand.of([one.card]), "lay_offs")
        if one.card not in unmatched:
            raise GameError(
                "card_twice", mark("%(card)s is there twice.", card=CARD_TEXTS[one.card]), field="lay_offs"
            )
        if one.meld >= len(melds):
            message = mark("The knocker has laid down no meld with the number %(number)s.", number=one.meld)
            raise GameError("unknown_meld", message, field="lay_offs")
        unmatched = unmatched.remove(one.card)
    return Reply(arranged.melds, _in_order(melds, lay_offs, ace), unmatched.value, unmatched)


def _in_order(melds: Sequence[Meld], lay_offs: Sequence[LayOff], ace: str) -> tuple[LayOff, ...]:
    """The lay-offs in an order in which each fits the meld as it is then; refuses `does_not_fit`."""
    grown, waiting, ordered = list(melds), list(lay_offs), []
    while waiting:
        for one in waiting:
            longer = meld_of(Hand(grown[one.meld].mask | 1 << one.card), ace=ace)
            if longer is not None:
                break
        else:
            one = waiting[0]
            said: dict[str, Value] = {"card": CARD_TEXTS[one.card], "meld": str(grown[one.meld])}
            raise GameError(
                "does_not_fit", mark("%(card)s does not fit on %(meld)s.", **said), field="lay_offs"
            )
        grown[one.meld] = longer
        waiting.remove(one)
        ordered.append(one)
    return tuple(ordered)


def _not_held(cards: Hand, field: str) -> GameError:
    message = mark("The defender does not hold %(cards)s.", cards=str(cards))
    return GameError("not_in_hand", message, field=field)


def check_hands(rules: Rules, knocker: Hand, defenders: Mapping[str, Hand]) -> None:
    """Refuse hands of a wrong size, a card in two of them, and big gin where it is not played.

    `defenders` are all others, by the field that each is in.
    """
    size = kind_of(rules).hand_size(rules, PLAYERS)
    if len(knocker) not in (size, size + 1):
        raise GameError(
            "wrong_hand_size",
            mark(
                "The knocker has %(size)s cards after the discard, %(big_gin)s for big gin; not %(held)s.",
                size=size,
                big_gin=size + 1,
                held=len(knocker),
            ),
            field=KNOCKER,
        )
    seen = knocker
    for field, defender in defenders.items():
        if len(defender) != size:
            raise GameError(
                "wrong_hand_size",
                mark("The defender has %(size)s cards, not %(held)s.", size=size, held=len(defender)),
                field=field,
            )
        if both := seen & defender:
            raise GameError(
                "card_twice", mark("%(cards)s cannot be in both hands.", cards=str(both)), field=field
            )
        seen |= defender
    if len(knocker) > size and rules.big_gin_bonus is None:
        raise GameError(
            "not_played",
            mark("Big gin is not played under these rules; the knocker has %(size)s cards.", size=size),
            field=KNOCKER,
        )


def _check_limit(rules: Rules, laid: Arrangement, upcard: str | None, *, field: str) -> None:
    limit = hand_limit(rules, upcard)
    if laid.deadwood <= limit:
        return
    said: dict[str, Value] = {"deadwood": laid.deadwood, "limit": limit}
    message = mark("The knocker cannot knock with %(deadwood)s: the limit is %(limit)s.", **said)
    if limit < rules.knock_limit:
        message = mark(
            "The knocker cannot knock with %(deadwood)s: the upcard %(upcard)s allows %(limit)s.",
            upcard=upcard or "",
            **said,
        )
    raise GameError("illegal_knock", message, field=field)
