"""Results held back until the director lets the night out: conditions, and matches and ties without what came
of them.

Until a round of such an event is released, everybody may know who meets whom, and only officers and those who
sit at the table what came of it. The next round is paired from all of it.
"""

from collections.abc import Collection, Iterable, Mapping

from django.db.models import Q

from league.models import Event, Match, MatchState, Round, Tie, TieDecision, TiePart

# Nothing has come of these yet, or was never in doubt.
_NO_NEWS = (MatchState.SCHEDULED, MatchState.BYE, MatchState.ABSENT)


def released(prefix: str = "") -> Q:
    """Whether what came of a match is out, as a condition; `prefix` as in `withheld`."""
    return ~withheld(prefix)


def withheld(prefix: str = "") -> Q:
    """Whether what came of a match is held back; `prefix` leads to the match, such as `match__`."""
    return Q(**{f"{prefix}event__holds_results": True, f"{prefix}round__released_at": None})


def is_withheld(event: Event, round_: Round) -> bool:
    """Whether what comes of the matches of this round of the event is held back."""
    return event.holds_results and round_.released_at is None


def last_released(event: Event) -> int | None:
    """The round up to which everything is out, in one query; None where the event holds nothing back."""
    if not event.holds_results:
        return None
    held = event.rounds.filter(released_at=None).order_by("number").values_list("number", flat=True).first()
    return None if held is None else held - 1


def told_until(event: Event, as_of: int | None = None) -> int | None:
    """The round up to which everybody may know what came of the event, no later than `as_of`; None: all."""
    numbers = [number for number in (as_of, last_released(event)) if number is not None]
    return min(numbers, default=None)


def without_results(matches: Iterable[Match], event: Event) -> list[Match]:
    """Matches of an event, with their rounds, without what came of them where that is held back.

    They are the same rows, marked `withheld`; nobody saves them afterwards.
    """
    told = list(matches)
    for match in told:
        if is_withheld(event, match.round) and match.state not in _NO_NEWS:
            veil(match)
    return told


def veil(match: Match) -> None:
    """Takes from a match what came of it, its sheet too. Nobody saves it afterwards."""
    match.state = MatchState.PLAYING
    match.sheet = None
    match.winner_side = None
    match.held = False
    match.net = 0
    match.columns_a = match.columns_b = match.boxes_a = match.boxes_b = 0
    match.hands_a = match.hands_b = match.gins_a = match.gins_b = 0
    match.withheld = True


def hide_withheld(event: Event, ties: Iterable[Tie], paired: Collection[int]) -> None:
    """Takes from the ties of an event, in order of number, what their sheets decided where that is held back.

    Nobody stands yet in what follows from it, unless its round is among those `paired` (ids), which say who
    meets whom. Nobody saves the ties afterwards.
    """
    hidden: set[tuple[int | None, int | None]] = set()
    ties = list(ties)
    by_id = {tie.pk: tie for tie in ties}
    starts = {(tie.loser_to_id, tie.loser_to_side): tie for tie in ties}
    for tie in ties:
        if tie.part == TiePart.PLATE:
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
    """The tie whose loser has come to the plate, or may: from a tie of the first level on, where it and those
    after it were decided without play. A tie that is withheld is not decided by now.
    """
    tie = start
    while tie.decided_by in (TieDecision.BYE, TieDecision.WALKOVER) and tie.winner_to_id is not None:
        if entry in (tie.entry_a_id, tie.entry_b_id) and tie.winner_id != entry:
            break
        tie = by_id[tie.winner_to_id]
    return tie
