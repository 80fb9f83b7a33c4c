"""Saying which player of the club's register one is: a claim, confirmed by an officer or by itself.

A name alone never links an account: it is free text. What the claimant is answered is the same whether or not
there is such a row, number or address, unless he is linked at once.
"""

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from league.core.collation import name_key
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Claiming,
    Club,
    JoinRequest,
    Membership,
    Player,
    PlayerAlias,
    Role,
)
from league.notices.causes import comes_or_goes
from league.people.accounts import own_players
from league.people.clubs import add_membership
from league.people.invitations import give_office, link_player, live_invitations, revoke_others
from league.people.joining import answer_request, joins_at_once, request_of, takes_members, was_removed
from league.policy import Permission, actor_of, require
from league.record.audit import add_row, given_reason, locked, record_audit
from scoring.core.actors import Actor, ActorKind

# Claims of one account in a day, over all clubs.
MOST_CLAIMS: Final = 5
# Numbers a day that fit nobody, after which a club confirms none by itself: nobody tries them all.
MOST_MISSES: Final = 10
_DAY: Final = datetime.timedelta(days=1)
_ASKS: Final = ("claim.ask", "claim.unmatched")


@dataclass(frozen=True, slots=True)
class SaidOfHimself:
    """What somebody writes to be found in the register; number and note may be blank."""

    name: str
    member_number: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A row of the register that a claim may mean, and what they share."""

    player: Player
    by_address: bool
    by_number: bool
    by_name: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        """What orders candidates, the likeliest last."""
        return self.by_address, self.by_number, self.by_name


def may_claim(user: User, club: Club) -> bool:
    """Return whether the user may say that he is in the register: a member, or who may join, unlinked."""
    return not own_players(user.pk, club).exists() and (
        takes_members(club) or Membership.objects.filter(user=user, club=club).exists()
    )


@transaction.atomic
def claim_row(*, user: User, club: Club, said: SaidOfHimself) -> Player | None:
    """Say which player of the register the user is; the player, if that is confirmed by itself, else None.

    It waits for an officer then; a request to join that waits becomes the claim. Where everybody joins at
    once he is a member meanwhile. Refused: whose account is a player of the club (`linked`), who is no member
    where members are invited (`not_open`), a second claim (`waits_already`), a blank or unreadable name or
    one that is too long (`invalid`), and more than `MOST_CLAIMS` a day (`too_many`).
    """
    club = locked(club)
    if own_players(user.pk, club).exists():
        raise LeagueError(
            "linked", _("Your account is linked to a player of %(club)s already.") % {"club": club}
        )
    is_member = Membership.objects.filter(user=user, club=club).exists()
    if not is_member and not takes_members(club):
        raise LeagueError("not_open", _("%(club)s invites its members itself.") % {"club": club})
    before = request_of(user, club)
    if before is not None and before.is_claim:
        raise LeagueError(
            "waits_already",
            _("You have said who you are, and an officer will answer. Take that back to say something else."),
        )
    _check_not_too_many(user)
    name = " ".join(said.name.split())
    if not name:
        raise LeagueError("invalid", _("Write your name as the club knows it."), field="name")
    if before is not None:
        before.delete()
    request = JoinRequest(
        club=club,
        user=user,
        name=name,
        member_number=" ".join(said.member_number.split()),
        note=" ".join(said.note.split()),
    )
    actor = actor_of(user)
    player, missed = _confirmed_by_itself(user, club, request)
    asked = add_row(actor, "claim.unmatched" if missed else "claim.ask", request)
    if player is not None:
        request.delete()
        record_audit(actor, "claim.itself", player, after={"how": club.claiming})
        _link(actor, club, user, player)
        return player
    if not is_member and joins_at_once(user, club):
        add_membership(actor=actor, club=club, user=user, role=Role.MEMBER)
    comes_or_goes(club, user, asked)
    return None


@transaction.atomic
def confirm_claim(*, actor: Actor, request: JoinRequest, player: Player) -> Player:
    """Link people who say that they are in the register to this player, and make him a member; for directors.

    Refuses a claim that was answered or taken back (`settled`), a request that is none (`no_claim`), the
    account of another player by now (`other_player`), and as `league.people.invitations.link_player`.
    """
    if not request.is_claim:
        raise LeagueError("no_claim", _("This request does not say who in the register it is from."))
    waiting = answer_request(actor, request, "claim.confirm")
    other = own_players(waiting.user_id, waiting.club).exclude(pk=player.pk).first()
    if other is not None:
        raise LeagueError("other_player", _("This account is linked to %(player)s.") % {"player": other})
    _link(actor, waiting.club, waiting.user, player)
    return player


@transaction.atomic
def refuse_claim(*, actor: Actor, request: JoinRequest, sentence: str) -> None:
    """Leave a claim unconfirmed, with a sentence that the claimant reads; for directors.

    Refuses a blank sentence (`reason_missing`), one over 300 characters (`too_long`), and as `confirm_claim`.
    """
    require(actor, Permission.DIRECT, request.club)
    answer_request(actor, request, "claim.refuse", reason=given_reason(sentence))


def candidates(request: JoinRequest) -> list[Candidate]:
    """The rows without an account that share address, number or name with a claim, the likeliest first."""
    club = request.club
    rows = free_rows(club)
    of_address = _with_address(rows, request.user)
    invited = _with_address(live_invitations().filter(club=club), request.user)
    by_address = {*of_address.values_list("pk", flat=True), *invited.values_list("player", flat=True)}
    other_names = _other_names(club)
    found = [
        Candidate(
            row,
            row.pk in by_address,
            bool(request.member_number) and row.member_number == request.member_number,
            _is_called(row, other_names.get(row.pk, ()), request.name),
        )
        for row in rows
    ]
    found = [each for each in found if any(each.rank)]
    return sorted(found, key=lambda each: (*(not one for one in each.rank), name_key(each.player.name)))


def free_rows(club: Club) -> QuerySet[Player]:
    """The players of the club who have no account and can have one."""
    return Player.objects.filter(club=club, user=None, merged_into=None, erased_at=None, strategy="")


def address_key(address: str) -> str:
    """What mail addresses are compared by: A is a, as is each letter to Z, and any other is one of its own.

    As capitals “ı” and “ſ” are I and S, and the kelvin is k as a small letter; a mail server that has such a
    letter in an address may be another person's.
    """
    return "".join(sign.lower() if sign.isascii() else sign for sign in address)


def _link(actor: Actor, club: Club, user: User, player: Player) -> None:
    link_player(actor, club, user, player)
    give_office(actor, club, user, Role.MEMBER)
    revoke_others(actor, club, player)


def _confirmed_by_itself(user: User, club: Club, request: JoinRequest) -> tuple[Player | None, bool]:
    """The player whom the club's rule confirms, if any; and whether number and name were compared in vain."""
    if club.claiming == Claiming.OFFICER or was_removed(user, club):
        return None, False
    # Of the whole register, so that nobody gets the row of the one in a family who has no account yet.
    known = list(_with_address(club.players.filter(merged_into=None), user)[:2])
    if len(known) == 1 and free_rows(club).filter(pk=known[0].pk).exists():
        return known[0], False
    if club.claiming != Claiming.NUMBER or not request.member_number or _has_too_many_misses(club):
        return None, False
    row = free_rows(club).filter(member_number=request.member_number).first()
    if row is not None and _is_called(row, _other_names(club).get(row.pk, ()), request.name):
        return row, False
    return None, True


def _addresses(user: User) -> Sequence[str]:
    """The mail addresses of the user that he has shown to be his."""
    return list(EmailAddress.objects.filter(user=user, verified=True).values_list("email", flat=True))


def _with_address(rows: QuerySet[Any], user: User) -> QuerySet[Any]:
    """Those of the rows that have a mail address of the user, by `address_key`."""
    addresses = _addresses(user)
    alike = Q(pk__in=[])
    for address in addresses:
        alike |= Q(email__iexact=address)
    own = {address_key(address) for address in addresses}
    # The database alone is not asked: PostgreSQL takes more letters for one than a mail server does.
    same = [pk for pk, email in rows.filter(alike).values_list("pk", "email") if address_key(email) in own]
    return rows.filter(pk__in=same)


def _other_names(club: Club) -> dict[int, list[str]]:
    """The other names of the club's players, by player (id)."""
    names: dict[int, list[str]] = {}
    for player, name in PlayerAlias.objects.filter(club=club).values_list("player", "name"):
        names.setdefault(player, []).append(name)
    return names


def _is_called(row: Player, others: Iterable[str], name: str) -> bool:
    """Whether the row has this name, whatever the case, the marks on letters and the order of its words."""
    asked = sorted(name_key(name.replace(",", " "))[0].split())
    return any(sorted(name_key(one.replace(",", " "))[0].split()) == asked for one in (row.name, *others))


def _check_not_too_many(user: User) -> None:
    own = AuditEntry.objects.filter(actor_kind=ActorKind.USER.value, actor_id=str(user.pk), action__in=_ASKS)
    if own.filter(at__gt=timezone.now() - _DAY).count() >= MOST_CLAIMS:
        raise LeagueError("too_many", _("You have tried too often today: try again tomorrow."))


def _has_too_many_misses(club: Club) -> bool:
    misses = AuditEntry.objects.filter(club=club, action="claim.unmatched", at__gt=timezone.now() - _DAY)
    return misses.count() >= MOST_MISSES
