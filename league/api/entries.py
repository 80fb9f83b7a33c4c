"""The entries of events."""

from collections.abc import Callable
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from league.acts.services import Services
from league.api.answers import Operation, described, writes
from league.api.asking import actor_for, who_of
from league.api.fields import ONE_AT_LEAST, OfEventFilter, OneOf, ordering, yes_no
from league.api.resources import Followed, Input, Written
from league.errors import LeagueError
from league.events import annulling, entries
from league.models import Club, Entry, EntryMember, Event, EventKind, Player
from league.policy import Permission, Who, clubs_where, entries_counted, entries_seen, events_seen, require
from league.record.audit import locked
from scoring.core.actors import Actor

ENTRY: Final = {
    "code": "t6pmq3wzkr",
    "event": "w3zkq7hmtp",
    "name": "Ann Berg",
    "players": [{"code": "r8kzt5mqwd", "name": "Ann Berg"}],
    "seed": 1,
    "group": None,
    "is_guest": False,
    "is_bot": False,
    "first_round": 1,
    "withdrawn_at": None,
    "annulled_at": None,
    "updated_at": "2026-01-05T18:00:00Z",
}


class PlayerNamed(serializers.Serializer[Player]):
    """A player, under the name you may see."""

    code = serializers.CharField()
    name = serializers.CharField()

    def to_representation(self, player: Player) -> dict[str, str]:
        return {"code": player.code, "name": self.context["spelling"].of(player.club_id).player(player)}


class EntryNamed(serializers.Serializer[Entry]):
    """An entry, under the name you may see."""

    code = serializers.CharField()
    name = serializers.CharField()

    def to_representation(self, entry: Entry) -> dict[str, str]:
        names = self.context["spelling"].of(entry.event.club_id)
        return {"code": entry.code, "name": names.entry(entry)}


class EntryTold(serializers.ModelSerializer[Entry]):
    """Who is ranked in an event: a player, or a team."""

    event = serializers.CharField(source="event.code")
    name = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField(help_text="In the order in which they sit.")
    annulled_at = serializers.DateTimeField(
        allow_null=True, help_text="Since when none of its matches count; null if they do."
    )

    class Meta:
        model = Entry
        fields = tuple(ENTRY)

    def get_name(self, entry: Entry) -> str:
        shown: str = self.context["spelling"].of(entry.event.club_id).entry(entry)
        return shown

    @extend_schema_field(PlayerNamed(many=True))
    def get_players(self, entry: Entry) -> Any:
        members: list[EntryMember] = sorted(entry.members.all(), key=lambda row: (row.position, row.pk))
        return [PlayerNamed(member.player, context=self.context).data for member in members]


def _players(who: Who) -> QuerySet[Player]:
    return Player.objects.filter(club__in=clubs_where(who, Permission.VIEW), merged_into=None)


class EntryChanged(Input):
    """Changes to an entry. One of a single player has the player's name, and keeps its player."""

    name = serializers.CharField(max_length=80, required=False, help_text="For a team.")
    players = serializers.ListField(
        child=OneOf(_players),
        min_length=1,
        max_length=40,
        error_messages=ONE_AT_LEAST,
        help_text="The players' codes, in order.",
    )
    seed = serializers.IntegerField(min_value=1, max_value=9999, allow_null=True, required=False)
    is_guest = serializers.BooleanField(required=False, help_text="Plays without being ranked.")


class EntrySaid(EntryChanged):
    """A new entry."""

    event = OneOf(events_seen)
    seed = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="For a team; players are seeded afterwards."
    )
    late = serializers.BooleanField(
        default=False,
        help_text="Plays from the next round on; the event gives points for the rounds missed.",
    )


class Withdrawal(Input):
    """Why, and what becomes of the matches."""

    reason = serializers.CharField(max_length=300)
    give_matches = serializers.BooleanField(
        default=False, help_text="Every match not begun goes to the other side."
    )
    annul = serializers.BooleanField(default=False, help_text="All its results are annulled as well.")


class Annulment(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class Restoration(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class Reinstatement(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class EntryFilter(OfEventFilter):
    """Filters of entries: event, club, player, and what kind of entry it is."""

    player = filters.CharFilter(field_name="members__player__code", label="The player's code.")
    is_guest = yes_no("is_guest", label="Whether it plays without being ranked.")
    is_bot = yes_no("is_bot", label="Whether a house bot plays for it.")
    is_withdrawn = yes_no(method="withdrawn", label="Whether it has withdrawn.")
    is_annulled = yes_no(method="annulled", label="Whether its results are annulled.")
    ordering = ordering("seed", "updated_at")

    def withdrawn(self, rows: QuerySet[Any], _field: str, value: Any) -> QuerySet[Any]:
        return rows.filter(withdrawn_at__isnull=not value)

    def annulled(self, rows: QuerySet[Any], _field: str, value: Any) -> QuerySet[Any]:
        return rows.filter(annulled_at__isnull=not value)


def _act(
    verb: str, summary: str, words: str, sent: Any, told: Any, said: type[Input]
) -> Callable[[Any], Any]:
    """An operation on one entry that writes, described with examples of what it is sent and answers."""
    described_act = writes("entries", "entries", told, EntryTold, Operation(summary, words, sent), said, verb)
    return lambda act: described_act(action(detail=True, methods=["post"])(act))


@described(
    "entries",
    ENTRY,
    lists=Operation("List entries", "The entries."),
    reads=Operation("Read an entry", "An entry."),
    makes=Operation(
        "Enter a player or a team",
        "One player, or a named team with at least as many members as play on a side.",
        {"event": "w3zkq7hmtp", "players": ["r8kzt5mqwd"]},
    ),
    changes=Operation(
        "Change an entry", "A member who has played for a team cannot be taken out of it.", {"seed": 2}
    ),
    deletes=Operation(
        "Delete an entry", "Only an entry without matches; one with matches is withdrawn instead."
    ),
)
class Entries(Followed[Entry], Written[Entry]):
    """The entries of the events that the reader may see."""

    resource = "entries"
    serializer_class = EntryTold
    services = Services("entry", change=entries.change_entry, remove=entries.remove_entry)
    made_from = EntrySaid
    changed_from = EntryChanged
    filterset_class = EntryFilter

    def seen(self, who: Who) -> QuerySet[Entry]:
        rows = entries_seen(who).select_related("event__club")
        return rows.prefetch_related("members__player").order_by("pk")

    def counted(self, rows: QuerySet[Entry]) -> int:
        return rows.count() if self.is_filtered() else entries_counted(who_of(self.request))

    def club_of(self, row: Entry) -> Club:
        return row.event.club

    def hold(self, row: Entry) -> None:
        locked(row.event)
        super().hold(row)

    def make(self, actor: Actor, **values: Any) -> Entry:
        return _enter(actor, **values)

    @_act(
        "withdraw",
        "Withdraw an entry",
        "It is no longer paired; what it has played stands, unless it is annulled as well.",
        {"reason": "Moved away.", "give_matches": True},
        ENTRY | {"withdrawn_at": "2026-02-02T18:00:00Z"},
        Withdrawal,
    )
    def withdrawal(self, request: Request, **kwargs: Any) -> Response:
        """Withdraw an entry."""
        return self._done(entries.withdraw_entry, Withdrawal)

    @_act(
        "reinstate",
        "Take a withdrawal back",
        "Matches that were awarded meanwhile stay awarded.",
        {"reason": "Is back."},
        ENTRY,
        Reinstatement,
    )
    def reinstatement(self, request: Request, **kwargs: Any) -> Response:
        """Take back the withdrawal of an entry."""
        return self._done(entries.reinstate_entry, Reinstatement)

    @_act(
        "annul",
        "Annul the results of an entry",
        "For an entry that has withdrawn: none of its matches counts for anybody, and it leaves "
        "the table. Sheets and ratings stay.",
        {"reason": "Withdrew before half of its matches."},
        ENTRY | {"withdrawn_at": "2026-02-02T18:00:00Z", "annulled_at": "2026-02-02T18:05:00Z"},
        Annulment,
    )
    def annulment(self, request: Request, **kwargs: Any) -> Response:
        """Annul all results of an entry."""
        return self._done(annulling.annul_results, Annulment)

    @_act(
        "restore",
        "Let annulled results count again",
        "The table is again as if nothing had been annulled.",
        {"reason": "Had played half of its matches."},
        ENTRY | {"withdrawn_at": "2026-02-02T18:00:00Z"},
        Restoration,
    )
    def restoration(self, request: Request, **kwargs: Any) -> Response:
        """Let the annulled results of an entry count again."""
        return self._done(annulling.restore_results, Restoration)

    def _done(self, service: Callable[..., Any], said: type[Input]) -> Response:
        """Do with the entry what was asked for, and tell how it is now."""
        entry = self.get_object()
        service(actor=actor_for(self.request), entry=entry, **self.said(said))
        return self.answer_again(entry)


def _enter(actor: Actor, *, event: Event, late: bool, **said: Any) -> Entry:
    """Enter a player or a team.

    Refused: an actor who does not direct the club (`not_allowed`), several players unless they are a team
    (`several_players`), a seed for a late team (`already_drawn`), a name or a seed for a player
    (`wrong_kind`).
    """
    require(actor, Permission.DIRECT, event.club)
    if event.kind == EventKind.TEAM:
        if not late:
            return entries.enter_team(actor=actor, event=event, **{"name": "", **said})
        if said.pop("seed", None) is not None:
            raise LeagueError("already_drawn", _("Late entries are not seeded."), field="seed")
        (entry,) = entries.enter_late(actor=actor, event=event, **said)
        return entry
    if said.pop("name", None) is not None:
        raise LeagueError("wrong_kind", _("An entry of one player has the player's name."), field="name")
    if said.pop("seed", None) is not None:
        raise LeagueError("wrong_kind", _("Players are seeded once they are entered."), field="seed")
    if len(said["players"]) > 1:
        raise LeagueError("several_players", _("Enter the players one by one."), field="players")
    enter = entries.enter_late if late else entries.enter_players
    (entry,) = enter(actor=actor, event=event, **said)
    return entry
