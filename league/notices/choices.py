"""What each person wants to be told by a club, and how to stop it by an address in each mail."""

import datetime
from collections.abc import Collection, Mapping
from typing import Any, Final

from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, NoticeChoices, NoticeKind
from league.notices.bounces import comes_back
from scoring.core.actors import Actor, ActorKind

# Without a time limit: a mail is read years later, and stopping it must still be possible.
_SALT: Final = "league.notices.stop"


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


def who_want(kind: NoticeKind, club: Club, users: Collection[int]) -> set[int]:
    """Those of the users (ids) who can be told by mail and want to be, in two queries."""
    reached = User.objects.filter(pk__in=users, is_active=True).exclude(email="").exclude(comes_back())
    chosen = {
        row.user_id: row.wants(kind)
        for row in NoticeChoices.objects.filter(user__in=users, club=club).select_related("club")
    }
    usual = kind in club.told_by_mail
    return {user for user in reached.values_list("pk", flat=True) if chosen.get(user, usual)}


@transaction.atomic
def choose(
    *,
    actor: Actor,
    user: User,
    club: Club,
    kinds: Mapping[NoticeKind, bool],
    quiet: tuple[datetime.time, datetime.time] | None = None,
    digest: datetime.time | None = None,
) -> NoticeChoices:
    """Set what the user is told by the club by mail, and when; times are those of the club's zone.

    A kind chosen as the club has it is stored too, so that it stays when the club changes its mind. Refused:
    another person's choices (`not_allowed`), and quiet hours that end as they begin (`invalid`).
    """
    if (actor.kind, actor.id) != (ActorKind.USER, str(user.pk)):
        raise LeagueError("not_allowed", _("%(name)s may not do this.") % {"name": actor.name})
    if quiet is not None and quiet[0] == quiet[1]:
        raise LeagueError("invalid", _("Quiet hours end at another time."), field="quiet_until")
    quiet_from, quiet_until = quiet or (None, None)
    return _write(
        user,
        club,
        kinds={kind.value: wanted for kind, wanted in kinds.items()},
        is_off=False,
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


def _write(user: User, club: Club, **values: Any) -> NoticeChoices:
    row, _made = NoticeChoices.objects.update_or_create(user=user, club=club, defaults=values)
    return row
