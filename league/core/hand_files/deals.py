"""Deals from a file next to stored deals: renamed, compared, and in words."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoring.core.hands import BigGin, Dead, Gin, HandResult, Knock, Points
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import deal_document

_NAMED: Final = ("knocker", "defender", "winner", "loser")


def renamed(deal: Deal, players: Mapping[str, str], sides: Mapping[str, str]) -> Deal:
    """Return the deal with its players and sides renamed."""
    if deal.line is not None:
        return Deal(line=replace(deal.line, winner=sides[deal.line.winner]))
    return Deal(tuple(_renamed_hand(hand, players) for hand in deal.two_handed))


def _renamed_hand(hand: HandResult, names: Mapping[str, str]) -> HandResult:
    match hand:
        case Dead(players):
            return replace(hand, players=tuple(names[player] for player in players))
        case Points():
            return replace(hand, winner=names[hand.winner], loser=names[hand.loser])
        case Knock() | Gin() | BigGin():
            return replace(hand, knocker=names[hand.knocker], defender=names[hand.defender])


def is_same(one: Deal, other: Deal) -> bool:
    """Tell whether two deals are equal, ignoring the order of hands and of the two players of a dead hand."""
    return one == other or _settled(one) == _settled(other)


def _settled(deal: Deal) -> object:
    document = deal_document(deal)
    if document is None or "line" in document:
        return document
    hands = document["hands"]
    for hand in hands:
        if hand["kind"] == "dead":
            hand["knocker"], hand["defender"] = sorted((hand["knocker"], hand["defender"]))
    return sorted(hands, key=lambda hand: sorted(hand.get(name, "") for name in _NAMED))


def placeholder(sides: tuple[SheetSide, ...]) -> Deal:
    """Return a drawn deal, which scores 0; it holds the number of a voided deal until that is voided."""
    return Deal(tuple(Dead(pair) for pair in zip(sides[0].players, sides[1].players, strict=True)))


def in_words(deal: Deal) -> str:
    """Describe a deal in a message."""
    if deal.is_void:
        return "voided"
    if deal.line is not None:
        return f"line {deal.line.winner} {deal.line.points}"
    return "; ".join(_hand_in_words(hand) for hand in deal.two_handed)


def _hand_in_words(hand: HandResult) -> str:
    match hand:
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
