"""A finished round in sentences, made from its figures."""

import pytest
from django.test import Client

from league.draws.recalculating import recalculate
from league.models import Event, EventState, Match, Player, RatingStep, Round, RoundState
from league.people.players import merge_players
from league.policy.naming import AS_WRITTEN
from league.tables.night_reports import night_report
from scoring.core.hands import Outcome
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    house_rules,
    won,
)

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

KNOCK, GIN = Outcome.KNOCK, Outcome.GIN
Hands = tuple[tuple[str, int, Outcome], ...]


@pytest.fixture
def event() -> Event:
    """A league of four, a match one game to 100 without bonuses and boxes."""
    rules = house_rules(columns=1, target=100, game_bonus=0, box_bonus=0, shutout="none")
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"),
        name="Cup",
        slug="cup",
        rules=rules,
        criteria=["match_points"],
    )
    for name in ("Ann", "Bob", "Cid", "Dot"):
        EntryFactory.create(event=event, name=name)
    return event


def night(event: Event, *matches: Hands) -> Round:
    """A round of these matches between those who are in their hands, complete."""
    round_ = RoundFactory.create(event=event)
    entries = {entry.name: entry for entry in event.entries.all()}
    for hands in matches:
        a = hands[0][0]
        b = next(name for name, _points, _how in hands if name != a)
        match = MatchFactory.create(event=event, round=round_, entry_a=entries[a], entry_b=entries[b])
        assert match.sheet is not None
        deals = [won(who, b if who == a else a, points, mark=how) for who, points, how in hands]
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    round_.state = RoundState.COMPLETE
    round_.save()
    recalculate(event.pk)
    return round_


def report(event: Event, round_: Round) -> list[str]:
    matches = list(Match.objects.filter(round=round_).with_sides("round", "event").order_by("pk"))
    return night_report(event, round_, matches, AS_WRITTEN)


def first_night(event: Event) -> Round:
    return night(
        event,
        (("Bob", 12, KNOCK), ("Ann", 60, GIN), ("Ann", 10, GIN), ("Ann", 30, GIN)),
        (("Dot", 70, KNOCK), ("Cid", 50, KNOCK), ("Cid", 55, KNOCK)),
    )


def test_a_night_is_told_by_what_is_remarkable_in_it(event: Event) -> None:
    round_ = first_night(event)
    # Ann has won by 88, Cid by 35.
    assert report(event, round_) == [
        "Ann and Cid shared first place after round 1.",
        "Ann had the biggest win: 88 points against Bob.",
        "Dot won the biggest hand, 70 points with a knock against Cid.",
        "Cid came back from 0 to 70 and won the game against Dot.",
        "Ann went gin 3 times, more than anybody else.",
        "2 matches were played.",
    ]

    second = night(
        event,
        (("Ann", 61, KNOCK), ("Cid", 20, KNOCK), ("Ann", 40, KNOCK)),
        (("Dot", 90, KNOCK), ("Bob", 100, KNOCK)),
    )
    said = report(event, second)
    assert said[0] == "Ann was now alone in first place, with 4 points."
    assert "The closest match went to Bob, by 10 points against Dot." in said
    assert "Bob came back from 0 to 90 and won the game against Dot." in said
    assert 4 <= len(said) <= 8


def test_the_lot_puts_nobody_first_alone(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(criteria=["match_points", "lot"], state=EventState.FINISHED)
    event.refresh_from_db()
    played = night(
        event,
        (("Bob", 1, KNOCK), ("Ann", 100, KNOCK)),
        (("Dot", 1, KNOCK), ("Cid", 100, KNOCK)),
    )
    first = report(event, played)[0]
    assert first in {
        f"{one} and {other} shared first place after round {played.number}."
        for one, other in (("Ann", "Cid"), ("Cid", "Ann"))
    }


def test_by_how_much_is_told_only_where_it_is_known_and_the_winners(event: Event) -> None:
    """Another program's results have no net; at rummy who has most points may have won less than nothing."""
    round_ = night(event, (("Bob", 1, KNOCK), ("Ann", 101, KNOCK)))
    assert "Ann beat Bob by 100 points." in report(event, round_)
    for net in (0, 7):
        Match.objects.filter(round=round_).update(net=net)
        assert not [said for said in report(event, round_) if "beat" in said]


def test_who_was_merged_is_told_as_who_was_kept(event: Event) -> None:
    round_ = first_night(event)
    kept = PlayerFactory.create(club=event.club, name="Dorothy")
    merge_players(actor=OPERATOR, keep=kept, drop=Player.objects.get(club=event.club, name="Dot"))
    said = report(event, round_)
    assert "Dorothy won the biggest hand, 70 points with a knock against Cid." in said
    assert "Cid came back from 0 to 70 and won the game against Dorothy." in said


def test_who_was_rated_much_higher_is_told(event: Event) -> None:
    round_ = first_night(event)
    match = Match.objects.get(round=round_, entry_a__name="Bob")
    for name, mu in (("Ann", 20.0), ("Bob", 32.0)):
        player = Player.objects.get(name=name)
        RatingStep.objects.update_or_create(
            player=player,
            match=match,
            defaults={"number": 1, "mu_before": mu, "sigma_before": 2, "mu": mu, "sigma": 2},
        )
    # A point of `mu` is shown as 30.
    assert "Ann beat Bob, who was rated 360 points higher." in report(event, round_)


def test_nothing_is_told_of_what_is_held_back_or_not_over(client: Client, event: Event) -> None:
    round_ = first_night(event)
    address = f"/clubs/harbour/events/cup/rounds/{round_.number}/"
    assert "shared first place" in client.get(address).content.decode()
    Player.objects.filter(name="Ann").update(shown_as="initials")
    said = client.get(address).content.decode()
    assert "A. had the biggest win" in said
    assert "Ann" not in said

    feed = client.get("/clubs/harbour/events/cup/results.atom").content.decode()
    assert "Cup, round 1 in short" in feed
    assert "A. had the biggest win" in feed

    event.holds_results = True
    event.save()
    assert "in short" not in client.get("/clubs/harbour/events/cup/results.atom").content.decode()
    assert report(event, round_) == []
    assert "The night in short" not in client.get(address).content.decode()
    event.holds_results = False
    event.save()
    Match.objects.filter(round=round_, entry_a__name="Bob").update(held=True)
    Round.objects.filter(pk=round_.pk).update(state=RoundState.PUBLISHED)
    round_.refresh_from_db()
    assert report(event, round_) == []
