"""A match's sheet with its history."""

from collections.abc import Sequence
from dataclasses import dataclass

from league.core.pictures.climb import Climb, climb
from league.models import Appearance, Match
from league.policy.naming import Names
from scoring.core.sheets import SheetState
from scoring.models import ActKind, DealVersion, Scoresheet, SheetAct, Signature
from scoring.paper.layout import HandLine, SheetTable, hand_lines, sheet_table
from scoring.services.records import KeptSheet, kept_sheet
from scoring.typing import wording
from scoring.typing.paper_figures import Difference, Paper, differences
from scoring.words.messages import translated


@dataclass(frozen=True, slots=True)
class DealText:
    """A stored deal: its hands, or the side and points of its line; neither if it was voided.

    A hand of more than two is told in words (`at_table`).
    """

    hands: tuple[HandLine, ...]
    line_name: str = ""
    line_points: int = 0
    at_table: str = ""


@dataclass(frozen=True, slots=True)
class DealChange:
    """A deal replaced by a correction; `before` is None if it was added."""

    number: int
    before: DealText | None
    after: DealText


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """An act on a sheet: the number of deals recorded, and those replaced or added."""

    act: SheetAct
    recorded: int
    changes: tuple[DealChange, ...]


@dataclass(frozen=True, slots=True)
class ShownSheet:
    """The sheet of a match as its page shows it; `climbs` are its games as pictures, of two sides only."""

    sheet: Scoresheet
    table: SheetTable
    paper: Paper | None
    differences: Sequence[Difference]
    accepted: SheetAct | None
    voided: SheetAct | None
    signatures: Sequence[Signature]
    lapsed: Sequence[Signature]
    history: Sequence[HistoryItem]
    climbs: Sequence[Climb]


def sheet_page(sheet: Scoresheet, match: Match, names: Names, *, order: str) -> ShownSheet:
    """Return a match's sheet, whose rules are loaded, in five queries besides those for names."""
    kept = names.sheet(kept_sheet(sheet), match)
    acts = list(SheetAct.objects.filter(sheet=sheet).order_by("id").defer("answer"))
    versions = list(DealVersion.objects.filter(sheet=sheet).order_by("number", "version"))
    signatures = list(Signature.objects.filter(sheet=sheet).order_by("side", "version"))
    paper = None if sheet.paper is None else Paper.from_document(sheet.paper)
    return ShownSheet(
        sheet,
        sheet_table(kept.state, order=order, left_side=sheet.left_side),
        paper,
        () if paper is None else differences(kept.state, paper),
        _last(acts, ActKind.ACCEPT),
        _last(acts, ActKind.VOID),
        [signature for signature in signatures if signature.version == sheet.version],
        [signature for signature in signatures if signature.version != sheet.version],
        _history(kept, acts, versions),
        _climbs(kept.state),
    )


def _climbs(state: SheetState) -> list[Climb]:
    """The games of a sheet of two sides on which something stands, each with the deals up to its end."""
    if len(state.sides) != 2 or not state.deals:
        return []
    return [
        climb(
            [[(entry.deal, entry.running) for entry in side.entries] for side in column.sides],
            column.closed_by_deal or len(state.deals),
            target=state.rules.target if state.rules.deals is None else None,
            width=240,
            height=170,
        )
        for column in state.columns
    ]


def lineups_of(match: Match) -> Sequence[Sequence[Appearance]]:
    """Return the players of every side in order, in one query."""
    sides: list[list[Appearance]] = [[] for _side in match.sides]
    for appearance in (
        Appearance.objects.filter(match=match)
        .select_related("player", "sits_in_for")
        .order_by("side", "position")
    ):
        sides[appearance.side].append(appearance)
    return sides


def is_between_bots(lineups: Sequence[Sequence[Appearance]]) -> bool:
    """True if every player in a match's line-ups is a bot."""
    seats = [seat for side in lineups for seat in side]
    return bool(seats) and all(seat.player.is_bot for seat in seats)


def _last(acts: Sequence[SheetAct], kind: ActKind) -> SheetAct | None:
    return next((act for act in reversed(acts) if act.kind == kind), None)


def _history(
    kept: KeptSheet, acts: Sequence[SheetAct], versions: Sequence[DealVersion]
) -> Sequence[HistoryItem]:
    bodies = {(version.number, version.version): version.body for version in versions}
    by_act: dict[int, list[DealVersion]] = {}
    for version in versions:
        by_act.setdefault(version.act_id, []).append(version)
    items = []
    for act in acts:
        brought = by_act.get(act.pk, [])
        changes = []
        if act.kind == ActKind.CORRECT:
            for deal in brought:
                before = (
                    None
                    if deal.version == 1
                    else deal_text(kept, bodies[deal.number, deal.version - 1], deal.number)
                )
                changes.append(DealChange(deal.number, before, deal_text(kept, deal.body, deal.number)))
        items.append(HistoryItem(act, len(brought), tuple(changes)))
    return items


def deal_text(kept: KeptSheet, body: dict[str, object] | None, number: int) -> DealText:
    """Return a stored deal as text, scored by the sheet's rules."""
    deal = kept.deal(body, number)
    if deal.line is not None:
        return DealText((), deal.line.winner, deal.line.points)
    lines = hand_lines(kept.sheet.rules.rules, kept.sides, deal)
    of_two = tuple(line for line in lines if isinstance(line, HandLine))
    if len(of_two) < len(lines):
        said = wording.deal_words(kept.sheet.rules.rules, kept.sides, deal)
        return DealText((), at_table=translated(said))
    return DealText(of_two)
