"""Withheld results: conditions, and matches and ties stripped of what is withheld.

Until a round of such an event is released, everybody may see its pairings, but only officers and those seated
in a match its result. The next round is paired from all results.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Q

from league.models import SAT_OUT, BracketPart, Event, Match, MatchState, Round, Tie, TieDecision


def released(prefix: str = "") -> Q:
    """A condition for matches whose result is public; `prefix` as in `withheld`."""
    return ~withheld(prefix)


def withheld(prefix: str = "") -> Q:
    """A condition for matches whose result is withheld; `prefix` is the path to the match, as `match__`."""
    return Q(**{f"{prefix}event__holds_results": True, f"{prefix}round__released_at": None})


def is_withheld(event: Event, round_: Round) -> bool:
    """Return whether the results of this round of the event are withheld."""
    return event.holds_results and round_.released_at is None


def last_released(event: Event) -> int | None:
    """The last round up to which all are released, in one query; None if the event withholds nothing."""
    if not event.holds_results:
        return None
    held = event.rounds.filter(released_at=None).order_by("number").values_list("number", flat=True).first()
    return None if held is None else held - 1


def told_until(event: Event, as_of: int | None = None) -> int | None:
    """The last round whose results everybody may know, `as_of` at most; None for all."""
    numbers = [number for number in (as_of, last_released(event)) if number is not None]
    return min(numbers, default=None)


def without_results(matches: Iterable[Match], event: Event) -> list[Match]:
    """Matches of an event, with their rounds, stripped of withheld results.

    These are the same instances, marked `withheld`; they must not be saved.
    """
    told = list(matches)
    for match in told:
        if is_withheld(event, match.round) and match.state != MatchState.SCHEDULED:
            veil(match)
    return told


def veil(match: Match) -> None:
    """Strip a match of its result and sheet. It must not be saved afterwards.

    That a round is sat out is no news, but what was played against a bot instead.
    """
    match.withheld = match.state not in SAT_OUT
    if match.withheld:
        match.state, match.winner_side = MatchState.PLAYING, None
    else:
        match.winner_side = 0
    match.sheet = None
    match.held = False
    match.net = 0
    match.at_table = []
    match.columns_a = match.columns_b = match.boxes_a = match.boxes_b = 0
    match.hands_a = match.hands_b = match.gins_a = match.gins_b = 0


def hide_withheld(event: Event, ties: Iterable[Tie], paired: Collection[int]) -> None:
    """Strip an event's ties, given in order of number, of what withheld sheets decided.

    Entries that reached a tie by them are removed, unless its round is in `paired` (ids), which publishes its
    pairings. The ties must not be saved afterwards.
    """
    hidden: set[tuple[int | None, int | None]] = set()
    ties = list(ties)
    by_id = {tie.pk: tie for tie in ties}
    starts = {(tie.loser_to_id, tie.loser_to_side): tie for tie in ties}
    for tie in ties:
        if tie.part == BracketPart.PLATE:
            places = ((tie.pk, 0), (tie.pk, 1))
            hidden |= {
                place
                for place, entry in zip(places, (tie.entry_a_id, tie.entry_b_id), strict=True)
                if place in starts and not _lost_at(starts[place], entry, by_id).decided_by
            }
        if tie.round_id not in paired:
            for side, name in enumerate(("entry_a", "entry_b")):
                if (tie.pk, side) in hidden:
                    setattr(tie, name, None)
        from_hidden = any((tie.pk, side) in hidden for side in (0, 1))
        is_held = tie.round is not None and is_withheld(event, tie.round)
        if (is_held and tie.decided_by != TieDecision.BYE) or from_hidden:
            tie.winner_id, tie.decided_by = None, ""
            hidden |= {(tie.winner_to_id, tie.winner_to_side), (tie.loser_to_id, tie.loser_to_side)}


def _lost_at(start: Tie, entry: int | None, by_id: Mapping[int, Tie]) -> Tie:
    """The tie whose loser came, or may come, to the plate.

    It is the first after `start` that was, or is to be, played; a withheld one is undecided at this point.
    """
    tie = start
    while tie.decided_by in (TieDecision.BYE, TieDecision.WALKOVER) and tie.winner_to_id is not None:
        if entry in (tie.entry_a_id, tie.entry_b_id) and tie.winner_id != entry:
            break
        tie = by_id[tie.winner_to_id]
    return tie
