"""Open pages look for news by ETag: whatever changes what is shown changes the tag, and nothing else does."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.events.entries import withdraw_entry
from league.models import Club, Event, EventState, Match, Player, Role, Round, RoundState, ShownAs
from league.tasks import recalculate_standings
from scoring.services import correct_deals, record_deals, stop_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    play,
    won,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour", is_public=True), slug="league", state=EventState.RUNNING
    )
    entries = [EntryFactory.create(event=event, name=name) for name in ("Eklund", "Castell")]
    drawn: Match = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=entries[0], entry_b=entries[1], table=5
    )
    play(drawn, 30)
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


def deal(match: Match) -> None:
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Castell", "Eklund", 55)])


def stop(match: Match) -> None:
    assert match.sheet is not None
    stop_sheet(actor=OPERATOR, sheet=match.sheet)


def correct(match: Match) -> None:
    assert match.sheet is not None
    changes: dict[int, object] = {1: won("Castell", "Eklund", 44)}
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes=changes, reason="Misread.")


def withdraw(match: Match) -> None:
    withdraw_entry(actor=OPERATOR, entry=match.entry_a, reason="moved away", annul=True)


def recalculate(match: Match) -> None:
    stop(match)
    recalculate_standings(match.event_id)


def annul(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(annulled=True)


def cover(match: Match) -> None:
    Player.objects.filter(club=match.event.club).update(shown_as=ShownAs.INITIALS)


def rename_club(match: Match) -> None:
    Club.objects.update(name="Harbour and Bay")


def rename_event(match: Match) -> None:
    Event.objects.update(name="Winter league")


def withhold(match: Match) -> None:
    Event.objects.update(holds_results=True)


def unpublish(match: Match) -> None:
    Round.objects.update(state=RoundState.DRAFTED)


def finish(match: Match) -> None:
    Event.objects.update(state=EventState.FINISHED)


EVERYWHERE = {"club", "event", "rounds", "round", "match"}
# What is done, and the pages that show it.
CHANGES: list[tuple[Callable[[Match], None], set[str]]] = [
    (deal, {"club", "event", "round", "match"}),
    (stop, EVERYWHERE),
    (correct, {"club", "event", "round", "match"}),
    (recalculate, EVERYWHERE),
    (withdraw, EVERYWHERE),
    (annul, {"match"}),
    (cover, {"event", "round", "match"}),
    (rename_club, EVERYWHERE),
    (rename_event, EVERYWHERE),
    (withhold, {"club", "event", "round", "match"}),
    (unpublish, EVERYWHERE),
    (finish, EVERYWHERE),
]


@pytest.mark.parametrize(("change", "shown_on"), CHANGES, ids=lambda one: getattr(one, "__name__", ""))
def test_change_is_seen_by_whoever_has_the_page_open(
    client: Client, match: Match, change: Callable[[Match], None], shown_on: set[str]
) -> None:
    tags = {name: client.get(address)["ETag"] for name, address in addresses(match).items()}
    again = {
        name: client.get(address, headers={"if-none-match": tags[name]}).status_code
        for name, address in addresses(match).items()
    }
    assert again == dict.fromkeys(tags, 304)
    change(match)
    news = {
        name
        for name, address in addresses(match).items()
        if client.get(address, headers={"if-none-match": tags[name]}).status_code != 304
    }
    assert shown_on <= news


def test_tag_is_the_readers_own(client: Client, match: Match) -> None:
    """A director's page with its drafts is no answer for the public."""
    Round.objects.update(state=RoundState.DRAFTED)
    director = Client()
    director.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    rounds = addresses(match)["rounds"]
    tag = director.get(rounds)["ETag"]
    assert client.get(rounds, headers={"if-none-match": tag}).status_code == 200


def test_only_what_is_played_is_followed(client: Client, match: Match) -> None:
    pages = addresses(match)
    assert all("data-follow=" in client.get(pages[name]).text for name in EVERYWHERE)
    assert "data-follow=" not in client.get(pages["event"] + "?round=1").text
    Round.objects.update(state=RoundState.COMPLETE)
    assert "data-follow=" not in client.get(pages["round"]).text
    Event.objects.update(state=EventState.FINISHED)
    followed = {name for name, address in pages.items() if "data-follow=" in client.get(address).text}
    assert followed == set()


def test_looks_of_guests_share_an_answer_for_two_seconds(
    client: Client, match: Match, django_assert_num_queries: Callable[[int], Any], time_machine: Any
) -> None:
    time_machine.move_to(timezone.now(), tick=False)
    look = {"HX-Request": "true"}
    for address in addresses(match).values():
        seen = client.get(address, headers=look)
        with django_assert_num_queries(0):
            other = Client().get(address, headers=look)
            again = client.get(address, headers=look | {"if-none-match": seen["ETag"]})
        assert other.content == seen.content
        assert again.status_code == 304
    page = addresses(match)["round"]
    shared = client.get(page, headers=look)
    deal(match)
    opened = client.get(page)
    assert opened["ETag"] != shared["ETag"] == client.get(page, headers=look)["ETag"]
    time_machine.shift(2.1)
    assert client.get(page, headers=look)["ETag"] == opened["ETag"]


def test_nobody_who_is_signed_in_shares_an_answer(client: Client, match: Match) -> None:
    look = {"HX-Request": "true"}
    director = Client()
    director.force_login(UserFactory.create(club=match.event.club, role=Role.DIRECTOR))
    rounds = addresses(match)["rounds"]
    Round.objects.update(state=RoundState.DRAFTED)
    tags = {director.get(rounds, headers=look)["ETag"], client.get(rounds, headers=look)["ETag"]}
    assert len(tags) == 2
    Round.objects.update(state=RoundState.PUBLISHED)
    assert director.get(rounds, headers=look)["ETag"] not in tags
