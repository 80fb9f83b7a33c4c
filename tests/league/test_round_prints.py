"""What a round needs on paper: pairings for the wall, who sits where, and result slips."""

import datetime
import re
from collections.abc import Iterable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.draws.pairings import round_pairings
from league.models import Club, Entry, Event, Match, MatchState, Role, Round, RoundState
from league.policy.naming import AS_WRITTEN
from scoring.paper.pdf import Document
from tests.factories import (
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    big_event,
    house_rules,
)
from tests.league.bracket_play import cup, win
from tests.league.bracket_play import drawn as bracket_drawn
from tests.pdf_text import pages, texts

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_movements")]

PRINTS = ("round_print", "pairings_pdf", "slips_pdf")


@pytest.fixture
def event() -> Event:
    return EventFactory.create(club=ClubFactory.create(slug="harbour"), slug="open", name="Open")


def drawn(event: Event, *pairs: tuple[str, str]) -> Round:
    round_: Round = RoundFactory.create(event=event, number=1)
    for a, b in pairs:
        entries = [EntryFactory.create(event=event, name=name) for name in (a, b)]
        MatchFactory.create(event=event, round=round_, entry_a=entries[0], entry_b=entries[1])
    return round_


def printed(client: Client, name: str, **headers: str) -> bytes:
    response = client.get(reverse(name, args=["harbour", "open", 1]), headers=headers)
    assert response.status_code == 200
    return bytes(response.content)


def _names(entries: Iterable[Entry]) -> str:
    return " + ".join(entry.name for entry in entries)


def test_everyone_finds_their_table_by_name(event: Event) -> None:
    round_ = drawn(event, ("Dee", "Ann"), ("Cid", "Bob"))
    MatchFactory.create(
        event=event, round=round_, entry_a=EntryFactory.create(event=event, name="Eve"), entry_b=None
    )
    found = round_pairings(round_, AS_WRITTEN)
    assert [(seat.name(AS_WRITTEN), seat.match.table, _names(seat.against)) for seat in found.seats] == [
        ("Ann", 1, "Dee"),
        ("Bob", 2, "Cid"),
        ("Cid", 2, "Bob"),
        ("Dee", 1, "Ann"),
        ("Eve", 3, ""),
    ]
    assert [match.table for match in found.matches] == [1, 2]
    assert [str(match) for match in found.sitting_out] == ["Eve has a bye"]


def test_members_of_a_team_are_found_by_their_own_names(event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(kind="team", team_size=2)
    event.refresh_from_db()
    found = round_pairings(drawn(event, ("Harbour Lights", "Cid+Dee")), AS_WRITTEN)
    assert [
        (seat.name(AS_WRITTEN), _names(seat.plays_for), _names(seat.against)) for seat in found.seats
    ] == [
        ("Cid+Dee 1", "Cid+Dee", "Harbour Lights"),
        ("Cid+Dee 2", "Cid+Dee", "Harbour Lights"),
        ("Harbour Lights 1", "Harbour Lights", "Cid+Dee"),
        ("Harbour Lights 2", "Harbour Lights", "Cid+Dee"),
    ]


def test_partners_that_rotate_are_both_named(client: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="rotation", team_size=2)
    ann, bob, cid, dee = (
        EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dee")
    )
    match = MatchFactory.create(event=event, entry_a=ann, entry_b=bob)
    Match.objects.filter(pk=match.pk).update(partner_a=cid, partner_b=dee)
    said = texts(printed(client, "pairings_pdf"))
    assert " ".join(said[3:]).startswith("1 Ann + Cid v Bob + Dee ")
    assert "Ann + Cid v Bob + Dee" in texts(printed(client, "slips_pdf"))


def test_a_wall_sheet_has_the_tables_and_then_the_names(client: Client, event: Event) -> None:
    drawn(event, ("Dee", "Ann"))
    Match.objects.update(planned_on=datetime.date(2026, 1, 20))
    pdf = printed(client, "pairings_pdf")
    assert pages(pdf) == 2
    head = (event.club.name, "Open", "Round 1 · Wednesday 7 January 2026")
    assert texts(pdf) == [
        *(*head, "1", "Dee", "v Ann", "20 Jan"),
        *(*head, "Who sits where", "1", "Ann", "v Dee", "1", "Dee", "v Ann"),
    ]


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    """The documents that are finished, in order."""
    noted: list[Document] = []
    finished = Document.finished

    def note(document: Document) -> bytes:
        noted.append(document)
        return finished(document)

    monkeypatch.setattr(Document, "finished", note)
    return noted


def _sizes(paper: Document) -> list[float]:
    """The type of every text of a paper, in points."""
    sizes, size = [], 0.0
    for stroke, arguments in paper._strokes:
        if stroke == "set_font":
            size = arguments[2]
        elif stroke == "line_at":
            sizes.append(size)
    return sizes


def _paper(pdf: bytes) -> set[tuple[int, int]]:
    """The papers of a PDF in millimetres."""
    return {
        (round(float(width) * 0.3528), round(float(height) * 0.3528))
        for width, height in re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", pdf)
    }


def test_a_wall_sheet_is_a3_where_that_is_asked_for(client: Client, event: Event) -> None:
    drawn(event, ("Dee", "Ann"))
    address = reverse("pairings_pdf", args=["harbour", "open", 1])
    found = [client.get(f"{address}{asked}") for asked in ("", "?paper=a4", "?paper=a3", "?paper=a5")]
    assert [each.status_code for each in found] == [200, 200, 200, 404]
    assert [{tuple(sorted(each)) for each in _paper(one.content)} for one in found[:3]] == [
        {(210, 297)},
        {(210, 297)},
        {(297, 420)},
    ]


@pytest.mark.parametrize("count", [1, 20])
def test_names_on_the_wall_are_never_small_or_cut(
    client: Client, event: Event, papers: list[Document], count: int
) -> None:
    long = "Bartholomew Featherstonehaugh of the " + "W" * 40
    drawn(event, *[(f"{long} {number}", f"Ann {number}") for number in range(count)])
    said = "".join(texts(printed(client, "pairings_pdf"))).replace(" ", "")
    # 12 points are the club's name alone.
    assert min(size for size in _sizes(papers[-1]) if size != 12) >= 18
    # By table, by name, and beside the opponent's name.
    assert said.count(long.replace(" ", "")) == 3 * count
    assert "…" not in said


def test_fewer_tables_have_larger_type(client: Client, event: Event, papers: list[Document]) -> None:
    drawn(event, *[(f"A{number}", f"B{number}") for number in range(25)])
    printed(client, "pairings_pdf")
    Match.objects.filter(table__gt=3).delete()
    assert pages(printed(client, "pairings_pdf")) == 2
    many, few = papers
    assert max(_sizes(few)) == 48 > max(_sizes(many))


def test_few_tables_fill_a3_as_they_fill_a4(client: Client, event: Event, papers: list[Document]) -> None:
    """The last line stands near the foot of either sheet, and the type grows with the paper."""
    drawn(event, *[(f"A{number}", f"B{number}") for number in range(4)])
    address = reverse("pairings_pdf", args=["harbour", "open", 1])
    for paper in ("a4", "a3"):
        assert client.get(f"{address}?paper={paper}").status_code == 200
    for printed_on, height in zip(papers, (297, 420), strict=True):
        lowest = max(arguments[3] for stroke, arguments in printed_on._strokes if stroke == "line")
        assert lowest / height > 0.9, height
    # The names, and the club's in the head.
    for extreme in (max, min):
        a4, a3 = (extreme(_sizes(paper)) for paper in papers)
        assert a3 / a4 == pytest.approx(2**0.5, abs=0.03)


def test_papers_show_the_events_page_to_telephones(
    client: Client, event: Event, papers: list[Document]
) -> None:
    drawn(event, ("Dee", "Ann"))
    for name in ("pairings_pdf", "blank_sheets_pdf", "slips_pdf", "event_standings_pdf", "crosstable_pdf"):
        of_round = name in ("pairings_pdf", "blank_sheets_pdf", "slips_pdf")
        address = reverse(name, args=["harbour", "open", *([1] if of_round else [])])
        for host, codes in (
            ("testserver", {"http://testserver/clubs/harbour/events/open/"}),
            ("localhost", set()),
        ):
            assert client.get(address, headers={"Host": host}).status_code == 200
            found = {arguments[3] for stroke, arguments in papers[-1]._strokes if stroke == "qr"}
            assert {each for each in found if "/matches/" not in each} == codes
            # Smaller ones are hard to read from a hand's distance.
            assert all(arguments[2] >= 15 for stroke, arguments in papers[-1]._strokes if stroke == "qr")


@pytest.mark.parametrize("name", ["slips_pdf", "blank_sheets_pdf"])
def test_where_each_of_two_codes_leads_is_said_below_it(client: Client, event: Event, name: str) -> None:
    drawn(event, ("Dee", "Ann"))
    told = {"this match", "the event"}
    assert told <= set(texts(printed(client, name)))
    assert not told & set(texts(printed(client, name, host="localhost")))


def test_a_large_round_goes_over_pages_with_everyone_on_them(client: Client, event: Event) -> None:
    big_event(entries=200, matches=100, event=event)
    with CaptureQueriesContext(connection) as queries:
        pdf = printed(client, "pairings_pdf")
    assert len(queries) < 8
    assert pages(pdf) > 4
    assert {f"open {number:04}" for number in range(200)} <= set(texts(pdf))


def test_slips_have_a_row_for_each_game_and_a_signature_for_each_side(client: Client, event: Event) -> None:
    drawn(event, ("Dee", "Ann"))
    label = Match.objects.get().label
    assert texts(printed(client, "slips_pdf")) == [
        *("this match", label, "Dee v Ann"),
        "Open · round 1 · 7 January 2026 · table 1 · three games to 100",
        *("Game", "Dee", "Ann", "won by", "by points"),
        *("I", "II", "III"),
        *("the event", "net", "to", "signed: Dee", "signed: Ann"),
    ]


def test_a_round_without_a_day_has_room_to_write_it(client: Client, event: Event) -> None:
    drawn(event, ("Dee", "Ann"))
    Round.objects.update(date=None)
    assert f"Round 1 · date {12 * '_'}" in texts(printed(client, "pairings_pdf"))
    assert any(f" · date {12 * '_'} · table 1" in words for words in texts(printed(client, "slips_pdf")))


def test_slips_are_there_for_all_sheets_a_tie_may_take(client: Client, club: Club) -> None:
    event = cup(club, 4, best_of=3)
    first = first_labels(event)

    def labels() -> list[str]:
        response = client.get(reverse("slips_pdf", args=[club.slug, event.slug, 1]))
        return [words for words in texts(response.content) if words.startswith(tuple(first))]

    whole = [f"{label}{leg}" for label in first for leg in ("", ".2", ".3")]
    assert sorted(labels()) == sorted(whole)
    win(event, 1, "E1")
    # The second sheet is a match by now.
    assert sorted(labels()) == sorted(whole)
    win(event, 1, "E1", leg=2)
    assert sorted(labels()) == sorted([one for one in whole if not one.startswith(f"{first[0]}.3")])


def first_labels(event: Event) -> list[str]:
    """The labels of the first round's sheets, in order of ties."""
    matches = bracket_drawn(event).matches.order_by("tie__number")
    return list(matches.values_list("label", flat=True))


@pytest.mark.parametrize(("games", "matches", "sheets"), [(3, 4, 1), (3, 5, 2), (1, 5, 1), (12, 3, 2)])
def test_as_many_slips_stand_on_a_page_as_fit(
    client: Client, event: Event, games: int, matches: int, sheets: int
) -> None:
    Event.objects.filter(pk=event.pk).update(rules=house_rules(columns=games))
    drawn(event, *[(f"A{number}", f"B{number}") for number in range(matches)])
    assert pages(printed(client, "slips_pdf")) == sheets


def test_what_is_not_played_has_no_slip(client: Client, event: Event) -> None:
    round_ = drawn(event, ("Dee", "Ann"))
    MatchFactory.create(event=event, round=round_, entry_b=None)
    Match.objects.filter(entry_b__isnull=False).update(state=MatchState.WALKOVER, winner_side=0)
    assert texts(printed(client, "slips_pdf")) == ["There is no slip to print in this round."]


def test_a_slip_has_a_code_that_leads_to_its_match_where_others_can_open_it(
    client: Client, event: Event, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["gin.example", "localhost"]
    drawn(event, ("Dee", "Ann"))
    here = printed(client, "slips_pdf", host="localhost")
    there = printed(client, "slips_pdf", host="gin.example")
    assert len(there) > len(here) + 500


@pytest.mark.parametrize("name", PRINTS)
def test_a_drafted_round_is_printed_for_directors_only(client: Client, event: Event, name: str) -> None:
    drawn(event, ("Dee", "Ann"))
    Round.objects.update(state=RoundState.DRAFTED)
    address = reverse(name, args=["harbour", "open", 1])
    assert client.get(address).status_code == 404
    client.force_login(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("name", PRINTS)
def test_a_round_that_is_not_drawn_says_so(client: Client, event: Event, name: str) -> None:
    RoundFactory.create(event=event, number=1)
    assert client.get(reverse(name, args=["harbour", "open", 1])).status_code == 200
