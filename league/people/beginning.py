"""The first club of a site, and its first owner.

Whoever has the code that the terminal shows (`up`, `begin`) may begin it, or the administrator of the site.
The code is signed with the site's secret key and stored nowhere. It opens nothing once there is a club, other
than the demo: so it works once, and of two who send it at the same moment one is refused.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, Membership, Role
from league.people.accounts import make_account
from league.people.clubs import create_club, sync_admin_access
from league.people.invitations import NewAccount
from league.policy import is_administrator
from league.record.audit import add_row, record_audit
from scoring.core.actors import Actor, ActorKind

CODE_DAYS: Final = 7
_OWNER: Final = "owner"
_ADMINISTRATOR: Final = "administrator"
_LONGEST_SLUG: Final = 60
# It makes the club before there is anybody; its name is nobody's.
_CODE: Final = Actor(ActorKind.OPERATOR, "begin", "the code of the first start")


@dataclass(frozen=True, slots=True)
class BeginningCode:
    """What a code opens: the office of the first owner, who `administers` the site too or does not."""

    administers: bool


def new_code(*, administers: bool | None = None) -> str:
    """Return a code, which opens for `CODE_DAYS`.

    Its owner administers the site too if that is asked for, and by default where nobody else does.
    """
    if administers is None:
        administers = not User.objects.filter(is_superuser=True).exists()
    return _signer().sign(_ADMINISTRATOR if administers else _OWNER)


def may_begin() -> bool:
    """Return whether the site has no club yet, other than the demo."""
    return not Club.objects.filter(is_demo=False).exists()


def read_code(code: str) -> BeginningCode | None:
    """Return what a code opens, or opened before there was a club; None for a wrong or old one."""
    try:
        said = _signer().unsign(code.strip(), max_age=timedelta(days=CODE_DAYS))
    except BadSignature:
        return None
    return BeginningCode(said == _ADMINISTRATOR)


@transaction.atomic
def begin_club(
    *, by: User | BeginningCode, name: str, place: str, time_zone: str, account: NewAccount | None = None
) -> User:
    """Make the first club, which the guide then leads on, and its owner, who is returned.

    `by` is the administrator, who becomes the owner, or what a code opens: then the `account` is made.
    Refused (`begun`) once there is a club; otherwise as `make_account` and `create_club`.
    """
    if isinstance(by, User) and not is_administrator(by):
        raise LeagueError("not_allowed", _("Only the administrator of this site makes clubs."))
    if not may_begin():
        raise _begun()
    club = create_club(
        actor=_CODE,
        name=" ".join(name.split()),
        slug=_free_slug(name),
        place=" ".join(place.split()),
        time_zone=time_zone,
        is_guided=True,
    )
    # Of two at once the second waited for the row of the first, which only now is to be seen.
    if Club.objects.filter(is_demo=False).exclude(pk=club.pk).exists():
        raise _begun()
    user = by if isinstance(by, User) else _first_account(club, by, account)
    add_row(
        actor=_CODE,
        action="membership.add",
        row=Membership(club=club, user=user, role=Role.OWNER),
        club=club,
    )
    sync_admin_access(user)
    return user


def _first_account(club: Club, opened: BeginningCode, account: NewAccount | None) -> User:
    if account is None:
        raise LeagueError("invalid", _("Choose a user name and a password."), field="username")
    user = make_account(club=club, username=account.username, password=account.password, name=account.name)
    if opened.administers:
        user.is_superuser = True
        user.save(update_fields=["is_superuser"])
        record_audit(
            actor=_CODE,
            action="account.administrator",
            target=user,
            club=club,
            after={"username": user.username},
        )
    return user


def _free_slug(name: str) -> str:
    """An address for a club of this name that none has."""
    wanted = slugify(name)[: _LONGEST_SLUG - 4].strip("-") or "club"
    taken = set(Club.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    return next(slug for slug in (wanted, *(f"{wanted}-{n}" for n in range(2, 1000))) if slug not in taken)


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="beginning", sep=".")


def _begun() -> LeagueError:
    return LeagueError("begun", _("This site has a club already: sign in."))
