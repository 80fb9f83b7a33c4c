"""Hands as CSV, in the format an import reads: those of an event, or of a club's sheets outside events.

Every counted deal is exported, voided ones as rows of kind `void` so that numbers stay the same. What the
format cannot express is omitted and noted: byes, but for what was played against a bot in place of one;
forfeits and walkovers; play-offs; sheets that differ from their paper and are not accepted; deals
after the end, and who would have played them; corrections and signatures; the event's settings and knobs of
house rules; who is a bot.
"""

import csv
import io
import zoneinfo
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TableMatch
from league.core.collation import name_key
from league.core.hand_files.cells import guarded, joined
from league.core.hand_files.deals import renamed
from league.core.hand_files.reading import (
    AT_ONCE,
    BESIDES,
    BYE,
    COLUMNS,
    GIN,
    LINE,
    NO_HANDS,
    OPTIONAL_COLUMNS,
    SIDES,
    STOPPED,
    SUBSTITUTE,
    TEAMS,
    VOID,
)
from league.draws.formats import format_of
from league.files.tables import labels_of, sheets_at_tables, side_name
from league.models import OFF_SHEET, Appearance, Club, EntryMember, Event, Match, MatchState, Rest
from league.policy.naming import in_full
from scoring.core.hands import Dead, HandResult, Outcome
from scoring.core.sheet_state import players_by_seat
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
    # What counts for the order at one line alone would count in the table of an event made from the file.
    play_offs = Match.objects.filter(event=event, sheet__deal_count__gt=0).exclude(play_off=None).count()
    matches = list(
        Match.objects.filter(event=event, play_off=None)
        .with_sides("round", "sheet__rules", "sheet__table_match")
        .prefetch_related("appearances__player")
        .order_by("round__number", "table", "label")
    )
    for match in matches:
        match.event = event
    written = [match for match in matches if _is_written(match)]
    rows: list[Cells] = []
    surplus = 0
    names = in_full(event.club)
    members = _members(event)
    has_team_names = event.team_size > 1 and any(_has_own_names(match, members) for match in written)
    for first in range(0, len(written), _SHEETS_AT_ONCE):
        chunk = written[first : first + _SHEETS_AT_ONCE]
        stored = kept_sheets([one.sheet for one in chunk if one.sheet])
        names.learn(person for kept in stored for person in kept.persons.values())
        for match, kept in zip(chunk, stored, strict=True):
            called = names.sheet(kept, match)
            rows += _match_sheet(event, match, called, members, has_team_names=has_team_names).rows()
            surplus += _after_the_end(kept)
    hands = sum(row["kind"] not in NO_HANDS for row in rows)
    notes = _notes(matches, surplus)
    if play_offs:
        said = ngettext(
            "Left out: %(count)d match of a play-off.", "Left out: %(count)d matches of play-offs.", play_offs
        )
        notes.append(said % {"count": play_offs})
    if annulled := sum(match.annulled and _has_deals(match) for match in written):
        notes.append(
            ngettext(
                "%(count)d annulled match is in the file, and only here counts for nobody.",
                "%(count)d annulled matches are in the file, and only here count for nobody.",
                annulled,
            )
            % {"count": annulled}
        )
    if note := format_of(event).export_note:
        notes.append(str(note))
    if any(match.leg > 1 and match.tie_id for match in written):
        notes.append(
            _(
                "Some matches here have several sheets: an import into another event is refused, as two meet "
                "once a round there."
            )
        )
    notes += _notes_on_bots(event, written)
    return Export(_csv(rows), hands, notes)


def export_tables(club: Club) -> Export:
    """All hands of a club's sheets outside events, but for those of bots, oldest sheets first."""
    names = in_full(club)
    zone = zoneinfo.ZoneInfo(club.time_zone)
    sheets = sheets_at_tables(club)
    labels = labels_of(sheets)
    rows: list[Cells] = []
    surplus = differ = unsaid = 0
    for first in range(0, len(sheets), _SHEETS_AT_ONCE):
        stored = kept_sheets(sheets[first : first + _SHEETS_AT_ONCE])
        names.learn(person for kept in stored for person in kept.persons.values())
        for kept in map(names.sheet, stored):
            if kept.sheet.paper_state == PaperState.DIFFERS:
                differ += 1
            elif any("+" in player for player in kept.seat_names.values()):
                unsaid += 1
            else:
                opened = timezone.localdate(kept.sheet.opened_at, zone)
                rows += _table_sheet(kept, labels[kept.sheet.pk], opened.isoformat()).rows()
                surplus += _after_the_end(kept)
    notes = _notes_on_sheets(differ, surplus)
    if unsaid:
        said = ngettext(
            "Left out: %(count)d sheet with a name that has a “+”.",
            "Left out: %(count)d sheets with names that have a “+”.",
            unsaid,
        )
        notes.append(said % {"count": unsaid})
    hands = sum(row["kind"] not in NO_HANDS for row in rows)
    return Export(_csv(rows), hands, notes)


def _after_the_end(kept: KeptSheet) -> int:
    return sum(not deal.counted for deal in kept.state.deals)


def _is_played(match: Match) -> bool:
    """Whether it has, or may get, a result on its sheet; of a bye once something is on that against a bot.

    What was given up to it, or lost by the clock, is as a forfeit.
    """
    if match.state == MatchState.BYE:
        table: TableMatch | None = getattr(match.sheet, "table_match", None)
        is_given = table is not None and table.forfeited_by is not None
        return _has_deals(match) and not is_given
    return match.state not in OFF_SHEET


def _is_written(match: Match) -> bool:
    sheet = match.sheet
    return (
        sheet is not None
        and _is_played(match)
        and sheet.status != SheetStatus.VOID
        and sheet.paper_state != PaperState.DIFFERS
    )


def _has_deals(match: Match) -> bool:
    return match.sheet is not None and match.sheet.deal_count > 0


def _match_sheet(
    event: Event, match: Match, kept: KeptSheet, members: "Members", *, has_team_names: bool
) -> "_Sheet":
    """The sheet of a match, under the current names of its players."""
    # The seats of a bot that plays a team in place of a bye are numbered, as on the sheet.
    names = {
        kept.seat_names[kept.order[one.side][one.position]]: one.player.name
        for one in match.appearances.all()
        if one.entry_id is not None
    }
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
    if match.rest is not None and event.team_size > 1:
        common[TEAMS[1]] = kept.sides[1].name
    absent = [_absent(match, side, members) for side in match.sides]
    called = {name: name for name in kept.seat_names.values()} | names
    return _Sheet(kept, common, called, absent, rest=match.rest)


# The names of an entry's members, by its id.
Members = Mapping[int, Sequence[str]]


def _members(event: Event) -> Members:
    members: dict[int, list[str]] = defaultdict(list)
    rows = EntryMember.objects.filter(event=event).order_by("position", "id")
    for entry, name in rows.values_list("entry", "player__name"):
        members[entry].append(name)
    return members


def _began(match: Match, side: int) -> list[Appearance]:
    """Who played the first deal for a side, in order."""
    rows = [one for one in match.appearances.all() if one.side == side and one.replaces is None]
    return sorted(rows, key=lambda one: one.position)


def _absent(match: Match, side: int, members: Members) -> Mapping[str, str]:
    """In whose place others played from the first deal on, by the names of these.

    That is known where every member of the entries has a seat of his own.
    """
    began = _began(match, side)
    there = [one.player.name for one in began]
    entered = [name for entry in match.ids_of(side) for name in members.get(entry, ())]
    if len(entered) != len(there):
        return {}
    outsiders = [name for name in there if name not in entered]
    return dict(zip(outsiders, [name for name in entered if name not in there], strict=True))


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
    return _Sheet(
        kept, common, {name: name for name in kept.seat_names.values()}, [{} for _side in kept.sides]
    )


class _Sheet:
    """The rows of one sheet; `common` are the cells that all have, `names` what its players are called.

    `absent` has by side in whose place others play from the first deal on, and `rest` how a bye counts that
    is played against a bot.
    """

    def __init__(
        self,
        kept: KeptSheet,
        common: Cells,
        names: Mapping[str, str],
        absent: Sequence[Mapping[str, str]],
        *,
        rest: Rest | None = None,
    ) -> None:
        self.kept, self.rest = kept, rest
        self.names = names
        self.absent = absent
        self.sides = [
            tuple([away.get(names[player], names[player]) for player in side.players])
            for side, away in zip(kept.sides, absent, strict=True)
        ]
        self.common = common | dict(zip(SIDES, map(joined, self.sides), strict=False))
        # Of two players one name tells the other.
        self.names_both = sum(map(len, self.sides)) > 2

    def rows(self) -> Iterator[Cells]:
        """The deals in order up to the end of the sheet, each after those who sit down for it."""
        counted = [scored for scored in self.kept.state.deals if scored.counted]
        came: dict[int, list[Cells]] = defaultdict(list)
        for away in self.absent:
            for player, replaced in away.items():
                came[1].append({"player": player, "replaces": replaced})
        seated = {one.player: one for one in self.kept.state.substitutes}
        # In the order in which they sat down.
        for one in [seated[name] for name in self.kept.seat_names.values() if name in seated]:
            came[one.from_deal].append(
                {"player": self.names[one.player], "replaces": self.names[one.replaces]}
            )
        for scored in counted:
            for cells in came[scored.number]:
                yield {**self.common, "deal": scored.number, "kind": SUBSTITUTE, **cells}
            for cells in self._deal(scored.deal, scored.number):
                yield {**self.common, "deal": scored.number, **cells}
        if self.kept.state.status != SheetStatus.FINISHED and counted:
            for cells in came[len(counted) + 1]:
                yield {**self.common, "deal": len(counted) + 1, "kind": SUBSTITUTE, **cells}
        if self.kept.sheet.stopped:
            yield {**self.common, "kind": STOPPED}
        if self.rest is not None:
            yield {**self.common, "kind": BYE, "mark": "" if self.rest == Rest.PLAYED else BESIDES}

    def _deal(self, deal: Deal, number: int) -> Iterator[Cells]:
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
                yield from self._hand(hand, number)

    def _hand(self, hand: HandResult | TableResult, number: int) -> Iterator[Cells]:
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
                yield from self._gains(hand, number)
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

    def _gains(self, hand: TablePoints, number: int) -> Iterator[Cells]:
        taken = {player: points for player, points in hand.penalties if points}
        seated = [self.names[player] for player in players_by_seat(self.kept.sides, number)]
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


def _has_own_names(match: Match, members: Members) -> bool:
    """Return whether a team's name differs from the one an import would give it."""
    for side in match.sides:
        away = _absent(match, side, members)
        players = [away.get(one.player.name, one.player.name) for one in _began(match, side)]
        if match.side_name(side) not in ("", " & ".join(players)):
            return True
    return False


def _notes(matches: list[Match], surplus: int) -> list[str]:
    not_played = sum(not _is_played(match) for match in matches)
    void = differ = 0
    for match in matches:
        if match.sheet is not None and _is_played(match):
            void += match.sheet.status == SheetStatus.VOID
            differ += match.sheet.paper_state == PaperState.DIFFERS
    found = [
        (
            not_played,
            ngettext(
                "Left out: %(count)d bye, forfeit or walkover.",
                "Left out: %(count)d byes, forfeits or walkovers.",
                not_played,
            ),
        ),
        (void, ngettext("Left out: %(count)d voided sheet.", "Left out: %(count)d voided sheets.", void)),
    ]
    notes = [words % {"count": count} for count, words in found if count]
    return [*notes, *_notes_on_sheets(differ, surplus)]


def _notes_on_sheets(differ: int, surplus: int) -> list[str]:
    """Notes on sheets that differ from their paper, and on deals after the end."""
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
            surplus,
            ngettext(
                "Left out: %(count)d deal after the end of its sheet.",
                "Left out: %(count)d deals after the end of their sheets.",
                surplus,
            ),
        ),
    ]
    return [words % {"count": count} for count, words in found if count]


def _notes_on_bots(event: Event, matches: Sequence[Match]) -> list[str]:
    """Notes on bots, which an import would take for people, and on their matches."""
    found: list[str] = []
    taken, needed = _bots_of(matches, rests=False), _bots_of(matches, rests=True)
    line_ups = [[one.player for one in match.appearances.all()] for match in matches]
    if taken:
        said = ngettext(
            "A bot goes by its name alone, and an import makes it a player if it is not one yet: %(names)s.",
            "Bots go by their names alone, and an import makes them players if they are not yet: %(names)s.",
            len(taken),
        )
        found.append(said % {"names": ", ".join(taken)})
    if needed:
        said = ngettext(
            "An import needs this bot in the club, which plays in place of an opponent: %(names)s.",
            "An import needs these bots in the club, which play in place of an opponent: %(names)s.",
            len(needed),
        )
        found.append(said % {"names": ", ".join(needed)})
    if not event.bot_matches_count and any(all(one.is_bot for one in players) for players in line_ups):
        found.append(_("Matches between bots are in the file; only here do they count for nothing."))
    return found


def _bots_of(matches: Sequence[Match], *, rests: bool) -> list[str]:
    """The names of the bots that played, in place of an opponent (`rests`) or in other matches."""
    chosen = [match for match in matches if (match.rest is not None) == rests]
    seated = [one.player for match in chosen for one in match.appearances.all()]
    return sorted({player.name for player in seated if player.is_bot}, key=name_key)
