"""The next step of an event, in a sentence and with a link: what its director sees first."""

from dataclasses import dataclass
from typing import Final

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

_BY_STATE: Final = {
    EventState.DRAFT: "open",
    EventState.OPEN: "start",
    EventState.FINISHED: "archive",
    EventState.ARCHIVED: "",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """The state of an event: the act that comes next, or the round where something is due."""

    words: str
    act: str = ""
    round: Round | None = None


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
    entered = event.entries.filter(withdrawn_at=None).count()
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
        return NextStep(f"{words} {_held(len(unfinished(event).held))}".strip(), act)
    last = event.rounds.order_by("-number").first()
    if last is None:
        return NextStep(_("Running; nothing is drawn yet."), own.first_act)
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()
    if drafted is not None:
        words = (
            _("Round %(number)d is drafted: look at its pairings and publish it.")
            if drafted.matches.exists()
            else _("Round %(number)d is drafted and has no matches left: delete it.")
        )
        left = own.left_behind(event)
        changed = what_to_do(event, drafted) if drafted.matches.exists() else []
        if changed:
            words = _("Round %(number)d is drafted and no longer fits.")
        sentences = dict.fromkeys([*left[:1], words % {"number": drafted.number}, *changed])
        return NextStep(" ".join(sentences), round=drafted)
    left = own.left_behind(event)
    open_ = unfinished(event)
    missing, at = _missing(event)
    said = [missing, _held(len(open_.held)), *_of_the_bracket(event)]
    if left:
        words, act = left
        return NextStep(f"{words} {missing}".strip(), act, at)
    if any(said):
        return NextStep(" ".join(sentence for sentence in said if sentence), round=at)
    comes_next = own.next_draw(event, last.number, open_.ties)
    if comes_next is None and (level := asked_first(event)) is not None:
        return NextStep(_("Everything is played.") + f" {level.state}", "decide-level")
    return NextStep(*(comes_next or (_("Everything is played: finish the event."), "finish")))


def _missing(event: Event) -> tuple[str, Round | None]:
    """Return a sentence on missing results, and the first round with any."""
    waiting = event.matches.filter(state__in=UNFINISHED, held=False, annulled=False)
    numbers = sorted(waiting.order_by().values_list("round__number", flat=True))
    if not numbers:
        return "", None
    first = numbers.count(numbers[0])
    said = ngettext(
        "Round %(number)d is published; %(count)d result is missing.",
        "Round %(number)d is published; %(count)d results are missing.",
        first,
    ) % {"number": numbers[0], "count": first}
    later = len(set(numbers)) - 1
    if later:
        said += " " + ngettext("%d round to go.", "%d rounds to go.", later) % later
    return said, event.rounds.get(number=numbers[0])


def _of_the_bracket(event: Event) -> list[str]:
    """Return what the ties of a bracket wait for."""
    now = bracket_now(event) if traits_of(event).has_bracket else None
    return [] if now is None else open_ties(now)


def _held(count: int) -> str:
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
