"""The server of streams as a process of its own, on the test's database."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from django.conf import settings

from tests.faults.workers import FILES, Machine, Process, until
from tests.postgres import free_port

HOST = "127.0.0.1"
# Its first stream comes after it has read the tables once.
TOLD = b"event: look\ndata:\n\n"


@contextmanager
def running_streams(folder: Path, **variables: str) -> Iterator[tuple[str, Process]]:
    """The address that `STREAMS_URL` names, and the process."""
    machine = Machine(folder, FILES, **{"SECRET_KEY": settings.SECRET_KEY, **variables})
    port = free_port()
    try:
        command = ["uvicorn", "deploy.streams:application", "--port", str(port)]
        process = machine.start("streams", [*command, "--timeout-graceful-shutdown", "1"])
        until(lambda: process.said("Uvicorn running"), what="streams are served")
        yield f"http://{HOST}:{port}/streams/", process
    finally:
        machine.close()


class Watcher:
    """A program that reads a stream."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self._line = socket.create_connection((HOST, parts.port or 80), timeout=60)
        self._line.sendall(f"GET {parts.path} HTTP/1.1\r\nHost: {HOST}\r\n\r\n".encode())
        self._read = b""

    @property
    def status(self) -> int:
        """The status of the answer, once it has come."""
        self._wait(b"\r\n\r\n")
        return int(self._read.split(b" ", 2)[1])

    def told(self, times: int) -> int:
        """How often it was told to look, after waiting until it was so often."""
        while self._read.count(TOLD) < times:
            self._receive()
        return self._read.count(TOLD)

    def leave(self) -> None:
        self._line.close()

    def _wait(self, words: bytes) -> None:
        while words not in self._read:
            self._receive()

    def _receive(self) -> None:
        received = self._line.recv(65536)
        assert received, self._read
        self._read += received
