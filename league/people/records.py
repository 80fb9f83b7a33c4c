"""Players' matches and totals."""

import csv
import datetime
import io
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q

from league.core.collation import name_key
from league.core.hand_files.cells import guarded
from league.core.pictures.hand_bars import BarRow, HandBars, hand_bars
from league.models import (
    DETAIL_NAMES,
    DETAILS,
    PLAYED,
    SAT_OUT,
    SEATED,
    UNFINISHED,
    Appearance,
    Club,
    Entry,
    EventState,
    Match,
    MatchState,
    Player,
    Rest,
    Round,
    RoundState,
    Standing,
    with_sitting_in,
)
from league.policy.naming import AS_WRITTEN, Names
from league.policy.withholding import released, without_results
from league.tables.results import points_against_bot
from league.tables.round_summaries import byes, published
from scoring.services.records import seat_figures

_TOLD = ("won", "gins", "knocks", "undercuts", "points")
_COUNTED = ("hands", "won", "gins", "undercuts", "points")


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match from one player's view. `verdict` is won, drawn, lost, or "" without a result.

    `figures` are the sheet's for the player's seat, `net` is the player's share or the side's. `bye_points`
    are the points for a round sat out, `partner` the other entry of the side where partners rotate.
    """

    match: Match
    side: int
    figures: Mapping[str, int]
    opponent: tuple[Entry, ...]
    verdict: str
    net: int
    columns: tuple[int, int]
    bye_points: Decimal | None = None
    partner: Entry | None = None

    @property
    def place(self) -> int | None:
        """The place at a table of many that has ended."""
        return self.match.at_table[self.side][0] if self.match.at_table else None


@dataclass(frozen=True, slots=True)
class PlayerTotals:
    """The totals of a player's decided matches; `hands` and below only from sheets with hands.

    `with_sheets` are the matches that net and columns are of.
    """

    played: int
    won: int
    drawn: int
    lost: int
    net: int
    columns: tuple[int, int]
    hands: int
    hands_won: int
    gins: int
    undercuts: int
    points: int
    with_sheets: int

    @property
    def points_a_hand(self) -> float | None:
        """The average points of a won hand."""
        return self.points / self.hands_won if self.hands_won else None


@dataclass(frozen=True, slots=True)
class HandCounts:
    """Hands that one of two players has won, by how; `others` are points typed without a mark."""

    gins: int
    knocks: int
    undercuts: int
    others: int
    points: int

    @property
    def hands(self) -> int:
        """All of them."""
        return self.gins + self.knocks + self.undercuts + self.others


@dataclass(frozen=True, slots=True)
class HandsMet:
    """The hands of a player's decided matches of one against one, without those in which somebody took over.

    `rows` are what was lost and won by kind: `gins`, `knocks`, `undercuts`, `others` if there are any, and
    `points`. `bars` draws them.
    """

    matches: int
    won: HandCounts
    lost: HandCounts
    rows: Sequence[tuple[str, BarRow]]
    bars: HandBars


def players_of(club: Club, names: Names) -> Sequence[Player]:
    """The club's players by name, with `match_count`, `win_count` and `last_played`, in one query."""
    # Of the club's own rounds: joined with all rounds and events, the query would read those of all clubs.
    hidden = Round.objects.filter(event__club=club, event__holds_results=True, released_at=None)
    counted = Q(appearances__match__held=False) & ~Q(appearances__round__in=hidden.order_by().values("pk"))
    counted &= ~Q(appearances__match__state__in=[*UNFINISHED, *SAT_OUT])
    players = Player.objects.filter(club=club, merged_into=None).annotate(
        match_count=Count("appearances", filter=counted),
        win_count=Count(
            "appearances", filter=counted & Q(appearances__match__winner_side=F("appearances__side"))
        ),
        last_played=Max("appearances__round__date", filter=counted),
    )
    return sorted(players.order_by(), key=lambda player: name_key(names.player(player)))


def details_of(player: Player, *, directs: bool) -> list[tuple[str, Any]]:
    """Titles and values of the player's details: all of them if the reader `directs`, else public ones."""
    told = [(detail.title, detail.of(player)) for detail in DETAILS if directs or detail.is_public]
    return [(title, value) for title, value in told if value is not None]


def players_file(club: Club) -> str:
    """The club's players as CSV for its directors: full names, all details, and totals."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("code", "name", *DETAIL_NAMES, "matches", "won", "last_played"))
    for player in players_of(club, AS_WRITTEN):
        cells = [player.code, player.name, *(detail.of(player) for detail in DETAILS)]
        cells += [getattr(player, name) for name in ("match_count", "win_count", "last_played")]
        writer.writerow(["" if cell is None else guarded(str(cell)) for cell in cells])
    return file.getvalue()


def standings_of(player: Player) -> Sequence[Standing]:
    """The player's rows in all events' tables, each with `entry_count`, newest event first."""
    return list(
        Standing.objects.filter(entry__members__player=player)
        .exclude(event__state=EventState.DRAFT)
        .select_related("event", "event__season", "entry")
        .annotate(entry_count=Count("event__entries"))
        .order_by("-event__created_at", "-event__id")
    )


def matches_of(player: Player, *, withheld_too: bool = False) -> Sequence[PlayedMatch]:
    """All matches and byes of the player, newest first, in two queries.

    Withheld results are stripped unless `withheld_too`.
    """
    appearances = (
        Appearance.objects.filter(player=player)
        .exclude(round__state=RoundState.DRAFTED)
        .select_related(
            "match__event", "match__round", "match__sheet", *(f"match__{name}" for name in SEATED)
        )
        .defer("match__sheet__paper")
    )
    if not withheld_too:
        for appearance in appearances:
            without_results([appearance.match], appearance.match.event)
    drawn = [_played_match(appearance) for appearance in appearances]
    drawn = [played for played in drawn if played.match.state not in SAT_OUT]
    drawn += [
        PlayedMatch(bye, 0, {}, (), "", 0, (0, 0), _bye_points(bye) if counts else None)
        for bye, counts in byes(Q(entry_a__members__player=player) & published(), states=SAT_OUT)
    ]
    return _in_order(drawn)


def meetings_of(player: Player, other: Player) -> Sequence[PlayedMatch]:
    """The player's counted matches against another, newest first, in one query.

    Those of two sides, with a result that is held back from nobody; not those of annulled entries, not those
    in which they were partners, and none in which a bot sat in for somebody.
    """
    against = Appearance.objects.filter(match=OuterRef("match"), player=other).exclude(side=OuterRef("side"))
    appearances = (
        Appearance.objects.filter(
            Exists(against),
            ~with_sitting_in("match"),
            released("match__"),
            player=player,
            match__held=False,
            match__annulled=False,
            match__entry_c=None,
        )
        .exclude(match__state__in=[*UNFINISHED, *SAT_OUT])
        .exclude(match__event__state=EventState.DRAFT)
        .select_related(
            "match__event", "match__round", "match__sheet", *(f"match__{name}" for name in SEATED)
        )
        .defer("match__sheet__paper")
    )
    return _in_order(_played_match(appearance) for appearance in appearances)


def record_of(matches: Iterable[PlayedMatch]) -> PlayerTotals:
    """The totals of these matches; matches without a verdict add nothing."""
    verdicts: Counter[str] = Counter()
    sums: Counter[str] = Counter()
    for played in matches:
        if not played.verdict:
            continue
        verdicts[played.verdict] += 1
        match = played.match
        if match.state not in PLAYED:
            continue
        sums["with_sheets"] += 1
        sums["net"] += played.net
        sums["columns"] += played.columns[0]
        sums["columns_lost"] += played.columns[1]
        sums.update({name: played.figures.get(name, 0) for name in _COUNTED})
    return PlayerTotals(
        verdicts.total(),
        verdicts["won"],
        verdicts["drawn"],
        verdicts["lost"],
        sums["net"],
        (sums["columns"], sums["columns_lost"]),
        sums["hands"],
        sums["won"],
        sums["gins"],
        sums["undercuts"],
        sums["points"],
        sums["with_sheets"],
    )


def hands_met(matches: Iterable[PlayedMatch]) -> HandsMet | None:
    """How the hands of these matches ended; None if there are none of one against one."""
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    count = 0
    for played in matches:
        match = played.match
        if not played.verdict or match.state not in PLAYED or match.sheet is None:
            continue
        if match.event.team_size > 1 or match.is_table or "order" in match.sheet.derived:
            continue
        count += 1
        won.update({name: played.figures.get(name, 0) for name in _TOLD})
        others = seat_figures(match.sheet, 1 - played.side, 0, size=1)
        lost.update({name: others.get(name, 0) for name in _TOLD})
    own, other = _hand_counts(won), _hand_counts(lost)
    if not own.hands + other.hands:
        return None
    pairs = {
        "gins": (other.gins, own.gins),
        "knocks": (other.knocks, own.knocks),
        "undercuts": (other.undercuts, own.undercuts),
    }
    if own.others + other.others:
        pairs["others"] = (other.others, own.others)
    bars = hand_bars([list(pairs.values()), [(other.points, own.points)]], width=340)
    return HandsMet(count, own, other, list(zip([*pairs, "points"], bars.rows, strict=True)), bars)


def _hand_counts(sums: Mapping[str, int]) -> HandCounts:
    others = sums["won"] - sums["gins"] - sums["knocks"] - sums["undercuts"]
    return HandCounts(sums["gins"], sums["knocks"], sums["undercuts"], others, sums["points"])


def _in_order(drawn: Iterable[PlayedMatch]) -> list[PlayedMatch]:
    """Newest first; rounds without a date are of the day on which the event's last sheet was opened."""
    drawn = list(drawn)
    days: dict[int, datetime.date] = {}
    for match in (played.match for played in drawn):
        opened = match.event.created_at if match.sheet is None else match.sheet.opened_at
        days[match.event_id] = max(opened.date(), days.get(match.event_id, opened.date()))

    def key(played: PlayedMatch) -> tuple[datetime.date, int, int]:
        round_ = played.match.round
        return round_.date or days[round_.event_id], round_.event_id, round_.number

    return sorted(drawn, key=key, reverse=True)


def _bye_points(match: Match) -> Decimal | None:
    """The points for a round sat out; None where a bot is still to be played for them."""
    event = match.event
    if match.rest == Rest.PLAYED:
        points = points_against_bot(match)
        return None if points is None else Decimal(points)
    if match.given_points is not None:
        return match.given_points
    return event.absent_points if match.state == MatchState.ABSENT else event.bye_points


def _played_match(appearance: Appearance) -> PlayedMatch:
    match, side = appearance.match, appearance.side
    columns = (match.columns_a, match.columns_b)
    verdict = ""
    if match.has_result and match.state not in SAT_OUT:
        verdict = match.verdict_of(side)
    figures: Mapping[str, int] = {}
    if match.sheet is not None:
        figures = seat_figures(match.sheet, side, appearance.position, size=match.event.team_size)
    return PlayedMatch(
        match,
        side,
        figures,
        match.against(side),
        verdict,
        figures.get("net", match.net_of(side)),
        (0, 0) if match.is_table else (columns[side], columns[1 - side]),
        partner=_partner(appearance),
    )


def _partner(appearance: Appearance) -> Entry | None:
    """The other entry of the player's side, where partners rotate."""
    pair = appearance.match.side(appearance.side)
    return next((entry for entry in pair if len(pair) > 1 and entry.pk != appearance.entry_id), None)
