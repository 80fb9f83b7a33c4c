"""Which round of an event is the current one: the same on all pages, and dates only help."""

import datetime

import pytest
from django.test import Client
from django.urls import reverse

from league.draws.recalculating import recalculate
from league.models import Event, EventState, Role, Round, RoundState
from league.tables.round_summaries import RoundSummary, current
from tests.factories import EventFactory, MatchFactory, RoundFactory, UserFactory, play
from tests.league.test_pages import read

TODAY = datetime.date(2026, 11, 23)


def rounds(*said: str) -> list[RoundSummary]:
    """Rounds of four matches: how many are decided, or a state; then `@` and the days until its date.

    And after `:` the days until its last day, where its players arrange their matches.
    """
    made = []
    for number, words in enumerate(said, start=1):
        state, _, days = words.partition("@")
        date, last_day = (
            TODAY + datetime.timedelta(days=int(each)) if each else None
            for each in (days.partition(":")[0], days.partition(":")[2])
        )
        is_draft, is_closed = state == "draft", state == "closed"
        chosen = (
            RoundState.DRAFTED if is_draft else RoundState.COMPLETE if is_closed else RoundState.PUBLISHED
        )
        decided = 0 if is_draft else 3 if is_closed else int(state)
        round_ = Round(number=number, date=date, last_day=last_day, state=chosen)
        made.append(RoundSummary(round_, 4, decided, 0, 0, 4 - decided, 0))
    return made


@pytest.mark.parametrize(
    ("said", "number"),
    [
        # Published and not complete, the lowest number first; nobody has to have played.
        (["0"], 1),
        (["4", "0", "0"], 2),
        (["4", "2", "0"], 2),
        (["4", "2", "draft"], 2),
        (["1", "2", "3"], 1),
        # A round that its director has closed is over, whatever is missing.
        (["4", "closed", "0"], 3),
        # Today's is the one, also if an earlier one is not complete.
        (["4", "3@-7", "0@0", "0@7"], 3),
        # After midnight yesterday's goes on, as long as no later one has begun.
        (["4@-8", "2@-1", "0@6"], 2),
        # What is left of an earlier week is played beside the next round.
        (["4@-21", "3@-14", "4@-7", "0@7"], 4),
        (["4@-14", "3@-7", "4@-1"], 2),
        # A round of several days is the one on each of them, and goes on beside the next until its last.
        (["3@-20:-7", "2@-6:7", "0@8:21"], 2),
        (["3@-14:0", "1@1:14"], 1),
        (["3@-14:-1", "1@1:14"], 2),
        # With all complete the last one stays, and a draft is nobody's current round.
        (["4", "4"], 2),
        (["4", "4", "draft"], 2),
        (["draft"], 1),
    ],
)
def test_current_round(said: list[str], number: int) -> None:
    found = current(rounds(*said), TODAY)
    assert found is not None
    assert found.round.number == number


def test_no_round_is_current_without_any() -> None:
    assert current([], TODAY) is None


def test_a_round_that_waits_for_a_result_which_is_looked_at_is_under_way() -> None:
    first, second = rounds("4", "0")
    held = RoundSummary(first.round, 4, 4, 0, 1, 0, 0)
    assert current([held, second], TODAY) is held


@pytest.fixture
def event(db: None) -> Event:
    """Round 1 is played but for one match, and round 2 is published; nothing has a date."""
    event = EventFactory.create(club__slug="harbour", slug="swiss", format="swiss", rounds_planned=3)
    first = RoundFactory.create(event=event, date=None)
    play(MatchFactory.create(event=event, round=first), 40, stopped=True)
    MatchFactory.create(event=event, round=first)
    second = RoundFactory.create(event=event, date=None)
    MatchFactory.create(event=event, round=second)
    return event


def test_pages_agree(event: Event, client: Client) -> None:
    assert "Round 1 of 3" in read(client, "event", "harbour", "swiss")
    assert "Round 1 of 3" in read(client, "club", "harbour")
    for match in event.rounds.get(number=1).matches.exclude(state="stopped"):
        play(match, 40, stopped=True)
    assert "Round 2 of 3" in read(client, "event", "harbour", "swiss")
    assert "Round 2 of 3" in read(client, "club", "harbour")


def test_a_published_round_is_shown_before_anybody_has_played(db: None, client: Client) -> None:
    event = EventFactory.create(club__slug="harbour", slug="new", format="swiss")
    match = MatchFactory.create(event=event, round=RoundFactory.create(event=event, date=None))
    for name in (["club", "harbour"], ["event", "harbour", "new"]):
        said = read(client, *name)
        assert match.entry_a.name in said
        assert "Round 1" in said
    # Its start list, and no table of zeros.
    assert "Standings as PDF" not in read(client, "event", "harbour", "new")
    assert "2 players" in read(client, "event", "harbour", "new")


def test_a_match_of_tonight_is_on_the_clubs_page_with_its_result(db: None, client: Client) -> None:
    event = EventFactory.create(slug="tonight", state=EventState.RUNNING)
    club = event.club
    round_ = RoundFactory.create(event=event, date=None)
    done, open_ = (MatchFactory.create(event=event, round=round_) for _ in range(2))
    play(done, 60, stopped=True)
    page = client.get(reverse("club", args=[club.slug])).content.decode()
    for match in (done, open_):
        assert reverse("match", args=[club.slug, "tonight", match.code]) in page
    # The board is the directors' alone.
    board = reverse("round_board", args=[club.slug, "tonight", round_.number])
    assert board not in page
    client.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    assert board in client.get(reverse("club", args=[club.slug])).content.decode()
    assert "1 of 2 matches decided" in read(client, "club", club.slug)


def test_who_leads_at_a_table_is_told_and_by_how_much_unless_results_are_hidden(
    db: None, client: Client
) -> None:
    event = EventFactory.create(club__slug="harbour", slug="tonight", state=EventState.RUNNING)
    match = MatchFactory.create(event=event, round=RoundFactory.create(event=event, date=None))
    play(match, 20, -31)
    ahead = f"{match.entry_b} +11"
    event_page = ("harbour", "tonight")
    pages: dict[str, tuple[object, ...]] = {
        "club": ("harbour",),
        "event": event_page,
        "round": (*event_page, 1),
    }
    for name, arguments in pages.items():
        assert ahead in read(client, name, *arguments)
    Event.objects.filter(pk=event.pk).update(holds_results=True)
    for name, arguments in pages.items():
        assert "+11" not in read(client, name, *arguments)
    client.force_login(UserFactory.create(club=event.club, role=Role.DIRECTOR))
    assert ahead in read(client, "round_board", "harbour", "tonight", 1)


def test_on_a_telephone_what_is_played_now_stands_before_the_table(event: Event, client: Client) -> None:
    """There the page is one column, in the order of its text."""
    recalculate(event.pk)
    page = client.get(reverse("event", args=["harbour", "swiss"])).content.decode()
    assert 0 < page.index('id="current"') < page.index('class="ruled standings"')
