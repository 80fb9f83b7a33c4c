"""Drafts in the admin: scorekeepers find nothing of an event, a round or a bracket before it is published."""

from collections.abc import Callable

import pytest
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.draws.brackets import draw_bracket
from league.draws.round_life import draft_round, publish_round
from league.models import Club, Event, EventState, Match, Role, Round
from tests.clients import logged_in
from tests.factories import OPERATOR, EntryFactory, EventFactory, UserFactory
from tests.league.admin_pages import page, text

pytestmark = pytest.mark.django_db


def signed_in(club: Club, role: Role) -> Client:
    return logged_in(UserFactory.create(club=club, role=role))


def _event(club: Club, format: str) -> Event:
    event: Event = EventFactory.create(club=club, name="Secret Cup", format=format)
    for seed in range(1, 6):
        EntryFactory.create(event=event, name=f"Hidden {seed}", seed=seed)
    return event


def draft_event(club: Club) -> dict[str, Model]:
    event = _event(club, "swiss")
    Event.objects.filter(pk=event.pk).update(state=EventState.DRAFT)
    return {"event": event, "entry": event.entries.all()[0]}


def drafted_swiss(club: Club) -> dict[str, Model]:
    event = _event(club, "swiss")
    round_ = draft_round(actor=OPERATOR, event=event)
    return {"round": round_, "match": round_.matches.all()[0]}


def drafted_bracket(club: Club) -> dict[str, Model]:
    """Five entries: the three byes of the first round wait in the second, which has no round yet."""
    event = _event(club, "single")
    round_ = draw_bracket(actor=OPERATOR, event=event)
    waiting = event.ties.filter(round=None)[0]
    return {"round": round_, "match": round_.matches.all()[0], "tie": waiting}


@pytest.mark.parametrize("draft", [draft_event, drafted_swiss, drafted_bracket])
def test_scorekeepers_see_nothing_of_a_draft(club: Club, draft: Callable[[Club], dict[str, Model]]) -> None:
    rows = draft(club)
    keeper, director = (signed_in(club, role) for role in (Role.SCOREKEEPER, Role.DIRECTOR))
    for name, row in rows.items():
        assert director.get(page(name, row)).status_code == 200, name
        assert keeper.get(page(name, row)).status_code == 404, name
        assert "Hidden" in text(director.get(_list(name))) or name in ("event", "round"), name
        shown = text(keeper.get(_list(name)))
        assert "Hidden" not in shown, name
        if draft is draft_event:
            assert "Secret Cup" not in shown, name
        else:
            assert f"/{row.pk}/change/" not in shown, name
    if "match" in rows:
        assert keeper.get(page("match", rows["match"], "line_ups")).status_code == 404


def test_what_comes_next_with_a_draft_is_told_to_directors_alone(club: Club) -> None:
    round_ = drafted_swiss(club)["round"]
    assert isinstance(round_, Round)
    at = page("event", round_.event)
    keeper, director = (signed_in(club, role) for role in (Role.SCOREKEEPER, Role.DIRECTOR))
    assert "is drafted" in text(director.get(at))
    assert "is drafted" not in text(keeper.get(at))
    publish_round(actor=OPERATOR, round_=round_)
    assert "is published" in text(keeper.get(at))


def test_scorekeepers_see_what_is_published(club: Club) -> None:
    rows = drafted_bracket(club)
    publish_round(actor=OPERATOR, round_=Match.objects.select_related("round").get(pk=rows["match"].pk).round)
    keeper = signed_in(club, Role.SCOREKEEPER)
    for name, row in rows.items():
        assert keeper.get(page(name, row)).status_code == 200, name


def _list(name: str) -> str:
    return reverse(f"admin:league_{name}_changelist")
