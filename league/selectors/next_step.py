"""What comes next in an event, in a sentence: what its director sees first."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import BRACKETS, UNPLAYED, Event, EventFormat, EventState, Round, RoundState
from league.services.bracket_rounds import open_ties
from league.services.event_life import unfinished
from league.services.tie_tree import bracket_now


def next_step(event: Event) -> str:
    """Where the event stands, and what is to be done now."""
    if event.state == EventState.RUNNING:
        return _while_running(event)
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


def _while_running(event: Event) -> str:
    last = event.rounds.order_by("-number").first()
    if last is None:
        return _("Running; nothing is drawn yet.")
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()
    if drafted is not None and not drafted.matches.exists():
        return _("Round %(number)d is drafted and has no matches any more: delete it.") % {
            "number": drafted.number
        }
    if drafted is not None:
        return _("Round %(number)d is drafted: look at its pairings and publish it.") % {
            "number": drafted.number
        }
    left = unfinished(event)
    said = [_missing(event), _held(len(left.held)), *_of_the_bracket(event)]
    if any(said):
        return " ".join(sentence for sentence in said if sentence)
    if not _goes_on(event, last, left.ties):
        return _("Everything is played: finish the event.")
    if event.format == EventFormat.GROUPS and not event.ties.exists():
        return _("All results of the groups are in: draw the bracket.")
    return _("All results of round %(number)d are in: pair round %(next)d.") % {
        "number": last.number,
        "next": last.number + 1,
    }


def _missing(event: Event) -> str:
    """Where results are missing: the first such round, and how many follow."""
    waiting = event.matches.filter(state__in=UNPLAYED, held=False)
    numbers = sorted(waiting.order_by().values_list("round__number", flat=True))
    if not numbers:
        return ""
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
    return said


def _of_the_bracket(event: Event) -> list[str]:
    """What the ties of a bracket wait for."""
    now = bracket_now(event) if event.format in BRACKETS else None
    return [] if now is None else open_ties(now)


def _held(count: int) -> str:
    if not count:
        return ""
    return (
        ngettext(
            "%d sheet differs from its paper and does not count yet.",
            "%d sheets differ from their paper and do not count yet.",
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
