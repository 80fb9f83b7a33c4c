"""The rounds that have sheets to type."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypedDict

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import formats, timezone
from django.utils.translation import gettext as _

from league.models import (
    AWARDED,
    PLAYED,
    UNFINISHED,
    Challenge,
    Club,
    EventState,
    Match,
    MatchState,
    Round,
    RoundState,
)
from league.policy import Permission, clubs_where, events_seen, rounds_seen
from scoring.models import SheetStatus

# As in the tray: stated results have no sheet in the pile, and voided sheets are not expected, nor annulled
# ones that have not ended.
_EXPECTED = (
    Q(matches__state__in=[state for state in MatchState if state not in AWARDED])
    & (Q(matches__annulled=False) | Q(matches__state__in=PLAYED))
    & (
        Q(matches__sheet=None)
        | Q(matches__sheet__status__in=[each for each in SheetStatus if each != "void"])
    )
)
_TO_TYPE = _EXPECTED & (Q(matches__state__in=UNFINISHED) | Q(matches__held=True))
_BEGUN = _EXPECTED & (~Q(matches__state=MatchState.SCHEDULED) | Q(matches__held=True))


class Counts(TypedDict):
    """The annotations of a round's matches."""

    expected: int
    to_type: int
    begun: int


if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    Counted = WithAnnotations[Round, Counts]


@dataclass(frozen=True, slots=True)
class Night:
    """A round, its number of sheets, and how many of them are missing or differ from the paper."""

    round: Round
    expected: int
    to_type: int

    @property
    def club(self) -> Club:
        """The round's club."""
        return self.round.event.club

    @property
    def done(self) -> int:
        """The number of complete sheets."""
        return self.expected - self.to_type

    @property
    def name(self) -> str:
        """The club's name for it."""
        return night_name(self.round)


def nights(user: User | AnonymousUser) -> list[Night]:
    """The rounds with sheets that the user may type, the most urgent first.

    Those are the rounds up to today, those begun, of rounds without a date the first of each event that is
    published, and the open challenges of ladders that run, with sheets missing or differing, latest first. A
    club without any is represented by its last typed round, else by the next to come.
    """
    found: list[Night] = []
    clubs = list(clubs_where(user, Permission.RECORD))
    # Few of all matches: their rounds are found first, and only of those all matches are counted.
    to_type = Match.objects.filter(Q(state__in=UNFINISHED) | Q(held=True))
    waiting = _counted(rounds_to_type(user).filter(pk__in=to_type.values("round"))).filter(to_type__gt=0)
    today = {club.pk: timezone.now().astimezone(club.zone).date() for club in clubs}
    # The clubs' dates differ by at most one day, which is checked below.
    challenged = Challenge.objects.filter(event__state=EventState.RUNNING).exclude(match=None)
    undated = waiting.filter(date=None, state=RoundState.PUBLISHED, event__state=EventState.RUNNING)
    first: dict[int, int] = {}
    for pk, event in undated.order_by("event", "number").values_list("pk", "event"):
        first.setdefault(event, pk)
    soon = waiting.filter(
        Q(begun__gt=0)
        | Q(date__lte=max(today.values(), default=date.min))
        | Q(pk__in=first.values())
        | Q(pk__in=challenged.values("match__round"))
    )
    for round_ in soon.order_by("-date", "event__name", "number"):
        if round_.begun or round_.date is None or round_.date <= today[round_.event.club_id]:
            found.append(_night(round_))
    found.sort(key=lambda night: night.round.date is None)
    busy = {night.club.pk for night in found}
    return found + _idle(user, [club for club in clubs if club.pk not in busy], today)


def night_name(round_: Round) -> str:
    """The name of a round's night, with the year unless it is the current one; a challenge in words."""
    if not round_.event.counts_rounds:
        return ", ".join(str(challenge) for challenge in Challenge.objects.filter(match__round=round_))
    if round_.date is None:
        return _("Round %(number)s") % {"number": round_.number}
    is_this_year = round_.date.year == timezone.now().year
    shown = formats.date_format(round_.date, "j F" if is_this_year else "j F Y")
    return _("Night of %(date)s") % {"date": shown}


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


def _counted(rounds: QuerySet[Round]) -> "QuerySet[Counted]":
    return rounds.select_related("event__club").annotate(
        expected=Count("matches", filter=_EXPECTED),
        to_type=Count("matches", filter=_TO_TYPE),
        begun=Count("matches", filter=_BEGUN),
    )


def _idle(user: User | AnonymousUser, clubs: Collection[Club], today: Mapping[int, date]) -> list[Night]:
    """For each club its latest round up to today; else the next one; else one without a date.

    As many queries as the clubs have dates today, and one more.
    """
    found: dict[int, int | None] = {}
    for day in {today[club.pk] for club in clubs}:
        rounds = rounds_to_type(user).filter(event__club=OuterRef("pk"))
        choices = (
            rounds.filter(date__lte=day).order_by("-date", "event__name", "number"),
            rounds.filter(date__gt=day).order_by("date", "event__name", "number"),
            rounds.order_by("event_id", "number"),
        )
        chosen = Coalesce(*(Subquery(choice.values("pk")[:1]) for choice in choices))
        that_day = Club.objects.filter(pk__in=[club.pk for club in clubs if today[club.pk] == day])
        found.update(that_day.order_by().values_list("pk", chosen))
    rounds_by_id = _counted(Round.objects.filter(pk__in=filter(None, found.values()))).in_bulk()
    return [_night(rounds_by_id[pk]) for club in clubs if (pk := found[club.pk]) is not None]


def _night(round_: "Counted") -> Night:
    return Night(round_, expected=round_.expected, to_type=round_.to_type)
