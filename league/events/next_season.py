"""Repeats an event: a draft with the same settings and entries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.errors import LeagueError
from league.events.evenings import not_settable, set_evening
from league.events.events import MOMENTS, create_event
from league.models import AbsentAt, Entry, EntryMember, Evening, Event, Season
from league.record.audit import directed, record_audit
from league.record.requests import request_standings
from league.tables.placings import final_order
from league.tables.standings import current_standings
from scoring.core.actors import Actor

# Fields of the new event's own, with the moments of the old one; all other settings are copied.
_OWN: Final = frozenset(
    {
        "club",
        "season",
        "name",
        "slug",
        "lot_seed",
        *MOMENTS,
    }
)


@dataclass(frozen=True, slots=True)
class Again:
    """Name and entries of the next event; entries are in order of their new seeds.

    `left_out` are withdrawn entries and guests.
    """

    name: str
    slug: str
    entries: Sequence[Entry]
    left_out: Sequence[Entry]


def plan_again(*, event: Event, season: Season | None) -> Again:
    """Return how the event would be repeated, in this season if given; nothing is written.

    Entries are ordered by final places or, before anything is played, by seed. Withdrawn entries and guests
    are left out.
    """
    order = sorted(
        event.entries.all(), key=lambda entry: (entry.seed is None, entry.seed, name_key(entry.name))
    )
    entries = {entry.pk: entry for entry in order}
    table = current_standings(event)
    if any(row.played for row in table):
        ranked = [entries[row.entry_id] for row in final_order(event, table) if row.entry_id in entries]
        order = [*ranked, *(entry for entry in order if entry not in ranked)]
    staying = [entry for entry in order if entry.withdrawn_at is None and not entry.is_guest]
    name, slug = next_name(event, season)
    return Again(name, slug, staying, [entry for entry in order if entry not in staying])


def next_name(event: Event, season: Season | None) -> tuple[str, str]:
    """Return name and address of the next event, with the new season's in place of the old one's.

    A name that does not contain its season's stays; its address gets the new season's appended. If the
    address is taken, a number is added.
    """
    name, slug, end = event.name, event.slug, "" if season is None else season.slug
    if season is not None and event.season is not None:
        name = name.replace(event.season.name, season.name)[:80]
        if event.season.slug in slug:
            slug, end = slug.replace(event.season.slug, season.slug), ""
    slug = slugify(f"{slug}-{end}".strip("-"))[:56].strip("-")
    taken = set(Event.objects.filter(club=event.club, slug__startswith=slug).values_list("slug", flat=True))
    free = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return name, slug if slug not in taken else next(each for each in free if each not in taken)


@transaction.atomic
def draft_again(
    *, actor: Actor, event: Event, season: Season | None, name: str = "", slug: str = ""
) -> Event:
    """Repeat an event as a draft, with its settings and the entries of `plan_again`, seeded in that order.

    Its lots are new. Refused for a division (`is_division`): the next season of divisions is drafted
    together, so that promotion and relegation are known.
    """
    event = directed(actor, event)
    if event.pyramid is not None:
        raise LeagueError(
            "is_division",
            _("%(event)s is one of the divisions of %(pyramid)s; draft the next season of all of them.")
            % {"event": event, "pyramid": event.pyramid},
        )
    again = plan_again(event=event, season=season)
    made = copy_event(
        actor=actor, event=event, season=season, name=name or again.name, slug=slug or again.slug
    )
    enter_again(actor=actor, event=made, entries=again.entries)
    return made


def copy_event(*, actor: Actor, event: Event, season: Season | None, name: str, slug: str) -> Event:
    """Create a draft with all settings of an event and no entries; its lots are new.

    How it runs itself is a setting too, if it still can: its evening is set up, and has not begun.
    """
    settings: dict[str, Any] = {
        field.name: getattr(event, field.name)
        for field in Event._meta.concrete_fields
        if field.editable and not field.primary_key and field.name not in _OWN | {"created_at"}
    }
    made = create_event(actor=actor, club=event.club, name=name, slug=slug, season=season, **settings)
    evening = Evening.objects.filter(event=event).first()
    if evening is not None and not_settable(made) is None:
        set_evening(
            actor=actor,
            event=made,
            break_minutes=evening.break_minutes,
            wait_minutes=evening.wait_minutes,
            absent=AbsentAt(evening.absent),
        )
    return made


def enter_again(*, actor: Actor, event: Event, entries: Iterable[Entry]) -> None:
    """Enter the same players, or teams with the same members, in a new event, seeded in this order."""
    old = list(entries)
    made = Entry.objects.bulk_create(
        [
            Entry(event=event, name=entry.name, seed=seed, is_bot=entry.is_bot)
            for seed, entry in enumerate(old, start=1)
        ]
    )
    new_of = {entry.pk: new for entry, new in zip(old, made, strict=True)}
    members = EntryMember.objects.filter(entry__in=old).order_by("position", "id")
    EntryMember.objects.bulk_create(
        [
            EntryMember(
                event=event,
                entry=new_of[member.entry_id],
                player_id=member.player_id,
                position=member.position,
            )
            for member in members
        ]
    )
    record_audit(actor, "event.enter_again", event, after={"entries": list(old)})
    request_standings(event.pk)
