"""A guest plays a member by a link: who sits down with it, what it opens, and when it is over."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from games.models import TableHand, TableMatch
from games.services import act, end_table, judge_refusal, table_state
from league.events.house_rules import make_club_rules
from league.events.leaving import leave_club
from league.matches.offers import OFFER_DAYS, offers_seen
from league.models import Club, ClubRules, GameOffer, Player, ShownAs, TableLink
from league.people.erasing import erase_account, erase_person
from league.people.friendlies import MOST_TABLES, break_off, own_tables
from league.people.guests import guest_seat, guest_table, sit_down_as_guest
from league.people.lobbies import Wanted, offer_game, take_seat, withdraw_offer
from league.policy import actor_of
from scoring.core.actors import Actor, ActorKind
from scoring.core.rules import Rules
from scoring.models import Scoresheet, SheetStatus
from tests.factories import OPERATOR, ClubFactory, PlayerFactory
from tests.league.table_players import browser, by, member, refused

pytestmark = pytest.mark.django_db


def linked(ann: Player, rules: ClubRules) -> str:
    wanted = [Wanted.GUEST]
    (secret,) = offer_game(actor=by(ann), club=ann.club, rules=rules.rules, others=wanted).secrets
    return secret


def seated(secret: str, name: str = "Zoe") -> TableMatch:
    seat = guest_seat(secret)
    assert seat is not None
    table = sit_down_as_guest(seat=seat, name=name)
    assert table is not None
    return table


def test_a_guest_takes_the_seat_and_plays_on_the_pages(club: Club, own_rules: ClubRules, ann: Player) -> None:
    club.is_public = False
    club.save()
    asked = {"do": "offer", "seat_2": "guest:", "rules": own_rules.rules.code}
    page = browser(ann).post("/clubs/harbour/play/", asked).content.decode()
    link = re.search(r"http://testserver(/play/with/[^/\"]+/)", page)
    assert link is not None
    zoe, other = browser(), browser()
    assert "Ann" in zoe.get(link[1]).content.decode()
    answer = zoe.post(link[1], {"name": " Zoe  Zebra "})
    table = TableMatch.objects.get()
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/play/{table.code}/")
    names = table.sheet.seats.order_by("number").values_list("name", "person")
    assert list(names) == [("Ann", ann.code), ("Zoe Zebra", "")]
    address = f"/play/{table.code}/"
    # The guest sees his own cards, and nobody without the link sees the table of a private club.
    answer = zoe.get(address)
    assert 'id="at-table"' in answer.content.decode()
    assert "private" in answer.headers["Cache-Control"]
    assert other.get(address).headers["Location"].startswith("/login/")
    code = TableLink.objects.get().code
    guest = Actor(ActorKind.TABLE_LINK, code, "")
    for _ in range(6):
        now = TableMatch.objects.get()
        told = table_state(actor=by(ann), match=now, seat=0)["hand"]
        if told["turn"] == 0:
            action = {"version": now.version, "action": told["legal"][-1], "key": f"{now.version}"}
            act(actor=by(ann), match=now, seat=0, **action)
            continue
        legal = table_state(actor=guest, match=now, seat=1)["hand"]["legal"]
        action = {"version": now.version, "action": legal[-1], "key": f"{now.version}"}
        assert other.post(f"{address}act/", action).status_code == 404
        assert zoe.post(f"{address}act/", action).status_code == 302
        assert TableMatch.objects.get().version == now.version + 1
    (own,) = own_tables(ann.user_id or 0, club)
    assert own.others == ((None, "Zoe Zebra", True),)
    assert "Zoe Zebra (guest)" in browser(ann).get("/clubs/harbour/play/").content.decode()
    # Another device comes back by the link, and it opens nothing else.
    again = browser()
    assert again.get(link[1]).headers["Location"] == address
    assert 'id="at-table"' in again.get(address).content.decode()
    assert again.get("/clubs/harbour/").status_code in (302, 404)


def test_a_link_seats_one_guest_and_is_no_offer_to_members(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    secret, bob = linked(ann, own_rules), member(club, "Bob")
    (offer,) = offers_seen(club, [ann])
    assert not offers_seen(club, [bob])
    seat = offer.seats.get()
    refused("not_allowed", lambda: take_seat(actor=by(bob), offer=offer))
    refused("known_name", lambda: seated(secret, "bob"))
    refused("invalid", lambda: seated(secret, " "))
    refused("invalid", lambda: seated(secret, "Z" * 41))
    assert not Scoresheet.objects.exists()
    table = seated(secret)
    assert guest_seat(secret) is None
    refused("offer_over", lambda: sit_down_as_guest(seat=seat, name="Yan"))
    found = guest_table(secret)
    assert found is not None
    assert found[0] == table
    assert secret not in str(list(GameOffer.objects.values()) + list(TableLink.objects.values()))


def test_what_the_member_takes_back_or_breaks_off_opens_nothing(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    back = linked(ann, own_rules)
    withdraw_offer(actor=by(ann), offer=offers_seen(club, [ann])[0])
    late = linked(ann, own_rules)
    GameOffer.objects.update(made_at=timezone.now() - timedelta(days=OFFER_DAYS, seconds=1))
    broken = linked(ann, own_rules)
    zoe = browser()
    zoe.post(f"/play/with/{broken}/", {"name": "Zoe"})
    table = TableMatch.objects.get()
    break_off(actor=by(ann), table=table)
    for secret in (back, late, broken, "none"):
        assert zoe.get(f"/play/with/{secret}/").status_code == 404
    club.is_public = False
    club.save()
    assert zoe.get(f"/play/{table.code}/").status_code == 404
    assert Scoresheet.objects.get().status == SheetStatus.VOID


@pytest.mark.parametrize("in_club", [True, False])
def test_of_who_is_erased_games_end_and_links_open_nothing(
    club: Club, own_rules: ClubRules, ann: Player, *, in_club: bool
) -> None:
    """Nobody could go on with them. Who has left the club goes on until his account is erased."""
    bob, other = member(club, "Bob"), ClubFactory.create(slug="hill")
    waiting, playing = linked(ann, own_rules), linked(ann, own_rules)
    zoe = browser()
    zoe.post(f"/play/with/{playing}/", {"name": "Zoe"})
    table, user = TableMatch.objects.get(), ann.user
    assert user is not None
    elsewhere = seated(linked(bob, own_rules), "Yan")
    if in_club:
        PlayerFactory.create(club=other, user=user)
        erase_person(actor=OPERATOR, player=ann)
    else:
        leave_club(user=user, club=club)
        assert zoe.get(f"/play/with/{playing}/").headers["Location"] == f"/play/{table.code}/"
        erase_account(actor=actor_of(user), user=user, reason="")
    assert not GameOffer.objects.filter(by=ann).exists()
    assert zoe.get(f"/play/with/{waiting}/").status_code == 404
    over = zoe.get(f"/play/with/{playing}/")
    assert (over.status_code, "This link" in over.content.decode()) == (404, True)
    assert not TableMatch.objects.get(pk=table.pk).is_live
    sheet = Scoresheet.objects.get(pk=table.sheet_id)
    assert (sheet.status, sheet.acts.get().reason) == (SheetStatus.VOID, "A player has left.")
    assert "This sheet is void: nothing on it counts." in zoe.get(f"/play/{table.code}/").content.decode()
    assert TableMatch.objects.get(pk=elsewhere.pk).is_live


def test_a_seat_is_the_guests_alone_while_his_link_is_good(
    club: Club, own_rules: ClubRules, ann: Player, clock: time_machine.Traveller
) -> None:
    first, second = (seated(linked(ann, own_rules), name) for name in ("Zoe", "Yan"))
    code = TableLink.objects.get(sheet=first.sheet).code
    zoe = Actor(ActorKind.TABLE_LINK, code, "")
    assert table_state(actor=zoe, match=first, seat=1)["seat"] == 1
    for match, seat in ((first, 0), (second, 1)):
        with pytest.raises(Exception, match="You do not sit in this seat"):
            table_state(actor=zoe, match=match, seat=seat)
    clock.shift(timedelta(days=OFFER_DAYS, seconds=1))
    with pytest.raises(Exception, match="You do not sit in this seat"):
        table_state(actor=zoe, match=first, seat=1)


def test_the_form_says_what_is_wrong_with_a_name(own_rules: ClubRules, ann: Player) -> None:
    address = f"/play/with/{linked(ann, own_rules)}/"
    answer = browser().post(address, {"name": "ann"})
    assert answer.status_code == 422
    assert "You cannot play under this name: add something to it." in answer.content.decode()
    assert "player of" not in answer.content.decode()
    assert browser().post(address, {}).status_code == 422


def test_who_made_the_link_takes_no_second_seat(own_rules: ClubRules, ann: Player) -> None:
    address = f"/play/with/{linked(ann, own_rules)}/"
    answer = browser(ann).post(address, {"name": "Zoe"})
    assert answer.status_code == 422
    assert "Nobody plays against themselves." in answer.content.decode()
    assert not TableMatch.objects.exists()


def test_a_guest_is_told_of_no_report_and_judged_against_by_none(club: Club, ann: Player) -> None:
    zoe, quick = browser(), Rules(columns=1, target=10_000, knock_limit=98)
    own_rules = make_club_rules(actor=OPERATOR, club=club, name="Quick", rules=quick)
    table_address = zoe.post(f"/play/with/{linked(ann, own_rules)}/", {"name": "Zoe"}).headers["Location"]
    # She is a person, so that nothing is judged for Ann meanwhile.
    refusal = judge_refusal(by(ann))
    assert refusal is not None
    assert refusal.code == "at_table"
    table = TableMatch.objects.get()
    guest = Actor(ActorKind.TABLE_LINK, TableLink.objects.get().code, "")
    while not TableHand.objects.filter(is_over=True).exists():
        version = TableMatch.objects.get().version
        seat = table_state(actor=guest, match=table, seat=1)["turn"]
        actor = by(ann) if seat == 0 else guest
        legal = table_state(actor=actor, match=table, seat=seat)["hand"]["legal"]
        endings = [each for each in legal if each.split()[0] in ("knock", "gin", "big_gin")]
        action = (endings or legal)[-1]
        act(actor=actor, match=table, seat=seat, version=version, action=action, key=f"{version}")
    end_table(actor=OPERATOR, match=table)
    hand = f"{table_address}deals/1/"
    # Nobody weighs what a guest does: he is not asked to wait for it, as his host is.
    assert "Your choices" in browser(ann).get(hand).content.decode()
    page = zoe.get(hand)
    assert page.status_code == 200
    assert "Your choices" not in page.content.decode()


def test_a_member_who_was_a_guest_reads_by_his_account_once_the_link_is_over(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    club.is_public = False
    club.save()
    bob, guest = browser(member(club, "Bob")), browser()
    secret = linked(ann, own_rules)
    address = bob.post(f"/play/with/{secret}/", {"name": "Zoe"}).headers["Location"]
    assert 'id="at-table"' in bob.get(address).content.decode()
    guest.get(f"/play/with/{secret}/")
    TableLink.objects.update(revoked_at=timezone.now())
    watched = bob.get(address)
    assert watched.status_code == 200
    assert 'id="at-table"' not in watched.content.decode()
    assert bob.get(f"{address}live/").status_code == 200
    # Who has no account is not told to sign in.
    assert guest.get(address).status_code == guest.get(f"{address}live/").status_code == 404


def test_a_guest_reads_the_name_of_his_host_only_as_it_is_shown(
    club: Club, own_rules: ClubRules, ann: Player
) -> None:
    ann.name, ann.shown_as, ann.nickname = "Annabel Lee", ShownAs.NICKNAME, "Nan"
    ann.save()
    zoe = browser()
    for _number in range(MOST_TABLES):
        link = f"/play/with/{linked(ann, own_rules)}/"
        assert "Nan asks you" in zoe.get(link).content.decode()
        table_address = zoe.post(link, {"name": "Zoe"}).headers["Location"]
    pages = [zoe.get(table_address), zoe.get(f"{table_address}live/")]
    refusal = zoe.post(f"/play/with/{linked(ann, own_rules)}/", {"name": "Zoe"})
    assert refusal.status_code == 422
    assert "plays 5 games already" in refusal.content.decode()
    for answer in (*pages, refusal):
        assert "Nan" in answer.content.decode()
        assert "Annabel" not in answer.content.decode()
