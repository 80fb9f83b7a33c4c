"""What was decided where a table is cut and its criteria leave entries level."""

from collections.abc import Mapping, Sequence

from django.db.models import Q

from league.core.standings import rank
from league.core.standings.cuts import Cut, levels_by
from league.models import CutDecision, CutHow, Event, Match, RoundState, lacks_result, traits_of
from league.policy.withholding import released
from league.tables.results import Ranked, plain, results_of, scheme_of

# A play-off of matches is won by points, then by net; one at a table of many by the places there.
_PLAY_OFF_BY = ("match_points", "net")


class Decisions:
    """The decisions of an event, in a query, two more for each play-off; of a tie the last one counts.

    With `withheld_too` play-offs in unreleased rounds count.
    """

    def __init__(self, event: Event, *, withheld_too: bool) -> None:
        self.event = event
        self.withheld_too = withheld_too
        self.rows = list(CutDecision.objects.filter(event=event).order_by("number", "id"))
        self._last: Mapping[str, CutDecision] = {row.key: row for row in self.rows}

    def of(self, cut: Cut) -> CutDecision | None:
        """Return the decision on a tie, a play-off that is not over included."""
        return self._last.get(cut.key)

    def parts(self, cut: Cut) -> Sequence[Sequence[int]] | None:
        """Return the levels into which a tie is split; None if nothing is decided, or not yet."""
        decision = self.of(cut)
        if decision is None:
            return None
        if decision.how != CutHow.PLAY_OFF:
            return [[entry] for entry in decision.order]
        return None if self.waits(decision) else self._played_off(decision)

    def waits(self, decision: CutDecision) -> bool:
        """Return whether a play-off lacks a result."""
        if decision.how != CutHow.PLAY_OFF:
            return False
        matches = Match.objects.filter(play_off=decision)
        open_ = lacks_result() | Q(round__state=RoundState.DRAFTED)
        if self.event.holds_results and not self.withheld_too:
            open_ |= ~released()
        return matches.filter(open_).exists()

    def _played_off(self, decision: CutDecision) -> Sequence[Sequence[int]]:
        entries = list(decision.entries)
        if traits_of(self.event).has_tables:
            table = Match.objects.filter(play_off=decision).first()
            if table is None:
                # It was deleted without its decision, and has split nobody.
                return [entries]
            return levels_by(table.by_place, lambda each: each[0], lambda each: table.ids_of(each[1])[0])
        rows = rank(
            entries,
            results_of(self.event, entries, withheld_too=True, play_off=decision),
            criteria=_PLAY_OFF_BY,
            scheme=scheme_of(self.event),
        )
        return levels_by(rows, lambda row: row.rank, lambda row: row.entry)


def split_by(line: Ranked) -> str:
    """Return what splits an entry from others at a line: a tie is the same as long as that stays."""
    figures = sorted(
        (name, None if value is None else str(plain(value)))
        for name, value in line.row.metrics.items()
        if name != "lot"
    )
    return repr((line.row.played, figures))
