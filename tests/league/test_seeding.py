"""Seeds: by hand, rating, an earlier event and lot; until the first hand of the round they touch."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.draws import recalculating
from league.errors import LeagueError
from league.events.seeding import SeedBy, plan_seeds, seed_entries
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    EventState,
    IndividualStanding,
    Match,
    MatchState,
    Player,
    Rating,
)
from league.people.players import change_player
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    play,
)
from tests.league.admin_pages import page, text
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def entered(club: Club, names: Sequence[str], **values: Any) -> Event:
    event: Event = EventFactory.create(club=club, **values)
    for name in names:
        EntryFactory.create(event=event, name=name, players=[player(club, name)])
    return event


def player(club: Club, name: str) -> Player:
    found = Player.objects.filter(club=club, name=name).first()
    return found or PlayerFactory.create(club=club, name=name)


def seeds(event: Event) -> dict[str, int | None]:
    return dict(event.entries.values_list("name", "seed"))


def in_order(event: Event) -> list[str]:
    return list(event.entries.filter(seed__isnull=False).order_by("seed").values_list("name", flat=True))


def seed(event: Event, by: SeedBy, **values: Any) -> dict[str, int | None]:
    seed_entries(actor=OPERATOR, event=event, by=by, **values)
    return seeds(event)


def test_list_gives_seeds_without_gaps_and_takes_them_from_who_is_left_out(club: Club) -> None:
    event = entered(club, ["Ann", "Bob", "Cid", "Dot"])
    Entry.objects.filter(event=event, name="Ann").update(seed=7)
    Entry.objects.filter(event=event, name="Dot").update(seed=1)
    assert seed(event, SeedBy.HAND, order=["Cid", " Ann ", "Bob"]) == {
        "Cid": 1,
        "Ann": 2,
        "Bob": 3,
        "Dot": None,
    }
    assert seed(event, SeedBy.HAND, order=["Ann", "Cid"]) == {"Ann": 1, "Cid": 2, "Bob": None, "Dot": None}


@pytest.mark.parametrize(
    ("order", "code"),
    [
        (["Ann", "Bob", "Ann"], "seed_twice"),
        (["Ann", "Eve"], "unknown_entry"),
        (["Ann", "Gone"], "withdrawn"),
        ([], "no_entries"),
    ],
)
def test_list_that_is_wrong_is_refused_and_changes_nothing(club: Club, order: list[str], code: str) -> None:
    event = entered(club, ["Ann", "Bob", "Gone"])
    Entry.objects.filter(event=event, name="Bob").update(seed=1)
    Entry.objects.filter(event=event, name="Gone").update(withdrawn_at=timezone.now())
    with refuses(LeagueError, code):
        seed_entries(actor=OPERATOR, event=event, by=SeedBy.HAND, order=order)
    assert seeds(event) == {"Ann": None, "Bob": 1, "Gone": None}
    assert not AuditEntry.objects.filter(action="event.seed").exists()


def test_by_rating_the_highest_is_first_and_who_is_not_rated_last(club: Club) -> None:
    event = entered(club, ["Åse", "Bob", "Cid", "Dot", "Eve", "Gone"])
    for name, mu in (("Bob", 22.0), ("Cid", 31.5), ("Eve", 26.0), ("Gone", 40.0)):
        Rating.objects.create(player=player(club, name), mu=mu, sigma=2, matches=20)
    Entry.objects.filter(event=event, name="Gone").update(withdrawn_at=timezone.now(), seed=1)
    assert seed(event, SeedBy.RATING) == {"Cid": 1, "Eve": 2, "Bob": 3, "Åse": 4, "Dot": 5, "Gone": None}


def test_by_rating_a_team_is_as_good_as_its_best_players(club: Club) -> None:
    """Of three members the best two count; who is not rated counts as a newcomer (25)."""
    event = EventFactory.create(club=club, team_size=2)
    teams = {"Strong": (32.0, 30.0, 10.0), "Even": (30.5, 30.5), "Half": (36.5, None), "New": (None, None)}
    for name, figures in teams.items():
        players = [player(club, f"{name} {number}") for number, _ in enumerate(figures)]
        EntryFactory.create(event=event, name=name, players=players)
        for one, mu in zip(players, figures, strict=True):
            if mu is not None:
                Rating.objects.create(player=one, mu=mu, sigma=2, matches=20)
    seed(event, SeedBy.RATING)
    # 31, 30.5, 30.75; nobody of the last is rated.
    assert in_order(event) == ["Strong", "Half", "Even", "New"]


def played(club: Club) -> Event:
    """An event that ends Cid, Ann, Bob."""
    event = entered(club, ["Ann", "Bob", "Cid"], criteria=["match_points", "net"])
    of = {entry.name: entry for entry in event.entries.all()}
    round_ = RoundFactory.create(event=event)
    play(
        MatchFactory.create(event=event, round=round_, entry_a=of["Cid"], entry_b=of["Ann"]), 60, stopped=True
    )
    play(MatchFactory.create(event=event, entry_a=of["Cid"], entry_b=of["Bob"]), 70, stopped=True)
    play(MatchFactory.create(event=event, entry_a=of["Ann"], entry_b=of["Bob"]), 10, stopped=True)
    recalculating.recalculate(event.pk)
    return event


def test_by_an_earlier_event_entries_are_found_by_their_players(club: Club) -> None:
    earlier = played(club)
    event = entered(club, ["Ann", "Bob", "Cid", "Dot", "Abe"])
    Player.objects.filter(name="Ann").update(name="Ann Lee")
    seed(event, SeedBy.EVENT, earlier=earlier)
    assert in_order(event) == ["Cid", "Ann", "Bob", "Abe", "Dot"]


def test_by_an_earlier_event_a_team_has_the_average_place_of_its_players(club: Club) -> None:
    earlier = played(club)
    event = EventFactory.create(club=club, team_size=2)
    # Places 2 and 3; 1 and nobody; nobody.
    for name, members in (("Two", ("Ann", "Bob")), ("One", ("Cid", "Dot")), ("None", ("Eve", "Fay"))):
        EntryFactory.create(event=event, name=name, players=[player(club, member) for member in members])
    seed(event, SeedBy.EVENT, earlier=earlier)
    assert in_order(event) == ["One", "Two", "None"]


def test_by_an_event_of_teams_players_have_their_own_places(club: Club) -> None:
    earlier = EventFactory.create(club=club, team_size=2)
    team = EntryFactory.create(event=earlier, players=[player(club, "Ann"), player(club, "Bob")])
    play(MatchFactory.create(event=earlier, entry_a=team), 60, stopped=True)
    recalculating.recalculate(earlier.pk)
    IndividualStanding.objects.filter(event=earlier).delete()
    for position, name in enumerate(["Bob", "Ann"], start=1):
        IndividualStanding.objects.create(
            event=earlier,
            player=player(club, name),
            position=position,
            rank=position,
            played=1,
            wins=1,
            draws=0,
            losses=0,
            net=0,
            hands_won=0,
            gins=0,
        )
    event = entered(club, ["Ann", "Bob"])
    seed(event, SeedBy.EVENT, earlier=earlier)
    assert in_order(event) == ["Bob", "Ann"]


def test_earlier_event_that_tells_nothing_is_refused(club: Club) -> None:
    event = entered(club, ["Ann"])
    stranger = played(ClubFactory.create())
    unknown = entered(club, ["Zoe"])
    for earlier, code in (
        (None, "invalid"),
        (event, "invalid"),
        (stranger, "invalid"),
        (unknown, "nobody_known"),
    ):
        with refuses(LeagueError, code, field="earlier"):
            plan_seeds(event=event, by=SeedBy.EVENT, earlier=earlier)


def test_lot_is_the_events_own_and_falls_the_same_again_whatever_they_are_called(club: Club) -> None:
    names = [f"Player {number}" for number in range(12)]
    event = entered(club, names)
    seed(event, SeedBy.LOT)
    first = list(event.entries.order_by("seed").values_list("pk", flat=True))
    called = dict(zip(first, names, strict=True))
    for entry in event.entries.all():
        change_player(actor=OPERATOR, player=entry.players.get(), name=f"{called[entry.pk]} again")
    seed(event, SeedBy.LOT)
    assert list(event.entries.order_by("seed").values_list("pk", flat=True)) == first
    Event.objects.filter(pk=event.pk).update(lot_seed=event.lot_seed + 1)
    event.refresh_from_db()
    seed(event, SeedBy.LOT)
    assert list(event.entries.order_by("seed").values_list("pk", flat=True)) != first


def _hand(match: Match) -> None:
    play(match, 20)


def _walkover(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(state=MatchState.WALKOVER, winner_side=0)


def _nothing(match: Match) -> None:
    """The round is drawn, and that is all."""


@pytest.mark.parametrize(
    ("format", "number", "do", "code"),
    [
        ("single", 1, _nothing, None),
        ("single", 1, _hand, "has_hands"),
        ("single", 1, _walkover, "has_hands"),
        ("groups", 2, _hand, "has_hands"),
        ("round_robin", 2, _hand, "has_hands"),
        ("swiss", 1, _nothing, None),
        ("swiss", 1, _hand, "has_hands"),
        ("swiss", 2, _hand, None),
    ],
)
def test_seeds_may_be_changed_until_the_first_hand_of_a_round_they_touch(
    club: Club, format: str, number: int, do: Callable[[Match], None], code: str | None
) -> None:
    event = EventFactory.create(club=club, format=format)
    round_ = RoundFactory.create(event=event, number=number)
    do(MatchFactory.create(event=event, round=round_))
    if code is None:
        seed_entries(actor=OPERATOR, event=event, by=SeedBy.LOT)
        return
    with refuses(LeagueError, code):
        seed_entries(actor=OPERATOR, event=event, by=SeedBy.LOT)
    assert set(seeds(event).values()) == {None}


@pytest.mark.parametrize("state", [EventState.FINISHED, EventState.ARCHIVED])
def test_event_that_is_over_keeps_its_seeds(club: Club, state: EventState) -> None:
    event = entered(club, ["Ann"], state=state)
    with refuses(LeagueError, "wrong_state"):
        seed_entries(actor=OPERATOR, event=event, by=SeedBy.LOT)


def test_audit_says_which_seeds_changed_and_how(club: Club) -> None:
    event = entered(club, ["Ann", "Bob", "Cid"])
    seed(event, SeedBy.HAND, order=["Ann", "Bob", "Cid"])
    seed(event, SeedBy.HAND, order=["Ann", "Cid", "Bob"])
    seed(event, SeedBy.HAND, order=["Ann", "Cid", "Bob"])
    newest, _first = AuditEntry.objects.filter(action="event.seed").order_by("-id")
    changed = [as_written(facts)["seeds"] for facts in (newest.before, newest.after)]
    before, after = ({one["entry"]: one["seed"] for one in seeds} for seeds in changed)
    assert before == {"Bob": 2, "Cid": 3}
    assert after == {"Bob": 3, "Cid": 2}
    assert newest.reason == "by hand, in the order of a list"


def test_act_shows_old_and_new_seeds_before_it_changes_them(owner: Client, club: Club) -> None:
    event = entered(club, ["Ann", "Bob", "Cid"])
    seed(event, SeedBy.HAND, order=["Ann", "Bob"])
    asked = text(owner.get(page("event", event, "seed")))
    assert "Ann\nBob\nCid" in owner.get(page("event", event, "seed")).content.decode()
    assert "Seed the entries" in asked
    data = {"by": "hand", "order": "Cid\r\n\r\nBob\r\nAnn\r\n"}
    shown = owner.post(page("event", event, "seed"), data)
    assert "<td>Ann</td><td>1</td><td>3</td>" in text(shown)
    assert "<td>Cid</td><td>–</td><td>1</td>" in text(shown)
    assert in_order(event) == ["Ann", "Bob"]
    owner.post(page("event", event, "seed"), {**data, "_confirm": "1"})
    assert in_order(event) == ["Cid", "Bob", "Ann"]


@pytest.mark.parametrize(
    ("event_format", "drawn", "told"),
    [
        ("swiss", True, True),
        ("single", True, True),
        ("swiss", False, False),
        ("rotation", True, False),
    ],
)
def test_act_says_that_the_draw_went_by_other_seeds(
    owner: Client, club: Club, event_format: str, drawn: bool, told: bool
) -> None:
    size = 2 if event_format == "rotation" else 1
    event = entered(club, ["Ann", "Bob"], format=event_format, team_size=size)
    if drawn:
        RoundFactory.create(event=event)
    data = {"by": "hand", "order": "Bob\r\nAnn"}
    shown = text(owner.post(page("event", event, "seed"), data))
    assert ("The draw will stand as it is" in shown) is told
    done = text(owner.post(page("event", event, "seed"), {**data, "_confirm": "1"}, follow=True))
    assert ("The draw was made with the old seeds: redraw it" in done) is told
    again = text(owner.post(page("event", event, "seed"), data))
    assert "The draw will stand as it is" not in again


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"by": "hand", "order": "Ann\nAnn"}, "Ann is listed twice."),
        ({"by": "event", "order": ""}, "Choose an earlier event of the club."),
    ],
)
def test_act_says_what_is_wrong(owner: Client, club: Club, data: dict[str, str], sentence: str) -> None:
    event = entered(club, ["Ann", "Bob"])
    answer = owner.post(page("event", event, "seed"), data)
    assert answer.status_code == 422
    assert sentence in text(answer)
