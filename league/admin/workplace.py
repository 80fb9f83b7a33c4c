"""The first page of the administration: what is to be done tonight, and each club by what one does there.

The number of queries does not grow with clubs and events: clubs come in pages, each with its first events.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, F, OuterRef, QuerySet, When, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from league.acts import Act
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.scope import own_clubs, signed_in
from league.draws.planning import asks_who_is_here
from league.entry.nights import Night, nights
from league.events.front_page import GOING_ON
from league.events.glance import Glance, glances
from league.events.next_step import NextStep
from league.models import Club, Event, EventState, RoundState
from league.pages.pages import page_asked
from league.people.beginning import may_begin
from league.policy import Permission, clubs_where, events_seen, is_administrator, rounds_seen

MOST_NIGHTS: Final = 12
CLUBS: Final = 10
EVENTS_OF_A_CLUB: Final = 8


@dataclass(frozen=True, slots=True)
class Work:
    """A night with sheets to type, with where one goes from there."""

    night: Night
    ways: Sequence[PageLink]


@dataclass(frozen=True, slots=True)
class EventWork:
    """An event that goes on, what is to be done in `words` and as a link, and other ways.

    What is a director's to do is told to directors.
    """

    glance: Glance
    words: str
    page: PageLink
    next: PageLink | None
    ways: Sequence[PageLink]


@dataclass(frozen=True, slots=True)
class Subject:
    """What one does in a club, under one heading."""

    title: str
    links: Sequence[PageLink]


@dataclass(frozen=True, slots=True)
class ClubWork:
    """A club, its events that go on (`more` if not all), and its other work by subject."""

    club: Club
    events: Sequence[EventWork]
    more: bool
    subjects: Sequence[Subject]


def workplace(request: HttpRequest) -> Mapping[str, Any]:
    """Return what the template of the first page needs."""
    found = nights(signed_in(request), MOST_NIGHTS + 1)
    work = [Work(night, _ways_of_night(request, night)) for night in found[:MOST_NIGHTS]]
    clubs = _clubs(request)
    page: Page[Club] = Paginator(clubs, CLUBS).get_page(page_asked(request))
    return {
        "tonight": [each for each in work if each.night.is_tonight],
        "to_type": [each for each in work if not each.night.is_tonight],
        "more_nights": len(found) > MOST_NIGHTS,
        "clubs": list(_work_of(request, list(page))),
        "club_page": page,
        "has_several_clubs": page.paginator.count > 1,
        "may_add_club": is_administrator(signed_in(request)),
        "may_begin": is_administrator(signed_in(request)) and not page.object_list and may_begin(),
    }


def step_link(step: NextStep, event: Event, *, directs: bool) -> PageLink | None:
    """Return the link to where a step is done, as far as the reader may do it; None without one."""
    if step.act == "enter-team" and directs:
        return PageLink(_("Enter a team"), f"{reverse('admin:league_entry_add')}?event={event.pk}")
    if step.tie is not None and directs:
        return change_link(_("Match %d of the bracket") % step.tie.number, step.tie)
    if step.round is None:
        return None
    number = step.round.number
    if step.round.state == RoundState.DRAFTED:
        return change_link(_("Round %d") % number, step.round) if directs else None
    if step.waits and directs:
        return PageLink(
            _("The board of round %d") % number,
            reverse("round_board", args=[event.club.slug, event.slug, number]),
        )
    return PageLink(_("The tray of round %d") % number, reverse("entry:tray", args=[step.round.code]))


def _clubs(request: HttpRequest) -> QuerySet[Club]:
    """The clubs where the user keeps sheets; those with a running event come first."""
    running = Event.objects.filter(club=OuterRef("pk"), state=EventState.RUNNING)
    mine = clubs_where(signed_in(request), Permission.RECORD)
    return mine.order_by(Exists(running).desc(), "name", "pk")


def _work_of(request: HttpRequest, clubs: Sequence[Club]) -> Iterable[ClubWork]:
    """Yield the work of these clubs."""
    turn = Case(*(When(state=state, then=place) for place, state in enumerate(GOING_ON)))
    seen = events_seen(signed_in(request)).order_by()
    newest = [turn, F("created_at").desc(), F("pk").desc()]
    numbered = seen.filter(club__in=clubs, state__in=GOING_ON).annotate(
        place=Window(RowNumber(), partition_by=F("club"), order_by=newest)
    )
    places = dict(numbered.filter(place__lte=EVENTS_OF_A_CLUB + 1).values_list("pk", "place"))
    shown = [pk for pk, place in places.items() if place <= EVENTS_OF_A_CLUB]
    today = {club.pk: timezone.localdate(timezone=club.zone) for club in clubs}
    told: dict[int, list[Glance]] = {club.pk: [] for club in clubs}
    rounds = rounds_seen(signed_in(request))
    for glance in glances(Event.objects.filter(pk__in=shown), rounds=rounds, today=today):
        told[glance.event.club_id].append(glance)
    further = set(Event.objects.filter(pk__in=places.keys() - set(shown)).values_list("club", flat=True))
    for club in clubs:
        # Today's first; then in the order in which they were counted.
        mine = sorted(told[club.pk], key=lambda one: (not one.is_today, places[one.event.pk]))
        yield ClubWork(
            club, [_event_work(request, one) for one in mine], club.pk in further, _subjects(request, club)
        )


def _event_work(request: HttpRequest, glance: Glance) -> EventWork:
    event, step = glance.event, glance.step
    directs = event.club_id in own_clubs(request, Permission.DIRECT)
    first = step_link(step, event, directs=directs)
    if directs and step.act in (acts := _acts_of_events()):
        slug = step.act.replace("-", "_")
        first = PageLink(acts[step.act].title, reverse(f"admin:league_event_{slug}", args=[event.pk]))
    ways = []
    following = 1 if glance.now is None else glance.now.round.number + 1
    if step.act == "pair" and asks_who_is_here(event, following):
        ways.append(PageLink(_("Who is here"), reverse("admin:league_event_check_in", args=[event.pk])))
    if event.state == EventState.RUNNING:
        ways.append(_standings(event))
    is_told = directs or first is not None
    return EventWork(glance, step.words if is_told else "", change_link(event.name, event), first, ways)


def _acts_of_events() -> Mapping[str, Act[Event]]:
    events = admin.site.get_model_admin(Event)
    return {act.slug: act for act in events.acts} if isinstance(events, ActingAdmin) else {}


def _standings(event: Event) -> PageLink:
    return PageLink(_("Standings"), reverse("event", args=[event.club.slug, event.slug]))


def _ways_of_night(request: HttpRequest, night: Night) -> Sequence[PageLink]:
    """Where one goes from a night besides its tray."""
    round_, event = night.round, night.round.event
    way = [event.club.slug, event.slug, round_.number]
    links = [_standings(event)]
    if event.is_on_paper:
        links = [
            PageLink(_("Telephones at the tables"), reverse("round_links", args=way)),
            PageLink(_("Blank sheets as PDF"), reverse("blank_sheets_pdf", args=way)),
            *links,
        ]
    if event.club_id in own_clubs(request, Permission.DIRECT):
        links.insert(0, PageLink(_("The board"), reverse("round_board", args=way)))
    return links


def _subjects(request: HttpRequest, club: Club) -> Sequence[Subject]:
    """What the user may do in a club, by subject."""
    directs = club.pk in own_clubs(request, Permission.DIRECT)
    manages = club.pk in own_clubs(request, Permission.MANAGE)

    def of_club(title: str, name: str) -> PageLink:
        return PageLink(title, f"{reverse(f'admin:league_{name}_changelist')}?club__id__exact={club.pk}")

    def new(title: str, name: str) -> Sequence[PageLink]:
        return [PageLink(title, f"{reverse(f'admin:league_{name}_add')}?club={club.pk}")] if directs else []

    def page(title: str, name: str) -> PageLink:
        return PageLink(title, reverse(name, args=[club.slug]))

    files = [
        PageLink(_("Import a file"), reverse("admin:league_importbatch_add")),
        of_club(_("Imported files"), "importbatch"),
    ]
    own = [page(_("The club's page"), "club")]
    if directs:
        own.append(page(_("Audit"), "audit"))
    own.append(change_link(_("Settings and offices") if manages else _("Settings"), club))
    return [
        Subject(
            _("Events"),
            [
                *new(_("New event"), "event"),
                of_club(_("All events"), "event"),
                of_club(_("Seasons"), "season"),
                of_club(_("Season tables"), "seasontable"),
                of_club(_("Divisions"), "pyramid"),
                *([of_club(_("Bot schedules"), "botschedule")] if directs else []),
            ],
        ),
        Subject(
            _("Members"),
            [
                of_club(_("Players"), "player"),
                *new(_("New player"), "player"),
                *([page(_("Members and invitations"), "members")] if directs else []),
            ],
        ),
        Subject(_("Rules"), [page(_("House rules"), "club_rules")]),
        *([Subject(_("Files"), files)] if directs else []),
        Subject(_("Club"), own),
    ]
