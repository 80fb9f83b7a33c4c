"""The plan of an import: all decisions, before anything is written.

`planning` makes an `ImportPlan`, the preview prints it, `applying` carries it out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Final, TypeAlias

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.hand_files.gathering import FileEvent, FileSheet
from league.models import Club, Entry, Event, Match, Player, Round
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.models import HouseRules, Scoresheet
from scoring.words.rules_words import rules_headline

_MOST_NAMES: Final = 30
_MOST_NOTES: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The options chosen by the importing person.

    `create` makes the event, its people and the named season, with `rules` (the preset of the file's game if
    None); for sheets outside events, their house rules. `correct` is the reason for correcting stored deals
    that differ.
    """

    create: bool = False
    rules: Rules | None = None
    season: str = ""
    correct: str = ""


@dataclass(eq=False, slots=True)
class Person:
    """A player of the club, or one to be made."""

    name: str
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class PlannedSeating:
    """A substitute to be seated; on a sheet outside events a person without a player is a guest."""

    side: int
    person: Person
    replaces: Person
    from_deal: int


def seatings_of(sheet: FileSheet, people: Mapping[str, Person]) -> list[PlannedSeating]:
    """The substitutes of the sheet who come after the first deal."""
    return [
        PlannedSeating(seating.side, people[one.player], people[one.replaces], one.from_deal)
        for seating in sheet.substitutes
        for one in [seating.substitute]
    ]


@dataclass(eq=False, slots=True)
class EntryPlan:
    """An entry of the event, or one to be made of these people."""

    name: str
    entry: Entry | None = None
    members: list[Person] = field(default_factory=list)


# The players of each side, in the order of their seats.
LineUps: TypeAlias = tuple[list[Person], ...]


@dataclass(eq=False, slots=True)
class ImportedRound:
    """A round of the event, or one to be made."""

    number: int
    date: date | None
    round: Round | None = None


@dataclass(slots=True)
class Changes:
    """The changes to one sheet, with its own numbers and names.

    `corrections` are applied, including deals they add at the end; if there are none, `appended`. Then
    `voids`, whose numbers hold placeholders. `stopped` calls time or reopens the sheet unless None. `equal`,
    `new` and `corrected` count deals of the file; `refilled` those corrections that fill a deal voided by
    undoing an import.
    """

    appended: list[Deal] = field(default_factory=list)
    corrections: dict[int, Deal] = field(default_factory=dict)
    voids: list[int] = field(default_factory=list)
    stopped: bool | None = None
    equal: int = 0
    new: int = 0
    corrected: int = 0
    refilled: int = 0

    @property
    def is_nothing(self) -> bool:
        """True if the sheet has all of it already."""
        return not (self.appended or self.corrections or self.stopped is not None)


@dataclass(slots=True, kw_only=True)
class SheetWork:
    """One sheet of the file and its changes, with the rules it is played by.

    `seatings`, by deal, are the substitutes that the sheet does not have yet.
    """

    file: FileSheet
    rules: Rules
    sides: tuple[SheetSide, ...]
    changes: Changes
    sheet: Scoresheet | None = None
    seatings: Sequence[PlannedSeating] = ()

    @property
    def seats(self) -> int:
        """How many substitutes the import seats."""
        return len(self.seatings)

    @property
    def is_nothing(self) -> bool:
        """True if all of it is stored."""
        return self.sheet is not None and self.changes.is_nothing


@dataclass(slots=True, kw_only=True)
class MatchWork(SheetWork):
    """The sheet of a match.

    `entries`, `line_ups` and `sides` are in the order of the match, which may differ from the file's.
    `people` are those who play, by the file's names. `stand_ins` play from the first deal on, each with whom
    of the stored line-up they replace.
    """

    round: ImportedRound
    entries: tuple[EntryPlan, ...]
    line_ups: LineUps
    people: Mapping[str, Person]
    match: Match | None = None
    stand_ins: Sequence[tuple[Person, Person]] = ()

    @property
    def is_nothing(self) -> bool:
        """True if all of it is stored, the line-up too."""
        return self.sheet is not None and self.changes.is_nothing and not self.stand_ins

    @property
    def seats(self) -> int:
        """How many substitutes the import seats, those for the whole sheet among them."""
        if self.sheet is not None and not (self.stand_ins or self.seatings):
            return 0
        return len(self.file.seatings)


@dataclass(eq=False, slots=True)
class RulesPlan:
    """House rules of the club, or some to be made."""

    name: str
    rules: Rules
    house_rules: HouseRules | None = None


@dataclass(slots=True, kw_only=True)
class TableWork(SheetWork):
    """A sheet outside events. `persons` are the keys of the club's players by name; others are guests."""

    house_rules: RulesPlan
    persons: Mapping[str, str]


@dataclass(slots=True)
class ImportPlan:
    """A whole import, checked against the present state of the club.

    `tables` are the sheets outside events; a file has either these, or `matches` of its event with `people`,
    `entries` and `rounds`.
    """

    club: Club
    file_name: str
    digest: str
    file: FileEvent
    options: ImportOptions
    rules: Rules = field(default_factory=Rules)
    event: Event | None = None
    people: list[Person] = field(default_factory=list)
    entries: list[EntryPlan] = field(default_factory=list)
    rounds: list[ImportedRound] = field(default_factory=list)
    matches: list[MatchWork] = field(default_factory=list)
    tables: list[TableWork] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def is_of_event(self) -> bool:
        """True if the sheets are those of an event's matches."""
        return bool(self.file.name)

    @property
    def sheets(self) -> list[SheetWork]:
        """All sheets of the file."""
        return [*self.matches, *self.tables]

    @property
    def new_rules(self) -> list[RulesPlan]:
        """The house rules that the club does not have yet."""
        plans = dict.fromkeys(work.house_rules for work in self.tables)
        return [plan for plan in plans if plan.house_rules is None]

    @property
    def new_players(self) -> list[Person]:
        """The people the club does not have yet."""
        return [person for person in self.people if person.player is None]

    @property
    def new_entries(self) -> list[EntryPlan]:
        """The entries the event does not have yet."""
        return [entry for entry in self.entries if entry.entry is None]

    @property
    def new_rounds(self) -> list[ImportedRound]:
        """The rounds the event does not have yet."""
        return [one for one in self.rounds if one.round is None]

    @property
    def work(self) -> list[SheetWork]:
        """The sheets on which something changes."""
        return [work for work in self.sheets if not work.is_nothing]

    @property
    def changes_nothing(self) -> bool:
        """True if the club has all of the file already."""
        return (self.event is not None or not self.is_of_event) and not self.work

    def lines(self) -> list[str]:
        """The preview, line by line."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        yield _("%(event)s, %(club)s: %(hands)d hands on %(sheets)d sheets.") % {
            "event": self.file.name or _("Evenings at one table"),
            "club": self.club,
            "hands": self.file.hands,
            "sheets": len(self.sheets),
        }
        if self.changes_nothing:
            yield _("All of it is stored already.")
            return
        if self.event is None and self.is_of_event:
            yield _("New: the event, %(rules)s.") % {"rules": self._rules_in_words()}
        for plan in self.new_rules:
            yield _("New: the house rules “%(name)s”, %(rules)s.") % {
                "name": plan.name,
                "rules": rules_headline(plan.rules),
            }
        for count, words in self._counts():
            if count:
                yield words % {"count": count}
        if self.new_players:
            names = [person.name for person in self.new_players]
            shown = ", ".join(names[:_MOST_NAMES]) + (", …" if len(names) > _MOST_NAMES else "")
            yield _("New players: %(names)s.") % {"names": shown}
        if any(work.changes.corrected for work in self.sheets):
            yield _("Reason for the corrections: %(reason)s") % {"reason": self.options.correct}
        yield from self.notes[:_MOST_NOTES]
        if len(self.notes) > _MOST_NOTES:
            yield _("… and %(count)d more notes.") % {"count": len(self.notes) - _MOST_NOTES}

    def _counts(self) -> Iterator[tuple[int, str]]:
        players, entries, rounds = len(self.new_players), len(self.new_entries), len(self.new_rounds)
        yield players, ngettext("New: %(count)d player.", "New: %(count)d players.", players)
        yield entries, ngettext("New: %(count)d entry.", "New: %(count)d entries.", entries)
        yield rounds, ngettext("New: %(count)d round.", "New: %(count)d rounds.", rounds)
        matches = sum(work.match is None for work in self.matches)
        yield matches, ngettext("New: %(count)d match.", "New: %(count)d matches.", matches)
        tables = sum(work.sheet is None for work in self.tables)
        yield tables, ngettext("New: %(count)d sheet.", "New: %(count)d sheets.", tables)
        deals = sum(work.changes.new for work in self.sheets)
        yield deals, ngettext("New: %(count)d deal.", "New: %(count)d deals.", deals)
        seated = sum(work.seats for work in self.sheets)
        yield seated, ngettext("Seated: %(count)d substitute.", "Seated: %(count)d substitutes.", seated)
        stops = sum(work.changes.stopped is True for work in self.sheets)
        yield stops, ngettext("Time called: %(count)d sheet.", "Time called: %(count)d sheets.", stops)
        equal = sum(work.changes.equal for work in self.sheets)
        yield (
            equal,
            ngettext(
                "Skipped, stored already: %(count)d deal.",
                "Skipped, stored already: %(count)d deals.",
                equal,
            ),
        )
        corrected = sum(work.changes.corrected for work in self.sheets)
        yield corrected, ngettext("Corrected: %(count)d deal.", "Corrected: %(count)d deals.", corrected)

    def _rules_in_words(self) -> str:
        if self.rules.deals is not None:
            return rules_headline(self.rules)
        size = len(self.sheets[0].sides[0].players)
        return ngettext(
            "%(columns)d column to %(target)d", "%(columns)d columns to %(target)d", self.rules.columns
        ) % {"columns": self.rules.columns, "target": self.rules.for_team_size(size).target}
