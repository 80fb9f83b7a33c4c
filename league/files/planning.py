"""Checks a file against a club and plans the import; writes nothing.

All problems are collected and refused together (`FileRefused`), by row and column.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from django.utils.translation import gettext as _

from league.core.hand_files.deals import renamed
from league.core.hand_files.gathering import FileEvent, FileSheet, gather, rules_of_game
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import GIN, SIDES, read_rows
from league.core.lifecycle import Doing, check_doing
from league.draws.formats import format_of
from league.errors import LeagueError
from league.files.comparing import compared, new_sheet, refillable_deals
from league.files.people import EntryRoll, Roll, all_of, same_text
from league.files.plans import Changes, EntryPlan, ImportedRound, ImportOptions, ImportPlan, MatchWork, Person
from league.files.tables import plan_tables
from league.models import (
    AWARDED,
    Appearance,
    Club,
    Event,
    ImportBatch,
    Match,
    RoundState,
)
from league.policy.eligibility import check_plays_matches
from scoring.core.errors import shown
from scoring.core.sheets import SheetSide
from scoring.documents.sides import LARGEST_TEAM
from scoring.models import SheetStatus
from scoring.services.records import KeptSheet, kept_sheets

LineUps: TypeAlias = tuple[list[Person], list[Person]]


def plan_import(*, club: Club, data: bytes, file_name: str, options: ImportOptions) -> ImportPlan:
    """Plan the import of this file into this club.

    Refuses with `FileRefused` whatever is wrong with the file or does not fit the club, and with
    `LeagueError` options that contradict the club (`rules_differ`, `too_long`) and changes that the event's
    state does not allow (`wrong_state`); and an event with rules of a game without matches (`no_matches`).
    """
    problems = Problems()
    reading = read_rows(data, problems)
    file = gather(reading, problems)
    if file is None:
        problems.refuse_if_any()
        raise LeagueError("empty_file", _("The file has no hands."))
    if len(options.correct) > 300:
        raise LeagueError("too_long", _("A reason has at most 300 characters."), field="correct")
    plan = ImportPlan(club, file_name, hashlib.sha256(data).hexdigest(), file, options)
    if plan.is_of_event:
        _Planner(club, file, options, problems).fill(plan)
    else:
        plan.tables = plan_tables(club, file, options, problems)
    problems.refuse_if_any()
    if plan.event is not None:
        check_open(plan.event, plan.matches)
    return plan


def check_open(event: Event, sheets: Iterable[MatchWork]) -> None:
    """Refuse what the event's state does not allow: deals unless it runs, corrections once archived."""
    works = [work for work in sheets if not work.is_nothing]
    if works:
        plays = any(work.sheet is None or work.changes.new for work in works)
        check_doing(event.name, event.state, Doing.PLAY if plays else Doing.CORRECT)


class _Planner:
    """Plans the whole file; loads what it needs from the database once."""

    def __init__(self, club: Club, file: FileEvent, options: ImportOptions, problems: Problems) -> None:
        self.club = club
        self.file = file
        self.options = options
        self.problems = problems
        self.event = _event(club, file, options, problems)
        if self.event is not None:
            self.rules = self.event.rules.rules
            self.team_size: int | None = self.event.team_size
            if options.rules not in (None, self.rules):
                raise LeagueError(
                    "rules_differ",
                    _("“%(event)s” exists and has other rules, which apply; leave the rules out.")
                    % {"event": self.event},
                    field="rules",
                )
        else:
            self.rules = options.rules or rules_of_game(file.sheets[0].game if file.sheets else GIN)
            check_plays_matches(self.rules)
            self.team_size = len(file.sheets[0].sides[0].players) if file.sheets else None
        self.roll = Roll(club, problems, create=options.create)
        self.entries = EntryRoll(self.event, self.roll, problems)
        self.rounds: dict[int, ImportedRound] = {}
        self.matches: dict[str, Match] = {}
        self.kept: dict[int, KeptSheet] = {}
        self.refillable: Mapping[int, set[int]] = {}
        self.notes: list[str] = []
        if self.event is not None:
            self._look_up(self.event)

    def _look_up(self, event: Event) -> None:
        self.rounds = {one.number: ImportedRound(one.number, one.date, one) for one in event.rounds.all()}
        matches = (
            Match.objects.filter(event=event)
            .select_related("round", "entry_a", "entry_b", "sheet__rules")
            .prefetch_related("appearances")
        )
        labels = {same_text(sheet.label) for sheet in self.file.sheets}
        named = {same_text(match.label): match for match in matches}
        self.matches = {label: named[label] for label in labels & named.keys()}
        sheets = [match.sheet for match in self.matches.values() if match.sheet is not None]
        self.kept = {kept.sheet.pk: kept for kept in kept_sheets(sheets)}
        imports = ImportBatch.objects.filter(event=event)
        self.refillable = refillable_deals(self.kept.values(), imports)

    def fill(self, plan: ImportPlan) -> None:
        """Fill the plan, which is meaningless if any problem was found."""
        used: dict[int, ImportedRound] = {}
        sheets = []
        for sheet in self.file.sheets:
            if self._fits(sheet) and (work := self._sheet(sheet)) is not None:
                sheets.append(work)
                used[work.round.number] = work.round
        self._check_rounds(sheets)
        plan.rules, plan.event = self.rules, self.event
        plan.people = list(self.roll.named)
        plan.entries = self.entries.plans
        plan.rounds = list(used.values())
        plan.matches = sheets
        plan.notes = [*self.roll.notes, *self.notes]

    def _fits(self, sheet: FileSheet) -> bool:
        """Return whether the sheet is of the event's game and team size; else add a problem."""
        if sheet.game != self.rules.kind:
            message = _("“%(event)s” is an event of %(game)s; this sheet is of %(other)s.")
            games = {"event": shown(self.file.name), "game": self.rules.kind, "other": sheet.game}
            self.problems.add(sheet.row, "game", message % games)
            return False
        size = len(sheet.sides[0].players)
        if size == self.team_size:
            return True
        if size > LARGEST_TEAM:
            message = _("The team is too large.")
        elif self.team_size == 1:
            message = _("“%(event)s” is an event of single players, not of teams.")
        else:
            message = _("A side of “%(event)s” has %(size)s players, not %(other)d.")
        words = {"event": shown(self.file.name), "size": self.team_size, "other": size}
        self.problems.add(sheet.row, "side_a", message % words)
        return False

    def _sheet(self, sheet: FileSheet) -> MatchWork | None:
        people = [
            self._people(side, column, sheet) for side, column in zip(sheet.sides, SIDES[:2], strict=True)
        ]
        if people[0] is None or people[1] is None:
            return None
        line_ups = (people[0], people[1])
        if len({id(person) for person in [*line_ups[0], *line_ups[1]]}) < len(sheet.players):
            self.problems.add(sheet.row, "side_b", _("Two names on this sheet belong to one player."))
            return None
        match = self.matches.get(same_text(sheet.label))
        if match is None and self._is_drawn_only(sheet):
            return None
        if match is None:
            return self._new_match(sheet, line_ups)
        return self._stored_match(sheet, match, line_ups)

    def _is_drawn_only(self, sheet: FileSheet) -> bool:
        """Return whether the event's format refuses sheets it has not drawn; adds a problem if so."""
        if self.event is None or format_of(self.event).takes_foreign_matches:
            return False
        message = _("“%(event)s” has no sheet %(sheet)s, and takes none that it has not drawn.")
        self.problems.add(
            sheet.row, "sheet", message % {"event": shown(self.event.name), "sheet": shown(sheet.label)}
        )
        return True

    def _people(self, side: SheetSide, column: str, sheet: FileSheet) -> list[Person] | None:
        found = [self.roll.person(name, sheet.row, column) for name in side.players]
        people = [person for person in found if person is not None]
        return people if len(people) == len(found) else None

    def _new_match(self, sheet: FileSheet, line_ups: LineUps) -> MatchWork | None:
        changes = new_sheet(sheet, self.rules, self.problems)
        entries = [
            self._entry(people, team, sheet, column)
            for people, team, column in zip(line_ups, sheet.teams, ("side_a", "side_b"), strict=True)
        ]
        if entries[0] is None or entries[1] is None:
            return None
        if entries[0] is entries[1]:
            message = _("“%(entry)s” cannot play against itself.") % {"entry": shown(entries[0].name)}
            self.problems.add(sheet.row, "side_b", message)
            return None
        return self._work(sheet, self._round(sheet), (entries[0], entries[1]), line_ups, changes, line_ups)

    def _entry(self, people: list[Person], team: str, sheet: FileSheet, column: str) -> EntryPlan | None:
        if self.team_size == 1:
            return self.entries.single(people[0], sheet.row, column)
        return self.entries.team(people, team, sheet.row, column)

    def _work(
        self,
        sheet: FileSheet,
        round_plan: ImportedRound,
        entries: tuple[EntryPlan, EntryPlan],
        line_ups: LineUps,
        changes: Changes,
        seated: LineUps,
    ) -> MatchWork:
        """A sheet to be opened, with the club's names for everybody, in the order seated."""
        first, second = (
            SheetSide(entry.name, tuple(person.name for person in people))
            for entry, people in zip(entries, seated, strict=True)
        )
        flat = [*line_ups[0], *line_ups[1]]
        players = {name: person.name for name, person in zip(sheet.players, flat, strict=True)}
        sides = {sheet.sides[0].name: first.name, sheet.sides[1].name: second.name}
        changes.appended = [renamed(deal, players, sides) for deal in changes.appended]
        return MatchWork(
            file=sheet,
            rules=self.rules,
            round=round_plan,
            entries=entries,
            line_ups=seated,
            sides=(first, second),
            changes=changes,
        )

    def _round(self, sheet: FileSheet) -> ImportedRound:
        number = _round_of(sheet)
        found = self.rounds.get(number)
        if found is None:
            found = self.rounds[number] = ImportedRound(number, sheet.date)
        elif found.round is None and sheet.date is not None:
            found.date = sheet.date if found.date is None else min(found.date, sheet.date)
        return found

    def _stored_match(self, sheet: FileSheet, match: Match, line_ups: LineUps) -> MatchWork | None:
        label = shown(sheet.label)
        if match.round.number != sheet.round:
            message = _("Sheet %(sheet)s is of round %(round)d in this event, not %(other)d.")
            words = {"sheet": label, "round": match.round.number, "other": sheet.round}
            self.problems.add(sheet.row, "round", message % words)
            return None
        if match.round.state == RoundState.DRAFTED:
            message = _("Round %(round)d is a draft; publish it before its sheets are filled.")
            self.problems.add(sheet.row, "round", message % {"round": match.round.number})
            return None
        if match.is_table:
            message = _("Sheet %(sheet)s is of a table of three or more; files of matches have two sides.")
            self.problems.add(sheet.row, "sheet", message % {"sheet": label})
            return None
        if match.state in AWARDED or match.entry_b is None:
            message = _("Sheet %(sheet)s is not played: a %(state)s was awarded for it.")
            words = {"sheet": label, "state": match.get_state_display()}
            self.problems.add(sheet.row, "sheet", message % words)
            return None
        if match.sheet is not None and match.sheet.status == SheetStatus.VOID:
            message = _(
                "Sheet %(sheet)s was voided. Open a new sheet for the match first, or take its rows out."
            )
            self.problems.add(sheet.row, "sheet", message % {"sheet": label})
            return None
        if any(one.replaces is not None for one in match.appearances.all()):
            message = _(
                "On sheet %(sheet)s a substitute took over a seat, which no row can say; take its rows out."
            )
            self.problems.add(sheet.row, "sheet", message % {"sheet": label})
            return None
        entries = (self.entries.stored(match.entry_a), self.entries.stored(match.entry_b))
        seated = self._seated(match)
        turned = (line_ups[1], line_ups[0])
        if not _sit(line_ups, seated, entries) and _sit(turned, seated, entries):
            line_ups = turned
            sheet = replace(sheet, sides=(sheet.sides[1], sheet.sides[0]), teams=sheet.teams[::-1])
        if not _sit(line_ups, seated, entries):
            first, second = (
                all_of([person.name for person in people or entry.members])
                for people, entry in zip(seated, entries, strict=True)
            )
            message = _("Sheet %(sheet)s is %(first)s against %(second)s in this event.")
            self.problems.add(
                sheet.row, "side_a", message % {"sheet": label, "first": first, "second": second}
            )
            return None
        seated = (seated[0] or line_ups[0], seated[1] or line_ups[1])
        if match.sheet is None:
            changes = new_sheet(sheet, self.rules, self.problems)
            work = self._work(sheet, self.rounds[_round_of(sheet)], entries, line_ups, changes, seated)
        else:
            work = self._compared(sheet, self.kept[match.sheet.pk], line_ups, seated, entries)
        work.match, work.sheet = match, match.sheet
        return work

    def _seated(self, match: Match) -> LineUps:
        """The line-ups of the match, as far as they are set."""
        sides: LineUps = ([], [])
        for appearance in sorted(match.appearances.all(), key=lambda one: (one.side, one.position)):
            person = self.roll.known(appearance.player_id)
            if person is not None:
                sides[appearance.side].append(person)
        return sides

    def _compared(
        self,
        sheet: FileSheet,
        kept: KeptSheet,
        line_ups: LineUps,
        seated: LineUps,
        entries: tuple[EntryPlan, EntryPlan],
    ) -> MatchWork:
        seat_of = dict(zip([*seated[0], *seated[1]], kept.seat_names.values(), strict=True))
        flat = [*line_ups[0], *line_ups[1]]
        changes = compared(
            sheet,
            kept,
            {name: seat_of[person] for name, person in zip(sheet.players, flat, strict=True)},
            {ours.name: theirs.name for ours, theirs in zip(sheet.sides, kept.sides, strict=True)},
            correct=bool(self.options.correct),
            refillable=self.refillable.get(kept.sheet.pk, ()),
            problems=self.problems,
        )
        return MatchWork(
            file=sheet,
            rules=self.rules,
            round=self.rounds[_round_of(sheet)],
            entries=entries,
            line_ups=seated,
            sides=kept.sides,
            changes=changes,
        )

    def _check_rounds(self, sheets: Iterable[MatchWork]) -> None:
        """Report players who play twice in a round; note sheets dated differently from their round."""
        # Sheets of one tie are played in one round.
        playing: dict[tuple[int, int, Person], str] = {}
        if self.event is not None:
            rows = Appearance.objects.filter(match__event=self.event)
            for number, leg, player_id, label in rows.values_list(
                "round__number", "leg", "player", "match__label"
            ):
                person = self.roll.known(player_id)
                if person is not None and same_text(label) not in self.matches:
                    playing[number, leg, person] = label
        for work in sheets:
            leg = work.match.leg if work.match is not None else 1
            for side, column in zip(work.line_ups, ("side_a", "side_b"), strict=True):
                for person in side:
                    label = playing.setdefault((work.round.number, leg, person), work.file.label)
                    if label != work.file.label:
                        message = _("%(player)s plays in round %(round)d already, on sheet %(sheet)s.")
                        words = {"player": person.name, "round": work.round.number, "sheet": shown(label)}
                        self.problems.add(work.file.row, column, message % words)
            if work.file.date != work.round.date and work.file.date is not None:
                note = _("Sheet %(sheet)s is of %(day)s; round %(round)d keeps its date, %(date)s.")
                self.notes.append(
                    note
                    % {
                        "sheet": work.file.label,
                        "day": work.file.date,
                        "round": work.round.number,
                        "date": work.round.date or _("none"),
                    }
                )


def _round_of(sheet: FileSheet) -> int:
    """The round of a sheet of an event, without which no row of it is read."""
    if sheet.round is None:
        raise LookupError("A sheet of an event is of a round.")
    return sheet.round


def _event(club: Club, file: FileEvent, options: ImportOptions, problems: Problems) -> Event | None:
    """The event by name, else by slug; None if it is to be made."""
    events = list(Event.objects.filter(club=club).select_related("rules"))
    found = [event for event in events if same_text(event.name) == same_text(file.name)]
    found = found or [event for event in events if event.slug == file.name]
    if len(found) > 1:
        slugs = ", ".join(sorted(event.slug for event in found))
        message = _("%(club)s has several events of this name; write the address of one of them: %(slugs)s.")
        problems.add(file.row, "event", message % {"club": club, "slugs": slugs})
        problems.refuse_if_any()
    elif not found and not options.create:
        message = _("%(club)s has no event “%(event)s”. Make it, or let the import make it.")
        words = {"club": club, "event": shown(file.name)}
        problems.add(file.row, "event", message % words, option="create")
        problems.refuse_if_any()
    return found[0] if found else None


def _sit(line_ups: LineUps, seated: LineUps, entries: tuple[EntryPlan, EntryPlan]) -> bool:
    """Return whether these people are the match's line-ups, or members of its entries if none are set."""
    return all(
        set(people) == set(seats) if seats else set(people) <= set(entry.members)
        for people, seats, entry in zip(line_ups, seated, entries, strict=True)
    )
