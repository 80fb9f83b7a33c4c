"""Figures of entries that do not come from the results in the table: the rating they came with, the place in
the bracket or on the ladder.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from league.core.ratings import shown
from league.core.standings import Number
from league.models import EntryMember, Event, Rating, RatingStep, traits_of


def incoming_figures(
    event: Event, criteria: Sequence[str], *, until: int | None = None
) -> dict[str, Mapping[int, Number]]:
    """What those of the criteria need that look at no result, by criterion and entry.

    Asks only for what is needed, a few queries each. Places are as of the round `until`.
    """
    figures: dict[str, Mapping[int, Number]] = {}
    if "rating" in criteria:
        figures["rating"] = incoming_ratings(event)
    if "place" in criteria:
        figures["place"] = traits_of(event).places(event, until=until)
    return figures


def incoming_ratings(event: Event) -> dict[int, int]:
    """The rating that each entry came with, as ratings are shown; a team's is the average of its members'.

    It is the rating before the first match of this event, so that playing on does not move the table, and
    that of now where a member has not played in it. Entries nobody of whom is rated have none.
    """
    before: dict[int, float] = {}
    steps = RatingStep.objects.filter(match__event=event).order_by("player_id", "number")
    for player, mu in steps.values_list("player_id", "mu_before"):
        before.setdefault(player, mu)
    now = dict(
        Rating.objects.filter(player__memberships_in_entries__event=event).values_list("player_id", "mu")
    )
    ratings: dict[int, list[float]] = {}
    for entry, player in EntryMember.objects.filter(event=event).values_list("entry_id", "player_id"):
        if player in before or player in now:
            ratings.setdefault(entry, []).append(before.get(player, now.get(player, 0.0)))
    return {entry: shown(fmean(mus)) for entry, mus in ratings.items()}
