"""The devices on which somebody is told: switching one on, and ending it."""

import base64
import binascii
import re
from typing import Final

from cryptography.hazmat.primitives.asymmetric import ec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import PushDevice
from league.notices.outgoing import NotAllowed, check_address
from league.policy.age import minors_among
from scoring.core.actors import Actor, ActorKind

# Of one account: a telephone, a computer, and those that came before them.
MOST_DEVICES: Final = 10
# Of a session: the device that was switched on in it, which is told nothing once one signs out there.
SWITCHED_ON: Final = "push_device"
_LONGEST_ENDPOINT: Final = 1000
_LONGEST_KEY: Final = 100
_AUTH_BYTES: Final = 16
# Named by what browsers say of themselves; what others imitate comes last.
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("CrOS", "ChromeOS"), ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip


def devices_of(user: User) -> QuerySet[PushDevice]:
    """The devices on which the user is told, the first first."""
    return PushDevice.objects.filter(user=user).order_by("pk")


@transaction.atomic
def switch_on(*, actor: Actor, user: User, endpoint: str, p256dh: str, auth: str, browser: str) -> PushDevice:
    """Tell the user on the device at this address of a push service, with the keys that its browser made.

    A browser has one address: whoever switched it on there before is told on it no more. Refused: another
    person, and who is under age (`not_allowed`), what no browser sends (`invalid`), and more than
    `MOST_DEVICES` (`too_many`). `browser` is what it says of itself (User-Agent), and names the device.
    """
    is_own = (actor.kind, actor.id) == (ActorKind.USER, str(user.pk))
    if not is_own or minors_among([user.pk]):
        raise LeagueError("not_allowed", _("%(name)s may not do this.") % {"name": actor.name})
    _check_endpoint(endpoint)
    if not _is_point(p256dh) or len(_decoded(auth)) != _AUTH_BYTES:
        raise LeagueError("invalid", _("These are not keys to encrypt with."), field="p256dh")
    # One after the other, so that they are counted.
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if devices_of(user).exclude(endpoint=endpoint).count() >= MOST_DEVICES:
        said = _("You are told on %(count)d devices already: end one of them first.")
        raise LeagueError("too_many", said % {"count": MOST_DEVICES})
    PushDevice.objects.filter(endpoint=endpoint).delete()
    return PushDevice.objects.create(
        user=user,
        endpoint=endpoint,
        p256dh=p256dh,
        auth=auth,
        name=device_called(browser),
        made_at=timezone.now(),
    )


def end_device(*, user: User, code: str) -> bool:
    """Tell the user no more on this device of his; returns whether he had it."""
    ended, _rows = PushDevice.objects.filter(user=user, code=code).delete()
    return bool(ended)


def end_device_at(*, user: User, endpoint: str) -> None:
    """Tell the user no more on his device at this address of a push service, if he has it."""
    PushDevice.objects.filter(user=user, endpoint=endpoint).delete()


def device_called(browser: str) -> str:
    """The name of a device by what its browser says of itself, as in “Firefox, Android”."""
    found = [next((name for mark, name in marks if mark in browser), "") for marks in (_BROWSERS, _SYSTEMS)]
    return ", ".join(name for name in found if name) or _("a browser")


def _check_endpoint(endpoint: str) -> None:
    """Refuse what can be no address of a push service; whether it may be asked is seen when it is."""
    try:
        check_address(endpoint)
    except NotAllowed as error:
        raise LeagueError("invalid", str(error), field="endpoint") from error
    if len(endpoint) > _LONGEST_ENDPOINT or not endpoint.isascii() or "#" in endpoint:
        raise LeagueError("invalid", _("This is not the address of a push service."), field="endpoint")


def _is_point(key: str) -> bool:
    """Whether it is a public key on the curve P-256."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _decoded(key))
    except ValueError:
        return False
    return True


def _decoded(key: str) -> bytes:
    """The bytes of a key in base64url, none if it is no such key."""
    if not re.fullmatch(r"[-\w]+", key, re.ASCII) or len(key) > _LONGEST_KEY:
        return b""
    try:
        return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    except binascii.Error:
        return b""
