"""Everything that happened, added up per entry: what the criteria read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from league.standings.errors import StandingsError
from league.standings.results import Adjustment, MatchResult, Number, ScoringScheme, Verdict


@dataclass(slots=True)
class Record:
    """One entry's sums. `points` include adjustments; wins, draws and losses add up to `played`."""

    played: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    points: Number = 0
    net: int = 0
    columns_won: int = 0
    boxes: int = 0


@dataclass(slots=True)
class Meeting:
    """How often an entry has met another, and the match points it took from those meetings."""

    matches: int = 0
    points: Number = 0


class Tally:
    """The records of `entries` over `results`, and on demand who met whom.

    Refused: an entry listed twice, a result or an adjustment that names somebody who is not an entry.
    """

    def __init__(
        self,
        entries: Iterable[int],
        results: Iterable[MatchResult],
        *,
        scheme: ScoringScheme,
        adjustments: Iterable[Adjustment] = (),
        seed: int | str = 0,
    ) -> None:
        self.scheme = scheme
        self.seed = seed
        self.results: Sequence[MatchResult] = tuple(results)
        self.records: dict[int, Record] = {}
        for entry in entries:
            if entry in self.records:
                raise StandingsError("duplicate_entry", f"Entry {entry} is listed twice.", field="entries")
            self.records[entry] = Record()
        for result in self.results:
            self._count(result)
        for adjustment in adjustments:
            self._record(adjustment.entry, "An adjustment").points += adjustment.points

    @cached_property
    def meetings(self) -> dict[int, dict[int, Meeting]]:
        """For each entry, whom it met. A forfeit or walkover is a meeting too: it was decided."""
        met: dict[int, dict[int, Meeting]] = {entry: {} for entry in self.records}
        for result in self.results:
            points_a, points_b = self.scheme.points(result)
            for a in result.side_a:
                for b in result.side_b:
                    for entry, other, points in ((a, b, points_a), (b, a, points_b)):
                        meeting = met[entry].get(other)
                        if meeting is None:
                            meeting = met[entry][other] = Meeting()
                        meeting.matches += 1
                        meeting.points += points
        return met

    def _count(self, result: MatchResult) -> None:
        award = self.scheme.award(result.state)
        points_a, points_b = self.scheme.points(result)
        verdict_a, verdict_b = result.verdicts()
        for side, verdict, points, net, columns, boxes in (
            (result.side_a, verdict_a, points_a, result.net, result.columns_a, result.boxes_a),
            (result.side_b, verdict_b, points_b, -result.net, result.columns_b, result.boxes_b),
        ):
            for entry in side:
                record = self._record(entry, "A result")
                record.points += points
                if award is None or award.counts:
                    record.played += 1
                    if verdict is Verdict.WON:
                        record.wins += 1
                    elif verdict is Verdict.LOST:
                        record.losses += 1
                    else:
                        record.draws += 1
                if award is None:
                    record.net += net
                    record.columns_won += columns
                    record.boxes += boxes

    def _record(self, entry: int, source: str) -> Record:
        record = self.records.get(entry)
        if record is None:
            raise StandingsError(
                "unknown_entry", f"{source} names entry {entry}, which is not in the event.", field="entry"
            )
        return record
