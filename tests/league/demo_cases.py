"""The demo club as tests load it, through its door, and what it and the database tell of themselves."""

import datetime
from collections.abc import Iterator
from typing import Any

import time_machine
from django.apps import apps
from django.db.models.signals import post_save
from django.test import Client
from django.utils import timezone

from games.models import BotMatch
from league.core.pairing_reasons import reason_words
from league.demo import SHEETS
from league.models import (
    Club,
    Entry,
    Match,
    SeasonTable,
    Standing,
)
from league.people.beginning import new_code
from scoring.models import DealVersion

# What its removal leaves on purpose: who removed it, that its matches are gone, for those who follow, and how
# often anything was written.
LEFT = {"league.AuditEntry", "league.Deletion", "league.WriteCount"}

# The event of the demo that is played card by card.
ONLINE = "tonight-online"


def rows() -> dict[str, set[str]]:
    """All rows of all tables."""
    return {
        model._meta.label: set(map(str, model._base_manager.values_list()))
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and model._meta.label not in LEFT
    }


def loaded_in_the_browser() -> Club:
    """The demo, through its door; somebody presses twice, and looks while it is being loaded."""
    code, seen = new_code(), []

    def look(sender: object, created: bool, **_: Any) -> None:
        again = Client().post("/begin/demo/", {"code": code})
        assert (again.status_code, again.headers["Location"]) == (302, "/begin/demo/")
        told = Client().get("/begin/demo/progress/").json()
        assert f"{told['done']} of {SHEETS} sheets" in Client().get("/begin/demo/").text
        seen.append((told["done"], told["total"]))
        if sender is SeasonTable:
            # Whoever loads it may have been ended: after half a minute without news another may.
            with time_machine.travel(timezone.now() + datetime.timedelta(seconds=31)):
                assert Client().get("/begin/demo/progress/").json() == {}

    for kind in (Club, SeasonTable):
        post_save.connect(look, sender=kind)
    try:
        done = Client().post("/begin/demo/", {"code": code})
    finally:
        for kind in (Club, SeasonTable):
            post_save.disconnect(look, sender=kind)
    assert (done.status_code, done.headers["Location"]) == (302, "/")
    # At its very beginning, and when all but the last of it is done.
    (first, total), (last, _total) = seen
    assert (first, total) == (0, SHEETS)
    assert SHEETS // 2 < last <= SHEETS
    # Once it is there, one is led to it.
    assert Client().get("/begin/demo/").headers["Location"] == "/"
    assert Client().get("/begin/demo/progress/").json() == {}
    assert Client().post("/begin/demo/", {"code": code}).headers["Location"] == "/"
    assert "Begin your own club" in Client().get("/", follow=True).text
    return Club.objects.get(is_demo=True)


def told() -> list[Any]:
    """Names, pairings, hands, tables, what bots will play; codes in addresses and times are its own.

    So is what is played card by card: nobody can foresee its packs.
    """
    return [list(_matches()), list(_deals()), list(_tables()), list(_bot_matches())]


def _matches() -> Iterator[tuple[Any, ...]]:
    called = dict(Entry.objects.values_list("pk", "name"))
    rows = Match.objects.select_related("entry_a", "entry_b", "partner_a", "partner_b")
    for match in rows.exclude(event__slug=ONLINE).order_by("event_id", "label"):
        reasons = list(reason_words(match.reasons, called, str, str))
        yield match.label, str(match), match.state, match.net, match.boxes_a, reasons


def _deals() -> Iterator[tuple[Any, ...]]:
    rows = DealVersion.objects.exclude(sheet__match__event__slug=ONLINE)
    rows = rows.order_by("sheet_id", "number", "version")
    yield from rows.values_list("sheet__match__event__slug", "sheet__label", "number", "version", "body")


def _bot_matches() -> Iterator[tuple[Any, ...]]:
    rows = BotMatch.objects.order_by("due_at")
    yield from rows.values_list("sheet__label", "seed", "bots")


def _tables() -> Iterator[tuple[Any, ...]]:
    rows = Standing.objects.exclude(event__slug=ONLINE).order_by("event_id", "group", "position")
    yield from rows.values_list("event__slug", "entry__name", "rank", "points", "net")
