"""What may be read: events, rounds, house rules, sheets, and results that are held back."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from league.models import (
    ApiToken,
    Appearance,
    ClubRules,
    Event,
    EventState,
    Round,
    RoundState,
    TokenScope,
)
from league.policy.clubs import SCOPES, Permission, Who, clubs_where
from league.policy.withholding import withheld
from scoring.models import HouseRules, Scoresheet


def events_seen(who: Who) -> QuerySet[Event]:
    """The events that may be read of; those that are drafts only by who directs the club."""
    hidden = Q(state=EventState.DRAFT) & ~Q(club__in=clubs_where(who, Permission.DIRECT))
    seen = Q(club__in=clubs_where(who, Permission.VIEW))
    if isinstance(who, ApiToken) and who.event_id is not None and who.sheet_id is None:
        seen |= Q(pk=who.event_id, club__in=clubs_where(who.user, Permission.VIEW))
    return Event.objects.filter(seen).exclude(hidden)


def rules_seen(who: Who) -> QuerySet[HouseRules]:
    """The house rules that may be read, in all their versions: of the clubs that may be, those that a private
    club shares, and what an event goes by that may be read of.
    """
    listed = ClubRules.objects.filter(Q(is_shared=True) | Q(club__in=clubs_where(who, Permission.VIEW)))
    played = events_seen(who).values("rules__code")
    return HouseRules.objects.filter(Q(code__in=listed.values("rules__code")) | Q(code__in=played))


def rounds_seen(who: Who) -> QuerySet[Round]:
    """The rounds that may be read of: those only drafted by who directs the club."""
    directed = Q(event__club__in=clubs_where(who, Permission.DIRECT))
    return Round.objects.filter(~Q(state=RoundState.DRAFTED) | directed)


def results_seen(who: Who) -> QuerySet[Event]:
    """The events of which also those results may be read that are held back: who may record there may."""
    if isinstance(who, ApiToken) and who.event_id is not None:
        if who.sheet_id is not None or Permission.RECORD not in SCOPES[TokenScope(who.scope)]:
            return Event.objects.none()
        return Event.objects.filter(pk=who.event_id, club__in=clubs_where(who.user, Permission.RECORD))
    return Event.objects.filter(club__in=clubs_where(who, Permission.RECORD))


def sees_results(who: Who, event: Event) -> bool:
    """Whether also those results of the event may be read that are held back."""
    return not event.holds_results or results_seen(who).filter(pk=event.pk).exists()


def sheets_seen(who: Who, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
    """The sheets among these that may be read: of the events and clubs that may be, former ones and
    exhibitions too; while results are held back by officers and those who sit at the table alone. A token for
    one sheet sees, of what is not public, that sheet, as far as its user does.
    """
    if isinstance(who, User) and who.is_active and who.is_superuser:
        return queryset
    clubs = clubs_where(who, Permission.VIEW)
    bound = isinstance(who, ApiToken) and who.sheet_id is not None
    events = events_seen(AnonymousUser() if bound else who).values("pk")
    # A former sheet is as open as the match it was played for; one whose event is gone as its club.
    seen = Q(match__event__in=events) | Q(former__event__in=events) | Q(exhibition__club__in=clubs)
    seen |= Q(former__event=None, former__club__in=clubs)
    # It does not tell any more in which round it was, where its match is gone: then all of it waits.
    unknown = Q(former__match=None, former__event__holds_results=True)
    unknown &= ~Q(former__event__in=results_seen(who).values("pk"))
    hidden = _is_not_out(who, "match__") | _is_not_out(who, "former__match__") | unknown
    open_ = queryset.filter(seen).exclude(hidden)
    if isinstance(who, ApiToken) and who.sheet_id is not None:
        own = sheets_seen(who.user, Scoresheet.objects.filter(pk=who.sheet_id))
        return queryset.filter(Q(pk__in=open_.values("pk")) | Q(pk__in=own.values("pk")))
    return open_


def _is_not_out(who: Who, prefix: str) -> Q:
    """As a condition on sheets, `prefix` leading to their match: it is drafted, or what came of it is held
    back, and the reader is none of those who know.
    """
    directed = Q(**{f"{prefix}event__club__in": clubs_where(who, Permission.DIRECT).values("pk")})
    told = Q(**{f"{prefix}event__in": results_seen(who).values("pk")})
    if isinstance(who, User):
        sat = Appearance.objects.filter(player__user=who.pk).values("match")
        told |= Q(**{f"{prefix}in": sat})
    return (Q(**{f"{prefix}round__state": RoundState.DRAFTED}) & ~directed) | (withheld(prefix) & ~told)
