"""Clubs, who holds which office in them, and their seasons."""

from typing import Any, Final

from django.db.models import Q, QuerySet
from django.urls import reverse
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.api.answers import changes, deletes, lists, makes, tells
from league.api.asking import actor_for, who_of
from league.api.fields import OneOf, ordering, yes_no
from league.api.resources import Followed, Input, Resource
from league.events import events
from league.models import ApiToken, Club, ColumnOrder, Deletion, Membership, Role, Season
from league.people import clubs
from league.policy import Permission, Who, clubs_where
from league.record.audit import locked

CLUB: Final = {
    "slug": "harbour",
    "name": "Harbour Gin Club",
    "time_zone": "Europe/Paris",
    "is_public": True,
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
        fields = (
            "slug",
            "name",
            "time_zone",
            "is_public",
            "column_order",
            "running_totals",
            "created_at",
            "updated_at",
        )


class ClubSaid(Input):
    """The settings of a club."""

    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=80)
    time_zone = serializers.CharField(max_length=60, required=False, help_text="Such as Europe/Paris.")
    is_public = serializers.BooleanField(required=False)
    column_order = serializers.ChoiceField(choices=ColumnOrder.choices, required=False)
    running_totals = serializers.BooleanField(required=False)


class ClubFilter(filters.FilterSet):  # type: ignore[misc]
    """Clubs by whether they are public."""

    is_public = yes_no(label="Whether anybody may see it.")
    ordering = ordering("name", "created_at", "updated_at")


class _OfClubs(Resource[Club]):
    """Clubs that may be viewed."""

    serializer_class = ClubTold
    lookup_field = "slug"
    changed_by = Permission.MANAGE

    def seen(self, who: Who) -> QuerySet[Club]:
        return clubs_where(who, Permission.VIEW).order_by("pk")

    def club_of(self, row: Club) -> Club:
        return row


class Clubs(_OfClubs, Followed[Club]):
    """The clubs."""

    resource = "clubs"
    filterset_class = ClubFilter

    @lists("clubs", "clubs_list", "List clubs", ClubTold, CLUB)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "clubs",
        "clubs_create",
        "Make a club",
        ClubSaid,
        ClubTold,
        CLUB,
        {"slug": "harbour", "name": "Harbour Gin Club", "time_zone": "Europe/Paris"},
        "Only the administrator of the site makes clubs, signed in.",
    )
    def post(self, request: Request) -> Response:
        club = clubs.create_club(actor=actor_for(request), **self.said(ClubSaid))
        return self.answer_new(club, reverse("api-club", args=[club.slug]))


class OneClub(_OfClubs):
    """A club."""

    @tells("clubs", "clubs_read", "Read a club", ClubTold, CLUB)
    def get(self, request: Request, slug: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "clubs",
        "clubs_change",
        "Change a club",
        ClubSaid,
        ClubTold,
        CLUB,
        {"is_public": False},
        "An owner changes the settings of the club.",
    )
    def patch(self, request: Request, slug: str) -> Response:
        with self.changing() as club:
            values = self.said(ClubSaid, partial=True)
            club = clubs.change_club(actor=actor_for(request), club=club, **values)
        return self.answer_again(club)

    @deletes(
        "clubs",
        "clubs_delete",
        "Delete a club",
        "Only the administrator of the site deletes one, which has no players and no events.",
    )
    def delete(self, request: Request, slug: str) -> Response:
        with self.changing() as club:
            clubs.remove_club(actor=actor_for(request), club=club)
        return Response(status=204)


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
    role = serializers.ChoiceField(choices=Role.choices, label="What he is in the club.")


class RoleSaid(Input):
    """Another office."""

    role = serializers.ChoiceField(choices=Role.choices, label="What he is in the club.")


class MembershipFilter(filters.FilterSet):  # type: ignore[misc]
    """Offices by club, by kind and by who holds them."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    role = filters.ChoiceFilter(choices=Role.choices, label="What he is in the club.")
    username = filters.CharFilter(field_name="user__username", label="The name of the account.")
    ordering = ordering("updated_at")


class _OfMemberships(Resource[Membership]):
    """One's own offices, and all of a club to who manages it."""

    serializer_class = MembershipTold
    changed_by = Permission.MANAGE

    def seen(self, who: Who) -> QuerySet[Membership]:
        rows = Membership.objects.filter(_own_offices(who) | Q(club__in=clubs_where(who, Permission.MANAGE)))
        return rows.select_related("club", "user").order_by("pk")

    def club_of(self, row: Membership) -> Club:
        return row.club

    def hold(self, row: Membership) -> None:
        locked(row.club)
        super().hold(row)


class Memberships(_OfMemberships, Followed[Membership]):
    """Who holds which office."""

    resource = "memberships"
    filterset_class = MembershipFilter

    def deletions(self) -> QuerySet[Deletion]:
        """Offices that were taken away, to who manages the club."""
        managed = clubs_where(who_of(self.request), Permission.MANAGE)
        return super().deletions().filter(club_id__in=managed.values("pk"))

    @lists(
        "memberships",
        "memberships_list",
        "List offices",
        MembershipTold,
        MEMBERSHIP,
        "One's own, and those of the clubs that one manages.",
    )
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "memberships",
        "memberships_create",
        "Give an office",
        MembershipSaid,
        MembershipTold,
        MEMBERSHIP,
        {"club": "harbour", "username": "ann", "role": "director"},
        "Gives an office in the club to the member of this user name, instead of the one held. Only the"
        " administrator of the site brings in somebody who does not belong to the club: who has an account"
        " elsewhere accepts an invitation, and is nobody here until then.",
    )
    def post(self, request: Request) -> Response:
        said = self.said(MembershipSaid)
        made = clubs.add_member(
            actor=actor_for(request), club=said["club"], username=said["username"], role=Role(said["role"])
        ).membership
        return self.answer_new(made, reverse("api-membership", args=[made.code]))


class OneMembership(_OfMemberships):
    """An office."""

    @tells("memberships", "memberships_read", "Read an office", MembershipTold, MEMBERSHIP)
    def get(self, request: Request, code: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "memberships",
        "memberships_change",
        "Change an office",
        RoleSaid,
        MembershipTold,
        MEMBERSHIP,
        {"role": "scorekeeper"},
    )
    def patch(self, request: Request, code: str) -> Response:
        with self.changing() as held:
            role = self.said(RoleSaid, partial=True).get("role", held.role)
            clubs.set_role(actor=actor_for(request), club=held.club, user=held.user, role=Role(role))
        return self.answer_again(held)

    @deletes("memberships", "memberships_delete", "Take an office away", "The last owner of a club stays.")
    def delete(self, request: Request, code: str) -> Response:
        with self.changing() as held:
            clubs.remove_member(actor=actor_for(request), membership=held)
        return Response(status=204)


class SeasonTold(serializers.ModelSerializer[Season]):
    """A stretch of a club's calendar."""

    club = serializers.CharField(source="club.slug")

    class Meta:
        model = Season
        fields = ("code", "club", "slug", "name", "starts_on", "ends_on", "updated_at")


class SeasonChanged(Input):
    """What of a season changes."""

    slug = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=80)
    starts_on = serializers.DateField(allow_null=True, required=False)
    ends_on = serializers.DateField(allow_null=True, required=False)


class SeasonSaid(SeasonChanged):
    """A new season."""

    club = OneOf(lambda who: clubs_where(who, Permission.VIEW), "slug")


class SeasonFilter(filters.FilterSet):  # type: ignore[misc]
    """Seasons by club."""

    club = filters.CharFilter(field_name="club__slug", label="The club's slug.")
    slug = filters.CharFilter(label="As it stands in addresses.")
    ordering = ordering("name", "starts_on", "updated_at")


class _OfSeasons(Resource[Season]):
    """The seasons of clubs that may be viewed."""

    serializer_class = SeasonTold

    def seen(self, who: Who) -> QuerySet[Season]:
        rows = Season.objects.filter(club__in=clubs_where(who, Permission.VIEW))
        return rows.select_related("club").order_by("pk")

    def club_of(self, row: Season) -> Club:
        return row.club


class Seasons(_OfSeasons, Followed[Season]):
    """The seasons."""

    resource = "seasons"
    filterset_class = SeasonFilter

    @lists("seasons", "seasons_list", "List seasons", SeasonTold, SEASON)
    def get(self, request: Request, **kwargs: Any) -> Response:
        return super().get(request, **kwargs)

    @makes(
        "seasons",
        "seasons_create",
        "Make a season",
        SeasonSaid,
        SeasonTold,
        SEASON,
        {"club": "harbour", "slug": "winter-2026", "name": "Winter 2026", "starts_on": "2026-01-01"},
    )
    def post(self, request: Request) -> Response:
        season = events.create_season(actor=actor_for(request), **self.said(SeasonSaid))
        return self.answer_new(season, reverse("api-season", args=[season.code]))


class OneSeason(_OfSeasons):
    """A season."""

    @tells("seasons", "seasons_read", "Read a season", SeasonTold, SEASON)
    def get(self, request: Request, code: str) -> Response:
        return self.answer(self.get_object())

    @changes(
        "seasons",
        "seasons_change",
        "Change a season",
        SeasonChanged,
        SeasonTold,
        SEASON,
        {"ends_on": "2026-04-15"},
    )
    def patch(self, request: Request, code: str) -> Response:
        with self.changing() as season:
            values = self.said(SeasonChanged, partial=True)
            events.change_season(actor=actor_for(request), season=season, **values)
        return self.answer_again(season)

    @deletes("seasons", "seasons_delete", "Delete a season", "It has no events any more.")
    def delete(self, request: Request, code: str) -> Response:
        with self.changing() as season:
            events.remove_season(actor=actor_for(request), season=season)
        return Response(status=204)


def _own_offices(who: Who) -> Q:
    """The offices of who asks; a token tells those of its user in its club, or in all where it has none."""
    if not isinstance(who, ApiToken):
        return Q(user=who.pk)
    if who.event_id is not None or who.sheet_id is not None:
        return Q(pk__in=[])
    return Q(user=who.user_id) if who.club_id is None else Q(user=who.user_id, club=who.club_id)
