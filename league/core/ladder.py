"""Ladders: places are won by challenging a player a few rungs above.

Ladders of squash, tennis and chess clubs share this core. A player challenges another a bounded number of
places above: three at Eldon Leisure Squash and Swindon Tennis Club, four at Fareham Chess Club. A winning
challenger takes the place and those between step down one, otherwise nothing changes (Eldon; likewise Brian's
chess ladder, where a draw changes nothing). A challenge not played in time costs the challenged player the
place (Centurion Squash Club, two weeks). New players join at the bottom. Where clubs differ, these rules
hold:

- One challenge at a time, for both players: "the player cannot accept or organise any other challenge until
  the first challenge is complete" (Centurion; likewise at Fareham).
- A player who has just played may be protected for some days ("You have already played a match in the past
  week", FCC chess ladder, Arkansas). Losing a place without playing gives no protection.
- Absent players are not challenged, do not challenge, and are not counted among the rungs; days on which
  either player is absent do not count towards the deadline: such players "will not count in the challenge
  range", for four weeks at most (Arlington County Tennis Association). As there, their places are not kept:
  others may pass them.
- The places at the time of the result decide, not those at the time of the challenge: "If the winner has the
  lower position, he or she takes over the higher position" (Swindon), whoever challenged.

A ladder is defined by its steps; its state on a day is the replay of all steps up to it. Players are the
caller's numbers. Days are dates in the club's calendar.
"""

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from league.errors import LeagueError
from scoring.core.messages import mark

Day = datetime.date


@dataclass(frozen=True, slots=True)
class LadderRules:
    """Settings of a ladder, in rungs and days.

    A challenge reaches at most `reach` rungs up and must be played within `days_to_play`. Players cannot be
    challenged for `protected_days` after a match. Only the first `absence_days` of an absence count; None:
    all.
    """

    reach: int = 3
    days_to_play: int = 14
    protected_days: int = 0
    absence_days: int | None = 28


@dataclass(frozen=True, slots=True)
class Joined:
    """A player joins at the foot."""

    on: Day
    player: int


@dataclass(frozen=True, slots=True)
class Left:
    """A player leaves; those below move up."""

    on: Day
    player: int


@dataclass(frozen=True, slots=True)
class Challenged:
    """A challenge to be played by the end of `deadline`, extended by absences; None: no deadline."""

    on: Day
    number: int
    challenger: int
    challenged: int
    deadline: Day | None


@dataclass(frozen=True, slots=True)
class Ended:
    """A challenge ends. `winner` is None after a draw or if neither came.

    `is_played` is False if it was awarded: the deadline passed, or a player conceded.
    """

    on: Day
    number: int
    winner: int | None
    is_played: bool = True


@dataclass(frozen=True, slots=True)
class CalledOff:
    """A challenge is called off, as if it had never been made."""

    on: Day
    number: int


Step = Joined | Left | Challenged | Ended | CalledOff


@dataclass(frozen=True, slots=True)
class Absence:
    """A player is away on these days, inclusive; `last` is None while the end is open."""

    player: int
    first: Day
    last: Day | None


@dataclass(frozen=True, slots=True)
class LadderMove:
    """A player's place before and after a step, from 1; None while not on the ladder."""

    player: int
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class LadderLine:
    """A line of the history: a step and the moves it caused, its subject first, then from the top.

    `challenge` is the one the step is about.
    """

    step: Step
    moves: tuple[LadderMove, ...] = ()
    challenge: Challenged | None = None


@dataclass(frozen=True, slots=True)
class LadderState:
    """A ladder after its steps: players from the top, open challenges by number, and days of last matches."""

    players: tuple[int, ...]
    open: Mapping[int, Challenged]
    last_played: Mapping[int, Day]
    history: tuple[LadderLine, ...]

    @property
    def places(self) -> dict[int, int]:
        """The place of each player, from 1."""
        return {player: place for place, player in enumerate(self.players, start=1)}

    @property
    def places_before(self) -> dict[int, int]:
        """The place of each player before the last result that moved anybody; of nobody where none has."""
        for number in range(len(self.history) - 1, -1, -1):
            line = self.history[number]
            if isinstance(line.step, Ended) and line.moves:
                return replay(each.step for each in self.history[:number]).places
        return {}

    def challenge_of(self, player: int) -> Challenged | None:
        """Return the open challenge that a player is in, on either side."""
        return next(
            (each for each in self.open.values() if player in (each.challenger, each.challenged)), None
        )


class Why(StrEnum):
    """Reasons for refusing a challenge."""

    NOT_ON_LADDER = "not_on_ladder"
    NOT_ABOVE = "not_above"
    TOO_FAR = "too_far"
    ENGAGED = "engaged"
    AWAY = "away"
    PROTECTED = "protected"


@dataclass(frozen=True, slots=True)
class ChallengeRefusal:
    """A refused challenge: the reason, and the player it is about.

    `rungs` is how far it would reach (`too_far`), `until` the last day of protection.
    """

    why: Why
    player: int
    rungs: int | None = None
    until: Day | None = None


def replay(steps: Iterable[Step]) -> LadderState:
    """Return the ladder after these steps, given in order.

    Refused: a player who joins twice (`on_ladder`) or leaves without having joined (`not_on_ladder`), and the
    end of a challenge that is not open (`no_challenge`). A challenge that ends after one of its players has
    left moves nobody.
    """
    players: list[int] = []
    challenges: dict[int, Challenged] = {}
    last_played: dict[int, Day] = {}
    history = []
    for step in steps:
        challenge = None
        moves: tuple[LadderMove, ...] = ()
        match step:
            case Joined():
                if step.player in players:
                    raise LeagueError(
                        "on_ladder",
                        mark("Player %(player)s is on the ladder.", player=step.player),
                        field="steps",
                    )
                players.append(step.player)
                moves = (LadderMove(step.player, None, len(players)),)
            case Left():
                if step.player not in players:
                    raise LeagueError(
                        "not_on_ladder",
                        mark("Player %(player)s is not there.", player=step.player),
                        field="steps",
                    )
                place = players.index(step.player)
                players.remove(step.player)
                moves = (
                    LadderMove(step.player, place + 1, None),
                    *_stepped(players, place, len(players), by=-1),
                )
            case Challenged():
                challenge = challenges[step.number] = step
            case Ended() | CalledOff():
                if step.number not in challenges:
                    raise LeagueError(
                        "no_challenge",
                        mark("No challenge %(number)s is open.", number=step.number),
                        field="steps",
                    )
                challenge = challenges.pop(step.number)
                if isinstance(step, Ended):
                    moves = _take(players, challenge, step.winner)
                    if step.is_played:
                        last_played |= dict.fromkeys((challenge.challenger, challenge.challenged), step.on)
        history.append(LadderLine(step, moves, challenge))
    return LadderState(tuple(players), challenges, last_played, tuple(history))


def until(steps: Iterable[Step], day: Day) -> list[Step]:
    """Return the steps up to the end of a day."""
    return [step for step in steps if step.on <= day]


def refusal(
    ladder: LadderState,
    rules: LadderRules,
    absences: Sequence[Absence],
    *,
    challenger: int,
    challenged: int,
    on: Day,
) -> ChallengeRefusal | None:
    """Return why a challenge is not allowed on a day, or None if it is."""
    places = ladder.places
    for player in (challenger, challenged):
        if player not in places:
            return ChallengeRefusal(Why.NOT_ON_LADDER, player)
    if places[challenged] >= places[challenger]:
        return ChallengeRefusal(Why.NOT_ABOVE, challenged)
    for player in (challenger, challenged):
        if is_away(player, on, rules, absences):
            return ChallengeRefusal(Why.AWAY, player)
    between = ladder.players[places[challenged] : places[challenger] - 1]
    rungs = 1 + sum(not is_away(player, on, rules, absences) for player in between)
    if rungs > rules.reach:
        return ChallengeRefusal(Why.TOO_FAR, challenged, rungs=rungs)
    for player in (challenger, challenged):
        if ladder.challenge_of(player) is not None:
            return ChallengeRefusal(Why.ENGAGED, player)
    protected = protected_until(ladder, rules, challenged)
    if protected is not None and on <= protected:
        return ChallengeRefusal(Why.PROTECTED, challenged, until=protected)
    return None


def within_reach(
    ladder: LadderState, rules: LadderRules, absences: Sequence[Absence], *, challenger: int, on: Day
) -> list[int]:
    """Return the players whom a player may challenge on a day, from the top."""
    return [
        player
        for player in ladder.players
        if refusal(ladder, rules, absences, challenger=challenger, challenged=player, on=on) is None
    ]


def is_away(player: int, day: Day, rules: LadderRules, absences: Iterable[Absence]) -> bool:
    """True if a player counts as absent on a day."""
    return any(
        absence.player == player
        and absence.first <= day
        and (absence.last is None or day <= absence.last)
        and (rules.absence_days is None or (day - absence.first).days < rules.absence_days)
        for absence in absences
    )


def protected_until(ladder: LadderState, rules: LadderRules, player: int) -> Day | None:
    """Return the last day on which a player is protected by their last match; None if not at all."""
    if not rules.protected_days or player not in ladder.last_played:
        return None
    return ladder.last_played[player] + datetime.timedelta(days=rules.protected_days)


def last_day(challenge: Challenged, rules: LadderRules, absences: Sequence[Absence]) -> Day | None:
    """Return the last day to play a challenge: the deadline extended by days on which a player is absent.

    None without a deadline, and during an absence that has neither an end nor a limit.
    """
    if challenge.deadline is None:
        return None
    both = (challenge.challenger, challenge.challenged)
    theirs = [absence for absence in absences if absence.player in both]
    endless = [absence.first for absence in theirs if absence.last is None and rules.absence_days is None]
    day, left = challenge.on, (challenge.deadline - challenge.on).days
    while left > 0:
        day += datetime.timedelta(days=1)
        if endless and day >= min(endless):
            return None
        left -= not any(is_away(player, day, rules, theirs) for player in both)
    return day


def _take(players: list[int], challenge: Challenged, winner: int | None) -> tuple[LadderMove, ...]:
    """Move the winner to the loser's place if below it; those between step down."""
    pair = {challenge.challenger, challenge.challenged}
    if winner is None or not pair.issubset(players):
        return ()
    (loser,) = pair - {winner}
    below, above = players.index(winner), players.index(loser)
    if below < above:
        return ()
    players.insert(above, players.pop(below))
    return (LadderMove(winner, below + 1, above + 1), *_stepped(players, above + 1, below + 1, by=1))


def _stepped(players: Sequence[int], start: int, end: int, *, by: int) -> tuple[LadderMove, ...]:
    """Return the moves of the players now at indices `start` to `end` - 1, each `by` places down."""
    return tuple(LadderMove(players[index], index + 1 - by, index + 1) for index in range(start, end))
