"""Recalculates a club's ratings when a result they depend on has changed.

Whoever writes an event's table requests its club's ratings in the same transaction, so recording a hand costs
nothing for them. A calculation reads the requests first, then the matches, and writes differences in one
transaction that starts by taking exactly those requests. If one of them is gone, another process has written
since from newer data, and the calculation starts again.
"""

import datetime
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, Final

from django.db import IntegrityError, transaction
from django.db.models import Q

from league.core.expected import Expectations, expect
from league.core.ratings import RatedMatch, Ratings, rate
from league.models import (
    PLAYED,
    Appearance,
    Event,
    ExpectedWeights,
    Match,
    Rating,
    RatingsRequest,
    RatingStep,
    StandingsRequest,
    between_bots,
    with_sitting_in,
)
from league.policy.withholding import released
from league.record.wake import wake
from league.tables.rated_friendlies import as_rated, counted_friendlies

_MOST_REQUESTS: Final = 10_000
_TRIES: Final = 5
RATING_FIELDS: Final = ("mu", "sigma", "matches", "elo")
STEP_FIELDS: Final = ("number", "mu_before", "sigma_before", "mu", "sigma")
WEIGHT_FIELDS: Final = ("matches", "weights")

# Values of `RATING_FIELDS`, `STEP_FIELDS` or `WEIGHT_FIELDS`, stored or expected.
Figures = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RatingsNow:
    """The ratings as they should be, and what expected scores are told from."""

    ratings: Ratings
    expectations: Expectations

    @property
    def players(self) -> dict[int, Figures]:
        """What should be stored of each player."""
        return {
            player: (skill.mu, skill.sigma, self.ratings.matches[player], self.expectations.elos[player])
            for player, skill in self.ratings.players.items()
        }

    @property
    def steps(self) -> dict[tuple[int, int], Figures]:
        """What should be stored of each player and match, or friendly game (`as_rated`)."""
        return {
            (step.player, step.match): (step.number, *step.before, *step.after) for step in self.ratings.steps
        }

    @property
    def weights(self) -> dict[int, Figures]:
        """What should be stored of matches of each size."""
        return {
            size: (each.matches, list(each.weights)) for size, each in self.expectations.weighings.items()
        }


def recalculate(club_id: int) -> bool:
    """Serve all open requests of a club; True if its ratings were checked and are right.

    Idempotent and safe to run concurrently: if a request is taken by another process, it starts again. After
    five attempts it leaves the rest to others or to the sweep.
    """
    served = False
    for _ in range(_TRIES):
        requests = RatingsRequest.objects.filter(club=club_id).order_by("id").values_list("pk", flat=True)
        request_ids = list(requests[:_MOST_REQUESTS])
        if not request_ids:
            return served
        served |= _write(club_id, request_ids)
    return served


def current_ratings(club_id: int) -> RatingsNow:
    """Compute the ratings as they should be now; nothing is stored."""
    matches = rated_matches(club_id)
    ratings = rate(matches)
    return RatingsNow(ratings, expect(matches, ratings))


def rated_matches(club_id: int) -> list[RatedMatch]:
    """Return a club's rated matches and friendly games in order of play, in three queries.

    Rated are matches played to an end, not held, in released rounds; no byes, forfeits, walkovers. A match is
    dated by the day it was moved to, otherwise by its round, otherwise by the creation of its event; on one
    day events are ordered by creation. A side is its starting players, without later substitutes. Matches
    without players on all sides are skipped, as are matches between bots where the event excludes them, and
    those in which a bot sat in for an absent player. Friendly games (`counted_friendlies`) are of the day on
    which they were begun, and come after its matches.
    """
    played = Match.objects.filter(event__club=club_id, held=False, state__in=PLAYED).order_by()
    played = played.filter(released(), Q(event__bot_matches_count=True) | ~between_bots(), ~with_sitting_in())
    rows = played.values_list(
        "pk",
        "winner_side",
        "at_table",
        "planned_on",
        "round__date",
        "event__created_at",
        "event_id",
        "round__number",
        "leg",
    )
    ordered: list[tuple[datetime.date, int, int, int, int, int | None, list[list[int]]]] = sorted(
        (planned or date or made.date(), event, number, leg, pk, winner, at_table)
        for pk, winner, at_table, planned, date, made, event, number, leg in rows
    )
    sides: dict[int, list[list[int]]] = {
        pk: [[] for _side in range(max(2, len(at_table)))] for *_when, pk, _winner, at_table in ordered
    }
    seats = (
        Appearance.objects.filter(match__in=played.values("pk"), from_deal=1)
        .order_by("side", "position")
        .values_list("match_id", "side", "player_id")
    )
    for match_id, side, player_id in seats:
        if match_id in sides:
            sides[match_id][side].append(player_id)
    dated = [
        (
            day,
            RatedMatch(
                pk,
                tuple(map(tuple, sides[pk])),
                None if at_table else winner,
                tuple(place for place, *_figures in at_table),
            ),
        )
        for day, *_when, pk, winner, at_table in ordered
        if all(sides[pk])
    ]
    friendly = counted_friendlies(club_id).values_list(
        "sheet__opened_at",
        "pk",
        "player_a",
        "player_b",
        "sheet__places",
        "sheet__table_match__forfeited_by",
    )
    dated += [
        (begun.date(), as_rated(pk, (one, other), places, forfeited_by))
        for begun, pk, one, other, places, forfeited_by in friendly
    ]
    # Those of a day stay in the order in which they stand here.
    return [match for _day, match in sorted(dated, key=itemgetter(0))]


def stored_ratings(club_id: int) -> dict[int, Figures]:
    """Return what is stored of each player."""
    rows = Rating.objects.filter(player__club=club_id).order_by().values_list("player_id", *RATING_FIELDS)
    return {player: tuple(figures) for player, *figures in rows}


def stored_steps(club_id: int) -> dict[tuple[int, int], Figures]:
    """Return what is stored of each player and match, or friendly game."""
    rows = RatingStep.objects.filter(player__club=club_id).order_by()
    return {
        (player, _key(match, exhibition)): tuple(figures)
        for player, match, exhibition, *figures in rows.values_list(
            "player_id", "match_id", "exhibition_id", *STEP_FIELDS
        )
    }


def stored_weights(club_id: int) -> dict[int, Figures]:
    """Return what is stored of matches of each size."""
    rows = ExpectedWeights.objects.filter(club=club_id).order_by()
    return {size: tuple(figures) for size, *figures in rows.values_list("size", *WEIGHT_FIELDS)}


def _write(club_id: int, request_ids: list[int]) -> bool:
    """Compute outside any transaction, then write differences; False if another process has written."""
    now = current_ratings(club_id)
    players, steps, weights = now.players, now.steps, now.weights
    old_players, old_steps = stored_ratings(club_id), stored_steps(club_id)
    old_weights = stored_weights(club_id)
    new_players = [
        Rating(player_id=player, **dict(zip(RATING_FIELDS, figures, strict=True)))
        for player, figures in players.items()
        if old_players.get(player) != figures
    ]
    new_steps = [
        RatingStep(player_id=player, **_columns(match), **dict(zip(STEP_FIELDS, figures, strict=True)))
        for (player, match), figures in steps.items()
        if old_steps.get((player, match)) != figures
    ]
    new_weights = [
        ExpectedWeights(club_id=club_id, size=size, **dict(zip(WEIGHT_FIELDS, figures, strict=True)))
        for size, figures in weights.items()
        if old_weights.get(size) != figures
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
            for of in ("match", "exhibition"):
                RatingStep.objects.bulk_create(
                    [step for step in new_steps if getattr(step, f"{of}_id") is not None],
                    update_conflicts=True,
                    unique_fields=["player", of],
                    update_fields=STEP_FIELDS,
                )
            if gone := old_weights.keys() - weights.keys():
                ExpectedWeights.objects.filter(club=club_id, size__in=gone).delete()
            ExpectedWeights.objects.bulk_create(
                new_weights,
                update_conflicts=True,
                unique_fields=["club", "size"],
                update_fields=WEIGHT_FIELDS,
            )
            if new_players or new_steps or old_steps.keys() - steps.keys():
                _request_tables(club_id)
    except IntegrityError:
        # A match or player was deleted meanwhile, and that requested the ratings again.
        return False
    return True


def _request_tables(club_id: int) -> None:
    """Request the tables that are ordered by ratings too; ends once no rating changes."""
    events = Event.objects.filter(club=club_id).order_by("pk").values_list("pk", "criteria")
    for event_id in [pk for pk, criteria in events if "rating" in criteria]:
        StandingsRequest.objects.create(event_id=event_id)
        transaction.on_commit(partial(wake, event_id), robust=True)


def _take(request_ids: list[int]) -> bool:
    """Delete the requests, locked by id; False, without deleting any, if one is gone."""
    requests = RatingsRequest.objects.filter(pk__in=request_ids)
    if len(requests.select_for_update().order_by("id")) < len(request_ids):
        return False
    requests.delete()
    return True


def _delete_steps(gone: Collection[tuple[int, int]]) -> None:
    """Delete the steps of these players and matches, or friendly games."""
    if not gone:
        return
    matches = {match for _player, match in gone if match > 0}
    games = {-match for _player, match in gone if match < 0}
    steps = RatingStep.objects.filter(Q(match__in=matches) | Q(exhibition__in=games)).order_by()
    rows = steps.values_list("pk", "player_id", "match_id", "exhibition_id")
    stale = [pk for pk, player, match, exhibition in rows if (player, _key(match, exhibition)) in gone]
    RatingStep.objects.filter(pk__in=stale).delete()


def _key(match: int | None, exhibition: int | None) -> int:
    """The id that a step's match or friendly game has among those that are rated."""
    return match if match is not None else -(exhibition or 0)


def _columns(key: int) -> dict[str, int]:
    """What a step of this match or friendly game refers to."""
    return {"match_id": key} if key > 0 else {"exhibition_id": -key}
