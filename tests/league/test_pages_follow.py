"""Open pages look for news by ETag: it changes with what is shown and nothing else, and is found cheaply."""

import datetime
import re
import threading
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import caches
from django.db import connection
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation
from time_machine import TimeMachineFixture

from league.draws.challenges import make_challenge
from league.draws.round_life import unpublish_round
from league.events.events import change_event
from league.models import Club, Event, EventState, Match, Role, Round, RoundState
from league.pages.pages import followed
from league.people.clubs import set_role
from league.policy import actor_of
from scoring.services import record_deals
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    drawn_match,
    play,
    won,
)
from tests.faults.threads import DEADLINE_SECONDS, at_once
from tests.league.admin_pages import page
from tests.league.bracket_play import cup, drawn
from tests.league.followed import Watch, readers_of
from tests.league.ladder_cases import entry as rung
from tests.league.ladder_cases import ladder
from tests.league.test_admin_acts import CASES
from tests.league.written_acts import (
    adjust,
    annul,
    begin_another_club,
    begin_another_event,
    begin_season,
    claim,
    close,
    complete,
    correct,
    cover,
    deal,
    dispute,
    finish,
    forfeit,
    make_divisions,
    note_use,
    nothing,
    plan_another_event,
    postpone,
    recalculate_table,
    release,
    rename,
    rename_account,
    rename_club,
    rename_event,
    settle,
    sign,
    stop,
    stop_and_dispute,
    stop_and_recalculate,
    withdraw,
    withhold,
)

pytestmark = pytest.mark.django_db

LOOK = {"HX-Request": "true"}


@pytest.fixture
def match() -> Match:
    """A match that is being played; its second deal was entered by somebody with an account."""
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour", is_public=True), slug="league", state=EventState.RUNNING
    )
    drawn = drawn_match(event, "Eklund", "Castell", table=5)
    play(drawn, 30)
    keeper = UserFactory.create(club=event.club, role=Role.SCOREKEEPER, username="keeper", first_name="Kit")
    assert drawn.sheet is not None
    record_deals(actor=actor_of(keeper), sheet=drawn.sheet, deals=[won("Eklund", "Castell", 7)])
    drawn.refresh_from_db()
    return drawn


def addresses(match: Match) -> dict[str, str]:
    event = ["harbour", "league"]
    return {
        "club": reverse("club", args=["harbour"]),
        "event": reverse("event", args=event),
        "rounds": reverse("event_rounds", args=event),
        "round": reverse("round", args=[*event, match.round.number]),
        "match": reverse("match", args=[*event, match.code]),
    }


EVERYWHERE = {"club", "event", "rounds", "round", "match"}
Change = Callable[[Match], None]
# What was before, what is done, and the pages that show it: those and no others.
CHANGES: list[tuple[Change, Change, set[str]]] = [
    (nothing, deal, EVERYWHERE),
    (nothing, stop, EVERYWHERE),
    (nothing, correct, EVERYWHERE),
    # It holds the result once there is one.
    (nothing, claim, {"match"}),
    (stop, sign, {"match"}),
    (stop, dispute, EVERYWHERE),
    (stop_and_dispute, settle, EVERYWHERE),
    (stop, recalculate_table, {"club", "event"}),
    # The round's report says with how many points who leads.
    (stop_and_recalculate, adjust, {"event", "round"}),
    (stop, withdraw, {"event"}),
    (withdraw, annul, EVERYWHERE),
    (nothing, forfeit, EVERYWHERE),
    (nothing, postpone, {"match"}),
    (nothing, cover, EVERYWHERE),
    (nothing, rename, EVERYWHERE),
    (nothing, rename_account, {"match"}),
    (nothing, rename_club, EVERYWHERE),
    (nothing, rename_event, EVERYWHERE),
    (nothing, withhold, EVERYWHERE),
    (withhold, release, EVERYWHERE),
    (stop, complete, {"round"}),
    (nothing, close, EVERYWHERE),
    (nothing, finish, EVERYWHERE),
    (nothing, begin_season, {"club"}),
    (nothing, make_divisions, {"club"}),
    (nothing, begin_another_event, EVERYWHERE),
    (nothing, plan_another_event, set()),
    (nothing, begin_another_club, set()),
    (nothing, note_use, set()),
]


@pytest.mark.parametrize(
    ("before", "change", "shown_on"), CHANGES, ids=lambda one: getattr(one, "__name__", "")
)
def test_change_is_seen_by_whoever_has_the_page_open_and_nothing_else_is(
    client: Client, match: Match, before: Change, change: Change, shown_on: set[str]
) -> None:
    before(match)
    opened = {name: client.get(address) for name, address in addresses(match).items()}

    def news() -> set[str]:
        looks = {
            name: client.get(address, headers=LOOK | {"if-none-match": opened[name]["ETag"]})
            for name, address in addresses(match).items()
        }
        return {name for name, look in looks.items() if look.status_code != 304}

    assert news() == set()
    change(match)
    assert news() == shown_on
    told = {
        name
        for name, address in addresses(match).items()
        if client.get(address).content != opened[name].content
    }
    assert told == shown_on


def club_of(row: Model) -> Club:
    """The club that a row is of, found from whatever it belongs to."""
    if isinstance(row, Club):
        return row
    for name in ("club", "event", "match", "sheet"):
        if isinstance(found := getattr(row, name, None), Model):
            return club_of(found)
    raise LookupError(f"{row!r} is of no club")


# A whole season, and what takes the club's pages with it.
LONG = {("importbatch", "undo"), ("club", "remove-demo")}


@pytest.mark.dear("does every act of the administration")
@pytest.mark.usefixtures("mails")
@pytest.mark.parametrize(("name", "slug"), [act for act in CASES if act not in LONG])
def test_no_page_is_shown_as_it_was_before_an_act(name: str, slug: str, *, long: bool) -> None:
    row, data = CASES[name, slug]()
    readers = readers_of(club_of(row))
    if not long:
        # They take turns from act to act.
        reader = [*readers][[*CASES].index((name, slug)) % len(readers)]
        readers = {reader: readers[reader]}
    watch = Watch(club_of(row), readers, most=1)
    officer = logged_in(User.objects.create_superuser("root"))
    address = page(name, row, slug.replace("-", "_"))
    assert officer.post(address, {**data, "_confirm": "1"}).status_code == 302
    assert watch.wrong() == []


@pytest.mark.parametrize("reader", ["guest", "director"])
def test_what_is_written_while_a_page_is_made_is_seen_at_the_next_look(
    client: Client, match: Match, reader: str
) -> None:
    """The sheet is written to between two statements of the page, which so shows of each some."""
    if reader == "director":
        client.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    asked: list[str] = []
    when = 0

    def write(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        asked.append(sql)
        if len(asked) == when:
            deal(match)
        return execute(sql, params, many, context)

    for address, when in product(addresses(match).values(), (4, 5, 6)):
        asked.clear()
        caches["looks"].clear()
        with connection.execute_wrapper(write):
            client.get(address)
        assert when < len(asked)
        shown = client.get(address)
        caches["looks"].clear()
        assert shown.content == client.get(address).content


def test_a_look_at_what_has_not_changed_costs_a_guest_one_query(
    client: Client, match: Match, django_assert_num_queries: Callable[[int], Any]
) -> None:
    event = cup(match.event.club, 4, slug="cup")
    drawn(event)
    climb = ladder(3, club=match.event.club, slug="ladder")
    more = {
        "bracket": reverse("event_bracket", args=["harbour", event.slug]),
        "ladder": reverse("event_ladder", args=["harbour", climb.slug]),
        "challenges": reverse("event_rounds", args=["harbour", climb.slug]),
    }
    for address in [*addresses(match).values(), *more.values()]:
        opened = client.get(address)
        with django_assert_num_queries(1):
            look = Client().get(address, headers=LOOK | {"if-none-match": opened["ETag"]})
        assert (look.status_code, look.content) == (304, b"")
        with django_assert_num_queries(1):
            assert Client().get(address).content == opened.content


def test_a_look_costs_who_is_signed_in_one_query_besides_his_account(
    client: Client, match: Match, django_assert_num_queries: Callable[[int], Any]
) -> None:
    client.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    for address in addresses(match).values():
        opened = client.get(address)
        # His session, his account, the version.
        with django_assert_num_queries(3):
            look = client.get(address, headers=LOOK | {"if-none-match": opened["ETag"]})
        assert look.status_code == 304


def test_page_asked_for_with_a_query_takes_no_place_of_one_that_is_kept(client: Client, match: Match) -> None:
    """There are any number of queries, also of such as say the same."""
    event = addresses(match)["event"]

    def statements(address: str) -> int:
        with CaptureQueriesContext(connection) as asked:
            assert client.get(address).status_code == 200
        return len(asked)

    statements(event)
    for query in ("?x=1", "?round=1", "?round=1&round=1", "?&"):
        anew = statements(event + query)
        assert statements(event + query) == anew > 1
    assert statements(event) == 1


@pytest.mark.django_db(transaction=True)
def test_page_that_many_look_at_is_made_anew_once_when_something_was_written(client: Client) -> None:
    readers = 4
    event = EventFactory.create(club=ClubFactory.create(slug="harbour", is_public=True), slug="league")
    have_asked = threading.Semaphore(0)
    made: list[str] = []

    @followed
    def told(request: HttpRequest, **places: str) -> HttpResponse:
        made.append(Event.objects.get(slug=places["event"]).name)
        if len(made) == 2:
            for _ in range(readers):
                assert have_asked.acquire(timeout=DEADLINE_SECONDS)
        return HttpResponse(made[-1])

    def look() -> bytes:
        def note(execute: Any, sql: str, *more: Any) -> Any:
            found = execute(sql, *more)
            if "league_writecount" in sql:
                have_asked.release()
            return found

        request = RequestFactory().get("/")
        request.user = AnonymousUser()
        with connection.execute_wrapper(note):
            return told(request, club="harbour", event="league").content

    look()
    assert have_asked.acquire(timeout=0)
    change_event(actor=OPERATOR, event=event, name="Winter league")
    assert at_once([look] * readers) == [b"Winter league"] * readers
    assert len(made) == 2


def test_no_page_goes_backwards(client: Client, match: Match) -> None:
    """Who opens a page after others have looked is shown no less by his next look, nor are they."""
    for address in addresses(match).values():
        client.get(address, headers=LOOK)
        deal(match)
        opened = Client().get(address)
        assert client.get(address, headers=LOOK).content == opened.content
        assert Client().get(address, headers=LOOK).content == opened.content


def test_what_is_withheld_is_so_from_the_next_look_on(client: Client, match: Match) -> None:
    pages = addresses(match)
    # Who leads in a list; the sheet on the page of the match.
    tells = {name: 'class="sheet-table' if name == "match" else 'class="lead"' for name in pages}

    def telling() -> set[str]:
        return {
            name for name, address in pages.items() if tells[name] in client.get(address, headers=LOOK).text
        }

    assert telling() == EVERYWHERE
    withhold(match)
    assert telling() == set()
    close(match)
    assert {client.get(address, headers=LOOK).status_code for address in pages.values()} == {404}


def test_an_office_that_is_lost_is_lost_with_the_next_look(client: Client, match: Match) -> None:
    director = UserFactory.create(club=match.event.club, role=Role.DIRECTOR)
    client.force_login(director)
    unpublish_round(actor=OPERATOR, round_=draft(match))
    pages = addresses(match)
    address = reverse("round", args=["harbour", "league", 2])
    assert client.get(address).status_code == 200
    assert "draft" in client.get(pages["rounds"]).text
    set_role(actor=OPERATOR, club=match.event.club, user=director, role=Role.MEMBER)
    assert client.get(address).status_code == 404
    assert "draft" not in client.get(pages["rounds"]).text


def draft(match: Match) -> Round:
    """A round of the event that was published and is to be a draft again."""
    made: Round = RoundFactory.create(event=match.event)
    return made


def test_page_that_says_the_same_has_the_same_tag_for_every_guest_and_none_of_a_directors(
    client: Client, match: Match
) -> None:
    RoundFactory.create(event=match.event, state=RoundState.DRAFTED)
    director = logged_in(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    for address in addresses(match).values():
        tag = director.get(address)["ETag"]
        look = client.get(address, headers=LOOK | {"if-none-match": tag})
        assert (look.status_code, look["ETag"] == tag) == (200, False)
        assert Client().get(address)["ETag"] == look["ETag"]


def test_page_in_another_language_is_another(client: Client, match: Match) -> None:
    for address in addresses(match).values():
        with translation.override("en"):
            english = client.get(address)
        with translation.override("de"):
            german = client.get(address)
        assert '<html lang="de"' in german.text
        assert '<html lang="en"' in english.text


def test_page_is_of_the_day_in_the_club(
    client: Client, match: Match, time_machine: TimeMachineFixture
) -> None:
    """In Auckland it is Tuesday already when it is noon on Monday in London."""
    Club.objects.update(time_zone="Pacific/Auckland")
    tonight = datetime.date(2026, 11, 3)
    Round.objects.filter(pk=match.round_id).update(date=tonight)
    event = addresses(match)["event"]
    time_machine.move_to(datetime.datetime(2026, 11, 2, 10, 59, 50, tzinfo=datetime.UTC), tick=False)
    assert "Tonight" not in client.get(event).text
    time_machine.move_to(datetime.datetime(2026, 11, 2, 11, 0, 10, tzinfo=datetime.UTC), tick=False)
    assert "Tonight" in client.get(event).text


def follows(client: Client, address: str) -> int | None:
    """After how many seconds an open page looks for news; None if it does not."""
    found = re.search(r'data-follow="(\d+)"', client.get(address).text)
    return None if found is None else int(found[1])


def test_only_what_goes_on_is_followed(client: Client, match: Match) -> None:
    pages = addresses(match)
    assert {follows(client, pages[name]) for name in EVERYWHERE - {"club"}} == {12}
    assert follows(client, pages["event"] + "?round=1") is None
    stop(match)
    complete(match)
    assert follows(client, pages["round"]) is None
    finish(match)
    assert {follows(client, address) for address in pages.values()} == {None}


def test_club_page_follows_all_evening_and_more_slowly_while_nothing_is_played(
    client: Client, match: Match
) -> None:
    page = addresses(match)["club"]
    assert follows(client, page) == 20
    stop(match)
    complete(match)
    # Between two rounds.
    assert follows(client, page) == 60
    finish(match)
    assert follows(client, page) is None
    cup = EventFactory.create(club=match.event.club, state=EventState.OPEN)
    assert follows(client, page) == 60
    Event.objects.filter(pk=cup.pk).update(state=EventState.DRAFT)
    assert follows(client, page) is None


def test_pages_that_a_format_has_of_its_own_follow_too(client: Client) -> None:
    club = ClubFactory.create(slug="harbour")
    event = cup(club, 4, slug="cup")
    climb = ladder(3, club=club, slug="ladder")
    bracket = reverse("event_bracket", args=["harbour", "cup"])
    places = reverse("event_ladder", args=["harbour", "ladder"])
    challenges = reverse("event_rounds", args=["harbour", "ladder"])
    assert [follows(client, address) for address in (bracket, places, challenges)] == [12] * 3
    assert follows(client, f"{places}?on={timezone.localdate().isoformat()}") is None
    opened = {address: client.get(address)["ETag"] for address in (bracket, places, challenges)}
    drawn(event)
    make_challenge(actor=OPERATOR, event=climb, challenger=rung(climb, "C"), challenged=rung(climb, "A"))
    for address, tag in opened.items():
        assert client.get(address, headers=LOOK | {"if-none-match": tag}).status_code == 200
    Event.objects.update(state=EventState.FINISHED)
    assert [follows(client, address) for address in opened] == [None] * 3


def test_page_of_an_event_has_the_stylesheet_of_its_bracket_before_that_is_drawn(client: Client) -> None:
    """What is put in place later does not load one."""
    cup(ClubFactory.create(slug="harbour"), 4, slug="cup")
    shown = client.get(reverse("event", args=["harbour", "cup"])).text
    assert "bracket.css" in shown
    assert "<svg" not in shown


def test_rounds_say_who_leads_at_all_tables_that_play(client: Client, match: Match) -> None:
    """Round 1 is the current one, with two matches open; another table is at round 2 already."""
    MatchFactory.create(event=match.event, round=match.round, table=6)
    later: Match = MatchFactory.create(event=match.event, round=RoundFactory.create(event=match.event))
    play(later, 9)
    pages = addresses(match)

    def in_play() -> list[tuple[str, str]]:
        """The rounds and matches in the card."""
        shown = client.get(pages["rounds"]).text
        if 'id="in-play"' not in shown:
            return []
        card = shown[shown.index('id="in-play"') : shown.index('id="left-over"')]
        found = re.findall(r'<td class="figure soft">(\d+)</td>.*?href="([^"]+)"', card, re.DOTALL)
        assert card.count('class="lead"') == len(found)
        return found

    at_later = ("2", addresses(later)["match"])
    assert in_play() == [("1", pages["match"]), at_later]
    withhold(match)
    assert in_play() == []
    release(later)
    assert in_play() == [at_later]
