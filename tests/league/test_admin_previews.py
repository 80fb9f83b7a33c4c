"""Previews promise nothing that the confirmation refuses: every act is rehearsed before it is shown."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import Model
from django.test import Client, RequestFactory

from league.errors import LeagueError
from league.models import EventState, RoundState
from tests.clients import logged_in
from tests.factories import EntryFactory, EventFactory
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.test_admin_acts import (
    CASES,
    apart,
    in_state,
    played,
    registered,
    round_in,
    substitute,
    swap,
    voided,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("mails")]

Case = Callable[[], tuple[Model, dict[str, Any]]]

PREVIEWED = sorted(key for key, found in registered().items() if found.act.preview is not None)


@pytest.fixture
def root(db: None) -> Client:
    return logged_in(User.objects.create_superuser("root"))


def test_preview_is_the_first_page_where_nothing_is_asked(root: Client) -> None:
    event = EventFactory.create(state=EventState.OPEN, format="swiss")
    EntryFactory.create_batch(4, event=event)
    before = contents()
    shown = text(root.get(page("event", event, "start")))
    assert "4 entries, Swiss." in shown
    assert "_confirm" in shown
    assert contents() == before
    event.entries.all().delete()
    refused = text(root.get(page("event", event, "start")))
    assert "_confirm" not in refused
    assert "Nothing was changed." in refused


@pytest.mark.dear("tries every act that can be refused")
@pytest.mark.parametrize(("name", "slug"), PREVIEWED)
def test_whatever_refuses_an_act_refuses_its_preview(root: Client, name: str, slug: str) -> None:
    """Even at its very end; a long act is rehearsed until it begins to write."""
    row, data = CASES[name, slug]()
    found = registered()[name, slug]
    before = contents()
    shown = root.post(page(name, row, slug.replace("-", "_")), data)
    assert shown.status_code == 200
    assert "_confirm" in text(shown)
    # What is shown before the deed says what will be, not what is.
    said = " ".join(map(str, shown.context["preview"].sentences))
    assert re.search(r"\bwill\b", said), said
    assert contents() == before

    def refuse(*args: Any) -> str:
        if not found.act.long:
            found.act.run(*args)
        raise LeagueError("refused", "Refused at the very end.")

    request = RequestFactory().post("/", data)
    request.user = User.objects.get(username="root")
    answer = found.admin.act_view(request, str(row.pk), replace(found.act, run=refuse))
    assert answer.status_code == 422
    shown_again = answer.render().content.decode()  # type: ignore[attr-defined]
    assert "Refused at the very end." in shown_again
    assert "_confirm" not in shown_again
    assert contents() == before


def apart_from_itself() -> tuple[Model, dict[str, Any]]:
    event, data = apart()
    return event, data | {"other": data["one"]}


def apart_again() -> tuple[Model, dict[str, Any]]:
    event, data = apart()
    event.forbidden_pairs.create(entry_a_id=data["one"], entry_b_id=data["other"])  # type: ignore[attr-defined]
    return event, data | {"one": data["other"], "other": data["one"]}


def published_swap() -> tuple[Model, dict[str, Any]]:
    round_, data = swap()
    type(round_)._default_manager.filter(pk=round_.pk).update(state=RoundState.PUBLISHED)
    return round_, data


def from_deal(number: int) -> tuple[Model, dict[str, Any]]:
    match, data = substitute()
    return match, data | {"from_deal": str(number)}


def line_ups_of_a_begun_sheet() -> tuple[Model, dict[str, Any]]:
    match = played()
    assert match.entry_b is not None
    return match, {
        "seat_0_0": match.entry_a.players.get().pk,
        "seat_1_0": match.entry_b.players.get().pk,
    }


def draw_early() -> tuple[Model, dict[str, Any]]:
    event, _data = in_state(EventState.OPEN)
    return event, {"days_between": "7"}


REASON = {"reason": "so it is"}
REFUSED: dict[str, tuple[str, str, Case]] = {
    "apart from itself": ("event", "keep-apart", apart_from_itself),
    "apart twice, turned over": ("event", "keep-apart", apart_again),
    "a substitute from a deal far ahead": ("match", "substitute", lambda: from_deal(99)),
    "line-ups of a sheet that is played": ("match", "line-ups", line_ups_of_a_begun_sheet),
    "published already": ("round", "publish", lambda: round_in(RoundState.PUBLISHED)),
    "not complete": ("round", "reopen", lambda: round_in(RoundState.PUBLISHED)),
    "a draft is not closed": ("round", "complete", lambda: round_in(RoundState.DRAFTED, **REASON)),
    "a complete round as a draft": ("round", "unpublish", lambda: round_in(RoundState.COMPLETE)),
    "places in a published round": ("round", "swap", published_swap),
    "open already": ("event", "open", lambda: in_state(EventState.RUNNING)),
    "archived while it runs": ("event", "archive", lambda: in_state(EventState.RUNNING)),
    "reopened while it runs": ("event", "reopen", lambda: in_state(EventState.RUNNING)),
    "taken out of no archive": ("event", "unarchive", lambda: in_state(EventState.FINISHED)),
    "a running event as a draft": ("event", "to-draft", lambda: in_state(EventState.RUNNING)),
    "drawn before it starts": ("event", "draw", draw_early),
    "a statement that is none": ("match", "clear", lambda: (played(), REASON)),
    "voided twice": ("match", "void-sheet", lambda: (voided(), REASON)),
}


@pytest.mark.parametrize("what", REFUSED)
def test_preview_is_refused_where_the_deed_is(root: Client, what: str) -> None:
    name, slug, case = REFUSED[what]
    row, data = case()
    address = page(name, row, slug.replace("-", "_"))
    before = contents()
    shown = root.post(address, data)
    confirmed = root.post(address, data | {"_confirm": "1"})
    assert (shown.status_code, confirmed.status_code) == (422, 422)
    assert "Nothing was changed." in text(shown)
    assert contents() == before
