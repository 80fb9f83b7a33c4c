"""Who is here in the next round of an evening that runs itself, and who has missed too many."""

from collections import defaultdict
from collections.abc import Mapping
from functools import partial

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.evening import stays_away
from league.errors import LeagueError
from league.events.presence import check_in_own, check_number, number_to_check_in, takes_byes
from league.matches.arrivals import not_there
from league.models import (
    Appearance,
    Entry,
    Evening,
    Event,
    EventState,
    MatchState,
    Presence,
    PresenceState,
)
from league.policy.refusals import refused
from league.record.audit import locked
from scoring.core.actors import Actor


def carry_presence(event: Event, number: int) -> tuple[list[Entry], list[Entry]]:
    """Write who is here in this round, and who is left out; returns both. The caller holds the event.

    Who was here in the round before is, and who has missed his last matches is not. What a director or a
    player has said about the round himself stands.
    """
    entries = event.entries.filter(withdrawn_at=None, first_round__lte=number).order_by("name")
    said = Presence.objects.filter(event=event, round_number=number).values("entry")
    unsaid = list(entries.exclude(pk__in=said))
    missed = _missed(event, number)
    away = [entry for entry in unsaid if stays_away(missed.get(entry.pk, []))]
    here: list[Entry] = []
    if event.check_in:
        states = (PresenceState.HERE, PresenceState.BYE)
        before = Presence.objects.filter(event=event, round_number=number - 1, state__in=states)
        were = set(before.values_list("entry", flat=True)) - {entry.pk for entry in away}
        here = [entry for entry in unsaid if entry.pk in were]
    Presence.objects.bulk_create(
        [
            Presence(event=event, entry=entry, round_number=number, state=state)
            for state, found in ((PresenceState.HERE, here), (PresenceState.AWAY, away))
            for entry in found
        ]
    )
    return here, away


def has_missed(event: Event, entry: Entry) -> bool:
    """Whether an entry has missed its last matches, and is to say that it is back to be paired again.

    Not once no round is left to be paired.
    """
    if event.state != EventState.RUNNING or not takes_byes(event) or entry.withdrawn_at is not None:
        return False
    number = number_to_check_in(event)
    if refused(partial(check_number, event, number)):
        return False
    return stays_away(_missed(event, number).get(entry.pk, []))


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


def _missed(event: Event, before: int) -> Mapping[int, list[bool]]:
    """By entry (an id): of each round before this one in which it was to play whether it has missed it.

    A team has that lost as it was not complete.
    """
    seats = not_there(Appearance.objects.filter(round__event=event))
    absent = set(seats.values_list("match", "entry"))
    rows = event.matches.filter(round__number__lt=before, annulled=False).exclude(entry_b=None)
    found: dict[int, dict[int, bool]] = defaultdict(dict)
    for match in rows.order_by("round__number", "leg", "id"):
        for side in match.sides:
            for entry in match.ids_of(side):
                lost = match.state == MatchState.WALKOVER and match.winner_side != side
                is_missed = lost and (match.pk, entry) in absent
                found[entry][match.round_id] = is_missed and found[entry].get(match.round_id, True)
    return {entry: list(by_round.values()) for entry, by_round in found.items()}
