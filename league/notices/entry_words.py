"""What notices say of entries: a place that became free, invitations, teams, and events that take entries."""

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from league.models import (
    Entry,
    EntryRequest,
    Event,
    EventState,
    InvitationState,
    PartnerInvitation,
    RequestState,
)
from league.notices.choices import clubs_of
from league.notices.saying import Said, Told, clock, event_page


def of_place(told: Told) -> Said | None:
    """That the reader has got a place that became free."""
    event = told.event
    entered = Entry.objects.filter(pk__in=told.own, withdrawn_at=None)
    if event.state not in (EventState.OPEN, EventState.RUNNING) or not entered.exists():
        return None
    title = _("You have a place in %(event)s") % {"event": event.name}
    line = _("A place became free in “%(event)s”, and you are entered.") % {"event": event.name}
    if event.state == EventState.OPEN:
        line += " " + _("If you cannot play, please withdraw: the next one moves up.")
    return Said(title, (line,), *event_page(event))


def of_invitations(told: Told) -> Said | None:
    """To which teams the reader is invited."""
    event = told.event
    rows = PartnerInvitation.objects.filter(
        event=event,
        player__user=told.reader,
        state=InvitationState.INVITED,
        request__state=RequestState.FORMING,
    )
    asked = list(rows.select_related("request__player").order_by("pk"))
    if event.state != EventState.OPEN or not asked:
        return None
    lines = []
    for row in asked:
        team = row.request
        line = _("%(captain)s invites you to play in one team in “%(event)s”.")
        if team.team_name:
            line = _("%(captain)s invites you to play in the team “%(team)s” in “%(event)s”.")
        words = {"captain": told.names.player(team.player), "team": team.team_name, "event": event.name}
        lines.append(line % words)
        if team.kept_until is not None:
            lines.append(
                _("The team keeps its turn until %(when)s.") % {"when": clock(told, team.kept_until)}
            )
    title = _("You are invited to a team: %(event)s") % {"event": event.name}
    return Said(title, tuple(lines), *_enter_page(event))


def of_team(told: Told) -> Said | None:
    """How the reader's team stands now: with a place, on the list, short of somebody, or over."""
    event = told.event
    if event.state not in (EventState.OPEN, EventState.RUNNING):
        return None
    entry = Entry.objects.filter(pk__in=told.own, withdrawn_at=None).first()
    if entry is not None:
        title = _("Your team has a place in %(event)s") % {"event": event.name}
        line = _("“%(team)s” is complete and entered.") % {"team": told.names.entry(entry)}
        return Said(title, (line,), *_enter_page(event))
    joined = Q(invitations__player__user=told.reader, invitations__state=InvitationState.ACCEPTED)
    rows = EntryRequest.objects.filter(Q(player__user=told.reader) | joined, event=event)
    team = rows.select_related("player").order_by("-pk").first()
    title = _("Your team for %(event)s") % {"event": event.name}
    return Said(title, tuple(_team_lines(told, team)), *_enter_page(event))


def _team_lines(told: Told, team: EntryRequest | None) -> list[str]:
    if team is None:
        return [_("The team that you were in, or were asked to join, is no longer entered.")]
    if team.state == RequestState.LAPSED:
        return [_("Entries are closed, and your team was not complete: it is not entered.")]
    if team.state == RequestState.DECLINED:
        return [_("A director has declined your team: %(reason)s") % {"reason": team.reason}]
    if team.state == RequestState.ASKED and told.event.approves_entries:
        return [_("Your team is complete. A director has yet to approve it.")]
    if team.state != RequestState.FORMING:
        return [_("Your team is complete, and waits for a place.")]
    lines = [
        _("%(player)s: %(state)s.")
        % {"player": told.names.player(row.player), "state": row.get_state_display()}
        for row in team.invitations.select_related("player").order_by("pk")
    ]
    if team.kept_until is None:
        lines.append(_("Your team is not complete, and its turn is no longer kept."))
    else:
        when = clock(told, team.kept_until)
        lines.append(_("Your team is not complete yet. It keeps its turn until %(when)s.") % {"when": when})
    return lines


def _enter_page(event: Event) -> tuple[str, str]:
    return reverse("event_enter", args=[event.club.slug, event.slug]), _("Your team")


def of_event(told: Told) -> Said | None:
    """That an event of the reader's club takes entries."""
    event = told.event
    if event.state != EventState.OPEN or not clubs_of(told.reader).filter(pk=event.club_id).exists():
        return None
    title = _("%(event)s takes entries") % {"event": event.name}
    line = _("Entries for “%(event)s” are open.") % {"event": event.name}
    return Said(title, (line,), *event_page(event))
