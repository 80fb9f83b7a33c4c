"""What is planned of matches: when and where they are played, agreed or proposed."""

from django.db.models import QuerySet

from league.models import Match, ProposedTime


def forget_plans(matches: QuerySet[Match]) -> None:
    """Forget what was proposed and agreed in matches that others may play from now on."""
    ProposedTime.objects.filter(match__in=matches.order_by().values("pk")).delete()
    matches.order_by().exclude(planned_at=None).update(planned_on=None, planned_at=None, planned_place="")
