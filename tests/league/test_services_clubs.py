"""Clubs: offices, the last owner, who may enter the admin, house rules in versions."""

import datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from league.errors import LeagueError
from league.events.house_rules import drop_club_rules, make_club_rules, next_version
from league.models import AuditEntry, Club, ClubRules, Match, Membership, RatingsRequest, Role
from league.people.absences import note_absence
from league.people.clubs import add_member, change_club, create_club, remove_club, remove_member, set_role
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from tests.factories import OPERATOR, ClubFactory, EventFactory, MatchFactory, PlayerFactory, UserFactory
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner(club: Club) -> User:
    return UserFactory.create(club=club, role=Role.OWNER)


@pytest.fixture
def actor(owner: User) -> Actor:
    return actor_of(owner)


def test_create_and_remove_club_are_the_administrators(owner: User) -> None:
    with pytest.raises(LeagueError, match="Only the administrator"):
        create_club(actor=actor_of(owner), name="Mine", slug="mine")
    club = create_club(actor=OPERATOR, name="Ours", slug="ours")
    with pytest.raises(LeagueError, match="Only the administrator"):
        remove_club(actor=actor_of(owner), club=club)
    player = PlayerFactory.create(club=club)
    with pytest.raises(LeagueError, match="players or events"):
        remove_club(actor=OPERATOR, club=club)
    player.delete()
    remove_club(actor=OPERATOR, club=club)
    assert not Club.objects.filter(slug="ours").exists()


def test_change_club_notes_only_what_changed(club: Club, actor: Actor) -> None:
    change_club(actor=actor, club=club, name=club.name, running_totals=True)
    note = AuditEntry.objects.get()
    assert (note.before, note.after) == ({"running_totals": False}, {"running_totals": True})


def test_change_club_refuses_what_is_no_time_zone(club: Club, actor: Actor) -> None:
    with pytest.raises(LeagueError) as refusal:
        change_club(actor=actor, club=club, time_zone="Mars/Base")
    assert refusal.value.field == "time_zone"


def test_days_follow_the_time_zone_of_the_club(club: Club, actor: Actor) -> None:
    """23:30 in London on 2 November is 8:30 of the 3rd in Tokyo, where the 4th is over nine hours earlier."""
    change_club(actor=actor, club=club, time_zone="Europe/London")
    at = datetime.datetime(2026, 11, 2, 23, 30, tzinfo=datetime.UTC)
    event = EventFactory.create(club=club)
    timed, by_day, elsewhere = (
        MatchFactory.create(event=each) for each in (event, event, EventFactory.create())
    )
    second, third = datetime.date(2026, 11, 2), datetime.date(2026, 11, 3)
    Match.objects.filter(pk__in=[timed.pk, elsewhere.pk]).update(planned_on=second, planned_at=at)
    Match.objects.filter(pk=by_day.pk).update(planned_on=second)
    user = UserFactory.create()
    player = PlayerFactory.create(club=club, user=user)
    absence = note_absence(
        actor=actor_of(user),
        player=player,
        first_day=third,
        last_day=third.replace(day=4),
        today=second,
    )
    RatingsRequest.objects.all().delete()
    change_club(actor=actor, club=club, time_zone="Asia/Tokyo")
    days = [Match.objects.get(pk=match.pk).planned_on for match in (timed, by_day, elsewhere)]
    assert days == [third, second, second]
    assert Match.objects.get(pk=timed.pk).planned_at == at
    absence.refresh_from_db()
    assert absence.over_at == datetime.datetime(2026, 11, 4, 15, 0, tzinfo=datetime.UTC)
    assert RatingsRequest.objects.get().club == club


@pytest.mark.parametrize("role", [Role.DIRECTOR, Role.SCOREKEEPER, Role.MEMBER])
def test_only_owners_change_the_club(club: Club, role: Role) -> None:
    other = actor_of(UserFactory.create(club=club, role=role))
    with refuses(LeagueError, "not_allowed"):
        change_club(actor=other, club=club, name="Taken over")


@pytest.mark.parametrize(
    ("role", "staff"),
    [(Role.OWNER, True), (Role.DIRECTOR, True), (Role.SCOREKEEPER, True), (Role.MEMBER, False)],
)
def test_officers_and_nobody_else_may_enter_the_admin(
    club: Club, actor: Actor, role: Role, staff: bool
) -> None:
    user = UserFactory.create(is_staff=not staff)
    set_role(actor=OPERATOR, club=club, user=user, role=Role.MEMBER)
    set_role(actor=actor, club=club, user=user, role=role)
    user.refresh_from_db()
    assert user.is_staff is staff
    remove_member(actor=actor, membership=Membership.objects.get(user=user))
    user.refresh_from_db()
    assert user.is_staff is False


def test_the_last_owner_stays(club: Club, owner: User, actor: Actor) -> None:
    membership = Membership.objects.get(user=owner)
    for write in (
        lambda: set_role(actor=actor, club=club, user=owner, role=Role.DIRECTOR),
        lambda: remove_member(actor=actor, membership=membership),
    ):
        with refuses(LeagueError, "last_owner"):
            write()
    set_role(actor=OPERATOR, club=club, user=UserFactory.create(), role=Role.OWNER)
    remove_member(actor=actor, membership=membership)
    assert club.memberships.count() == 1


def test_add_member_by_user_name(club: Club, actor: Actor) -> None:
    UserFactory.create(username="bea", is_staff=False)
    made = add_member(actor=OPERATOR, club=club, username=" bea ", role=Role.MEMBER)
    assert (made.membership.user.username, made.password) == ("bea", None)
    made = add_member(actor=actor, club=club, username="bea", role=Role.SCOREKEEPER)
    assert (made.membership.role, made.password) == (Role.SCOREKEEPER, None)


def test_owner_takes_nobody_in_who_has_not_accepted_and_learns_nothing_of_accounts(
    club: Club, actor: Actor
) -> None:
    """Who has an account elsewhere and who has none are refused in the same words."""
    elsewhere = UserFactory.create(username="dora", first_name="Dora", club=ClubFactory.create())
    alone = UserFactory.create(username="emma")
    told = []
    for username in ("dora", "emma", "nobody"):
        with pytest.raises(LeagueError) as refusal:
            add_member(actor=actor, club=club, username=username, role=Role.OWNER)
        told.append(
            (refusal.value.code, refusal.value.field, str(refusal.value.message).replace(username, "this"))
        )
    assert told[0][:2] == ("unknown_user", "username")
    assert told[0] == told[1] == told[2]
    for user in (elsewhere, alone):
        with refuses(LeagueError, "not_allowed"):
            set_role(actor=actor, club=club, user=user, role=Role.MEMBER)
        with refuses(LeagueError, "name_taken", field="username"):
            add_member(
                actor=actor,
                club=club,
                username=user.username.upper(),
                role=Role.MEMBER,
                make_account=True,
                name="C",
            )
    assert club.memberships.count() == 1


def test_add_member_makes_an_account_whose_password_is_told_once(club: Club, actor: Actor) -> None:
    made = add_member(
        actor=actor, club=club, username="cora", role=Role.SCOREKEEPER, make_account=True, name="Cora Cole"
    )
    assert made.password is not None
    assert made.membership.user.check_password(made.password)
    assert made.membership.user.is_staff
    assert actor_of(made.membership.user).name == "Cora Cole"
    assert made.password not in str(list(AuditEntry.objects.values()))
    with refuses(LeagueError, "invalid", field="name"):
        add_member(actor=actor, club=club, username="dora", role=Role.MEMBER, make_account=True)
    with pytest.raises(LeagueError) as refusal:
        add_member(
            actor=actor,
            club=club,
            username="no spaces",
            role=Role.MEMBER,
            make_account=True,
            name="Cora Cole",
        )
    assert refusal.value.field == "username"


def test_new_account_is_noted_without_its_password(club: Club, actor: Actor) -> None:
    made = add_member(
        actor=actor, club=club, username="cora", role=Role.SCOREKEEPER, make_account=True, name="Cora Cole"
    )
    note = AuditEntry.objects.get(action="account.create")
    assert (note.club, note.object_id, note.actor_name) == (club, str(made.membership.user.pk), actor.name)
    assert note.after == {"username": "cora"}


def test_account_that_somebody_makes_at_the_same_moment_is_a_refusal(
    club: Club, actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = User.full_clean

    def check_then_lose(user: User) -> None:
        check(user)
        User.objects.bulk_create([User(username="cora")])

    monkeypatch.setattr(User, "full_clean", check_then_lose)
    with pytest.raises(LeagueError, match="just made the account") as refusal:
        add_member(
            actor=actor, club=club, username="cora", role=Role.MEMBER, make_account=True, name="Cora Cole"
        )
    assert (refusal.value.code, refusal.value.field) == ("clash", "username")


def test_account_with_an_office_is_not_deleted(club: Club, owner: User, client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"))
    answer = client.post(reverse("admin:auth_user_delete", args=[owner.pk]), {"post": "yes"})
    assert "protected related objects" in answer.content.decode()
    chosen = {"action": "delete_selected", "_selected_action": [owner.pk], "post": "yes"}
    client.post(reverse("admin:auth_user_changelist"), chosen)
    assert club.memberships.filter(user=owner, role=Role.OWNER).exists()
    remove_member(
        actor=OPERATOR,
        membership=set_role(actor=OPERATOR, club=club, user=UserFactory.create(), role=Role.MEMBER),
    )
    without = User.objects.get(memberships=None, is_superuser=False)
    client.post(reverse("admin:auth_user_delete", args=[without.pk]), {"post": "yes"})
    assert not User.objects.filter(pk=without.pk).exists()


def test_a_change_of_house_rules_is_a_new_version(club: Club, actor: Actor) -> None:
    own = make_club_rules(actor=actor, club=club, name="Ours", rules=Rules.preset("standard", columns=3))
    first = own.rules
    event = EventFactory.create(club=club, rules=first)
    own = next_version(actor=actor, club_rules=own, name="Ours", rules=Rules.preset("classic", columns=3))
    assert (own.rules.code, own.rules.version) == (first.code, 2)
    event.refresh_from_db()
    assert event.rules == first
    note = AuditEntry.objects.get(action="rules.version")
    assert note.after is not None
    assert note.after["shutout"] == "double_total"
    assert "columns" not in note.after
    with refuses(LeagueError, "nothing_changed"):
        next_version(actor=actor, club_rules=own, name="Ours", rules=own.rules.rules)


def test_house_rules_taken_off_the_list_stay_with_their_events(club: Club, actor: Actor) -> None:
    own = make_club_rules(actor=actor, club=club, name="Ours", rules=Rules())
    event = EventFactory.create(club=club, rules=own.rules)
    drop_club_rules(actor=actor, club_rules=own)
    event.refresh_from_db()
    assert not ClubRules.objects.exists()
    assert event.rules.name == "Ours"
