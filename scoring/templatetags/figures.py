"""Figures as printed on a score sheet: real minus signs, grouped thousands, hands in words."""

from decimal import Decimal

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.paper.layout import GameResult as GameResult
from scoring.paper.layout import HandLine, TableLine

register = template.Library()

MINUS = "−"
CARD_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


@register.filter
def grouped(value: int | Decimal | None) -> str:
    """1,234 and −1,234; a half as 2.5; "" for None."""
    if value is None:
        return ""
    text = f"{value.normalize():,f}" if isinstance(value, Decimal) else f"{value:,}"
    return text.replace("-", MINUS)


@register.filter
def signed(value: int | Decimal | None) -> str:
    """+1,234, −562 and 0."""
    if value is None:
        return ""
    return f"+{grouped(value)}" if value > 0 else grouped(value)


@register.filter
def sign_class(value: int | Decimal | None) -> str:
    """The CSS class of a negative figure."""
    return "negative" if value is not None and value < 0 else ""


@register.filter
def card(value: str | None) -> str:
    """A card as printed: 10♠ for TS."""
    if not value:
        return ""
    rank = "10" if value[0] == "T" else value[0]
    return rank + CARD_SIGNS[value[1]]


@register.filter
def hand_words(hand: HandLine | TableLine) -> str:
    """A hand in words: “Abbott, gin 44”, “Abbott knocks 8–20: 12”, “Bell undercuts 8–6: 2, 25 off Abbott”."""
    if isinstance(hand, TableLine):
        return _table_words(hand)
    words = _nothing_won(hand) if hand.penalty and not hand.points else _won_words(hand)
    if not hand.penalty:
        return words
    return _("%(hand)s, %(penalty)s off %(loser)s") % {
        "hand": words,
        "penalty": hand.penalty,
        "loser": hand.loser,
    }


def _table_words(hand: TableLine) -> str:
    """A hand of several in words: “Abbott 32 (12 Bell, 20 Castell)”, “Abbott gin 94 (43 Bell, 51 Cole)”."""
    words = []
    for gain in hand.gains:
        said = {
            "name": gain.winner,
            "points": gain.points,
            "shares": ", ".join(f"{points} {player}" for player, points in gain.shares),
        }
        match hand.outcome:
            case "out" if hand.by_time:
                words.append(_("%(name)s wins by time %(points)s (%(shares)s)") % said)
            case "gin":
                words.append(_("%(name)s gin %(points)s (%(shares)s)") % said)
            case "big_gin":
                words.append(_("%(name)s big gin %(points)s (%(shares)s)") % said)
            case "undercut" | "gin_off":
                words.append(_("%(name)s undercut %(points)s (%(shares)s)") % said)
            case "out":
                words.append(_("%(name)s out %(points)s (%(shares)s)") % said)
            case "rummy":
                words.append(_("%(name)s rummy %(points)s (%(shares)s)") % said)
            case _:
                words.append(f"{gain.winner} {gain.points} ({said['shares']})")
    if hand.outcome == "blocked":
        left = ", ".join(f"{count} {player}" for player, count in hand.counts)
        words.insert(0, _("blocked (%(left)s)") % {"left": left})
    words += [
        _("%(penalty)s off %(loser)s") % {"penalty": points, "loser": player}
        for player, points in hand.penalties
    ]
    return ", ".join(words) or _("dead hand")


def _nothing_won(hand: HandLine) -> str:
    """The words of an undercut that the defender scores nothing for."""
    values: dict[str, object] = {"winner": hand.winner}
    if hand.outcome == "gin_off":
        return _("%(winner)s undercuts with nothing left") % values
    if hand.counts is None:
        return _("%(winner)s, undercut") % values
    values |= {"own": hand.counts[0], "other": hand.counts[1]}
    return _("%(winner)s undercuts %(own)s–%(other)s") % values


def _won_words(hand: HandLine) -> str:
    values = {"winner": hand.winner, "loser": hand.loser, "points": hand.points}
    if hand.counts is not None:
        values |= {"own": hand.counts[0], "other": hand.counts[1]}
    match hand.outcome:
        case "dead":
            return _("dead hand")
        case "gin" if hand.by_time:
            return _("%(winner)s wins by time: %(points)s") % values
        case "gin":
            return _("%(winner)s, gin %(points)s") % values
        case "big_gin":
            return _("%(winner)s, big gin %(points)s") % values
        case "undercut":
            if hand.counts is None:
                return _("%(winner)s, undercut %(points)s") % values
            return _("%(winner)s undercuts %(own)s–%(other)s: %(points)s") % values
        case "gin_off":
            return _("%(winner)s undercuts with nothing left: %(points)s") % values
        case "knock" if hand.counts is not None:
            return _("%(winner)s knocks %(own)s–%(other)s: %(points)s") % values
        case _:
            return _("%(winner)s %(points)s") % values


@register.filter
def hand_met(hand: HandLine) -> str:
    """Whom the winner of a hand met, or who met whom in a dead one."""
    if hand.side is None:
        return _("(%(first)s v %(second)s)") % {"first": hand.winner, "second": hand.loser}
    return _("v %(name)s") % {"name": hand.loser}


@register.filter
def hand_mark(hand: HandLine | TableLine) -> str:
    """The short mark for a hand whose words stand below it; those of a dead one say it all."""
    if hand.by_time:
        return _("by time")
    return {
        "gin": _("gin"),
        "big_gin": _("big gin"),
        "undercut": _("undercut"),
        "gin_off": _("undercut"),
        "rummy": _("rummy"),
        "blocked": _("blocked"),
    }.get(hand.outcome, "")


@register.filter
def result_words(result: GameResult) -> str:
    """The state of a game, for its foot: “Eklund +132”, “open, needs 14”."""
    if result.to_go is not None:
        return ngettext("open, %(count)s deal to go", "open, %(count)s deals to go", result.to_go) % {
            "count": result.to_go
        }
    if result.status == "open":
        return _("open, needs %(points)s") % {"points": result.least_needed}
    if result.winner is None:
        return _("level")
    words = signed(result.margin)
    if result.side is None:
        words = f"{result.winner_name} {words}"
    return _("%(result)s, stopped") % {"result": words} if result.status == "stopped" else words


@register.filter
def foot_words(kind: str, columns: int = 1) -> str:
    """The heading of a settlement line of a sheet of so many games.

    A win stands in several games at once (RULES §6): the boxes in each are not the boxes of the sheet.
    """
    if kind == "boxes" and columns > 1:
        return _("boxes in the game")
    return {
        "points": _("points"),
        "penalties": _("penalties"),
        "boxes": _("boxes"),
        "box_points": _("for boxes"),
        "game_bonus": _("game"),
        "shutout_bonus": _("shutout"),
        "total": _("total"),
        "net": _("net"),
    }[kind]
