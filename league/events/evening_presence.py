"""Who has missed too many rounds of an evening that runs itself, and says that he is back."""

from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.evening import stays_away
from league.draws.carrying import missed
from league.errors import LeagueError
from league.events.presence import check_in_own, check_number, number_to_check_in, takes_byes
from league.models import Entry, Evening, Event, EventState, Presence, PresenceState
from league.policy.refusals import refused
from league.record.audit import locked
from scoring.core.actors import Actor


def has_missed(event: Event, entry: Entry) -> bool:
    """Whether an entry has missed its last matches, and is to say that it is back to be paired again.

    Not once no round is left to be paired.
    """
    if event.state != EventState.RUNNING or not takes_byes(event) or entry.withdrawn_at is not None:
        return False
    number = number_to_check_in(event)
    if refused(partial(check_number, event, number)):
        return False
    return stays_away(missed(event, number).get(entry.pk, []))


def is_left_out(event: Event, entry: Entry) -> bool:
    """Whether an entry has missed its last matches, and nobody has said that it is back."""
    here = Presence.objects.filter(
        event=event, entry=entry, round_number=number_to_check_in(event), state=PresenceState.HERE
    )
    return has_missed(event, entry) and not here.exists()


@transaction.atomic
def come_back(*, actor: Actor, event: Event, entry: Entry) -> None:
    """Have an entry that was left out paired again from the next round on, as its own player says.

    That the actor is that player is for the caller to check. Refused: an event that does not run itself
    (`not_set`), who is not left out (`not_left_out`), and as by `check_in_own`.
    """
    event = locked(event)
    if not Evening.objects.filter(event=event).exists():
        raise LeagueError(
            "not_set", _("This event does not run itself: tell the director that you are back.")
        )
    if not is_left_out(event, entry):
        raise LeagueError("not_left_out", _("You are not left out of the next round."))
    check_in_own(actor=actor, event=event, entry=entry, number=number_to_check_in(event))
