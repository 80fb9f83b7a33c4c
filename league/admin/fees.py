"""The fees of an event: one tap per entry, and the same page on paper."""

from collections.abc import Sequence
from http import HTTPStatus

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _

from league.admin.acts import ActingAdmin, PageLink
from league.admin.scope import actor, club_time
from league.core.lifecycle import Doing, may
from league.errors import LeagueError
from league.events.fees import fee_list, note_fee
from league.models import Event
from league.policy import Permission
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


class FeesPage(ActingAdmin[Event]):
    """Adds the page of fees to the admin of events."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.fees_view)
        return [path("<path:object_id>/fees/", view, name="league_event_fees"), *super().get_urls()]

    def fee_links(self, row: Event) -> Sequence[PageLink]:
        """The link to the page, for events with a fee."""
        if not row.fee:
            return ()
        return (PageLink(_("Fees"), reverse("admin:league_event_fees", args=[quote(row.pk)])),)

    def fees_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Who has paid the fee and who owes it; a tap changes it, printing leaves the taps out."""
        event = self.row_for(request, object_id, Permission.RECORD)
        here = reverse("admin:league_event_fees", args=[quote(event.pk)])
        refused = False
        if request.method == "POST":
            try:
                with refused_when_crossed():
                    self._note(request, event)
                return HttpResponseRedirect(here)
            except LeagueError as refusal:
                refused = True
                messages.error(request, translated(refusal.message))
        told = fee_list(event)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Fees"),
            "subtitle": str(event),
            "opts": self.opts,
            "original": event,
            "back": reverse("admin:league_event_change", args=[quote(event.pk)]),
            "here": here,
            "owing": told.owing,
            "paid": [(entry, club_time(entry.paid_at, event.club)) for entry in told.paid],
            "is_open": bool(event.fee) and may(event.state, Doing.FEES),
            "media": self.media,
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
        return TemplateResponse(request, "admin/league/fees.html", context, status=status)

    def _note(self, request: HttpRequest, event: Event) -> None:
        """Note what was tapped: the key of an entry under `paid` or `owes`; nothing for anything else."""
        for name, is_paid in (("paid", True), ("owes", False)):
            key = request.POST.get(name, "")
            entry = next((entry for entry in event.entries.all() if str(entry.pk) == key), None)
            if entry is not None:
                note_fee(actor=actor(request), entry=entry, is_paid=is_paid)
