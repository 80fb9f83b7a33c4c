"""Workers' tasks: they take ids, are idempotent, and may be lost without harm."""

from dataclasses import astuple

from celery import shared_task
from django.contrib.auth.forms import PasswordResetForm
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services import hand_out, hands_to_report
from games.tasks import play_bot_match, report_hand
from league.bots.bot_schedules import run_due_schedules
from league.draws import recalculating
from league.draws.arranging import tell_last_days
from league.draws.formats import format_called
from league.events.evening_sweep import sweep_evenings
from league.events.incomplete_teams import sweep_teams
from league.models import RatingsRequest, StandingsRequest, SweepMark, registered
from league.notices import calling, delivery
from league.notices.mail import mailed
from league.people.accounts import password_link_of
from league.record.locking import left_when_crossed
from league.record.write_counts import fold_counts
from league.tables import ratings
from league.upkeep.retention import forget_what_is_over


@shared_task
def recalculate_standings(event_id: int) -> None:
    """Recalculate the event's table if that is requested."""
    with left_when_crossed():
        recalculating.recalculate(event_id)


@shared_task
def recalculate_ratings(club_id: int) -> None:
    """Recalculate the club's ratings if that is requested."""
    with left_when_crossed():
        ratings.recalculate(club_id)


@shared_task
def mail_password_link(email: str, domain: str, is_secure: bool) -> None:
    """Mail a link for a new password to whoever has this address; to nobody if nobody has."""
    for user in PasswordResetForm().get_users(email):
        page = reverse("password_link", args=astuple(password_link_of(user)))
        address = f"{'https' if is_secure else 'http'}://{domain}{page}"
        text = render_to_string("league/password_mail.txt", {"name": user.get_username(), "address": address})
        mailed(to=user.email, subject=_("A new password"), text=text)


@shared_task
def deliver_notices() -> None:
    """Mail what waits in the outbox, for less than a minute."""
    delivery.deliver()


@shared_task
def deliver_webhooks() -> None:
    """Send what waits for other programs, for less than a minute."""
    calling.deliver()


@shared_task
def run_evenings() -> None:
    """Do what is due in evenings that run themselves, several times a minute."""
    sweep_evenings(timezone.now())


@shared_task
def sweep() -> None:
    """Do the work of lost messages, every minute. Leaves its mark for `/healthz`.

    Does what follows from time alone in each format, plants due bot matches, wakes workers for pending ones
    and for hands without reports, tells of last days that are near, ends teams that are not complete in time,
    wakes workers for what is to be mailed and sent to programs, forgets what was kept long enough, and folds
    the counts of what is over.
    """
    events = StandingsRequest.objects.order_by("event").values_list("event", flat=True).distinct()
    for event_id in list(events):
        recalculate_standings.delay(event_id)
    clubs = RatingsRequest.objects.order_by("club").values_list("club", flat=True).distinct()
    for club_id in list(clubs):
        recalculate_ratings.delay(club_id)
    for key in registered():
        format_called(key).sweep()
    now = timezone.now()
    run_due_schedules(now)
    for match_id in hand_out(now):
        play_bot_match.delay(match_id)
    for hand_id in hands_to_report():
        report_hand.delay(hand_id)
    tell_last_days(now)
    sweep_teams(now)
    if delivery.notices_wait(now):
        deliver_notices.delay()
    if calling.webhooks_wait(now):
        deliver_webhooks.delay()
    forget_what_is_over(now)
    fold_counts()
    SweepMark.objects.update_or_create(pk=1, defaults={"swept_at": timezone.now()})
