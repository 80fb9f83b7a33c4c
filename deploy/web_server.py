"""`python -m deploy.web_server FD`: the web server of `up`, on a listening socket that it is handed.

Waitress reads a request whole before a thread takes it, so connections that stall or trickle hold no thread.
A request that is not there whole `REQUEST_SECONDS` after its first byte, headers and body together, and a
connection kept alive that has been silent as long, are closed. SIGTERM lets begun requests end.
"""

import resource
import signal
import socket
import sys
from types import FrameType
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import create_server

from deploy.wsgi import application

# Wants the apps, which the line above has loaded.
from deploy.uploads import LARGEST_REQUEST  # isort: skip

THREADS = 8
# A file of five megabytes over a poor mobile connection comes within it.
REQUEST_SECONDS = 60
CONNECTIONS = 4000
# Each connection is a descriptor, and so is much else.
DESCRIPTORS_BESIDE = 200


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection on which a byte now and then is no activity: a request begins once."""

    last_activity: float

    def handle_read(self) -> None:
        began = self.last_activity if self.request is not None else None
        super().handle_read()
        if began is not None and self.request is not None:
            self.last_activity = began


def main() -> None:
    server = create_server(
        application,
        sockets=[socket.socket(fileno=int(sys.argv[1]))],
        threads=THREADS,
        connection_limit=_raised_limit_of_connections(),
        channel_timeout=REQUEST_SECONDS,
        cleanup_interval=min(5, REQUEST_SECONDS),
        asyncore_use_poll=True,  # select() knows 1024 descriptors
        # A browser shows an answer only after it has sent everything, so a bit too much is heard out and then
        # refused with a page (`deploy.uploads`).
        max_request_body_size=10 * LARGEST_REQUEST,
        clear_untrusted_proxy_headers=False,  # settings decide whether a proxy is believed
        ident=None,
    )
    server.channel_class = Channel
    signal.signal(signal.SIGTERM, _leave)
    server.run()


def _raised_limit_of_connections() -> int:
    """Allow this process as many descriptors as it may have; how many connections there may be then."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = CONNECTIONS + DESCRIPTORS_BESIDE
    allowed = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    return allowed - DESCRIPTORS_BESIDE


def _leave(number: int, frame: FrameType | None) -> Any:
    raise SystemExit(0)


if __name__ == "__main__":
    main()
