"""Which events, rounds, house rules, sheets and withheld results may be read."""

from collections.abc import Callable
from functools import cache
from itertools import compress
from typing import Any, Final, TypeAlias

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from league.models import (
    ApiToken,
    Appearance,
    Club,
    ClubRules,
    Entry,
    Event,
    EventState,
    Exhibition,
    FormerSheet,
    Match,
    Round,
    RoundState,
    TokenScope,
)
from league.policy.grants import GRANTS, Permission, Who, allowed_in, clubs_where, is_administrator
from league.policy.withholding import withheld
from scoring.models import HouseRules, Scoresheet

# Of so many hidden rounds at most the matches are counted by their keys.
FEW: Final = 500

# Builds a condition for rows whose club, at `path`, grants the permission.
_Within: TypeAlias = Callable[[str, Permission], Q]


def events_seen(who: Who) -> QuerySet[Event]:
    """The events that may be read; drafts only by directors."""
    return Event.objects.filter(_is_seen(who, _within))


def entries_seen(who: Who) -> QuerySet[Entry]:
    """The entries that may be read: those of such events."""
    return Entry.objects.all() if is_administrator(who) else Entry.objects.filter(event__in=events_seen(who))


def entries_counted(who: Who) -> int:
    """How many `entries_seen` has."""
    return Entry.objects.filter(_is_of_event_seen(who)).count()


def rules_seen(who: Who) -> QuerySet[HouseRules]:
    """The house rules that may be read, in all versions.

    Those are the rules listed by visible clubs, shared by private ones, or used by visible events.
    """
    listed = ClubRules.objects.filter(Q(is_shared=True) | _within(who)("club", Permission.VIEW))
    played = events_seen(who).values("rules__code")
    return HouseRules.objects.filter(Q(code__in=listed.values("rules__code")) | Q(code__in=played))


def rounds_seen(who: Who) -> QuerySet[Round]:
    """The rounds that may be read; drafts only by directors."""
    return Round.objects.filter(_is_begun(who))


def rounds_listed(who: Who) -> QuerySet[Round]:
    """Such rounds of events that may be read."""
    if is_administrator(who):
        return Round.objects.all()
    return rounds_seen(who).filter(event__in=events_seen(who))


def rounds_counted(who: Who) -> int:
    """How many `rounds_listed` has."""
    if is_administrator(who):
        return Round.objects.count()
    # Only of a draft the event's club is asked for.
    directed = Event.objects.filter(_within(who)("club", Permission.DIRECT), pk=OuterRef("event"))
    begun = ~Q(state=RoundState.DRAFTED) | Exists(directed)
    return Round.objects.filter(begun, _is_of_event_seen(who)).count()


def matches_seen(who: Who) -> QuerySet[Match]:
    """The matches that may be read: those of such events and rounds.

    Each is asked by itself, so that a page of a long list takes no longer than its own rows; all together are
    counted faster by `matches_counted`.
    """
    if is_administrator(who):
        return Match.objects.all()
    event = events_seen(who).filter(pk=OuterRef("event"))
    round_ = rounds_seen(who).filter(pk=OuterRef("round"))
    return Match.objects.filter(Exists(event), Exists(round_))


def matches_counted(who: Who) -> int:
    """How many `matches_seen` has."""
    return _counted_by_round(Match.objects.all(), who)


def results_seen(who: Who) -> QuerySet[Event]:
    """The events whose withheld results may be read: where the reader may record."""
    return Event.objects.filter(_shows_withheld(who, _within))


def sees_results(who: Who, event: Event) -> bool:
    """Return whether withheld results of the event may be read."""
    return not event.holds_results or results_seen(who).filter(pk=event.pk).exists()


def sheets_seen(who: Who, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
    """Those of the sheets that may be read.

    A sheet is as visible as its event and club; this includes former sheets and exhibitions. Withheld results
    are visible to officers and to those seated in the match. A token for one sheet sees that sheet, as far as
    its user does, and public ones. The reader's clubs are looked up once here, because the condition repeats
    them many times.
    """
    if is_administrator(who):
        return queryset
    if isinstance(who, ApiToken) and who.sheet_id is not None:
        public = sheets_seen(AnonymousUser(), Scoresheet.objects.all())
        own = sheets_seen(who.user, Scoresheet.objects.filter(pk=who.sheet_id))
        return queryset.filter(Q(pk__in=public.values("pk")) | Q(pk__in=own.values("pk")))
    within = cache(_looked_up)
    seen, hidden = _of_former(who, within, "former__")
    seen |= _is_seen(who, within, "match__event__") | within(who)("exhibition__club", Permission.VIEW)
    hidden |= _is_hidden(who, within, "match__")
    return queryset.filter(seen).exclude(hidden)


def sheets_counted(who: Who) -> int:
    """How many `sheets_seen` has of all.

    A sheet is a match's, was one's, or is an exhibition's. Nearly all are matches', and hidden with their
    round: they are counted by the matches, without reading one.
    """
    if is_administrator(who) or (isinstance(who, ApiToken) and who.sheet_id is not None):
        return sheets_seen(who, Scoresheet.objects.all()).count()
    withheld_here = Q(event__holds_results=True, released_at=None) & ~_shows_withheld(who, _within, "event__")
    of_matches = Match.objects.filter(sheet__isnull=False)
    found = _counted_by_round(of_matches, who, withheld_here)
    if isinstance(who, User):
        held = Round.objects.filter(withheld_here, pk=OuterRef("round"))
        own = of_matches.filter(_is_of_round_seen(who), Exists(held), pk__in=_seated(who))
        found += own.count()
    seen, hidden = _of_former(who, _within)
    former = FormerSheet.objects.filter(seen).exclude(hidden)
    exhibitions = Exhibition.objects.filter(_within(who)("club", Permission.VIEW))
    return found + former.count() + exhibitions.count()


def _is_begun(who: Who) -> Q:
    """A condition for rounds that are no draft, or one that the reader directs."""
    return ~Q(state=RoundState.DRAFTED) | _within(who)("event__club", Permission.DIRECT)


def _is_of_event_seen(who: Who) -> Q:
    """A condition for counting rows with an event that may be read.

    Of all events few are hidden: to look for each row among these takes less than among the others.
    """
    if is_administrator(who):
        return Q()
    hidden = Event.objects.filter(~_is_seen(who, _within), pk=OuterRef("event"))
    return Q(~Exists(hidden))


def _is_of_round_seen(who: Who, hides: Q | None = None) -> Q:
    """A condition for counting matches with a round that may be read, of an event that may be.

    Rounds with `hides` are hidden as well. As with events, few are.
    """
    if is_administrator(who):
        return Q()
    return Q(~Exists(_rounds_hidden(who, hides).filter(pk=OuterRef("round"))))


def _counted_by_round(matches: QuerySet[Match], who: Who, hides: Q | None = None) -> int:
    """How many of the matches `_is_of_round_seen` lets pass.

    Those of few hidden rounds are found by their keys, and taken from the number of all.
    """
    if is_administrator(who):
        return matches.count()
    few = list(_rounds_hidden(who, hides).order_by().values_list("pk", flat=True)[: FEW + 1])
    if len(few) > FEW:
        return matches.filter(_is_of_round_seen(who, hides)).count()
    return matches.count() - matches.filter(round__in=few).count()


def _rounds_hidden(who: Who, hides: Q | None) -> QuerySet[Round]:
    """The rounds that may not be read, or of an event that may not be, and those with `hides`."""
    hidden = ~(_is_begun(who) & _is_seen(who, _within, "event__"))
    return Round.objects.filter(hidden if hides is None else hidden | hides)


def _of_former(who: Who, within: Callable[[Who], _Within], former: str = "") -> tuple[Q, Q]:
    """Conditions for rows whose former sheet, at `former`, may be read, and those of them that hide it.

    It is as visible as its event, or its club if the event is gone.
    """
    event = f"{former}event__"
    seen = _is_seen(who, within, event)
    seen |= Q(**{f"{former}event": None}) & within(who)(f"{former}club", Permission.VIEW)
    # Without its match the round of a former sheet is unknown, so it counts as withheld.
    unknown = Q(**{f"{former}match": None, f"{event}holds_results": True})
    unknown &= ~_shows_withheld(who, within, event)
    return seen, _is_hidden(who, within, f"{former}match__") | unknown


def _seated(user: User) -> QuerySet[Appearance, Any]:
    """The ids of the matches in which the user sits."""
    return Appearance.objects.filter(player__user=user.pk).values("match")


def _is_seen(who: Who, within: Callable[[Who], _Within], event: str = "") -> Q:
    """A condition for rows whose event, at `event`, may be read."""
    club, own = f"{event}club", within(who)
    seen = own(club, Permission.VIEW)
    if isinstance(who, ApiToken) and who.event_id is not None and who.sheet_id is None:
        seen |= Q(**{f"{event}pk": who.event_id}) & within(who.user)(club, Permission.VIEW)
    return seen & (~Q(**{f"{event}state": EventState.DRAFT}) | own(club, Permission.DIRECT))


def _shows_withheld(who: Who, within: Callable[[Who], _Within], event: str = "") -> Q:
    """A condition for rows whose event, at `event`, shows withheld results to the reader."""
    if not isinstance(who, ApiToken) or who.event_id is None:
        return within(who)(f"{event}club", Permission.RECORD)
    if who.sheet_id is not None or Permission.RECORD not in GRANTS[TokenScope(who.scope)]:
        return Q(pk__in=[])
    return Q(**{f"{event}pk": who.event_id}) & within(who.user)(f"{event}club", Permission.RECORD)


def _is_hidden(who: Who, within: Callable[[Who], _Within], match: str) -> Q:
    """A condition for rows whose match, at `match`, is drafted or withheld from the reader."""
    told = _shows_withheld(who, within, f"{match}event__")
    if isinstance(who, User):
        told |= Q(**{f"{match}in": _seated(who)})
    drafted = Q(**{f"{match}round__state": RoundState.DRAFTED})
    directed = within(who)(f"{match}event__club", Permission.DIRECT)
    return (drafted & ~directed) | (withheld(match) & ~told)


def _within(who: Who) -> _Within:
    """The condition as a subquery."""
    return lambda path, permission: Q(**{f"{path}__in": clubs_where(who, permission)})


def _looked_up(who: Who) -> _Within:
    """The condition with the ids of the reader's clubs."""

    @cache
    def held() -> list[tuple[int, set[Permission]]]:
        """The clubs by id with the permissions granted there, in one query."""
        granted = {permission: allowed_in(who, permission) for permission in Permission}
        if granted[Permission.VIEW] is None:
            return []
        asked = {
            permission: Q(pk__in=[]) if allowed is None else allowed or Q(pk__isnull=False)
            for permission, allowed in granted.items()
        }
        # Every grant includes VIEW.
        rows = Club.objects.filter(asked[Permission.VIEW]).values_list(
            "pk", *(Case(When(each, then=Value(True)), default=Value(False)) for each in asked.values())
        )
        return [(club, set(compress(asked, has))) for club, *has in rows]

    def within(path: str, permission: Permission) -> Q:
        found = Q(**{f"{path}__in": [club for club, granted in held() if permission in granted]})
        return found | Q(**{f"{path}__is_public": True}) if permission is Permission.VIEW else found

    return within
