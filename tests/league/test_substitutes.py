"""A substitute in the middle of a match: in its line-up and on its sheet, and each with what is his."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.forfeits import award_forfeit
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.matches.matches import renew_sheet
from league.matches.substitutes import seat_substitute, sitting_now, unseat_substitute
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    EventState,
    IndividualStanding,
    Match,
    Player,
    Role,
    StandingsRequest,
)
from league.people.records import matches_of, record_of
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.errors import ScoringError
from scoring.core.mentions import mention
from scoring.core.sheets import Deal
from scoring.models import DealVersion
from scoring.services import record_deals, void_sheet
from scoring.services.rebuilding import check_sheets
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
    sheet_of,
    won,
)
from tests.kept import assert_derived, contents
from tests.league.admin_pages import page, text
from tests.markup import together
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(club: Club) -> Match:
    """Ann against Bob, three deals played: 20 for Ann, 10 for Bob, 30 for Ann."""
    event = EventFactory.create(club=club)
    ann, bob = (
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
        for name in ("Ann", "Bob")
    )
    return play(MatchFactory.create(event=event, entry_a=ann, entry_b=bob), 20, -10, 30)


@pytest.fixture
def xid(club: Club) -> Player:
    return PlayerFactory.create(club=club, name="Xid")


def player(entry: Entry | None) -> Player:
    assert entry is not None
    return entry.players.get()


def record(match: Match, deal: Deal) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[deal])


def refused(code: str, **asked: Any) -> None:
    before = contents()
    with pytest.raises((LeagueError, ScoringError)) as refusal:
        seat_substitute(**asked)
    assert isinstance(refusal.value, LeagueError | ScoringError)
    assert refusal.value.code == code
    assert contents() == before


def test_scorekeeper_seats_a_substitute(club: Club, match: Match, xid: Player) -> None:
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    seat_substitute(actor=keeper, match=match, replaces=player(match.entry_a), player=xid, from_deal=4)
    seat = Appearance.objects.get(match=match, player=xid)
    assert (seat.side, seat.position, seat.replaces, seat.from_deal) == (0, 1, 0, 4)
    assert (seat.entry, seat.round_id, seat.leg) == (match.entry_a, match.round_id, 1)
    assert [each.appearance.player.name for each in sitting_now(match)] == ["Xid", "Bob"]
    note = AuditEntry.objects.get(action="match.substitute")
    ann = player(match.entry_a)
    assert note.before == {"player": mention(ann.code, "Ann")}
    assert note.after == {"player": mention(xid.code, "Xid"), "from_deal": 4}
    assert match.sheet is not None
    record_deals(actor=keeper, sheet=match.sheet, deals=[won("Xid", "Bob", 40)])
    sheet = assert_derived(match.sheet)
    assert kept_sheet(sheet).deals[3] == won("Xid", "Bob", 40)
    assert [found for _count, found in check_sheets(type(sheet).objects.all()) if found] == []


def test_seat_passes_on_twice(match: Match, xid: Player, club: Club) -> None:
    yve = PlayerFactory.create(club=club, name="Yve")
    seat_substitute(actor=OPERATOR, match=match, replaces=player(match.entry_a), player=xid, from_deal=4)
    record(match, won("Bob", "Xid", 5))
    refused(
        "not_seated",
        actor=OPERATOR,
        match=match,
        replaces=player(match.entry_a),
        player=yve,
        from_deal=5,
    )
    seat_substitute(actor=OPERATOR, match=match, replaces=xid, player=yve, from_deal=5)
    seat = Appearance.objects.get(match=match, player=yve)
    assert (seat.position, seat.replaces) == (2, 1)
    assert [each.appearance.player.name for each in sitting_now(match)] == ["Yve", "Bob"]


def test_renamed_player_is_found_by_his_seat(match: Match, xid: Player) -> None:
    """The sheet keeps the name that was written on it."""
    ann = player(match.entry_a)
    Player.objects.filter(pk=ann.pk).update(name="Anna")
    seat_substitute(actor=OPERATOR, match=match, replaces=ann, player=xid, from_deal=4)
    assert kept_sheet(sheet_of(match)).sides[0].substitutes[0].replaces == "Ann"


def test_who_cannot_be_a_substitute_is_refused(match: Match, club: Club) -> None:
    event = match.event
    other = EntryFactory.create(event=event)
    elsewhere = MatchFactory.create(event=event, round=match.round)
    guest = EntryFactory.create(event=event, is_guest=True)
    asked: dict[str, Any] = {
        "actor": OPERATOR,
        "match": match,
        "replaces": player(match.entry_a),
        "from_deal": 4,
    }
    refused("other_entry", **asked, player=player(other))
    refused("other_entry", **asked, player=player(match.entry_b))
    refused("other_entry", **asked, player=player(elsewhere.entry_a))
    refused("other_club", **asked, player=PlayerFactory.create())
    merged = PlayerFactory.create(club=club, merged_into=player(other))
    refused("merged", **asked, player=merged)
    # Who sits in elsewhere as a stand-in plays in this round already.
    stand_in = PlayerFactory.create(club=club)
    Appearance.objects.create(
        round=match.round, match=elsewhere, side=0, position=5, player=stand_in, entry=elsewhere.entry_a
    )
    refused("plays_already", **asked, player=stand_in)
    seat_substitute(
        actor=OPERATOR,
        match=match,
        replaces=player(match.entry_a),
        player=player(guest),
        from_deal=4,
    )


def test_substitute_is_refused_where_nothing_is_played(club: Club, xid: Player, match: Match) -> None:
    blank = MatchFactory.create(event=match.event)
    refused(
        "out_of_range",
        actor=OPERATOR,
        match=blank,
        replaces=player(blank.entry_a),
        player=xid,
        from_deal=1,
    )
    asked: dict[str, Any] = {
        "actor": OPERATOR,
        "match": match,
        "replaces": player(match.entry_a),
        "player": xid,
        "from_deal": 4,
    }
    member = actor_of(UserFactory.create(club=club, role=Role.MEMBER))
    refused("not_allowed", **(asked | {"actor": member}))
    event = match.event
    event.state = EventState.FINISHED
    event.save()
    refused("wrong_state", **asked)
    event.state = EventState.RUNNING
    event.save()
    award_forfeit(actor=OPERATOR, match=match, winner_side=0, reason="Left")
    refused("not_played", **asked)


def test_recorded_deals_pass_on_with_a_reason(match: Match, xid: Player) -> None:
    asked: dict[str, Any] = {
        "actor": OPERATOR,
        "match": match,
        "replaces": player(match.entry_a),
        "player": xid,
        "from_deal": 3,
    }
    refused("reason_missing", **asked)
    seat_substitute(**asked, reason="Ann left after two hands")
    assert match.sheet is not None
    assert kept_sheet(match.sheet).deals[2] == won("Xid", "Bob", 30)
    assert DealVersion.objects.filter(sheet=match.sheet, number=3).count() == 2


def test_each_has_his_share_in_the_table_of_players(club: Club, xid: Player) -> None:
    event = EventFactory.create(club=club, team_size=2)
    match = MatchFactory.create(event=event)
    play(match, 30, -10)
    left = match.entry_a.members.order_by("position")[1].player
    seat_substitute(actor=OPERATOR, match=match, replaces=left, player=xid, from_deal=3)
    play(match, 40, stopped=True)
    # Stopped before deal 3: 55 to 35. In the end: column 1 is 120 to 35, column 2 is 65 to nothing.
    assert match.net == 85 + 65
    recalculate(event.pk)
    nets = {row.player: row.net for row in IndividualStanding.objects.filter(event=event)}
    first = match.entry_a.members.order_by("position")[0].player
    assert (nets[first], nets[left], nets[xid]) == (150, 20, 130)


def test_finished_match_asks_for_the_table_again(match: Match, xid: Player) -> None:
    play(match, 5, stopped=True)
    StandingsRequest.objects.all().delete()
    seat_substitute(
        actor=OPERATOR,
        match=match,
        replaces=player(match.entry_a),
        player=xid,
        from_deal=4,
        reason="It was Xid",
    )
    assert StandingsRequest.objects.filter(event=match.event).exists()


def test_substitute_by_mistake_is_taken_back(director: Actor, match: Match, xid: Player, club: Club) -> None:
    yve = PlayerFactory.create(club=club, name="Yve")
    seat_substitute(actor=director, match=match, replaces=player(match.entry_a), player=xid, from_deal=4)
    unseat_substitute(actor=director, match=match, player=xid, reason="It is Yve")
    assert not match.appearances.filter(replaces__isnull=False).exists()
    seat_substitute(actor=director, match=match, replaces=player(match.entry_a), player=yve, from_deal=4)
    record(match, won("Bob", "Yve", 7))
    before = contents()
    with refuses(ScoringError, "has_hands"):
        unseat_substitute(actor=director, match=match, player=yve, reason="No")
    with refuses(LeagueError, "not_seated"):
        unseat_substitute(actor=director, match=match, player=xid, reason="No")
    assert contents() == before


def test_positions_follow_the_seats_when_the_first_of_two_is_taken_back(
    match: Match, xid: Player, club: Club
) -> None:
    team = EventFactory.create(club=club, team_size=2)
    two = play(MatchFactory.create(event=team), 10)
    leaving = [member.player for member in two.entry_a.members.order_by("position")]
    yve = PlayerFactory.create(club=club, name="Yve")
    seat_substitute(actor=OPERATOR, match=two, replaces=leaving[0], player=xid, from_deal=2)
    seat_substitute(actor=OPERATOR, match=two, replaces=leaving[1], player=yve, from_deal=2)
    unseat_substitute(actor=OPERATOR, match=two, player=xid, reason="Came back")
    assert Appearance.objects.get(match=two, player=yve).position == 2
    assert [each.appearance.player for each in sitting_now(two)][:2] == [leaving[0], yve]


def test_new_sheet_begins_with_those_who_began(match: Match, xid: Player) -> None:
    seat_substitute(actor=OPERATOR, match=match, replaces=player(match.entry_a), player=xid, from_deal=4)
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Wet")
    match = renew_sheet(actor=OPERATOR, match=match)
    assert match.sheet is not None
    assert [side.everyone for side in kept_sheet(match.sheet).sides] == [("Ann",), ("Bob",)]
    assert match.appearances.count() == 2


def test_each_players_page_has_his_own_hands_and_share(match: Match, xid: Player) -> None:
    ann = player(match.entry_a)
    seat_substitute(actor=OPERATOR, match=match, replaces=ann, player=xid, from_deal=4)
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=[won("Xid", "Bob", 5)], stopped=True)
    match.refresh_from_db()
    # Columns after three deals 100:35, 55:0; after four 130:35, 85:0 and 30:0.
    assert match.net == 95 + 85 + 30
    records = {one: record_of(matches_of(one)) for one in (ann, xid, player(match.entry_b))}
    assert [(one.hands, one.hands_won, one.net) for one in records.values()] == [
        (3, 2, 65 + 55),
        (1, 1, 210 - 120),
        (4, 1, -210),
    ]


def test_pages_say_who_took_over_and_who_played_what(
    client: Client, owner: Client, match: Match, xid: Player
) -> None:
    seat_substitute(
        actor=OPERATOR,
        match=match,
        replaces=player(match.entry_a),
        player=xid,
        from_deal=3,
        reason="Ann had left",
    )
    assert match.sheet is not None
    club, event = match.event.club, match.event
    public = text(client.get(reverse("match", args=[club.slug, event.slug, match.code])))
    assert "Xid for Ann from here on" in public
    assert "Substitute seated: Xid for Ann from deal 3" in public
    assert "from deal 3</span>" in together(public)
    for address in (
        reverse("entry:sheet", args=[match.code]),
        reverse("admin:scoring_scoresheet_change", args=[match.sheet.pk]),
    ):
        assert "substitute seated: Xid for Ann from deal 3" in text(owner.get(address))
    assert "Ann – Bob; Xid for Ann from deal 3" in text(owner.get(page("match", match)))
