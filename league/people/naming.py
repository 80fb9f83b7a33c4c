"""What stands on pages for a player's name: in full for those of the club, for the public as he chose.

Pages of a club tell `scoring.core.printed_names` by `print_for`, and all that they read is spelt so. What
answers for several clubs, or computes its words beforehand, asks `names_for` and spells them by itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models import ApiToken, Club, Membership, Player, ShownAs
from league.policy import Who
from scoring.core.printed_names import print_names

# What may stand between names where several are one name: "Ann + Bob", "Gruber & Jansen (II)", "Ann v Bob".
_BETWEEN: Final = re.compile(r"(\s*[+&/,;:()|–—]\s*|\s+(?:and|v)\s+)")


@dataclass(frozen=True)
class Names:
    """How names are printed for one reader in one club.

    `instead` has, for every full name that the reader may not see, what stands for it.
    """

    instead: Mapping[str, str] = field(default_factory=dict)

    def shown(self, name: str) -> str:
        """What the reader sees for a name, or for one put together from several, as a team's is.

        A name of one word is taken for a player's only where it stands by itself: "Will" is none in "Free
        Will".
        """
        if not self.instead:
            return name
        whole = self.instead.get(name)
        if whole is not None:
            return whole
        parts = (self.instead.get(part, part) for part in _BETWEEN.split(name))
        return self._long.sub(self._stands_for, "".join(parts))

    def in_sentence(self, sentence: str) -> str:
        """A sentence with what the reader sees for every name in it."""
        return self._any.sub(self._stands_for, self._long.sub(self._stands_for, sentence))

    @cached_property
    def _long(self) -> re.Pattern[str]:
        return _pattern((name for name in self.instead if " " in name), re.IGNORECASE)

    @cached_property
    def _any(self) -> re.Pattern[str]:
        return _pattern((name for name in self.instead if " " not in name), re.NOFLAG)

    @cached_property
    def _by_key(self) -> Mapping[str, str]:
        return {name.casefold(): shown for name, shown in self.instead.items()}

    @property
    def _stands_for(self) -> Callable[[re.Match[str]], str]:
        # What case folding makes of a few letters is found by neither: then the letters alone stay.
        return lambda found: self._by_key.get(found.group().casefold(), initials(found.group()))


# For those who see all names as they are.
AS_WRITTEN: Final = Names()


def names_for(who: Who, club: Club) -> Names:
    """How the club's names are printed for `who`, by one query at most.

    Those who belong to the club, administrators and the tokens of both see them in full. What a player was
    called before, what the club's files call him, who was merged into him and his account are printed as he
    is. No two players are printed alike, or a sheet could not tell them apart.
    """
    wanted = Club.objects.filter(covers(who, "pk"), pk=club.pk)
    return Names(_instead(Player.objects.filter(club__in=wanted)))


def covers(who: Who, club: str) -> Q:
    """Whether any name of the club is covered for `who`, as a condition on rows that have it at `club`."""
    user = who.user if isinstance(who, ApiToken) else who
    within = ~Q(pk__in=[])
    if isinstance(who, ApiToken) and who.club_id is not None:
        within = Q(**{club: who.club_id})
    if not user.is_active:
        within = Q(pk__in=[])
    of_club = Player.objects.filter(club=OuterRef(club))
    covered = Q(Exists(of_club.exclude(shown_as=ShownAs.NAME)))
    if user.is_superuser:
        return covered & ~within
    if isinstance(user, AnonymousUser):
        return covered
    offices = Membership.objects.filter(club=OuterRef(club), user=user.pk)
    return covered & ~(within & (Q(Exists(offices)) | Q(Exists(of_club.filter(user=user.pk)))))


def print_for(who: Who, club: Club) -> None:
    """From now on all that is read for this answer carries the club's names as `who` sees them."""
    names = names_for(who, club)
    print_names(names if names.instead else None)


def initials(name: str) -> str:
    """The first letters of a name's parts: "Anna-Lena van Dyk" is "A.-L. v. D."."""
    return " ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in name.split())


class _Row(NamedTuple):
    """A player by one of the names that files have for him; `kept` is into whom he was merged."""

    pk: int
    kept: int | None
    name: str
    shown_as: str
    nickname: str
    other: str | None
    first_name: str | None
    last_name: str | None
    account: str | None


def _instead(players: QuerySet[Player]) -> dict[str, str]:
    """For every name of the players who are covered what is printed; who came first has first choice."""
    fields = ("pk", "merged_into", "name", "shown_as", "nickname", "aliases__name")
    of_account = ("user__first_name", "user__last_name", "user__username")
    rows = [_Row(*values) for values in players.order_by("pk").values_list(*fields, *of_account)]
    taken = {row.name for row in rows}
    printed: dict[int, str] = {}
    for row in rows:
        if row.shown_as != ShownAs.NAME and row.kept is None and row.pk not in printed:
            wanted = row.nickname if row.shown_as == ShownAs.NICKNAME else initials(row.name)
            printed[row.pk] = _free(wanted, taken)
            taken.add(printed[row.pk])
    instead: dict[str, str] = {}
    for row in rows:
        shown = printed.get(row.kept or row.pk)
        if shown is None:
            continue
        in_full = f"{row.first_name or ''} {row.last_name or ''}".strip()
        instead |= {name: shown for name in (row.name, row.other, in_full, row.account) if name}
    return instead


def _free(wanted: str, taken: set[str]) -> str:
    """The name that is wanted, numbered where somebody has it already."""
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted} {number}"
    return free


def _pattern(names: Iterable[str], flags: re.RegexFlag) -> re.Pattern[str]:
    """Any of the names as a whole word, the longest first; one that matches nothing where there are none."""
    longest = sorted(names, key=lambda name: (-len(name), name))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)" if longest else r"(?!)", flags)
