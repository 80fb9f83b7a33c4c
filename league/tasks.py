"""What workers do: tasks take ids, are idempotent, and are lost without harm."""

from celery import shared_task
from django.utils import timezone

from league.models import StandingsRequest, SweepMark
from league.services.standings import recalculate


@shared_task
def recalculate_standings(event_id: int) -> None:
    """Makes the table of an event anew if anything asks for it."""
    recalculate(event_id)


@shared_task
def sweep() -> None:
    """Picks up what a lost message left lying; on the beat every minute. Leaves its mark for `/healthz`."""
    waiting = StandingsRequest.objects.order_by("event").values_list("event", flat=True).distinct()
    for event_id in list(waiting):
        recalculate_standings.delay(event_id)
    SweepMark.objects.update_or_create(pk=1, defaults={"swept_at": timezone.now()})
