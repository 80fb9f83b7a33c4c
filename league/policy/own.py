"""What is somebody's own: the sides of a match for which he acts, and his entry in an event."""

from django.db.models import F

from league.models import Appearance, Entry, EntryMember, Event, Match


def sides_arranged_by(user: int, match: Match) -> frozenset[int]:
    """The sides of the match for which the active user (an id) may arrange: those that he plays for.

    In a team each member may, as any of them may sit in the match, and whoever is in the line-up.
    """
    of_user = {"player__user": user, "player__user__is_active": True}
    seats = Appearance.objects.filter(match=match, **of_user).order_by().values_list("side", flat=True)
    entries = [entry for side in match.sides for entry in match.ids_of(side)]
    own = set(EntryMember.objects.filter(entry__in=entries, **of_user).values_list("entry", flat=True))
    return frozenset(seats) | {side for side in match.sides if not own.isdisjoint(match.ids_of(side))}


def own_entry(user: int, event: Event) -> Entry | None:
    """The entry of the event that the active user (an id) plays for; None if none.

    A withdrawn one only where his account has no other: one account may be that of several players.
    """
    members = EntryMember.objects.filter(event=event, player__user=user, player__user__is_active=True)
    rows = Entry.objects.filter(pk__in=members.values("entry"))
    return rows.order_by(F("withdrawn_at").asc(nulls_first=True), "pk").first()
