"""My club: what is next, what waits, form and events of who is signed in; nothing held back."""

import datetime
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.events.own_club import HeadToHead, OwnClub, own_club
from league.matches.counting import Waits
from league.models import (
    Club,
    CountsWhen,
    Entry,
    EntryRequest,
    Event,
    EventState,
    Match,
    MatchState,
    Membership,
    PartnerInvitation,
    Player,
    Role,
    Round,
    RoundState,
)
from league.tables import ratings
from scoring.services import dispute_sheet, sign_sheet
from scoring.services.claims import record_at_table
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    big_event,
    house_rules,
    play,
    sheet_of,
    won,
)
from tests.league.table_cases import drawn, evening

pytestmark = pytest.mark.django_db

TODAY = datetime.date(2026, 1, 14)


@pytest.fixture
def ann(club: Club) -> Player:
    """A member with an account."""
    user = UserFactory.create(club=club, role=Role.MEMBER, is_staff=False, username="ann")
    return PlayerFactory.create(club=club, name="Ann", user=user)


@pytest.fixture
def bob(club: Club) -> Player:
    return PlayerFactory.create(club=club, name="Bob")


def event_of(club: Club, *players: Player, **settings: object) -> tuple[Event, list[Entry]]:
    """An event of one column to 100 that these players have entered."""
    event = EventFactory.create(club=club, **{"rules": house_rules(columns=1)} | settings)
    return event, [EntryFactory.create(event=event, name=each.name, players=[each]) for each in players]


def of(player: Player) -> OwnClub:
    return own_club(player, today=TODAY)


def page_of(player: Player) -> str:
    client = Client()
    assert player.user is not None
    client.force_login(player.user)
    answer = client.get(reverse("club_me", args=[player.club.slug]))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_next_is_what_is_played_then_by_day_with_who_has_won_before(
    club: Club, ann: Player, bob: Player
) -> None:
    """Ann has beaten Bob twice in the autumn and lost once; three matches are to come, the second today."""
    autumn, (a, b) = event_of(club, ann, bob)
    for points in (100, 120, -100):
        play(
            MatchFactory.create(event=autumn, entry_a=a, entry_b=b, round=RoundFactory.create(event=autumn)),
            points,
        )
    winter, (a, b) = event_of(club, ann, bob)
    cid = EntryFactory.create(event=winter, name="Cid")
    later = MatchFactory.create(
        event=winter, entry_a=b, entry_b=a, round=RoundFactory.create(event=winter, date=TODAY)
    )
    Match.objects.filter(pk=later.pk).update(planned_on=datetime.date(2026, 2, 1))
    to_day = MatchFactory.create(
        event=winter, entry_a=a, entry_b=cid, round=RoundFactory.create(event=winter, date=TODAY), table=7
    )
    drafted = RoundFactory.create(event=winter, state=RoundState.DRAFTED)
    MatchFactory.create(event=winter, entry_a=a, entry_b=cid, round=drafted)
    own = of(ann)
    assert [each.match for each in own.next] == [to_day, later]
    assert [each.met for each in own.next] == [HeadToHead(0, 0, 0), HeadToHead(2, 0, 1)]
    assert [each.opponents for each in own.next] == [(cid,), (b,)]
    page = page_of(ann)
    assert "Cid" in page
    assert "Table 7" in page
    assert "the first time" in page
    Match.objects.filter(pk=later.pk).update(state=MatchState.PLAYING)
    assert of(ann).next[0].match == later
    assert "2 won, 0 drawn, 1 lost" in page_of(ann)
    assert of(bob).next[0].met == HeadToHead(1, 0, 2)


def test_teams_have_met_in_their_event_alone(club: Club) -> None:
    players = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bea", "Cid", "Dan", "Eve")]
    for points in (40, -30):
        event = EventFactory.create(club=club, team_size=2)
        us = EntryFactory.create(event=event, name="Us", players=[players[0], players[1], players[4]])
        them = EntryFactory.create(event=event, name="Them", players=players[2:4])
        play(MatchFactory.create(event=event, entry_a=us, entry_b=them), points, stopped=True)
    MatchFactory.create(event=event, entry_a=them, entry_b=us, round=RoundFactory.create(event=event))
    assert of(players[0]).next[0].met == HeadToHead(0, 0, 1)
    spare = of(players[4]).next[0]
    assert (spare.seated, spare.side) == (False, 1), "of the team, not of this line-up"


def test_sheet_waits_for_the_side_that_has_not_signed(club: Club, ann: Player, bob: Player) -> None:
    event, (a, b) = event_of(club, ann, bob, counts_when=CountsWhen.BOTH_SIGNATURES)
    match = play(MatchFactory.create(event=event, entry_a=a, entry_b=b), 100)
    assert match.sheet is not None
    (waiting,) = of(ann).waiting
    assert (waiting.match, waiting.to_sign, waiting.waits) == (match, True, [Waits.BOTH_SIGNATURES])
    assert f"Sign sheet {match.label}" in page_of(ann)
    assert of(ann).form == []
    sign_sheet(actor=OPERATOR, sheet=match.sheet, sides=[0])
    assert [(each.to_sign, each.waits) for each in of(ann).waiting] == [(False, [Waits.ONE_SIGNATURE])]
    assert [each.to_sign for each in of(bob).waiting] == [True]
    assert "It waits for signatures." in page_of(ann)
    sign_sheet(actor=OPERATOR, sheet=match.sheet, sides=[1])
    assert of(ann).waiting == []
    assert [each.verdict for each in of(ann).form] == ["won"]


def test_deal_entered_in_two_ways_and_dispute_are_told_to_both(club: Club, ann: Player, bob: Player) -> None:
    event, (a, b) = event_of(club, ann, bob, counts_when=CountsWhen.BOTH_SIGNATURES)
    open_ = play(MatchFactory.create(event=event, entry_a=a, entry_b=b), 20, 30)
    other = won("Bob", "Ann", 31)
    record_at_table(actor=OPERATOR, sheet=sheet_of(open_), number=2, deal=other, key="other")
    ended = play(
        MatchFactory.create(event=event, entry_a=a, entry_b=b, round=RoundFactory.create(event=event)), 100
    )
    dispute_sheet(actor=OPERATOR, sheet=sheet_of(ended), sentence="Not so.", side=1)
    for player in (ann, bob):
        assert [(each.match, each.waits, each.to_sign) for each in of(player).waiting] == [
            (open_, [Waits.CLAIM], False),
            (ended, [Waits.DISPUTE, Waits.BOTH_SIGNATURES], False),
        ]
    page = page_of(ann)
    assert "The sides have entered a deal differently: the director decides." in page
    assert "It is disputed: the director decides." in page


def test_round_that_is_sat_out_is_told_until_it_is_over(club: Club, ann: Player) -> None:
    event, (a,) = event_of(club, ann)
    round_ = RoundFactory.create(event=event, date=TODAY)
    MatchFactory.create(event=event, entry_a=a, entry_b=None, round=round_)
    assert [each.round for each in of(ann).rests] == [round_]
    Round.objects.filter(pk=round_.pk).update(date=TODAY - datetime.timedelta(days=1))
    assert of(ann).rests == []


def test_events_have_my_place(club: Club, ann: Player, bob: Player) -> None:
    event, (a, b) = event_of(club, ann, bob, name="League")
    over, _entries = event_of(club, ann, name="Old cup", state=EventState.FINISHED)
    event_of(club, ann, name="Not yet", state=EventState.DRAFT)
    open_, _entries = event_of(club, ann, name="Spring", state=EventState.OPEN)
    play(MatchFactory.create(event=event, entry_a=a, entry_b=b), -100)
    recalculate(event.pk)
    own = of(ann)
    assert [each.entry.event for each in own.going_on] == [open_, event]
    assert [each.entry.event for each in own.over] == [over]
    standing = own.going_on[1].standing
    assert standing is not None
    assert (standing.rank, own.going_on[1].entry_count) == (2, 2)
    page = page_of(ann)
    assert "2 of 2" in page
    assert "entered" in page
    assert "Not yet" not in page


def test_nothing_held_back_is_told(club: Club, ann: Player, bob: Player) -> None:
    """Not to who sat there either: neither in the form, nor in places, ratings or of whom one has beaten."""
    event, (a, b) = event_of(club, ann, bob, holds_results=True)
    first = RoundFactory.create(event=event)
    match = play(MatchFactory.create(event=event, entry_a=a, entry_b=b, round=first), 100)
    MatchFactory.create(event=event, entry_a=a, entry_b=b, round=RoundFactory.create(event=event))
    recalculate(event.pk)
    ratings.recalculate(club.pk)
    Membership.objects.filter(user=ann.user).update(role=Role.OWNER)
    own = of(ann)
    assert (own.form, own.waiting) == ([], [])
    assert [each.match.round.number for each in own.next] == [2]
    assert own.next[0].met == HeadToHead(0, 0, 0)
    assert own.going_on[0].standing is None or own.going_on[0].standing.played == 0
    page = page_of(ann)
    assert "No result yet." in page
    assert "±" not in page
    release_round(actor=OPERATOR, round_=first)
    recalculate(event.pk)
    ratings.recalculate(club.pk)
    own = of(ann)
    assert [each.match for each in own.form] == [match]
    assert own.next[0].met == HeadToHead(1, 0, 0)
    page = page_of(ann)
    assert "1 of 2" in page
    assert "±" in page


def test_at_a_table_of_several_nobody_is_the_one_opponent(club: Club) -> None:
    (match,) = drawn(evening(club, ("Ann", "Bob", "Cid")))
    player = match.entry_b.players.get()  # type: ignore[union-attr]
    (coming,) = of(player).next
    assert (coming.match, coming.side, coming.met) == (match, 1, None)
    assert coming.opponents == (match.entry_a, match.entry_c)


@pytest.mark.parametrize(("where", "leads"), [("online", "To your match"), ("at_table", "To the sheet")])
def test_next_leads_to_where_it_is_played(
    club: Club, ann: Player, bob: Player, where: str, leads: str
) -> None:
    event, (a, b) = event_of(club, ann, bob, played=where)
    match = MatchFactory.create(event=event, entry_a=a, entry_b=b, round=RoundFactory.create(event=event))
    sheet_of(match)
    page = page_of(ann)
    assert leads in page
    assert ("sheet at the table" in page) == (where == "at_table")


def test_first_page_after_signing_in(client: Client, club: Club, ann: Player) -> None:
    assert ann.user is not None
    ann.user.set_password("a long way home 7")
    ann.user.save()
    typed = {"login": "ann", "password": "a long way home 7"}
    answer = client.post(reverse("login"), typed, follow=True)
    assert [address for address, _status in answer.redirect_chain] == ["/me/", "/clubs/harbour/me/"]
    assert 'href="/clubs/harbour/me/"' in client.get(reverse("club", args=["harbour"])).content.decode()
    other = ClubFactory.create(name="Bay", slug="bay", is_public=False)
    PlayerFactory.create(club=other, name="Ann", user=ann.user)
    assert client.get("/me/").status_code == 302, "a player of a private club without an office there"
    Membership.objects.create(club=other, user=ann.user, role=Role.MEMBER)
    page = client.get("/me/").content.decode()
    assert page.index("/clubs/bay/me/") < page.index("/clubs/harbour/me/")


def test_account_without_club_or_player_is_told_what_to_do(client: Client, club: Club) -> None:
    assert client.get("/me/").url == "/login/?next=/me/"  # type: ignore[attr-defined]
    stranger = UserFactory.create(is_staff=False)
    client.force_login(stranger)
    page = client.get("/me/").content.decode()
    assert "You belong to no club yet" in page
    assert 'href="/clubs/harbour/"' in page
    assert "a director of the club" in client.get("/clubs/harbour/me/").content.decode()
    ClubFactory.create(slug="hidden", is_public=False)
    assert client.get("/clubs/hidden/me/").status_code == 404
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    page = client.get("/clubs/harbour/me/").content.decode()
    assert reverse("members", args=["harbour"]) in page
    assert reverse("admin:index") in page


def test_page_is_its_reader_s_alone_and_is_not_sent_twice(
    client: Client, club: Club, ann: Player, bob: Player
) -> None:
    event, (a, b) = event_of(club, ann, bob)
    match = MatchFactory.create(event=event, entry_a=a, entry_b=b)
    assert ann.user is not None
    client.force_login(ann.user)
    address = reverse("club_me", args=["harbour"])
    first = client.get(address)
    assert "private" in first["Cache-Control"]
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    play(match, 100)
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 200


@pytest.mark.dear("needs an event of thousands of matches")
def test_my_club_takes_few_queries(client: Client) -> None:
    """Under 15, of a player of 50 matches in one event who has more to come and to sign in another."""
    club = ClubFactory.create(slug="harbour", is_public=False)
    event = big_event(entries=100, matches=2500, event=EventFactory.create(club=club, slug="open"))
    recalculate(event.pk)
    ratings.recalculate(club.pk)
    player = Player.objects.filter(club=club).earliest("pk")
    player.user = UserFactory.create(club=club, role=Role.MEMBER)
    player.save()
    more, entries = event_of(
        club,
        player,
        *Player.objects.filter(club=club).order_by("pk")[1:5],
        counts_when=CountsWhen.BOTH_SIGNATURES,
    )
    for number, entry in enumerate(entries[1:]):
        match = MatchFactory.create(
            event=more, entry_a=entries[0], entry_b=entry, round=RoundFactory.create(event=more)
        )
        if number < 2:
            play(match, 100)
    client.force_login(player.user)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(reverse("club_me", args=["harbour"]))
    assert (len(answer.context["own"].next), len(answer.context["own"].waiting)) == (2, 2)
    assert len(answer.context["own"].form) == 10
    assert len(queries) < 17, [query["sql"][:100] for query in queries]


def test_who_belongs_to_several_clubs_reads_what_is_next_in_each_the_soonest_first(
    client: Client, club: Club, ann: Player
) -> None:
    """Ann plays at Bay at 19:30 in Tokyo, at the Harbour later, and directs the Quay without a player.

    She has a sheet to sign at the Harbour, and is invited to a team at Bay. At most 15 queries, and 8 more
    for each club.
    """
    assert ann.user is not None
    event, (a, b) = event_of(club, ann, PlayerFactory.create(club=club, name="Bob"), name="Winter")
    MatchFactory.create(
        event=event,
        entry_a=a,
        entry_b=b,
        round=RoundFactory.create(event=event, date=datetime.date(2099, 5, 4)),
    )
    signed, (a, b) = event_of(
        club, ann, PlayerFactory.create(club=club), counts_when=CountsWhen.BOTH_SIGNATURES
    )
    to_sign = play(MatchFactory.create(event=signed, entry_a=a, entry_b=b), 100)
    bay = ClubFactory.create(name="Bay", slug="bay", is_public=False, time_zone="Asia/Tokyo", place="Pier 3")
    Membership.objects.create(club=bay, user=ann.user, role=Role.MEMBER)
    there = PlayerFactory.create(club=bay, name="Ann", user=ann.user)
    cup, (a, c) = event_of(bay, there, PlayerFactory.create(club=bay, name="Cid"), name="Cup")
    tonight = MatchFactory.create(event=cup, entry_a=c, entry_b=a, table=4)
    at = datetime.datetime(2099, 3, 2, 10, 30, tzinfo=datetime.UTC)
    Match.objects.filter(pk=tonight.pk).update(
        planned_on=at.date(), planned_at=at, planned_place="the back room"
    )
    pairs = EventFactory.create(club=bay, name="Pairs", kind="team", team_size=2, state="open")
    captain = PlayerFactory.create(club=bay, name="Dee")
    team = EntryRequest.objects.create(event=pairs, player=captain, state="forming", position=1)
    PartnerInvitation.objects.create(event=pairs, request=team, player=there)
    quay = ClubFactory.create(name="Quay", slug="quay", is_public=False)
    Membership.objects.create(club=quay, user=ann.user, role=Role.DIRECTOR)
    client.force_login(ann.user)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get("/me/")
    assert len(queries) <= 15 + 8 * 3, [query["sql"][:100] for query in queries]
    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))
    bay_card, harbour_card = page.index("Pier 3"), page.index("Winter")
    assert bay_card < harbour_card < page.index("No player of this club is linked to your account")
    assert "Monday 2 March 2099, 19:30" in page
    for said in ("Cid", "the back room", "Table 4", f"Sign sheet {to_sign.label}", "Monday 4 May 2099"):
        assert said in page
    assert bay_card < page.index("Cid") < page.index("An invitation to a team Pairs") < harbour_card
    for address in (
        reverse("club_me", args=["bay"]),
        reverse("club_me", args=["quay"]),
        reverse("match", args=["bay", cup.slug, tonight.code]),
        reverse("phone:match_page", args=[to_sign.code]),
    ):
        assert f'href="{address}"' in answer.content.decode()
