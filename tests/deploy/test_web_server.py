"""The web server of `up` under connections that stall or trickle."""

import contextlib
import http.client
import os
import resource
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.deploy.machine import NOT_FOR_PROGRAMS, ROOT, until

STALLED = 500
SLOW = 200
REQUEST_SECONDS = 20
PAGE = "/judge/"  # asks nothing of the database
HALF = b"POST /judge/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n"
SERVER = f"""
from deploy import web_server
web_server.REQUEST_SECONDS = {REQUEST_SECONDS}
web_server.main()
"""

pytestmark = [
    pytest.mark.xdist_group("web server"),
    pytest.mark.elsewhere,
    pytest.mark.dear("700 connections to a web server that is a process of its own"),
]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Of a server that gives a request 20 seconds to arrive; there is no database behind it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    environment = {key: value for key, value in os.environ.items() if key not in NOT_FOR_PROGRAMS}
    environment |= {
        "DATA_DIR": str(tmp_path_factory.mktemp("data")),
        "DJANGO_SETTINGS_MODULE": "deploy.settings",
    }
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


def trickle(connections: list[socket.socket]) -> None:
    """A byte of a header more on each that is still open."""
    for each in connections:
        with contextlib.suppress(OSError):
            each.send(b"x")


def test_pages_answer_beside_stalled_and_slow_connections_which_end(port: int) -> None:
    with contextlib.ExitStack() as stack:

        def connections(number: int) -> list[socket.socket]:
            return [
                stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=30))
                for _ in range(number)
            ]

        began = time.monotonic()
        stalled, slow = connections(STALLED), connections(SLOW)
        for each in stalled:
            each.sendall(HALF)
        for each in slow:
            each.sendall(HALF + b"X-Slow: ")
        # Far more questions than threads, all while nobody's time is over.
        answered = 0
        while closed_of(stalled) == [] and answered < 40:
            assert status(port) == 200
            trickle(slow)
            answered += 1
        assert answered == 40 or time.monotonic() - began > REQUEST_SECONDS
        assert answered > 8

        def all_ended() -> bool:
            trickle(slow)
            return len(closed_of(stalled)) == STALLED and len(closed_of(slow)) == SLOW

        until(all_ended, what="the end of what never became a request", seconds=120)
    assert status(port) == 200


def test_a_chunked_body_is_read(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    body = [
        b'{"rules": {"preset": "standard"}, "sides": [{"name": "Ann"},',
        b' {"name": "Bob"}], "deals": []}',
    ]
    connection.request(
        "POST", "/api/v1/score/", iter(body), {"Content-Type": "application/json"}, encode_chunked=True
    )
    answer = connection.getresponse()
    assert (answer.status, answer.getheader("Content-Type")) == (200, "application/json")
    connection.close()


def test_idle_connection_is_closed_and_a_kept_one_serves_again(port: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for _ in range(2):
        connection.request("GET", PAGE)
        assert connection.getresponse().read()
    assert connection.sock.recv(1) == b""
    connection.close()
