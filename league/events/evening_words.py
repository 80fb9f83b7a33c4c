"""How an evening that runs itself stands, in sentences for its director and for those who play."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.core.evening import EveningState
from league.matches.arrivals import clock_words, shown_by
from league.models import Evening, Event, EventKind, Round, RoundState


def evening_of_event(event: Event) -> Evening | None:
    """The evening of an event, with the event; None if it does not run itself. Load `evening` along."""
    evening: Evening | None = getattr(event, "evening", None)
    return evening


def for_directors(evening: Evening) -> str:
    """Return how the evening stands, and what its director may do; "" once it is over."""
    match EveningState(evening.state):
        case EveningState.SET:
            return _("The event runs itself once you begin the evening.")
        case EveningState.GOING:
            return _("The event runs itself.") + f" {_what_comes(evening)}"
        case EveningState.PAUSED:
            return _("The evening is paused: nothing is done by itself until you let it go on.")
        case EveningState.STOPPED:
            return _("The evening has stopped. %(why)s Once that is settled, let it go on.") % {
                "why": evening.why
            }
        case EveningState.OVER:
            return ""


def for_players(evening: Evening) -> str:
    """Return what those who play are to know now; "" if the event does nothing by itself."""
    match EveningState(evening.state):
        case EveningState.GOING:
            return _what_comes(evening)
        case EveningState.PAUSED | EveningState.STOPPED:
            return _("The evening is paused. It goes on when a director says so.")
        case EveningState.SET | EveningState.OVER:
            return ""


def rules_words(evening: Evening) -> str:
    """Return by what the event runs itself: its break, and what happens to who has not come."""
    event = evening.event
    words = [
        ngettext(
            "Each round begins %d minute after the one before has been played.",
            "Each round begins %d minutes after the one before has been played.",
            evening.break_minutes,
        )
        % evening.break_minutes
        if evening.break_minutes
        else _("Each round begins as soon as the one before has been played."),
        ngettext(
            "Players have %d minute to come to their table; clocks start once everybody is there.",
            "Players have %d minutes to come to their table; clocks start once everybody is there.",
            evening.wait_minutes,
        )
        % evening.wait_minutes,
        _("After that %(what)s.") % {"what": evening.get_absent_display()},
    ]
    if event.kind == EventKind.TEAM:
        words.append(_("A team is there once all who play for it are."))
        if event.has_reserves:
            if evening.break_minutes:
                words.insert(1, _first_begins(evening))
                words.append(
                    _(
                        "Its captain says in the break who plays; the other team sees that once both have, "
                        "or when the round begins. Otherwise those who played last play."
                    )
                )
            words.append(_("A reserve who is there plays for somebody who has not come in time."))
        if (bot := event.sits_in) is not None:
            words.append(_("Its captain may let %(bot)s play for whoever is missing.") % {"bot": bot.name})
    return " ".join(words)


def waiting_draft(evening: Evening) -> Round | None:
    """Return the draft that is to be published before the evening goes on; None for none."""
    if not evening.is_going or evening.next_at is not None or evening.come_by is not None:
        return None
    return evening.event.rounds.filter(state=RoundState.DRAFTED).order_by("number").first()


def _first_begins(evening: Evening) -> str:
    return (
        ngettext(
            "The first one begins %d minute after the evening does.",
            "The first one begins %d minutes after the evening does.",
            evening.break_minutes,
        )
        % evening.break_minutes
    )


def _what_comes(evening: Evening) -> str:
    number = 0 if evening.round is None else evening.round.number
    if evening.next_at is not None:
        time = clock_words(evening.next_at, evening.event.club.zone)
        return _("Round %(number)d begins at %(time)s.") % {"number": number + 1, "time": time}
    if evening.come_by is not None:
        return _("Players of round %(number)d have until %(time)s to come to their table.") % {
            "number": number,
            "time": shown_by(evening),
        }
    if evening.round is None or waiting_draft(evening) is not None:
        return _("The next round begins once a director has published it.")
    return _("The next round follows once round %(number)d has been played.") % {"number": number}
