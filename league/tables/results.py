"""From sheets to match results, and from match results to what `league.standings.rank` takes."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from league.core.standings import AdjustmentNote as Note
from league.core.standings import (
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    Row,
    ScoringScheme,
    Tally,
    as_of,
    rank,
)
from league.matches.fields import FIGURES
from league.models import (
    SAT_OUT,
    UNFINISHED,
    Adjustment,
    Entry,
    Event,
    Match,
    MatchState,
    PointsScheme,
    RoundState,
    between_bots,
    bye_counts,
    traits_of,
)
from league.policy.withholding import released, told_until
from league.tables.incoming_figures import incoming_figures

_SIDES: Final = (MatchSide.A, MatchSide.B)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A line of the table: who stands there, in which group (None where there are none), and his row.

    `previous_rank` is the rank before the last round that has results; None where there was none, and for
    who came later.
    """

    entry_id: int
    group: int | None
    position: int
    row: Row
    previous_rank: int | None


@dataclass(frozen=True, slots=True)
class Ranking:
    """A table as computed, group by group, best first. Guests have no line."""

    lines: list[Ranked]


def ranking_of(
    event: Event, entries: Iterable[Entry], *, until: int | None = None, withheld_too: bool = False
) -> Ranking:
    """The table of an event as its results are now, or were with the round `until`; the entries are given.

    Two queries, a few more for criteria that do not come from results. Matches without a result, those held
    back, those of drafted rounds, and unless `withheld_too` of rounds that are not released yet, are left
    out; so is what belongs to an entry that was made after the entries were read, for whoever made it has
    asked for the table again. Director's adjustments have no round and count in the table of every round;
    entries that came later are not in it.
    """
    field = _Field.of(event, entries, until=until, withheld_too=withheld_too)
    results = results_of(event, field.number_of, withheld_too=withheld_too)
    if until is not None:
        results = as_of(results, until)
    last = max((result.round for result in results), default=0)
    before: dict[int, int] = {}
    if earlier := as_of(results, last - 1):
        before = {line.entry_id: line.row.rank for line in field.until(last - 1).lines(earlier)}
    return Ranking(
        [
            Ranked(line.entry_id, line.group, line.position, line.row, before.get(line.entry_id))
            for line in field.lines(results)
        ]
    )


def points_so_far(event: Event, entries: Iterable[Entry]) -> dict[int, Number]:
    """The points of every entry by its id, guests too: matches, byes, adjustments, points for a late entry.

    All rounds count, also where the table takes only the best, and those not released yet.
    """
    field = _Field.of(event, entries, withheld_too=True)
    tally = Tally(
        field.number_of.values(),
        results_of(event, field.number_of, withheld_too=True),
        scheme=scheme_of(event),
        adjustments=field.notes,
    )
    return {entry_id: plain(tally.records[number].points) for entry_id, number in field.number_of.items()}


def criteria_of(event: Event) -> list[str]:
    """What the table is ordered by: first by what the format asks for, as how far one came."""
    first = [name for name in traits_of(event).leading_criteria if name not in event.criteria]
    return [*first, *event.criteria]


def late_points(event: Event, entry: Entry) -> Number:
    """What an entry has for the rounds it missed because it came late."""
    return plain(event.late_points * (entry.first_round - 1))


def late_reason(entry: Entry) -> str:
    """Why it has them, as the footnote says."""
    if entry.first_round == 2:
        return _("entered late: round 1 missed")
    return _("entered late: rounds 1 to %(last)s missed") % {"last": entry.first_round - 1}


def scheme_of(event: Event) -> ScoringScheme:
    """What the event gives for a match, in points, and what counts for one that was not played."""
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
    if by_columns:
        return ScoringScheme.by_columns(
            column=plain(event.column_points),
            sheet=plain(event.sheet_points),
            bye=bye,
            absent=absent,
            forfeit=given,
            walkover=given,
        )
    return ScoringScheme(
        win=plain(event.win_points),
        draw=plain(event.draw_points),
        loss=plain(event.loss_points),
        bye=bye,
        absent=absent,
        forfeit=given,
        walkover=given,
    )


def plain(points: Decimal | int) -> Number:
    """Points without needless places: 2, not 2.00; 0.5 stays a half."""
    points = Decimal(points)
    return int(points) if points == points.to_integral_value() else points.normalize()


def lot_number(name: str) -> str:
    """The number of an entry of this name, in hexadecimal digits."""
    return hashlib.sha256(name.encode()).hexdigest()


def results_of(
    event: Event, number_of: Mapping[int, int], *, withheld_too: bool = False
) -> list[MatchResult]:
    """The results that count, in one query, entries under their numbers; those of others are left out.

    Of groups followed by a bracket only what was played in the groups. Matches between bots only where the
    event lets them count; those of rounds that are not released yet only if `withheld_too`.
    """
    counted = Match.objects.filter(~Q(state__in=SAT_OUT) | bye_counts(), event=event, held=False)
    if event.holds_results and not withheld_too:
        counted = counted.filter(released())
    if not event.bot_matches_count:
        counted = counted.filter(Q(state__in=SAT_OUT) | ~between_bots())
    if traits_of(event).has_groups:
        counted = counted.filter(tie=None)
    rows = (
        counted.exclude(state__in=UNFINISHED)
        .exclude(round__state=RoundState.DRAFTED)
        .order_by()
        .values_list(
            "entry_a_id",
            "partner_a_id",
            "entry_b_id",
            "partner_b_id",
            "state",
            "winner_side",
            *FIGURES,
            "round__number",
        )
    )
    results = []
    for entry_a, partner_a, entry_b, partner_b, state, winner, *figures in rows.iterator():
        try:
            side_a = _side(number_of, entry_a, partner_a)
            side_b = _side(number_of, entry_b, partner_b)
        except KeyError:
            continue
        won_by = None if winner is None else _SIDES[winner]
        results.append(MatchResult(side_a, side_b, MatchState(state), won_by, *figures))
    return results


@dataclass(frozen=True, slots=True)
class _Field:
    """Who is ranked, and everything about them that is not a result.

    An entry takes part under a number made of its name, so that the lot falls the same wherever the event is
    kept.
    """

    event: Event
    entries: Sequence[Entry]
    number_of: Mapping[int, int]
    notes: Sequence[Note]
    brought: Mapping[str, Mapping[int, Number]]

    @classmethod
    def of(
        cls, event: Event, entries: Iterable[Entry], *, until: int | None = None, withheld_too: bool = False
    ) -> "_Field":
        named = sorted(
            (entry for entry in entries if until is None or entry.first_round <= until),
            key=lambda entry: entry.name,
        )
        number_of = {entry.pk: _number(entry) for entry in named}
        notes = [
            Note(number_of[entry_id], points, reason)
            for entry_id, points, reason in Adjustment.objects.filter(event=event)
            .order_by("id")
            .values_list("entry_id", "points", "reason")
            if entry_id in number_of
        ]
        if event.late_points:
            notes += [
                Note(number_of[entry.pk], late_points(event, entry), late_reason(entry))
                for entry in named
                if entry.first_round > 1
            ]
        known = until if withheld_too else told_until(event, until)
        brought = incoming_figures(event, criteria_of(event), until=known)
        return cls(event, named, number_of, notes, brought)

    def until(self, number: int) -> "_Field":
        """Those who were there by a round."""
        there = [entry for entry in self.entries if entry.first_round <= number]
        number_of = {entry.pk: self.number_of[entry.pk] for entry in there}
        known = set(number_of.values())
        notes = [note for note in self.notes if note.entry in known]
        brought = self.brought
        if "place" in brought:
            brought = incoming_figures(self.event, criteria_of(self.event), until=number)
        return _Field(self.event, there, number_of, notes, brought)

    def lines(self, results: Sequence[MatchResult]) -> list[Ranked]:
        """The table, group by group where groups are drawn."""
        grouped = traits_of(self.event).has_groups
        groups = sorted({entry.group for entry in self.entries if entry.group} if grouped else ())
        if not groups:
            return self._lines(None, self.entries, results)
        lines = []
        for group in groups:
            members = [entry for entry in self.entries if entry.group == group]
            numbers = {self.number_of[entry.pk] for entry in members}
            inside = [result for result in results if numbers.issuperset(result.side_a + result.side_b)]
            lines += self._lines(group, members, inside)
        return lines

    def _lines(
        self, group: int | None, members: Sequence[Entry], results: Sequence[MatchResult]
    ) -> list[Ranked]:
        event = self.event
        id_of = {self.number_of[entry.pk]: entry.pk for entry in members}
        rows = rank(
            [self.number_of[entry.pk] for entry in members if not entry.is_guest],
            results,
            criteria=criteria_of(event),
            restart=event.restart_criteria,
            seed=event.lot_seed,
            scheme=scheme_of(event),
            adjustments=[note for note in self.notes if note.entry in id_of],
            unranked=[self.number_of[entry.pk] for entry in members if entry.is_guest],
            net_cap=event.net_cap,
            best_of=event.best_nights,
            given={
                name: {number: figures[pk] for number, pk in id_of.items() if pk in figures}
                for name, figures in self.brought.items()
            },
        )
        return [
            Ranked(id_of[row.entry], group, position, row, None) for position, row in enumerate(rows, start=1)
        ]


def _side(number_of: Mapping[int, int], *entries: int | None) -> tuple[int, ...]:
    return tuple([number_of[entry] for entry in entries if entry is not None])


def _number(entry: Entry) -> int:
    return int(entry.lot_number or lot_number(entry.name), 16)
