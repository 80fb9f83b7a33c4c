"""The first club of a site, and its first owner.

Whoever has the code that the terminal shows (`up`, `begin`) may begin it, or the administrator of the site.
The code is signed with the site's secret key and stored nowhere. It says which club was the last to be made
before it, by the audit; once there is another it opens nothing, even when that is gone again. So it works
once, and of two who send it at the same moment one is refused.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.contrib.auth.models import User
from django.core.signing import BadSignature, TimestampSigner
from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import AuditEntry, Club, Membership, Role
from league.people.accounts import make_account
from league.people.clubs import create_club, sync_admin_access
from league.people.invitations import NewAccount
from league.policy import actor_of, is_administrator
from league.record.audit import add_row, record_audit
from league.record.slugs import free_slug
from scoring.core.actors import Actor, ActorKind

CODE_DAYS: Final = 7
_OWNER: Final = "owner"
_ADMINISTRATOR: Final = "administrator"
# Makes the club before there is anybody.
_CODE: Final = Actor(ActorKind.OPERATOR, "begin", "the code of the first start")


@dataclass(frozen=True, slots=True)
class BeginningCode:
    """What a code opens: the office of the first owner.

    The owner `administers` the site too if the code says so, and otherwise where nobody else does by then.
    `last` is the audit's entry of the last club that was made before the code, 0 without one.
    """

    administers: bool
    last: int

    def is_spent(self) -> bool:
        """Return whether a club was made since: then the code opens nothing."""
        return _last_made() != self.last


def new_code(*, administers: bool = False) -> str:
    """Return a code, which opens once, within `CODE_DAYS`.

    Its owner administers the site too if that is said here, or if nobody does when the code is used.
    """
    return _signer().sign(f"{_ADMINISTRATOR if administers else _OWNER}-{_last_made()}")


def may_begin() -> bool:
    """Return whether the site has no club yet, other than the demo."""
    return not Club.objects.filter(is_demo=False).exists()


def read_code(code: str) -> BeginningCode | None:
    """Return what a code opens, or opened until it was spent; None for a wrong one, or one too old."""
    try:
        said = _signer().unsign(code.strip(), max_age=timedelta(days=CODE_DAYS))
    except BadSignature:
        return None
    office, _dash, last = said.partition("-")
    if not last:
        # Of an earlier version, whose codes did not say after which club they were made.
        return None
    return BeginningCode(office == _ADMINISTRATOR, int(last))


@transaction.atomic
def begin_club(
    *,
    by: User | BeginningCode,
    name: str,
    place: str,
    time_zone: str,
    is_public: bool,
    contact: str = "",
    account: NewAccount | None = None,
) -> User:
    """Make the first club, which the guide then leads on, and its owner, who is returned.

    `by` is the administrator, who becomes the owner, or what a code opens: then the `account` is made.
    Refused (`begun`) once there is a club, or the code is spent; otherwise as `make_account` and
    `create_club`, whose `name` is the field `club`.
    """
    if isinstance(by, User) and not is_administrator(by):
        raise LeagueError("not_allowed", _("Only the administrator of this site makes clubs."))
    if not may_begin() or (isinstance(by, BeginningCode) and by.is_spent()):
        raise _begun()
    actor = actor_of(by) if isinstance(by, User) else _CODE
    try:
        club = create_club(
            actor=actor,
            name=" ".join(name.split()),
            slug=free_slug(Club.objects.values_list("slug", flat=True), name, nameless="club"),
            place=" ".join(place.split()),
            contact=" ".join(contact.split()),
            time_zone=time_zone,
            is_public=is_public,
            is_guided=True,
        )
    except LeagueError as refusal:
        if not may_begin():
            # Of two at once the second waited for the row of the first, which only now is to be seen.
            raise _begun() from refusal
        raise about_club(refusal) from refusal
    user = by if isinstance(by, User) else _first_account(club, by, account)
    add_row(actor, "membership.add", Membership(club=club, user=user, role=Role.OWNER))
    sync_admin_access(user)
    return user


def about_club(refusal: LeagueError) -> LeagueError:
    """Return the refusal of a club's field for forms where it stands beside a person: `name` is `club`."""
    field = "club" if refusal.field == "name" else refusal.field
    return LeagueError(refusal.code, refusal.message, field=field)


def _first_account(club: Club, opened: BeginningCode, account: NewAccount | None) -> User:
    if account is None:
        raise LeagueError("invalid", _("Choose a user name and a password."), field="username")
    user = make_account(club=club, username=account.username, password=account.password, name=account.name)
    if opened.administers or not User.objects.filter(is_superuser=True).exists():
        user.is_superuser = True
        user.save(update_fields=["is_superuser"])
        record_audit(_CODE, "account.administrator", user, club=club, after={"username": user.username})
    return user


def _last_made() -> int:
    """The audit's entry of the last club that was made, other than the demo; 0 without one."""
    made = AuditEntry.objects.filter(action="club.create").exclude(club__is_demo=True)
    return made.order_by("-pk").values_list("pk", flat=True).first() or 0


def _signer() -> TimestampSigner:
    return TimestampSigner(salt="beginning", sep=".")


def _begun() -> LeagueError:
    return LeagueError("begun", _("This site has a club by now: sign in, or ask for a new link."))
