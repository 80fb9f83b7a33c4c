"""Several at once in an evening that runs itself: one round is drawn, one forfeit given, one table opened."""

import datetime
from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from games.models import TableMatch
from games.services.outages import beat_site
from league.draws.online import come_to_table
from league.draws.round_life import draft_round, publish_round
from league.draws.sitting_in import let_bot_sit_in
from league.errors import LeagueError
from league.events.evening_sweep import sweep_evenings
from league.events.evenings import begin_evening, pause_evening, set_evening
from league.matches.line_ups import hand_in_line_up
from league.models import (
    AbsentAt,
    Appearance,
    Arrival,
    AuditEntry,
    Entry,
    EntryMember,
    Evening,
    Event,
    LineUpSeat,
    Match,
    MatchState,
    PlayedWhere,
    Player,
    Round,
)
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, PlayerFactory, house_rules
from tests.faults.threads import at_once
from tests.league.table_players import QUICK, by, member

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bob", "Cid", "Dan")


def code_of(call: Callable[[], object]) -> str:
    """The code of a refusal, or "done"."""
    try:
        call()
    except LeagueError as refusal:
        return refusal.code
    return "done"


def evening(format_: str = "swiss", *, team_size: int = 1) -> Event:
    """An evening of four, or of four teams, that has begun, without a break between rounds."""
    club = ClubFactory.create()
    event: Event = EventFactory.create(
        club=club,
        format=format_,
        rounds_planned=3,
        rules=house_rules(**QUICK),
        played=PlayedWhere.ONLINE,
        team_size=team_size,
    )
    for seed, name in enumerate(NAMES, start=1):
        players = [member(club, f"{name}{number}") for number in range(team_size)]
        EntryFactory.create(event=event, seed=seed, name=name, players=players)
    set_evening(actor=OPERATOR, event=event, break_minutes=0, wait_minutes=10, absent=AbsentAt.FORFEIT)
    beat_site(timezone.now())
    begin_evening(actor=OPERATOR, event=event)
    return event


def overdue(event: Event) -> None:
    """The time to come is over."""
    Evening.objects.filter(event=event).update(come_by=timezone.now() - datetime.timedelta(seconds=1))


def sweeping() -> Callable[[], str]:
    return partial(code_of, partial(sweep_evenings, timezone.now()))


@pytest.mark.parametrize("format_", ["swiss", "single"])
def test_of_sweeps_one_gives_forfeits_and_one_draws_the_next_round(format_: str) -> None:
    event = evening(format_)
    ann = (
        Match.objects.of_entry(event.entries.get(name="Ann")).with_sides("event__club", "sheet__rules").get()
    )
    cid = Match.objects.exclude(pk=ann.pk).with_sides("event__club", "sheet__rules").get()
    for match in (ann, cid):
        player = match.entry_a.members.get().player
        assert come_to_table(actor=by(player), match=match) is None
    overdue(event)
    assert at_once([sweeping()] * 4) == ["done"] * 4
    sweep_evenings(timezone.now())
    assert Match.objects.filter(state=MatchState.WALKOVER).count() == 2
    assert AuditEntry.objects.filter(action="match.walkover").count() == 2
    assert AuditEntry.objects.filter(action="evening.absent").count() == 1
    assert Round.objects.filter(event=event).count() == 2
    assert AuditEntry.objects.filter(action="round.draft", actor_id="evening").count() == 1
    assert Evening.objects.get().state == "going"


def test_of_sweeps_and_a_director_one_draws_the_round() -> None:
    event = evening()
    Match.objects.update(state=MatchState.WALKOVER, winner_side=0)

    def by_hand() -> object:
        round_ = draft_round(actor=OPERATOR, event=Event.objects.get(pk=event.pk), number=2)
        return publish_round(actor=OPERATOR, round_=round_)

    calls: list[Callable[[], str]] = [sweeping(), partial(code_of, by_hand), sweeping()]
    told = at_once(calls)
    assert [told[0], told[2]] == ["done", "done"]
    assert told[1] in ("done", "paired_already")
    sweep_evenings(timezone.now())
    row = Evening.objects.get()
    assert (row.state, row.round) == ("going", Round.objects.get(event=event, number=2))
    assert (Round.objects.count(), Match.objects.filter(round__number=2).count()) == (2, 2)
    assert AuditEntry.objects.filter(action="round.publish").count() == 2


def test_nothing_is_drawn_once_a_pause_is_answered() -> None:
    event = evening()
    Match.objects.update(state=MatchState.WALKOVER, winner_side=0)
    pause: Callable[[], str] = partial(code_of, partial(pause_evening, actor=OPERATOR, event=event))
    assert at_once([sweeping(), pause]) == ["done", "done"]
    count = Round.objects.count()
    sweep_evenings(timezone.now())
    assert (Evening.objects.get().state, Round.objects.count()) == ("paused", count)


def first_match(event: Event) -> tuple[Match, list[Player]]:
    """The match at the first table, and who plays it: the first side, then the second."""
    match = event.matches.with_sides("event__club", "sheet__rules").order_by("table").first()
    assert match is not None
    assert match.entry_b is not None
    sides = [entry.members.order_by("position") for entry in (match.entry_a, match.entry_b)]
    return match, [member.player for side in sides for member in side]


@pytest.mark.parametrize("team_size", [1, 2])
def test_all_who_come_at_once_open_one_table(team_size: int) -> None:
    match, players = first_match(evening(team_size=team_size))
    tables = at_once([partial(come_to_table, actor=by(player), match=match) for player in players])
    assert sorted(table is None for table in tables) == [False] + [True] * (len(players) - 1)
    assert (TableMatch.objects.count(), Arrival.objects.count()) == (1, len(players))


@pytest.mark.parametrize("team_size", [1, 2])
def test_who_comes_too_late_gets_no_table_beside_the_forfeit(team_size: int) -> None:
    """Of two teams the last of the other one is late: it loses all of the match."""
    event = evening(team_size=team_size)
    match, (*there, other) = first_match(event)
    for player in there:
        assert come_to_table(actor=by(player), match=match) is None
    overdue(event)
    late: Callable[[], str] = partial(code_of, partial(come_to_table, actor=by(other), match=match))
    told = at_once([late, sweeping(), late])
    # The next round may be drawn by then: this one is over.
    assert {told[0], told[2]} <= {"too_late", "has_begun", "wrong_state"}
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 0)
    assert not TableMatch.objects.exists()


def test_of_a_sweep_and_a_director_who_lets_a_bot_sit_in_one_decides_about_a_team() -> None:
    """Either the match is played by the bot, too, or the team that was incomplete has lost it."""
    event = evening(team_size=2)
    bot = PlayerFactory.create(club=event.club, name="Robo", strategy="simple")
    Event.objects.filter(pk=event.pk).update(sits_in=bot)
    match, (*there, late) = first_match(event)
    for player in there:
        assert come_to_table(actor=by(player), match=match) is None
    overdue(event)
    found = Match.objects.select_related("event__club", "event__sits_in").get(pk=match.pk)
    sit_in: Callable[[], str] = partial(
        code_of, partial(let_bot_sit_in, actor=OPERATOR, match=found, absent=late, reason="He is late.")
    )
    told = at_once([sweeping(), sit_in, sweeping()])
    assert (told[0], told[2]) == ("done", "done")
    match.refresh_from_db()
    is_played = TableMatch.objects.filter(sheet=match.sheet_id, is_live=True).exists()
    assert is_played == (told[1] == "done")
    assert (match.state == MatchState.WALKOVER) != is_played


def in_a_break() -> tuple[Match, list[list[Player]], datetime.datetime]:
    """A match of teams of two with a reserve, their rosters (captains last), and when its round begins."""
    event = evening(team_size=2)
    for entry in event.entries.all():
        third = member(event.club, f"{entry.name}2")
        EntryMember.objects.create(event=event, entry=entry, player=third, position=2)
        Entry.objects.filter(pk=entry.pk).update(captain=third)
    Match.objects.update(state=MatchState.WALKOVER, winner_side=0)
    Evening.objects.update(break_minutes=1)
    sweep_evenings(timezone.now())
    begins = timezone.now() + datetime.timedelta(seconds=20)
    Evening.objects.update(next_at=begins)
    match = Match.objects.filter(round__number=2).with_sides("event__club", "round").first()
    assert match is not None
    entries = [match.side(side)[0].members.select_related("player").order_by("position") for side in (0, 1)]
    return match, [[each.player for each in members] for members in entries], begins


def handing_in(match: Match, roster: list[Player]) -> Callable[[], str]:
    """Their captain hands in himself and the first on the roster."""
    match = Match.objects.with_sides("event__club", "round").get(pk=match.pk)
    act = partial(hand_in_line_up, actor=by(roster[2]), match=match, players=[roster[2], roster[0]])
    return partial(code_of, act)


def seats_of(match: Match) -> list[list[Player]]:
    seats = Appearance.objects.filter(match=match).select_related("player").order_by("side", "position")
    return [[seat.player for seat in seats if seat.side == side] for side in (0, 1)]


def test_both_captains_at_once_open_their_line_ups_once() -> None:
    """Neither sees the other's as his own is written, and the last of them opens both."""
    match, rosters, _begins = in_a_break()
    assert at_once([handing_in(match, roster) for roster in rosters]) == ["done", "done"]
    assert seats_of(match) == [[roster[2], roster[0]] for roster in rosters]
    assert AuditEntry.objects.filter(action="match.line_up", object_id=str(match.pk)).count() == 2
    assert Match.objects.filter(pk=match.pk, sheet__isnull=False).exists()


def test_of_sweeps_and_both_captains_the_round_begins_with_what_is_handed_in_by_then() -> None:
    """Nobody's line-up is written over, or beside another, and the round has all its sheets."""
    match, rosters, begins = in_a_break()
    # Workers whose clock is ahead of the captains'.
    sweep: Callable[[], str] = partial(code_of, partial(sweep_evenings, begins))
    told = at_once([sweep, *[handing_in(match, roster) for roster in rosters], sweep])
    assert (told[0], told[3]) == ("done", "done")
    assert {told[1], told[2]} <= {"done", "too_late"}
    sweep_evenings(begins)
    assert seats_of(match) == [
        [roster[2], roster[0]] if code == "done" else roster[:2]
        for code, roster in zip(told[1:3], rosters, strict=True)
    ]
    assert not LineUpSeat.objects.exists()
    now = Evening.objects.select_related("round").get()
    assert (now.state, now.round and now.round.number) == ("going", 2)
    assert Match.objects.filter(round__number=2, sheet__isnull=False).count() == 2
    assert Appearance.objects.filter(round__number=2).count() == 8


def test_the_table_of_a_next_sheet_is_opened_once_by_sweeps_and_a_player() -> None:
    """Both have come to an earlier sheet of their tie."""
    event = evening()
    match, players = first_match(event)
    for player in players:
        Arrival.objects.create(round=match.round, player=player, at=timezone.now())
    coming: Callable[[], str] = partial(code_of, partial(come_to_table, actor=by(players[0]), match=match))
    told = at_once([sweeping(), coming, sweeping()])
    assert told[1] in {"done", "has_begun", "begun", "played"}
    assert TableMatch.objects.count() == 1
    assert Evening.objects.get().is_going
