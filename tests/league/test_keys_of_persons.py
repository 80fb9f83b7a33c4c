"""An idempotency key belongs to the person: a renewed token repeats what the one before had sent."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from league.models import ApiToken, Club, Match, Player, Role, TokenScope
from league.people.erasing import erase_person
from league.people.tokens import issue_token, revoke_token
from league.policy import actor_of
from scoring.core.errors import RecordingError
from scoring.models import Claim, DealVersion, Scoresheet, SheetAct, TableAnswer
from scoring.services import record_deals
from scoring.services.claims import record_at_table
from tests.factories import OPERATOR, ClubFactory, MatchFactory, PlayerFactory, UserFactory, sheet_of, won

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def match() -> Match:
    return MatchFactory.create()


@pytest.fixture
def sheet(match: Match) -> Scoresheet:
    return sheet_of(match)


@pytest.fixture
def club(match: Match) -> Club:
    return match.event.club


@pytest.fixture
def user(club: Club) -> User:
    return UserFactory.create(club=club)


def token_of(user: User, club: Club) -> tuple[ApiToken, Client]:
    token, secret = issue_token(user=user, name="till", scope=TokenScope.RECORD, club=club, days=1)
    return token, Client(headers={"Authorization": f"Bearer {secret}"})


def sent(client: Client, sheet: Scoresheet, points: int = 20, key: str = "deal 1") -> Any:
    first, second = sheet.seats.values_list("name", flat=True)
    hand = {"kind": "points", "winner": first, "loser": second, "points": points}
    return client.post(
        f"/api/v1/sheets/{sheet.code}/deals/",
        {"deals": [{"hands": [hand]}]},
        content_type="application/json",
        headers={"Idempotency-Key": key},
    )


def test_renewed_token_gets_the_answer_of_the_one_before(sheet: Scoresheet, club: Club, user: User) -> None:
    token, client = token_of(user, club)
    answered = sent(client, sheet)
    revoke_token(user=user, token=token)
    _renewed, client = token_of(user, club)
    again = sent(client, sheet)
    assert (again.status_code, again.json()) == (201, answered.json())
    assert DealVersion.objects.filter(sheet=sheet).count() == 1
    other = sent(client, sheet, 30)
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")


def test_in_a_batch_too(sheet: Scoresheet, club: Club, user: User) -> None:
    _token, client = token_of(user, club)
    sent(client, sheet)
    _renewed, client = token_of(user, club)
    first, second = sheet.seats.values_list("name", flat=True)

    def entry(key: str, points: int) -> dict[str, Any]:
        hand = {"kind": "points", "winner": first, "loser": second, "points": points}
        return {"sheet": sheet.code, "key": key, "deals": [{"hands": [hand]}]}

    entries = [entry("refused", -1), entry("deal 1", 20), entry("deal 2", 30)]
    told = client.post("/api/v1/batches/", {"entries": entries}, content_type="application/json").json()
    assert [each["status"] for each in told["outcomes"]] == [422, 201, 424]
    assert DealVersion.objects.filter(sheet=sheet).count() == 1


def test_key_of_another_person_is_another_key(sheet: Scoresheet, club: Club, user: User) -> None:
    for person in (user, UserFactory.create(club=club)):
        assert sent(token_of(person, club)[1], sheet).status_code == 201
    assert DealVersion.objects.filter(sheet=sheet).count() == 2


def test_key_at_the_table_is_the_persons_too(sheet: Scoresheet, club: Club, user: User) -> None:
    first, second = sheet.seats.values_list("name", flat=True)
    hand, other = won(first, second, 25), won(second, first, 30)
    one, two = (actor_of(token_of(user, club)[0]) for _ in range(2))
    record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=hand, key="one")
    for key, deal in (("same", hand), ("claimed", other)):
        answers = [
            record_at_table(actor=actor, sheet=sheet, number=1, deal=deal, key=key) for actor in (one, two)
        ]
        assert [answer.repeated for answer in answers] == [False, True]
    assert (TableAnswer.objects.count(), Claim.objects.count()) == (1, 1)


def stored_before(act: SheetAct, token: ApiToken) -> None:
    """As a row of before was given its holder: the token, of whom only the league knows whose it is."""
    SheetAct.objects.filter(pk=act.pk).update(key_holder=f"token:{token.code}")


def fill() -> None:
    import_module("league.migrations.0024_what_is_forgotten").hold(apps, connection.schema_editor())


def test_stored_keys_become_the_persons(sheet: Scoresheet, club: Club, user: User) -> None:
    """Also of a token that is gone; where two tokens used one key, the first to come holds it."""
    first, second = sheet.seats.values_list("name", flat=True)
    gone, alive, other = (token_of(person, club)[0] for person in (user, user, UserFactory.create(club=club)))
    acts = {}
    for number, (token, key) in enumerate(
        [(gone, "deal 1"), (alive, "deal 2"), (alive, "deal 1"), (other, "deal 1")]
    ):
        actor = actor_of(token)
        record_deals(actor=actor, sheet=sheet, deals=[won(first, second, number + 1)], key=f"{key} {number}")
        acts[number] = SheetAct.objects.latest("pk")
        stored_before(acts[number], token)
        SheetAct.objects.filter(pk=acts[number].pk).update(key=key)
    revoke_token(user=user, token=gone)
    fill()
    held = dict(SheetAct.objects.values_list("pk", "key_holder"))
    assert [held[acts[number].pk] for number in range(4)] == [
        f"user:{user.pk}",
        f"user:{user.pk}",
        f"token:{alive.code}",
        f"user:{other.user_id}",
    ]
    renewed = actor_of(token_of(user, club)[0])
    for key, points in (("deal 1", 1), ("deal 2", 2)):
        assert record_deals(actor=renewed, sheet=sheet, deals=[won(first, second, points)], key=key).repeated
    with pytest.raises(RecordingError, match="used for something else"):
        record_deals(actor=renewed, sheet=sheet, deals=[won(first, second, 3)], key="deal 1")
    assert DealVersion.objects.filter(sheet=sheet).count() == 4
    fill()
    assert dict(SheetAct.objects.values_list("pk", "key_holder")) == held


def test_erased_person_whose_account_stays_in_use_leaves_no_keys(
    match: Match, sheet: Scoresheet, club: Club
) -> None:
    elsewhere = ClubFactory.create()
    user = UserFactory.create(club=elsewhere, role=Role.MEMBER)
    player: Player = PlayerFactory.create(club=club, user=user)
    club.memberships.create(user=user, role=Role.SCOREKEEPER)
    first, second = sheet.seats.values_list("name", flat=True)
    hand = won(first, second, 25)
    record_at_table(actor=OPERATOR, sheet=sheet, number=1, deal=hand, key="one")
    for actor in (actor_of(user), actor_of(token_of(user, club)[0])):
        for key, deal in (("one", hand), ("other", won(second, first, 5))):
            key = f"{key} of {actor.kind}"
            record_at_table(actor=actor, sheet=sheet, number=1, deal=deal, key=key)
        record_deals(actor=actor, sheet=sheet, deals=[hand], key=f"two of {actor.kind}")
    there = other_sheet(elsewhere, user)
    erase_person(actor=OPERATOR, player=player)
    for model in (SheetAct, TableAnswer, Claim):
        held = model._base_manager.filter(key__isnull=False).exclude(sheet=there)
        assert held.count() >= 2
        assert not held.filter(key_holder=f"user:{user.pk}").exists()
        assert not held.filter(actor_kind="user", actor_id=str(user.pk)).exists()
    assert SheetAct.objects.get(sheet=there).key_holder == f"user:{user.pk}"


def other_sheet(club: Club, user: User) -> Scoresheet:
    """One of another club, on which the person has written too."""
    there = MatchFactory.create(event__club=club).sheet
    assert there is not None
    record_deals(actor=OPERATOR, sheet=there, deals=[], stopped=True, key="end")
    holder = actor_of(user)
    SheetAct.objects.filter(sheet=there).update(
        actor_kind=holder.kind.value, actor_id=holder.id, key_holder=holder.key_holder
    )
    return there
