"""Hands at a table that are over as a reader sees them: the moves, their proof, and what his choices cost."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.bots.appraising import REPLAYED, Appraisal, Replayed
from games.errors import GameError
from games.models import TableHand, TableSeat
from games.services.hands import (
    hands_over,
    log_of,
    players_of,
    readable,
    seats_of,
)
from games.services.matches import HandPage, SeatedBot
from games.services.packs import is_withheld
from games.services.reports import dearest_of, is_told, on_one_pile, report_on
from games.services.seen_tables import SeenTable
from games.services.telling import verified_hand
from games.tables.dealing import hand_class
from games.tables.replaying import (
    Replay,
    replayed,
)
from games.tables.reports import DearChoice, dearest
from scoring.core.actors import ActorKind
from scoring.core.messages import Sentence
from scoring.core.sheet_state import players_by_seat
from scoring.services.records import KeptSheet


@dataclass(frozen=True, slots=True)
class OwnReport:
    """What the reader's choices in a hand cost, parallel to its moves, and those that cost most.

    `choice` is that of the move that is shown. None were weighed yet if it `is_waited_for`.
    """

    choices: tuple[Appraisal | None, ...]
    dear: tuple[DearChoice, ...]
    choice: Appraisal | None
    is_waited_for: bool

    @property
    def check(self) -> Replayed | None:
        """How true the costs are, in figures; None where it was not `expert` that weighed them."""
        return REPLAYED if any(one is not None and one.game is None for one in self.choices) else None


@dataclass(frozen=True, slots=True)
class Proof:
    """A hand that is over, its pack and nonce; `problem` says why they do not give what was promised."""

    hand: TableHand
    problem: Sentence | None


def table_hand_page(seen: SeenTable, deal: int, table: int | None) -> tuple[HandPage, Proof] | None:
    """A hand that is over, move by move, and what proves its pack; None if there is none, or it is withheld.

    `table` counts from 1; None is the reader's own, or the first. The hands before and after it are those of
    this table.
    """
    match = seen.match
    over = [] if is_withheld(match) else list(hands_over(match))
    of_deal = [one for one in over if one.deal == deal and table in (None, one.table_number)]
    hand = next((one for one in of_deal if seen.seat in one.seats), of_deal[0] if of_deal else None)
    if hand is None:
        return None
    kept = seen.kept
    names = players_of(hand, kept)
    bots = bots_of(seats_of(match), kept, deal)
    numbers = [each.deal for each in over if each.table == hand.table]
    at = numbers.index(deal)
    hand.match = match
    page = HandPage(
        match,
        deal,
        hand.table_number,
        tuple([each.table + 1 for each in over if each.deal == deal]),
        tuple(
            [bots[seat] or SeatedBot(name, "", None) for seat, name in zip(hand.seats, names, strict=True)]
        ),
        replay_of(hand, kept),
        numbers[at - 1] if at else None,
        numbers[at + 1] if at + 1 < len(numbers) else None,
    )
    return page, Proof(hand, _problem(hand))


def _problem(hand: TableHand) -> Sentence | None:
    try:
        verified_hand(hand)
    except GameError as error:
        return error.message
    return None


def replay_of(hand: TableHand, kept: KeptSheet) -> Replay:
    """A hand that is over, move by move, under the names of the sheet; raises `UnreadableHand`."""
    rules = kept.sheet.rules.rules
    kind = hand_class(rules, len(kept.sides[0].players))
    with readable(hand):
        return replayed(rules, log_of(hand, kept), players=players_of(hand, kept), kind=kind)


def bots_of(chairs: Mapping[int, TableSeat], kept: KeptSheet, deal: int) -> tuple[SeatedBot | None, ...]:
    """The bots by seat, as they play this deal."""
    seated: dict[int, Any] = {number: _bot_in(chair, deal) for number, chair in chairs.items()}
    return tuple(
        [
            SeatedBot(name, bot["strategy"], bot["level"]) if (bot := seated.get(number)) else None
            for number, name in enumerate(players_by_seat(kept.sides, deal))
        ]
    )


def _bot_in(chair: TableSeat, deal: int) -> Any:
    """The bot that plays this deal in the seat, as JSON; None for a member."""
    if chair.sat_in is not None and deal <= chair.sat_in["until"]:
        return chair.sat_in
    return chair.bot


def tells_reports(seen: SeenTable) -> bool:
    """Whether the reader is told now what his choices at the table cost; a guest never is."""
    is_guest = seen.reader.kind is ActorKind.TABLE_LINK
    return seen.seat is not None and not is_guest and is_told(seen.match)


def own_report(seen: SeenTable, hand: TableHand, move: int = 0) -> OwnReport | None:
    """What the reader's choices in a hand that is over cost; None if he is not told (`tells_reports`)."""
    if seen.seat not in hand.seats or not tells_reports(seen):
        return None
    choices = report_on(hand, seen.seat)
    if choices is None:
        return OwnReport((), (), None, is_waited_for=True)
    at = choices[move - 1] if 0 < move <= len(choices) else None
    return OwnReport(
        choices, tuple(dearest({hand.deal: choices}, {hand.deal: on_one_pile(hand)})), at, is_waited_for=False
    )


def dear_choices(seen: SeenTable) -> tuple[DearChoice, ...]:
    """The reader's choices at the table that cost most; none for whoever is not told."""
    if seen.seat is None or not tells_reports(seen):
        return ()
    return tuple(dearest_of(seen.match, seen.seat))
