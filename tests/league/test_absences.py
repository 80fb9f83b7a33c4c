"""One of a side is absent, a match is played on another day: by the event's rule, and what is overdue."""

import datetime
from typing import Any

import pytest

from league.draws.absences import settle_absence
from league.draws.forfeits import award_walkover
from league.draws.overdue import club_today, due_on, is_overdue, overdue
from league.draws.postponing import postpone_match, set_round_deadline
from league.errors import LeagueError
from league.models import (
    AbsentMember,
    AuditEntry,
    Club,
    EventState,
    Match,
    MatchState,
    Player,
    Role,
    RoundState,
)
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.services.records import kept_sheet
from tests.factories import (
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    play,
)
from tests.kept import refused_service
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

NIGHT = datetime.date(2026, 1, 7)
LATER = datetime.date(2026, 1, 14)


def team_match(club: Club, rule: AbsentMember) -> Match:
    match: Match = MatchFactory.create(event=EventFactory.create(club=club, team_size=2, absent_member=rule))
    return match


def second_of(match: Match) -> Player:
    return match.entry_a.members.order_by("position")[1].player


def test_substitute_is_named_where_the_event_says_so(director: Actor, club: Club) -> None:
    match = team_match(club, AbsentMember.SUBSTITUTE)
    asked: dict[str, Any] = {"actor": director, "match": match, "absent": second_of(match), "reason": "Ill"}
    refused_service("substitute_missing", settle_absence, **asked)
    stand_in = PlayerFactory.create(club=club)
    match = settle_absence(**asked, substitute=stand_in)
    assert match.sheet is not None
    first = match.entry_a.members.order_by("position")[0].player
    assert kept_sheet(match.sheet).sides[0].players == (first.name, stand_in.name)
    assert AuditEntry.objects.get(action="match.line_up").reason == "Ill"


def test_match_is_given_away_where_the_event_says_so(director: Actor, club: Club) -> None:
    match = team_match(club, AbsentMember.WALKOVER)
    match = settle_absence(actor=director, match=match, absent=second_of(match), reason="Ill")
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


def test_match_is_postponed_where_the_event_says_so(director: Actor, club: Club) -> None:
    match = team_match(club, AbsentMember.POSTPONE)
    asked: dict[str, Any] = {"actor": director, "match": match, "absent": second_of(match), "reason": "Ill"}
    refused_service("day_missing", settle_absence, **asked)
    match = settle_absence(**asked, planned_on=LATER)
    assert (match.state, match.planned_on) == (MatchState.SCHEDULED, LATER)


def test_absence_is_refused_where_it_means_nothing(director: Actor, club: Club) -> None:
    single = MatchFactory.create(event=EventFactory.create(club=club))
    player = single.entry_a.players.get()
    asked: dict[str, Any] = {"actor": director, "match": single, "reason": "Ill"}
    refused_service("single_players", settle_absence, **asked, absent=player)
    match = team_match(club, AbsentMember.WALKOVER)
    refused_service("not_seated", settle_absence, actor=director, match=match, absent=player, reason="Ill")
    refused_service(
        "reason_missing", settle_absence, actor=director, match=match, absent=second_of(match), reason=" "
    )
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    refused_service(
        "not_allowed", settle_absence, actor=keeper, match=match, absent=second_of(match), reason="Ill"
    )
    play(match, 10)
    refused_service(
        "has_hands", settle_absence, actor=director, match=match, absent=second_of(match), reason="Ill"
    )


def test_postponing_is_noted_and_taken_back(director: Actor, club: Club) -> None:
    match = MatchFactory.create(event=EventFactory.create(club=club))
    asked: dict[str, Any] = {"actor": director, "match": match, "reason": "Snow"}
    match = postpone_match(**asked, planned_on=LATER, deadline=datetime.date(2026, 1, 31))
    assert due_on(match) == datetime.date(2026, 1, 31)
    note = AuditEntry.objects.get(action="match.postpone")
    assert (note.after, note.reason) == ({"planned_on": "2026-01-14", "deadline": "2026-01-31"}, "Snow")
    refused_service(
        "nothing_changed", postpone_match, **asked, planned_on=LATER, deadline=datetime.date(2026, 1, 31)
    )
    match = postpone_match(**asked, planned_on=None, deadline=None)
    assert due_on(match) == match.round.date


@pytest.mark.parametrize(
    ("planned_on", "deadline", "field"),
    [
        (LATER, NIGHT, "planned_on"),
        (datetime.date(2026, 1, 6), None, "planned_on"),
        (None, datetime.date(2026, 1, 6), "deadline"),
    ],
)
def test_days_that_cannot_be_are_refused(
    director: Actor, club: Club, planned_on: datetime.date, deadline: datetime.date, field: str
) -> None:
    match = MatchFactory.create(event=EventFactory.create(club=club))
    assert match.round.date == NIGHT
    with refuses(LeagueError, "out_of_range", field=field):
        postpone_match(actor=director, match=match, planned_on=planned_on, deadline=deadline, reason="Snow")


def test_only_what_is_to_be_played_is_postponed(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club)
    ended = play(MatchFactory.create(event=event), 20, stopped=True)
    asked: dict[str, Any] = {"actor": director, "planned_on": LATER, "deadline": None, "reason": "Snow"}
    refused_service("has_result", postpone_match, **asked, match=ended)
    given = MatchFactory.create(event=event)
    award_walkover(actor=director, match=given, winner_side=0, reason="Nobody came")
    refused_service("has_result", postpone_match, **asked, match=given)
    draft = MatchFactory.create(event=event, round=RoundFactory.create(event=event, state=RoundState.DRAFTED))
    refused_service("round_drafted", postpone_match, **asked, match=draft)
    # One that was broken off may be played to its end.
    begun = postpone_match(**asked, match=play(MatchFactory.create(event=event, round=ended.round), 20))
    assert (begun.state, begun.planned_on) == (MatchState.PLAYING, LATER)


def test_whole_round_gets_a_deadline(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club)
    round_ = RoundFactory.create(event=event)
    waiting = [MatchFactory.create(event=event, round=round_) for _ in range(2)]
    ended = play(MatchFactory.create(event=event, round=round_), 20, stopped=True)
    asked: dict[str, Any] = {"actor": director, "round_": round_, "reason": "Hall closed"}
    assert set_round_deadline(**asked, deadline=LATER) == 2
    assert [Match.objects.get(pk=match.pk).deadline for match in (*waiting, ended)] == [LATER, LATER, None]
    note = AuditEntry.objects.get(action="round.deadline")
    assert note.after == {"deadline": "2026-01-14", "matches": [match.label for match in waiting]}
    postpone_match(actor=director, match=waiting[0], planned_on=LATER, deadline=LATER, reason="Snow")
    early = LATER - datetime.timedelta(days=1)
    refused_service("out_of_range", set_round_deadline, **asked, deadline=early)
    assert set_round_deadline(**asked, deadline=None) == 2
    empty = RoundFactory.create(event=event)
    refused_service("nothing_to_play", set_round_deadline, **(asked | {"round_": empty}), deadline=LATER)


def test_nothing_is_stated_of_a_match_in_a_draft(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club)
    draft = RoundFactory.create(event=event, state=RoundState.DRAFTED)
    match = MatchFactory.create(event=event, round=draft)
    refused_service(
        "round_drafted", award_walkover, actor=director, match=match, winner_side=0, reason="Away"
    )


def test_overdue_is_what_has_no_result_after_its_day(club: Club) -> None:
    event = EventFactory.create(club=club)
    today = club_today(club)
    yesterday, tomorrow = (today + datetime.timedelta(days=days) for days in (-1, 1))
    past = RoundFactory.create(event=event, date=yesterday)
    cases = {
        "late": ({}, past),
        "planned": ({"planned_on": tomorrow}, past),
        "deadline": ({"planned_on": yesterday, "deadline": today}, past),
        "after": ({"deadline": yesterday}, RoundFactory.create(event=event, date=tomorrow)),
        "tonight": ({}, RoundFactory.create(event=event, date=today)),
        "undated": ({}, RoundFactory.create(event=event, date=None)),
        "draft": ({}, RoundFactory.create(event=event, date=yesterday, state=RoundState.DRAFTED)),
    }
    for label, (fields, round_) in cases.items():
        MatchFactory.create(event=event, round=round_, label=label, **fields)
    begun = play(MatchFactory.create(event=event, round=past, label="begun"), 10)
    play(MatchFactory.create(event=event, round=past, label="ended"), 10, stopped=True)
    ended = EventFactory.create(club=club, state=EventState.FINISHED)
    MatchFactory.create(event=ended, round=RoundFactory.create(event=ended, date=yesterday), label="over")
    found = overdue(Match.objects.all(), clubs=[club])
    assert {match.label for match in found} == {"late", "after", begun.label}
    every = Match.objects.select_related("round", "event")
    assert {match.label for match in every if is_overdue(match, today=today)} == {"late", "after", "begun"}
    assert not overdue(Match.objects.all(), clubs=[]).exists()
