"""The base of all league admin pages: officers see and change only their own clubs.

Permissions come from `league.policy`: holding an office is enough, and no Django permissions are granted.
Rows of other clubs do not exist for lists, addresses, choices and search.
"""

import datetime
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, Final, TypeVar, cast

from django import forms
from django.contrib.admin import ModelAdmin, RelatedFieldListFilter
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.contrib.auth.models import User
from django.db.models import Count, Exists, ForeignKey, IntegerField, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from games.models import BotMatch
from league.acts.fields import validate_day
from league.models import (
    Adjustment,
    AuditEntry,
    BotSchedule,
    Club,
    ClubRules,
    CutDecision,
    Entry,
    EntryRequest,
    Event,
    Exhibition,
    ForbiddenPair,
    ImportBatch,
    Match,
    Player,
    Pyramid,
    Round,
    Season,
    SeasonTable,
    Tie,
)
from league.policy import Permission, actor_of, clubs_where, events_seen, is_administrator, rounds_seen
from scoring.admin import LongList, ReadOnly
from scoring.core.actors import Actor
from scoring.models import HouseRules, Scoresheet

M = TypeVar("M", bound=Model)

# The path from a model to its club; sheets without a match use `FURTHER_PATHS`.
CLUB_PATHS: Final[Mapping[type[Model], str]] = {
    Club: "pk",
    Season: "club",
    SeasonTable: "club",
    Player: "club",
    Pyramid: "club",
    BotSchedule: "club",
    Exhibition: "club",
    ClubRules: "club",
    Event: "club",
    Entry: "event__club",
    EntryRequest: "event__club",
    ForbiddenPair: "event__club",
    Round: "event__club",
    Tie: "event__club",
    Match: "event__club",
    Adjustment: "event__club",
    CutDecision: "event__club",
    AuditEntry: "club",
    ImportBatch: "club",
    Scoresheet: "match__event__club",
    BotMatch: "sheet__match__event__club",
    User: "memberships__club",
}
FURTHER_PATHS: Final[Sequence[Mapping[type[Model], str]]] = (
    {Scoresheet: "former__club", BotMatch: "sheet__former__club"},
    {Scoresheet: "exhibition__club", BotMatch: "sheet__exhibition__club"},
)
# The paths from a model to its event and round, drafts of which only directors see.
_EVENT_PATHS: Final[Mapping[type[Model], str]] = {
    Event: "pk",
    Entry: "event",
    EntryRequest: "event",
    Round: "event",
    Tie: "event",
    Match: "event",
    Adjustment: "event",
    CutDecision: "event",
}
# Rows that a filter offers.
NEWEST: Final = 40
_ROUND_PATHS: Final[Mapping[type[Model], str]] = {Round: "pk", Match: "round"}


def signed_in(request: HttpRequest) -> User:
    """The user of an admin request; the admin lets nobody else through."""
    return cast(User, request.user)


def actor(request: HttpRequest) -> Actor:
    """The request's user as the author of a write."""
    return actor_of(signed_in(request))


def own_clubs(request: HttpRequest, permission: Permission) -> set[int]:
    """The ids of the clubs where the user has the permission; one query per request."""
    kept: dict[Permission, set[int]] = request.__dict__.setdefault("own_clubs", {})
    if permission not in kept:
        kept[permission] = set(clubs_where(signed_in(request), permission).values_list("pk", flat=True))
    return kept[permission]


def own_rows(request: HttpRequest, model: type[M], permission: Permission) -> QuerySet[M]:
    """The rows of a model that belong to clubs where the user has the permission.

    For users, those who hold an office in such a club; for house rules, those on such a club's list. Of a
    model that belongs to no club only administrators have any.
    """
    rows: QuerySet[M] = model._default_manager.all()
    clubs = clubs_where(signed_in(request), permission)
    if model is HouseRules:
        return rows.filter(pk__in=ClubRules.objects.filter(club__in=clubs).values("rules"))
    if is_administrator(signed_in(request)):
        return rows
    if model not in CLUB_PATHS:
        return rows.none()
    rows = rows.filter(in_clubs(model, clubs))
    return rows.distinct() if model is User else rows


class ClubScopedAdmin(LongList, ModelAdmin[M]):
    """The admin of a model of a club. `read` is needed to see its rows, `write` to add, change and delete."""

    read = Permission.RECORD
    write = Permission.DIRECT
    list_per_page = 50
    show_full_result_count = False
    view_on_site = False
    # Fields that are read-only once the row exists.
    fixed: Sequence[str] = ()

    class Media:
        css = {"all": ["league/admin.css"]}

    def get_list_display(self, request: HttpRequest) -> Any:
        """The columns; the club is one only if the user looks after several."""
        columns = super().get_list_display(request)
        return columns if self.has_several_clubs(request) else [name for name in columns if name != "club"]

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters = super().get_list_filter(request)
        if self.has_several_clubs(request):
            return filters
        return [each for each in filters if not (isinstance(each, tuple) and each[0] == "club")]

    def has_several_clubs(self, request: HttpRequest) -> bool:
        """Return whether the user looks after more than one club."""
        return len(own_clubs(request, self.read)) > 1

    def get_readonly_fields(self, request: HttpRequest, obj: M | None = None) -> Any:
        return (*super().get_readonly_fields(request, obj), *(() if obj is None else self.fixed))

    def get_prepopulated_fields(self, request: HttpRequest, obj: M | None = None) -> dict[str, Sequence[str]]:
        return super().get_prepopulated_fields(request, obj) if obj is None else {}

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[M], search_term: str
    ) -> tuple[QuerySet[M], bool]:
        """The rows found, each once: told apart by their ids, which is cheaper than by all columns."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        return (queryset.filter(pk__in=found.order_by().values("pk")) if may_repeat else found), False

    def get_queryset(self, request: HttpRequest) -> QuerySet[M]:
        rows = super().get_queryset(request)
        if is_administrator(signed_in(request)):
            return rows
        own = rows.filter(in_clubs(self.model, clubs_where(signed_in(request), self.read)))
        return own.filter(not_hidden(self.model, signed_in(request)))

    def _get_obj_does_not_exist_redirect(self, request: HttpRequest, opts: Any, object_id: str) -> Any:
        """Answer 404 instead of redirecting to the admin's index."""
        raise Http404

    def club_id(self, row: M) -> int | None:
        """The id of the row's club."""
        return club_id_of(row)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may(request, self.read, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may(request, self.write)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may(request, self.write, obj)

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        return self.may(request, self.write, obj)

    def may(self, request: HttpRequest, permission: Permission, obj: M | None = None) -> bool:
        """Return whether the user has the permission for the row, or in any club if no row is given."""
        if is_administrator(signed_in(request)):
            return True
        clubs = own_clubs(request, permission)
        return bool(clubs) if obj is None else self.club_id(obj) in clubs

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        plain_related_widget(field)
        if isinstance(field, forms.DateField) and not isinstance(field, forms.DateTimeField):
            field.validators.append(validate_day)
        if db_field.name == "slug" and field is not None:
            field.help_text = _("How the page's address ends: small letters, figures and hyphens.")
        return field

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField[Any] | None:
        kwargs.setdefault("queryset", self.choices(db_field, request))
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and db_field.name == "club":
            preselect_only_choice(field)
        elif field is not None and self.has_several_clubs(request):
            label_with_clubs(field)
        return field

    def choices(self, db_field: "ForeignKey[Any, Any]", request: HttpRequest) -> QuerySet[Any]:
        """The rows offered for a foreign key."""
        rows = own_rows(request, db_field.remote_field.model, self.write)
        return rows.filter(merged_into=None) if rows.model is Player else rows


class ReadOnlyAdmin(ReadOnly, ClubScopedAdmin[M]):
    """An admin that only shows."""

    change_form_template = "admin/league/read_only.html"


def plain_related_widget(field: Any, *, may_view: bool = True) -> None:
    """Leave only the links to add and to view beside a choice; changing and deleting have their own pages."""
    widget = getattr(field, "widget", None)
    if isinstance(widget, RelatedFieldWidgetWrapper):
        widget.can_change_related = widget.can_delete_related = False
        widget.can_view_related = widget.can_view_related and may_view


def club_time(moment: datetime.datetime | None, club: Club | None) -> str:
    """A time by the club's clock, as "2026-03-31 19:30"; "" for None."""
    if moment is None:
        return ""
    local = moment if club is None else moment.astimezone(club.zone)
    return f"{local:%Y-%m-%d %H:%M}"


class ChosenFilter(RelatedFieldListFilter):
    """A filter by a related row that also applies, and shows, when it is the only choice."""

    def has_output(self) -> bool:
        return bool(self.lookup_val) or super().has_output()

    @property
    def chosen(self) -> set[int]:
        """The ids that the address asks for."""
        return {int(key) for key in self.lookup_val or () if key.isascii() and key.isdigit()}


class ClubFilter(ChosenFilter):
    """A filter by the clubs whose rows are in the list, and by the chosen one, if the user may read it."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: ModelAdmin[Any]) -> Any:
        listed = model_admin.get_queryset(request).order_by().filter(**{self.field_path: OuterRef("pk")})
        clubs = clubs_where(signed_in(request), Permission.VIEW)
        found = clubs.filter(Q(pk__in=self.chosen) | Exists(listed)).order_by("name", "pk")
        return [(club.pk, str(club)) for club in found]


class NewestFilter(ChosenFilter):
    """A filter by the newest rows that the list refers to, and the chosen one.

    They are labelled with their club's name if there are several clubs. A site has thousands of events: older
    ones are found by their own list.
    """

    def field_choices(self, field: Any, request: HttpRequest, model_admin: ModelAdmin[Any]) -> Any:
        model = field.remote_field.model
        listed = model_admin.get_queryset(request).order_by().filter(**{self.field_path: OuterRef("pk")})
        rows = own_rows(request, model, cast("ClubScopedAdmin[Any]", model_admin).read).filter(
            not_hidden(model, signed_in(request))
        )
        rows = rows.select_related(CLUB_PATHS[model])
        found = list(rows.filter(Exists(listed)).order_by("-pk")[:NEWEST])
        found += rows.filter(pk__in=self.chosen - {row.pk for row in found})
        if len({row.club_id for row in found}) < 2:
            return [(row.pk, str(row)) for row in found]
        return sorted(((row.pk, f"{row.club}: {row}") for row in found), key=lambda choice: choice[1])


def label_with_clubs(field: forms.ModelChoiceField[Any]) -> None:
    """Label choices of events, seasons and rules with their club, and group them by it."""
    rows = field.queryset
    if rows is None or rows.model not in (Event, Season, HouseRules):
        return
    if rows.model is HouseRules:
        on_lists = ClubRules.objects.filter(rules__in=rows).order_by("club__name", "rules__name")
        clubs = dict(on_lists.values_list("rules", "club__name"))
    else:
        path = CLUB_PATHS[rows.model]
        clubs = dict(rows.order_by().values_list("pk", f"{path}__name"))
    field.choices = [
        *([("", field.empty_label)] if field.empty_label is not None else []),
        *sorted(
            ((row.pk, f"{clubs[row.pk]}: {row}" if row.pk in clubs else str(row)) for row in rows),
            key=lambda choice: choice[1],
        ),
    ]


def preselect_only_choice(field: forms.ModelChoiceField[Any]) -> None:
    """Preselect the only choice."""
    only = list(field.queryset[:2]) if field.queryset is not None else []
    if len(only) == 1:
        field.initial, field.empty_label = only[0], None


def in_clubs(model: type[Model], clubs: QuerySet[Club]) -> Q:
    """A condition for the rows of a model that belong to one of these clubs."""
    paths = [paths[model] for paths in (CLUB_PATHS, *FURTHER_PATHS) if model in paths]
    return reduce(or_, (Q(**{f"{path}__in": clubs}) for path in paths))


def not_hidden(model: type[Model], user: User) -> Q:
    """A condition for the rows of a model that no draft event, round or bracket hides from the user."""
    seen = Q()
    if model in _EVENT_PATHS:
        seen &= Q(**{f"{_EVENT_PATHS[model]}__in": events_seen(user)})
    if model in _ROUND_PATHS:
        seen &= Q(**{f"{_ROUND_PATHS[model]}__in": rounds_seen(user)})
    if model is Tie:
        # A tie without a round is visible once any round of the bracket is.
        begun = Tie.objects.filter(round__in=rounds_seen(user)).values("event")
        seen &= Q(round__in=rounds_seen(user)) | Q(round=None, event__in=begun)
    return seen


def club_id_of(row: Model) -> int | None:
    """The id of the club a row belongs to, along `CLUB_PATHS` and `FURTHER_PATHS`."""
    for paths in (CLUB_PATHS, *FURTHER_PATHS):
        if type(row) not in paths:
            continue
        *way, last = paths[type(row)].split("__")
        step: Any = row
        for name in way:
            step = getattr(step, name, None)
        if step is not None:
            return cast("int | None", getattr(step, "pk" if last == "pk" else f"{last}_id", None))
    return None


def count_of(model: type[Model], key: str, *conditions: Q) -> Coalesce:
    """An annotation that counts the rows of a model whose `key` points here."""
    rows = model._default_manager.filter(*conditions, **{key: OuterRef("pk")}).order_by().values(key)
    return Coalesce(Subquery(rows.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), 0)
