"""Sending what waits in the outbox: each row once, whatever becomes of the worker and of the mail server.

A worker takes one row at a time in a statement of its own, sends it, and notes that at once, before it takes
the next. One that is killed in between leaves the one row that it held, which another worker takes when the
lease is over: that mail alone may come twice, with the same Message-ID.
"""

import datetime
import logging
import secrets
import time
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.utils import timezone

from league.core.notice_times import earliest
from league.models import Notice, NoticeChoices, NoticeEnd
from league.notices.choices import choices_of
from league.notices.letters import letter
from league.notices.mail import Post, PutOff, Refused
from league.notices.outbox import ready_at, tells, waiting
from league.notices.words import NotYet, Said, said_by
from league.policy.naming import names_for

_log = logging.getLogger(__name__)

# Longer than a mail takes on a server that answers each command at the last moment (`EMAIL_TIMEOUT`).
LEASE: Final = datetime.timedelta(minutes=5)
# What could not be sent for so long is old news.
LATEST: Final = datetime.timedelta(days=3)
# After a failure, doubled with each one up to the last.
_PAUSE: Final = datetime.timedelta(minutes=1)
_LONGEST_PAUSE: Final = datetime.timedelta(hours=1)
# After so many a notice that no words are found for is given up: two hours after it was due.
_MOST_FAULTS: Final = 8
# Ids that are looked up at once, and notices in one mail.
_LOOKED_UP: Final = 100
_MOST_IN_DIGEST: Final = 50
# After which a run leaves the rest to the next sweep.
_SECONDS: Final = 50.0


def notices_wait(now: datetime.datetime) -> bool:
    """Return whether there is anything to send."""
    return tells() and waiting(now).exists()


def deliver(*, seconds: float = _SECONDS) -> int:
    """Send what is due, as long as there is time; returns how many mails were sent.

    Any number of workers may do so at once. If the server is down the rest waits for the next sweep.
    """
    if not tells():
        return 0
    sent, until = 0, time.monotonic() + seconds
    with Post() as post:
        while ids := list(waiting(timezone.now()).values_list("pk", flat=True)[:_LOOKED_UP]):
            for pk in ids:
                if time.monotonic() > until:
                    return sent
                held = _Held(pk)
                if not held.ids:
                    continue
                try:
                    sent += held.deliver(post)
                except PutOff:
                    return sent
    return sent


class _Held:
    """One waiting row that this worker has taken, and those that go with it in one mail; none if taken."""

    def __init__(self, pk: int) -> None:
        self._owner = secrets.token_hex(8)
        self.ids: list[int] = []
        self._take([pk])

    def deliver(self, post: Post) -> int:
        """Send it, end it unsent, or leave it for later; returns the number of mails.

        `PutOff` if the server is down.
        """
        now = timezone.now()
        notice = next(iter(self._notices()), None)
        if notice is None:  # what it was about is gone since
            return 0
        user, club = notice.user, notice.club
        choices = choices_of(user, club)
        if not user.is_active or not user.email or not choices.wants(notice.kind):
            return self._end(NoticeEnd.DROPPED)
        if now - notice.made_at > LATEST:
            return self._end(NoticeEnd.LATE)
        if (at := _at(notice, choices, now)) > now:
            return self._leave(at)
        try:
            validate_email(user.email)
        except ValidationError as error:
            return self._end(NoticeEnd.REFUSED, error.messages[0])
        notices = [notice]
        if choices.digest_at is not None:
            notices += self._together(notice, choices, now)
        names = names_for(user, club)
        said: list[tuple[Notice, Said]] = []
        for each in notices:
            try:
                words = said_by(each, user, names)
            except NotYet:
                self._leave(now + _PAUSE, ids=[each.pk])
                continue
            except Exception:  # noqa: BLE001 - a defect of the product, which others' notices do not wait for
                _log.exception("notice %s cannot be worded (try %s)", each.pk, each.tries + 1)
                if each.tries + 1 >= _MOST_FAULTS:
                    self._end(NoticeEnd.LATE, ids=[each.pk])
                else:
                    self._leave(now + _pause(each.tries), ids=[each.pk], tries=each.tries + 1)
                continue
            if words is None:
                self._end(NoticeEnd.DROPPED, ids=[each.pk])
            else:
                said.append((each, words))
        if not said:
            return 0
        # That of the first, which is the same whenever it is tried again.
        message_id = said[0][0].message_id
        mail = letter(user=user, club=club, said=[words for _each, words in said], message_id=message_id)
        try:
            post.send(mail)
        except Refused as error:
            _log.warning("a notice was refused: %s", str(error)[:3])
            return self._end(NoticeEnd.REFUSED, str(error))
        except PutOff as error:
            _log.warning("a notice is put off: %s", str(error)[:3] if not error.is_down else error)
            self._leave(now + _pause(notice.tries), tries=notice.tries + 1, answer=str(error)[:200])
            if error.is_down:
                raise
            return 0
        self._end(NoticeEnd.SENT)
        return 1

    def _together(self, first: Notice, choices: NoticeChoices, now: datetime.datetime) -> list[Notice]:
        """Take the other rows that are due in the same mail."""
        others = waiting(now).filter(user=first.user_id, club=first.club_id).exclude(pk=first.pk)
        due = [
            each.pk
            for each in others[: _MOST_IN_DIGEST - 1]
            if choices.wants(each.kind) and _at(each, choices, now) <= now
        ]
        self._take(due)
        return [each for each in self._notices() if each.pk != first.pk]

    def _take(self, ids: Sequence[int]) -> None:
        now = timezone.now()
        free = waiting(now).order_by().filter(pk__in=ids)
        if ids and free.update(owner=self._owner, claimed_until=now + LEASE):
            taken = Notice.objects.filter(pk__in=ids, owner=self._owner).order_by()
            self.ids += taken.values_list("pk", flat=True)

    def _notices(self) -> list[Notice]:
        rows = self._rows().select_related("user", "club", "event__club", "round", "letter")
        return list(rows.order_by("due_at", "pk"))

    def _rows(self) -> QuerySet[Notice]:
        return Notice.objects.filter(pk__in=self.ids, owner=self._owner, ended_at=None)

    def _leave(self, at: datetime.datetime, *, ids: Sequence[int] | None = None, **values: object) -> int:
        """Give the rows back until then."""
        rows = self._rows() if ids is None else self._rows().filter(pk__in=ids)
        rows.update(owner="", claimed_until=None, due_at=at, **values)
        return 0

    def _end(self, end: NoticeEnd, answer: str = "", *, ids: Sequence[int] | None = None) -> int:
        rows = self._rows() if ids is None else self._rows().filter(pk__in=ids)
        now = timezone.now()
        rows.update(owner="", claimed_until=None, ended_at=now, end=end, answer=answer[:200])
        return 0


def _at(notice: Notice, choices: NoticeChoices, now: datetime.datetime) -> datetime.datetime:
    zone = choices.club.zone
    quiet = None
    if choices.quiet_from is not None and choices.quiet_until is not None:
        quiet = (choices.quiet_from, choices.quiet_until)
    return earliest(
        ready_at(notice).astimezone(zone), now.astimezone(zone), quiet=quiet, digest=choices.digest_at
    )


def _pause(tries: int) -> datetime.timedelta:
    """How long to wait after a failure with so many before it."""
    return min(_PAUSE * (1 << min(tries, 10)), _LONGEST_PAUSE)
