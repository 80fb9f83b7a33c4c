"""Checks a file against a club and plans the import; writes nothing.

All problems are collected and refused together (`FileRefused`), by row and column.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from django.utils.translation import gettext as _

from league.core.hand_files.cells import joined
from league.core.hand_files.deals import renamed
from league.core.hand_files.gathering import FileEvent, FileSheet, gather, usual_rules
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import GIN, SIDES, TEAMS, read_rows
from league.core.lifecycle import Doing, check_doing
from league.draws.formats import format_of
from league.errors import LeagueError
from league.files.comparing import compared, new_sheet, refillable_deals
from league.files.people import EntryRoll, Roll, all_of, same_text
from league.files.plans import (
    Changes,
    EntryPlan,
    ImportedRound,
    ImportOptions,
    ImportPlan,
    LineUps,
    MatchWork,
    Person,
    seatings_of,
)
from league.files.tables import plan_tables
from league.models import (
    AWARDED,
    Appearance,
    Club,
    Event,
    ImportBatch,
    Match,
    MatchState,
    RoundState,
)
from league.policy.eligibility import check_plays_matches
from scoring.core.errors import SheetError, shown
from scoring.core.kinds import kind_of
from scoring.core.sheets import SheetSide
from scoring.documents.sides import LARGEST_TEAM
from scoring.models import SheetStatus
from scoring.services.records import KeptSheet, kept_sheets, made_distinct


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
        plays = any(work.sheet is None or work.stand_ins or work.changes.new for work in works)
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
            self.has_tables = self.event.has_tables
            if options.rules not in (None, self.rules):
                raise LeagueError(
                    "rules_differ",
                    _("“%(event)s” exists and has other rules, which apply; leave the rules out.")
                    % {"event": self.event},
                    field="rules",
                )
        else:
            sides = file.sheets[0].sides if file.sheets else ()
            self.has_tables = len(sides) > 2
            game = file.sheets[0].game if file.sheets else GIN
            self.rules = options.rules or usual_rules(game, len(sides))
            if not self.has_tables:
                check_plays_matches(self.rules)
            self.team_size = len(sides[0].players) if sides else None
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
            .with_sides("round", "sheet__rules")
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
        self._check_stand_ins(sheets)
        self._check_rounds(sheets)
        if self.event is None:
            self._check_byes(sheets)
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
        if self.has_tables != (len(sheet.sides) > 2):
            message = _("“%(event)s” is an event of matches of two sides; at this table sit %(sides)d.")
            if self.has_tables:
                message = _("“%(event)s” is an event of tables of three and more; this sheet has two sides.")
            words = {"event": shown(self.file.name), "sides": len(sheet.sides)}
            self.problems.add(sheet.row, SIDES[2], message % words)
            return False
        size = len(sheet.sides[0].players)
        if sheet.bye is not None and self.has_tables:
            self.problems.add(sheet.bye.number, "kind", _("There are byes only in matches of two sides."))
            return False
        if size == self.team_size:
            return self._are_sides(sheet)
        if size > LARGEST_TEAM:
            message = _("The team is too large.")
        elif self.team_size == 1:
            message = _("“%(event)s” is an event of single players, not of teams.")
        else:
            message = _("A side of “%(event)s” has %(size)s players, not %(other)d.")
        words = {"event": shown(self.file.name), "size": self.team_size, "other": size}
        self.problems.add(sheet.row, "side_a", message % words)
        return False

    def _are_sides(self, sheet: FileSheet) -> bool:
        """Return whether the rules are for so many sides; else add a problem."""
        try:
            kind_of(self.rules).check_sides(self.rules, sheet.sides)
        except SheetError as error:
            self.problems.add(sheet.row, SIDES[0], error.message)
            return False
        return True

    def _sheet(self, sheet: FileSheet) -> MatchWork | None:
        people = self._people(sheet)
        if people is None:
            return None
        named = [people[name] for name in sheet.players if name not in sheet.numbered]
        if len(set(map(id, named))) < len(named):
            self.problems.add(sheet.row, "side_b", _("Two names on this sheet belong to one player."))
            return None
        if sheet.bye is not None and not self._is_against_bot(sheet, people):
            return None
        match = self.matches.get(same_text(sheet.label))
        if match is None and self._is_drawn_only(sheet):
            return None
        return self._new_match(sheet, people) if match is None else self._stored_match(sheet, match, people)

    def _is_against_bot(self, sheet: FileSheet, people: Mapping[str, Person]) -> bool:
        """Return whether a bot of the club has the second side of a bye's sheet; else add a problem.

        Of a team it has all seats, and from the second on its name has a number, as on the sheet.
        """
        name, *_further = sheet.entered[1]
        bot = people[name].player
        if bot is None or not bot.is_bot:
            message = _("%(club)s has no bot “%(name)s”, and a bye is played against a bot.")
            self.problems.add(sheet.row, SIDES[1], message % {"club": self.club, "name": shown(name)})
            return False
        others = [one for one in sheet.players if one not in sheet.entered[1]]
        seats = made_distinct(dict(enumerate([*others, *[name] * len(sheet.entered[1])])))
        bots = tuple(seats.values())[len(others) :]
        if bots != sheet.entered[1]:
            message = _("In a bye the bot has every seat of this side; write “%(names)s”.")
            self.problems.add(sheet.row, SIDES[1], message % {"names": shown(joined(bots))})
            return False
        for seating in sheet.seatings:
            if seating.side == 1:
                self.problems.add(seating.row, "replaces", _("Nobody takes the bot’s seat in a bye."))
                return False
        return True

    def _is_drawn_only(self, sheet: FileSheet) -> bool:
        """Return whether the event's format refuses sheets it has not drawn; adds a problem if so."""
        if self.event is None or format_of(self.event).takes_foreign_matches:
            return False
        message = _("“%(event)s” has no sheet %(sheet)s, and takes none that it has not drawn.")
        self.problems.add(
            sheet.row, "sheet", message % {"event": shown(self.event.name), "sheet": shown(sheet.label)}
        )
        return True

    def _people(self, sheet: FileSheet) -> Mapping[str, Person] | None:
        """Everybody on the sheet, and for whom it is, by the file's names; None, and problems, if unknown."""
        places = [
            (name, sheet.row, SIDES[side])
            for side, names in enumerate(sheet.entered)
            for name in names
            if name not in sheet.numbered
        ]
        places += [(seating.substitute.player, seating.row, "player") for seating in sheet.seatings]
        found = {name: self.roll.person(name, row, column) for name, row, column in places}
        people = {name: person for name, person in found.items() if person is not None}
        if len(people) < len(found):
            return None
        return people | dict.fromkeys(sheet.numbered, people[sheet.entered[1][0]])

    def _new_match(self, sheet: FileSheet, people: Mapping[str, Person]) -> MatchWork | None:
        changes = new_sheet(sheet, self.rules, self.problems)
        entered = sheet.entered if sheet.bye is None else sheet.entered[:1]
        found = [
            self._entry([people[name] for name in names], team, sheet, column)
            for names, team, column in zip(entered, _team_names(sheet), SIDES, strict=False)
        ]
        entries = [entry for entry in found if entry is not None]
        if len(entries) < len(found):
            return None
        for number, entry in enumerate(entries):
            if entry in entries[:number]:
                message = _("“%(entry)s” cannot play against itself.") % {"entry": shown(entry.name)}
                self.problems.add(sheet.row, SIDES[number], message)
                return None
        names = [entry.name for entry in entries]
        names += [people[side[0]].name for side in sheet.entered[len(entered) :]]
        line_ups = _line_ups(sheet, people)
        return self._work(sheet, self._round(sheet), entries, names, people, changes, line_ups)

    def _entry(self, people: list[Person], team: str, sheet: FileSheet, column: str) -> EntryPlan | None:
        if self.team_size == 1:
            return self.entries.single(people[0], sheet.row, column)
        return self.entries.team(people, team, sheet.row, column)

    def _check_stand_ins(self, sheets: Iterable[MatchWork]) -> None:
        """Report substitutes who play for another entry, but for a guest's.

        Entries that the file makes are known once all its sheets are planned.
        """
        for work in sheets:
            for seating in work.file.seatings:
                person = work.people[seating.substitute.player]
                other = self.entries.bound_to(person)
                if other is not None and other is not work.entries[seating.side]:
                    message = _("%(player)s plays for “%(entry)s”.")
                    words = {"player": shown(person.name), "entry": shown(other.name)}
                    self.problems.add(seating.row, "player", message % words)

    def _work(
        self,
        sheet: FileSheet,
        round_plan: ImportedRound,
        entries: Sequence[EntryPlan],
        names: Sequence[str],
        people: Mapping[str, Person],
        changes: Changes,
        seated: LineUps,
    ) -> MatchWork:
        """A sheet to be opened, with the club's names for everybody, in the order seated.

        `names` are those of the sides.
        """
        written = iter(made_distinct(dict(enumerate([one.name for each in seated for one in each]))).values())
        called_as = made_distinct(dict(enumerate(names)))
        sides = tuple(
            [
                SheetSide(called_as[number], tuple(islice(written, len(line_up))))
                for number, line_up in enumerate(seated)
            ]
        )
        players = {name: people[name].name for name in sheet.players}
        if sheet.bye is not None:
            players |= zip(sheet.entered[1], sides[1].players, strict=True)
        called = {ours.name: theirs.name for ours, theirs in zip(sheet.sides, sides, strict=True)}
        changes.appended = [renamed(deal, players, called) for deal in changes.appended]
        return MatchWork(
            file=sheet,
            rules=self.rules,
            round=round_plan,
            entries=tuple(entries),
            line_ups=seated,
            people=people,
            sides=sides,
            changes=changes,
            seatings=seatings_of(sheet, people),
        )

    def _round(self, sheet: FileSheet) -> ImportedRound:
        number = _round_of(sheet)
        found = self.rounds.get(number)
        if found is None:
            found = self.rounds[number] = ImportedRound(number, sheet.date)
        elif found.round is None and sheet.date is not None:
            found.date = sheet.date if found.date is None else min(found.date, sheet.date)
        return found

    def _stored_match(self, sheet: FileSheet, match: Match, people: Mapping[str, Person]) -> MatchWork | None:
        if not self._is_open(sheet, match):
            return None
        # A bot in place of a bye is no entry's.
        sides = [match.side(side) for side in match.sides]
        entries = [self.entries.stored(side[0]) for side in sides if side]
        seated = self._seated(match)
        turned = _turned(sheet)
        if not self._sit(sheet, people, match, seated) and self._sit(turned, people, match, seated):
            sheet = turned
        if not self._sit(sheet, people, match, seated):
            names = [
                all_of([person.name for person in line_up or entries[side].members])
                for side, line_up in enumerate(seated)
            ]
            message = _("Sheet %(sheet)s is %(names)s in this event.")
            said = _(" against ").join(names)
            if match.is_table:
                message = _("At the table of sheet %(sheet)s sit %(names)s in this event, in this order.")
                said = ", ".join(names)
            self.problems.add(sheet.row, "side_a", message % {"sheet": shown(sheet.label), "names": said})
            return None
        stand_ins = [
            (people[one.substitute.replaces], people[one.substitute.player])
            for one in sheet.seatings
            if one.substitute.from_deal == 1 and people[one.substitute.replaces] in seated[one.side]
        ]
        line_ups = tuple(
            [
                [dict(stand_ins).get(person, person) for person in line_up] or own
                for line_up, own in zip(seated, _line_ups(sheet, people), strict=True)
            ]
        )
        round_plan = self.rounds[_round_of(sheet)]
        if match.sheet is None or (sheet.seatings and _is_blank(match)):
            called = [match.side_name(side) or line_ups[side][0].name for side in match.sides]
            changes = new_sheet(sheet, self.rules, self.problems)
            work = self._work(sheet, round_plan, entries, called, people, changes, line_ups)
        else:
            found = self._compared(sheet, match, people, line_ups, entries)
            if found is None:
                return None
            work = found
        work.match, work.sheet, work.stand_ins = match, match.sheet, stand_ins
        return work

    def _is_open(self, sheet: FileSheet, match: Match) -> bool:
        """Return whether a stored match can be played on this sheet; else add a problem."""
        label = shown(sheet.label)
        column = "sheet"
        said = ""
        if match.round.number != sheet.round:
            column = "round"
            message = _("Sheet %(sheet)s is of round %(round)d in this event, not %(other)d.")
            said = message % {"sheet": label, "round": match.round.number, "other": sheet.round}
        elif match.round.state == RoundState.DRAFTED:
            column = "round"
            message = _("Round %(round)d is a draft; publish it before its sheets are filled.")
            said = message % {"round": match.round.number}
        elif match.state in AWARDED and not (sheet.bye and match.state == MatchState.BYE and match.sheet):
            message = _("Sheet %(sheet)s is not played: a %(state)s was awarded for it.")
            said = message % {"sheet": label, "state": match.get_state_display()}
        elif sheet.bye and match.entry_b is not None:
            message = _("In this event sheet %(sheet)s is played by two entries, and not in a bye.")
            said = message % {"sheet": label}
        elif match.sheet is not None and match.sheet.status == SheetStatus.VOID:
            message = _(
                "Sheet %(sheet)s was voided. Open a new sheet for the match first, or take its rows out."
            )
            said = message % {"sheet": label}
        if said:
            self.problems.add(sheet.row, column, said)
        return not said

    def _seated(self, match: Match) -> LineUps:
        """The line-ups of the match, as far as they are set."""
        line_ups: LineUps = tuple([[] for _side in match.sides])
        for appearance in sorted(match.appearances.all(), key=lambda one: (one.side, one.position)):
            person = self.roll.known(appearance.player_id)
            if person is not None and appearance.replaces is None:
                line_ups[appearance.side].append(person)
        return line_ups

    def _sit(self, sheet: FileSheet, people: Mapping[str, Person], match: Match, seated: LineUps) -> bool:
        """Return whether the sheet's sides are those of the match.

        They are its line-ups; on a blank sheet somebody else may stand in, as a row says. Where none is set
        they are members of the side's entry, or its name is given.
        """
        if len(sheet.sides) != len(seated):
            return False
        for number, line_up in enumerate(_line_ups(sheet, people)):
            entered = {people[name] for name in sheet.entered[number]}
            seats = set(seated[number])
            if seats:
                fits = set(line_up) == seats or (entered == seats and _is_blank(match))
            else:
                entry, team = self.entries.stored(match.side(number)[0]), _team_names(sheet)[number]
                is_named = bool(team) and same_text(team) == same_text(entry.name)
                fits = entered <= set(entry.members) or is_named
            if not fits:
                return False
        return True

    def _compared(
        self,
        sheet: FileSheet,
        match: Match,
        people: Mapping[str, Person],
        line_ups: LineUps,
        entries: Sequence[EntryPlan],
    ) -> MatchWork | None:
        kept = self.kept[match.sheet_id or 0]
        seat_of = {
            self.roll.known(one.player_id): kept.seat_names[kept.order[one.side][one.position]]
            for one in match.appearances.all()
        }
        players = {name: seat_of[people[name]] for name in sheet.players if people[name] in seat_of}
        if sheet.bye is not None:
            players |= zip(sheet.entered[1], kept.sides[1].players, strict=True)
        correct, refillable = bool(self.options.correct), self.refillable
        changes = compared(
            sheet, kept, players, correct=correct, refillable=refillable, problems=self.problems
        )
        if changes is None:
            return None
        return MatchWork(
            file=sheet,
            rules=self.rules,
            round=self.rounds[_round_of(sheet)],
            entries=tuple(entries),
            line_ups=line_ups,
            people=people,
            sides=kept.sides,
            changes=changes,
        )

    def _check_byes(self, sheets: Iterable[MatchWork]) -> None:
        """Report byes that count in different ways, as in the event that the file makes all count in one."""
        byes = [work.file.bye for work in sheets if work.file.bye is not None]
        for bye in byes[1:]:
            if bye.mark != byes[0].mark:
                message = _("The bye in row %(row)d counts differently; in one event all count alike.")
                self.problems.add(bye.number, "mark", message % {"row": byes[0].number})

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
            for name, row, column in _places(work.file):
                person = work.people[name]
                label = playing.setdefault((work.round.number, leg, person), work.file.label)
                if label != work.file.label:
                    message = _("%(player)s plays in round %(round)d already, on sheet %(sheet)s.")
                    words = {"player": person.name, "round": work.round.number, "sheet": shown(label)}
                    self.problems.add(row, column, message % words)
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


def _line_ups(sheet: FileSheet, people: Mapping[str, Person]) -> LineUps:
    """Who plays the first deal, by side."""
    return tuple([[people[name] for name in side.players] for side in sheet.sides])


def _places(sheet: FileSheet) -> Iterator[tuple[str, int, str]]:
    """Everybody who plays on the sheet, with row and column."""
    for side, column in zip(sheet.sides, SIDES, strict=False):
        for player in side.players:
            yield player, sheet.row, column
    for seating in sheet.substitutes:
        yield seating.substitute.player, seating.row, "player"


def _team_names(sheet: FileSheet) -> Sequence[str]:
    """The names of teams by side, empty where the file gives none."""
    return [*sheet.teams, *[""] * (len(sheet.sides) - len(TEAMS))]


def _turned(sheet: FileSheet) -> FileSheet:
    """A sheet of two sides with the second first; any other as it is."""
    if len(sheet.sides) > 2:
        return sheet
    return replace(
        sheet,
        sides=sheet.sides[::-1],
        entered=sheet.entered[::-1],
        teams=sheet.teams[::-1],
        seatings=tuple([replace(seating, side=1 - seating.side) for seating in sheet.seatings]),
    )


def _is_blank(match: Match) -> bool:
    """Return whether nothing is recorded on the match's sheet, or it has none."""
    return match.sheet is None or (match.sheet.version == 0 and not match.sheet.acts.exists())
