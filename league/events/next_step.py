"""The next step of an event, in a sentence and with a link: what its director sees first."""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.evening import EveningState
from league.draws.bracket_rounds import asked_tie, open_ties
from league.draws.formats import format_of
from league.draws.levels import asked_first
from league.draws.round_life import what_to_do
from league.draws.tie_tree import bracket_now
from league.errors import LeagueError
from league.events.evening_words import evening_of_event, for_directors
from league.models import Event, EventKind, EventState, RequestState, Round, Tie, traits_of
from league.tables.round_summaries import RoundSummary, current, summaries
from scoring.words.messages import translated

_BY_STATE: Final = {
    EventState.DRAFT: "open",
    EventState.OPEN: "start",
    EventState.FINISHED: "archive",
    EventState.ARCHIVED: "",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """The state of an event: the act that comes next, or the round where something is due.

    If results `wait` there, all are in and some do not count yet. A `tie` is for the director to decide.
    """

    words: str
    act: str = ""
    round: Round | None = None
    waits: bool = False
    tie: Tie | None = None


def next_step(event: Event) -> str:
    """Return the state of the event and what to do now, in a sentence."""
    return step_of(event).words


def step_of(event: Event) -> NextStep:
    """Return the state of the event, what to do now, and where."""
    if event.state != EventState.RUNNING:
        step = step_at_rest(event, event.entries.filter(withdrawn_at=None).count())
        return dataclasses.replace(step, words=f"{step.words} {_forming_words(event)}".rstrip())
    rounds = summaries(event, seen=Round.objects.all())
    return step_while_running(event, rounds, current(rounds, timezone.localdate(timezone=event.club.zone)))


def step_at_rest(event: Event, entered: int) -> NextStep:
    """Return the next step of an event with so many entries that does not run."""
    entries = ngettext("%d entry", "%d entries", entered) % entered
    if event.state in (EventState.DRAFT, EventState.OPEN):
        try:
            format_of(event).check_start(event, entered)
        except LeagueError as refusal:
            return _before_it_can_start(event, entries, refusal)
    words = {
        EventState.DRAFT: _("A draft with %(entries)s: members do not see it. Open the entries or start it."),
        EventState.OPEN: _("Entries are open, %(entries)s so far. Start it once they are complete."),
        EventState.FINISHED: _("Finished. Sheets can still be corrected; archive it once all is settled."),
        EventState.ARCHIVED: _("In the archive: it no longer changes."),
    }[EventState(event.state)] % {"entries": entries}
    if event.state == EventState.FINISHED and (level := asked_first(event)) is not None:
        return NextStep(f"{words} {level.state}", "decide-level")
    return NextStep(words, _BY_STATE[EventState(event.state)])


def _forming_words(event: Event) -> str:
    """A sentence on teams that are not complete while entries are open; "" for none."""
    if event.state != EventState.OPEN or event.kind != EventKind.TEAM:
        return ""
    count = event.entry_requests.filter(state=RequestState.FORMING).count()
    if not count:
        return ""
    words = ngettext(
        "%(count)d team is not complete: it is not entered unless its partners accept.",
        "%(count)d teams are not complete: they are not entered unless their partners accept.",
        count,
    )
    return words % {"count": count}


def _before_it_can_start(event: Event, entries: str, refusal: LeagueError) -> NextStep:
    """Return what is missing for a start: entries that can be entered, or a setting."""
    if event.state == EventState.DRAFT:
        words = _("A draft with %(entries)s: members do not see it. Open the entries.")
    else:
        words = _("Entries are open, %(entries)s so far.")
    words = f"{words % {'entries': entries}} {translated(refusal.message)}"
    if event.state == EventState.DRAFT:
        return NextStep(words, "open")
    if refusal.code not in ("too_few_entries", "group_too_small"):
        return NextStep(words)
    return NextStep(words, "enter-team" if event.kind == EventKind.TEAM else "enter")


def step_while_running(event: Event, rounds: Sequence[RoundSummary], now: RoundSummary | None) -> NextStep:
    """Return the next step of an event that runs, by its rounds and the current one, and by its evening.

    While it runs itself the next round is nobody's to draw; where it stands, letting it go on comes first.
    """
    step = _step_by_rounds(event, rounds, now)
    evening = evening_of_event(event)
    if evening is None or not (words := for_directors(evening)):
        return step
    if evening.is_going and step.act:
        return NextStep(words)
    act = step.act
    if evening.state == EveningState.SET and act in ("pair", format_of(event).first_act):
        act = "begin-evening"
    elif not evening.is_going and act != "finish" and step.round is None and step.tie is None:
        act = "resume-evening"
    return dataclasses.replace(step, words=f"{words} {step.words}", act=act)


def _step_by_rounds(event: Event, rounds: Sequence[RoundSummary], now: RoundSummary | None) -> NextStep:
    """Return the next step by the rounds of an event.

    What rounds do not tell is asked of the event: open challenges, a draft that no longer fits, who has left,
    ties of a bracket, who is level at a line. The number of these queries does not grow with its matches.
    """
    own = format_of(event)
    held = _held_words(sum(each.held for each in rounds))
    if (under_way := own.under_way(event)) is not None:
        words, act = under_way
        return NextStep(f"{words} {held}".strip(), act)
    if not rounds:
        return NextStep(_("Running; nothing is drawn yet."), own.first_act)
    left = own.left_behind(event)
    for each in rounds:
        if each.is_draft:
            sentences = dict.fromkeys([*left[:1], *_draft_words(event, each)])
            return NextStep(" ".join(sentences), round=each.round)
    missing, at = _missing(rounds, now)
    if left:
        words, act = left
        return NextStep(f"{words} {missing}".strip(), act, at)
    in_bracket, tie = _of_the_bracket(event)
    said = [missing, held, *in_bracket]
    if any(said):
        waits = at is None and bool(held)
        if waits:
            at = next(each.round for each in rounds if each.held)
        return NextStep(" ".join(sentence for sentence in said if sentence), round=at, waits=waits, tie=tie)
    if (comes_next := own.next_draw(event, rounds[-1].round.number)) is not None:
        return NextStep(*comes_next)
    if (level := asked_first(event)) is not None:
        return NextStep(_("Everything is played.") + f" {level.state}", "decide-level")
    return NextStep(_("Everything is played: finish the event."), "finish")


def _missing(rounds: Sequence[RoundSummary], now: RoundSummary | None) -> tuple[str, Round | None]:
    """Return a sentence on missing results, and the round to look at: the current one, if it misses any."""
    waiting = [each for each in rounds if each.missing]
    if not waiting:
        return "", None
    at = now if now is not None and now.missing else waiting[0]
    number = at.round.number
    said = [
        ngettext(
            "Round %(number)d is published; %(count)d result is missing.",
            "Round %(number)d is published; %(count)d results are missing.",
            at.missing,
        )
        % {"number": number, "count": at.missing}
    ]
    earlier = sum(each.missing for each in waiting if each.round.number < number)
    if earlier:
        words = ngettext(
            "%d result of earlier rounds is missing.", "%d results of earlier rounds are missing.", earlier
        )
        said.append(words % earlier)
    later = sum(each.round.number > number for each in waiting)
    if later:
        said.append(ngettext("%d round to go.", "%d rounds to go.", later) % later)
    return " ".join(said), at.round


def _draft_words(event: Event, draft: RoundSummary) -> list[str]:
    """Return sentences on a draft; it has no matches if all who were in it have gone."""
    number = {"number": draft.round.number}
    if not draft.matches + draft.byes:
        return [_("Round %(number)d is drafted and has no matches left: delete it.") % number]
    if changed := what_to_do(event, draft.round):
        return [_("Round %(number)d is drafted and no longer fits.") % number, *changed]
    return [_("Round %(number)d is drafted: look at its pairings and publish it.") % number]


def _of_the_bracket(event: Event) -> tuple[list[str], Tie | None]:
    """Return what the ties of a bracket wait for, and the first that its director is to decide."""
    now = bracket_now(event) if traits_of(event).has_bracket else None
    return ([], None) if now is None else (open_ties(now), asked_tie(now))


def _held_words(count: int) -> str:
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
