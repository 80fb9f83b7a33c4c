"""Why a round of a Swiss was paired so, in marked texts."""

from collections.abc import Mapping
from typing import Final

from league.core.pairing.swiss import Pair, Pairing, Reason
from scoring.core.messages import Message, mark

# `entry` floats down, `other` floats up: their ids are filled in when the reason is stored.
_FLOAT: Final = {"entry": "", "points": "", "other": "", "fewer": ""}
_SENTENCES: Final[Mapping[Reason, Message]] = {
    Reason.SAME_SCORE: mark("both are on %(points)s", points=""),
    Reason.NOT_MET: mark("they have not met"),
    Reason.ODD_GROUP: mark(
        "%(entry)s (%(points)s) meets %(other)s (%(fewer)s): an odd number was left on %(points)s",
        **_FLOAT,
    ),
    Reason.NO_PARTNER: mark(
        "%(entry)s (%(points)s) meets %(other)s (%(fewer)s): nobody left on %(points)s could meet %(entry)s",
        **_FLOAT,
    ),
    Reason.OTHERS: mark(
        "%(entry)s (%(points)s) meets %(other)s (%(fewer)s): with fewer floats to below %(points)s not "
        "everybody could be paired, higher scores first",
        **_FLOAT,
    ),
    Reason.OTHERS_WITH_BYE: mark(
        "%(entry)s (%(points)s) meets %(other)s (%(fewer)s): with this bye and fewer floats to below "
        "%(points)s not everybody could be paired, higher scores first",
        **_FLOAT,
    ),
    Reason.NEAREST: mark(
        "%(entry)s (%(points)s) meets %(other)s (%(fewer)s): so the round comes nearest to the rules",
        **_FLOAT,
    ),
    Reason.NONE_BETWEEN: mark(
        "nobody between %(points)s and %(fewer)s may meet %(entry)s", entry="", points="", fewer=""
    ),
    Reason.UP_FIRST: mark("%(other)s has not floated up before", other=""),
    Reason.UP_BEFORE: mark("%(other)s has floated up before, but not in the last round", other=""),
    Reason.UP_AGAIN: mark(
        "%(other)s floated up in the last round too: as few as possible float so again", other=""
    ),
    Reason.DOWN_AGAIN: mark(
        "%(entry)s floated down or had points without play in the last round: as few as possible float so "
        "again",
        entry="",
    ),
    Reason.REMATCH: mark("rematch: no other pairing"),
    Reason.NOT_APART: mark("should not meet: no other pairing"),
    Reason.BYE: mark("bye: lowest score without a free win"),
    Reason.BYE_HIGHER: mark("bye: lowest score without a free win that leaves the others a pairing"),
    Reason.BYE_NEAREST: mark("bye: with that of a lower score the round would be further from the rules"),
    Reason.BYE_AGAIN: mark("bye again: no other pairing"),
}

VIRTUAL_POINTS: Final = mark("virtual points are counted")


def why_these(pair: Pair) -> list[Message]:
    """Why two meet; `%(entry)s` is the one that floats down and `%(other)s` the one that floats up."""
    points, fewer = map(str, pair.points)
    return [_SENTENCES[reason].filled(points=points, fewer=fewer) for reason in pair.reasons]


def why_bye(pairing: Pairing) -> list[Message]:
    """Why somebody has the bye."""
    return [_SENTENCES[reason] for reason in pairing.bye_reasons]
