"""Web push (RFC 8030): what is told on the devices on which people have switched it on.

Only a title and a link are sent, encrypted for the device (RFC 8291). The push service knows this site by its
key (`PUSH_KEY`, RFC 8292), which a browser was told when its owner switched it on.
"""

import base64
import json
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02, VapidException

from league.models import Notice, PushDevice
from league.notices.reaching import Unreached, post

# For how long a push service keeps what it cannot hand over, as to a telephone that is switched off.
_KEPT_SECONDS: Final = 24 * 3600
# A push service takes 4096 bytes, of which encryption takes 103; a title is cut long before.
MOST_BYTES: Final = 3900
_KEY_BYTES: Final = 32
_LONGEST_TITLE: Final = 200
_GONE: Final = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_LATER: Final = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS})


class Gone(Exception):
    """The device has no such address any more; the message is the push service's answer."""


class Unwanted(Exception):
    """The push service refuses the message, or this site its address; the message of this says why."""


class Later(Exception):
    """The message may be sent later; `seconds` are those the push service asks for, 0 if it asks for none."""

    def __init__(self, answer: str, seconds: int = 0) -> None:
        super().__init__(answer)
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class PushMessage:
    """What a device shows: a title, whose it is, and the path that a tap opens.

    A device shows one message of a `topic` (up to 32 letters and digits): sent again, it replaces itself.
    """

    title: str
    club: str
    path: str
    topic: str

    def as_json(self) -> bytes:
        """The message as the service worker reads it, of at most `MOST_BYTES`."""
        title = self.title
        if len(title) > _LONGEST_TITLE:
            title = f"{title[: _LONGEST_TITLE - 1]}…"
        told = {"title": title, "body": self.club, "path": self.path, "tag": self.topic}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def topic_of(notice: Notice) -> str:
    """The topic under which the notice is pushed, the same in every attempt."""
    return notice.message_id.strip("<>").partition("@")[0]


def key_told() -> str:
    """The public half of the site's key, in base64url, as browsers are told it; "" if the site has none."""
    try:
        signer = _signer(settings.PUSH_KEY)
    except ValueError:  # told by `league.checks`
        return ""
    point = signer.public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode("ascii").rstrip("=")


@lru_cache(maxsize=1)
def _signer(key: str) -> Vapid02:
    """What signs with the key; `ValueError` if it is none."""
    number = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    if len(number) != _KEY_BYTES:
        raise ValueError("a private key on P-256 has 32 bytes")
    signer = Vapid02.from_raw(key.encode("ascii"))
    # Else it takes no site by a name without a dot, as in an office.
    signer.conf = {"no-strict": True}
    return signer


def push(device: PushDevice, message: PushMessage) -> None:
    """Send a message to a device.

    `Gone` if the device is switched off for good; `Unwanted` if the message is refused, or if the address is
    none that this site asks; `Later` if the push service wants it later, cannot be reached or breaks off, or
    if the site has no key. Broken off, it may have arrived all the same.
    """
    answer = post(device.endpoint, _encrypted(device, message), _headers(device, message))
    if isinstance(answer, Unreached):
        raise Later(answer.text) if answer.is_allowed else Unwanted(answer.text)
    code = str(answer.status)
    if answer.status in _GONE:
        raise Gone(code)
    if answer.status in _LATER or answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        raise Later(code, answer.retry_after or 0)
    if not HTTPStatus.OK <= answer.status < HTTPStatus.MULTIPLE_CHOICES:
        raise Unwanted(code)


def _headers(device: PushDevice, message: PushMessage) -> dict[str, str]:
    """What a push service is told of the message (RFC 8030, 8188), and who sends it (RFC 8292)."""
    address = urlsplit(device.endpoint)
    claims = {
        "aud": f"{address.scheme}://{address.netloc}",
        "sub": f"https://{urlsplit(settings.SITE_URL).hostname}",
    }
    try:
        signed = _signer(settings.PUSH_KEY).sign(claims)
    except ValueError as error:
        raise Later("PUSH_KEY is no key") from error
    except VapidException as error:  # no push service has such an address, as one without a name
        raise Unwanted(str(error)) from error
    return {
        **signed,
        "Content-Encoding": "aes128gcm",
        "TTL": str(_KEPT_SECONDS),
        "Topic": message.topic,
        "Urgency": "normal",
    }


def _encrypted(device: PushDevice, message: PushMessage) -> bytes:
    # It loads a whole HTTP client of its own, which no other process needs.
    from pywebpush import WebPusher

    pusher = WebPusher({"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}})
    return bytes(pusher.encode(message.as_json())["body"])
