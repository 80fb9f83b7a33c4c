"""The fields of a match that follow from its sheet."""

from typing import Any, Final

from games.models import TableMatch
from league.matches.counting import ENDED, Statements, waits_for
from league.models import Match, MatchState
from scoring.models import Scoresheet, SheetStatus

FIGURES: Final = (
    "net",
    "columns_a",
    "columns_b",
    "boxes_a",
    "boxes_b",
    "hands_a",
    "hands_b",
    "gins_a",
    "gins_b",
)
# Of each side of a table: place, net, hands won, gins.
AT_TABLE: Final = "at_table"
COUNTED_FIELDS: Final = frozenset({"state", "winner_side", "held", AT_TABLE, *FIGURES})


def match_fields(
    sheet: Scoresheet | None, match: Match | None = None, said: Statements | None = None
) -> dict[str, Any]:
    """Return the fields of a match with this sheet: state, winner, figures, and whether it is held.

    Figures are set once the sheet has ended. With a sheet, `match` is required, its event and entries loaded;
    `said` is as in `waits_for`. A bye stays one, whatever is played against a bot in its place.
    """
    if match is not None and match.state == MatchState.BYE:
        return _by_sheet(sheet, match, said) | _of_bye(sheet)
    return _by_sheet(sheet, match, said)


def _of_bye(sheet: Scoresheet | None) -> dict[str, Any]:
    """What of a bye is not as of other matches: it waits for nobody, and is not forfeited but lost."""
    kept: dict[str, Any] = {"state": MatchState.BYE, "held": False}
    if sheet is None or sheet.status not in ENDED:
        return kept | {"winner_side": 0}
    lost = TableMatch.objects.filter(sheet=sheet, forfeited_by__isnull=False)
    loser = lost.values_list("forfeited_by", flat=True).first()
    if loser is None:
        return kept
    return kept | dict.fromkeys(FIGURES, 0) | {"winner_side": 1 - loser}


def _by_sheet(sheet: Scoresheet | None, match: Match | None, said: Statements | None) -> dict[str, Any]:
    fields: dict[str, Any] = dict.fromkeys(FIGURES, 0)
    fields |= {"state": MatchState.SCHEDULED, "winner_side": None, "held": False, AT_TABLE: []}
    if sheet is None or match is None or sheet.status == SheetStatus.VOID:
        return fields
    fields["held"] = bool(waits_for(match, sheet, said))
    if sheet.status == SheetStatus.OPEN:
        fields["state"] = MatchState.PLAYING if sheet.deal_count else MatchState.SCHEDULED
        return fields
    fields |= {"state": MatchState(sheet.status), "winner_side": sheet.winner}
    if match.is_table:
        figures = (sheet.places, sheet.nets, sheet.derived["hands_won"], sheet.derived["gins"])
        return fields | {AT_TABLE: [list(of_side) for of_side in zip(*figures, strict=True)]}
    fields["net"] = sheet.nets[0]
    fields["columns_a"], fields["columns_b"] = sheet.derived["columns_won"]
    fields["boxes_a"], fields["boxes_b"] = sheet.derived["boxes"]
    fields["hands_a"], fields["hands_b"] = sheet.derived["hands_won"]
    fields["gins_a"], fields["gins_b"] = sheet.derived["gins"]
    return fields
