"""Hands as CSV, in the format an import reads: those of an event, or of a club's sheets outside events.

Every counted deal is exported, voided ones as rows of kind `void` so that numbers stay the same. What the
format cannot express is omitted and noted: byes, forfeits and walkovers; sheets that differ from their paper
and are not accepted, and those with substitutes; deals after the end; corrections and signatures; the event's
settings and knobs of house rules; who is a bot.
"""

import csv
import io
import zoneinfo
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.collation import name_key
from league.core.hand_files.cells import guarded, joined
from league.core.hand_files.deals import renamed
from league.core.hand_files.reading import (
    AT_ONCE,
    COLUMNS,
    GIN,
    LINE,
    OPTIONAL_COLUMNS,
    SIDES,
    STOPPED,
    TEAMS,
    VOID,
)
from league.draws.formats import format_of
from league.files.tables import labels_of, sheets_at_tables, side_name
from league.models import AWARDED, Club, Event, Match
from league.policy.naming import in_full
from scoring.core.hands import Dead, HandResult, Outcome
from scoring.core.sheets import Deal
from scoring.core.table_hands import Blocked, Counts, Out, TableKnock, TablePoints, TableResult
from scoring.documents.sheets import hand_document
from scoring.models import PaperState, SheetStatus
from scoring.services.records import KeptSheet, kept_sheets

_SHEETS_AT_ONCE = 500

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
    has_team_names = event.team_size > 1 and any(map(_has_own_names, written))
    for first in range(0, len(written), _SHEETS_AT_ONCE):
        chunk = written[first : first + _SHEETS_AT_ONCE]
        stored = kept_sheets([one.sheet for one in chunk if one.sheet])
        names.learn(person for kept in stored for person in kept.persons.values())
        for match, kept in zip(chunk, stored, strict=True):
            rows += _match_sheet(event, match, names.sheet(kept, match), has_team_names=has_team_names).rows()
            surplus += _after_the_end(kept)
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
    return Export(_csv(rows), hands, notes)


def export_tables(club: Club) -> Export:
    """All hands of a club's sheets outside events, but for those of bots, oldest sheets first."""
    names = in_full(club)
    zone = zoneinfo.ZoneInfo(club.time_zone)
    sheets = sheets_at_tables(club)
    labels = labels_of(sheets)
    rows: list[Cells] = []
    surplus = differ = passed_on = unsaid = 0
    for first in range(0, len(sheets), _SHEETS_AT_ONCE):
        stored = kept_sheets(sheets[first : first + _SHEETS_AT_ONCE])
        names.learn(person for kept in stored for person in kept.persons.values())
        for kept in map(names.sheet, stored):
            if kept.sheet.paper_state == PaperState.DIFFERS:
                differ += 1
            elif kept.has_substitutes:
                passed_on += 1
            elif any("+" in player for side in kept.sides for player in side.players):
                unsaid += 1
            else:
                opened = timezone.localdate(kept.sheet.opened_at, zone)
                rows += _table_sheet(kept, labels[kept.sheet.pk], opened.isoformat()).rows()
                surplus += _after_the_end(kept)
    notes = _notes_on_sheets(differ, passed_on, surplus)
    if unsaid:
        said = ngettext(
            "Left out: %(count)d sheet with a name that has a “+”.",
            "Left out: %(count)d sheets with names that have a “+”.",
            unsaid,
        )
        notes.append(said % {"count": unsaid})
    hands = sum(row["kind"] not in (VOID, STOPPED) for row in rows)
    return Export(_csv(rows), hands, notes)


def _after_the_end(kept: KeptSheet) -> int:
    return sum(not deal.counted for deal in kept.state.deals)


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


def _match_sheet(event: Event, match: Match, kept: KeptSheet, *, has_team_names: bool) -> "_Sheet":
    """The sheet of a match, under the current names of its players."""
    seated = sorted(match.appearances.all(), key=lambda one: (one.side, one.position))
    today = [one.player.name for one in seated]
    written = list(kept.seat_names.values())
    common: Cells = {
        "date": match.round.date.isoformat() if match.round.date else "",
        "event": event.name,
        "round": match.round.number,
        "table": match.table or "",
        "sheet": match.label,
    }
    if event.rules.rules.kind != GIN:
        common["game"] = event.rules.rules.kind
    if has_team_names:
        common |= dict(zip(TEAMS, (match.side_name(0), match.side_name(1)), strict=True))
    return _Sheet(
        kept, common, dict(zip(written, today if len(today) == len(written) else written, strict=True))
    )


def _table_sheet(kept: KeptSheet, label: str, date: str) -> "_Sheet":
    """A sheet outside events, which says its game and the name of its house rules."""
    common: Cells = {
        "date": date,
        "sheet": label,
        "game": kept.sheet.rules.rules.kind,
        "rules": kept.sheet.rules.name,
    }
    for column, side in zip(TEAMS, kept.sides, strict=False):
        if len(side.players) > 1 and side.name != side_name(side.players):
            common[column] = side.name
    return _Sheet(kept, common, {player: player for side in kept.sides for player in side.players})


class _Sheet:
    """The rows of one sheet; `common` are the cells that all have, `names` what its players are called."""

    def __init__(self, kept: KeptSheet, common: Cells, names: Mapping[str, str]) -> None:
        self.kept = kept
        self.names = names
        self.sides = [tuple(names[player] for player in side.players) for side in kept.sides]
        self.common = common | dict(zip(SIDES, map(joined, self.sides), strict=False))
        # Of two players one name tells the other.
        self.names_both = sum(map(len, self.sides)) > 2

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
            for hand in renamed(deal, self.names, {}).hands:
                yield from self._hand(hand)

    def _hand(self, hand: HandResult | TableResult) -> Iterator[Cells]:
        """The rows of a hand: of a hand of several at one table one for each of its winners."""
        match hand:
            case TableKnock(knocker, own, others, ending, upcard):
                cells: Cells = {
                    "kind": str(ending),
                    "knocker": knocker,
                    "defender_deadwood": _figures(others),
                }
                if ending is Outcome.KNOCK:
                    cells["knocker_deadwood"] = own
                yield cells | {"upcard": upcard or ""}
            case TablePoints():
                yield from self._gains(hand)
            case Out(winner, left, rummy):
                cells = {"kind": "out", "winner": winner, "defender_deadwood": _figures(left)}
                yield cells | {"mark": "rummy" if rummy else ""}
            case Blocked(left):
                yield {"kind": "blocked", "defender_deadwood": _figures(left)}
            case Dead() if self.kept.sheet.rules.rules.kind in AT_ONCE:
                yield {"kind": "dead", "upcard": hand.upcard or ""}
            case _:
                yield self._two_handed(hand)

    def _two_handed(self, hand: HandResult) -> Cells:
        """The hand's JSON document, without the names that single play implies."""
        cells: Cells = hand_document(hand)
        if cells["kind"] == "points":
            cells["defender"] = cells.pop("loser")
        if not self.names_both:
            if cells["kind"] == "points":
                del cells["defender"]
            elif cells["kind"] == "dead":
                del cells["knocker"], cells["defender"]
        return cells

    def _gains(self, hand: TablePoints) -> Iterator[Cells]:
        taken = {player: points for player, points in hand.penalties if points}
        seated = [player for side in self.sides for player in side]
        more: Cells = {"mark": hand.mark or "", "upcard": hand.upcard or ""}
        if taken:
            more["penalties"] = " ".join([str(taken.get(player, 0)) for player in seated])
        for gain in hand.gains:
            cells: Cells = {"kind": "points", "winner": gain.winner, "points": _figures(gain.shares)}
            if len(gain.shares) < len(seated) - 1:
                ((cells["defender"], _points),) = gain.shares
            yield cells | more
            more = {}


def _figures(counts: Counts) -> str:
    return " ".join([str(count) for _player, count in counts])


def _csv(rows: list[Cells]) -> str:
    """The rows with all columns that a file has, and those optional ones that are filled."""
    filled = {column for row in rows for column, cell in row.items() if cell != ""}
    columns = [*COLUMNS, *(column for column in OPTIONAL_COLUMNS if column in filled)]
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(
        [cell if isinstance(cell := row.get(column, ""), int) else guarded(str(cell)) for column in columns]
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
    ]
    notes = [words % {"count": count} for count, words in found if count]
    return [*notes, *_notes_on_sheets(differ, passed_on, surplus)]


def _notes_on_sheets(differ: int, passed_on: int, surplus: int) -> list[str]:
    """Notes on sheets that differ from their paper, on those with substitutes, and on deals after the end."""
    found = [
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
