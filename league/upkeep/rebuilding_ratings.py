"""Derives a club's ratings again and lists differences from what is stored."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from django.utils.translation import gettext as _

from league.models import Club, Exhibition, Match, Player, RatingsRequest, StandingsRequest
from league.record.requests import request_ratings
from league.tables.ratings import (
    RATING_FIELDS,
    STEP_FIELDS,
    WEIGHT_FIELDS,
    Figures,
    current_ratings,
    recalculate,
    stored_ratings,
    stored_steps,
    stored_weights,
)

Key = TypeVar("Key", int, tuple[int, int])


@dataclass(frozen=True, slots=True)
class RatingsFinding:
    """Differences between a club's ratings and its matches. `waits` if a recalculation is pending."""

    club: Club
    lines: list[str]
    waits: bool = False


def check_ratings(club: Club) -> RatingsFinding:
    """Compare the stored ratings with the matches, unless a recalculation is pending."""
    if _is_asked_for(club):
        return _waiting(club)
    now = current_ratings(club.pk)
    stored, stored_of_matches = stored_ratings(club.pk), stored_steps(club.pk)
    players = dict(Player.objects.filter(club=club).values_list("pk", "name"))
    lines = [
        _("ratings of %(club)s, %(player)s: %(line)s")
        % {"club": club, "player": players.get(player), "line": words}
        for player, words in _differences(stored, now.players, RATING_FIELDS)
    ]
    steps = list(_differences(stored_of_matches, now.steps, STEP_FIELDS))
    labels = _labels({match for (_player, match), _words in steps})
    lines += [
        _("ratings of %(club)s, %(player)s in %(match)s: %(line)s")
        % {"club": club, "player": players.get(player), "match": labels.get(match), "line": words}
        for (player, match), words in steps
    ]
    lines += [
        _("expected scores of %(club)s, sides of %(size)s: %(line)s")
        % {"club": club, "size": size, "line": words}
        for size, words in _differences(stored_weights(club.pk), now.weights, WEIGHT_FIELDS)
    ]
    # Anything recorded meanwhile has requested the ratings, or a table first.
    return _waiting(club) if lines and _is_asked_for(club) else RatingsFinding(club, lines)


def repair_ratings(club: Club) -> None:
    """Recalculate the ratings."""
    request_ratings(club.pk)
    recalculate(club.pk)


def _is_asked_for(club: Club) -> bool:
    return (
        RatingsRequest.objects.filter(club=club).exists()
        or StandingsRequest.objects.filter(event__club=club).exists()
    )


def _waiting(club: Club) -> RatingsFinding:
    said = _("ratings of %(club)s: waiting to be recalculated") % {"club": club}
    return RatingsFinding(club, [said], waits=True)


def _differences(
    stored: Mapping[Key, Figures], derived: Mapping[Key, Figures], names: tuple[str, ...]
) -> Iterator[tuple[Key, str]]:
    """Differences in words: derived figures in their order, then stored ones that are not derived."""
    for key, figures in derived.items():
        old = stored.get(key)
        if old is None:
            yield key, _("is missing")
            continue
        for name, is_, gives in zip(names, old, figures, strict=True):
            if is_ != gives:
                said = _("%(field)s is %(stored)s, the matches give %(derived)s")
                yield key, said % {"field": name, "stored": is_, "derived": gives}
    for key in sorted(stored.keys() - derived.keys()):
        yield key, _("is stored, the matches give none")


def _labels(ids: set[int]) -> dict[int, str]:
    """What matches and friendly games (`as_rated`) are called."""
    matches = Match.objects.filter(pk__in=ids).select_related("event")
    said = _("match %(match)s of %(event)s")
    labels = {match.pk: said % {"match": match.label, "event": match.event} for match in matches}
    games = Exhibition.objects.filter(pk__in={-one for one in ids if one < 0}).select_related("sheet")
    friendly = _("friendly game %(sheet)s")
    return labels | {-game.pk: friendly % {"sheet": game.sheet} for game in games}
