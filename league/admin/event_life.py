"""The steps of an event's life as acts, each with a preview of what it changes."""

from collections.abc import Callable
from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrOrPromise

from league.acts import Act, ActForm, Data, Preview, passes
from league.events import event_life
from league.events.next_step import next_step
from league.matches import matches
from league.models import Event, EventKind, EventState, RequestState


class FinishForm(ActForm):
    """Asks for confirmation if anything is unfinished."""

    despite_unfinished = forms.BooleanField(
        label=gettext_lazy("Finish it all the same"),
        help_text=gettext_lazy("What has no result stays without one, and does not count."),
        error_messages={"required": gettext_lazy("Tick this if it is to be finished as it is.")},
    )

    def prepare(self, row: Event) -> None:
        left = event_life.unfinished(row)
        if left.anything:
            self.asks = " ".join(left.sentences())
        else:
            del self.fields["despite_unfinished"]


def _notice(*sentences: StrOrPromise) -> Callable[[Event, Data], Preview]:
    return lambda event, data: Preview(sentences)


def _preview_start(event: Event, data: Data) -> Preview:
    count = event_life.check_enough_entries(event)
    entered = event.entries.filter(withdrawn_at=None).count()
    lines = [
        f"{count}, {event.get_format_display()}.",
        _("Rounds can then be drawn and played; whoever is entered later will be a late entry.")
        if event.counts_rounds
        else _("Challenges can then be made; whoever is entered later will start at the foot."),
    ]
    unseated = entered - len(matches.usual_line_ups(event))
    if event.kind == EventKind.TEAM and unseated > 0:
        lines.append(
            _(
                "Teams with more members than play on a side will get their sheets once their "
                "line-ups are set."
            )
        )
    if incomplete := event.entry_requests.filter(state=RequestState.FORMING).count():
        words = ngettext(
            "%d team is not complete and will not play; its people will be told.",
            "%d teams are not complete and will not play; their people will be told.",
            incomplete,
        )
        lines.append(words % incomplete)
    return Preview(lines)


def _preview_finish(event: Event, data: Data) -> Preview:
    left = event_life.unfinished(event)
    event_life.check_finished(left, despite_unfinished=data.get("despite_unfinished", False))
    return Preview(
        [
            *left.sentences(),
            _("Nothing more will be paired or played; sheets can still be corrected."),
            _("It can be reopened."),
        ]
    )


def _step(
    slug: str,
    title: StrOrPromise,
    service: Callable[..., Event],
    *states: EventState,
    preview: Callable[[Event, Data], Preview],
    form: type[ActForm] = ActForm,
    check: Callable[[Event], object] | None = None,
) -> Act[Event]:
    """An act for a step of the event's life; its message names the next step.

    It is offered in the given states, where the `check` accepts the event.
    """
    return Act(
        slug=slug,
        title=title,
        form=form,
        preview=preview,
        run=lambda by, event, data: next_step(service(actor=by, event=event, **data)),
        offered=lambda event: (
            event.state in states
            and not (slug == "reopen" and event.taken_over)
            and (check is None or passes(check, event))
        ),
    )


BEGINNING: Final[tuple[Act[Event], ...]] = (
    _step(
        "open",
        gettext_lazy("Open the entries"),
        event_life.open_entries,
        EventState.DRAFT,
        preview=_notice(
            gettext_lazy("Members will see the event and who is entered."),
            gettext_lazy("Nothing will be drawn before it is started."),
        ),
    ),
    _step(
        "start",
        gettext_lazy("Start the event"),
        event_life.start_event,
        EventState.DRAFT,
        EventState.OPEN,
        preview=_preview_start,
        check=event_life.check_enough_entries,
    ),
)

ENDING: Final[tuple[Act[Event], ...]] = (
    _step(
        "finish",
        gettext_lazy("Finish the event"),
        event_life.finish_event,
        EventState.RUNNING,
        preview=_preview_finish,
        form=FinishForm,
    ),
    _step(
        "archive",
        gettext_lazy("Put it in the archive"),
        event_life.archive_event,
        EventState.FINISHED,
        preview=_notice(
            gettext_lazy("It will no longer change: no sheet can be corrected, no points given."),
            gettext_lazy("Its pages will stay. It can be taken out of the archive again."),
        ),
    ),
)

BACK: Final[tuple[Act[Event], ...]] = (
    _step(
        "to-draft",
        gettext_lazy("Back to a draft"),
        event_life.close_to_draft,
        EventState.OPEN,
        preview=_notice(
            gettext_lazy("Members will no longer see the event until its entries are opened again.")
        ),
    ),
    _step(
        "reopen",
        gettext_lazy("Reopen the event"),
        event_life.reopen_event,
        EventState.FINISHED,
        preview=_notice(gettext_lazy("The event will run again: rounds can be paired and sheets be played.")),
    ),
    _step(
        "unarchive",
        gettext_lazy("Take it out of the archive"),
        event_life.unarchive_event,
        EventState.ARCHIVED,
        preview=_notice(gettext_lazy("It will be possible to correct its sheets again.")),
    ),
)
