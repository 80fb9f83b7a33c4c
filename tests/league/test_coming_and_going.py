"""Late entries, guests, withdrawals: what is entered, what stands, and what is no longer recorded."""

from decimal import Decimal
from typing import Any

import pytest

from league.draws.forfeits import award_forfeit, award_walkover, clear_award
from league.errors import LeagueError
from league.events.entries import (
    change_entry,
    enter_late,
    enter_players,
    enter_team,
    late_entry,
    matches_to_give,
    reinstate_entry,
    remove_entry,
    withdraw_entry,
)
from league.matches.line_ups import set_line_up
from league.matches.matches import MatchPlan, make_matches
from league.models import (
    Club,
    Entry,
    Event,
    EventState,
    Match,
    MatchState,
    RoundState,
)
from scoring.core.actors import Actor
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    play,
)
from tests.kept import refused_service
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture
def swiss(club: Club) -> Event:
    return EventFactory.create(club=club, format="swiss", late_points=Decimal("0.5"))


def test_late_entry_plays_from_the_next_round(director: Actor, swiss: Event) -> None:
    for _ in range(3):
        RoundFactory.create(event=swiss)
    late = late_entry(swiss)
    assert (late.first_round, late.points) == (4, Decimal("1.5"))
    player = PlayerFactory.create(club=swiss.club)
    (entry,) = enter_late(actor=director, event=swiss, players=[player], is_guest=True)
    assert (entry.first_round, entry.is_guest) == (4, True)


def test_late_team_is_entered_with_its_members(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2, format="swiss")
    RoundFactory.create(event=event)
    players = PlayerFactory.create_batch(3, club=club)
    (entry,) = enter_late(actor=director, event=event, players=players, name="  The  Late ")
    assert (entry.name, entry.first_round, entry.players.count()) == ("The Late", 2, 3)


def test_who_enters_before_the_first_round_is_not_late(swiss: Event) -> None:
    assert (late_entry(swiss).first_round, late_entry(swiss).points) == (1, Decimal(0))


def test_nobody_is_late_in_a_round_robin(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club, format="round_robin", late_points=Decimal(1))
    for _ in range(3):
        RoundFactory.create(event=event)
    (entry,) = enter_late(actor=director, event=event, players=[PlayerFactory.create(club=club)])
    assert (entry.first_round, late_entry(event).points) == (1, Decimal(0))


@pytest.mark.parametrize("format_", ["single", "double", "groups"])
def test_nobody_joins_a_bracket_that_is_drawn(director: Actor, club: Club, format_: str) -> None:
    event = EventFactory.create(club=club, format=format_)
    RoundFactory.create(event=event)
    refused_service(
        "already_drawn",
        enter_late,
        actor=director,
        event=event,
        players=[PlayerFactory.create(club=club)],
    )


@pytest.mark.parametrize("state", [EventState.FINISHED, EventState.ARCHIVED])
def test_nobody_comes_or_goes_once_the_event_is_over(director: Actor, club: Club, state: EventState) -> None:
    event = EventFactory.create(club=club)
    match = MatchFactory.create(event=event)
    entry = match.entry_a
    Event.objects.filter(pk=event.pk).update(state=state)
    event.refresh_from_db()
    entry = Entry.objects.get(pk=entry.pk)
    player = PlayerFactory.create(club=club)
    by: dict[str, Any] = {"actor": director}
    refused_service("wrong_state", enter_players, **by, event=event, players=[player])
    refused_service("wrong_state", enter_late, **by, event=event, players=[player])
    refused_service("wrong_state", change_entry, **by, entry=entry, seed=4)
    refused_service("wrong_state", withdraw_entry, **by, entry=entry, reason="Ill")
    refused_service("wrong_state", remove_entry, **by, entry=EntryFactory.create(event=event))
    match = Match.objects.get(pk=match.pk)
    refused_service("wrong_state", set_line_up, **by, match=match, side=0, players=[player])
    refused_service("wrong_state", award_walkover, **by, match=match, winner_side=0, reason="Ill")


def test_team_gets_a_member_while_the_event_runs(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club, team_size=2)
    match = play(MatchFactory.create(event=event), 10)
    members = list(match.entry_a.players.order_by("pk"))
    newcomer = PlayerFactory.create(club=club)
    change_entry(actor=director, entry=match.entry_a, players=[*members, newcomer])
    assert match.entry_a.players.count() == 3
    refused_service(
        "has_played", change_entry, actor=director, entry=match.entry_a, players=[members[0], newcomer]
    )


def test_guest_is_made_and_unmade(director: Actor, swiss: Event) -> None:
    entry = EntryFactory.create(event=swiss)
    assert change_entry(actor=director, entry=entry, is_guest=True).is_guest
    assert not change_entry(actor=director, entry=entry, is_guest=False).is_guest
    team = EventFactory.create(club=swiss.club, team_size=2)
    guest = enter_team(
        actor=director,
        event=team,
        name="Visitors",
        players=PlayerFactory.create_batch(2, club=swiss.club),
        is_guest=True,
    )
    assert guest.is_guest


def test_withdrawn_entrys_match_is_not_begun(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club)
    match, other = MatchFactory.create(event=event), MatchFactory.create(event=event)
    begun = play(MatchFactory.create(event=event), 20)
    for one in (match, begun):
        withdraw_entry(actor=director, entry=one.entry_a, reason="Ill")
    with refuses(LeagueError, "withdrawn") as refusal:
        play(match, 30)
    assert "give the match to the other side by walkover" in str(refusal.value.message)
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.state, match.sheet.acts.count()) == (MatchState.SCHEDULED, 0)
    # What has begun is played to its end, what others play is theirs.
    assert play(begun, -20, stopped=True).state == MatchState.STOPPED
    assert play(other, 20).state == MatchState.PLAYING
    reinstate_entry(actor=director, entry=Entry.objects.get(pk=match.entry_a_id), reason="Well again")
    assert play(match, 30).state == MatchState.PLAYING


def test_withdrawn_entry_gets_no_line_up_and_no_match(director: Actor, club: Club) -> None:
    match = MatchFactory.create(event=EventFactory.create(club=club))
    withdraw_entry(actor=director, entry=match.entry_a, reason="Ill")
    match = Match.objects.get(pk=match.pk)
    stand_in = PlayerFactory.create(club=club)
    refused_service("withdrawn", set_line_up, actor=director, match=match, side=0, players=[stand_in])
    for service in (award_walkover, award_forfeit):
        refused_service("withdrawn", service, actor=director, match=match, winner_side=0, reason="Late")
    stated = award_walkover(actor=director, match=match, winner_side=1, reason="Withdrew")
    assert (stated.state, stated.winner_side) == (MatchState.WALKOVER, 1)
    assert clear_award(actor=director, match=stated, reason="No").state == MatchState.SCHEDULED


def test_two_who_withdraw_give_their_match_to_nobody(director: Actor, club: Club) -> None:
    match = MatchFactory.create(event=EventFactory.create(club=club))
    assert match.entry_b is not None
    withdraw_entry(actor=director, entry=match.entry_a, reason="Ill")
    assert withdraw_entry(actor=director, entry=match.entry_b, reason="Ill", give_matches=True) == 1
    match.refresh_from_db()
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, None)


def test_match_of_a_draft_is_not_given_but_paired_anew(director: Actor, club: Club) -> None:
    event = EventFactory.create(club=club)
    entry = EntryFactory.create(event=event)
    draft = RoundFactory.create(event=event, state=RoundState.DRAFTED)
    match = MatchFactory.create(event=event, round=draft, entry_a=entry)
    assert withdraw_entry(actor=director, entry=entry, reason="Ill", give_matches=True) == 0
    match.refresh_from_db()
    assert match.state == MatchState.SCHEDULED


@pytest.fixture
def four(club: Club) -> Match:
    """Two rotating pairs, drawn: a and b against c and d."""
    event = EventFactory.create(club=club, format="rotation", team_size=2, kind="individual")
    entries = [
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
        for name in "abcd"
    ]
    players = [entry.players.get() for entry in entries]
    plan = MatchPlan(
        round=RoundFactory.create(event=event),
        entry_a=entries[0],
        partner_a=entries[1],
        entry_b=entries[2],
        partner_b=entries[3],
        label="T1",
        line_up_a=tuple(players[:2]),
        line_up_b=tuple(players[2:]),
    )
    (match,) = make_matches(actor=OPERATOR, event=event, plans=[plan])
    return match


def test_partner_who_is_left_plays_on_with_a_substitute(director: Actor, four: Match, club: Club) -> None:
    gone = four.partner_a
    assert gone is not None
    assert withdraw_entry(actor=director, entry=gone, reason="Ill", give_matches=True) == 0
    match = Match.objects.get(pk=four.pk)
    assert match.state == MatchState.SCHEDULED
    with pytest.raises(LeagueError) as refusal:
        play(match, 10)
    assert "set a line-up with somebody who plays in that place" in str(refusal.value.message)
    stays = match.entry_a.players.get()
    refused_service(
        "withdrawn", set_line_up, actor=director, match=match, side=0, players=[stays, gone.players.get()]
    )
    stand_in = PlayerFactory.create(club=club)
    set_line_up(actor=director, match=match, side=0, players=[stays, stand_in])
    assert play(match, 10).state == MatchState.PLAYING
    assert match.appearances.get(player=stand_in).entry == gone


def test_match_of_two_partners_who_withdraw_is_given_away(director: Actor, four: Match) -> None:
    assert four.partner_a is not None
    withdraw_entry(actor=director, entry=four.partner_a, reason="Ill", give_matches=True)
    first = Entry.objects.get(pk=four.entry_a_id)
    assert matches_to_give(first) == [four]
    assert withdraw_entry(actor=director, entry=first, reason="Ill", give_matches=True) == 1
    match = Match.objects.get(pk=four.pk)
    assert (match.state, match.winner_side) == (MatchState.WALKOVER, 1)


def test_partners_entry_with_matches_is_not_removed(director: Actor, four: Match) -> None:
    refused_service("in_use", remove_entry, actor=director, entry=four.partner_b)
