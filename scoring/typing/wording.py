"""Deals, columns and differences in words, for a scorekeeper who compares them with the paper."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.core.hands import BigGin, Dead, Gin, HandResult, HandScore, Knock, Outcome, Points
from scoring.core.kinds import kind_of
from scoring.core.messages import Message, Value, mark, mark_plural, together
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, DealScore, SheetSide, SheetState
from scoring.typing.cells import ANY_SPADE
from scoring.typing.paper_figures import Difference
from scoring.typing.table_words import WON, table_hand_words

_ROMAN: Final = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


@dataclass(frozen=True, slots=True)
class Need:
    """The points a side needs to close an open column with one win of one box.

    `is_next` if the side's next win is entered there, so that one hand with these points would close it.
    """

    column: int
    side: int
    points: int
    is_next: bool


def roman(column: int) -> str:
    """The number of a column as printed, 1 to 12."""
    return _ROMAN[column - 1]


def echo_rows(state: SheetState) -> dict[int, Message]:
    """Every deal by number, in words: "Abbott gin 44: I 62, II 44", with ", closes I" if it does.

    Sums that something was taken off are named: "Abbott undercut 2, 25 off Bell: I 64; Bell: I 15".
    """
    running: defaultdict[tuple[int, str, int], list[int]] = defaultdict(list)
    closed: defaultdict[int, list[str]] = defaultdict(list)
    for column in state.columns:
        for side in column.sides:
            for entry in side.entries:
                running[entry.deal, side.name, column.number].append(entry.running)
        if column.closed_by_deal is not None:
            closed[column.closed_by_deal].append(roman(column.number))
    is_team = any(len(deal.deal.hands) > 1 or deal.deal.line for deal in state.deals)
    return {
        deal.number: _deal_words(deal, running, closed[deal.number], is_team=is_team) for deal in state.deals
    }


def deal_words(rules: Rules, sides: Sequence[SheetSide], deal: Deal) -> Message:
    """A deal in words by itself, without the sums it came to: "Abbott gin 44"."""
    if deal.is_void:
        return mark("struck out")
    if deal.line is not None:
        return mark("%(side)s %(points)s", side=deal.line.winner, points=deal.line.points)
    in_force = kind_of(rules).rules_in_force(rules, sides)
    scores = tuple([kind_of(rules).score_hand(in_force, hand) for hand in deal.hands])
    scored = DealScore(1, deal, scores, ())
    return together([_words_of(scored, hand) for hand in range(len(scores))], "; ")


def needs(state: SheetState) -> tuple[Need, ...]:
    """The needs of each side in each open column; `box_credit: at_once` counts the hand's own box.

    None where no target ends the sheet.
    """
    if state.rules.deals is not None:
        return ()
    credit = state.rules.box_bonus if state.rules.box_credit == "at_once" else 0
    found = []
    for side in range(len(state.sides)):
        is_next = True
        for column in state.columns:
            if column.status != "open":
                continue
            part = column.sides[side]
            lacking = max(0, state.rules.target - part.running - credit)
            found.append(Need(column.number, side, lacking, is_next))
            # The next win goes into the first column without one, and into none after it.
            is_next = is_next and part.has_won
    return tuple(sorted(found, key=lambda need: (need.column, need.side)))


def need_words(need: Need, state: SheetState) -> Message:
    """The need as a sentence: "Castell needs 14 to close III"."""
    return mark(
        "%(name)s needs %(points)s to close %(column)s",
        name=state.sides[need.side].name,
        points=need.points,
        column=roman(need.column),
    )


def deals_left(state: SheetState) -> int | None:
    """How many deals are left of a sheet that ends after a number of them; None if it ends at the target."""
    if state.rules.deals is None:
        return None
    return state.rules.deals - sum([deal.counted and not deal.deal.is_void for deal in state.deals])


def to_go_words(state: SheetState) -> Message | None:
    """The deals left as a sentence: "3 deals to go"; None where the sheet ends at the target."""
    left = deals_left(state)
    return None if left is None else mark_plural("%(count)s deal to go", "%(count)s deals to go", left)


def difference_words(difference: Difference, state: SheetState) -> Message:
    """The difference as a sentence: "The sheet gives Castell 78, the paper 96."."""
    ours, theirs = difference.sheet, difference.paper
    names = [side.name for side in state.sides]
    side = names[difference.side or 0]
    match difference.figure:
        case "net" if difference.side is not None:
            return mark(
                "Net of %(side)s: the sheet has %(ours)s, the paper %(theirs)s.",
                side=side,
                ours=_minus(ours),
                theirs=_minus(theirs),
            )
        case "net":
            return _net_words(ours, theirs, names)
        case "lines":
            return mark_plural(
                "The sheet has %(count)s row, the paper %(paper)s.",
                "The sheet has %(count)s rows, the paper %(paper)s.",
                ours,
                paper=theirs,
            )
        case "boxes" if len(state.columns) > 1:
            return mark(
                "Boxes of %(side)s, each win once: the sheet has %(ours)s, the paper %(theirs)s.",
                side=side,
                ours=ours,
                theirs=theirs,
            )
        case "boxes":
            return mark(
                "Boxes of %(side)s: the sheet has %(ours)s, the paper %(theirs)s.",
                side=side,
                ours=ours,
                theirs=theirs,
            )
        case _:
            return mark(
                "Game %(column)s, %(side)s: the sheet gives %(ours)s, the paper %(theirs)s.",
                column=roman(difference.column or 1),
                side=side,
                ours=ours,
                theirs=theirs,
            )


def _net_words(ours: int, theirs: int, names: Sequence[str]) -> Message:
    """The nets in words; below 0 the second side leads."""
    leader, other = names[ours < 0], names[theirs < 0]
    sheet, paper = abs(ours), abs(theirs)
    if not ours:
        return mark(
            "The sheet gives neither side anything, the paper %(other)s %(paper)s.", other=other, paper=paper
        )
    if not theirs:
        return mark(
            "The sheet gives %(leader)s %(sheet)s, the paper neither anything.", leader=leader, sheet=sheet
        )
    if leader == other:
        return mark(
            "The sheet gives %(leader)s %(sheet)s, the paper %(paper)s.",
            leader=leader,
            sheet=sheet,
            paper=paper,
        )
    return mark(
        "The sheet gives %(leader)s %(sheet)s, the paper %(other)s %(paper)s.",
        leader=leader,
        sheet=sheet,
        other=other,
        paper=paper,
    )


def _deal_words(
    deal: DealScore, running: Mapping[tuple[int, str, int], list[int]], closed: list[str], *, is_team: bool
) -> Message:
    if deal.deal.is_void:
        return mark("struck out")
    words: list[Message] = []
    if deal.deal.hands:
        words.append(together([_words_of(deal, hand) for hand in range(len(deal.hands))], "; "))
    if not deal.counted:
        what = words[0] if words else mark("a line")
        return mark("%(what)s: after the end, does not count", what=what)
    entered = []
    several_won = sum(line.points >= 0 for line in deal.lines) > 1
    for line in deal.lines:
        # A side's sums stand in the order of its lines: a win, then what is taken off.
        sums = ", ".join(
            [
                f"{roman(column)} {_minus(running[deal.number, line.side, column].pop(0))}"
                for column in line.columns
            ]
        )
        won: dict[str, Value] = {"side": line.side, "points": line.points, "sums": sums}
        if not is_team:
            is_named = several_won or line.points < 0
            entered.append(together([f"{line.side}: {sums}" if is_named else sums]))
        elif line.boxes == 1 or line.points < 0:
            entered.append(together([f"{line.side} {_minus(line.points)}: {sums}"]))
        else:
            entered.append(
                mark_plural(
                    "%(side)s %(points)s with %(count)s box: %(sums)s",
                    "%(side)s %(points)s with %(count)s boxes: %(sums)s",
                    line.boxes,
                    **won,
                )
            )
    if is_team and not deal.lines and len(words) == 1:
        entered.append(mark("nobody scores"))
    if entered:
        words.append(together(entered, "; "))
    text = together(words, " → " if is_team else ": ")
    if not closed:
        return text
    *others, last = closed
    if not others:
        return mark("%(text)s, closes %(column)s", text=text, column=last)
    # A deal normally closes two columns at most; more are listed all the same.
    return mark(
        "%(text)s, closes %(columns)s and %(column)s", text=text, columns=", ".join(others), column=last
    )


def _words_of(deal: DealScore, number: int) -> Message:
    hand, score = deal.deal.hands[number], deal.hands[number]
    if isinstance(hand, HandResult) and isinstance(score, HandScore):
        return _hand_words(hand, score)
    return table_hand_words(hand, score)  # type: ignore[arg-type]


def _hand_words(hand: HandResult, score: HandScore) -> Message:
    match hand:
        case Points(winner, loser, _, outcome):
            known = WON if score.points or not score.penalty else _MARKED_OFF
            text = _off(known[outcome].filled(winner=winner, points=score.points), score, loser)
        case Knock(knocker, defender, own, other):
            said: dict[str, Value] = {"own": own, "other": other, "points": score.points}
            if score.outcome is Outcome.DEAD:
                text = mark("%(name)s knocks %(own)s–%(other)s, dead hand", name=knocker, **said)
            elif score.outcome is Outcome.GIN:
                text = _AGAINST[Outcome.GIN].filled(name=knocker, **said)
            elif score.winner == knocker:
                text = mark("%(name)s knocks %(own)s–%(other)s for %(points)s", name=knocker, **said)
            else:
                text = mark("%(name)s undercuts %(own)s–%(other)s for %(points)s", name=defender, **said)
                if score.penalty and not score.points:
                    text = mark("%(name)s undercuts %(own)s–%(other)s", name=defender, **said)
                text = _off(text, score, knocker)
        case Gin(knocker, _, other, _, True):
            said = {"other": other, "points": score.points}
            text = mark("%(name)s wins by time against %(other)s for %(points)s", name=knocker, **said)
        case Gin(knocker, _, other) | BigGin(knocker, _, other):
            text = _AGAINST[score.outcome].filled(name=knocker, other=other, points=score.points)
        case Dead():
            text = mark("dead hand")
    if hand.upcard is None:
        return text
    if hand.upcard == ANY_SPADE:
        return mark("%(text)s (spade)", text=text)
    return together([text, f"({hand.upcard})"])


def _off(text: Message, score: HandScore, loser: str) -> Message:
    """The words of a hand, with what is taken off the knocker who lost it."""
    if not score.penalty:
        return text
    return mark("%(text)s, %(penalty)s off %(loser)s", text=text, penalty=score.penalty, loser=loser)


def _minus(figure: int) -> str:
    return str(figure).replace("-", "−")


# Of hands that are lost without being won by any points.
_MARKED_OFF: Final[dict[Outcome | None, Message]] = {
    Outcome.UNDERCUT: mark("%(winner)s undercut", winner=""),
    Outcome.GIN_OFF: mark("%(winner)s undercut with nothing left", winner=""),
}
_AGAINST: Final = {
    Outcome.GIN: mark("%(name)s gin against %(other)s for %(points)s", name="", other=0, points=0),
    Outcome.BIG_GIN: mark("%(name)s big gin against %(other)s for %(points)s", name="", other=0, points=0),
}
