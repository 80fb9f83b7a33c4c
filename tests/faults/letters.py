"""A mail server that receives, refuses, and breaks off; and a worker of its own that sends what waits."""

import threading
from email import message_from_bytes
from email.message import Message

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.faults.workers import free_port

# What a server that breaks off answers, closing the connection (RFC 5321, 3.8).
_GOES = "421 4.3.2 The service is going away"


class Letters:
    """What arrived at a mail server, which answers as it is told to.

    `refused` are the answers to addresses, by address. After `breaks_after` more mails it breaks off, as the
    next one is on its way. What arrives is kept only while it `keeps`.
    """

    def __init__(self) -> None:
        self.refused: dict[str, str] = {}
        self.breaks_after: int | None = None
        self.keeps = True
        self._arrived: list[Message] = []
        self._lock = threading.Lock()
        self._server: Controller | None = None
        self.port = free_port()

    def __enter__(self) -> "Letters":
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()

    def start(self) -> None:
        """Answer, and again after `stop` at the port of before."""
        self._server = Controller(self, hostname="127.0.0.1", port=self.port, ready_timeout=60)
        self._server.start()

    def stop(self) -> None:
        """Answer nobody."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def arrived(self) -> list[Message]:
        with self._lock:
            return list(self._arrived)

    async def handle_RCPT(
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        content = envelope.content
        assert isinstance(content, bytes)
        with self._lock:
            if self.breaks_after == 0:
                assert server.transport is not None
                server.transport.close()
                return _GOES
            if self.breaks_after is not None:
                self.breaks_after -= 1
            if self.keeps:
                self._arrived.append(message_from_bytes(content))
        return "250 OK"
