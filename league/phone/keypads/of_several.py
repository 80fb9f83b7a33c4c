"""The keypads of hands that three to six play at one table.

Beside `how`, `won` is the seat (from 0) of who knocked, went out or won, and `count0`, `count1` and so on are
what the players at these seats count, of all who are asked. What nobody is asked for is left out.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.phone.keypads.base import (
    Asked,
    Keypad,
    big_or_not,
    count_of,
    figure,
    is_by_points,
    of_hand,
    upcard,
    way,
    winner_of,
)
from scoring.core.errors import DocumentError
from scoring.core.hands import MOST_DEADWOOD, UNDERCUTS, HandResult, Outcome
from scoring.core.kinds.base import Score
from scoring.core.kinds.rummy import most_left
from scoring.core.sheet_state import players_by_seat
from scoring.core.table_hands import TableKnock, TableResult, TableScore

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_POINTS_DIGITS: Final = 4


@dataclass(frozen=True, slots=True)
class Ending:
    """A way that a hand can end, as a choice.

    `asks` says whose figures are asked for by counts: those of `all`, of the `others` or of `none`; `what`
    says what they are. `said` is the entry in words, with `{name}`, `{own}` and `{others}`, `said_big` that
    of a big gin. With `has_winner` it is asked whose it is. A count that answered another `question` does
    not stay.
    """

    value: str
    title: "StrOrPromise"
    said: "StrOrPromise"
    what: "StrOrPromise" = ""
    asks: str = "others"
    has_winner: bool = True
    said_big: "StrOrPromise" = ""
    question: str = ""


@dataclass(frozen=True, slots=True)
class KeypadSeat:
    """A player at the table with what the form has for him; `number` is his seat, from 0."""

    number: int
    name: str
    count: str
    points: str


@dataclass(frozen=True, slots=True)
class TableFields:
    """The fields of the hand. `who` asks for the winner, `who_by_points` where it is told by points."""

    table: int
    seats: Sequence[KeypadSeat]
    endings: Sequence[Ending]
    fields: Mapping[str, str]
    digits: int
    points_digits: int
    who: str
    who_by_points: str = ""


DEAD: Final = Ending("dead", gettext_lazy("Dead"), gettext_lazy("Dead hand"), asks="none", has_winner=False)


class OfSeveral(Keypad):
    """What everybody counts, in order of seats from the next of who won."""

    template: ClassVar[str] = "league/phone/_table_hand.html"

    def _shown(
        self,
        asked: Asked,
        hand: int,
        fields: Mapping[str, str],
        endings: Sequence[Ending],
        *,
        most: int,
        who: str,
        who_by_points: str = "",
    ) -> TableFields:
        given = of_hand(fields, hand)
        seats = [
            KeypadSeat(seat, name, given.get(f"count{seat}", ""), given.get(f"points{seat}", ""))
            for seat, name in enumerate(players_by_seat(asked.sides, asked.number))
        ]
        digits = len(str(most))
        return TableFields(hand, seats, endings, given, digits, _POINTS_DIGITS, who, who_by_points)


def _counts(
    players: Sequence[str], seats: Iterable[int], hand: int, fields: Mapping[str, str]
) -> dict[str, int]:
    """What the players at these seats count, by name."""
    return {players[seat]: count_of(fields, f"count{seat}-{hand}", players[seat]) for seat in seats}


def _others(seat: int, count: int) -> list[int]:
    """The other seats, from the next."""
    return [(seat + step) % count for step in range(1, count)]


class JerseyKeypad(OfSeveral):
    """Jersey: who knocked and what all count, from which the winner follows; or who won how much from each.

    `by` is counts or points, `points0` and so on are what is won from the players at these seats. A hand that
    two win, or of which something is taken off the knocker, is told by counts.
    """

    def shown(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> TableFields:
        who = {"who": _("Who knocked?"), "who_by_points": _("Who won?")}
        return self._shown(asked, hand, fields, (_KNOCK, _GIN, _UNDERCUT, DEAD), most=MOST_DEADWOOD, **who)

    def document(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> dict[str, Any]:
        players = players_by_seat(asked.sides, asked.number)
        how = way(fields, hand, ("knock", "gin", "undercut", "dead"))
        card = upcard(fields, hand)
        if how == "dead":
            return {"kind": "dead", "upcard": card}
        won = winner_of(fields, hand, len(players))
        others = _others(won, len(players))
        how = big_or_not(fields, hand, how)
        if is_by_points(fields, hand):
            if how == "undercut" and asked.rules.undercut_penalty != "none":
                raise DocumentError(
                    "not_by_points",
                    _("Something is taken off the knocker: tell this hand by counts."),
                    field=f"by-{hand}",
                )
            won_from = {
                players[seat]: figure(
                    fields,
                    f"points{seat}-{hand}",
                    _("Type what is won from %(name)s.") % {"name": players[seat]},
                )
                for seat in others
            }
            return {"kind": "points", "winner": players[won], "from": won_from, "mark": how, "upcard": card}
        told = {"knocker": players[won], "others": _counts(players, others, hand, fields), "upcard": card}
        if how in ("gin", "big_gin"):
            return {"kind": how, **told}
        own = count_of(fields, f"count{won}-{hand}", players[won])
        return {"kind": "knock", **told, "knocker_deadwood": own}

    def check(
        self, hand: int, fields: Mapping[str, str], result: HandResult | TableResult, score: Score
    ) -> None:
        if not isinstance(result, TableKnock) or result.ending is not Outcome.KNOCK:
            return
        if not isinstance(score, TableScore):
            return
        said = fields.get(f"how-{hand}")
        is_undercut = score.outcome in UNDERCUTS
        if score.gains and is_undercut == (said == "undercut"):
            return
        counts = ((result.knocker, result.knocker_deadwood), *result.others)
        values = {
            "counts": ", ".join(f"{player} {count}" for player, count in counts),
            "names": ", ".join(gain.winner for gain in score.gains if gain.winner != result.knocker),
            "knocker": result.knocker,
        }
        if not score.gains:
            sentence = _("%(counts)s: nobody scores, a dead hand.")
        elif is_undercut:
            sentence = _("%(counts)s: an undercut by %(names)s.")
        else:
            sentence = _("%(counts)s: no undercut, %(knocker)s scores.")
        raise DocumentError("not_won", sentence % values, field=f"how-{hand}")


class RummyKeypad(OfSeveral):
    """Rummy: who went out, at once or not, and what the others had left; or what everybody had, blocked."""

    def shown(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> TableFields:
        most = most_left(asked.rules, len(asked.sides))
        return self._shown(
            asked, hand, fields, (_OUT, _RUMMY, _BLOCKED, DEAD), most=most, who=_("Who went out?")
        )

    def document(self, asked: Asked, hand: int, fields: Mapping[str, str]) -> dict[str, Any]:
        players = players_by_seat(asked.sides, asked.number)
        how = way(fields, hand, ("out", "rummy", "blocked", "dead"))
        if how == "dead":
            return {"kind": "dead"}
        if how == "blocked":
            return {"kind": "blocked", "left": _counts(players, range(len(players)), hand, fields)}
        won = winner_of(fields, hand, len(players))
        left = _counts(players, _others(won, len(players)), hand, fields)
        return {"kind": "out", "winner": players[won], "left": left, "rummy": how == "rummy"}


_OF_ALL: Final = gettext_lazy("What each counts, others after lay-offs")
_OF_OTHERS: Final = gettext_lazy("What the others count")
_LEFT_OTHERS: Final = gettext_lazy("What the others have left")
_KNOCK: Final = Ending(
    "knock", gettext_lazy("Knock"), gettext_lazy("{name}, knock {own}; {others}"), _OF_ALL, asks="all"
)
_GIN: Final = Ending(
    "gin",
    gettext_lazy("Gin"),
    gettext_lazy("{name}, gin; {others}"),
    _OF_OTHERS,
    said_big=gettext_lazy("{name}, big gin; {others}"),
    question="gin",
)
_UNDERCUT: Final = Ending(
    "undercut",
    gettext_lazy("Undercut"),
    gettext_lazy("{name}, undercut at {own}; {others}"),
    _OF_ALL,
    asks="all",
)
_OUT: Final = Ending("out", gettext_lazy("Out"), gettext_lazy("{name} out; {others}"), _LEFT_OTHERS)
_RUMMY: Final = Ending("rummy", gettext_lazy("Rummy"), gettext_lazy("{name} rummy; {others}"), _LEFT_OTHERS)
_BLOCKED: Final = Ending(
    "blocked",
    gettext_lazy("Blocked"),
    gettext_lazy("Blocked; {others}"),
    gettext_lazy("What each has left"),
    asks="all",
    has_winner=False,
)
