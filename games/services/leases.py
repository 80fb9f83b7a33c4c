"""A bot match belongs to one worker at a time: whoever's token stands in its row, as long as he is heard of.

All is decided by single statements `UPDATE … WHERE`, so it does not matter how many try at once. A worker
that was silent for `BOT_LEASE_SECONDS` may be followed by another, and is refused from then on.
"""

import datetime
import secrets

from django.conf import settings
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import MOST_ATTEMPTS, BotMatch, BotMatchState

# So many matches are handed out at once, however many are due: where nobody plays, messages would pile up.
MOST_HANDED_OUT = 50


class LeaseLost(Exception):
    """Somebody else plays this match by now, or nobody any more; whatever was about to be written is not."""


def new_token() -> str:
    """The name of an owner, for one time that a match is played."""
    return secrets.token_hex(16)


def claim(match_id: int, token: str) -> BotMatch | None:
    """The match, now owned by `token`; None where it is not due, over, played by another, or left alone."""
    now = timezone.now()
    free = Q(state=BotMatchState.DUE, due_at__lte=now) | _silent(now)
    claimed = BotMatch.objects.filter(free, pk=match_id, attempts__lt=MOST_ATTEMPTS).update(
        state=BotMatchState.PLAYING,
        owner=token,
        heartbeat=now,
        started_at=Coalesce("started_at", now),
        attempts=F("attempts") + 1,
        note="",
    )
    return BotMatch.objects.select_related("sheet__rules").get(pk=match_id) if claimed else None


def beat(match: BotMatch, token: str) -> None:
    """The worker is alive; refuses with `LeaseLost` one that does not own the match any more."""
    _held(match, token, heartbeat=timezone.now())


def note_progress(match: BotMatch, token: str) -> None:
    """As `beat`, and a deal was played: the attempts are counted anew."""
    _held(match, token, heartbeat=timezone.now(), attempts=0)


def release(match: BotMatch, token: str, *, note: str = "") -> None:
    """Gives the match back, to be played on by anybody; `LeaseLost` where it is another's already.

    Without a `note` there was nothing wrong with it: it is handed out at once, and no attempt is counted.
    With one it waits until the lease would have ended.
    """
    given = {"handed_at": timezone.now(), "note": note[:300]} if note else {"handed_at": None, "attempts": 0}
    _held(match, token, state=BotMatchState.DUE, owner="", heartbeat=None, **given)


def hand_out(now: datetime.datetime) -> list[int]:
    """The ids of matches to be played for which a worker is to be called now, the longest due first.

    They are due, or whoever played them is silent. None is handed out again within the lease, nor after
    `MOST_ATTEMPTS` that led to no deal: those stay, with a note, for somebody to look at.
    """
    BotMatch.objects.filter(_silent(now), attempts__gte=MOST_ATTEMPTS).update(
        state=BotMatchState.DUE,
        owner="",
        heartbeat=None,
        note=_("Given up after %(attempts)d attempts in which no deal was played.")
        % {"attempts": MOST_ATTEMPTS},
    )
    lapsed = now - datetime.timedelta(seconds=settings.BOT_LEASE_SECONDS)
    waiting = BotMatch.objects.filter(
        Q(state=BotMatchState.DUE, due_at__lte=now) | _silent(now),
        Q(handed_at=None) | Q(handed_at__lt=lapsed),
        attempts__lt=MOST_ATTEMPTS,
    )
    ids = list(waiting.order_by("due_at", "pk").values_list("pk", flat=True)[:MOST_HANDED_OUT])
    # Two sweeps at once: each row is handed out by whoever marks it.
    return [pk for pk in ids if waiting.filter(pk=pk).update(handed_at=now)]


def _silent(now: datetime.datetime) -> Q:
    lapsed = now - datetime.timedelta(seconds=settings.BOT_LEASE_SECONDS)
    return Q(state=BotMatchState.PLAYING, heartbeat__lt=lapsed)


def _held(match: BotMatch, token: str, **fields: object) -> None:
    owned = BotMatch.objects.filter(pk=match.pk, owner=token, state=BotMatchState.PLAYING)
    if not owned.update(**fields):
        raise LeaseLost
