"""What is not deleted and why, histories, few queries, and pages without inline code."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import (
    Club,
    Entry,
    Event,
    Match,
    Player,
)
from tests.factories import (
    EventFactory,
    MatchFactory,
    SeasonFactory,
    big_event,
)
from tests.league.admin_pages import event_data, page, record, text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("season", "cannot be deleted: it stands in events"),
        ("player", "is entered in events and cannot be deleted"),
        ("event", "has rounds; delete the draw first"),
        ("entry", "has matches; withdraw the entry instead"),
        ("round", "has matches"),
        ("match", "Something is recorded on"),
    ],
)
def test_what_has_results_is_not_deleted_and_a_sentence_says_why(
    owner: Client, club: Club, event: Event, name: str, sentence: str
) -> None:
    season = SeasonFactory.create(club=club)
    Event.objects.filter(pk=event.pk).update(season=season)
    match = MatchFactory.create(event=event)
    record(match)
    row = {
        "season": season,
        "player": Player.objects.filter(appearances__match=match)[0],
        "event": event,
        "entry": match.entry_a,
        "round": match.round,
        "match": match,
    }[name]
    assert owner.get(page(name, row, "delete")).status_code == 200
    answer = owner.post(page(name, row, "delete"), {"post": "yes"}, follow=True)
    assert answer.status_code == 200
    assert sentence in text(answer)
    assert type(row)._default_manager.filter(pk=row.pk).exists()


@pytest.mark.parametrize("strange", ["abc", "0", "9" * 30, "1_2F2", "-1"])
def test_addresses_that_name_nothing_are_answered_plainly(owner: Client, event: Event, strange: str) -> None:
    for address in (
        f"/admin/league/event/{strange}/change/",
        f"/admin/league/event/{strange}/draw/",
        f"/admin/league/match/{strange}/forfeit/",
        f"/admin/league/player/{strange}/history/",
        f"/admin/league/entry/{strange}/delete/",
        f"/admin/scoring/scoresheet/{strange}/change/",
    ):
        for answer in (owner.get(address), owner.post(address, {})):
            assert answer.status_code in (404, 403), address
    for query in ("q=%00", "event__id__exact=abc", "e=1", "o=99", "p=9999"):
        assert owner.get(f"/admin/league/match/?{query}").status_code in (200, 302), query


def test_history_of_a_row_is_its_audit(owner: Client, event: Event) -> None:
    owner.post(page("event", event), event_data(event, name="Renamed"))
    shown = text(owner.get(page("event", event, "history")))
    assert "event changed" in shown
    assert "<dt>name</dt><dd>Renamed</dd>" in shown


LISTS = [
    "club",
    "season",
    "player",
    "clubrules",
    "event",
    "entry",
    "round",
    "match",
    "adjustment",
    "auditentry",
]


@pytest.mark.parametrize("name", [*(f"league_{name}" for name in LISTS), "scoring_scoresheet"])
def test_lists_ask_the_database_little_however_long(
    owner: Client, event: Event, name: str, django_assert_max_num_queries: Any
) -> None:
    big_event(entries=12, matches=60, event=event)
    owner.post(
        page("event", event, "points"), {"entry": Entry.objects.all()[0].pk, "points": "1", "reason": "x"}
    )
    with django_assert_max_num_queries(14):
        assert owner.get(reverse(f"admin:{name}_changelist")).status_code == 200


def test_lists_of_who_tried_to_sign_in_are_read(admin_client: Client) -> None:
    Client().post(reverse("login"), {"login": "nobody", "password": "guessed"})
    for name in ("accessattempt", "accessfailurelog", "accesslog"):
        answer = admin_client.get(reverse(f"admin:axes_{name}_changelist"))
        assert answer.status_code == 200
    assert admin_client.get(reverse("admin:league_round_changelist")).status_code == 200


def test_list_offers_the_newest_events_it_refers_to_and_the_chosen_one(
    owner: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.admin.scope.NEWEST", 2)
    first, _second, third, last = (MatchFactory.create(event__club=club).event for _number in range(4))
    EventFactory.create(club=club)  # nothing in the list refers to it
    for query, offered in (({}, [last, third]), ({"event__id__exact": first.pk}, [last, third, first])):
        answer = owner.get(reverse("admin:league_match_changelist"), query)
        (by_event,) = (each for each in answer.context["cl"].filter_specs if each.title == "event")
        assert list(by_event.lookup_choices) == [(event.pk, str(event)) for event in offered]
    assert [match.event for match in answer.context["cl"].result_list] == [first]


@pytest.mark.postgresql
@pytest.mark.parametrize("order", ["", "3", "-4"])  # as the list is, and by what several have in common
def test_search_is_done_once_and_then_a_page_is_read(owner: Client, event: Event, order: str) -> None:
    big_event(entries=12, matches=60, event=event)
    address = reverse("admin:league_match_changelist")
    name = Entry.objects.filter(event=event)[0].name[:5]
    found = []
    for number in (1, 2):
        with CaptureQueriesContext(connection) as queries:
            answer = owner.get(address, {"q": name, "p": number, "o": order})
        entries, ids = (query["sql"] for query in queries if "LIKE" in query["sql"])
        assert 'FROM "league_entry"' in entries
        assert '"league_match"."reasons"' not in ids
        (rows,) = (query["sql"] for query in queries if '"league_match"."reasons"' in query["sql"])
        assert '"league_match"."id" IN (' in rows
        assert "COUNT(" not in entries + ids + rows
        changes = answer.context["cl"]
        assert changes.result_count == Match.objects.filter(event=event).count() == 60
        found += [match.pk for match in changes.result_list]
    assert len(found) == len(set(found)) == 60
    with CaptureQueriesContext(connection) as queries:
        changes = owner.get(address, {"q": '"nobody at all"'}).context["cl"]
    assert (changes.result_count, list(changes.result_list)) == (0, [])
    assert sum("LIKE" in query["sql"] for query in queries) == 2


def test_pages_that_a_search_has_not_are_answered_as_of_any_list(owner: Client, event: Event) -> None:
    """Where all is on one page the number says nothing."""
    big_event(entries=12, matches=60, event=event)
    address = reverse("admin:league_match_changelist")
    one = Match.objects.get(event=event, label="R10-T6")
    few = owner.get(f"{address}?q={one.label}&p=7").context["cl"]
    assert list(few.result_list) == [one]
    name = Entry.objects.filter(event=event)[0].name[:5]
    assert owner.get(f"{address}?q={name}&p=7")["Location"].endswith("?e=1")


def test_search_finds_a_row_once_however_many_of_its_names_match(owner: Client, club: Club) -> None:
    match = MatchFactory.create(event__club=club)
    record(match)
    assert match.sheet is not None
    names = [side.name for side in match.sheet.sides.all()]
    answer = owner.get(reverse("admin:scoring_scoresheet_changelist"), {"q": names[0][0]})
    assert all(names[0][0] in name for name in names)
    assert [row.pk for row in answer.context["cl"].result_list] == [match.sheet_id]
    assert answer.context["cl"].result_count == 1


def test_pages_hold_no_inline_script_or_style(owner: Client, club: Club, event: Event) -> None:
    match = MatchFactory.create(event=event)
    addresses = [
        page("club", club),
        page("event", event),
        page("event", event, "draw"),
        page("event", event, "enter"),
        page("match", match),
        page("match", match, "line_ups"),
        page("clubrules", club.house_rules.get()),
        reverse("admin:league_clubrules_add"),
        page("entry", match.entry_a),
        page("event", event, "history"),
        reverse("admin:scoring_scoresheet_change", args=[match.sheet_id]),
    ]
    for address in addresses:
        shown = owner.get(address).content.decode()
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|javascript:", shown), address
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/json)", shown), address
