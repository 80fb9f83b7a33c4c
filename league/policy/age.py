"""Who is under age: nothing is sent to them, and they are not asked what they want to be told."""

from collections.abc import Collection

from league.models import Player, maybe_under_age


def minors_among(users: Collection[int]) -> set[int]:
    """Those of the accounts (ids) that are a player's who is under age, in whatever club, in one query."""
    rows = Player.objects.filter(maybe_under_age(), user__in=users).select_related("club")
    return {row.user_id for row in rows if row.user_id is not None and row.is_under_age}
