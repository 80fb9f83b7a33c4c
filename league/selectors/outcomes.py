"""What has come of an event of groups and a knockout: who has won it, and who finished where."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.models import Event, EventFormat, Tie, TieDecision
from league.selectors.tables import EventTable, Named
from league.services.placings import final_places


@dataclass(frozen=True, slots=True)
class Finish:
    """An entry and its place in the whole event, None while it is still in the knockout."""

    place: int | None
    named: Named


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everybody in order of places, who is still in the knockout first; `champion` once it has one."""

    champion: Named | None
    lines: Sequence[Finish]

    @property
    def is_final(self) -> bool:
        """Whether every place is known."""
        return all(line.place is not None for line in self.lines)

    @property
    def title(self) -> str:
        """What the list is called."""
        return _("Final places") if self.is_final else _("After the groups")


def event_outcome(event: Event, table: EventTable, *, as_of: int | None = None) -> Outcome | None:
    """What has come of an event, with round `as_of` where one is given, in two queries.

    None for other formats, whose tables say it, and as long as the knockout has no result.
    """
    if event.format != EventFormat.GROUPS:
        return None
    ties = [
        tie
        for tie in Tie.objects.filter(event=event).select_related("round")
        if as_of is None or tie.round is None or tie.round.number <= as_of
    ]
    decided = [tie for tie in ties if tie.winner_id is not None]
    if all(tie.decided_by == TieDecision.BYE for tie in decided):
        return None
    seeded = {
        entry
        for tie in ties
        for entry, seed in ((tie.entry_a_id, tie.seed_a), (tie.entry_b_id, tie.seed_b))
        if entry is not None and seed is not None
    }
    still_in = seeded - set(_out(decided))
    places = final_places(event, [row.standing for row in table.rows], until=as_of)
    lines = [
        Finish(None if row.standing.entry_id in still_in else places[row.standing.entry_id], row.named)
        for row in table.rows
    ]
    lines.sort(key=lambda line: line.place or 0)
    champion = next((line.named for line in lines if line.place == 1), None)
    return Outcome(champion, lines)


def _out(decided: Iterable[Tie]) -> Iterator[int]:
    """Who plays no further tie: lost where nothing follows for the loser, or won where nothing follows."""
    for tie in decided:
        loser = tie.entry_b_id if tie.winner_id == tie.entry_a_id else tie.entry_a_id
        if tie.winner_to_id is None and tie.winner_id is not None:
            yield tie.winner_id
        if tie.loser_to_id is None and loser is not None:
            yield loser
