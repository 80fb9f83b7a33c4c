"""The league's PDFs: the table, and the blank sheets of a round."""

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.models import Event, MatchState
from league.pages.printing.standings import standings_pdf
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.factories import (
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    big_event,
    count_table,
    house_rules,
    play,
)
from tests.pdf_text import pages, texts

pytestmark = pytest.mark.django_db


def sheets(client: Client, event: Event) -> bytes:
    response = client.get(reverse("blank_sheets_pdf", args=[event.club.slug, event.slug, 1]))
    assert response.headers["Content-Type"] == "application/pdf"
    assert response.headers["Content-Disposition"] == f'inline; filename="{event.slug}-1-sheets.pdf"'
    return response.content


def test_a_round_has_a_sheet_for_every_match_of_two(client: Client) -> None:
    event = EventFactory.create()
    round_ = RoundFactory.create(event=event, number=1)
    for _ in range(5):
        MatchFactory.create(event=event, round=round_)
    MatchFactory.create(event=event, round=round_, entry_b=None)
    assert pages(sheets(client, event)) == 3
    event.matches.filter(table__lte=3).update(state=MatchState.WALKOVER)
    assert pages(sheets(client, event)) == 1


@pytest.mark.parametrize("without", [(0,), (1,), (0, 1)])
def test_a_squad_whose_line_up_is_not_set_has_empty_seats(client: Client, without: tuple[int, ...]) -> None:
    event = EventFactory.create(team_size=2)
    sides = []
    for name, size in (("Aces", 3), ("Boxes", 2)):
        players = [PlayerFactory.create(club=event.club, name=f"{name} {number}") for number in range(size)]
        sides.append(EntryFactory.create(event=event, name=name, players=players))
    round_ = RoundFactory.create(event=event, number=1)
    match = MatchFactory.create(event=event, round=round_, entry_a=sides[0], entry_b=sides[1])
    match.appearances.filter(side__in=without).delete()
    seats = [words for words in texts(sheets(client, event)) if words.startswith("1 ")]
    assert [words.startswith("1 ___") for words in seats] == [side in without for side in (0, 1)]
    slips = client.get(reverse("slips_pdf", args=[event.club.slug, event.slug, 1]))
    assert not any(words.startswith(" v ") or words.endswith(" v ") for words in texts(slips.content))


def test_a_round_that_is_not_drawn_prints_a_page_that_says_so(client: Client) -> None:
    event = EventFactory.create()
    RoundFactory.create(event=event, number=1)
    assert texts(sheets(client, event)) == ["There is no sheet to print in this round."]


def test_names_in_any_alphabet_print(client: Client) -> None:
    event = EventFactory.create(name="Žižkov ♠ 雀荘", rules=house_rules(columns=4), team_size=2)
    entries = [EntryFactory.create(event=event, name=name) for name in ("Dvořák+Ωμέγα", "Жуков+山田 🂡")]
    MatchFactory.create(
        event=event, entry_a=entries[0], entry_b=entries[1], round=RoundFactory.create(event=event, number=1)
    )
    blanks = sheets(client, event)
    assert pages(blanks) == 1
    # No font has the playing card.
    assert {"Dvořák+Ωμέγα", "Жуков+山田"} <= {words.rstrip(" \0") for words in texts(blanks)}
    assert "Žižkov ♠ 雀荘, round 1, 7 January 2026 · 4 games to 125" in texts(blanks)
    response = client.get(reverse("event_standings_pdf", args=[event.club.slug, event.slug]))
    assert pages(response.content) == 1
    assert event.name in texts(response.content)


def test_the_printed_table_has_the_rows_of_the_event() -> None:
    event = EventFactory.create(criteria=["match_points", "net"])
    ann, bob, cid = (EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid"))
    for entry, points in ((ann, 40), (cid, 60)):
        play(MatchFactory.create(event=event, entry_a=entry, entry_b=bob), points, stopped=True)
    recalculate(event.pk)
    event.refresh_from_db()
    said = texts(standings_pdf(event, event_table(event, AS_WRITTEN), AS_WRITTEN, recalculating=False))
    # One hand and its box: 60+25 and 40+25; level on points, so the net decides.
    # Cid came past Ann in the second round.
    first = said.index("Cid") - 2
    assert said[first : first + 25] == [
        *("1", "1", "Cid", "1", "1–0–0", "1", "+85", "2", "by net"),
        *("2", "1", "Ann", "1", "1–0–0", "1", "+65", "2"),
        *("3", "Bob", "2", "0–0–2", "0", "−150", "0"),
        "Ties are decided by: Match points · Net.",
    ]
    assert not any("being recalculated" in words for words in said)


def test_a_long_table_goes_over_pages() -> None:
    event = big_event(entries=90, matches=90, sheets=False)
    count_table(event.pk)
    event.refresh_from_db()
    pdf = standings_pdf(event, event_table(event, AS_WRITTEN), AS_WRITTEN, recalculating=True)
    assert pages(pdf) == 3
    said = texts(pdf)
    assert said.count("Player") == 3
    assert [words for words in said if words.startswith(f"{event.slug} ")] == [
        row.named.name for row in event_table(event, AS_WRITTEN).rows
    ]
    assert any(words.endswith("being recalculated") for words in said)
