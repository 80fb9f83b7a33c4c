"""An event for other programs: its rounds as a calendar, its results as an Atom feed."""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.contrib.syndication.views import Feed
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.events.calendars import event_calendar
from league.models import Event, Match, Round
from league.pages.pages import kept_fresh, names_of, reader_of, visible_event
from league.policy import rounds_seen
from league.policy.naming import Names
from league.tables.latest import LatestResult, latest_results
from league.tables.night_reports import night_report
from scoring.core.plain_text import for_xml

# Namespace of the results' ids; if it changed, feed readers would show all results again.
_RESULTS: Final = uuid.UUID("6f0c3a52-33a4-4d3c-9f0d-0a1f6f2f7b11")


@require_safe
def event_rounds_ics(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The dated rounds of an event, and its matches whose time is agreed, as an iCalendar file."""
    shown = visible_event(request, club, event)
    rounds = rounds_seen(reader_of(request)).filter(event=shown).order_by("number")

    def of_round(round_: Round) -> str:
        return request.build_absolute_uri(reverse("round", args=[shown.club.slug, shown.slug, round_.number]))

    def of_match(match: Match) -> str:
        return request.build_absolute_uri(reverse("match", args=[shown.club.slug, shown.slug, match.code]))

    content = event_calendar(shown, rounds, names_of(request), of_match=of_match, of_round=of_round)
    headers = {"Content-Disposition": f'inline; filename="{shown.slug}.ics"'}
    response = HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)
    return kept_fresh(response, shown.club)


class _Atom(Atom1Feed):
    """An Atom feed with a given date; Django's own would differ with every request."""

    def latest_post_date(self) -> datetime:
        date: datetime = self.feed["updated"]
        return date


@dataclass(frozen=True, slots=True)
class _News:
    """An entry of the feed; `since` is when it became as it is."""

    title: str
    words: str
    link: str
    guid: str
    since: datetime


class ResultsFeed(Feed):  # type: ignore[type-arg]
    """The released results of an event that count, newest first, and before them its last night in short."""

    feed_type = _Atom

    def __call__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        event = visible_event(request, kwargs["club"], kwargs["event"])
        names, seen = names_of(request), rounds_seen(reader_of(request))
        results = latest_results(event, names, seen=seen)
        news = [*_last_night(event, names, results), *map(_news_of, results)]
        with timezone.override(event.club.zone):
            response = super().__call__(request, event_shown=event, news=news)
        return kept_fresh(response, event.club)

    def get_object(
        self, request: HttpRequest, *, event_shown: Event, news: list[_News]
    ) -> tuple[Event, list[_News]]:
        return event_shown, news

    def title(self, about: tuple[Event, list[_News]]) -> str:
        event = about[0]
        title = _("Results of %(event)s, %(club)s") % {"event": event.name, "club": event.club.name}
        return for_xml(title)

    def link(self, about: tuple[Event, list[_News]]) -> str:
        return reverse("event", args=[about[0].club.slug, about[0].slug])

    def feed_guid(self, about: tuple[Event, list[_News]]) -> str:
        return _urn(f"event {about[0].code}")

    def feed_extra_kwargs(self, about: tuple[Event, list[_News]]) -> dict[str, Any]:
        event, news = about
        return {"updated": max((one.since for one in news), default=event.created_at)}

    def author_name(self, about: tuple[Event, list[_News]]) -> str:
        return for_xml(about[0].club.name)

    def items(self, about: tuple[Event, list[_News]]) -> list[_News]:
        return about[1]

    def item_title(self, item: _News) -> str:
        return for_xml(item.title)

    def item_description(self, item: _News) -> str:
        return for_xml(item.words)

    def item_link(self, item: _News) -> str:
        return item.link

    def item_guid(self, item: _News) -> str:
        return item.guid

    def item_updateddate(self, item: _News) -> datetime:
        return item.since


def _news_of(result: LatestResult) -> _News:
    match = result.match
    return _News(
        result.line,
        _("Round %(number)s, sheet %(label)s") % {"number": match.round.number, "label": match.label},
        reverse("match", args=[match.event.club.slug, match.event.slug, match.code]),
        _urn(f"match {match.code}"),
        result.since,
    )


def _last_night(event: Event, names: Names, results: Sequence[LatestResult]) -> Iterator[_News]:
    """The report of the last round that has results, once it is finished."""
    last = max((one.match.round for one in results), key=lambda round_: round_.number, default=None)
    if last is None:
        return
    matches = list(Match.objects.filter(round=last).with_sides("round"))
    if sentences := night_report(event, last, matches, names):
        yield _News(
            _("%(event)s, round %(number)s in short") % {"event": event.name, "number": last.number},
            " ".join(sentences),
            reverse("round", args=[event.club.slug, event.slug, last.number]),
            _urn(f"round {last.code}"),
            max(one.since for one in results if one.match.round_id == last.pk),
        )


event_results_atom = require_safe(ResultsFeed())


def _urn(name: str) -> str:
    """An id that does not change with the address."""
    return uuid.uuid5(_RESULTS, name).urn
