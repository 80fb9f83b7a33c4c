"""The advice of the page on strategy, each with a position that shows it."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.learn.positions import POSITIONS, Position
from league.learn.sources import DISCARDING, GREAT_KNOCKERS, KEY_PRINCIPLES, TIPS, Source


@dataclass(frozen=True, slots=True)
class Tip:
    """A piece of advice (`claim`) for the position, and the reason."""

    position: Position
    claim: StrOrPromise
    why: StrOrPromise


@dataclass(frozen=True, slots=True)
class Chapter:
    """Advice on one matter, with a rule of thumb at its head."""

    key: str
    title: StrOrPromise
    thumb: StrOrPromise
    advice: tuple[Tip, ...]
    sources: tuple[Source, ...]


CHAPTERS: Final = (
    Chapter(
        "keep",
        _("Which cards to keep"),
        _(
            "Keep cards that several others would turn into a meld. High cards that wait for one or two are "
            "the first to go: if the other player knocks, they are what you pay."
        ),
        (
            Tip(
                POSITIONS["triangle"],
                _("Throw the lone king, not the seven of spades."),
                _(
                    "Six and seven of a suit with a second seven are a triangle: four cards would make a "
                    "meld of it. The king stands alone and costs ten."
                ),
            ),
            Tip(
                POSITIONS["open"],
                _("Of two sixes, keep the one beside the five."),
                _(
                    "Five and six are open at both ends: the four and the seven complete them. Four and six "
                    "wait for the five alone."
                ),
            ),
            Tip(
                POSITIONS["kings"],
                _("After a few turns, break the pair of kings rather than the five and six."),
                _(
                    "On the first turn a high pair may wait for its third card. Later a knock comes nearer "
                    "with every turn, and two kings cost twenty."
                ),
            ),
        ),
        (TIPS, KEY_PRINCIPLES),
    ),
    Chapter(
        "pile",
        _("What to take from the pile"),
        _(
            "Taking a discard shows it to the other player. Take what makes a meld; for a mere hope, draw "
            "from the stock."
        ),
        (
            Tip(
                POSITIONS["meld"],
                _("Take the nine: seven, eight, nine is a run."),
                _("Three cards are no longer deadwood, and a high card can go in their place."),
            ),
            Tip(
                POSITIONS["pair"],
                _("Leave the king, though it would make a pair."),
                _("It would cost ten more, and the other player would know what you wait for."),
            ),
        ),
        (TIPS,),
    ),
    Chapter(
        "watch",
        _("Watching the discards"),
        _(
            "Remember what the other player took, and what was thrown. Near a card that was taken no discard "
            "is safe: not its rank, nor its neighbours in suit."
        ),
        (
            Tip(
                POSITIONS["feeding"],
                _("Of two tens, throw the ten of hearts, not the ten of diamonds."),
                _(
                    "The other player took the eight and the nine of diamonds. The ten of diamonds would fit "
                    "beside them; the ten of hearts is of another suit."
                ),
            ),
        ),
        (DISCARDING, KEY_PRINCIPLES),
    ),
    Chapter(
        "knock",
        _("When to knock"),
        _("As a rule, knock as soon as you may. Early the other player holds many cards in no meld."),
        (
            Tip(
                POSITIONS["early"],
                _("Knock on the first turn, though ten is left over."),
                _("After one draw hardly anybody has less than ten left over."),
            ),
            Tip(
                POSITIONS["late"],
                _("Knock with ten, late as it is."),
                _(
                    "The other player has taken a jack and a ten and throws low cards, so an undercut may "
                    "come. But every turn more is a chance to make gin, and that costs more."
                ),
            ),
        ),
        (GREAT_KNOCKERS, TIPS),
    ),
    Chapter(
        "gin",
        _("When to hold for gin"),
        _(
            "Play on for gin when many cards would make it, when little is left over in your hand, and when "
            "a small win would not help."
        ),
        (
            Tip(
                POSITIONS["many-cards"],
                _("Hold: the hand is all but gin."),
                _(
                    "Only the two of spades is left over. The three and the seven of hearts, the fourth nine "
                    "and the fourth ace make gin, while the other player holds little that a knock would win."
                ),
            ),
            Tip(
                POSITIONS["behind"],
                _("Behind by 30 to 90, hold for gin."),
                _(
                    "The other player needs one more hand. After a knock you are behind still; with the "
                    "bonus for gin you are about level."
                ),
            ),
            Tip(
                POSITIONS["level"],
                _("The same cards at 60 to 60: knock."),
                _("Now a knock is all but enough, and waiting only gives the other player more turns."),
            ),
        ),
        (KEY_PRINCIPLES, GREAT_KNOCKERS),
    ),
)
