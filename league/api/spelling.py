"""Names in a response that may concern several clubs."""

from collections.abc import Iterable
from typing import Final

from league.models import Club
from league.policy import Who
from league.policy.naming import Names, covers


class Spelling:
    """The names of several clubs for one reader; one query finds the clubs with covered names."""

    def __init__(self, who: Who, clubs: Iterable[int]) -> None:
        wanted = set(clubs)
        covered = Club.objects.filter(covers(who, "pk"), pk__in=wanted).order_by()
        found = set(covered.values_list("pk", flat=True))
        self._names: Final = {club: Names(club, covered=club in found) for club in wanted}

    def of(self, club: int) -> Names:
        """Return the names of a club, given its id; it must be one of those passed in."""
        return self._names[club]
