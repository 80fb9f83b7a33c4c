"""What each person wants to be told by a club, and how; and how to stop it by an address in each mail."""

import datetime
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, NoticeChoices, NoticeKind, NoticeWay, PushDevice, kinds_told
from league.notices.bounces import comes_back
from league.notices.mail import sends_mail
from league.policy.age import minors_among
from scoring.core.actors import Actor, ActorKind

# Without a time limit: a mail is read years later, and stopping it must still be possible.
_SALT: Final = "league.notices.stop"
_NO_KINDS: Final[Mapping[NoticeKind, bool]] = MappingProxyType({})


def clubs_of(user: User) -> QuerySet[Club]:
    """The clubs that may tell the user something: where he has an office or is a player."""
    # Asked by ids, as one join would repeat a club for each of his players.
    offices = Club.objects.filter(memberships__user=user).values("pk")
    players = Club.objects.filter(players__user=user).values("pk")
    return Club.objects.filter(Q(pk__in=offices) | Q(pk__in=players)).order_by("name", "pk")


def choices_of(user: User, club: Club) -> NoticeChoices:
    """What the user has chosen of the club; an unsaved row of the club's usual if nothing."""
    found = NoticeChoices.objects.filter(user=user, club=club).first() or NoticeChoices(user=user, club=club)
    found.club = club
    return found


@dataclass(frozen=True, slots=True)
class Reached:
    """Who can be told of something and wants to be: users (ids) by mail, and devices (ids) by their users."""

    by_mail: frozenset[int]
    devices: Mapping[int, Sequence[int]]

    @property
    def users(self) -> frozenset[int]:
        """All of them, in whatever way."""
        return self.by_mail | self.devices.keys()


def reached(kind: NoticeKind, club: Club, users: Collection[int]) -> Reached:
    """Those of the users (ids) who can be told and want to be, and how, in five queries.

    Nobody who is under age, whatever was chosen before.
    """
    accounts = User.objects.filter(pk__in=users, is_active=True).order_by()
    addresses = dict(accounts.values_list("pk", "email"))
    told = addresses.keys() - minors_among(addresses)
    chosen = {
        row.user_id: row
        for row in NoticeChoices.objects.filter(user__in=told, club=club).select_related("club")
    }
    usual = NoticeChoices(club=club)

    def wanting(way: NoticeWay) -> set[int]:
        return {user for user in told if chosen.get(user, usual).wants(kind, way)}

    by_mail: set[int] = set()
    if sends_mail():
        by_mail = {user for user in wanting(NoticeWay.MAIL) if addresses[user]}
        by_mail -= set(User.objects.filter(comes_back(), pk__in=by_mail).values_list("pk", flat=True))
    devices: dict[int, list[int]] = {}
    if kind in kinds_told(NoticeWay.PUSH):
        rows = PushDevice.objects.filter(user__in=wanting(NoticeWay.PUSH)).order_by("pk")
        for user, device in rows.values_list("user", "pk"):
            devices.setdefault(user, []).append(device)
    return Reached(frozenset(by_mail), devices)


@transaction.atomic
def choose(
    *,
    actor: Actor,
    user: User,
    club: Club,
    kinds: Mapping[NoticeKind, bool],
    pushed_kinds: Mapping[NoticeKind, bool] = _NO_KINDS,
    quiet: tuple[datetime.time, datetime.time] | None = None,
    digest: datetime.time | None = None,
) -> NoticeChoices:
    """Set what the user is told by the club by mail (`kinds`) and on his devices, and when.

    Times are those of the club's zone. A kind chosen as the club has it is stored too, so that it stays when
    the club changes its mind; kinds that are left out stay as they were. Refused: another person's choices
    and those of who is under age (`not_allowed`), and quiet hours that end as they begin (`invalid`).
    """
    is_own = (actor.kind, actor.id) == (ActorKind.USER, str(user.pk))
    if not is_own or minors_among([user.pk]):
        raise LeagueError("not_allowed", _("%(name)s may not do this.") % {"name": actor.name})
    if quiet is not None and quiet[0] == quiet[1]:
        raise LeagueError("invalid", _("Quiet hours end at another time."), field="quiet_until")
    quiet_from, quiet_until = quiet or (None, None)
    former = choices_of(user, club)
    return _write(
        user,
        club,
        kinds=former.kinds | _stored(kinds),
        pushed_kinds=former.pushed_kinds | _stored(pushed_kinds),
        is_off=former.is_off and not any(kinds.values()),
        quiet_from=quiet_from,
        quiet_until=quiet_until,
        digest_at=digest,
    )


def secret_to_stop(user: int, club: int) -> str:
    """The secret of the address at which the user (an id) stops all mail of the club."""
    return signing.dumps([user, club], salt=_SALT)


def stopped_by(secret: str) -> tuple[User, Club] | None:
    """Whose mail of which club this secret stops; None if it is none of ours, or one of them is gone."""
    try:
        user_id, club_id = signing.loads(secret, salt=_SALT)
    except signing.BadSignature:
        return None
    user = User.objects.filter(pk=user_id, is_active=True).first()
    club = Club.objects.filter(pk=club_id).first()
    return None if user is None or club is None else (user, club)


@transaction.atomic
def stop(user: User, club: Club) -> None:
    """Stop all mail of a club to the user, who has the secret; the kinds chosen are kept."""
    _write(user, club, is_off=True)


def _stored(kinds: Mapping[NoticeKind, bool]) -> dict[str, bool]:
    return {kind.value: wanted for kind, wanted in kinds.items()}


def _write(user: User, club: Club, **values: Any) -> NoticeChoices:
    row, _made = NoticeChoices.objects.update_or_create(user=user, club=club, defaults=values)
    return row
