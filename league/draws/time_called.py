"""Calls time for all tables of a round: every sheet in play stops (RULES §5)."""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import SEATED, Match, MatchState, Round, RoundState
from league.policy import Permission, require
from league.record.audit import locked, record_audit
from league.record.locking import lock_matches
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.services import stop_sheet


@transaction.atomic
def call_time(*, actor: Actor, round_: Round) -> list[Match]:
    """Stop every sheet of the round with a recorded deal that has not ended; returns their matches.

    Tables that have not begun stay as they are. A deal being recorded at this moment is on its sheet before
    it stops, or is refused. Calling again stops tables begun since. The clock of the round ends. Refused: a
    draft (`round_drafted`), and if nobody plays (`nobody_plays`).
    """
    require(actor, Permission.DIRECT, round_.event.club)
    lock_matches(Match.objects.filter(round=round_))
    event = locked(round_.event)
    check_doing(event.name, event.state, Doing.PLAY)
    round_ = locked(round_)
    round_.event = event
    playing = list(still_playing(round_))
    check_callable(round_, playing)
    before, clock = round_.called_at, round_.ends_at
    for match in playing:
        if match.sheet is not None:
            stop_sheet(actor=actor, sheet=match.sheet)
    round_.called_at = timezone.now()
    round_.ends_at = None
    round_.save(update_fields=["called_at", "ends_at"])
    record_audit(
        actor,
        "round.call_time",
        round_,
        before={"called_at": before and before.isoformat(), "ends_at": clock and clock.isoformat()},
        after={
            "called_at": round_.called_at.isoformat(),
            "ends_at": None,
            "stopped": [f"{match.label} {match}" for match in playing],
        },
    )
    return playing


def still_playing(round_: Round) -> QuerySet[Match]:
    """Return the matches whose sheets `call_time` would stop, in order of their sheets."""
    playing = round_.matches.filter(
        state=MatchState.PLAYING, sheet__status=SheetStatus.OPEN, sheet__deal_count__gt=0
    )
    return playing.select_related("sheet", *SEATED).order_by("sheet_id")


def check_callable(round_: Round, playing: Sequence[Match]) -> None:
    """Refuse whatever `call_time` refuses."""
    if round_.state == RoundState.DRAFTED:
        raise LeagueError("round_drafted", _("%(round)s is a draft: publish it first.") % {"round": round_})
    if not playing:
        raise LeagueError("nobody_plays", _("No table of %(round)s is being played.") % {"round": round_})
