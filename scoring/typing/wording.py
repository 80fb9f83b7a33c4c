"""Deals, columns and differences in words, for the person who types a sheet and looks back at the paper."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.core.hands import BigGin, Dead, Gin, HandResult, HandScore, Knock, Outcome, Points
from scoring.core.sheets import DealScore, SheetState
from scoring.typing.cells import ANY_SPADE
from scoring.typing.paper_figures import Difference

_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
_MARK_WORDS: Final = {
    Outcome.GIN: " gin",
    Outcome.BIG_GIN: " big gin",
    Outcome.UNDERCUT: " undercut",
    Outcome.GIN_OFF: " undercut with nothing left",
    Outcome.KNOCK: " knock",
}


@dataclass(frozen=True, slots=True)
class Need:
    """How many points a side (0 or 1) lacks to close an open column with one win of one box.

    `is_next`: its next win is entered there, so that many points in one hand would close it.
    """

    column: int
    side: int
    points: int
    is_next: bool


def roman(column: int) -> str:
    """A column's number as the paper prints it, 1 to 12."""
    return _ROMAN[column - 1]


def echo_rows(state: SheetState) -> dict[int, str]:
    """Every deal by its number in words: "Abbott gin 44: I 62, II 44", ", closes I" where it does."""
    running: defaultdict[int, dict[tuple[str, int], int]] = defaultdict(dict)
    closed: defaultdict[int, list[str]] = defaultdict(list)
    for column in state.columns:
        for side in column.sides:
            for entry in side.entries:
                running[entry.deal][side.name, column.number] = entry.running
        if column.closed_by_deal is not None:
            closed[column.closed_by_deal].append(roman(column.number))
    is_team = len(state.sides[0].players) > 1
    return {
        deal.number: _deal_words(deal, running[deal.number], closed[deal.number], is_team=is_team)
        for deal in state.deals
    }


def needs(state: SheetState) -> tuple[Need, ...]:
    """What each side lacks in each open column; under `box_credit: at_once` the hand's own box is counted."""
    credit = state.rules.box_bonus if state.rules.box_credit == "at_once" else 0
    found = []
    for side in (0, 1):
        is_next = True
        for column in state.columns:
            if column.status != "open":
                continue
            part = column.sides[side]
            lacking = max(0, state.rules.target - part.running - credit)
            found.append(Need(column.number, side, lacking, is_next))
            # The first column without an entry takes the next win, and no column after it does.
            is_next = is_next and bool(part.entries)
    return tuple(sorted(found, key=lambda need: (need.column, need.side)))


def need_words(need: Need, state: SheetState) -> str:
    """The need as a sentence: "Castell needs 14 to close III"."""
    return f"{state.sides[need.side].name} needs {need.points} to close {roman(need.column)}"


def difference_words(difference: Difference, state: SheetState) -> str:
    """The difference as a sentence: "The sheet gives Castell 78, the paper 96."."""
    ours, theirs = difference.sheet, difference.paper
    names = (state.sides[0].name, state.sides[1].name)
    match difference.figure:
        case "net":
            leaders = [None if net == 0 else names[net < 0] for net in (ours, theirs)]
            sheet = f"{leaders[0]} {abs(ours)}" if leaders[0] else "neither side anything"
            paper = f"{leaders[1]} {abs(theirs)}" if leaders[1] else "neither anything"
            if leaders[0] == leaders[1]:
                paper = str(abs(theirs))
            return f"The sheet gives {sheet}, the paper {paper}."
        case "lines":
            return f"The sheet has {ours} {'row' if ours == 1 else 'rows'}, the paper {theirs}."
        case "boxes":
            return f"Boxes of {names[difference.side or 0]}: the sheet has {ours}, the paper {theirs}."
        case _:
            place = f"Game {roman(difference.column or 1)}, {names[difference.side or 0]}"
            return f"{place}: the sheet gives {ours}, the paper {theirs}."


def _deal_words(
    deal: DealScore, running: Mapping[tuple[str, int], int], closed: list[str], *, is_team: bool
) -> str:
    if deal.deal.is_void:
        return "struck out"
    words = []
    if deal.deal.hands:
        hands = zip(deal.deal.hands, deal.hands, strict=True)
        words.append("; ".join([_hand_words(hand, score) for hand, score in hands]))
    if not deal.counted:
        return f"{words[0] if words else 'a line'}: after the end, does not count"
    entered = []
    for line in deal.lines:
        sums = ", ".join([f"{roman(column)} {running[line.side, column]}" for column in line.columns])
        if is_team:
            boxes = "" if line.boxes == 1 else f" with {line.boxes} boxes"
            sums = f"{line.side} {line.points}{boxes}: {sums}"
        entered.append(sums)
    if is_team and not deal.lines and len(words) == 1:
        entered.append("nobody scores")
    if entered:
        words.append("; ".join(entered))
    text = (" → " if is_team else ": ").join(words)
    return f"{text}, closes {' and '.join(closed)}" if closed else text


def _hand_words(hand: HandResult, score: HandScore) -> str:
    match hand:
        case Points(winner, _, points, mark):
            text = f"{winner}{'' if mark is None else _MARK_WORDS[mark]} {points}"
        case Knock(knocker, defender, own, other):
            counts = f"{own}–{other}"
            if score.outcome is Outcome.DEAD:
                text = f"{knocker} knocks {counts}, dead hand"
            elif score.outcome is Outcome.GIN:
                text = f"{knocker} gin against {other} for {score.points}"
            elif score.winner == knocker:
                text = f"{knocker} knocks {counts} for {score.points}"
            else:
                text = f"{defender} undercuts {counts} for {score.points}"
        case Gin(knocker, _, other) | BigGin(knocker, _, other):
            text = f"{knocker}{_MARK_WORDS[score.outcome]} against {other} for {score.points}"
        case Dead():
            text = "dead hand"
    if hand.upcard is None:
        return text
    return f"{text} ({'spade' if hand.upcard == ANY_SPADE else hand.upcard})"
