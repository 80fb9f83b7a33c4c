"""Numbers and days that nobody means, and hidden fields that were forged, are refused beside their fields."""

import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.postponing import postpone_match
from league.draws.round_life import draft_round
from league.errors import LeagueError
from league.events.entries import change_entry, enter_players
from league.events.events import change_event, usual_order
from league.models import Club, ClubRules, Entry, Event
from tests.factories import OPERATOR, EntryFactory, MatchFactory, PlayerFactory, RoundFactory
from tests.kept import contents
from tests.league.admin_pages import event_data, formset, page, text

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"win_points": "-3"}, "A match drawn is worth at most what one won is."),
        ({"draw_points": "5"}, "A match drawn is worth at most what one won is."),
        ({"loss_points": "1.5"}, "A match lost is worth at most what one drawn is."),
        ({"lot_seed": str(2**63 - 1)}, "less than or equal to 999999999"),
    ],
)
def test_settings_of_an_event(owner: Client, event: Event, changes: dict[str, str], sentence: str) -> None:
    before = contents()
    answer = owner.post(page("event", event), event_data(event, name="Changed", **changes))
    assert answer.status_code == 422
    assert sentence in text(answer)
    assert contents() == before
    with pytest.raises(LeagueError):
        change_event(actor=OPERATOR, event=event, **{name: float(value) for name, value in changes.items()})
    assert contents() == before


@pytest.mark.parametrize("seed", [0, 99_999])
def test_seed_of_an_entry(owner: Client, event: Event, seed: int) -> None:
    entry: Entry = EntryFactory.create(event=event)
    before = contents()
    data = {"name": entry.name, "seed": str(seed), **formset("members", initial=0)}
    assert owner.post(page("entry", entry), data).status_code == 422
    with pytest.raises(LeagueError):
        change_entry(actor=OPERATOR, entry=entry, seed=seed)
    assert contents() == before


@pytest.mark.parametrize("day", ["9999-12-31", "0202-09-05"])
def test_days(owner: Client, event: Event, day: str) -> None:
    match = MatchFactory.create(event=event)
    undated = RoundFactory.create(event=event)
    season = event.club.seasons.create(name="Autumn", slug="autumn")
    named = {"name": "Autumn", "slug": "autumn"}
    before = contents()
    for address, data in (
        (page("match", match, "postpone"), {"planned_on": day, "reason": "x"}),
        (page("match", match, "postpone"), {"deadline": day, "reason": "x"}),
        (page("round", match.round, "deadline"), {"deadline": day, "reason": "x"}),
        (page("round", undated), {"date": day}),
        (page("season", season), named | {"starts_on": day, "ends_on": ""}),
    ):
        answer = owner.post(address, data)
        assert answer.status_code == 422, address
        assert "Days are between 1900 and 2199." in text(answer), address
    assert contents() == before


def test_service_refuses_a_day_beyond_reason(event: Event) -> None:
    match = MatchFactory.create(event=event)
    with pytest.raises(LeagueError, match="between 1900 and 2199"):
        postpone_match(
            actor=OPERATOR, match=match, planned_on=datetime.date.max, deadline=None, reason="far away"
        )


def test_forged_number_of_a_round(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="swiss")
    event.refresh_from_db()
    enter_players(actor=OPERATOR, event=event, players=PlayerFactory.create_batch(4, club=event.club))
    before = contents()
    for confirm in ({}, {"_confirm": "1"}):
        answer = owner.post(page("event", event, "pair"), {"number": "77", **confirm})
        assert answer.status_code == 422
        assert "Round 1 is the next to be paired." in text(answer)
    with pytest.raises(LeagueError, match="Round 1 is the next"):
        draft_round(actor=OPERATOR, event=event, number=77)
    assert contents() == before


NET_FIRST = {f"criteria_{place}": "" for place in range(1, 9)} | {"criteria_1": "net", "criteria_2": "lot"}
ROUND_ROBIN = usual_order("round_robin")


@pytest.mark.parametrize(
    ("format", "sent", "stored"),
    [
        ("swiss", {}, usual_order("swiss")),
        ("round_robin", {}, ROUND_ROBIN),
        ("swiss", NET_FIRST, ["net", "lot"]),
        # Another order was offered by the script, and somebody chose that of a round robin.
        ("swiss", {"criteria_offered": "swiss"}, ROUND_ROBIN),
        ("swiss", {"criteria_offered": "nonsense"}, usual_order("swiss")),
    ],
)
def test_order_nobody_touched_is_the_usual_one_of_the_format(
    owner: Client, club: Club, own_rules: ClubRules, format: str, sent: dict[str, Any], stored: list[str]
) -> None:
    """Also where no script offers it as the format is chosen."""
    draft = Event(club=club, name="Cup", slug="cup", rules=own_rules.rules, format=format)
    data = event_data(draft, club=club.pk, **sent)
    assert owner.post(reverse("admin:league_event_add"), data).status_code == 302
    assert Event.objects.get().criteria == stored


def test_order_follows_a_format_changed_later(owner: Client, event: Event) -> None:
    assert owner.post(page("event", event), event_data(event, format="swiss")).status_code == 302
    event.refresh_from_db()
    assert event.criteria == usual_order("swiss")


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("match", {"state__exact": "\0"}),
        ("match", {"q": "Ann\0"}),
        ("match", {"event__id__exact": "9" * 20}),
        ("match", {"event__id__exact": "9" * 5000}),
        ("auditentry", {"at__year": "99999999999999999999"}),
    ],
)
def test_filters_that_cannot_be_read_lead_to_the_list(
    owner: Client, event: Event, name: str, asked: dict[str, str]
) -> None:
    address = reverse(f"admin:league_{name}_changelist")
    answer = owner.get(address, asked)
    assert (answer.status_code, answer["Location"]) == (302, f"{address}?e=1")
    assert owner.get(answer["Location"]).status_code == 200
    assert owner.get(address, {"q": "12345678901234567890"}).status_code == 200
