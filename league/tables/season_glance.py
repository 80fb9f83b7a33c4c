"""A season at a glance: its events, when they are played, and who has won them, as a picture and a table."""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Exists, OuterRef

from league.core.pictures.season import DrawnEvent, SeasonNight, SeasonPicture, season_picture
from league.models import SAT_OUT, UNFINISHED, Entry, Event, EventState, Match, Round, RoundState, to_play
from league.policy.naming import Names
from league.tables.champions import winners_of
from scoring.paper.short_names import cut_short

# With fewer nights there is nothing to see, and more events cannot be looked over at once.
FEWEST_NIGHTS: Final = 2
MOST_EVENTS: Final = 24
# Width, and letters of an event and of its winner.
_WIDE: Final = (960, 60, 40)
_NARROW: Final = (300, 22, 14)


@dataclass(frozen=True, slots=True)
class GlanceRow:
    """An event with its nights, and who has won it; several share the first place."""

    event: Event
    nights: Sequence[SeasonNight]
    winners: Sequence[Entry]

    @property
    def begins(self) -> datetime.date:
        """The first night."""
        return min(night.day for night in self.nights)

    @property
    def ends(self) -> datetime.date:
        """The last night so far."""
        return max(night.day for night in self.nights)


@dataclass(frozen=True, slots=True)
class GlancePicture:
    """A picture, with the words above each of its lines: the event, and its winner."""

    picture: SeasonPicture
    lines: Sequence[tuple[DrawnEvent, str, str]]


@dataclass(frozen=True, slots=True)
class SeasonGlance:
    """The events of a season that have dated nights, in order, and the pictures of them."""

    rows: Sequence[GlanceRow]
    wide: GlancePicture
    narrow: GlancePicture


def season_glance(events: Iterable[Event], names: Names) -> SeasonGlance | None:
    """Return the season of these events, in five queries at most.

    Drafts are left out, of events and of rounds. None if there is too little to see, or too much.
    """
    shown = {event.pk: event for event in events if event.state != EventState.DRAFT}
    nights: dict[int, list[SeasonNight]] = {}
    here = Match.objects.filter(round=OuterRef("pk")).order_by()
    rounds = (
        Round.objects.filter(event__in=shown, date__isnull=False)
        .exclude(state=RoundState.DRAFTED)
        .annotate(
            begun=Exists(here.exclude(state__in=[*UNFINISHED, *SAT_OUT])),
            missing=Exists(here.filter(to_play(), annulled=False)),
        )
    )
    for event, day, state, begun, missing in rounds.order_by("date").values_list(
        "event_id", "date", "state", "begun", "missing"
    ):
        if day is not None:
            is_over = state == RoundState.COMPLETE or (begun and not missing)
            nights.setdefault(event, []).append(SeasonNight(day, is_over))
    if not nights or len(nights) > MOST_EVENTS or sum(map(len, nights.values())) < FEWEST_NIGHTS:
        return None
    winners = winners_of(shown[pk] for pk in nights)
    rows = [GlanceRow(shown[pk], found, winners.get(pk, ())) for pk, found in nights.items()]
    rows.sort(key=lambda row: (row.begins, row.ends, row.event.pk))
    return SeasonGlance(rows, _drawn(rows, names, *_WIDE), _drawn(rows, names, *_NARROW))


def _drawn(
    rows: Sequence[GlanceRow], names: Names, width: int, letters: int, of_winner: int
) -> GlancePicture:
    picture = season_picture([row.nights for row in rows], width=width)
    words = [
        (
            cut_short(row.event.name, letters),
            cut_short(", ".join(map(names.marked, row.winners)), of_winner),
        )
        for row in rows
    ]
    return GlancePicture(picture, [(line, *said) for line, said in zip(picture.lines, words, strict=True)])
