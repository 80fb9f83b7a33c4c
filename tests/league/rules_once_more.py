"""The rules once more, as short as they can be said: nothing of the scorer or the league is used here."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

GIN, UNDERCUT, GAME, BOX = 25, 25, 100, 25


@dataclass
class Column:
    """A game: points and boxes by side, and who reached the target."""

    points: Counter[str] = field(default_factory=Counter)
    boxes: Counter[str] = field(default_factory=Counter)
    winner: str = ""


def hand_points(row: dict[str, str]) -> tuple[str, int]:
    """Who scores a hand and what (RULES §4, standard)."""
    if row["kind"] == "dead":
        return "", 0
    other = int(row["defender_deadwood"])
    if row["kind"] == "gin":
        return row["knocker"], other + GIN
    own = int(row["knocker_deadwood"])
    if other <= own:
        return row["defender"], own - other + UNDERCUT
    return row["knocker"], other - own


BySide = Counter[str]


def sheet_result(rows: list[dict[str, str]], target: int, columns: int) -> tuple[BySide, BySide, BySide]:
    """Net, columns won and boxes of each side of a sheet (RULES §5-7)."""
    sides = (rows[0]["side_a"], rows[0]["side_b"])
    games = [Column() for _ in range(columns)]
    boxes: Counter[str] = Counter()
    deals: dict[int, Counter[str]] = defaultdict(Counter)
    for row in rows:
        winner, points = hand_points(row)
        if winner:
            side = next(side for side in sides if winner in side.split("+"))
            deals[int(row["deal"])][side] += points
    for _number, won in sorted(deals.items()):
        difference = won[sides[0]] - won[sides[1]]
        if difference == 0:
            continue
        side = sides[difference < 0]
        boxes[side] += 1
        still_out = True
        for game in games:
            if not game.winner and (game.boxes[side] or still_out):
                still_out = still_out and bool(game.boxes[side])
                game.points[side] += abs(difference)
                game.boxes[side] += 1
        for game in games:
            if not game.winner and game.points[side] >= target:
                game.winner = side
    net: Counter[str] = Counter()
    taken: Counter[str] = Counter()
    for game in games:
        assert game.winner, "every sheet of these seasons was played to its end"
        loser = sides[game.winner == sides[0]]
        bonus = GAME if game.boxes[loser] else 2 * GAME
        result = game.points[game.winner] + BOX * game.boxes[game.winner] + bonus
        result -= game.points[loser] + BOX * game.boxes[loser]
        net[game.winner] += result
        net[loser] -= result
        taken[game.winner] += 1
    return net, taken, boxes


def expected_table(rows: list[dict[str, str]], *, target: int, columns: int) -> list[tuple[Any, ...]]:
    """Name, played, won, lost, points, net, columns, boxes: sorted by points and net."""
    sheets: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        sheets[row["sheet"]].append(row)
    total: dict[str, list[int]] = defaultdict(lambda: [0] * 7)
    for sheet in sheets.values():
        net, taken, boxes = sheet_result(sheet, target, columns)
        for side in (sheet[0]["side_a"], sheet[0]["side_b"]):
            assert net[side] != 0, "no sheet of these seasons is drawn"
            won = net[side] > 0
            figures = (1, int(won), int(not won), 2 * won, net[side], taken[side], boxes[side])
            total[side] = [old + new for old, new in zip(total[side], figures, strict=True)]
    ordered = sorted(total.items(), key=lambda item: (item[1][3], item[1][4]), reverse=True)
    return [(side.replace("+", " & "), *figures) for side, figures in ordered]
