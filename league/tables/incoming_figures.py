"""Ranking figures of entries that do not come from results of matches.

That is the initial rating, the place in a bracket or on a ladder, and the duplicate score.
"""

from collections.abc import Mapping, Sequence
from statistics import fmean

from league.core.standings import Number
from league.core.standings.duplicate import duplicate_scores
from league.models import EntryMember, Event, Rating, RatingStep, traits_of
from league.tables.duplicates import plays_of
from scoring.core.skills import shown


def incoming_figures(
    event: Event, criteria: Sequence[str], *, until: int | None = None
) -> dict[str, Mapping[int, Number]]:
    """Return such figures as the criteria need, by criterion and entry.

    Only what is needed is queried. Places and duplicate scores are as of round `until`.
    """
    figures: dict[str, Mapping[int, Number]] = {}
    if "rating" in criteria:
        figures["rating"] = incoming_ratings(event)
    if "place" in criteria:
        figures["place"] = traits_of(event).places(event, until=until)
    if "duplicate" in criteria:
        figures["duplicate"] = duplicate_scores(plays_of(event, until=until))
    return figures


def incoming_ratings(event: Event) -> dict[int, int]:
    """Return each entry's initial rating as displayed; a team's is the average of its members'.

    The rating before the first match of this event, so that playing does not change the table; the present
    one for members who have not played in it. Entries without rated members have none.
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
