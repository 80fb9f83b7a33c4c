"""What may be done to a sheet, and by whom: league's implementation of `scoring.policy`."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _

from games.models import TO_PLAY, BotMatch
from league.core.lifecycle import Doing, may
from league.models import (
    Appearance,
    Club,
    ClubRules,
    Event,
    EventState,
    Exhibition,
    Match,
    Player,
    RoundPacks,
    RoundState,
)
from league.policy.grants import (
    TRUSTED,
    Permission,
    Who,
    can,
    clubs_where,
    grants,
    is_operator,
    live_links,
    live_tokens,
    plays_as,
    reaches,
    token_with_office,
)
from league.policy.naming import AS_WRITTEN, names_for
from league.policy.reading import events_seen, rules_seen, sheets_seen
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError
from scoring.models import HouseRules, Scoresheet, Seat
from scoring.policy import SheetAction, ShownNames

# The permission in the sheet's club, and what the event's state must allow.
_REQUIREMENTS: Final[Mapping[SheetAction, tuple[Permission, Doing]]] = {
    SheetAction.OPEN: (Permission.RECORD, Doing.PLAY),
    SheetAction.RECORD: (Permission.RECORD, Doing.PLAY),
    SheetAction.STOP: (Permission.RECORD, Doing.PLAY),
    SheetAction.UNDO: (Permission.RECORD, Doing.PLAY),
    SheetAction.SIGN: (Permission.RECORD, Doing.CORRECT),
    SheetAction.DISPUTE: (Permission.RECORD, Doing.CORRECT),
    SheetAction.SETTLE: (Permission.DIRECT, Doing.CORRECT),
    SheetAction.ACCEPT: (Permission.RECORD, Doing.CORRECT),
    SheetAction.CORRECT: (Permission.RECORD, Doing.CORRECT),
    SheetAction.VOID: (Permission.DIRECT, Doing.CORRECT),
}

# What players may do to their own sheet.
_PLAYER_ACTIONS: Final = frozenset(
    {SheetAction.RECORD, SheetAction.UNDO, SheetAction.SIGN, SheetAction.DISPUTE}
)


class ClubPolicy:
    """League's `SheetPolicy`: officers of the sheet's club, and for some acts those seated at the table."""

    def called(self, persons: Collection[str]) -> Mapping[str, str]:
        """See `SheetPolicy`; merged players have the name of the one kept."""
        rows = Player.objects.filter(code__in=persons).order_by()
        named = rows.values_list("code", Coalesce("merged_into__name", "name"))
        return dict(named)

    def allows(self, actor: Actor, action: SheetAction, sheet: Scoresheet | None) -> bool:
        """See `SheetPolicy`. On a sheet without a club only administrators may act.

        Nobody may do what the state of the event does not allow: a finished one takes no more deals. While a
        bot match is pending on a sheet, or it is played at a table of members, nobody else records on it;
        correcting, stopping and voiding remain possible. Bots may only record, and only on their own sheet.
        The link of a side, and a user seated on it, may record, take back their own last deal, sign and
        dispute. Once the round is complete or the director has confirmed the result, nothing is taken back.
        People may end exhibitions of bots and correct their sheets, but not record on them; other sheets of
        the club are as those of matches.
        """
        permission, doing = _REQUIREMENTS[action]
        if sheet is None:
            return can(actor, permission)
        place = _place_of(sheet)
        is_open = place.state is None or may(place.state, doing)
        if actor.kind is ActorKind.BOT:
            return action is SheetAction.RECORD and is_open and _plays_on(actor, sheet)
        if action is SheetAction.RECORD and place.is_bots:
            return False
        if action is SheetAction.RECORD and place.is_at_table:
            return is_open and actor.kind is ActorKind.OPERATOR
        if actor.kind in TRUSTED:
            return True
        if not is_open or (action is SheetAction.UNDO and _has_final_result(sheet)):
            return False
        if actor.kind is ActorKind.TABLE_LINK:
            return action in _PLAYER_ACTIONS and place.is_match and _is_linked(actor, sheet)
        officers = place.club is not None and (place.is_of_people or action is not SheetAction.RECORD)
        if actor.kind is ActorKind.TOKEN:
            token = token_with_office(actor.id)
            if token is None or not reaches(
                token, permission, club=place.club, event=place.event, sheet=sheet.pk
            ):
                return False
            if officers and token.club_id == place.club and grants(token.office, permission):
                return True
            actor = Actor(ActorKind.USER, str(token.user_id), "")
        if actor.kind is not ActorKind.USER:
            return False
        if officers and can(actor, permission, place.club):
            return True
        if action in _PLAYER_ACTIONS and place.is_of_people and _sides_of(int(actor.id), sheet, place):
            return True
        return not officers and is_operator(actor)

    def refusal(self, actor: Actor, action: SheetAction, sheet: Scoresheet | None) -> RecordingError | None:
        """See `SheetPolicy`: `bots_play`, `table_plays` for whoever could record else; `result_stands`."""
        if sheet is None or actor.kind is ActorKind.BOT:
            return None
        if (
            action is SheetAction.UNDO
            and _has_final_result(sheet)
            and self.allows(actor, SheetAction.DISPUTE, sheet)
        ):
            return RecordingError(
                "result_stands", _("The result stands; what is wrong with it the director corrects.")
            )
        # STOP needs the same permission as RECORD but is allowed while bots play.
        if (
            action is SheetAction.RECORD
            and _place_of(sheet).is_bots
            and self.allows(actor, SheetAction.STOP, sheet)
        ):
            return RecordingError(
                "bots_play", _("Bots play sheet %(sheet)s; cancel the bot match first.") % {"sheet": sheet}
            )
        if (
            action is SheetAction.RECORD
            and actor.kind is not ActorKind.OPERATOR
            and _place_of(sheet).is_at_table
        ):
            return RecordingError(
                "table_plays", _("Sheet %(sheet)s is played card by card, and kept there.") % {"sheet": sheet}
            )
        return None

    def visible(self, actor: Actor, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """See `SheetPolicy`: as `sheets_seen`; for a link its own sheet and public ones."""
        if actor.kind in TRUSTED:
            return queryset
        if actor.kind is ActorKind.TABLE_LINK:
            linked = live_links().filter(code=actor.id).values("sheet")
            public = sheets_seen(AnonymousUser(), Scoresheet.objects.all()).values("pk")
            return queryset.filter(Q(pk__in=linked) | Q(pk__in=public))
        return sheets_seen(_reader(actor), queryset)

    def readable(self, actor: Actor, queryset: QuerySet[HouseRules]) -> QuerySet[HouseRules]:
        """See `SheetPolicy`: as `rules_seen`, and rules of visible sheets or of no club."""
        who = _reader(actor)
        sheets = Scoresheet.objects.filter(rules__in=queryset)
        on_sheets = sheets_seen(who, sheets).values("rules__code")
        clubs_own = ClubRules.objects.values("rules__code")
        played = Event.objects.values("rules__code")
        written_by = sheets.values("rules__code")
        nobodys = HouseRules.objects.exclude(
            Q(code__in=clubs_own) | Q(code__in=played) | Q(code__in=written_by)
        )
        return queryset.filter(
            Q(pk__in=rules_seen(who).values("pk")) | Q(code__in=on_sheets) | Q(pk__in=nobodys.values("pk"))
        )

    def shown(self, actor: Actor, sheet: Scoresheet) -> ShownNames:
        """See `SheetPolicy`: as the reader sees the people of the sheet's club; a bot says who is absent."""
        place = _place_of(sheet)
        if place.club is None:
            return ShownNames(AS_WRITTEN.person, ())
        names = names_for(_reader(actor), Club.objects.get(pk=place.club))
        seats = Appearance.objects.filter(match__sheet=sheet, sits_in_for__isnull=False)
        sit_in = {
            seat.player.code: _("%(bot)s for %(player)s")
            % {"bot": names.player(seat.player), "player": names.player(seat.sits_in_for)}
            for seat in seats.select_related("player", "sits_in_for")
            if seat.sits_in_for is not None
        }

        def person(key: str, written: str) -> str:
            return sit_in.get(key) or names.person(key, written)

        sides = sheet.sides.order_by("position").prefetch_related("seats") if names.covered else ()
        return ShownNames(person, [names.instead(side, person) for side in sides])

    def page_head(self, actor: Actor, sheet: Scoresheet) -> Mapping[str, Any]:
        """See `SheetPolicy`: that of the sheet's club, with its event and label, if the reader may see them.

        Of a friendly game it says whether it `is_rated`, and to who directs a match which it is (`directed`).
        """
        place, who = _place_of(sheet), _reader(actor)
        if place.club is None:
            return {}
        club = clubs_where(who, Permission.VIEW).filter(pk=place.club).first()
        if club is None:
            return {}
        event = None if place.event is None else events_seen(who).filter(pk=place.event).first()
        if place.event is None:
            rated = Exhibition.objects.filter(sheet=sheet, is_rated=True)
            label = names_for(who, club).label(sheet) if sheet.label else ""
            return {
                "club": club,
                "event": None,
                "navigation": [],
                "is_rated": rated.exists(),
                "label": label,
            }
        head: dict[str, Any] = {
            "club": club,
            "event": event,
            "navigation": [] if event is None else [event],
            "label": sheet.label,
        }
        if event is not None and can(who, Permission.DIRECT, club):
            head["directed"] = Match.objects.filter(sheet=sheet).values_list("code", flat=True).first()
        return head

    def own_sides(self, actor: Actor, sheet: Scoresheet) -> frozenset[int]:
        """See `SheetPolicy`: a link's side; the sides on which a user, or a token's user, sits."""
        if actor.kind is ActorKind.TABLE_LINK:
            sides = live_links().filter(code=actor.id, sheet=sheet).values_list("side", flat=True)
            return frozenset(sides)
        account = self.plays_as(actor, sheet)
        return frozenset() if account is None else _sides_of(account, sheet, _place_of(sheet))

    def plays_as(self, actor: Actor, sheet: Scoresheet) -> int | None:
        """See `SheetPolicy`, and `plays_as`."""
        # Only for a token it matters whose the sheet is.
        if actor.kind is not ActorKind.TOKEN:
            return plays_as(actor, club=None)
        place = _place_of(sheet)
        return plays_as(actor, club=place.club, event=place.event, sheet=sheet.pk)

    def counts(self, sheet: Scoresheet) -> bool:
        """See `SheetPolicy`: the matches of events and rated friendly games count, and nothing else."""
        rated = Exhibition.objects.filter(sheet=sheet, is_rated=True)
        return Match.objects.filter(sheet=sheet).exists() or rated.exists()

    def packs(self, sheet: Scoresheet) -> Sequence[str]:
        """See `SheetPolicy`: those of the round, for matches of its draw; a play-off is dealt fresh ones."""
        kept = RoundPacks.objects.filter(round__matches__sheet=sheet, round__matches__play_off=None)
        return tuple(kept.values_list("packs", flat=True).first() or ())

    def withheld(self, queryset: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
        """See `SheetPolicy`: those of a round with packs until it is closed, voided ones too."""
        open_ = RoundPacks.objects.exclude(round__state=RoundState.COMPLETE)
        rounds = open_.values("round")
        return queryset.filter(Q(match__round__in=rounds) | Q(former__match__round__in=rounds))


def may_take_back(match: Match, sheet: Scoresheet) -> bool:
    """Return whether those at the table may still take back deals of this match's sheet.

    For pages, with the match's round and event loaded; `ClubPolicy` asks the same of the database.
    """
    return may(match.event.state, Doing.PLAY) and not _is_final(match, sheet)


class _Place(NamedTuple):
    """The club, event and event state of a sheet, each None if it has none.

    `bots` is the state of the bot match on it, None if there never was one; `is_at_table` whether members
    play it card by card.
    """

    club: int | None
    event: int | None
    state: EventState | None
    bots: str | None
    is_at_table: bool

    @property
    def is_bots(self) -> bool:
        """True while a bot match is pending on it."""
        return self.bots in TO_PLAY

    @property
    def is_of_people(self) -> bool:
        """True if people play it: a match, or a sheet of the club that was not planted for bots."""
        return self.is_match or (self.club is not None and self.bots is None)

    @property
    def is_match(self) -> bool:
        """True if it is the sheet of a match."""
        return self.event is not None


# Built once, as it is queried for every recorded hand.
_PLACES: Final = Scoresheet.objects.order_by().values_list(
    "match__event__club_id",
    "match__event_id",
    "match__event__state",
    "bot_match__state",
    "table_match__is_live",
)


def _place_of(sheet: Scoresheet) -> _Place:
    found = next(iter(_PLACES.filter(pk=sheet.pk)), (None, None, None, None, None))
    club, event, state, bots, is_live = found
    if event is None:
        club = Exhibition.objects.filter(sheet=sheet).values_list("club", flat=True).first()
    return _Place(club, event, None if state is None else EventState(state), bots, bool(is_live))


def _has_final_result(sheet: Scoresheet) -> bool:
    match = Match.objects.select_related("round").filter(sheet=sheet).first()
    return match is not None and _is_final(match, sheet)


def _is_final(match: Match, sheet: Scoresheet) -> bool:
    """Return whether the result stands: the round is complete, or the director has confirmed it."""
    return match.round.state == RoundState.COMPLETE or match.confirmed_version == sheet.version


def _reader(actor: Actor) -> Who:
    """The active user or live token behind a reading actor, else an anonymous user."""
    who: Who | None = None
    if actor.kind is ActorKind.USER:
        who = User.objects.filter(pk=actor.id, is_active=True).first()
    elif actor.kind is ActorKind.TOKEN:
        who = live_tokens().filter(code=actor.id).first()
    return who or AnonymousUser()


def _is_linked(actor: Actor, sheet: Scoresheet) -> bool:
    """Return whether the actor is a live link of this sheet."""
    return live_links().filter(code=actor.id, sheet=sheet).exists()


def _sides_of(user: int, sheet: Scoresheet, place: _Place) -> frozenset[int]:
    """The sides of the sheet on which the active user sits."""
    if place.is_match:
        seats = Appearance.objects.filter(match__sheet=sheet, player__user=user, player__user__is_active=True)
        return frozenset(seats.values_list("side", flat=True))
    own = Player.objects.filter(club=place.club, user=user, user__is_active=True).values("code")
    return frozenset(
        Seat.objects.filter(sheet=sheet, person__in=own).values_list("side__position", flat=True)
    )


def _plays_on(actor: Actor, sheet: Scoresheet) -> bool:
    """Return whether the actor is the bot match of this sheet."""
    return BotMatch.objects.filter(code=actor.id, sheet=sheet).exists()
