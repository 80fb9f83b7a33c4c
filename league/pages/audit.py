"""A club's audit log: a page with filters, and the same as CSV."""

import csv
import datetime
import io
from http import HTTPStatus
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from league.core.hand_files.cells import guarded
from league.models import Club
from league.pages.pages import csv_file, directed_club, makes_paper, page, page_asked
from league.policy.naming import AS_WRITTEN
from league.record.audit_words import action_words, fact_list, facts_in_words
from league.upkeep.audit_lists import (
    AuditFilters,
    AuditLine,
    act_on_sheet,
    actions_of,
    audit_lines,
    audit_page,
)

DOORS: Final = (
    ("", gettext_lazy("anywhere")),
    ("page", gettext_lazy("a page")),
    ("admin", gettext_lazy("the administration")),
    ("api", gettext_lazy("the API")),
    ("table", gettext_lazy("a table")),
    ("none", gettext_lazy("the machine itself")),
)
_COLUMNS: Final = (
    gettext_lazy("When"),
    gettext_lazy("Who"),
    gettext_lazy("What"),
    gettext_lazy("Of what"),
    gettext_lazy("Reason"),
    gettext_lazy("Through"),
    gettext_lazy("Address"),
    gettext_lazy("Before"),
    gettext_lazy("After"),
    gettext_lazy("Code of the act"),
    gettext_lazy("Kind of author"),
)


class AuditForm(forms.Form):
    """The filters of the list."""

    who = forms.CharField(label=gettext_lazy("Who"), max_length=80, required=False)
    action = forms.ChoiceField(label=gettext_lazy("What"), required=False)
    of = forms.CharField(label=gettext_lazy("Of what"), max_length=80, required=False)
    since = forms.DateField(
        label=gettext_lazy("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=gettext_lazy("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    door = forms.ChoiceField(label=gettext_lazy("Through"), choices=DOORS, required=False)
    address = forms.GenericIPAddressField(label=gettext_lazy("Address"), required=False)

    def __init__(self, club: Club, data: Any) -> None:
        super().__init__(data)
        field = self.fields["action"]
        if isinstance(field, forms.ChoiceField):
            field.choices = [("", _("anything")), *((name, what_words(name)) for name in actions_of(club))]

    @property
    def asked(self) -> AuditFilters:
        """The filters of a valid form."""
        data = self.cleaned_data
        return AuditFilters(**data | {"address": data["address"] or None})


def what_words(action: str) -> str:
    """An action in words, including acts on sheets."""
    kind = act_on_sheet(action)
    return action_words(action) if kind is None else _("sheet: %(what)s") % {"what": kind.label}


@require_safe
def audit(request: HttpRequest, club: str) -> HttpResponse:
    """The audit, paginated. A 404 for all but directors of the club; 422 for invalid filters."""
    shown = directed_club(request, club)
    form = AuditForm(shown, request.GET)
    context: dict[str, Any] = {"form": form, "lines": []}
    if form.is_valid():
        with timezone.override(shown.zone):
            found, lines = audit_page(shown, form.asked, page_asked(request))
        query = request.GET.copy()
        query.pop("page", None)
        context |= {"found": found, "lines": [_shown(line) for line in lines], "query": query.urlencode()}
    answer = page(request, "league/audit.html", context, club=shown)
    if form.errors:
        answer.status_code = HTTPStatus.UNPROCESSABLE_ENTITY
    return answer


@makes_paper
@require_safe
def audit_csv(request: HttpRequest, club: str) -> HttpResponse:
    """The filtered audit as CSV; 422 with the errors for invalid filters."""
    shown = directed_club(request, club)
    form = AuditForm(shown, request.GET)
    if not form.is_valid():
        message = "; ".join(
            f"{form[name].label}: {' '.join(map(str, errors))}" for name, errors in form.errors.items()
        )
        return HttpResponse(message, status=HTTPStatus.UNPROCESSABLE_ENTITY, content_type="text/plain")
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(map(str, _COLUMNS))
    with timezone.override(shown.zone):
        for line in audit_lines(shown, form.asked):
            writer.writerow([guarded(cell) for cell in _cells(line)])
    return csv_file(f"{shown.slug}-audit", file.getvalue(), club=shown)


def _shown(line: AuditLine) -> dict[str, Any]:
    """A line as the template prints it."""
    return {
        "line": line,
        "what": what_words(line.action),
        "door": _door_words(line.door),
        "before": fact_list(line.of_type, line.before, AS_WRITTEN),
        "after": fact_list(line.of_type, line.after, AS_WRITTEN),
    }


def _door_words(door: str) -> str:
    return str(dict(DOORS).get(door or "none", door))


def _cells(line: AuditLine) -> list[str]:
    before, after = (
        "; ".join(f"{title}: {words}" for title, words in facts_in_words(line.of_type, facts, AS_WRITTEN))
        for facts in (line.before, line.after)
    )
    at = line.at.astimezone(datetime.UTC).isoformat(timespec="seconds")
    through, address = _door_words(line.door), line.address or ""
    said = [at, line.who, what_words(line.action), line.of, line.reason, through, address, before, after]
    return [*said, line.action, line.who_kind]
