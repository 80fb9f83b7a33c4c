"""The ladder page: rungs, open challenges, history."""

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from league.core.ladder import CalledOff, Challenged, Ended, Joined, LadderLine, Left, replay, until
from league.models import Challenge, Event, Match
from league.policy.naming import Names
from league.policy.withholding import told_until
from league.tables.ladders import LadderNow, ladder_now, steps_of
from league.tables.tables import Named, named_entries

# The period that the arrows look back over.
MONTH: Final = datetime.timedelta(days=30)
LINES: Final = 50


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge to be played by the end of `last_day`, None if there is no deadline now."""

    challenger: Named
    challenged: Named
    match: Match
    last_day: datetime.date | None


@dataclass(frozen=True, slots=True)
class Rung:
    """A place and its entry. `moved` is the number of places gained in a month, None for newcomers.

    `challenge` is the entry's open one; `protected_until` the last day of protection after a match.
    """

    place: int
    named: Named
    moved: int | None
    challenge: OpenChallenge | None
    is_away: bool
    protected_until: datetime.date | None


class Happened(StrEnum):
    """Kinds of lines in the history."""

    JOINED = "joined"
    LEFT = "left"
    CHALLENGED = "challenged"
    # Won and moved up, awarded and moved up, defended, drawn, neither came.
    TOOK = "took"
    GIVEN = "given"
    HELD = "held"
    DRAWN = "drawn"
    UNFINISHED = "unplayed"
    CALLED_OFF = "called_off"


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """A line of the history.

    Its subject (of a challenge the challenger, of a result the winner), the opponent, and the subject's place
    after and `before` it.
    """

    day: datetime.date
    happened: Happened
    named: Named
    other: Named | None
    before: int | None
    place: int | None
    match: Match | None


@dataclass(frozen=True, slots=True)
class ChallengeLine:
    """A challenge in the list; `told` is how it ended, None while it is open until `last_day`."""

    day: datetime.date
    challenger: Named
    challenged: Named
    told: HistoryLine | None
    last_day: datetime.date | None
    match: Match | None


@dataclass(frozen=True, slots=True)
class ChallengesPage:
    """A page of the list of challenges, newest first."""

    lines: Sequence[ChallengeLine]
    page: int
    pages: int


@dataclass(frozen=True, slots=True)
class LadderPage:
    """A page of a ladder; `day` is its date, None for now. `told` is one page of the history."""

    rungs: Sequence[Rung]
    open: Sequence[OpenChallenge]
    told: Sequence[HistoryLine]
    page: int
    pages: int
    day: datetime.date | None


def ladder_page(event: Event, names: Names, *, page: int = 1, day: datetime.date | None = None) -> LadderPage:
    """Return the ladder now, or at the end of a day, history newest first; seven queries."""
    known = told_until(event, None)
    now = ladder_now(event, until=known)
    steps = steps_of(event, until=known)
    named = named_entries(event, names, event.entries.all())
    rows = Challenge.objects.filter(event=event).select_related("match", "match__round")
    matches = {row.number: row.match for row in rows if row.match is not None}
    then = now.ladder if day is None else replay(until(steps, day))
    before = replay(until(steps, (day or now.today) - MONTH)).places
    opened = {} if day is not None else _open(now, named, matches)
    pages = max(1, -(-len(then.history) // LINES))
    page = min(max(page, 1), pages)
    newest = list(reversed(then.history))[(page - 1) * LINES : page * LINES]
    return LadderPage(
        rungs=[
            Rung(
                place=place,
                named=named[entry],
                moved=before[entry] - place if entry in before else None,
                challenge=opened.get(entry),
                is_away=day is None and now.is_away(entry),
                protected_until=now.protected_until(entry) if day is None else None,
            )
            for place, entry in enumerate(then.players, start=1)
        ],
        open=list(dict.fromkeys(opened.values())),
        told=[_told(line, named, matches) for line in newest],
        page=page,
        pages=pages,
        day=day,
    )


def challenges_page(event: Event, names: Names, *, page: int = 1) -> ChallengesPage:
    """Return all challenges of a ladder and how each ended, newest first; seven queries."""
    now = ladder_now(event, until=told_until(event, None))
    named = named_entries(event, names, event.entries.all())
    rows = Challenge.objects.filter(event=event).select_related("match", "match__round")
    matches = {row.number: row.match for row in rows if row.match is not None}
    made = [line.step for line in now.ladder.history if isinstance(line.step, Challenged)]
    ended = {
        line.challenge.number: line
        for line in now.ladder.history
        if line.challenge is not None and isinstance(line.step, Ended | CalledOff)
    }
    pages = max(1, -(-len(made) // LINES))
    page = min(max(page, 1), pages)
    newest = sorted(made, key=lambda step: step.number, reverse=True)[(page - 1) * LINES : page * LINES]
    return ChallengesPage(
        [
            ChallengeLine(
                day=step.on,
                challenger=named[step.challenger],
                challenged=named[step.challenged],
                told=_told(ended[step.number], named, matches) if step.number in ended else None,
                last_day=now.last_day(step.number) if step.number in now.ladder.open else None,
                match=matches.get(step.number),
            )
            for step in newest
        ],
        page,
        pages,
    )


def _open(
    now: LadderNow, named: Mapping[int, Named], matches: Mapping[int, Match]
) -> dict[int, OpenChallenge]:
    """Return the open challenges by both of their entries, those due first coming first."""
    found = [
        (now.last_day(number), made, matches[number])
        for number, made in now.ladder.open.items()
        if number in matches
    ]
    opened: dict[int, OpenChallenge] = {}
    for last_day, made, match in sorted(found, key=lambda each: (each[0] is None, each[0], each[1].number)):
        challenge = OpenChallenge(named[made.challenger], named[made.challenged], match, last_day)
        opened |= dict.fromkeys((made.challenger, made.challenged), challenge)
    return opened


def _told(line: LadderLine, named: Mapping[int, Named], matches: Mapping[int, Match]) -> HistoryLine:
    step, made = line.step, line.challenge
    first, second, happened = 0, None, Happened.CALLED_OFF
    match step:
        case Joined():
            first, happened = step.player, Happened.JOINED
        case Left():
            first, happened = step.player, Happened.LEFT
        case Challenged():
            first, second, happened = step.challenger, step.challenged, Happened.CHALLENGED
        case CalledOff() if made is not None:
            first, second = made.challenger, made.challenged
        case Ended() if made is not None:
            first, second = made.challenger, made.challenged
            if step.winner == second:
                first, second = second, first
            if step.winner is None:
                happened = Happened.DRAWN if step.is_played else Happened.UNFINISHED
            elif line.moves:
                happened = Happened.TOOK if step.is_played else Happened.GIVEN
            else:
                happened = Happened.HELD
    move = line.moves[0] if line.moves else None
    return HistoryLine(
        day=step.on,
        happened=happened,
        named=named[first],
        other=None if second is None else named[second],
        before=None if move is None else move.before,
        place=None if move is None else move.after,
        match=matches.get(made.number) if made is not None else None,
    )
