"""Events: settings, next step, acts and links."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_stubs_ext import StrOrPromise

from league.acts import Act
from league.acts.services import Services
from league.admin import (
    evening_acts,
    event_acts,
    event_life,
    letters,
    levels,
    next_season,
    pairing_acts,
    seeding,
)
from league.admin.acts import ActingAdmin, PageLink
from league.admin.event_form import FORMAT, SECTIONS, EventForm, lines_of
from league.admin.fees import FeesPage
from league.admin.names import ShowsAuthor
from league.admin.presence import CheckInPage
from league.admin.scope import ClubFilter, NewestFilter, club_time, count_of, preselect_only_choice
from league.admin.workplace import step_link
from league.core.lifecycle import Doing, may
from league.core.standings import CRITERIA
from league.draws.arranged_matches import has_arranged
from league.draws.drawn import is_drawn
from league.draws.formats import format_called, format_of
from league.events import events
from league.events.next_step import next_step, step_of
from league.models import (
    Adjustment,
    ClubRules,
    Entry,
    Event,
    EventKind,
    EventState,
    Round,
    RoundState,
    registered,
    traits_of,
)
from league.policy import Permission
from league.tables import adjustments
from league.tables.results import criteria_of
from scoring.models import HouseRules
from scoring.words.messages import translated

# Each once, though formats share some.
_OF_FORMATS: Final = tuple(dict.fromkeys(act for key in registered() for act in format_called(key).acts))


def _there(name: str, title: StrOrPromise) -> Callable[[Any, Event], str]:
    """A column of the administration: a moment of the event by the club's clock."""

    @admin.display(description=title)
    def moment(self: Any, event: Event) -> str:
        return club_time(getattr(event, name), event.club)

    return moment


@admin.register(Event)
class EventAdmin(CheckInPage, FeesPage):
    """An event from its rules to its draw."""

    services = Services(
        "event", add=events.create_event, change=events.change_event, remove=events.remove_event
    )
    form = EventForm
    list_display = ("name", "club", "season", "format", "state", "entered", "drawn")
    list_filter = (
        ("club", ClubFilter),
        ("season", NewestFilter),
        "state",
        "format",
        "kind",
    )
    search_fields = ("name",)
    prepopulated_fields = {"slug": ("name",)}
    radio_fields = {"points_scheme": admin.VERTICAL}
    acts = (
        *event_life.BEGINNING,
        pairing_acts.PAIR,
        *_OF_FORMATS,
        *evening_acts.ACTS,
        event_acts.ENTER,
        seeding.SEED,
        pairing_acts.KEEP_APART,
        levels.DECIDE,
        event_acts.ARRANGE,
        *event_acts.AFTERWARDS,
        letters.TO_ENTRANTS,
        *event_life.ENDING,
        next_season.AGAIN,
        event_acts.DELETE_DRAW,
        *event_life.BACK,
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        rows = super().get_queryset(request).select_related("club", "season")
        return rows.annotate(entry_count=count_of(Entry, "event"), round_count=count_of(Round, "event"))

    def get_fieldsets(self, request: HttpRequest, obj: Event | None = None) -> Any:
        frozen = obj is not None and events.rules_in_use(obj)
        shown_only = obj is not None and not self.has_change_permission(request, obj)
        named = {"rules": "own_rules" if frozen or shown_only else "rules"}
        if shown_only:
            named["criteria"] = "order"
            named |= {name: f"{name}_there" for name in events.MOMENTS}
        sections = []
        for title, words, lines in SECTIONS:
            kept = lines if obj is None else lines_of(lines, obj, every_format=not is_drawn(obj))
            fields = [
                named.get(line, line) if isinstance(line, str) else tuple(named.get(one, one) for one in line)
                for line in kept
            ]
            # Sections with usual values are collapsed; once rounds are drawn all are, as acts matter more.
            folded = title not in (None, FORMAT) or (obj is not None and is_drawn(obj))
            classes = ["collapse"] if folded else []
            heading = title or (_("Name and rules") if folded else None)
            sections.append((heading, {"description": words, "fields": fields, "classes": classes}))
        return sections

    def get_readonly_fields(self, request: HttpRequest, obj: Event | None = None) -> Any:
        if obj is None:
            return ()
        fixed = ["club", "own_rules", "order", *(f"{name}_there" for name in events.MOMENTS)]
        if obj.entries.exists():
            fixed += ["kind", "team_size"]
        if is_drawn(obj):
            fixed += sorted(events.fixed_by_a_draw(obj))
        return fixed

    def has_change_permission(self, request: HttpRequest, obj: Event | None = None) -> bool:
        """A finished event is read-only; acts lead back to a running one."""
        if obj is not None and not may(obj.state, Doing.SETTINGS):
            return False
        return super().has_change_permission(request, obj)

    def row_context(self, request: HttpRequest, row: Event) -> Mapping[str, Any]:
        if self.may(request, Permission.DIRECT, row):
            return {"next_step": next_step(row)}
        step = step_of(row)
        # What is a director's to do, a draft first of all, is told to directors.
        is_known = step.round is not None and step.round.state != RoundState.DRAFTED
        return {"next_step": step.words} if is_known else {}

    def next_link(self, request: HttpRequest, row: Event, acts: Mapping[str, PageLink]) -> PageLink | None:
        step = step_of(row)
        if step.act in acts:
            return acts[step.act]
        return step_link(step, row, directs=self.may(request, Permission.DIRECT, row))

    def choices(self, db_field: Any, request: HttpRequest) -> QuerySet[Any]:
        rows = super().choices(db_field, request)
        if db_field.name == "sits_in":
            return rows.exclude(strategy="")
        match = request.resolver_match
        if db_field.name == "rules" and match is not None and "object_id" in match.kwargs:
            # The event's version may not be the newest.
            kept = HouseRules.objects.filter(events=match.kwargs["object_id"])
            rows = HouseRules.objects.filter(pk__in=rows) | HouseRules.objects.filter(pk__in=kept)
        return rows

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if db_field.name == "rules" and field is not None:
            preselect_only_choice(field)
            field.help_text = format_html(
                '<a href="{}">{}</a>',
                reverse("admin:league_clubrules_add"),
                _("Make other house rules"),
            )
        return field

    def offers(self, act: Act[Event], row: Event) -> bool:
        if act in _OF_FORMATS and act not in format_of(row).acts:
            return False
        return super().offers(act, row)

    def links(self, request: HttpRequest, row: Event) -> Sequence[PageLink]:
        way = [row.club.slug, row.slug]
        of_event = f"?event__id__exact={row.pk}"
        links = [
            *self.check_in_links(row),
            *_arranging_link(row),
            *self.fee_links(row),
            PageLink(_("Standings"), reverse("event", args=way)),
            PageLink(_("Standings as PDF"), reverse("event_standings_pdf", args=way)),
            PageLink(_("Hands as CSV"), reverse("admin:league_importbatch_export", args=[row.pk])),
            *(
                [PageLink(_("Rounds"), reverse("admin:league_round_changelist") + of_event)]
                if row.counts_rounds
                else []
            ),
            PageLink(_("Matches"), reverse("admin:league_match_changelist") + of_event),
            PageLink(_("Entries"), reverse("admin:league_entry_changelist") + of_event),
            PageLink(_("Adjustments"), reverse("admin:league_adjustment_changelist") + of_event),
        ]
        if row.entry_requests.exists() and self.may(request, Permission.DIRECT, row):
            waiting = reverse("admin:league_entryrequest_changelist") + of_event
            is_of_teams = row.kind == EventKind.TEAM
            title = _("Waiting list and incomplete teams") if is_of_teams else _("Waiting list")
            links.append(PageLink(title, waiting))
        if format_of(row).writes_trf and self.may(request, Permission.DIRECT, row):
            trf = reverse("admin:league_importbatch_trf", args=[row.pk])
            links.append(PageLink(_("Pairings as FIDE's TRF"), trf))
        own_pages = [own for own in format_of(row).pages if own.template]
        links += [PageLink(own.title, reverse(own.name, args=way)) for own in own_pages]
        if traits_of(row).has_bracket and row.ties.exists():
            links.append(PageLink(_("Bracket"), reverse("event_bracket", args=way)))
            links.append(
                PageLink(_("Ties of the bracket"), reverse("admin:league_tie_changelist") + of_event)
            )
        if row.forbidden_pairs.exists() and self.may(request, Permission.DIRECT, row):
            kept_apart = reverse("admin:league_forbiddenpair_changelist") + of_event
            links.append(PageLink(_("Players kept apart"), kept_apart))
        if row.cut_decisions.exists():
            decisions = reverse("admin:league_cutdecision_changelist") + of_event
            links.append(PageLink(_("Decisions between entries that are level"), decisions))
        enters_teams = row.kind == EventKind.TEAM and may(row.state, Doing.ENTER)
        if enters_teams and self.may(request, self.write, row):
            links.append(PageLink(_("Enter a team"), f"{reverse('admin:league_entry_add')}?event={row.pk}"))
        return links

    @admin.display(description=gettext_lazy("rules"))
    def own_rules(self, event: Event) -> str:
        """The event's version of its rules, linked to the club's list if they are on it."""
        own = ClubRules.objects.filter(club=event.club, rules__code=event.rules.code).first()
        if own is None:
            return str(event.rules)
        return format_html(
            '<a href="{}">{}</a>', reverse("admin:league_clubrules_change", args=[own.pk]), event.rules
        )

    @admin.display(description=gettext_lazy("order of the table"))
    def order(self, event: Event) -> str:
        """The titles of the criteria."""
        return ", ".join(translated(CRITERIA[name].title) for name in criteria_of(event) if name in CRITERIA)

    starts_at_there = _there("starts_at", gettext_lazy("begins"))
    entries_open_at_there = _there("entries_open_at", gettext_lazy("entries open"))
    entries_close_at_there = _there("entries_close_at", gettext_lazy("entries close"))

    @admin.display(description=gettext_lazy("entries"), ordering="entry_count")
    def entered(self, event: Event) -> int:
        """The number of entries, annotated for the list."""
        return int(event.entry_count)  # type: ignore[attr-defined]

    @admin.display(description=gettext_lazy("rounds"), ordering="round_count")
    def drawn(self, event: Event) -> int:
        """The number of rounds, annotated for the list."""
        return int(event.round_count)  # type: ignore[attr-defined]


def _arranging_link(event: Event) -> list[PageLink]:
    """The link to how far the players have come, where they arrange their matches."""
    if event.state != EventState.RUNNING or not has_arranged(event):
        return []
    return [PageLink(_("Matches to arrange"), reverse("event_arranging", args=[event.club.slug, event.slug]))]


@admin.register(Adjustment)
class AdjustmentAdmin(ShowsAuthor, ActingAdmin[Adjustment]):
    """Points given and deducted: added by an act of the event, taken back here."""

    services = Services("adjustment", remove=adjustments.remove_adjustment)
    list_display = ("entry", "event", "points", "reason", "author", "when")
    list_filter = (("event", NewestFilter),)
    list_select_related = ("entry", "event__club")
    search_fields = ("entry__name", "reason")
    fields = ("event", "entry", "points", "reason", "author", "when")

    @admin.display(description=gettext_lazy("when"), ordering="id")
    def when(self, adjustment: Adjustment) -> str:
        """The time, by the club's clock."""
        return club_time(adjustment.at, adjustment.event.club)
