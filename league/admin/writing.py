"""Admin pages that write through services and show a service's refusal beside its field."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.acts.services import Services
from league.admin.scope import ClubScopedAdmin, actor, club_time
from league.errors import LeagueError
from league.models import AuditEntry
from league.pages.pages import place_refusal
from league.policy import Permission
from league.policy.naming import Names
from league.record.audit_words import action_words, fact_list
from league.record.locking import refused_when_crossed
from scoring.core.errors import ScoringError
from scoring.words.messages import translated

M = TypeVar("M", bound=Model)

Refusal = LeagueError | ScoringError
REFUSALS = (LeagueError, ScoringError)


class ServiceAdmin(ClubScopedAdmin[M]):
    """Adds, changes and deletes through `services`, called by `add_row`, `change_row` and `remove_row`.

    These are overridden where a service wants more than the fields of the form. An operation without service
    whose method is not overridden is forbidden. A refusal rolls everything back and shows the form again as
    typed, with the message beside its field.
    """

    actions = None
    services: Services[M] = Services()

    def add_row(self, request: HttpRequest, data: dict[str, Any], formsets: Sequence[Any]) -> M:
        """Call the service that adds a row."""
        return self.services.added(actor(request), data)

    def change_row(
        self, request: HttpRequest, row: M, changed: dict[str, Any], formsets: Sequence[Any]
    ) -> None:
        """Call the services that change a row; `changed` contains only the fields that were changed."""
        self.services.changed(actor(request), row, changed)

    def remove_row(self, request: HttpRequest, row: M) -> None:
        """Call the service that deletes a row."""
        self.services.removed(actor(request), row)

    def has_add_permission(self, request: HttpRequest) -> bool:
        does = self.services.add is not None or self._overrides("add_row", "add_view")
        return does and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        does = self.services.change is not None or self._overrides("change_row")
        return does and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: M | None = None) -> bool:
        does = self.services.remove is not None or self._overrides("remove_row")
        return does and super().has_delete_permission(request, obj)

    def _overrides(self, *names: str) -> bool:
        return any(getattr(type(self), name) is not getattr(ServiceAdmin, name) for name in names)

    def row_for(self, request: HttpRequest, object_id: str, permission: Permission) -> M:
        """The row with this quoted id, if the user has the permission for it; else 403 or 404."""
        if not self.may(request, permission):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        if not self.may(request, permission, row):
            raise PermissionDenied
        return row

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        try:
            with refused_when_crossed():
                answer = super().changeform_view(request, object_id, form_url, extra_context)
        except REFUSALS as refusal:
            # Nothing was written. The second pass validates a form that contains the refusal, and shows it.
            request.__dict__["refusal"] = refusal
            answer = super().changeform_view(request, object_id, form_url, extra_context)
        if request.method == "POST" and answer.status_code == HTTPStatus.OK:
            # The form is shown again with its errors.
            answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
        return answer

    def get_form(
        self, request: HttpRequest, obj: M | None = None, change: bool = False, **kwargs: Any
    ) -> type[forms.ModelForm[M]]:
        form = super().get_form(request, obj, change=change, **kwargs)
        if "refusal" not in request.__dict__:
            return form
        refusal: Refusal = request.__dict__["refusal"]

        class RefusedWrite(form):  # type: ignore[valid-type, misc]
            def clean(self) -> dict[str, Any] | None:
                cleaned: dict[str, Any] | None = super().clean()
                place_refusal(self, refusal)
                return cleaned

        return RefusedWrite

    def save_model(self, request: HttpRequest, obj: M, form: Any, change: bool) -> None:
        """Write nothing: `save_related` calls the service, once the inlines are known."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        for formset in formsets:
            formset.new_objects, formset.changed_objects, formset.deleted_objects = [], [], []
        if change:
            changed = {name: form.cleaned_data[name] for name in form.changed_data}
            self.change_row(request, form.instance, changed, formsets)
        else:
            form.instance.pk = self.add_row(request, dict(form.cleaned_data), formsets).pk
            form.instance._state.adding = False

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            with refused_when_crossed():
                return super().delete_view(request, object_id, extra_context)
        except REFUSALS as refusal:
            messages.error(request, translated(refusal.message))
            return HttpResponseRedirect(
                reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[object_id])
            )

    def delete_model(self, request: HttpRequest, obj: M) -> None:
        self.remove_row(request, obj)

    def get_deleted_objects(
        self, objs: Sequence[Any] | QuerySet[Any], request: HttpRequest
    ) -> tuple[list[Any], dict[Any, Any], set[Any], list[Any]]:
        """Only the row itself: services refuse to delete rows that others depend on."""
        return [str(obj) for obj in objs], {self.opts.verbose_name_plural: len(objs)}, set(), []

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The audit entries of the row, for those who may read the audit; replaces the admin's own log."""
        row = self.row_for(request, object_id, Permission.DIRECT)
        notes = AuditEntry.objects.filter(object_type=self.opts.model_name, object_id=str(row.pk))
        notes = notes.select_related("club")
        names = Names(self.club_id(row), covered=False)
        shown = list(notes[:200])
        names.learn_authors(shown)
        context = {
            **self.admin_site.each_context(request),
            "title": _("History: %s") % row,
            "notes": [
                {
                    "at": club_time(note.at, note.club),
                    "who": names.author(note),
                    "what": action_words(note.action),
                    "before": fact_list(note.object_type, note.before, names),
                    "after": fact_list(note.object_type, note.after, names),
                    "reason": note.reason,
                }
                for note in shown
            ],
            "original": row,
            "opts": self.opts,
        }
        return TemplateResponse(request, "admin/league/history.html", context)
