"""The pages on which members enter, and those on which directors see the list and the fees."""

import datetime
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.core.formatted_text import formatted
from league.events.entering import enter_oneself
from league.models import (
    Club,
    ClubRules,
    EntryRequest,
    Event,
    EventState,
    Player,
    RequestState,
    Role,
    ShownAs,
)
from league.policy import actor_of
from tests.clients import logged_in
from tests.factories import ClubFactory, EntryFactory, EventFactory, PlayerFactory, UserFactory
from tests.league.admin_pages import event_data, page, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    made: Club = ClubFactory.create(
        slug="harbour", place="The old library", contact="ann@harbour.example", time_zone="Europe/Paris"
    )
    return made


@pytest.fixture
def event(club: Club) -> Event:
    """Entries are open; one of two places is left."""
    made: Event = EventFactory.create(
        club=club,
        name="Cup",
        slug="cup",
        state=EventState.OPEN,
        format="swiss",
        places=2,
        fee="10 €",
        starts_at=datetime.datetime(2027, 3, 2, 18, 30, tzinfo=datetime.UTC),
        round_minutes=50,
        about="**Bring** a pen.\n\n<script>alert(1)</script>",
    )
    ClubRules.objects.create(club=club, rules=made.rules)
    EntryFactory.create(event=made, name="Zoe")
    return made


def member(club: Club, name: str) -> User:
    user: User = UserFactory.create(club=club, role=Role.MEMBER, username=name.lower(), is_staff=False)
    PlayerFactory.create(club=club, name=name, user=user)
    return user


@pytest.fixture
def director(club: Club) -> Client:
    return logged_in(UserFactory.create(club=club, role=Role.DIRECTOR, username="director"))


EVENT, ENTER = "/clubs/harbour/events/cup/", "/clubs/harbour/events/cup/enter/"


def test_guest_sees_what_is_announced_and_signs_in_to_enter(event: Event) -> None:
    shown = text(Client().get(EVENT))
    for told in (
        "The old library",
        "Tuesday 2 March 2027, 19:30",
        "50 minutes",
        "10 €",
        "1 of 2 left",
        "members of the club",
        "ann@harbour.example",
        "<strong>Bring</strong> a pen.",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "Sign in and enter",
    ):
        assert told in shown
    asked = Client().get(ENTER)
    assert (asked.status_code, asked["Location"]) == (302, f"/login/?next={ENTER}")
    assert Client().post(ENTER, {"what": "enter"}).status_code == 302
    assert event.entries.count() == 1


@pytest.mark.parametrize(
    ("moment", "days", "said"),
    [("entries_open_at", 1, "Entries open on"), ("entries_close_at", -1, "Entries closed on")],
)
def test_guest_is_not_led_to_a_door_that_is_shut(event: Event, moment: str, days: int, said: str) -> None:
    setattr(event, moment, timezone.now() + datetime.timedelta(days=days))
    event.save()
    shown = text(Client().get(EVENT))
    assert said in shown
    assert "Sign in and enter" not in shown


def test_event_without_any_of_it_says_whom_to_tell_as_before(club: Club) -> None:
    EventFactory.create(club=club, slug="cup", state=EventState.OPEN, who_enters="director")
    shown = text(Client().get(EVENT))
    assert "announcement" not in shown
    assert "If you want to play, write or call:" in shown


def test_member_enters_and_withdraws_in_two_taps(event: Event) -> None:
    ann, bob = logged_in(member(event.club, "Ann")), logged_in(member(event.club, "Bob"))
    assert re.search(rf'href="{ENTER}">\s*Enter\s*</a>', ann.get(EVENT).content.decode())
    assert "Enter now" in text(ann.get(ENTER))
    done = ann.post(ENTER, {"what": "enter"})
    assert (done.status_code, done["Location"]) == (302, ENTER)
    assert "You are entered." in text(ann.get(ENTER))
    # The page that was kept for him is made anew.
    assert "You are entered." in text(ann.get(EVENT))
    assert "Go on the waiting list" in text(bob.get(ENTER))
    bob.post(ENTER, {"what": "enter"})
    for address in (EVENT, ENTER):
        assert "You are number 1 on the waiting list." in text(bob.get(address))
    assert "0 of 2 left, 1 waits" in text(Client().get(EVENT))
    ann.post(ENTER, {"what": "withdraw"})
    assert "You are entered." in text(bob.get(EVENT))
    assert "1 waits" not in text(Client().get(EVENT))


def test_refusal_is_a_sentence_and_nothing_is_done(event: Event) -> None:
    ann = logged_in(member(event.club, "Ann"))
    Event.objects.filter(pk=event.pk).update(entries_close_at=timezone.now())
    refused = ann.post(ENTER, {"what": "enter"})
    assert refused.status_code == 422
    assert "Entries closed on" in text(refused)
    assert event.entries.count() == 1
    nobody = logged_in(UserFactory.create(club=event.club, role=Role.MEMBER))
    assert "Your account is linked to no player" in text(nobody.get(ENTER))
    assert ann.post(ENTER, {"what": "nonsense"}).status_code == 302


def test_clubs_page_leads_to_the_entry_and_the_calendar_to_the_place(event: Event, director: Client) -> None:
    ann = logged_in(member(event.club, "Ann"))
    shown = text(ann.get("/clubs/harbour/"))
    assert f'href="{ENTER}"' in shown
    assert "2 March 2027, 19:30" in shown
    # Directors enter others from there.
    assert f'href="{ENTER}"' not in text(director.get("/clubs/harbour/"))
    event.rounds.create(number=1, date=datetime.date(2027, 3, 2))
    assert "LOCATION:The old library" in text(Client().get(f"{EVENT}rounds.ics"))


def test_teams_that_a_director_enters_have_no_door(club: Club) -> None:
    EventFactory.create(
        club=club, slug="cup", team_size=2, state=EventState.OPEN, venue="Hall", who_enters="director"
    )
    ann = logged_in(member(club, "Ann"))
    assert ENTER not in text(ann.get(EVENT))
    asked = text(ann.get(ENTER))
    assert "Only a director enters teams" in asked
    assert 'value="team"' not in asked


def test_waiting_list_is_for_the_clubs_own_people_under_their_names(event: Event) -> None:
    people = [member(event.club, name) for name in ("Ann Berg", "Bob Dahl")]
    for user in people:
        enter_oneself(actor=actor_of(user), event=event)
    Player.objects.filter(name="Bob Dahl").update(shown_as=ShownAs.INITIALS)
    assert "Waiting list" not in text(Client().get(EVENT))
    assert "Bob Dahl" not in text(Client().get(EVENT))
    for client in (logged_in(people[0]), logged_in(people[1])):
        assert "Bob Dahl" in text(client.get(EVENT))
    outsider = logged_in(UserFactory.create(club=ClubFactory.create(), role=Role.OWNER))
    assert "Waiting list" not in text(outsider.get(EVENT))
    assert "Bob Dahl" not in text(outsider.get(ENTER))


def test_rounds_are_asked_off_on_the_page(event: Event) -> None:
    ann = logged_in(member(event.club, "Ann"))
    ann.post(ENTER, {"what": "enter"})
    assert "Sit a round out" in text(ann.get(ENTER))
    ann.post(ENTER, {"what": "rounds", "off": ["1", "3", "x"]})
    assert list(event.presences.values_list("round_number", "state")) == [(1, "bye"), (3, "bye")]
    shown = text(ann.get(ENTER))
    assert re.findall(r'value="(\d)" checked', shown) == ["1", "3"]
    ann.post(ENTER, {"what": "rounds"})
    assert not event.presences.exists()
    Event.objects.filter(pk=event.pk).update(state=EventState.RUNNING)
    assert "Sit a round out" in text(ann.get(EVENT))
    assert "Sit a round out" not in text(logged_in(member(event.club, "Bob")).get(EVENT))
    Event.objects.filter(pk=event.pk).update(format="single")
    assert "Sit a round out" not in text(ann.get(EVENT))


def test_director_sets_it_by_the_clubs_clock(event: Event, director: Client) -> None:
    data = event_data(
        event,
        venue="Hall",
        starts_at_0="2027-07-01",
        starts_at_1="19:00",
        entries_close_at_0="2027-06-30",
        entries_close_at_1="12:00",
        round_minutes="45",
        places="16",
        about="All *welcome*",
        approves_entries="on",
    )
    assert director.post(page("event", event), data).status_code == 302
    event.refresh_from_db()
    assert event.starts_at == datetime.datetime(2027, 7, 1, 17, 0, tzinfo=datetime.UTC)
    assert event.entries_close_at == datetime.datetime(2027, 6, 30, 10, 0, tzinfo=datetime.UTC)
    assert (event.venue, event.places, event.round_minutes, event.approves_entries) == ("Hall", 16, 45, True)
    form = text(director.get(page("event", event)))
    assert 'value="19:00:00"' in form
    assert "Announcement and entries" in form
    # Sent as it is shown, nothing has changed.
    before = event.updated_at
    director.post(page("event", event), data | {"starts_at_1": "19:00:00", "entries_close_at_1": "12:00:00"})
    event.refresh_from_db()
    assert event.updated_at == before
    wrong = director.post(
        page("event", event), data | {"entries_open_at_0": "2027-06-30", "entries_open_at_1": "12:00"}
    )
    assert wrong.status_code == 422
    assert "Entries close after they have opened." in text(wrong)


def test_hour_that_a_clock_shows_twice_stays_the_one_it_was(event: Event, director: Client) -> None:
    """In October 2027 clocks in Paris go from 3:00 summer time back to 2:00 (the second at 1:00 UTC)."""
    second = datetime.datetime(2027, 10, 31, 1, 30, tzinfo=datetime.UTC)
    Event.objects.filter(pk=event.pk).update(starts_at=second)
    shown = event_data(event, starts_at_0="2027-10-31", starts_at_1="02:30:00")
    assert director.post(page("event", event), shown | {"fee": "5 francs"}).status_code == 302
    event.refresh_from_db()
    assert (event.fee, event.starts_at) == ("5 francs", second)


def test_address_of_the_form_may_say_anything(director: Client) -> None:
    add = reverse("admin:league_event_add")
    assert director.get(f"{add}?starts_at=x&name=Cup").status_code == 200


def test_finished_event_tells_its_moments_by_the_clubs_clock(event: Event, director: Client) -> None:
    Event.objects.filter(pk=event.pk).update(state=EventState.FINISHED)
    shown = text(director.get(page("event", event)))
    assert "2027-03-02 19:30" in shown
    assert 'name="starts_at_0"' not in shown


def request_of(event: Event, name: str, state: RequestState = RequestState.WAITING) -> EntryRequest:
    number = event.entry_requests.count() + 1
    player = PlayerFactory.create(club=event.club, name=name)
    return EntryRequest.objects.create(event=event, player=player, state=state, position=number)


def test_director_sees_the_list_approves_declines_and_moves(event: Event, director: Client) -> None:
    Event.objects.filter(pk=event.pk).update(approves_entries=True)
    ann, bob, cid = (request_of(event, name, RequestState.ASKED) for name in ("Ann", "Bob", "Cid"))
    listed = reverse("admin:league_entryrequest_changelist") + f"?event__id__exact={event.pk}"
    assert listed in text(director.get(page("event", event)))
    shown = text(director.get(listed))
    assert [name for name in ("Ann", "Bob", "Cid") if name in shown] == ["Ann", "Bob", "Cid"]
    moved = director.post(page("entryrequest", cid, "move"), {"place": "1"}, follow=True)
    assert "Cid is number 1 on the list." in text(moved)
    assert "Give a reason." not in text(director.post(page("entryrequest", bob, "decline"), {"reason": ""}))
    declined = director.post(page("entryrequest", bob, "decline"), {"reason": "full of experts"}, follow=True)
    assert "Bob is declined." in text(declined)
    assert "Ann is entered." in text(director.post(page("entryrequest", ann, "approve"), follow=True))
    waits = director.post(page("entryrequest", cid, "approve"), follow=True)
    assert "Cid is approved and waits for a place." in text(waits)
    bob.refresh_from_db()
    assert (bob.state, bob.reason) == (RequestState.DECLINED, "full of experts")
    assert "Decline" not in text(director.get(page("entryrequest", bob)))
    assert director.post(page("entryrequest", bob, "delete"), {"post": "yes"}).status_code == 302
    assert list(event.entry_requests.values_list("player__name", flat=True)) == ["Cid"]


def test_officers_tick_who_has_paid_and_print_it(event: Event, director: Client) -> None:
    entry = event.entries.get()
    fees = page("event", event, "fees")
    keeper = logged_in(UserFactory.create(club=event.club, role=Role.SCOREKEEPER))
    assert fees in text(director.get(page("event", event)))
    shown = text(keeper.get(fees))
    assert "1 owes it" in shown
    assert "0 have paid" in shown
    assert keeper.post(fees, {"paid": str(entry.pk)}).status_code == 302
    shown = text(keeper.get(fees))
    assert "0 owe it" in shown
    assert "1 has paid" in shown
    entry.refresh_from_db()
    paid_at = entry.paid_at
    assert paid_at is not None
    # Twice is once, and what is no entry of this event is nothing.
    keeper.post(fees, {"paid": str(entry.pk)})
    other = EntryFactory.create()
    keeper.post(fees, {"paid": str(other.pk)})
    keeper.post(fees, {"paid": "x"})
    entry.refresh_from_db()
    other.refresh_from_db()
    assert (entry.paid_at, other.paid_at) == (paid_at, None)
    keeper.post(fees, {"owes": str(entry.pk)})
    entry.refresh_from_db()
    assert entry.paid_at is None
    Event.objects.filter(pk=event.pk).update(state=EventState.ARCHIVED)
    refused = keeper.post(fees, {"paid": str(entry.pk)})
    assert refused.status_code == 422
    assert "is archived" in text(refused)


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("*a* **b**", "<p><em>a</em> <strong>b</strong></p>\n"),
        ("- a\n- b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>\n"),
        ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>\n"),
        ("# a", "<p># a</p>\n"),
        (
            "[a](https://b.example)",
            '<p><a href="https://b.example" rel="nofollow noopener noreferrer">a</a></p>\n',
        ),
        (
            "![a](https://b.example/c.png)",
            '<p>!<a href="https://b.example/c.png" rel="nofollow noopener noreferrer">a</a></p>\n',
        ),
    ],
)
def test_text_has_a_little_formatting(written: str, shown: str) -> None:
    assert formatted(written) == shown


def test_settings_are_those_of_the_api(event: Event, director: Client) -> None:
    shown: dict[str, Any] = Client().get(f"/api/v1/events/{event.code}/").json()
    assert (shown["fee"], shown["places"], shown["who_enters"]) == ("10 €", 2, "members")
    assert shown["starts_at"] == "2027-03-02T18:30:00Z"
