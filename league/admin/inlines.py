"""Inlines limited to the officer's clubs; the services of the page's admin write their rows."""

from collections.abc import Iterator
from typing import Any, TypeVar

from django.contrib.admin import TabularInline
from django.db.models import ForeignKey, Model
from django.http import HttpRequest

from league.admin.scope import club_id_of, own_clubs, own_rows, plain_related_widget, signed_in
from league.models import Player
from league.policy import Permission, is_administrator

M = TypeVar("M", bound=Model)
P = TypeVar("P", bound=Model)


class ScopedInline(TabularInline[M, P]):
    """An inline that whoever may change its parent may change."""

    write = Permission.DIRECT
    extra = 0

    def _may(self, request: HttpRequest, permission: Permission, parent: Any) -> bool:
        if is_administrator(signed_in(request)):
            return True
        clubs = own_clubs(request, permission)
        return bool(clubs) if parent is None or parent.pk is None else club_id_of(parent) in clubs

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, Permission.RECORD, obj)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.write, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.write, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, self.write, obj)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        plain_related_widget(field, may_view=False)
        return field

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        rows = own_rows(request, db_field.remote_field.model, self.write)
        kwargs["queryset"] = rows.filter(merged_into=None) if rows.model is Player else rows
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


def added(formset: Any) -> Iterator[Any]:
    """The filled-in new forms of an inline, in order."""
    for form in formset.extra_forms:
        if form.has_changed() and form not in formset.deleted_forms:
            yield form


def changed(formset: Any) -> Iterator[Any]:
    """The forms of stored rows that were changed and not marked for deletion."""
    for form in formset.initial_forms:
        if form.has_changed() and form not in formset.deleted_forms:
            yield form


def deleted(formset: Any) -> Iterator[Any]:
    """The stored rows marked for deletion."""
    for form in formset.initial_forms:
        if form in formset.deleted_forms:
            yield form.instance


def present(formset: Any) -> Iterator[Any]:
    """The forms of all rows that remain, in order: stored ones first, then new ones."""
    for form in formset.forms:
        if form not in formset.deleted_forms and (form.instance.pk is not None or form.has_changed()):
            yield form
