"""The turns of bots that weigh samples at tables of members.

A worker thinks without any lock, and acts if the table is still at the version that it thought about. So a
turn may be thought about twice, or its worker may die: one answer is carried out, and the sweep asks again.

Where there is nothing to weigh a bot knows its answer a thousand times sooner, which would tell what it
holds: a worker that is done before a steady time is over waits for the rest. That is counted from when the
worker begins, as messages may be late.
"""

import datetime
import time
from typing import Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from games.models import TableMatch
from games.services.hands import (
    NotRecorded,
    UnreadableHand,
    hands_at_turn,
    reply_and_deal,
    seated_bots,
    seats_of,
)
from games.services.members import next_turns, stop_for_bot, stop_for_hand, stop_for_sheet, write
from games.services.waking import wake_for_thinking
from games.tables.members import play_turn, running_sheet
from games.tables.play import BotError
from scoring.services.acts import locked_sheet

# The most bots that are asked again by one sweep; the next one goes on.
MOST_AT_ONCE: Final = 50


def think_at_table(match_id: int) -> None:
    """Plays the turn of the bot that is to move at this table; does nothing where none is.

    Not before `BOT_ANSWER_SECONDS` are over. A bot that fails stops play (`stop_for_bot`), unless somebody
    has acted meanwhile; so does a hand that cannot be read, or that the sheet does not take.
    """
    rows = TableMatch.objects.select_related("sheet__rules")
    match = rows.filter(pk=match_id, bot_asked_at__isnull=False).first()
    if match is None:
        return
    try:
        _play_turn(match)
    except UnreadableHand as failure:
        stop_for_hand(match, failure)
    except NotRecorded as failure:
        stop_for_sheet(match, failure)
    except BotError as failure:
        stop_for_bot(match, failure, timezone.now(), version=match.version)


def _play_turn(match: TableMatch) -> None:
    actions: list[str] | None = None
    until = time.monotonic() + settings.BOT_ANSWER_SECONDS
    standing = hands_at_turn(match, match.sheet)
    if standing is not None:
        # More than two play with bots that answer at once.
        kept, ((hand, state),) = standing
        bot = seated_bots(seats_of(match).values(), hand.deal).get(state.turn)
        # Somebody has acted since the table was read.
        if bot is None:
            return
        sheet = running_sheet(kept.sheet.rules.rules, kept.sides, kept.deals)
        play_turn(state, bot, sheet, hand.sealed_pack.nonce)
        actions = [str(one) for one in state.actions]
    time.sleep(max(0, until - time.monotonic()))
    _carry_out(match, actions)


@transaction.atomic
def _carry_out(thought: TableMatch, actions: list[str] | None) -> None:
    """Continues the hand with these actions, at the version that was thought about; None if there is none."""
    sheet = locked_sheet(thought.sheet)
    chairs = seats_of(thought)
    match = chairs[0].match
    if match.version != thought.version or match.bot_asked_at is None:
        return
    standing = hands_at_turn(match, sheet)
    if standing is None or actions is None:
        # Somebody changed or ended the sheet: nobody is to move.
        write(match, bot_asked_at=None)
        return
    kept, ((hand, _state),) = standing
    hand.actions = actions
    now = timezone.now()
    following = reply_and_deal(match, [hand], kept, chairs.values(), version=match.version + 1, now=now)
    write(match, **next_turns(match, chairs.values(), following, now))


def ask_bots_again(now: datetime.datetime) -> None:
    """The sweep of bots that think: asks a worker again for a turn that nobody has played in its time."""
    lapsed = now - datetime.timedelta(seconds=settings.BOT_MOVE_SECONDS)
    waiting = TableMatch.objects.filter(bot_asked_at__lt=lapsed)
    for pk in list(waiting.order_by("bot_asked_at").values_list("pk", flat=True)[:MOST_AT_ONCE]):
        # Of two sweeps at once, the one that marks a row asks.
        if waiting.filter(pk=pk).update(bot_asked_at=now):
            wake_for_thinking(pk)
