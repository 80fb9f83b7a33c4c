"""A network that loses things: a proxy before the server that drops requests, and replies after the fact."""

import contextlib
import random
import socket
import socketserver
import threading
from collections import Counter
from collections.abc import Iterator
from enum import StrEnum


class Fate(StrEnum):
    """What becomes of one exchange."""

    DELIVERED = "delivered"
    REQUEST_LOST = "request lost"
    # The server has answered, and so has done what it was asked.
    REPLY_LOST = "reply lost"
    REPLY_CUT = "reply cut"


class LossyProxy(socketserver.ThreadingTCPServer):
    """Takes a request per connection to `server` and back, as `chance` has it; counts what it did."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, server: tuple[str, int], chance: random.Random) -> None:
        super().__init__(("127.0.0.1", 0), _Exchange)
        self.server = server
        self.chance = chance
        self.fates: Counter[Fate] = Counter()
        self._counting = threading.Lock()

    def next_fate(self) -> Fate:
        """The fate of the next exchange: a third arrive."""
        with self._counting:
            fate = self.chance.choices(list(Fate), weights=[3, 1, 3, 2])[0]
            self.fates[fate] += 1
            return fate


class _Exchange(socketserver.BaseRequestHandler):
    server: LossyProxy

    def handle(self) -> None:
        fate = self.server.next_fate()
        request = whole_message(self.request)
        if fate is Fate.REQUEST_LOST or not request:
            return
        with socket.create_connection(self.server.server, timeout=60) as upstream:
            upstream.sendall(request)
            reply = whole_message(upstream)
        if fate is Fate.DELIVERED:
            self.request.sendall(reply)
        elif fate is Fate.REPLY_CUT:
            self.request.sendall(reply[: len(reply) - 20])


@contextlib.contextmanager
def lossy(server: tuple[str, int], *, seed: int) -> Iterator[LossyProxy]:
    """Such a proxy, listening; its address is `server_address`."""
    with LossyProxy(server, random.Random(seed)) as proxy:
        thread = threading.Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield proxy
        finally:
            proxy.shutdown()
            thread.join()


def whole_message(connection: socket.socket) -> bytes:
    """An HTTP message with a Content-Length, or without a body; what there is of it where it ends before."""
    message = b""
    while b"\r\n\r\n" not in message:
        part = connection.recv(65536)
        if not part:
            return message
        message += part
    head, _, body = message.partition(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    missing = int(fields.get(b"content-length", b"0")) - len(body)
    while missing > 0:
        part = connection.recv(65536)
        if not part:
            break
        message += part
        missing -= len(part)
    return message
