"""Officers write to those who play in an event, or to all of a club: a mail to each, and on the record."""

import datetime
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import AuditEntry, Club, Event, NoticeKind
from league.notices.choices import reached
from league.notices.outbox import tell_letter, tells_by_mail
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from scoring.core.actors import Actor

# Letters of a club within a day: people leave a club that writes more.
MOST_A_DAY: Final = 5
_DAY: Final = datetime.timedelta(days=1)
_ACTION: Final = "letter.send"


@dataclass(frozen=True, slots=True)
class Readers:
    """To whom a letter goes: users (ids) who have an account, and those of them who are sent mail."""

    all: frozenset[int]
    reached: frozenset[int]


def readers_of(club: Club, event: Event | None) -> Readers:
    """Return the readers of a letter: of an event those who are entered, else members and players."""
    if event is None:
        users = User.objects.filter(Q(memberships__club=club) | Q(players__club=club))
    else:
        users = User.objects.filter(
            players__memberships_in_entries__entry__event=event,
            players__memberships_in_entries__entry__withdrawn_at=None,
        )
    everybody = frozenset(users.filter(is_active=True).values_list("pk", flat=True))
    return Readers(everybody, reached(NoticeKind.LETTER, club, everybody).by_mail)


def check_letter(club: Club, event: Event | None) -> Readers:
    """Refuse whatever `write_letter` refuses but for the sender; returns the readers."""
    if not tells_by_mail():
        raise LeagueError("no_mail", _("This site sends no mail."))
    readers = readers_of(club, event)
    if not readers.reached:
        raise LeagueError("nobody", _("Nobody has an address and wants mail from officers."))
    now = timezone.now()
    lately = AuditEntry.objects.filter(club=club, action=_ACTION, at__gt=now - _DAY).order_by("-at")
    sent = list(lately.values_list("at", flat=True)[:MOST_A_DAY])
    if len(sent) == MOST_A_DAY:
        again = (sent[-1] + _DAY).astimezone(club.zone)
        raise LeagueError(
            "too_many",
            _("The club has written %(count)d letters within a day. The next one may go at %(when)s.")
            % {"count": MOST_A_DAY, "when": date_format(again, "H:i")},
        )
    return readers


@transaction.atomic
def write_letter(*, actor: Actor, club: Club, subject: str, text: str, event: Event | None = None) -> int:
    """Write to those who are entered in an event, or to all of the club; returns to how many.

    The record of it is the letter: words struck out there are not sent any more. Refused: whoever does not
    direct the club (`not_allowed`), a site that sends no mail (`no_mail`), a letter that reaches nobody
    (`nobody`), an empty one (`invalid`), and more than `MOST_A_DAY` (`too_many`).
    """
    require(actor, Permission.DIRECT, club)
    locked(club)  # so that two at once are counted one after the other
    subject, text = " ".join(subject.split()), text.strip()
    for field, said in (("subject", subject), ("text", text)):
        if not said:
            raise LeagueError("invalid", _("Write something."), field=field)
    readers = check_letter(club, event)
    record = record_audit(
        actor,
        _ACTION,
        club if event is None else event,
        club=club,
        after={"subject": subject, "text": text, "readers": len(readers.reached)},
    )
    tell_letter(club, event, record, readers.reached)
    return len(readers.reached)
