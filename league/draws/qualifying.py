"""Who goes on from the groups, with which seeds; and whether a bracket drawn from them still fits."""

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import Final

from django.db.models import Q
from django.utils.translation import gettext as _

from league.core.pairing.groups import check_qualifiers, knockout_seeds
from league.draws.missing import results_missing
from league.draws.round_writing import check_untouched
from league.errors import LeagueError
from league.models import UNFINISHED, Entry, Event, Match, traits_of
from league.policy import Permission, can
from league.tables.results import Ranked, ranking_of
from scoring.core.actors import Actor
from scoring.words.messages import translated

_MOST_NAMED: Final = 8


def qualified(
    event: Event, *, despite_missing: bool = False, staying: Collection[int] = ()
) -> tuple[list[Entry], list[str]]:
    """The best `event.qualifiers` of each group in order of their seeds, and what a director should know.

    Winners are seeded above all runners-up, those above all thirds; among themselves by points per match,
    then net per match, as far as that keeps entries of one group apart. Who has withdrawn does not go on: the
    next of the group does; but those whose ids are `staying` are in the bracket already. Refused: no groups
    drawn (`no_groups`), no number of qualifiers (`no_qualifiers`), results that are missing
    (`results_missing`) unless `despite_missing`, more than a group has left (`group_too_small`).
    """
    entries = {entry.pk: entry for entry in event.entries.all()}
    lines: dict[int, list[Ranked]] = {}
    for line in ranking_of(event, entries.values(), withheld_too=True).lines:
        is_in = entries[line.entry_id].withdrawn_at is None or line.entry_id in staying
        if line.group is not None and is_in:
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


def bracket_in_doubt(event: Event) -> str:
    """A sentence where others go on from the groups, or with other seeds, than the bracket was drawn from."""
    if not traits_of(event).has_groups or event.qualified is None or not event.ties.exists():
        return ""
    try:
        now, _missing = qualified(event, despite_missing=True, staying=event.qualified)
    except LeagueError as refusal:
        return translated(refusal.message)
    ids = [entry.pk for entry in now]
    if ids == event.qualified:
        return ""
    gone = set(event.qualified) - set(ids)
    words = {
        "come": _named([entry for entry in now if entry.pk not in event.qualified]),
        "gone": _named(list(event.entries.filter(pk__in=gone).order_by("name"))),
    }
    said = (
        _("By the results of the groups %(come)s would go on in place of %(gone)s.") % words
        if gone
        else _("By the results of the groups those who went on would have other seeds.")
    )
    if knockout_has_begun(event):
        return f"{said} " + _("The bracket has begun: let it stand, or put the results of the groups right.")
    return f"{said} " + _("Redraw the bracket, or let it stand.")


def check_bracket_fits(match: Match, by: Actor) -> None:
    """Refuses (`next_begun`) a result of a group by which the bracket would be in doubt after it has begun.

    A director may give it, and says then whether the bracket stands.
    """
    event = match.event
    if match.tie_id is not None or not traits_of(event).has_groups or event.qualified is None:
        return
    if can(by, Permission.DIRECT, event.club) or not knockout_has_begun(event):
        return
    if bracket_in_doubt(event):
        raise LeagueError(
            "next_begun",
            _(
                "This would change who goes on from the groups, and the bracket has begun: only a director "
                "may do that."
            ),
        )


def knockout_has_begun(event: Event) -> bool:
    """Whether anything is recorded or stated in the bracket, so that it is not drawn again."""
    try:
        check_untouched(event.matches.exclude(tie=None))
    except LeagueError:
        return True
    return False


def _named(entries: Sequence[Entry]) -> str:
    named = ", ".join(str(entry) for entry in entries[:_MOST_NAMED])
    return named if len(entries) <= _MOST_NAMED else _("%(names)s and others") % {"names": named}


def missing_in_groups(event: Event) -> list[Match]:
    """The matches of the groups that have no result, or one that is held back."""
    waiting = event.matches.filter(Q(state__in=UNFINISHED) | Q(held=True), tie=None)
    named = waiting.exclude(entry_b=None).select_related("round", "entry_a", "entry_b")
    return list(named.order_by("round__number", "table", "id"))


def wanted_qualifiers(event: Event) -> int:
    """How many of each group go on; refuses (`no_qualifiers`) an event that does not say."""
    if not event.qualifiers:
        raise LeagueError("no_qualifiers", _("Say in the event's settings how many of each group go on."))
    return event.qualifiers


def wanted_groups(event: Event) -> int:
    """How many groups are drawn; refuses (`groups`) an event that does not say."""
    if event.group_count is None:
        raise LeagueError("groups", _("Say in the event's settings how many groups there are."))
    return event.group_count


def check_group_sizes(event: Event, sizes: Sequence[int]) -> None:
    """Refuses groups from which not as many can go on as the event says (`group_too_small`)."""
    check_qualifiers(sizes, wanted_qualifiers(event))


def _deserved(line: Ranked, group: int) -> tuple[Fraction, Fraction, int]:
    """Points, then net, both per match since groups differ in size; then the number of the group."""
    played = max(1, line.row.played)
    return -Fraction(line.row.points) / played, -Fraction(line.row.net, played), group
