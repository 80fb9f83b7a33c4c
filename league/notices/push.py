"""Web push (RFC 8030): what is told on the devices on which people have switched it on.

Only a title and a link are sent, encrypted for the device (RFC 8291). The push service knows this site by its
key (`PUSH_KEY`, RFC 8292), which a browser was told when its owner switched it on.
"""

import base64
import json
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import requests
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from py_vapid import Vapid02
from pywebpush import WebPusher

from league.models import Notice, PushDevice
from league.notices.mail import PutOff, Refused
from league.notices.outgoing import NotAllowed, Outgoing

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


@dataclass(frozen=True, slots=True)
class Message:
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
    """The public half of the site's key, in base64url, as browsers are told it.

    `ValueError` if the site has none (`league.checks`).
    """
    point = _signer(settings.PUSH_KEY).public_key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode("ascii").rstrip("=")


@lru_cache(maxsize=1)
def _signer(key: str) -> Vapid02:
    """What signs with the key; `ValueError` if it is none."""
    number = base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    if len(number) != _KEY_BYTES:
        raise ValueError("a private key on P-256 has 32 bytes")
    return Vapid02.from_raw(key.encode("ascii"))


class Pushes:
    """Connections to push services, for many messages."""

    def __init__(self) -> None:
        self._session = Outgoing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._session.close()

    def send(self, device: PushDevice, message: Message) -> None:
        """Send a message to a device.

        `Gone` if the device is switched off for good; `Refused` if the message is, or if the address is none
        that this site asks; `PutOff` if the push service wants it later, cannot be reached or breaks off.
        Broken off, it may have arrived all the same.
        """
        address = urlsplit(device.endpoint)
        claims = {
            "aud": f"{address.scheme}://{address.netloc}",
            "sub": f"https://{urlsplit(settings.SITE_URL).hostname}",
        }
        headers = {
            **_signer(settings.PUSH_KEY).sign(claims),
            "Topic": message.topic,
            "Urgency": "normal",
        }
        pusher = WebPusher(
            {"endpoint": device.endpoint, "keys": {"p256dh": device.p256dh, "auth": device.auth}},
            requests_session=self._session,
        )
        try:
            answer = pusher.send(message.as_json(), headers, ttl=_KEPT_SECONDS)
        except NotAllowed as error:
            raise Refused(str(error), unsaid="") from error
        except requests.RequestException as error:
            raise PutOff(type(error).__name__, is_down=False) from error
        code = answer.status_code
        if code in _GONE:
            raise Gone(str(code))
        if code in _LATER or code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise PutOff(str(code), is_down=False)
        if not HTTPStatus.OK <= code < HTTPStatus.MULTIPLE_CHOICES:
            raise Refused(str(code), unsaid="")
