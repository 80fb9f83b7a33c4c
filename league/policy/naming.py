"""The names shown for people: full names to the club's own people, to the public as each player chose.

Rows refer to people by a reference: a seat by its person's key, an author by kind and id, an entry by its
members. `Names` answers what is shown for each, for one reader in one club, and is asked at rendering time;
queries and writes always use what is stored. A written name, an account's name or free text never identifies
anybody.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import CharField, Exists, F, Model, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.expressions import Case, Combinable, When
from django.utils.translation import gettext as _

from league.core.pairing_reasons import reason_words
from league.models import (
    ApiToken,
    Challenge,
    Club,
    Entry,
    EntryMember,
    EventKind,
    ImportBatch,
    LadderAbsence,
    Match,
    Membership,
    Player,
    PlayerAlias,
    Role,
    ShownAs,
    marked,
    maybe_under_age,
    sat_in_for,
)
from league.policy.grants import Who, actor_of, is_administrator
from scoring.core.actors import ActorKind
from scoring.core.mentions import keys_in, told
from scoring.models import ActedOn, Scoresheet, Side
from scoring.services.records import KeptSheet, recalled, side_called


@dataclass(frozen=True, slots=True)
class _Person:
    """A player as the public sees him; for a merged player, the one kept."""

    key: str
    name: str
    shown: str
    is_covered: bool


class _Team(NamedTuple):
    """An entry: its own name, the kind of its event, and its members by key and full name."""

    name: str
    kind: str
    members: list[tuple[str, str]]


class Names:
    """The shown names of a club's people (by its id) for one reader; without a club, names as written.

    If names are `covered` for the reader, players who chose so are shown by initials or nickname, and those
    under age by initials unless they chose a nickname, all different within the club, and free texts are
    hidden. Unknown people are looked up once, for the whole
    club or for everybody on a sheet.
    """

    def __init__(self, club: int | None, *, covered: bool) -> None:
        self.club: Final = club
        self.covered: Final = covered and club is not None
        self._persons: dict[str, str | None] = {}
        self._actors: dict[tuple[str, str], str] = {}

    def person(self, key: str, written: str) -> str:
        """The shown name for a person's key; the written one for an unknown key."""
        found = self._person(key)
        return written if found is None else found

    def player(self, player: Player) -> str:
        """The shown name of a player, unmarked."""
        found = self._club.get(player.code) if self.covered else None
        return player.name if found is None or not found.is_covered else found.shown

    def entry(self, entry: Entry) -> str:
        """The shown name of an entry, unmarked: its player's, or the team's own.

        A team named after its players, as "Ann + Bob", is shown by their shown names; so is one whose own
        name contains a covered member's name.
        """
        return self._entries.get(entry.pk, entry.name) if self.covered else entry.name

    def side(self, match: Match, side: int) -> str:
        """The shown name of a side of a match, unmarked; "" for a bye."""
        return " + ".join(self.entry(entry) for entry in match.side(side))

    def marked_side(self, match: Match, side: int) -> str:
        """The shown name of a side of a match, bots marked."""
        return " + ".join(self.marked(entry) for entry in match.side(side))

    def marked(self, who: Player | Entry) -> str:
        """The shown name of a player or an entry, bots marked."""
        if isinstance(who, Entry) and who.has_bot:
            return sat_in_for(self.entry(who))
        bare = self.player(who) if isinstance(who, Player) else self.entry(who)
        return marked(bare, is_bot=who.is_bot)

    def match(self, match: Match) -> str:
        """A match in words: "Ann v Bob"."""
        return match.words(self.marked)

    def reasons(self, match: Match) -> list[str]:
        """The pairing's reasons for a match, in sentences."""
        called = {entry.pk: self.marked(entry) for side in match.sides for entry in match.side(side)}
        return reason_words(match.reasons, called, self.text, _)

    def sheet(self, kept: KeptSheet, match: Match | None = None) -> KeptSheet:
        """A sheet with shown names; sides of `match` that carry their entry's name follow the entry.

        The side of an absent player says that a bot plays for him. A side's own name that contains a covered
        name gives way to the players' names, as in `sides`.
        """
        self.learn(kept.persons.values())
        keys = {name: kept.persons.get(number, "") for number, name in kept.seat_names.items()}
        sides: list[str | None] = []
        for side, written in enumerate(kept.sides):
            if match is not None and side == match.bot_side:
                sides.append(self.marked_side(match, side))
            elif match is not None and len(written.players) > 1 and written.name == match.side_name(side):
                sides.append(self.side(match, side))
            else:
                players = [(keys[name], name) for name in written.players]
                others = [keys[one.player] for one in written.substitutes]
                sides.append(self._players_instead(written.name, players, others, self.person))
        return kept.called(self.person, sides)

    def sides(self, sides: Iterable[Side]) -> list[str]:
        """The shown names of a sheet's sides, in order; load their `seats` with them.

        A side's own name that contains the covered name of somebody who sits there, or who is in a team with
        whoever does, gives way to the players' shown names.
        """
        ordered = sorted(sides, key=lambda side: side.position)
        self.learn(seat.person for side in ordered for seat in side.seats.all())
        return [self._side(side) for side in ordered]

    def instead(self, side: Side, person: Callable[[str, str], str]) -> str | None:
        """The players of a side, as `person` calls them, where its own name is not shown; see `sides`."""
        seats = list(side.seats.all())
        players = [(seat.person, seat.name) for seat in seats if seat.replaces is None]
        others = [seat.person for seat in seats if seat.replaces is not None]
        return self._players_instead(side.name, players, others, person)

    def author(self, row: ActedOn, column: str = "actor") -> str:
        """The shown name of a row's author, or of another of its `AUTHORS`."""
        kind, id_, written = (getattr(row, f"{column}_{part}") for part in ("kind", "id", "name"))
        return self.actor(kind, id_, written)

    def actor(self, kind: str, id_: str, written: str) -> str:
        """The shown name of an actor: of its player, else the account's or token's own; a table link's side.

        Whoever plays here is called as on the sheets: the name of an account is its owner's own choice.
        An actor that no longer exists is shown by the written name. If names are covered, a player behind
        the actor is shown as he chose, and of other accounts only those that act for the club are named: any
        other may have been a covered player's, who has left or was merged. A token's name is its owner's own
        words and is not shown then, nor is the written name of a table link or an import.
        """
        if self.club is None:
            return written
        if self.covered:
            if kind == ActorKind.USER and id_ in self._accounts:
                return self._accounts[id_]
            if kind == ActorKind.USER and id_ not in self._officers:
                return _("somebody")
            if kind == ActorKind.TOKEN:
                owner = self._accounts.get(self._tokens.get(id_, ""))
                return _("a program") if owner is None else _("%(name)s (program)") % {"name": owner}
        found = self._actor(kind, id_)
        if found or not self.covered:
            return found or written
        if kind == ActorKind.TABLE_LINK:
            return _("a player at the table")
        return _("%(name)s (import)") % {"name": _("somebody")} if kind == ActorKind.IMPORT else written

    def text(self, written: str) -> str:
        """A free text, for readers who may see it: it may name people."""
        return _("(for members of the club)") if written and self.covered else written

    def label(self, sheet: Scoresheet) -> str:
        """The label of a sheet: of one that people play outside events a free text, see `text`."""
        played = getattr(sheet, "exhibition", None)
        is_free = played is not None and played.player_a_id is None
        return self.text(sheet.label) if is_free else sheet.label

    def told(self, document: Any) -> Any:
        """A document with mentions replaced by shown names."""
        self.learn(keys_in(document))
        return told(document, self.person)

    def learn(self, keys: Iterable[str]) -> None:
        """Look up the unknown ones of these keys, with one query per kind."""
        missing = set(keys) - self._persons.keys() - {""}
        if not missing or self.club is None:
            return
        self._persons |= dict.fromkeys(missing)
        codes = {key for key in missing if ":" not in key}
        if codes:
            rows = Player.objects.filter(club=self.club, code__in=codes).select_related("merged_into")
            self._persons |= {row.code: (row.merged_into or row).name for row in rows}
        of_club: list[tuple[QuerySet[Any], Callable[[Any], str]]] = [
            (Player.objects.filter(club=self.club), self.marked),
            (Entry.objects.filter(event__club=self.club), self.marked),
            (Match.objects.filter(event__club=self.club).with_sides(), self.match),
            (
                Challenge.objects.filter(event__club=self.club).select_related("challenger", "challenged"),
                lambda challenge: challenge.words(self.marked),
            ),
            (
                LadderAbsence.objects.filter(entry__event__club=self.club).select_related("entry"),
                lambda absence: self.marked(absence.entry),
            ),
        ]
        for objects, called in of_club:
            kind = objects.model._meta.model_name
            ids = [int(key.partition(":")[2]) for key in missing if key.startswith(f"{kind}:")]
            if ids:
                self._persons |= {f"{kind}:{row.pk}": called(row) for row in objects.filter(pk__in=ids)}

    def learn_authors(self, rows: Iterable[ActedOn]) -> None:
        """Look up the authors of these rows that are not known yet, with one query per kind."""
        asked: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            for column in row.AUTHORS:
                kind, id_ = getattr(row, f"{column}_kind"), getattr(row, f"{column}_id")
                if (kind, id_) not in self._actors:
                    asked[kind].add(id_)
        if self.club is None:
            return
        for kind, ids in asked.items():
            self._actors |= {(kind, id_): "" for id_ in ids} | dict(self._found(kind, ids))

    def _actor(self, kind: str, id_: str) -> str:
        if (kind, id_) not in self._actors:
            self._actors[kind, id_] = dict(self._found(kind, {id_})).get((kind, id_), "")
        return self._actors[kind, id_]

    def _found(self, kind: str, ids: Collection[str]) -> Iterator[tuple[tuple[str, str], str]]:
        """The names of those actors of a kind that exist, by kind and id."""
        numbers = [int(id_) for id_ in ids if id_.isdecimal()]
        if kind == ActorKind.USER:
            players = Player.objects.filter(club=self.club, user=OuterRef("pk"), merged_into=None)
            users = User.objects.filter(pk__in=numbers)
            for user in users.annotate(player_name=Subquery(players.order_by("pk").values("name")[:1])):
                yield (kind, str(user.pk)), user.player_name or actor_of(user).name
        elif kind == ActorKind.TOKEN:
            for token in ApiToken.objects.filter(code__in=ids).select_related("user"):
                yield (kind, token.code), actor_of(token).name
        elif kind == ActorKind.IMPORT:
            batches = list(ImportBatch.objects.filter(pk__in=numbers))
            self.learn_authors(batches)
            for batch in batches:
                yield (kind, str(batch.pk)), _("%(name)s (import)") % {"name": self.author(batch)}
        elif kind == ActorKind.TABLE_LINK:
            here = Side.objects.filter(sheet__links__code__in=ids, position=F("sheet__links__side"))
            sides = list(here.annotate(code=F("sheet__links__code")).prefetch_related("seats"))
            self.learn(seat.person for side in sides for seat in side.seats.all())
            for side in sides:
                yield (kind, side.code), self._side(side)

    def _person(self, key: str) -> str | None:
        if not key or self.club is None:
            return None
        if self.covered and ":" not in key:
            found = self._club.get(key)
            return None if found is None else found.shown
        if key not in self._persons:
            self.learn([key])
        return self._persons[key]

    @cached_property
    def _club(self) -> Mapping[str, _Person]:
        """Everybody in the club by key, as the public sees them."""
        of_club = Player.objects.filter(club=self.club).select_related("club")
        return _as_the_public_sees(of_club.order_by("pk"))

    @cached_property
    def _former(self) -> Mapping[str, Sequence[str]]:
        """The former names of the club's players, by key."""
        former: dict[str, list[str]] = defaultdict(list)
        for code, name in PlayerAlias.objects.filter(club=self.club).values_list("player__code", "name"):
            former[code].append(name)
        return former

    @cached_property
    def _teams(self) -> Mapping[int, _Team]:
        """The entries with members who may be covered, by id."""
        covered = Player.objects.filter(_maybe_covered(), club=self.club)
        members = EntryMember.objects.filter(entry__members__player__in=covered.values("pk"))
        rows = members.order_by("entry", "position", "id").distinct()
        teams: dict[int, _Team] = {}
        for pk, name, kind, code, own in rows.values_list(
            "entry_id", "entry__name", "event__kind", "player__code", "player__name"
        ):
            teams.setdefault(pk, _Team(name, kind, [])).members.append((code, own))
        return teams

    @cached_property
    def _entries(self) -> Mapping[int, str]:
        """The shown names of entries with covered members, by id."""
        found = {}
        for pk, team in self._teams.items():
            called = [self.person(code, own) for code, own in team.members]
            if team.kind == EventKind.INDIVIDUAL:
                found[pk] = called[0]
                continue
            # The members' present and former names, by which the team may be named.
            names = [
                (each, shown)
                for (code, own), shown in zip(team.members, called, strict=True)
                for each in (own, *self._former.get(code, ()))
            ]
            new = recalled(team.name, [each for each, _shown in names], [shown for _each, shown in names])
            hidden = self._hides(team.name, [code for code, _own in team.members])
            found[pk] = new or (" + ".join(called) if hidden else team.name)
        return found

    @cached_property
    def _covered_words(self) -> Mapping[str, Set[str]]:
        """The words of the present and former names of covered players, by key.

        Each has those of the others in a team with him, too: its name is on sheets for which he sat alone.
        """
        own = {
            each.key: _words(each.name, *self._former.get(each.key, ()))
            for each in self._club.values()
            if each.is_covered
        }
        words = defaultdict(set, own)
        for team in self._teams.values():
            codes = [code for code, _own in team.members]
            together = {word for code in codes for word in own.get(code, ())}
            for code in codes:
                words[code] = words[code] | together
        return words

    def _hides(self, name: str, keys: Iterable[str]) -> bool:
        """Whether a team's own name contains the covered name of one of these persons or of their teams."""
        players = [found.key for key in keys if (found := self._club.get(key)) is not None]
        return any(not _words(name).isdisjoint(self._covered_words.get(key, ())) for key in players)

    def _players_instead(
        self,
        name: str,
        players: Sequence[tuple[str, str]],
        others: Sequence[str],
        person: Callable[[str, str], str],
    ) -> str | None:
        """A side's players (key, written name), as `person` calls them, where its own `name` is not shown.

        None for a name that is shown, or made of the players' names. `others` are the substitutes' keys.
        """
        if not self.covered:
            return None
        called = [person(key, written) for key, written in players]
        if recalled(name, [written for _key, written in players], called) is not None:
            return None
        hidden = self._hides(name, [*(key for key, _written in players), *others])
        return " + ".join(called) if hidden else None

    @cached_property
    def _accounts(self) -> Mapping[str, str]:
        """The shown names of the club's players with accounts, by user id."""
        rows = Player.objects.filter(club=self.club, merged_into=None).exclude(user=None).order_by("-pk")
        return {str(row.user_id): self.player(row) for row in rows}

    @cached_property
    def _officers(self) -> Set[str]:
        """The user ids of those who act for the club without being its players: officers, administrators."""
        offices = Membership.objects.filter(club=self.club).exclude(role=Role.MEMBER)
        users = User.objects.filter(Q(pk__in=offices.values("user")) | Q(is_superuser=True))
        return {str(pk) for pk in users.order_by().values_list("pk", flat=True)}

    @cached_property
    def _tokens(self) -> Mapping[str, str]:
        """The user ids of the tokens that act for the club's players, by token code."""
        rows = ApiToken.objects.filter(user__players__club=self.club).order_by()
        return {code: str(user) for code, user in rows.values_list("code", "user")}

    def _side(self, side: Side) -> str:
        return self.instead(side, self.person) or side_called(side, self.person)


# For readers who may see all names.
AS_WRITTEN: Final = Names(None, covered=False)


def names_for(who: Who, club: Club) -> Names:
    """The shown names of the club's people for `who`, in one query."""
    return Names(club.pk, covered=Club.objects.filter(covers(who, "pk"), pk=club.pk).exists())


def in_full(club: Club) -> Names:
    """The full names of the club's people."""
    return Names(club.pk, covered=False)


def covers(who: Who, club: str) -> Q:
    """A condition on rows with a club at `club`: some names of that club are covered for `who`.

    Members of the club, administrators and the tokens of both see all names in full.
    """
    user = who.user if isinstance(who, ApiToken) else who
    within = ~Q(pk__in=[])
    if isinstance(who, ApiToken) and who.club_id is not None:
        within = Q(**{club: who.club_id})
    if not user.is_active:
        within = Q(pk__in=[])
    of_club = Player.objects.filter(club=OuterRef(club))
    covered = Q(Exists(of_club.filter(_maybe_covered())))
    if is_administrator(user):
        return covered & ~within
    if isinstance(user, AnonymousUser):
        return covered
    offices = Membership.objects.filter(club=OuterRef(club), user=user.pk)
    return covered & ~(within & (Q(Exists(offices)) | Q(Exists(of_club.filter(user=user.pk)))))


def shown_names(who: Who) -> Combinable:
    """The names of players as shown to `who`, as an expression to search and sort by; makes one query."""
    covered = Club.objects.filter(covers(who, "pk")).order_by()
    of_club: dict[int, list[Player]] = defaultdict(list)
    for row in Player.objects.filter(club__in=covered.values("pk")).select_related("club").order_by("pk"):
        of_club[row.club_id].append(row)
    shown = [
        When(code=code, then=Value(person.shown))
        for rows in of_club.values()
        for code, person in _as_the_public_sees(rows).items()
        if person.is_covered
    ]
    return Case(*shown, default=F("name"), output_field=CharField()) if shown else F("name")


def _maybe_covered() -> Q:
    """A condition on players whose full name the public may not see; `Player.is_covered` decides."""
    return ~Q(shown_as=ShownAs.NAME) | maybe_under_age()


def _as_the_public_sees(players: Iterable[Player]) -> Mapping[str, _Person]:
    """The players of a club by key; earlier rows have first choice of a name."""
    rows = list(players)
    taken = {row.name for row in rows}
    kept: dict[int, _Person] = {}
    for row in rows:
        if row.merged_into_id is not None:
            continue
        covered, shown = row.is_covered, row.name
        if covered:
            shown = _free(row.nickname if row.shown_as == ShownAs.NICKNAME else initials(row.name), taken)
            taken.add(shown)
        kept[row.pk] = _Person(row.code, row.name, shown, covered)
    return {row.code: kept[row.merged_into_id or row.pk] for row in rows}


def key_of(row: Model) -> str | None:
    """The key by which documents mention a player or an entry; None for anything else."""
    if isinstance(row, Player):
        return row.code
    return f"entry:{row.pk}" if isinstance(row, Entry) else None


def initials(name: str) -> str:
    """The initials of a name: "Anna-Lena van Dyk" is "A.-L. v. D."."""
    return " ".join("-".join(f"{part[0]}." for part in word.split("-") if part) for word in name.split())


def _words(*texts: str) -> set[str]:
    """The words of the texts, case-folded."""
    return {word for text in texts for word in re.findall(r"\w{2,}", text.casefold())}


def _free(wanted: str, taken: set[str]) -> str:
    """The wanted name, numbered if it is taken."""
    number, free = 1, wanted
    while free in taken:
        number += 1
        free = f"{wanted} {number}"
    return free
