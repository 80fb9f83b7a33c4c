"""The admin's first page: a workplace by what one does, for each club, with what comes next."""

import re
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.admin import workplace
from league.admin_site import GROUPS, UNLISTED
from league.draws.round_life import draft_round, publish_round
from league.events.glance import glances
from league.events.next_step import step_of
from league.models import Club, CountsWhen, Event, EventState, Membership, Role, Round
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    play,
)
from tests.league.admin_pages import page, text
from tests.league.bracket_play import cup
from tests.league.ladder_cases import challenge, ladder

pytestmark = pytest.mark.django_db


def client_with(role: Role, club: Club) -> Client:
    return logged_in(UserFactory.create(club=club, role=role))


def steps(answer: Any) -> dict[str, tuple[str, str]]:
    """What the page says of each event, and where it leads first."""
    return {
        each.page.title: (each.words, each.next.url if each.next else "")
        for club in answer.context["clubs"]
        for each in club.events
    }


def at_a_glance(event: Event) -> tuple[str, str, Round | None]:
    found = Event.objects.filter(pk=event.pk)
    today = {event.club_id: timezone.localdate(timezone=event.club.zone)}
    (one,) = glances(found, rounds=Round.objects.all(), today=today)
    return one.step.words, one.step.act, one.step.round


def asked(event: Event) -> tuple[str, str, Round | None]:
    step = step_of(Event.objects.get(pk=event.pk))
    return step.words, step.act, step.round


def test_the_glance_tells_what_the_events_page_tells(club: Club) -> None:
    event = EventFactory.create(club=club, format="swiss", state=EventState.DRAFT, rounds_planned=2)
    for seed in range(1, 5):
        EntryFactory.create(event=event, seed=seed)
    told = {}
    for state in (EventState.OPEN, EventState.DRAFT, EventState.RUNNING):
        Event.objects.filter(pk=event.pk).update(state=state)
        assert at_a_glance(event) == asked(event)
        told[state] = at_a_glance(event)[1]
    assert told == {EventState.OPEN: "start", EventState.DRAFT: "open", EventState.RUNNING: "pair"}
    event.refresh_from_db()
    for number in (1, 2):
        round_ = draft_round(actor=OPERATOR, event=event)
        assert at_a_glance(event) == asked(event)
        assert at_a_glance(event)[2] == round_
        publish_round(actor=OPERATOR, round_=round_)
        for match in round_.matches.all():
            assert at_a_glance(event) == asked(event)
            assert "missing" in at_a_glance(event)[0]
            play(match, 5, stopped=True)
        assert at_a_glance(event) == asked(event)
        assert at_a_glance(event)[1] == ("pair" if number == 1 else "finish")


def test_the_glance_looks_at_the_current_round_and_counts_what_is_left_before(club: Club) -> None:
    event = EventFactory.create(club=club, format="swiss")
    today = timezone.localdate(timezone=club.zone)
    first, second = (RoundFactory.create(event=event, date=date) for date in (None, today))
    for round_ in (first, second, second):
        MatchFactory.create(event=event, round=round_)
    words = "Round 2 is published; 2 results are missing. 1 result of earlier rounds is missing."
    assert at_a_glance(event) == asked(event) == (words, "", second)


def test_results_that_wait_lead_a_director_to_the_board(club: Club) -> None:
    event = EventFactory.create(club=club, counts_when=CountsWhen.DIRECTOR)
    match = MatchFactory.create(event=event, round=RoundFactory.create(event=event, date=None))
    play(match, 30, stopped=True)
    assert (
        at_a_glance(event)
        == asked(event)
        == (
            "1 result is pending and does not count yet.",
            "",
            match.round,
        )
    )
    board = reverse("round_board", args=[club.slug, event.slug, match.round.number])
    tray = reverse("entry:tray", args=[match.round.code])
    for role, way in ((Role.DIRECTOR, board), (Role.SCOREKEEPER, tray)):
        answer = client_with(role, club).get(reverse("admin:index"))
        assert steps(answer)[event.name][1] == way
    assert client_with(Role.DIRECTOR, club).get(page("event", event)).context["next_link"].url == board


def test_ladders_and_brackets_at_a_glance(club: Club) -> None:
    event = ladder(4, club=club)
    assert at_a_glance(event) == asked(event) == ("Running; no challenge is open.", "challenge", None)
    challenge(event, "C", "B")
    assert at_a_glance(event) == asked(event) == ("Running; 1 challenge is open.", "challenge", None)
    bracket = cup(club, 4, format="single")
    assert at_a_glance(bracket) == asked(bracket)
    assert at_a_glance(bracket)[1] == "draw-bracket"


def test_scorekeepers_are_told_what_is_theirs(club: Club) -> None:
    event = cup(club, 4, format="swiss")
    round_ = draft_round(actor=OPERATOR, event=event)
    shown = client_with(Role.SCOREKEEPER, club).get(reverse("admin:index"))
    assert steps(shown)[event.name] == ("", "")
    assert "Import a file" not in text(shown)
    assert reverse("members", args=[club.slug]) not in text(shown)
    publish_round(actor=OPERATOR, round_=round_)
    shown = client_with(Role.SCOREKEEPER, club).get(reverse("admin:index"))
    assert steps(shown)[event.name][1] == reverse("entry:tray", args=[round_.code])


def test_where_there_is_nothing_to_do_the_page_says_so(client: Client) -> None:
    club = ClubFactory.create()
    shown = text(client_with(Role.DIRECTOR, club).get(reverse("admin:index")))
    assert "No events at the moment." in shown
    client.force_login(UserFactory.create())
    assert "You do not look after any club yet." in text(client.get(reverse("admin:index")))


def test_the_page_leads_by_what_one_does(owner: Client, club: Club, event: Event) -> None:
    shown = text(owner.get(reverse("admin:index")))
    of_club = f"?club__id__exact={club.pk}"
    for address in (
        reverse("members", args=[club.slug]),
        reverse("club_rules", args=[club.slug]),
        reverse("admin:league_importbatch_add"),
        reverse("admin:league_event_changelist") + of_club,
        reverse("admin:league_player_changelist") + of_club,
        f"{reverse('admin:league_event_add')}?club={club.pk}",
    ):
        assert f'href="{address}"' in shown


def test_lists_are_grouped_and_what_nobody_opens_is_none(owner: Client, event: Event) -> None:
    shown = text(owner.get(reverse("admin:index")))
    listed = re.findall(r'class="model-(\w+)', shown)
    assert listed[:4] == ["event", "entry", "round", "match"]
    assert "player" in listed
    for hidden in ("tie", "adjustment", "user", "auditentry", "houserules", "botmatch"):
        assert hidden not in listed
    # They are reached as before.
    assert owner.get(reverse("admin:league_adjustment_changelist")).status_code == 200
    assert owner.get(reverse("admin:app_list", args=["league"])).status_code == 200


def test_the_site_is_the_administrators(admin_user: User, client: Client, event: Event) -> None:
    client.force_login(admin_user)
    shown = text(client.get(reverse("admin:index")))
    of_site = re.findall(r'class="model-(\w+)', shown.partition('id="site"')[2])
    assert of_site[:3] == ["user", "group", "accessattempt"]
    assert "accesslog" in of_site


def test_every_model_has_its_place() -> None:
    registered = {f"{model._meta.app_label}.{model._meta.object_name}" for model in admin.site._registry}
    listed = [label for _name, _title, labels in GROUPS for label in labels]
    assert len(listed) == len(set(listed))
    assert registered == {*listed, *UNLISTED}


def test_the_page_costs_the_same_for_more_clubs_and_events(
    admin_user: User, client: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    def add_club(name: str) -> None:
        club = ClubFactory.create(name=name)
        for _number in range(2):
            swiss = EventFactory.create(club=club, format="swiss")
            MatchFactory.create(event=swiss, round=RoundFactory.create(event=swiss, date=None))
        EventFactory.create(club=club, state=EventState.DRAFT)

    client.force_login(admin_user)
    add_club("First")
    client.get(reverse("admin:index"))
    with CaptureQueriesContext(connection) as few:
        client.get(reverse("admin:index"))
    for number in range(6):
        add_club(f"Club {number}")
    with CaptureQueriesContext(connection) as many:
        shown = client.get(reverse("admin:index"))
    assert len(shown.context["clubs"]) == 8
    # Two less: the nights fill their list, and no club has to be represented in it. One more: of many clubs
    # the rounds with a date are read first, of which there are none here.
    assert len(many) == 15
    assert len(few) == 16
    monkeypatch.setattr(workplace, "CLUBS", 3)
    names = [
        [each.club.name for each in client.get(reverse("admin:index"), {"page": number}).context["clubs"]]
        for number in (1, 2, 3)
    ]
    assert [len(each) for each in names] == [3, 3, 2]
    assert len({name for each in names for name in each}) == 8


def test_a_club_shows_its_first_events_and_leads_to_all(
    owner: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workplace, "EVENTS_OF_A_CLUB", 2)
    for state in (EventState.DRAFT, EventState.RUNNING, EventState.OPEN):
        EventFactory.create(club=club, name=state, state=state)
    (shown,) = owner.get(reverse("admin:index")).context["clubs"]
    assert [each.page.title for each in shown.events] == [EventState.RUNNING, EventState.OPEN]
    assert shown.more


def test_a_chosen_club_filters_a_list_that_refers_to_no_other(
    admin_user: User, client: Client, event: Event
) -> None:
    """Django leaves out a filter of one choice, and with it what the address asks for."""
    client.force_login(admin_user)
    empty = ClubFactory.create(name="Empty")
    events = reverse("admin:league_event_changelist")
    assert event.name in text(client.get(events))
    chosen = client.get(events, {"club__id__exact": empty.pk})
    assert chosen.context["cl"].result_count == 0
    assert [spec.title for spec in chosen.context["cl"].filter_specs][:1] == ["club"]
    own = client.get(events, {"club__id__exact": event.club_id})
    assert own.context["cl"].result_count == 1


def test_a_filter_offers_the_clubs_whose_rows_are_in_the_list(owner: Client, event: Event) -> None:
    """Others are not, though anybody may read them; a chosen one is shown, if the user may read it."""
    other = EventFactory.create(club__name="Anchor").club
    Membership.objects.create(
        user=User.objects.get(memberships__club=event.club), club=other, role=Role.DIRECTOR
    )
    public = EventFactory.create(club__name="Public").club
    private = EventFactory.create(club__name="Private", club__is_public=False).club

    def offered(chosen: Club | None = None) -> list[str]:
        asked = {} if chosen is None else {"club__id__exact": str(chosen.pk)}
        spec = owner.get(reverse("admin:league_event_changelist"), asked).context["cl"].filter_specs[0]
        return [title for _pk, title in spec.lookup_choices]

    assert offered() == ["Anchor", event.club.name]
    assert offered(public) == ["Anchor", event.club.name, "Public"]
    assert offered(private) == ["Anchor", event.club.name]


def test_filters_name_nothing_of_other_clubs(owner: Client, event: Event) -> None:
    foreign = EventFactory.create(name="Secret", club__is_public=False)
    MatchFactory.create(event=event)
    matches = reverse("admin:league_match_changelist")
    assert "Secret" not in text(owner.get(matches, {"event__id__exact": foreign.pk}))
    assert event.name in text(owner.get(matches, {"event__id__exact": event.pk}))
