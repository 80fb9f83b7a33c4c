"""The pages of acts (`league.acts`): a form, the preview if there is one, then the act itself.

Where the form asks nothing, the preview is the first page.

The preview also rehearses the act, that is, runs it and rolls it back, so that no page promises what its
confirmation would refuse.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any, Final, TypeVar

from django.contrib import messages
from django.contrib.admin.utils import quote, unquote
from django.db import transaction
from django.db.models import Model
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django_stubs_ext import StrOrPromise

from league.acts import Act, Data
from league.admin.progress import RehearsedError, RehearsedProgress
from league.admin.scope import actor
from league.admin.writing import REFUSALS, ServiceAdmin
from league.pages.pages import place_refusal
from league.pages.progress import new_key, progress_of
from league.policy import Permission
from league.record.locking import refused_when_crossed
from scoring.core.actors import Actor

M = TypeVar("M", bound=Model)

ACT_TEMPLATE: Final = "admin/league/act.html"


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link from a row's page to another page."""

    title: StrOrPromise
    url: str


def rehearse(act: Act[M], by: Actor, row: M, data: Data) -> None:
    """Run the act and roll it back; raises what running it would. A long one stops at its first write."""
    try:
        with transaction.atomic():
            act.run(by, row, {**data, "progress": RehearsedProgress()} if act.long else data)
            raise RehearsedError
    except RehearsedError:
        return


def change_link(title: StrOrPromise, row: Model) -> PageLink:
    """Return the link to the change page of another row."""
    name = f"admin:{row._meta.app_label}_{row._meta.model_name}_change"
    return PageLink(title, reverse(name, args=[quote(row.pk)]))


class ActingAdmin(ServiceAdmin[M]):
    """An admin whose rows have acts, and links to related pages."""

    acts: Sequence[Act[M]] = ()
    change_form_template = "admin/league/change_form.html"

    def row_context(self, request: HttpRequest, row: M) -> Mapping[str, Any]:
        """What the template of the row's page needs besides its form, acts and links."""
        return {}

    def offers(self, act: Act[M], row: M) -> bool:
        """Return whether the row's page shows the act to those who are permitted it."""
        return act.is_offered(row)

    def links(self, request: HttpRequest, row: M) -> Sequence[PageLink]:
        """Pages that belong to the row."""
        return ()

    def next_link(self, request: HttpRequest, row: M, acts: Mapping[str, PageLink]) -> PageLink | None:
        """The most likely next step, shown first on the row's page: an offered act (by slug) or a link."""
        return None

    def get_urls(self) -> list[URLPattern]:
        own = [
            path(
                f"<path:object_id>/{act.slug}/",
                self.admin_site.admin_view(partial(self.act_view, act=act)),
                name=self._act_name(act),
            )
            for act in self.acts
        ]
        return [*own, *super().get_urls()]

    def render_change_form(
        self,
        request: HttpRequest,
        context: dict[str, Any],
        add: bool = False,
        change: bool = False,
        form_url: str = "",
        obj: M | None = None,
    ) -> HttpResponse:
        if obj is not None and change:
            by = actor(request)
            acts = {
                act.slug: PageLink(
                    act.title_on(obj), reverse(f"admin:{self._act_name(act)}", args=[quote(obj.pk)])
                )
                for act in self.acts
                if self.may(request, act.permission, obj)
                and self.offers(act, obj)
                and act.offered_to(by, obj)
            }
            first = self.next_link(request, obj, acts)
            context |= {
                **self.row_context(request, obj),
                "next_link": first,
                "acts": [link for link in acts.values() if link != first],
                "links": self.links(request, obj),
                "may_read_history": self.may(request, Permission.DIRECT, obj),
            }
        return super().render_change_form(request, context, add, change, form_url, obj)

    def act_view(self, request: HttpRequest, object_id: str, act: Act[M]) -> HttpResponse:
        """The page of an act: its form, then the preview if it has one, then the act itself."""
        row = self.row_for(request, object_id, act.permission)
        back = reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_change", args=[quote(row.pk)])
        posted = request.method == "POST"
        form = act.form(row, request.POST if posted else None)
        asks = any(not bound.is_hidden for bound in form)
        if not posted and not asks and act.preview is not None and not act.template:
            form = act.form(row, {})
        preview = None
        if form.is_bound and form.is_valid():
            try:
                if act.preview is not None and "_confirm" not in request.POST:
                    preview = act.preview(row, form.cleaned_data)
                    again = self.get_object(request, unquote(object_id))
                    if again is not None:
                        with refused_when_crossed():
                            rehearse(act, actor(request), again, form.cleaned_data)
                else:
                    data = form.cleaned_data | ({"progress": progress_of(request)} if act.long else {})
                    # An act may call several services: all or nothing.
                    with refused_when_crossed(), transaction.atomic():
                        done = act.run(actor(request), row, data)
                    messages.success(request, done)
                    return HttpResponseRedirect(back if act.leads_to is None else act.leads_to(row))
            except REFUSALS as refusal:
                preview = None
                place_refusal(form, refusal)
        context = {
            **self.admin_site.each_context(request),
            "title": act.title_on(row),
            "subtitle": str(row),
            "act": act,
            "form": form,
            "fieldset_fields": [bound for bound in form if not bound.is_hidden],
            "preview": preview,
            "progress_key": new_key() if act.long and (preview or act.preview is None) else None,
            "original": row,
            "opts": self.opts,
            "back": back,
            "media": self.media + form.media,
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if posted and form.errors else HTTPStatus.OK
        return TemplateResponse(request, act.template or ACT_TEMPLATE, context, status=status)

    def _act_name(self, act: Act[M]) -> str:
        return f"{self.opts.app_label}_{self.opts.model_name}_{act.slug.replace('-', '_')}"
