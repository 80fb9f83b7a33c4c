"""The players of clubs."""

from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.utils.field_mapping import get_field_kwargs

from league.acts.services import Services
from league.api.answers import Operation, described
from league.api.asking import who_of
from league.api.fields import OneOf, ordering, yes_no
from league.api.resources import Followed, Input, Written
from league.models import DETAIL_NAMES, DETAILS, Club, Detail, Player, ShownAs
from league.people import players as people
from league.people.register import change_shown
from league.policy import Permission, Who, clubs_where
from league.policy.naming import shown_names
from scoring.core.actors import Actor

PLAYER: Final = {
    "code": "r8kzt5mqwd",
    "club": "harbour",
    "name": "Ann Berg",
    "is_bot": False,
    "strategy": "",
    "level": None,
    "merged_into": None,
    **{detail.name: detail.example for detail in DETAILS},
    "external_id": "2093",
    "nickname": "",
    "shown_as": "name",
    "created_at": "2026-01-05T18:00:00Z",
    "updated_at": "2026-01-05T18:00:00Z",
}
SENT: Final = {"club": "harbour", "name": "Ann Berg", "member_number": "17", "external_id": "2093"}


class PlayerTold(serializers.ModelSerializer[Player]):
    """A player of a club. Details for directors only are null for everybody else."""

    club = serializers.CharField(source="club.slug")
    name = serializers.SerializerMethodField(help_text="In full, or as the player chose to be shown.")
    merged_into = serializers.CharField(
        source="merged_into.code",
        default=None,
        allow_null=True,
        help_text="The player into whom this one was merged.",
    )
    external_id = serializers.SerializerMethodField(help_text="The id in the club's own register.")
    nickname = serializers.SerializerMethodField()
    shown_as = serializers.SerializerMethodField(help_text="To the public: name, initials or nickname.")

    class Meta:
        model = Player
        fields = (
            "code",
            "club",
            "name",
            "is_bot",
            "strategy",
            "level",
            "merged_into",
            *DETAIL_NAMES,
            "external_id",
            "nickname",
            "shown_as",
            "created_at",
            "updated_at",
        )
        read_only_fields = DETAIL_NAMES

    def to_representation(self, player: Player) -> dict[str, Any]:
        told = super().to_representation(player)
        if not self._directs(player):
            told |= {detail.name: None for detail in DETAILS if not detail.is_public}
        return told

    def get_name(self, player: Player) -> str:
        shown: str = self.context["spelling"].of(player.club_id).player(player)
        return shown

    def get_external_id(self, player: Player) -> str | None:
        return player.external_id if self._directs(player) else None

    def get_nickname(self, player: Player) -> str | None:
        return player.nickname if self._directs(player) else None

    def get_shown_as(self, player: Player) -> str | None:
        return player.shown_as if self._directs(player) else None

    def _directs(self, player: Player) -> bool:
        return player.__dict__["is_directed"] is True


class PlayerChanged(Input):
    """Changes to a player; how a bot plays is changed in the administration."""

    name = serializers.CharField(max_length=80)
    external_id = serializers.CharField(max_length=64, allow_null=True, required=False)
    nickname = serializers.CharField(max_length=40, allow_blank=True, required=False)
    shown_as = serializers.ChoiceField(choices=ShownAs.choices, required=False)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        details = {detail.name: _field_of(detail) for detail in DETAILS}
        return {"name": fields.pop("name"), **details, **fields}


class PlayerSaid(PlayerChanged):
    """A new player."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")


class PlayerFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of players; `external_id` and `member_number` find only players whom the reader directs."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    search = filters.CharFilter(method="named", label="Part of the name as it is shown.")
    external_id = filters.CharFilter(method="registered", label="For directors of the club only.")
    member_number = filters.CharFilter(method="numbered", label="For directors of the club only.")
    is_bot = yes_no(method="bots", label="Whether it is a house bot.")
    is_merged = yes_no("merged_into", method="merged", label="Whether it was merged into another.")
    ordering = ordering("created_at", "updated_at", name="shown_name")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if {"search", "ordering"} & self.data.keys():
            queryset = queryset.annotate(shown_name=shown_names(who_of(self.request)))
        filtered: QuerySet[Any] = super().filter_queryset(queryset)
        return filtered

    def named(self, rows: QuerySet[Any], _field: str, text: str) -> QuerySet[Any]:
        return rows.filter(shown_name__icontains=text)

    def registered(self, rows: QuerySet[Any], _field: str, text: str) -> QuerySet[Any]:
        return rows.filter(is_directed=True, external_id=text)

    def numbered(self, rows: QuerySet[Any], _field: str, text: str) -> QuerySet[Any]:
        return rows.filter(is_directed=True, member_number=text)

    def bots(self, rows: QuerySet[Any], _field: str, value: Any) -> QuerySet[Any]:
        return rows.exclude(strategy="") if value else rows.filter(strategy="")

    def merged(self, rows: QuerySet[Any], _field: str, value: Any) -> QuerySet[Any]:
        return rows.filter(merged_into__isnull=not value)


@described(
    "players",
    PLAYER,
    lists=Operation("List players", "The players."),
    reads=Operation("Read a player", "A player."),
    makes=Operation("Make a player", "The players.", SENT),
    changes=Operation(
        "Change a player",
        "The former name is kept as another name, so that files still find the player.",
        {"name": "Ann Berg-Lund"},
    ),
    deletes=Operation("Delete a player", "Only a player who was never entered anywhere."),
)
class Players(Followed[Player], Written[Player]):
    """The players of the clubs that the reader may view, including those merged into others."""

    resource = "players"
    serializer_class = PlayerTold
    services = Services("player", remove=people.remove_player)
    made_from = PlayerSaid
    changed_from = PlayerChanged
    filterset_class = PlayerFilter

    def seen(self, who: Who) -> QuerySet[Player]:
        rows = Player.objects.filter(club__in=clubs_where(who, Permission.VIEW))
        return (
            rows.select_related("club", "merged_into")
            .annotate(is_directed=Q(club__in=clubs_where(who, Permission.DIRECT).values("pk")))
            .order_by("pk")
        )

    def club_of(self, row: Player) -> Club:
        return row.club

    def make(self, actor: Actor, **values: Any) -> Player:
        shown = _shown(values)
        with transaction.atomic():
            player = people.create_player(actor=actor, **values)
            change_shown(actor=actor, player=player, **shown)
        return player

    def change(self, actor: Actor, row: Player, **values: Any) -> None:
        shown = _shown(values)
        player = people.change_player(actor=actor, player=row, **values)
        change_shown(actor=actor, player=player, **shown)


def _field_of(detail: Detail) -> serializers.Field[Any, Any, Any, Any]:
    """Return the serializer field of a detail, optional, with the limits and choices of the model field."""
    known = get_field_kwargs(detail.name, detail.field)
    kind = serializers.ModelSerializer.serializer_field_mapping[type(detail.field)]
    kept = {key: known[key] for key in ("max_length", "choices", "allow_null", "allow_blank") if key in known}
    return kind(required=False, **kept)


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    """Remove and return the values that say how the public sees the name; a separate service sets them."""
    return {name: values.pop(name) for name in ("shown_as", "nickname") if name in values}
