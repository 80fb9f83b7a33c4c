"""The ratings of a club's players, made anew when a result they depend on has changed.

They follow the tables: whoever writes a table anew asks, in the same transaction, for the ratings of its
club. So recording a hand costs nothing for them, and what asks for a table asks for them. A calculation reads
the requests first, then the matches, and writes what differs in one transaction that begins by taking exactly
those requests. Where another has taken one of them it has written since, from what it read later, and this
calculation begins again.
"""

import datetime
from collections.abc import Collection
from functools import partial
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Q

from league.core.ratings import RatedMatch, Ratings, rate
from league.models import (
    PLAYED,
    Appearance,
    Event,
    Match,
    Rating,
    RatingsRequest,
    RatingStep,
    StandingsRequest,
    between_bots,
)
from league.policy.withholding import released
from league.record.wake import wake

_MOST_REQUESTS: Final = 10_000
_TRIES: Final = 5
RATING_FIELDS: Final = ("mu", "sigma", "matches")
STEP_FIELDS: Final = ("number", "mu_before", "sigma_before", "mu", "sigma")

# Of a player: `RATING_FIELDS`; of a player and match: `STEP_FIELDS`. What is stored, or ought to be.
Figures = tuple[float, ...]


def recalculate(club_id: int) -> bool:
    """Serves all open requests of a club; True if its ratings were looked through and are right.

    Idempotent. Several may run at once: whoever finds a request taken by another begins again. After five
    such rounds it leaves the rest to the others, or to the sweep.
    """
    served = False
    for _ in range(_TRIES):
        requests = RatingsRequest.objects.filter(club=club_id).order_by("id").values_list("pk", flat=True)
        request_ids = list(requests[:_MOST_REQUESTS])
        if not request_ids:
            return served
        served |= _write(club_id, request_ids)
    return served


def current_ratings(club_id: int) -> Ratings:
    """The ratings as they should be now; computed, nothing stored."""
    return rate(rated_matches(club_id))


def rated_matches(club_id: int) -> list[RatedMatch]:
    """The matches of a club that are rated, in the order in which they were played, in two queries.

    Rated is what was played to its end and is not held back, of a round that is released; not a bye, a
    forfeit, a walkover. A match counts on the day it was moved to, else on that of its round, else on the day
    its event was made; on one day events follow each other as they were made. A side is who sat down to it: a
    substitute who came in later is not rated for it. A match without players on both sides is passed over,
    and so is one between bots in an event that does not let them count.
    """
    played = Match.objects.filter(event__club=club_id, held=False, state__in=PLAYED).order_by()
    played = played.filter(released(), Q(event__bot_matches_count=True) | ~between_bots())
    rows = played.values_list(
        "pk",
        "winner_side",
        "planned_on",
        "round__date",
        "event__created_at",
        "event_id",
        "round__number",
        "leg",
    )
    ordered: list[tuple[datetime.date, int, int, int, int, int | None]] = sorted(
        (planned or date or made.date(), event, number, leg, pk, winner)
        for pk, winner, planned, date, made, event, number, leg in rows
    )
    sides: dict[int, tuple[list[int], list[int]]] = {each[4]: ([], []) for each in ordered}
    seats = (
        Appearance.objects.filter(match__in=played.values("pk"), from_deal=1)
        .order_by("side", "position")
        .values_list("match_id", "side", "player_id")
    )
    for match_id, side, player_id in seats:
        if match_id in sides:
            sides[match_id][side].append(player_id)
    return [
        RatedMatch(pk, (tuple(sides[pk][0]), tuple(sides[pk][1])), winner)
        for *_when, pk, winner in ordered
        if all(sides[pk])
    ]


def stored_ratings(club_id: int) -> dict[int, Figures]:
    """What is stored of each player."""
    rows = Rating.objects.filter(player__club=club_id).order_by().values_list("player_id", *RATING_FIELDS)
    return {player: tuple(figures) for player, *figures in rows}


def stored_steps(club_id: int) -> dict[tuple[int, int], Figures]:
    """What is stored of each player and match."""
    rows = RatingStep.objects.filter(player__club=club_id).order_by()
    return {
        (player, match): tuple(figures)
        for player, match, *figures in rows.values_list("player_id", "match_id", *STEP_FIELDS)
    }


def rating_figures(ratings: Ratings) -> dict[int, Figures]:
    """What there is to store of each player."""
    return {
        player: (skill.mu, skill.sigma, ratings.matches[player]) for player, skill in ratings.players.items()
    }


def step_figures(ratings: Ratings) -> dict[tuple[int, int], Figures]:
    """What there is to store of each player and match."""
    return {(step.player, step.match): (step.number, *step.before, *step.after) for step in ratings.steps}


def _write(club_id: int, request_ids: list[int]) -> bool:
    """Computes outside any transaction, then writes what differs; False if another has written meanwhile."""
    ratings = current_ratings(club_id)
    players, steps = rating_figures(ratings), step_figures(ratings)
    old_players, old_steps = stored_ratings(club_id), stored_steps(club_id)
    new_players = [
        Rating(player_id=player, **dict(zip(RATING_FIELDS, figures, strict=True)))
        for player, figures in players.items()
        if old_players.get(player) != figures
    ]
    new_steps = [
        RatingStep(player_id=player, match_id=match, **dict(zip(STEP_FIELDS, figures, strict=True)))
        for (player, match), figures in steps.items()
        if old_steps.get((player, match)) != figures
    ]
    try:
        with transaction.atomic():
            if not _take(request_ids):
                return False
            _delete_steps(old_steps.keys() - steps.keys())
            Rating.objects.filter(player__in=old_players.keys() - players.keys()).delete()
            Rating.objects.bulk_create(
                new_players, update_conflicts=True, unique_fields=["player"], update_fields=RATING_FIELDS
            )
            RatingStep.objects.bulk_create(
                new_steps, update_conflicts=True, unique_fields=["player", "match"], update_fields=STEP_FIELDS
            )
            if new_players or new_steps or old_steps.keys() - steps.keys():
                _request_tables(club_id)
    except IntegrityError:
        # A match or a player was deleted meanwhile; whoever did that has asked for the ratings again.
        return False
    return True


def _request_tables(club_id: int) -> None:
    """Has those tables made anew that are ordered by the ratings too; it ends once no rating changes more."""
    events = Event.objects.filter(club=club_id).order_by("pk").values_list("pk", "criteria")
    for event_id in [pk for pk, criteria in events if "rating" in criteria]:
        StandingsRequest.objects.create(event_id=event_id)
        transaction.on_commit(partial(wake, event_id), robust=True)


def _take(request_ids: list[int]) -> bool:
    """Deletes the requests, locked in order of id; False, and none is, where one of them is gone already."""
    requests = RatingsRequest.objects.filter(pk__in=request_ids)
    if len(requests.select_for_update().order_by("id")) < len(request_ids):
        return False
    requests.delete()
    return True


def _delete_steps(gone: Collection[tuple[int, int]]) -> None:
    """Deletes the steps of these players and matches."""
    if not gone:
        return
    steps = RatingStep.objects.filter(match__in={match for _player, match in gone}).order_by()
    stale = [pk for pk, *pair in steps.values_list("pk", "player_id", "match_id") if tuple(pair) in gone]
    RatingStep.objects.filter(pk__in=stale).delete()
