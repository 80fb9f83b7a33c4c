"""Wakes workers. A message may be lost or never sent: the sweeps do the work a little later."""

import logging
import time
from typing import Final

from celery import current_app
from kombu.exceptions import OperationalError

_log = logging.getLogger(__name__)

# After a failure the broker is not tried for a while, so that only one hand is slowed down.
_PAUSE_SECONDS: Final = 30.0
_paused_until = 0.0


def wake_for_thinking(match_id: int) -> None:
    """Have a worker make the bot's turn at this table soon; does not fail without a broker."""
    send_task("games.tasks.think_at_table", match_id)


def wake_for_report(hand_id: int) -> None:
    """Have a worker weigh the choices in a hand soon; does not fail without a broker."""
    send_task("games.tasks.report_hand", hand_id)


def send_task(task: str, *arguments: object) -> bool:
    """Ask a worker to do this task; returns False without a broker."""
    global _paused_until
    if time.monotonic() < _paused_until:
        return False
    try:
        current_app.send_task(task, arguments)
    except (OperationalError, OSError) as error:
        _paused_until = time.monotonic() + _PAUSE_SECONDS
        _log.warning("No worker can be woken up (%s); the sweep will find what is to be done.", error)
        return False
    return True
