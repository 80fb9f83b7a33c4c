"""Hands that several play at one table, in words."""

from typing import Final

from scoring.core.hands import Dead, Outcome
from scoring.core.messages import Message, Value, mark, together
from scoring.core.table_hands import Blocked, Counts, Out, TableKnock, TablePoints, TableResult, TableScore


def table_hand_words(hand: TableResult, score: TableScore) -> Message:
    """The hand in words: "Abbott 32 (12 from Bell, 20 from Castell)", "Castell out for 8 (8 Abbott)"."""
    match hand:
        case Dead():
            text = mark("dead hand")
        case TablePoints():
            text = together([_won(score, number, hand.mark) for number in range(len(score.gains))], "; ")
        case TableKnock(knocker, own, others):
            text = _knock_words(knocker, "–".join([str(own), *_figures(others)]), score)
            if score.outcome in (Outcome.GIN, Outcome.BIG_GIN):
                text = _AGAINST[score.outcome].filled(
                    name=knocker, counts=", ".join(_figures(others)), points=score.gains[0].points
                )
        case Out(winner, left, _, by_time):
            said: dict[str, Value] = {"name": winner, "points": score.gains[0].points, "left": _listed(left)}
            text = mark("%(name)s out for %(points)s (%(left)s)", **said)
            if score.outcome is Outcome.RUMMY:
                text = mark("%(name)s rummy for %(points)s (%(left)s)", **said)
            elif by_time:
                text = mark("%(name)s wins by time for %(points)s (%(left)s)", **said)
        case Blocked(left):
            text = mark("blocked (%(left)s)", left=_listed(left))
            if score.gains:
                gain = score.gains[0]
                text = mark("%(text)s, %(name)s %(points)s", text=text, name=gain.winner, points=gain.points)
    if score.penalties:
        off = [
            mark("%(penalty)s off %(loser)s", penalty=points, loser=player)
            for player, points in score.penalties
        ]
        text = together([text, *off], ", ")
    upcard = None if isinstance(hand, Out | Blocked) else hand.upcard
    return text if upcard is None else together([text, f"({upcard})"])


def _won(score: TableScore, number: int, outcome: Outcome | None) -> Message:
    gain = score.gains[number]
    shares = [mark("%(points)s from %(name)s", points=points, name=player) for player, points in gain.shares]
    text = WON[outcome].filled(winner=gain.winner, points=gain.points)
    return mark("%(text)s (%(shares)s)", text=text, shares=together(shares, ", "))


def _knock_words(knocker: str, counts: str, score: TableScore) -> Message:
    said: dict[str, Value] = {"name": knocker, "counts": counts}
    if score.outcome is Outcome.DEAD:
        return mark("%(name)s knocks %(counts)s, dead hand", **said)
    won = [f"{gain.winner} {gain.points}" for gain in score.gains]
    if score.outcome is Outcome.KNOCK:
        return mark("%(name)s knocks %(counts)s for %(points)s", points=score.gains[0].points, **said)
    return mark("%(name)s knocks %(counts)s, undercut: %(won)s", won=", ".join(won), **said)


def _figures(counts: Counts) -> list[str]:
    return [str(count) for _player, count in counts]


def _listed(counts: Counts) -> str:
    return ", ".join(f"{count} {player}" for player, count in counts)


_FILLED: Final[dict[str, Value]] = {"winner": "", "points": 0}
# Who has won a hand of which the outcome is known.
WON: Final[dict[Outcome | None, Message]] = {
    None: mark("%(winner)s %(points)s", **_FILLED),
    Outcome.GIN: mark("%(winner)s gin %(points)s", **_FILLED),
    Outcome.BIG_GIN: mark("%(winner)s big gin %(points)s", **_FILLED),
    Outcome.UNDERCUT: mark("%(winner)s undercut %(points)s", **_FILLED),
    Outcome.GIN_OFF: mark("%(winner)s undercut with nothing left %(points)s", **_FILLED),
    Outcome.KNOCK: mark("%(winner)s knock %(points)s", **_FILLED),
}
_AGAINST: Final = {
    Outcome.GIN: mark("%(name)s gin against %(counts)s for %(points)s", name="", counts="", points=0),
    Outcome.BIG_GIN: mark("%(name)s big gin against %(counts)s for %(points)s", name="", counts="", points=0),
}
