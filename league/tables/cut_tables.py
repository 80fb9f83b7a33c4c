"""What readers of a table are told of its lines: who goes on and why, and what was decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from league.core.pairing.qualification import Qualification
from league.core.standings import Number
from league.core.standings.cuts import Cut
from league.models import CutDecision, Entry, Event, EventState, Standing, traits_of
from league.policy.naming import Names
from league.policy.withholding import last_released
from league.tables.cut_decisions import Decisions
from league.tables.cut_words import decision_words, state_words
from league.tables.final_cuts import cuts_of_event, final_cuts
from league.tables.qualification import qualification_of
from league.tables.results import ranking_of
from league.tables.season_tables import shown_points
from league.tables.table_cuts import cuts_at_tables


@dataclass(frozen=True, slots=True)
class ToldCut:
    """A tie at a line as readers see it: the decision that holds, and its order, empty while it is open."""

    cut: Cut
    words: str
    decision: CutDecision | None
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NextRow:
    """A line of the table of next places: an entry, its group, its figures a match, whether it goes on.

    Those who are level share the `rank`, unless it was decided between them.
    """

    rank: int
    entry: Entry
    group: int
    points: Number
    net: Number
    goes_on: bool
    by_lot: bool


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """Who has the prizes of the places `first` to `last`; several entries are level and not in order yet."""

    first: int
    last: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class ToldCuts:
    """The lines of an event's table.

    `goes_on` are the entries (ids) that go on from the groups by the results so far, None if that is not
    known. `place` is that of the next ones, whose best few go on, 0 if none does; results against those
    `left_out` do not count between groups. `prizes` are told once the event is finished.
    """

    cuts: Sequence[ToldCut] = ()
    goes_on: frozenset[int] | None = None
    place: int = 0
    next_rows: Sequence[NextRow] = ()
    left_out: Sequence[Entry] = ()
    prizes: Sequence[PrizeRow] = ()


NOTHING: Final = ToldCuts()


def told_cuts(
    event: Event, entries: Mapping[int, Entry], standings: Sequence[Standing], names: Names
) -> ToldCuts:
    """Return the lines of a table by public results; `standings` have their entries.

    One query where nothing was decided and no next place goes on; none for events that are not cut. What the
    prizes of a finished event need is what `final_cuts` needs, and a query if it holds results back.
    """
    groups = traits_of(event).has_groups and bool(event.qualifiers)
    if not (groups or traits_of(event).cuts_tables or event.prizes or event.pyramid_id is not None):
        return NOTHING
    decisions = Decisions(event, withheld_too=False)
    prizes = _prizes(event, entries, standings, decisions)
    if not decisions.rows and not (groups and event.best_next):
        return replace(NOTHING, prizes=prizes)
    found: Qualification | None = None
    cuts: list[Cut] = []
    if groups:
        found = qualification_of(
            event,
            entries,
            ranking_of(event, entries.values()),
            decisions,
            # Of a bracket that was drawn by the lot it is told as it was.
            as_drawn=event.lot_settled_bracket,
        )
        cuts += found.cuts if found is not None else ()
    if traits_of(event).cuts_tables:
        cuts += cuts_at_tables(event, decisions)[0]
    if decisions.rows and (event.prizes or event.pyramid_id is not None):
        cuts += cuts_of_event(event, standings, decisions)[0]
    told = [each for cut in cuts if (each := _told(event, cut, decisions, entries, names)) is not None]
    if found is None:
        return ToldCuts(told, prizes=prizes)
    return ToldCuts(
        told,
        frozenset(
            found.entries[group, place] for place, tier in enumerate(found.tiers, start=1) for group in tier
        )
        if not found.open
        else None,
        (event.qualifiers or 0) + 1 if event.best_next else 0,
        [
            NextRow(
                each.rank,
                entries[each.entry],
                each.group,
                shown_points(each.figures.points),
                shown_points(each.figures.net),
                each.goes_on,
                each.by_lot,
            )
            for each in found.next_places
        ],
        [entries[pk] for pk in sorted(found.left_out)],
        prizes,
    )


def _prizes(
    event: Event, entries: Mapping[int, Entry], standings: Sequence[Standing], decisions: Decisions
) -> list[PrizeRow]:
    if not event.prizes or event.state not in (EventState.FINISHED, EventState.ARCHIVED):
        return []
    if last_released(event) is not None:
        return []
    table, _divisions = final_cuts(event, standings, set(), decisions)
    rows: list[PrizeRow] = []
    first = 1
    for level in table.levels:
        if first > event.prizes:
            break
        last = first + len(level) - 1
        rows.append(PrizeRow(first, last, tuple(entries[pk] for pk in level)))
        first = last + 1
    return rows


def _told(
    event: Event, cut: Cut, decisions: Decisions, entries: Mapping[int, Entry], names: Names
) -> ToldCut | None:
    """Return a tie that was decided, or for which a play-off is played; None for others."""
    decision, parts = decisions.of(cut), decisions.parts(cut)
    if decision is None:
        return None
    if parts is None or len(parts) == 1:
        return ToldCut(cut, state_words(cut, decisions, entries, names), decision, ())
    words = decision_words(event, decision, parts, entries, names)
    return ToldCut(cut, words, decision, tuple(entry for part in parts for entry in part))
