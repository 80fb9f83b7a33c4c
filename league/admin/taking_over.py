"""Taking a tournament over from FIDE's Tournament Report File: upload, preview with its players, yes."""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.admin.scope import actor, own_rows, signed_in
from league.admin.uploading import TakesFiles
from league.admin.writing import REFUSALS
from league.core.collation import name_key
from league.core.hand_files.problems import FileRefused
from league.core.trf_reading import LARGEST_TRF
from league.errors import LeagueError
from league.files.drafts import TAKING, fingerprint, keep_taking, taking_of
from league.files.taking_over import TakenPlayer, TakingOptions, apply_taking
from league.models import Club, ImportBatch, ImportDraft, Player
from league.policy import Permission
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated

# A choice among the whole club for every player of the file; a longer page offers who is found.
_MOST_CHOICES: Final = 20_000
_MOST_FIELDS: Final = 500


class TakingForm(forms.Form):
    """The file, its club, and what its event is."""

    club = forms.ModelChoiceField(Club.objects.none(), label=gettext_lazy("Club"))
    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("FIDE's TRF16, or that of 2026; nothing happens before you have seen what."),
        widget=forms.ClearableFileInput(attrs={"accept": ".trf,.trfx,.txt,text/plain"}),
    )
    name = forms.CharField(
        label=gettext_lazy("Name of the event"),
        required=False,
        max_length=80,
        help_text=gettext_lazy("Empty: the file's."),
    )
    season = forms.CharField(label=gettext_lazy("Season"), required=False, max_length=80)

    def options(self) -> TakingOptions:
        """The options of the plan."""
        said = self.cleaned_data
        return TakingOptions(season=said["season"].strip(), name=said["name"].strip())


class TakesOver(TakesFiles):
    """The two pages, for the administration of imports."""

    def taking_urls(self, wrap: Any) -> list[URLPattern]:
        """Their addresses."""
        return [
            path("take-over/", wrap(self.taking_view), name="league_importbatch_take_over"),
            path("take-over/<int:draft_id>/", wrap(self.taken_view), name="league_importbatch_taking"),
        ]

    def taking_view(self, request: HttpRequest) -> HttpResponse:
        """Check an uploaded file, then redirect to its preview or list every problem."""
        if not own_rows(request, Club, Permission.DIRECT).exists():
            raise PermissionDenied
        return self.upload(
            request,
            TakingForm,
            title=_("Take over a tournament"),
            largest=LARGEST_TRF,
            keep=keep_taking,
            preview="admin:league_importbatch_taking",
        )

    def taken_view(self, request: HttpRequest, draft_id: int) -> HttpResponse:
        """Show what would be entered and who is who; on confirmation enter it."""
        draft = get_object_or_404(
            ImportDraft.objects.select_related("club"),
            pk=draft_id,
            user=signed_in(request),
            options__kind=TAKING,
        )
        if not own_rows(request, Club, Permission.DIRECT).filter(pk=draft.club_id).exists():
            raise Http404
        context = {**self.frame(request, _("Take over %(file)s") % {"file": draft.file_name})}
        status = HTTPStatus.OK
        try:
            plan = taking_of(draft)
            context |= {"plan": plan, "fingerprint": fingerprint(plan)}
            context |= _who_is_who(plan.club, plan.players, request.POST)
            if request.method == "POST":
                if request.POST.get("fingerprint") == context["fingerprint"]:
                    chosen = _chosen(plan.club, plan.players, request.POST)
                    plan = taking_of(draft, chosen)
                    with refused_when_crossed():
                        batch = apply_taking(actor=actor(request), plan=plan)
                    draft.delete()
                    return self._taken(request, batch)
                context["changed"] = True
                status = HTTPStatus.CONFLICT
        except FileRefused as refusal:
            context["problems"] = [translated(line) for line in refusal.lines()]
            status = HTTPStatus.UNPROCESSABLE_ENTITY
        except REFUSALS as refusal:
            context["refusal"] = translated(refusal.message)
            status = HTTPStatus.CONFLICT
        return TemplateResponse(request, "admin/league/import/taking.html", context, status=status)

    def _taken(self, request: HttpRequest, batch: ImportBatch) -> HttpResponse:
        entries = len(batch.created["entry"])
        said = ngettext(
            "“%(event)s” is taken over: %(count)d player.",
            "“%(event)s” is taken over: %(count)d players.",
            entries,
        )
        messages.success(request, said % {"event": batch.event_name, "count": entries})
        return HttpResponseRedirect(reverse("admin:league_importbatch_change", args=[batch.pk]))


def _who_is_who(club: Club, players: Sequence[TakenPlayer], posted: Mapping[str, Any]) -> Mapping[str, Any]:
    """The rows of the table of players: each with its choices, among the people of the club."""
    people = sorted(
        Player.objects.filter(club=club, merged_into=None, erased_at=None, strategy=""),
        key=lambda player: name_key(player.name),
    )
    is_whole = len(people) * len(players) <= _MOST_CHOICES and len(players) <= _MOST_FIELDS
    rows: list[dict[str, Any]] = []
    for each in players:
        found = "" if each.player is None else str(each.player.pk)
        offered = people if is_whole else [each.player] if each.player is not None else []
        rows.append(
            {
                "player": each.read,
                "field": _field(each),
                "value": posted.get(_field(each), found),
                "is_found": bool(found),
                "offered": [(str(player.pk), str(player)) for player in offered],
            }
        )
    return {"rows": rows, "offers_all": is_whole}


def _chosen(
    club: Club, players: Sequence[TakenPlayer], posted: Mapping[str, Any]
) -> Mapping[int, Player | None]:
    """The people chosen, by start number; refuses (`invalid`) what is nobody of the club."""
    wanted = {each.read.number: posted[_field(each)] for each in players if _field(each) in posted}
    ids = {int(key) for key in wanted.values() if key.isascii() and key.isdecimal() and len(key) < 19}
    people = {str(player.pk): player for player in Player.objects.filter(club=club, pk__in=ids)}
    if any(key and key not in people for key in wanted.values()):
        raise LeagueError("invalid", _("Choose only players of %(club)s.") % {"club": club}, field="players")
    return {number: people.get(key) for number, key in wanted.items()}


def _field(each: TakenPlayer) -> str:
    return f"player-{each.read.number}"
