"""The own page and the own data; nothing of a private club leaks."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.events.house_rules import make_club_rules
from league.matches.club_sheets import open_club_sheet
from league.models import Club, Match, Player, Role, ShownAs
from league.people.accounts import choose_shown_name
from league.people.invitations import invite
from league.people.players import merge_players
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide
from scoring.models import Scoresheet
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def _played(player: Player) -> Match:
    """A match that the player has won."""
    event = EventFactory.create(club=player.club, name="Winter Cup")
    entry = EntryFactory.create(event=event, name=player.name, players=[player])
    return play(MatchFactory.create(event=event, entry_a=entry), 300, -40, 200)


def test_the_own_page_leads_to_ones_matches_and_saves_how_one_is_shown(club: Club, client: Client) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER, is_staff=False)
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    client.force_login(user)
    page = client.get(reverse("account")).content.decode()
    assert "Ann Archer" in page
    assert reverse("club_me", args=[club.slug]) in page
    address = reverse("shown_as", args=[ann.code])
    assert client.post(address, {"shown_as": "nickname", "nickname": "Annie"}).status_code == 302
    ann.refresh_from_db()
    assert (ann.shown_as, ann.nickname) == ("nickname", "Annie")
    refused = client.post(address, {"shown_as": "nickname", "nickname": ""})
    assert refused.status_code == 422
    assert "Give the nickname" in refused.content.decode()
    other = PlayerFactory.create(club=club, name="Cid Cole")
    assert client.post(reverse("shown_as", args=[other.code]), {"shown_as": "name"}).status_code == 404


@pytest.mark.parametrize(
    ("nickname", "code"),
    [("Bob Baker", "name_taken"), ("bob baker", "name_taken"), ("A + B", "invalid"), ("", "invalid")],
)
def test_a_nickname_is_nobody_elses_name(club: Club, director: User, nickname: str, code: str) -> None:
    PlayerFactory.create(club=club, name="Bob Baker")
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    with refuses(LeagueError, code, field="nickname"):
        choose_shown_name(actor=actor_of(director), player=ann, shown_as=ShownAs.NICKNAME, nickname=nickname)


def test_others_do_not_choose_how_one_is_shown(club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    member = UserFactory.create(club=club, role=Role.MEMBER)
    with refuses(LeagueError, "not_allowed"):
        choose_shown_name(actor=actor_of(member), player=ann, shown_as=ShownAs.INITIALS)


def test_the_own_data_hold_all_that_is_stored_of_oneself_and_of_nobody_else(
    club: Club, client: Client
) -> None:
    user = UserFactory.create(
        username="ann", email="ann@archer.test", password="the old one 5", club=club, role=Role.MEMBER
    )
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user, member_number="M-77")
    match = _played(ann)
    stranger = PlayerFactory.create(club=club, name="Cid Cole", member_number="M-99")
    client.force_login(user)
    answer = client.get(reverse("own_data"))
    assert "attachment" in answer["Content-Disposition"]
    document = json.loads(answer.content)
    assert document["account"]["email"] == "ann@archer.test"
    assert document["offices"] == [{"club": "Hidden Harbour", "role": "member"}]
    (player,) = document["players"]
    assert (player["name"], player["member_number"]) == ("Ann Archer", "M-77")
    (played,) = player["matches"]
    assert (played["net"], played["sheet"]) == (match.net, Scoresheet.objects.get().code)
    text = answer.content.decode()
    for hidden in (stranger.name, "M-99", user.password):
        assert hidden not in text


def test_the_own_data_hold_evenings_at_one_table(club: Club, client: Client) -> None:
    user = UserFactory.create(club=club, role=Role.MEMBER)
    ann = PlayerFactory.create(club=club, name="Ann Archer", user=user)
    before = PlayerFactory.create(club=club, name="Annie")
    own = make_club_rules(actor=OPERATOR, club=club, name="Jersey", rules=Rules.preset("jersey"))

    def played(*names: str) -> Scoresheet:
        sides = [SheetSide(name, (name,)) for name in names]
        sheet = open_club_sheet(actor=OPERATOR, club=club, rules=own.rules, sides=sides, label="Table 3")
        shares = {names[2]: 20, names[0]: 12}
        hand = {"kind": "points", "winner": names[1], "from": shares}
        record_deals(actor=OPERATOR, sheet=sheet, deals=[{"hands": [hand]}], stopped=True)
        return sheet

    # 32 and a box from each of two; what a stranger plays is nobody else's.
    sheets = [played("Bob", "Ann Archer", "Cid"), played("Annie", "Bob", "Cid")]
    played("Bob", "Cid", "Dee")
    merge_players(actor=OPERATOR, keep=ann, drop=before)
    client.force_login(user)
    (player,) = json.loads(client.get(reverse("own_data")).content)["players"]
    told = [(one["sheet"], one["written"], one["net"], one["place"]) for one in player["tables"]]
    assert told == [(sheets[0].code, "Ann Archer", 2 * 57, 1), (sheets[1].code, "Annie", -57, 2)]


def test_nothing_of_a_private_club_is_told_by_its_addresses(club: Club, owner: User, client: Client) -> None:
    """Every page of it answers as one that is not there, to who is nobody there, by id, slug and code."""
    match = MatchFactory.create(event=EventFactory.create(club=club, slug="cup", name="Secret Cup"))
    player = PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    there = [
        reverse("club", args=["harbour"]),
        reverse("players", args=["harbour"]),
        reverse("player", args=["harbour", player.code]),
        reverse("event", args=["harbour", "cup"]),
        reverse("event_standings_pdf", args=["harbour", "cup"]),
        reverse("match", args=["harbour", "cup", match.code]),
        reverse("members", args=["harbour"]),
    ]
    nowhere = reverse("club", args=["nowhere"])
    missing = client.get(nowhere)
    for address in there:
        answer = client.get(address)
        assert answer.status_code == 404, address
        text = answer.content.decode()
        for told in ("Hidden Harbour", "Secret Cup", "Ann Archer"):
            assert told not in text
        assert text.replace(address, "") == missing.content.decode().replace(nowhere, "")
    assert "Hidden Harbour" not in client.get(reverse("home"), follow=True).content.decode()
    assert "Hidden Harbour" not in client.get(reverse("account")).content.decode()


@pytest.mark.parametrize(
    ("door", "query"),
    [
        ("league_player", "q=Ann"),
        ("league_event", "q=Secret"),
        ("league_club", "q=Hidden"),
        ("league_auditentry", "q=Ann"),
        ("scoring_scoresheet", "q=R1"),
    ],
)
def test_searching_in_the_admin_finds_nothing_of_another_club(
    club: Club, client: Client, door: str, query: str
) -> None:
    EventFactory.create(club=club, slug="cup", name="Secret Cup")
    PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    text = client.get(reverse(f"admin:{door}_changelist") + "?" + query).content.decode()
    for told in ("Hidden Harbour", "Secret Cup", "Ann Archer"):
        assert told not in text


@pytest.mark.parametrize(
    ("model", "field"), [("player", "user"), ("entrymember", "player"), ("event", "season")]
)
def test_autocomplete_offers_nothing_of_another_club(
    club: Club, client: Client, model: str, field: str
) -> None:
    PlayerFactory.create(club=club, name="Ann Archer")
    client.force_login(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    asked = {"app_label": "league", "model_name": model, "field_name": field, "term": "Ann"}
    answer = client.get(reverse("admin:autocomplete"), asked)
    assert answer.status_code in (200, 403, 404)
    assert "Ann Archer" not in answer.content.decode()


def test_an_error_says_nothing_of_another_club(club: Club) -> None:
    """To link, invite or take in who is of a private club is refused without a word about whose he is."""
    other = ClubFactory.create(name="Elsewhere")
    actor: Actor = actor_of(UserFactory.create(club=other, role=Role.OWNER))
    player = PlayerFactory.create(club=club, name="Ann Archer")
    with pytest.raises(LeagueError) as refused:
        invite(actor=actor, club=other, player=player)
    assert "Ann" not in str(refused.value.message)
    assert "Hidden" not in str(refused.value.message)
