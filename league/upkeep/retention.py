"""Forgetting: what is stored about persons is kept for so many days (`settings.KEEP_DAYS`), and then goes.

The sweep does it, in portions of their own transactions, and never waits for a row that somebody else holds.
"""

import datetime
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import F, Model, Q, QuerySet

from league.matches.offers import OFFER_DAYS
from league.models import (
    ApiToken,
    AuditEntry,
    DailyHand,
    Deletion,
    GameOffer,
    ImportDraft,
    Invitation,
    MailBounce,
    Notice,
    OnlineOffer,
    PlayerAbsence,
    ProposedTime,
    SignUp,
    SweepMark,
    WebhookDelivery,
)
from league.notices.bounces import COUNTED_FOR
from scoring.models import Traced
from scoring.services.receipts import RECEIPTS, forget_receipts, kept_receipts

# Rows that one transaction forgets, and the seconds after which a sweep leaves the rest to the next one.
PORTION: Final = 500
_SECONDS: Final = 20.0
# Uploaded files wait this long for their confirmation.
DRAFT_DAYS: Final = 1
# So long days on which somebody was away are kept once they are over.
ABSENCE_DAYS: Final = 30
# So long times are kept that nobody can accept any more.
PROPOSAL_DAYS: Final = 7
# So long daily hands are kept, with what everybody made of them.
DAILY_DAYS: Final = 30
# Who has signed up verifies his address within so many days.
SIGN_UP_DAYS: Final = 3
_BLANK: Final = "–"

_Rows = QuerySet[Any]


@dataclass(frozen=True, slots=True)
class _Over:
    """Rows of one table whose time is over by the column `by`, and what becomes of them."""

    rows: _Rows
    by: str
    forget: Callable[[_Rows], object]


@dataclass(frozen=True, slots=True)
class Lifetime:
    """For how long something is kept: by default what `settings.KEEP_DAYS` says, at `least` so many days.

    `over` yields the rows that were over at a time.
    """

    name: str
    least: int
    over: Callable[[datetime.datetime], Iterable[_Over]]
    fixed: int | None = None

    @property
    def days(self) -> int:
        """The number of days."""
        kept: dict[str, int] = settings.KEEP_DAYS
        return kept[self.name] if self.fixed is None else self.fixed


def forget_what_is_over(now: datetime.datetime) -> bool:
    """Forget all whose time is over; returns False if something is left to the next sweep."""
    until = time.monotonic() + _SECONDS
    for lifetime in LIFETIMES:
        for over in lifetime.over(now - datetime.timedelta(days=lifetime.days)):
            while _forget_portion(over):
                if time.monotonic() > until:
                    return False
    return True


def _forget_portion(over: _Over) -> bool:
    """Forget up to `PORTION` rows; returns whether there may be more."""
    if not over.rows.exists():  # without a transaction: most sweeps find nothing, and SQLite has one writer
        return False
    with transaction.atomic():
        rows = over.rows.select_for_update(skip_locked=True, of=("self",)).order_by(over.by, "pk")
        ids = [row.pk for row in rows.only("pk")[:PORTION]]
        over.forget(over.rows.model._base_manager.filter(pk__in=ids))
    return len(ids) == PORTION


def _since(by: str, *models: type[Model]) -> Callable[[datetime.datetime], Iterator[_Over]]:
    """All rows of these tables whose time by the column is before that."""

    def over(before: datetime.datetime) -> Iterator[_Over]:
        return (_deleted(model._base_manager.filter(**{f"{by}__lt": before}), by) for model in models)

    return over


def _addresses(before: datetime.datetime) -> Iterator[_Over]:
    for model in apps.get_models():
        if issubclass(model, Traced):
            written: _Rows = model._base_manager.filter(address__isnull=False)
            yield _Over(written.filter(at__lt=before), "at", lambda found: found.update(address=None))


def _sessions(before: datetime.datetime) -> Iterator[_Over]:
    # Its own end says when: so many days after it began.
    ended = before + datetime.timedelta(days=settings.KEEP_DAYS["sessions"])
    yield _deleted(Session.objects.filter(expire_date__lt=ended), "expire_date")
    yield _deleted(UserSession.objects.filter(created_at__lt=before), "created_at")


def _sign_ups(before: datetime.datetime) -> Iterator[_Over]:
    waiting = SignUp.objects.filter(at__lt=before, user__memberships=None)
    yield _Over(waiting, "at", lambda found: User.objects.filter(pk__in=found.values("pk")).delete())


def _invitations(before: datetime.datetime) -> Iterator[_Over]:
    ended = Q(accepted_at__lt=before) | Q(revoked_at__lt=before) | Q(expires_at__lt=before)
    yield _Over(Invitation.objects.filter(ended).exclude(email=""), "expires_at", _forget_invited)


def _receipts(before: datetime.datetime) -> Iterator[_Over]:
    for model in RECEIPTS:
        rows = kept_receipts(model).filter(at__lt=before)
        yield _Over(rows, "at", lambda found: forget_receipts(list(found)))


def _bounces(before: datetime.datetime) -> Iterator[_Over]:
    # What switches an address off stays as long as that is the account's.
    idle = Q(off_at=None) | ~Q(address=F("user__email"))
    yield _deleted(MailBounce.objects.filter(idle, at__lt=before), "at")


def _deletions(before: datetime.datetime) -> Iterator[_Over]:
    over = Deletion.objects.filter(at__lt=before)
    if over.exists():
        note_deletions_since(before)
        yield _deleted(over, "at")


def note_deletions_since(at: datetime.datetime) -> None:
    """Note that deletions from this time on alone can be told; done before they are forgotten.

    Who follows from an earlier time is told to begin anew (`league.api.paging`).
    """
    SweepMark.objects.get_or_create(pk=1)
    earlier = Q(deletions_since=None) | Q(deletions_since__lt=at)
    SweepMark.objects.filter(earlier, pk=1).update(deletions_since=at)


def _deleted(rows: _Rows, by: str) -> _Over:
    return _Over(rows, by, lambda found: found.delete())


def _forget_invited(invitations: _Rows) -> None:
    """Take the addresses from invitations, and from what the audit noted of them.

    One is left to the next sweep while somebody else, who erases a person, holds what was noted of it.
    """
    ids = [str(pk) for pk in invitations.values_list("pk", flat=True)]
    about = AuditEntry.objects.filter(object_type="invitation", object_id__in=ids)
    free = list(about.select_for_update(skip_locked=True))
    held = set(about.exclude(pk__in=[entry.pk for entry in free]).values_list("object_id", flat=True))
    noted = [entry for entry in free if entry.object_id not in held]
    for entry in noted:
        if "@" in entry.object_name:
            entry.object_name = _BLANK
        for facts in (entry.before, entry.after):
            if facts is not None and facts.get("email"):
                facts["email"] = _BLANK
    AuditEntry._base_manager.bulk_update(noted, ["object_name", "before", "after"])
    invitations.exclude(pk__in=held).update(email="")


# In the order of the page that tells about them.
LIFETIMES: Final = (
    Lifetime("addresses", 1, _addresses),
    Lifetime("sign_ins", 1, _since("attempt_time", AccessLog, AccessAttempt, AccessFailureLog)),
    Lifetime("sessions", 1, _sessions),
    # As long as the link to verify the address is good.
    Lifetime("sign_ups", SIGN_UP_DAYS, _sign_ups, fixed=SIGN_UP_DAYS),
    Lifetime("tokens", 1, _since("expiry", ApiToken)),
    Lifetime("invitations", 1, _invitations),
    Lifetime("drafts", DRAFT_DAYS, _since("at", ImportDraft), fixed=DRAFT_DAYS),
    # Telephones and programs send again what was not answered; followers do not look every day.
    Lifetime("receipts", 7, _receipts),
    # That a last day is near is told once: what was told of it outlives the days on which it is near.
    Lifetime("notices", 4, _since("ended_at", Notice)),
    Lifetime("deliveries", 4, _since("ended_at", WebhookDelivery)),
    Lifetime("bounces", COUNTED_FOR.days, _bounces, fixed=COUNTED_FOR.days),
    Lifetime("absences", ABSENCE_DAYS, _since("over_at", PlayerAbsence), fixed=ABSENCE_DAYS),
    Lifetime("proposals", PROPOSAL_DAYS, _since("at", ProposedTime), fixed=PROPOSAL_DAYS),
    Lifetime("offers", OFFER_DAYS, _since("made_at", GameOffer, OnlineOffer), fixed=OFFER_DAYS),
    Lifetime("daily_hands", DAILY_DAYS, _since("made_at", DailyHand), fixed=DAILY_DAYS),
    Lifetime("deletions", 7, _deletions),
)
LONGEST: Final = 3650


def days_of(name: str) -> int:
    """The days of the lifetime of this name."""
    return next(lifetime.days for lifetime in LIFETIMES if lifetime.name == name)
