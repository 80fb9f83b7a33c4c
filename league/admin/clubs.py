"""Clubs, their officers, and seasons."""

import zoneinfo
from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts import Act, ActForm, Data, Preview, ReasonForm
from league.acts.services import Services
from league.admin import letters
from league.admin.acts import ActingAdmin, PageLink
from league.admin.inlines import ScopedInline, changed, deleted
from league.admin.scope import ClubFilter, actor, signed_in
from league.events import events
from league.models import (
    Club,
    Event,
    Match,
    Membership,
    NoticeKind,
    NoticeWay,
    Player,
    Role,
    Season,
    kinds_told,
)
from league.people import clubs
from league.people.removing_demo import belongings, entered_by_people, remove_demo
from league.policy import Permission, can, is_administrator, is_operator
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.templatetags.figures import grouped


class ClubForm(forms.ModelForm[Club]):
    """A club's settings; the time zone is a choice list."""

    time_zone = forms.ChoiceField(
        label=gettext_lazy("Time zone"),
        choices=lambda: [
            ("", "---------"),
            *((name, name) for name in sorted(zoneinfo.available_timezones())),
        ],
    )
    told_by_mail = forms.MultipleChoiceField(
        label=gettext_lazy("Told by mail"),
        choices=NoticeKind.choices,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=Club._meta.get_field("told_by_mail").help_text,
    )

    told_by_push = forms.MultipleChoiceField(
        label=gettext_lazy("Told on devices"),
        choices=[(kind.value, kind.label) for kind in kinds_told(NoticeWay.PUSH)],
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=Club._meta.get_field("told_by_push").help_text,
    )

    class Meta:
        model = Club
        fields = (
            "name",
            "slug",
            "place",
            "contact",
            "about",
            "colour",
            "time_zone",
            "column_order",
            "running_totals",
            "is_public",
            "is_indexed",
            "joining",
            "claiming",
            "has_learn_pages",
            "has_phrases",
            "rated_games",
            "told_by_mail",
            "told_by_push",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance._state.adding:
            self.initial["time_zone"] = ""


class MembershipInline(ScopedInline[Membership, Club]):
    """The club's officers and members; new ones are added by the act “Add an officer or member”."""

    model = Membership
    verbose_name_plural = gettext_lazy("officers and members")
    write = Permission.MANAGE
    fields = ("who", "role")
    readonly_fields = ("who",)
    ordering = ("user__username",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Names of accounts are the directors' to see."""
        return self._may(request, Permission.DIRECT, obj)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("user")

    @admin.display(description=gettext_lazy("user"))
    def who(self, membership: Membership) -> str:
        """The user's name, not as a link to the account."""
        name = membership.user.get_full_name()
        return f"{membership.user} ({name})" if name else str(membership.user)


class NewMemberForm(ActForm):
    """The user who gets an office."""

    username = forms.CharField(label=gettext_lazy("User name"), max_length=150)
    role = forms.ChoiceField(
        label=gettext_lazy("Office"),
        choices=Role.choices,
        initial=Role.SCOREKEEPER,
        help_text=gettext_lazy(
            "Owners manage the club. Directors run its events. Scorekeepers type and correct sheets. "
            "Members read its pages where the club is not public."
        ),
    )
    make_account = forms.BooleanField(
        label=gettext_lazy("Make an account where nobody has this user name"), required=False
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=150,
        required=False,
        help_text=gettext_lazy("Of a new account. Others read it beside what is entered."),
    )


def _add_member(by: Actor, club: Club, data: Data) -> str:
    made = clubs.add_member(
        actor=by,
        club=club,
        username=data["username"],
        role=Role(data["role"]),
        make_account=data["make_account"],
        name=data["name"],
    )
    names = {"user": made.membership.user, "role": made.membership.get_role_display()}
    if made.password is None:
        return _("The user %(user)s is %(role)s now.") % names
    return _(
        "The user %(user)s is %(role)s now. The password is %(password)s — it is shown this once; at the "
        "first sign-in another one has to be chosen."
    ) % {**names, "password": made.password}


class RemoveDemoForm(ReasonForm):
    """The reason, and that it is known that what people have entered goes too."""

    knows = forms.BooleanField(label=gettext_lazy("What people have entered here will go too"))

    def prepare(self, row: Club) -> None:
        entered = entered_by_people(row)
        if not entered:
            del self.fields["knows"]
            return
        self.fields["knows"].help_text = ngettext(
            "People have made %d entry in the demo, in its audit or on its sheets.",
            "People have made %d entries in the demo, in its audit or on its sheets.",
            entered,
        ) % (entered,)


def _preview_removal(club: Club, data: Data) -> Preview:
    found = belongings(club)
    rows = [
        [capfirst(kind._meta.verbose_name_plural), grouped(len(found.get(kind, ())))]
        for kind in (Player, Event, Match, Scoresheet, Membership)
    ]
    return Preview(
        [
            _("“%(club)s” will be removed with all that is in it. It cannot be brought back.")
            % {"club": club},
            _("Accounts will stay, without this club. The audit will say who removed it, and why."),
        ],
        [_("What"), _("Number")],
        rows,
    )


def _remove_demo(by: Actor, club: Club, data: Data) -> str:
    name = str(club)
    remove_demo(actor=by, club=club, reason=data["reason"])
    return _("“%(club)s” was removed with all that was in it.") % {"club": name}


@admin.register(Club)
class ClubAdmin(ActingAdmin[Club]):
    """Owners edit their club; only site administrators add and delete clubs."""

    services = Services("club", add=clubs.create_club, remove=clubs.remove_club)
    write = Permission.MANAGE
    form = ClubForm
    list_display = ("name", "slug", "time_zone", "is_public")
    search_fields = ("name", "slug")
    prepopulated_fields = {"slug": ("name",)}
    inlines = (MembershipInline,)
    acts = (
        letters.TO_MEMBERS,
        Act(
            slug="add-member",
            title=gettext_lazy("Add an officer or member"),
            form=NewMemberForm,
            run=_add_member,
            submit=gettext_lazy("Add"),
            permission=Permission.MANAGE,
        ),
        Act(
            slug="remove-demo",
            title=gettext_lazy("Remove the demo"),
            form=RemoveDemoForm,
            preview=_preview_removal,
            run=_remove_demo,
            submit=gettext_lazy("Remove it"),
            permission=Permission.MANAGE,
            offered=lambda club: club.is_demo,
            offered_to=lambda by, club: is_operator(by),
            leads_to=lambda club: reverse("admin:index"),
        ),
    )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return is_administrator(signed_in(request))

    def has_delete_permission(self, request: HttpRequest, obj: Club | None = None) -> bool:
        return is_administrator(signed_in(request))

    def links(self, request: HttpRequest, row: Club) -> Sequence[PageLink]:
        of_owners = [PageLink(_("Logo"), reverse("choose_logo", args=[row.slug]))]
        of_directors = [
            PageLink(_("Members and invitations"), reverse("members", args=[row.slug])),
            PageLink(_("Audit"), reverse("audit", args=[row.slug])),
        ]
        return [
            PageLink(_("The club's page"), reverse("club", args=[row.slug])),
            PageLink(_("Events"), f"{reverse('admin:league_event_changelist')}?club__id__exact={row.pk}"),
            PageLink(_("Players"), f"{reverse('admin:league_player_changelist')}?club__id__exact={row.pk}"),
            *(of_owners if can(signed_in(request), Permission.MANAGE, row) else []),
            *(of_directors if can(signed_in(request), Permission.DIRECT, row) else []),
        ]

    def change_row(
        self, request: HttpRequest, row: Club, data: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        by = actor(request)
        for formset in formsets:
            for form in changed(formset):
                membership: Membership = form.instance
                clubs.set_role(actor=by, club=row, user=membership.user, role=Role(form.cleaned_data["role"]))
            for membership in deleted(formset):
                clubs.remove_member(actor=by, membership=membership)
        clubs.change_club(actor=by, club=row, **data)


@admin.register(Season)
class SeasonAdmin(ActingAdmin[Season]):
    """A season of a club."""

    services = Services(
        "season", add=events.create_season, change=events.change_season, remove=events.remove_season
    )
    list_display = ("name", "club", "starts_on", "ends_on")
    list_filter = (("club", ClubFilter),)
    list_select_related = ("club",)
    search_fields = ("name",)
    fixed = ("club",)
    prepopulated_fields = {"slug": ("name",)}
    fields = ("club", "name", "slug", "starts_on", "ends_on")

    def links(self, request: HttpRequest, row: Season) -> Sequence[PageLink]:
        return [PageLink(_("The season's page"), reverse("season", args=[row.club.slug, row.slug]))]
