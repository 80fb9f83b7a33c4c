"""Plans the sheets of a file that are outside events: evenings of the club at one table."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from league.core.hand_files.deals import renamed
from league.core.hand_files.gathering import FileEvent, FileSheet, rules_of_game
from league.core.hand_files.problems import Problems
from league.core.hand_files.reading import SIDES
from league.files.comparing import compared, new_sheet, refillable_deals
from league.files.people import Roll, all_of, same_text
from league.files.plans import ImportOptions, Person, RulesPlan, TableWork, seatings_of
from league.models import Club, ClubRules, ImportBatch
from league.policy.naming import in_full
from scoring.core.errors import ScoringError, shown
from scoring.core.kinds import KINDS
from scoring.core.sheets import SheetSide
from scoring.documents.sides import read_sides
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import KeptSheet, kept_sheets
from scoring.words.messages import translated


def sheets_at_tables(club: Club) -> list[Scoresheet]:
    """The club's sheets outside events that people play, but for those that are void, oldest first."""
    rows = Scoresheet.objects.filter(exhibition__club=club, bot_match=None).exclude(status=SheetStatus.VOID)
    return list(rows.select_related("rules").order_by("pk"))


def labels_of(sheets: Sequence[Scoresheet]) -> Mapping[int, str]:
    """What each sheet is called in a file: by its label, or by its code where that tells several or none."""
    called = defaultdict(list)
    for sheet in sheets:
        called[same_text(sheet.label)].append(sheet)
    return {
        sheet.pk: sheet.label if sheet.label and len(called[same_text(sheet.label)]) == 1 else sheet.code
        for sheet in sheets
    }


def side_name(players: Sequence[str]) -> str:
    """What a side is called that has no name of its own."""
    return " + ".join(players)


def plan_tables(club: Club, file: FileEvent, options: ImportOptions, problems: Problems) -> list[TableWork]:
    """Plan these sheets; what does not fit the club is added to `problems`."""
    return _Tables(club, file, options, problems).plan()


class _Tables:
    """Plans the whole file; loads what it needs from the database once."""

    def __init__(self, club: Club, file: FileEvent, options: ImportOptions, problems: Problems) -> None:
        self.club = club
        self.file = file
        self.options = options
        self.problems = problems
        self.roll = Roll(club, problems, create=False)
        self.own_rules = [
            RulesPlan(own.rules.name, own.rules.rules, own.rules)
            for own in ClubRules.objects.filter(club=club).select_related("rules").order_by("pk")
        ]
        stored = sheets_at_tables(club)
        called = labels_of(stored)
        labels = {same_text(sheet.label) for sheet in file.sheets}
        named = [sheet for sheet in stored if same_text(called[sheet.pk]) in labels]
        self.stored = {same_text(called[kept.sheet.pk]): kept for kept in kept_sheets(named)}
        imports = ImportBatch.objects.filter(club=club, event=None)
        self.refillable = refillable_deals(self.stored.values(), imports)

    def plan(self) -> list[TableWork]:
        """The sheets as far as nothing is wrong with them."""
        work = [self._sheet(sheet) for sheet in self.file.sheets]
        return [each for each in work if each is not None]

    def _sheet(self, sheet: FileSheet) -> TableWork | None:
        for seating in sheet.seatings:
            if seating.substitute.from_deal == 1:
                message = _("Whoever plays from the first deal on is a side of a sheet outside events.")
                self.problems.add(seating.row, "deal", message)
                return None
        people = {name: self.roll.found(name) or Person(same_text(name)) for name in sheet.players}
        called = {name: person.name for name, person in people.items()}
        if len(set(called.values())) < len(called):
            self.problems.add(sheet.row, SIDES[1], _("Two names on this sheet belong to one player."))
            return None
        kept = self.stored.get(same_text(sheet.label))
        if kept is not None:
            return self._compared(sheet, kept, called)
        plan = self._rules(sheet)
        if plan is None:
            return None
        sides = [
            _called(side, called, sheet.teams[number] if number < len(sheet.teams) else "")
            for number, side in enumerate(sheet.sides)
        ]
        try:
            read_sides([{"name": side.name, "players": list(side.players)} for side in sides], plan.rules)
        except ScoringError as error:
            self.problems.add(sheet.row, SIDES[0], error.message)
            return None
        changes = new_sheet(sheet, plan.rules, self.problems)
        side_of = {ours.name: theirs.name for ours, theirs in zip(sheet.sides, sides, strict=True)}
        changes.appended = [renamed(deal, called, side_of) for deal in changes.appended]
        return TableWork(
            file=sheet,
            rules=plan.rules,
            sides=tuple(sides),
            changes=changes,
            house_rules=plan,
            persons={
                person.name: person.player.code for person in people.values() if person.player is not None
            },
            seatings=seatings_of(sheet, people),
        )

    def _compared(self, sheet: FileSheet, kept: KeptSheet, called: Mapping[str, str]) -> TableWork | None:
        label = shown(sheet.label)
        rules = kept.sheet.rules
        if rules.rules.kind != sheet.game:
            message = _("Sheet %(sheet)s is one of %(game)s, not of %(other)s.")
            words = {"sheet": label, "game": rules.rules.kind, "other": sheet.game}
            self.problems.add(sheet.row, "game", message % words)
            return None
        today = in_full(self.club).sheet(kept)
        seated = [[same_text(player) for player in side.players] for side in today.sides]
        if seated != [[called[player] for player in side.players] for side in sheet.sides]:
            message = _("On sheet %(sheet)s sit %(names)s, in this order.")
            names = all_of([", ".join(players) for players in seated])
            self.problems.add(sheet.row, SIDES[0], message % {"sheet": label, "names": names})
            return None
        written = {same_text(name): kept.seat_names[number] for number, name in today.seat_names.items()}
        players = {name: written[one] for name, one in called.items() if one in written}
        correct, refillable = bool(self.options.correct), self.refillable
        changes = compared(
            sheet, kept, players, correct=correct, refillable=refillable, problems=self.problems
        )
        if changes is None:
            return None
        return TableWork(
            file=sheet,
            rules=rules.rules,
            sides=kept.sides,
            changes=changes,
            sheet=kept.sheet,
            house_rules=RulesPlan(rules.name, rules.rules, rules),
            persons={},
        )

    def _rules(self, sheet: FileSheet) -> RulesPlan | None:
        """The club's house rules of this game, or some to be made; None, and a problem, if neither."""
        wanted = self.options.rules
        if wanted is not None and wanted.kind != sheet.game:
            message = _("The rules that were given are of %(game)s; this sheet is of %(other)s.")
            self.problems.add(sheet.row, "game", message % {"game": wanted.kind, "other": sheet.game})
            return None
        found = [plan for plan in self.own_rules if plan.rules.kind == sheet.game]
        if sheet.rules:
            found = [plan for plan in found if same_text(plan.name) == same_text(sheet.rules)]
        if wanted is not None:
            found = [plan for plan in found if plan.rules == wanted][:1]
        if len(found) == 1:
            return found[0]
        if found:
            names = ", ".join(f"“{plan.name}”" for plan in found)
            message = _("%(club)s has several house rules that these may be: %(names)s. Write a name of one.")
            self.problems.add(sheet.row, "rules", message % {"club": self.club, "names": names})
            return None
        if not self.options.create:
            message = _("%(club)s has no house rules “%(name)s” of %(game)s.")
            if not sheet.rules:
                message = _("%(club)s has no house rules of %(game)s.")
            words = {"club": self.club, "name": shown(sheet.rules), "game": sheet.game}
            self.problems.add(sheet.row, "rules", message % words, option="create")
            return None
        name = sheet.rules or translated(KINDS[sheet.game].title)
        plan = RulesPlan(name, wanted or rules_of_game(sheet.game))
        self.own_rules.append(plan)
        return plan


def _called(side: SheetSide, called: Mapping[str, str], name: str) -> SheetSide:
    """The side with what its players are called, and with the name given to it, if there is one."""
    players = tuple([called[player] for player in side.players])
    return SheetSide(name or side_name(players), players)
