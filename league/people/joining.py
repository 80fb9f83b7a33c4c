"""Becoming a member by oneself: at once, or once an officer has approved it, as the club says."""

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.models import Club, Joining, JoinRequest, Membership, RemovedMember, Role
from league.notices.causes import answered, comes_or_goes
from league.people.clubs import add_membership
from league.people.invitations import permission_to_invite
from league.policy import actor_of, require
from league.record.audit import add_row, locked, remove_row
from scoring.core.actors import Actor


def takes_members(club: Club) -> bool:
    """Return whether somebody who was not invited can join the club, or ask to."""
    return club.is_public and club.joining != Joining.INVITED


def lets_sign_up() -> bool:
    """Return whether anybody may make an account: where any club takes members that it has not invited."""
    return Club.objects.filter(is_public=True).exclude(joining=Joining.INVITED).exists()


def belongs_to(reader: User | AnonymousUser, club: Club) -> bool:
    """Return whether the reader holds an office in the club, if only that of a member."""
    return isinstance(reader, User) and Membership.objects.filter(user=reader, club=club).exists()


def was_removed(reader: User | AnonymousUser, club: Club) -> bool:
    """Return whether an officer has ended the reader's membership, and none has let him in since."""
    return isinstance(reader, User) and RemovedMember.objects.filter(user=reader, club=club).exists()


def joins_at_once(reader: User | AnonymousUser, club: Club) -> bool:
    """Return whether the reader may join without asking: in an open club, unless he was removed from it."""
    return takes_members(club) and club.joining == Joining.OPEN and not was_removed(reader, club)


def request_of(user: User, club: Club) -> JoinRequest | None:
    """The user's request to join the club that waits for an answer."""
    return JoinRequest.objects.filter(user=user, club=club).first()


def requests_to(club: Club) -> QuerySet[JoinRequest]:
    """The requests that wait for an answer, the oldest first; not those of closed accounts.

    Each says whether it is of one who `was_removed`, as who answers lets him in again.
    """
    removed = RemovedMember.objects.filter(club=club, user=OuterRef("user"))
    rows = JoinRequest.objects.filter(club=club, user__is_active=True).annotate(was_removed=Exists(removed))
    return rows.select_related("user").order_by("made_at")


@transaction.atomic
def join(*, user: User, club: Club) -> Membership | None:
    """Make the user a member with the least office, or note that he asks to be; None if he waits.

    Who was removed from an open club asks, too. Asking again changes nothing. Refuses a member (`member`),
    and a club that has its members invited (`not_open`).
    """
    club = locked(club)
    if Membership.objects.filter(user=user, club=club).exists():
        raise LeagueError("member", _("You belong to %(club)s already.") % {"club": club})
    if not takes_members(club):
        raise LeagueError("not_open", _("%(club)s invites its members itself.") % {"club": club})
    actor = actor_of(user)
    if joins_at_once(user, club):
        JoinRequest.objects.filter(user=user, club=club, name="").delete()
        return add_membership(actor=actor, club=club, user=user, role=Role.MEMBER)
    if request_of(user, club) is None:
        request = JoinRequest(club=club, user=user)
        asked = add_row(actor, "join.ask", request)
        comes_or_goes(club, user, asked)
    return None


@transaction.atomic
def withdraw_request(*, user: User, club: Club) -> None:
    """Take one's own request back; nothing happens where none waits."""
    request = JoinRequest.objects.select_for_update().filter(user=user, club=club).first()
    if request is not None:
        remove_row(actor_of(user), "join.withdraw", request)


@transaction.atomic
def approve_request(*, actor: Actor, request: JoinRequest) -> Membership:
    """Make who asks a member; for those who may invite members. Refuses one that was answered (`settled`).

    Whoever says that he is in the register is taken in as a new member so; if he is one already it is to be
    said which player he is, or that he is none (`member`).
    """
    waiting = answer_request(actor, request, "join.approve")
    former = Membership.objects.filter(user=waiting.user, club=waiting.club).first()
    if former is not None and waiting.is_claim:
        raise LeagueError("member", _("This person is a member already: say which player it is, or refuse."))
    return former or add_membership(actor=actor, club=waiting.club, user=waiting.user, role=Role.MEMBER)


@transaction.atomic
def refuse_request(*, actor: Actor, request: JoinRequest) -> None:
    """Leave who asks out; he may ask again. Refuses as `approve_request`."""
    answer_request(actor, request, "join.refuse")


def answer_request(actor: Actor, request: JoinRequest, action: str, *, reason: str = "") -> JoinRequest:
    """Take a request from the list, on the record, and tell who asked; its row as it was.

    Refuses who may not invite members (`not_allowed`), and one that was answered or taken back (`settled`).
    """
    club = locked(request.club)
    require(actor, permission_to_invite(Role.MEMBER), club)
    # Locked, as whoever asked may be taking it back.
    waiting = requests_to(club).select_for_update(of=("self",)).filter(pk=request.pk).first()
    if waiting is None:
        raise LeagueError("settled", _("This request was answered or taken back already."))
    answer = remove_row(actor, action, waiting, reason=reason)
    answered(club, waiting.user, answer)
    return waiting
