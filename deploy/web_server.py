"""`python -m deploy.web_server FD`: the web server of `up`, on a listening socket that it is handed.

Waitress reads a request whole before a thread takes it, so connections that stall or trickle hold no thread.
They are closed: one whose headers are not there whole `HEADER_SECONDS` after their first byte, or whose body
is not `BODY_SECONDS` after that, and one that nothing came or went on for `IDLE_SECONDS`. SIGTERM lets begun
requests end.
"""

import resource
import signal
import socket
import sys
import time
from types import FrameType
from typing import Any

from waitress.channel import HTTPChannel
from waitress.server import create_server

from deploy.wsgi import application
from games.tables import warming

# Wants the apps, which the line above has loaded.
from deploy.uploads import LARGEST_REQUEST  # isort: skip

THREADS = 8
HEADER_SECONDS = 20
# A file of five megabytes over a poor mobile connection comes within it.
BODY_SECONDS = 60
# Telephones at the table ask again within it.
IDLE_SECONDS = 60
CLEANUP_SECONDS = 5
CONNECTIONS = 4000
# Each connection is a descriptor, and so is much else.
DESCRIPTORS_BESIDE = 200


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection on which a byte now and then is no activity: headers begin once, and so does a body."""

    last_activity: float

    def handle_read(self) -> None:
        began, receiving = self.last_activity, self._receiving()
        super().handle_read()
        if self.request is not None and self._receiving() == receiving:
            self.last_activity = began

    def is_late(self) -> bool:
        """Whether what is being received, or the next request, has been waited for too long."""
        if self.request is None:
            limit = IDLE_SECONDS
        else:
            limit = BODY_SECONDS if self.request.headers_finished else HEADER_SECONDS
        return not self.requests and time.time() - self.last_activity > limit

    def _receiving(self) -> tuple[Any, bool]:
        """The request of which there is a part, and whether its headers are there."""
        return self.request, self.request is not None and self.request.headers_finished


def main() -> None:
    server = create_server(
        application,
        sockets=[socket.socket(fileno=int(sys.argv[1]))],
        threads=THREADS,
        connection_limit=_raised_limit_of_connections(),
        cleanup_interval=CLEANUP_SECONDS,
        asyncore_use_poll=True,  # select() knows 1024 descriptors
        # A browser shows an answer only after it has sent everything, so a bit too much is heard out and then
        # refused with a page (`deploy.uploads`).
        max_request_body_size=10 * LARGEST_REQUEST,
        clear_untrusted_proxy_headers=False,  # settings decide whether a proxy is believed
        ident=None,
    )
    server.channel_class = Channel

    def close_late(now: float) -> None:
        for channel in server.active_channels.values():
            channel.will_close = channel.will_close or channel.is_late()

    server.maintenance = close_late  # which knows one limit for everything
    signal.signal(signal.SIGTERM, _leave)
    warming.warm_up_beside()
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
