"""A drafted round says when it no longer fits what it was drawn from."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client

from league.draws.brackets import draw_bracket
from league.draws.forfeits import award_walkover
from league.draws.group_rounds import draw_groups
from league.draws.kept_apart import allow_pair, keep_apart
from league.draws.round_life import draft_round, publish_round, repair_round, unpublish_round
from league.draws.round_swaps import swap_entries
from league.draws.staleness import no_longer_fits
from league.errors import LeagueError
from league.events.entries import enter_late, late_entry, withdraw_entry
from league.events.events import change_event
from league.events.next_step import next_step
from league.models import (
    AuditEntry,
    Club,
    Event,
    Match,
    MatchState,
    Presence,
    PresenceState,
    Round,
    RoundState,
)
from league.tables.adjustments import add_adjustment, remove_adjustment
from scoring.core.actors import Actor
from tests.factories import OPERATOR, EntryFactory, PlayerFactory, play
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of
from tests.league.test_group_rounds import group_cup, play_groups
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

RESULTS = "Results of round 1 have changed since this round was drawn."
GIVEN = "Points given or deducted have changed since this round was drawn."
VIRTUAL = "Virtual points have changed since this round was drawn."
APART = "Who is kept apart has changed since this round was drawn."
EITHER = "Pair the round again, or publish it all the same and say why."


@pytest.fixture
def drafted(club: Club, director: Actor) -> Round:
    """Round 2 of a Swiss of six, drafted after a played round 1."""
    event = swiss_of(club, 6)
    play_all(paired(director, event))
    return draft_round(actor=director, event=event)


def give_away(round_: Round) -> None:
    """The second named has won the first match of round 1 after all, without play."""
    match = Match.objects.filter(event=round_.event, round__number=1).order_by("table")[0]
    Match.objects.filter(pk=match.pk).update(winner_side=1, net=-50)


def ask_off(round_: Round) -> None:
    Presence.objects.create(
        event=round_.event, entry=seeded(round_.event, 3), round_number=2, state=PresenceState.BYE
    )


def come_late(round_: Round) -> None:
    EntryFactory.create(event=round_.event, name="Late Lou", first_round=2)


def enter(round_: Round) -> None:
    """Somebody comes late, while the round is a draft."""
    player = PlayerFactory.create(club=round_.event.club, name="Tardy Tim")
    enter_late(actor=OPERATOR, event=round_.event, players=[player])


def keep_two_apart(round_: Round) -> None:
    one, other = seeded(round_.event, 1), seeded(round_.event, 2)
    keep_apart(actor=OPERATOR, event=round_.event, one=one, other=other)


def deduct(round_: Round) -> None:
    add_adjustment(actor=OPERATOR, entry=seeded(round_.event, 1), points=Decimal(-1), reason="late twice")


CHANGES = [
    pytest.param(give_away, RESULTS, id="a result"),
    pytest.param(deduct, GIVEN, id="points deducted"),
    pytest.param(keep_two_apart, APART, id="a pair to be kept apart"),
    pytest.param(come_late, "Here and not in this round: Late Lou.", id="somebody came"),
    pytest.param(enter, "Here and not in this round: Tardy Tim.", id="somebody was entered late"),
    pytest.param(ask_off, "Asked to sit out since: Entry 03.", id="somebody asked to sit out"),
]


def test_a_round_fits_when_it_is_drafted(drafted: Round) -> None:
    assert no_longer_fits(drafted.event, drafted) == []
    assert "no longer fits" not in next_step(drafted.event)
    drafted = publish_round(actor=OPERATOR, round_=drafted)
    assert drafted.state == RoundState.PUBLISHED
    give_away(drafted)
    # Published, it is as it is.
    assert no_longer_fits(drafted.event, drafted) == []
    drafted = unpublish_round(actor=OPERATOR, round_=drafted)
    assert no_longer_fits(drafted.event, drafted) == [RESULTS]


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_a_stale_round_is_published_with_a_reason_only(
    drafted: Round, change: Callable[[Round], None], said: str
) -> None:
    change(drafted)
    event = Event.objects.get(pk=drafted.event_id)
    assert no_longer_fits(event, drafted) == [said]
    assert next_step(event) == f"Round 2 is drafted and no longer fits. {said} {EITHER}"
    before = contents()
    for reason in ("", "  "):
        with pytest.raises(LeagueError, match=said) as refused:
            publish_round(actor=OPERATOR, round_=drafted, reason=reason)
        assert (refused.value.code, refused.value.field) == ("stale", "reason")
    assert contents() == before
    publish_round(actor=OPERATOR, round_=drafted, reason=" They sit already ")
    assert (
        AuditEntry.objects.get(action="round.publish", object_id=str(drafted.pk)).reason == "They sit already"
    )


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_pairing_again_makes_it_fit(drafted: Round, change: Callable[[Round], None], said: str) -> None:
    change(drafted)
    event = Event.objects.get(pk=drafted.event_id)
    again = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=drafted.pk))
    assert no_longer_fits(event, again) == []
    publish_round(actor=OPERATOR, round_=again)
    assert AuditEntry.objects.get(action="round.publish", object_id=str(drafted.pk)).reason == ""


def test_who_came_late_plays_in_the_draft_that_is_paired_again_or_from_the_next_round(
    drafted: Round,
) -> None:
    event = drafted.event
    Event.objects.filter(pk=event.pk).update(late_points=Decimal("0.5"))
    event.refresh_from_db()
    assert late_entry(event).first_round == 2
    enter(drafted)
    tim = event.entries.get(name="Tardy Tim")
    again = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=drafted.pk))
    assert Match.objects.of_entry(tim).filter(round=again).exists()
    enough = EntryFactory.create(event=event, name="Even Later", first_round=2)
    published = publish_round(actor=OPERATOR, round_=again, reason="they sit already")
    enough.refresh_from_db()
    tim.refresh_from_db()
    assert (tim.first_round, enough.first_round) == (2, 3)
    assert late_entry(event).first_round == 3
    changed = AuditEntry.objects.get(action="entry.change", object_id=str(enough.pk))
    assert (changed.after, changed.reason) == ({"first_round": 3}, "they sit already")
    # Who was drawn before and is not in this round is not late.
    assert not event.entries.exclude(pk=enough.pk).filter(first_round__gt=2).exists()
    assert published.state == RoundState.PUBLISHED


def test_what_a_round_is_not_drawn_from_changes_nothing(drafted: Round) -> None:
    """The net alone, a pair changed by hand, points given and taken back."""
    event = drafted.event
    match = event.matches.filter(round__number=1)[0]
    Match.objects.filter(pk=match.pk).update(net=match.net + 5)
    note = add_adjustment(actor=OPERATOR, entry=seeded(event, 1), points=Decimal(1), reason="a mistake")
    assert no_longer_fits(event, drafted) == [GIVEN]
    remove_adjustment(actor=OPERATOR, adjustment=note)
    swap_entries(actor=OPERATOR, round_=drafted, one=seeded(event, 1), other=seeded(event, 2))
    assert no_longer_fits(event, drafted) == []


def test_a_pair_that_may_meet_again(club: Club, director: Actor) -> None:
    """Four in round 1 as 1 – 3 and 2 – 4 unless 1 and 3 are kept apart; allowed, they could meet."""
    event = swiss_of(club, 4)
    pair = keep_apart(actor=OPERATOR, event=event, one=seeded(event, 1), other=seeded(event, 3))
    round_ = draft_round(actor=director, event=event)
    assert no_longer_fits(event, round_) == []
    allow_pair(actor=OPERATOR, pair=pair)
    assert no_longer_fits(event, round_) == [APART]
    round_ = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))
    assert no_longer_fits(event, round_) == []


def test_points_of_late_entries_belong_to_what_it_was_drawn_from(drafted: Round) -> None:
    """A change is told; who comes late while the round is a draft changes nobody's points in it."""
    event = drafted.event
    enter(drafted)
    drafted = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=drafted.pk))
    set_late_points(event, "0.5")
    assert no_longer_fits(event, drafted) == [GIVEN]
    drafted = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=drafted.pk))
    assert no_longer_fits(event, drafted) == []
    come_late(drafted)
    assert no_longer_fits(event, drafted) == ["Here and not in this round: Late Lou."]
    event.entries.get(name="Late Lou").delete()
    play_all(publish_round(actor=OPERATOR, round_=drafted))
    third = draft_round(actor=OPERATOR, event=event)
    assert no_longer_fits(event, third) == []
    event.entries.filter(name="Tardy Tim").update(first_round=3)
    assert no_longer_fits(event, third) == [GIVEN]


def test_late_points_of_nobody_change_nothing(drafted: Round) -> None:
    set_late_points(drafted.event, "0.5")
    assert no_longer_fits(drafted.event, drafted) == []


def test_a_draft_of_an_earlier_version_is_asked_for_what_that_noted(drafted: Round) -> None:
    """It knew of rounds and adjustments alone."""
    event = drafted.event
    enter(drafted)
    drafted = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=drafted.pk))
    assert drafted.drawn_from is not None
    drafted.drawn_from = {key: drafted.drawn_from[key] for key in ("0", "1")}
    keep_two_apart(drafted)
    assert no_longer_fits(event, drafted) == []
    give_away(drafted)
    assert no_longer_fits(event, drafted) == [RESULTS]


def test_a_first_round_is_stale_when_it_would_be_accelerated_for_longer(club: Club) -> None:
    event = swiss_of(club, 6, accelerated=True, rounds_planned=5)
    round_ = draft_round(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert (event.accelerated_rounds, no_longer_fits(event, round_)) == (3, [])
    event = change_event(actor=OPERATOR, event=event, rounds_planned=9)
    assert no_longer_fits(event, round_) == [VIRTUAL]
    round_ = repair_round(actor=OPERATOR, round_=Round.objects.get(pk=round_.pk))
    event.refresh_from_db()
    assert (event.accelerated_rounds, no_longer_fits(event, round_)) == (5, [])
    play_all(publish_round(actor=OPERATOR, round_=round_))
    second = draft_round(actor=OPERATOR, event=event)
    event = change_event(actor=OPERATOR, event=event, rounds_planned=5)
    assert no_longer_fits(event, second) == []
    event = change_event(actor=OPERATOR, event=event, win_points=Decimal(3))
    assert no_longer_fits(event, second) == [RESULTS, VIRTUAL]
    # An earlier version did not note them.
    assert second.drawn_from is not None
    del second.drawn_from["virtual"]
    assert no_longer_fits(event, second) == [RESULTS]


def set_late_points(event: Event, points: str) -> None:
    Event.objects.filter(pk=event.pk).update(late_points=Decimal(points))
    event.refresh_from_db()


def test_a_result_that_was_missing_makes_it_stale(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    one, two = paired(director, event).matches.order_by("table")
    play(one, 50, stopped=True)
    round_ = draft_round(actor=director, event=event, despite_missing=True)
    assert no_longer_fits(event, round_) == []
    award_walkover(actor=director, match=two, winner_side=0, reason="did not come")
    assert no_longer_fits(event, round_) == [RESULTS]


def test_first_round_does_not_ask_for_results(club: Club, director: Actor) -> None:
    event = swiss_of(club, 4)
    round_ = draft_round(actor=director, event=event)
    assert no_longer_fits(event, round_) == []
    deduct(round_)
    assert no_longer_fits(event, round_) == [GIVEN]


def test_who_left_is_named_and_the_round_is_paired_again(drafted: Round) -> None:
    withdraw_entry(actor=OPERATOR, entry=seeded(drafted.event, 2), reason="ill")
    event = Event.objects.get(pk=drafted.event_id)
    said = "No longer here: Entry 02."
    assert no_longer_fits(event, drafted) == [said]
    assert next_step(event) == f"Round 2 is drafted and no longer fits. {said} Pair the round again."
    with refuses(LeagueError, "not_here"):
        publish_round(actor=OPERATOR, round_=drafted, reason="all the same")


def test_who_sits_out_and_is_here_again_is_named(club: Club, director: Actor) -> None:
    event = swiss_of(club, 5)
    asked = Presence.objects.create(
        event=event, entry=seeded(event, 5), round_number=1, state=PresenceState.BYE
    )
    round_ = draft_round(actor=director, event=event)
    assert round_.matches.filter(state=MatchState.ABSENT).count() == 1
    assert no_longer_fits(event, round_) == []
    asked.delete()
    assert no_longer_fits(event, round_) == ["Here again, and drawn to sit out: Entry 05."]


def test_a_bracket_drawn_from_other_results_of_the_groups(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    round_ = draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert no_longer_fits(event, round_) == []
    assert event.qualified is not None
    Event.objects.filter(pk=event.pk).update(qualified=event.qualified[::-1])
    event.refresh_from_db()
    assert [sentence.split(":")[0] for sentence in no_longer_fits(event, round_)] == [
        "By the results of the groups those who went on would have other seeds. "
        "Redraw the bracket, or let it stand."
    ]
    round_ = Round.objects.get(pk=round_.pk)
    with refuses(LeagueError, "stale"):
        publish_round(actor=OPERATOR, round_=round_)


def test_pages_say_it_and_ask_for_the_reason(owner: Client, drafted: Round) -> None:
    event = drafted.event
    for shown in (page("event", event), page("round", drafted), page("round", drafted, "publish")):
        assert "since this round was drawn" not in text(owner.get(shown))
    give_away(drafted)
    for shown in (page("event", event), page("round", drafted), page("round", drafted, "publish")):
        said = text(owner.get(shown))
        assert RESULTS in said
        assert EITHER in said
    publish = page("round", drafted, "publish")
    preview = text(owner.post(publish, {"reason": "They sit already"}))
    assert RESULTS in preview
    owner.post(publish, {"_confirm": "1"})
    drafted.refresh_from_db()
    assert drafted.state == RoundState.DRAFTED
    owner.post(publish, {"reason": "They sit already", "_confirm": "1"})
    drafted.refresh_from_db()
    assert drafted.state == RoundState.PUBLISHED
