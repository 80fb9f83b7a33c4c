"""What workers do: tasks take ids, are idempotent, and are lost without harm."""

from celery import shared_task
from django.utils import timezone

from games.services import hand_out
from games.tasks import play_bot_match
from league.bots.bot_schedules import run_due_schedules
from league.draws import recalculating
from league.draws.challenges import expire_challenges
from league.models import RatingsRequest, StandingsRequest, SweepMark
from league.people.tokens import drop_expired_tokens
from league.record.locking import left_when_crossed
from league.tables import ratings


@shared_task
def recalculate_standings(event_id: int) -> None:
    """Makes the table of an event anew if anything asks for it."""
    with left_when_crossed():
        recalculating.recalculate(event_id)


@shared_task
def recalculate_ratings(club_id: int) -> None:
    """Rates the players of a club anew if anything asks for it."""
    with left_when_crossed():
        ratings.recalculate(club_id)


@shared_task
def sweep() -> None:
    """Picks up what a lost message left lying; on the beat every minute. Leaves its mark for `/healthz`.

    Ends the challenges whose time has passed, plants the bot matches that are due by their schedules, calls
    workers for those to be played, and forgets tokens that expired long ago.
    """
    events = StandingsRequest.objects.order_by("event").values_list("event", flat=True).distinct()
    for event_id in list(events):
        recalculate_standings.delay(event_id)
    clubs = RatingsRequest.objects.order_by("club").values_list("club", flat=True).distinct()
    for club_id in list(clubs):
        recalculate_ratings.delay(club_id)
    expire_challenges()
    now = timezone.now()
    run_due_schedules(now)
    drop_expired_tokens(now)
    for match_id in hand_out(now):
        play_bot_match.delay(match_id)
    SweepMark.objects.update_or_create(pk=1, defaults={"swept_at": timezone.now()})
