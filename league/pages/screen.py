"""The hall's screen: an event for a projector, which shows one panel after the other and follows by itself.

Everybody in the hall reads it, so it says what guests may read, whoever has opened it. A round whose
clock runs is what is played now.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.draws.hall import hall_table
from league.draws.pairings import Seated, round_pairings
from league.draws.round_clock import shows_clock
from league.models import Entry, Event, EventState, Match, traits_of
from league.pages.events import about, follows
from league.pages.pages import followed, names_of_guests, page, today_in, visible_event
from league.policy import rounds_seen
from league.policy.naming import Names
from league.policy.withholding import is_withheld, last_released, without_results
from league.tables.outcomes import EventOutcome, event_outcome
from league.tables.round_summaries import RoundSummary, current, listed, rounds_in_all, summaries
from league.tables.tables import EventTable, Named, event_table

# With a head a line is an eleventh of the picture, and its letters 4 % of it. By AVIXA V202.01 they are read
# from 200 × 4 % = eight times the height of the picture: from ten metres, if it is 1.25 m high.
LINES: Final = 9

Line = TypeVar("Line")


@dataclass(frozen=True, slots=True)
class Panel:
    """What is on the screen at once; `part` of `parts` where it takes more than one to say it.

    `kind` names what its `lines` are: "seats" (`Seated`), "tables" (`Match`), "standings" (rows of `group`),
    "entries" (`Named`), "hall" (the one `TablePage` of the match that a director shows) or "next", which has
    none.
    """

    kind: str
    lines: Sequence[object] = ()
    part: int = 1
    parts: int = 1
    group: int | None = None

    @property
    def key(self) -> str:
        """What stays the same when the page is made anew."""
        return f"{self.kind}-{self.group or 0}-{self.part}"


@require_safe
@followed
def screen(request: HttpRequest, club: str, event: str) -> HttpResponse:
    """The screen of an event: what is shown, where everybody sits, tables, standings, and what comes next."""
    shown = visible_event(request, club, event)
    names = names_of_guests(request, shown.club)
    rounds = summaries(shown, seen=rounds_seen(AnonymousUser())) if shown.counts_rounds else []
    today = today_in(shown.club)
    timed = [each for each in rounds if each.under_way and shows_clock(shown, each.round)]
    now = timed[-1] if timed else current(rounds, today)
    table = event_table(shown, names)
    hall = hall_table(shown)
    context = about(shown) | {
        "follows": follows(shown),
        "names": names,
        "today": today,
        "now": now,
        "has_clock": bool(timed),
        "in_all": rounds_in_all(shown, len(rounds)),
        "later": next((each for each in rounds if now and each.round.number > now.round.number), None),
        "winners": _winners(shown, table, event_outcome(shown, table)),
        "table": table,
        "is_withheld": now is not None and is_withheld(shown, now.round),
        "hall": hall,
        "panels": [*_in_parts("hall", [] if hall is None else [hall], 1), *_panels(shown, now, table, names)],
    }
    return page(request, "league/screen.html", context, club=shown.club)


def _winners(event: Event, table: EventTable, outcome: EventOutcome | None) -> Sequence[Entry]:
    """Who has won, as far as everybody may know; nobody while a result of a finished event is held back."""
    if outcome is not None and outcome.champion is not None:
        return [outcome.champion.entry]
    is_over = event.state in (EventState.FINISHED, EventState.ARCHIVED)
    if not is_over or not table.has_begun or traits_of(event).has_groups or last_released(event) is not None:
        return []
    return [row.named.entry for row in table.rows if row.standing.rank == 1]


def _panels(event: Event, now: RoundSummary | None, table: EventTable, names: Names) -> Iterator[Panel]:
    if now is not None and not now.complete:
        if now.playing + now.decided < now.matches:
            seats: Sequence[Seated] = round_pairings(now.round, names).seats
            yield from _in_parts("seats", seats, 2 * LINES)
        matches = without_results(listed(Match.objects.filter(round=now.round)), event)
        yield from _in_parts("tables", matches, LINES)
    if table.has_begun or not event.counts_rounds:
        for section in table.sections:
            yield from _in_parts("standings", section.rows, LINES, section.group)
    elif now is None:
        entries: Sequence[Named] = [named for _group, some in table.start_list for named in some]
        yield from _in_parts("entries", entries, 2 * LINES)
    yield Panel("next")


def _in_parts(kind: str, lines: Sequence[Line], most: int, group: int | None = None) -> Iterator[Panel]:
    """Panels of these lines, as even as can be: the last would else have one."""
    parts = -(-len(lines) // most)
    for part in range(parts):
        first, last = len(lines) * part // parts, len(lines) * (part + 1) // parts
        yield Panel(kind, lines[first:last], part + 1, parts, group)
