"""The demo is removed in one act, with all that is in it and nothing else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.events.house_rules import copy_club_rules, drop_club_rules, make_club_rules, next_version
from league.matches.club_sheets import open_friendly_sheet
from league.matches.table_links import make_links
from league.models import (
    AuditEntry,
    Club,
    ClubRules,
    Match,
    Player,
    Role,
    TokenScope,
)
from league.people.clubs import set_role
from league.people.players import create_player
from league.people.removing_demo import DEMO, entered_by_people, remove_demo
from league.people.tokens import issue_token
from league.policy import actor_at, actor_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.lengths import Length
from scoring.core.rules import Rules
from scoring.models import HouseRules
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, UserFactory, won
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def test_only_the_demo_is_removed_and_only_by_the_administrator_who_says_why() -> None:
    demo, other = ClubFactory.create(is_demo=True), ClubFactory.create()
    owner = actor_of(UserFactory.create(club=demo, role=Role.OWNER))
    for club, actor, reason, code in (
        (demo, owner, "Over.", "not_allowed"),
        (demo, OPERATOR, " ", "reason_missing"),
        (other, OPERATOR, "Over.", "not_demo"),
    ):
        with refuses(LeagueError, code):
            remove_demo(actor=actor, club=club, reason=reason)
    assert Club.objects.count() == 2


def test_with_the_demo_go_the_rules_of_its_games_of_another_length() -> None:
    demo = ClubFactory.create(is_demo=True)
    own = make_club_rules(actor=OPERATOR, club=demo, name="Own", rules=Rules())
    one, other = [create_player(actor=OPERATOR, club=demo, name=name) for name in ("Ann", "Bob")]
    sides, length = [[one], [other]], Length(target=50)
    open_friendly_sheet(actor=OPERATOR, club=demo, rules=own.rules, sides=sides, length=length)
    assert HouseRules.objects.count() == 2
    remove_demo(actor=OPERATOR, club=demo, reason="Over.")
    assert not HouseRules.objects.exists()


def test_what_people_have_entered_goes_only_if_that_is_known(admin_client: Client, admin_user: Any) -> None:
    demo = ClubFactory.create(is_demo=True)
    create_player(actor=actor_of(admin_user), club=demo, name="Ann Real")
    page = reverse("admin:league_club_remove_demo", args=[demo.pk])
    assert page in admin_client.get(reverse("club", args=[demo.slug])).text
    assert page not in Client().get(reverse("club", args=[demo.slug])).text
    said = {"reason": "Over."}
    assert admin_client.post(page, said).status_code == 422
    preview = admin_client.post(page, said | {"knows": "on"})
    assert preview.status_code == 200
    assert "will be removed with all that is in it" in preview.text
    assert Player.objects.filter(club=demo).exists()
    done = admin_client.post(page, said | {"knows": "on", "_confirm": "1"}, follow=True)
    assert done.redirect_chain == [(reverse("admin:index"), 302)]
    assert f"“{demo}” was removed with all that was in it." in done.text
    assert f'href="{reverse("begin")}"' in done.text
    assert not Club.objects.exists()
    assert not Player.objects.exists()
    assert AuditEntry.objects.get().action == "club.remove_demo"


def typed(match: Match, actor: Actor) -> None:
    """A hand, entered by this actor."""
    assert match.sheet is not None
    first, second = kept_sheet(match.sheet).sides
    record_deals(actor=actor, sheet=match.sheet, deals=[won(first.name, second.name, 12)])


@pytest.fixture
def demo_match() -> Match:
    """A match of the demo, with its sheet."""
    return MatchFactory.create(event=EventFactory.create(club=ClubFactory.create(is_demo=True)))


def by_account(match: Match) -> Actor:
    return actor_of(UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))


def by_token(match: Match) -> Actor:
    user = UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER)
    club = match.event.club
    return actor_of(issue_token(user=user, name="Clock", scope=TokenScope.RECORD, club=club, days=1)[0])


def by_link_of(actor: Actor, match: Match) -> Actor:
    (link, _secret), _other = make_links(actor=actor, match=match)
    return actor_at(link, "Ann")


@pytest.mark.parametrize(
    ("who", "counts"),
    [
        (by_account, 1),
        (by_token, 1),
        (lambda match: by_link_of(OPERATOR, match), 1),
        (lambda match: by_link_of(DEMO, match), 0),
        (lambda match: DEMO, 0),
        (lambda match: Actor(ActorKind.OPERATOR, "house-bots", "House bots"), 0),
    ],
    ids=["account", "token", "link", "link of the demo's", "the demo", "the house's bots"],
)
def test_what_people_have_typed_on_sheets_is_entered_too(
    demo_match: Match, admin_client: Client, who: Callable[[Match], Actor], counts: int
) -> None:
    demo = demo_match.event.club
    actor = who(demo_match)
    before = entered_by_people(demo)
    typed(demo_match, actor)
    assert entered_by_people(demo) == before + counts
    page = reverse("admin:league_club_remove_demo", args=[demo.pk])
    assert ("will go too" in admin_client.get(page).text) == bool(counts)


def test_who_was_an_officer_of_the_demo_alone_enters_the_administration_no_longer() -> None:
    demo, other = ClubFactory.create(is_demo=True), ClubFactory.create()
    admin = User.objects.create_superuser("admin")
    alone, elsewhere = UserFactory.create(username="alone"), UserFactory.create(username="elsewhere")
    for club, user in ((demo, admin), (demo, alone), (demo, elsewhere), (other, elsewhere)):
        set_role(actor=OPERATOR, club=club, user=user, role=Role.DIRECTOR)
    remove_demo(actor=OPERATOR, club=demo, reason="Over.")
    staff = User.objects.filter(is_staff=True).order_by("username").values_list("username", flat=True)
    assert list(staff) == ["admin", "elsewhere"]


def rules_of(club: Club, name: str, *, versions: int = 1) -> ClubRules:
    """House rules of a club, changed so often that there are so many versions."""
    own = make_club_rules(actor=OPERATOR, club=club, name=name, rules=Rules(gin_bonus=20))
    for number in range(2, versions + 1):
        own = next_version(actor=OPERATOR, club_rules=own, name=name, rules=Rules(gin_bonus=19 + number))
    return own


def copied(own: ClubRules, *, into: Club, name: str, version: int = 1) -> ClubRules:
    source = HouseRules.objects.get(code=own.rules.code, version=version)
    return copy_club_rules(actor=OPERATOR, club=into, source=source, name=name)


def test_of_house_rules_those_go_that_only_the_demo_made_and_had() -> None:
    demo, other = ClubFactory.create(is_demo=True), ClubFactory.create()
    played = rules_of(demo, "Played", versions=3)
    MatchFactory.create(event=EventFactory.create(club=demo, rules=played.rules))
    drop_club_rules(actor=OPERATOR, club_rules=rules_of(demo, "Dropped", versions=2))
    copied(rules_of(demo, "Source"), into=demo, name="Copy")
    # The other club's own: an old version that the demo copied, and one it has dropped.
    copied(rules_of(other, "Theirs", versions=2), into=demo, name="Taken")
    theirs_dropped = rules_of(other, "Theirs, dropped", versions=2)
    copied(theirs_dropped, into=demo, name="Taken too")
    drop_club_rules(actor=OPERATOR, club_rules=theirs_dropped)
    # What the other club took over, and what it plays by.
    copied(rules_of(demo, "Given", versions=2), into=other, name="Got")
    shared = rules_of(demo, "Shared")
    EventFactory.create(club=other, rules=shared.rules)
    remove_demo(actor=OPERATOR, club=demo, reason="Over.")
    left = HouseRules.objects.order_by("name", "version").values_list("name", "version")
    assert list(left) == [
        ("Given", 1),
        ("Got", 1),
        ("Shared", 1),
        ("Theirs", 1),
        ("Theirs", 2),
        ("Theirs, dropped", 1),
        ("Theirs, dropped", 2),
    ]
    assert sorted(str(own) for own in ClubRules.objects.all()) == ["Got", "Theirs, version 2"]


def test_rules_that_two_clubs_list_are_not_the_demo_s_alone() -> None:
    demo, other = ClubFactory.create(is_demo=True), ClubFactory.create()
    both = rules_of(demo, "Both", versions=2)
    ClubRules.objects.create(club=other, rules=both.rules)
    remove_demo(actor=OPERATOR, club=demo, reason="Over.")
    assert HouseRules.objects.filter(code=both.rules.code).count() == 2
