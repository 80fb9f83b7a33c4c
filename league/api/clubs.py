"""Clubs, their officers and their seasons."""

from typing import Any, Final

from django.db.models import Q, QuerySet
from django_filters import rest_framework as filters
from rest_framework import serializers

from league.acts.services import Services
from league.api.answers import Operation, described
from league.api.asking import who_of
from league.api.fields import OneOf, ordering, yes_no
from league.api.resources import Followed, Input, Written
from league.events import events
from league.models import (
    ApiToken,
    Claiming,
    Club,
    ColumnOrder,
    Deletion,
    Joining,
    Membership,
    RatedGames,
    Role,
    Season,
)
from league.people import clubs
from league.policy import Permission, Who, clubs_where
from league.record.audit import locked
from scoring.core.actors import Actor

CLUB: Final = {
    "slug": "harbour",
    "name": "Harbour Gin Club",
    "place": "The Boathouse, Quay Street",
    "contact": "play@harbour.example",
    "time_zone": "Europe/Paris",
    "is_public": True,
    "is_indexed": True,
    "has_learn_pages": True,
    "has_phrases": False,
    "rated_games": "none",
    "joining": "invited",
    "claiming": "officer",
    "column_order": "abab",
    "running_totals": False,
    "created_at": "2026-01-05T18:00:00Z",
    "updated_at": "2026-01-05T18:00:00Z",
}
MEMBERSHIP: Final = {
    "code": "k7mwpr3hbz",
    "club": "harbour",
    "username": "ann",
    "name": "Ann Berg",
    "role": "director",
    "updated_at": "2026-01-05T18:00:00Z",
}
SEASON: Final = {
    "code": "q4tzn8wvxc",
    "club": "harbour",
    "slug": "winter-2026",
    "name": "Winter 2026",
    "starts_on": "2026-01-01",
    "ends_on": "2026-03-31",
    "updated_at": "2026-01-05T18:00:00Z",
}


class ClubTold(serializers.ModelSerializer[Club]):
    """A club."""

    class Meta:
        model = Club
        fields = tuple(CLUB)


class ClubSaid(Input):
    """The settings of a club."""

    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=80)
    place = serializers.CharField(max_length=80, required=False, allow_blank=True)
    contact = serializers.CharField(max_length=120, required=False, allow_blank=True)
    time_zone = serializers.CharField(max_length=60, required=False, help_text="Such as Europe/Paris.")
    is_public = serializers.BooleanField(required=False)
    is_indexed = serializers.BooleanField(required=False)
    has_learn_pages = serializers.BooleanField(required=False)
    has_phrases = serializers.BooleanField(
        required=False, help_text="Members who play each other at a table here may send set phrases."
    )
    rated_games = serializers.ChoiceField(
        choices=RatedGames.choices,
        required=False,
        help_text="Which friendly games may be rated: `none`, `members` or `bots`, which are those too.",
    )
    joining = serializers.ChoiceField(
        choices=Joining.choices, required=False, help_text="How members join: `invited`, `asked` or `open`."
    )
    claiming = serializers.ChoiceField(
        choices=Claiming.choices,
        required=False,
        help_text="How an account is linked to a player of the register: `officer`, `address` or `number`.",
    )
    column_order = serializers.ChoiceField(choices=ColumnOrder.choices, required=False)
    running_totals = serializers.BooleanField(required=False)


class ClubVisibilityFilter(filters.FilterSet):  # type: ignore[misc]
    """Filter of clubs: public or not."""

    is_public = yes_no(label="Whether everybody may see it.")
    ordering = ordering("name", "created_at", "updated_at")


@described(
    "clubs",
    CLUB,
    lists=Operation("List clubs", "The clubs."),
    reads=Operation("Read a club", "A club."),
    makes=Operation(
        "Make a club",
        "Only the administrator of the site may make clubs, and must be signed in.",
        {"slug": "harbour", "name": "Harbour Gin Club", "time_zone": "Europe/Paris"},
    ),
    changes=Operation("Change a club", "For the club's owners.", {"is_public": False}),
    deletes=Operation(
        "Delete a club",
        "Only the administrator of the site may delete a club, and only one without players and events.",
    ),
)
class Clubs(Followed[Club], Written[Club]):
    """The clubs that the reader may view."""

    resource = "clubs"
    serializer_class = ClubTold
    services = Services("club", add=clubs.create_club, change=clubs.change_club, remove=clubs.remove_club)
    made_from = changed_from = ClubSaid
    filterset_class = ClubVisibilityFilter
    lookup_field = named_by = "slug"
    changed_by = Permission.MANAGE

    def seen(self, who: Who) -> QuerySet[Club]:
        return clubs_where(who, Permission.VIEW).order_by("pk")

    def club_of(self, row: Club) -> Club:
        return row


class MembershipTold(serializers.ModelSerializer[Membership]):
    """Somebody's office in a club."""

    club = serializers.CharField(source="club.slug")
    username = serializers.CharField(source="user.username")
    name = serializers.CharField(source="user.get_full_name", help_text="Blank where it is not known.")

    class Meta:
        model = Membership
        fields = ("code", "club", "username", "name", "role", "updated_at")


class MembershipSaid(Input):
    """An office for a member."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")
    username = serializers.CharField(max_length=150)
    role = serializers.ChoiceField(choices=Role.choices, label="The office.")


class RoleSaid(Input):
    """A change of office."""

    role = serializers.ChoiceField(choices=Role.choices, label="The office.")


class MembershipFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of offices: club, role and user name."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    role = filters.ChoiceFilter(choices=Role.choices, label="The office.")
    username = filters.CharFilter(field_name="user__username", label="The name of the account.")
    ordering = ordering("updated_at")


@described(
    "memberships",
    MEMBERSHIP,
    lists=Operation("List offices", "Your own, and those in the clubs you manage."),
    reads=Operation("Read an office", "An office."),
    makes=Operation(
        "Give an office",
        (
            "Gives an office in the club to the member with this user name, in place of the one held. "
            "Only the administrator of the site may bring in somebody who does not belong to the club; "
            "otherwise people with an account elsewhere accept an invitation first."
        ),
        {"club": "harbour", "username": "ann", "role": "director"},
    ),
    changes=Operation("Change an office", "An office.", {"role": "scorekeeper"}),
    deletes=Operation("Take an office away", "The last owner of a club cannot be taken away."),
)
class Memberships(Followed[Membership], Written[Membership]):
    """The reader's own offices, and all offices of the clubs that he manages."""

    resource = "memberships"
    serializer_class = MembershipTold
    services = Services("membership", remove=clubs.remove_member)
    made_from = MembershipSaid
    changed_from = RoleSaid
    filterset_class = MembershipFilter
    changed_by = Permission.MANAGE

    def seen(self, who: Who) -> QuerySet[Membership]:
        rows = Membership.objects.filter(_own_offices(who) | Q(club__in=clubs_where(who, Permission.MANAGE)))
        return rows.select_related("club", "user").order_by("pk")

    def deletions(self) -> QuerySet[Deletion]:
        """Return the deletions of offices in the clubs that the reader manages."""
        managed = clubs_where(who_of(self.request), Permission.MANAGE)
        return super().deletions().filter(club_id__in=managed.values("pk"))

    def club_of(self, row: Membership) -> Club:
        return row.club

    def hold(self, row: Membership) -> None:
        locked(row.club)
        super().hold(row)

    def make(self, actor: Actor, **values: Any) -> Membership:
        values["role"] = Role(values["role"])
        return clubs.add_member(actor=actor, **values).membership

    def change(self, actor: Actor, row: Membership, **values: Any) -> None:
        role = Role(values.get("role", row.role))
        clubs.set_role(actor=actor, club=row.club, user=row.user, role=role)


class SeasonTold(serializers.ModelSerializer[Season]):
    """A period in a club's calendar."""

    club = serializers.CharField(source="club.slug")

    class Meta:
        model = Season
        fields = ("code", "club", "slug", "name", "starts_on", "ends_on", "updated_at")


class SeasonChanged(Input):
    """Changes to a season."""

    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=80)
    starts_on = serializers.DateField(allow_null=True, required=False)
    ends_on = serializers.DateField(allow_null=True, required=False)


class SeasonSaid(SeasonChanged):
    """A new season."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")


class SeasonFilter(filters.FilterSet):  # type: ignore[misc]
    """Filters of seasons: club and slug."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    slug = filters.CharFilter(label="As used in addresses.")
    ordering = ordering("name", "starts_on", "updated_at")


@described(
    "seasons",
    SEASON,
    lists=Operation("List seasons", "The seasons."),
    reads=Operation("Read a season", "A season."),
    makes=Operation(
        "Make a season",
        "The seasons.",
        {"club": "harbour", "slug": "winter-2026", "name": "Winter 2026", "starts_on": "2026-01-01"},
    ),
    changes=Operation("Change a season", "A season.", {"ends_on": "2026-04-15"}),
    deletes=Operation("Delete a season", "It has no events any more."),
)
class Seasons(Followed[Season], Written[Season]):
    """The seasons of the clubs that the reader may view."""

    resource = "seasons"
    serializer_class = SeasonTold
    services = Services(
        "season", add=events.create_season, change=events.change_season, remove=events.remove_season
    )
    made_from = SeasonSaid
    changed_from = SeasonChanged
    filterset_class = SeasonFilter

    def seen(self, who: Who) -> QuerySet[Season]:
        rows = Season.objects.filter(club__in=clubs_where(who, Permission.VIEW))
        return rows.select_related("club").order_by("pk")

    def club_of(self, row: Season) -> Club:
        return row.club


def _own_offices(who: Who) -> Q:
    """Return a condition for the reader's own offices.

    For a token: those of its user, in its club only if it has one; none for a token of an event or a sheet.
    """
    if not isinstance(who, ApiToken):
        return Q(user=who.pk)
    if who.event_id is not None or who.sheet_id is not None:
        return Q(pk__in=[])
    return Q(user=who.user_id) if who.club_id is None else Q(user=who.user_id, club=who.club_id)
