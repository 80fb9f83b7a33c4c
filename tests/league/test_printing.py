"""The league's PDFs: the table, and the blank sheets of a round."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Event, MatchState
from league.printing import standings_pdf
from league.selectors.tables import event_table
from league.services.standings import recalculate, request_standings
from tests.factories import EntryFactory, EventFactory, MatchFactory, RoundFactory, big_event, house_rules

pytestmark = pytest.mark.django_db


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", pdf))


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


def test_a_round_that_is_not_drawn_prints_a_page_that_says_so(client: Client) -> None:
    event = EventFactory.create()
    RoundFactory.create(event=event, number=1)
    assert pages(sheets(client, event)) == 1


def test_names_in_any_alphabet_print(client: Client) -> None:
    event = EventFactory.create(name="Žižkov ♠ 雀荘", rules=house_rules(columns=4), team_size=2)
    entries = [EntryFactory.create(event=event, name=name) for name in ("Dvořák+Ωμέγα", "Жуков+山田 🂡")]
    MatchFactory.create(
        event=event, entry_a=entries[0], entry_b=entries[1], round=RoundFactory.create(event=event, number=1)
    )
    assert pages(sheets(client, event)) == 1
    response = client.get(reverse("event_standings_pdf", args=[event.club.slug, event.slug]))
    assert pages(response.content) == 1


def test_a_long_table_goes_over_pages() -> None:
    event = big_event(entries=90, matches=90, sheets=False)
    request_standings(event.pk)
    recalculate(event.pk)
    event.refresh_from_db()
    assert pages(standings_pdf(event, event_table(event), recalculating=True)) == 3
