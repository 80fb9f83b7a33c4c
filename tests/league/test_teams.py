"""Captains enter teams and invite partners; a team that is not complete keeps its turn for a while only."""

import datetime
from functools import partial
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from league.events import entries, teams, waiting
from league.events.event_life import start_event
from league.events.incomplete_teams import sweep_teams
from league.events.leaving import erase_player, leave_club, planned_leaving
from league.events.team_standing import own_team, players_found
from league.models import (
    AuditEntry,
    Club,
    ClubRules,
    Entry,
    EntryRequest,
    Event,
    EventState,
    InvitationState,
    Notice,
    PartnerInvitation,
    PartnerSearch,
    Player,
    RequestState,
    Role,
    ShownAs,
    WhoEnters,
)
from league.notices.saying import Said
from league.notices.words import said_by
from league.people.erasing import erase_person
from league.people.forming_teams import KEPT
from league.people.own_data import own_data
from league.people.players import merge_players
from league.policy import actor_of
from league.policy.naming import names_for
from scoring.core.actors import Actor
from scoring.core.skills import NEWCOMER, shown
from tests.factories import ClubFactory, EventFactory, PlayerFactory, UserFactory
from tests.refusals import code_of

pytestmark = pytest.mark.django_db

HOUR = datetime.timedelta(hours=1)


class People:
    """Members of a club by name, each with a player, made as they are asked for."""

    def __init__(self, club: Club) -> None:
        self.club = club

    def __getitem__(self, name: str) -> Actor:
        user = User.objects.filter(username=name.lower()).first()
        if user is None:
            user = UserFactory.create(
                username=name.lower(),
                is_staff=False,
                club=self.club,
                role=Role.MEMBER,
                email=f"{name.lower()}@example.org",
            )
            PlayerFactory.create(club=self.club, name=name, user=user)
        return actor_of(user)

    def player(self, name: str) -> Player:
        _made = self[name]
        return Player.objects.get(name=name)


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create(time_zone="Europe/Paris")
    return made


@pytest.fixture
def event(club: Club) -> Event:
    """An event of pairs with two places, whose entries are open."""
    made: Event = EventFactory.create(
        club=club, name="Cup", state=EventState.OPEN, format="swiss", team_size=2, places=2, rounds_planned=3
    )
    ClubRules.objects.create(club=club, rules=made.rules)
    return made


@pytest.fixture
def people(club: Club) -> People:
    return People(club)


def form(event: Event, people: People, captain: str, partner: str = "", name: str = "") -> EntryRequest:
    asked = people.player(partner) if partner else None
    return teams.form_team(actor=people[captain], event=event, name=name, partner=asked)


def answer(
    event: Event, people: People, name: str, captain: str = "", *, accepts: bool = True
) -> Entry | EntryRequest | None:
    rows = PartnerInvitation.objects.filter(event=event, player=people.player(name)).order_by("-pk")
    row = rows.filter(request__player__name=captain).first() if captain else rows.first()
    assert row is not None
    if accepts:
        return teams.accept_invitation(actor=people[name], event=event, invitation=row.pk)
    teams.decline_invitation(actor=people[name], event=event, invitation=row.pk)
    return None


def pair(event: Event, people: People, captain: str, partner: str) -> Entry | EntryRequest | None:
    form(event, people, captain, partner)
    return answer(event, people, partner)


def entered(event: Event) -> list[str]:
    return list(event.entries.filter(withdrawn_at=None).order_by("pk").values_list("name", flat=True))


def listed(event: Event) -> list[tuple[str, str]]:
    return [(row.player.name, row.state) for row in waiting.the_list(event)]


def turn_is_over(team: EntryRequest) -> None:
    EntryRequest.objects.filter(pk=team.pk).update(kept_until=timezone.now() - HOUR)


def test_pair_is_entered_once_the_partner_has_accepted(event: Event, people: People) -> None:
    team = form(event, people, "Ann", "Bob", name="  The  Knockers ")
    assert (entered(event), listed(event)) == ([], [("Ann", RequestState.FORMING)])
    assert team.kept_until is not None
    assert abs(team.kept_until - timezone.now() - KEPT) < HOUR
    entry = answer(event, people, "Bob")
    assert isinstance(entry, Entry)
    assert (entry.name, entry.captain) == ("The Knockers", people.player("Ann"))
    assert [one.player.name for one in entry.members.order_by("position")] == ["Ann", "Bob"]
    assert not EntryRequest.objects.exists()
    assert not PartnerInvitation.objects.exists()
    # Without a name it is called after its players, and follows them.
    assert str(pair(event, people, "Cid", "Dee")) == "Cid + Dee"


def test_team_of_four_needs_all(event: Event, people: People) -> None:
    Event.objects.filter(pk=event.pk).update(team_size=4)
    event.refresh_from_db()
    form(event, people, "Ann")
    for name in ("Bob", "Cid", "Dee"):
        teams.invite_partner(actor=people["Ann"], event=event, player=people.player(name))
    eve = people.player("Eve")
    assert code_of(partial(teams.invite_partner, actor=people["Ann"], event=event, player=eve)) == "enough"
    for name in ("Bob", "Cid"):
        assert isinstance(answer(event, people, name), EntryRequest)
    answer(event, people, "Dee", accepts=False)
    assert entered(event) == []
    # Who declined makes room for another.
    teams.invite_partner(actor=people["Ann"], event=event, player=eve)
    assert isinstance(answer(event, people, "Eve"), Entry)
    assert entered(event) == ["Ann + Bob + Cid + Eve"]


def test_place_is_kept_for_a_team_that_is_not_complete_and_not_for_ever(event: Event, people: People) -> None:
    Event.objects.filter(pk=event.pk).update(places=1)
    event.refresh_from_db()
    slow = form(event, people, "Ann", "Bob")
    places = waiting.places_of(event)
    assert (places.kept, places.free, places.leave_one) == (1, 0, False)
    # A pair that is complete at once waits behind it.
    assert isinstance(pair(event, people, "Cid", "Dee"), EntryRequest)
    assert entered(event) == []
    turn_is_over(slow)
    sweep_teams(timezone.now())
    assert entered(event) == ["Cid + Dee"]
    assert listed(event) == [("Ann", RequestState.FORMING)]
    # Complete at last, it takes the last turn of then.
    pair(event, people, "Eve", "Fay")
    assert isinstance(answer(event, people, "Bob", "Ann"), EntryRequest)
    assert [name for name, _state in listed(event)] == ["Eve", "Ann"]


def test_complete_in_time_it_has_its_turn_though_others_were_faster(event: Event, people: People) -> None:
    form(event, people, "Ann", "Bob")
    pair(event, people, "Cid", "Dee")
    pair(event, people, "Eve", "Fay")
    assert entered(event) == ["Cid + Dee"]
    assert isinstance(answer(event, people, "Bob", "Ann"), Entry)
    assert entered(event) == ["Cid + Dee", "Ann + Bob"]
    assert listed(event) == [("Eve", RequestState.WAITING)]


def test_who_withdraws_makes_room_for_the_first_team(event: Event, people: People) -> None:
    for captain, partner in (("Ann", "Bob"), ("Cid", "Dee"), ("Eve", "Fay")):
        pair(event, people, captain, partner)
    assert code_of(partial(teams.withdraw_team, actor=people["Bob"], event=event)) == "not_captain"
    teams.withdraw_team(actor=people["Ann"], event=event)
    assert entered(event) == ["Cid + Dee", "Eve + Fay"]
    form(event, people, "Ann", "Bob")
    teams.withdraw_team(actor=people["Ann"], event=event)
    assert listed(event) == []


def test_partner_steps_out_and_the_place_is_kept(event: Event, people: People) -> None:
    for captain, partner in (("Ann", "Bob"), ("Cid", "Dee"), ("Eve", "Fay")):
        pair(event, people, captain, partner)
    assert code_of(partial(teams.leave_team, actor=people["Ann"], event=event)) == "is_captain"
    teams.leave_team(actor=people["Bob"], event=event)
    # Eve and Fay wait on: Ann has two days to find another partner.
    assert entered(event) == ["Cid + Dee"]
    assert listed(event) == [("Ann", RequestState.FORMING), ("Eve", RequestState.WAITING)]
    teams.invite_partner(actor=people["Ann"], event=event, player=people.player("Gus"))
    answer(event, people, "Gus")
    assert entered(event) == ["Cid + Dee", "Ann + Gus"]
    # On the list it is the same.
    teams.leave_team(actor=people["Fay"], event=event)
    assert listed(event) == [("Eve", RequestState.FORMING)]


def test_one_accepts_one_invitation_and_the_others_are_declined(event: Event, people: People) -> None:
    form(event, people, "Ann", "Bob")
    form(event, people, "Cid", "Bob")
    assert isinstance(answer(event, people, "Bob", "Cid"), Entry)
    row = PartnerInvitation.objects.get(request__player__name="Ann")
    assert row.state == InvitationState.DECLINED
    assert code_of(partial(answer, event, people, "Bob", "Ann")) == "answered"
    invite = partial(teams.invite_partner, actor=people["Ann"], event=event, player=people.player("Bob"))
    assert code_of(invite) == "player_twice"


def test_bad_input_is_refused_and_changes_nothing(event: Event, people: People, director: Actor) -> None:
    form(event, people, "Ann", "Bob")
    before = list(PartnerInvitation.objects.values())

    def invite(player: Player) -> str:
        return code_of(partial(teams.invite_partner, actor=people["Ann"], event=event, player=player))

    far = PlayerFactory.create(club=ClubFactory.create(), user=UserFactory.create())
    assert invite(people.player("Bob")) == "invited_already"
    assert invite(people.player("Ann")) == "oneself"
    assert invite(far) == "other_club"
    assert invite(PlayerFactory.create(club=event.club)) == "not_linked"
    assert invite(PlayerFactory.create(club=event.club, user=UserFactory.create())) == "not_allowed"
    assert invite(people.player("Cid")) == "enough"
    row = PartnerInvitation.objects.get()
    for name in ("Ann", "Cid"):
        for act in (teams.accept_invitation, teams.decline_invitation):
            assert code_of(partial(act, actor=people[name], event=event, invitation=row.pk)) == "not_invited"
    assert code_of(partial(form, event, people, "Ann")) == "player_twice"
    assert code_of(partial(teams.invite_partner, actor=people["Bob"], event=event, player=far)) == "no_team"
    assert code_of(partial(teams.leave_team, actor=people["Cid"], event=event)) == "not_entered"
    assert code_of(partial(form, event, people, "Cid", name="x" * 81)) == "too_long"
    assert list(PartnerInvitation.objects.values()) == before
    # A name that another has, whatever its capitals.
    form(event, people, "Cid", name="Knockers")
    assert code_of(partial(form, event, people, "Dee", name="KNOCKERS")) == "name_taken"
    # What was taken back is not there to be accepted.
    teams.take_back_invitation(actor=people["Ann"], event=event, invitation=row.pk)
    accept = partial(teams.accept_invitation, actor=people["Bob"], event=event, invitation=row.pk)
    assert code_of(accept) == "not_invited"
    singles = EventFactory.create(club=event.club, state=EventState.OPEN)
    assert code_of(partial(form, singles, people, "Ann")) == "wrong_kind"
    Event.objects.filter(pk=event.pk).update(who_enters=WhoEnters.DIRECTOR)
    assert code_of(partial(form, event, people, "Eve")) == "not_allowed"


def test_bounds_hold_for_every_member_as_one_accepts(event: Event, people: People) -> None:
    form(event, people, "Ann", "Bob")
    Event.objects.filter(pk=event.pk).update(lowest_rating=shown(NEWCOMER.mu) + 1)
    assert code_of(partial(answer, event, people, "Bob")) == "rating_out_of_bounds"
    Event.objects.filter(pk=event.pk).update(lowest_rating=None)
    User.objects.get(pk=people["Ann"].id).memberships.all().delete()
    assert code_of(partial(answer, event, people, "Bob")) == "not_allowed"
    Event.objects.filter(pk=event.pk).update(who_enters=WhoEnters.DIRECTOR)
    assert code_of(partial(answer, event, people, "Bob")) == "not_allowed"
    assert (entered(event), listed(event)) == ([], [("Ann", RequestState.FORMING)])


def test_teams_lapse_when_entries_close_and_places_go_to_the_list(event: Event, people: People) -> None:
    Event.objects.filter(pk=event.pk).update(places=1, entries_close_at=timezone.now() + HOUR)
    event.refresh_from_db()
    form(event, people, "Ann", "Bob")
    pair(event, people, "Cid", "Dee")
    teams.look_for_partner(actor=people["Eve"], event=event, note="Only evenings")
    assert entered(event) == []
    later = timezone.now()
    Event.objects.filter(pk=event.pk).update(entries_close_at=later)
    # Before anybody has swept it is closed, too.
    assert code_of(partial(answer, event, people, "Bob", "Ann")) == "closed"
    assert sweep_teams(later) == 1
    assert entered(event) == ["Cid + Dee"]
    assert EntryRequest.objects.get().state == RequestState.LAPSED
    assert not PartnerSearch.objects.exists()
    assert sweep_teams(later) == 0
    # Open again, the captain may begin anew.
    Event.objects.filter(pk=event.pk).update(entries_close_at=None)
    assert form(event, people, "Ann", "Bob").state == RequestState.FORMING


def test_start_ends_them_too(event: Event, people: People, director: Actor) -> None:
    pair(event, people, "Ann", "Bob")
    pair(event, people, "Cid", "Dee")
    form(event, people, "Eve", "Fay")
    start_event(actor=director, event=event)
    assert [row.state for row in EntryRequest.objects.all()] == [RequestState.LAPSED]
    assert code_of(partial(answer, event, people, "Fay")) == "wrong_state"


def test_director_approves_teams_once_they_are_complete(
    event: Event, people: People, director: Actor
) -> None:
    Event.objects.filter(pk=event.pk).update(approves_entries=True)
    event.refresh_from_db()
    team = form(event, people, "Ann", "Bob")
    assert waiting.places_of(event).kept == 0
    assert code_of(partial(waiting.approve_request, actor=director, request=team)) == "not_complete"
    assert isinstance(answer(event, people, "Bob"), EntryRequest)
    assert listed(event) == [("Ann", RequestState.ASKED)]
    waiting.decline_request(actor=director, request=team, reason="Too strong")
    assert code_of(partial(form, event, people, "Ann")) == "declined"
    # Its partner is free, and then the team cannot come back.
    pair(event, people, "Cid", "Bob")
    assert code_of(partial(waiting.approve_request, actor=director, request=team)) == "player_twice"
    waiting.approve_request(actor=director, request=EntryRequest.objects.get(player__name="Cid"))
    assert entered(event) == ["Cid + Bob"]


def test_whom_a_director_enters_leaves_the_team_that_was_formed(
    event: Event, people: People, director: Actor
) -> None:
    form(event, people, "Ann", "Bob")
    Event.objects.filter(pk=event.pk).update(places=1)
    event.refresh_from_db()
    pair(event, people, "Cid", "Dee")
    assert listed(event) == [("Ann", RequestState.FORMING), ("Cid", RequestState.WAITING)]
    zoe = PlayerFactory.create(club=event.club, name="Zoe")
    entries.enter_team(actor=director, event=event, name="A", players=[people.player("Dee"), zoe])
    # Cid looks for another partner; Ann's turn is as it was.
    assert listed(event) == [("Ann", RequestState.FORMING), ("Cid", RequestState.FORMING)]
    entries.enter_team(
        actor=director, event=event, name="B", players=[people.player("Ann"), people.player("Bob")]
    )
    assert listed(event) == [("Cid", RequestState.FORMING)]
    assert code_of(partial(teams.leave_team, actor=people["Bob"], event=event)) == "not_allowed"
    assert code_of(partial(teams.withdraw_team, actor=people["Ann"], event=event)) == "not_allowed"


def test_paid_fee_and_closed_entries_keep_a_team(event: Event, people: People) -> None:
    entry = pair(event, people, "Ann", "Bob")
    assert isinstance(entry, Entry)
    Entry.objects.filter(pk=entry.pk).update(paid_at=timezone.now())
    for act, name in ((teams.withdraw_team, "Ann"), (teams.leave_team, "Bob")):
        assert code_of(partial(act, actor=people[name], event=event)) == "paid"
    Entry.objects.filter(pk=entry.pk).update(paid_at=None)
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    assert code_of(partial(teams.leave_team, actor=people["Bob"], event=event)) == "closed"
    assert entered(event) == ["Ann + Bob"]


def test_looking_for_a_partner_ends_with_a_team(event: Event, people: People) -> None:
    teams.look_for_partner(actor=people["Bob"], event=event, note=" Evenings  only ")
    search = teams.look_for_partner(actor=people["Bob"], event=event, note="Any day")
    assert [(row.pk, row.note) for row in PartnerSearch.objects.all()] == [(search.pk, "Any day")]
    assert code_of(partial(teams.look_for_partner, actor=people["Cid"], event=event, note="x" * 161)) == (
        "too_long"
    )
    teams.look_for_partner(actor=people["Ann"], event=event)
    # From the list, in one act.
    form(event, people, "Ann", "Bob")
    assert [row.player.name for row in PartnerSearch.objects.all()] == ["Bob"]
    answer(event, people, "Bob")
    assert not PartnerSearch.objects.exists()
    assert code_of(partial(teams.look_for_partner, actor=people["Bob"], event=event)) == "player_twice"
    teams.look_for_partner(actor=people["Cid"], event=event)
    teams.stop_looking(actor=people["Cid"], event=event)
    assert not PartnerSearch.objects.exists()


def test_captain_finds_by_the_name_who_can_be_invited(event: Event, people: People) -> None:
    for name in ("Ann Berg", "Bob Berg", "Cid Berg", "Dee Berg"):
        people[name]
    PlayerFactory.create(club=event.club, name="Eve Berg")
    Player.objects.filter(name="Cid Berg").update(shown_as=ShownAs.INITIALS)
    pair(event, people, "Dee Berg", "Fay")
    user = User.objects.get(pk=people["Ann Berg"].id)
    assert [player.name for player in players_found(event, user, " berg ")] == ["Bob Berg", "Cid Berg"]
    assert players_found(event, user, " ") == []


def test_own_team_tells_each_where_he_stands(event: Event, people: People) -> None:
    form(event, people, "Ann", "Bob")

    def own(name: str) -> Any:
        return own_team(event, User.objects.get(pk=people[name].id))

    ann, bob = own("Ann"), own("Bob")
    assert (ann.is_captain, ann.is_forming, ann.is_kept, ann.place, ann.missing) == (
        True,
        True,
        True,
        None,
        0,
    )
    assert [one.request.player.name for one in bob.invitations] == ["Ann"]
    assert bob.may_enter
    pair(event, people, "Cid", "Dee")
    pair(event, people, "Eve", "Fay")
    assert (own("Eve").place, own("Cid").entry.name, own("Dee").stays) == (1, "Cid + Dee", "")
    stranger = own_team(event, UserFactory.create())
    assert (stranger.sees_list, stranger.searches) == (False, [])


def test_merged_player_is_in_one_team_and_erased_one_in_none(event: Event, people: People) -> None:
    root = actor_of(User.objects.create_superuser("root"))
    pair(event, people, "Gus", "Hal")
    Event.objects.filter(pk=event.pk).update(places=1)
    event.refresh_from_db()
    pair(event, people, "Ann", "Bob")
    form(event, people, "Cid", "Eve")
    eve2 = PlayerFactory.create(club=event.club, name="Eva")
    merge_players(actor=root, keep=eve2, drop=people.player("Eve"))
    assert PartnerInvitation.objects.get(request__player__name="Cid").player == eve2
    # Of one who is captain and partner the team of his own stays, the other is short of him.
    merge_players(actor=root, keep=people.player("Cid"), drop=people.player("Bob"))
    assert listed(event) == [("Ann", RequestState.FORMING), ("Cid", RequestState.FORMING)]
    ann = people.player("Ann")
    teams.look_for_partner(actor=people["Dee"], event=event, note="with Ann")
    (own,) = own_data(User.objects.get(username="dee"))["players"]
    assert own["looks_for_partners"][0]["note"] == "with Ann"
    erase_person(actor=root, player=people.player("Dee"))
    assert not PartnerSearch.objects.exists()
    erase_person(actor=root, player=ann)
    assert [name for name, _state in listed(event)] == ["Cid"]
    assert "Ann" not in {name for names in AuditEntry.objects.values_list("object_name") for name in names}


def test_who_leaves_the_club_leaves_his_team_as_by_himself(event: Event, people: People) -> None:
    def leave(name: str) -> tuple[list[Event], list[str]]:
        user = User.objects.get(pk=people[name].id)
        plan = planned_leaving(user, event.club)
        done = leave_club(user=user, club=event.club)
        assert (done.ends, done.stays) == (plan.ends, plan.stays)
        return list(done.ends), [each.why for each in done.stays]

    Event.objects.filter(pk=event.pk).update(places=1)
    event.refresh_from_db()
    form(event, people, "Ann", "Bob")
    pair(event, people, "Cid", "Dee")
    pair(event, people, "Eve", "Fay")
    # The place that was kept for a captain's team goes to the list.
    assert leave("Ann") == ([event], [])
    assert (entered(event), listed(event)) == (["Cid + Dee"], [("Eve", RequestState.WAITING)])
    assert AuditEntry.objects.filter(action="team.withdraw", actor_id=people["Ann"].id).exists()
    # A partner who goes leaves a team that keeps its turn; its captain takes the place with him.
    assert leave("Dee") == ([event], [])
    assert (entered(event), listed(event)[0]) == ([], ("Cid", RequestState.FORMING))
    assert leave("Cid") == ([event], [])
    assert (entered(event), listed(event)) == (["Eve + Fay"], [])
    Entry.objects.update(paid_at=timezone.now())
    ends, (why,) = leave("Eve")
    assert (ends, why.startswith("The fee is paid:")) == ([], True)
    assert entered(event) == ["Eve + Fay"]


def test_place_kept_for_a_captain_who_is_erased_goes_to_the_list(event: Event, people: People) -> None:
    owner = actor_of(UserFactory.create(club=event.club, role=Role.OWNER))
    Event.objects.filter(pk=event.pk).update(places=1)
    event.refresh_from_db()
    form(event, people, "Ann", "Bob")
    pair(event, people, "Cid", "Dee")
    assert entered(event) == []
    erase_player(actor=owner, player=people.player("Ann"))
    assert (entered(event), listed(event)) == (["Cid + Dee"], [])


def test_all_of_a_team_are_told(event: Event, people: People, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.SENDS_MAIL, settings.SITE_URL = True, "https://club.example"

    def told(name: str) -> list[Said | None]:
        user = User.objects.get(pk=people[name].id)
        rows = Notice.objects.filter(user=user, ended_at=None).select_related(
            "event__club", "round", "letter"
        )
        return [said_by(row, user, names_for(user, event.club)) for row in rows.order_by("pk")]

    form(event, people, "Ann", "Bob", name="Knockers")
    (invited,) = told("Bob")
    assert invited is not None
    assert invited.title == "You are invited to a team: Cup"
    assert invited.lines[0] == "Ann invites you to play in the team “Knockers” in “Cup”."
    answer(event, people, "Bob", accepts=False)
    (declined,) = told("Ann")
    assert declined is not None
    assert declined.lines[0] == "Bob: does not play."
    assert told("Bob") == [None]
    teams.invite_partner(actor=people["Ann"], event=event, player=people.player("Cid"))
    answer(event, people, "Cid")
    (complete,) = told("Ann")
    assert complete is not None
    assert complete.title == "Your team has a place in Cup"
    teams.withdraw_team(actor=people["Ann"], event=event)
    over = told("Cid")[-1]
    assert over is not None
    assert over.lines == ("The team that you were in, or were asked to join, is no longer entered.",)
    form(event, people, "Eve", "Fay")
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    sweep_teams(timezone.now())
    ends = [said for name in ("Eve", "Fay") for said in told(name)[-1:]]
    assert [said and said.lines for said in ends] == [
        ("Entries are closed, and your team was not complete: it is not entered.",),
        over.lines,
    ]
