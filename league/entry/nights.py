"""The rounds that have sheets to type."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final, NamedTuple, TypedDict

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Case, Count, F, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from league.models import (
    AWARDED,
    PLAYED,
    UNFINISHED,
    Challenge,
    Club,
    Event,
    EventState,
    Match,
    MatchState,
    Round,
    RoundState,
)
from league.policy import Permission, clubs_where, events_seen, rounds_seen
from league.tables.round_summaries import RoundSummary, current, summaries, summaries_of
from scoring.models import PaperState, SheetStatus

# Of more clubs than that so many rounds are read first: mostly a first page needs no others.
FEW_CLUBS: Final = 5
ROUNDS_AT_FIRST: Final = 200
# The current rounds of the events of so many rounds are found at once.
ROUNDS_AT_A_TIME: Final = 20


def _expected(of: str = "") -> Q:
    """The matches, at the end of the path `of`, with a sheet in the pile.

    As in the tray: stated results have none, and voided sheets are not expected, nor annulled ones that have
    not ended.
    """
    return (
        Q(**{f"{of}state__in": [state for state in MatchState if state not in AWARDED]})
        & (Q(**{f"{of}annulled": False}) | Q(**{f"{of}state__in": PLAYED}))
        & (
            Q(**{f"{of}sheet": None})
            | Q(**{f"{of}sheet__status__in": [each for each in SheetStatus if each != "void"]})
        )
    )


def _to_type(of: str = "") -> Q:
    """As in the tray, what only waits for signatures or the director is typed."""
    differs = Q(**{f"{of}held": True, f"{of}sheet__paper_state": PaperState.DIFFERS})
    return _expected(of) & (Q(**{f"{of}state__in": UNFINISHED}) | differs)


def _begun(of: str = "") -> Q:
    return _expected(of) & (~Q(**{f"{of}state": MatchState.SCHEDULED}) | Q(**{f"{of}held": True}))


class Counts(TypedDict):
    """The annotations of a round's matches."""

    expected: int
    to_type: int


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    Counted = WithAnnotations[Round, Counts]


@dataclass(frozen=True, slots=True)
class Night:
    """A round, the club's name for it, its number of sheets, and how many are missing or differ."""

    round: Round
    name: str
    expected: int
    to_type: int

    @property
    def is_tonight(self) -> bool:
        """True if the round is dated today, by its club's clock."""
        return self.round.is_night_of(timezone.localdate(timezone=self.club.zone))

    @property
    def club(self) -> Club:
        """The round's club."""
        return self.round.event.club

    @property
    def done(self) -> int:
        """The number of complete sheets."""
        return self.expected - self.to_type


def nights(user: User | AnonymousUser, most: int | None = None) -> list[Night]:
    """The rounds with sheets that the user may type, the most urgent first, `most` at most.

    Those are, of events that run, the published rounds up to today, those begun, the current round of each
    event (`round_summaries.current`) if it has no date, and the open challenges of ladders, with sheets
    missing or differing: today's before the current rounds of other events, and these before what else is
    left, each latest first. A club without any is represented by the current round of one of its events.
    """
    clubs = list(clubs_where(user, Permission.RECORD))
    today = {club.pk: timezone.localdate(timezone=club.zone) for club in clubs}
    found = _most_urgent(user, today, most)
    ids = [each.pk for each in found]
    if most is None or len(ids) < most:
        busy = {each.club for each in found}
        ids += _idle(user, [club for club in clubs if club.pk not in busy], today)
    rounds = _counted(Round.objects.filter(pk__in=ids[:most])).in_bulk()
    names = _names(rounds.values())
    return [
        Night(rounds[pk], names[pk], expected=rounds[pk].expected, to_type=rounds[pk].to_type)
        for pk in ids[:most]
        if pk in rounds
    ]


def night_name(round_: Round) -> str:
    """The name of a round's night, with the year unless it is the current one; a challenge in words."""
    return _names([round_])[round_.pk]


def rounds_to_type(user: User | AnonymousUser) -> QuerySet[Round]:
    """The rounds whose sheets the user may type; drafts, of rounds as of events, are their directors'."""
    clubs = clubs_where(user, Permission.RECORD)
    return rounds_seen(user).filter(event__club__in=clubs, event__in=events_seen(user))


def rounds_that_night(user: User | AnonymousUser, round_: Round) -> list[Round]:
    """The club's rounds on the same date that the user may type, this one included."""
    if round_.date is None:
        return [round_]
    rounds = rounds_to_type(user).filter(event__club=round_.event.club_id, date=round_.date)
    return list(rounds.select_related("event").order_by("event__name", "number"))


def current_round(user: User | AnonymousUser, event: Event) -> Round | None:
    """The current round of an event, of those the user may see; None if there is none yet."""
    today = timezone.localdate(timezone=event.club.zone)
    now = current(summaries(event, seen=rounds_seen(user)), today)
    return None if now is None else now.round


class _Waiting(NamedTuple):
    """A round with sheets to type, and its club and event, all by their ids.

    `is_due` if it is to be typed whether or not it is the current round of its event.
    """

    pk: int
    club: int
    event: int
    date: date | None
    is_due: bool


def _most_urgent(
    user: User | AnonymousUser, today: Mapping[int, date], most: int | None
) -> Sequence[_Waiting]:
    """The rounds of `nights`, but for those of clubs without any.

    Of many clubs all that wait are read only if the latest dated ones are too few for `most`.
    """
    waiting = _waiting(user, today)
    if most is not None and len(today) > FEW_CLUBS:
        # In the order of an index, which ends before those without a date.
        dated = waiting.filter(date__isnull=False).order_by("-date", "event__name", "number", "pk")
        latest = [_Waiting(*values) for values in dated[:ROUNDS_AT_FIRST]]
        found = _in_turn(user, latest, today, most)
        is_cut = len(latest) == ROUNDS_AT_FIRST
        if _is_settled(found, latest[-1].date if is_cut else None, today, most):
            return found.first(most)
    rows = [_Waiting(*values) for values in waiting]
    return _in_turn(user, rows, today, most).first(most)


class _Turns(NamedTuple):
    """Rounds with sheets to type: tonight's, then the current ones of other events, then what is left."""

    tonight: Sequence[_Waiting]
    current: Sequence[_Waiting]
    left: Sequence[_Waiting]

    def first(self, most: int | None) -> Sequence[_Waiting]:
        return [*self.tonight, *self.current, *self.left][:most]


def _is_settled(found: _Turns, last: date | None, today: Mapping[int, date], most: int) -> bool:
    """Whether the first `most` stay the same whatever has no date or comes after the date `last`, if any."""
    if len(found.tonight) >= most:
        return True
    is_past = last is None or all(last < day for day in today.values())
    return is_past and len(found.tonight) + len(found.current) >= most


def _in_turn(
    user: User | AnonymousUser, waiting: Sequence[_Waiting], today: Mapping[int, date], most: int | None
) -> _Turns:
    """Tell rounds, the latest first, by their turns.

    Which rounds are current is asked of so many events only as are needed for `most`.
    """
    tonight = [each for each in waiting if each.date == today[each.club]]
    others = [each for each in waiting if each.date != today[each.club]]
    step = len(others) if most is None else ROUNDS_AT_A_TIME
    asked: set[int] = set()
    now: set[int] = set()
    current_ones: list[_Waiting] = []
    left: list[_Waiting] = []
    for begin in range(0, len(others), step or 1):
        if most is not None and len(tonight) + len(current_ones) >= most:
            break
        part = others[begin : begin + step]
        events = Event.objects.filter(pk__in={each.event for each in part} - asked).only("club_id", "format")
        asked |= {each.event for each in part}
        counting = (event for event in events if event.counts_rounds)
        now |= {summary.round.pk for _event, summary in _current(counting, rounds_to_type(user), today)}
        current_ones += [each for each in part if each.pk in now]
        left += [each for each in part if each.is_due and each.pk not in now]
    return _Turns(tonight, current_ones, left)


def _waiting(
    user: User | AnonymousUser, today: Mapping[int, date]
) -> QuerySet[Round, tuple[int, int, int, date | None, bool]]:
    """The values of `_Waiting` of the rounds that may be among those of `nights`, the latest first."""
    # Asked of each round by itself: few of all matches are in a published round of an event that runs. Of an
    # `Exists` PostgreSQL would make a join, and read all sheets for it.
    to_type = Subquery(Match.objects.filter(_to_type(), round=OuterRef("pk")).order_by().values("pk")[:1])
    waiting = (
        rounds_to_type(user)
        .alias(to_type=to_type)
        .filter(
            to_type__isnull=False,
            event__state=EventState.RUNNING,
            state=RoundState.PUBLISHED,
        )
    )
    challenged = Challenge.objects.filter(event__state=EventState.RUNNING).exclude(match=None)
    # Asked last, of each round by itself: nearly all matches have begun.
    begun = Subquery(Match.objects.filter(_begun(), round=OuterRef("pk")).order_by().values("pk")[:1])
    dated = Q(pk__in=[])
    for day in set(today.values()):
        there = [pk for pk, its_day in today.items() if its_day == day]
        dated |= Q(event__club__in=there, date__lte=day)
    is_due = dated | Q(date=None, pk__in=challenged.values("match__round")) | Q(begun__isnull=False)
    rows = waiting.alias(begun=begun).filter(Q(date=None) | dated | Q(begun__isnull=False))
    rows = rows.annotate(is_due=Case(When(is_due, then=Value(value=True)), default=Value(value=False)))
    rows = rows.order_by(F("date").desc(nulls_last=True), "event__name", "number", "pk")
    return rows.values_list("pk", "event__club", "event", "date", "is_due")


def _counted(rounds: QuerySet[Round]) -> "QuerySet[Counted]":
    return rounds.select_related("event__club").annotate(
        expected=Count("matches", filter=_expected("matches__")),
        to_type=Count("matches", filter=_to_type("matches__")),
    )


def _names(rounds: Iterable[Round]) -> dict[int, str]:
    """The names of rounds' nights, by id; one query if there are challenges among them."""
    rounds = list(rounds)
    ladders = [round_.pk for round_ in rounds if not round_.event.counts_rounds]
    challenges: dict[int, list[str]] = defaultdict(list)
    if ladders:
        rows = Challenge.objects.filter(match__round__in=ladders).select_related(
            "challenger", "challenged", "match"
        )
        for challenge in rows:
            if challenge.match is not None:
                challenges[challenge.match.round_id].append(str(challenge))
    return {
        round_.pk: _dated(round_) if round_.event.counts_rounds else ", ".join(challenges[round_.pk])
        for round_ in rounds
    }


def _dated(round_: Round) -> str:
    if round_.date is None:
        return _("Round %(number)s") % {"number": round_.number}
    is_this_year = round_.date.year == timezone.now().year
    shown = formats.date_format(round_.date, "j F" if is_this_year else "j F Y")
    return _("Night of %(date)s") % {"date": shown}


def _current(
    events: Iterable[Event], rounds: QuerySet[Round], today: Mapping[int, date]
) -> Iterator[tuple[Event, RoundSummary]]:
    """The current rounds, among `rounds`, of the events that have any, in one query."""
    events = list(events)
    counted = summaries_of(events, seen=rounds) if events else {}
    for event in events:
        now = current(counted[event.pk], today[event.club_id])
        if now is not None:
            yield event, now


def _idle(user: User | AnonymousUser, clubs: Collection[Club], today: Mapping[int, date]) -> list[int]:
    """For each club, which has nothing to type today, the current round of one of its events: their ids.

    That is an event that runs and has a round under way, the next by date. If none has, it is the latest by
    date of those that run and the one that was played last. Two queries.
    """
    rounds = rounds_to_type(user)
    of_club = rounds.filter(event__club=OuterRef("pk"))
    published = of_club.exclude(state=RoundState.DRAFTED).order_by(F("date").desc(nulls_last=True), "-pk")
    last = Coalesce(*(Subquery(found.values("event")[:1]) for found in (published, of_club.order_by("pk"))))
    idle = Club.objects.filter(pk__in=[club.pk for club in clubs]).order_by()
    running = Q(state=EventState.RUNNING, club__in=idle)
    events = events_seen(user).filter(running | Q(pk__in=idle.values(last=last))).order_by("name", "pk")
    found: dict[int, list[tuple[Event, RoundSummary]]] = defaultdict(list)
    for event, now in _current(events.only("club_id", "state"), rounds, today):
        found[event.club_id].append((event, now))
    return [min(found[club.pk], key=_turn)[1].round.pk for club in clubs if found[club.pk]]


def _turn(one: tuple[Event, RoundSummary]) -> tuple[bool, bool, int]:
    """Where an event stands by its current round: first what is under way, by date, then the latest."""
    event, now = one
    goes_on = event.state == EventState.RUNNING and now.under_way
    if now.round.date is None:
        return not goes_on, now.is_draft, date.max.toordinal()
    days = now.round.date.toordinal()
    return not goes_on, now.is_draft, days if goes_on else -days
