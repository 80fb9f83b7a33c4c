"""The life of an event: entries open, running, finished, archived, and back.

`league.core.lifecycle` has the table of steps; each service here is one of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.bots.bot_matches import with_bots
from league.core.lifecycle import check_event_step
from league.draws.formats import format_of
from league.draws.round_life import close_packs
from league.errors import LeagueError
from league.events.incomplete_teams import lapse_teams
from league.models import EVENT_STATES, BracketPart, Event, EventState, Match, RoundState, to_play
from league.notices.causes import entries_opened, event_finished
from league.policy import Permission, require
from league.record.audit import change_row, locked
from league.record.locking import lock_matches
from league.record.requests import request_standings
from scoring.core.actors import Actor


@transaction.atomic
def open_entries(*, actor: Actor, event: Event) -> Event:
    """Open entries: a draft becomes visible."""
    event = _step(actor, event, EventState.OPEN, "event.open", begins=(EventState.DRAFT,))
    entries_opened(event)
    return event


@transaction.atomic
def close_to_draft(*, actor: Actor, event: Event) -> Event:
    """Take an event with open entries back to a draft."""
    return _step(actor, event, EventState.DRAFT, "event.to_draft", begins=(EventState.OPEN,))


@transaction.atomic
def start_event(*, actor: Actor, event: Event) -> Event:
    """Start an event, so that rounds can be drawn and played; refused (`too_few_entries`) with too few.

    Teams that are not complete by then lapse.
    """
    begins = (EventState.DRAFT, EventState.OPEN)
    event = _step(actor, event, EventState.RUNNING, "event.start", begins=begins, check=check_enough_entries)
    lapse_teams(actor=actor, event=event)
    # Settling with the table brings in what follows from the present entries.
    request_standings(event.pk)
    return event


@transaction.atomic
def finish_event(*, actor: Actor, event: Event, despite_unfinished: bool = False) -> Event:
    """Finish an event: sheets can still be corrected, nothing more is played.

    Refused (`unfinished`) while anything is left to play, unless `despite_unfinished`; and while bots have
    sheets to play (`bots_play`). Rounds of duplicate that were played on this site are closed, refused as by
    `close_packs`.
    """

    def check(event: Event) -> str:
        left = unfinished(event)
        check_finished(left, despite_unfinished=despite_unfinished)
        check_no_bots_play(event)
        return " ".join(left.sentences())

    event = _step(
        actor, event, EventState.FINISHED, "event.finish", begins=(EventState.RUNNING,), check=check
    )
    close_packs(actor=actor, event=event)
    event_finished(event)
    # Other places are no longer, or again, possible: here and where it is reopened.
    request_standings(event.pk)
    return event


@transaction.atomic
def reopen_event(*, actor: Actor, event: Event) -> Event:
    """Reopen a finished event; refused (`taken_over`) if its results are another program's."""
    if event.taken_over:
        raise LeagueError(
            "taken_over",
            _("The results of “%(event)s” are taken over: it stays finished.") % {"event": event},
        )
    event = _step(actor, event, EventState.RUNNING, "event.reopen", begins=(EventState.FINISHED,))
    event.lot_settled_places = False
    event.save(update_fields=["lot_settled_places"])
    request_standings(event.pk)
    return event


@transaction.atomic
def archive_event(*, actor: Actor, event: Event) -> Event:
    """Archive a finished event, after which nothing in it changes."""
    return _step(actor, event, EventState.ARCHIVED, "event.archive", begins=(EventState.FINISHED,))


@transaction.atomic
def unarchive_event(*, actor: Actor, event: Event) -> Event:
    """Take an event out of the archive."""
    return _step(actor, event, EventState.FINISHED, "event.unarchive", begins=(EventState.ARCHIVED,))


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What is left of an event: drafted rounds, matches without a result, undecided ties.

    Drafted and unreleased rounds are listed by number.
    """

    drafted: list[int] = field(default_factory=list)
    matches: list[Match] = field(default_factory=list)
    held: list[Match] = field(default_factory=list)
    ties: int = 0
    unreleased: list[int] = field(default_factory=list)

    @property
    def anything(self) -> bool:
        """True if anything is left."""
        return bool(self.drafted or self.matches or self.held or self.ties or self.unreleased)

    def sentences(self) -> list[str]:
        """One sentence per kind, with the first few by name."""
        said = []
        if self.drafted:
            said.append(
                ngettext(
                    "Round %(rounds)s is drafted and not published.",
                    "Rounds %(rounds)s are drafted and not published.",
                    len(self.drafted),
                )
                % {"rounds": ", ".join(map(str, self.drafted))}
            )
        if self.matches:
            said.append(
                ngettext(
                    "%(count)d match has no result: %(labels)s.",
                    "%(count)d matches have no result: %(labels)s.",
                    len(self.matches),
                )
                % {"count": len(self.matches), "labels": _labels(self.matches)}
            )
        if self.held:
            said.append(
                ngettext(
                    "%(count)d result is pending and does not count yet: %(labels)s.",
                    "%(count)d results are pending and do not count yet: %(labels)s.",
                    len(self.held),
                )
                % {"count": len(self.held), "labels": _labels(self.held)}
            )
        if self.ties:
            said.append(
                ngettext(
                    "%(count)d tie of the bracket is not decided.",
                    "%(count)d ties of the bracket are not decided.",
                    self.ties,
                )
                % {"count": self.ties}
            )
        if self.unreleased:
            said.append(
                ngettext(
                    "The results of round %(rounds)s are not released.",
                    "The results of rounds %(rounds)s are not released.",
                    len(self.unreleased),
                )
                % {"rounds": ", ".join(map(str, self.unreleased))}
            )
        return said


def unfinished(event: Event) -> Unfinished:
    """Return what must still happen before the event can finish."""
    drafted = event.rounds.filter(state=RoundState.DRAFTED).order_by("number")
    published = event.matches.exclude(round__state=RoundState.DRAFTED).filter(annulled=False)
    matches = published.order_by("round__number", "table", "pk")
    # A second final is only played if the first leaves both with one defeat.
    ties = event.ties.filter(winner=None, decided_by="").exclude(part=BracketPart.RESET, entry_a=None)
    return Unfinished(
        list(drafted.values_list("number", flat=True)),
        list(matches.filter(to_play(), held=False)),
        list(matches.filter(held=True)),
        ties.count(),
        list(_unreleased(event)),
    )


def check_finished(left: Unfinished, *, despite_unfinished: bool) -> None:
    """Refuse (`unfinished`) if anything is left, unless the director says so."""
    if left.anything and not despite_unfinished:
        raise LeagueError("unfinished", " ".join(left.sentences()), field="despite_unfinished")


def check_no_bots_play(event: Event) -> None:
    """Refuse (`bots_play`) while bots have sheets of the event to play."""
    playing = list(with_bots(event.matches.all()).order_by("round__number", "table", "pk"))
    if playing:
        raise LeagueError(
            "bots_play",
            _("Bots have still to play %(labels)s: wait for them, or cancel that.")
            % {"labels": _labels(playing)},
        )


def check_enough_entries(event: Event) -> str:
    """Return a note of the number of entries; refuses a start that the format does not allow."""
    count = event.entries.filter(withdrawn_at=None).count()
    format_of(event).check_start(event, count)
    return ngettext("%d entry", "%d entries", count) % count


def _step(
    actor: Actor,
    event: Event,
    to: EventState,
    action: str,
    *,
    begins: tuple[EventState, ...],
    check: Callable[[Event], str] = lambda event: "",
) -> Event:
    """Take a step of the table from the states in `begins`; `check` refuses, or returns an audit note."""
    require(actor, Permission.DIRECT, event.club)
    if EventState.DRAFT in (*begins, to):
        # The visibility of its matches changes with the event, so API followers must be told.
        lock_matches(event.matches.all())
    event = locked(event)
    check_event_step(event.name, event.state, to)
    if event.state not in begins:
        raise LeagueError(
            "wrong_state",
            _("“%(event)s” is %(state)s; for this it must be %(begins)s.")
            % {
                "event": event,
                "state": event.get_state_display(),
                "begins": ", ".join(str(EVENT_STATES[state]) for state in begins),
            },
        )
    reason = check(event)
    change_row(actor, action, event, {"state": to.value}, reason=reason)
    return event


def _unreleased(event: Event) -> Iterable[int]:
    """Return the numbers of published rounds whose results are held back."""
    if not event.holds_results:
        return []
    rounds = event.rounds.filter(released_at=None).exclude(state=RoundState.DRAFTED).order_by("number")
    return rounds.values_list("number", flat=True)


def _labels(matches: list[Match], most: int = 8) -> str:
    named = ", ".join(match.label for match in matches[:most])
    return named if len(matches) <= most else _("%(labels)s and others") % {"labels": named}
