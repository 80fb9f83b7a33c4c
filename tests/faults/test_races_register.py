"""One player of the register claimed by two accounts at once, by themselves and through officers."""

from functools import partial

import pytest
from django.contrib.auth.models import User

from league.errors import LeagueError
from league.models import Claiming, Club, Joining, JoinRequest, Membership, Player, Role
from league.people.claiming import SaidOfHimself, claim_row, confirm_claim
from league.policy import actor_of
from tests.factories import ClubFactory, PlayerFactory, UserFactory
from tests.faults.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)

EKLUND = SaidOfHimself("Nils Eklund", "17")


def claimed(user: User, club: Club) -> str:
    """What became of a claim: the player's name, or that it waits."""
    player = claim_row(user=user, club=Club.objects.get(pk=club.pk), said=EKLUND)
    return "waits" if player is None else player.name


def confirmed(by: User, request: JoinRequest, player: Player) -> str:
    try:
        return confirm_claim(actor=actor_of(by), request=request, player=player).name
    except LeagueError as refusal:
        return refusal.code


def test_one_of_two_who_claim_a_player_at_once_gets_it() -> None:
    club = ClubFactory.create(joining=Joining.ASKED, claiming=Claiming.NUMBER)
    row = PlayerFactory.create(club=club, name="Nils Eklund", member_number="17")
    users = [UserFactory.create() for _ in range(2)]
    said = at_once([partial(claimed, user, club) for user in users])
    assert sorted(said) == ["Nils Eklund", "waits"]
    row.refresh_from_db()
    assert row.user == users[said.index("Nils Eklund")]
    assert [one.user for one in Membership.objects.filter(club=club)] == [row.user]
    # Both claims wait for officers who confirm them at the same moment.
    Club.objects.update(claiming=Claiming.OFFICER)
    other = PlayerFactory.create(club=club, name="Eva Eklund")
    claimed(UserFactory.create(), club)
    requests = list(JoinRequest.objects.all())
    officers = [UserFactory.create(club=club, role=Role.DIRECTOR) for _ in requests]
    said = at_once(
        [
            partial(confirmed, by, request, Player.objects.get(pk=other.pk))
            for by, request in zip(officers, requests, strict=True)
        ]
    )
    assert sorted(said) == ["Eva Eklund", "has_account"]
    other.refresh_from_db()
    assert other.user == requests[said.index("Eva Eklund")].user
    assert JoinRequest.objects.get() == requests[said.index("has_account")]
