"""Queries for the rows of an author, found by the name that `Names` shows for him in full."""

from typing import Final

from django.contrib.auth.models import User
from django.db.models import CharField, Exists, ExpressionWrapper, F, OuterRef, Q, QuerySet, Value
from django.db.models.expressions import Case, When
from django.db.models.functions import Cast, Concat, Trim

from league.models import ApiToken, Club, ImportBatch, Player, TableLink
from scoring.core.actors import ActorKind
from scoring.models import Seat, Side

_FULL = Trim(Concat("first_name", Value(" "), "last_name"))
_CALLED = Case(When(first_name="", last_name="", then="username"), default=_FULL)


# The club of the rows that are asked, where they have one.
OF_ROW: Final = OuterRef(OuterRef("club"))


def authored_by(part: str, club: Club | OuterRef) -> Q:
    """The condition on `ActedOn` rows that `part` is in their author's name as the club (`OF_ROW`) reads it.

    A renamed author is found by the present name alone, one that no longer exists by the written name.
    """
    users = User.objects.order_by().annotate(key=Cast("pk", CharField()), called=_CALLED)
    tokens = ApiToken.objects.order_by().annotate(
        called=Concat(users.filter(pk=OuterRef("user")).values("called"), Value(" ("), F("name"), Value(")"))
    )
    players = Player.objects.filter(club=club, user=OuterRef("pk"), merged_into=None)
    as_player = Exists(players.filter(name__icontains=part))
    known: list[tuple[ActorKind, QuerySet[User] | QuerySet[ApiToken] | QuerySet[TableLink], str, Q]] = [
        (ActorKind.USER, users, "key", as_player | Q(~Exists(players), called__icontains=part)),
        (ActorKind.TOKEN, tokens, "code", Q(called__icontains=part)),
        (ActorKind.TABLE_LINK, TableLink.objects.order_by(), "code", _of_side_called(part)),
    ]
    found, gone = Q(), Q(actor_name__icontains=part)
    for kind, rows, key, so in known:
        found |= Q(actor_kind=kind.value, actor_id__in=rows.filter(so).values(key))
        gone &= ~Q(actor_kind=kind.value, actor_id__in=rows.values(key))
    written = found | gone & ~Q(actor_kind=ActorKind.IMPORT.value)
    batches = ImportBatch.objects.order_by().annotate(key=Cast("pk", CharField()))
    of_import = Q(actor_id__in=batches.filter(written).values("key")) | (
        gone & ~Q(actor_id__in=batches.values("key"))
    )
    return written | Q(of_import, actor_kind=ActorKind.IMPORT.value)


def _of_side_called(part: str) -> Q:
    """The condition on table links that `part` is in the name of a player or a team on that side."""
    codes = Player.objects.order_by().filter(
        Q(merged_into=None, name__icontains=part) | Q(merged_into__name__icontains=part)
    )
    seats = Seat.objects.filter(side__sheet=OuterRef("sheet"), side__position=OuterRef("side"), replaces=None)
    called = seats.filter(Q(person__in=codes.values("code")) | Q(person="", name__icontains=part))
    after_seats = Seat.objects.annotate(
        team=ExpressionWrapper(OuterRef("name"), output_field=CharField())
    ).filter(side=OuterRef("pk"), team__contains=F("name"))
    own = Side.objects.filter(
        ~Exists(after_seats), sheet=OuterRef("sheet"), position=OuterRef("side"), name__icontains=part
    )
    return Q(Exists(called)) | Q(Exists(own))
