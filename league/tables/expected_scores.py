"""Expected scores beside matches that are still to be played, told from the ratings as they are now."""

from collections.abc import Iterable

from league.core.expected import Form, Weighing, expected_score, is_telling, percent
from league.models import UNFINISHED, Appearance, Event, ExpectedWeights, Match, RoundState
from league.policy.withholding import is_withheld


def tell_expected(matches: Iterable[Match], event: Event) -> None:
    """Set what is expected of the first side, in per cent, on matches of an event, loaded with their rounds.

    It takes two queries, or none. Nothing is told where too little is known: of matches of that size, of one
    of the players, or of who plays. Nor is it of what has been played, of drafts, and of rounds whose results
    are withheld.
    """
    open_ = {
        match.pk: match
        for match in matches
        if match.state in UNFINISHED
        and match.entry_b_id is not None
        and not match.is_table
        and not match.annulled
        and match.round.state != RoundState.DRAFTED
        and not is_withheld(event, match.round)
    }
    if not open_:
        return
    weighings = {
        size: Weighing(number, tuple(weights))
        for size, number, weights in ExpectedWeights.objects.filter(club=event.club_id)
        .order_by()
        .values_list("size", "matches", "weights")
    }
    sides: dict[int, tuple[list[Form], list[Form]]] = {pk: ([], []) for pk in open_}
    played: dict[int, list[int]] = {pk: [] for pk in open_}
    seats = Appearance.objects.filter(match__in=list(open_), from_deal=1).order_by("side", "position")
    rating = "player__rating__"
    for match_id, side, mu, sigma, elo, number in seats.values_list(
        "match_id", "side", f"{rating}mu", f"{rating}sigma", f"{rating}elo", f"{rating}matches"
    ):
        # Who has no rating yet has played no match.
        played[match_id].append(number or 0)
        if number is not None:
            sides[match_id][side].append(Form(mu, sigma, elo))
    for pk, match in open_.items():
        first, second = sides[pk]
        weighing = weighings.get(max(len(first), len(second)))
        if first and second and is_telling(weighing, played[pk]):
            match.expected = percent(expected_score(first, second, weighing))
