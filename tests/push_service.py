"""A push service: takes what is sent to devices, looks whether it is as it must be, and answers as told."""

import base64
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.contrib.auth.models import User
from django.utils import timezone

from league.models import PushDevice

# What push services take at least (RFC 8030, 7.2), and for how long a token may be good (RFC 8292, 2).
_MOST_BYTES: Final = 4096
_DAY: Final = 24 * 3600


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


class Browser:
    """The keys that a browser makes when it is to be told something."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = bytes(range(16))

    @property
    def keys(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return {"p256dh": encoded(point), "auth": encoded(self._secret)}

    def reads(self, body: bytes) -> Any:
        clear = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        return json.loads(clear)


class PushService:
    """A push service at this machine, with a browser at each path.

    `arrived` are the messages in order, each with its `path` and `topic`; of `answers` every path's next is
    taken, and then 201. As message number `holds_at` has arrived it is not answered: `held` tells so, until
    `let_go`. Each answer has the type and text of `answer_text`, and `Retry-After` if that is set.
    """

    def __init__(self) -> None:
        self.arrived: list[dict[str, Any]] = []
        self.faults: list[str] = []
        self.answers: dict[str, list[int]] = {}
        self.answer_text = ("text/plain", b"")
        self.retry_after = ""
        self.sender = "https://gin.example.test"
        self.on_arrival: Callable[[], None] = lambda: None
        self.holds_at: int | None = None
        self.held, self.let_go = threading.Event(), threading.Event()
        self.key = ""
        self._browsers: dict[str, Browser] = {}
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                code = service._takes(
                    self.path, {name.lower(): value for name, value in self.headers.items()}, body
                )
                if code is not None:
                    kind, text = service.answer_text
                    self.send_response(code)
                    self.send_header("Content-Length", str(len(text)))
                    self.send_header("Content-Type", kind)
                    if service.retry_after:
                        self.send_header("Retry-After", service.retry_after)
                    self.end_headers()
                    self.wfile.write(text)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    @contextmanager
    def open(self) -> Iterator["PushService"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.let_go.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()
        assert self.faults == []

    def device(self, user: User, path: str) -> PushDevice:
        """A device of the user, switched on at this service."""
        browser = self._browsers[path] = Browser()
        return PushDevice.objects.create(
            user=user, endpoint=self.address + path, name="Firefox", made_at=timezone.now(), **browser.keys
        )

    def topics(self) -> Counter[str]:
        return Counter(message["topic"] for message in self.arrived)

    def _takes(self, path: str, headers: dict[str, str], body: bytes) -> int | None:
        try:
            self._look(headers, body)
            told = self._browsers[path].reads(body)
        except Exception as fault:  # noqa: BLE001 (told where the service is closed)
            self.faults.append(repr(fault))
            return 400
        answers = self.answers.get(path, [])
        code = answers.pop(0) if answers else 201
        self.on_arrival()
        if code == 201:
            self.arrived.append({**told, "path_of_device": path, "topic": headers["topic"]})
        if len(self.arrived) == self.holds_at:
            self.held.set()
            self.let_go.wait()
            return None
        return code

    def _look(self, headers: dict[str, str], body: bytes) -> None:
        """What RFC 8030 and 8292 ask of a message: its size, how long it is kept, and who sends it."""
        assert len(body) <= _MOST_BYTES
        assert headers["content-encoding"] == "aes128gcm"
        assert int(headers["ttl"]) > 0
        assert len(headers["topic"]) <= 32
        scheme, _space, rest = headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert not self.key or parts["k"] == self.key
        token, _dot, signature = parts["t"].rpartition(".")
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(parts["k"]))
        raw = decoded(signature)
        pair = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
        key.verify(pair, token.encode(), ec.ECDSA(hashes.SHA256()))
        claims = json.loads(decoded(token.partition(".")[2]))
        assert claims["aud"] == self.address
        assert claims["sub"] == self.sender
        assert time.time() < claims["exp"] <= time.time() + _DAY
