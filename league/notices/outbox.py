"""The outbox: rows of what is to be told, written in the transaction of their cause, and what waits there."""

import datetime
import secrets
from collections.abc import Collection, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Min, Q, QuerySet
from django.utils import timezone

from league.models import AuditEntry, Club, Event, Match, Notice, NoticeKind, NoticeWay, Round
from league.notices.choices import Reached, reached
from league.notices.mail import sends_mail

# What is soon outdone by what follows waits so long: who signs at the table need not be asked to, and a
# result that is put right at once is told once.
_WAITS: Final[Mapping[NoticeKind, datetime.timedelta]] = {
    NoticeKind.SIGN: datetime.timedelta(minutes=10),
    NoticeKind.RESULT: datetime.timedelta(minutes=10),
}


def tells() -> bool:
    """Return whether the site tells people anything: it knows its own address, for links in what it says."""
    return bool(settings.SITE_URL)


def tells_by_mail() -> bool:
    """Return whether the site tells by mail: it sends mail, too."""
    return tells() and sends_mail()


def tell(
    kind: NoticeKind,
    event: Event,
    users: Collection[int],
    *,
    round_: Round | None = None,
    matches: Mapping[int, Collection[int]] | None = None,
) -> None:
    """Note that these users (ids) are to be told, in the transaction of the cause.

    What they are told is about the event, a round of it, or `matches`: their ids, each with the users who are
    told of it instead of `users`. Nobody who does not want it, or cannot be reached, gets a row, and others
    one by mail and one for each device, as they want it; a row about the same that still waits is replaced.
    Eight statements however many they are.
    """
    about = {None: users} if matches is None else matches
    everybody = {user for each in about.values() for user in each}
    if not everybody or not tells():
        return
    wanted = reached(kind, event.club, everybody)
    now = timezone.now()
    rows = [
        row
        for match, told in about.items()
        for user in sorted(wanted.users.intersection(told))
        for row in _rows(
            wanted, kind, user, now, club_id=event.club_id, event=event, round=round_, match_id=match
        )
    ]
    if not rows:
        return
    before = Notice.objects.filter(kind=kind, event=event, user__in=wanted.users, ended_at=None, owner="")
    before = before.filter(round=round_) if matches is None else before.filter(match__in=about)
    before.delete()
    Notice.objects.bulk_create(rows)


def tell_club(kind: NoticeKind, club: Club, users: Collection[int]) -> None:
    """Note that these users (ids) are to be told something of a club, once however often it waits."""
    if not users or not tells():
        return
    now = timezone.now()
    wanted = reached(kind, club, users)
    before = Notice.objects.filter(kind=kind, club=club, user__in=wanted.users, ended_at=None, owner="")
    before.filter(letter=None).delete()
    rows = [row for user in sorted(wanted.users) for row in _rows(wanted, kind, user, now, club=club)]
    Notice.objects.bulk_create(rows)


def tell_letter(club: Club, event: Event | None, letter: AuditEntry, users: Collection[int]) -> None:
    """Note that these users (ids), who want to be told, are to be sent what an officer has written."""
    now = timezone.now()
    rows = [
        _row(NoticeKind.LETTER, user, now, club=club, event=event, letter=letter) for user in sorted(users)
    ]
    Notice.objects.bulk_create(rows)


def tell_of_record(kind: NoticeKind, club: Club, entry: AuditEntry, users: Collection[int]) -> None:
    """Note that these users (ids) are to be told what stands on the club's record, if they want to know."""
    if not users or not tells():
        return
    now, wanted = timezone.now(), reached(kind, club, users)
    about = {"club": club, "letter": entry}
    Notice.objects.bulk_create(
        [row for user in sorted(wanted.users) for row in _rows(wanted, kind, user, now, **about)]
    )


def _rows(wanted: Reached, kind: NoticeKind, user: int, now: datetime.datetime, **about: Any) -> list[Notice]:
    """The rows by which a user is told of something: by mail, and on his devices."""
    rows = [_row(kind, user, now, **about)] if user in wanted.by_mail else []
    for device in wanted.devices.get(user, ()):
        rows.append(_row(kind, user, now, way=NoticeWay.PUSH, device_id=device, **about))
    return rows


def _row(kind: NoticeKind, user: int, now: datetime.datetime, **about: Any) -> Notice:
    return Notice(
        user_id=user,
        kind=kind,
        message_id=f"<{secrets.token_hex(16)}@{urlsplit(settings.SITE_URL).hostname}>",
        made_at=now,
        due_at=now + _WAITS.get(kind, datetime.timedelta()),
        **about,
    )


def ready_at(notice: Notice) -> datetime.datetime:
    """When the notice could be sent first, whatever its reader has chosen."""
    return notice.made_at + _WAITS.get(NoticeKind(notice.kind), datetime.timedelta())


def waiting(now: datetime.datetime) -> QuerySet[Notice]:
    """The rows that are due and that nobody holds, the longest due first."""
    return Notice.objects.due(now)


def mail_waits_since(now: datetime.datetime) -> datetime.datetime | None:
    """Since when a mail waits that should have been sent, in one query; None if none does.

    One that could not be sent waits since it was made, any other since it is due.
    """
    found = Notice.objects.filter(way=NoticeWay.MAIL, ended_at=None).aggregate(
        due=Min("due_at", filter=Q(tries=0, due_at__lte=now)), failed=Min("made_at", filter=Q(tries__gt=0))
    )
    return min((at for at in found.values() if at is not None), default=None)


def told_of(matches: QuerySet[Match]) -> Mapping[int, set[int]]:
    """The users (ids) who sit in each of the matches (by id), substitutes too, in one query."""
    seats = matches.order_by().filter(appearances__player__user__isnull=False)
    found: dict[int, set[int]] = {}
    for match, user in seats.values_list("pk", "appearances__player__user"):
        found.setdefault(match, set()).add(user)
    return found
