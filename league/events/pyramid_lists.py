"""A club's divisions, season by season."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q

from league.core.divisions import changes
from league.events.front_page import summarised
from league.models import Event, EventState, Pyramid, Season


@dataclass(frozen=True, slots=True)
class Division:
    """A division in one season, with numbers of promotions and relegations for its present size."""

    event: Event
    promoted: int
    relegated: int


@dataclass(frozen=True, slots=True)
class DivisionsOfSeason:
    """The divisions of one season, from the top; `season` is None for those without one."""

    season: Season | None
    divisions: Sequence[Division]


def divisions_of(pyramid: Pyramid, *, with_drafts: bool = False) -> list[DivisionsOfSeason]:
    """Return the divisions of all seasons, newest first, in two queries; events as in `summarised`.

    Only directors see drafts. Withdrawn entries and guests are not counted, as in drafting the next season.
    """
    moves = Q(entries__withdrawn_at=None, entries__is_guest=False)
    events = summarised(Event.objects.filter(pyramid=pyramid)).annotate(
        moving_count=Count("entries", filter=moves)
    )
    if not with_drafts:
        events = events.exclude(state=EventState.DRAFT)
    seasons: dict[int | None, list[Event]] = {}
    for event in events.order_by(F("season__starts_on").desc(nulls_last=True), "-season_id", "level"):
        seasons.setdefault(event.season_id, []).append(event)
    return [
        DivisionsOfSeason(found[0].season, _divisions(found, pyramid.moving)) for found in seasons.values()
    ]


def _divisions(events: Sequence[Event], moving: int) -> Sequence[Division]:
    counts = changes([event.moving_count for event in events], moving)  # type: ignore[attr-defined]
    return [
        Division(event, up, down) for event, up, down in zip(events, (0, *counts), (*counts, 0), strict=True)
    ]
