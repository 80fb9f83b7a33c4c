"""An event's hands as CSV, in the format an import reads.

Every counted deal is exported, voided ones as rows of kind `void` so that numbers stay the same. What the
format cannot express is omitted and noted: byes, forfeits and walkovers; sheets that differ from their paper
and are not accepted, and those with substitutes; deals after the end; corrections and signatures; the event's
settings; who is a bot.
"""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.collation import name_key
from league.core.hand_files.cells import guarded, joined
from league.core.hand_files.deals import renamed
from league.core.hand_files.reading import COLUMNS, LINE, STOPPED, VOID
from league.draws.formats import format_of
from league.models import AWARDED, Event, Match
from league.policy.naming import in_full
from scoring.core.hands import HandResult
from scoring.core.sheets import Deal
from scoring.documents.sheets import hand_document
from scoring.models import PaperState, SheetStatus
from scoring.services.records import KeptSheet, kept_sheets

_SHEETS_AT_ONCE = 500
_NUMBERS = frozenset({"round", "table", "deal", "knocker_deadwood", "defender_deadwood", "points"})

Cells = dict[str, object]


@dataclass(frozen=True, slots=True)
class Export:
    """A CSV file as text, its number of hands, and notes on what was left out."""

    text: str
    hands: int
    notes: list[str]


def export_hands(event: Event) -> Export:
    """All hands of an event, in order of rounds, tables and deals."""
    matches = list(
        Match.objects.filter(event=event)
        .with_sides("round", "sheet__rules")
        .prefetch_related("appearances__player")
        .order_by("round__number", "table", "label")
    )
    written = [match for match in matches if _is_written(match)]
    rows: list[Cells] = []
    surplus = 0
    names = in_full(event.club)
    for first in range(0, len(written), _SHEETS_AT_ONCE):
        chunk = written[first : first + _SHEETS_AT_ONCE]
        stored = kept_sheets([one.sheet for one in chunk if one.sheet])
        names.learn(person for kept in stored for person in kept.persons.values())
        for match, kept in zip(chunk, stored, strict=True):
            sheet = _Sheet(event, match, names.sheet(kept, match))
            rows += sheet.rows()
            surplus += sum(not deal.counted for deal in kept.state.deals)
    hands = sum(row["kind"] not in (VOID, STOPPED) for row in rows)
    notes = _notes(matches, surplus)
    if annulled := sum(match.annulled and _has_deals(match) for match in written):
        notes.append(
            ngettext(
                "%(count)d annulled match is in the file, and counts for nobody here only.",
                "%(count)d annulled matches are in the file, and count for nobody here only.",
                annulled,
            )
            % {"count": annulled}
        )
    if note := format_of(event).export_note:
        notes.append(str(note))
    notes += _notes_on_bots(event, written)
    return Export(_csv(event, rows, written), hands, notes)


def _is_written(match: Match) -> bool:
    sheet = match.sheet
    return (
        sheet is not None
        and match.state not in AWARDED
        and sheet.status != SheetStatus.VOID
        and sheet.paper_state != PaperState.DIFFERS
        and not _has_substitutes(match)
    )


def _has_deals(match: Match) -> bool:
    return match.sheet is not None and match.sheet.deal_count > 0


def _has_substitutes(match: Match) -> bool:
    """Return whether a seat changed hands; the format has one line-up per sheet."""
    return any(one.replaces is not None for one in match.appearances.all())


class _Sheet:
    """The rows of one sheet, under the current names of its players."""

    def __init__(self, event: Event, match: Match, kept: KeptSheet) -> None:
        self.match = match
        self.kept = kept
        self.is_team = event.team_size > 1
        seated = sorted(match.appearances.all(), key=lambda one: (one.side, one.position))
        today = [one.player.name for one in seated]
        written = list(kept.seat_names.values())
        self.names = dict(zip(written, today if len(today) == len(written) else written, strict=True))
        self.sides = [tuple(self.names[player] for player in side.players) for side in kept.sides]
        self.common: Cells = {
            "date": match.round.date.isoformat() if match.round.date else "",
            "event": event.name,
            "round": match.round.number,
            "table": match.table or "",
            "sheet": match.label,
            "side_a": joined(self.sides[0]),
            "side_b": joined(self.sides[1]),
            "team_a": match.side_name(0),
            "team_b": match.side_name(1),
        }

    def rows(self) -> Iterator[Cells]:
        """The deals in order, up to the end of the sheet."""
        for scored in self.kept.state.deals:
            if scored.counted:
                for cells in self._deal(scored.deal):
                    yield {**self.common, "deal": scored.number, **cells}
        if self.kept.sheet.stopped:
            yield {**self.common, "kind": STOPPED}

    def _deal(self, deal: Deal) -> Iterator[Cells]:
        if deal.is_void:
            yield {"kind": VOID}
        elif deal.line is not None:
            names = [side.name for side in self.kept.sides]
            winner = self.sides[names.index(deal.line.winner)]
            boxes = deal.line.boxes
            yield {
                "kind": LINE,
                "winner": joined(winner),
                "points": deal.line.points,
                "mark": boxes if boxes != 1 else "",
            }
        else:
            for hand in renamed(deal, self.names, {}).two_handed:
                yield self._hand(hand)

    def _hand(self, hand: HandResult) -> Cells:
        """The hand's JSON document, without the names that single play implies."""
        cells: Cells = hand_document(hand)
        if cells["kind"] == "points":
            cells["defender"] = cells.pop("loser")
        if not self.is_team:
            if cells["kind"] == "points":
                del cells["defender"]
            elif cells["kind"] == "dead":
                del cells["knocker"], cells["defender"]
        return cells


def _csv(event: Event, rows: list[Cells], matches: Iterable[Match]) -> str:
    columns = [*COLUMNS]
    if any(row.get("mark", "") != "" for row in rows):
        columns.append("mark")
    if event.team_size > 1 and any(_has_own_names(match) for match in matches):
        columns += ["team_a", "team_b"]
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(
        [
            row.get(column, "") if column in _NUMBERS else guarded(str(row.get(column, "")))
            for column in columns
        ]
        for row in rows
    )
    return file.getvalue()


def _has_own_names(match: Match) -> bool:
    """Return whether a team's name differs from the one an import would give it."""
    line_ups: tuple[list[str], list[str]] = ([], [])
    for one in sorted(match.appearances.all(), key=lambda one: (one.side, one.position)):
        line_ups[one.side].append(one.player.name)
    return any(
        match.side_name(side) not in ("", " & ".join(players)) for side, players in enumerate(line_ups)
    )


def _notes(matches: list[Match], surplus: int) -> list[str]:
    stated = sum(match.state in AWARDED for match in matches)
    void = differ = passed_on = 0
    for match in matches:
        if match.sheet is not None and match.state not in AWARDED:
            void += match.sheet.status == SheetStatus.VOID
            differ += match.sheet.paper_state == PaperState.DIFFERS
            passed_on += _has_substitutes(match)
    found = [
        (
            stated,
            ngettext(
                "Left out: %(count)d bye, forfeit or walkover.",
                "Left out: %(count)d byes, forfeits or walkovers.",
                stated,
            ),
        ),
        (void, ngettext("Left out: %(count)d voided sheet.", "Left out: %(count)d voided sheets.", void)),
        (
            differ,
            ngettext(
                "Left out: %(count)d sheet that differs from its paper.",
                "Left out: %(count)d sheets that differ from their paper.",
                differ,
            ),
        ),
        (
            passed_on,
            ngettext(
                "Left out: %(count)d sheet on which a substitute took over a seat.",
                "Left out: %(count)d sheets on which a substitute took over a seat.",
                passed_on,
            ),
        ),
        (
            surplus,
            ngettext(
                "Left out: %(count)d deal after the end of its sheet.",
                "Left out: %(count)d deals after the end of their sheets.",
                surplus,
            ),
        ),
    ]
    return [words % {"count": count} for count, words in found if count]


def _notes_on_bots(event: Event, matches: Iterable[Match]) -> list[str]:
    """Notes on bots, which an import would take for people, and on their matches."""
    line_ups = [[one.player for one in match.appearances.all()] for match in matches]
    bots = sorted({player.name for players in line_ups for player in players if player.is_bot}, key=name_key)
    if not bots:
        return []
    found = [
        ngettext(
            "A bot goes by its name alone, and an import makes a player of it if it is none yet: %(names)s.",
            "Bots go by their names alone, and an import makes players of those who are none yet: %(names)s.",
            len(bots),
        )
        % {"names": ", ".join(bots)}
    ]
    if not event.bot_matches_count and any(all(one.is_bot for one in players) for players in line_ups):
        found.append(_("Matches between bots are in the file, and give nothing here only."))
    return found
