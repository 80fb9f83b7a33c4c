"""What a bracket is drawn from: who is here, which seeds, who qualified; and where no round is to be paired."""

import pytest
from django.test import Client

from league.errors import LeagueError
from league.models import BRACKETS, Club, EventFormat, Match, PresenceState
from league.selectors.next_step import next_step
from league.services.brackets import draw_bracket, plan_bracket
from league.services.entries import withdraw_entry
from league.services.events import change_event
from league.services.group_rounds import draw_groups
from league.services.planning import plan_next_round
from league.services.presence import add_guest, ask_byes, mark_everybody, set_presence
from league.services.round_life import discard_round, draft_round, publish_round
from league.services.standings import recalculate
from tests.factories import OPERATOR, ClubFactory
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.bracket_play import cup, drawn, next_round, win

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("event_format", BRACKETS)
def test_who_is_here_is_ticked_before_the_draw(club: Club, event_format: EventFormat) -> None:
    event = cup(club, 5, format=event_format, check_in=True, group_count=2, qualifiers=1)
    draw = draw_groups if event_format == EventFormat.GROUPS else draw_bracket
    with pytest.raises(LeagueError) as refused:
        draw(actor=OPERATOR, event=event)
    assert refused.value.code == "nobody_here"
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
        with pytest.raises(LeagueError) as refused:
            set_presence(actor=OPERATOR, event=event, entry=one, number=number, state=state)
        assert refused.value.code == code
    with pytest.raises(LeagueError) as refused:
        ask_byes(actor=OPERATOR, event=event, entry=one, numbers=[1])
    assert refused.value.code == "no_byes"


def test_check_in_left_over_from_a_swiss_does_not_block_the_draw(club: Club, owner: Client) -> None:
    event = cup(club, 4, format=EventFormat.SWISS, check_in=True)
    event = change_event(actor=OPERATOR, event=event, format=EventFormat.SINGLE_ELIMINATION)
    assert 'name="check_in"' in text(owner.get(page("event", event)))
    shown = text(owner.get(page("event", event, "check_in")))
    assert "The other 4 are here too" in shown
    assert "Byes asked ahead" not in shown
    assert ">Bye<" not in shown
    owner.post(page("event", event, "check_in"), {"everybody": "1"})
    assert len(plan_bracket(event).entries) == 4


def test_bracket_of_three_says_that_nobody_plays_for_third_place(club: Club) -> None:
    assert plan_bracket(cup(club, 3, third_place=True)).notes == (
        "Fewer than four play: there is no match for third place.",
    )
    assert plan_bracket(cup(ClubFactory.create(), 4, third_place=True)).notes == ()


def test_end_of_a_bracket_is_said_only_where_nothing_is_open(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
    with pytest.raises(LeagueError, match=r"Match 3 .* is paired and not decided") as refused:
        plan_next_round(event, despite_missing=True)
    assert refused.value.code == "nothing_ready"
    win(event, 3, "E1")
    with pytest.raises(LeagueError) as refused:
        plan_next_round(event)
    assert refused.value.code == "no_more_rounds"


def test_drafted_round_that_lost_its_matches_is_not_published(club: Club) -> None:
    event = cup(club, 4)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    round_ = draft_round(actor=OPERATOR, event=event)
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name="E1"), reason="ill")
    recalculate(event.pk)
    assert "Round 2 is drafted and has no matches any more: delete it." in next_step(event)
    before = contents()
    with pytest.raises(LeagueError) as refused:
        publish_round(actor=OPERATOR, round_=round_)
    assert refused.value.code == "no_matches"
    assert contents() == before
    discard_round(actor=OPERATOR, round_=round_)
    assert next_step(event) == "Everything is played: finish the event."
