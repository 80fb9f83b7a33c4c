"""The table of the players of an event of teams."""

from collections.abc import Sequence

from league.models import Event, IndividualStanding


def individual_table(event: Event) -> Sequence[IndividualStanding]:
    """The players in order, with their names, in one query."""
    return list(IndividualStanding.objects.filter(event=event).select_related("player").order_by("position"))
