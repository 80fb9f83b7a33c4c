"""Totals per entry, which the criteria read.

Each result is split into a part per entry. Parts may be left out (if only the best rounds count); the rest is
what an entry has played, whom it met, and its totals.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeVar

from league.core.lifecycle import MatchState
from league.core.standings.errors import StandingsError
from league.core.standings.results import (
    AdjustmentNote,
    Award,
    CountsAs,
    MatchResult,
    MatchSide,
    Number,
    ScoringScheme,
    Verdict,
    as_number,
    average,
)
from league.core.standings.table_results import TableResult
from scoring.core.messages import mark

Kept = TypeVar("Kept")


class PerMatch(NamedTuple):
    """Exact points and net per match: comparable where entries have not played equally often (RULES §13)."""

    points: Fraction
    net: Fraction


NOTHING: Final = PerMatch(Fraction(0), Fraction(0))


@dataclass(slots=True)
class Record:
    """Totals of one entry; wins, draws and losses add up to `played`.

    `points` include adjustments, `earned` do not. `rests` are the rounds without an opponent among those
    `played`, where they count as such; `rest_points` and `rest_net` are what all of them gave.
    """

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: Number = 0
    earned: Number = 0
    net: int = 0
    net_capped: int = 0
    columns_won: int = 0
    boxes: int = 0
    hands_won: int = 0
    gins: int = 0
    rests: int = 0
    rest_points: Number = 0
    rest_net: int = 0

    @property
    def per_match(self) -> PerMatch:
        """Points and net for each match against an opponent; what rests gave is left out."""
        matches = max(1, self.played - self.rests)
        return PerMatch(
            Fraction(self.points - self.rest_points) / matches, Fraction(self.net - self.rest_net, matches)
        )


class EntryResult(NamedTuple):
    """A result from one entry's view; `award` is None if it was played.

    If `alone`, the entry was not drawn by its own wish: it asked to sit out, or was not there. If they `met`,
    the match counts among the two as one that was played. A bye was `extra` if it counts as it was played.
    """

    round: int
    verdict: Verdict
    points: Number
    opponents: tuple[int, ...]
    award: Award | None
    net: int = 0
    net_capped: int = 0
    columns: int = 0
    boxes: int = 0
    hands: int = 0
    gins: int = 0
    alone: bool = False
    begun: bool = False
    met: bool = True
    extra: bool = False

    @property
    def was_played(self) -> bool:
        """Whether it counts as it was played."""
        return self.award is None or self.extra

    @property
    def stayed_away(self) -> bool:
        """Whether the entry did not come to play: a round asked off, or lost by forfeit (C.07, 16.1.2)."""
        is_forfeit = self.award is not None and bool(self.opponents) and not self.begun
        return self.alone or (is_forfeit and self.verdict is Verdict.LOST)


@dataclass(slots=True)
class Meeting:
    """The number of meetings with another entry, and the match points taken from them."""

    matches: int = 0
    points: Number = 0


class Tally:
    """The records of `entries` over `results`, and who met whom.

    `unranked` entries count as opponents but get no row. `net_cap` limits the net of a match in `net_capped`,
    both ways. With `best_of`, only that many rounds of an entry count: best by points, then net, then the
    earlier one. `given` holds figures from elsewhere by criterion and entry. `missed` are the rounds in which
    an entry had no place, as it came late, stayed away or had left, with the points that it was given for
    them, which matters for strength only. In a `swiss` a match that was not played is no meeting (RULES §12).
    Tie-breaks are FIDE's, or as they were here before they were (`former`).

    Results are of two sides or of tables of more, where everybody meets all others, and what is capped is
    each entry's own net. `at_tables` says whether one of them is: then not every criterion
    has a meaning (`Metric.at_tables`).

    Refused: a repeated entry, a result or adjustment of an unknown entry, a cap below 0, fewer than one
    round.
    """

    def __init__(
        self,
        entries: Iterable[int],
        results: Iterable[MatchResult | TableResult],
        *,
        scheme: ScoringScheme,
        adjustments: Iterable[AdjustmentNote] = (),
        unranked: Iterable[int] = (),
        net_cap: int | None = None,
        best_of: int | None = None,
        given: Mapping[str, Mapping[int, Number]] | None = None,
        missed: Mapping[int, Mapping[int, Number]] | None = None,
        swiss: bool = False,
        former: bool = False,
    ) -> None:
        if net_cap is not None and net_cap < 0:
            raise StandingsError(
                "out_of_range", mark("The cap of the net cannot be below 0."), field="net_cap"
            )
        if best_of is not None and best_of < 1:
            raise StandingsError("out_of_range", mark("At least one round has to count."), field="best_of")
        self.scheme = scheme
        self.swiss = swiss
        self.former = former
        self.net_cap = net_cap
        self.given = given or {}
        self.ranked = tuple(entries)
        self.parts: dict[int, list[EntryResult]] = {}
        for entry in (*self.ranked, *unranked):
            if entry in self.parts:
                raise StandingsError(
                    "duplicate_entry", mark("Entry %(entry)s is listed twice.", entry=entry), field="entries"
                )
            self.parts[entry] = []
        self.at_tables = False
        for result in results:
            if isinstance(result, TableResult):
                self.at_tables = True
                self._take_table_apart(result)
            else:
                self._take_apart(result)
        self.winners = self._winners()
        self._strengths: dict[int, tuple[Number, int]] = {}
        self._give_nets()
        if best_of is not None:
            for entry, parts in self.parts.items():
                self.parts[entry] = _best(parts, best_of)
        self.records = {entry: _record(parts) for entry, parts in self.parts.items()}
        self.rounds = sorted({part.round for parts in self.parts.values() for part in parts})
        self.missed = missed or {}
        for adjustment in adjustments:
            _known(self.records, adjustment.entry, "An adjustment").points += adjustment.points

    @cached_property
    def with_rounds_missed(self) -> dict[int, list[EntryResult]]:
        """Each entry's parts by round, under FIDE's rule with one for each round that it missed."""
        found = {entry: list(parts) for entry, parts in self.parts.items()}
        if self.scheme.absent.strength is CountsAs.FIDE:
            for entry in self.missed.keys() & found.keys():
                found[entry] += [
                    EntryResult(
                        round, Verdict.LOST, points, (), self.scheme.absent, alone=self._is_asked_off(points)
                    )
                    for round, points in self.missed[entry].items()
                    if round in self.rounds
                ]
        for parts in found.values():
            parts.sort(key=lambda part: (part.round, not part.stayed_away))
        return found

    @cached_property
    def scores(self) -> dict[int, Number]:
        """The points with which each entry is an opponent: earned in rounds, or given for those missed."""
        return {
            entry: sum((part.points for part in parts), 0) for entry, parts in self.with_rounds_missed.items()
        }

    @cached_property
    def meetings(self) -> dict[int, dict[int, Meeting]]:
        """The opponents each entry has met."""
        met: dict[int, dict[int, Meeting]] = {}
        for entry, parts in self.parts.items():
            meetings = met[entry] = {}
            for part in parts:
                for other in part.opponents if part.met else ():
                    meeting = meetings.get(other)
                    if meeting is None:
                        meeting = meetings[other] = Meeting()
                    meeting.matches += 1
                    meeting.points += part.points
        return met

    def winners_strength(self, round: int) -> tuple[Number, int]:
        """The average points (to the hundredth) and net in the table of the winners of a round."""
        if round not in self._strengths:
            records = [self.records[entry] for entry, _ in self.winners.get(round, ())]
            self._strengths[round] = (
                as_number(average([record.earned for record in records], places=2)),
                int(average([record.net for record in records])),
            )
        return self._strengths[round]

    def _take_apart(self, result: MatchResult) -> None:
        award = self.scheme.award(result.state)
        points_a, points_b = self.scheme.points(result)
        verdict_a, verdict_b = result.verdicts()
        side_a, side_b = result.side_a, result.side_b
        if result.extra:
            part_a = EntryResult(
                result.round, verdict_a, points_a, (), award, result.net, self._capped(result.net),
                result.columns_a, result.boxes_a, result.hands_a, result.gins_a, extra=True,
            )  # fmt: skip
            part_b = part_a  # nobody's
        elif award is not None:
            alone = result.state is MatchState.ABSENT and self._is_asked_off(points_a)
            begun = result.begun and not self.former
            how: dict[str, Any] = {"begun": begun, "met": begun or self.former or not self.swiss}
            part_a = EntryResult(result.round, verdict_a, points_a, side_b, award, alone=alone, **how)
            part_b = EntryResult(result.round, verdict_b, points_b, side_a, award, **how)
        else:
            net, capped = result.net, self._capped(result.net)
            part_a = EntryResult(
                result.round, verdict_a, points_a, side_b, None, net, capped,
                result.columns_a, result.boxes_a, result.hands_a, result.gins_a,
            )  # fmt: skip
            part_b = EntryResult(
                result.round, verdict_b, points_b, side_a, None, -net, -capped,
                result.columns_b, result.boxes_b, result.hands_b, result.gins_b,
            )  # fmt: skip
        if result.missing is MatchSide.A:
            part_a = self._forfeited(part_a)
        elif result.missing is MatchSide.B:
            part_b = self._forfeited(part_b)
        for entry in side_a:
            _known(self.parts, entry, "A result").append(part_a)
        for entry in side_b:
            _known(self.parts, entry, "A result").append(part_b)

    def _forfeited(self, part: EntryResult) -> EntryResult:
        """What a match is to a side that was not there."""
        award = self.scheme.forfeit
        return EntryResult(
            part.round, Verdict.LOST, award.lost, part.opponents, award, met=self.former or not self.swiss
        )

    def _take_table_apart(self, result: TableResult) -> None:
        points, verdicts = result.points(self.scheme.by_place), result.verdicts()
        for seat, entry in enumerate(result.entries):
            others = result.entries[:seat] + result.entries[seat + 1 :]
            net = result.nets[seat]
            part = EntryResult(
                result.round, verdicts[seat], points[seat], others, None, net, self._capped(net),
                hands=result.hands[seat], gins=result.gins[seat],
            )  # fmt: skip
            _known(self.parts, entry, "A result").append(part)

    def _capped(self, net: int) -> int:
        return net if self.net_cap is None else max(-self.net_cap, min(self.net_cap, net))

    def _is_asked_off(self, points: Number) -> bool:
        """Whether a round without an opponent was given less than a win, as a bye of a whole point is not."""
        return self.former or points < self.scheme.full_bye

    def _winners(self) -> dict[int, list[tuple[int, EntryResult]]]:
        """Winners of played matches, by round."""
        if not any(
            CountsAs.ROUND_WINNERS in (award.net, award.strength)
            for award in (self.scheme.bye, self.scheme.absent, self.scheme.forfeit, self.scheme.walkover)
        ):
            return {}
        winners: dict[int, list[tuple[int, EntryResult]]] = {}
        for entry, parts in self.parts.items():
            for part in parts:
                if part.award is None and part.verdict is Verdict.WON:
                    winners.setdefault(part.round, []).append((entry, part))
        return winners

    def _give_nets(self) -> None:
        """Set the nets of matches that were not played, from those that were."""
        for parts in self.parts.values():
            given = [
                index
                for index, part in enumerate(parts)
                if part.award is not None
                and not part.extra
                and part.award.net is not CountsAs.ZERO
                and part.verdict is Verdict.WON
            ]
            own = [part for part in parts if part.was_played] if given else []
            for index in given:
                part = parts[index]
                of_round = part.award is not None and part.award.net is CountsAs.ROUND_WINNERS
                like = [won for _, won in self.winners.get(part.round, ())] if of_round else own
                parts[index] = part._replace(
                    net=int(average([other.net for other in like])),
                    net_capped=int(average([other.net_capped for other in like])),
                )


def _best(parts: list[EntryResult], count: int) -> list[EntryResult]:
    """Return the parts in the entry's best rounds."""
    nights: dict[int, list[EntryResult]] = {}
    for part in parts:
        nights.setdefault(part.round, []).append(part)
    if len(nights) <= count:
        return parts

    def merit(night: tuple[int, list[EntryResult]]) -> tuple[Number, int, int]:
        number, played = night
        return sum(part.points for part in played), sum(part.net for part in played), -number

    kept = sorted(nights.items(), key=merit, reverse=True)[:count]
    return [part for _, played in sorted(kept) for part in played]


def _record(parts: list[EntryResult]) -> Record:
    record = Record()
    points: Number = 0
    for part in parts:
        points += part.points
        record.net += part.net
        record.net_capped += part.net_capped
        if not part.opponents:
            record.rests += part.extra or (part.award is not None and part.award.counts)
            record.rest_points += part.points
            record.rest_net += part.net
        if part.award is None or part.extra or part.award.counts:
            record.played += 1
            if part.verdict is Verdict.WON:
                record.wins += 1
            elif part.verdict is Verdict.LOST:
                record.losses += 1
            else:
                record.draws += 1
        if part.was_played:
            record.columns_won += part.columns
            record.boxes += part.boxes
            record.hands_won += part.hands
            record.gins += part.gins
    record.points = record.earned = points
    return record


def _known(by_entry: dict[int, Kept], entry: int, source: str) -> Kept:
    found = by_entry.get(entry)
    if found is None:
        raise StandingsError(
            "unknown_entry",
            mark("%(source)s names entry %(entry)s, which is not in the event.", source=source, entry=entry),
            field="entry",
        )
    return found
