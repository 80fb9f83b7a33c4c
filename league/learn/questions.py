"""Questions that players ask, with rulings that follow the house rules; some have a hand for the judge."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.learn.lessons.lesson import Line, Paragraph, knocks
from league.learn.sources import (
    CONTINENTAL,
    COUNTING,
    EASY_RULES,
    FIFTIETH_CARD,
    ILLEGAL_HANDS,
    IRREGULARITIES,
    LAYING_OFF,
    MULTIPLAYER,
    POINT_RULES,
    THE_KNOCK,
    VARIATIONS,
    WHITE_KNUCKLE,
    Source,
)
from scoring.core.rules import Rules


@dataclass(frozen=True, slots=True)
class DisputedHand:
    """The cards on the table, as the judge takes them: the knocker's after the discard, the defender's."""

    knocker: str
    defender: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its ruling, and where that comes from; `hand` is one in which it matters."""

    key: str
    asked: StrOrPromise
    ruling: Paragraph
    sources: tuple[Source, ...]
    hand: DisputedHand | None = None


@dataclass(frozen=True, slots=True)
class Topic:
    """Questions on one matter."""

    title: StrOrPromise
    questions: tuple[Question, ...]


def _gin_only(rules: Rules) -> bool:
    return not knocks(rules)


_EIGHT_LEFT: Final = "AS 2S 3S 7C 7D 7H JC JD JH 8D"

TOPICS: Final = (
    Topic(
        _("At the knock"),
        (
            Question(
                "equal-counts",
                _("Both have the same count after the knock. Who wins?"),
                (
                    Line(knob="undercut_on_tie"),
                    Line(_("Nobody knocks here, so it cannot happen."), when=_gin_only),
                ),
                (WHITE_KNUCKLE,),
                DisputedHand(_EIGHT_LEFT, "KC KD KH 4D 5D 6D 9S 9C 9H 8C"),
            ),
            Question(
                "lay-off-on-gin",
                _("May I lay off on gin?"),
                (
                    Line(_("No. Against gin you lay down your own melds, and all else counts.")),
                    Line(_("In this hand the seven of spades would fit, and the four of spades too.")),
                ),
                (COUNTING, WHITE_KNUCKLE),
                DisputedHand("AS 2S 3S 7C 7D 7H JC JD JH JS", "4S 7S KC KD KH 4D 5D 6D 9C 9H"),
            ),
            Question(
                "lay-off-again",
                _("May I lay off a card on one that I have just laid off?"),
                (
                    Line(_("Yes, a run may grow card by card at either end.")),
                    Line(_("Here the eight of hearts goes on the run, then the nine.")),
                    Line(_("A set of four is full.")),
                ),
                (LAYING_OFF,),
                DisputedHand("5H 6H 7H QC QD QS AC AD AS 9C", "8H 9H KC KD KH 2D 3D 4D 5S 6C"),
            ),
            Question(
                "knocker-lays-off",
                _("May the knocker lay off on the defender’s melds?"),
                (Line(_("No. Only the defender lays off.")),),
                (COUNTING,),
            ),
            Question(
                "nothing-left",
                _("After my knock the defender has nothing left over. Is that gin?"),
                (
                    Line(_("No. Gin is said by whoever ends the hand; this is an undercut."), when=knocks),
                    Line(knob="undercut_bonus"),
                    Line(knob="undercut_penalty"),
                    Line(knob="extra_boxes_gin_off"),
                    Line(_("Nobody knocks here, so it cannot happen."), when=_gin_only),
                ),
                (WHITE_KNUCKLE,),
                DisputedHand(_EIGHT_LEFT, "KC KD KH 4D 5D 6D 9S 9C 9H 9D"),
            ),
            Question(
                "own-melds",
                _("May I lay my melds as I like, though another way leaves the defender less to lay off on?"),
                (
                    Line(
                        _(
                            "Yes. The knocker chooses any melds that are melds, and lays them before the "
                            "defender does."
                        )
                    ),
                ),
                (POINT_RULES,),
            ),
            Question(
                "saying-gin",
                _("I knocked without saying gin, and have nothing left over. What is it?"),
                (Line(knob="zero_knock"), Line(_("It is gin."), when=_gin_only)),
                (POINT_RULES, EASY_RULES),
            ),
            Question(
                "eleven-cards",
                _("All my eleven cards are melded. Must I discard?"),
                (Line(knob="big_gin_bonus"),),
                (POINT_RULES, MULTIPLAYER),
                DisputedHand("AS 2S 3S 4S 7C 7D 7H JC JD JH JS", "KC KD KH 4D 5D 6D 9S 9C TH 8C"),
            ),
        ),
    ),
    Topic(
        _("In play"),
        (
            Question(
                "first-turn",
                _("May I knock on my first turn?"),
                (
                    Line(_("Yes, once you have drawn."), when=knocks),
                    Line(knob="knock_limit"),
                    Line(knob="oklahoma"),
                ),
                (FIFTIETH_CARD, THE_KNOCK),
            ),
            Question(
                "must-knock",
                _("Must I knock when I can?"),
                (Line(_("No. You may play on, for less or for gin.")),),
                (FIFTIETH_CARD,),
            ),
            Question(
                "ace-high",
                _("Is queen, king, ace a run?"),
                (Line(knob="ace"),),
                (POINT_RULES, CONTINENTAL),
                DisputedHand("QS KS AS 7C 7D 7H JC JD JH 2D", "KC KD KH 4D 5D 6D 9S 9C 9H 8C"),
            ),
            Question(
                "taken-card",
                _("May I throw the card that I have just taken from the pile?"),
                (Line(knob="discard_taken_card"),),
                (WHITE_KNUCKLE, EASY_RULES),
            ),
            Question(
                "two-cards-left",
                _("The stock is down to two cards. What now?"),
                (Line(knob="stock_end"),),
                (FIFTIETH_CARD, COUNTING),
            ),
            Question(
                "next-deal",
                _("Who deals next?"),
                (Line(knob="next_dealer"),),
                (EASY_RULES, CONTINENTAL),
            ),
        ),
    ),
    Topic(
        _("On the sheet"),
        (
            Question(
                "boxes-and-target",
                _("Do boxes help to reach the target?"),
                (
                    Line(knob="box_credit"),
                    Line(_("A box is worth nothing here."), when=lambda rules: not rules.box_bonus),
                ),
                (EASY_RULES,),
            ),
            Question(
                "dead-hands",
                _("Does a dead hand take a line?"),
                (
                    Line(_("It is written down, so that the deals can be counted, and nobody scores.")),
                    Line(_("It is not a box.")),
                ),
                (COUNTING,),
            ),
        ),
    ),
    Topic(
        _("When something went wrong"),
        (
            Question(
                "wrong-knock",
                _("I have knocked with more than I may. What now?"),
                (
                    Line(_("The knock does not count, and play goes on.")),
                    Line(_("The cards that were shown stay open on the table.")),
                ),
                (VARIATIONS,),
                DisputedHand("7C 7D 7H JC JD JH AS 2D 4C 5S", "KC KD KH 4D 5D 6D 9S 9C 9H 8C"),
            ),
            Question(
                "two-cards-drawn",
                _("Somebody drew two cards, or holds one too many."),
                (
                    Line(_("Before that player’s first draw: deal again.")),
                    Line(
                        _(
                            "Later the other player chooses: a new deal, or to play on. Then the hand is put "
                            "right by a turn with a discard and no draw, and may not knock before the turn "
                            "after."
                        )
                    ),
                    Line(_("If both hands are wrong, deal again.")),
                ),
                (ILLEGAL_HANDS,),
            ),
            Question(
                "card-short",
                _("Somebody is a card short."),
                (
                    Line(
                        _("The same, the other way about: a turn with a draw and no discard puts it right.")
                    ),
                    Line(_("No knock before the turn after.")),
                ),
                (ILLEGAL_HANDS,),
            ),
            Question(
                "card-exposed",
                _("A card was turned over during the deal."),
                (Line(_("Until the upcard is turned, the same dealer deals again.")),),
                (IRREGULARITIES,),
            ),
            Question(
                "card-dropped",
                _("A card of my hand fell open on the table."),
                (
                    Line(_("Take it back, and play on. We have read of no penalty for it.")),
                    Line(_("If your club wants one, let it be agreed before the evening.")),
                ),
                (),
            ),
            Question(
                "wrong-dealer",
                _("The wrong player has dealt."),
                (
                    Line(
                        _(
                            "Say so before the upcard is turned, and the right one deals. After that the "
                            "deal stands."
                        )
                    ),
                ),
                (IRREGULARITIES,),
            ),
        ),
    ),
)
