"""Files in the admin: import in two steps (upload, confirmed preview), undoing an import, export as CSV."""

from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, Data, Preview
from league.admin.names import ShowsAuthor, names_for
from league.admin.scope import ClubFilter, actor, club_time, own_rows, signed_in
from league.admin.taking_over import TakesOver
from league.admin.writing import REFUSALS
from league.core.hand_files.problems import FileRefused
from league.core.hand_files.reading import LARGEST_FILE
from league.draws.formats import format_of
from league.errors import LeagueError
from league.files.applying import apply_import
from league.files.drafts import fingerprint, keep_draft, plan_of
from league.files.exporting import Export, export_hands, export_tables
from league.files.plans import ImportOptions
from league.files.trf import export_trf
from league.files.undoing import plan_undo, undo_import
from league.models import Club, Event, ImportBatch, ImportDraft
from league.pages.progress import new_key, progress_of
from league.policy import Permission
from league.record.locking import refused_when_crossed
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.documents.knobs import rules_from_text
from scoring.words.messages import translated


class UploadForm(forms.Form):
    """The file, its club, and what the import may create or correct."""

    club = forms.ModelChoiceField(Club.objects.none(), label=gettext_lazy("Club"))
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy(
            "CSV in UTF-8, a row for each hand; nothing happens before you have seen what."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,text/csv"}),
    )
    create = forms.BooleanField(
        label=gettext_lazy("Make the event and its people, or house rules, where they do not exist"),
        required=False,
    )
    rules = forms.CharField(
        label=gettext_lazy("Rules of a new event, or new house rules"),
        required=False,
        max_length=500,
        help_text=gettext_lazy(
            "A preset and knobs, as in preset=standard,columns=3 for a Hollywood sheet of three games."
        ),
        widget=forms.TextInput(attrs={"size": 60}),
    )
    season = forms.CharField(label=gettext_lazy("Season of a new event"), required=False, max_length=80)
    correct = forms.CharField(
        label=gettext_lazy("Correct deals that differ, because"),
        required=False,
        max_length=300,
        help_text=gettext_lazy("Empty: a deal that is stored differently is refused."),
        widget=forms.TextInput(attrs={"size": 60}),
    )

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if not self.data.get("create") and (self.data.get("rules") or self.data.get("season")):
            self.add_error("create", _("Rules and a season are for an event that is to be made."))
        return cleaned

    def options(self) -> ImportOptions:
        """The import options; raises a `ScoringError` for unreadable rules."""
        rules: Rules | None = None
        if self.cleaned_data["rules"].strip():
            rules = rules_from_text(self.cleaned_data["rules"])
        return ImportOptions(
            create=self.cleaned_data["create"],
            rules=rules,
            season=self.cleaned_data["season"].strip(),
            correct=self.cleaned_data["correct"].strip(),
        )


def _download(export: Export, name: str) -> HttpResponse:
    response = HttpResponse(
        ("\N{BYTE ORDER MARK}" + export.text).encode(), content_type="text/csv; charset=utf-8"
    )
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response


def _preview_undo(batch: ImportBatch, data: Data) -> Preview:
    said = _("The import of %(file)s will be undone.") % {"file": batch.file_name}
    return Preview([said, *plan_undo(batch).lines()])


def _undo(who: Actor, batch: ImportBatch, data: Data) -> str:
    undo_import(actor=who, batch=batch, progress=data["progress"].steps(batch.sheets))
    return _("The import of %(file)s is undone.") % {"file": batch.file_name}


@admin.register(ImportBatch)
class ImportBatchAdmin(ShowsAuthor, TakesOver):
    """Applied imports. "Add" uploads a file."""

    read = Permission.DIRECT
    list_display = ("file_name", "event_name", "club", "applied", "author", "deals", "undone")
    list_filter = (
        ("club", ClubFilter),
        ("undone_at", admin.EmptyFieldListFilter),
    )
    list_select_related = ("club",)
    search_fields = ("file_name", "event_name")
    fields = (
        "file_name",
        "club",
        "event",
        "event_name",
        "applied",
        "author",
        "hands",
        "deals",
        "sheets",
        "undone",
        "undone_by",
    )
    readonly_fields = fields
    acts = (
        Act(
            slug="undo",
            title=gettext_lazy("Undo this import"),
            intro=gettext_lazy("Takes the whole import back, as long as nothing was built on it."),
            submit=gettext_lazy("See what this would do"),
            preview=_preview_undo,
            run=_undo,
            long=True,
            offered=lambda batch: batch.undone_at is None,
        ),
    )

    @admin.display(description=gettext_lazy("undone by"))
    def undone_by(self, batch: ImportBatch) -> str:
        """The current name of who undid it; empty while the import stands."""
        return names_for(batch).author(batch, "undone_by")

    @admin.display(description=gettext_lazy("applied"), ordering="at")
    def applied(self, batch: ImportBatch) -> str:
        """When it was applied, by the club's clock."""
        return club_time(batch.at, batch.club)

    @admin.display(description=gettext_lazy("undone"), ordering="undone_at")
    def undone(self, batch: ImportBatch) -> str:
        """When it was undone, by the club's clock; "" if it was not."""
        return club_time(batch.undone_at, batch.club)

    def get_urls(self) -> list[URLPattern]:
        wrap = self.admin_site.admin_view
        own = [
            path("add/<int:draft_id>/", wrap(self.preview_view), name="league_importbatch_preview"),
            path("export/<int:event_id>/", wrap(self.export_view), name="league_importbatch_export"),
            path("tables/<int:club_id>/", wrap(self.tables_view), name="league_importbatch_tables"),
            path("trf/<int:event_id>/", wrap(self.trf_view), name="league_importbatch_trf"),
            *self.taking_urls(wrap),
        ]
        return [*own, *super().get_urls()]

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Check an uploaded file as a whole, then redirect to its preview or list every problem."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        return self.upload(
            request,
            UploadForm,
            title=_("Import hands"),
            largest=LARGEST_FILE,
            keep=keep_draft,
            preview="admin:league_importbatch_preview",
            take_over=reverse("admin:league_importbatch_take_over"),
        )

    def preview_view(self, request: HttpRequest, draft_id: int) -> HttpResponse:
        """Show what the file would do; on confirmation do it, provided that it would still do the same."""
        draft = get_object_or_404(
            ImportDraft.objects.select_related("club").exclude(options__has_key="kind"),
            pk=draft_id,
            user=signed_in(request),
        )
        if not own_rows(request, Club, Permission.DIRECT).filter(pk=draft.club_id).exists():
            raise Http404
        context = {**self.frame(request, _("Import %(file)s") % {"file": draft.file_name}), "draft": draft}
        status = HTTPStatus.OK
        try:
            plan = plan_of(draft)
            context |= {"plan": plan, "fingerprint": fingerprint(plan), "progress_key": new_key()}
            if request.method == "POST":
                if request.POST.get("fingerprint") == context["fingerprint"]:
                    steps = progress_of(request).steps(len(plan.work))
                    with refused_when_crossed():
                        batch = apply_import(actor=actor(request), plan=plan, progress=steps)
                    draft.delete()
                    return self._applied(request, batch)
                context["changed"] = True
                status = HTTPStatus.CONFLICT
        except FileRefused as refusal:
            context["problems"] = [translated(line) for line in refusal.lines()]
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        except REFUSALS as refusal:
            context["problems"] = [translated(refusal.message)]
            status = HTTPStatus.CONFLICT
        return TemplateResponse(request, "admin/league/import/preview.html", context, status=status)

    def export_view(self, request: HttpRequest, event_id: int) -> HttpResponse:
        """The hands of an event as a CSV download, with the byte order mark that spreadsheets need."""
        event = get_object_or_404(own_rows(request, Event, Permission.RECORD), pk=event_id)
        return _download(export_hands(event), slugify(event.slug) or "event")

    def tables_view(self, request: HttpRequest, club_id: int) -> HttpResponse:
        """The hands of a club's sheets outside events, as `export_view` has those of an event."""
        club = get_object_or_404(own_rows(request, Club, Permission.RECORD), pk=club_id)
        return _download(export_tables(club), f"{slugify(club.slug) or 'club'}-tables")

    def trf_view(self, request: HttpRequest, event_id: int) -> HttpResponse:
        """A Swiss as a download in FIDE's format, which says who is kept apart: for directors."""
        event = get_object_or_404(own_rows(request, Event, Permission.DIRECT), pk=event_id)
        if not format_of(event).writes_trf:
            raise Http404
        try:
            text = export_trf(event)
        except LeagueError as refusal:
            messages.error(request, translated(refusal.message))
            return HttpResponseRedirect(reverse("admin:league_event_change", args=[event.pk]))
        response = HttpResponse(text.encode(), content_type="text/plain; charset=utf-8")
        name = slugify(event.slug) or "event"
        response["Content-Disposition"] = f'attachment; filename="{name}.trf"'
        return response

    def _applied(self, request: HttpRequest, batch: ImportBatch | None) -> HttpResponse:
        if batch is None:
            messages.info(request, _("All of it was stored already; nothing was changed."))
            return HttpResponseRedirect(reverse("admin:league_importbatch_changelist"))
        messages.success(request, _("The file is imported."))
        return HttpResponseRedirect(reverse("admin:league_importbatch_change", args=[batch.pk]))
