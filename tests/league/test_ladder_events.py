"""Ladders through the services: challenges, results, corrections, deadlines, absences, and a year of it."""

import datetime
from collections.abc import Callable, Iterator
from random import Random

import pytest
import time_machine
from django.core.management import call_command

from league.admin.match_days import when_played
from league.core.ladder import replay, until, within_reach
from league.draws.challenges import call_off_challenge, expire_challenges, make_challenge
from league.draws.forfeits import award_walkover, clear_award
from league.draws.ladders import add_absence, end_absence, settle_ladder
from league.draws.matches_by_hand import add_match, remove_match
from league.draws.overdue import club_today, due_on, is_overdue, overdue
from league.draws.postponing import postpone_match
from league.draws.recalculating import recalculate
from league.draws.round_life import complete_round, unpublish_round
from league.draws.rounds import add_round, delete_draw
from league.errors import LeagueError
from league.events.entries import enter_players, reinstate_entry, withdraw_entry
from league.events.seeding import SeedBy, seed_entries
from league.models import Challenge, Entry, Event, LadderAbsence, Match, MatchState, Round, ShownAs, Standing
from league.tables.ladders import ladder_now, steps_of
from league.tasks import sweep
from scoring.services import correct_deals, stop_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    PlayerFactory,
    house_rules,
    play,
    won,
)
from tests.league.ladder_cases import challenge, entry, ladder
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

NOON = datetime.datetime(2026, 3, 2, 12, tzinfo=datetime.UTC)


@pytest.fixture
def clock() -> Iterator[time_machine.Traveller]:
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def match_of(made: Challenge) -> Match:
    match: Match = Match.objects.select_related("sheet", "event", "entry_a").get(challenge=made)
    return match


def win(made: Challenge, name: str) -> None:
    match = match_of(made)
    play(match, 5 if match.entry_a.name == name else -5)
    recalculate(made.event_id)


def order(event: Event) -> str:
    """The ladder from the top, as its page has it; the stored table says the same."""
    now = ladder_now(Event.objects.get(pk=event.pk))
    names = dict(event.entries.values_list("pk", "name"))
    shown = [names[pk] for pk in now.ladder.players]
    rows = Standing.objects.filter(event=event, entry__withdrawn_at=None).order_by("position")
    assert list(rows.values_list("entry__name", flat=True)) == shown
    assert list(rows.values_list("rank", flat=True)) == list(range(1, len(shown) + 1))
    return "".join(shown)


def check_rebuild(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("rebuild")
    out = capsys.readouterr().out
    assert "ladder of" not in out
    assert "standings of" not in out


def test_winner_of_a_challenge_takes_the_place_in_table_and_ladder(
    clock: time_machine.Traveller, capsys: pytest.CaptureFixture[str]
) -> None:
    event = ladder(6)
    made = challenge(event, "F", "C")
    match = match_of(made)
    assert (match.deadline, match.state) == (datetime.date(2026, 3, 16), MatchState.SCHEDULED)
    assert match.sheet is not None
    assert order(event) == "ABCDEF"
    win(made, "F")
    assert order(event) == "ABFCDE"
    win(challenge(event, "E", "D"), "D")
    assert order(event) == "ABFCDE"
    check_rebuild(capsys)


def test_drawn_match_leaves_all_as_it_was(clock: time_machine.Traveller) -> None:
    event = ladder(4)
    sheet = match_of(challenge(event, "D", "B")).sheet
    assert sheet is not None
    stop_sheet(actor=OPERATOR, sheet=sheet)
    recalculate(event.pk)
    assert order(event) == "ABCD"
    # It is over: both may challenge again.
    assert challenge(event, "D", "B").number == 2


def test_correction_of_a_sheet_is_a_correction_of_the_ladder(clock: time_machine.Traveller) -> None:
    event = ladder(5)
    first = challenge(event, "E", "C")
    win(first, "E")
    clock.shift(datetime.timedelta(days=1))
    second = challenge(event, "D", "C")
    win(second, "D")
    assert order(event) == "ABEDC"
    sheet = match_of(first).sheet
    assert sheet is not None
    ours, theirs = (side.name for side in kept_sheet(sheet).sides)
    clock.shift(datetime.timedelta(days=1))
    correct_deals(
        actor=OPERATOR,
        sheet=sheet,
        changes={1: won(theirs, ours, 7)},
        reason="misread",
        expected_version=sheet.version,
    )
    recalculate(event.pk)
    # C has held the place against E, and lost it to D the day after.
    assert order(event) == "ABDCE"


def test_results_count_in_the_order_in_which_they_came(clock: time_machine.Traveller) -> None:
    event = ladder(6)
    first, second = challenge(event, "C", "A"), challenge(event, "E", "D")
    clock.shift(datetime.timedelta(days=1))
    win(second, "E")
    clock.shift(datetime.timedelta(days=1))
    win(first, "C")
    steps = [line.step for line in ladder_now(event).ladder.history]
    assert [getattr(step, "number", None) for step in steps[-2:]] == [2, 1]
    assert order(event) == "CABEDF"


@pytest.mark.parametrize(
    ("challenger", "challenged", "code"),
    [
        ("E", "A", "too_far"),
        ("A", "B", "not_above"),
        ("D", "C", "engaged"),
        ("B", "A", "protected"),
        ("G", "D", "away"),
        ("H", "G", "not_on_ladder"),
    ],
)
def test_challenge_against_the_rules_is_refused_and_nothing_is_written(
    clock: time_machine.Traveller, challenger: str, challenged: str, code: str
) -> None:
    event = ladder(8, protected_days=7)
    win(challenge(event, "B", "A"), "A")
    challenge(event, "F", "C")
    day = NOON.date()
    add_absence(actor=OPERATOR, entry=entry(event, "G"), first_day=day, last_day=None)
    withdraw_entry(actor=OPERATOR, entry=entry(event, "H"), reason="moved")
    recalculate(event.pk)
    before = (Challenge.objects.count(), Round.objects.count(), Match.objects.count())
    with refuses(LeagueError, code):
        challenge(event, challenger, challenged)
    assert (Challenge.objects.count(), Round.objects.count(), Match.objects.count()) == before


def test_nobody_challenges_themselves() -> None:
    event = ladder(2)
    with pytest.raises(LeagueError, match="B cannot challenge themselves") as refused:
        challenge(event, "B", "B")
    assert refused.value.code == "not_above"


def test_challenge_on_what_is_no_ladder_is_refused() -> None:
    event = EventFactory.create()
    one, two = EntryFactory.create(event=event), EntryFactory.create(event=event)
    with refuses(LeagueError, "no_ladder"):
        make_challenge(actor=OPERATOR, event=event, challenger=one, challenged=two)


def test_deadline_gives_the_place_to_the_challenger_once(
    clock: time_machine.Traveller, capsys: pytest.CaptureFixture[str]
) -> None:
    event = ladder(5, challenge_days=14)
    made = challenge(event, "D", "B")
    clock.shift(datetime.timedelta(days=14))
    assert expire_challenges() == 0
    clock.shift(datetime.timedelta(days=1))
    sweep()
    assert expire_challenges() == 0
    recalculate(event.pk)
    assert match_of(made).state == MatchState.WALKOVER
    assert order(event) == "ADBCE"
    check_rebuild(capsys)


def test_match_that_has_begun_does_not_expire(clock: time_machine.Traveller) -> None:
    event = ladder(3, rules=house_rules(columns=1))
    made = challenge(event, "B", "A")
    play(match_of(made), 5)
    assert match_of(made).state == MatchState.PLAYING
    clock.shift(datetime.timedelta(days=30))
    assert expire_challenges() == 0


def test_days_of_absence_stop_the_clock(clock: time_machine.Traveller) -> None:
    event = ladder(3, challenge_days=14)
    challenge(event, "B", "A")
    day = NOON.date()
    away = add_absence(
        actor=OPERATOR, entry=entry(event, "A"), first_day=day + datetime.timedelta(days=5), last_day=None
    )
    clock.shift(datetime.timedelta(days=20))
    assert expire_challenges() == 0
    end_absence(actor=OPERATOR, absence=away, last_day=day + datetime.timedelta(days=9))
    assert expire_challenges() == 1
    recalculate(event.pk)
    assert order(event) == "BAC"


def test_absence_that_is_taken_back_is_gone(clock: time_machine.Traveller) -> None:
    event = ladder(3)
    day = NOON.date()
    away = add_absence(actor=OPERATOR, entry=entry(event, "A"), first_day=day, last_day=None)
    with refuses(LeagueError, "away_already"):
        add_absence(actor=OPERATOR, entry=entry(event, "A"), first_day=day, last_day=day)
    with refuses(LeagueError, "out_of_range", field="last_day"):
        end_absence(actor=OPERATOR, absence=away, last_day=day.replace(year=2206))
    assert end_absence(actor=OPERATOR, absence=away, last_day=day - datetime.timedelta(days=1)) is None
    assert not LadderAbsence.objects.exists()
    challenge(event, "B", "A")


def test_director_who_blames_the_challenger_gives_the_match_to_the_challenged(
    clock: time_machine.Traveller,
) -> None:
    event = ladder(3)
    made = challenge(event, "C", "A")
    match = award_walkover(actor=OPERATOR, match=match_of(made), winner_side=1, reason="did not come")
    clock.shift(datetime.timedelta(days=30))
    assert expire_challenges() == 0
    recalculate(event.pk)
    assert order(event) == "ABC"
    # Taken back, it is open again, and by now too late.
    clear_award(actor=OPERATOR, match=match, reason="it was the other")
    recalculate(event.pk)
    assert expire_challenges() == 1
    recalculate(event.pk)
    assert order(event) == "CAB"


def test_challenge_that_is_called_off_leaves_no_match(clock: time_machine.Traveller) -> None:
    event = ladder(3)
    made = challenge(event, "C", "A")
    call_off_challenge(actor=OPERATOR, challenge=made, reason="both ill")
    assert not Match.objects.filter(event=event).exists()
    assert not event.rounds.exists()
    with refuses(LeagueError, "no_challenge"):
        call_off_challenge(actor=OPERATOR, challenge=Challenge.objects.get(), reason="again")
    again = challenge(event, "C", "A")
    play(match_of(again), 5)
    with refuses(LeagueError, "has_hands"):
        call_off_challenge(actor=OPERATOR, challenge=again, reason="too late")
    recalculate(event.pk)
    assert order(event) == "CAB"


def test_who_comes_starts_at_the_foot_and_who_goes_comes_back_there(clock: time_machine.Traveller) -> None:
    event = ladder(4)
    win(challenge(event, "D", "C"), "C")
    enter_players(actor=OPERATOR, event=event, players=[PlayerFactory.create(club=event.club, name="Zoe")])
    clock.shift(datetime.timedelta(days=1))
    gone = withdraw_entry_called(event, "B")
    recalculate(event.pk)
    assert order(event) == "ACDZoe"
    clock.shift(datetime.timedelta(days=1))
    reinstate_entry(actor=OPERATOR, entry=gone, reason="back")
    recalculate(event.pk)
    assert order(event) == "ACDZoeB"
    assert not settle_ladder(event)


def test_seeds_decide_until_the_first_challenge(clock: time_machine.Traveller) -> None:
    event = ladder(4)
    seed_entries(actor=OPERATOR, event=event, by=SeedBy.HAND, order=["D", "B", "A", "C"])
    recalculate(event.pk)
    assert order(event) == "DBAC"
    challenge(event, "C", "B")
    with refuses(LeagueError, "has_challenges"):
        seed_entries(actor=OPERATOR, event=event, by=SeedBy.HAND, order=["A", "B", "C", "D"])
    assert order(event) == "DBAC"


def test_order_of_joining_tells_nothing_of_a_covered_name(clock: time_machine.Traveller) -> None:
    event = ladder(0)
    shown = {"Aaron Zweig": "Yak", "Bea": "", "Zoe Abel": "Cat"}
    for name, nickname in shown.items():
        shown_as = ShownAs.NICKNAME if nickname else ShownAs.NAME
        player = PlayerFactory.create(club=event.club, name=name, nickname=nickname, shown_as=shown_as)
        EntryFactory.create(event=event, name=name, players=[player], seed=None)
    settle_ladder(event)
    names = dict(event.entries.values_list("pk", "name"))
    assert [names[pk] for pk in ladder_now(event).ladder.players] == ["Bea", "Zoe Abel", "Aaron Zweig"]


def test_clocks_that_differ_break_no_ladder(clock: time_machine.Traveller) -> None:
    event = ladder(4)
    win(challenge(event, "D", "B"), "D")
    gone = withdraw_entry_called(event, "A")
    recalculate(event.pk)
    reinstate_entry(actor=OPERATOR, entry=gone, reason="back")
    clock.shift(datetime.timedelta(seconds=-5))
    recalculate(event.pk)
    Challenge.objects.update(decided_at=NOON - datetime.timedelta(seconds=2))
    assert order(event) == "DBCA"


def test_postponed_match_has_its_new_deadline(clock: time_machine.Traveller) -> None:
    event = ladder(3)
    made = challenge(event, "C", "A")
    postpone_match(
        actor=OPERATOR,
        match=match_of(made),
        planned_on=None,
        deadline=NOON.date() + datetime.timedelta(days=30),
        reason="the club is closed",
    )
    clock.shift(datetime.timedelta(days=30))
    assert expire_challenges() == 0
    clock.shift(datetime.timedelta(days=1))
    assert expire_challenges() == 1


def test_challenge_is_due_on_its_last_day_and_never_listed_as_overdue(clock: time_machine.Traveller) -> None:
    event = ladder(3, challenge_days=14)
    challenge(event, "B", "A")
    day = NOON.date()
    add_absence(
        actor=OPERATOR,
        entry=entry(event, "A"),
        first_day=day + datetime.timedelta(days=5),
        last_day=day + datetime.timedelta(days=8),
    )
    # Four days of the fourteen do not count; what an event's setting says later is not what was agreed.
    Event.objects.filter(pk=event.pk).update(challenge_days=3)
    match = match_of(Challenge.objects.get())
    assert (match.deadline, due_on(match)) == (
        day + datetime.timedelta(days=14),
        day + datetime.timedelta(days=18),
    )
    assert when_played(match) == "by 20 Mar 2026"
    clock.shift(datetime.timedelta(days=16))
    assert not is_overdue(match, today=club_today(event.club))
    assert not overdue(Match.objects.all(), clubs=[event.club])
    # Once it has begun nothing ends it, and who is to end it sees it in the list.
    clock.shift(datetime.timedelta(days=3))
    Match.objects.update(state=MatchState.PLAYING)
    assert [late.pk for late in overdue(Match.objects.all(), clubs=[event.club])] == [match.pk]
    assert is_overdue(match_of(Challenge.objects.get()), today=club_today(event.club))


def test_absence_without_an_end_leaves_a_challenge_without_a_last_day(clock: time_machine.Traveller) -> None:
    event = ladder(3, absence_days=None)
    challenge(event, "B", "A")
    add_absence(actor=OPERATOR, entry=entry(event, "A"), first_day=NOON.date(), last_day=None)
    match = match_of(Challenge.objects.get())
    assert due_on(match) is None
    assert when_played(match) == "no deadline for now"


def test_movement_in_the_table_counts_from_the_last_that_moved(clock: time_machine.Traveller) -> None:
    event = ladder(4)
    first, second = challenge(event, "B", "A"), challenge(event, "D", "C")
    clock.shift(datetime.timedelta(days=1))
    win(second, "D")
    clock.shift(datetime.timedelta(days=1))
    win(first, "B")
    rows = Standing.objects.filter(event=event).order_by("rank")
    assert list(rows.values_list("entry__name", "previous_rank")) == [("B", 2), ("A", 1), ("D", 3), ("C", 4)]
    clock.shift(datetime.timedelta(days=1))
    win(challenge(event, "C", "D"), "D")
    assert list(rows.values_list("entry__name", "previous_rank")) == [("B", 2), ("A", 1), ("D", 3), ("C", 4)]


def test_round_of_a_challenge_is_not_handled_as_a_round(clock: time_machine.Traveller) -> None:
    event = ladder(3)
    match = match_of(challenge(event, "C", "A"))
    round_ = match.round
    event = Event.objects.get(pk=event.pk)
    refused: list[Callable[[], object]] = [
        lambda: unpublish_round(actor=OPERATOR, round_=round_),
        lambda: complete_round(actor=OPERATOR, round_=round_, reason="x"),
        lambda: delete_draw(actor=OPERATOR, event=event),
        lambda: add_round(actor=OPERATOR, event=event, number=9),
        lambda: add_match(actor=OPERATOR, round_=round_, entry_a=entry(event, "B"), entry_b=None),
        lambda: remove_match(actor=OPERATOR, match=match),
    ]
    for act in refused:
        with refuses(LeagueError, "no_rounds"):
            act()
    assert Challenge.objects.get().match == match


def withdraw_entry_called(event: Event, name: str) -> Entry:
    found = entry(event, name)
    withdraw_entry(actor=OPERATOR, entry=found, reason="gone", give_matches=True)
    return found


def test_challenger_who_has_left_gets_nothing_by_the_deadline(clock: time_machine.Traveller) -> None:
    event = ladder(3)
    made = challenge(event, "C", "B")
    withdraw_entry(actor=OPERATOR, entry=entry(event, "C"), reason="gone")
    recalculate(event.pk)
    clock.shift(datetime.timedelta(days=15))
    assert expire_challenges() == 1
    recalculate(event.pk)
    made.refresh_from_db()
    assert (made.match, made.called_off_at is not None) == (None, True)
    assert order(event) == "AB"


@pytest.mark.dear("plays a year")
def test_year_of_a_ladder(clock: time_machine.Traveller, capsys: pytest.CaptureFixture[str]) -> None:
    event = ladder(8, protected_days=3)
    chance = Random(7)
    known = {}
    for fortnight in range(26):
        clock.shift(datetime.timedelta(days=14))
        for made in Challenge.objects.filter(event=event, match__state=MatchState.SCHEDULED):
            if chance.random() < 0.7:
                play(match_of(made), chance.choice([5, -5]))
        recalculate(event.pk)
        before = order(event)
        if fortnight % 8 == 3:
            player = PlayerFactory.create(club=event.club, name=f"N{fortnight:02}")
            enter_players(actor=OPERATOR, event=event, players=[player])
            recalculate(event.pk)
            assert order(event) == before + player.name
        elif fortnight % 8 == 6:
            gone = before[chance.randrange(3)]
            withdraw_entry_called(event, gone)
            recalculate(event.pk)
            assert order(event) == before.replace(gone, "")
        now = ladder_now(event)
        entries = {each.pk: each for each in event.entries.all()}
        for challenger in chance.sample(now.ladder.players, 3):
            above = within_reach(now.ladder, now.rules, (), challenger=challenger, on=now.today)
            if above:
                pair = {"challenger": entries[challenger], "challenged": entries[chance.choice(above)]}
                make_challenge(actor=OPERATOR, event=event, **pair)
                now = ladder_now(event)
        known[now.today] = now.ladder.players
        clock.shift(datetime.timedelta(days=1))
        expire_challenges()
    recalculate(event.pk)
    # The ladder of every day of the year can still be told.
    assert {day: replay(until(steps_of(event), day)).players for day in known} == known
    assert Challenge.objects.filter(event=event).count() > 30
    assert Match.objects.filter(event=event, state=MatchState.WALKOVER).exists()
    check_rebuild(capsys)
