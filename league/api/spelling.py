"""How people's names are spelt in an answer, which may be about several clubs at once."""

from collections.abc import Iterable
from typing import Final

from league.models import Club, Player, ShownAs
from league.people.naming import AS_WRITTEN, Names, names_for
from league.policy import Who


class Spelling:
    """The names of some clubs for one reader.

    One query tells in which of them anybody is shown otherwise than by name, and each of these takes one
    more.
    """

    def __init__(self, who: Who, clubs: Iterable[int]) -> None:
        covered = Player.objects.exclude(shown_as=ShownAs.NAME).values("club")
        wanted = Club.objects.filter(pk__in=set(clubs)).filter(pk__in=covered)
        self._names: Final = {club.pk: names_for(who, club) for club in wanted.order_by("pk")}

    def of(self, club: int) -> Names:
        """The names of a club, by its id."""
        return self._names.get(club, AS_WRITTEN)
