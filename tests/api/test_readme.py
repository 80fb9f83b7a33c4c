"""The worked example of the README, run as it stands there against a server that answers."""

import os
import re
import socket
import socketserver
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from league.models import Match
from tests.api.programs import scorekeepers_program
from tests.factories import EntryFactory, EventFactory, MatchFactory, RoundFactory, sheet_of
from tests.faults.lossy import whole_message
from tests.kept import assert_derived

README = Path(__file__).resolve().parent.parent.parent / "README.md"

pytestmark = pytest.mark.django_db(transaction=True)


def blocks() -> list[str]:
    """The indented blocks of the section on the API: the variables, the commands, the program."""
    section = README.read_text().split("\n## API\n")[1].split("\n## ")[0]
    paragraphs = re.findall(r"(?:^(?:    .*)?\n)+", section, re.MULTILINE)
    found = [block.strip("\n").splitlines() for block in paragraphs if block.strip()]
    return ["\n".join(line[4:] for line in block) for block in found]


@pytest.fixture
def tables(transactional_db: None) -> list[Match]:
    """The first round of a league: Ann against Bob, Cid against Dot."""
    event = EventFactory.create()
    first = RoundFactory.create(event=event, number=1)
    return [
        MatchFactory.create(
            event=event,
            round=first,
            table=table,
            label=f"R1-T{table}",
            entry_a=EntryFactory.create(event=event, name=a),
            entry_b=EntryFactory.create(event=event, name=b),
        )
        for table, (a, b) in enumerate([("Ann", "Bob"), ("Cid", "Dot")], start=1)
    ]


@pytest.fixture
def environment(tables: list[Match], live_server: Any) -> dict[str, str]:
    return {
        **os.environ,
        "SITE": live_server.url,
        "TOKEN": scorekeepers_program(tables[0]).authorization.removeprefix("Token "),
        "EVENT": tables[0].event.code,
        "SHEET": sheet_of(tables[0]).code,
    }


def test_night_is_recorded_with_curl(environment: dict[str, str], tables: list[Match]) -> None:
    variables, commands = blocks()[0].split("\n\n", 1)
    assert re.fullmatch(r"export( [A-Z]+=\S+)+", variables)
    assert all(name in environment for name in re.findall(r"([A-Z]+)=", variables))
    script = "set -e\n" + commands.replace("curl ", "curl --silent --show-error --fail-with-body ")
    done = subprocess.run(
        ["bash", "-c", script], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sheet = assert_derived(sheet_of(tables[0]))
    assert (sheet.version, sheet.status, sheet.deal_count) == (3, "stopped", 1)
    # Gin: 20 and a bonus of 25.
    assert sheet.derived["columns"][0]["points"] == [45, 0]
    assert sheet.signatures.filter(version=3).count() == 2


def test_night_is_recorded_with_python(environment: dict[str, str], tables: list[Match]) -> None:
    program = blocks()[1]
    for _ in range(2):
        # Run again, as after a failure halfway: everything is answered as it was.
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert sorted(done.stdout.splitlines()) == [
            "R1-T1 1 open",
            "R1-T1 2 open",
            "R1-T1 3 open",
            "R1-T2 1 open",
        ]
    figures = [assert_derived(sheet_of(match)).derived["columns"][0]["points"] for match in tables]
    assert figures == [[72, 44], [27, 0]]


class _BadLine(socketserver.BaseRequestHandler):
    """What one may hear on the way to the site: half an answer, a proxy's page, the site itself."""

    server: "_Line"

    def handle(self) -> None:
        request = whole_message(self.request)
        answers = self.server.answers
        if request.startswith(b"POST") and answers:
            self.request.sendall(answers.pop())
            return
        with socket.create_connection(self.server.site) as upstream:
            upstream.sendall(request)
            self.request.sendall(whole_message(upstream))


class _Line(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, site: tuple[str, int]) -> None:
        super().__init__(("127.0.0.1", 0), _BadLine)
        self.site = site
        self.answers = [
            b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 12\r\nRetry-After: 0\r\n\r\n<h1>502</h1>",
            b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 50\r\nRetry-After: 0\r\n\r\n{",
            b"HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\n{",
        ]


def test_program_sends_again_what_it_heard_half_of(environment: dict[str, str], tables: list[Match]) -> None:
    address = urlsplit(environment["SITE"])
    with _Line((str(address.hostname), int(address.port or 0))) as line:
        thread = threading.Thread(target=line.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        site = f"http://127.0.0.1:{line.server_address[1]}"
        done = subprocess.run(
            [sys.executable, "-c", blocks()[1]], env=environment | {"SITE": site}, capture_output=True,
            text=True, check=False,
        )  # fmt: skip
        line.shutdown()
        thread.join()
    assert done.returncode == 0, done.stderr
    assert line.answers == []
    figures = [assert_derived(sheet_of(match)).derived["columns"][0]["points"] for match in tables]
    assert figures == [[72, 44], [27, 0]]
