"""How people are called in an answer, which may be about several clubs at once."""

from collections.abc import Iterable
from typing import Final

from league.models import Club
from league.policy import Who
from league.policy.naming import Names, covers


class Spelling:
    """The names of some clubs for one reader; one query tells in which of them any is covered."""

    def __init__(self, who: Who, clubs: Iterable[int]) -> None:
        wanted = set(clubs)
        covered = Club.objects.filter(covers(who, "pk"), pk__in=wanted).order_by()
        found = set(covered.values_list("pk", flat=True))
        self._names: Final = {club: Names(club, covered=club in found) for club in wanted}

    def of(self, club: int) -> Names:
        """The names of a club, by its id."""
        return self._names[club]
