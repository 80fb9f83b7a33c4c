"""Qualification from groups: who goes on, with which seeds, and whether a drawn bracket still fits."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from league.core.pairing.groups import check_qualifiers, knockout_seeds
from league.draws.missing import in_order, results_missing
from league.draws.round_writing import check_untouched
from league.errors import LeagueError
from league.models import Entry, Event, Match, traits_of, wants_result
from league.policy import Permission, can
from league.tables.cut_decisions import Decisions
from league.tables.cut_words import check_all_decided, decision_words, in_full, next_place_words
from league.tables.qualification import qualification_of
from league.tables.results import ranking_of
from scoring.core.actors import Actor
from scoring.words.messages import translated

_MOST_NAMED: Final = 8


def qualified(
    event: Event, *, despite_missing: bool = False, as_drawn: bool = False
) -> tuple[list[Entry], list[str]]:
    """Return the best `event.qualifiers` of each group in order of seeds, and sentences for the director.

    Group winners are seeded above all runners-up, these above all third places, and the best of the next
    places last; within a tier by points per match, then net per match (RULES §13), as far as that keeps
    entries of one group apart. Withdrawn entries are replaced by the next of their group. With `as_drawn` as
    the bracket that is drawn has it. Refused: no groups drawn (`no_groups`), no number of qualifiers
    (`no_qualifiers`), missing results (`results_missing`) unless `despite_missing`, too few left in a group
    (`group_too_small`), entries level where it matters (`level_at_cut`).
    """
    entries = {entry.pk: entry for entry in event.entries.all()}
    lines = ranking_of(event, entries.values(), withheld_too=True)
    decisions = Decisions(event, withheld_too=True)
    staying = event.qualified or () if as_drawn else ()
    sizes = Counter(
        line.group
        for line in lines
        if line.group is not None
        and (entries[line.entry_id].withdrawn_at is None or line.entry_id in staying)
    )
    if not sizes:
        raise LeagueError("no_groups", _("Draw the groups first."))
    count = wanted_qualifiers(event)
    missing = missing_in_groups(event)
    if missing and not despite_missing:
        raise LeagueError("results_missing", results_missing(missing), field="despite_missing")
    check_qualifiers(list(sizes.values()), count, event.best_next)
    found = qualification_of(event, entries, lines, decisions, as_drawn=as_drawn)
    if found is None:
        raise LeagueError("no_groups", _("Draw the groups first."))
    check_all_decided(event, found.open, decisions, entries)
    names = in_full(event)
    notes = [results_missing(missing)] if missing else []
    counted = [entry for entry in entries.values() if entry.group is not None and entry.annulled_at is None]
    drawn = Counter(entry.group for entry in counted)
    if len(set(drawn.values())) > 1:
        notes.append(
            _("Groups are not equally large: seeds go by figures without the results against %(names)s.")
            % {"names": _named([entries[pk] for pk in sorted(found.left_out)])}
            if found.left_out
            else _("Groups are not equally large: seeds go by figures per match played, without rests.")
        )
    notes += [next_place_words(event, each, names.marked(entries[each.entry])) for each in found.next_places]
    notes += [
        decision_words(event, decision, parts, entries, names, tells_author=True)
        for cut in found.cuts
        if (decision := decisions.of(cut)) is not None and (parts := decisions.parts(cut)) is not None
    ]
    seeded = knockout_seeds(found.tiers)
    return [entries[found.entries[group, place]] for group, place in seeded], notes


def level_in_groups(event: Event) -> str:
    """Return a sentence if entries of the groups are level where it matters, or ""."""
    try:
        qualified(event, despite_missing=True)
    except LeagueError as refusal:
        return translated(refusal.message) if refusal.code == "level_at_cut" else ""
    return ""


def bracket_in_doubt(event: Event) -> str:
    """Return a sentence if the groups now give other qualifiers or seeds than the bracket has, or ""."""
    if not traits_of(event).has_groups or event.qualified is None or not event.ties.exists():
        return ""
    try:
        now, _missing = qualified(event, despite_missing=True, as_drawn=True)
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
    """Refuse (`next_begun`) a group result that would put a bracket in doubt after it has begun.

    Directors may enter it, and then decide whether the bracket stands.
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
    """True if anything is recorded or awarded in the bracket, so that it cannot be drawn again."""
    try:
        check_untouched(event.matches.exclude(tie=None))
    except LeagueError:
        return True
    return False


def _named(entries: Sequence[Entry]) -> str:
    named = ", ".join(str(entry) for entry in entries[:_MOST_NAMED])
    return named if len(entries) <= _MOST_NAMED else _("%(names)s and others") % {"names": named}


def missing_in_groups(event: Event) -> list[Match]:
    """Return group matches without a result, or with one that is held."""
    return in_order(event.matches.filter(wants_result(), tie=None, play_off=None))


def wanted_qualifiers(event: Event) -> int:
    """Return the number of qualifiers per group; refused (`no_qualifiers`) if not set."""
    if not event.qualifiers:
        raise LeagueError("no_qualifiers", _("Set in the event's settings how many of each group go on."))
    return event.qualifiers


def wanted_groups(event: Event) -> int:
    """Return the number of groups; refused (`groups`) if not set."""
    if event.group_count is None:
        raise LeagueError("groups", _("Set in the event's settings how many groups there are."))
    return event.group_count


def check_group_sizes(event: Event, sizes: Sequence[int]) -> None:
    """Refuse (`group_too_small`) groups with fewer entries than qualifiers, and too many best next places."""
    check_qualifiers(sizes, wanted_qualifiers(event), event.best_next)
