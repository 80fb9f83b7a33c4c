"""Seeds of an event: by hand, by rating, by an earlier event, by lot.

Seeds are 1, 2, 3 … without gaps, the strongest first. Unseeded entries come last, by name. Seeding always
replaces all seeds of the event; withdrawn entries have none. Seeds may change until the first hand of a round
drawn by them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from django.db import models, transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.collation import name_key
from league.core.lifecycle import Doing, check_doing
from league.core.lots import by_lot
from league.draws.formats import format_of
from league.errors import LeagueError
from league.models import (
    Entry,
    EntryMember,
    Event,
    EventKind,
    IndividualStanding,
    MatchState,
    Rating,
    Standing,
)
from league.record.audit import directed, record_audit
from league.record.requests import request_standings
from league.tables.placings import final_order
from scoring.core.actors import Actor
from scoring.core.skills import NEWCOMER
from scoring.models import SheetStatus


class SeedBy(models.TextChoices):
    """Sources of seeds."""

    HAND = "hand", gettext_lazy("by hand, in the order of a list")
    RATING = "rating", gettext_lazy("by rating, the highest first")
    EVENT = "event", gettext_lazy("by the places in an earlier event")
    LOT = "lot", gettext_lazy("by lot")


@dataclass(frozen=True, slots=True)
class PlannedSeed:
    """An entry with its present and its new seed (None: unseeded)."""

    entry: Entry
    old: int | None
    new: int | None


def plan_seeds(
    *, event: Event, by: SeedBy, order: Sequence[str] = (), earlier: Event | None = None
) -> list[PlannedSeed]:
    """Return the new seeds in order, unseeded entries last; nothing is written.

    By hand: `order` names entries, the strongest first; others are unseeded. Refused: unknown names
    (`unknown_entry`), withdrawn entries (`withdrawn`), repeated ones (`seed_twice`).

    By rating: the combined strength of an entry's best players, as many as play on a side; unrated players
    count as newcomers. Entries without a rated player follow by name.

    By an earlier event of the club (`earlier`): the average place of an entry's players in it. Entries
    without a player in it follow by name; refused (`nobody_known`) if that is everyone.

    By lot: by the seed of the event's lots, always the same.
    """
    entries = sorted(event.entries.all(), key=lambda entry: name_key(entry.name))
    seeded = [entry for entry in entries if entry.withdrawn_at is None]
    if by is SeedBy.HAND:
        chosen = _named(entries, order)
    elif by is SeedBy.RATING:
        chosen = _by_rating(event, seeded)
    elif by is SeedBy.EVENT:
        chosen = _by_places(event, seeded, earlier)
    else:
        chosen = by_lot({entry: entry.drawn_as for entry in seeded}, f"{event.lot_seed} seeds")
    if not chosen:
        raise LeagueError("no_entries", _("There is nobody to be given a seed."))
    seeds = {entry.pk: seed for seed, entry in enumerate(chosen, start=1)}
    rest = [entry for entry in entries if entry.pk not in seeds]
    return [PlannedSeed(entry, entry.seed, seeds.get(entry.pk)) for entry in [*chosen, *rest]]


def check_seedable(event: Event) -> None:
    """Refuse (`wrong_state`, `has_hands`, `has_challenges`) once seeds no longer decide who meets whom."""
    check_doing(event, event.state, Doing.SEED)
    format_of(event).check_seeds_count(event)
    touched = format_of(event).seeded_matches(event)
    played = touched.filter(sheet__acts__isnull=False).exclude(sheet__status=SheetStatus.VOID)
    awarded = touched.filter(state__in=[MatchState.FORFEIT, MatchState.WALKOVER])
    for match in [*played[:1], *awarded[:1]]:
        raise LeagueError(
            "has_hands",
            _("%(label)s has begun or is decided, and the round was drawn by the seeds as they are.")
            % {"label": match.label},
        )


def drawn_by_seeds(event: Event) -> bool:
    """True if there is a draw that used the seeds, as in any format but rotating partners."""
    return format_of(event).drawn_by_seeds and (event.rounds.exists() or event.ties.exists())


@transaction.atomic
def seed_entries(
    *, actor: Actor, event: Event, by: SeedBy, order: Sequence[str] = (), earlier: Event | None = None
) -> list[PlannedSeed]:
    """Set the seeds and return them; refused as by `plan_seeds` and `check_seedable`."""
    event = directed(actor, event)
    check_seedable(event)
    plan = plan_seeds(event=event, by=by, order=order, earlier=earlier)
    changed = [planned for planned in plan if planned.old != planned.new]
    if not changed:
        return plan
    # Seeds are unique at every moment, so they are cleared first.
    Entry.objects.filter(pk__in=[planned.entry.pk for planned in changed]).update(seed=None)
    for planned in changed:
        planned.entry.seed = planned.new
    Entry.objects.bulk_update([planned.entry for planned in changed if planned.new is not None], ["seed"])
    record_audit(
        actor,
        "event.seed",
        event,
        before={"seeds": [{"entry": planned.entry, "seed": planned.old} for planned in changed]},
        after={"seeds": [{"entry": planned.entry, "seed": planned.new} for planned in changed]},
        reason=str(by.label),
    )
    request_standings(event.pk)
    return plan


def _named(entries: Iterable[Entry], order: Sequence[str]) -> list[Entry]:
    by_name = {entry.name: entry for entry in entries}
    chosen: list[Entry] = []
    for name in order:
        entry = by_name.get(" ".join(name.split()))
        if entry is None:
            raise LeagueError(
                "unknown_entry", _("“%(name)s” is not entered.") % {"name": name}, field="order"
            )
        if entry.withdrawn_at is not None:
            raise LeagueError("withdrawn", _("%(entry)s has withdrawn.") % {"entry": entry}, field="order")
        if entry in chosen:
            raise LeagueError("seed_twice", _("%(entry)s is listed twice.") % {"entry": entry}, field="order")
        chosen.append(entry)
    return chosen


def _by_rating(event: Event, entries: Sequence[Entry]) -> list[Entry]:
    members = _members(event)
    rated = dict(
        Rating.objects.filter(player__memberships_in_entries__event=event).values_list("player", "mu")
    )
    # Where partners rotate, an entry is one player whatever the size of a side.
    size = event.team_size if event.kind == EventKind.TEAM else 1

    def strength(entry: Entry) -> float | None:
        players = members.get(entry.pk, [])
        if not any(player in rated for player in players):
            return None
        return -fmean(sorted((rated.get(player, NEWCOMER.mu) for player in players), reverse=True)[:size])

    return _ordered(entries, strength)


def _by_places(event: Event, entries: Sequence[Entry], earlier: Event | None) -> list[Entry]:
    if earlier is None or earlier.pk == event.pk or earlier.club_id != event.club_id:
        raise LeagueError("invalid", _("Choose an earlier event of the club."), field="earlier")
    members, places = _members(event), _places(event, earlier)

    def place(entry: Entry) -> float | None:
        own = [places[player] for player in members.get(entry.pk, []) if player in places]
        return fmean(own) if own else None

    if all(place(entry) is None for entry in entries):
        raise LeagueError(
            "nobody_known",
            _("Nobody entered here has a place in %(event)s.") % {"event": earlier},
            field="earlier",
        )
    return _ordered(entries, place)


def _places(event: Event, earlier: Event) -> dict[int, int]:
    """Return each player's place: their entry's, or their own where players are seeded and ranked."""
    places: dict[int, int] = {}
    table = Standing.objects.filter(event=earlier, played__gt=0)
    order = final_order(earlier, list(table))
    of_entry = {standing.entry_id: place for place, standing in enumerate(order, start=1)}
    for entry_id, players in _members(earlier).items():
        if entry_id in of_entry:
            places |= dict.fromkeys(players, of_entry[entry_id])
    if event.kind == EventKind.INDIVIDUAL:
        own = IndividualStanding.objects.filter(event=earlier, played__gt=0)
        places |= dict(own.values_list("player", "position"))
    return places


def _members(event: Event) -> dict[int, list[int]]:
    """Return the player ids of each entry."""
    members: dict[int, list[int]] = {}
    rows = EntryMember.objects.filter(event=event).order_by("position", "id")
    for entry_id, player_id in rows.values_list("entry_id", "player_id"):
        members.setdefault(entry_id, []).append(player_id)
    return members


def _ordered(entries: Iterable[Entry], figure: Callable[[Entry], float | None]) -> list[Entry]:
    """Sort entries by figure, missing ones last; stable."""
    figures: Mapping[int, float | None] = {entry.pk: figure(entry) for entry in entries}
    known = [entry for entry in entries if figures[entry.pk] is not None]
    unknown = [entry for entry in entries if figures[entry.pk] is None]
    return [*sorted(known, key=lambda entry: figures[entry.pk] or 0.0), *unknown]
