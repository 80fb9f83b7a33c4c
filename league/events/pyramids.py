"""Divisions with promotion and relegation, and drafting their next season."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.divisions import DivisionMove, changes, next_divisions
from league.core.standings import CRITERIA
from league.core.standings.cuts import Cut
from league.errors import LeagueError
from league.events.next_season import copy_event, enter_again, next_name
from league.models import Club, Entry, EntryMember, Event, EventState, Pyramid, Season, Standing
from league.policy import Permission, require
from league.record.audit import add_row, change_row, directed, remove_row
from league.tables.cut_decisions import Decisions
from league.tables.cut_words import check_all_decided, decision_words, in_full
from league.tables.final_cuts import asks_who_moves, final_cuts, moving_lines, playing_on
from league.tables.placings import ranks_at_lines
from league.tables.standings import current_standings
from scoring.core.actors import Actor
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class PlannedDivision:
    """A division of the next season: its predecessor, its name, and its entries with the reason for each."""

    event: Event
    name: str
    slug: str
    moves: Sequence[DivisionMove]


@dataclass(frozen=True, slots=True)
class PlannedSeason:
    """The next season of all divisions, from the top.

    `entries` maps ids in the moves to entries; `left_out` are withdrawn entries and guests; `notes` say where
    it was close, and where fewer than usual move.
    """

    divisions: Sequence[PlannedDivision]
    entries: dict[int, Entry]
    left_out: Sequence[Entry]
    notes: Sequence[str]


@transaction.atomic
def create_pyramid(*, actor: Actor, club: Club, name: str, slug: str, **values: Any) -> Pyramid:
    """Create divisions of a club; events become divisions by their own settings."""
    require(actor, Permission.DIRECT, club)
    pyramid = Pyramid(club=club, name=name, slug=slug, **values)
    add_row(actor, "pyramid.create", pyramid)
    return pyramid


@transaction.atomic
def change_pyramid(*, actor: Actor, pyramid: Pyramid, **values: Any) -> Pyramid:
    """Change the name, the address, or how many are promoted and relegated."""
    pyramid = directed(actor, pyramid)
    change_row(actor, "pyramid.change", pyramid, values)
    return pyramid


@transaction.atomic
def remove_pyramid(*, actor: Actor, pyramid: Pyramid) -> None:
    """Delete divisions that no event belongs to."""
    pyramid = directed(actor, pyramid)
    remove_row(actor, "pyramid.remove", pyramid)


def plan_next_season(
    *, pyramid: Pyramid, season_from: Season, season_to: Season, despite_unfinished: bool = False
) -> PlannedSeason:
    """Return who would play in which division next season, by the present tables; nothing is written.

    Withdrawn entries and guests are left out; they are neither promoted nor relegated, and their places stay
    free. Refused: a season without divisions (`no_divisions`), the same season or another club's (`invalid`),
    one that has divisions already (`already_drafted`), divisions of players mixed with divisions of teams
    (`wrong_kind`), an unfinished division unless `despite_unfinished` (`not_finished`), and a player or team
    name that would be twice in a division (`clash`), entries level where it is decided who goes up or down
    (`level_at_cut`).
    """
    events = _divisions(pyramid, season_from, season_to)
    if not despite_unfinished:
        _check_finished(events)
    tables: list[list[int]] = []
    standings = [current_standings(event) for event in events]
    entries: dict[int, Entry] = {}
    left_out: list[Entry] = []
    for event, rows in zip(events, standings, strict=True):
        entries |= {row.entry.pk: row.entry for row in playing_on(rows)}
        left_out += [entry for entry in event.entries.order_by("name") if entry.pk not in entries]
    sizes = [len(playing_on(rows)) for rows in standings]
    notes = []
    for number, (event, rows) in enumerate(zip(events, standings, strict=True)):
        decisions = Decisions(event, withheld_too=True)
        lines = moving_lines(sizes, pyramid.moving, number)
        prizes, table = final_cuts(event, rows, lines, decisions)
        check_all_decided(event, table.open, decisions, entries, names_event=True)
        notes += [
            f"{event}: {said}" for said in _decided(event, [*prizes.cuts, *table.cuts], decisions, entries)
        ]
        tables.append(list(table.order))
    planned = []
    for event, moves in zip(events, next_divisions(tables, pyramid.moving), strict=True):
        _check_clashes(event, [entries[move.entry] for move in moves])
        planned.append(PlannedDivision(event, *next_name(event, season_to), moves))
    return PlannedSeason(planned, entries, left_out, [*notes, *_notes(pyramid, events, standings, tables)])


@transaction.atomic
def draft_next_season(
    *,
    actor: Actor,
    pyramid: Pyramid,
    season_from: Season,
    season_to: Season,
    despite_unfinished: bool = False,
) -> list[Event]:
    """Draft the divisions of `plan_next_season` with their former settings, entries seeded.

    Seeds follow the order in the new division: relegated, stayed, promoted.
    """
    pyramid = directed(actor, pyramid)
    plan = plan_next_season(
        pyramid=pyramid,
        season_from=season_from,
        season_to=season_to,
        despite_unfinished=despite_unfinished,
    )
    made = []
    for division in plan.divisions:
        event = copy_event(
            actor=actor, event=division.event, season=season_to, name=division.name, slug=division.slug
        )
        enter_again(actor=actor, event=event, entries=[plan.entries[move.entry] for move in division.moves])
        made.append(event)
    return made


def _divisions(pyramid: Pyramid, season_from: Season, season_to: Season) -> list[Event]:
    if season_from.pk == season_to.pk or {season_from.club_id, season_to.club_id} != {pyramid.club_id}:
        raise LeagueError("invalid", _("Choose two seasons of the club."), field="season_to")
    events = list(
        Event.objects.filter(pyramid=pyramid, season=season_from).select_related("season").order_by("level")
    )
    if not events:
        raise LeagueError(
            "no_divisions", _("%(season)s has no division.") % {"season": season_from}, field="season_from"
        )
    if Event.objects.filter(pyramid=pyramid, season=season_to).exists():
        raise LeagueError(
            "already_drafted",
            _("%(season)s has divisions already.") % {"season": season_to},
            field="season_to",
        )
    for event in events[1:]:
        if (event.kind, event.team_size) != (events[0].kind, events[0].team_size):
            raise LeagueError(
                "wrong_kind",
                _("%(first)s and %(other)s differ in who is entered, so nobody can change places.")
                % {"first": events[0], "other": event},
            )
    return events


def _check_finished(events: Iterable[Event]) -> None:
    over = (EventState.FINISHED, EventState.ARCHIVED)
    left = [event.name for event in events if event.state not in over]
    if left:
        raise LeagueError(
            "not_finished",
            _("Not finished yet: %(events)s.") % {"events": ", ".join(left)},
            field="despite_unfinished",
        )


def _check_clashes(event: Event, entries: Sequence[Entry]) -> None:
    """Refuse (`clash`) entries that cannot be together in the division following this one."""
    members = EntryMember.objects.filter(entry__in=entries).select_related("player")
    for names in ((entry.name for entry in entries), (member.player.name for member in members)):
        for name, count in Counter(names).items():
            if count > 1:
                raise LeagueError(
                    "clash",
                    _("%(name)s would be in the division of %(event)s twice.")
                    % {"name": name, "event": event},
                )


def _decided(
    event: Event, cuts: Iterable[Cut], decisions: Decisions, entries: Mapping[int, Entry]
) -> Iterator[str]:
    """Yield a sentence for each decision between entries that are level."""
    for cut in cuts:
        decision, parts = decisions.of(cut), decisions.parts(cut)
        if decision is not None and parts is not None:
            yield decision_words(event, decision, parts, entries, in_full(event), tells_author=True)


def _notes(
    pyramid: Pyramid,
    events: Sequence[Event],
    standings: Sequence[Sequence[Standing]],
    tables: Sequence[Sequence[int]],
) -> list[str]:
    notes = []
    counts = changes([len(table) for table in tables], pyramid.moving)
    for number, count in enumerate(counts):
        upper, lower = number, number + 1
        if count < pyramid.moving:
            notes.append(
                _("%(upper)s and %(lower)s change only %(count)d: they are too small for more.")
                % {"upper": events[upper], "lower": events[lower], "count": count}
            )
        if count:
            lines = ((upper, len(tables[upper]) - count), (lower, count))
            for at, line in lines:
                notes += _close(events[at], standings[at], tables[at], line)
    return notes


def _close(event: Event, standings: Sequence[Standing], order: Sequence[int], line: int) -> list[str]:
    """Return a sentence if the entries next to a line are level on points; `line` are above it.

    They stand in this `order` of ids, with what was decided between those who are level.
    """
    if not 0 < line < len(order):
        return []
    row_of = {row.entry_id: row for row in standings}
    ranks = ranks_at_lines(event, standings, asks=asks_who_moves(event))
    above, below = row_of[order[line - 1]], row_of[order[line]]
    if ranks[above.entry_id] == ranks[below.entry_id]:
        # What was decided between them is told already.
        return []
    level = [
        row for row in standings if (row.group, ranks[row.entry_id]) == (above.group, ranks[above.entry_id])
    ]
    name = max(level, key=lambda row: row.position).above_next_by
    if above.points == below.points and name in CRITERIA:
        return [
            _("%(above)s and %(below)s are level; what puts %(above)s first is: %(criterion)s.")
            % {"above": above.entry, "below": below.entry, "criterion": translated(CRITERIA[name].title)}
        ]
    return []
