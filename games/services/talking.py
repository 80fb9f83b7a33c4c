"""What members may say to each other at a table: a few set phrases, where the club has switched them on.

Only those who play are told them, at a table of teams all of them, and each may choose not to be. A phrase is
no move: it changes neither the version nor a clock.
"""

import datetime
from typing import Final

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.models import Phrase, TableMatch, TablePhrase, TableSeat
from games.services.hands import seats_of
from games.services.members import check_seat, table_over
from scoring.core.actors import Actor
from scoring.services.acts import locked_sheet

# Between two phrases of a seat.
QUIET_SECONDS: Final = 10


@transaction.atomic
def say(*, actor: Actor, match: TableMatch, seat: int, phrase: str) -> None:
    """Sends a phrase (a value of `Phrase`) to the other seats; whether it is heard there is not told.

    Refuses `not_your_seat`, `table_over`, `no_phrases` (they are not switched on, or no two members play),
    `unknown_phrase`, and `too_soon` within `QUIET_SECONDS` of the last.
    """
    found = _held(actor, match, seat)[seat].match
    if not found.has_phrases:
        raise GameError("no_phrases", _("Nothing is said at this table."))
    if phrase not in Phrase.values:
        raise GameError("unknown_phrase", _("There is no such phrase."), field="phrase")
    now = timezone.now()
    since = now - datetime.timedelta(seconds=QUIET_SECONDS)
    if TablePhrase.objects.filter(match=found, seat=seat, said_at__gt=since).exists():
        raise GameError(
            "too_soon",
            _("You have just said something; wait %(seconds)d seconds.") % {"seconds": QUIET_SECONDS},
        )
    TablePhrase.objects.create(match=found, seat=seat, phrase=phrase, said_at=now)
    _tell(found)


def mute(*, actor: Actor, match: TableMatch, seat: int) -> None:
    """Shows this seat no phrases of others any more, also none that were sent before.

    Refuses `not_your_seat` and `table_over`.
    """
    _hear(actor, match, seat, is_deaf=True)


def unmute(*, actor: Actor, match: TableMatch, seat: int) -> None:
    """Shows this seat the phrases of others again; refuses as `mute`."""
    _hear(actor, match, seat, is_deaf=False)


@transaction.atomic
def _hear(actor: Actor, match: TableMatch, seat: int, *, is_deaf: bool) -> None:
    chair = _held(actor, match, seat)[seat]
    if chair.is_deaf != is_deaf:
        TableSeat.objects.filter(pk=chair.pk).update(is_deaf=is_deaf)
        _tell(chair.match)


def _held(actor: Actor, match: TableMatch, seat: int) -> dict[int, TableSeat]:
    """All seats of a table under the lock of its sheet."""
    sheet = locked_sheet(match.sheet)
    chairs = seats_of(match)
    check_seat(actor, sheet, chairs.get(seat))
    if not chairs[seat].match.is_live:
        raise table_over()
    return chairs


def _tell(match: TableMatch) -> None:
    TableMatch.objects.filter(pk=match.pk).update(asides=F("asides") + 1)
