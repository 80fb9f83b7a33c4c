"""What comes next in an event, in a sentence, and where it is done: what its director sees first."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.draws.bracket_rounds import open_ties
from league.draws.rotation_rounds import first_open_round
from league.draws.tie_tree import bracket_now
from league.events.event_life import unfinished
from league.models import (
    BRACKETS,
    UNPLAYED,
    Appearance,
    Event,
    EventFormat,
    EventState,
    Match,
    MatchState,
    Round,
    RoundState,
)

# How rounds of a format come about, by the act that makes the first of them.
DRAWN_BY: Final = {
    EventFormat.ROUND_ROBIN: "draw",
    EventFormat.SWISS: "pair",
    EventFormat.SINGLE_ELIMINATION: "draw-bracket",
    EventFormat.DOUBLE_ELIMINATION: "draw-bracket",
    EventFormat.GROUPS: "draw-groups",
    EventFormat.ROTATION: "draw-movement",
}
_BY_STATE: Final = {
    EventState.DRAFT: "open",
    EventState.OPEN: "start",
    EventState.FINISHED: "archive",
    EventState.ARCHIVED: "",
}


@dataclass(frozen=True, slots=True)
class NextStep:
    """Where an event stands: the act of the event that comes next, or the round at which something is due."""

    words: str
    act: str = ""
    round: Round | None = None


def next_step(event: Event) -> str:
    """Where the event stands, and what is to be done now."""
    return step_of(event).words


def step_of(event: Event) -> NextStep:
    """Where the event stands, what is to be done now, and where."""
    if event.state == EventState.RUNNING:
        return _while_running(event)
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
        EventState.ARCHIVED: _("In the archive: nothing of it changes any more."),
    }[EventState(event.state)] % {"entries": entries}


def _while_running(event: Event) -> NextStep:
    last = event.rounds.order_by("-number").first()
    if last is None:
        return NextStep(_("Running; nothing is drawn yet."), DRAWN_BY[EventFormat(event.format)])
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()
    if drafted is not None:
        words = (
            _("Round %(number)d is drafted: look at its pairings and publish it.")
            if drafted.matches.exists()
            else _("Round %(number)d is drafted and has no matches any more: delete it.")
        )
        left = _left_behind(event)
        return NextStep(
            " ".join([*([left.words] if left else ()), words % {"number": drafted.number}]), round=drafted
        )
    left = _left_behind(event)
    open_ = unfinished(event)
    missing, at = _missing(event)
    said = [missing, _held(len(open_.held)), *_of_the_bracket(event)]
    if left is not None:
        return NextStep(" ".join([left.words, missing]).strip(), left.act, at)
    if any(said):
        return NextStep(" ".join(sentence for sentence in said if sentence), round=at)
    if not _goes_on(event, last, open_.ties):
        return NextStep(_("Everything is played: finish the event."), "finish")
    if event.format == EventFormat.GROUPS and not event.ties.exists():
        return NextStep(_("All results of the groups are in: draw the bracket."), "draw-bracket")
    said_of = {"number": last.number, "next": last.number + 1}
    return NextStep(_("All results of round %(number)d are in: pair round %(next)d.") % said_of, "pair")


def _left_behind(event: Event) -> NextStep | None:
    """Where partners rotate: who has withdrawn and still sits in matches to come, and what can be done."""
    if event.format != EventFormat.ROTATION:
        return None
    waiting = left_behind(event)
    if not waiting:
        return None
    gone = sorted(
        event.entries.exclude(withdrawn_at=None)
        .filter(members__player__appearances__match__in=waiting)
        .distinct()
        .values_list("name", flat=True)
    )
    said = ngettext(
        "%(names)s has withdrawn and still sits in %(labels)s:",
        "%(names)s have withdrawn and still sit in %(labels)s:",
        len(gone),
    ) % {"names": ", ".join(gone), "labels": ", ".join(match.label for match in waiting)}
    if first_open_round(event) <= min(match.round.number for match in waiting):
        return NextStep(
            f"{said} " + _("draw the rest anew, or name substitutes in the line-ups."), "draw-rest"
        )
    return NextStep(
        f"{said} " + _("name substitutes in the line-ups; some of it can no longer be drawn anew.")
    )


def left_behind(event: Event) -> list[Match]:
    """The matches not begun yet in whose line-ups somebody stands who has withdrawn."""
    seated = Appearance.objects.filter(
        match__event=event,
        match__state=MatchState.SCHEDULED,
        player__memberships_in_entries__entry__event=event,
        player__memberships_in_entries__entry__withdrawn_at__isnull=False,
    )
    waiting = Match.objects.filter(pk__in=seated.values("match")).select_related("round")
    return list(waiting.order_by("round__number", "table", "pk"))


def _missing(event: Event) -> tuple[str, Round | None]:
    """Where results are missing: the first such round, and how many follow."""
    waiting = event.matches.filter(state__in=UNPLAYED, held=False)
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
        said += (
            " "
            + ngettext("%d round more is to be played.", "%d rounds more are to be played.", later) % later
        )
    return said, event.rounds.get(number=numbers[0])


def _of_the_bracket(event: Event) -> list[str]:
    """What the ties of a bracket wait for."""
    now = bracket_now(event) if event.format in BRACKETS else None
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


def _goes_on(event: Event, last: Round, ties: int) -> bool:
    """Whether another round is to be paired after this one, as far as the event's settings say."""
    match event.format:
        case EventFormat.ROUND_ROBIN:
            return False
        case EventFormat.SWISS | EventFormat.ROTATION:
            return event.rounds_planned is None or last.number < event.rounds_planned
        case EventFormat.GROUPS:
            return ties > 0 or not event.ties.exists()
        case _:
            return ties > 0
