"""Deals from a file next to stored deals: renamed, compared, and in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from league.core.hand_files.reading import AT_ONCE
from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Points
from scoring.core.rules import Rules
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import Deal, RunningSheet, SheetSide
from scoring.core.table_hands import Blocked, Counts, Gain, Out, TableKnock, TablePoints, TableResult
from scoring.documents.sheets import deal_document

_NAMED: Final = ("knocker", "defender", "winner", "loser")


def renamed(deal: Deal, players: Mapping[str, str], sides: Mapping[str, str]) -> Deal:
    """Return the deal with its players and sides renamed."""
    if deal.line is not None:
        return Deal(line=replace(deal.line, winner=sides[deal.line.winner]))
    return Deal(tuple(_renamed_hand(hand, players) for hand in deal.hands))


def _renamed_hand(hand: HandResult | TableResult, names: Mapping[str, str]) -> HandResult | TableResult:
    def renamed_counts(counts: Counts) -> Counts:
        return tuple([(names[player], count) for player, count in counts])

    match hand:
        case Dead(players):
            return replace(hand, players=tuple(names[player] for player in players))
        case Points():
            return replace(hand, winner=names[hand.winner], loser=names[hand.loser])
        case Knock() | Gin() | BigGin():
            return replace(hand, knocker=names[hand.knocker], defender=names[hand.defender])
        case TableKnock():
            return replace(hand, knocker=names[hand.knocker], others=renamed_counts(hand.others))
        case TablePoints():
            gains = [Gain(names[gain.winner], renamed_counts(gain.shares)) for gain in hand.gains]
            return replace(hand, gains=tuple(gains), penalties=renamed_counts(hand.penalties))
        case Out():
            return replace(hand, winner=names[hand.winner], left=renamed_counts(hand.left))
        case Blocked():
            return Blocked(renamed_counts(hand.left))


def is_same(one: Deal, other: Deal) -> bool:
    """Tell whether two deals are equal, ignoring what a file does not say.

    That is the order of hands, of two winners, of the two players of a dead hand, penalties of 0, and that a
    hand was lost by time.
    """
    return one == other or _settled(one) == _settled(other)


def _settled(deal: Deal) -> object:
    document = deal_document(deal)
    if document is None or "line" in document:
        return document
    hands = document["hands"]
    for hand in hands:
        hand.pop("by_time", None)
        if hand["kind"] == "dead" and "knocker" in hand:
            hand["knocker"], hand["defender"] = sorted((hand["knocker"], hand["defender"]))
        if "gains" in hand:
            hand["gains"].sort(key=lambda gain: str(gain["winner"]))
        taken = {player: points for player, points in hand.pop("penalties", {}).items() if points}
        if taken:
            hand["penalties"] = taken
    return sorted(hands, key=lambda hand: sorted(hand.get(name, "") for name in _NAMED))


def placeholder(rules: Rules, sides: Sequence[SheetSide], earlier: Sequence[Deal]) -> Deal:
    """Return a drawn deal, which scores 0; it holds the number of a voided deal until that is voided.

    Where the deals before it tell who plays, those two have drawn it.
    """
    sheet = RunningSheet(rules, sides, surplus="keep")
    for deal in earlier:
        sheet.add(deal)
    number = len(earlier) + 1
    if sheet.table is None:
        return Deal(
            tuple(Dead(pair) for pair in zip(sides[0].seated(number), sides[1].seated(number), strict=True))
        )
    players = players_by_seat(sides, number)
    playing = tuple([players[seat] for seat in sheet.table.playing])
    return Deal((Dead(() if rules.kind in AT_ONCE else playing),))


def in_words(deal: Deal) -> str:
    """Describe a deal in a message."""
    if deal.is_void:
        return "voided"
    if deal.line is not None:
        return f"line {deal.line.winner} {deal.line.points}"
    return "; ".join(_hand_in_words(hand) for hand in deal.hands)


def _hand_in_words(hand: HandResult | TableResult) -> str:
    match hand:
        case Out(winner, left, rummy):
            return f"{winner} {'rummy' if rummy else 'out'}, {_counts_in_words(left)}"
        case Blocked(left):
            return f"blocked, {_counts_in_words(left)}"
        case TableKnock(knocker, own, others, ending):
            words = f"{ending} {knocker} {own}, {_counts_in_words(others)}".replace("_", " ")
        case TablePoints(gains, penalties, mark):
            words = "; ".join([f"{gain.winner} {gain.points} points" for gain in gains])
            words += f" ({mark})" if mark else ""
            words += f", off {_counts_in_words(penalties)}" if penalties else ""
        case Knock():
            words = f"knock {hand.knocker} {hand.knocker_deadwood}, {hand.defender} {hand.defender_deadwood}"
        case Gin():
            words = f"gin {hand.knocker}, {hand.defender} {hand.defender_deadwood}"
        case BigGin():
            words = f"big gin {hand.knocker}, {hand.defender} {hand.defender_deadwood}"
        case Points():
            words = f"{hand.winner} {hand.points} points" + (f" ({hand.mark})" if hand.mark else "")
        case Dead():
            words = "dead"
    return f"{words}, upcard {hand.upcard}" if hand.upcard else words


def _counts_in_words(counts: Counts) -> str:
    return ", ".join([f"{player} {count}" for player, count in counts])
