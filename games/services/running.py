"""The worker's part: takes a match up, has its deals played, and ends it or gives it back."""

import logging
import time
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any, Final

from django.conf import settings

from games.errors import GameError
from games.models import BotMatch
from games.services.ending import end_failed, finish
from games.services.leases import LeaseLost, beat, claim, new_token, release
from games.services.recording import record_played
from games.tables.play import BotError
from games.tables.playing import TableFault, table_deals
from games.tables.table import request
from scoring.core.errors import ScoringError
from scoring.core.messages import Sentence, mark
from scoring.core.sheets import MOST_DEALS
from scoring.models import Scoresheet, SheetStatus
from scoring.services.records import KeptSheet, kept_sheet

logger = logging.getLogger(__name__)

TICK_SECONDS: Final = 0.5
# A stopping worker waits this long for the current deal; then the deal is dropped and played again later.
STOP_SECONDS: Final = 2.0
# Interval between signs of life, as a fraction of the lease.
BEAT_SHARE: Final = 0.25

# Refusals of `record_deals` that mean the sheet has changed and must be read again.
_CHANGED: Final = frozenset({"stale_version", "sheet_void", "sheet_stopped", "sheet_finished"})


def play_bot_match(match_id: int, *, is_stopping: Callable[[], bool] = lambda: False) -> None:
    """Plays the rest of a match that is due and that nobody else plays; ignores any other.

    A bot that fails ends it: `end_failed`. A refusal, or a fault of ours, leaves the match to a later attempt
    with a note; a fault is raised again. When `is_stopping` returns True the match is given back within
    `STOP_SECONDS`.
    """
    token = new_token()
    match = claim(match_id, token)
    if match is None:
        return
    try:
        try:
            _play(match, token, is_stopping)
        except BotError as failure:
            logger.warning("Bot match %s ends, as a bot failed: %s", match.code, failure)
            end_failed(match, token, failure)
    except LeaseLost:
        logger.info("Bot match %s is not this worker's any more.", match.code)
    except (GameError, ScoringError) as refusal:
        logger.warning("Bot match %s cannot go on: %s", match.code, refusal)
        _give_back(match, token, refusal.placed)
    except TableFault as fault:
        _give_back(match, token, mark("Not the bots' fault: %(fault)s", fault=fault.sentence))
        raise
    except Exception as fault:
        _give_back(match, token, mark("A fault: %(fault)s", fault=type(fault).__name__))
        raise


def _give_back(match: BotMatch, token: str, note: Sentence) -> None:
    with suppress(LeaseLost):
        release(match, token, note=note)


def _play(match: BotMatch, token: str, is_stopping: Callable[[], bool]) -> None:
    """Plays on from the sheet, rereading it whenever somebody else changes it."""
    lease = _Lease(match, token, is_stopping)
    while True:
        sheet = Scoresheet.objects.select_related("rules").filter(pk=match.sheet_id).first()
        if sheet is None:
            raise LeaseLost
        if sheet.status != SheetStatus.OPEN:
            finish(match, token)
            return
        try:
            _play_on(match, token, kept_sheet(sheet), lease)
            return
        except ScoringError as refusal:
            if refusal.code not in _CHANGED:
                raise
            beat(match, token)


def _play_on(match: BotMatch, token: str, kept: KeptSheet, lease: "_Lease") -> None:
    """Plays until the match is over or given back."""
    version = kept.sheet.version
    with closing(table_deals(_asked(match, kept), tick_seconds=TICK_SECONDS)) as deals:
        for played in deals:
            if played is not None:
                receipt = record_played(match, token, kept, played, expected_version=version)
                if receipt.status != SheetStatus.OPEN:
                    return
                version = receipt.version
            if lease.is_to_end(between_deals=played is not None):
                release(match, token)
                return
    full = mark("The sheet is full: it has %(deals)s deals, and nobody has won it.", deals=MOST_DEALS)
    finish(match, token, note=full)


def _asked(match: BotMatch, kept: KeptSheet) -> dict[str, Any]:
    """The request for the table."""
    bots = {kept.seat_names[int(seat)]: bot for seat, bot in match.bots.items()}
    return request(
        kept.sheet.rules.knobs,
        kept.sides,
        bots,
        match.seed,
        played=kept.deals,
        strategies=settings.BOT_STRATEGIES,
        move_seconds=settings.BOT_MOVE_SECONDS,
    )


class _Lease:
    """Keeps this worker's lease alive during play, and tells when to give the match back."""

    def __init__(self, match: BotMatch, token: str, is_stopping: Callable[[], bool]) -> None:
        self._match = match
        self._token = token
        self._is_stopping = is_stopping
        self._every = settings.BOT_LEASE_SECONDS * BEAT_SHARE
        self._beaten = time.monotonic()
        self._end: float | None = None

    def is_to_end(self, *, between_deals: bool) -> bool:
        """Whether the worker must stop now; `LeaseLost` if the match is no longer its own."""
        now = time.monotonic()
        if between_deals:
            self._beaten = now  # recording counts as a sign of life
        elif now - self._beaten > self._every:
            beat(self._match, self._token)
            self._beaten = now
        if self._end is None and self._is_stopping():
            self._end = now + STOP_SECONDS
        return self._end is not None and (between_deals or now > self._end)
