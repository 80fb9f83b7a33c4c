"""A slow and obvious scorer of the kinds of game, written from RULES §8, to hold `score_sheet` against.

It reads sheets as JSON and shares nothing with the scorer but the rules' values. Every sum is added again
from the entries each time it is needed; who plays is found by moving people about in a list. Sheets have one
column: those with more, of captains, are held against two-sided gin.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from scoring.core.rules import Rules

Hand = dict[str, Any]
# Who wins how many points and boxes, and what of it is from whom.
Win = tuple[str, int, int, dict[str, int]]


@dataclass
class Made:
    """What a hand makes: wins, that of the hand's winner first, and what is taken off whom."""

    wins: list[Win] = field(default_factory=list)
    off: list[tuple[str, int]] = field(default_factory=list)


@dataclass
class Table:
    """People (seats) in order: who plays, then who waits; and the dealer."""

    order: list[int]
    plays: int
    dealer: int
    turn: int = 0

    @property
    def playing(self) -> list[int]:
        return self.order[: self.plays]

    @property
    def waiting(self) -> list[int]:
        return self.order[self.plays :]


@dataclass
class Sheet:
    """A scored sheet: entries (deal, side, points, boxes, from, is it a win), tables before each deal."""

    rules: Rules
    names: list[str]
    entries: list[tuple[int, str, int, int, dict[str, int], bool]] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    paid: list[tuple[str, str, int]] = field(default_factory=list)
    counted: list[bool] = field(default_factory=list)
    winner: str | None = None
    ended: int | None = None

    def points(self, side: str) -> int:
        return sum(entry[2] for entry in self.entries if entry[1] == side)

    def boxes(self, side: str) -> int:
        return sum(entry[3] for entry in self.entries if entry[1] == side)

    def running(self, side: str) -> int:
        at_once = self.rules.box_credit == "at_once"
        return self.points(side) + (self.boxes(side) * self.box_bonus if at_once else 0)

    def is_shut_out(self, side: str) -> bool:
        return not any(entry[1] == side and entry[5] for entry in self.entries)

    @property
    def has_bonuses(self) -> bool:
        return self.rules.kind != "basic_rummy"

    @property
    def box_bonus(self) -> int:
        return self.rules.box_bonus if self.has_bonuses else 0

    def total(self, side: str) -> int:
        bonus = self.rules.game_bonus if self.has_bonuses and side == self.winner else 0
        return self.points(side) + self.boxes(side) * self.box_bonus + bonus

    def from_pair(self, one: str, other: str) -> int:
        """What one wins from the other."""
        if self.rules.kind == "basic_rummy" and knob(self.rules, "settlement") == "hands":
            won = sum(points for winner, loser, points in self.paid if (winner, loser) == (one, other))
            return won - sum(points for winner, loser, points in self.paid if (winner, loser) == (other, one))
        won = self.total(one) - self.total(other)
        if self.winner not in (one, other) or not self.has_bonuses:
            return won
        loser = other if self.winner == one else one
        assert self.winner is not None
        if self.is_shut_out(loser):
            hands = self.points(self.winner)
            bonus = {
                "none": 0,
                "double_game_bonus": self.rules.game_bonus,
                "double_points": hands,
                "double_total": hands + self.boxes(self.winner) * self.box_bonus + self.rules.game_bonus,
                "flat": self.rules.shutout_amount,
            }[self.rules.shutout]
            won += bonus if self.winner == one else -bonus
        return won * 2 if self.rules.double_if_loser_boxless and self.boxes(loser) == 0 else won

    def net(self, side: str) -> int:
        return sum(self.from_pair(side, other) for other in self.names if other != side)

    def place(self, side: str, *, is_open: bool) -> int:
        by_total = is_open or self.rules.kind == "basic_rummy"
        figure = self.total if by_total else self.net
        return 1 + sum(figure(other) > figure(side) for other in self.names)


def knob(rules: Rules, name: str) -> Any:
    """A knob that only this kind of game has."""
    return getattr(rules.own, name)


def score(rules: Rules, sides: list[dict[str, Any]], deals: list[Any]) -> Sheet:
    """The sheet of these sides and deals, in JSON; deals after the end are kept uncounted."""
    seat_of, side_of = {}, {}
    for number, side in enumerate(sides):
        for player in (side["name"], *(one["player"] for one in side.get("substitutes", []))):
            seat_of[player], side_of[player] = number, side["name"]
    sheet = Sheet(rules, [side["name"] for side in sides])
    table = FIRST[rules.kind](rules, len(sides))
    played = 0
    for number, deal in enumerate(deals, start=1):
        sheet.tables.append(table)
        sheet.counted.append(sheet.ended is None)
        if deal is None:
            continue
        (hand,) = deal["hands"]
        made = MADE[rules.kind](rules, hand)
        if rules.kind == "captains" and made.wins:
            # What the box loses is entered for each of the others.
            winner, points, boxes, _shares = made.wins[0]
            if seat_of[winner] != table.playing[0]:
                others = [n for n in range(len(sides)) if n not in (table.playing[0], seat_of[winner])]
                made.wins += [(sides[other]["name"], points, boxes, {}) for other in others]
        winner_seat = seat_of[made.wins[0][0]] if made.wins else None
        is_dead = not made.wins and not made.off
        if sheet.ended is None:
            played += 1
            for player, points, boxes, shares in made.wins:
                sheet.entries.append((number, side_of[player], points, boxes, shares, True))
                sheet.paid += [(side_of[player], side_of[loser], share) for loser, share in shares.items()]
            for player, points in made.off:
                sheet.entries.append((number, side_of[player], -points, 0, {}, False))
                if rules.kind == "basic_rummy":
                    others_ = [name for name in sheet.names if name != side_of[player]]
                    sheet.paid += [(name, side_of[player], points) for name in others_]
            end(sheet, number, played)
        if not is_dead:
            table = NEXT[rules.kind](rules, table, winner_seat)
    sheet.tables.append(table)
    return sheet


def end(sheet: Sheet, number: int, played: int) -> None:
    """Ends the sheet after this deal, if it is over."""
    rules, names = sheet.rules, sheet.names
    most = max(sheet.running(name) for name in names)
    first = [name for name in names if sheet.running(name) == most]
    if rules.deals is not None:
        if played == rules.deals:
            sheet.ended = number
            sheet.winner = first[0] if len(first) == 1 else None
        return
    if most < rules.target or not any(entry[0] == number for entry in sheet.entries):
        return
    now = {name: sum(e[2] for e in sheet.entries if e[0] == number and e[1] == name) for name in names}
    first = [name for name in first if now[name] == max(now[level] for level in first)]
    won_hand = next(entry[1] for entry in sheet.entries if entry[0] == number)
    if len(first) > 1 and rules.kind == "captains" and won_hand in first:
        first = [won_hand]
    if len(first) == 1:
        sheet.ended, sheet.winner = number, first[0]


# Hands.


def box(rules: Rules, outcome: str, upcard: str | None) -> int:
    extra = getattr(rules.extra_boxes, outcome, 0)
    if not is_doubled(rules, upcard):
        return 1 + extra
    return {"none": 1 + extra, "extra": 1 + 2 * extra, "all": 2 + 2 * extra}[rules.spades_double_boxes]


def is_doubled(rules: Rules, upcard: str | None) -> bool:
    return rules.spades_double and upcard is not None and upcard.endswith("S")


def is_gin(rules: Rules, hand: Hand) -> bool:
    """Whether a knock with nothing is gin."""
    limit = rules.knock_limit
    if rules.oklahoma != "off" and hand.get("upcard"):
        rank = hand["upcard"][0]
        value = 10 if rank in "TJQK" else 1 if rank == "A" else int(rank)
        limit = min(limit, 0 if rank == "A" and rules.oklahoma == "ace_is_gin" else value)
    return hand["knocker_deadwood"] == 0 and (limit == 0 or rules.zero_knock == "gin")


def split(rules: Rules, difference: int) -> tuple[int, int]:
    """An undercut: what is won, and what is taken off the knocker."""
    return {
        "none": (difference + rules.undercut_bonus, 0),
        "bonus": (difference, rules.undercut_bonus),
        "all": (0, difference + rules.undercut_bonus),
    }[rules.undercut_penalty]


def made_by_two(rules: Rules, hand: Hand) -> Made:
    """RULES §4, as kinds have it in which two play."""
    if hand["kind"] == "dead":
        return Made()
    upcard = hand.get("upcard")
    factor = 2 if is_doubled(rules, upcard) else 1
    if hand["kind"] == "points":
        points, mark, off = hand["points"], hand.get("mark"), 0
        if mark in ("undercut", "gin_off"):
            # As written: the winner's, or under `all` what is taken off.
            off = {"none": 0, "bonus": rules.undercut_bonus * factor, "all": points}[rules.undercut_penalty]
            points = 0 if rules.undercut_penalty == "all" else points
        boxes = 1 if mark is None else box(rules, mark, upcard)
        penalties = [(hand["loser"], off)] if off else []
        return Made([(hand["winner"], points, boxes, {})], penalties)
    knocker, defender = hand["knocker"], hand["defender"]
    k, d = hand.get("knocker_deadwood", 0), hand["defender_deadwood"]
    kind = "gin" if hand["kind"] == "knock" and is_gin(rules, hand) else hand["kind"]
    if kind in ("gin", "big_gin"):
        bonus = rules.gin_bonus if kind == "gin" else rules.big_gin_bonus
        assert bonus is not None
        return Made([(knocker, (d + bonus) * factor, box(rules, kind, upcard), {})])
    if d > k:
        return Made([(knocker, (d - k) * factor, box(rules, "knock", upcard), {})])
    if d == k and not rules.undercut_on_tie:
        return Made()
    won, off = split(rules, k - d)
    boxes = box(rules, "undercut" if d else "gin_off", upcard)
    return Made([(defender, won * factor, boxes, {})], [(knocker, off * factor)] if off else [])


def made_in_jersey(rules: Rules, hand: Hand) -> Made:
    """The outcomes of Jersey: who wins, from whom, counted player by player."""
    if hand["kind"] == "dead":
        return Made()
    upcard = hand.get("upcard")
    factor = 2 if is_doubled(rules, upcard) else 1
    if hand["kind"] == "points":
        return points_in_jersey(rules, hand)
    knocker, others = hand["knocker"], hand["others"]
    kind = "gin" if hand["kind"] == "knock" and is_gin(rules, hand) else hand["kind"]
    if kind in ("gin", "big_gin"):
        bonus = rules.gin_bonus if kind == "gin" else rules.big_gin_bonus
        assert bonus is not None
        shares = {player: count + bonus for player, count in others.items()}
        if knob(rules, "bonus") == "once":
            shares[list(others)[1]] -= bonus
        return Made([win(knocker, shares, factor, box(rules, kind, upcard))])
    k = hand["knocker_deadwood"]
    counts = {knocker: k, **others}
    undercut = [p for p, c in others.items() if c < k or (c == k and rules.undercut_on_tie)]
    if not undercut:
        if set(others.values()) == {k}:
            return Made()
        shares = less(rules, knocker, counts, list(others))
        return Made([win(knocker, shares, factor, box(rules, "knock", upcard))])
    if knob(rules, "undercut") == "lowest":
        least = min(others[player] for player in undercut)
        winners = {p: [knocker] for p in undercut if others[p] == least}
        if len(winners) == 1:
            winners = {player: [p for p in counts if p != player] for player in winners}
    else:
        winners = {player: [knocker] for player in undercut}
        if above := [player for player in others if others[player] > k]:
            winners[knocker] = above
    made, off = [], []
    for winner, losers in winners.items():
        shares = less(rules, winner, counts, losers)
        if winner != knocker:
            shares[knocker], taken = split(rules, shares[knocker])
            off.append(taken * factor)
        how = "knock" if winner == knocker else "undercut" if counts[winner] else "gin_off"
        made.append(win(winner, shares, factor, box(rules, how, upcard)))
    penalty = sum(off) if knob(rules, "undercut") == "each" else off[0]
    return Made(made, [(knocker, penalty)] if penalty else [])


def win(winner: str, shares: dict[str, int], factor: int, boxes: int) -> Win:
    doubled = {player: points * factor for player, points in shares.items()}
    return winner, sum(doubled.values()), boxes, doubled


def less(rules: Rules, winner: str, counts: dict[str, int], losers: list[str]) -> dict[str, int]:
    """What losers have less the winner's own count: each, or only the first of them from his left.

    `counts` goes round the table.
    """
    round_ = list(counts)
    at = round_.index(winner)
    in_order = [player for player in round_[at:] + round_[:at] if player in losers]
    shares = {player: counts[player] - counts[winner] for player in in_order}
    if knob(rules, "count") == "sum":
        shares |= {player: counts[player] for player in in_order[1:]}
    return shares


def points_in_jersey(rules: Rules, hand: Hand) -> Made:
    gains = hand.get("gains") or [{"winner": hand["winner"], "from": hand["from"]}]
    mark = hand.get("mark")
    made = []
    for gain in gains:
        # Of two winners one whom the other has beaten knocked, and beat the third.
        is_knocker = any(gain["winner"] in other["from"] for other in gains)
        how = "knock" if is_knocker and mark else mark
        boxes = 1 if how is None else box(rules, how, hand.get("upcard"))
        made.append((gain["winner"], sum(gain["from"].values()), boxes, dict(gain["from"])))
    return Made(made, [(player, points) for player, points in hand.get("penalties", {}).items() if points])


def made_in_rummy(rules: Rules, hand: Hand) -> Made:
    if hand["kind"] == "dead":
        return Made()
    left = hand["left"]
    if hand["kind"] == "out":
        doubles = hand.get("rummy", False) and knob(rules, "going_rummy_doubles")
        return Made([win(hand["winner"], left, 2 if doubles else 1, 0)])
    blocked = knob(rules, "blocked")
    if blocked == "all_lose":
        return Made([], [(player, count) for player, count in left.items() if count])
    least = min(left.values())
    lowest = [player for player, count in left.items() if count == least]
    if blocked == "dead" or len(lowest) > 1:
        return Made()
    (winner,) = lowest
    players = list(left)
    at = players.index(winner)
    others = players[at + 1 :] + players[:at]
    shares = {player: left[player] for player in others}
    if blocked == "lowest_each":
        shares = {player: count - least for player, count in shares.items()}
    elif blocked == "lowest_once":
        shares[others[0]] -= least
    return Made([win(winner, shares, 1, 0)])


# Who plays, waits and deals.


def first_in_cutthroat(rules: Rules, seats: int) -> Table:
    return Table([*range(seats)], 2, seats - 1 if knob(rules, "sitter_deals") else 1)


def next_in_cutthroat(rules: Rules, table: Table, winner: int | None) -> Table:
    if knob(rules, "sits_out") == "in_turn":
        schedule = {3: ["ab", "bc", "ca"], 4: ["ab", "cd", "ac", "bd", "ad", "bc"]}[len(table.order)]
        turn = (table.turn + 1) % len(schedule)
        playing = ["abcd".index(letter) for letter in schedule[turn]]
        order = [*playing, *sorted(seat for seat in table.order if seat not in playing)]
    else:
        assert winner is not None
        turn = 0
        (loser,) = [seat for seat in table.playing if seat != winner]
        queue = [*table.waiting, loser]
        order = [winner, *queue]
    went = [seat for seat in sorted(table.playing) if seat not in order[:2]]
    came = [seat for seat in order[:2] if seat not in table.playing]
    return Table(order, 2, went[0] if knob(rules, "sitter_deals") else came[-1], turn)


def first_in_captains(rules: Rules, seats: int) -> Table:
    deals = knob(rules, "box_deals") or rules.first_dealer == "high"
    return Table([*range(seats)], 2, 0 if deals else 1)


def next_in_captains(rules: Rules, table: Table, winner: int | None) -> Table:
    box_seat, captain, *line = table.order
    loser = captain if winner == box_seat else box_seat
    if winner == box_seat:
        order = [box_seat, *line, captain]
    elif knob(rules, "box_held") == "hand":
        order = [captain, *line, box_seat]
    else:
        order = table.order
    if knob(rules, "box_deals"):
        return Table(order, 2, order[0])
    assert winner is not None
    deals = {"loser": loser, "winner": winner}.get(
        rules.next_dealer, loser if table.dealer == winner else winner
    )
    if deals not in order[:2]:
        (deals,) = [seat for seat in order[:2] if seat not in table.playing]
    return Table(order, 2, deals)


def first_of_all(rules: Rules, seats: int) -> Table:
    return Table([*range(seats)], seats, 0)


def next_of_all(rules: Rules, table: Table, winner: int | None) -> Table:
    if rules.kind == "basic_rummy" and len(table.order) == 2 and winner is not None:
        wants = {"winner": winner, "loser": 1 - winner}.get(rules.next_dealer, 1 - table.dealer)
        return Table(table.order, 2, wants)
    return Table(table.order, table.plays, (table.dealer + 1) % len(table.order))


MADE: dict[str, Callable[[Rules, Hand], Made]] = {
    "cutthroat": made_by_two,
    "captains": made_by_two,
    "jersey": made_in_jersey,
    "basic_rummy": made_in_rummy,
}
FIRST: dict[str, Callable[[Rules, int], Table]] = {
    "cutthroat": first_in_cutthroat,
    "captains": first_in_captains,
    "jersey": first_of_all,
    "basic_rummy": first_of_all,
}
NEXT: dict[str, Callable[[Rules, Table, int | None], Table]] = {
    "cutthroat": next_in_cutthroat,
    "captains": next_in_captains,
    "jersey": next_of_all,
    "basic_rummy": next_of_all,
}
