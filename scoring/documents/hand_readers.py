"""A hand from JSON, by the kind of game (INTERFACES §2): a reader for each kind, in `READERS`.

Reading checks shape, names and ranges; what a hand is worth, and whether it was legal, is left to the kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from scoring.core.cards import parse_card
from scoring.core.errors import HandError
from scoring.core.hands import (
    MARKS,
    MOST_DEADWOOD,
    MOST_POINTS,
    BigGin,
    Dead,
    Gin,
    HandResult,
    Knock,
    Outcome,
    Points,
)
from scoring.core.kinds import KINDS
from scoring.core.messages import mark
from scoring.core.table_hands import Blocked, Counts, Gain, Out, TableKnock, TablePoints, TableResult
from scoring.documents.seating import Seating
from scoring.documents.shapes import integer, json_object, only

_MOST_WINNERS: Final = 2


class HandReader(ABC):
    """Reads the hands of a kind of game. `FIELDS` are those of each kind of hand."""

    FIELDS: ClassVar[Mapping[str, frozenset[str]]]

    def __init__(self, seating: Seating) -> None:
        self._seating = seating

    def read(self, document: object) -> HandResult | TableResult:
        """The hand; refuses with a `ScoringError` that names the field."""
        hand = json_object(document, "hands", mark("A hand is an object with a kind."))
        kind = hand.get("kind")
        if not isinstance(kind, str) or kind not in self.FIELDS:
            raise HandError(
                "unknown_kind",
                mark("kind is one of: %(kinds)s.", kinds=", ".join(self.FIELDS)),
                field="kind",
            )
        if not hand.keys() <= self.FIELDS[kind]:
            only(hand, self.FIELDS[kind], kind)
        return self._read(kind, hand)

    @abstractmethod
    def _read(self, kind: str, hand: Mapping[str, Any]) -> HandResult | TableResult: ...


class TwoHandedReader(HandReader):
    """Hands of two. Where no more than two sit at the table, either may be left out."""

    _COUNTED: ClassVar[frozenset[str]] = frozenset(
        {"kind", "knocker", "defender", "knocker_deadwood", "defender_deadwood", "upcard"}
    )
    FIELDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "knock": _COUNTED,
        "gin": _COUNTED | {"by_time"},
        "big_gin": _COUNTED,
        "points": frozenset({"kind", "winner", "loser", "points", "mark", "upcard"}),
        "dead": frozenset({"kind", "knocker", "defender", "upcard"}),
    }

    def _read(self, kind: str, hand: Mapping[str, Any]) -> HandResult:
        upcard = _upcard(hand)
        match kind:
            case "points":
                winner, loser = self._pair(hand, "winner", "loser")
                return Points(winner, loser, integer(hand, "points", MOST_POINTS), _mark(hand), upcard)
            case "dead":
                players = self._seating.players
                if len(players) == 2 and hand.get("knocker") is None and hand.get("defender") is None:
                    return Dead(tuple(players), upcard)
                present = "knocker" if hand.get("knocker") is not None else "defender"
                other = "defender" if present == "knocker" else "knocker"
                pair = self._pair(hand, present, other)
                return Dead(pair if present == "knocker" else pair[::-1], upcard)
        knocker, defender = self._pair(hand, "knocker", "defender")
        defender_deadwood = integer(hand, "defender_deadwood", MOST_DEADWOOD)
        if kind == "knock":
            return Knock(knocker, defender, _knocker_deadwood(hand, kind), defender_deadwood, upcard)
        _knocker_deadwood(hand, kind)
        if kind == "gin":
            return Gin(knocker, defender, defender_deadwood, upcard, _switch(hand, "by_time"))
        return BigGin(knocker, defender, defender_deadwood, upcard)

    def _pair(self, hand: Mapping[str, Any], first: str, second: str) -> tuple[str, str]:
        """The two players of a hand."""
        seating = self._seating
        player = seating.player(hand, first)
        if hand.get(second) is None and len(seating.players) == 2:
            return player, seating.players[1 - seating.seat_of[player]]
        other = seating.player(hand, second)
        if seating.side_of[player] == seating.side_of[other]:
            raise HandError(
                "same_side",
                mark("%(player)s and %(other)s are on one side.", player=player, other=other),
                field=second,
            )
        return player, other


class TableReader(HandReader):
    """Hands that everybody plays, with a figure for each of several players."""

    def _figures(
        self, hand: Mapping[str, Any], field: str, seats: Sequence[int], at_least: int | None = None
    ) -> Counts:
        """The figures of an object of players and figures, in the order of these seats.

        Refused, with field `field.player`: a player of another seat, or two of one (`player_twice`), what is
        no whole number (`wrong_type`), fewer than `at_least`, by default one for every seat
        (`missing_field`); and as `Seating.named`. Ranges are left to the kind.
        """
        document = hand.get(field)
        if document is None:
            raise HandError("missing_field", mark("%(field)s is missing.", field=field), field=field)
        figures = json_object(
            document, field, mark("%(field)s is an object of players and their figures.", field=field)
        )
        seating = self._seating
        found: dict[int, tuple[str, int]] = {}
        for name, figure in figures.items():
            player = seating.named(name, field)
            seat = seating.seat_of[player]
            if seat not in seats or seat in found:
                raise _too_many(field, player)
            if type(figure) is not int:
                message = mark("The figure of %(player)s is a whole number.", player=player)
                raise HandError("wrong_type", message, field=f"{field}.{player}")
            found[seat] = player, figure
        if len(found) < (len(seats) if at_least is None else at_least):
            player = seating.players[next(seat for seat in seats if seat not in found)]
            message = mark("The figure of %(player)s is missing.", player=player)
            raise HandError("missing_field", message, field=f"{field}.{player}")
        return tuple([found[seat] for seat in seats if seat in found])


class JerseyReader(TableReader):
    """Hands of three at once."""

    _COUNTED: ClassVar[frozenset[str]] = frozenset(
        {"kind", "knocker", "knocker_deadwood", "others", "upcard"}
    )
    FIELDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "knock": _COUNTED,
        "gin": _COUNTED,
        "big_gin": _COUNTED,
        "points": frozenset({"kind", "winner", "from", "gains", "penalties", "mark", "upcard"}),
        "dead": frozenset({"kind", "upcard"}),
    }

    def _read(self, kind: str, hand: Mapping[str, Any]) -> TableResult:
        upcard = _upcard(hand)
        match kind:
            case "points":
                return self._read_points(hand, upcard)
            case "dead":
                return Dead((), upcard)
        knocker = self._seating.player(hand, "knocker")
        others = self._figures(hand, "others", self._seating.from_left_of(knocker))
        return TableKnock(knocker, _knocker_deadwood(hand, kind), others, Outcome(kind), upcard)

    def _read_points(self, hand: Mapping[str, Any], upcard: str | None) -> TablePoints:
        """One winner with what is from each other; or two, each with what is from one."""
        gains = hand.get("gains")
        if gains is None:
            winners = [self._read_gain(hand, 2)]
        else:
            for field in ("winner", "from"):
                if hand.get(field) is not None:
                    message = mark("A hand has one winner or a list of gains, not both.")
                    raise HandError("conflicting_fields", message, field=field)
            if not isinstance(gains, list):
                raise HandError("wrong_type", mark("gains is a list."), field="gains")
            if len(gains) != _MOST_WINNERS:
                message = mark("gains is for two winners.")
                raise HandError("out_of_range", message, field="gains")
            winners = []
            for gain in gains:
                one = json_object(gain, "gains", mark("A gain is an object with winner and from."))
                only(one, frozenset({"winner", "from"}), field="gains")
                winners.append(self._read_gain(one, 1))
        penalties: Counts = ()
        if hand.get("penalties") is not None:
            penalties = self._figures(hand, "penalties", range(len(self._seating.players)), 1)
        return TablePoints(tuple(winners), penalties, _mark(hand), upcard)

    def _read_gain(self, document: Mapping[str, Any], losers: int) -> Gain:
        winner = self._seating.player(document, "winner")
        shares = self._figures(document, "from", self._seating.from_left_of(winner), losers)
        if len(shares) > losers:
            raise _too_many("from", shares[-1][0])
        return Gain(winner, shares)


class RummyReader(TableReader):
    """Hands of basic rummy: what the others had left, or everybody."""

    FIELDS: ClassVar[Mapping[str, frozenset[str]]] = {
        "out": frozenset({"kind", "winner", "left", "rummy", "by_time"}),
        "blocked": frozenset({"kind", "left"}),
        "dead": frozenset({"kind"}),
    }

    def _read(self, kind: str, hand: Mapping[str, Any]) -> TableResult:
        match kind:
            case "out":
                winner = self._seating.player(hand, "winner")
                left = self._figures(hand, "left", self._seating.from_left_of(winner))
                return Out(winner, left, _switch(hand, "rummy"), _switch(hand, "by_time"))
            case "blocked":
                return Blocked(self._figures(hand, "left", range(len(self._seating.players))))
            case _:
                return Dead(())


READERS: Final[Mapping[str, type[HandReader]]] = {
    "gin": TwoHandedReader,
    "cutthroat": TwoHandedReader,
    "captains": TwoHandedReader,
    "jersey": JerseyReader,
    "partners_one_pack": TwoHandedReader,
    "basic_rummy": RummyReader,
}
assert READERS.keys() == KINDS.keys()  # noqa: S101 (a kind whose hands nobody reads)


def _upcard(hand: Mapping[str, Any]) -> str | None:
    upcard = hand.get("upcard")
    if upcard is None:
        return None
    if not isinstance(upcard, str):
        raise HandError("wrong_type", mark("The upcard is a card as text, as in “7S”."), field="upcard")
    return parse_card(upcard)


def _switch(hand: Mapping[str, Any], field: str) -> bool:
    is_so = hand.get(field, False)
    if not isinstance(is_so, bool):
        raise HandError("wrong_type", mark("%(field)s is true or false.", field=field), field=field)
    return is_so


def _mark(hand: Mapping[str, Any]) -> Outcome | None:
    outcome = hand.get("mark")
    if outcome is None:
        return None
    if not isinstance(outcome, str) or outcome not in MARKS:
        raise HandError(
            "unknown_mark", mark("mark is one of: %(marks)s.", marks=", ".join(MARKS)), field="mark"
        )
    return Outcome(outcome)


def _knocker_deadwood(hand: Mapping[str, Any], kind: str) -> int:
    if kind == "knock":
        # No upper bound here: a count above the limit is an illegal knock, refused with the score.
        return integer(hand, "knocker_deadwood", None)
    if hand.get("knocker_deadwood") is not None and integer(hand, "knocker_deadwood", MOST_DEADWOOD) != 0:
        raise HandError("out_of_range", mark("Gin leaves the knocker no deadwood."), field="knocker_deadwood")
    return 0


def _too_many(field: str, player: str) -> HandError:
    message = mark("The figure of %(player)s is one too many.", player=player)
    return HandError("player_twice", message, field=f"{field}.{player}")
