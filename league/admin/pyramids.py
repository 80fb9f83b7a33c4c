"""Divisions: promotion and relegation, and drafting the next season."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Min, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink
from league.admin.scope import ClubFilter
from league.core.divisions import DivisionMove, SeasonMovement
from league.events import pyramids
from league.events.pyramids import PlannedSeason
from league.models import Pyramid, Season
from scoring.core.actors import Actor


class SeasonsForm(ActForm):
    """The season that is over, and the one to draft."""

    season_from = forms.ModelChoiceField(
        queryset=Season.objects.none(), label=gettext_lazy("The season that is over")
    )
    season_to = forms.ModelChoiceField(
        queryset=Season.objects.none(),
        label=gettext_lazy("The season to be drafted"),
        help_text=gettext_lazy("Add it to the club's seasons first."),
    )
    despite_unfinished = forms.BooleanField(
        label=gettext_lazy("By the tables as they are, although a division is not finished"), required=False
    )

    def prepare(self, row: Pyramid) -> None:
        self.offer("season_from", Season.objects.filter(club=row.club, events__pyramid=row).distinct())
        self.offer("season_to", _later_seasons(row))

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        over, drafted = cleaned.get("season_from"), cleaned.get("season_to")
        starts = [season.starts_on for season in (over, drafted) if season is not None]
        if len(starts) == 2 and None not in starts and starts[1] <= starts[0]:
            self.add_error(
                "season_to",
                _("“%(drafted)s” does not come after “%(over)s”.") % {"drafted": drafted, "over": over},
            )
        return cleaned


def _later_seasons(pyramid: Pyramid) -> QuerySet[Season]:
    """The club's seasons without divisions, except those before the first season with any."""
    without = Season.objects.filter(club=pyramid.club).exclude(events__pyramid=pyramid)
    first = Season.objects.filter(events__pyramid=pyramid).aggregate(first=Min("starts_on"))["first"]
    return without if first is None else without.exclude(starts_on__lt=first)


def _preview(pyramid: Pyramid, data: Data) -> Preview:
    plan = pyramids.plan_next_season(pyramid=pyramid, **data)
    lines = [
        ngettext(
            "%d division will be made as a draft:",
            "%d divisions will be made as drafts:",
            len(plan.divisions),
        )
        % len(plan.divisions)
        + " "
        + ", ".join(f"{division.name} (…/{division.slug}/)" for division in plan.divisions),
        *plan.notes,
    ]
    if plan.left_out:
        lines.append(
            _("Left out, as withdrawn or a guest: %(names)s.") % {"names": ", ".join(map(str, plan.left_out))}
        )
    return Preview(
        lines,
        [_("Division"), _("Seed"), _("Entry"), _("This season"), _("Then")],
        [
            [division.name, seed, plan.entries[move.entry], _place(plan, move), _words(move)]
            for division in plan.divisions
            for seed, move in enumerate(division.moves, start=1)
        ],
    )


def _place(plan: PlannedSeason, move: DivisionMove) -> str:
    return _("place %(place)d in %(event)s") % {
        "place": move.place,
        "event": plan.divisions[move.division].event,
    }


def _words(move: DivisionMove) -> str:
    return {
        SeasonMovement.UP: _("goes up"),
        SeasonMovement.STAYS: _("stays"),
        SeasonMovement.DOWN: _("goes down"),
    }[move.movement]


def _run(by: Actor, pyramid: Pyramid, data: Data) -> str:
    made = pyramids.draft_next_season(actor=by, pyramid=pyramid, **data)
    return ngettext("%d division was drafted.", "%d divisions were drafted.", len(made)) % len(made)


@admin.register(Pyramid)
class PyramidAdmin(ActingAdmin[Pyramid]):
    """A club's divisions. Events join them by their own settings."""

    services = Services(
        "pyramid", add=pyramids.create_pyramid, change=pyramids.change_pyramid, remove=pyramids.remove_pyramid
    )
    list_display = ("name", "club", "moving")
    list_filter = (("club", ClubFilter),)
    list_select_related = ("club",)
    search_fields = ("name",)
    fixed = ("club",)
    prepopulated_fields = {"slug": ("name",)}
    fields = ("club", "name", "slug", "moving")
    acts = (
        Act(
            slug="next-season",
            title=gettext_lazy("Draft the next season"),
            intro=gettext_lazy(
                "Makes the divisions of the next season as drafts: the first of each go up, the last "
                "go down, settings stay. The next page shows who goes where."
            ),
            form=SeasonsForm,
            preview=_preview,
            run=_run,
            submit=gettext_lazy("Show who goes where"),
            offered=lambda pyramid: pyramid.events.exists(),
        ),
    )

    def links(self, request: HttpRequest, row: Pyramid) -> Sequence[PageLink]:
        events = f"{reverse('admin:league_event_changelist')}?pyramid__id__exact={row.pk}"
        return [PageLink(_("The divisions"), events)]
