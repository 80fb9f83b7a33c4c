"""A mail server that receives, refuses, and breaks off; and workers of their own that send what waits."""

import threading
from collections import Counter
from collections.abc import Mapping
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import Final

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.contrib.auth.models import User
from django.utils import timezone

from league.models import Event, Membership, Notice, NoticeKind
from tests.factories import ClubFactory, EventFactory
from tests.faults.workers import Process
from tests.postgres import free_port

SITE: Final = "http://gin.example.test"

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

    def counted(self) -> Counter[str]:
        """How often each mail arrived, by its Message-ID."""
        return Counter(str(letter["Message-ID"]) for letter in self.arrived())

    def have_arrived(self, count: int) -> bool:
        return len(self.arrived()) >= count

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


def waiting(count: int) -> Event:
    """An event that takes entries, of which so many members are to be told."""
    event: Event = EventFactory.create(
        club=ClubFactory.create(told_by_mail=["event"], told_by_push=["event"]), state="open"
    )
    users = User.objects.bulk_create(
        [User(username=f"u{number}", email=f"u{number}@example.test") for number in range(count)]
    )
    Membership.objects.bulk_create([Membership(club=event.club, user=user) for user in users])
    now = timezone.now()
    Notice.objects.bulk_create(
        [
            Notice(
                user=user, club=event.club, kind=NoticeKind.EVENT, event=event,
                message_id=f"<{user.username}@example.test>", made_at=now, due_at=now,
            )
            for user in users
        ]
    )  # fmt: skip
    return event


def start_sender(letters: Letters, folder: Path, environment: Mapping[str, str]) -> Process:
    """A worker that sends what waits in the database that the environment names."""
    mail = {"EMAIL_URL": f"smtp://127.0.0.1:{letters.port}", "SITE_URL": SITE, "DATA_DIR": str(folder)}
    return Process(["tests.faults.sender"], log=folder / "sender.log", environment={**environment, **mail})
