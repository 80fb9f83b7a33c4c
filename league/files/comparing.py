"""Compares a sheet of the file with the stored one: nothing new, more deals, or other deals."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from league.core.hand_files.deals import in_words, is_same, placeholder, renamed
from league.core.hand_files.gathering import FileSheet, say_scoring_error
from league.core.hand_files.problems import Problems
from league.files.plans import Changes
from league.models import ImportBatch
from scoring.core.actors import ActorKind
from scoring.core.errors import ScoringError, shown
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, score_sheet
from scoring.models import DealVersion, SheetStatus
from scoring.services.records import KeptSheet


def new_sheet(file: FileSheet, rules: Rules, problems: Problems) -> Changes:
    """The changes for a sheet that is to be opened, with players and sides named as in the file.

    Errors of the scorer are added to `problems` with their row.
    """
    numbers = sorted(file.deals)
    if numbers and numbers[0] != 1:
        problems.add(
            file.deals[numbers[0]].rows[0],
            "deal",
            _("Sheet %(sheet)s is new, so its first deal is 1, not %(deal)d.")
            % {"sheet": shown(file.label), "deal": numbers[0]},
        )
        return Changes()
    deals = [file.deals[number].deal for number in numbers]
    try:
        state = score_sheet(rules, file.sides, deals, stopped=file.stopped_row is not None)
    except ScoringError as error:
        _say(error, file, numbers, problems)
        return Changes()
    if state.status == SheetStatus.FINISHED:
        for seating in file.substitutes:
            if seating.substitute.from_deal > len(deals):
                late = _ended_before(shown(file.label), seating.substitute.from_deal)
                problems.add(seating.row, "deal", late)
    return Changes(
        # What is void gets a placeholder, which takes its number until it can be voided.
        appended=[
            placeholder(rules, file.sides, deals[:before]) if deal.is_void else deal
            for before, deal in enumerate(deals)
        ],
        voids=[number for number, deal in zip(numbers, deals, strict=True) if deal.is_void],
        stopped=True if file.stopped_row is not None else None,
        new=len(deals),
    )


def compared(
    file: FileSheet,
    kept: KeptSheet,
    players: Mapping[str, str],
    *,
    correct: bool,
    refillable: Mapping[int, Collection[int]],
    problems: Problems,
) -> Changes | None:
    """The changes to a stored sheet; `players` maps the file's names to the sheet's. None for other seats.

    Deals that differ need `correct`. `refillable` are the numbers of deals, by sheet, that were voided by
    undoing an import: they are filled again without it.
    """
    if not _have_same_seats(file, kept, players, problems):
        return None
    sides = {ours.name: theirs.name for ours, theirs in zip(file.sides, kept.sides, strict=True)}
    changes = Changes()
    deals = list(kept.deals)
    stored = len(deals)
    rows: dict[int, tuple[int, ...]] = {}
    for number in sorted(file.deals):
        found = file.deals[number]
        deal = renamed(found.deal, players, sides)
        if number > len(deals) + 1:
            problems.add(
                found.rows[0],
                "deal",
                _("After deal %(last)d of sheet %(sheet)s comes %(next)d, not %(deal)d.")
                % {
                    "last": len(deals),
                    "sheet": shown(file.label),
                    "next": len(deals) + 1,
                    "deal": number,
                },
            )
            return changes
        if number <= stored and is_same(deals[number - 1], deal):
            changes.equal += 1
            continue
        rows[number] = found.rows
        if number > stored:
            changes.new += 1
            deals.append(deal)
            if deal.is_void:
                changes.voids.append(number)
            changes.appended.append(deal)
            continue
        if deals[number - 1].is_void and number in refillable.get(kept.sheet.pk, ()):
            changes.new += 1
            changes.refilled += 1
        elif correct:
            changes.corrected += 1
        else:
            problems.add(
                found.rows[0],
                "deal",
                _(
                    "Deal %(deal)d of sheet %(sheet)s is stored differently (%(words)s). It is corrected "
                    "only "
                    "with a reason."
                )
                % {"deal": number, "sheet": shown(file.label), "words": in_words(deals[number - 1])},
                option="correct",
            )
        deals[number - 1] = deal
        changes.corrections[number] = deal
    _call_time(file, kept, changes, correct=correct, problems=problems)
    if not _are_counted(file, kept, changes, deals, rows, problems):
        return changes
    if changes.corrections and changes.appended:
        changes.corrections |= dict(enumerate(changes.appended, start=stored + 1))
        changes.appended = []
    for number in changes.voids:
        standing_in = placeholder(kept.sheet.rules.rules, kept.sides, deals[: number - 1])
        if changes.appended:
            changes.appended[number - stored - 1] = standing_in
        else:
            changes.corrections[number] = standing_in
    return changes


def _have_same_seats(
    file: FileSheet, kept: KeptSheet, players: Mapping[str, str], problems: Problems
) -> bool:
    """Return whether those took over seats on a stored sheet who did in the file; adds a problem if not.

    `players` maps the file's names to the sheet's, as far as these are known. A file that ends before a seat
    changed hands does not tell of it.
    """
    there = {(number, one) for number, side in enumerate(kept.sides) for one in side.substitutes}
    told = set()
    for seating in file.substitutes:
        one = seating.substitute
        named = replace(
            one,
            player=players.get(one.player, one.player),
            replaces=players.get(one.replaces, one.replaces),
        )
        told.add((seating.side, named))
        if (seating.side, named) not in there:
            problems.add(
                seating.row,
                "player",
                _(
                    "On sheet %(sheet)s, which has deals already, %(player)s does not sit from deal %(deal)d "
                    "on; seat the substitute there first."
                )
                % {"sheet": shown(file.label), "player": shown(one.player), "deal": one.from_deal},
            )
            return False
    untold = min([one.from_deal for _side, one in there - told], default=None)
    if untold is not None and untold <= file.last_deal:
        message = _(
            "On sheet %(sheet)s a substitute sits from deal %(deal)d on; write a row of kind substitute."
        )
        problems.add(file.row, "sheet", message % {"sheet": shown(file.label), "deal": untold})
        return False
    return True


def refillable_deals(sheets: Iterable[KeptSheet], imports: QuerySet[ImportBatch]) -> Mapping[int, set[int]]:
    """By sheet, the numbers of the deals voided by undoing one of these imports."""
    voided = [version.pk for kept in sheets for version in kept.versions if version.body is None]
    numbers: dict[int, set[int]] = defaultdict(set)
    if voided:
        undone = {str(pk) for pk in imports.filter(undone_at__isnull=False).values_list("pk", flat=True)}
        for version in DealVersion.objects.filter(pk__in=voided).select_related("act"):
            act = version.act
            if act.actor_kind == ActorKind.IMPORT.value and act.actor_id in undone:
                numbers[version.sheet_id].add(version.number)
    return numbers


def _call_time(
    file: FileSheet, kept: KeptSheet, changes: Changes, *, correct: bool, problems: Problems
) -> None:
    """Call time or reopen the sheet; deals after a stopped sheet's end need a correction."""
    stopped = file.stopped_row is not None
    if kept.sheet.stopped and changes.appended:
        number = len(kept.deals) + 1
        if not correct:
            problems.add(
                file.deals[number].rows[0],
                "deal",
                _(
                    "Time was called on sheet %(sheet)s after deal %(deal)d. Deals are added only with a "
                    "reason for the correction."
                )
                % {"sheet": shown(file.label), "deal": number - 1},
                option="correct",
            )
        changes.corrections |= dict(enumerate(changes.appended, start=number))
        changes.appended = []
        changes.stopped = None if stopped else False
    elif stopped and not kept.sheet.stopped:
        ends_already = kept.sheet.status == SheetStatus.FINISHED and changes.is_nothing
        changes.stopped = None if ends_already else True


def _are_counted(
    file: FileSheet,
    kept: KeptSheet,
    changes: Changes,
    deals: list[Deal],
    rows: Mapping[int, tuple[int, ...]],
    problems: Problems,
) -> bool:
    """Report deals that the rules do not allow, and new ones after the end; False where none is scored."""
    if not rows:
        return True
    stopped = kept.sheet.stopped if changes.stopped is None else changes.stopped
    try:
        state = kept.score(deals, stopped=stopped)
    except ScoringError as error:
        _say(error, file, sorted(rows), problems)
        return False
    for scored in state.deals:
        if not scored.counted and scored.number in rows:
            problems.add(rows[scored.number][0], "deal", _ended_before(shown(file.label), scored.number))
    return True


def _say(error: ScoringError, file: FileSheet, numbers: list[int], problems: Problems) -> None:
    """Report a scoring error at its row; for a stored deal at the sheet's first."""
    number = error.deal or 0
    found = file.deals.get(number)
    if error.code == "sheet_finished":
        error = ScoringError("sheet_finished", _ended_before(file.label, number), field="deal")
    say_scoring_error(error, found.rows if found else [file.row], problems)


def _ended_before(label: str, number: int) -> str:
    return _("Sheet %(sheet)s had ended before deal %(deal)d.") % {"sheet": label, "deal": number}
