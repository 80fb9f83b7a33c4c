"""Sheets of three and more at one table, opened, recorded, corrected and signed by programs."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.models import TableMatch
from league.events.house_rules import make_club_rules, next_version
from league.matches.member_tables import begin_table
from league.models import Club, ClubRules, Player, Role, ShownAs, TokenScope
from league.people.accounts import choose_shown_name
from league.people.players import merge_players
from league.people.tokens import issue_token
from league.policy import actor_of
from scoring.admin import sheet_history
from scoring.core.errors import CodedError
from scoring.core.rules import Rules
from scoring.documents.sheets import score_document
from scoring.models import OpeningKey, Scoresheet
from scoring.services.receipts import forget_receipts
from tests.factories import OPERATOR, ClubFactory, PlayerFactory, UserFactory
from tests.kept import assert_derived
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour", slug="harbour", is_public=False)


def rules_of(club: Club, preset: str, **knobs: Any) -> ClubRules:
    rules = Rules.from_document({"preset": preset, **knobs})
    return make_club_rules(actor=OPERATOR, club=club, name=preset.capitalize(), rules=rules)


def client_of(club: Club, role: Role = Role.SCOREKEEPER, user: Any = None) -> Client:
    user = user or UserFactory.create(club=club, role=role)
    _token, secret = issue_token(user=user, name="till", scope=TokenScope.RECORD, club=club, days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


def sent(client: Client, path: str, body: Any, **headers: str) -> Any:
    return client.post(
        f"/api/v1/sheets/{path}", json.dumps(body), content_type="application/json", headers=headers
    )


def opened(client: Client, rules: ClubRules, *names: str, **more: Any) -> Any:
    body = {
        "club": rules.club.slug,
        "rules": rules.rules.code,
        "sides": [{"name": name} for name in names],
        **more,
    }
    return sent(client, "", body)


def test_an_evening_of_jersey_is_opened_recorded_corrected_and_signed(club: Club) -> None:
    rules, client = rules_of(club, "jersey"), client_of(club)
    ann = PlayerFactory.create(club=club, name="Ann")
    response = opened(client, rules, "Ann", "Bob", "Cid", label="Table 3")
    assert response.status_code == 201, response.content
    row = response.json()
    code = row["code"]
    assert response["Location"].endswith(f"/api/v1/sheets/{code}/")
    assert (row["club"], row["event"], row["label"]) == ("harbour", None, "Table 3")
    assert (row["sides"], row["net"], row["nets"]) == (["Ann", "Bob", "Cid"], 0, [0, 0, 0])
    sheet = Scoresheet.objects.get(code=code)
    assert list(sheet.seats.order_by("number").values_list("person", flat=True)) == [ann.code, "", ""]

    deals = [
        {
            "hands": [
                {"kind": "knock", "knocker": "Ann", "knocker_deadwood": 6, "others": {"Bob": 18, "Cid": 26}}
            ]
        },
        {"hands": [{"kind": "gin", "knocker": "Cid", "others": {"Ann": 18, "Bob": 26}}]},
    ]
    assert sent(client, f"{code}/deals/", {"deals": deals}, idempotency_key="1").status_code == 201
    changed = {
        "2": {"hands": [{"kind": "points", "winner": "Cid", "from": {"Ann": 43, "Bob": 51}, "mark": "gin"}]}
    }
    corrected = sent(client, f"{code}/corrections/", {"deals": changed, "reason": "As on the paper."})
    assert corrected.status_code == 201, corrected.content
    ended = sent(client, f"{code}/deals/", {"stopped": True}, idempotency_key="2").json()
    # 32 and a box, 94 and a box: each settles with each.
    assert (ended["net"], ended["nets"]) == (57 - 119 + 57, [57 - 119 + 57, -57 - 119, 119 + 119 - 57])

    whole = client.get(f"/api/v1/sheets/{code}/").json()
    written = {
        "rules": {"preset": "jersey"},
        "sides": [{"name": name} for name in ("Ann", "Bob", "Cid")],
        "deals": [deals[0], changed["2"]],
        "stopped": True,
    }
    assert {name: whole[name] for name in score_document(written)} == score_document(written)
    assert whole["places"] == {"Ann": 2, "Bob": 3, "Cid": 1}

    signed = sent(client, f"{code}/signatures/", {}).json()
    assert [each["side"] for each in signed["signatures"]] == ["Ann", "Bob", "Cid"]
    disputed = sent(client, f"{code}/disputes/", {"sentence": "It was 42.", "side": "Cid"})
    assert (disputed.status_code, disputed.json()["side"]) == (201, "Cid")
    (listed,) = client.get("/api/v1/sheets/?club=harbour").json()["results"]
    assert (listed["winner"], listed["nets"]) == ("Cid", ended["nets"])
    assert_derived(sheet)
    assert Client().get(f"/api/v1/sheets/{code}/").status_code == 404


def test_refusals_name_deal_hand_and_field_and_change_nothing(club: Club) -> None:
    client = client_of(club)
    rules = rules_of(club, "cutthroat")
    for names in (("Ann", "Bob"), ("Ann", "Bob", "Cid", "Dee", "Eve")):
        problem = opened(client, rules, *names)
        assert (problem.status_code, problem.json()["code"], problem.json()["field"]) == (
            422,
            "wrong_sides",
            "sides",
        )
    assert Scoresheet.objects.count() == 0
    code = opened(client, rules, "Ann", "Bob", "Cid").json()["code"]
    deals = [
        {"hands": [{"kind": "points", "winner": "Ann", "loser": "Bob", "points": 12}]},
        {"hands": [{"kind": "points", "winner": "Bob", "loser": "Ann", "points": 12}]},
    ]
    problem = sent(client, f"{code}/deals/", {"deals": deals}, idempotency_key="1")
    told = problem.json()
    assert (problem.status_code, told["code"]) == (422, "sits_out")
    assert (told["deal"], told["hand"], told["field"]) == (2, 1, "winner")
    assert told["detail"] == "Bob sits out in this deal."
    assert Scoresheet.objects.get(code=code).version == 0


def test_a_sheet_is_opened_once_however_often_the_request_is_sent(club: Club) -> None:
    rules, user = rules_of(club, "jersey"), UserFactory.create(club=club)
    client, again = client_of(club, user=user), client_of(club, user=user)

    def asked(client: Client, key: str, *names: str) -> Any:
        body = {
            "club": "harbour", "rules": rules.rules.code, "sides": [{"name": name} for name in names]
        }  # fmt: skip
        return sent(client, "", body, idempotency_key=key)

    first = asked(client, "evening", "Ann", "Bob", "Cid")
    hand = {"kind": "points", "winner": "Ann", "from": {"Bob": 12, "Cid": 20}}
    body = {"deals": [{"hands": [hand]}]}
    # The same key is another one for the deals of a sheet.
    assert sent(client, f"{first.json()['code']}/deals/", body, idempotency_key="evening").status_code == 201
    # A newer version of the rules does not make another request of it, nor another token of the account.
    next_version(actor=OPERATOR, club_rules=rules, name="Jersey", rules=Rules.preset("jersey", target=300))
    for sender in (client, again):
        repeated = asked(sender, "evening", "Ann", "Bob", "Cid")
        assert (repeated.status_code, repeated["Location"]) == (201, first["Location"])
        assert (repeated.json()["code"], repeated.json()["version"]) == (first.json()["code"], 1)
    assert Scoresheet.objects.count() == 1
    problem = asked(client, "evening", "Ann", "Bob", "Dee")
    assert (problem.status_code, problem.json()["code"]) == (422, "key_reused")
    assert asked(client, "", "Ann", "Bob", "Cid").json()["code"] == "wrong_key"
    assert asked(client_of(club), "evening", "Ann", "Bob", "Cid").status_code == 201
    assert asked(client, "next evening", "Ann", "Bob", "Cid").status_code == 201
    assert Scoresheet.objects.count() == 3

    # A refused request uses no key up.
    assert asked(client, "third", "Ann", "Bob").json()["code"] == "wrong_sides"
    assert asked(client, "third", "Ann", "Bob", "Cid").status_code == 201

    forget_receipts(list(OpeningKey.objects.all()))
    assert asked(client, "evening", "Ann", "Bob", "Cid").json()["code"] == "key_expired"
    assert Scoresheet.objects.count() == 4


def test_only_who_records_for_the_club_opens_sheets_and_under_its_own_rules(club: Club) -> None:
    rules = rules_of(club, "jersey")
    member = client_of(club, Role.MEMBER)
    assert opened(member, rules, "Ann", "Bob", "Cid").status_code == 403
    other = rules_of(ClubFactory.create(name="Elsewhere", slug="elsewhere"), "jersey")
    body = {"club": "harbour", "rules": other.rules.code, "sides": [{"name": name} for name in "ABC"]}
    problem = sent(client_of(club), "", body)
    assert (problem.status_code, problem.json()["field"]) == (422, "rules")
    assert Scoresheet.objects.count() == 0


def test_a_player_signs_for_the_side_the_player_sits_on(club: Club) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER)
    bob = PlayerFactory.create(club=club, name="Bob", user=user)
    code = opened(client_of(club), rules_of(club, "jersey"), "Ann", "Bob", "Cid").json()["code"]
    own = client_of(club, user=user)
    hand = {"kind": "points", "winner": "Ann", "from": {"Bob": 12, "Cid": 20}}
    body = {"deals": [{"hands": [hand]}], "stopped": True}
    assert sent(own, f"{code}/deals/", body, idempotency_key="1").status_code == 201
    signed = sent(own, f"{code}/signatures/", {}).json()["signatures"]
    assert [(each["side"], each["method"]) for each in signed] == [("Bob", "own")]
    assert sent(own, f"{code}/signatures/", {"sides": ["Ann"]}).json()["code"] == "not_your_side"
    cid = Player.objects.create(club=club, name="Cid Marlow")
    merge_players(actor=OPERATOR, keep=bob, drop=cid)


def test_two_who_sat_at_one_table_are_not_merged(club: Club) -> None:
    ann, bob = (PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob"))
    opened(client_of(club), rules_of(club, "jersey"), "Ann", "Bob", "Cid")
    with refuses(CodedError, "met"):
        merge_players(actor=OPERATOR, keep=ann, drop=bob)


def test_players_of_a_public_club_are_shown_as_they_chose() -> None:
    club = ClubFactory.create(name="Quay", slug="quay", is_public=True)
    PlayerFactory.create(club=club, name="Ann Eklund", shown_as=ShownAs.INITIALS)
    code = opened(client_of(club), rules_of(club, "jersey"), "Ann Eklund", "Bob", "Cid").json()["code"]
    whole = Client().get(f"/api/v1/sheets/{code}/").json()
    assert [side["name"] for side in whole["sides"]] == ["A. E.", "Bob", "Cid"]
    assert list(whole["totals"]) == ["A. E.", "Bob", "Cid"]


def test_label_of_a_clubs_sheet_is_for_its_members() -> None:
    """It is in anybody's words: guests neither read it nor find it, where somebody's name is covered."""
    club = ClubFactory.create(name="Quay", slug="quay", is_public=True)
    ann = PlayerFactory.create(club=club, name="Ann Eklund")
    user = UserFactory.create(club=club, role=Role.MEMBER)
    PlayerFactory.create(club=club, name="Bob", user=user)
    keeper, guest = client_of(club), Client()
    text = "Birthday of Ann Eklund"
    code = opened(keeper, rules_of(club, "standard"), "Bob", "Cid", label=text).json()["code"]
    begin_table(actor=actor_of(user), sheet=Scoresheet.objects.get(code=code), bot="steady")
    table = reverse("play_table", args=[TableMatch.objects.get().code])
    lists = "/api/v1/sheets/", f"/api/v1/sheets/?label={text}"
    whole = f"/api/v1/sheets/{code}/"

    def tags() -> list[str]:
        return [client.get(whole)["ETag"] for client in (keeper, guest)]

    for reader in (keeper, guest):
        assert all(row["label"] == text for each in lists for row in reader.get(each).json()["results"])
        assert reader.get(whole).json()["label"] == text
    assert text in guest.get(table).content.decode()
    before = tags()
    choose_shown_name(actor=OPERATOR, player=ann, shown_as=ShownAs.INITIALS)
    for each in lists:
        assert [row["label"] for row in keeper.get(each).json()["results"]] == [text]
    assert [row["label"] for row in guest.get(lists[0]).json()["results"]] == ["(for members of the club)"]
    assert guest.get(lists[1]).json()["results"] == []
    assert guest.get(whole).json()["label"] == "(for members of the club)"
    assert keeper.get(whole).json()["label"] == text
    assert "Eklund" not in guest.get(table).content.decode()
    assert tags()[0] == before[0]
    assert tags()[1] != before[1]


def test_history_of_a_sheet_tells_a_replaced_hand_of_who_no_longer_plays_then(club: Club) -> None:
    client = client_of(club)
    code = opened(client, rules_of(club, "cutthroat"), "Ann", "Bob", "Cid").json()["code"]
    hands = [
        {"kind": "points", "winner": winner, "loser": loser, "points": points}
        for winner, loser, points in (("Ann", "Bob", 12), ("Cid", "Ann", 31))
    ]
    sent(client, f"{code}/deals/", {"deals": [{"hands": [hand]} for hand in hands]}, idempotency_key="1")
    changed = {
        "1": {"hands": [{"kind": "points", "winner": "Bob", "loser": "Ann", "points": 12}]},
        "2": {"hands": [{"kind": "points", "winner": "Cid", "loser": "Bob", "points": 31}]},
    }
    sent(client, f"{code}/corrections/", {"deals": changed, "reason": "Bob won."})
    history = sheet_history(Scoresheet.objects.get(code=code))
    assert [deals for _act, _what, deals in history] == [
        [("1", "Ann 12 (replaced)"), ("2", "Cid 31 (replaced)")],
        [("1, version 2", "Bob 12: I 12"), ("2, version 2", "Cid 31: I 31")],
    ]
