"""The judge's ruling on the hand of a question, and the way to the judge with that hand filled in."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from games.errors import GameError
from games.gin.cards import Hand
from games.gin.judging import Ruling, judge
from games.tables.laid import LaidHand, laid_down
from league.learn.questions import DisputedHand
from scoring.core.messages import Sentence
from scoring.core.rules import Rules


@dataclass(frozen=True, slots=True)
class RuledHand:
    """A hand with its ruling under some rules, or why there is none (`refusal`)."""

    laid: tuple[LaidHand, ...]
    address: str
    ruling: Ruling | None = None
    refusal: Sentence = ""


def ruled(hand: DisputedHand, rules: Rules, asked: str) -> RuledHand:
    """The ruling on a hand of gin; `asked` names the rules as the judge's page takes them."""
    knocker, defender = Hand.parse(hand.knocker), Hand.parse(hand.defender)
    query = urlencode({"rules": asked, "knocker": hand.knocker, "defender": hand.defender})
    address = f"{reverse('judge_page')}?{query}"
    try:
        ruling = judge(rules, knocker=knocker, defender=defender)
    except GameError as refused:
        laid = LaidHand.best(knocker.mask, ace=rules.ace), LaidHand.best(defender.mask, ace=rules.ace)
        return RuledHand(laid, address, refusal=refused.message)
    return RuledHand(laid_down(ruling.knocker, ruling.defender, ace=rules.ace), address, ruling)
