"""Worked examples of house rules in sentences; every figure comes from the scorer."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.core.hands import BigGin, Dead, Gin, HandScore, Knock, Outcome, Points
from scoring.core.rule_examples import (
    HandExample,
    hand_examples,
    limit_examples,
    sheet_example,
    shutout_example,
    team_examples,
)
from scoring.core.rules import Rules
from scoring.core.sheets import ColumnState, SheetState
from scoring.core.table_examples import SIDES, table_hand_examples, table_sheet_example
from scoring.core.table_hands import Blocked, Counts, Out, TableKnock, TableResult, TableScore
from scoring.templatetags.figures import grouped, signed


@dataclass(frozen=True, slots=True)
class Worked:
    """An example: the situation and its score."""

    what: str
    comes_to: str


@dataclass(frozen=True, slots=True)
class Examples:
    """All examples for some rules; `sheet` is a whole sheet, the others are sentences."""

    hands: tuple[Worked, ...]
    limits: tuple[Worked, ...]
    sheet: SheetState
    settlement: tuple[str, ...]
    shutout: str
    teams: tuple[Worked, ...]


def worked_examples(rules: Rules) -> Examples:
    """The examples for a rule sheet."""
    if rules.kind in SIDES:
        return _table_examples(rules)
    names = (_("Ada"), _("Ben"))
    sheet = sheet_example(rules, names)
    return Examples(
        hands=tuple(_hand(example) for example in hand_examples(rules)),
        limits=_limits(rules),
        sheet=sheet,
        settlement=tuple(_settlement(sheet)),
        shutout=_shutout(shutout_example(rules, names)),
        teams=tuple(_team(state) for state in team_examples(rules, (_("North"), _("South")))),
    )


def _table_examples(rules: Rules) -> Examples:
    """The examples of a kind for more than two, or with a hand of several at one table."""
    names = (_("Ada"), _("Ben"), _("Cleo"), _("Dan"))
    sheet = table_sheet_example(rules, names)
    at_once = table_hand_examples(rules, names)
    hands = [_table_hand(hand, score) for hand, score in at_once]
    return Examples(
        hands=tuple(hands or [_hand(example) for example in hand_examples(rules)]),
        limits=_limits(rules),
        sheet=sheet,
        settlement=tuple(_settlement(sheet)),
        shutout="",
        teams=(),
    )


def _table_hand(hand: TableResult, score: TableScore) -> Worked:
    match hand:
        case TableKnock(knocker, own, others, ending):
            said = {"name": knocker, "own": own, "others": _counts(others)}
            what = _("%(name)s knocks with %(own)s; %(others)s") % said
            if ending is Outcome.GIN:
                what = _("%(name)s has gin; %(others)s") % said
            elif ending is Outcome.BIG_GIN:
                what = _("%(name)s has big gin; %(others)s") % said
        case Out(winner, left, is_rummy):
            said = {"name": winner, "others": _counts(left)}
            what = _("%(name)s goes out; %(others)s left") % said
            if is_rummy:
                what = _("%(name)s goes out in one turn; %(others)s left") % said
        case Blocked(left):
            what = _("Nobody can go on; %(others)s left") % {"others": _counts(left)}
        case _:
            what = _("Nobody knocks before the stock ends")
    won = [
        _("%(name)s scores %(points)s (%(shares)s)")
        % {
            "name": gain.winner,
            "points": grouped(gain.points),
            "shares": ", ".join(
                _("%(points)s from %(name)s") % {"points": points, "name": player}
                for player, points in gain.shares
            ),
        }
        for gain in score.gains
    ]
    won += [
        _("%(name)s loses %(points)s") % {"name": player, "points": points}
        for player, points in score.penalties
    ]
    return Worked(what, ", ".join(won) or _("a dead hand: nobody scores"))


def _counts(counts: Counts) -> str:
    return ", ".join(f"{player} {count}" for player, count in counts)


def _hand(example: HandExample) -> Worked:
    score = example.score
    return Worked(_what(example), _comes_to(score))


def _what(example: HandExample) -> str:
    match example.result:
        case Knock(_knocker, _defender, own, other):
            return _("Knocker %(own)s, defender %(other)s") % {"own": own, "other": other}
        case Gin(_knocker, _defender, other, upcard):
            if upcard is not None:
                return _("Gin against %(other)s, with the %(card)s turned up") % {
                    "other": other,
                    "card": _card(upcard),
                }
            return _("Gin against %s") % other
        case BigGin(_knocker, _defender, other):
            return _("Big gin against %s") % other
        case Dead():
            return _("Nobody knocks before the stock ends")
        case Points(_winner, _loser, points):
            return _("%s points") % points
        case _:
            assert_never(example.result)


def _comes_to(score: HandScore) -> str:
    points = {"points": grouped(score.points)}
    match score.outcome:
        case Outcome.KNOCK:
            said = _("the knocker scores %(points)s") % points
        case Outcome.GIN:
            said = _("gin: the knocker scores %(points)s") % points
        case Outcome.BIG_GIN:
            said = _("big gin: the knocker scores %(points)s") % points
        case Outcome.UNDERCUT | Outcome.GIN_OFF:
            said = _undercut(score)
        case Outcome.DEAD:
            return _("a dead hand: nobody scores")
        case _:
            said = _("the winner scores %(points)s") % points
    if score.boxes == 1:
        return said
    boxes = ngettext("%(count)s box", "%(count)s boxes", score.boxes) % {"count": score.boxes}
    return _("%(said)s, and %(boxes)s") % {"said": said, "boxes": boxes}


def _undercut(score: HandScore) -> str:
    figures = {"points": grouped(score.points), "penalty": grouped(score.penalty)}
    said = _("the defender scores %(points)s") % figures
    if score.penalty:
        said = _("the knocker loses %(penalty)s") % figures
        if score.points:
            said = _("the defender scores %(points)s, and the knocker loses %(penalty)s") % figures
    if score.outcome is Outcome.GIN_OFF:
        return _("undercut with nothing left over: %(said)s") % {"said": said}
    return _("undercut: %(said)s") % {"said": said}


def _limits(rules: Rules) -> tuple[Worked, ...]:
    return tuple(
        Worked(_("With the %s turned up") % _card(each.upcard), _limit(each.limit))
        for each in limit_examples(rules)
    )


def _limit(limit: int) -> str:
    if limit == 0:
        return _("this hand takes gin")
    return _("this hand is knocked with %s or less") % limit


def _card(card: str) -> str:
    """A card in words; the fonts of the printed sheet have no suit signs."""
    ranks = {
        "A": _("ace"),
        "T": _("ten"),
        "J": _("jack"),
        "Q": _("queen"),
        "K": _("king"),
    }
    suits = {"C": _("clubs"), "D": _("diamonds"), "H": _("hearts"), "S": _("spades")}
    rank, suit = card[0], card[1]
    return _("%(rank)s of %(suit)s") % {"rank": ranks.get(rank, rank), "suit": suits[suit]}


def _settlement(state: SheetState) -> Iterator[str]:
    """How the columns of a sheet add up to its net, a sentence each."""
    if len(state.sides) > 2:
        nets = zip(state.sides, state.nets, strict=True)
        said = ", ".join(f"{side.name} {signed(net)}" for side, net in nets)
        yield _("Each settles with each: %(nets)s.") % {"nets": said}
        return
    for column in state.columns:
        if column.winner is not None:
            yield _column(column, alone=len(state.columns) == 1)
    if state.winner is not None:
        net = grouped(abs(state.net))
        yield _("%(winner)s wins the sheet by %(net)s.") % {"winner": state.winner, "net": net}


def _column(column: ColumnState, *, alone: bool) -> str:
    first, second = column.sides
    winner, loser = (first, second) if column.winner == first.name else (second, first)
    result = column.result
    difference = winner.total - loser.total
    values = {
        "number": column.number,
        "winner": winner.name,
        "loser": loser.name,
        "own": grouped(winner.total),
        "other": grouped(loser.total),
        "difference": grouped(difference),
        "result": grouped(result),
    }
    sum_ = _("%(winner)s %(own)s less %(loser)s %(other)s is %(difference)s") % values
    if result != difference:
        sum_ = _("%(sum)s, which counts %(times)s: %(result)s") % {
            "sum": sum_,
            "times": _("twice") if result == 2 * difference else _("%s times") % (result // difference),
            "result": grouped(result),
        }
    if column.status == "stopped":
        sum_ = _("%s (time was called: no bonus for the game)") % sum_
    return f"{sum_}." if alone else _("Game %(number)s: %(sum)s.") % {"number": column.number, "sum": sum_}


def _shutout(state: SheetState) -> str:
    (column,) = state.columns
    winner, loser = column.sides
    parts = [_("points %s") % grouped(winner.points)]
    if winner.box_points:
        parts.append(_("boxes %s") % grouped(winner.box_points))
    if winner.game_bonus:
        parts.append(_("game %s") % grouped(winner.game_bonus))
    if winner.shutout_bonus:
        parts.append(_("shutout %s") % grouped(winner.shutout_bonus))
    total = grouped(winner.total)
    sum_ = f"{' + '.join(parts)} = {total}" if len(parts) > 1 else parts[0]
    if column.result != winner.total - loser.total:
        sum_ = _("%(sum)s, doubled %(result)s") % {"sum": sum_, "result": grouped(column.result)}
    count = len(winner.entries)
    wins = ngettext(
        "%(winner)s wins %(count)s hand and %(loser)s none",
        "%(winner)s wins %(count)s hands and %(loser)s none",
        count,
    ) % {"winner": winner.name, "loser": loser.name, "count": count}
    return f"{wins}: {sum_}."


def _team(state: SheetState) -> Worked:
    (deal,) = state.deals
    first, second = (side.players for side in state.sides)
    won = [
        _("%(player)s makes %(points)s") % {"player": score.winner, "points": score.points}
        for _hand, score in deal.two_handed
        if score.winner in (*first, *second)
    ]
    entered = [
        _("%(team)s enters %(points)s") % {"team": line.side, "points": line.points} for line in deal.lines
    ]
    boxes = [
        ngettext("%(team)s has %(count)s box", "%(team)s has %(count)s boxes", line.boxes)
        % {"team": line.side, "count": line.boxes}
        for line in deal.lines
        if line.boxes != 1
    ]
    return Worked(", ".join(won), ", ".join([*entered, *boxes]))
