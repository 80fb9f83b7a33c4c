"""A player's own club: what is next, what waits for him, how he has played, and his events.

Results that are held back are in none of it, not even from a match in which he sat.
"""

import datetime
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, Subquery

from league.draws.arranging import still_arranged
from league.draws.overdue import due_on
from league.matches.counting import SIGNATURES, Waits, said_of, waits_for, with_what_counts
from league.models import (
    SAT_OUT,
    UNFINISHED,
    Appearance,
    Entry,
    EntryMember,
    EventKind,
    EventState,
    Match,
    MatchState,
    Player,
    ProposedTime,
    RoundState,
    Standing,
    lacks_result,
)
from league.people.records import PlayedMatch, matches_of
from league.tables.round_summaries import published

# How many matches to come, last results and events that are over are told.
MOST_NEXT: Final = 6
FORM: Final = 10
MOST_OVER: Final = 5
# So long before the days to play begin the player is asked to propose a time.
SOON: Final = datetime.timedelta(days=7)

_NO_TIME: Final = datetime.datetime.max.replace(tzinfo=datetime.UTC)
_GOING_ON: Final = (EventState.OPEN, EventState.RUNNING)


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """Earlier matches against one opponent, from the player's view."""

    won: int
    drawn: int
    lost: int

    @property
    def played(self) -> int:
        """How many there were."""
        return self.won + self.drawn + self.lost


@dataclass(frozen=True, slots=True)
class NextMatch:
    """A match to come, or being played: `due` is its last day, None if it has none.

    `seated` where the player is in its line-up. `met` is None at a table of several and where partners
    rotate, as there is no one opponent.
    """

    match: Match
    side: int
    seated: bool
    due: datetime.date | None
    met: HeadToHead | None

    @property
    def opponents(self) -> tuple[Entry, ...]:
        """The entries of all other sides."""
        return self.match.against(self.side)

    @property
    def is_sat_in(self) -> bool:
        """Whether a bot sits in for the player."""
        return bool(self.match.__dict__["is_sat_in"])


@dataclass(frozen=True, slots=True)
class WaitingMatch:
    """A match that waits for somebody, mostly to count; `to_sign` if the player's side has not signed."""

    match: Match
    side: int
    waits: Sequence[Waits]
    to_sign: bool

    @property
    def opponents(self) -> tuple[Entry, ...]:
        """The entries of all other sides."""
        return self.match.against(self.side)


@dataclass(frozen=True, slots=True)
class ToArrange:
    """A match for which the player is to say when he plays.

    `proposed` is what the other side has proposed, and he is to answer; with none he is to propose. `due` is
    the last day to play, None if there is none.
    """

    match: Match
    side: int
    proposed: Sequence[ProposedTime]
    due: datetime.date | None

    @property
    def opponents(self) -> tuple[Entry, ...]:
        """The entries of the other side."""
        return self.match.against(self.side)


@dataclass(frozen=True, slots=True)
class OwnEvent:
    """An event with the player's entry, its row in the table (None before there is one), and its size."""

    entry: Entry
    standing: Standing | None
    entry_count: int


@dataclass(frozen=True, slots=True)
class OwnClub:
    """What a member is shown of his club.

    `next` are his matches, the first one first; `rests` the rounds that he sits out and that are not over;
    `waiting` those that somebody has to act on, his own signatures first; `to_arrange` those of which he is
    to say when he plays, what he is asked first; `form` his last results, newest first; `verdicts` those of
    all his matches, by their ids; `going_on` and `over` his events, newest first.
    """

    next: Sequence[NextMatch]
    rests: Sequence[Match]
    waiting: Sequence[WaitingMatch]
    to_arrange: Sequence[ToArrange]
    form: Sequence[PlayedMatch]
    verdicts: Mapping[int, str]
    going_on: Sequence[OwnEvent]
    over: Sequence[OwnEvent]


def own_club(player: Player, *, today: datetime.date) -> OwnClub:
    """Return what the player is shown of his club on this day, in seven queries at most."""
    events = _events_of(player)
    entries = {each.entry.pk for each in events}
    pending = _pending(player, entries)
    played = matches_of(player)
    met = _met(played, pending)
    coming = [
        NextMatch(match, side, seated, due_on(match), met.get(match.pk))
        for match, side, seated in pending
        if match.state in UNFINISHED and match.event.state in _GOING_ON
    ]
    waiting = [each for each in (_waiting(*one) for one in pending) if each.waits]
    results = [each for each in played if each.verdict]
    return OwnClub(
        sorted(coming, key=when_it_comes)[:MOST_NEXT],
        [each.match for each in played if _is_rest(each.match, today)],
        sorted(waiting, key=lambda each: (not each.to_sign, each.match.pk)),
        _to_arrange(coming, today),
        results[:FORM],
        {each.match.pk: each.verdict for each in results},
        [each for each in events if each.entry.event.state in _GOING_ON],
        [each for each in events if each.entry.event.state not in _GOING_ON][:MOST_OVER],
    )


def _events_of(player: Player) -> list[OwnEvent]:
    """The player's entries with their events and rows, newest event first, in one query."""
    rows = (
        Entry.objects.filter(members__player=player)
        .exclude(event__state=EventState.DRAFT)
        .select_related("event", "event__season", "standing")
        .annotate(entry_count=Count("event__entries"))
        .order_by("-event__created_at", "-event__id")
    )
    return [OwnEvent(row, getattr(row, "standing", None), row.__dict__["entry_count"]) for row in rows]


def _pending(player: Player, entries: Iterable[int]) -> list[tuple[Match, int, bool]]:
    """The player's matches without a result or held, with his side and whether he is in the line-up."""
    seat = Appearance.objects.filter(match=OuterRef("pk"), player=player)
    own = list(entries)
    matches = Match.objects.filter(Q(pk__in=Match.objects.of_entries(own).values("pk")) | Q(Exists(seat)))
    matches = matches.filter(lacks_result(), published(), event__club=player.club_id, annulled=False)
    rows = with_what_counts(matches).select_related("round", "challenge")
    found: list[tuple[Match, int, bool]] = []
    bot = Exists(Appearance.objects.filter(match=OuterRef("pk"), sits_in_for=player))
    for match in rows.annotate(own_side=Subquery(seat.values("side")[:1]), is_sat_in=bot):
        side = match.__dict__["own_side"]
        entered = next((each for each in match.sides if not set(own).isdisjoint(match.ids_of(each))), 0)
        found.append((match, entered if side is None else side, side is not None))
    return found


def _waiting(match: Match, side: int, seated: bool) -> WaitingMatch:
    said = said_of(match)
    waits = waits_for(match, match.sheet, said)
    if match.state == MatchState.PLAYING and said.claimed:
        waits = [*waits, Waits.CLAIM]
    # What is disputed may be changed, and is then signed anew.
    may_sign = seated and side not in said.signed and not said.disputed
    to_sign = may_sign and any(each in SIGNATURES for each in waits)
    return WaitingMatch(match, side, waits, to_sign)


def _to_arrange(coming: Iterable[NextMatch], today: datetime.date) -> list[ToArrange]:
    """Those that wait for the player: he is asked, or no time is agreed and the days to play are near."""
    open_ones = {each.match.pk: each for each in coming if not still_arranged(each.match)}
    if not open_ones:
        return []
    proposed: dict[int, list[ProposedTime]] = {pk: [] for pk in open_ones}
    for row in ProposedTime.objects.filter(match__in=open_ones):
        proposed[row.match_id].append(row)
    found = []
    for pk, each in open_ones.items():
        rows, begins = proposed[pk], each.match.round.date
        is_asked = any(row.side != each.side for row in rows)
        is_near = begins is None or begins - SOON <= today
        if is_asked or (not rows and each.match.planned_at is None and is_near):
            found.append(ToArrange(each.match, each.side, rows, each.due))
    return sorted(found, key=lambda one: (not one.proposed, one.due or datetime.date.max, one.match.pk))


def _is_rest(match: Match, today: datetime.date) -> bool:
    """True for a round that the player sits out, unless it is over."""
    if match.state not in SAT_OUT or match.round.state == RoundState.COMPLETE:
        return False
    last = match.round.last_day or match.round.date
    return match.event.state in _GOING_ON and (last is None or last >= today)


def when_it_comes(coming: NextMatch) -> tuple[bool, datetime.date, datetime.datetime, int, int]:
    """By what matches to come are ordered, of several clubs too: what is being played first.

    Then by the day, and by the time where one is known; what has no day last.
    """
    match = coming.match
    arranged = coming.due if match.round.last_day is not None else None
    day = match.planned_on or arranged or match.round.date or coming.due or datetime.date.max
    at = match.planned_at or _NO_TIME
    return match.state != MatchState.PLAYING, day, at, match.event_id, match.round.number


def _met(
    played: Sequence[PlayedMatch], pending: Iterable[tuple[Match, int, bool]]
) -> Mapping[int, HeadToHead]:
    """The earlier results against the one opponent of each of these matches, by their ids.

    Players are the same in every event, teams in one. In one query.
    """
    ahead = {match.pk: against[0] for match, side, _seated in pending if (against := _one(match, side))}
    if not ahead:
        return {}
    behind = [
        (against[0], each.verdict)
        for each in played
        if each.verdict and (against := _one(each.match, each.side))
    ]
    rows = EntryMember.objects.filter(
        entry__in={entry.pk for entry in ahead.values()} | {entry.pk for entry, _verdict in behind},
        event__kind=EventKind.INDIVIDUAL,
    )
    persons = dict(rows.values_list("entry_id", "player_id"))

    def who(entry: Entry) -> tuple[bool, int]:
        return entry.pk not in persons, persons.get(entry.pk, entry.pk)

    results = Counter((who(entry), verdict) for entry, verdict in behind)
    return {
        pk: HeadToHead(*(results[who(entry), verdict] for verdict in ("won", "drawn", "lost")))
        for pk, entry in ahead.items()
    }


def _one(match: Match, side: int) -> tuple[Entry, ...]:
    """The opponent, where there is one alone, and the player has no partner."""
    against = match.against(side)
    return against if len(against) == 1 == len(match.side(side)) else ()
