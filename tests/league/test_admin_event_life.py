"""The event's page: what comes next, the steps of its life, and only the settings of its format."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import ClubRules, Event, EventKind, EventState, traits
from tests.factories import EntryFactory, EventFactory, MatchFactory, RoundFactory
from tests.league.admin_pages import event_data, page, text

pytestmark = pytest.mark.django_db

STEPS = {"open", "to-draft", "start", "finish", "reopen", "archive", "unarchive"}


@pytest.mark.parametrize(
    ("state", "offered"),
    [
        (EventState.DRAFT, {"open", "start"}),
        (EventState.OPEN, {"to-draft", "start"}),
        (EventState.RUNNING, {"finish"}),
        (EventState.FINISHED, {"reopen", "archive"}),
        (EventState.ARCHIVED, {"unarchive"}),
    ],
)
def test_steps_are_offered_by_the_state(
    owner: Client, event: Event, state: EventState, offered: set[str]
) -> None:
    for _ in range(2):
        EntryFactory.create(event=event)
    Event.objects.filter(pk=event.pk).update(state=state)
    shown = text(owner.get(page("event", event)))
    assert set(re.findall(rf'href="/admin/league/event/{event.pk}/([\w-]+)/"', shown)) & STEPS == offered


def test_a_step_shows_first_what_it_does(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=EventState.OPEN)
    for _ in range(2):
        EntryFactory.create(event=event)
    shown = text(owner.post(page("event", event, "start"), {}))
    assert "2 entries, round robin." in shown
    assert "whoever is entered later will be a late entry" in shown
    event.refresh_from_db()
    assert event.state == EventState.OPEN
    answer = owner.post(page("event", event, "start"), {"_confirm": "yes"}, follow=True)
    assert "Running; nothing is drawn yet." in text(answer)
    event.refresh_from_db()
    assert event.state == EventState.RUNNING


def test_start_of_a_ladder_speaks_of_challenges(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=EventState.OPEN, format="ladder")
    for _ in range(2):
        EntryFactory.create(event=event)
    shown = text(owner.post(page("event", event, "start"), {}))
    assert "Challenges can then be made; whoever is entered later will start at the foot." in shown
    assert "Rounds can be drawn" not in shown


def test_start_without_entries_is_refused_before_the_preview(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=EventState.OPEN)
    answer = owner.post(page("event", event, "start"), {})
    assert answer.status_code == 422
    assert "At least 2 entries are needed, not 0." in text(answer)


def test_finish_asks_only_where_something_is_unfinished(owner: Client, event: Event) -> None:
    address = page("event", event, "finish")
    assert "despite_unfinished" not in text(owner.get(address))
    match = MatchFactory.create(event=event)
    asked = text(owner.get(address))
    assert f"1 match has no result: {match.label}." in asked
    refused = owner.post(address, {"_confirm": "yes"})
    assert refused.status_code == 422
    assert text(refused).count(match.label) == 1
    previewed = text(owner.post(address, {"despite_unfinished": "on"}))
    assert previewed.count(match.label) == 1
    event.refresh_from_db()
    assert event.state == EventState.RUNNING
    answer = owner.post(address, {"despite_unfinished": "on", "_confirm": "yes"}, follow=True)
    assert "Finished." in text(answer)


def test_page_says_what_comes_next(owner: Client, event: Event) -> None:
    MatchFactory.create(event=event)
    shown = text(owner.get(page("event", event)))
    assert "<strong>Round robin.</strong> Round 1 is published; 1 result is missing." in shown


def test_a_finished_event_is_only_shown(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    shown = text(owner.get(page("event", event)))
    assert 'name="name"' not in shown
    assert 'name="_save"' not in shown
    assert owner.post(page("event", event), event_data(event, name="Renamed")).status_code == 403


def test_list_shows_state_and_format_and_filters_by_them(owner: Client, event: Event) -> None:
    cup = EventFactory.create(club=event.club, name="The Cup", format="double", state=EventState.OPEN)
    address = reverse("admin:league_event_changelist")
    shown = text(owner.get(address))
    assert "double elimination" in shown
    assert "entries open" in shown
    found = text(owner.get(address, {"format__exact": "double", "state__exact": "open"}))
    assert cup.name in found
    assert event.name not in found


def test_new_event_has_every_setting_marked_with_its_formats(owner: Client, own_rules: ClubRules) -> None:
    shown = text(owner.get(reverse("admin:league_event_add")))
    assert "league/event_settings.js" in shown
    for name, formats in (
        ("rounds_planned", "swiss rotation tables tables_swiss"),
        ("pyramid", "round_robin swiss"),
        ("table_size", "tables tables_swiss tables_cup"),
        ("win_points", "round_robin swiss single double consolation groups rotation ladder"),
        ("third_place", "single consolation groups"),
        ("group_count", "groups"),
        ("best_of", "single double consolation groups"),
        ("absent_points", "swiss rotation tables tables_swiss"),
    ):
        (field,) = re.findall(rf'<(?:input|select)[^>]*name="{name}"[^>]*>', shown)
        assert f'data-formats="{formats}"' in field
    assert "onchange=" not in shown


@pytest.mark.parametrize(
    ("event_format", "values", "there", "gone"),
    [
        ("round_robin", {}, {"level"}, {"best_of", "third_place", "check_in", "group_count"}),
        ("swiss", {}, {"rounds_planned", "check_in", "late_points"}, {"best_of", "group_count"}),
        ("single", {}, {"check_in"}, {"tie_decider", "group_count", "level"}),
        ("groups", {}, {"check_in"}, {"rounds_planned", "lot_seed"}),
        ("rotation", {"team_size": 2}, {"check_in"}, {"best_of", "absent_member", "level"}),
    ],
)
def test_page_of_a_drawn_event_has_the_settings_of_its_format(
    owner: Client,
    event: Event,
    event_format: str,
    values: dict[str, Any],
    there: set[str],
    gone: set[str],
) -> None:
    Event.objects.filter(pk=event.pk).update(format=event_format, **values)
    RoundFactory.create(event=event)
    shown = text(owner.get(page("event", event)))
    fields = set(re.findall(r'name="(\w+)"', shown))
    assert there <= fields
    assert not fields & (gone | {"format"})
    # What the draw was made by is still to be read.
    assert str(traits(event_format).title) in shown


def test_format_is_chosen_on_the_form(owner: Client, event: Event) -> None:
    data = event_data(event, format="rotation", rounds_planned="6")
    assert owner.post(page("event", event), data).status_code == 302
    event.refresh_from_db()
    assert (event.format, event.kind, event.team_size, event.rounds_planned) == (
        "rotation",
        EventKind.INDIVIDUAL,
        2,
        6,
    )
