"""The places in a bracket, as far as they are known."""

from league.models import Event, Tie, TiePart
from league.pairing.elimination import advance
from league.services.tie_tree import drawn_bracket


def placings(event: Event, *, until: int | None = None) -> dict[int, int]:
    """The place of each entry of the bracket, by its id; those who went out together share one.

    Those still in it have the best place that is left to them: the first, or the third where they play for
    that. As things stood after round `until` where one is given. Empty where no bracket is drawn. One query.
    """
    ties = list(Tie.objects.filter(event=event).select_related("round").order_by("number"))
    if not ties:
        return {}
    won = {
        tie.number: 0 if tie.winner_id == tie.entry_a_id else 1
        for tie in ties
        if tie.winner_id is not None and (until is None or tie.round is None or tie.round.number <= until)
    }
    now = advance(drawn_bracket(ties), lambda match, _seeds: won.get(match.number))
    thirds = {seed for tie in ties if tie.part == TiePart.THIRD for seed in now.slots[tie.number]}
    return {
        entry_id: now.places[seed].first if seed in now.places else 3 if seed in thirds else 1
        for tie in ties
        for seed, entry_id in ((tie.seed_a, tie.entry_a_id), (tie.seed_b, tie.entry_b_id))
        if seed is not None and entry_id is not None
    }
