"""Carries an import out, in one transaction or not at all.

Deals are written through `scoring.services`, like all others.
"""

import zoneinfo
from collections.abc import Callable, Sequence
from datetime import datetime, time
from typing import Final, TypeVar

from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from league.draws.formats.tables import Tables
from league.errors import LeagueError
from league.events.entry_rows import leave_list
from league.events.events import create_event
from league.files.making import rules_called_after, rules_of_club, season_called
from league.files.planning import check_open
from league.files.plans import Changes, ImportPlan, MatchWork, PlannedSeating, SheetWork, TableWork
from league.files.tables import labels_of, sheets_at_tables
from league.matches.matches import MatchPlan, appearances_of, bring_sheet, make_matches
from league.matches.substitutes import Sitting, sitting_now, write_substitute
from league.models import (
    Appearance,
    Club,
    Entry,
    EntryMember,
    Event,
    EventKind,
    EventState,
    Exhibition,
    ImportBatch,
    Match,
    OddTable,
    Player,
    Round,
    Season,
)
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import lock_matches
from league.record.requests import request_standings
from league.record.slugs import free_slug
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import ScoringError
from scoring.core.sheets import VOID
from scoring.models import Scoresheet, SheetAct
from scoring.services import (
    SheetPlan,
    add_substitute,
    correct_deals,
    open_sheets,
    record_deals,
    stop_sheet,
)

# What is no row that the import made: who of a stored line-up was replaced, and by whom.
STAND_INS: Final = ("stand_in", "stood_in_for")

Row = TypeVar("Row", bound=models.Model)
Progress = Callable[[int], object]


def apply_import(
    *, actor: Actor, plan: ImportPlan, progress: Progress = lambda sheets: None
) -> ImportBatch | None:
    """Carry out the plan; returns None if the club has all of the file already.

    `progress` is called with the number of sheets just done. Refused, with nothing changed: `not_allowed`,
    and `changed_meanwhile` if somebody wrote after the plan was made.
    """
    require(actor, Permission.DIRECT, plan.club)
    if plan.changes_nothing:
        return None
    try:
        with transaction.atomic():
            return _Import(actor, plan).apply(progress)
    except (IntegrityError, ScoringError) as error:
        if isinstance(error, ScoringError) and error.code not in ("stale_version", "sheet_begun"):
            raise
        raise _changed_meanwhile() from error


class _Import:
    """An import in progress; collects what it creates for the batch."""

    def __init__(self, actor: Actor, plan: ImportPlan) -> None:
        self.actor = actor
        self.plan = plan
        self.created: dict[str, list[int]] = {}
        self.batch = ImportBatch.objects.create(
            club=plan.club,
            event=plan.event,
            event_name=plan.file.name,
            file_name=plan.file_name[-200:],
            digest=plan.digest,
            hands=plan.file.hands,
            deals=sum(work.changes.new + work.changes.corrected for work in plan.sheets),
            sheets=len(plan.work),
            **ImportBatch.actor_fields(actor),
        )
        # Every import has its own actor, by which its acts are found and its keys are unique.
        self.importer = batch_actor(self.batch, actor.name)

    def apply(self, progress: Progress) -> ImportBatch:
        event = self._prepared_event() if self.plan.is_of_event else None
        if event is None:
            self._open_tables()
        # Existing sheets are locked in the common order.
        for work in sorted(self.plan.work, key=lambda work: work.sheet.pk if work.sheet else 0):
            self._write(work)
            progress(1)
        if event is not None:
            request_standings(event.pk)
        batch = self.batch
        batch.event = event
        batch.created = self.created
        batch.save(update_fields=["event", "created"])
        acts = SheetAct.objects.filter(actor_kind=ActorKind.IMPORT.value, actor_id=self.importer.id)
        batch.acts.set(acts)
        record_audit(
            self.actor,
            "import.apply",
            batch,
            after={
                "event": self.plan.file.name,
                "hands": batch.hands,
                "deals": batch.deals,
                "sheets": batch.sheets,
                "created": {kind: len(ids) for kind, ids in self.created.items() if kind not in STAND_INS},
            },
            reason=self.plan.options.correct,
        )
        return batch

    def _prepared_event(self) -> Event:
        """The event, with everything that its deals are written into."""
        event = self._locked_event() or self._make_event()
        self._make_people(event)
        self._make_rounds(event)
        self._make_matches(event)
        return event

    def _open_tables(self) -> None:
        """Open the new sheets outside events, and make the house rules that they are played by."""
        club = self.plan.club
        locked(club)
        new = [work for work in self.plan.tables if work.sheet is None]
        there = set(labels_of(sheets_at_tables(club)).values())
        if any(work.file.label in there for work in new):
            raise _changed_meanwhile()
        opened: list[Scoresheet] = []
        for plan in self.plan.new_rules:
            plan.house_rules = rules_of_club(
                actor=self.actor, club=club, rules=plan.rules, name=plan.name, created=self.created
            )
        for plan in dict.fromkeys(work.house_rules for work in new):
            works = [work for work in new if work.house_rules is plan]
            sheets = open_sheets(
                actor=self.importer,
                rules=_made(plan.house_rules),
                plans=[_sheet_plan(work, club) for work in works],
            )
            for work, sheet in zip(works, sheets, strict=True):
                work.sheet = sheet
            opened += sheets
        Exhibition.objects.bulk_create([Exhibition(sheet=sheet, club=club) for sheet in opened])
        self.created["sheet"] = [sheet.pk for sheet in opened]

    def _locked_event(self) -> Event | None:
        """The existing event, locked after its sheets and matches.

        Refuses if they changed since the plan, or who sits at them.
        """
        planned = self.plan.event
        if planned is None:
            return None
        sheets = {
            work.match.pk: work.sheet and work.sheet.pk
            for work in self.plan.matches
            if work.match is not None and not work.is_nothing
        }
        matches = Match.objects.filter(pk__in=sheets)
        lock_matches(matches)
        event = locked(planned)
        check_open(event, self.plan.matches)
        if event.rules_id != planned.rules_id or dict(matches.values_list("pk", "sheet")) != sheets:
            raise _changed_meanwhile()
        seated = {
            _seat_of(row)
            for work in self.plan.work
            if isinstance(work, MatchWork) and work.match is not None
            for row in work.match.appearances.all()
        }
        if {_seat_of(row) for row in Appearance.objects.filter(match__in=sheets)} != seated:
            raise _changed_meanwhile()
        return event

    def _make_event(self) -> Event:
        plan = self.plan
        locked(plan.club)
        if Event.objects.filter(club=plan.club, name=plan.file.name).exists():
            raise _changed_meanwhile()
        first = plan.matches[0].sides
        size = len(first[0].players)
        season: Season | None = None
        if plan.options.season:
            season = season_called(
                plan.options.season,
                actor=self.actor,
                club=plan.club,
                dates=[one.date for one in plan.rounds if one.date is not None],
                created=self.created,
            )
        event = create_event(
            actor=self.actor,
            club=plan.club,
            name=plan.file.name,
            slug=free_slug(plan.club.events.values_list("slug", flat=True), plan.file.name),
            rules=rules_of_club(
                actor=self.actor,
                club=plan.club,
                rules=plan.rules,
                name=rules_called_after(plan.file.name),
                created=self.created,
            ),
            season=season,
            kind=EventKind.INDIVIDUAL if size == 1 else EventKind.TEAM,
            team_size=size,
            state=EventState.RUNNING,
            **({"format": Tables.key} if len(first) > 2 else {}),
            **({"odd_table": OddTable.BYE} if _has_byes_besides(plan) else {}),
        )
        self.created["event"] = [event.pk]
        return event

    def _make_people(self, event: Event) -> None:
        people = self.plan.new_players
        players = Player.objects.bulk_create([Player(club=event.club, name=one.name) for one in people])
        for person, player in zip(people, players, strict=True):
            person.player = player
        plans = self.plan.new_entries
        entries = Entry.objects.bulk_create(
            [
                Entry(
                    event=event,
                    name=one.name,
                    is_bot=bool(one.members) and all(_made(person.player).is_bot for person in one.members),
                )
                for one in plans
            ]
        )
        for plan, entry in zip(plans, entries, strict=True):
            plan.entry = entry
        EntryMember.objects.bulk_create(
            [
                EntryMember(event=event, entry=plan.entry, player=person.player, position=position)
                for plan in plans
                for position, person in enumerate(plan.members)
            ]
        )
        leave_list(event, [_made(person.player) for plan in plans for person in plan.members])
        self.created["player"] = [player.pk for player in players]
        self.created["entry"] = [entry.pk for entry in entries]

    def _make_rounds(self, event: Event) -> None:
        plans = self.plan.new_rounds
        rounds = Round.objects.bulk_create(
            [Round(event=event, number=one.number, date=one.date) for one in plans]
        )
        for plan, made in zip(plans, rounds, strict=True):
            plan.round = made
        self.created["round"] = [made.pk for made in rounds]

    def _make_matches(self, event: Event) -> None:
        self._bring_line_ups()
        new = [work for work in self.plan.matches if work.match is None]
        matches = make_matches(actor=self.actor, event=event, plans=[_match_plan(work) for work in new])
        for work, match in zip(new, matches, strict=True):
            work.match, work.sheet = match, match.sheet
        self.created["match"] = [match.pk for match in matches]
        self._open_sheets(event)
        self.created["sheet"] += [_made(match.sheet).pk for match in matches]

    def _bring_line_ups(self) -> None:
        """Write who plays from the first deal on in the place of whom, in line-ups that are stored.

        Of a blank sheet the names become what they are today.
        """
        for work in self.plan.matches:
            if work.match is None or not (work.stand_ins or work.seatings):
                continue
            seats = {row.player_id: row for row in work.match.appearances.all()}
            for replaced, person in work.stand_ins:
                appearance = seats[_made(replaced.player).pk]
                for kind, pk in zip(STAND_INS, (appearance.pk, appearance.player_id), strict=True):
                    self.created.setdefault(kind, []).append(pk)
                appearance.player = _made(person.player)
                appearance.save(update_fields=["player"])
            if work.sheet is not None:
                bring_sheet(self.importer, work.match)

    def _open_sheets(self, event: Event) -> None:
        """Open sheets, and set missing line-ups, for matches drawn without them."""
        missing = [work for work in self.plan.matches if work.sheet is None]
        sheets = open_sheets(
            actor=self.importer,
            rules=event.rules,
            plans=[SheetPlan(work.sides, work.file.label, _persons(work)) for work in missing],
        )
        appearances: list[Appearance] = []
        for work, sheet in zip(missing, sheets, strict=True):
            match = _made(work.match)
            work.sheet = match.sheet = sheet
            match.save(update_fields=["sheet"])
            for side in set(match.sides) - {one.side for one in match.appearances.all()}:
                players = [_made(person.player) for person in work.line_ups[side]]
                appearances += appearances_of(match, side, players)
        rows = Appearance.objects.bulk_create(appearances)
        self.created["sheet"] = [sheet.pk for sheet in sheets]
        self.created["appearance"] = [row.pk for row in rows]

    def _write(self, work: SheetWork) -> None:
        changes, sheet = work.changes, _made(work.sheet)
        key, voids = f"import-{self.batch.pk}", changes.voids
        if changes.corrections:
            correct_deals(
                actor=self.importer,
                sheet=sheet,
                changes=changes.corrections,
                reason=self.plan.options.correct or self._reason(),
                key=key,
                expected_version=sheet.version,
                stopped=changes.stopped,
            )
        elif changes.appended:
            voids = self._append(sheet, work, key)
        elif changes.stopped:
            stop_sheet(
                actor=self.importer, sheet=sheet, reason=self._reason(), expected_version=sheet.version
            )
        if voids:
            self._void(sheet, voids, f"{key}-void")

    def _append(self, sheet: Scoresheet, work: SheetWork, key: str) -> list[int]:
        """Records the new deals; returns the numbers of those that are still to be voided.

        Where a number of deals ends the sheet, what stands in for a void one would count: it is voided before
        the next is recorded. Substitutes sit down before the first deal that they play.
        """
        changes: Changes = work.changes
        deals, first, version = changes.appended, sheet.deal_count + 1, sheet.version
        voided = [number + 1 - first for number in changes.voids] if work.rules.deals is not None else []
        seated = [seating.from_deal - first for seating in work.seatings]
        sitting: dict[int, Sitting] = {}
        if isinstance(work, MatchWork) and seated:
            sitting = {one.appearance.player_id: one for one in sitting_now(_made(work.match))}
        begun = 0
        for end in sorted({*voided, *seated, len(deals)}):
            if end > begun:
                receipt = record_deals(
                    actor=self.importer,
                    sheet=sheet,
                    deals=deals[begun:end],
                    key=f"{key}-{first + begun}" if begun else key,
                    expected_version=version,
                    stopped=changes.stopped is True and end == len(deals) and end not in seated,
                )
                version = receipt.version
            if end in voided:
                version = self._void(sheet, [first + end - 1], f"{key}-void-{first + end - 1}")
            for seating in work.seatings:
                if seating.from_deal == first + end:
                    self._seat(sheet, work, seating, sitting)
            begun = end
        if changes.stopped and len(deals) in seated:
            stop_sheet(actor=self.importer, sheet=sheet, reason=self._reason(), expected_version=version)
        return [] if voided else changes.voids

    def _seat(
        self, sheet: Scoresheet, work: SheetWork, seating: PlannedSeating, sitting: dict[int, Sitting]
    ) -> None:
        """Seat a substitute, in the line-up too where the sheet is of a match.

        `sitting` are those at a match's table now, by the player's id; it is kept up to date.
        """
        if isinstance(work, MatchWork):
            seat = sitting.pop(_made(seating.replaces.player).pk)
            row = write_substitute(
                actor=self.importer,
                match=_made(work.match),
                sheet=sheet,
                seat=seat,
                player=_made(seating.person.player),
                from_deal=seating.from_deal,
            )
            sitting[row.player_id] = seat._replace(appearance=row)
            self.created.setdefault("appearance", []).append(row.pk)
            return
        player = seating.person.player
        add_substitute(
            actor=self.importer,
            sheet=sheet,
            side=seating.side,
            replaces=seating.replaces.name,
            name=seating.person.name,
            person="" if player is None else player.code,
            from_deal=seating.from_deal,
        )

    def _void(self, sheet: Scoresheet, numbers: Sequence[int], key: str) -> int:
        """Voids deals that hold the place of a void one; returns the sheet's version."""
        return correct_deals(
            actor=self.importer,
            sheet=sheet,
            changes=dict.fromkeys(numbers, VOID),
            reason=_("Void in the file"),
            key=key,
        ).version

    def _reason(self) -> str:
        return _("Import of %(file)s") % {"file": self.batch.file_name}


def _seat_of(row: Appearance) -> tuple[int, int, int, int]:
    """Who sits where in which match."""
    return row.match_id, row.side, row.position, row.player_id


def _changed_meanwhile() -> LeagueError:
    return LeagueError(
        "changed_meanwhile",
        _("Somebody has just written on these sheets; nothing was imported. Try again."),
    )


def batch_actor(batch: ImportBatch, name: str) -> Actor:
    """The actor of an import's acts on sheets, printed with the importing person's name."""
    return Actor(ActorKind.IMPORT, str(batch.pk), _("%(name)s (import)") % {"name": name})


def _sheet_plan(work: TableWork, club: Club) -> SheetPlan:
    """The sheet to be opened, at noon of the day that the file tells."""
    day = work.file.date
    zone = zoneinfo.ZoneInfo(club.time_zone)
    opened_at = None if day is None else datetime.combine(day, time(12), zone)
    return SheetPlan(work.sides, work.file.label, work.persons, opened_at)


def _match_plan(work: MatchWork) -> MatchPlan:
    line_ups = [tuple([_made(person.player) for person in people]) for people in work.line_ups]
    entries = [_made(plan.entry) for plan in work.entries]
    return MatchPlan(
        round=_made(work.round.round),
        entry_a=entries[0],
        entry_b=entries[1] if len(entries) > 1 else None,
        others=tuple(entries[2:]),
        label=work.file.label,
        table=work.file.table,
        line_up_a=line_ups[0],
        line_up_b=line_ups[1],
        line_ups_of_others=tuple(line_ups[2:]),
    )


def _has_byes_besides(plan: ImportPlan) -> bool:
    """Whether byes count as such, and not what was played in their place."""
    return any(work.file.bye is not None and bool(work.file.bye.mark) for work in plan.matches)


def _made(row: Row | None) -> Row:
    """The row that an earlier step must have made."""
    if row is None:
        raise LookupError("A step of the import came before the one it builds on.")
    return row


def _persons(work: MatchWork) -> dict[str, str]:
    return {person.name: _made(person.player).code for line_up in work.line_ups for person in line_up}
