"""Addresses from which mail comes back: noting it, and telling them apart by the return path.

A mail server that cannot deliver a mail reports that to its return path, later and by mail (RFC 3464). Each
notice has one of its own, where the site has an address for reports (`BOUNCE_ADDRESS`): what stands after
“+” in it is the notice with a code that only the site can make, of the notice and the reader's address.
"""

import base64
import datetime
from enum import Enum
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from league.core.bounces import Fault, Report, fault_of
from league.models import MailBounce, Notice, NoticeEnd

_SALT: Final = "league.notices.bounces"
# Characters of the code: 100 bits. Servers may write a local part in lower case, so there are no capitals.
_CODE: Final = 20
# RFC 5321, 4.5.3.1.1; what is added is “+”, an id of 19 digits at most, “-” and the code.
LONGEST_LOCAL_PART: Final = 64
LONGEST_TOKEN: Final = 1 + 19 + 1 + _CODE
# What may be an address's fault is one when it has come back so often, on as many days.
MOST_TIMES: Final = 3
_A_DAY: Final = datetime.timedelta(days=1)
# After so long without it counts from the beginning.
COUNTED_FOR: Final = datetime.timedelta(days=30)


class BounceOutcome(Enum):
    """What a report changed."""

    OFF = "off"
    COUNTED = "counted"
    KNOWN = "known"
    NOT_COUNTED = "not counted"
    UNKNOWN = "unknown"


def comes_back() -> Q:
    """A condition for users whose address is switched off, as mail to it comes back."""
    return Q(mail_bounce__off_at__isnull=False, mail_bounce__address=F("email"))


def is_off(user: User) -> bool:
    """Whether the user's address is switched off; `mail_bounce` is asked for unless it is loaded."""
    return bounce_of(user) is not None


def bounce_of(user: User) -> MailBounce | None:
    """Why the user's address is switched off; None if it is not."""
    row: MailBounce | None = getattr(user, "mail_bounce", None)
    return row if row is not None and row.off_at is not None and row.address == user.email else None


def switch_on(user: User) -> None:
    """Have mail sent to the user's address again, at his own wish or because it is verified."""
    MailBounce.objects.filter(user=user).delete()


def return_path(notice: Notice, address: str) -> str | None:
    """The return path of a notice that is mailed to this address; None where the site has none."""
    local, _at, domain = settings.BOUNCE_ADDRESS.rpartition("@")
    if not local:
        return None
    return f"{local}+{notice.pk}-{_code(notice.pk, address)}@{domain}"


def take_report(report: Report, handed_over: str = "") -> BounceOutcome:
    """Note what a report says of the notice to whose return path it came.

    `handed_over` is the address by which the mail server had it, if that said so. Nothing is changed by one
    that came to no return path of ours, or whose reader has another address by now (`UNKNOWN`), that tells
    of a notice of which it was told before (`KNOWN`), or of a failure that is not the address's.
    """
    parts = [_parts(address) for address in ((handed_over,) if handed_over else report.came_to)]
    told = next((each for each in parts if each is not None), None)
    if told is None:
        return BounceOutcome.UNKNOWN
    with transaction.atomic():
        rows = Notice.objects.select_for_update(of=("self",)).select_related("user")
        notice = rows.filter(pk=told[0]).first()
        if notice is None or not constant_time_compare(_code(notice.pk, notice.user.email), told[1]):
            return BounceOutcome.UNKNOWN
        if fault_of(report.status) is Fault.OTHER:
            return BounceOutcome.NOT_COUNTED
        if notice.end == NoticeEnd.REFUSED:
            return BounceOutcome.KNOWN
        Notice.objects.filter(pk=notice.pk).update(
            end=NoticeEnd.REFUSED, answer=report.status, ended_at=notice.ended_at or timezone.now()
        )
        return BounceOutcome.OFF if note_bounce(notice.user, report.status) else BounceOutcome.COUNTED


@transaction.atomic
def note_bounce(user: User, status: str) -> bool:
    """Note that the user's address was refused for good; returns whether it is switched off by now.

    Where the fault is the address's, by the status code (RFC 3463), once is enough; where it may be, it takes
    `MOST_TIMES` on as many days. Any other says nothing of the address and is not noted.
    """
    fault, now = fault_of(status), timezone.now()
    if fault is Fault.OTHER:
        return False
    fresh = {"address": user.email, "status": status, "at": now}
    row, is_new = MailBounce.objects.select_for_update(of=("self",)).get_or_create(user=user, defaults=fresh)
    if not is_new and (row.address != user.email or (row.off_at is None and now - row.at > COUNTED_FOR)):
        row.address, row.times, row.off_at, is_new = user.email, 1, None, True
    if not is_new and now - row.at >= _A_DAY:
        row.times += 1
        row.at = now
    row.status = status
    if row.off_at is None and (fault is Fault.ADDRESS or row.times >= MOST_TIMES):
        row.off_at = now
    if is_new:
        row.at = now
    row.save()
    return row.off_at is not None


def _parts(address: str) -> tuple[int, str] | None:
    """The notice (an id) and the code that a return path names; None for any other address."""
    local, _at, domain = address.strip().strip("<>").lower().rpartition("@")
    base, _at, base_domain = settings.BOUNCE_ADDRESS.lower().rpartition("@")
    pk, dash, code = local.removeprefix(f"{base}+").partition("-")
    ours = base and local.startswith(f"{base}+") and domain == base_domain and dash
    return (int(pk), code) if ours and pk.isascii() and pk.isdigit() and len(pk) <= 18 else None


def _code(pk: int, address: str) -> str:
    made = salted_hmac(_SALT, f"{pk} {address}", algorithm="sha256").digest()
    return base64.b32encode(made).decode().lower()[:_CODE]
