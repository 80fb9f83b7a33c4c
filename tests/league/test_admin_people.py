"""Players, teams and officers in the admin."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Club,
    ClubRules,
    Entry,
    Event,
    MatchState,
    Player,
    Role,
    ShownAs,
)
from league.people.erasing import erase_person
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.league.admin_pages import formset, page, text

pytestmark = pytest.mark.django_db


def test_player_with_other_names(owner: Client, club: Club) -> None:
    data = {"club": club.pk, "name": "Ann", "member_number": ""} | formset("aliases", {"name": "Annie"})
    assert owner.post(reverse("admin:league_player_add"), data).status_code == 302
    player = Player.objects.get()
    alias = player.aliases.get()
    rows = ({"id": alias.pk, "player": player.pk, "name": "Annie", "DELETE": "on"}, {"name": "Nan"})
    data = {"name": "Anna", "member_number": "7"} | formset("aliases", *rows, initial=1)
    assert owner.post(page("player", player), data).status_code == 302
    player.refresh_from_db()
    assert (player.name, player.member_number) == ("Anna", "7")
    assert set(player.aliases.values_list("name", flat=True)) == {"Ann", "Nan"}
    PlayerFactory.create(club=club, name="Bob")
    answer = owner.post(page("player", player), {"name": "Nan", "member_number": ""} | formset("aliases"))
    assert answer.status_code == 302
    answer = owner.post(page("player", player), {"name": "Bob", "member_number": ""} | formset("aliases"))
    assert answer.status_code == 422
    assert "There is a player" in text(answer)


def test_nobody_is_called_what_cannot_be_seen(owner: Client, club: Club) -> None:
    for name, alias in (("Ann\u202e", "Nan"), ("Ann", "Nan\u200b")):
        data = {"club": club.pk, "name": name, "member_number": ""} | formset("aliases", {"name": alias})
        answer = owner.post(reverse("admin:league_player_add"), data)
        assert answer.status_code == 422
        assert "cannot be seen" in text(answer)
    assert not club.players.exists()


@pytest.mark.parametrize(("role", "sees"), [(Role.SCOREKEEPER, False), (Role.DIRECTOR, True)])
def test_numbers_and_accounts_of_members_are_the_directors_to_see(club: Club, role: Role, sees: bool) -> None:
    user = UserFactory.create(username="annarcher", club=club, role=Role.MEMBER)
    ann = PlayerFactory.create(club=club, name="Ann", member_number="N-4711", user=user)
    client = logged_in(UserFactory.create(club=club, role=role))
    pages = [page("player", ann), page("club", club)]
    players = reverse("admin:league_player_changelist")
    told = "".join(text(client.get(address)) for address in (*pages, players))
    assert ("N-4711" in told, "annarcher" in told) == (sees, sees)
    assert ("Ann</a>" in text(client.get(players, {"q": "N-4711"}))) is sees
    assert "Ann</a>" in text(client.get(players, {"q": "Ann"}))


def test_merge_shows_what_it_will_do_and_refuses_two_people(owner: Client, club: Club, event: Event) -> None:
    match = MatchFactory.create(event=event)
    keep, other = Player.objects.filter(appearances__match=match)
    drop = PlayerFactory.create(club=club, name="Smyth")
    shown = text(owner.post(page("player", drop, "merge"), {"keep": keep.pk, "reason": ""}))
    assert f"Smyth will become {keep.name}." in shown
    assert not Player.objects.exclude(merged_into=None).exists()
    answer = owner.post(page("player", drop, "merge"), {"keep": keep.pk, "reason": "", "_confirm": "yes"})
    assert answer.status_code == 302
    drop.refresh_from_db()
    assert drop.merged_into == keep
    assert f">{keep.name}</a>" in text(owner.get(page("player", drop)))
    refused = owner.post(page("player", other, "merge"), {"keep": keep.pk, "reason": ""})
    assert "sat at the same table" in text(refused)
    merged_again = owner.post(page("player", other, "merge"), {"keep": drop.pk, "reason": ""})
    assert "Select a valid choice" in text(merged_again)


def test_erased_person_is_not_merged_and_not_changed(owner: Client, club: Club) -> None:
    erased = PlayerFactory.create(club=club, name="Ann Archer")
    erase_person(actor=OPERATOR, player=erased)
    erased.refresh_from_db()
    nan = PlayerFactory.create(club=club, name="Nan Archer")
    refused = owner.post(page("player", nan, "merge"), {"keep": erased.pk, "reason": ""})
    assert "Select a valid choice" in text(refused)
    assert erased.name not in text(owner.get(page("player", nan, "merge")))
    told = text(owner.get(page("player", erased)))
    assert page("player", erased, "merge") not in told
    assert 'name="name"' not in told
    answer = owner.post(page("player", erased), {"name": "Ann Archer"} | formset("aliases"))
    assert answer.status_code == 403
    erased.refresh_from_db()
    assert erased.name == f"Erased {erased.code}"


def test_merge_says_how_the_public_sees_the_name_afterwards(owner: Client, club: Club) -> None:
    keep = PlayerFactory.create(club=club, name="Ann Archer")
    drop = PlayerFactory.create(club=club, name="Nan", shown_as=ShownAs.NICKNAME, nickname="Bear")
    asked = {"keep": keep.pk, "reason": ""}
    assert "see Ann Archer by the nickname “Bear”" in text(owner.post(page("player", drop, "merge"), asked))
    PlayerFactory.create(club=club, name="bear")
    assert "see Ann Archer by initials" in text(owner.post(page("player", drop, "merge"), asked))
    drop = PlayerFactory.create(club=club, name="Annie")
    assert "The public sees" not in text(owner.post(page("player", drop, "merge"), asked))


def test_merge_says_what_becomes_of_the_account_and_whose_it_is_to_say(owner: Client, club: Club) -> None:
    keep = PlayerFactory.create(club=club, name="Ann Archer")
    drop = PlayerFactory.create(club=club, name="Nan", user=UserFactory.create(username="nan"))
    asked = {"keep": keep.pk, "reason": ""}
    assert "The account nan will be that of Ann Archer." in text(
        owner.post(page("player", drop, "merge"), asked)
    )
    other = PlayerFactory.create(club=club, user=UserFactory.create(username="ann"))
    assert "The account nan will no longer have a player in this club." in text(
        owner.post(page("player", drop, "merge"), asked | {"keep": other.pk})
    )
    olga = UserFactory.create(username="olga", club=ClubFactory.create(), role=Role.OWNER)
    drop = PlayerFactory.create(club=club, name="Olga", user=olga)
    refused = text(owner.post(page("player", drop, "merge"), asked | {"_confirm": "yes"}))
    assert "olga has an account with an office" in refused
    assert not Player.objects.exclude(merged_into=None).exists()


def test_message_says_what_the_public_sees(owner: Client, club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Archer")
    for shown_as, said in (
        ("initials", "the initials of Ann Archer."),
        ("name", "the full name of Ann Archer."),
    ):
        answer = owner.post(
            page("player", ann, "shown_as"), {"shown_as": shown_as, "nickname": ""}, follow=True
        )
        assert f"The public sees {said}" in text(answer)


def test_erasing_is_offered_to_who_may_dispose_of_the_account(club: Club) -> None:
    holder = UserFactory.create(club=club, role=Role.OWNER)
    ann = PlayerFactory.create(club=club, name="Ann", user=holder)
    bob = PlayerFactory.create(club=club, name="Bob", user=UserFactory.create())
    client = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert "Erase this person" not in text(client.get(page("player", ann)))
    assert "Erase this person" in text(client.get(page("player", bob)))
    client.force_login(holder)
    assert "Erase this person" in text(client.get(page("player", ann)))


def test_other_name_on_a_played_sheet_is_not_taken_away(owner: Client, club: Club, event: Event) -> None:
    match = play(MatchFactory.create(event=event), 25)
    player = match.entry_a.players.get()
    before = player.name
    data = {"name": "Anna", "member_number": ""}
    assert owner.post(page("player", player), data | formset("aliases")).status_code == 302
    alias = player.aliases.get()
    for changed in ({"name": before, "DELETE": "on"}, {"name": "Nan"}):
        rows = formset("aliases", {"id": alias.pk, "player": player.pk, **changed}, initial=1)
        answer = owner.post(page("player", player), data | rows)
        assert answer.status_code == 422
        assert f"“{before}” stands on sheets of Anna" in text(answer)
    assert player.aliases.get() == alias


def test_team_is_entered_with_its_members_in_order(owner: Client, club: Club, own_rules: ClubRules) -> None:
    teams = EventFactory.create(club=club, rules=own_rules.rules, team_size=2)
    first, second, third = (PlayerFactory.create(club=club) for _ in range(3))
    address = f"{reverse('admin:league_entry_add')}?event={teams.pk}"
    data = {"event": teams.pk, "name": "Aces", "seed": "1"}
    answer = owner.post(address, data | formset("members", {"player": first.pk}, {"player": ""}))
    assert answer.status_code == 422
    assert "A team of this event has at least 2 members." in text(answer)
    assert not Entry.objects.exists()
    members = formset("members", {"player": second.pk}, {"player": first.pk})
    assert owner.post(address, data | members).status_code == 302
    entry = Entry.objects.get()
    assert [member.player for member in entry.members.all()] == [second, first]
    stored: list[dict[str, Any]] = [
        {"id": member.pk, "entry": entry.pk, "player": member.player_id} for member in entry.members.all()
    ]
    stored[0]["DELETE"] = "on"
    change = formset("members", *stored, {"player": third.pk}, initial=2)
    assert owner.post(page("entry", entry), {"name": "Aces", "seed": ""} | change).status_code == 302
    assert [member.player for member in entry.members.all()] == [first, third]
    entry.refresh_from_db()
    assert entry.seed is None


def test_withdrawal_lists_the_matches_it_gives(owner: Client, event: Event) -> None:
    match = MatchFactory.create(event=event)
    data = {"reason": "Moved away", "give_matches": "on"}
    shown = text(owner.post(page("entry", match.entry_a, "withdraw"), data))
    assert "1 match will go to the other side by walkover:" in shown
    assert match.label in shown
    owner.post(page("entry", match.entry_a, "withdraw"), data | {"_confirm": "yes"})
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


def test_officer_is_added_and_the_last_owner_stays(owner: Client, club: Club) -> None:
    data = {"username": "cora", "role": "scorekeeper", "make_account": ""}
    assert "“cora”. Somebody with" in text(owner.post(page("club", club, "add_member"), data))
    answer = owner.post(page("club", club, "add_member"), data | {"make_account": "on"})
    assert "Give a name" in text(answer)
    answer = owner.post(
        page("club", club, "add_member"), data | {"make_account": "on", "name": "Cora Cole"}, follow=True
    )
    found = re.search(r"The password is (\S+) —", text(answer))
    assert found is not None
    assert club.memberships.get(user__username="cora").user.check_password(found[1])

    rows = [
        {"id": each.pk, "club": club.pk, "role": each.role}
        for each in club.memberships.order_by("user__username")
    ]
    by_owner = next(row for row in rows if row["role"] == "owner")
    by_owner["role"] = "director"
    settings = {
        "name": club.name,
        "slug": club.slug,
        "time_zone": "Europe/Paris",
        "column_order": "abab",
        "is_public": "on",
        "joining": "invited",
        "claiming": "officer",
        "rated_games": "none",
    }
    answer = owner.post(page("club", club), settings | formset("memberships", *rows, initial=2))
    assert answer.status_code == 422
    assert "is the last owner" in text(answer)
    club.refresh_from_db()
    assert club.time_zone == "UTC"
    by_owner["role"] = "owner"
    other = next(row for row in rows if row is not by_owner)
    other["DELETE"] = "on"
    answer = owner.post(page("club", club), settings | formset("memberships", *rows, initial=2))
    assert answer.status_code == 302
    assert club.memberships.count() == 1
