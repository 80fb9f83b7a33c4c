"""Evaluates a bracket from its sheets: who stands where, who has won, what is still to be played.

Ties are rows; everything that follows from them is derived by `league.core.pairing`, never from their number
or size. Rules of this product where practice varies:

- An awarded sheet (walkover, forfeit) decides its tie, also in a best of three; one awarded to neither side
  leaves it to the director.
- A withdrawn entry loses every tie that is not in play. If both have withdrawn, the better seed is entered as
  the winner, so that the next opponent goes on by walkover too.
- What the lot has decided stays so between the same two.
- An entry that has begun its next match has gone on: if the sheets later say otherwise, the tie is in doubt
  and stays until a director confirms the change. The entries on sheets that have begun count, whatever the
  tie's row says.
- A tie begun by entries other than those who stand in it is in doubt too.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.core.lots import lot
from league.core.pairing.elimination import (
    BracketMatch,
    BracketProgress,
    Feeder,
    Readiness,
)
from league.core.pairing.plate import advance, current_feeders
from league.core.pairing.ties import Decided, NeedsDirector, TieDecider, TieOutcome, outcome
from league.models import (
    AWARDED,
    PLAYED,
    BracketPart,
    Entry,
    Event,
    Match,
    MatchState,
    Tie,
    TieDecision,
)
from league.tables.drawn_brackets import drawn_bracket, was_played
from scoring.models import SheetStatus

Sides = tuple[Entry | None, Entry | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class TieNow:
    """A tie as it should be: its entries, its winner, and what decided it.

    `next_leg` is the sheet to be played, whether or not it exists. If `in_doubt`, the winner is who has gone
    on while the sheets say `says` (None: nobody yet), or there are `misfits`.
    """

    tie: Tie
    sheets: Sequence[Match]
    entries: Sides
    readiness: Readiness
    winner: Entry | None
    decided_by: str
    next_leg: int | None = None
    needs_director: bool = False
    in_doubt: bool = False
    says: Entry | None = None
    feeders: tuple[Feeder | None, Feeder | None] = (None, None)

    @property
    def own_sheets(self) -> list[Match]:
        """The sheets of the present entries; others were made for someone else."""
        return _sheets_of_pair(self.sheets, self.entries)

    @property
    def misfits(self) -> list[Match]:
        """Sheets begun here by other entries; only a director puts them away."""
        own = self.own_sheets
        return [match for match in self.sheets if match not in own and begun(match)]

    @property
    def pair(self) -> tuple[Entry, Entry] | None:
        """Both entries, once known."""
        first, second = self.entries
        return (first, second) if first is not None and second is not None else None

    def __str__(self) -> str:
        words = [
            str(entry) if entry is not None else _feeder_words(feeder)
            for entry, feeder in zip(self.entries, self.feeders, strict=True)
        ]
        return _("%(a)s v %(b)s") % {"a": words[0], "b": words[1]}


@dataclass(frozen=True, slots=True)
class BracketNow:
    """All ties by number, and the progress of the bracket by seeds."""

    event: Event
    ties: dict[int, TieNow]
    progress: BracketProgress
    entry_of: dict[int, Entry]

    def tie_of(self, tie: Tie) -> TieNow:
        """Return the evaluated tie of a row."""
        return self.ties[tie.number]


def bracket_now(
    event: Event, *, confirmed: Collection[int] = (), without: Collection[int] = ()
) -> BracketNow | None:
    """Evaluate the bracket of an event, in two queries; None if none is drawn.

    Ties with numbers in `confirmed` follow their sheets even if who went on has begun to play. Matches with
    ids in `without` are ignored.
    """
    ties = list(
        Tie.objects.filter(event=event).select_related("entry_a", "entry_b", "round").order_by("number")
    )
    if not ties:
        return None
    sheets: dict[int | None, list[Match]] = {tie.pk: [] for tie in ties}
    rows = Match.objects.filter(event=event, tie__isnull=False).select_related("sheet__table_match", "round")
    for match in rows.defer("sheet__derived", "sheet__paper").order_by("leg", "id"):
        if match.pk not in without:
            sheets[match.tie_id].append(match)
    return _Evaluator(event, ties, sheets, confirmed).read()


def begun(match: Match) -> bool:
    """True if a match is recorded on, awarded, or being played on this site; a voided sheet starts again."""
    if has_hands(match):
        return True
    table = getattr(match.sheet, "table_match", None)
    return table is not None and table.is_live


def has_hands(match: Match) -> bool:
    """True if a match is recorded on or awarded; a voided sheet starts again."""
    if match.state != MatchState.SCHEDULED:
        return True
    return match.sheet is not None and match.sheet.status != SheetStatus.VOID and match.sheet.version > 0


class _Evaluator:
    """Judges the ties of one bracket, with lookups among them."""

    def __init__(
        self,
        event: Event,
        ties: Sequence[Tie],
        sheets: dict[int | None, list[Match]],
        confirmed: Collection[int],
    ) -> None:
        self.event = event
        self.ties = {tie.number: tie for tie in ties}
        self.sheets = sheets
        self.confirmed = confirmed
        self.by_id = {tie.pk: tie for tie in ties}
        self.entry_of = {
            seed: entry
            for tie in ties
            for seed, entry in ((tie.seed_a, tie.entry_a), (tie.seed_b, tie.entry_b))
            if seed is not None and entry is not None
        }
        self.seed_of = {entry.pk: seed for seed, entry in self.entry_of.items()}
        # Each seed's place in the plate; entries that meet in the first round share one.
        self.plate_of = {
            seed: (self.by_id[tie.loser_to_id], tie.loser_to_side)
            for tie in ties
            if tie.loser_to_id is not None and tie.loser_to_side is not None
            if self.by_id[tie.loser_to_id].part == BracketPart.PLATE
            for seed in (tie.seed_a, tie.seed_b)
            if seed is not None
        }
        self.verdicts: dict[int, _Verdict] = {}

    def read(self) -> BracketNow:
        drawn = drawn_bracket(self.ties.values())
        now = advance(drawn, self._judge, lambda match: self.verdicts[match.number].was_played)
        fed = current_feeders(drawn, now)
        found = {}
        for number, tie in self.ties.items():
            first, second = (None if seed is None else self.entry_of[seed] for seed in now.slots[number])
            verdict = self.verdicts.get(number, _Verdict())
            won, decided_by = now.winners.get(number), verdict.by
            if now.readiness[number] is Readiness.BYE:
                decided_by = TieDecision.BYE
            elif now.readiness[number] is Readiness.NOT_NEEDED:
                decided_by = TieDecision.NOT_NEEDED
            entries = (first, second)
            own = _sheets_of_pair(self.sheets[tie.pk], entries)
            found[number] = TieNow(
                tie=tie,
                sheets=self.sheets[tie.pk],
                entries=entries,
                readiness=now.readiness[number],
                winner=None if won is None else entries[won],
                decided_by=decided_by,
                next_leg=verdict.next_leg,
                needs_director=verdict.needs_director,
                in_doubt=verdict.in_doubt
                or any(begun(sheet) for sheet in self.sheets[tie.pk] if sheet not in own),
                says=None if verdict.says is None else entries[verdict.says],
                feeders=(fed.get((number, 0)), fed.get((number, 1))),
            )
        return BracketNow(self.event, found, now, self.entry_of)

    def _judge(self, match: BracketMatch, seeds: tuple[int, int]) -> int | None:
        tie = self.ties[match.number]
        pair = (self.entry_of[seeds[0]], self.entry_of[seeds[1]])
        own = _sheets_of_pair(self.sheets[tie.pk], pair)
        verdict = self._verdict(tie, pair, seeds, own)
        verdict = replace(verdict, was_played=any(was_played(sheet) for sheet in own))
        gone_on = self._advanced_side(tie, pair)
        if gone_on is None:
            gone_on = self._without_first_loser(tie, pair, seeds, verdict)
        if gone_on is not None and verdict.winner != gone_on and tie.number not in self.confirmed:
            is_stored = _stored_winner(tie, pair) == gone_on
            by = tie.decided_by if is_stored else TieDecision.SHEET
            # Entries that have begun in the plate had lost a match that was played.
            verdict = _Verdict(winner=gone_on, by=by, in_doubt=True, says=verdict.winner, was_played=True)
        self.verdicts[tie.number] = verdict
        return verdict.winner

    def _verdict(
        self, tie: Tie, pair: tuple[Entry, Entry], seeds: tuple[int, int], sheets: Sequence[Match]
    ) -> "_Verdict":
        if tie.decided_by == TieDecision.DIRECTOR and (stored := _stored_winner(tie, pair)) is not None:
            return _Verdict(winner=stored, by=TieDecision.DIRECTOR)
        for sheet in sheets:
            if sheet.state in AWARDED and sheet.winner_side is not None:
                return _Verdict(winner=_side_in_tie(sheet, pair), by=TieDecision.WALKOVER)
        ended: list[int | None] = []
        for sheet in sheets:
            if sheet.state not in PLAYED or sheet.held:
                break
            ended.append(_side_in_tie(sheet, pair))
        result: TieOutcome = outcome(
            ended,
            best_of=self.event.best_of,
            decider=TieDecider(self.event.tie_decider),
            seeds=seeds,
            lots=(self._lot(tie, pair[0]), self._lot(tie, pair[1])),
        )
        if isinstance(result, Decided):
            winner: int | None = result.winner
            if result.by is TieDecision.LOT and tie.decided_by == TieDecision.LOT:
                stored = _stored_winner(tie, pair)
                winner = winner if stored is None else stored
            return _Verdict(winner=winner, by=result.by.value)
        gone = [side for side, entry in enumerate(pair) if entry.withdrawn_at is not None]
        if gone and not any(sheet.state == MatchState.PLAYING or sheet.held for sheet in sheets):
            winner = seeds.index(min(seeds)) if len(gone) == 2 else 1 - gone[0]
            return _Verdict(winner=winner, by=TieDecision.WALKOVER)
        if isinstance(result, NeedsDirector) or any(sheet.state in AWARDED for sheet in sheets):
            return _Verdict(needs_director=True)
        # An open sheet is played before another is made, whatever its number.
        waiting = [sheet.leg for sheet in sheets if sheet.state not in PLAYED or sheet.held]
        last = max((sheet.leg for sheet in sheets), default=0)
        return _Verdict(next_leg=waiting[0] if waiting else last + 1)

    def _lot(self, tie: Tie, entry: Entry) -> int:
        return lot(f"{self.event.lot_seed} tie {tie.number}", entry.drawn_as)

    def _advanced_side(self, tie: Tie, pair: tuple[Entry, Entry]) -> int | None:
        """Return the side that has begun the winner's next match, or whose opponent has begun the loser's."""
        for won, to, side in (
            (True, tie.winner_to_id, tie.winner_to_side),
            (False, tie.loser_to_id, tie.loser_to_side),
        ):
            if to is None or side is None:
                continue
            if tie.part != BracketPart.PLATE and self.by_id[to].part == BracketPart.PLATE:
                # The entry there may have lost a later match: see `_without_first_loser`.
                continue
            there = self._entry_at(self.by_id[to], side)
            for place, entry in enumerate(pair):
                if entry.pk == there:
                    return place if won else 1 - place
        return None

    def _without_first_loser(
        self, tie: Tie, pair: tuple[Entry, Entry], seeds: tuple[int, int], verdict: "_Verdict"
    ) -> int | None:
        """Return the side whose opponent has begun in the plate, or None.

        That opponent has lost the first match they played: this one, unless it was awarded.
        """
        if tie.part in (BracketPart.PLATE, BracketPart.THIRD):
            return None
        for side, (entry, seed) in enumerate(zip(pair, seeds, strict=True)):
            goes_on_unplayed = verdict.winner == side and not verdict.was_played
            if (way := self.plate_of.get(seed)) and self._entry_at(*way) == entry.pk and not goes_on_unplayed:
                return 1 - side
        return None

    def _entry_at(self, tie: Tie, side: int) -> int | None:
        """Return the id of the entry that has gone on to this side of a tie, or None.

        It has begun to play there, or was given the tie and has begun the next.
        """
        for sheet in self.sheets[tie.pk]:
            if begun(sheet):
                return sheet.entry_b_id if side else sheet.entry_a_id
        if tie.decided_by == TieDecision.DIRECTOR or (tie.winner_id is not None and self._has_continued(tie)):
            return tie.entry_b_id if side else tie.entry_a_id
        return None

    def _has_continued(self, tie: Tie) -> bool:
        """True if a match after this tie has begun for its winner or its loser."""
        ways = ((tie.winner_to_id, tie.winner_to_side), (tie.loser_to_id, tie.loser_to_side))
        return any(
            self._entry_at(self.by_id[to], side) is not None
            for to, side in ways
            if to is not None and side is not None
        )


@dataclass(frozen=True, slots=True)
class _Verdict:
    """The verdict on a tie with both entries; sides are those of the tie."""

    winner: int | None = None
    by: str = ""
    next_leg: int | None = None
    needs_director: bool = False
    in_doubt: bool = False
    says: int | None = None
    was_played: bool = False


def _sheets_of_pair(sheets: Iterable[Match], entries: Sides) -> list[Match]:
    """Return the sheets of these two entries."""
    pair = {entry.pk for entry in entries if entry is not None}
    return [sheet for sheet in sheets if {sheet.entry_a_id, sheet.entry_b_id} == pair]


def _side_in_tie(match: Match, pair: tuple[Entry, Entry]) -> int | None:
    """Return the side of the tie that has won a sheet."""
    if match.winner_side is None:
        return None
    return match.winner_side if match.entry_a_id == pair[0].pk else 1 - match.winner_side


def _stored_winner(tie: Tie, pair: tuple[Entry, Entry]) -> int | None:
    """Return the side stored as the winner, if the tie is still between the same two."""
    if (tie.entry_a_id, tie.entry_b_id) != (pair[0].pk, pair[1].pk) or tie.winner_id is None:
        return None
    return 0 if tie.winner_id == tie.entry_a_id else 1


def _feeder_words(feeder: Feeder | None) -> str:
    if feeder is None:
        return _("bye")
    words = _("winner of match %(number)s") if feeder.won else _("loser of match %(number)s")
    return words % {"number": feeder.match}
