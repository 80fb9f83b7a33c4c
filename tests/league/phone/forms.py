"""What the form at the table sends."""

from typing import Any

from tests.league.phone.conftest import Seat

SCRIPT: dict[str, Any] = {"HTTP_ACCEPT": "application/json"}
KNOCK = {"won-0": "0", "how-0": "knock", "by-0": "counts", "count0-0": "8", "count1-0": "20"}


def enter(client: Seat, number: int = 1, key: str = "k1", **options: Any) -> Any:
    """A deal as the form sends it."""
    return client.post(client.at("deals/"), {**KNOCK, "number": number, "key": key}, **options)
