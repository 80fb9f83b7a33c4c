"""What the pages of a club say: tables, rounds, matches, players."""

import datetime
import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Adjustment, Club, Event, Match, MatchState, Player, StandingsRequest
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
    count_table,
    play,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return ClubFactory.create(name="Harbour Gin Club", slug="harbour", time_zone="Europe/Paris")


@pytest.fixture
def event(club: Club) -> Event:
    season = SeasonFactory.create(club=club, name="Winter", slug="winter")
    return EventFactory.create(club=club, season=season, name="Hollywood League", slug="league")


@pytest.fixture
def matches(event: Event) -> list[Match]:
    """Two rounds. Ann has beaten Bob, Ann v Cid is playing; Cid v Dee was left over, Bob v Dee is to come."""
    ann, bob, cid, dee = (
        EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dee")
    )
    first = RoundFactory.create(event=event, number=1, date=datetime.date(2025, 12, 4))
    second = RoundFactory.create(event=event, number=2, date=datetime.date(2025, 12, 11))
    made = [
        MatchFactory.create(event=event, round=round_, entry_a=one, entry_b=two)
        for round_, one, two in ((first, ann, bob), (first, cid, dee), (second, ann, cid), (second, bob, dee))
    ]
    play(made[0], 105, 104, 110)
    play(made[2], 20, -30, 40)
    refresh_table(event)
    for match in made:
        match.refresh_from_db()
    return made


def refresh_table(event: Event) -> None:
    count_table(event.pk)


def read(client: Client, name: str, *args: object) -> str:
    """The page as it is read: without markup, spaces made single."""
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200, response
    text = re.sub(r"<head>.*?</head>", " ", response.content.decode(), flags=re.DOTALL)
    text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    return re.sub(r"\s+", " ", text)


def test_home_leads_to_the_only_club(client: Client, club: Club) -> None:
    assert client.get("/").headers["Location"] == "/clubs/harbour/"


def test_home_lists_public_clubs(client: Client, club: Club) -> None:
    ClubFactory.create(name="Other Club")
    ClubFactory.create(name="Secret Club", is_public=False)
    text = read(client, "home")
    assert "Harbour Gin Club Other Club" in text
    assert "Secret" not in text


def test_home_without_a_club_says_so(client: Client) -> None:
    assert "Nothing is here yet Begin your club" in read(client, "home")
    ClubFactory.create(is_public=False)
    assert "No club shows its pages yet." in read(client, "home")


def test_club_and_season_list_events_with_who_is_first(client: Client, matches: list[Match]) -> None:
    said = "Hollywood League 4 players · round 2 of 2 · 11 December first Ann 2"
    assert said in read(client, "season", "harbour", "winter")
    assert said in read(client, "club_events", "harbour")
    # On the club's page with the matches that are played now.
    assert "Ann leads" in read(client, "club", "harbour")


def test_table_has_signed_figures_and_the_chip(client: Client, matches: list[Match]) -> None:
    text = read(client, "event", "harbour", "league")
    assert re.search(r"1 Ann (by net )?1 1–0–0 3 \+994 2 ", text)
    assert "4 Bob 1 0–0–1 0 −994 0 " in text
    assert "by net" in text
    assert "Round 2 of 2 · three games to 100 · Winter · as of" in text
    assert "3 matches are still to be played." in text


def test_a_number_is_never_negative_with_a_hyphen(client: Client, matches: list[Match]) -> None:
    text = read(client, "event", "harbour", "league")
    assert not re.search(r" -\d", text)


def test_time_of_the_table_is_the_clubs(client: Client, event: Event, matches: list[Match]) -> None:
    Event.objects.filter(pk=event.pk).update(
        standings_at=datetime.datetime(2025, 12, 11, 23, 41, tzinfo=datetime.UTC)
    )
    text = read(client, "event", "harbour", "league")
    assert "as of Friday 12 December 2025, 00:41" in text
    assert "Times are those of Europe/Paris." in text


def test_page_says_while_the_table_waits(client: Client, matches: list[Match], event: Event) -> None:
    assert "being recalculated" not in read(client, "event", "harbour", "league")
    StandingsRequest.objects.create(event=event)
    assert "being recalculated" in read(client, "event", "harbour", "league")


def test_adjustments_are_footnotes(client: Client, matches: list[Match], event: Event) -> None:
    ann = event.entries.get(name="Ann")
    for points, reason in ((-1, "late for round 1"), (-2, "late again")):
        Adjustment.objects.create(
            event=event, entry=ann, points=points, reason=reason, **Adjustment.actor_fields(OPERATOR)
        )
    refresh_table(event)
    text = read(client, "event", "harbour", "league")
    assert "−1 †‡" in text
    assert "† Ann: 1 point deducted: late for round 1" in text
    assert "‡ Ann: 2 points deducted: late again" in text


def test_table_says_how_ties_are_decided(client: Client, event: Event) -> None:
    text = read(client, "event", "harbour", "league")
    assert (
        "Match points (2 for a sheet won, 1 for a draw) Net Columns won Result among those tied Lot" in text
    )


def test_entries_without_a_row_are_listed(client: Client, matches: list[Match], event: Event) -> None:
    EntryFactory.create(event=event, name="Late Comer")
    assert "– Late Comer 0" in read(client, "event", "harbour", "league")


def test_withdrawn_entries_are_marked(client: Client, matches: list[Match], event: Event) -> None:
    event.entries.filter(name="Dee").update(withdrawn_at=datetime.datetime(2025, 12, 5, tzinfo=datetime.UTC))
    assert "Dee withdrawn" in read(client, "event", "harbour", "league")


def test_who_still_plays_stands_beside_the_table(client: Client, matches: list[Match]) -> None:
    text = read(client, "event", "harbour", "league")
    beside = text[text.index("Round 2, 11 December") :]
    # 20 and 40 in the first game, 40 in the second, three boxes; 30 and a box for Cid.
    assert "Ann +120 deal 3 Ann v Cid Cid playing" in beside
    assert "Bob v Bob v Dee Dee" in beside
    assert "Still to play" in beside
    assert "1 Cid v Cid v Dee Dee" in beside


def test_tonights_round_is_called_so(client: Client, matches: list[Match], event: Event) -> None:
    today = datetime.datetime.now(event.club.zone).date()
    event.rounds.filter(number=1).update(date=today)
    assert "Tonight, round 1" in read(client, "event", "harbour", "league")


def test_rounds_say_how_far_they_are(client: Client, matches: list[Match]) -> None:
    text = read(client, "event_rounds", "harbour", "league")
    assert "1 Thursday 4 December 2025 Thu 4 Dec 2025 1 of 2 not complete" in text
    assert "2 Thursday 11 December 2025 Thu 11 Dec 2025 0 of 2 playing" in text


def test_a_round_lists_its_matches(client: Client, matches: list[Match]) -> None:
    text = read(client, "round", "harbour", "league", 1)
    assert "1 Ann 3 – 0 Ann v Bob Bob +994 " in text
    assert "2 Cid v Cid v Dee Dee" in text
    assert "Round 2 →" in text


@pytest.mark.parametrize(
    ("state", "winner", "words", "on_match"),
    [
        (MatchState.FORFEIT, 0, "forfeit", "Forfeited: the match goes to Bob."),
        (MatchState.WALKOVER, 1, "walkover", "Walkover: the match goes to Dee."),
        (MatchState.FORFEIT, None, "forfeit", "Forfeited by both sides."),
        (MatchState.WALKOVER, None, "walkover", "Neither side came: a walkover for nobody."),
    ],
)
def test_unplayed_is_not_nil_nil(
    client: Client, matches: list[Match], state: str, winner: int | None, words: str, on_match: str
) -> None:
    Match.objects.filter(pk=matches[3].pk).update(state=state, winner_side=winner)
    assert f"2 Bob v Bob v Dee Dee {words}" in read(client, "round", "harbour", "league", 2)
    assert on_match in read(client, "match", "harbour", "league", matches[3].code)


def test_a_bye_is_named(client: Client, event: Event) -> None:
    match = MatchFactory.create(
        event=event, entry_b=None, entry_a=EntryFactory.create(event=event, name="Eve")
    )
    assert "1 Eve bye" in read(client, "round", "harbour", "league", 1)
    assert "Eve has a bye in this round." in read(client, "match", "harbour", "league", match.code)


def test_players_are_listed_with_what_they_played(client: Client, matches: list[Match]) -> None:
    text = read(client, "players", "harbour")
    assert "Ann 1 1 4 Dec 2025 Bob 1 0 4 Dec 2025 Cid 0 0 Dee 0 0" in text


def test_a_player_has_record_and_shares_of_hands(client: Client, matches: list[Match]) -> None:
    text = read(client, "player", "harbour", Player.objects.get(name="Ann").code)
    assert "Hollywood League 1 of 4 1 1–0–0" in text
    assert "Won, drawn, lost 1–0–0 Share won 100.0% Columns won and lost 3–0" in text
    assert "Hands Played 3 Won 100.0% 3 Gin 0.0% 0 Undercut 0.0% 0" in text
    assert "Cid playing" in text


def test_a_merged_player_leads_to_who_it_is(client: Client, club: Club) -> None:
    kept = PlayerFactory.create(club=club, name="Ann")
    merged = PlayerFactory.create(club=club, name="Anne", merged_into=kept)
    response = client.get(reverse("player", args=["harbour", merged.code]))
    assert response.headers["Location"] == reverse("player", args=["harbour", kept.code])
    assert "Anne" not in read(client, "players", "harbour")


def test_names_are_escaped(client: Client, event: Event) -> None:
    entry = EntryFactory.create(event=event, name="<b>Ann</b>+<i>Bob")
    MatchFactory.create(event=event, entry_a=entry)
    for name, args in (("event", ()), ("event_rounds", ()), ("round", (1,))):
        content = client.get(reverse(name, args=["harbour", "league", *args])).content.decode()
        assert "<b>" not in content
        assert "<i>" not in content
