"""Lines across a table in sentences: who is level, what was decided, who goes on from the next places."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.formats import date_format
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.pairing.qualification import NextPlace
from league.core.standings.cuts import Cut, CutKind
from league.errors import LeagueError
from league.models import CutDecision, CutHow, Entry, Event
from league.policy.naming import Names
from league.tables.cut_decisions import Decisions
from league.tables.season_tables import shown_points
from scoring.templatetags.figures import grouped


def named(entries: Mapping[int, Entry], ids: Iterable[int], names: Names) -> str:
    """Return names as a list in words."""
    return get_text_list([names.marked(entries[pk]) for pk in ids], _("and"))


def in_full(event: Event) -> Names:
    """Return the names as its directors see them."""
    return Names(event.club_id, covered=False)


def level_words(cut: Cut, said: str) -> str:
    """Return who is level where, in a sentence; `said` are the names of the cut in words."""
    words = {"names": said, "group": cut.group, "count": cut.places[0]}
    if cut.kind is CutKind.NEXT:
        return (
            ngettext(
                "%(names)s are level as the best of the next places, and %(count)d of them goes on.",
                "%(names)s are level as the best of the next places, and %(count)d of them go on.",
                cut.places[0],
            )
            % words
        )
    places = (cut.above + 1, cut.above + len(cut.entries))
    words["places"] = (
        _("%(first)d and %(last)d") if len(cut.entries) == 2 else _("%(first)d to %(last)d")
    ) % {"first": places[0], "last": places[1]}
    if cut.kind is CutKind.TABLE:
        words |= {"round": cut.round, "table": cut.table}
        return (
            ngettext(
                "%(names)s are level for places %(places)s at table %(table)d of round %(round)d, and "
                "%(count)d of them goes on.",
                "%(names)s are level for places %(places)s at table %(table)d of round %(round)d, and "
                "%(count)d of them go on.",
                cut.places[0],
            )
            % words
        )
    if cut.kind is CutKind.GROUP:
        return _("%(names)s are level in everything for places %(places)s of group %(group)d.") % words
    if cut.kind is CutKind.PRIZE:
        return (
            _("%(names)s are level in everything for places %(places)s, and a prize depends on it.") % words
        )
    return (
        _("%(names)s are level in everything for places %(places)s, where it is decided who goes up or down.")
        % words
    )


def decision_words(
    event: Event,
    decision: CutDecision,
    parts: Sequence[Sequence[int]],
    entries: Mapping[int, Entry],
    names: Names,
    *,
    tells_author: bool = False,
) -> str:
    """Return what was decided, in a sentence; `parts` are the entries in the order decided."""
    words = {
        "names": named(entries, [entry for part in parts for entry in part], names),
        "at": date_format(decision.at.astimezone(event.club.zone), "j F Y, H:i"),
        "by": names.author(decision) if tells_author else "",
        "lot": decision.lot,
        "reason": names.text(decision.reason),
    }
    how = CutHow(decision.how)
    if how is CutHow.PLAY_OFF:
        return _("By a play-off, in this order: %(names)s.") % words
    if how is CutHow.LOT:
        said = (
            _("By lot number %(lot)s, drawn on %(at)s by %(by)s, in this order: %(names)s.")
            if tells_author
            else _("By lot number %(lot)s, drawn on %(at)s, in this order: %(names)s.")
        )
        return said % words
    said = (
        _("Decided by %(by)s on %(at)s, in this order: %(names)s. Reason: %(reason)s")
        if tells_author
        else _("Decided by the director on %(at)s, in this order: %(names)s. Reason: %(reason)s")
    )
    return said % words


def next_place_words(event: Event, each: NextPlace, name: str) -> str:
    """Return whether one of the next places goes on, and by which figures, in a sentence."""
    said = (
        ngettext(
            "%(name)s goes on as the best of place %(place)d (points %(points)s, net %(net)s a match).",
            "%(name)s goes on as one of the best %(count)d of place %(place)d (points %(points)s, "
            "net %(net)s a match).",
            event.best_next,
        )
        if each.goes_on
        else _("%(name)s does not go on from place %(place)d (points %(points)s, net %(net)s a match).")
    )
    return said % {
        "count": event.best_next,
        "name": name,
        "place": (event.qualifiers or 0) + 1,
        "points": grouped(shown_points(each.figures.points)),
        "net": grouped(shown_points(each.figures.net)),
    }


def state_words(cut: Cut, decisions: Decisions, entries: Mapping[int, Entry], names: Names) -> str:
    """Return who is level at a line that is open, and what it waits for."""
    said = level_words(cut, named(entries, cut.entries, names))
    decision = decisions.of(cut)
    if decision is not None and decisions.waits(decision):
        return f"{said} " + _("They play off for it, and a result is missing.")
    if decision is not None:
        return f"{said} " + _("The play-off has left them level.")
    if any(
        (row.kind, row.group, row.round, row.table) == (cut.kind, cut.group, cut.round, cut.table)
        and set(row.entries) & set(cut.entries)
        for row in decisions.rows
    ):
        said = f"{said} " + _("An earlier decision is void: the tie is no longer the same.")
    return said


def check_all_decided(
    event: Event,
    cuts: Sequence[Cut],
    decisions: Decisions,
    entries: Mapping[int, Entry],
    *,
    names_event: bool = False,
) -> None:
    """Refuse (`level_at_cut`) open cuts; `names_event` where it does not go without saying which."""
    for cut in cuts:
        said = state_words(cut, decisions, entries, in_full(event))
        decision = decisions.of(cut)
        if decision is None or not decisions.waits(decision):
            said += " " + _("A director says who comes first: by a play-off, by lot or by decision.")
        raise LeagueError("level_at_cut", f"{event}: {said}" if names_event else said)
