"""The blank sheets of a round."""

from collections.abc import Callable, Sequence

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.addresses import public_address
from league.models import AWARDED, Appearance, Event, Match, Round
from league.policy.naming import Names
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, Substitute
from scoring.paper.blank_sheets import BlankSheet, blank_sheets_pdf, has_boxes, turns_on
from scoring.paper.layout import sheet_frame
from scoring.words.rules_words import rules_headline


def round_sheets_pdf(
    round_: Round,
    matches: Sequence[Match],
    names: Names,
    *,
    address: Callable[[Match], str] | None = None,
    event_address: str = "",
) -> bytes:
    """A blank sheet for every match of a round between two sides, in order of tables.

    Load event, club and rules with the round; entries and appearances with their players with the matches.
    `address` returns the address of a match; it is printed unless only this machine could open it.
    `event_address` is the event's page, or "".
    """
    event = round_.event
    occasion = str(round_)
    if round_.date is not None:
        occasion = f"{occasion}, {date_format(round_.date, 'j F Y')}"
    sheets = [
        _blank_sheet(match, event, names, occasion, address, event_address)
        for match in matches
        if match.entry_b_id is not None and match.state not in AWARDED
    ]
    return blank_sheets_pdf(sheets, title=occasion, made_at=event.created_at)


def _blank_sheet(
    match: Match,
    event: Event,
    names: Names,
    occasion: str,
    address: Callable[[Match], str] | None,
    event_address: str,
) -> BlankSheet:
    rules = event.rules.rules
    players: list[list[str]] = [[] for _side in match.sides]
    appearances: Sequence[Appearance] = sorted(
        match.appearances.all(), key=lambda each: (each.side, each.position)
    )
    substitutes = []
    for appearance in appearances:
        if appearance.replaces is None:
            players[appearance.side].append(_seated(appearance, names))
        else:
            substitutes.append(_substitute(appearance, appearances, names))
    link = "" if address is None else address(match)
    sides = [SheetSide(" + ".join(line_up), tuple(line_up)) for line_up in players]
    return BlankSheet(
        sheet_frame(
            tuple(names.marked_side(match, side) for side in match.sides),
            rules.columns,
            order=event.club.column_order,
        ),
        tuple(map(tuple, players)),
        event.club.name,
        occasion,
        rules_headline(rules, team_size=event.team_size),
        match.label,
        match.table,
        public_address(link),
        tuple(sorted(substitutes, key=lambda one: one.from_deal)),
        event.team_size,
        event_address,
        rules.deals,
        _has_penalties(rules, event.team_size),
        turns_on(rules, sides) if all(players) else (),
        has_boxes(rules),
    )


def _seated(appearance: Appearance, names: Names) -> str:
    """The name of who sits there; a bot says for whom it sits in."""
    name = names.marked(appearance.player)
    if appearance.sits_in_for is None:
        return name
    return _("%(bot)s for %(player)s") % {"bot": name, "player": names.player(appearance.sits_in_for)}


def _has_penalties(rules: Rules, team_size: int) -> bool:
    """Whether anything can be taken off a side: not where a team enters the difference of its hands."""
    is_net = team_size > 1 and rules.team_scoring == "net"
    return rules.knock_limit > 0 and rules.undercut_penalty != "none" and not is_net


def _substitute(appearance: Appearance, line_ups: Sequence[Appearance], names: Names) -> Substitute:
    """A substitute as the sheet needs it."""
    replaced = next(
        names.marked(other.player)
        for other in line_ups
        if (other.side, other.position) == (appearance.side, appearance.replaces)
    )
    return Substitute(names.marked(appearance.player), replaced, appearance.from_deal)
