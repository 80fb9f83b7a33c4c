"""Requests to addresses that other people wrote go only where the site allows, and end in time."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address, ip_network
from typing import Any

import pytest
import requests
from urllib3.util.connection import create_connection

from league.notices import outgoing
from league.notices.outgoing import NotAllowed, OutgoingSession, check_address, check_host, is_public


class Listener(BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        if self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "/elsewhere")
            self.end_headers()
        elif self.path == "/long":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x" * 100_000)
        elif self.path == "/slow":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self._drip()
        elif self.path == "/never":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nServer: ")
            self._drip()
        else:
            self.send_response(204)
            self.end_headers()

    def _drip(self) -> None:
        with contextlib.suppress(OSError):  # the other side has enough
            while not self.server.over.wait(0.05):  # type: ignore[attr-defined]
                self.wfile.write(b"x")

    def log_message(self, *args: Any) -> None:
        pass


class Machine(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Listener)
        self.asked: list[str] = []
        self.over = threading.Event()


@pytest.fixture
def machine() -> Iterator[Machine]:
    with Machine() as server:
        running = threading.Thread(target=server.serve_forever, args=(0.01,))
        running.start()
        yield server
        server.over.set()
        server.shutdown()
        running.join()


@pytest.fixture
def own_network(settings: Any) -> None:
    settings.OUTGOING_NETWORKS = [ip_network("127.0.0.0/8")]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "0x7f000001",
        "2130706433",
        "127.1",
        "0.0.0.0",  # noqa: S104 - asked, not listened at
        "10.0.0.7",
        "169.254.169.254",
        "100.64.0.1",
        "[fe80::1]",
        "[fc00::1]",
        "[::ffff:127.0.0.1]",
        "[64:ff9b::10.0.0.7]",
        "[64:ff9b:1::10.0.0.7]",
        "[2002:7f00:1::]",
        "[::127.0.0.1]",
        "[::ffff:0:10.0.0.7]",
        "[fec0::1]",
        "224.0.0.1",
    ],
)
def test_machine_of_no_public_address_is_not_asked(host: str, machine: Machine) -> None:
    url = f"https://{host}:{machine.server_port}/"
    with pytest.raises(NotAllowed, match="not on the public Internet"):
        check_host(url)
    with pytest.raises(NotAllowed, match="not on the public Internet"):
        OutgoingSession().get(url)
    assert machine.asked == []


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://example.org/", "begins with https://"),
        ("file:///etc/passwd", "begins with https://"),
        ("//example.org/", "begins with https://"),
        ("https://", "begins with https://"),
        ("https://example.org:0/", "begins with https://"),
        (" https://example.org/", "begins with https://"),
        ("http://example.org/", "must begin with https://"),
        ("https://ann:secret@example.org/", "without a name or password"),
        ("https://example.org:99999/", "not a web address"),
        ("https://[::1/", "not a web address"),
    ],
)
def test_address_is_written_as_the_site_allows(url: str, why: str) -> None:
    with pytest.raises(NotAllowed, match=why):
        check_address(url)
    with pytest.raises(NotAllowed, match=why):
        OutgoingSession().post(url, data=b"")


@pytest.mark.parametrize("url", [f"https://{'x' * 64}.example/", "https://nobody.invalid/", "https://a..b/"])
def test_name_of_no_machine_is_refused(url: str) -> None:
    with pytest.raises(NotAllowed, match="no machine of this name"):
        check_host(url)


def test_public_addresses_are_allowed() -> None:
    assert is_public(ip_address("9.9.9.9"))
    assert is_public(ip_address("2620:fe::fe"))
    assert is_public(ip_address("64:ff9b::909:909"))


@pytest.mark.usefixtures("own_network")
def test_network_that_the_site_allows_is_asked_once_and_led_nowhere(machine: Machine) -> None:
    base = f"http://localhost:{machine.server_port}"
    assert OutgoingSession().get(f"{base}/").status_code == 204
    answer = OutgoingSession().get(f"{base}/away", allow_redirects=True)
    assert (answer.status_code, machine.asked) == (302, ["/", "/away"])


@pytest.mark.usefixtures("own_network")
def test_long_answer_is_cut(machine: Machine) -> None:
    assert OutgoingSession().get(f"http://localhost:{machine.server_port}/long").text == "x" * 2_000


@pytest.mark.usefixtures("own_network")
def test_answer_that_never_ends_is_given_up(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each byte comes in time, all of them never."""
    monkeypatch.setattr(outgoing, "SECONDS", 0.3)
    for path in ("/never", "/slow"):
        with pytest.raises(requests.Timeout):
            OutgoingSession().get(f"http://localhost:{machine.server_port}{path}")
    assert machine.asked == ["/never", "/slow"]


@pytest.mark.usefixtures("own_network")
def test_answer_of_who_was_connected_to_too_late_is_not_waited_for(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever owns the name and the machine may take his time for both, and drip then."""
    monkeypatch.setattr(outgoing, "SECONDS", 0.2)
    cut = threading.Event()

    class Timer(threading.Timer):
        def run(self) -> None:
            super().run()
            cut.set()

    monkeypatch.setattr(threading, "Timer", Timer)

    def connect(*args: Any, **kwargs: Any) -> socket.socket:
        assert cut.wait(5)
        return create_connection(*args, **kwargs)

    monkeypatch.setattr(outgoing, "create_connection", connect)
    # Nobody waits for longer than this, should it not be cut.
    patience = Timer(3, machine.over.set)
    patience.start()
    with pytest.raises(requests.RequestException):
        OutgoingSession().get(f"http://localhost:{machine.server_port}/slow")
    patience.cancel()
    assert not machine.over.is_set()


@pytest.mark.usefixtures("own_network")
def test_nobody_listening_is_no_answer(machine: Machine) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        with pytest.raises(requests.RequestException):
            OutgoingSession().get(f"http://localhost:{free.getsockname()[1]}/")


def test_name_that_means_another_machine_a_moment_later(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was judged is connected to: no name means a public machine first and this one then."""
    means = iter(["203.0.114.9", "127.0.0.1", "127.0.0.1"])
    real = socket.getaddrinfo

    def resolve(host: str, *args: Any, **kwargs: Any) -> Any:
        return real(next(means) if host == "two-faced.example" else host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    reached: list[Any] = []

    def connect(place: Any, *_: Any, **__: Any) -> socket.socket:
        reached.append(place[0])
        raise OSError("no such machine here")

    monkeypatch.setattr(outgoing, "create_connection", connect)
    with pytest.raises(requests.ConnectionError):
        OutgoingSession().get(f"https://two-faced.example:{machine.server_port}/")
    assert reached == ["203.0.114.9"]
