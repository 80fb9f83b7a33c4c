"""The page of a match: the sheet in full, what the paper says, signatures and corrections."""

import html
import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import ColumnOrder, Match
from scoring.core.hands import Outcome
from scoring.core.rules import Rules
from scoring.core.sheets import VOID
from scoring.documents.sheets import read_deals
from scoring.models import Scoresheet
from scoring.services import (
    accept_difference,
    correct_deals,
    record_deals,
    sign_sheet,
    void_sheet,
)
from scoring.services.records import kept_sheet
from scoring.typing.paper_figures import Paper
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, house_rules, won

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    """A finished sheet of three games: Ann 105, Bob 12 with gin, Ann 95, 101."""
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league", rules=house_rules())
    match: Match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="Ann"),
        entry_b=EntryFactory.create(event=event, name="Bob"),
        label="HL1-1",
    )
    record(match, won("Ann", "Bob", 105), won("Bob", "Ann", 12, mark=Outcome.GIN), won("Ann", "Bob", 104))
    return match


def sheet_of(match: Match) -> Scoresheet:
    assert match.sheet is not None
    return Scoresheet.objects.get(pk=match.sheet.pk)


def record(match: Match, *deals: object, **options: object) -> None:
    record_deals(actor=OPERATOR, sheet=sheet_of(match), deals=deals, **options)  # type: ignore[arg-type]


def read(client: Client, match: Match) -> str:
    response = client.get(reverse("match", args=["harbour", "league", match.code]))
    assert response.status_code == 200
    text = re.sub(r"<head>.*?</head>", " ", response.content.decode(), flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", text)))


def test_sheet_is_shown_in_full(client: Client, match: Match) -> None:
    record(match, won("Ann", "Bob", 100))
    text = read(client, match)
    assert "Ann v Bob" in text
    assert "HL1-1 · three games to 100" in text
    assert (
        "1 Ann 105 105 Ann 105 2 Bob, gin 12 gin closed closed 12 Bob, gin 12"
        " 3 Ann 104 closed closed 104 Ann 104 4 Ann 100"
    ) in text
    assert "Ann +330" in text
    assert "House rules Standard, version 1 · three games to 100 Knock with 10 or less." in text


def test_open_games_say_what_they_need(client: Client, match: Match) -> None:
    text = read(client, match)
    assert "open, needs 100" in text
    assert "So far" in text


def test_columns_follow_the_clubs_order(client: Client, match: Match) -> None:
    match.event.club.column_order = ColumnOrder.BY_SIDE
    match.event.club.save()
    text = read(client, match)
    assert "Ann Bob # hand I II III I II III" in text


def test_a_difference_holds_the_match_back(client: Client, match: Match) -> None:
    record(match, won("Ann", "Bob", 100), paper=Paper(net=1000, lines=5))
    text = read(client, match)
    # I: 105+25+100+100 = 330, II: 104+25+100 − (12+25) = 192, III: 100+25+100+100 = 325.
    assert "Being checked." in text
    assert "Net: the sheet gives Ann +847, the paper Ann +1,000." in text
    assert "Rows: the sheet has 4, the paper 5." in text
    assert "Not settled yet." in text


def test_an_accepted_difference_stays_visible(client: Client, match: Match) -> None:
    record(match, won("Ann", "Bob", 100), paper=Paper(net=-96))
    accept_difference(actor=OPERATOR, sheet=sheet_of(match), reason="Added wrongly at the table.")
    text = read(client, match)
    assert "the paper Bob +96." in text
    assert "The computed result counts. Accepted by The tests" in text
    assert "Added wrongly at the table." in text
    assert "Being checked." not in text


def test_a_paper_that_agrees_says_so(client: Client, match: Match) -> None:
    record(match, won("Ann", "Bob", 100), paper=Paper(lines=4))
    assert "What the paper says The same as the sheet." in read(client, match)


def test_signatures_lapse_with_a_correction(client: Client, match: Match) -> None:
    record(match, won("Ann", "Bob", 100))
    assert "Signatures Not signed." in read(client, match)
    sign_sheet(actor=OPERATOR, sheet=sheet_of(match))
    assert "Ann on the paper, seen by The tests" in read(client, match)
    correct_deals(
        actor=OPERATOR, sheet=sheet_of(match), changes={2: won("Bob", "Ann", 21)}, reason="read as 12"
    )
    assert "Signed before it was changed; the change is not signed." in read(client, match)


def test_history_says_that_time_was_called(client: Client, match: Match) -> None:
    sheet = sheet_of(match)
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Ann", "Bob", 20)])
    record_deals(actor=OPERATOR, sheet=sheet, deals=[], stopped=True)
    text = read(client, match)
    history = text[text.index("History of the sheet") :]
    assert history.index("Time called") < history.index("1 deal recorded")
    assert "Deals recorded" not in history


def test_history_says_who_when_why_and_what(client: Client, match: Match) -> None:
    correct_deals(
        actor=OPERATOR,
        sheet=sheet_of(match),
        changes={2: won("Bob", "Ann", 21, mark=Outcome.UNDERCUT), 3: VOID, 4: won("Ann", "Bob", 7)},
        reason="Two rows were mixed up.",
    )
    text = read(client, match)
    history = text[text.index("History of the sheet") :]
    assert history.index("Corrected") < history.index("3 deals recorded")
    assert "Two rows were mixed up." in history
    assert "Deal 2: Bob, gin 12 → Bob, undercut 21" in history
    assert "Deal 3: Ann 104 → struck out" in history
    assert "Deal 4: Ann 7" in history


def test_a_voided_sheet_stays_readable(client: Client, match: Match) -> None:
    void_sheet(actor=OPERATOR, sheet=sheet_of(match), reason="Wrong opponents.")
    text = read(client, match)
    assert "This sheet was voided. The tests" in text
    assert "Wrong opponents." in text
    assert "1 Ann 105 105" in text


def test_a_match_without_sheet_says_so(client: Client, match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(sheet=None)
    assert "There is no sheet of this match." in read(client, match)


def test_an_empty_sheet_says_so(client: Client, match: Match) -> None:
    empty: Match = MatchFactory.create(event=match.event, round=match.round)
    assert "Nothing is on the sheet yet." in read(client, empty)


def test_a_sheet_keeps_the_rules_it_was_scored_by(client: Client, match: Match) -> None:
    match.event.rules = house_rules("continental", columns=1)
    match.event.save()
    assert "Bonuses: gin 25, big gin 31, undercut 25." in read(client, match)


def test_a_teams_sheet_shows_both_tables(client: Client) -> None:
    event = EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="league", team_size=2)
    match: Match = MatchFactory.create(
        event=event,
        entry_a=EntryFactory.create(event=event, name="We"),
        entry_b=EntryFactory.create(event=event, name="They"),
    )
    knock = {"kind": "knock", "knocker_deadwood": 4, "defender_deadwood": 20}
    deals = [
        {
            "hands": [
                knock | {"knocker": "We 1", "defender": "They 1"},
                {"kind": "gin", "knocker": "They 2", "defender": "We 2", "defender_deadwood": 3},
            ]
        },
        {"line": {"winner": "We", "points": 30}},
    ]
    record(match, *read_deals(deals, kept_sheet(sheet_of(match)).sides, Rules()))
    text = read(client, match)
    assert "We 1 knocks 4–20: 16" in text
    assert "They 2, gin 28" in text
    assert "We 30" in text
    assert "Line-ups We: We 1 , We 2 They: They 1 , They 2" in text
    assert "three games to 125" in text
