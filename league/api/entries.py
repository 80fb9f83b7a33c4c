"""Who is entered in events."""

from typing import Any, Final

from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import acts, changes, deletes, lists, makes, tells
from league.api.asking import actor_for
from league.api.fields import ONE_AT_LEAST, OneOf, ordering, yes_no
from league.api.resources import Followed, Input, Resource
from league.errors import LeagueError
from league.events import entries
from league.models import Club, Entry, EntryMember, EventKind, Player
from league.policy import Permission, Who, clubs_where, events_seen, require
from league.record.audit import locked

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
    "updated_at": "2026-01-05T18:00:00Z",
}


class PlayerNamed(serializers.Serializer[Any]):
    """A player, as who asks may see the name."""

    code = serializers.CharField()
    name = serializers.CharField()


class EntryNamed(serializers.Serializer[Any]):
    """An entry, as who asks may see the name."""

    code = serializers.CharField()
    name = serializers.CharField()


class EntryTold(serializers.ModelSerializer[Entry]):
    """Who is ranked in an event: a player, or a team."""

    event = serializers.CharField(source="event.code")
    name = serializers.SerializerMethodField()
    players = serializers.SerializerMethodField(help_text="In the order in which they sit.")

    class Meta:
        model = Entry
        fields = (
            "code",
            "event",
            "name",
            "players",
            "seed",
            "group",
            "is_guest",
            "is_bot",
            "first_round",
            "withdrawn_at",
            "updated_at",
        )

    def get_name(self, entry: Entry) -> str:
        shown: str = self.context["spelling"].of(entry.event.club_id).shown(entry.name)
        return shown

    @extend_schema_field(PlayerNamed(many=True))
    def get_players(self, entry: Entry) -> list[PlayerNamed]:
        names = self.context["spelling"].of(entry.event.club_id)
        members: list[EntryMember] = sorted(entry.members.all(), key=lambda row: (row.position, row.pk))
        return [
            {"code": member.player.code, "name": names.shown(member.player.name)}  # type: ignore[misc]
            for member in members
        ]


def _players(who: Who) -> QuerySet[Player]:
    return Player.objects.filter(club__in=clubs_where(who, Permission.VIEW), merged_into=None)


class EntryChanged(Input):
    """What of an entry changes: an entry of one player is called what the player is called, and stays his."""

    name = serializers.CharField(max_length=80, required=False, help_text="Of a team.")
    players = serializers.ListField(
        child=OneOf(_players),
        min_length=1,
        max_length=40,
        error_messages=ONE_AT_LEAST,
        help_text="The players' codes, in order.",
    )
    seed = serializers.IntegerField(min_value=1, max_value=9999, allow_null=True, required=False)
    is_guest = serializers.BooleanField(required=False, help_text="Plays, and is not ranked.")


class EntrySaid(EntryChanged):
    """A new entry."""

    event = OneOf(events_seen)
    seed = serializers.IntegerField(
        min_value=1, max_value=9999, required=False, help_text="Of a team; players are seeded afterwards."
    )
    late = serializers.BooleanField(
        default=False, help_text="From the next round on; the event gives points for those missed."
    )


class Withdrawal(Input):
    """Why, and what becomes of the matches."""

    reason = serializers.CharField(max_length=300)
    give_matches = serializers.BooleanField(
        default=False, help_text="Every match not begun goes to the other side."
    )


class Reinstatement(Input):
    """Why."""

    reason = serializers.CharField(max_length=300)


class EntryFilter(filters.FilterSet):  # type: ignore[misc]
    """Entries by event and by player."""

    club = filters.CharFilter(field_name="event__club__slug", label="The club's slug.")
    event = filters.CharFilter(field_name="event__code", label="The event's code.")
    player = filters.CharFilter(field_name="members__player__code", label="The player's code.")
    is_guest = yes_no("is_guest", label="Whether it plays without a rank.")
    is_bot = yes_no("is_bot", label="Whether a bot of the house plays for it.")
    is_withdrawn = yes_no(method="withdrawn", label="Whether it has withdrawn.")
    ordering = ordering("seed", "updated_at")

    def withdrawn(self, rows: QuerySet[Any], _field: str, value: Any) -> QuerySet[Any]:
        return rows.filter(withdrawn_at__isnull=not value)


class OfEntries(Resource[Entry]):
    """The entries of events that may be read of."""

    serializer_class = EntryTold

    def seen(self, who: Who) -> QuerySet[Entry]:
        rows = Entry.objects.filter(event__in=events_seen(who)).select_related("event__club")
        return rows.prefetch_related("members__player").order_by("pk")

    def club_of(self, row: Entry) -> Club:
        return row.event.club

    def hold(self, row: Entry) -> None:
        locked(row.event)
        super().hold(row)


class Entries(OfEntries, Followed[Entry]):
    """The entries."""

    resource = "entries"
    filterset_class = EntryFilter

    @lists("entries", "entries_list", "List entries", EntryTold, ENTRY)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "entries",
        "entries_create",
        "Enter a player or a team",
        EntrySaid,
        EntryTold,
        ENTRY,
        {"event": "w3zkq7hmtp", "players": ["r8kzt5mqwd"]},
        "One player, or a team by its name with at least as many members as play on a side.",
    )
    def post(self, request: Request) -> Response:
        entry = _enter(self.said(EntrySaid), request)
        return self.answer_new(entry, reverse("api-entry", args=[entry.code]))


class OneEntry(OfEntries):
    """An entry."""

    @tells("entries", "entries_read", "Read an entry", EntryTold, ENTRY)
    def get(self, request: Request, code: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "entries",
        "entries_change",
        "Change an entry",
        EntryChanged,
        EntryTold,
        ENTRY,
        {"seed": 2},
        "Who has played for a team stays in it.",
    )
    def patch(self, request: Request, code: str) -> Response:
        with self.changing() as entry:
            values = self.said(EntryChanged, partial=True)
            entries.change_entry(actor=actor_for(request), entry=entry, **values)
        return self.answer_again(entry)

    @deletes("entries", "entries_delete", "Delete an entry", "One with matches is withdrawn instead.")
    def delete(self, request: Request, code: str) -> Response:
        with self.changing() as entry:
            entries.remove_entry(actor=actor_for(request), entry=entry)
        return Response(status=204)


class Withdrawals(OfEntries):
    """The withdrawal of an entry."""

    @acts(
        "entries",
        "entries_withdraw",
        "Withdraw an entry",
        Withdrawal,
        EntryTold,
        ENTRY | {"withdrawn_at": "2026-02-02T18:00:00Z"},
        {"reason": "Moved away.", "give_matches": True},
        "It is not drawn from now on; what it has played stands.",
    )
    def post(self, request: Request, code: str) -> Response:
        entry = self.get_object()
        said = self.said(Withdrawal)
        entries.withdraw_entry(actor=actor_for(request), entry=entry, **said)
        return self.answer_again(entry)


class Reinstatements(OfEntries):
    """A withdrawal that is taken back."""

    @acts(
        "entries",
        "entries_reinstate",
        "Take a withdrawal back",
        Reinstatement,
        EntryTold,
        ENTRY,
        {"reason": "Is back."},
        "Matches that were given meanwhile stay given.",
    )
    def post(self, request: Request, code: str) -> Response:
        entry = self.get_object()
        said = self.said(Reinstatement)
        entries.reinstate_entry(actor=actor_for(request), entry=entry, **said)
        return self.answer_again(entry)


def _enter(said: dict[str, Any], request: Request) -> Entry:
    """Enters who is said; refuses (`several_players`) more than one where each player is an entry."""
    actor = actor_for(request)
    event, is_late = said.pop("event"), said.pop("late")
    require(actor, Permission.DIRECT, event.club)
    if event.kind == EventKind.TEAM:
        if not is_late:
            return entries.enter_team(actor=actor, event=event, **{"name": "", **said})
        if said.pop("seed", None) is not None:
            raise LeagueError("already_drawn", _("Who comes late is not seeded."), field="seed")
        (entry,) = entries.enter_late(actor=actor, event=event, **said)
        return entry
    if said.pop("name", None) is not None:
        raise LeagueError("wrong_kind", _("An entry of one player has the player's name."), field="name")
    if said.pop("seed", None) is not None:
        raise LeagueError("wrong_kind", _("Players are seeded once they are entered."), field="seed")
    if len(said["players"]) > 1:
        raise LeagueError("several_players", _("Enter the players one by one."), field="players")
    enter = entries.enter_late if is_late else entries.enter_players
    (entry,) = enter(actor=actor, event=event, **said)
    return entry
