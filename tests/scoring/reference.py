"""Two slow and obvious scorers, written from the rules alone, to hold `score_sheet` against.

They share nothing with it but what a single hand is worth (`score_hand`, tested by its own table), and they
add every sum again from the entries each time it is needed.
"""

from dataclasses import dataclass, field

from scoring.core.hands import HandScore, score_hand
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide


@dataclass(frozen=True)
class Made:
    """What a deal brings a side: its line, and what is taken off the other side with it."""

    side: str
    points: int
    boxes: int
    off: int = 0


@dataclass
class Column:
    """A column as a list of (deal, side, points, boxes), who has won anything in it, and how it ended."""

    entries: list[tuple[int, str, int, int]] = field(default_factory=list)
    have_won: set[str] = field(default_factory=set)
    winner: str | None = None
    closed_by: int | None = None

    def of(self, side: str) -> list[tuple[int, str, int, int]]:
        return [entry for entry in self.entries if entry[1] == side]

    def points(self, side: str) -> int:
        return sum(points for _, _, points, _ in self.of(side))

    def boxes(self, side: str) -> int:
        return sum(boxes for _, _, _, boxes in self.of(side))

    def running(self, side: str, rules: Rules) -> int:
        at_once = self.boxes(side) * rules.box_bonus if rules.box_credit == "at_once" else 0
        return self.points(side) + at_once


def hollywood(rules: Rules, sides: tuple[SheetSide, SheetSide], deals: list[Deal]) -> list[Column]:
    """RULES §6, "Stated exactly", and the lines of RULES §7; deals after the end are passed over.

    RULES §8: a penalty is taken off where the line it comes with is entered, and is no win; with `deals` the
    sheet ends after so many that are not voided.
    """
    target = rules.target if len(sides[0].players) == 1 else rules.team_target
    columns = [Column() for _ in range(rules.columns)]
    played = 0
    for number, deal in enumerate(deals, start=1):
        made = team_lines(rules, sides, deal)
        open_ones = [column for column in columns if column.closed_by is None]
        taken_off = []
        for line in made:
            old = [column for column in open_ones if line.side in column.have_won]
            new = [column for column in open_ones if line.side not in column.have_won]
            for column in old + new[:1]:
                column.entries.append((number, line.side, line.points, line.boxes))
                column.have_won.add(line.side)
                if line.off:
                    (other,) = {side.name for side in sides} - {line.side}
                    taken_off.append((column, other, line.off))
        for column, other, points in taken_off:
            column.entries.append((number, other, -points, 0))
        played += bool(deal.hands or deal.line)
        for column in open_ones:
            if rules.deals is None:
                column.winner = column_winner(rules, column, target, sides, made)
                column.closed_by = number if column.winner else None
            elif played == rules.deals:
                column.winner = leader(rules, column, sides)
                column.closed_by = number
    return columns


def leader(rules: Rules, column: Column, sides: tuple[SheetSide, SheetSide]) -> str | None:
    """Who has more; level, nobody."""
    first, second = (side.name for side in sides)
    lead = column.running(first, rules) - column.running(second, rules)
    return None if lead == 0 else first if lead > 0 else second


def column_winner(
    rules: Rules, column: Column, target: int, sides: tuple[SheetSide, SheetSide], made: list[Made]
) -> str | None:
    """Who has reached the target; of two, who has more, then who made more in this deal."""
    past = [side.name for side in sides if column.running(side.name, rules) >= target]
    if len(past) < 2:
        return past[0] if past else None
    now = {side.name: sum(line.points for line in made if line.side == side.name) for side in sides}
    first, second = sorted(past, key=lambda name: (column.running(name, rules), now[name]))
    if (column.running(first, rules), now[first]) == (column.running(second, rules), now[second]):
        return None
    return second


def team_lines(rules: Rules, sides: tuple[SheetSide, SheetSide], deal: Deal) -> list[Made]:
    """What a deal makes; one hand of two single players is a deal like any other.

    Under `net` what is taken off one team counts as if the other had won it.
    """
    if deal.line is not None:
        return [Made(deal.line.winner, deal.line.points, deal.line.boxes)]
    scores = [score_hand(rules, hand) for hand in deal.two_handed]
    won: dict[str, list[HandScore]] = {
        side.name: [score for score in scores if score.winner in side.players] for side in sides
    }
    is_team = len(sides[0].players) > 1
    sweep = {
        name: rules.sweep_boxes if is_team and hands and len(hands) == len(scores) else 0
        for name, hands in won.items()
    }
    if is_team and rules.team_scoring == "net":
        points = {name: sum(score.points + score.penalty for score in hands) for name, hands in won.items()}
        (_, few), (high, many) = sorted(points.items(), key=lambda item: item[1])
        extra = sum(score.extra_boxes for score in won[high])
        return [] if few == many else [Made(high, many - few, 1 + extra + sweep[high])]
    return [
        Made(
            name,
            sum(score.points for score in hands),
            sum(score.boxes for score in hands) + sweep[name],
            sum(score.penalty for score in hands),
        )
        for name, hands in won.items()
        if hands
    ]


def settled(rules: Rules, column: Column, sides: tuple[SheetSide, SheetSide], *, stopped: bool) -> int:
    """RULES §5: the result of a column, from the first side's point of view."""
    total = {
        side.name: column.points(side.name) + column.boxes(side.name) * rules.box_bonus for side in sides
    }
    first, second = (side.name for side in sides)
    if column.winner is None:
        return total[first] - total[second] if stopped or column.closed_by is not None else 0
    winner = column.winner
    loser = second if winner == first else first
    total[winner] += rules.game_bonus
    if loser not in column.have_won:
        total[winner] += {
            "none": 0,
            "double_game_bonus": rules.game_bonus,
            "double_points": column.points(winner),
            "double_total": total[winner],
            "flat": rules.shutout_amount,
        }[rules.shutout]
    result = total[first] - total[second]
    return 2 * result if rules.double_if_loser_boxless and column.boxes(loser) == 0 else result


def hollywood_net(
    rules: Rules, sides: tuple[SheetSide, SheetSide], deals: list[Deal], *, stopped: bool
) -> int:
    """What the first side wins on the whole sheet."""
    results = [settled(rules, column, sides, stopped=stopped) for column in hollywood(rules, sides, deals)]
    if rules.last_column_double and len(results) > 1:
        results[-1] *= 2
    return sum(results)


def ordinary_game(rules: Rules, hands: list[tuple[int, int, int, int] | None]) -> tuple[int, list[int], int]:
    """One game of sides 0 and 1 from its hands: hands used, points, first side's net.

    A hand is (side, points, boxes, what is taken off the other), None if it was dead. No columns, no entries:
    points and boxes are added until somebody reaches the target, or for `deals` hands.
    """
    points, boxes, lines = [0, 0], [0, 0], [0, 0]
    used, winner, is_over = 0, None, False
    for hand in hands:
        used += 1
        if hand is not None:
            side, made, extra, off = hand
            points[side] += made
            points[1 - side] -= off
            boxes[side] += extra
            lines[side] += 1
        stand = list(points)
        if rules.box_credit == "at_once":
            stand = [points[side] + rules.box_bonus * boxes[side] for side in (0, 1)]
        if rules.deals is not None:
            is_over = used == rules.deals
            winner = int(stand[1] > stand[0]) if is_over and stand[0] != stand[1] else None
        elif hand is not None and stand[hand[0]] >= rules.target:
            is_over, winner = True, hand[0]
        if is_over:
            break
    if not is_over:
        return used, points, 0
    totals = [points[side] + boxes[side] * rules.box_bonus for side in (0, 1)]
    if winner is None:
        return used, points, totals[0] - totals[1]
    loser = 1 - winner
    own = totals[winner] + rules.game_bonus
    if lines[loser] == 0:
        match rules.shutout:
            case "double_game_bonus":
                own += rules.game_bonus
            case "double_points":
                own += points[winner]
            case "double_total":
                own += own
            case "flat":
                own += rules.shutout_amount
    margin = own - totals[loser]
    if rules.double_if_loser_boxless and boxes[loser] == 0:
        margin += margin
    return used, points, margin if winner == 0 else -margin
