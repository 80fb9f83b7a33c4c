"""Leases: a bot match belongs to one worker at a time, whose token its row has while signs of life arrive.

All decisions are single `UPDATE … WHERE` statements, so any number of workers may compete. A worker that was
silent for `BOT_LEASE_SECONDS` may be replaced and is refused from then on.
"""

import datetime
import secrets
from typing import Any

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState, kept_note
from scoring.core.messages import Sentence, mark

# The most matches handed out at once: without workers, messages would pile up.
MOST_HANDED_OUT = 50


class LeaseLost(Exception):
    """The match is no longer this worker's; whatever it was about to write is not written."""


def new_token() -> str:
    """An owner's name for a single lease."""
    return secrets.token_hex(16)


def claim(match_id: int, token: str) -> BotMatch | None:
    """The match, now owned by `token`; None if it is not due, over, another worker's, or left alone."""
    now = timezone.now()
    free = Q(state=BotMatchState.DUE, due_at__lte=now) | _silent(now)
    claimed = BotMatch.objects.filter(free, pk=match_id, attempts__lt=MOST_ATTEMPTS).update(
        state=BotMatchState.PLAYING,
        owner=token,
        heartbeat=now,
        started_at=Coalesce("started_at", now),
        attempts=F("attempts") + 1,
        said=None,
    )
    return BotMatch.objects.select_related("sheet__rules").get(pk=match_id) if claimed else None


def beat(match: BotMatch, token: str) -> None:
    """Records a sign of life; `LeaseLost` for a worker that no longer owns the match."""
    _held(match, token, heartbeat=timezone.now())


def note_progress(match: BotMatch, token: str) -> None:
    """Records a sign of life after a deal, and resets the attempts."""
    _held(match, token, heartbeat=timezone.now(), attempts=0)


def release(match: BotMatch, token: str, *, note: Sentence = "") -> None:
    """Gives the match back for anybody to continue; `LeaseLost` if it is another worker's already.

    Without a `note` nothing was wrong: it is available at once, and no attempt is counted. With one it waits
    until the lease would have ended.
    """
    given: dict[str, Any] = (
        {"handed_at": timezone.now(), "said": kept_note(note)} if note else {"handed_at": None, "attempts": 0}
    )
    _held(match, token, state=BotMatchState.DUE, owner="", heartbeat=None, **given)


def hand_out(now: datetime.datetime) -> list[int]:
    """The ids of matches for which a worker should be called now, the longest due first.

    They are due, or their worker is silent. None is handed out again within the lease, nor after
    `MOST_ATTEMPTS` without a deal: those stay, with a note, until somebody looks at them.
    """
    given_up = mark(
        "Given up after %(attempts)s attempts in which no deal was played.", attempts=MOST_ATTEMPTS
    )
    BotMatch.objects.filter(_silent(now), attempts__gte=MOST_ATTEMPTS).update(
        state=BotMatchState.DUE, owner="", heartbeat=None, said=kept_note(given_up)
    )
    lapsed = now - datetime.timedelta(seconds=settings.BOT_LEASE_SECONDS)
    waiting = BotMatch.objects.filter(
        Q(state=BotMatchState.DUE, due_at__lte=now) | _silent(now),
        Q(handed_at=None) | Q(handed_at__lt=lapsed),
        attempts__lt=MOST_ATTEMPTS,
    )
    ids = list(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:MOST_HANDED_OUT])
    # Of two sweeps at once, the one that marks a row hands it out.
    return [pk for pk in ids if waiting.filter(pk=pk).update(handed_at=now)]


def _silent(now: datetime.datetime) -> Q:
    lapsed = now - datetime.timedelta(seconds=settings.BOT_LEASE_SECONDS)
    return Q(state=BotMatchState.PLAYING, heartbeat__lt=lapsed)


def _held(match: BotMatch, token: str, **fields: object) -> None:
    owned = BotMatch.objects.filter(pk=match.pk, owner=token, state=BotMatchState.PLAYING)
    if not owned.update(**fields):
        raise LeaseLost
