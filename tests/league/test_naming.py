"""How a player is called: in full within the club, to the public as he chose, on whatever page there is."""

import re
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.core.secrets import digest_of
from league.events.entries import change_entry
from league.models import (
    Adjustment,
    ApiToken,
    Club,
    Event,
    EventKind,
    Match,
    Player,
    PlayerAlias,
    Role,
    ShownAs,
    TokenScope,
)
from league.policy import Who
from league.policy.naming import initials, names_for
from scoring.core.actors import Actor, ActorKind
from scoring.core.sheets import SheetSide
from scoring.models import Side
from scoring.services import open_sheet, record_deals
from scoring.services.records import kept_sheet
from tests import pdf_text
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    count_table,
    house_rules,
    sheet_of,
    won,
)


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Ann Archer", "A. A."),
        ("Anna-Lena van Dyk", "A.-L. v. D."),
        ("Ørsted", "Ø."),
        ("- Dash", " D."),
        ("王 小明", "王. 小."),
    ],
)
def test_initials_are_the_first_letters(name: str, letters: str) -> None:
    assert initials(name) == letters


@pytest.fixture
def hidden(club: Club) -> Player:
    """Is shown by initials, went by another name before, and has an account."""
    user = UserFactory.create(username="annarcher", first_name="Anna", last_name="Archerson", is_staff=False)
    player = PlayerFactory.create(club=club, name="Ann Archer", user=user, shown_as=ShownAs.INITIALS)
    PlayerAlias.objects.create(club=club, player=player, name="Archer A")
    return player


@pytest.mark.django_db
def test_all_names_of_a_player_are_printed_alike(club: Club, hidden: Player) -> None:
    nan = PlayerFactory.create(club=club, name="Nan Archer", merged_into=hidden)
    names = names_for(AnonymousUser(), club)
    assert hidden.user is not None
    assert names.player(hidden) == names.player(nan) == "A. A."
    assert names.person(hidden.code, "Archer A") == names.person(nan.code, "Nan Archer") == "A. A."
    assert names.actor("user", str(hidden.user.pk), "Anna Archerson") == "A. A."


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Ann Archer + Bob Baker", "A. A. + Bob Baker"),
        ("Archer A & Bob Baker", "A. A. & Bob Baker"),
        ("Ann Archer & Robert", "A. A. & Bob Baker"),
        ("Archer's Lions", "A. A. + Bob Baker"),
        ("The Lions", "The Lions"),
    ],
)
def test_name_of_a_team_tells_no_covered_name(club: Club, hidden: Player, written: str, shown: str) -> None:
    bob = PlayerFactory.create(club=club, name="Bob Baker")
    PlayerAlias.objects.create(club=club, player=bob, name="Robert")
    event = EventFactory.create(club=club, kind=EventKind.TEAM, team_size=2)
    entry = EntryFactory.create(event=event, name=written, players=[hidden, bob])
    assert names_for(AnonymousUser(), club).entry(entry) == shown
    assert hidden.user is not None
    assert names_for(hidden.user, club).entry(entry) == written


@pytest.mark.django_db
@pytest.mark.parametrize("sits", [True, False])
def test_sheet_of_a_team_tells_no_covered_name_either(club: Club, hidden: Player, sits: bool) -> None:
    """Whether the covered member sits there or a reserve does, and whatever the team is called since."""
    Club.objects.filter(pk=club.pk).update(is_public=True)
    bob, cid = (PlayerFactory.create(club=club, name=name) for name in ("Bob Baker", "Cid Cole"))
    event = EventFactory.create(club=club, kind=EventKind.TEAM, team_size=2)
    line_up = [hidden, bob, cid] if sits else [bob, cid, hidden]
    lions = EntryFactory.create(event=event, name="Archer's Lions", players=line_up)
    match = MatchFactory.create(event=event, entry_a=lions)
    sheet = sheet_of(match)
    addresses = (
        "/api/v1/sheets/",
        f"/api/v1/sheets/{sheet.code}/",
        reverse("match", args=[club.slug, event.slug, match.code]),
    )
    for name in ("Archer's Lions", "The Lions"):
        change_entry(actor=OPERATOR, entry=lions, name=name)
        if name == "The Lions":
            # A sheet that was begun stays as it is written.
            Side.objects.filter(sheet=sheet, position=0).update(name="Archer's Lions")
        for address in addresses:
            assert "Archer" not in Client().get(address).content.decode(), (name, address)
        names = names_for(AnonymousUser(), club)
        assert names.sides(sheet.sides.all())[0] == ("A. A. + Bob Baker" if sits else "Bob Baker + Cid Cole")
    assert hidden.user is not None
    assert names_for(hidden.user, club).sides(sheet.sides.all())[0] == "Archer's Lions"


@pytest.mark.django_db
def test_own_name_of_a_single_players_side_tells_no_covered_name(club: Club, hidden: Player) -> None:
    side = SheetSide("Archer's corner", (hidden.name,))
    sheet = open_sheet(
        actor=OPERATOR,
        rules=house_rules(),
        sides=(side, SheetSide("The Archers", ("Zoe",))),
        persons={hidden.name: hidden.code},
    )
    names = names_for(AnonymousUser(), club)
    # “Archers” is another word.
    assert [each.name for each in names.sheet(kept_sheet(sheet)).sides] == ["A. A.", "The Archers"]


@pytest.mark.django_db
def test_no_two_players_are_printed_alike(club: Club, hidden: Player) -> None:
    PlayerFactory.create(club=club, name="Abe Adams", shown_as=ShownAs.INITIALS)
    PlayerFactory.create(club=club, name="Bob Baker", shown_as=ShownAs.NICKNAME, nickname="Cid")
    PlayerFactory.create(club=club, name="Cid")
    names = names_for(AnonymousUser(), club)
    shown = {player.name: names.player(player) for player in club.players.all()}
    assert shown == {"Ann Archer": "A. A.", "Abe Adams": "A. A. 2", "Bob Baker": "Cid 2", "Cid": "Cid"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("reader", "in_full"),
    [
        ("anonymous", False),
        ("member", True),
        ("the player", True),
        ("owner of another club", False),
        ("administrator", True),
        ("closed account of a member", False),
        ("token of a member", True),
        ("token of a member for another club", False),
        ("token of an administrator for another club", False),
    ],
)
def test_who_belongs_to_the_club_reads_names_in_full(
    club: Club, hidden: Player, reader: str, in_full: bool
) -> None:
    other = ClubFactory.create()

    who: dict[str, Who] = {
        "anonymous": AnonymousUser(),
        "member": UserFactory.create(club=club, role=Role.MEMBER),
        "owner of another club": UserFactory.create(club=other, role=Role.OWNER),
        "administrator": UserFactory.create(is_superuser=True),
        "closed account of a member": UserFactory.create(club=club, is_active=False),
        "the player": User.objects.get(players=hidden),
        "token of a member": _token(club, None),
        "token of a member for another club": _token(club, other),
        "token of an administrator for another club": _token(None, other),
    }
    with CaptureQueriesContext(connection) as queries:
        names = names_for(who[reader], club)
    assert len(queries) <= 1
    assert names.player(hidden) == ("Ann Archer" if in_full else "A. A.")


def _token(member_of: Club | None, bound_to: Club | None) -> ApiToken:
    """A token of a member of a club, or of an administrator, bounded to a club or not."""
    user = UserFactory.create(club=member_of, is_superuser=member_of is None)
    return ApiToken.objects.create(
        user=user, name="t", scope=TokenScope.READ, club=bound_to, digest=digest_of(user.username)
    )


@pytest.fixture
def events(club: Club, hidden: Player) -> list[Event]:
    """An event of players and one of teams, played by Ann Archer, whom reasons name too."""
    bob = PlayerFactory.create(club=club, name="Bob Baker", shown_as=ShownAs.NICKNAME, nickname="Bear")
    cid = PlayerFactory.create(club=club, name="Cid Cole")
    dot = PlayerFactory.create(club=club, name="Dot Drew")
    league = EventFactory.create(club=club, slug="league")
    ann_alone = EntryFactory.create(event=league, name="Ann Archer", players=[hidden])
    bob_alone = EntryFactory.create(event=league, name="Bob Baker", players=[bob])
    match = MatchFactory.create(
        event=league,
        entry_a=ann_alone,
        entry_b=bob_alone,
        reasons=[{"said": "Ann Archer has not met Bob Baker."}],
    )
    writer = Actor(ActorKind.TABLE_LINK, "x", "Ann Archer")
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Ann Archer", "Bob Baker", 20)])
    Adjustment.objects.create(
        event=league,
        entry=ann_alone,
        points=-1,
        reason="Ann Archer came late",
        **Adjustment.actor_fields(writer),
    )
    teams = EventFactory.create(club=club, slug="teams", team_size=2)
    EntryFactory.create(event=teams, name="Ann Archer + Cid Cole", players=[hidden, cid])
    EntryFactory.create(event=teams, name="The Knockers", players=[bob, dot])
    MatchFactory.create(event=teams, entry_a=teams.entries.all()[0], entry_b=teams.entries.all()[1])
    for event in (league, teams):
        count_table(event.pk)
    return [league, teams]


def _crawled(client: Client, start: str) -> Iterator[tuple[str, str]]:
    """The text of every page and PDF of the club that links lead to, from one on."""
    waiting, seen = [start], {start}
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        if response.status_code in (301, 302):
            continue
        assert response.status_code == 200, address
        if response["Content-Type"] == "application/pdf":
            yield address, "\n".join(pdf_text.texts(response.content))
            continue
        content = response.content.decode()
        yield address, content
        for found in re.findall(r'(?:href|src)="(/clubs/[^"#]*)', content):
            if found not in seen:
                seen.add(found)
                waiting.append(found)


@pytest.mark.dear("reads every public page")
@pytest.mark.django_db
def test_no_public_page_says_the_name_of_who_is_shown_otherwise(client: Client, events: list[Event]) -> None:
    said = dict(_crawled(client, reverse("club", args=["harbour"])))
    assert len(said) > 20
    for address, text in said.items():
        for name in ("Ann Archer", "Anna Archerson", "annarcher", "Bob Baker", "Baker", "Archer"):
            assert name not in text, (address, name)
    match = Match.objects.get(event=events[0])
    page = said[reverse("match", args=["harbour", "league", match.code])]
    assert "A. A." in page
    assert "Bear" in page
    table = said[reverse("event_standings_pdf", args=["harbour", "league"])]
    assert "A. A." in table


@pytest.mark.django_db
def test_pages_for_members_say_the_names_in_full(client: Client, events: list[Event]) -> None:
    client.force_login(UserFactory.create(club=events[0].club, role=Role.MEMBER))
    match = Match.objects.get(event=events[0])
    page = client.get(reverse("match", args=["harbour", "league", match.code])).content.decode()
    # What is told where the address is shared is for everybody.
    page = re.sub(r"<meta [^>]*>", "", page)
    assert "Ann Archer" in page
    assert "Bear" not in page
