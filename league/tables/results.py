"""Results of an event's matches, ranked by `league.core.standings.rank`."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.db.models import Case, Exists, OuterRef, Q, Value, When
from django.utils.translation import gettext as _

from league.core.lots import lot
from league.core.possible_places import Possible, possible_places
from league.core.standings import AdjustmentNote as Note
from league.core.standings import (
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    PerMatch,
    Row,
    ScoringScheme,
    TableResult,
    Tally,
    as_of,
    rank,
)
from league.core.still_to_play import (
    Left,
    LeftMatch,
    LeftRest,
    LeftTable,
)
from league.matches.counting import ENDED
from league.matches.fields import AT_TABLE, FIGURES
from league.models import (
    ENTRIES,
    PLAYED,
    SAT_OUT,
    SEATED,
    UNFINISHED,
    Adjustment,
    CutDecision,
    Entry,
    Event,
    Match,
    MatchState,
    PointsScheme,
    RoundState,
    SitInCounts,
    between_bots,
    bye_counts,
    counts_as_played,
    points_by_place,
    traits_of,
)
from league.policy.withholding import released, told_until
from league.tables.incoming_figures import incoming_figures
from league.tables.left_to_play import foretold, late_entries, left_to_play, meet_equally, of_group
from scoring.models import Scoresheet

_SIDES: Final = (MatchSide.A, MatchSide.B)
_OTHERS: Final = len(ENTRIES) - 2

Result = MatchResult | TableResult


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the table: an entry, its group (None without groups), its row, and the places possible.

    `possible` is None if it was not asked for, if nothing is left to play, or if it is open what is.
    `previous_rank` is the rank before the last round with results, on a ladder before the last result that
    moved anyone; None if there was none, and for entries that came later.
    """

    entry_id: int
    group: int | None
    position: int
    row: Row
    previous_rank: int | None
    possible: Possible | None = None

    @property
    def rank(self) -> int:
        return self.row.rank

    @property
    def above_next_by(self) -> str | None:
        return self.row.above_next_by


def ranking_of(
    event: Event,
    entries: Iterable[Entry],
    *,
    until: int | None = None,
    withheld_too: bool = False,
    later_too: bool = False,
    left_out: Collection[int] = (),
    looks_ahead: bool = False,
) -> list[Ranked]:
    """Rank the given entries of an event by its results, or by those up to round `until`.

    The lines are group by group, best first; guests have none, nor those whose results are annulled. Two
    queries, a few more for criteria that do not come from results. Left out are matches without a result,
    held ones, those in drafted rounds, those in unreleased rounds unless `withheld_too`, annulled ones, and
    those of entries not given: whoever made one meanwhile has requested the table again. Adjustments belong
    to no round and count in every table; with `until`, later entries are left out, unless `later_too`.
    Results against the entries `left_out` (ids) do not count, nor do their own. With `looks_ahead` the places
    still possible are found from what everybody may know, in one query more where rounds are still to be
    paired.
    """
    field = _Field.of(event, entries, until=until, withheld_too=withheld_too, later_too=later_too)
    if event.absent_strength == CountsAs.FIDE:
        field = replace(field, missed=_missed(event, field.entries))
    looks_ahead = looks_ahead and foretold(event)
    results, others = _read(event, field.ids, withheld_too=withheld_too, others_too=looks_ahead)
    if until is not None:
        results = as_of(results, until)
    if left_out:
        gone = set(left_out)
        results = [result for result in results if gone.isdisjoint(result.entries)]
    last = max((result.round for result in results), default=0)
    before = traits_of(event).places_before(event, until=field.known)
    if before is None and (earlier := as_of(results, last - 1)):
        before = {line.entry_id: line.row.rank for line in field.until(last - 1).lines(earlier)}
    left = left_to_play(event, field.entries, others, results) if looks_ahead else []
    return [
        replace(line, previous_rank=(before or {}).get(line.entry_id)) for line in field.lines(results, left)
    ]


def rankings_by_round(event: Event, entries: Iterable[Entry]) -> dict[int, list[Ranked]]:
    """Rank the given entries as `ranking_of` does with `until`, once for every round that has results.

    By number of round; without `previous_rank`. The results are read once, and ranked once a round.
    """
    field = _Field.of(event, entries)
    if event.absent_strength == CountsAs.FIDE:
        field = replace(field, missed=_missed(event, field.entries))
    results = results_of(event, field.ids)
    numbers = sorted({result.round for result in results})
    return {number: field.until(number).lines(as_of(results, number)) for number in numbers}


def points_so_far(event: Event, entries: Iterable[Entry]) -> dict[int, Number]:
    """Return the points of every entry by id, including guests: matches, byes, adjustments, late entry.

    All rounds count, even if the table takes only the best, and so do unreleased ones. Who had all results
    annulled has none.
    """
    entries = list(entries)
    field = _Field.of(event, entries, withheld_too=True)
    return _points(event, entries, results_of(event, field.ids, withheld_too=True), field.notes)


def points_by_round(event: Event, entries: Iterable[Entry]) -> dict[int, dict[int, list[Number]]]:
    """Return what each entry has from its matches and rests, by id and round, unreleased results too.

    Points for late entries and adjustments are none of a match. Whoever had all results annulled has none.
    """
    counting = {entry.pk for entry in entries if entry.annulled_at is None}
    tally = Tally(counting, results_of(event, counting, withheld_too=True), scheme=scheme_of(event))
    found: dict[int, dict[int, list[Number]]] = {}
    for entry, parts in tally.parts.items():
        rounds = found[entry] = {}
        for part in parts:
            rounds.setdefault(part.round, []).append(part.points)
    return found


def points_before_rounds(
    event: Event, entries: Iterable[Entry], numbers: Iterable[int]
) -> dict[int, dict[int, Number]]:
    """Return the points that were known before each of these rounds, by the results as they are now.

    A director's adjustment belongs to no round, and is left out.
    """
    entries = list(entries)
    counting = [entry for entry in entries if entry.annulled_at is None]
    results = results_of(event, {entry.pk for entry in counting}, withheld_too=True)
    notes = _late_notes(event, counting)
    return {number: _points(event, entries, as_of(results, number - 1), notes) for number in numbers}


def _points(
    event: Event, entries: Sequence[Entry], results: Iterable[Result], notes: Iterable[Note]
) -> dict[int, Number]:
    points: dict[int, Number] = {entry.pk: 0 for entry in entries}
    counting = [entry.pk for entry in entries if entry.annulled_at is None]
    tally = Tally(counting, results, scheme=scheme_of(event), adjustments=notes)
    return points | {entry: plain(tally.records[entry].points) for entry in counting}


def between_groups(row: Row, *, with_rests: bool) -> PerMatch:
    """Return the figures by which entries of different groups are compared.

    They leave rests out (RULES §13), except `with_rests`: see `Event.rests_between_groups`.
    """
    if with_rests:
        played = max(1, row.played)
        return PerMatch(Fraction(row.points) / played, Fraction(row.net, played))
    return row.per_match


def criteria_of(event: Event) -> list[str]:
    """Return the table order: what the format puts first, such as places in a bracket, then the event's."""
    first = [name for name in traits_of(event).leading_criteria if name not in event.criteria]
    return [*first, *event.criteria]


def late_points(event: Event, entry: Entry, until: int | None = None) -> Number:
    """Return an entry's points for rounds missed by entering late, or for those up to round `until`."""
    missed = entry.first_round - 1
    return plain(event.late_points * (missed if until is None else min(missed, until)))


def late_reason(entry: Entry) -> str:
    """Return the footnote for these points."""
    if entry.first_round == 2:
        return _("entered late: round 1 missed")
    return _("entered late: rounds 1 to %(last)s missed") % {"last": entry.first_round - 1}


def _late_notes(event: Event, entries: Iterable[Entry], until: int | None = None) -> list[Note]:
    return [
        Note(entry.pk, points, late_reason(entry))
        for entry in entries
        if (points := late_points(event, entry, until))
    ]


def scheme_of(event: Event) -> ScoringScheme:
    """Return the event's points per match, and its awards for matches that were not played."""
    bye = Award(
        won=plain(event.bye_points),
        counts=False,
        net=CountsAs(event.bye_net),
        strength=CountsAs(event.bye_strength),
    )
    absent = Award(
        won=plain(event.absent_points),
        counts=False,
        net=CountsAs(event.absent_net),
        strength=CountsAs(event.absent_strength),
    )
    by_columns = event.points_scheme == PointsScheme.COLUMNS
    given = Award(
        won=plain(event.sheet_points if by_columns else event.win_points),
        lost=0 if by_columns else plain(event.loss_points),
        net=CountsAs(event.forfeit_net),
        strength=CountsAs(event.forfeit_strength),
    )
    return ScoringScheme(
        win=given.won,
        draw=0 if by_columns else plain(event.draw_points),
        loss=given.lost,
        column=plain(event.column_points) if by_columns else 0,
        by_place=points_by_place(event.place_points),
        bye=bye,
        absent=absent,
        forfeit=given,
        walkover=given,
    )


def points_against_bot(match: Match) -> Number | None:
    """Return what a bye gave whose entry has played a bot, where that counts as played; None before its end.

    Load event and sheet with it.
    """
    if match.sheet is None or match.sheet.status not in ENDED:
        return None
    winner = None if match.winner_side is None else _SIDES[match.winner_side]
    figures = {name: getattr(match, name) for name in FIGURES}
    played = MatchResult((match.entry_a_id,), (), MatchState.BYE, winner, **figures, extra=True)
    return scheme_of(match.event).points(played)[0]


def plain(points: Decimal | int) -> Number:
    """Return points without trailing zeros: 2 instead of 2.00; 0.5 stays."""
    points = Decimal(points)
    return int(points) if points == points.to_integral_value() else points.normalize()


def results_of(
    event: Event,
    entries: Collection[int],
    *,
    withheld_too: bool = False,
    play_off: CutDecision | None = None,
) -> list[Result]:
    """Return the results that count of these entries (ids), in one query; those with others are left out.

    With groups and a bracket, only matches in the groups. Matches between bots count if the event says so;
    those in unreleased rounds only if `withheld_too`. Matches of a play-off do not count in the table: they
    are returned alone for that `play_off`.
    """
    return _read(event, entries, withheld_too=withheld_too, play_off=play_off)[0]


def _read(
    event: Event,
    entries: Collection[int],
    *,
    withheld_too: bool = False,
    play_off: CutDecision | None = None,
    others_too: bool = False,
) -> tuple[list[Result], list[LeftMatch | LeftTable | LeftRest]]:
    """Return the results that count, as `results_of`, and with `others_too` the matches that do not yet."""
    matches = Match.objects.filter(event=event, play_off=play_off)
    begun = Scoresheet.objects.filter(pk=OuterRef("sheet_id"), deal_count__gt=0)
    if not event.bot_matches_count:
        matches = matches.filter(Q(state__in=SAT_OUT) | ~between_bots())
    if traits_of(event).has_groups:
        matches = matches.filter(tie=None)
    known = Q(held=False) & ~Q(state__in=UNFINISHED) & ~Q(round__state=RoundState.DRAFTED)
    if event.holds_results and not withheld_too:
        known &= released()
    counts: Case | Value = Value(True)
    rest_counts = bye_counts()
    if others_too:
        # Step by step, so that the subqueries of byes are asked for byes alone.
        no, yes = Value(False), Value(True)
        counts = Case(
            When(~known, then=no),
            When(~Q(state__in=SAT_OUT), then=yes),
            When(rest_counts, then=yes),
            default=no,
        )
    else:
        matches = matches.filter(known, ~Q(state__in=SAT_OUT) | rest_counts)
    rows = (
        matches.annotate(
            counts=counts,
            begun=Case(
                When(state=MatchState.FORFEIT, then=Value(True) if event.taken_over else Exists(begun)),
                default=Value(False),
            ),
            extra=Case(When(counts_as_played(), then=Value(True)), default=Value(False)),
        )
        .order_by()
        .values_list(
            "counts",
            "entry_a_id",
            "partner_a_id",
            "entry_b_id",
            "partner_b_id",
            "state",
            "winner_side",
            "round__number",
            "given_points",
            "given_points_b",
            "begun",
            "bot_side",
            "extra",
            AT_TABLE,
            *ENTRIES[2:],
            *FIGURES,
        )
    )
    absent_forfeits = event.sits_in_counts == SitInCounts.FORFEIT and play_off is None
    known_entries = set(entries)
    results: list[Result] = []
    unplayed: list[LeftMatch | LeftTable | LeftRest] = []
    for (
        is_counted,
        entry_a,
        partner_a,
        entry_b,
        partner_b,
        state,
        winner,
        number,
        points,
        points_b,
        has_begun,
        bot_side,
        is_extra,
        at_table,
        *more,
    ) in rows.iterator():
        others, figures = _side(*more[:_OTHERS]), more[_OTHERS:]
        side_a, side_b = _side(entry_a, partner_a), _side(entry_b, partner_b)
        everyone = side_a + side_b + others
        if not known_entries.issuperset(everyone):
            continue
        if others:
            if is_counted:
                places, nets, hands, gins = zip(*at_table, strict=True)
                results.append(TableResult(everyone, places, nets, hands, gins, round=number))
            else:
                unplayed.append(LeftTable(number, everyone))
        elif is_counted:
            if state in SAT_OUT and not is_extra:
                winner = 0
            won_by = None if winner is None else _SIDES[winner]
            given = None if points is None else plain(points)
            figures += [number, given, plain(points_b or 0), has_begun]
            if is_extra:
                figures += [None, True]
            elif bot_side is not None and absent_forfeits and state in PLAYED:
                figures.append(_SIDES[bot_side])
            results.append(MatchResult(side_a, side_b, MatchState(state), won_by, *figures))
        elif side_b:
            unplayed.append(LeftMatch(number, side_a, side_b))
        elif not is_extra:
            # What is still to be played against a bot is no bye, and nobody knows what it brings.
            unplayed += [LeftRest(number, entry, MatchState(state)) for entry in side_a]
    return results, unplayed


@dataclass(frozen=True, slots=True)
class _Field:
    """The entries to rank, and all their figures apart from results."""

    event: Event
    entries: Sequence[Entry]
    notes: Sequence[Note]
    incoming: Mapping[str, Mapping[int, Number]]
    # The round up to which its figures are; None: all.
    known: int | None = None
    # The rounds in which an entry had no place, with the points given for them, where that matters.
    missed: Mapping[int, Mapping[int, Number]] | None = None

    @classmethod
    def of(
        cls,
        event: Event,
        entries: Iterable[Entry],
        *,
        until: int | None = None,
        withheld_too: bool = False,
        later_too: bool = False,
    ) -> "_Field":
        named = sorted(
            (
                entry
                for entry in entries
                if entry.annulled_at is None and (until is None or later_too or entry.first_round <= until)
            ),
            key=lambda entry: entry.name,
        )
        ids = {entry.pk for entry in named}
        notes = [
            Note(entry_id, points, reason)
            for entry_id, points, reason in Adjustment.objects.filter(event=event)
            .order_by("id")
            .values_list("entry_id", "points", "reason")
            if entry_id in ids
        ]
        notes += _late_notes(event, named, until)
        known = until if withheld_too else told_until(event, until)
        incoming = incoming_figures(event, criteria_of(event), until=known)
        if "lot" in criteria_of(event):
            incoming["lot"] = {entry.pk: lot(event.lot_seed, entry.drawn_as) for entry in named}
        return cls(event, named, notes, incoming, known)

    @property
    def ids(self) -> set[int]:
        return {entry.pk for entry in self.entries}

    def until(self, number: int) -> "_Field":
        """Return the field without entries that came after a round."""
        there = [entry for entry in self.entries if entry.first_round <= number]
        ids = {entry.pk for entry in there}
        notes = [note for note in self.notes if note.entry in ids]
        incoming = self.incoming
        if not {"place", "duplicate"}.isdisjoint(incoming):
            incoming = {**incoming, **incoming_figures(self.event, criteria_of(self.event), until=number)}
        return _Field(self.event, there, notes, incoming, number, self.missed)

    def lines(self, results: Sequence[Result], left: Sequence[Left] = ()) -> list[Ranked]:
        """Return the table, group by group if there are any, with the places that `left` still allows."""
        grouped = traits_of(self.event).has_groups
        groups = sorted({entry.group for entry in self.entries if entry.group} if grouped else ())
        if not groups:
            return self._lines(None, self.entries, results, left)
        lines = []
        for group in groups:
            members = [entry for entry in self.entries if entry.group == group]
            ids = {entry.pk for entry in members}
            inside = [result for result in results if ids.issuperset(result.entries)]
            lines += self._lines(group, members, inside, of_group(left, ids))
        return lines

    def _lines(
        self,
        group: int | None,
        members: Sequence[Entry],
        results: Sequence[Result],
        left: Sequence[Left],
    ) -> list[Ranked]:
        event = self.event
        ids = {entry.pk for entry in members}
        rows = rank(
            [entry.pk for entry in members if not entry.is_guest],
            results,
            criteria=criteria_of(event),
            restart=event.restart_criteria,
            scheme=scheme_of(event),
            adjustments=[note for note in self.notes if note.entry in ids],
            unranked=[entry.pk for entry in members if entry.is_guest],
            net_cap=event.net_cap,
            best_of=event.best_nights,
            missed=self.missed,
            swiss=traits_of(event).pairs_by_results,
            former=event.former_tie_breaks,
            given=self.incoming,
        )
        possible = self._possible(members, rows, results, left) if left else {}
        return [
            Ranked(row.entry, group, position, row, None, possible.get(row.entry))
            for position, row in enumerate(rows, start=1)
        ]

    def _possible(
        self,
        members: Sequence[Entry],
        rows: Sequence[Row],
        results: Sequence[Result],
        left: Sequence[Left],
    ) -> Mapping[int, Possible]:
        """Return the places possible by entry; none if more may be drawn than is."""
        event = self.event
        gone = {entry.pk for entry in members if entry.withdrawn_at is not None}
        if traits_of(event).meets_all:
            meeting = {row.entry for row in rows} - gone
            if not meet_equally(meeting, _of_two(results), left):
                return {}
        scheme = scheme_of(event)
        return possible_places(
            rows,
            left,
            scheme=scheme,
            columns=event.rules.rules.columns if scheme.column else 1,
            results=results,
            best_of=event.best_nights,
            gone=gone,
            late=late_entries(event, results, left),
        )


def _missed(event: Event, entries: Iterable[Entry]) -> dict[int, dict[int, Number]]:
    """Return the rounds in which no match, bye or rest was drawn for an entry, by entry.

    With what was given for them: to late entries as the event says.
    """
    matches = Match.objects.filter(event=event, play_off=None).exclude(round__state=RoundState.DRAFTED)
    if traits_of(event).has_groups:
        matches = matches.filter(tie=None)
    places = matches.order_by().values_list("round__number", *(f"{name}_id" for name in SEATED))
    placed: dict[int, set[int]] = {}
    for round_, *there in places.iterator():
        placed.setdefault(round_, set()).update(entry for entry in there if entry is not None)
    for_late = 0 if event.former_tie_breaks else plain(event.late_points)
    return {
        entry.pk: {
            round_: for_late if round_ < entry.first_round else 0
            for round_, there in placed.items()
            if entry.pk not in there
        }
        for entry in entries
    }


def _of_two(results: Iterable[Result]) -> list[MatchResult]:
    return [result for result in results if isinstance(result, MatchResult)]


def _side(*entries: int | None) -> tuple[int, ...]:
    return tuple([entry for entry in entries if entry is not None])
