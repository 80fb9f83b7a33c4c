"""Checking in by oneself at the venue: a code on the wall, open for the time that an officer sets."""

import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.core.secrets import digest_of, new_secret
from league.errors import LeagueError
from league.events.presence import check_in_own, check_open
from league.models import Entry, Event, SelfCheckIn
from league.policy import Permission, require
from league.policy.own import own_entry
from league.record.audit import locked, record_audit
from scoring.core.actors import Actor, ActorKind

MOST_MINUTES: Final = 720


@transaction.atomic
def open_self_check_in(*, actor: Actor, event: Event, number: int, minutes: int) -> str:
    """Let members check in for round `number` for so many minutes from now; returns the code's secret.

    It is shown once, as its digest alone is stored; the one before it opens nothing any more. Refused: a
    round whose check-in is not open, as by `presence.set_presence`, and minutes outside 1 to `MOST_MINUTES`
    (`out_of_range`).
    """
    require(actor, Permission.RECORD, event.club)
    event = check_open(locked(event), number)
    if not 1 <= minutes <= MOST_MINUTES:
        raise LeagueError(
            "out_of_range",
            _("Between 1 and %(most)d minutes.") % {"most": MOST_MINUTES},
            field="minutes",
        )
    secret, digest = new_secret()
    closes_at = timezone.now() + datetime.timedelta(minutes=minutes)
    SelfCheckIn.objects.update_or_create(
        event=event, defaults={"round_number": number, "digest": digest, "closes_at": closes_at}
    )
    record_audit(
        actor,
        "presence.open",
        event,
        after={"round": number, "expires_at": closes_at.isoformat(timespec="minutes")},
    )
    return secret


@transaction.atomic
def close_self_check_in(*, actor: Actor, event: Event) -> None:
    """Let nobody check in by himself any more; closing twice changes nothing."""
    require(actor, Permission.RECORD, event.club)
    event = locked(event)
    gone, _tables = SelfCheckIn.objects.filter(event=event).delete()
    if gone:
        record_audit(actor, "presence.close", event)


def door_with(secret: str) -> SelfCheckIn | None:
    """The self check-in that this secret opens or has opened, with its event and club; None for any other."""
    rows = SelfCheckIn.objects.select_related("event__club", "event__rules")
    return rows.filter(digest=digest_of(secret)).first()


@transaction.atomic
def check_in_oneself(*, actor: Actor, door: SelfCheckIn, code: str = "") -> Entry:
    """Mark the entry that the actor plays for as here, in the round that the check-in is for.

    Of several it is the one with this `code`, without one the first. Refused: a check-in that is over
    (`closed`), who is not entered, or does not play for that entry (`not_entered`), who is here already
    (`here_already`), and as by `presence.set_presence`.
    """
    event = locked(door.event)
    now = SelfCheckIn.objects.filter(pk=door.pk, digest=door.digest).first()
    if now is None or now.closes_at <= timezone.now():
        raise LeagueError("closed", closed_words(door))
    entry = own_entry(int(actor.id), event, code) if actor.kind is ActorKind.USER else None
    if entry is None:
        raise LeagueError("not_entered", _("You are not entered in “%(event)s”.") % {"event": event})
    check_in_own(actor=actor, event=event, entry=entry, number=now.round_number)
    return entry


def closed_words(door: SelfCheckIn) -> str:
    """That a check-in is over, by the club's clock."""
    at = date_format(door.closes_at.astimezone(door.event.club.zone), "H:i")
    return _("Checking in by this code ended at %(time)s: ask at the director's table.") % {"time": at}
