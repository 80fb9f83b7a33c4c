"""Sending what waits in the outbox: each row once, whatever becomes of the worker and of other servers.

A worker takes one row at a time in a statement of its own, sends it, and notes that at once, before it takes
the next. One that is killed in between leaves the one row that it held, which another worker takes when the
lease is over: that mail alone may come twice, with the same Message-ID. A message on a device comes with the
same topic then, and is shown once.
"""

import datetime
import logging
import time
from collections.abc import Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import QuerySet
from django.utils import timezone

from league.core.notice_times import earliest
from league.models import Notice, NoticeChoices, NoticeEnd, NoticeWay, PushDevice
from league.notices.bounces import is_off, note_bounce, return_path
from league.notices.choices import choices_of
from league.notices.claiming import TakenRows
from league.notices.letters import letter
from league.notices.mail import Post, PutOff, Refused, sends_mail
from league.notices.outbox import ready_at, tells, waiting
from league.notices.push import Gone, Later, PushMessage, Unwanted, push, topic_of
from league.notices.saying import NotYet, Said
from league.notices.words import said_by
from league.policy.age import minors_among
from league.policy.naming import names_for

_log = logging.getLogger(__name__)

# Longer than a mail takes on a server that answers each command at the last moment (`EMAIL_TIMEOUT`), or a
# push.
LEASE: Final = datetime.timedelta(minutes=5)
# What could not be sent for so long is old news.
LATEST: Final = datetime.timedelta(days=3)
# After a failure, doubled with each one up to the last.
_PAUSE: Final = datetime.timedelta(minutes=1)
_LONGEST_PAUSE: Final = datetime.timedelta(hours=1)
# After so many a notice that no words are found for is given up: two hours after it was due.
_MOST_FAULTS: Final = 8
# A push service may ask for a longer one (`Retry-After`), up to this one.
_LONGEST_ASKED: Final = datetime.timedelta(days=1)
# Ids that are looked up at once, and notices in one mail.
_LOOKED_UP: Final = 100
_MOST_IN_DIGEST: Final = 50
# After which a run leaves the rest to the next sweep.
_SECONDS: Final = 50.0


def notices_wait(now: datetime.datetime) -> bool:
    """Return whether there is anything to send."""
    return tells() and any(_sendable(way, now).exists() for way in _ways())


def deliver(*, seconds: float = _SECONDS) -> int:
    """Send what is due, as long as there is time; returns how many messages were sent.

    Any number of workers may do so at once. If the mail server is down, mails wait for the next sweep. Mails
    go first and leave half of the time to devices that wait: neither a push service that does not answer nor
    a slow mail server holds up the other way.
    """
    if not tells():
        return 0
    sent, begun = 0, time.monotonic()
    with Post() as post:
        for way in _ways():
            is_shared = way == NoticeWay.MAIL and _sendable(NoticeWay.PUSH, timezone.now()).exists()
            sent += _deliver(way, post, begun + (seconds / 2 if is_shared else seconds))
    return sent


def _deliver(way: NoticeWay, post: Post, until: float) -> int:
    """Send what is due in one way, until then (`time.monotonic`)."""
    sent = 0
    while ids := list(_sendable(way, timezone.now()).values_list("pk", flat=True)[:_LOOKED_UP]):
        for pk in ids:
            if time.monotonic() > until:
                return sent
            held = _Held(pk)
            if not held.ids:
                continue
            try:
                sent += held.deliver(post)
            except PutOff:  # noted on the row; the server is down
                return sent
    return sent


def _ways() -> tuple[NoticeWay, ...]:
    """The ways in which the site tells, in the order of sending."""
    return (NoticeWay.MAIL, NoticeWay.PUSH) if sends_mail() else (NoticeWay.PUSH,)


def _sendable(way: NoticeWay, now: datetime.datetime) -> QuerySet[Notice]:
    return waiting(now).filter(way=way)


class _Held:
    """One waiting row that this worker has taken, and those that go with it in one mail; none if taken."""

    def __init__(self, pk: int) -> None:
        self._claim: TakenRows[Notice] = TakenRows(Notice.objects.all(), LEASE)
        self._take([pk])

    @property
    def ids(self) -> list[int]:
        """The ids of the rows."""
        return self._claim.ids

    def deliver(self, post: Post) -> int:
        """Send it, end it unsent, or leave it for later; returns the number of messages.

        `PutOff` if the mail server is down.
        """
        now = timezone.now()
        notice = next(iter(self._notices()), None)
        if notice is None:  # what it was about is gone since
            return 0
        choices = choices_of(notice.user, notice.club)
        if not _is_reached(notice) or not choices.wants(notice.kind, notice.way):
            return self._end(NoticeEnd.DROPPED)
        if now - notice.made_at > LATEST:
            return self._end(NoticeEnd.LATE)
        if (at := _at(notice, choices, now)) > now:
            return self._leave(at)
        if notice.device is not None:
            return self._push(notice, notice.device, now)
        return self._mail(post, notice, choices, now)

    def _mail(self, post: Post, notice: Notice, choices: NoticeChoices, now: datetime.datetime) -> int:
        user, club = notice.user, notice.club
        try:
            validate_email(user.email)
        except ValidationError as error:
            return self._end(NoticeEnd.REFUSED, error.messages[0])
        notices = [notice]
        if choices.digest_at is not None:
            notices += self._together(notice, choices, now)
        said = self._said(notices, now)
        if not said:
            return 0
        # That of the first, which is the same whenever it is tried again.
        message_id = said[0][0].message_id
        mail = letter(
            user=user,
            club=club,
            said=[words for _each, words in said],
            message_id=message_id,
            return_path=return_path(said[0][0], user.email),
        )
        try:
            post.send(mail)
        except Refused as error:
            _log.warning("a notice was refused: %s", str(error)[:3])
            note_bounce(user, error.status)
            return self._end(NoticeEnd.REFUSED, str(error))
        except PutOff as error:
            _log.warning("a notice is put off: %s", str(error)[:3] if not error.is_down else error)
            self._leave(now + _pause(notice), tries=notice.tries + 1, answer=str(error)[:200])
            if error.is_down:
                raise
            return 0
        self._end(NoticeEnd.SENT)
        return 1

    def _push(self, notice: Notice, device: PushDevice, now: datetime.datetime) -> int:
        said = self._said([notice], now)
        if not said:
            return 0
        words = said[0][1]
        message = PushMessage(
            title=words.title, club=notice.club.name, path=words.path, topic=topic_of(notice)
        )
        try:
            push(device, message)
        except Gone as error:
            self._end(NoticeEnd.REFUSED, str(error))
            device.delete()
            return 0
        except Unwanted as error:
            _log.warning("a push service refuses a notice: %s", error)
            return self._end(NoticeEnd.REFUSED, str(error))
        except Later as error:
            _log.warning("a push service puts a notice off: %s", error)
            asked = min(datetime.timedelta(seconds=error.seconds), _LONGEST_ASKED)
            again = now + max(_pause(notice), asked)
            self._leave(again, tries=notice.tries + 1, answer=str(error)[:200])
            # A device that cannot be reached costs others no more than one try.
            others = Notice.objects.filter(device=device, ended_at=None, owner="", due_at__lt=again)
            others.update(due_at=again)
            return 0
        self._end(NoticeEnd.SENT)
        PushDevice.objects.filter(pk=device.pk).update(reached_at=now)
        return 1

    def _said(self, notices: Sequence[Notice], now: datetime.datetime) -> list[tuple[Notice, Said]]:
        """What there is to say of these rows, which are of one reader; the others are ended or left."""
        names = names_for(notices[0].user, notices[0].club)
        said: list[tuple[Notice, Said]] = []
        for each in notices:
            try:
                words = said_by(each, each.user, names)
            except NotYet:
                self._leave(now + _PAUSE, ids=[each.pk])
                continue
            except Exception:  # noqa: BLE001 - a defect of the product, which others' notices do not wait for
                _log.exception("notice %s cannot be worded (try %s)", each.pk, each.tries + 1)
                if each.tries + 1 >= _MOST_FAULTS:
                    self._end(NoticeEnd.LATE, ids=[each.pk])
                else:
                    self._leave(now + _pause(each), ids=[each.pk], tries=each.tries + 1)
                continue
            if words is None:
                self._end(NoticeEnd.DROPPED, ids=[each.pk])
            else:
                said.append((each, words))
        return said

    def _together(self, first: Notice, choices: NoticeChoices, now: datetime.datetime) -> list[Notice]:
        """Take the other rows that are due in the same mail."""
        others = waiting(now).filter(user=first.user_id, club=first.club_id, way=first.way)
        others = others.exclude(pk=first.pk)
        due = [
            each.pk
            for each in others[: _MOST_IN_DIGEST - 1]
            if choices.wants(each.kind) and _at(each, choices, now) <= now
        ]
        self._take(due)
        return [each for each in self._notices() if each.pk != first.pk]

    def _take(self, ids: Sequence[int]) -> None:
        self._claim.take(ids)

    def _notices(self) -> list[Notice]:
        rows = self._claim.rows().select_related(
            "user__mail_bounce", "club", "event__club", "round", "letter", "device"
        )
        return list(rows.order_by("due_at", "pk"))

    def _leave(self, at: datetime.datetime, *, ids: Sequence[int] | None = None, **values: object) -> int:
        """Give the rows back until then."""
        self._claim.leave(at, ids=ids, **values)
        return 0

    def _end(self, end: NoticeEnd, answer: str = "", *, ids: Sequence[int] | None = None) -> int:
        self._claim.end(ids=ids, end=end, answer=answer)
        return 0


def _is_reached(notice: Notice) -> bool:
    """Whether the reader can still be told in this way, and may be."""
    user = notice.user
    is_there = user.email and not is_off(user) if notice.way == NoticeWay.MAIL else notice.device is not None
    return bool(is_there) and user.is_active and not minors_among([user.pk])


def _pause(notice: Notice) -> datetime.timedelta:
    """How long to wait after another failure."""
    times: int = 2 ** min(notice.tries, 10)
    return min(_PAUSE * times, _LONGEST_PAUSE)


def _at(notice: Notice, choices: NoticeChoices, now: datetime.datetime) -> datetime.datetime:
    """When it is to be told: not in quiet hours, and a mail at the hour of all in one."""
    zone = choices.club.zone
    quiet = None
    if choices.quiet_from is not None and choices.quiet_until is not None:
        quiet = (choices.quiet_from, choices.quiet_until)
    digest = choices.digest_at if notice.way == NoticeWay.MAIL else None
    return earliest(ready_at(notice).astimezone(zone), now.astimezone(zone), quiet=quiet, digest=digest)
