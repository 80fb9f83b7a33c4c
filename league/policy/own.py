"""What is somebody's own: the sides of a match for which he acts, and his entry in an event."""

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


def own_entries(user: int, event: Event) -> list[Entry]:
    """The entries of the event that the active user (an id) plays for: several if his account has players.

    Withdrawn ones only where it has no other.
    """
    members = EntryMember.objects.filter(event=event, player__user=user, player__user__is_active=True)
    rows = list(Entry.objects.filter(pk__in=members.values("entry")).order_by("pk"))
    return [row for row in rows if row.withdrawn_at is None] or rows


def own_entry(user: int, event: Event, code: str = "") -> Entry | None:
    """The one of `own_entries` with this code; without a code the first one. None if there is none."""
    return next((row for row in own_entries(user, event) if code in ("", row.code)), None)
