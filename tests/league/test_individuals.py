"""The table of players, derived with that of their teams: nets of sides, hands won, gins, substitutes."""

from typing import Any

import pytest
from django.test import Client

from league.draws.forfeits import award_forfeit
from league.draws.recalculating import recalculate
from league.models import (
    Appearance,
    EntryMember,
    Event,
    IndividualStanding,
    Match,
    MatchState,
    Player,
    Round,
)
from league.people.players import merge_players
from league.policy.naming import AS_WRITTEN
from league.tables.individuals import current_players
from league.tables.player_lines import individual_table, shared_seats
from league.upkeep.rebuilding import check_table, repair_table
from scoring.core.hands import Gin, Points
from scoring.core.sheets import Deal
from scoring.services import add_substitute, record_deals
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    count_table,
    play,
    sheet_of,
)
from tests.league.test_pages import read

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    return EventFactory.create(team_size=2, name="Pairs", criteria=["match_points", "net"])


@pytest.fixture
def match(event: Event) -> Match:
    """Ann and Amy against Bob and Bea, nothing played yet."""
    round_ = RoundFactory.create(event=event)
    sides = []
    for team, names in (("Aces", ("Ann", "Amy")), ("Boxes", ("Bob", "Bea"))):
        players = [PlayerFactory.create(club=event.club, name=name) for name in names]
        sides.append(EntryFactory.create(event=event, name=team, players=players))
    return MatchFactory.create(event=event, round=round_, entry_a=sides[0], entry_b=sides[1])


def hands(match: Match, *deals: Deal, stopped: bool = True) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals, stopped=stopped)


def table(event: Event) -> list[tuple[Any, ...]]:
    count_table(event.pk)
    rows = IndividualStanding.objects.filter(event=event).order_by("position").select_related("player")
    return [
        (row.rank, row.player.name, row.net, row.wins, row.losses, row.hands_won, row.gins) for row in rows
    ]


# Team lines under `net`: Ann 12, Bea 5 → Aces 7; Ann 20 and Amy 25+8 → Aces 53. Two boxes of 25: 60 + 50.
FIRST = Deal((Points("Ann", "Bob", 12), Points("Bea", "Amy", 5)))
SECOND = Deal((Points("Ann", "Bea", 20), Gin("Amy", "Bob", 8)))
# Column 1 has both lines, 60 + 50 = 110; column 2 the second one, 53 + 25 = 78.
NET = 110 + 78


def test_everybody_has_the_net_of_the_side_and_his_own_hands(event: Event, match: Match) -> None:
    hands(match, FIRST, SECOND)
    match.refresh_from_db()
    assert match.net == NET
    assert table(event) == [
        (1, "Ann", NET, 1, 0, 2, 0),
        (2, "Amy", NET, 1, 0, 1, 1),
        (3, "Bea", -NET, 0, 1, 1, 0),
        (4, "Bob", -NET, 0, 1, 0, 0),
    ]


def test_lines_without_hands_give_the_net_alone(event: Event, match: Match) -> None:
    play(match, 30, stopped=True)
    assert table(event) == [
        (1, "Ann", 55, 1, 0, 0, 0),
        (1, "Amy", 55, 1, 0, 0, 0),
        (3, "Bob", -55, 0, 1, 0, 0),
        (3, "Bea", -55, 0, 1, 0, 0),
    ]


def test_substitute_in_the_middle_keeps_his_own_record(event: Event, match: Match) -> None:
    hands(match, FIRST, stopped=False)
    add_substitute(actor=OPERATOR, sheet=sheet_of(match), side=0, replaces="Amy", name="Xid", from_deal=2)
    xid = PlayerFactory.create(club=event.club, name="Xid")
    Appearance.objects.create(
        round=match.round, match=match, side=0, position=2, player=xid, entry=match.entry_a, replaces=1,
        from_deal=2,
    )  # fmt: skip
    hands(match, Deal((Points("Ann", "Bea", 20), Gin("Xid", "Bob", 8))))
    # Stopped before the change the sheet gave 7 + 25 = 32.
    assert table(event) == [
        (1, "Ann", NET, 1, 0, 2, 0),
        (2, "Xid", NET - 32, 1, 0, 1, 1),
        (3, "Amy", 32, 1, 0, 0, 0),
        (4, "Bea", -NET, 0, 1, 1, 0),
        (5, "Bob", -NET, 0, 1, 0, 0),
    ]
    marked = dict(IndividualStanding.objects.values_list("player__name", "substitute_matches"))
    assert marked == {"Ann": 0, "Amy": 0, "Xid": 1, "Bea": 0, "Bob": 0}


def test_who_plays_for_a_team_without_being_its_member_is_a_substitute(event: Event, match: Match) -> None:
    EntryMember.objects.filter(player__name="Amy").delete()
    hands(match, FIRST)
    table(event)
    marked = dict(IndividualStanding.objects.values_list("player__name", "substitute_matches"))
    assert marked == {"Ann": 0, "Amy": 1, "Bea": 0, "Bob": 0}


def test_what_was_not_played_has_no_players(event: Event, match: Match) -> None:
    hands(match, FIRST)
    assert len(table(event)) == 4
    Match.objects.filter(pk=match.pk).update(held=True)
    assert table(event) == []


def test_forfeit_after_some_hands_counts_for_nobody(event: Event, match: Match) -> None:
    hands(match, FIRST, stopped=False)
    award_forfeit(actor=OPERATOR, match=match, winner_side=0, reason="left")
    assert table(event) == []


def test_players_of_a_guest_are_not_ranked(event: Event, match: Match) -> None:
    hands(match, FIRST)
    match.entry_b = match.entry_b or match.entry_a
    match.entry_b.is_guest = True
    match.entry_b.save()
    assert [name for _rank, name, *_ in table(event)] == ["Ann", "Amy"]


def test_merged_players_are_one_in_the_table(event: Event, match: Match) -> None:
    hands(match, FIRST)
    table(event)
    xid = PlayerFactory.create(club=event.club, name="Xid")
    merge_players(actor=OPERATOR, keep=xid, drop=Player.objects.get(name="Amy"))
    assert recalculate(event.pk)
    event.refresh_from_db()
    assert check_table(event).lines == []
    names = IndividualStanding.objects.order_by("position").values_list("player__name", flat=True)
    assert list(names) == ["Ann", "Xid", "Bea", "Bob"]


def test_events_of_single_players_have_no_such_table(django_assert_num_queries: Any) -> None:
    event = EventFactory.create()
    play(MatchFactory.create(event=event), 40, stopped=True)
    with django_assert_num_queries(0):
        assert current_players(event) == []
    assert table(event) == []


def test_only_rows_that_changed_are_written(event: Event, match: Match) -> None:
    hands(match, FIRST)
    table(event)
    before = dict(IndividualStanding.objects.values_list("player__name", "pk"))
    other = RoundFactory.create(event=event)
    ends = {"entry_a": match.entry_a, "entry_b": match.entry_b}
    play(MatchFactory.create(event=event, round=other, **ends), 30, stopped=True)
    rows = IndividualStanding.objects.values_list("player__name", "played")
    assert dict(rows) == dict.fromkeys(before, 1)
    table(event)
    assert dict(IndividualStanding.objects.values_list("player__name", "pk")) == before
    assert set(IndividualStanding.objects.values_list("played", flat=True)) == {2}


def test_the_page_says_what_share_of_a_seat_each_had(
    client: Client, event: Event, match: Match, django_assert_max_num_queries: Any
) -> None:
    hands(match, FIRST, stopped=False)
    assert match.sheet is not None
    sides = list(match.appearances.filter(side=0).order_by("position"))
    for place, (name, replaces, deal) in enumerate((("Xid", "Amy", 2), ("Yve", "Xid", 3)), start=2):
        add_substitute(
            actor=OPERATOR, sheet=match.sheet, side=0, replaces=replaces, name=name, from_deal=deal
        )
        Appearance.objects.create(
            round=match.round, match=match, side=0, position=place, from_deal=deal, replaces=place - 1,
            player=PlayerFactory.create(club=event.club, name=name), entry=match.entry_a,
        )  # fmt: skip
        if name == "Xid":
            hands(match, Deal((Points("Ann", "Bea", 20), Gin("Xid", "Bob", 8))), stopped=False)
    hands(match, Deal((Points("Ann", "Bea", 1), Points("Yve", "Bob", 1))))
    table(event)
    (seat,) = shared_seats(event)
    shares = [(share.player.name, share.from_deal, share.net) for share in seat.shares]
    match.refresh_from_db()
    # As stopped before the changes the sheet gave 32, then NET.
    assert shares == [("Amy", 1, 32), ("Xid", 2, NET - 32), ("Yve", 3, match.net - NET)]
    assert [sides[1].player.name] == ["Amy"]
    with django_assert_max_num_queries(12):
        text = read(client, "event_players", event.club.slug, event.slug)
    assert "Shared seats Aces v Boxes round 1 Amy +32 , Xid +156 from deal 2" in text
    assert "Amy 1 in part 1 1–0–0" in text
    assert "Xid 1 as a substitute 1 in part 1 1–0–0" in text
    assert "Ann 1 1–0–0" in text


def test_shares_do_not_show_before_the_sheet_counts(event: Event, match: Match) -> None:
    hands(match, FIRST, stopped=False)
    add_substitute(actor=OPERATOR, sheet=sheet_of(match), side=0, replaces="Amy", name="Xid", from_deal=2)
    Appearance.objects.create(
        round=match.round, match=match, side=0, position=2, from_deal=2, replaces=1,
        player=PlayerFactory.create(club=event.club, name="Xid"), entry=match.entry_a,
    )  # fmt: skip
    assert shared_seats(event) == []


def test_who_is_level_shares_a_place_in_order_of_names(client: Client, event: Event, match: Match) -> None:
    play(match, 30, stopped=True)
    table(event)
    text = read(client, "event_players", event.club.slug, event.slug)
    assert [(line.row.rank, line.row.player.name) for line in individual_table(event, AS_WRITTEN)] == [
        *((1, "Amy"), (1, "Ann")),
        *((3, "Bea"), (3, "Bob")),
    ]
    assert "1 = Amy" in text
    assert "those level in all of them share a place (=)" in text


@pytest.mark.parametrize(
    ("tamper", "line"),
    [
        (lambda: IndividualStanding.objects.filter(player__name="Ann").update(net=3),
         "standings of players of Pairs, Ann: net is 3, the sheets give 32"),
        (lambda: IndividualStanding.objects.filter(player__name="Ann").delete(),
         "standings of players of Pairs, Ann: is missing"),
        (lambda: IndividualStanding.objects.create(
            event=Event.objects.get(), player=PlayerFactory.create(name="Xid"), position=9, rank=9, played=1,
            wins=0, draws=0, losses=1, net=0, hands_won=0, gins=0),
         "standings of players of Pairs, Xid: did not play"),
    ],
)  # fmt: skip
def test_rebuild_finds_and_mends_the_table_of_players(
    event: Event, match: Match, tamper: Any, line: str
) -> None:
    hands(match, FIRST)
    right = table(event)
    event.refresh_from_db()
    assert check_table(event).lines == []
    tamper()
    assert line in check_table(event).lines
    repair_table(event)
    event.refresh_from_db()
    assert check_table(event).lines == []
    assert table(event) == right


def test_queries_do_not_grow_with_the_matches(
    event: Event, match: Match, django_assert_num_queries: Any
) -> None:
    hands(match, FIRST)
    for _ in range(3):
        round_ = RoundFactory.create(event=event)
        again = MatchFactory.create(event=event, round=round_, entry_a=match.entry_a, entry_b=match.entry_b)
        play(again, 30, stopped=True)
    with django_assert_num_queries(3):
        assert len(current_players(event)) == 4
    assert Round.objects.count() == Match.objects.filter(state=MatchState.STOPPED).count() == 4
    assert Player.objects.count() == 4
