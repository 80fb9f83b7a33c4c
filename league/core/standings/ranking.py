"""From results to a table: groups of level entries, split by one criterion after another.

The first criterion splits all entries into groups; each group of several is split by the next criterion,
until everyone stands alone or the criteria are used up. Entries that nothing separates share a rank (1, 2, 2,
4) and keep the order in which they were given.

With `restart`, each part of a split group goes back to the first criterion instead of on to the next. That
matters for criteria that compare only tied entries: of three level entries one falls away by net, and the
other two are then judged by the match between them. A criterion that is applied again to what it has left
level stays with each part until it splits nothing more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from league.core.standings.errors import StandingsError
from league.core.standings.metrics import CRITERIA, Metric, Values
from league.core.standings.results import AdjustmentNote, MatchResult, Number, ScoringScheme
from league.core.standings.table_results import TableResult
from league.core.standings.tally import NOTHING, PerMatch, Tally
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table.

    `points` include `adjustments`. `metrics` holds every criterion in order. A criterion that compares only
    tied entries has the value by which it split them, None if it split nothing; None also for an entry
    without a figure.

    Two answers to "by what?", both None where the first criterion decided or nothing could:
    - `decided_by`: the last criterion needed to separate the entry from those level with it on the first;
    - `above_next_by`: the criterion that puts it above the next row, which the table prints.
    """

    rank: int
    entry: int
    played: int
    wins: int
    draws: int
    losses: int
    points: Number
    net: int
    columns_won: int
    boxes: int
    metrics: Mapping[str, Number | None]
    decided_by: str | None
    above_next_by: str | None
    adjustments: tuple[AdjustmentNote, ...]
    hands_won: int = 0
    gins: int = 0
    per_match: PerMatch = NOTHING


def rank(
    entries: Iterable[int],
    results: Iterable[MatchResult | TableResult],
    *,
    criteria: Sequence[str],
    restart: bool = False,
    scheme: ScoringScheme | None = None,
    adjustments: Iterable[AdjustmentNote] = (),
    unranked: Iterable[int] = (),
    net_cap: int | None = None,
    best_of: int | None = None,
    given: Mapping[str, Mapping[int, Number]] | None = None,
    missed: Mapping[int, Mapping[int, Number]] | None = None,
    swiss: bool = False,
    former: bool = False,
) -> list[Row]:
    """Return the table of `entries`, best first; `criteria` are names in `CRITERIA`, most important first.

    `unranked` are guests: they count as opponents and get no row. `net_cap` limits the net of a match in
    `net_capped`. With `best_of`, only that many rounds of each entry count, for everything: best by points,
    then net, then the earlier; adjustments are added. `given` holds figures that do not come from results, by
    criterion (`rating`, `place`, `duplicate`, `lot`) and entry. `missed` are the rounds in which an entry had
    no place, with the points given for each: this matters under FIDE's rule for unplayed rounds. Tie-breaks
    are FIDE's, for a `swiss` or where everybody meets everybody, or as they were here before (`former`).

    The order of results does not matter. Refused with `StandingsError`: no criterion, an unknown or repeated
    one, one without its given figures, at tables one without a meaning there (`not_at_tables`); a repeated
    entry; a result or adjustment of an unknown entry; a cap below 0, fewer than one round.
    """
    metrics = _chosen(criteria)
    notes = tuple(adjustments)
    tally = Tally(
        entries,
        results,
        scheme=scheme or ScoringScheme(),
        adjustments=notes,
        unranked=unranked,
        net_cap=net_cap,
        best_of=best_of,
        given=given,
        missed=missed,
        swiss=swiss,
        former=former,
    )
    if tally.at_tables:
        _check_at_tables(metrics)
    footnotes: dict[int, tuple[AdjustmentNote, ...]] = {}
    for note in notes:
        footnotes[note.entry] = (*footnotes.get(note.entry, ()), note)

    splitter = _Splitter(tally, metrics, restart=restart)
    rows: list[Row] = []
    for group in splitter.groups():
        place = len(rows) + 1
        for entry in group.entries:
            record = tally.records[entry]
            rows.append(
                Row(
                    rank=place,
                    entry=entry,
                    played=record.played,
                    wins=record.wins,
                    draws=record.draws,
                    losses=record.losses,
                    points=record.points,
                    net=record.net,
                    columns_won=record.columns_won,
                    boxes=record.boxes,
                    metrics={metric.name: splitter.values[metric.name].get(entry) for metric in metrics},
                    decided_by=group.decided_by,
                    above_next_by=group.above_next_by if entry == group.entries[-1] else None,
                    adjustments=footnotes.get(entry, ()),
                    hands_won=record.hands_won,
                    gins=record.gins,
                    per_match=record.per_match,
                )
            )
    return rows


def _chosen(criteria: Sequence[str]) -> list[Metric]:
    if not criteria:
        raise StandingsError("no_criteria", mark("A table needs at least one criterion."), field="criteria")
    chosen: dict[str, Metric] = {}
    for name in criteria:
        if name not in CRITERIA:
            known = ", ".join(CRITERIA)
            raise StandingsError(
                "unknown_criterion",
                mark("There is no criterion “%(name)s”; there are: %(known)s.", name=name, known=known),
                field="criteria",
            )
        if name in chosen:
            raise StandingsError(
                "duplicate_criterion",
                mark("The criterion “%(name)s” is listed twice.", name=name),
                field="criteria",
            )
        chosen[name] = CRITERIA[name]
    return list(chosen.values())


def _check_at_tables(metrics: Iterable[Metric]) -> None:
    for metric in metrics:
        if not metric.at_tables:
            raise StandingsError(
                "not_at_tables",
                mark(
                    "The criterion “%(title)s” has no meaning where more than two meet at a table.",
                    title=metric.title,
                ),
                field="criteria",
            )


@dataclass(frozen=True, slots=True)
class _Group:
    """Entries level so far, the next criterion, and what separated them from their neighbours."""

    entries: Sequence[int]
    criterion: int = 0
    decided_by: str | None = None
    above_next_by: str | None = None


class _Splitter:
    def __init__(self, tally: Tally, metrics: Sequence[Metric], *, restart: bool) -> None:
        self.tally = tally
        self.metrics = metrics
        self.restart = restart
        everybody = tally.ranked
        self.values: dict[str, dict[int, Number]] = {
            metric.name: {} if metric.among_tied else dict(metric.measure(tally, everybody) or {})
            for metric in metrics
        }

    def groups(self) -> Iterator[_Group]:
        """Yield the groups that nothing splits further, best first."""
        waiting = [_Group(self.tally.ranked)]
        while waiting:
            group = waiting.pop()
            if len(group.entries) <= 1 or group.criterion == len(self.metrics):
                yield group
            else:
                waiting.extend(reversed(self._split(group)))

    def _split(self, group: _Group) -> list[_Group]:
        metric = self.metrics[group.criterion]
        parts = self._parts(metric, group.entries)
        if len(parts) == 1:
            return [_Group(group.entries, group.criterion + 1, group.decided_by, group.above_next_by)]
        first_alone = group.criterion == 0 and group.decided_by is None
        decided_by = None if first_alone else metric.name
        again = metric.again and not self.tally.former
        following = 0 if self.restart else group.criterion + (not again)
        return [
            _Group(part, following, decided_by, group.above_next_by if part is parts[-1] else decided_by)
            for part in parts
        ]

    def _parts(self, metric: Metric, entries: Sequence[int]) -> list[list[int]]:
        values: Values = self.values[metric.name]
        if metric.among_tied:
            measured = metric.measure(self.tally, entries)
            if measured is None:
                return [list(entries)]
            values = measured
        without = [entry for entry in entries if entry not in values]
        having = [entry for entry in entries if entry in values] if without else entries
        ordered = sorted(having, key=values.__getitem__, reverse=not metric.least_first)
        parts = [list(part) for _, part in groupby(ordered, key=values.__getitem__)]
        if without:
            parts.append(without)
        if metric.among_tied and len(parts) > 1:
            self.values[metric.name].update(values)
        return parts
