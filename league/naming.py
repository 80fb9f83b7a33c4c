"""What stands on pages for a player's name: in full for those of the club, for the public as he chose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q

from league.models import ApiToken, Club, Player, ShownAs
from league.policy import Who

# What stands between the names of two who play together; in a name of one's own it is refused.
_BETWEEN: Final = " + "


@dataclass(frozen=True, slots=True)
class Names:
    """How names are printed for one reader in one club.

    `instead` has, for every full name that the reader may not see, what stands for it.
    """

    instead: Mapping[str, str] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """What the reader sees for a name, or for names with " + " between them."""
        if not self.instead:
            return name
        return _BETWEEN.join(self.instead.get(one, one) for one in name.split(_BETWEEN))


# For those who see all names as they are.
AS_WRITTEN: Final = Names()


def names_for(who: Who, club: Club) -> Names:
    """How the club's names are printed for `who`, by one query at most.

    Its members, administrators and their tokens see them in full. Names that players went by before, and
    those of who was merged into them, are shown as they are.
    """
    user = who.user if isinstance(who, ApiToken) else who
    within = not isinstance(who, ApiToken) or who.club_id in (None, club.pk)
    if within and user.is_active and user.is_superuser:
        return AS_WRITTEN
    covered = ~Q(shown_as=ShownAs.NAME) | ~Q(merged_into__shown_as=ShownAs.NAME, merged_into__isnull=False)
    players = Player.objects.filter(covered, club=club)
    if within and user.is_active and not isinstance(user, AnonymousUser):
        players = players.exclude(club__memberships__user=user.pk)
    rows = players.values_list(
        "name", "shown_as", "nickname", "merged_into__name", "merged_into__shown_as", "merged_into__nickname"
    )
    instead = {}
    for name, shown_as, nickname, kept, kept_shown_as, kept_nickname in rows:
        if kept is None:
            instead[name] = _printed(name, shown_as, nickname)
        else:
            instead[name] = _printed(kept, kept_shown_as, kept_nickname)
    return Names(instead)


def _printed(name: str, shown_as: str, nickname: str) -> str:
    """A player's name for the public."""
    if shown_as == ShownAs.NICKNAME:
        return nickname
    return initials(name) if shown_as == ShownAs.INITIALS else name


def initials(name: str) -> str:
    """The first letters of a name's parts: "Anna-Lena van Dyk" is "A.-L. v. D."."""
    return " ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in name.split())
