"""A telephone's write waits for who writes on its sheet, and is told so before it gives up."""

import threading
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.matches import table_links
from league.matches.table_links import make_links
from league.models import Match, TableLink
from league.phone import views
from scoring.services.acts import locked_sheet
from tests.factories import OPERATOR, MatchFactory
from tests.faults.threads import DEADLINE_SECONDS, at_once
from tests.kept import assert_derived

pytestmark = pytest.mark.django_db(transaction=True)


def test_entry_is_busy_after_a_while_and_is_taken_when_it_comes_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match: Match = MatchFactory.create()
    sheet = match.sheet
    assert sheet is not None
    client = Client(headers={"Accept": "application/json"})
    secret = make_links(actor=OPERATOR, match=match)[0][1]
    place = client.get(reverse("phone:table_open", args=[secret]))["Location"]
    deal = {"won-0": "0", "how-0": "knock", "by-0": "points", "points-0": "9", "number": "1", "key": "k"}
    monkeypatch.setattr(views, "_PATIENCE_SECONDS", 0.3)
    holding, refused = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            locked_sheet(sheet)
            holding.set()
            assert refused.wait(DEADLINE_SECONDS)

    def send() -> Any:
        assert holding.wait(DEADLINE_SECONDS)
        try:
            return client.post(f"{place}deals/", deal)
        finally:
            refused.set()

    busy = at_once([hold, send])[1]
    assert (busy.status_code, busy.json()["code"]) == (409, "busy")
    assert client.post(f"{place}deals/", deal).json()["next"] == 2
    assert assert_derived(sheet).deal_count == 1


def test_link_opens_while_somebody_else_writes_on_it(monkeypatch: pytest.MonkeyPatch) -> None:
    match: Match = MatchFactory.create()
    link, secret = make_links(actor=OPERATOR, match=match)[0]
    address = reverse("phone:table_open", args=[secret])
    monkeypatch.setattr(table_links, "_NOTED_WITHIN_SECONDS", 0.2)
    holding, opened = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            list(TableLink.objects.select_for_update().filter(pk=link.pk))
            holding.set()
            assert opened.wait(DEADLINE_SECONDS)

    def open_it() -> Any:
        assert holding.wait(DEADLINE_SECONDS)
        try:
            return Client().get(address)
        finally:
            opened.set()

    assert at_once([hold, open_it])[1].status_code == 302
    link.refresh_from_db()
    assert link.opened_at is None
    # The next opening is noted.
    assert Client().get(address).status_code == 302
    link.refresh_from_db()
    assert link.opened_at is not None
