"""Seasons and events: creating, changing and removing them."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.draws.drawn import is_drawn
from league.draws.formats import format_of
from league.errors import LeagueError
from league.events.waiting import fill_places
from league.matches.counting import count_anew
from league.models import DEFAULT_FORMAT, Club, Event, EventKind, Match, Season, traits, traits_of
from league.policy import Permission, require
from league.policy.eligibility import check_match_rules
from league.record.audit import add_row, change_row, directed, locked, remove_row
from league.record.days import check_day
from league.record.locking import check_all_locked, lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import HouseRules

# Changes to these affect matches: when they count, or when their results are visible.
_TELLS_MATCHES = frozenset({"counts_when", "holds_results"})
# Settings that the table depends on: a change requests a recalculation.
_TABLE_FIELDS = frozenset(
    {
        "criteria",
        "restart_criteria",
        "points_scheme",
        "win_points",
        "draw_points",
        "loss_points",
        "column_points",
        "sheet_points",
        "bye_points",
        "absent_points",
        "late_points",
        "bye_net",
        "forfeit_net",
        "absent_net",
        "bye_strength",
        "forfeit_strength",
        "absent_strength",
        "net_cap",
        "best_nights",
        "place_points",
        "rounds_planned",
        "rules",
        "bot_matches_count",
        "counts_when",
        "holds_results",
        "lot_seed",
        "is_duplicate",
        "packs_played",
        "sits_in_counts",
        "odd_table",
    }
)
# When it begins, and when entries open and close.
MOMENTS: Final = ("starts_at", "entries_open_at", "entries_close_at")
# With other ones somebody on the waiting list may have a place.
_GIVES_PLACES: Final = frozenset({"places", "approves_entries"})
# What a match is worth, best result first.
POINTS_OF_A_MATCH: Final = ("win_points", "draw_points", "loss_points")
# Settings fixed by a draw. The length of a Swiss may still change.
_DRAWN_BY = frozenset(
    {
        "format",
        "group_count",
        "qualifiers",
        "best_next",
        "groups_compared",
        "third_place",
        "best_of",
        "tie_decider",
        "lot_seed",
        "is_duplicate",
        "packs_played",
    }
)


@transaction.atomic
def create_season(*, actor: Actor, club: Club, name: str, slug: str, **values: Any) -> Season:
    """Create a season of the club."""
    require(actor, Permission.DIRECT, club)
    season = Season(club=club, name=name, slug=slug, **values)
    _check_span(season.starts_on, season.ends_on)
    add_row(actor, "season.create", season)
    return season


@transaction.atomic
def change_season(*, actor: Actor, season: Season, **values: Any) -> Season:
    """Change the name, address or dates of a season."""
    season = directed(actor, season)
    _check_span(values.get("starts_on", season.starts_on), values.get("ends_on", season.ends_on))
    change_row(actor, "season.change", season, values)
    return season


@transaction.atomic
def remove_season(*, actor: Actor, season: Season) -> None:
    """Delete a season without events."""
    season = directed(actor, season)
    remove_row(actor, "season.remove", season)


@transaction.atomic
def create_event(
    *,
    actor: Actor,
    club: Club,
    name: str,
    slug: str,
    rules: HouseRules,
    criteria: Sequence[str] | None = None,
    **values: Any,
) -> Event:
    """Create a draft event under one version of the club's rules, with its table order and points.

    `values` are further fields of `Event`: `season`, `format` and its settings, `kind`, `team_size`, points,
    `lot_seed`; and `state` for an imported event that was played elsewhere. What is not given is as
    usual for the format.
    """
    require(actor, Permission.DIRECT, club)
    _check_moments(values)
    values = {**usual_settings(values.get("format", DEFAULT_FORMAT)), **values}
    event = Event(club=club, name=name, slug=slug, rules=rules, **_with_team_size(values))
    event.criteria = list(criteria if criteria is not None else usual_order(event.format))
    check_match_rules(club, rules, event.team_size, at_tables=traits_of(event).has_tables)
    check_points(event.win_points, event.draw_points, event.loss_points)
    add_row(actor, "event.create", event)
    return event


@transaction.atomic
def change_event(*, actor: Actor, event: Event, **values: Any) -> Event:
    """Change an event that is not finished.

    Rules are frozen once it has a sheet, kind and team size once it has entries, the format and what its draw
    depends on once anything is drawn (`already_drawn`). New places go to the waiting list. If the time at
    which matches count changes, ended matches are evaluated again.
    """
    require(actor, Permission.DIRECT, event.club)
    _check_moments(values)
    matches = event.matches.all() if _TELLS_MATCHES & values.keys() else Match.objects.none()
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    check_doing(event.name, event.state, Doing.SETTINGS)
    values = _with_team_size(values, event)
    rules, own = values.get("rules", event.rules), traits(values.get("format", event.format))
    if rules.pk != event.rules_id or own.has_tables != traits_of(event).has_tables:
        check_match_rules(
            event.club, rules, values.get("team_size", event.team_size), at_tables=own.has_tables
        )
    if rules.pk != event.rules_id and rules_in_use(event):
        raise LeagueError(
            "rules_in_use",
            _("Sheets of this event are open already, so it keeps its rules."),
            field="rules",
        )
    changed = {name for name in values if values[name] != getattr(event, name)}
    for field in sorted({"kind", "team_size"} & changed):
        # Both are events of players, alone or with rotating partners.
        alone = {values.get("kind", event.kind), event.kind} == {EventKind.INDIVIDUAL}
        if not alone and (event.entries.exists() or event.entry_requests.exists()):
            raise LeagueError(
                "has_entries", _("This can be changed only while nobody is entered."), field=field
            )
    check_points(*(values.get(name, getattr(event, name)) for name in POINTS_OF_A_MATCH))
    fixed = sorted(changed & fixed_by_a_draw(event))
    if fixed and is_drawn(event):
        raise LeagueError(
            "already_drawn", _("This is fixed once rounds are drawn; delete the draw first."), field=fixed[0]
        )
    before = change_row(actor, "event.change", event, values)
    if "counts_when" in before:
        count_anew(event)
    if _TABLE_FIELDS & before.keys():
        request_standings(event.pk)
    if _GIVES_PLACES & before.keys():
        fill_places(actor=actor, event=event)
    return event


@transaction.atomic
def remove_event(*, actor: Actor, event: Event) -> None:
    """Delete an event without rounds; its entries are deleted too.

    One that was taken over goes with its import (`league.files.undoing`).
    """
    event = directed(actor, event)
    if event.taken_over:
        raise LeagueError(
            "in_use",
            _("The results of “%(event)s” are taken over; undo that import instead.") % {"event": event},
        )
    if is_drawn(event):
        raise LeagueError("in_use", _("“%(event)s” has rounds; delete the draw first.") % {"event": event})
    remove_row(actor, "event.remove", event)


def usual_settings(event_format: str) -> dict[str, Any]:
    """What a new event of this format has where nothing else is said."""
    return dict(traits(event_format).usual_settings)


def usual_order(event_format: str) -> list[str]:
    """Return the usual table order of a format. Places in a knockout come before it in any case."""
    return list(traits(event_format).usual_order)


def players_of_a_side(event_format: str) -> int:
    """Return the players per side where players are entered: two if partners rotate, otherwise one."""
    return traits(event_format).players_of_a_side


def fixed_by_a_draw(event: Event) -> frozenset[str]:
    """Return the settings that are fixed once anything is drawn."""
    # Who may see packs depends on where they are played.
    where = frozenset({"played"} if event.is_duplicate else ())
    return _DRAWN_BY | where | format_of(event).fixed_by_draw


def rules_in_use(event: Event) -> bool:
    """True if the event has an open sheet, which freezes its rules."""
    return event.matches.filter(sheet__isnull=False).exists()


def check_points(won: Decimal | int, drawn: Decimal | int, lost: Decimal | int) -> None:
    """Refuse (`out_of_range`) points that reward a worse result more than a better one."""
    if drawn > won:
        raise LeagueError(
            "out_of_range", _("A match drawn is worth at most what one won is."), field="draw_points"
        )
    if lost > drawn:
        raise LeagueError(
            "out_of_range", _("A match lost is worth at most what one drawn is."), field="loss_points"
        )


def _with_team_size(values: dict[str, Any], event: Event | None = None) -> dict[str, Any]:
    """Set the players per side by the format where players are entered, unless given."""
    known = values if event is None else {"format": event.format, "kind": event.kind} | values
    if "team_size" in values or known.get("kind", EventKind.INDIVIDUAL) != EventKind.INDIVIDUAL:
        return values
    return values | {"team_size": players_of_a_side(known.get("format", DEFAULT_FORMAT))}


def _check_moments(values: Mapping[str, Any]) -> None:
    """Refuse (`out_of_range`) a year that no clock of a club shows: in its zone it may be none at all."""
    for name in MOMENTS:
        moment = values.get(name)
        check_day(None if moment is None else moment.date(), name)


def _check_span(starts_on: Any, ends_on: Any) -> None:
    if starts_on and ends_on and ends_on < starts_on:
        raise LeagueError("invalid", _("A season ends after it has begun."), field="ends_on")
