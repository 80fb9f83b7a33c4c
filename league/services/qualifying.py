"""Who goes on from the groups, and with which seed in the bracket."""

from collections.abc import Sequence
from fractions import Fraction

from django.db.models import Q
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import UNPLAYED, Entry, Event, Match
from league.pairing.groups import check_qualifiers, knockout_seeds
from league.services.planning import results_missing
from league.services.results import Ranked, ranking_of


def qualified(event: Event, *, despite_missing: bool = False) -> tuple[list[Entry], list[str]]:
    """The best `event.qualifiers` of each group in order of their seeds, and what a director should know.

    Winners are seeded above all runners-up, those above all thirds; among themselves by points per match,
    then net per match, as far as that keeps entries of one group apart. Who has withdrawn does not go on: the
    next of the group does. Refused: no groups drawn (`no_groups`), no number of qualifiers (`no_qualifiers`),
    results that are missing (`results_missing`) unless `despite_missing`, more than a group has left
    (`group_too_small`).
    """
    entries = {entry.pk: entry for entry in event.entries.all()}
    lines: dict[int, list[Ranked]] = {}
    for line in ranking_of(event, entries.values()).lines:
        if line.group is not None and entries[line.entry_id].withdrawn_at is None:
            lines.setdefault(line.group, []).append(line)
    if not lines:
        raise LeagueError("no_groups", _("Draw the groups first."))
    count = wanted_qualifiers(event)
    missing = missing_in_groups(event)
    if missing and not despite_missing:
        raise LeagueError("results_missing", results_missing(missing), field="despite_missing")
    check_qualifiers([len(group) for group in lines.values()], count)
    best = {group: sorted(of_group, key=lambda line: line.position) for group, of_group in lines.items()}
    tiers = [sorted(best, key=lambda group: _deserved(best[group][place], group)) for place in range(count)]
    seeded = knockout_seeds(tiers)
    return (
        [entries[best[group][place - 1].entry_id] for group, place in seeded],
        [results_missing(missing)] if missing else [],
    )


def missing_in_groups(event: Event) -> list[Match]:
    """The matches of the groups that have no result, or one that is held back."""
    waiting = event.matches.filter(Q(state__in=UNPLAYED) | Q(held=True), tie=None)
    named = waiting.exclude(entry_b=None).select_related("round", "entry_a", "entry_b")
    return list(named.order_by("round__number", "table", "id"))


def wanted_qualifiers(event: Event) -> int:
    """How many of each group go on; refuses (`no_qualifiers`) an event that does not say."""
    if not event.qualifiers:
        raise LeagueError("no_qualifiers", _("Say in the event's settings how many of each group go on."))
    return event.qualifiers


def check_group_sizes(event: Event, sizes: Sequence[int]) -> None:
    """Refuses groups from which not as many can go on as the event says (`group_too_small`)."""
    check_qualifiers(sizes, wanted_qualifiers(event))


def _deserved(line: Ranked, group: int) -> tuple[Fraction, Fraction, int]:
    """Points, then net, both per match since groups differ in size; then the number of the group."""
    played = max(1, line.row.played)
    return -Fraction(line.row.points) / played, -Fraction(line.row.net, played), group
