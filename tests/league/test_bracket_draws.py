"""What a bracket is drawn from: who is here, which seeds, who qualified; where nothing is to be paired."""

from typing import Any

import pytest
from django.test import Client

from league.draws.brackets import draw_bracket, keep_bracket, plan_bracket
from league.draws.group_rounds import draw_groups
from league.draws.planning import is_left_to_pair, plan_next_round
from league.draws.qualifying import bracket_in_doubt
from league.draws.recalculating import recalculate
from league.draws.round_life import discard_round, draft_round, publish_round
from league.draws.tie_tree import bracket_now
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.event_life import start_event
from league.events.events import change_event
from league.events.next_step import next_step
from league.events.presence import add_guest, ask_byes, mark_everybody, set_presence
from league.events.seeding import SeedBy, seed_entries
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventState,
    Match,
    PresenceState,
    Role,
)
from league.policy import actor_of
from tests.factories import OPERATOR, ClubFactory, UserFactory, play
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.bracket_play import (
    after_first_round,
    cup,
    drawn,
    drawn_from_groups,
    next_round,
    turn_over,
    win,
)
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("event_format", ["single", "double", "groups"])
def test_who_is_here_is_ticked_before_the_draw(club: Club, event_format: str) -> None:
    event = cup(club, 5, format=event_format, check_in=True, group_count=2, qualifiers=1)
    draw = draw_groups if event_format == "groups" else draw_bracket
    with refuses(LeagueError, "nobody_here"):
        draw(actor=OPERATOR, event=event)
    one = event.entries.get(name="E1")
    set_presence(actor=OPERATOR, event=event, entry=one, number=1, state=PresenceState.AWAY)
    assert mark_everybody(actor=OPERATOR, event=event, number=1) == 4
    guest = add_guest(actor=OPERATOR, event=event, number=1, name="Somebody Else")
    draw(actor=OPERATOR, event=event)
    playing = Match.objects.filter(event=event).values_list("entry_a__name", "entry_b__name")
    assert {name for pair in playing for name in pair if name} == {"E2", "E3", "E4", "E5", guest.name}
    with pytest.raises(LeagueError) as refused:
        add_guest(actor=OPERATOR, event=event, number=1, name="Too Late")
    assert refused.value.code in {"already_drawn", "round_published"}


def test_who_is_away_is_not_drawn_without_check_in_either(club: Club) -> None:
    event = cup(club, 3)
    set_presence(
        actor=OPERATOR,
        event=event,
        entry=event.entries.get(name="E2"),
        number=1,
        state=PresenceState.AWAY,
    )
    assert [entry.name for entry in plan_bracket(event).entries] == ["E1", "E3"]


def test_later_rounds_of_a_bracket_and_byes_are_not_asked_for(club: Club) -> None:
    event = cup(club, 3, check_in=True)
    one = event.entries.get(name="E1")
    for number, state, code in ((2, PresenceState.HERE, "out_of_range"), (1, PresenceState.BYE, "no_byes")):
        with refuses(LeagueError, code):
            set_presence(actor=OPERATOR, event=event, entry=one, number=number, state=state)
    with refuses(LeagueError, "no_byes"):
        ask_byes(actor=OPERATOR, event=event, entry=one, numbers=[1])


def test_check_in_left_over_from_a_swiss_does_not_block_the_draw(club: Club, owner: Client) -> None:
    event = cup(club, 4, format="swiss", check_in=True)
    event = change_event(actor=OPERATOR, event=event, format="single")
    assert 'name="check_in"' in text(owner.get(page("event", event)))
    shown = text(owner.get(page("event", event, "check_in")))
    assert "The other 4 are here too" in shown
    assert "Byes asked for in advance" not in shown
    assert ">Bye<" not in shown
    owner.post(page("event", event, "check_in"), {"everybody": "1"})
    assert len(plan_bracket(event).entries) == 4


def test_bracket_of_three_says_that_nobody_plays_for_third_place(club: Club) -> None:
    assert plan_bracket(cup(club, 3, third_place=True)).notes == (
        "Fewer than four play: there is no match for third place.",
    )
    assert plan_bracket(cup(ClubFactory.create(), 4, third_place=True)).notes == ()


def test_end_of_a_bracket_is_said_only_where_nothing_is_open(club: Club) -> None:
    event = after_first_round(cup(club, 4), "E1", "E2")
    with pytest.raises(LeagueError, match=r"Match 3 .* is paired and not decided") as refused:
        plan_next_round(event, despite_missing=True)
    assert refused.value.code == "nothing_ready"
    win(event, 3, "E1")
    with refuses(LeagueError, "no_more_rounds"):
        plan_next_round(event)


def test_drafted_round_that_lost_its_matches_is_not_published(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    round_ = draft_round(actor=OPERATOR, event=event)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    recalculate(event.pk)
    assert "Round 2 is drafted and has no matches left: delete it." in next_step(event)
    before = contents()
    with refuses(LeagueError, "no_matches"):
        publish_round(actor=OPERATOR, round_=round_)
    assert contents() == before
    discard_round(actor=OPERATOR, round_=round_)
    assert next_step(event) == "Everything is played: finish the event."


def seeds_now(event: Event) -> list[str]:
    """Who stands where in the bracket, the best seed first."""
    now = bracket_now(event)
    assert now is not None
    return [now.entry_of[seed].name for seed in sorted(now.entry_of)]


def test_groups_that_are_played_lead_to_the_bracket(club: Club, owner: Client) -> None:
    event = cup(club, 8, format="groups", group_count=2, qualifiers=2)
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, 5)
    recalculate(event.pk)
    assert next_step(event) == "All results of the groups are in: draw the bracket."
    shown = text(owner.get(page("event", event)))
    assert "Draw the bracket" in shown
    assert "Pair the next round" not in shown


def test_next_round_is_offered_as_long_as_there_is_one(club: Club) -> None:
    event = cup(club, 4)
    assert not is_left_to_pair(event)
    drawn(event)
    assert is_left_to_pair(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
    assert not is_left_to_pair(event)
    swiss = cup(ClubFactory.create(), 4, format="swiss", rounds_planned=1)
    assert is_left_to_pair(swiss)
    next_round(swiss)
    assert not is_left_to_pair(swiss)
    assert not is_left_to_pair(cup(ClubFactory.create(), 4, format="round_robin"))


def test_bracket_that_no_longer_fits_the_groups_is_told_and_drawn_anew(club: Club) -> None:
    event = drawn_from_groups(club)
    assert bracket_in_doubt(event) == ""
    before = seeds_now(event)
    turn_over(event, 1)
    gone = [name for name in before if event.entries.get(name=name).group == 1]
    said = bracket_in_doubt(event)
    assert all(name in said for name in gone)
    assert said.endswith("Redraw the bracket, or let it stand.")
    assert said in next_step(event)
    # Deleting the round leaves the bracket as it was drawn, and pairing it again says so.
    discard_round(actor=OPERATOR, round_=event.rounds.get(number=4))
    assert said in plan_next_round(event).warnings
    draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
    assert not set(gone) & set(seeds_now(event))


def test_bracket_is_let_stand_by_a_director_with_a_reason(club: Club, owner: Client) -> None:
    event = drawn_from_groups(club)
    before = seeds_now(event)
    win(event, 1, before[0])
    turn_over(event, 1)
    said = bracket_in_doubt(event)
    assert "The bracket has begun: let it stand" in said
    where = page("event", event, "keep_bracket")
    shown = text(owner.get(page("event", event)))
    assert "Let the bracket stand" in shown
    assert "Draw the bracket<" not in shown
    shown = text(owner.post(where, {"reason": "all agree"}))
    assert said in shown
    owner.post(where, {"reason": "all agree", "_confirm": "1"})
    event.refresh_from_db()
    assert (bracket_in_doubt(event), seeds_now(event)) == ("", before)
    note = AuditEntry.objects.get(action="bracket.keep")
    assert note.reason == "all agree"
    with refuses(LeagueError, "not_in_doubt"):
        keep_bracket(actor=OPERATOR, event=event, reason="once more")
    # Another change is told again.
    turn_over(event, 2)
    assert bracket_in_doubt(event) != ""


def test_scorekeeper_does_not_change_who_qualified_once_the_bracket_has_begun(club: Club) -> None:
    event = drawn_from_groups(club)
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    win(event, 1, seeds_now(event)[0])
    before = contents()
    with pytest.raises(LeagueError, match="who goes on from the groups") as refused:
        turn_over(event, 1, by=keeper)
    assert refused.value.code == "next_begun"
    assert bracket_in_doubt(event) == ""
    turn_over(event, 1)
    assert bracket_in_doubt(event) != ""
    assert before != contents()


def test_withdrawal_from_the_bracket_puts_it_in_no_doubt(club: Club) -> None:
    event = drawn_from_groups(club)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name=seeds_now(event)[0]), reason="ill")
    recalculate(event.pk)
    assert bracket_in_doubt(event) == ""


def test_seeds_given_after_the_draw_are_told_until_it_has_begun(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    assert "other seeds" not in next_step(event)
    seed_entries(actor=OPERATOR, event=event, by=SeedBy.HAND, order=["E4", "E3", "E2", "E1"])
    assert "The bracket was drawn with other seeds than the entries have now" in next_step(event)
    draw_bracket(actor=OPERATOR, event=event)
    assert "other seeds" not in next_step(event)
    assert seeds_now(event) == ["E4", "E3", "E2", "E1"]


@pytest.mark.parametrize(
    ("count", "values", "code"),
    [
        (4, {"group_count": None, "qualifiers": 1}, "groups"),
        (4, {"group_count": 2, "qualifiers": None}, "no_qualifiers"),
        (9, {"group_count": 3, "qualifiers": 9}, "group_too_small"),
        (5, {"group_count": 3, "qualifiers": 1}, "too_few_entries"),
    ],
)
def test_groups_that_cannot_be_drawn_are_refused_at_the_start(
    club: Club, count: int, values: dict[str, Any], code: str
) -> None:
    event = cup(club, count, format="groups", state=EventState.OPEN, **values)
    before = contents()
    with refuses(LeagueError, code):
        start_event(actor=OPERATOR, event=event)
    assert contents() == before
