"""The draw of a round robin on the database, and taking it back."""

import datetime
from collections import Counter
from itertools import combinations

import pytest

from league.draws.forfeits import award_forfeit
from league.draws.matches_by_hand import add_match, remove_match
from league.draws.rounds import (
    MOST_MATCHES,
    add_round,
    change_round,
    delete_draw,
    draw_round_robin,
    plan_round_robin,
    remove_round,
)
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    Match,
    MatchState,
    Round,
    StandingsRequest,
)
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.documents.sheets import read_deals
from scoring.models import Scoresheet, Seat
from scoring.services import record_deals, void_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, PlayerFactory, UserFactory
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

FIRST = datetime.date(2026, 9, 3)


def event_of(club: Club, count: int, *, team_size: int = 1, members: int | None = None) -> Event:
    event = EventFactory.create(club=club, name="Hollywood League 2026", team_size=team_size)
    for number in range(count):
        players = None
        if members is not None:
            players = [PlayerFactory.create(club=club) for _ in range(members)]
        EntryFactory.create(event=event, name=f"Entry {number:02}", players=players)
    return event


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("count", [2, 3, 6, 7])
def test_draw_pairs_everybody_with_everybody(club: Club, director: Actor, count: int, double: bool) -> None:
    event = event_of(club, count)
    told: list[tuple[int, int]] = []
    rounds = draw_round_robin(
        actor=director,
        event=event,
        double=double,
        first_date=FIRST,
        progress=lambda done, total: told.append((done, total)),
    )
    times = 2 if double else 1
    matches = list(Match.objects.filter(event=event).select_related("sheet", "round"))
    played = [match for match in matches if match.entry_b_id is not None]
    met = Counter(frozenset((match.entry_a_id, match.entry_b_id)) for match in played)
    everybody = event.entries.values_list("pk", flat=True)
    assert met == {frozenset(pair): times for pair in combinations(everybody, 2)}
    assert len(rounds) == times * (count - 1 if count % 2 == 0 else count)
    for round_ in rounds:
        seated = Appearance.objects.filter(round=round_).count()
        byes = round_.matches.filter(state=MatchState.BYE)
        assert seated + len(byes) == count
        assert all(bye.winner_side == 0 and bye.sheet is None for bye in byes)
    assert [round_.date for round_ in rounds] == [
        FIRST + datetime.timedelta(days=7 * index) for index in range(len(rounds))
    ]
    labels = [match.label for match in matches]
    assert len(set(labels)) == len(labels)
    assert "HL01-1" in labels
    for match in played:
        assert match.sheet is not None
        assert match.sheet.label == match.label
        assert match.sheet.rules_id == event.rules_id
        first, second = kept_sheet(match.sheet).sides
        assert (first.name, second.name) == (match.entry_a.name, str(match.entry_b))
    assert told[-1] == (len(matches), len(matches))
    note = AuditEntry.objects.get(action="event.draw")
    assert note.after is not None
    assert note.after["matches"] == len(played)
    assert StandingsRequest.objects.filter(event=event).exists()


def test_entries_take_places_by_seed_then_by_name(club: Club) -> None:
    event = event_of(club, 4)
    event.entries.filter(name="Entry 03").update(seed=1)
    event.entries.filter(name="Entry 02").update(seed=2)
    plan = plan_round_robin(event=event)
    assert [entry.name for entry in plan.entries] == ["Entry 03", "Entry 02", "Entry 00", "Entry 01"]


def test_teams_have_line_ups_and_sheets_where_nobody_is_to_be_chosen(club: Club, director: Actor) -> None:
    exact = event_of(club, 4, team_size=2)
    draw_round_robin(actor=director, event=exact)
    assert Appearance.objects.filter(round__event=exact).count() == 6 * 4
    assert Seat.objects.filter(sheet__match__event=exact).count() == 6 * 4
    club_two = event_of(ClubFactory.create(), 2, team_size=2, members=3)
    draw_round_robin(actor=OPERATOR, event=club_two)
    match = Match.objects.get(event=club_two)
    assert (match.sheet, match.appearances.count()) == (None, 0)


@pytest.mark.parametrize(
    ("days", "code"),
    [(-1, "out_of_range"), (367, "out_of_range")],
)
def test_draw_refuses_days_out_of_range(club: Club, director: Actor, days: int, code: str) -> None:
    with refuses(LeagueError, code, field="days_between"):
        draw_round_robin(actor=director, event=event_of(club, 4), days_between=days, first_date=FIRST)


def test_draw_refuses_dates_after_the_end_of_the_calendar(club: Club, director: Actor) -> None:
    with pytest.raises(LeagueError) as refusal:
        draw_round_robin(actor=director, event=event_of(club, 4), first_date=datetime.date.max)
    assert refusal.value.field == "first_date"


def test_draw_refuses_fewer_than_two_and_a_second_draw(club: Club, director: Actor) -> None:
    event = event_of(club, 2)
    withdraw_entry(actor=director, entry=event.entries.all()[0], reason="Ill")
    with refuses(LeagueError, "too_few_entries"):
        draw_round_robin(actor=director, event=event)
    EntryFactory.create(event=event)
    draw_round_robin(actor=director, event=event)
    with refuses(LeagueError, "already_drawn"):
        draw_round_robin(actor=director, event=event)
    assert Match.objects.count() == 1


@pytest.mark.parametrize(("double", "enough", "too_many"), [(False, 141, 142), (True, 100, 101)])
def test_draw_of_too_many_matches_is_refused(club: Club, double: bool, enough: int, too_many: int) -> None:
    event = EventFactory.create(club=club)
    Entry.objects.bulk_create([Entry(event=event, name=f"E{number}") for number in range(enough)])
    assert plan_round_robin(event=event, double=double).matches <= MOST_MATCHES
    Entry.objects.create(event=event, name="One more")
    with pytest.raises(LeagueError, match=f"{too_many} entries would play") as refusal:
        draw_round_robin(actor=OPERATOR, event=event, double=double)
    assert refusal.value.code == "too_many_matches"
    assert not event.rounds.exists()


def test_draw_refuses_a_scorekeeper(club: Club) -> None:
    scorekeeper = actor_of(UserFactory.create(club=club))
    with refuses(LeagueError, "not_allowed"):
        draw_round_robin(actor=scorekeeper, event=event_of(club, 4))
    assert not Round.objects.exists()


def _record(match: Match) -> None:
    assert match.sheet is not None
    sides = kept_sheet(match.sheet).sides
    hand = {"kind": "points", "winner": sides[0].players[0], "points": 9}
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=read_deals([{"hands": [hand]}], sides, Rules()))


def test_delete_draw_until_a_hand_is_recorded(club: Club, director: Actor) -> None:
    event = event_of(club, 5)
    draw_round_robin(actor=director, event=event)
    assert delete_draw(actor=director, event=event) == 15
    for model in (Round, Match, Appearance, Scoresheet, Seat):
        assert not model.objects.exists()
    with refuses(LeagueError, "nothing_drawn"):
        delete_draw(actor=director, event=event)

    draw_round_robin(actor=director, event=event)
    match = event.matches.exclude(sheet=None)[0]
    _record(match)
    with refuses(LeagueError, "has_hands"):
        delete_draw(actor=director, event=event)
    assert event.matches.count() == 15

    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Wrong night")
    delete_draw(actor=director, event=event)
    assert list(Scoresheet.objects.values_list("pk", flat=True)) == [match.sheet.pk]


def test_delete_draw_refuses_what_a_director_has_stated(club: Club, director: Actor) -> None:
    event = event_of(club, 2)
    draw_round_robin(actor=director, event=event)
    award_forfeit(actor=director, match=event.matches.get(), winner_side=0, reason="Left")
    with refuses(LeagueError, "has_stated"):
        delete_draw(actor=director, event=event)


def test_rounds_and_matches_by_hand(club: Club, director: Actor) -> None:
    event = event_of(club, 3)
    ann, bob, cid = event.entries.all()
    round_ = add_round(actor=director, event=event, number=1)
    assert change_round(actor=director, round_=round_, date=FIRST).date == FIRST
    with refuses(LeagueError, "invalid"):
        add_round(actor=director, event=event, number=1)
    assert event.rounds.count() == 1
    match = add_match(actor=director, round_=round_, entry_a=ann, entry_b=bob)
    bye = add_match(actor=director, round_=round_, entry_a=cid, entry_b=None)
    assert (match.label, match.table, bye.label, bye.state) == ("HL01-1", 1, "HL01-bye", MatchState.BYE)
    assert match.sheet is not None
    other = EntryFactory.create(event=EventFactory.create(club=club))
    for first, second, code in (
        (ann, cid, "plays_already"),
        (ann, ann, "same_entry"),
        (cid, other, "other_event"),
    ):
        with refuses(LeagueError, code):
            add_match(actor=director, round_=round_, entry_a=first, entry_b=second)
    with pytest.raises(LeagueError, match="has matches"):
        remove_round(actor=director, round_=round_)
    for each in (match, bye):
        remove_match(actor=director, match=each)
    assert not Scoresheet.objects.exists()
    remove_round(actor=director, round_=round_)
    assert not Round.objects.exists()


def test_the_draw_of_a_large_event_takes_few_statements(
    club: Club, director: Actor, django_assert_max_num_queries: object
) -> None:
    event = event_of(club, 40)
    assert callable(django_assert_max_num_queries)
    with django_assert_max_num_queries(120):
        draw_round_robin(actor=director, event=event)
    assert event.matches.count() == 780
