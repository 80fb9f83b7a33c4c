"""Line-ups, forfeits and walkovers, and a new sheet for a voided one."""

import pytest

from league.draws.forfeits import award_forfeit, award_walkover, clear_award
from league.draws.matches_by_hand import remove_match
from league.errors import LeagueError
from league.matches.line_ups import set_line_up
from league.matches.matches import renew_sheet, set_table
from league.models import AuditEntry, Club, Match, MatchState, Role, StandingsRequest
from league.policy import actor_of
from scoring.core.actors import Actor
from scoring.models import SheetStatus
from scoring.services import void_sheet
from scoring.services.records import kept_sheet
from tests.factories import (
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    UserFactory,
    play,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(club: Club) -> Match:
    return MatchFactory.create(event=EventFactory.create(club=club))


@pytest.mark.parametrize("winner", [0, 1, None])
def test_forfeit_ends_a_match_that_had_begun(director: Actor, match: Match, winner: int | None) -> None:
    play(match, 20, 20, 20)
    assert match.state == MatchState.PLAYING
    stated = award_forfeit(actor=director, match=match, winner_side=winner, reason="Left early")
    assert (stated.state, stated.winner_side, stated.boxes_a) == (MatchState.FORFEIT, winner, 0)
    assert StandingsRequest.objects.filter(event=match.event).exists()
    note = AuditEntry.objects.get(action="match.forfeit")
    assert note.reason == "Left early"
    assert note.before == {"state": "playing", "winner": None}

    # What is played on the sheet meanwhile does not count, until the statement is taken back.
    play(match, 20)
    assert match.state == MatchState.FORFEIT
    cleared = clear_award(actor=director, match=match, reason="It was played after all")
    assert cleared.state == MatchState.PLAYING


def test_walkover_before_the_first_hand_only(director: Actor, match: Match) -> None:
    play(match, 20)
    with refuses(LeagueError, "has_hands"):
        award_walkover(actor=director, match=match, winner_side=0, reason="Nobody came")
    other = MatchFactory.create(event=match.event)
    assert (
        award_walkover(actor=director, match=other, winner_side=0, reason="Nobody came").state == "walkover"
    )
    assert clear_award(actor=director, match=other, reason="They came").state == MatchState.SCHEDULED


def test_statements_refused(director: Actor, match: Match) -> None:
    stopped = MatchFactory.create(event=match.event)
    play(stopped, 20, stopped=True)
    assert stopped.state == MatchState.STOPPED
    bye = MatchFactory.create(event=match.event, entry_b=None)
    with refuses(LeagueError, "nothing_stated"):
        clear_award(actor=director, match=match, reason="x")
    given = MatchFactory.create(event=match.event)
    award_walkover(actor=director, match=given, winner_side=1, reason="x")
    for which, winner, reason, code in (
        (stopped, 0, "x", "has_result"),
        (bye, 0, "x", "bye"),
        (given, 0, "x", "stated_already"),
        (match, 2, "x", "invalid"),
        (match, 0, "  ", "reason_missing"),
        (match, 0, "x" * 301, "too_long"),
    ):
        with refuses(LeagueError, code):
            award_forfeit(actor=director, match=which, winner_side=winner, reason=reason)


def test_statements_are_the_directors(match: Match) -> None:
    scorekeeper = actor_of(UserFactory.create(club=match.event.club, role=Role.SCOREKEEPER))
    for write in (award_forfeit, award_walkover):
        with refuses(LeagueError, "not_allowed"):
            write(actor=scorekeeper, match=match, winner_side=0, reason="x")


def test_line_up_opens_the_sheet_when_both_are_known(club: Club, director: Actor) -> None:
    event = EventFactory.create(club=club, team_size=2)
    entries = [
        EntryFactory.create(event=event, players=[PlayerFactory.create(club=club) for _ in range(3)])
        for _ in range(2)
    ]
    match = MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    match.appearances.all().delete()
    sheet, match.sheet = match.sheet, None
    match.save()
    assert sheet is not None
    sheet.delete()

    members = [list(entry.players.order_by("pk")) for entry in entries]
    match = set_line_up(actor=director, match=match, side=0, players=members[0][1:])
    assert match.sheet is None
    match = set_line_up(actor=director, match=match, side=1, players=members[1][:2])
    assert match.sheet is not None
    assert kept_sheet(match.sheet).sides[0].players == tuple(player.name for player in members[0][1:])
    code = match.sheet.code
    match = set_line_up(actor=director, match=match, side=0, players=members[0][:2])
    assert match.sheet is not None
    assert match.sheet.code == code
    assert kept_sheet(match.sheet).sides[0].players == tuple(player.name for player in members[0][:2])

    substitute = PlayerFactory.create(club=club)
    set_line_up(actor=director, match=match, side=1, players=[members[1][0], substitute])
    for players, refused in (
        (members[0][:1], "wrong_size"),
        ([members[0][0]] * 2, "wrong_size"),
        ([members[0][0], members[1][2]], "other_entry"),
        ([members[0][0], PlayerFactory.create()], "other_club"),
        ([members[0][0], substitute], "plays_already"),
    ):
        with refuses(LeagueError, refused):
            set_line_up(actor=director, match=match, side=0, players=players)
    play(match, 20)
    with refuses(LeagueError, "has_hands"):
        set_line_up(actor=director, match=match, side=0, players=members[0][1:])


def test_a_scorekeeper_sets_tables_and_line_ups(club: Club, match: Match) -> None:
    scorekeeper = actor_of(UserFactory.create(club=club))
    assert set_table(actor=scorekeeper, match=match, table=9).table == 9
    substitute = PlayerFactory.create(club=club)
    set_line_up(actor=scorekeeper, match=match, side=0, players=[substitute])
    assert match.appearances.get(side=0).player == substitute


def test_a_voided_sheet_is_replaced(director: Actor, match: Match) -> None:
    play(match, 20)
    with refuses(LeagueError, "sheet_in_use"):
        renew_sheet(actor=director, match=match)
    old = match.sheet
    assert old is not None
    void_sheet(actor=director, sheet=old, reason="Other people's")
    match = renew_sheet(actor=director, match=match)
    assert match.sheet is not None
    assert (match.sheet.label, match.sheet.status) == (old.label, SheetStatus.OPEN)
    noted = AuditEntry.objects.get(action="match.new_sheet")
    assert (noted.object_id, noted.club, noted.actor_id) == (str(match.pk), match.event.club, director.id)
    assert (noted.before, noted.after) == ({"sheet": old.code}, {"sheet": match.sheet.code})
    play(match, 20)
    assert match.state == MatchState.PLAYING


def test_remove_match_with_hands_is_refused(director: Actor, match: Match) -> None:
    play(match, 20)
    with refuses(LeagueError, "has_hands"):
        remove_match(actor=director, match=match)
    assert Match.objects.count() == 1


def test_line_up_refuses_who_was_merged_into_another(club: Club, director: Actor, match: Match) -> None:
    keep = PlayerFactory.create(club=club)
    merged = PlayerFactory.create(club=club, merged_into=keep)
    with pytest.raises(LeagueError, match="choose that player") as refusal:
        set_line_up(actor=director, match=match, side=0, players=[merged])
    assert (refusal.value.code, refusal.value.field) == ("merged", "players")
    set_line_up(actor=director, match=match, side=0, players=[keep])
    assert match.appearances.get(side=0).player == keep
