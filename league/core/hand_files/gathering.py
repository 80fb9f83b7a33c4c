"""Rows gathered into sheets, each with its sides and deals, checked as far as the file alone allows.

Players and sides have the names that the file gives; `planning` finds out who they are. A team without a name
is called by its cell, such as `Ann+Cid`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, zip_longest
from typing import Any, Final

from league.core.hand_files.cells import joined
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import (
    AT_ONCE,
    BYE,
    LINE,
    NO_HANDS,
    OF_SHEET,
    SIDES,
    STOPPED,
    SUBSTITUTE,
    TEAMS,
    VOID,
    HandRow,
    ReadRows,
)
from league.core.hand_files.seats import FileSeating, last_deal, seats_of
from scoring.core.errors import ScoringError, shown
from scoring.core.kinds import kind_of
from scoring.core.messages import mark, mark_plural, together
from scoring.core.rules import PRESETS, Rules
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import VOID as VOID_DEAL
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.shapes import LONGEST_NAME
from scoring.documents.sheets import DealReader
from scoring.documents.sides import read_sides

# Fields of a hand whose column in the file has another name.
_COLUMN_OF: Final = {
    "loser": "defender",
    "hands": "deal",
    "boxes": "mark",
    "others": "defender_deadwood",
    "left": "defender_deadwood",
    "rummy": "mark",
    "from": "points",
    "gains": "points",
}
_MOST_WINNERS: Final = 2


@dataclass(frozen=True, slots=True)
class FileDeal:
    """A deal and the numbers of the rows its hands are in."""

    deal: Deal
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FileSheet:
    """Everything a file says about one sheet.

    `round` is None on a sheet outside events, which is played by the house rules that `rules` names, if it
    does. `teams` are the names of the first two sides, empty where the file gives none. `row` is the first
    row, `stopped_row` the row that says time was called, `bye` the one that says that the second side is a
    bot in place of a bye. `sides` are who really sat there; `entered` are by
    side those for whom the sheet is, whom `seatings` from deal 1 on replaced in the same order. The other
    seatings, by deal, are the substitutes of the sides.
    """

    label: str
    row: int
    game: str
    rules: str
    round: int | None
    table: int | None
    date: date | None
    sides: tuple[SheetSide, ...]
    entered: tuple[tuple[str, ...], ...]
    teams: tuple[str, str]
    deals: Mapping[int, FileDeal]
    seatings: tuple[FileSeating, ...]
    stopped_row: int | None
    bye: HandRow | None

    @property
    def players(self) -> tuple[str, ...]:
        """All players on the sheet, those of a side before its substitutes."""
        return tuple([player for side in self.sides for player in side.everyone])

    @property
    def numbered(self) -> tuple[str, ...]:
        """What a bot is called in its further seats, where it plays a team in place of a bye."""
        return () if self.bye is None else self.entered[1][1:]

    @property
    def substitutes(self) -> tuple[FileSeating, ...]:
        """Those who took over a seat from another deal on than the first."""
        return tuple([seating for seating in self.seatings if seating.substitute.from_deal > 1])

    @property
    def last_deal(self) -> int:
        """The number of the last deal in the file; 0 without any."""
        return max(self.deals, default=0)


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A whole file: the sheets of one event, or without a name some outside events, as they first appear."""

    name: str
    row: int
    hands: int
    sheets: tuple[FileSheet, ...]


def gather(reading: ReadRows, problems: Problems) -> FileEvent | None:
    """Gather rows into sheets; None where there are no rows. Contradictions are added to `problems`.

    Sheets with unreadable rows are left out: checking them would report misleading problems.
    """
    rows = reading.rows
    if not rows:
        return None
    first = rows[0]
    by_label: dict[str, list[HandRow]] = {}
    for row in rows:
        if row.event != first.event:
            problems.add(
                row.number,
                "event",
                mark(
                    "This row is of “%(event)s” and row %(row)s of “%(other)s”; a file holds one event.",
                    event=shown(row.event),
                    row=first.number,
                    other=shown(first.event),
                ),
            )
        elif row.sheet not in reading.broken:
            by_label.setdefault(row.sheet, []).append(row)
    sheets = [sheet for found in by_label.values() if (sheet := _sheet(found, problems)) is not None]
    hands = sum(row.kind not in NO_HANDS for row in rows)
    return FileEvent(first.event, first.number, hands, tuple(sheets))


def _sheet(rows: list[HandRow], problems: Problems) -> FileSheet | None:
    first = rows[0]
    # No short-circuit: every row is checked, so that all problems are listed at once.
    if sum(not _same_sheet(first, row, problems) for row in rows):
        return None
    sides = _sides(first, problems)
    if sides is None:
        return None
    entered = tuple([side.players for side in sides])
    seated = seats_of(rows, sides, problems)
    if seated is None:
        return None
    sides, seatings = seated
    deals = _deals(rows, sides, usual_rules(first.game, len(first.sides)), problems)
    return FileSheet(
        first.sheet,
        first.number,
        first.game,
        first.rules,
        first.round,
        first.table,
        first.date,
        sides,
        entered,
        first.teams,
        deals,
        seatings,
        _stopped_row(rows, problems),
        _bye_row(rows, problems),
    )


def _same_sheet(first: HandRow, row: HandRow, problems: Problems) -> bool:
    """Check that two rows can belong to one sheet."""
    same = True
    for column, one, other in (
        ("game", first.game, row.game),
        ("rules", first.rules, row.rules),
        ("round", first.round, row.round),
        ("table", first.table, row.table),
        ("date", first.date, row.date),
        *(
            (column, joined(one), joined(other))
            for column, (one, other) in zip(
                SIDES, zip_longest(first.sides, row.sides, fillvalue=()), strict=False
            )
        ),
        *zip(TEAMS, first.teams, row.teams, strict=True),
    ):
        if one != other:
            same = False
            problems.add(
                row.number,
                column,
                mark(
                    "Sheet %(sheet)s has “%(value)s” here and “%(other)s” in row %(row)s; one sheet "
                    "has one %(column)s.",
                    sheet=shown(row.sheet),
                    value=shown(str(other or "")),
                    other=shown(str(one or "")),
                    row=first.number,
                    column=column,
                ),
            )
    return same


def rules_of_game(game: str, **knobs: Any) -> Rules:
    """The preset of a game."""
    return Rules.preset(game if game in PRESETS else "standard", **knobs)


def usual_rules(game: str, sides: int) -> Rules:
    """The preset of a game as so many sides play it; a hand is read alike under others of the game."""
    if game == "captains" and sides > 2:
        return rules_of_game(game, captains={"box_held": "hand"})
    return rules_of_game(game)


def _sides(row: HandRow, problems: Problems) -> tuple[SheetSide, ...] | None:
    documents = []
    for number, (column, players) in enumerate(zip(SIDES, row.sides, strict=False)):
        team = row.teams[number] if number < len(TEAMS) else ""
        if team and len(players) == 1:
            problems.add(
                row.number, TEAMS[number], mark("Only a team has a name of its own; leave this empty.")
            )
            return None
        if not team and len(joined(players)) > LONGEST_NAME and len(players) > 1:
            problems.add(
                row.number,
                column,
                mark(
                    "Together these names have more than %(most)s characters; name the teams in "
                    "team_a and team_b.",
                    most=LONGEST_NAME,
                ),
            )
            return None
        name = players[0] if len(players) == 1 else team or joined(players)
        documents.append({"name": name, "players": list(players)})
    try:
        return read_sides(documents, usual_rules(row.game, len(row.sides)))
    except ScoringError as error:
        problems.add(row.number, _column_of_side(error), error.message)
        return None


def _column_of_side(error: ScoringError) -> str:
    """The column of the side that a refusal is about: the last of two who do not fit each other."""
    field = error.field or ""
    if error.code == "wrong_sides":
        return SIDES[0]
    for number, column in enumerate(SIDES):
        if field.startswith(f"sides[{number}]"):
            return column
    return SIDES[1]


def _deals(
    rows: list[HandRow], sides: tuple[SheetSide, ...], rules: Rules, problems: Problems
) -> dict[int, FileDeal]:
    reader = DealReader(sides, rules)
    size = kind_of(rules).hands_in(sides)
    numbered = sorted(
        ((row.deal or 0, row) for row in rows if row.kind not in (*OF_SHEET, SUBSTITUTE)),
        key=lambda pair: pair[0],
    )
    deals = {}
    expected = None
    for number, group in groupby(numbered, key=lambda pair: pair[0]):
        hands = [row for _, row in group]
        if expected is not None and number != expected:
            gap = mark_plural(
                "Sheet %(sheet)s goes from deal %(before)s to deal %(number)s; %(first)s is missing. "
                "A dead hand takes a row of kind dead.",
                "Sheet %(sheet)s goes from deal %(before)s to deal %(number)s; %(first)s to %(last)s are "
                "missing. A dead hand takes a row of kind dead.",
                number - expected,
                sheet=shown(hands[0].sheet),
                before=expected - 1,
                number=number,
                first=expected,
                last=number - 1,
            )
            problems.add(hands[0].number, "deal", gap)
        expected = number + 1
        deal = _deal(number, hands, sides, size, reader, problems)
        if deal is not None:
            deals[number] = FileDeal(deal, tuple(row.number for row in hands))
    return deals


def _deal(
    number: int,
    rows: list[HandRow],
    sides: tuple[SheetSide, ...],
    size: int,
    reader: DealReader,
    problems: Problems,
) -> Deal | None:
    """The deal in these rows, each with a hand; where all play at once two rows have the gains of one."""
    first = rows[0]
    is_shared = first.game in AT_ONCE and first.kind == "points"
    most = 1 if first.kind in (VOID, LINE) else _MOST_WINNERS if is_shared else size
    if len(rows) > most:
        problems.add(
            rows[most].number,
            "deal",
            mark_plural(
                "Deal %(number)s of sheet %(sheet)s stands already in row %(row)s; it has one hand.",
                "Deal %(number)s of sheet %(sheet)s stands already in row %(row)s; it has %(count)s hands.",
                most,
                number=number,
                sheet=shown(first.sheet),
                row=first.number,
            ),
        )
        return None
    for row in rows[1:]:
        if row.kind in (VOID, LINE) or (is_shared and row.kind != first.kind):
            problems.add(row.number, "kind", mark("A %(kind)s is the only row of its deal.", kind=row.kind))
            return None
    if first.kind == VOID:
        return VOID_DEAL
    if first.kind == LINE:
        document: dict[str, Any] = {"line": _line(first, sides)}
    elif first.game in AT_ONCE:
        hand = _hand_at_once(rows, players_by_seat(sides, number), problems)
        if hand is None:
            return None
        document = {"hands": [hand]}
    elif len(rows) < size:
        problems.add(
            rows[-1].number,
            "deal",
            mark_plural(
                "Deal %(number)s of sheet %(sheet)s has one hand; a deal of these teams has "
                "%(size)s hands, one a row.",
                "Deal %(number)s of sheet %(sheet)s has %(count)s hands; a deal of these teams has "
                "%(size)s hands, one a row.",
                len(rows),
                number=number,
                sheet=shown(first.sheet),
                size=size,
            ),
        )
        return None
    else:
        document = {"hands": [_hand(row) for row in rows]}
    try:
        return reader.read(document, number)
    except ScoringError as error:
        say_scoring_error(error, [row.number for row in rows], problems)
        return None


def _hand_at_once(
    rows: Sequence[HandRow], players: Sequence[str], problems: Problems
) -> dict[str, Any] | None:
    """Return a hand of these at one table as JSON, of two winners from two rows; None with a problem."""
    first = rows[0]
    hand: dict[str, Any] = {"kind": first.kind, "upcard": first.upcard, "mark": first.mark}
    if first.knocker:
        hand["knocker"] = first.knocker
    if first.knocker_deadwood is not None:
        hand["knocker_deadwood"] = first.knocker_deadwood
    if first.kind == "points":
        gains = []
        for row in rows:
            losers = [row.defender] if row.defender else _after(row.winner, players)
            shares = _by_player(row, "points", row.points, losers, problems)
            if shares is None:
                return None
            gains.append({"winner": row.winner, "from": shares})
        hand |= gains[0] if len(gains) == 1 else {"gains": gains}
        if first.penalties:
            taken = _by_player(first, "penalties", first.penalties, players, problems)
            if taken is None:
                return None
            hand["penalties"] = {player: points for player, points in taken.items() if points}
    elif first.defender_deadwood:
        field = "left" if first.game == "basic_rummy" else "others"
        others = _after(first.knocker or first.winner, players) if first.kind != "blocked" else players
        hand[field] = _by_player(first, "defender_deadwood", first.defender_deadwood, others, problems)
        if hand[field] is None:
            return None
    if first.kind == "out":
        hand["winner"], hand["rummy"] = first.winner, bool(hand.pop("mark"))
    return {name: value for name, value in hand.items() if value not in ("", {})}


def _after(player: str, players: Sequence[str]) -> Sequence[str]:
    """Return the others in order of seats, the next one first; whoever does not play is refused later."""
    if player not in players:
        return players[1:]
    seat = players.index(player)
    return [*players[seat + 1 :], *players[:seat]]


def _by_player(
    row: HandRow, column: str, figures: Sequence[int], players: Sequence[str], problems: Problems
) -> dict[str, int] | None:
    """Return the figures by player; None, and a problem, if they are more or fewer."""
    if len(figures) == len(players):
        return dict(zip(players, figures, strict=True))
    message = mark_plural(
        "Here is the figure of %(names)s, one and not %(figures)s.",
        "Here are the figures of %(names)s, %(count)s and not %(figures)s.",
        len(players),
        names=", ".join(players),
        figures=len(figures),
    )
    problems.add(row.number, column, message)
    return None


def _line(row: HandRow, sides: tuple[SheetSide, ...]) -> dict[str, Any]:
    """Return a team's line as JSON. `winner` may be the team's name or its players in any order."""
    winner = row.winner
    for side in sides:
        if sorted(row.winner.split("+")) == sorted(joined(side.players).split("+")):
            winner = side.name
    line: dict[str, Any] = {"winner": winner, "points": _only(row.points)}
    if row.mark:
        line["boxes"] = int(row.mark)
    return line


def _hand(row: HandRow) -> dict[str, Any]:
    """Return a hand as JSON (INTERFACES §2), without its empty cells."""
    fields: dict[str, Any] = {
        "kind": row.kind,
        "knocker": row.knocker,
        "defender": row.defender,
        "knocker_deadwood": row.knocker_deadwood,
        "defender_deadwood": _only(row.defender_deadwood),
        "winner": row.winner,
        "points": _only(row.points),
        "upcard": row.upcard,
        "mark": row.mark,
    }
    if row.kind == "points":
        fields["loser"] = fields.pop("defender")
    return {name: value for name, value in fields.items() if value not in ("", None)}


def _only(figures: Sequence[int]) -> int | None:
    """Return the one figure of a cell, None if it is empty."""
    return figures[0] if figures else None


def _stopped_row(rows: list[HandRow], problems: Problems) -> int | None:
    stops = [row for row in rows if row.kind == STOPPED]
    if not stops:
        return None
    last, stop = last_deal(rows), stops[0]
    if len(stops) > 1:
        problems.add(
            stops[1].number,
            "kind",
            mark(
                "Sheet %(sheet)s was stopped in row %(number)s already.",
                sheet=shown(stop.sheet),
                number=stop.number,
            ),
        )
    if stop.deal is not None and last and stop.deal not in (last, last + 1):
        problems.add(
            stop.number,
            "deal",
            mark("A sheet is stopped after its last deal, which is %(last)s; leave this empty.", last=last),
        )
    return stop.number


def _bye_row(rows: list[HandRow], problems: Problems) -> HandRow | None:
    byes = [row for row in rows if row.kind == BYE]
    if len(byes) > 1:
        said = mark(
            "Row %(number)s says already that sheet %(sheet)s is played in a bye.",
            sheet=shown(byes[0].sheet),
            number=byes[0].number,
        )
        problems.add(byes[1].number, "kind", said)
    if byes and not byes[0].event:
        problems.add(byes[0].number, "kind", mark("There are byes only in events."))
    if byes and byes[0].deal is not None:
        problems.add(byes[0].number, "deal", mark("The whole sheet is played in a bye; leave this empty."))
    return byes[0] if byes else None


def say_scoring_error(error: ScoringError, rows: Sequence[int], problems: Problems) -> None:
    """Add a refusal by the scorer at the row and column it is about, and of several figures the player."""
    field, _dot, player = (error.field or "kind").removeprefix("rules.").partition(".")
    row = rows[(error.hand or 1) - 1] if len(rows) >= (error.hand or 1) else rows[0]
    message = together([shown(player), error.message], ": ") if player else error.message
    problems.add(row, _COLUMN_OF.get(field, field), message)
