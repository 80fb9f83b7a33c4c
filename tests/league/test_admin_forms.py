"""What the lists and forms of the admin say: whose a choice is, what an address is, what was done."""

import re
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.events.house_rules import make_club_rules
from league.models import Club, Event
from scoring.core.rules import Rules
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    SeasonFactory,
    UserFactory,
)
from tests.league.admin_pages import event_data, page, record, text

pytestmark = pytest.mark.django_db

LEAGUE = Path(__file__).parents[2] / "league"


@pytest.fixture
def operator() -> Client:
    """The administrator of the site at the browser, who looks after all clubs."""
    return logged_in(UserFactory.create(is_staff=True, is_superuser=True))


@pytest.fixture
def other() -> Club:
    """A second club with things of the same names."""
    club = ClubFactory.create(name="Old Town")
    SeasonFactory.create(club=club, name="2026")
    rules = make_club_rules(actor=OPERATOR, club=club, name="Ours", rules=Rules(columns=3))
    EventFactory.create(club=club, rules=rules.rules, name="League")
    return club


def choices(shown: str, field: str) -> list[str]:
    """What a select of the page offers."""
    (select,) = re.findall(rf'<select name="{field}".*?</select>', shown, re.DOTALL)
    return re.findall(r"<option[^>]*>([^<]*)</option>", select)


def test_choices_of_several_clubs_say_whose_they_are(
    operator: Client, owner: Client, club: Club, event: Event, other: Club
) -> None:
    SeasonFactory.create(club=club, name="2026")
    shown = text(operator.get(reverse("admin:league_event_add")))
    assert choices(shown, "season") == ["---------", "Harbour: 2026", "Old Town: 2026"]
    assert [each.partition(":")[0] for each in choices(shown, "rules")] == [
        "---------",
        "Harbour",
        "Old Town",
    ]
    assert "Old Town: League" in choices(text(operator.get(reverse("admin:league_round_add"))), "event")
    shown = text(owner.get(reverse("admin:league_event_add")))
    assert choices(shown, "season") == ["---------", "2026"]


def test_filters_of_several_clubs_say_whose_they_are(
    operator: Client, owner: Client, event: Event, other: Club
) -> None:
    Event.objects.filter(pk=event.pk).update(name="League")
    for each in Event.objects.all():
        MatchFactory.create(event=each)
    filters = [
        re.findall(r'<a href="\?event__id__exact=\d+"[^>]*>\s*([^<]*?)\s*</a>', text(client.get(address)))
        for client in (operator, owner)
        for address in [reverse("admin:league_match_changelist")]
    ]
    assert filters == [["Harbour: League", "Old Town: League"], []]


def test_everything_of_another_club_is_said_at_once(
    operator: Client, club: Club, event: Event, other: Club
) -> None:
    data = event_data(
        event,
        club=club.pk,
        name="New",
        slug="new",
        season=other.seasons.get().pk,
        rules=other.events.get().rules_id,
    )
    answer = operator.post(reverse("admin:league_event_add"), data)
    assert answer.status_code == 422
    assert "These are not rules of Harbour." in text(answer)
    assert "This season is another club" in text(answer)


def test_points_stand_as_they_were_typed(owner: Client, event: Event) -> None:
    Event.objects.update(win_points=Decimal("10.00"), draw_points=Decimal("0.50"))
    shown = text(owner.get(page("event", event)))
    for name, value in (("win_points", "10"), ("draw_points", "0.5"), ("loss_points", "0")):
        assert re.search(rf'name="{name}" value="{value}"', shown), name
    owner.post(page("event", event), event_data(event, win_points="10", draw_points="0.5"))
    assert not event.club.audit_entries.filter(action="event.change", after__has_key="win_points").exists()


@pytest.mark.parametrize("name", ["club", "season", "event"])
def test_address_is_explained(operator: Client, name: str) -> None:
    shown = text(operator.get(reverse(f"admin:league_{name}_add")))
    assert shown.count("How the page's address ends") == 1
    assert re.search(r'id="id_slug_helptext"[^a-z]*(<div>)?\s*How the page\'s address ends', shown)


def test_new_club_chooses_its_time_zone(operator: Client) -> None:
    data: dict[str, Any] = {
        "name": "Hill",
        "slug": "hill",
        "column_order": "abab",
        "joining": "invited",
        "claiming": "officer",
        "rated_games": "none",
        "time_zone": "",
    }
    data |= {"memberships-TOTAL_FORMS": "0", "memberships-INITIAL_FORMS": "0"}
    shown = text(operator.get(reverse("admin:league_club_add")))
    assert 'value="UTC" selected' not in shown
    assert operator.post(reverse("admin:league_club_add"), data).status_code == 422
    answer = operator.post(reverse("admin:league_club_add"), data | {"time_zone": "Europe/Oslo"})
    assert answer.status_code == 302
    assert Club.objects.get(slug="hill").time_zone == "Europe/Oslo"


def test_user_name_keeps_its_letters(operator: Client, club: Club) -> None:
    UserFactory.create(username="keeper")
    answer = operator.post(
        page("club", club, "add_member"), {"username": "keeper", "role": "scorekeeper"}, follow=True
    )
    assert "The user keeper is scorekeeper now." in text(answer)


def test_list_of_matches_is_narrow(owner: Client, event: Event) -> None:
    a, b = (EntryFactory.create(event=event, name=name) for name in ("Eklund", "Castell"))
    record(MatchFactory.create(event=event, entry_a=a, entry_b=b))
    shown = text(owner.get(reverse("admin:league_match_changelist")))
    cells = re.findall(r'class="(?:action-checkbox-column|field-[a-z_]+)', shown)
    assert list(dict.fromkeys(cells)) == [
        f'class="field-{name}' for name in ("label", "sides", "outcome", "round", "table", "day")
    ]
    assert "Eklund v Castell" in shown
    assert '<td class="field-outcome">playing</td>' in shown


def test_audit_says_whose_clock_it_goes_by(owner: Client, club: Club, event: Event) -> None:
    shown = text(owner.get(reverse("admin:league_auditentry_changelist")))
    assert "When, by the club’s clock" in shown
