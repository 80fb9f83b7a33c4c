"""The blank paper of a sheet outside events."""

from league.entry.access import Place
from scoring.core.kinds import kind_of
from scoring.paper.blank_sheets import BlankSheet, has_boxes, turns_on
from scoring.paper.layout import sheet_frame
from scoring.services.records import kept_sheet
from scoring.words.rules_words import rules_headline


def blank_paper(place: Place) -> BlankSheet:
    """Return the sheet as it is printed before it is played."""
    kept = place.people.sheet(kept_sheet(place.sheet))
    rules = place.sheet.rules.rules
    names = tuple([side.name for side in kept.sides])
    return BlankSheet(
        sheet_frame(names, rules.columns, order=place.club.column_order, left_side=place.sheet.left_side),
        tuple([side.players for side in kept.sides]),
        place.club.name,
        str(place.sheet.rules),
        rules_headline(rules),
        place.label,
        substitutes=kept.state.substitutes,
        team_size=kind_of(rules).hands_in(kept.sides),
        deals=rules.deals,
        has_penalties=rules.knock_limit > 0 and rules.undercut_penalty != "none",
        turns=turns_on(rules, kept.sides),
        has_boxes=has_boxes(rules),
    )
