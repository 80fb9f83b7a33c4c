"""What is somebody's own: the sides of a match for which he acts."""

from league.models import Appearance, EntryMember, Match


def sides_arranged_by(user: int, match: Match) -> frozenset[int]:
    """The sides of the match for which the active user (an id) may arrange: those that he plays for.

    In a team each member may, as any of them may sit in the match, and whoever is in the line-up.
    """
    of_user = {"player__user": user, "player__user__is_active": True}
    seats = Appearance.objects.filter(match=match, **of_user).order_by().values_list("side", flat=True)
    entries = [entry for side in match.sides for entry in match.ids_of(side)]
    own = set(EntryMember.objects.filter(entry__in=entries, **of_user).values_list("entry", flat=True))
    return frozenset(seats) | {side for side in match.sides if not own.isdisjoint(match.ids_of(side))}
