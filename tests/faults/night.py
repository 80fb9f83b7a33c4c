"""A night that the README's client records, word for word, while something under it is ended."""

import json
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from tests.api.programs import scorekeepers_program
from tests.api.test_readme import blocks
from tests.factories import EntryFactory, EventFactory, MatchFactory, RoundFactory, house_rules
from tests.faults.workers import PATIENCE_SECONDS

DEALS = 60
TABLES = {"R1-T1": ("Ann", "Bob"), "R1-T2": ("Cid", "Dot")}
_NIGHT = 'night = {"R1-T1": [("Ann", 12), ("Bob", 44), ("Ann", 60)], "R1-T2": [("Cid", 27)]}'


def two_tables() -> dict[str, str]:
    """Writes two tables whose games end with the night's last deals; what the client's environment tells."""
    event = EventFactory.create(rules=house_rules(columns=1, target=sum(range(DEALS + 1))))
    first = RoundFactory.create(event=event, number=1)
    for table, (label, names) in enumerate(TABLES.items(), start=1):
        a, b = (EntryFactory.create(event=event, name=name) for name in names)
        match = MatchFactory.create(event=event, round=first, table=table, label=label, entry_a=a, entry_b=b)
    token = scorekeepers_program(match).authorization.removeprefix("Token ")
    return {"EVENT": event.code, "TOKEN": token}


def record_night(
    site: str, environment: dict[str, str], disturbances: Mapping[int, Callable[[], object]]
) -> None:
    """Has the client record at both tables, with a disturbance after so many deals.

    Every deal is answered once with its own number, and the sheets hold these deals and no others.
    """
    program = blocks()[1]
    assert program.count(_NIGHT) == 1
    night = {label: [(names[0], n + 1) for n in range(DEALS)] for label, names in TABLES.items()}
    with subprocess.Popen(
        [sys.executable, "-u", "-c", program.replace(_NIGHT, f"night = {night}")],
        env=environment | {"SITE": site}, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as client:  # fmt: skip
        assert client.stdout is not None
        assert client.stderr is not None
        # It would send the same for ever.
        end = threading.Timer(PATIENCE_SECONDS, client.kill)
        end.start()
        try:
            said = []
            for line in client.stdout:
                said.append(line.split())
                disturbances.get(len(said), int)()
            complaint = client.stderr.read()
        finally:
            client.kill()
            end.cancel()
    assert client.returncode == 0, complaint
    for label in TABLES:
        assert [number for table, number, _ in said if table == label] == [str(n + 1) for n in range(DEALS)]
    sheets = _read(f"{site}/api/v1/sheets/?event={environment['EVENT']}")["results"]
    assert len(sheets) == len(TABLES)
    for sheet in sheets:
        whole = _read(f"{site}/api/v1/sheets/{sheet['code']}/")
        figures = [deal["hands"][0]["points"] for deal in whole["deals"]]
        assert figures == [n + 1 for n in range(DEALS)]


def _read(address: str) -> Any:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return json.load(answer)
