"""The check-in page: one tap per entry, byes asked in advance, guests."""

from collections.abc import Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.acts.fields import NameField
from league.admin.acts import ActingAdmin, PageLink
from league.admin.scope import actor
from league.core.collation import name_key
from league.core.lifecycle import Doing, may
from league.draws.overdue import club_today
from league.draws.planning import asks_who_is_here
from league.errors import LeagueError
from league.events import presence
from league.matches.away import away_between
from league.models import Entry, Event, EventKind, Presence, PresenceState, RoundState
from league.policy import Permission
from league.record.locking import refused_when_crossed
from scoring.words.messages import translated


class ByesForm(forms.Form):
    """An entry, and the rounds it sits out."""

    entry = NameField(queryset=Entry.objects.none(), label=gettext_lazy("Entry"))
    numbers = forms.CharField(
        label=gettext_lazy("Rounds"),
        max_length=60,
        help_text=gettext_lazy("Their numbers, as in “3, 5”."),
        widget=forms.TextInput(attrs={"size": 12, "inputmode": "numeric"}),
    )

    def __init__(self, event: Event, data: Any = None) -> None:
        super().__init__(data, prefix="byes")
        field = self.fields["entry"]
        if isinstance(field, NameField):
            field.queryset = Entry.objects.filter(event=event, withdrawn_at=None)

    def clean_numbers(self) -> list[int]:
        """The round numbers, separated by commas or spaces."""
        words = self.cleaned_data["numbers"].replace(",", " ").split()
        if not words or not all(word.isdecimal() and len(word) <= 2 for word in words):
            raise forms.ValidationError(_("Write numbers of rounds, as in “3, 5”."))
        return [int(word) for word in words]


class GuestForm(forms.Form):
    """A guest who has just arrived."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=80)

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, prefix="guest")


@dataclass(frozen=True, slots=True)
class PresenceLine:
    """An entry on the page: its state, and the value posted by a tap on its name or on “bye”.

    `is_away` if one of its players has said that he cannot play on that day.
    """

    entry: Entry
    state: str
    says: str
    tap: str
    tap_bye: str
    is_away: bool

    @property
    def is_here(self) -> bool:
        """True if it would be paired."""
        return self.state == PresenceState.HERE

    @property
    def has_bye(self) -> bool:
        """True if it asked to sit the round out."""
        return self.state == PresenceState.BYE


class CheckInPage(ActingAdmin[Event]):
    """Adds the check-in page to the admin of events."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.check_in_view)
        return [path("<path:object_id>/check-in/", view, name="league_event_check_in"), *super().get_urls()]

    def check_in_links(self, row: Event) -> Sequence[PageLink]:
        """The link to the page, for events in which a round that is not published yet depends on it."""
        if not asks_who_is_here(row) or not may(row.state, Doing.CHECK_IN):
            return ()
        if not asks_who_is_here(row, 2) and row.rounds.exclude(state=RoundState.DRAFTED).exists():
            return ()
        return (PageLink(_("Who is here"), reverse("admin:league_event_check_in", args=[quote(row.pk)])),)

    def check_in_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Everybody who could play a round, and their presence; a tap changes it."""
        event = self.row_for(request, object_id, Permission.RECORD)
        number = _number(request, event)
        here = f"{reverse('admin:league_event_check_in', args=[quote(event.pk)])}?round={number}"
        posted = request.method == "POST"
        byes = ByesForm(event, request.POST if posted and "byes" in request.POST else None)
        guest = GuestForm(request.POST if posted and "guest" in request.POST else None)
        if posted:
            try:
                with refused_when_crossed():
                    done = self._do(request, event, number, byes, guest)
            except LeagueError as refusal:
                messages.error(request, translated(refusal.message))
                done = ""
            if not (byes.errors or guest.errors):
                if done:
                    messages.success(request, done)
                return HttpResponseRedirect(here)
        context = {
            **self.admin_site.each_context(request),
            **_shown(event, number),
            "title": _("Who is here in round %(number)d") % {"number": number},
            "subtitle": str(event),
            "opts": self.opts,
            "original": event,
            "back": reverse("admin:league_event_change", args=[quote(event.pk)]),
            "here": here,
            "by_themselves": reverse("event_check_in", args=[event.club.slug, event.slug]),
            "byes_form": byes if presence.takes_byes(event) else None,
            "guest_form": guest if self._takes_guests(request, event) else None,
            "media": self.media,
        }
        status = HTTPStatus.UNPROCESSABLE_ENTITY if byes.errors or guest.errors else HTTPStatus.OK
        return TemplateResponse(request, "admin/league/check_in.html", context, status=status)

    def _do(self, request: HttpRequest, event: Event, number: int, byes: ByesForm, guest: GuestForm) -> str:
        """Carry out what was posted; returns the message to show, "" where the page shows the change."""
        by = actor(request)
        if "everybody" in request.POST:
            count = presence.mark_everybody(actor=by, event=event, number=number)
            return ngettext("%d more is here.", "%d more are here.", count) % count
        if "byes" in request.POST:
            if not byes.is_valid():
                return ""
            asked = presence.ask_byes(actor=by, event=event, **byes.cleaned_data)
            return _("%(entry)s sits out: %(rounds)s.") % {
                "entry": byes.cleaned_data["entry"],
                "rounds": ", ".join(map(str, asked)),
            }
        if "guest" in request.POST:
            if not guest.is_valid():
                return ""
            entry = presence.add_guest(actor=by, event=event, number=number, name=guest.cleaned_data["name"])
            return _("%(entry)s plays as a guest.") % {"entry": entry}
        parts = request.POST.get("set", "").split(":")
        if len(parts) != 3 or (about := _round_number(parts[1])) is None:
            return ""
        chosen = next((entry for entry in event.entries.all() if str(entry.pk) == parts[0]), None)
        state = PresenceState(parts[2]) if parts[2] in PresenceState.values else None
        if chosen is not None:
            presence.set_presence(actor=by, event=event, entry=chosen, number=about, state=state)
        return ""

    def _takes_guests(self, request: HttpRequest, event: Event) -> bool:
        return (
            event.kind == EventKind.INDIVIDUAL
            and may(event.state, Doing.ENTER)
            and self.may(request, Permission.DIRECT, event)
        )


def _round_number(text: str) -> int | None:
    """A possible round number; None for anything else."""
    if not text.isdecimal() or len(text) > len(str(presence.MOST_ROUNDS)):
        return None
    return int(text) if 1 <= int(text) <= presence.MOST_ROUNDS else None


def _number(request: HttpRequest, event: Event) -> int:
    """The round the page is about: the one asked for, else the next to be paired or a draft."""
    asked = _round_number(request.GET.get("round", ""))
    if asked is not None:
        return asked
    return presence.number_to_check_in(event)


def _shown(event: Event, number: int) -> dict[str, Any]:
    entries = event.entries.filter(withdrawn_at=None, first_round__lte=number)
    known = dict(Presence.objects.filter(event=event, round_number=number).values_list("entry_id", "state"))
    dates = event.rounds.filter(number=number).values_list("date", flat=True)
    day = next(iter(dates), None) or club_today(event.club)
    away = away_between([entry.pk for entry in entries], day, day)
    lines = [
        _line(event, entry, number, known.get(entry.pk), is_away=entry.pk in away)
        for entry in sorted(entries, key=lambda entry: name_key(entry.name))
    ]
    later = Presence.objects.filter(event=event, round_number__gt=number, state=PresenceState.BYE)
    try:
        presence.check_number(event, number)
        closed = ""
    except LeagueError as refusal:
        closed = translated(refusal.message)
    most = presence.last_number(event)
    return {
        "lines": lines,
        "here_count": sum(line.is_here for line in lines),
        "bye_count": sum(line.has_bye for line in lines),
        "away_count": sum(line.state == PresenceState.AWAY for line in lines),
        "unknown_count": sum(line.entry.pk not in known for line in lines) if event.check_in else 0,
        "closed": closed,
        "later": later.select_related("entry").order_by("round_number", "entry__name"),
        "number": number,
        "earlier_round": number - 1 if number > 1 else None,
        "later_round": number + 1 if number < most else None,
    }


def _line(event: Event, entry: Entry, number: int, known: str | None, *, is_away: bool) -> PresenceLine:
    """With check-in everybody is away until marked present, without it present until marked away."""
    state = known or (PresenceState.AWAY if event.check_in else PresenceState.HERE)
    if state == PresenceState.HERE:
        # Back to the default.
        tapped = "" if event.check_in else PresenceState.AWAY.value
    else:
        tapped = PresenceState.HERE.value
    says = _("not here yet") if known is None and event.check_in else PresenceState(state).label
    return PresenceLine(
        entry=entry,
        state=state,
        says=str(says),
        tap=f"{entry.pk}:{number}:{tapped}",
        tap_bye=f"{entry.pk}:{number}:{'' if state == PresenceState.BYE else PresenceState.BYE.value}",
        is_away=is_away,
    )
