"""Season tables: points for places in each of several events, added up per player.

Only decided events count: finished or archived ones. Only the settings are stored; the table is computed from
the standings of its events.
"""

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import floor
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.core.standings import Finish, Number, rank_season
from league.errors import LeagueError
from league.models import (
    Club,
    EntryMember,
    Event,
    EventState,
    Player,
    Season,
    SeasonTable,
    Standing,
)
from league.policy import Permission, require
from league.policy.withholding import told_until
from league.record.audit import add_row, change_row, directed, locked, record_audit, remove_row
from league.tables.placings import final_places
from league.tables.results import plain
from scoring.core.actors import Actor

DECIDED: Final = (EventState.FINISHED, EventState.ARCHIVED)
_MOST_PLACES: Final = 256
_MOST_POINTS: Final = 9999


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """A player's result in one event; `counts` is False if enough others were better."""

    place: int
    points: Number
    counts: bool


@dataclass(frozen=True, slots=True)
class SeasonLine:
    """One line of a season table; `results` has an item per event, None if the player was not in it.

    Points are rounded to the hundredth; ranks come from the exact values.
    """

    rank: int
    player: Player
    points: Number
    results: tuple[SeasonResult | None, ...]


@dataclass(frozen=True, slots=True)
class SeasonRanking:
    """A computed season table: its events in order, and its lines, best first.

    `open_events` belong to the table but are not decided yet.
    """

    events: tuple[Event, ...]
    lines: tuple[SeasonLine, ...]
    open_events: tuple[Event, ...]


@transaction.atomic
def create_season_table(
    *,
    actor: Actor,
    club: Club,
    name: str,
    slug: str,
    place_points: Sequence[Number],
    season: Season | None = None,
    best: int | None = None,
    events: Iterable[Event] = (),
) -> SeasonTable:
    """Create a table over these events; `place_points` start at first place and never rise."""
    require(actor, Permission.DIRECT, club)
    table = SeasonTable(
        club=club,
        season=_own_season(club, season),
        name=name,
        slug=slug,
        best=best,
        place_points=_kept(place_points),
    )
    add_row(actor, "season_table.create", table)
    _set_events(actor, table, events)
    return table


@transaction.atomic
def change_season_table(
    *, actor: Actor, table: SeasonTable, events: Iterable[Event] | None = None, **values: Any
) -> SeasonTable:
    """Change name, address, season, points, the number of results that count, or the events."""
    table = directed(actor, table)
    if "place_points" in values:
        values["place_points"] = _kept(values["place_points"])
    if "season" in values:
        _own_season(table.club, values["season"])
    change_row(actor, "season_table.change", table, values)
    if events is not None:
        _set_events(actor, table, events)
    return table


@transaction.atomic
def remove_season_table(*, actor: Actor, table: SeasonTable) -> None:
    """Delete a table; its events stay."""
    require(actor, Permission.DIRECT, table.club)
    remove_row(actor, "season_table.remove", locked(table))


def read_points(text: str) -> list[Number]:
    """Parse typed points, from first place on: “25 18 15”, “1.5, 1, 0.5”."""
    words = [word for word in re.split(r"[\s,;]+", text) if word]
    if not all(re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", word) for word in words):
        raise LeagueError(
            "invalid",
            _("Points are numbers with spaces between them, from the first place on: 25 18 15."),
            field="place_points",
        )
    return [plain(Decimal(word)) for word in words]


def points_of(table: SeasonTable) -> list[Number]:
    """Return the points for its places, from the first."""
    return [plain(Decimal(str(points))) for points in table.place_points]


def season_ranking(table: SeasonTable) -> SeasonRanking:
    """Compute the table from the present standings of its events, in three queries."""
    return ranking_over(table.events.all(), place_points=points_of(table), best=table.best)


def ranking_over(
    events: Iterable[Event], *, place_points: Sequence[Number], best: int | None
) -> SeasonRanking:
    """Compute a table over these events; refused as by `rank_season`.

    A team's result counts for each of its members; guests are left out. After groups and a knockout, places
    are those in the knockout, then those in the groups. Held results pay nothing yet.
    """
    every = sorted(events, key=_order)
    decided = [event for event in every if event.state in DECIDED]
    players, members = _members_of(event.pk for event in decided)
    standings = standings_of(event.pk for event in decided)
    places = {
        event.pk: final_places(event, standings[event.pk], until=told_until(event)) for event in decided
    }
    return _ranking(every, players, members, places, place_points=place_points, best=best)


def season_winners(
    tables: Iterable[SeasonTable], places: Mapping[int, Mapping[int, int]]
) -> list[tuple[SeasonTable, list[Player]]]:
    """Return these tables with who is first in each, in one query; not those in which nobody has a point.

    Their events are prefetched, and over; `places` are the `final_places` of each, by id.
    """
    tables = list(tables)
    players, members = _members_of(event.pk for table in tables for event in table.events.all())
    found = []
    for table in tables:
        every = sorted(table.events.all(), key=_order)
        ranking = _ranking(every, players, members, places, place_points=points_of(table), best=table.best)
        winners = [line.player for line in ranking.lines if line.rank == 1 and line.points]
        if winners:
            found.append((table, winners))
    return found


def standings_of(events: Iterable[int]) -> dict[int, list[Standing]]:
    """Return the whole tables of these events (ids), with their entries, in one query."""
    standings: dict[int, list[Standing]] = {pk: [] for pk in events}
    for standing in Standing.objects.filter(event__in=standings).select_related("entry"):
        standings[standing.event_id].append(standing)
    return standings


def _members_of(events: Iterable[int]) -> tuple[Mapping[int, Player], Mapping[int, Sequence[int]]]:
    """Players by id, and the players (ids) of each entry of these events, in one query."""
    players: dict[int, Player] = {}
    members: dict[int, list[int]] = {}
    rows = EntryMember.objects.filter(event__in=set(events)).select_related("player")
    for member in rows.order_by("position", "id"):
        players[member.player_id] = member.player
        members.setdefault(member.entry_id, []).append(member.player_id)
    return players, members


def _ranking(
    every: Sequence[Event],
    players: Mapping[int, Player],
    members: Mapping[int, Sequence[int]],
    places: Mapping[int, Mapping[int, int]],
    *,
    place_points: Sequence[Number],
    best: int | None,
) -> SeasonRanking:
    """Rank the players of these events, given in order, by the places in those that are decided."""
    decided = [event for event in every if event.state in DECIDED]
    finishes = [
        Finish(event.pk, place, tuple(members.get(entry, ())))
        for event in decided
        for entry, place in places[event.pk].items()
    ]
    ranked = rank_season(finishes, place_points=place_points, best=best)
    lines = []
    for row in ranked:
        results = {
            result.event: SeasonResult(result.place, shown_points(result.points), result.counts)
            for result in row.results
        }
        lines.append(
            SeasonLine(
                row.rank,
                players[row.competitor],
                shown_points(row.points),
                tuple(results.get(event.pk) for event in decided),
            )
        )
    lines.sort(key=lambda line: (line.rank, name_key(line.player.name), line.player.pk))
    return SeasonRanking(
        tuple(decided), tuple(lines), tuple(event for event in every if event.state not in DECIDED)
    )


def shown_points(points: Fraction) -> Number:
    """Return points as displayed: to the hundredth, halves up, without trailing zeros."""
    return plain(Decimal(floor(points * 100 + Fraction(1, 2))).scaleb(-2))


def _order(event: Event) -> tuple[datetime.datetime, int]:
    return event.created_at, event.pk


def _kept(place_points: Sequence[Number]) -> list[int | str]:
    """Return points as stored: as text if not whole, since JSON has no exact decimals."""
    rank_season([], place_points=place_points)
    if len(place_points) > _MOST_PLACES:
        raise LeagueError(
            "too_long",
            _("At most %(most)s places have points.") % {"most": _MOST_PLACES},
            field="place_points",
        )
    kept: list[int | str] = []
    for points in place_points:
        if not 0 <= points <= _MOST_POINTS or points != round(points, 2):
            raise LeagueError(
                "out_of_range",
                _("A place is worth 0 to %(most)s points, with two decimal places at most.")
                % {"most": _MOST_POINTS},
                field="place_points",
            )
        points = plain(points)
        kept.append(points if isinstance(points, int) else str(points))
    return kept


def _own_season(club: Club, season: Season | None) -> Season | None:
    if season is not None and season.club_id != club.pk:
        raise LeagueError("invalid", _("This season is another club's."), field="season")
    return season


def _set_events(actor: Actor, table: SeasonTable, events: Iterable[Event]) -> None:
    wanted = {event.pk: event for event in events}
    if any(event.club_id != table.club_id for event in wanted.values()):
        raise LeagueError("invalid", _("An event of this list is another club's."), field="events")
    before = {event.pk: event for event in table.events.all()}
    if before.keys() == wanted.keys():
        return
    table.events.set(wanted.values())
    record_audit(actor, "season_table.events", table, before=_named(before), after=_named(wanted))


def _named(events: Mapping[int, Event]) -> dict[str, list[str]]:
    return {"events": [event.name for event in sorted(events.values(), key=_order)]}
