"""A club's house rules: made from a preset by changing knobs; every change makes a new version."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink
from league.admin.scope import ClubFilter, actor, club_time, own_rows, preselect_only_choice
from league.admin.writing import REFUSALS
from league.events import house_rules
from league.events.knob_fields import OFFERED, knob_fields, rules_from
from league.models import Club, ClubRules, Event
from league.pages.pages import place_refusal
from league.policy.naming import in_full
from scoring.core.actors import Actor
from scoring.core.errors import RulesError
from scoring.core.rule_differences import single_knobs
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.words.knob_words import PRESET_WORDS, knob_rows


class ChangeRulesForm(ActForm):
    """The name and every knob, initially as in the present version."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)

    def prepare(self, row: ClubRules | None) -> None:
        self.fields |= knob_fields()
        if row is not None:
            self.initial = {"name": row.rules.name, **single_knobs(row.rules.rules)}

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.errors:
            try:
                rules_from(self.cleaned_data)
            except RulesError as refusal:
                place_refusal(self, refusal)
        return cleaned

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The knob fields by group."""
        return [(title, [self[knob] for knob in knobs]) for title, knobs in OFFERED]


class NewRulesForm(ChangeRulesForm):
    """New house rules for one of the user's clubs, starting from a preset."""

    club = forms.ModelChoiceField(queryset=Club.objects.none(), label=gettext_lazy("Club"))

    field_order = ("club", "name")

    def __init__(self, request: HttpRequest, preset: str, data: Any = None) -> None:
        super().__init__(None, data)
        self.order_fields(self.field_order)
        self.offer("club", own_rows(request, Club, ClubRulesAdmin.write))
        preselect_only_choice(cast("forms.ModelChoiceField[Club]", self.fields["club"]))
        self.initial = single_knobs(Rules.preset(preset))


def _next_version(by: Actor, own: ClubRules, data: Data) -> str:
    own = house_rules.next_version(actor=by, club_rules=own, name=data["name"], rules=rules_from(data))
    return _("%(rules)s was made. Events keep the version they have.") % {"rules": own.rules}


@admin.register(ClubRules)
class ClubRulesAdmin(ActingAdmin[ClubRules]):
    """The club's list of house rules."""

    services = Services("club_rules", remove=house_rules.drop_club_rules)
    list_display = ("rules", "club", "version", "made_by")
    list_filter = (("club", ClubFilter),)
    list_select_related = ("club", "rules")
    search_fields = ("rules__name",)
    fields = ("club", "name", "version", "made_by", "is_shared", "knobs", "earlier", "used_by")
    readonly_fields = fields
    acts = (
        Act(
            slug="next-version",
            title=gettext_lazy("Make a new version"),
            intro=gettext_lazy(
                "Rules are never changed: this makes the next version. Events and sheets keep the version "
                "they have."
            ),
            form=ChangeRulesForm,
            run=_next_version,
            submit=gettext_lazy("Make the new version"),
            template="admin/league/house_rules.html",
        ),
    )

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The knobs of a preset, to be changed; `?preset=` names the one to start from."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        preset = request.GET.get("preset", "standard")
        form = NewRulesForm(request, preset if preset in PRESET_WORDS else "standard", request.POST or None)
        listed = reverse("admin:league_clubrules_changelist")
        if request.method == "POST" and form.is_valid():
            data = form.cleaned_data
            try:
                own = house_rules.make_club_rules(
                    actor=actor(request), club=data["club"], name=data["name"], rules=rules_from(data)
                )
            except REFUSALS as refusal:
                place_refusal(form, refusal)
            else:
                self.message_user(request, _("%(rules)s was made.") % {"rules": own})
                return HttpResponseRedirect(reverse("admin:league_clubrules_change", args=[own.pk]))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Make house rules"),
            "form": form,
            "presets": [(name, title) for name, (title, _school) in PRESET_WORDS.items()],
            "preset": preset,
            "opts": self.opts,
            "back": listed,
            "submit": _("Make these rules"),
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK
        return TemplateResponse(request, "admin/league/house_rules.html", context, status=status)

    @admin.display(description=gettext_lazy("name"))
    def name(self, own: ClubRules) -> str:
        """The name of the present version."""
        return own.rules.name

    @admin.display(description=gettext_lazy("version"))
    def version(self, own: ClubRules) -> int:
        """The version number."""
        return own.rules.version

    @admin.display(description=gettext_lazy("made by"))
    def made_by(self, own: ClubRules) -> str:
        """The author of the version, and the time."""
        return f"{in_full(own.club).author(own.rules)}, {club_time(own.rules.created_at, own.club)}"

    @admin.display(description=gettext_lazy("the rules"))
    def knobs(self, own: ClubRules) -> SafeString:
        """Every knob in words."""
        return format_html_join(
            "",
            '<table class="knobs"><caption>{}</caption><tbody>{}</tbody></table>',
            (
                (title, format_html_join("", '<tr><th scope="row">{}</th><td>{}</td></tr>', rows))
                for title, rows in knob_rows(own.rules.rules)
            ),
        )

    @admin.display(description=gettext_lazy("earlier versions"))
    def earlier(self, own: ClubRules) -> SafeString:
        """Earlier versions with their authors."""
        versions = list(
            HouseRules.objects.filter(code=own.rules.code, version__lt=own.rules.version).order_by("-version")
        )
        names = in_full(own.club)
        names.learn_authors(versions)
        return format_html_join(
            "",
            "<div>{}, {}, {}</div>",
            ((each, names.author(each), club_time(each.created_at, own.club)) for each in versions),
        ) or format_html("{}", _("none"))

    @admin.display(description=gettext_lazy("events by these rules"))
    def used_by(self, own: ClubRules) -> SafeString:
        """The club's events that use any version."""
        events = Event.objects.filter(club=own.club, rules__code=own.rules.code).select_related("rules")
        return format_html_join(
            "",
            '<div><a href="{}">{}</a> ({})</div>',
            ((reverse("admin:league_event_change", args=[each.pk]), each, each.rules) for each in events),
        ) or format_html("{}", _("none"))

    def links(self, request: HttpRequest, row: ClubRules) -> Sequence[PageLink]:
        return (
            PageLink(_("The rule sheet"), reverse("rules", args=[row.rules.code])),
            PageLink(_("All house rules of the club"), reverse("club_rules", args=[row.club.slug])),
        )
