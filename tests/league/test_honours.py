"""A club's records and champions, and two of its players compared."""

import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.draws.recalculating import recalculate
from league.models import Club, Entry, Event, EventState, Match, Player, Round
from league.people.players import merge_players
from league.people.records import meetings_of, record_of
from league.tables.champions import champions_of
from league.tables.club_records import ClubRecord, RecordHolder, club_records
from league.tables.season_tables import create_season_table
from scoring.core.hands import Outcome
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    big_event,
    house_rules,
    won,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

KNOCK, GIN, UNDERCUT = Outcome.KNOCK, Outcome.GIN, Outcome.UNDERCUT


@pytest.fixture
def people(club: Club) -> dict[str, Player]:
    return {name: PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob", "Cid")}


@pytest.fixture
def event(club: Club, people: dict[str, Player]) -> Event:
    """One game to 100 a match, entered by all of them."""
    event = EventFactory.create(
        club=club, name="Cup", slug="cup", rules=house_rules(columns=1, target=100), state=EventState.RUNNING
    )
    for name, player in people.items():
        EntryFactory.create(event=event, name=name, players=[player])
    return event


def meet(
    event: Event, a: str, b: str, *hands: tuple[str, int, Outcome], round_: Round | None = None
) -> Match:
    """A match of these hands, each with its winner, in a round of its own."""
    entries = {entry.name: entry for entry in event.entries.all()}
    match = MatchFactory.create(
        event=event,
        round=round_ or RoundFactory.create(event=event),
        entry_a=entries[a],
        entry_b=entries[b],
    )
    assert match.sheet is not None
    deals = [won(who, b if who == a else a, points, mark=how) for who, points, how in hands]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    match.refresh_from_db()
    return match


def held(record: ClubRecord | None) -> list[tuple[Any, ...]]:
    """Who holds a record, where, and against whom."""
    assert record is not None

    def who(each: RecordHolder) -> str:
        return each.player.name if each.player else " + ".join(entry.name for entry in each.entries)

    return [
        (record.figure, who(each), each.match.label, " ".join(entry.name for entry in each.others))
        for each in record.held
    ]


def test_records_are_the_best_of_all_counted_matches_and_ties_share(event: Event) -> None:
    meet(event, "Ann", "Bob", ("Bob", 60, KNOCK), ("Ann", 62, GIN), ("Ann", 40, GIN))
    meet(event, "Bob", "Cid", ("Cid", 62, UNDERCUT), ("Cid", 40, GIN))
    meet(event, "Cid", "Ann", ("Ann", 50, KNOCK), ("Ann", 50, GIN))
    meet(event, "Ann", "Bob", ("Bob", 70, KNOCK), ("Ann", 20, KNOCK), ("Bob", 31, KNOCK))
    records = club_records(event.club)
    assert held(records.hand) == [(70, "Bob", "R4-T1", "Ann")]
    assert records.hand is not None
    assert (records.hand.held[0].how, records.hand.held[0].number) == ("knock", 1)
    # Ann was 0 to 60 and has won.
    assert held(records.come_back) == [(60, "Ann", "R1-T1", "Bob")]
    assert records.come_back is not None
    assert (records.come_back.held[0].had, records.come_back.held[0].leader_had) == (0, 60)
    assert held(records.gins) == [(2, "Ann", "R1-T1", "Bob")]
    # Ann has won the first and the third round, with nothing between.
    assert held(records.streak) == [(2, "Ann", "R3-T1", "Cid")]
    assert records.streak is not None
    assert records.streak.held[0].first is not None
    assert (records.streak.held[0].first.label, records.streak.held[0].goes_on) == ("R1-T1", False)

    meet(event, "Cid", "Bob", ("Cid", 70, GIN), ("Cid", 30, GIN))
    records = club_records(event.club)
    assert held(records.hand) == [(70, "Bob", "R4-T1", "Ann"), (70, "Cid", "R5-T1", "Bob")]
    assert held(records.gins) == [(2, "Ann", "R1-T1", "Bob"), (2, "Cid", "R5-T1", "Bob")]
    assert not records.perfect


def test_a_streak_that_goes_on_is_counted_over_events_in_order_of_play(club: Club, event: Event) -> None:
    for _ in range(3):
        meet(event, "Ann", "Bob", ("Ann", 100, KNOCK))
    earlier = EventFactory.create(club=club, name="Autumn", slug="autumn", rules=event.rules)
    for name in ("Ann", "Bob"):
        EntryFactory.create(event=earlier, name=name, players=[Player.objects.get(name=name)])
    night = RoundFactory.create(event=earlier, date=datetime.date(2025, 10, 1))
    meet(earlier, "Bob", "Ann", ("Ann", 100, GIN), round_=night)
    streak = club_records(club).streak
    assert streak is not None
    (holder,) = streak.held
    assert (streak.figure, holder.goes_on, holder.day) == (4, True, datetime.date(2026, 1, 21))
    assert holder.first is not None
    assert (holder.first.event.name, holder.first_day) == ("Autumn", night.date)


def test_what_does_not_count_is_in_no_record(event: Event, people: dict[str, Player]) -> None:
    match = meet(event, "Ann", "Bob", ("Bob", 60, GIN), ("Ann", 100, GIN))
    for change in ({"held": True}, {"annulled": True}):
        Match.objects.filter(pk=match.pk).update(**change)
        assert club_records(event.club).is_empty, change
        assert meetings_of(people["Ann"], people["Bob"]) == []
        Match.objects.filter(pk=match.pk).update(held=False, annulled=False)
    assert held(club_records(event.club).hand) == [(100, "Ann", "R1-T1", "Bob")]

    # Held back until its round is released.
    Event.objects.filter(pk=event.pk).update(holds_results=True)
    assert club_records(event.club).is_empty
    assert meetings_of(people["Ann"], people["Bob"]) == []
    Event.objects.filter(pk=event.pk).update(holds_results=False)

    # A guest holds none, and who has beaten one does.
    Entry.objects.filter(event=event, name="Ann").update(is_guest=True)
    records = club_records(event.club)
    assert held(records.hand) == [(60, "Bob", "R1-T1", "Ann")]
    assert held(records.gins) == [(1, "Bob", "R1-T1", "Ann")]
    assert (records.come_back, records.streak) == (None, None)

    Player.objects.filter(pk=people["Ann"].pk).update(strategy="careful")
    assert club_records(event.club).is_empty


def test_a_perfect_season_is_an_event_that_is_over_in_which_all_was_won(event: Event) -> None:
    for opponent in ("Bob", "Cid", "Bob", "Cid"):
        meet(event, "Ann", opponent, ("Ann", 100, KNOCK))
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    assert club_records(event.club).perfect == []
    meet(event, "Ann", "Bob", ("Ann", 100, KNOCK))
    (perfect,) = club_records(event.club).perfect
    assert (perfect.entry.name, perfect.event.name, perfect.wins) == ("Ann", "Cup", 5)
    last = meet(event, "Bob", "Cid", ("Bob", 100, KNOCK))
    # One that was given to the other side is lost, too.
    ann = Entry.objects.get(event=event, name="Ann")
    Match.objects.filter(pk=last.pk).update(entry_b=ann, state="forfeit", winner_side=0)
    assert club_records(event.club).perfect == []


def test_a_perfect_season_tells_nothing_of_what_is_held_back_or_annulled(event: Event) -> None:
    for _number in range(5):
        meet(event, "Ann", "Bob", ("Ann", 100, KNOCK))
    last = meet(event, "Ann", "Cid", ("Ann", 100, KNOCK))
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED, holds_results=True)
    Round.objects.filter(event=event).update(released_at=timezone.now())
    assert [each.wins for each in club_records(event.club).perfect] == [6]
    # Were it told while Ann has won, it would tell that she has.
    Round.objects.filter(pk=last.round_id).update(released_at=None)
    assert club_records(event.club).perfect == []
    Event.objects.filter(pk=event.pk).update(holds_results=False)
    # Cid has gone, and his results do not count: neither for Ann nor against her.
    Match.objects.filter(pk=last.pk).update(annulled=True)
    assert [each.wins for each in club_records(event.club).perfect] == [5]


def test_champions_are_those_of_events_that_are_over_and_of_season_tables(event: Event) -> None:
    meet(event, "Ann", "Bob", ("Ann", 100, KNOCK))
    recalculate(event.pk)
    table = create_season_table(
        actor=OPERATOR, club=event.club, name="Season", slug="season", place_points=[3, 1], events=[event]
    )
    assert champions_of(event.club, 1)[1] == []
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    _found, lines = champions_of(event.club, 1)
    told = [(each.year, each.event or each.table, [who.name for who in each.winners]) for each in lines]
    assert told == [(2026, table, ["Ann"]), (2026, event, ["Ann"])]
    # One round is not released yet.
    Event.objects.filter(pk=event.pk).update(holds_results=True)
    assert champions_of(event.club, 1)[1] == []


def test_two_players_are_compared_merged_ones_as_who_was_kept(
    client: Client, event: Event, people: dict[str, Player]
) -> None:
    meet(event, "Ann", "Bob", ("Ann", 100, KNOCK))
    meet(event, "Bob", "Ann", ("Bob", 100, KNOCK))
    meet(event, "Bob", "Ann", ("Bob", 30, KNOCK), ("Bob", 80, GIN))
    meet(event, "Ann", "Cid", ("Ann", 100, KNOCK))
    ann, bob, cid = people.values()
    record = record_of(meetings_of(bob, ann))
    assert (record.won, record.drawn, record.lost) == (2, 0, 1)
    address = f"/clubs/harbour/head-to-head/?one={bob.code}&other="
    page = client.get(address + ann.code).content.decode()
    assert "Bob and Ann" in page
    assert page.count("/matches/") == 3
    assert "They have not met" in client.get(address + cid.code).content.decode()
    assert "two different players" in client.get(address + bob.code).content.decode()
    assert client.get(address + "nobody").status_code == 404

    second = PlayerFactory.create(club=event.club, name="Annie")
    merge_players(actor=OPERATOR, keep=second, drop=ann)
    assert "Bob and Annie" in client.get(address + ann.code).content.decode()
    hand = club_records(event.club).hand
    assert hand is not None
    assert {each.player for each in hand.held} == {second, bob}


def test_the_page_names_people_as_they_chose_and_few_queries_make_it(
    client: Client, event: Event, people: dict[str, Player], django_assert_max_num_queries: Any
) -> None:
    for opponent in ("Bob", "Cid", "Bob", "Cid", "Bob"):
        meet(event, "Ann", opponent, (opponent, 30, GIN), ("Ann", 101, GIN))
    recalculate(event.pk)
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    Player.objects.filter(pk=people["Ann"].pk).update(shown_as="initials")
    address = "/clubs/harbour/honours/"
    assert address in client.get("/clubs/harbour/").content.decode()
    page = client.get(address).content.decode()
    for said in ("101 points", "5 matches", "30 points behind", "won a game after 0 to 30", "with gin", "A."):
        assert said in page, said
    wall = client.get("/clubs/harbour/champions/").content.decode()
    assert "2026" in wall
    assert "A." in wall
    assert "Ann" not in page + wall
    Club.objects.update(is_public=False)
    assert client.get(address).status_code == 404
    Club.objects.update(is_public=True)

    big_event(entries=20, matches=150, event=EventFactory.create(club=event.club, slug="big"))
    with django_assert_max_num_queries(15):
        assert client.get(address).status_code == 200
    with django_assert_max_num_queries(15):
        assert client.get("/clubs/harbour/champions/").status_code == 200
