"""Events and house rules in the admin: refusals beside their fields, and a draw that is shown first."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.events.events import create_event
from league.events.house_rules import make_club_rules
from league.models import (
    Adjustment,
    AuditEntry,
    Club,
    ClubRules,
    Event,
    Match,
    MatchState,
    Round,
    usual_criteria,
)
from scoring.core.rules import Rules
from tests.factories import (
    OPERATOR,
    EntryFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    SeasonFactory,
)
from tests.league.admin_pages import event_data, knobs, page, text

pytestmark = pytest.mark.django_db


def test_a_new_event_is_offered_the_usual_order(owner: Client, own_rules: ClubRules) -> None:
    shown = text(owner.get(reverse("admin:league_event_add")))
    for place, name in enumerate(usual_criteria(), start=1):
        offered = re.search(rf'<select name="criteria_{place}".*?</select>', shown)
        assert offered is not None
        assert f'value="{name}" selected' in offered[0]
    assert f'value="{own_rules.rules_id}" selected' in shown


def test_event_is_added_with_its_criteria_in_order(owner: Client, club: Club, own_rules: ClubRules) -> None:
    draft = Event(club=club, name="Cup", slug="cup", rules=own_rules.rules)
    data = event_data(draft, club=club.pk, criteria_2="", criteria_3="boxes", criteria_4="", criteria_5="lot")
    answer = owner.post(reverse("admin:league_event_add"), data)
    assert answer.status_code == 302
    made = Event.objects.get()
    assert made.criteria == ["match_points", "boxes", "lot"]
    assert AuditEntry.objects.filter(action="event.create", object_id=str(made.pk)).exists()


def test_lots_of_an_event_are_drawn_by_a_number_that_the_form_need_not_say(
    owner: Client, club: Club, own_rules: ClubRules
) -> None:
    shown = text(owner.get(reverse("admin:league_event_add")))
    (field,) = re.findall(r'<input[^>]*name="lot_seed"[^>]*>', shown)
    assert "value=" not in field
    seeds = set()
    for number in range(3):
        draft = Event(club=club, name="Cup", slug=f"cup-{number}", rules=own_rules.rules)
        answer = owner.post(reverse("admin:league_event_add"), event_data(draft, club=club.pk, lot_seed=""))
        assert answer.status_code == 302
        seeds.add(Event.objects.get(slug=draft.slug).lot_seed)
    assert len(seeds) == 3


def test_a_swiss_is_added_with_fides_rule_unless_another_is_chosen(
    owner: Client, club: Club, own_rules: ClubRules
) -> None:
    draft = Event(club=club, name="Cup", slug="cup", rules=own_rules.rules, format="swiss")
    data = event_data(draft, club=club.pk, forfeit_strength="own_average")
    assert owner.post(reverse("admin:league_event_add"), data).status_code == 302
    made = Event.objects.get()
    assert (made.bye_strength, made.forfeit_strength, made.absent_strength) == ("fide", "own_average", "fide")


@pytest.mark.parametrize(
    ("event_format", "entered", "points"),
    [("round_robin", "", 0), ("groups", "", 0), ("swiss", "", 2), ("round_robin", "1", 1), ("swiss", "0", 0)],
)
def test_points_of_a_bye_are_those_of_the_format_unless_somebody_says_others(
    owner: Client, club: Club, own_rules: ClubRules, event_format: str, entered: str, points: int
) -> None:
    draft = Event(club=club, name="Cup", slug="cup", rules=own_rules.rules, format=event_format)
    data = event_data(draft, club=club.pk, bye_points=entered, group_count="2", qualifiers="1")
    assert owner.post(reverse("admin:league_event_add"), data).status_code == 302
    event = Event.objects.get()
    assert event.bye_points == points
    made = create_event(
        actor=OPERATOR, club=club, name="B", slug="b", rules=own_rules.rules, format=event_format
    )
    assert made.bye_points == (2 if event_format == "swiss" else 0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"criteria_2": "match_points"}, "A criterion is listed twice."),
        ({f"criteria_{place}": "" for place in range(1, 6)}, "Name at least one criterion."),
        ({"criteria_1": "luck"}, "“luck” is not a criterion"),
        ({"win_points": "many"}, "Enter a number."),
        (
            {"kind": "team", "team_size": "1"},
            "Players play alone, or two a side where partners rotate;",
        ),
        ({"slug": ""}, "This field is required."),
    ],
)
def test_what_is_wrong_with_an_event_is_said_and_nothing_changes(
    owner: Client, event: Event, changes: dict[str, Any], sentence: str
) -> None:
    answer = owner.post(page("event", event), event_data(event, name="Changed", **changes))
    assert answer.status_code == 422
    assert sentence in text(answer)
    event.refresh_from_db()
    assert event.name != "Changed"


def test_a_refusal_of_the_service_stands_beside_its_field(owner: Client, club: Club, event: Event) -> None:
    """Somebody else entered a player while the form was open: the kind cannot change any more."""
    newer = make_club_rules(actor=OPERATOR, club=club, name="Newer", rules=Rules(columns=1))
    data = event_data(event, rules=newer.rules_id, name="Changed")
    answer = owner.post(page("event", event), data)
    assert answer.status_code == 302
    season = SeasonFactory.create(club=club, name="Spring")
    answer = owner.post(
        page("season", season),
        {"name": "Spring", "slug": "spring", "starts_on": "2026-05-01", "ends_on": "2026-04-01"},
    )
    assert answer.status_code == 422
    assert "A season ends after it has begun." in text(answer)
    assert 'value="2026-04-01"' in text(answer)
    season.refresh_from_db()
    assert season.ends_on is None


def test_rules_are_shown_and_not_offered_once_a_sheet_is_open(owner: Client, event: Event) -> None:
    assert 'name="rules"' in text(owner.get(page("event", event)))
    MatchFactory.create(event=event)
    assert 'name="rules"' not in text(owner.get(page("event", event)))


def test_draw_shows_first_what_it_will_do(owner: Client, club: Club, event: Event) -> None:
    players = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Bob", "Cid")]
    chosen = {"players": [player.pk for player in players]}
    shown = text(owner.post(page("event", event, "enter"), chosen))
    assert "3 players will be entered: Ann, Bob, Cid." in shown
    assert "The draw will stand" not in shown
    assert not event.entries.exists()
    assert owner.post(page("event", event, "enter"), chosen | {"_confirm": "yes"}).status_code == 302
    assert event.entries.count() == 3

    plan = {"first_date": "2026-09-03", "days_between": "14"}
    shown = text(owner.post(page("event", event, "draw"), plan))
    assert "3 entries, 3 rounds, 3 matches." in shown
    assert "From 3 September 2026 to 1 October 2026." in shown
    assert "One entry will have a bye in each round." in shown
    assert "csrfmiddlewaretoken" in shown
    assert not Round.objects.exists()

    answer = owner.post(page("event", event, "draw"), plan | {"_confirm": "yes"})
    assert answer.status_code == 302
    assert Match.objects.filter(event=event, sheet__isnull=False).count() == 3
    assert Match.objects.filter(event=event, state=MatchState.BYE).count() == 3

    again = owner.post(page("event", event, "draw"), plan | {"_confirm": "yes"})
    assert again.status_code == 422
    assert "This event has rounds already" in text(again)
    dee = PlayerFactory.create(club=event.club, name="Dee")
    shown = text(owner.post(page("event", event, "enter"), {"players": [dee.pk]}))
    assert "The draw will stand as it is: those entered now will have no matches in it." in shown
    shown = text(owner.post(page("event", event, "delete_draw"), {}))
    assert "3 rounds with 6 matches" in shown
    owner.post(page("event", event, "delete_draw"), {"_confirm": "yes"})
    assert not Round.objects.exists()


def test_a_late_entry_is_told_from_when_it_plays_and_what_it_gets(owner: Client, event: Event) -> None:
    Event.objects.filter(pk=event.pk).update(format="swiss", late_points=Decimal("0.5"))
    for _ in range(2):
        RoundFactory.create(event=event)
    late = PlayerFactory.create(club=event.club, name="Late Larry")
    chosen = {"players": [late.pk], "is_guest": "on"}
    shown = text(owner.post(page("event", event, "enter"), chosen))
    for sentence in (
        "1 player will be entered: Late Larry.",
        "As guests: they will play and not be ranked.",
        "They will play from round 3 on.",
        "For the rounds they missed each will get 1 point.",
    ):
        assert sentence in shown
    owner.post(page("event", event, "enter"), chosen | {"_confirm": "yes"})
    entry = event.entries.get()
    assert (entry.name, entry.first_round, entry.is_guest) == ("Late Larry", 3, True)


def test_draw_refuses_in_its_form(owner: Client, event: Event) -> None:
    answer = owner.post(page("event", event, "draw"), {"first_date": "", "days_between": "7"})
    assert "A round robin needs at least two entries." in text(answer)
    answer = owner.post(page("event", event, "draw"), {"first_date": "tomorrow", "days_between": "-1"})
    assert "Enter a valid date." in text(answer)
    assert "greater than or equal to 0" in text(answer)


def test_points_are_given_and_taken_back(owner: Client, event: Event) -> None:
    entry = EntryFactory.create(event=event)
    data = {"entry": entry.pk, "points": "-0.5", "reason": "Late twice"}
    shown = text(owner.post(page("event", event, "points"), data))
    assert f"{entry}: -0.5 points." in shown
    assert "A footnote under the table will say: Late twice" in shown
    assert not Adjustment.objects.exists()
    assert owner.post(page("event", event, "points"), data | {"_confirm": "yes"}).status_code == 302
    adjustment = Adjustment.objects.get()
    assert adjustment.points == Decimal("-0.5")
    assert "Give or take some points" in text(
        owner.post(page("event", event, "points"), data | {"points": "0"})
    )
    assert owner.post(page("adjustment", adjustment, "delete"), {"post": "yes"}).status_code == 302
    assert not Adjustment.objects.exists()


def test_house_rules_are_made_from_a_preset(owner: Client, club: Club) -> None:
    shown = text(owner.get(reverse("admin:league_clubrules_add"), {"preset": "continental"}))
    assert re.search(r'name="gin_bonus" value="20"', shown)
    assert "The most deadwood a player may knock with; 0 is gin only." in shown
    data = {"club": club.pk, "name": "Ours", **knobs(gin_bonus=30, big_gin_bonus="", extra_boxes_gin=1)}
    assert owner.post(reverse("admin:league_clubrules_add"), data).status_code == 302
    rules = ClubRules.objects.get().rules.rules
    assert (rules.gin_bonus, rules.big_gin_bonus, rules.extra_boxes.gin, rules.columns) == (30, None, 1, 3)
    clash = {"club": club.pk, "name": "Odd", **knobs(deal="elder_eleven", oklahoma="ace_is_gin")}
    answer = owner.post(reverse("admin:league_clubrules_add"), clash)
    assert answer.status_code == 422
    assert "there is no upcard" in text(answer)
    answer = owner.post(reverse("admin:league_clubrules_add"), data | {"target": "0", "name": ""})
    assert "greater than or equal to 1" in text(answer)
    assert ClubRules.objects.count() == 1


def test_a_new_version_leaves_the_old_one(owner: Client, event: Event, own_rules: ClubRules) -> None:
    address = page("clubrules", own_rules, "next_version")
    assert re.search(r'name="columns" value="3"', text(owner.get(address)))
    same = owner.post(address, {"name": "Ours", **knobs()})
    assert "nothing was changed" in text(same)
    assert owner.post(address, {"name": "Ours", **knobs(game_bonus=150)}).status_code == 302
    own_rules.refresh_from_db()
    event.refresh_from_db()
    assert (own_rules.rules.version, event.rules.version) == (2, 1)
    shown = text(owner.get(page("clubrules", own_rules)))
    assert f">{event.name}</a> (Ours)" in shown
    # The event may stay at its version or take the newest.
    shown = text(owner.get(page("event", event)))
    assert f'value="{event.rules_id}" selected' in shown
    assert f'value="{own_rules.rules_id}"' in shown
