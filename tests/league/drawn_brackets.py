"""Brackets with results, written as rows: for pages and prints, which only read them."""

from collections.abc import Sequence

from league.core.pairing.elimination import bracket
from league.models import Entry, Event, Match, MatchState, Round, Tie, TieDecision
from tests.factories import EntryFactory, MatchFactory, RoundFactory


def draw_ties(
    event: Event, names: Sequence[str], *, double: bool = False, third_place: bool = False
) -> dict[int, Tie]:
    """The ties of a bracket of these names, seeded in their order, by number; the byes are given."""
    entries = [EntryFactory.create(event=event, name=name, seed=seed) for seed, name in enumerate(names, 1)]
    matches = bracket(len(names), double=double, third_place=third_place).matches
    ties = {
        match.number: Tie.objects.create(
            event=event,
            number=match.number,
            part=match.part,
            level=match.level,
            stage=match.stage,
            seed_a=match.slots[0],
            seed_b=match.slots[1],
            entry_a=_seeded(entries, match.slots[0]),
            entry_b=_seeded(entries, match.slots[1]),
        )
        for match in matches
    }
    for match in matches:
        tie = ties[match.number]
        if match.winner_to is not None:
            tie.winner_to, tie.winner_to_side = ties[match.winner_to.match], match.winner_to.side
        if match.loser_to is not None:
            tie.loser_to, tie.loser_to_side = ties[match.loser_to.match], match.loser_to.side
        tie.save()
    for match in matches:
        if match.level == 1 and match.slots.count(None) == 1:
            decide(ties, match.number, 0 if match.slots[1] is None else 1, by=TieDecision.BYE)
    return ties


def round_of(ties: dict[int, Tie], number: int) -> Round:
    """The round of the event in which a tie is played, made where there is none yet."""
    tie = ties[number]
    found = Round.objects.filter(event=tie.event, number=tie.stage).first()
    return found or RoundFactory.create(event=tie.event, number=tie.stage)


def sheet(ties: dict[int, Tie], number: int, *, leg: int = 1) -> Match:
    """A match of a tie that is to be played."""
    tie = ties[number]
    tie.round = round_of(ties, number)
    tie.save()
    match: Match = MatchFactory.create(
        event=tie.event,
        round=tie.round,
        entry_a=tie.entry_a,
        entry_b=tie.entry_b,
        tie=tie,
        leg=leg,
        label=f"T{number}-{leg}",
    )
    return match


def play_out(ties: dict[int, Tie], number: int, *nets: int) -> Tie:
    """Plays the sheets of a tie with these nets, positive for side 0; who won more of them goes on."""
    for leg, net in enumerate(nets, start=1):
        match = sheet(ties, number, leg=leg)
        Match.objects.filter(pk=match.pk).update(
            state=MatchState.FINISHED,
            net=net,
            winner_side=None if net == 0 else int(net < 0),
            columns_a=2 if net > 0 else 1,
            columns_b=1 if net > 0 else 2,
        )
    won = sum((net > 0) - (net < 0) for net in nets)
    return decide(ties, number, 0 if won > 0 else 1)


def decide(ties: dict[int, Tie], number: int, side: int, *, by: TieDecision = TieDecision.SHEET) -> Tie:
    """A side of a tie goes on, the other where losers go."""
    tie = ties[number]
    sides = (tie.entry_a, tie.entry_b)
    tie.winner, tie.decided_by = sides[side], by
    tie.save()
    for goal, goal_side, entry in (
        (tie.winner_to, tie.winner_to_side, sides[side]),
        (tie.loser_to, tie.loser_to_side, sides[1 - side]),
    ):
        if goal is not None and entry is not None:
            goal = ties[goal.number]
            setattr(goal, "entry_b" if goal_side else "entry_a", entry)
            goal.save()
    return tie


def _seeded(entries: Sequence[Entry], seed: int | None) -> Entry | None:
    return None if seed is None else entries[seed - 1]
