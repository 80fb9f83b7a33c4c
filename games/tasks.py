"""Workers' tasks for bots and clocks: they take ids, are idempotent, and may be lost without harm."""

import mmap
from typing import Any

from celery import shared_task
from celery.signals import worker_init, worker_shutting_down
from django.conf import settings
from django.utils import timezone

from games import services
from games.tables.warming import warm_up

# Whether this worker was told to stop; shared with processes that a pool may fork.
_told_to_stop = mmap.mmap(-1, 1)


@worker_shutting_down.connect
def _note_the_end(**_: object) -> None:
    _told_to_stop[0] = 1


@worker_init.connect
def _get_ready(sender: Any, **_: object) -> None:
    """Warms up a worker that bots play in, before its pool begins, whose processes have it from there."""
    if "bots" in sender.app.amqp.queues.consume_from:
        warm_up()


# The sweep sends another message by then.
@shared_task(expires=settings.BOT_LEASE_SECONDS)
def play_bot_match(match_id: int) -> None:
    """Plays the rest of a bot match, unless it is over, not due, or played by another worker."""
    services.play_bot_match(match_id, is_stopping=lambda: bool(_told_to_stop[0]))


# As for `play_bot_match`.
@shared_task(expires=settings.BOT_MOVE_SECONDS)
def think_at_table(match_id: int) -> None:
    """Plays the turn of a bot that weighs samples at a table of members, if it is still to be played."""
    services.think_at_table(match_id)


@shared_task
def report_hand(hand_id: int) -> None:
    """Weighs the choices of the members in a hand at a table, unless that is done."""
    services.report_hand(hand_id)


@shared_task
def keep_clocks() -> None:
    """Looks after the clocks of tables, and turns of bots that nobody has played, several times a minute."""
    now = timezone.now()
    services.keep_clocks(now)
    services.ask_bots_again(now)
