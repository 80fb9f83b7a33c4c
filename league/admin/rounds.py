"""Rounds: pairings, dates, acts, and matches added by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data
from league.acts.fields import NameField
from league.acts.services import Services
from league.admin import bot_acts, clock_acts, pack_acts
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.confirming import CONFIRM
from league.admin.match_days import DEADLINE
from league.admin.round_acts import ACTS, HEAD, match_rows, matches_of
from league.admin.scope import NewestFilter, count_of, signed_in
from league.core.lifecycle import Doing, may
from league.draws import matches_by_hand, round_life, rounds
from league.draws.formats import format_of
from league.draws.staleness import no_longer_fits
from league.events import waiting
from league.models import SAT_OUT, UNFINISHED, Entry, Match, Round, RoundState, traits_of
from league.policy import Permission, can
from scoring.core.actors import Actor


class NewMatchForm(ActForm):
    """The entries of the new match."""

    entry_a = NameField(queryset=Entry.objects.none(), label=gettext_lazy("First side"))
    entry_b = NameField(
        queryset=Entry.objects.none(),
        label=gettext_lazy("Second side"),
        required=False,
        empty_label=gettext_lazy("nobody: a bye"),
    )
    partner_a = NameField(
        queryset=Entry.objects.none(), label=gettext_lazy("Partner on the first side"), required=False
    )
    partner_b = NameField(
        queryset=Entry.objects.none(), label=gettext_lazy("Partner on the second side"), required=False
    )
    table = forms.IntegerField(label=gettext_lazy("Table"), required=False, min_value=1, max_value=999)

    field_order = ("entry_a", "partner_a", "entry_b", "partner_b", "table")

    def prepare(self, row: Round) -> None:
        names = ["entry_a", "entry_b", "partner_a", "partner_b"]
        if not traits_of(row.event).partners_rotate:
            for name in names[2:]:
                del self.fields[name]
        for name in names[: len(self.fields) - 1]:
            self.offer(name, Entry.objects.filter(event=row.event, withdrawn_at=None))


def _add_match(by: Actor, round_: Round, data: Data) -> str:
    match = matches_by_hand.add_match(actor=by, round_=round_, **data)
    return _("%(match)s was added as %(label)s.") % {"match": match, "label": match.label}


@admin.register(Round)
class RoundAdmin(ActingAdmin[Round]):
    """A round of an event, usually one night."""

    services = Services(
        "round_", add=rounds.add_round, change=rounds.change_round, remove=waiting.remove_round
    )
    list_display = ("__str__", "state", "date", "played")
    list_filter = (("event", NewestFilter), "state", "date")
    date_hierarchy = "date"
    search_fields = ("event__name",)
    fixed = ("event", "number", "state", "pairings")
    acts = (
        *ACTS,
        *clock_acts.ACTS,
        *pack_acts.ACTS,
        CONFIRM,
        *bot_acts.ROUND,
        DEADLINE,
        Act(
            slug="add-match",
            title=gettext_lazy("Add a match"),
            form=NewMatchForm,
            run=_add_match,
            submit=gettext_lazy("Add it"),
            doing=Doing.PAIR,
            offered=lambda round_: format_of(round_.event).takes_added_matches,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Round]:
        rows = super().get_queryset(request).select_related("event__club")
        met, ended = ~Q(state__in=SAT_OUT), ~Q(state__in=UNFINISHED)
        return rows.annotate(
            match_count=count_of(Match, "round", met), ended_count=count_of(Match, "round", met, ended)
        )

    def offers(self, act: Act[Round], row: Round) -> bool:
        """Nothing is done with a round where each is one match."""
        return (row.event.counts_rounds or act.doing != Doing.PAIR) and super().offers(act, row)

    @admin.display(description=gettext_lazy("played"))
    def played(self, round_: Round) -> str:
        """Finished matches of all, annotated for the list."""
        return f"{round_.ended_count} / {round_.match_count}"  # type: ignore[attr-defined]

    def get_fields(self, request: HttpRequest, obj: Round | None = None) -> Any:
        days = ("date", "last_day")
        return ("event", "number", "state", *days, "pairings") if obj else ("event", "number", *days)

    def has_change_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        """The rounds of a finished event are read-only."""
        if obj is not None and not may(obj.event.state, Doing.SETTINGS):
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Round | None = None) -> bool:
        if obj is not None and not may(obj.event.state, Doing.PAIR):
            return False
        return super().has_delete_permission(request, obj)

    @admin.display(description=gettext_lazy("who meets whom"))
    def pairings(self, round_: Round) -> str:
        """The round as a table, with the reasons for each pairing."""
        rows = match_rows(matches_of(round_))
        return render_to_string("admin/league/round_pairings.html", {"head": HEAD, "rows": rows})

    def next_link(self, request: HttpRequest, row: Round, acts: Mapping[str, PageLink]) -> PageLink | None:
        again = acts.get("repair") if no_longer_fits(row.event, row) else None
        return again or acts.get("publish")

    def row_context(self, request: HttpRequest, row: Round) -> Mapping[str, Any]:
        if not may(row.event.state, Doing.PAIR):
            return {}
        return {"no_longer_fits": " ".join(round_life.what_to_do(row.event, row))}

    def links(self, request: HttpRequest, row: Round) -> Sequence[PageLink]:
        way = [row.event.club.slug, row.event.slug, row.number]
        board = PageLink(_("The board"), reverse("round_board", args=way))
        papers = [
            PageLink(_("Blank sheets as PDF"), reverse("blank_sheets_pdf", args=way)),
            PageLink(_("Telephones at the tables"), reverse("round_links", args=way)),
        ]
        sheets = [
            *([board] if can(signed_in(request), Permission.DIRECT, row.event.club) else []),
            PageLink(_("The night's tray"), reverse("entry:tray", args=[row.code])),
            *(papers if row.event.is_on_paper else []),
        ]
        return [
            *([] if row.state == RoundState.DRAFTED else sheets),
            PageLink(_("The round's page"), reverse("round", args=way)),
            PageLink(_("Matches"), f"{reverse('admin:league_match_changelist')}?round__id__exact={row.pk}"),
            change_link(_("The event"), row.event),
        ]
