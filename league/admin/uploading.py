"""What the pages share that take a file in: the upload, checked as a whole before anything is previewed."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from league.admin.acts import ActingAdmin
from league.admin.scope import own_rows, signed_in
from league.admin.writing import REFUSALS
from league.core.hand_files.problems import FileRefused
from league.models import Club, ImportBatch, ImportDraft
from league.pages.pages import place_refusal
from league.policy import Permission
from scoring.words.messages import translated


class TakesFiles(ActingAdmin[ImportBatch]):
    """The page of an upload, for the administration of imports."""

    def upload(
        self,
        request: HttpRequest,
        form_class: Callable[..., forms.Form],
        *,
        title: str,
        largest: int,
        keep: Callable[..., ImportDraft],
        preview: str,
        **more: str,
    ) -> HttpResponse:
        """Have an uploaded file of `largest` bytes at most kept as a draft, then lead to its `preview`.

        Else list every problem. The form has a `club`, a `file` and `options`.
        """
        posted = request.method == "POST"
        form: Any = form_class(request.POST if posted else None, request.FILES if posted else None)
        clubs = own_rows(request, Club, Permission.DIRECT)
        form.fields["club"].queryset = clubs
        if len(only := clubs[:2]) == 1:
            form.fields["club"].initial = only[0]
        problems: list[str] = []
        status = HTTPStatus.UNPROCESSABLE_ENTITY if posted else HTTPStatus.OK
        if posted and form.is_valid():
            upload = form.cleaned_data["file"]
            if upload.size > largest:
                size = largest // 1_000_000
                form.add_error("file", _("The file is larger than %(size)d MB.") % {"size": size})
                status = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
            else:
                try:
                    draft = keep(
                        user=signed_in(request),
                        club=form.cleaned_data["club"],
                        data=upload.read(),
                        file_name=upload.name,
                        options=form.options(),
                    )
                    return HttpResponseRedirect(reverse(preview, args=[draft.pk]))
                except FileRefused as refusal:
                    problems = [translated(line) for line in refusal.lines()]
                except REFUSALS as refusal:
                    place_refusal(form, refusal)
        context = {
            **self.frame(request, title),
            "form": form,
            "fields": list(form),
            "problems": problems,
            **more,
        }
        return TemplateResponse(request, "admin/league/import/upload.html", context, status=status)

    def frame(self, request: HttpRequest, title: str) -> dict[str, Any]:
        """What every page of an import shows around itself."""
        return {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "media": self.media,
            "back": reverse("admin:league_importbatch_changelist"),
        }
