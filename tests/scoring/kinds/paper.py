"""Sheets of several players as short as on paper."""

from typing import Any

from scoring.documents.sheets import score_document

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay")
LETTERS = {name[0].lower(): name for name in NAMES}
Answer = dict[str, Any]


def table_sheet(
    preset: str, hands: list[Any], seats: int = 3, *, stopped: bool = False, **knobs: Any
) -> Answer:
    """The answer for a sheet of single players with these hands; None is a voided deal."""
    return score_document(
        {
            "rules": {"preset": preset, **knobs},
            "sides": [{"name": name} for name in NAMES[:seats]],
            "deals": [None if hand is None else {"hands": [hand]} for hand in hands],
            "stopped": stopped,
        }
    )


def waiting_sheet(
    preset: str, rows: str, seats: int = 3, *, sides: Any = None, stopped: bool = False, **knobs: Any
) -> Answer:
    """A sheet on which two play: "a12 d v" is 12 points for Ann, a dead hand, a voided deal.

    The loser is the other one of those who play, as the answer for the deals before says.
    """
    request: dict[str, Any] = {
        "rules": {"preset": preset, **knobs},
        "sides": sides or [{"name": name} for name in NAMES[:seats]],
        "deals": [],
    }
    for row in rows.split():
        playing = score_document(request)["next"]["playing"]
        request["deals"].append(None if row == "v" else {"hands": [_hand(row, playing)]})
    return score_document({**request, "stopped": stopped})


def _hand(row: str, playing: list[str]) -> dict[str, Any]:
    if row == "d":
        return {"kind": "dead", "knocker": playing[0], "defender": playing[1]}
    winner = LETTERS[row[0]]
    loser = next(player for player in playing if player != winner)
    return {"kind": "points", "winner": winner, "loser": loser, "points": int(row[1:])}


def table_of(answer: Answer) -> tuple[str, str, str]:
    """Who plays next, who waits, who deals, as letters."""
    following = answer["next"]
    playing, waiting = ("".join(name[0].lower() for name in following[who]) for who in ("playing", "waiting"))
    return playing, waiting, following["dealer"][0].lower()


def figures(answer: Answer, what: str) -> tuple[int, ...]:
    """A figure by side, in order."""
    return tuple(answer[what].values())


def lines(answer: Answer) -> list[list[tuple[str, int, int]]]:
    """(first letter of the side, points, boxes) of every line, deal by deal."""
    return [
        [(line["side"][0].lower(), line["points"], line["boxes"]) for line in deal["lines"]]
        for deal in answer["deals"]
    ]
