"""Wakes workers. A message may be lost or never sent: the sweep does the work a minute later."""

import logging
import time
from typing import Final

from celery import current_app
from kombu.exceptions import OperationalError

_log = logging.getLogger(__name__)

# After a failure the broker is not tried for a while, so that only one hand is slowed down.
_PAUSE_SECONDS: Final = 30.0
_paused_until = 0.0


def wake(event_id: int) -> None:
    """Have a worker recalculate the event's table soon; does not fail without a broker."""
    _send("league.tasks.recalculate_standings", event_id)


def wake_for_ratings(club_id: int) -> None:
    """Have a worker recalculate the club's ratings soon; does not fail without a broker."""
    _send("league.tasks.recalculate_ratings", club_id)


def wake_for_bots(match_id: int) -> None:
    """Have a worker play the bot match soon; does not fail without a broker."""
    _send("games.tasks.play_bot_match", match_id)


def wake_for_report(hand_id: int) -> None:
    """Have a worker weigh the choices in a hand soon; does not fail without a broker."""
    _send("games.tasks.report_hand", hand_id)


def wake_for_webhooks() -> None:
    """Have a worker send what waits for other programs soon; does not fail without a broker."""
    _send("league.tasks.deliver_webhooks")


def ask_for_password_link(*, email: str, domain: str, is_secure: bool) -> bool:
    """Have a worker mail a link to whoever has this address; returns False without a broker.

    Nothing is looked up here, so that the answer takes the same time whether or not anybody has it.
    """
    return _send("league.tasks.mail_password_link", email, domain, is_secure)


def _send(task: str, *arguments: object) -> bool:
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
