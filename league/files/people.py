"""Resolves the names in a file: to players of the club, and to the entries they play for."""

import unicodedata
from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _

from league.core.hand_files.problems import Problems
from league.files.plans import EntryPlan, Person
from league.models import Club, Entry, Event, Player, PlayerAlias
from scoring.core.errors import shown
from scoring.documents.shapes import LONGEST_NAME


def same_text(name: str) -> str:
    """The name in the form in which names are compared: composed Unicode, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def all_of(names: Sequence[str]) -> str:
    """Names joined for a sentence: "Ann and Cid"."""
    return _(" and ").join(names)


class Roll:
    """The people of a club by all their names. With `create`, unknown names become new people."""

    def __init__(self, club: Club, problems: Problems, *, create: bool) -> None:
        self._club = club
        self._problems = problems
        self._create = create
        players = list(Player.objects.filter(club=club).order_by("pk"))
        self._by_pk = {
            player.pk: Person(player.name, player) for player in players if player.merged_into_id is None
        }
        # A merged player's name finds the one kept, unless another player has the name.
        self._by_name = {
            same_text(player.name): self._by_pk[player.merged_into_id]
            for player in players
            if player.merged_into_id in self._by_pk
        }
        for alias, player_id in PlayerAlias.objects.filter(club=club).values_list("name", "player"):
            if player_id in self._by_pk:
                self._by_name[same_text(alias)] = self._by_pk[player_id]
        self._by_name |= {same_text(person.name): person for person in self._by_pk.values()}
        self._alike = {name.casefold(): name for name in self._by_name}
        self.notes: list[str] = []
        self.named: dict[Person, None] = {}

    def person(self, name: str, row: int, column: str) -> Person | None:
        """The person with this name; None, and a problem, if there is none and none may be made."""
        key = same_text(name)
        person = self._by_name.get(key)
        alike = self._alike.get(key.casefold())
        if person is None and self._create:
            person = self._by_name[key] = Person(key)
            self._alike.setdefault(key.casefold(), key)
            if alike is not None:
                note = _("“%(name)s” is new, beside “%(other)s”.")
                self.notes.append(note % {"name": shown(key), "other": shown(alike)})
        if person is None:
            sentences = [_("%(club)s has no player “%(name)s”.")]
            if alike:
                sentences.append(_("Did you mean “%(other)s”?"))
            sentences.append(
                _("Enter the player, give one that other name, or let the import make new players.")
            )
            words = {"club": self._club, "name": shown(name), "other": shown(alike or "")}
            self._problems.add(row, column, " ".join(sentences) % words, option="create")
            return None
        self.named[person] = None
        return person

    def found(self, name: str) -> Person | None:
        """The person with this name, if there is one; whoever is none is a guest."""
        return self._by_name.get(same_text(name))

    def known(self, player_id: int) -> Person | None:
        """The person for a player's id."""
        return self._by_pk.get(player_id)


class EntryRoll:
    """The entries of an event, stored and new."""

    def __init__(self, event: Event | None, roll: Roll, problems: Problems) -> None:
        self._problems = problems
        self._by_name: dict[str, EntryPlan] = {}
        self._by_pk: dict[int, EntryPlan] = {}
        self._of: dict[Person, EntryPlan] = {}
        self.plans: list[EntryPlan] = []
        if event is None:
            return
        for entry in Entry.objects.filter(event=event).prefetch_related("members").order_by("pk"):
            members = [roll.known(member.player_id) for member in entry.members.all()]
            self._keep(EntryPlan(entry.name, entry, [member for member in members if member is not None]))

    def stored(self, entry: Entry) -> EntryPlan:
        """The plan of a stored entry."""
        return self._by_pk[entry.pk]

    def bound_to(self, person: Person) -> EntryPlan | None:
        """The entry for which alone a person plays, stored or new: theirs, unless it is a guest's."""
        found = self._of.get(person)
        is_guest = found is not None and found.entry is not None and found.entry.is_guest
        return None if is_guest else found

    def single(self, person: Person, row: int, column: str) -> EntryPlan | None:
        """The entry of a single player."""
        entry = self._of.get(person)
        if entry is not None:
            return entry
        if same_text(person.name) in self._by_name:
            message = _("There is an entry “%(name)s” that is somebody else's.")
            self._problems.add(row, column, message % {"name": shown(person.name)})
            return None
        return self._keep(EntryPlan(person.name, members=[person]))

    def team(self, people: Sequence[Person], name: str, row: int, column: str) -> EntryPlan | None:
        """The team of these people: by its name, or without one the team that contains them all."""
        if name:
            return self._named_team(people, name)
        found = {entry for person in people if (entry := self._of.get(person)) is not None}
        names = [person.name for person in people]
        if not found:
            title = " & ".join(names)
            if len(title) > LONGEST_NAME or same_text(title) in self._by_name:
                self._problems.add(row, column, _("Name this team in the columns team_a and team_b."))
                return None
            return self._keep(EntryPlan(title, members=list(people)))
        for entry in found:
            if set(people) <= set(entry.members):
                return entry
        others = ", ".join(sorted(f"“{entry.name}”" for entry in found))
        message = _(
            "%(names)s are not one team (%(teams)s). If one of them stands in for somebody, name the teams "
            "in the columns team_a and team_b."
        )
        self._problems.add(row, column, message % {"names": all_of(names), "teams": others})
        return None

    def _named_team(self, people: Sequence[Person], name: str) -> EntryPlan:
        """The team with this name; a new one gets as members those who play for it and are in no other."""
        entry = self._by_name.get(same_text(name)) or self._keep(EntryPlan(same_text(name)))
        if entry.entry is None:
            for person in people:
                if person not in self._of:
                    self._of[person] = entry
                    entry.members.append(person)
        return entry

    def _keep(self, entry: EntryPlan) -> EntryPlan:
        self.plans.append(entry)
        self._by_name[same_text(entry.name)] = entry
        if entry.entry is not None:
            self._by_pk[entry.entry.pk] = entry
        self._of |= dict.fromkeys(_free(entry.members, self._of), entry)
        return entry


def _free(people: Iterable[Person], taken: dict[Person, EntryPlan]) -> list[Person]:
    return [person for person in people if person not in taken]
