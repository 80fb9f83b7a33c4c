"""Clocks of a table: time for each turn, then a bank for the match, and what happens when both are used up.

A turn lasts from when a seat is to move until another one is, or a new hand begins: drawing and discarding
are one turn. Its time runs first, then the player's bank, which is never filled up again.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final, NamedTuple, Self

from games.bots.base import Chances, best_ending, discards, leaving_least
from games.errors import GameError
from games.gin import rummy_actions
from games.gin.actions import DISCARDS, DRAW, LAY_OFF, PASS, ActionKind
from games.gin.cards import value_of
from games.gin.playing import InPlay
from games.gin.rummy import RummyHand
from games.gin.rummy_actions import RummyAction
from games.tables.members import drawn_card, laid_by_player
from scoring.core.errors import shown
from scoring.core.messages import Message, mark
from scoring.documents.shapes import integer, json_object, only

_DAY: Final = 86_400
# In seconds.
SHORTEST_TURN: Final = 5
LONGEST_TURN: Final = 30 * _DAY
LONGEST_BANK: Final = 30 * _DAY


class TimeOut(StrEnum):
    """What happens to a seat whose time is over: its turn is played, or it loses the hand or the match.

    A hand that is lost so counts as if the other had gone gin, or out, against what the seat holds: nobody
    loses less by time than by playing on to the usual worst ending (RULES §11). Where more than two sides
    play neither a hand nor the match is lost.
    """

    DEFAULT_ACTION = "default_action"
    LOSE_HAND = "lose_hand"
    FORFEIT_MATCH = "forfeit_match"

    @property
    def said(self) -> Message:
        """The same as a sentence to players."""
        match self:
            case TimeOut.DEFAULT_ACTION:
                return mark("If time runs out, the turn is played automatically.")
            case TimeOut.LOSE_HAND:
                return mark("Whoever runs out of time loses the hand.")
            case TimeOut.FORFEIT_MATCH:
                return mark("Whoever runs out of time loses the match.")


class Reading(NamedTuple):
    """When a seat's time is over, and how much of its bank it has used in this turn."""

    deadline: datetime
    used: timedelta


@dataclass(frozen=True, slots=True)
class Clock:
    """Seconds for a turn, seconds of each player's bank for the match, and what a time-out does."""

    turn_seconds: int
    bank_seconds: int
    time_out: TimeOut

    @classmethod
    def from_document(cls, document: object) -> Self:
        """The clock from `to_document`.

        Nothing may be missing. Refuses `wrong_type`, `unknown_field`, `missing_field`, `out_of_range`
        (`SHORTEST_TURN` to `LONGEST_TURN`, a bank of 0 to `LONGEST_BANK`) and `unknown_time_out`.
        """
        message = mark("A clock is an object with turn_seconds, bank_seconds and time_out.")
        clock = json_object(document, "", message)
        only(clock, frozenset({"turn_seconds", "bank_seconds", "time_out"}))
        return cls(
            integer(clock, "turn_seconds", LONGEST_TURN, least=SHORTEST_TURN),
            integer(clock, "bank_seconds", LONGEST_BANK),
            _time_out(clock.get("time_out")),
        )

    def to_document(self) -> dict[str, Any]:
        """The clock as JSON."""
        return {
            "turn_seconds": self.turn_seconds,
            "bank_seconds": self.bank_seconds,
            "time_out": str(self.time_out),
        }

    @property
    def bank(self) -> timedelta:
        """What each player has at the beginning of the match."""
        return timedelta(seconds=self.bank_seconds)

    @property
    def is_for_two(self) -> bool:
        """Whether it is a clock for two sides alone: by it a hand or the match goes to the other."""
        return self.time_out is not TimeOut.DEFAULT_ACTION

    def read(self, bank: timedelta, since: datetime, now: datetime) -> Reading:
        """The clock of a seat whose turn it is `since` then, with this much of its bank left before.

        Its time is over from the deadline on, when all of the bank is used.
        """
        turn = timedelta(seconds=self.turn_seconds)
        used = min(max(now - since - turn, timedelta(0)), bank)
        return Reading(since + turn + bank, used)


# What is offered by name: half a minute and five, two minutes and a quarter of an hour, three days a turn.
PRESETS: Final[Mapping[str, Clock]] = MappingProxyType(
    {
        "lively": Clock(30, 5 * 60, TimeOut.DEFAULT_ACTION),
        "relaxed": Clock(2 * 60, 15 * 60, TimeOut.DEFAULT_ACTION),
        "correspondence": Clock(3 * _DAY, 0, TimeOut.FORFEIT_MATCH),
    }
)


def default_action(state: InPlay) -> Any:
    """The action that commits the player to move to least: passes, draws, puts back the card that was drawn.

    Who has taken a card discards what leaves least deadwood. Who must knock has the best ending, and who is
    to lay off takes what is offered. In rummy nothing is laid down but what must be.
    """
    if isinstance(state, RummyHand):
        return _default_of_rummy(state)
    legal = state.legal_actions()
    for action in (PASS, DRAW):
        if action in legal:
            return action
    if LAY_OFF in legal:
        return laid_by_player(state, LAY_OFF)
    view = state.view(state.turn)
    drawn = drawn_card(state) if state.actions and state.actions[-1].kind is ActionKind.DRAW else None
    if not state.actions:
        # The eleventh card of who has the first turn, the last that was dealt.
        drawn = state.deck[len(state.deck) - view.stock - 1]
    if drawn is not None and DISCARDS[drawn] in legal:
        return DISCARDS[drawn]
    thrown = discards(view)
    if thrown:
        return leaving_least(view, thrown)[0]
    ending = best_ending(view, Chances(0))
    assert ending is not None  # noqa: S101 (nothing else is legal)
    return laid_by_player(state, ending)


def _default_of_rummy(state: RummyHand) -> RummyAction:
    legal = state.legal_actions()
    for action in (rummy_actions.PASS, rummy_actions.DRAW):
        if action in legal:
            return action
    drawn = drawn_card(state)
    if drawn is not None and rummy_actions.DISCARDS[drawn] in legal:
        return rummy_actions.DISCARDS[drawn]
    thrown = [one for one in legal if one.kind is rummy_actions.RummyActionKind.DISCARD]
    # Of what was taken, or where all must go: the dearest card, or what can be put on the table.
    return max(thrown, key=lambda one: value_of(one.cards)) if thrown else legal[0]


def end_turn(state: InPlay, time_out: TimeOut) -> None:
    """What becomes of the hand in which the time of the player to move is over, but for a forfeit."""
    if time_out is TimeOut.LOSE_HAND:
        state.lose_by_time()
    else:
        play_by_default(state)


def play_by_default(state: InPlay) -> None:
    """Plays the turn of the player to move by default actions, until it is another's or the hand is over."""
    seat = state.turn
    while not state.is_over and state.turn == seat:
        state.act(default_action(state))


def _time_out(name: object) -> TimeOut:
    if name not in TimeOut.__members__.values():
        raise GameError(
            "unknown_time_out",
            mark(
                "time_out is one of %(known)s, not “%(name)s”.",
                known=", ".join(TimeOut),
                name=shown(str(name)),
            ),
            field="time_out",
        )
    return TimeOut(str(name))
