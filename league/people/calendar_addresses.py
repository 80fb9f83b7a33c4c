"""The secret address at which a user's calendar is read without signing in, as calendar programs do."""

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from league.core.secrets import digest_of, new_secret
from league.models import CalendarAddress
from league.policy import actor_of
from league.record.audit import record_audit


@transaction.atomic
def renew_address(user: User) -> str:
    """Make the address of the user's calendar, in place of a former one; return its secret, shown once."""
    secret, digest = new_secret()
    CalendarAddress.objects.update_or_create(
        user=user, defaults={"digest": digest, "made_at": timezone.now()}
    )
    record_audit(actor_of(user), "calendar.renew", user)
    return secret


@transaction.atomic
def stop_address(user: User) -> None:
    """Have the user's calendar be read nowhere."""
    gone, _tables = CalendarAddress.objects.filter(user=user).delete()
    if gone:
        record_audit(actor_of(user), "calendar.stop", user)


def user_of_calendar(secret: str) -> User | None:
    """Return whose calendar is read with this secret; None for any other, and where the account is closed."""
    return User.objects.filter(calendar_address__digest=digest_of(secret), is_active=True).first()
