"""Duplicate events: how a sheet's deals are told apart by packs, and standings and a page made of them."""

from decimal import Decimal
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.html import strip_tags

from games.gin.hand import shuffled
from games.tables.pack_lists import read_pack_list, write_pack_list
from league.core.standings.duplicate import PackPlay
from league.draws.packs import draw_packs, take_packs
from league.errors import LeagueError
from league.models import (
    AuditEntry,
    Event,
    EventState,
    PackPlays,
    PlayedWhere,
    Role,
    Round,
    RoundPacks,
    RoundState,
)
from league.policy import actor_of
from league.tables.duplicates import plays_of
from league.tables.standings import current_standings
from scoring.core.sheets import Deal
from scoring.services import record_deals
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    RoundFactory,
    UserFactory,
    house_rules,
    play,
    won,
)
from tests.pdf_text import texts
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

PAGE = "/clubs/harbour/events/evening/packs/"


@pytest.fixture
def evening() -> Event:
    """Two packs a round, played at two tables: A against B, and C against D."""
    event = EventFactory.create(
        club=ClubFactory.create(slug="harbour"),
        slug="evening",
        state=EventState.RUNNING,
        is_duplicate=True,
        criteria=["duplicate", "net"],
        rules=house_rules("online", columns=1, deals=4),
    )
    a, b, c, d = (EntryFactory.create(event=event, name=name) for name in "ABCD")
    first = RoundFactory.create(event=event, state=RoundState.COMPLETE)
    play(MatchFactory.create(event=event, round=first, entry_a=a, entry_b=b), 10, -5, 20, 8)
    play(MatchFactory.create(event=event, round=first, entry_a=c, entry_b=d), -4, 6, 2, -3)
    return event


def words(client: Client, address: str = PAGE) -> str:
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def named(event: Event) -> dict[int, str]:
    return dict(event.entries.values_list("pk", "name"))


def test_the_first_half_of_a_sheet_and_the_second_are_the_same_packs(evening: Event) -> None:
    """The first side deals packs 1, 3, … of the first half, and the others of the second."""
    names = named(evening)
    told = {(one.round, one.pack, names[one.dealer], names[one.other], one.net) for one in plays_of(evening)}
    assert told == {
        (1, 1, "A", "B", 10),
        (1, 2, "B", "A", 5),
        (1, 1, "B", "A", -20),
        (1, 2, "A", "B", 8),
        (1, 1, "C", "D", -4),
        (1, 2, "D", "C", -6),
        (1, 1, "D", "C", -2),
        (1, 2, "C", "D", -3),
    }


def test_standings_by_the_duplicate_score(evening: Event) -> None:
    """Of pack 1 dealers made 10, −20, −4, −2, of pack 2 8, 5, −3, −6; the net alone would have D last."""
    rows = [(row.entry.name, Decimal(row.metrics["duplicate"])) for row in current_standings(evening)]
    assert rows == [
        ("A", Decimal(44)),
        ("C", Decimal("1.33")),
        ("D", Decimal("-1.33")),
        ("B", Decimal(-44)),
    ]


def test_a_round_to_come_changes_no_earlier_table(evening: Event) -> None:
    a, _b, c, _d = evening.entries.order_by("name")
    second = RoundFactory.create(event=evening, state=RoundState.PUBLISHED)
    play(MatchFactory.create(event=evening, round=second, entry_a=a, entry_b=c), 50, 50, 50, 50)
    assert len(plays_of(evening)) == 12
    assert len(plays_of(evening, until=1)) == 8


def test_two_tables_of_teams_hold_a_pack_from_both_sides() -> None:
    rules = house_rules("online", columns=1, deals=2)
    event = EventFactory.create(kind="team", team_size=2, is_duplicate=True, rules=rules)
    a, b = (EntryFactory.create(event=event, name=name) for name in "AB")
    match = MatchFactory.create(event=event, entry_a=a, entry_b=b)
    hands = [(won("A 1", "B 1", 10), won("A 2", "B 2", 4)), (won("B 2", "A 1", 7), won("B 1", "A 2", 6))]
    # Of the second deal the hands were typed the other way round.
    deals = [Deal((*one.hands, *other.hands)) for one, other in (hands[0], hands[1][::-1])]
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    assert plays_of(event) == [
        PackPlay(1, 1, a.pk, b.pk, 10),
        PackPlay(1, 1, b.pk, a.pk, -4),
        PackPlay(1, 1, a.pk, b.pk, -6),
        PackPlay(1, 1, b.pk, a.pk, 7),
    ]


def test_the_page_tells_each_pack_of_a_round_that_is_over(client: Client, evening: Event) -> None:
    shown = words(client)
    assert "Pack 1: dealers made −4 on average" in shown
    assert "Pack 2: dealers made +1 on average" in shown
    # A made 10 of pack 1, where the others made −26 together.
    assert "A B +10 +18.67" in shown
    evening.rounds.update(state=RoundState.PUBLISHED)
    assert "shown once all tables have played them" in words(client)
    assert client.get(f"{PAGE}?round=1").status_code == 404


def test_held_results_are_held_by_the_pack_too(client: Client, evening: Event) -> None:
    Event.objects.update(holds_results=True)
    assert "Pack 1" not in words(client)
    evening.rounds.update(released_at="2026-01-08T00:00:00Z")
    assert "Pack 1" in words(client)


def test_an_event_of_plain_deals_has_no_such_page(client: Client, evening: Event) -> None:
    Event.objects.update(is_duplicate=False)
    assert client.get(PAGE).status_code == 404
    assert PAGE not in client.get("/clubs/harbour/events/evening/").content.decode()


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"format": "single"}, "is_duplicate"),
        ({"played": PlayedWhere.EITHER}, "is_duplicate"),
        ({"rules": ("online", {"deals": 3})}, "is_duplicate"),
        ({"rules": ("online", {})}, "is_duplicate"),
        ({"is_duplicate": False}, "criteria"),
    ],
)
def test_what_makes_no_duplicate_is_refused(evening: Event, changed: dict[str, Any], field: str) -> None:
    evening.clean()
    for name, value in changed.items():
        setattr(evening, name, house_rules(value[0], columns=1, **value[1]) if name == "rules" else value)
    with pytest.raises(ValidationError) as refused:
        evening.clean()
    assert set(refused.value.message_dict) == {field}


@pytest.fixture
def to_play(evening: Event) -> Round:
    """A second round, of which nothing is played."""
    a, _b, c, _d = evening.entries.order_by("name")
    second: Round = RoundFactory.create(event=evening, state=RoundState.PUBLISHED)
    MatchFactory.create(event=evening, round=second, entry_a=a, entry_b=c)
    return second


def test_packs_that_are_played_once_are_as_many_as_the_deals(evening: Event, to_play: Round) -> None:
    Event.objects.update(packs_played=PackPlays.ONCE)
    round_ = Round.objects.select_related("event__rules").get(pk=to_play.pk)
    assert len(draw_packs(actor=OPERATOR, round_=round_).packs) == 4
    director = logged_in(UserFactory.create(club=evening.club, role=Role.DIRECTOR))
    printed = " ".join(texts(director.get(f"{PAGE}2.pdf").content))
    assert printed.count("dealt by the side named first") == 2
    evening.refresh_from_db()
    assert [(one.pack, one.net) for one in plays_of(evening)[:4]] == [(1, 10), (2, 5), (3, 20), (4, -8)]


def test_packs_are_sealed_until_the_round_is_over(client: Client, to_play: Round) -> None:
    kept = draw_packs(actor=OPERATOR, round_=to_play)
    assert len(kept.packs) == 2
    assert all(sorted(pack) == list(range(52)) for pack in kept.dealt)
    addresses = [f"{PAGE}2.csv", f"{PAGE}2.pdf"]
    director = logged_in(UserFactory.create(club=to_play.event.club, role=Role.DIRECTOR))
    assert [client.get(address).status_code for address in addresses] == [404, 404]
    shown = client.get(PAGE).content.decode()
    assert kept.commitment in shown
    assert kept.nonce not in shown
    assert read_pack_list(director.get(addresses[0]).content.decode(), count=2) == kept.dealt
    told = director.get(addresses[1])
    printed = " ".join(texts(told.content)).split()
    for card in kept.packs[0].split():
        assert printed.count(card.replace("T", "10")) == len(kept.packs), card
    assert "no-store" in told.headers["Cache-Control"]
    audit = AuditEntry.objects.get(action="round.draw_packs")
    assert audit.after == {"commitment": kept.commitment}

    Round.objects.filter(pk=to_play.pk).update(state=RoundState.COMPLETE)
    assert [client.get(address).status_code for address in addresses] == [200, 200]
    assert kept.nonce in client.get(PAGE).content.decode()
    seal = sha256(("\n".join(kept.packs) + f" {kept.nonce}").encode()).hexdigest()
    assert seal == kept.commitment


def test_packs_may_come_from_a_list_until_they_are_in_play(to_play: Round) -> None:
    packs = [shuffled(1), shuffled(2)]
    draw_packs(actor=OPERATOR, round_=to_play)
    kept = take_packs(actor=OPERATOR, round_=to_play, listed=write_pack_list(packs))
    assert RoundPacks.objects.get().dealt == packs == kept.dealt
    play(to_play.matches.get(), 10)
    for act in (draw_packs, partial(take_packs, listed=write_pack_list(packs))):
        with refuses(LeagueError, "has_begun"):
            act(actor=OPERATOR, round_=to_play)


def test_packs_are_set_by_directors_for_open_rounds_of_duplicate_events(to_play: Round) -> None:
    somebody = actor_of(UserFactory.create(club=to_play.event.club, role=Role.MEMBER))
    closed = to_play.event.rounds.get(number=1)
    draft = RoundFactory.create(event=to_play.event, state=RoundState.DRAFTED)
    plain = RoundFactory.create(event=EventFactory.create())
    for actor, round_, code in (
        (somebody, to_play, "not_allowed"),
        (OPERATOR, closed, "wrong_state"),
        (OPERATOR, draft, "round_drafted"),
        (OPERATOR, plain, "not_duplicate"),
    ):
        with refuses(LeagueError, code):
            draw_packs(actor=actor, round_=round_)


def test_a_list_for_another_number_of_packs_is_refused(to_play: Round) -> None:
    with refuses(LeagueError, "wrong_list", field="packs"):
        take_packs(actor=OPERATOR, round_=to_play, listed=write_pack_list([shuffled(1)]))
    assert not RoundPacks.objects.exists()
