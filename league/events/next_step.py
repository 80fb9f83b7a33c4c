"""The next step of an event, in a sentence and with a link: what its director sees first."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.draws.bracket_rounds import open_ties
from league.draws.formats import format_of
from league.draws.levels import asked_first
from league.draws.round_life import what_to_do
from league.draws.tie_tree import bracket_now
from league.events.event_life import unfinished
from league.models import (
    UNFINISHED,
    Event,
    EventState,
    Round,
    RoundState,
    traits_of,
)
from league.tables.round_summaries import current, summaries

_BY_STATE: Final = {
    EventState.DRAFT: "open",
    EventState.OPEN: "start",
    EventState.FINISHED: "archive",
    EventState.ARCHIVED: "",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """The state of an event: the act that comes next, or the round where something is due.

    If results `wait` there, all are in and some do not count yet.
    """

    words: str
    act: str = ""
    round: Round | None = None
    waits: bool = False


def next_step(event: Event) -> str:
    """Return the state of the event and what to do now, in a sentence."""
    return step_of(event).words


def step_of(event: Event) -> NextStep:
    """Return the state of the event, what to do now, and where."""
    if event.state == EventState.RUNNING:
        return _while_running(event)
    if event.state == EventState.FINISHED and (level := asked_first(event)) is not None:
        return NextStep(f"{_before_or_after(event)} {level.state}", "decide-level")
    return NextStep(_before_or_after(event), _BY_STATE[EventState(event.state)])


def _before_or_after(event: Event) -> str:
    return before_or_after(event, event.entries.filter(withdrawn_at=None).count())


def step_before(event: Event, entered: int) -> NextStep:
    """Return the next step of an event with so many entries that has not begun, without a query."""
    return NextStep(before_or_after(event, entered), _BY_STATE[EventState(event.state)])


def before_or_after(event: Event, entered: int) -> str:
    """Return a sentence on an event with so many entries that does not run."""
    entries = ngettext("%d entry", "%d entries", entered) % entered
    return {
        EventState.DRAFT: _(
            "A draft with %(entries)s: members see nothing of it. Open the entries or start it."
        ),
        EventState.OPEN: _("Entries are open, %(entries)s so far. Start it once they are complete."),
        EventState.FINISHED: _("Finished. Sheets can be corrected still; archive it once all is settled."),
        EventState.ARCHIVED: _("In the archive: it no longer changes."),
    }[EventState(event.state)] % {"entries": entries}


def _while_running(event: Event) -> NextStep:
    own = format_of(event)
    if (under_way := own.under_way(event)) is not None:
        words, act = under_way
        return NextStep(f"{words} {held_words(len(unfinished(event).held))}".strip(), act)
    last = event.rounds.order_by("-number").first()
    if last is None:
        return NextStep(nothing_drawn(), own.first_act)
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()
    if drafted is not None:
        has_matches = drafted.matches.exists()
        words = drafted_words(drafted.number, has_matches=has_matches)
        left = own.left_behind(event)
        changed = what_to_do(event, drafted) if has_matches else []
        if changed:
            words = _("Round %(number)d is drafted and no longer fits.") % {"number": drafted.number}
        sentences = dict.fromkeys([*left[:1], words, *changed])
        return NextStep(" ".join(sentences), round=drafted)
    left = own.left_behind(event)
    open_ = unfinished(event)
    missing, at = _missing(event)
    said = [missing, held_words(len(open_.held)), *_of_the_bracket(event)]
    if left:
        words, act = left
        return NextStep(f"{words} {missing}".strip(), act, at)
    if any(said):
        waits = at is None and bool(open_.held)
        if waits:
            at = open_.held[0].round
        return NextStep(" ".join(sentence for sentence in said if sentence), round=at, waits=waits)
    comes_next = own.next_draw(event, last.number, open_.ties)
    if comes_next is None and (level := asked_first(event)) is not None:
        return NextStep(_("Everything is played.") + f" {level.state}", "decide-level")
    return NextStep(*comes_next) if comes_next else all_played()


def _missing(event: Event) -> tuple[str, Round | None]:
    """Return a sentence on missing results, and the round to look at: the current one, if it misses any."""
    waiting = event.matches.filter(state__in=UNFINISHED, held=False, annulled=False)
    missing = Counter(waiting.order_by().values_list("round__number", flat=True))
    if not missing:
        return "", None
    today = timezone.localdate(timezone=event.club.zone)
    now = current(summaries(event, seen=Round.objects.all()), today)
    number = round_to_look_at(missing, None if now is None else now.round)
    return missing_words(missing, number), event.rounds.get(number=number)


def round_to_look_at(missing: Mapping[int, int], now: Round | None) -> int:
    """Return the number of the round whose results are asked for: the current one, else the first of them."""
    return now.number if now is not None and now.number in missing else min(missing)


def missing_words(missing: Mapping[int, int], number: int) -> str:
    """Return a sentence on round `number`, of the numbers of results that rounds miss, and on the others."""
    said = [
        ngettext(
            "Round %(number)d is published; %(count)d result is missing.",
            "Round %(number)d is published; %(count)d results are missing.",
            missing[number],
        )
        % {"number": number, "count": missing[number]}
    ]
    earlier = sum(count for each, count in missing.items() if each < number)
    if earlier:
        words = ngettext(
            "%d result of earlier rounds is missing.", "%d results of earlier rounds are missing.", earlier
        )
        said.append(words % earlier)
    later = sum(each > number for each in missing)
    if later:
        said.append(ngettext("%d round to go.", "%d rounds to go.", later) % later)
    return " ".join(said)


def nothing_drawn() -> str:
    """Return the sentence on an event that runs and has no round."""
    return _("Running; nothing is drawn yet.")


def all_played() -> NextStep:
    """Return the step after everything."""
    return NextStep(_("Everything is played: finish the event."), "finish")


def drafted_words(number: int, *, has_matches: bool) -> str:
    """Return the sentence on a draft, which `has_matches` unless all who were in it have gone."""
    if has_matches:
        words = _("Round %(number)d is drafted: look at its pairings and publish it.")
    else:
        words = _("Round %(number)d is drafted and has no matches left: delete it.")
    return words % {"number": number}


def _of_the_bracket(event: Event) -> list[str]:
    """Return what the ties of a bracket wait for."""
    now = bracket_now(event) if traits_of(event).has_bracket else None
    return [] if now is None else open_ties(now)


def held_words(count: int) -> str:
    """Return a sentence on so many results that do not count yet; "" for none."""
    if not count:
        return ""
    return (
        ngettext(
            "%d result is pending and does not count yet.",
            "%d results are pending and do not count yet.",
            count,
        )
        % count
    )
