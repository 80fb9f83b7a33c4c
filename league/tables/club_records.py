"""A club's records: the best that was ever done in one of its counted matches.

They are found in what is derived when a sheet ends (`scoring.services.feats`, `Match`); deals are not read.
Counted are matches that were played to an end, that nothing holds back, and whose results are public; not
those of annulled entries. Matches with a bot make no record, and guests hold none.
"""

import datetime
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, Sum

from league.models import (
    PLAYED,
    SAT_OUT,
    SEATED,
    Appearance,
    Club,
    Entry,
    Event,
    EventState,
    Match,
    Player,
    Round,
)
from league.policy.withholding import released
from league.tables.season_tables import DECIDED
from scoring.core.hands import Outcome
from scoring.models import Seat, Side

# Who is level shares a record; so many are named.
MOST_SHARED: Final = 6
# With fewer matches a season without a defeat is no record.
FEWEST_PERFECT: Final = 5
MOST_PERFECT: Final = 10
# A streak begins with the second win.
FEWEST_STREAK: Final = 2

# In the basic game a hand may be worth several of gin.
_OF_RUMMY: Final = (Outcome.OUT, Outcome.RUMMY, Outcome.BLOCKED)
_IN_ORDER: Final = ("sheet__match__round__date", "sheet__match")
_IDS: Final = tuple(f"{name}_id" for name in SEATED)


@dataclass(frozen=True, slots=True)
class RecordHolder:
    """One who holds a record: `figure` is what was done, by a player or by a side (`entries`).

    `match` is where, of several the last one, and `side` the holder's there. Of a hand `how` is its `Outcome`
    and `number` its deal; of a come-back `number` is the game, and `had` what the side had when it was
    furthest behind. `first` is the match with which a streak began, `goes_on` is set while it has not ended.
    """

    figure: int
    match: Match
    side: int
    player: Player | None = None
    how: str = ""
    number: int = 0
    had: int = 0
    first: Match | None = None
    goes_on: bool = False

    @property
    def day(self) -> datetime.date | None:
        """The day of the match; None if its round has none."""
        return self.match.day

    @property
    def first_day(self) -> datetime.date | None:
        """The day of the first match of a streak."""
        return None if self.first is None else self.first.day

    @property
    def entries(self) -> Sequence[Entry]:
        """Who holds it, as entered."""
        return self.match.side(self.side)

    @property
    def others(self) -> Sequence[Entry]:
        """Against whom it was."""
        return self.match.against(self.side)

    @property
    def leader_had(self) -> int:
        """What who led had then."""
        return self.had + self.figure


@dataclass(frozen=True, slots=True)
class ClubRecord:
    """The holders of a record, oldest first; `has_more` if others share it."""

    held: Sequence[RecordHolder]
    has_more: bool = False

    @property
    def figure(self) -> int:
        """What was done."""
        return self.held[0].figure


@dataclass(frozen=True, slots=True)
class Perfect:
    """An entry that has won all its `wins` matches of an event that is over."""

    entry: Entry
    wins: int

    @property
    def event(self) -> Event:
        """The event."""
        return self.entry.event


@dataclass(frozen=True, slots=True)
class ClubRecords:
    """The records of a club; None for what nobody has done yet. `perfect` has the newest first."""

    hand: ClubRecord | None
    streak: ClubRecord | None
    gins: ClubRecord | None
    come_back: ClubRecord | None
    perfect: Sequence[Perfect]

    @property
    def is_empty(self) -> bool:
        """True if there is none."""
        return not (self.hand or self.streak or self.gins or self.come_back or self.perfect)


def club_records(club: Club) -> ClubRecords:
    """Return the records of a club, in nine queries at most."""
    played = list(_played(club))
    kinds = [_best_hand(club), _longest_streak(played), _most_gins(club), _come_back(club)]
    level = [[row for row in rows if row.figure == rows[0].figure] for rows in kinds]
    told = [row for rows in level for row in rows[:MOST_SHARED]]
    ids = {pk for row in told for pk in (row.match, row.first) if pk is not None}
    matches = {row.pk: row for row in Match.objects.filter(pk__in=ids).with_sides("event", "round")}
    here = Q(code__in={row.player for row in told}) | Q(pk__in={row.player_id for row in told})
    players: dict[str | int | None, Player] = {}
    for player in Player.objects.filter(here).select_related("merged_into") if told else ():
        players[player.code] = players[player.pk] = player.merged_into or player

    def record(rows: Sequence[_Row]) -> ClubRecord | None:
        held = [
            RecordHolder(
                row.figure,
                matches[row.match],
                row.side,
                players.get(row.player or row.player_id),
                row.how,
                row.number,
                row.had,
                None if row.first is None else matches[row.first],
                row.goes_on,
            )
            for row in rows[:MOST_SHARED]
        ]
        return ClubRecord(held, len(rows) > len(held)) if held else None

    hand, streak, gins, come_back = map(record, level)
    return ClubRecords(hand, streak, gins, come_back, _perfect(played))


class _Row(NamedTuple):
    """A row of a record, as in `RecordHolder`; of the match its id, of the player his key or id."""

    figure: int
    match: int
    side: int
    player: str = ""
    how: str = ""
    number: int = 0
    had: int = 0
    player_id: int | None = None
    first: int | None = None
    goes_on: bool = False


def counted(club: Club, prefix: str = "") -> Q:
    """A condition for matches that count for records; `prefix` is the path to the match, as `match__`."""
    with_bots = Appearance.objects.filter(match__event__club=club).exclude(player__strategy="")
    conditions = {"event__club": club, "held": False, "annulled": False, "state__in": PLAYED}
    return (
        Q(**{f"{prefix}{name}": value for name, value in conditions.items()})
        & released(prefix)
        & ~Q(**{f"{prefix}event__state": EventState.DRAFT})
        & ~Q(**{f"{prefix}in" if prefix.endswith("__") else "pk__in": with_bots.order_by().values("match")})
    )


class _Played(NamedTuple):
    """A player in a match; sorted, they are in order of play."""

    day: datetime.date
    event: int
    round: int
    leg: int
    match: int
    player: int
    entry: int
    side: int
    winner: int | None
    is_over: bool


def _played(club: Club) -> Iterator[_Played]:
    """Who began in which counted match, unsorted, in two queries; guests are left out.

    A match is of the day as for ratings (`ratings.rated_matches`).
    """
    # Apart, since they are few: dates take most of the time if each line has its own.
    rounds = {
        pk: (date or made.date(), event, number, state in DECIDED)
        for pk, date, made, event, number, state in Round.objects.filter(event__club=club)
        .order_by()
        .values_list("pk", "date", "event__created_at", "event_id", "number", "event__state")
    }
    rows = Appearance.objects.filter(counted(club, "match__"), from_deal=1, entry__is_guest=False).order_by()
    for round_, planned, leg, match, player, entry, side, winner in rows.values_list(
        "round_id",
        "match__planned_on",
        "leg",
        "match_id",
        "player_id",
        "entry_id",
        "side",
        "match__winner_side",
    ):
        day, event, number, is_over = rounds[round_]
        yield _Played(planned or day, event, number, leg, match, player, entry, side, winner, is_over)


def _longest_streak(played: list[_Played]) -> list[_Row]:
    """The most counted matches in a row that a player has won; what is level ends a streak, too."""
    played.sort()
    running: dict[int, list[_Played]] = defaultdict(list)
    best = FEWEST_STREAK
    ended: list[list[_Played]] = []
    for row in played:
        if row.winner == row.side:
            running[row.player].append(row)
        elif len(streak := running.pop(row.player, [])) >= best:
            ended.append(streak)
            best = len(streak)
    still = [streak for streak in running.values() if len(streak) >= best]
    best = max([best, *map(len, still)])
    return [
        _Row(
            best,
            streak[-1].match,
            streak[-1].side,
            player_id=streak[-1].player,
            first=streak[0].match,
            goes_on=streak in still,
        )
        for streak in sorted([*ended, *still])
        if len(streak) == best
    ]


def _best_hand(club: Club) -> list[_Row]:
    """The most points of one hand of gin."""
    seats = Seat.objects.filter(counted(club, "sheet__match__"), best_hand__gt=0)
    seats = seats.exclude(best_hand_how__in=_OF_RUMMY)
    rows = seats.exclude(_of_guest("side__position")).order_by("-best_hand", *_IN_ORDER, "number")
    columns = ("best_hand", "sheet__match", "side__position", "person", "best_hand_how", "best_hand_deal")
    return [_Row(*row) for row in rows.values_list(*columns)[: MOST_SHARED + 1]]


def _most_gins(club: Club) -> list[_Row]:
    """The most gins of a player in one round of an event."""
    seats = Seat.objects.filter(counted(club, "sheet__match__"), gins__gt=0)
    seats = seats.exclude(_of_guest("side__position"))
    nights = seats.order_by().values("sheet__match__round", "side__position", "person")
    # Of the sheets of one tie the last one is told.
    nights = nights.annotate(in_all=Sum("gins"), last=Max("sheet__match"))
    rows = nights.order_by("-in_all", "sheet__match__round__date", "last")
    columns = ("in_all", "last", "side__position", "person")
    return [_Row(*row) for row in rows.values_list(*columns)[: MOST_SHARED + 1]]


def _come_back(club: Club) -> list[_Row]:
    """The most points by which a side was behind in a game that it won."""
    sides = Side.objects.filter(counted(club, "sheet__match__"), come_back__gt=0)
    rows = sides.exclude(_of_guest("position")).order_by("-come_back", *_IN_ORDER)
    columns = ("come_back", "sheet__match", "position", "come_back_game", "come_back_from")
    return [
        _Row(behind, match, side, number=game, had=had)
        for behind, match, side, game, had in rows.values_list(*columns)[: MOST_SHARED + 1]
    ]


def _of_guest(side: str) -> Exists:
    """A condition for rows of a sheet: the side, whose position is at this path, is a guest's."""
    return Exists(
        Appearance.objects.filter(match__sheet=OuterRef("sheet"), side=OuterRef(side), entry__is_guest=True)
    )


def _perfect(played: Iterable[_Played]) -> Sequence[Perfect]:
    """The entries that have won all matches of an event that is over, at least so many, newest first.

    None may have been lost or drawn without play, wait for what makes it count, or be held back, whoever has
    won it: else who is told here and who is not would tell the result. Annulled ones are as never played.
    """
    won: dict[int, set[int]] = defaultdict(set)
    last: dict[int, datetime.date] = {}
    beaten = set()
    for row in played:
        if not row.is_over or row.winner != row.side:
            beaten.add(row.entry)
            continue
        won[row.entry].add(row.match)
        last[row.entry] = row.day
    found = [
        entry for entry, matches in won.items() if len(matches) >= FEWEST_PERFECT and entry not in beaten
    ]
    if not found:
        return []
    others = Match.objects.of_entries(found).exclude(state__in=SAT_OUT).exclude(annulled=True)
    others = others.exclude(pk__in={match for entry in found for match in won[entry]})
    others = others.annotate(is_told=released())
    lost = {
        entry
        for match in others.only("state", "held", "winner_side", "at_table", *_IDS)
        for side in match.sides
        for entry in match.ids_of(side)
        if not match.__dict__["is_told"] or not match.has_result or match.winner_side != side
    }
    perfect = sorted((entry for entry in found if entry not in lost), key=lambda entry: (last[entry], entry))
    told = perfect[: -MOST_PERFECT - 1 : -1]
    entries = Entry.objects.select_related("event").in_bulk(told)
    return [Perfect(entries[entry], len(won[entry])) for entry in told]
