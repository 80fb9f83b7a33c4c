"""Those who want to play and have no place: approved, declined and moved by directors."""

from collections.abc import Callable, Sequence

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.acts import Act, ActForm, Data, ReasonForm
from league.acts.services import Services
from league.admin.acts import ActingAdmin, PageLink, change_link
from league.admin.scope import NewestFilter, club_time
from league.events import waiting
from league.models import Entry, EntryRequest, EventKind, Player, RequestState
from league.policy import Permission
from scoring.core.actors import Actor


class MoveForm(ActForm):
    """The place on the list."""

    place = forms.IntegerField(
        label=gettext_lazy("Place on the list"),
        min_value=1,
        max_value=9999,
        help_text=gettext_lazy("1 is the first to move up; those behind it move back."),
    )

    def prepare(self, row: EntryRequest) -> None:
        self.fields["place"].initial = 1


def _in(*states: RequestState) -> Callable[[EntryRequest], bool]:
    """Whether a request is in one of these states, and its event still gives places."""
    return lambda request: request.state in states and waiting.gives_places(request.event)


def _approve(by: Actor, request: EntryRequest, data: Data) -> str:
    done = waiting.approve_request(actor=by, request=request)
    if isinstance(done, Entry):
        return _("%(player)s is entered.") % {"player": request}
    return _("%(player)s is approved and waits for a place.") % {"player": request}


def _decline(by: Actor, request: EntryRequest, data: Data) -> str:
    waiting.decline_request(actor=by, request=request, reason=data["reason"])
    return _("%(player)s is declined.") % {"player": request}


def _move(by: Actor, request: EntryRequest, data: Data) -> str:
    place = waiting.move_request(actor=by, request=request, place=data["place"])
    return _("%(player)s is number %(place)d on the list.") % {"player": request, "place": place}


def _back_to_list(request: EntryRequest) -> str:
    """The list of its event, as the request may be gone."""
    return f"{reverse('admin:league_entryrequest_changelist')}?event__id__exact={request.event_id}"


@admin.register(EntryRequest)
class EntryRequestAdmin(ActingAdmin[EntryRequest]):
    """The lists of events, in order; rows come from the members, and go when they have a place.

    Of a team the player is its captain.
    """

    services = Services("request", remove=waiting.remove_request)
    read = Permission.DIRECT
    list_display = ("player", "team", "event", "position", "state", "asked")
    list_filter = (("event", NewestFilter), "state")
    list_select_related = ("event__club", "player")
    search_fields = ("player__name",)
    fields = ("event", "player", "team", "state", "kept", "position", "reason", "asked")
    acts = (
        Act(
            slug="approve",
            title=gettext_lazy("Approve"),
            intro=gettext_lazy("A free place is given at once; otherwise the player waits for one."),
            run=_approve,
            submit=gettext_lazy("Approve"),
            offered=_in(RequestState.ASKED, RequestState.DECLINED),
            leads_to=_back_to_list,
        ),
        Act(
            slug="decline",
            title=gettext_lazy("Decline"),
            intro=gettext_lazy("The player reads the reason on the event's page."),
            form=ReasonForm,
            run=_decline,
            submit=gettext_lazy("Decline"),
            offered=_in(*waiting.ON_THE_LIST),
            leads_to=_back_to_list,
        ),
        Act(
            slug="move",
            title=gettext_lazy("Move on the list"),
            form=MoveForm,
            run=_move,
            submit=gettext_lazy("Move"),
            offered=_in(*waiting.ON_THE_LIST),
            leads_to=_back_to_list,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[EntryRequest]:
        return super().get_queryset(request).prefetch_related("invitations__player")

    def rows_with(self, word: str) -> Q:
        players = Player.objects.filter(name__icontains=word).order_by().values("pk")
        return Q(player__in=players) | Q(team_name__icontains=word)

    @admin.display(description=gettext_lazy("team"))
    def team(self, request: EntryRequest) -> str:
        """The team's name, and what those have answered whom its captain has invited; – for a player."""
        if request.event.kind != EventKind.TEAM:
            return "–"
        answers = [f"{one.player}: {one.get_state_display()}" for one in request.invitations.all()]
        return "; ".join([*filter(None, [request.team_name]), *answers]) or _("nobody is invited yet")

    @admin.display(description=gettext_lazy("keeps its turn until"))
    def kept(self, request: EntryRequest) -> str:
        """Until when a team that is not complete keeps its turn, by the club's clock."""
        at = request.kept_until
        return "–" if at is None else club_time(at, request.event.club)

    @admin.display(description=gettext_lazy("asked at"), ordering="made_at")
    def asked(self, request: EntryRequest) -> str:
        """When, by the club's clock."""
        return club_time(request.made_at, request.event.club)

    def links(self, request: HttpRequest, row: EntryRequest) -> Sequence[PageLink]:
        return [change_link(_("The event"), row.event)]
