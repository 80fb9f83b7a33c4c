"""The plate of a knockout: a second bracket for everyone who loses the first match they actually play.

Tennis calls it the first-match losers' consolation: "the losers in the first round and those second round
losers who advanced to that round by virtue of a bye, default or walkover are entered into the consolation
draw" (USTA Southern, Consolation Draw Formats, 2007); squash and badminton call it the plate. A match begun
and then given up was played. A conceded one was not: whoever concedes without playing is not entered ("You
will not be entered into the plate if you concede your first round match", Southwell Squash Club, Cedric Best
Competition), and whoever advances by it has yet to play a first match, however far that takes them.

Each first-level match, byes included, has one place in the plate, since at most one of its entries can come:
its loser if it is played, otherwise the entry that goes on, once that loses. So `loser_to` of these matches
leads there, and `BracketProgress.drops` says from which match the entry came. A place nobody can reach is a
bye, two of them a match that is not needed. Neighbours in the main draw are neighbours in the plate; two who
met in the main draw never meet there, since one of them won.

The places of the main draw stand. Shared ones are split by the plate: first those who have won a match they
played, still sharing; then plate entries, by how far they came in it; last those who never played. This order
is a rule of this product, as no federation ranks the two draws together.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import inf

from league.core.pairing import elimination
from league.core.pairing.elimination import (
    Bracket,
    BracketMatch,
    BracketPart,
    BracketProgress,
    Feeder,
    Judge,
    PlaceRange,
    Readiness,
    Way,
)
from league.core.pairing.errors import PairingError
from scoring.core.messages import mark

# Tells whether a decided match was played at least in part; walkovers were not.
WasPlayed = Callable[[BracketMatch], bool]


def add_plate(main: Bracket) -> Bracket:
    """Return a knockout with its plate, whose matches are numbered after it.

    Nothing is added for two entries, nor for four with a third-place match, which is the same match. The
    plate starts after the first level of the main draw, or after the second if there are byes. Refused: a
    bracket with a losers' bracket (`plate_in_double`).
    """
    if any(match.part in (BracketPart.LOSERS, BracketPart.RESET) for match in main.matches):
        raise PairingError("plate_in_double", mark("In double elimination there is no plate."), field="main")
    starts = [match for match in main.matches if match.part is BracketPart.WINNERS and match.level == 1]
    if not starts or any(start.loser_to for start in starts):
        return main
    levels = (len(starts) - 1).bit_length()
    after_stage = 2 if any(None in start.slots for start in starts) else 1
    after = main.matches[-1].number
    numbers = {
        (level, index): after + len(starts) - 2 ** (levels - level + 1) + index + 1
        for level in range(1, levels + 1)
        for index in range(2 ** (levels - level))
    }
    places = {start.number: Way(numbers[1, index // 2], index % 2) for index, start in enumerate(starts)}
    return Bracket(
        (
            *(
                replace(match, loser_to=places[match.number]) if match.number in places else match
                for match in main.matches
            ),
            *(
                BracketMatch(
                    number,
                    BracketPart.PLATE,
                    level,
                    stage=after_stage + level,
                    slots=(None, None),
                    winner_to=Way(numbers[level + 1, index // 2], index % 2) if level < levels else None,
                )
                for (level, index), number in numbers.items()
            ),
        )
    )


def advance(drawn: Bracket, judge: Judge, was_played: WasPlayed) -> BracketProgress:
    """Like `elimination.advance`, for a bracket with or without a plate.

    `judge` is asked about the main draw first; `was_played` about each match decided there if there is a
    plate. `places` holds who is out of the main draw, with ranges that narrow as the plate is played.
    """
    main, plate, into = _split(drawn)
    now = elimination.advance(main, judge)
    if not plate.matches:
        return now
    first_losses = _FirstLosses(main, now, was_played)
    drops, filled, awaits = {}, {}, {}
    for number, way in into.items():
        seeds = [seed for seed in now.slots[number] if seed is not None]
        lost_at = [(seed, first_losses.at[seed]) for seed in seeds if seed in first_losses.at]
        for seed, match in lost_at:
            drops[match] = way
            filled[way.match, way.side] = seed
        if not lost_at and not first_losses.settled.issuperset(seeds):
            awaits[way.match, way.side] = _reached_unplayed(number, main, now)
    then = elimination.advance(
        Bracket(
            tuple(
                replace(match, slots=(filled.get((match.number, 0)), filled.get((match.number, 1))))
                for match in plate.matches
            )
        ),
        judge,
        awaits,
    )
    return BracketProgress(
        now.slots | then.slots,
        now.readiness | then.readiness,
        now.winners | then.winners,
        _places(now.places, first_losses, plate, then),
        drops,
        awaits,
    )


def current_feeders(drawn: Bracket, now: BracketProgress) -> dict[tuple[int, int], Feeder]:
    """Map each (match, side) to the match that it waits for or was filled from; unreachable sides have none.

    Like `elimination.feeders`, but the loser that comes into a plate may be that of a later match.
    """
    _main, _plate, into = _split(drawn)
    fed = elimination.feeders(drawn)
    for way in into.values():
        del fed[way.match, way.side]
    known = {(way.match, way.side): match for match, way in now.drops.items()} | now.awaits
    return fed | {side: Feeder(match, won=False) for side, match in known.items()}


def _reached_unplayed(start: int, main: Bracket, now: BracketProgress) -> int:
    """Return the match reached without play by the entry that went on from a first-level match."""
    ways = {match.number: match.winner_to for match in main.matches}
    at = start
    while now.readiness[at] in (Readiness.BYE, Readiness.DECIDED) and (way := ways[at]) is not None:
        at = way.match
    return at


def _split(drawn: Bracket) -> tuple[Bracket, Bracket, dict[int, Way]]:
    """Return the main draw, the plate, and the plate's places by the first-level match they belong to."""
    plate = {match.number: match for match in drawn.matches if match.part is BracketPart.PLATE}
    into = {
        match.number: match.loser_to
        for match in drawn.matches
        if match.loser_to is not None and match.loser_to.match in plate
    }
    main = tuple(
        replace(match, loser_to=None) if match.number in into else match
        for match in drawn.matches
        if match.number not in plate
    )
    return Bracket(main), Bracket(tuple(plate.values())), into


class _FirstLosses:
    """The first losses in play in a main draw so far, by seed.

    `at` is the match in which an entry lost the first match it played; `winners` have won one they played;
    `settled` are in the plate or will not come to it.
    """

    def __init__(self, main: Bracket, now: BracketProgress, was_played: WasPlayed) -> None:
        self.at: dict[int, int] = {}
        self.winners: set[int] = set()
        out = set()
        for match in main.matches:
            if match.part is BracketPart.THIRD or now.readiness[match.number] is not Readiness.DECIDED:
                continue
            sides = [seed for seed in now.slots[match.number] if seed is not None]
            winner, loser = sides if now.winners[match.number] == 0 else reversed(sides)
            out.add(loser)
            if match.part is BracketPart.FINAL:
                out.add(winner)
            if was_played(match):
                self.winners.add(winner)
                if loser not in self.winners:
                    self.at[loser] = match.number
        self.settled = self.winners | out


def _places(
    main: Mapping[int, PlaceRange], first_losses: _FirstLosses, plate: Bracket, then: BracketProgress
) -> dict[int, PlaceRange]:
    """Return the places of the main draw, with shared ones split as far as the plate is played."""
    reached = _reached(plate, then)
    by_place: dict[PlaceRange, list[int]] = {}
    for seed, place in main.items():
        by_place.setdefault(place, []).append(seed)
    found = dict(main)
    for place, seeds in by_place.items():
        if len(seeds) != place.last - place.first + 1:
            continue
        of_plate = [seed for seed in seeds if seed in first_losses.at]
        groups = [[seed for seed in seeds if seed in first_losses.winners], of_plate]
        groups.append([seed for seed in seeds if seed not in {*groups[0], *of_plate}])
        above = place.first
        for group in groups:
            for seed in group:
                if group is of_plate:
                    found[seed] = _shared_place(seed, group, reached, above)
                else:
                    found[seed] = PlaceRange(above, above + len(group) - 1)
            above += len(group)
    return found


def _reached(plate: Bracket, then: BracketProgress) -> dict[int, tuple[int, float]]:
    """Map each plate seed to the lowest and highest level it may reach.

    Losers have the level of the match they lost, the plate's winner one more.
    """
    reached: dict[int, tuple[int, float]] = {}
    for match in plate.matches:
        winner = then.winners.get(match.number)
        for side, seed in enumerate(then.slots[match.number]):
            if seed is None:
                continue
            if winner is None:
                reached[seed] = (match.level, inf)
            elif winner == side:
                reached[seed] = (match.level + 1, inf if match.winner_to is not None else match.level + 1)
            else:
                reached[seed] = (match.level, match.level)
    return reached


def _shared_place(
    seed: int, group: list[int], reached: Mapping[int, tuple[int, float]], above: int
) -> PlaceRange:
    """Return the places of a plate entry within a shared range that starts at `above`."""
    lowest, highest = reached[seed]
    better = sum(reached[other][0] > highest for other in group)
    worse = sum(reached[other][1] < lowest for other in group)
    return PlaceRange(above + better, above + len(group) - 1 - worse)
