"""The web servers under connections that stall or trickle, and under bodies sent in chunks."""

import contextlib
import http.client
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from deploy.uploads import LARGEST_REQUEST
from tests.deploy.machine import ROOT, gunicorn, program_environment, until

STALLED = 500
SLOW = 200
# In the order in which connections are closed that began together.
IDLE_SECONDS, BODY_SECONDS, HEADER_SECONDS = 5, 12, 20
PAGE = "/judge/"  # asks nothing of the database
HALF = b"POST /judge/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
SERVER = f"""
from deploy import web_server
web_server.IDLE_SECONDS = {IDLE_SECONDS}
web_server.BODY_SECONDS = {BODY_SECONDS}
web_server.HEADER_SECONDS = {HEADER_SECONDS}
web_server.CLEANUP_SECONDS = 1
web_server.main()
"""

pytestmark = [
    pytest.mark.xdist_group("web server"),
    pytest.mark.elsewhere,
    pytest.mark.dear("700 connections to a web server that is a process of its own"),
]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of a server that waits so long; there is no database behind it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    environment = program_environment(tmp_path_factory.mktemp("data"))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        number = listener.fileno()
        command = [sys.executable, "-c", SERVER, str(number)]
        server = subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[number])
        found = listener.getsockname()[1]
    try:
        until(lambda: status(found) == 200 or server.poll() is not None, what="an answer")
        yield found
    finally:
        server.terminate()
        assert server.wait(30) == 0
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def status(port: int) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", PAGE)
        return connection.getresponse().status
    except OSError:
        return 0
    finally:
        connection.close()


def closed_of(connections: list[socket.socket]) -> list[socket.socket]:
    """Those that the server has closed."""
    poll = select.poll()
    by_number = {each.fileno(): each for each in connections}
    for number in by_number:
        poll.register(number, select.POLLIN | select.POLLRDHUP)
    return [by_number[number] for number, _ in poll.poll(0)]


def opened(port: int, sent: bytes) -> socket.socket:
    """A connection on which that was sent."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=30)
    connection.sendall(sent)
    return connection


def trickle(connections: list[socket.socket]) -> None:
    """A byte more on each that is still open."""
    for each in connections:
        with contextlib.suppress(OSError):
            each.send(b"x")


def test_pages_answer_beside_stalled_and_slow_connections_which_end(port: int) -> None:
    with contextlib.ExitStack() as stack:
        began = time.monotonic()
        stalled = [stack.enter_context(opened(port, HALF)) for _ in range(STALLED)]
        slow = [stack.enter_context(opened(port, HALF + b"X-Slow: ")) for _ in range(SLOW)]
        # Far more questions than threads, all while nobody's time is over.
        answered = 0
        while closed_of(stalled) == [] and answered < 40:
            assert status(port) == 200
            trickle(slow)
            answered += 1
        assert answered == 40 or time.monotonic() - began > HEADER_SECONDS
        assert answered > 8

        def all_ended() -> bool:
            trickle(slow)
            return len(closed_of(stalled)) == STALLED and len(closed_of(slow)) == SLOW

        until(all_ended, what="the end of what never became a request", seconds=120)
    assert status(port) == 200


def test_headers_bodies_and_silence_have_limits_of_their_own(port: int) -> None:
    ask = b"GET " + PAGE.encode() + b" HTTP/1.1\r\nHost: localhost\r\n"
    began = time.monotonic()
    with (
        opened(port, b"") as silent,
        opened(port, HALF + b"\r\n") as body,
        opened(port, ask + b"X-Slow: ") as headers,
        contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as kept,
    ):
        for _ in range(2):  # the second on the same connection
            kept.request("GET", PAGE)
            assert kept.getresponse().read()
        limits = {silent: IDLE_SECONDS, kept.sock: IDLE_SECONDS, body: BODY_SECONDS, headers: HEADER_SECONDS}
        ended = dict[socket.socket, float]()

        def all_ended() -> bool:
            trickle([body, headers])
            for each in closed_of([each for each in limits if each not in ended]):
                ended[each] = time.monotonic() - began
            return len(ended) == len(limits)

        until(all_ended, what="the end of all four")
        assert list(ended)[2:] == [body, headers]
        for each, limit in limits.items():
            assert ended[each] > limit


CHUNKS = b"""\
POST /api/v1/score/ HTTP/1.1\r
Host: localhost\r
Content-Type: application/json\r
Transfer-Encoding: chunked\r
Connection: close\r
\r
"""
SHEET = [
    b'{"rules": {"preset": "standard"}, "sides": [{"name": "Ann"},',
    b' {"name": "Bob"}], "deals": []}',
]


def chunked(*parts: bytes) -> bytes:
    return CHUNKS + b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"


def answer_to(port: int, sent: bytes) -> bytes:
    """All that is answered until the connection is closed."""
    with opened(port, sent) as connection:
        return b"".join(iter(lambda: connection.recv(1 << 16), b""))


@pytest.fixture(scope="module")
def gunicorn_port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of gunicorn as a federation runs it, without the proxy that would read requests whole."""
    with gunicorn(program_environment(tmp_path_factory.mktemp("data")), workers=1) as found:
        yield found


@pytest.mark.parametrize("server", ["port", "gunicorn_port"])
def test_a_chunked_body_is_read(server: str, request: pytest.FixtureRequest) -> None:
    port = request.getfixturevalue(server)
    whole = answer_to(port, chunked(*SHEET))
    assert whole.startswith(b"HTTP/1.1 200 ")
    assert b'"Ann"' in whole
    assert answer_to(port, chunked(b"{")).startswith(b"HTTP/1.1 400 ")
    assert answer_to(port, CHUNKS + b"many\r\n{}\r\n0\r\n\r\n").startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("server", ["port", "gunicorn_port"])
def test_a_chunked_body_that_is_too_large_is_refused(server: str, request: pytest.FixtureRequest) -> None:
    part = b" " * 1_000_000
    answer = answer_to(request.getfixturevalue(server), chunked(*[part] * (LARGEST_REQUEST // len(part) + 1)))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"too_large"' in answer
