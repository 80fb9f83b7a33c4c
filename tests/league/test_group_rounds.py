"""Groups through the services: drawn from the seeds, played, and the bracket of those who go on."""

import datetime
from typing import Any

import pytest

from league.core.pairing.errors import PairingError
from league.draws.brackets import draw_bracket, plan_bracket
from league.draws.group_rounds import draw_groups, plan_groups
from league.draws.planning import plan_next_round
from league.draws.qualifying import bracket_in_doubt
from league.draws.recalculating import recalculate
from league.draws.round_life import publish_round
from league.draws.rounds import delete_draw
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.next_season import plan_again
from league.events.seeding import SeedBy, plan_seeds
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    ForbiddenPair,
    RoundState,
)
from league.people.players import change_player
from league.policy.naming import AS_WRITTEN
from league.tables.tables import event_table
from tests.factories import OPERATOR, EntryFactory, EventFactory, play
from tests.kept import contents
from tests.league.bracket_play import cup, next_round, pairs, places, ties, win
from tests.league.told import as_written
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def group_cup(club: Club, count: int = 8, *, groups: int = 2, qualifiers: int | None = 2) -> Event:
    return cup(club, count, format="groups", group_count=groups, qualifiers=qualifiers)


def seed_of(name: str) -> int:
    return int(name.removeprefix("E"))


def play_groups(event: Event) -> None:
    """Every match of the groups is won by the better seed, by the difference of the seeds."""
    for match in event.matches.filter(tie=None).exclude(entry_b=None).select_related("sheet", "event"):
        assert match.entry_b is not None
        play(match, seed_of(match.entry_b.name) - seed_of(match.entry_a.name))
    recalculate(event.pk)


def groups_of(event: Event) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for entry in event.entries.exclude(group=None).order_by("seed"):
        found.setdefault(entry.group or 0, []).append(entry.name)
    return found


def test_groups_get_one_of_each_pot_and_all_their_rounds(club: Club) -> None:
    event = group_cup(club, 9)
    rounds = draw_groups(actor=OPERATOR, event=event, first_date=datetime.date(2026, 9, 3))
    groups = groups_of(event)
    assert sorted(map(len, groups.values())) == [4, 5]
    for pot in range(4):
        assert {names[pot] for names in groups.values()} == {f"E{2 * pot + 1}", f"E{2 * pot + 2}"}
    # Five meet in five rounds with a bye each, four in three.
    assert [round_.number for round_ in rounds] == [1, 2, 3, 4, 5]
    assert [round_.date for round_ in rounds[:2]] == [datetime.date(2026, 9, 3), datetime.date(2026, 9, 10)]
    assert [len(pairs(round_)) for round_ in rounds] == [4, 4, 4, 2, 2]
    assert {round_.state for round_ in rounds} == {RoundState.PUBLISHED}
    group = {entry: number for number, names in groups.items() for entry in names}
    for match in event.matches.exclude(entry_b=None):
        assert match.entry_b is not None
        assert group[match.entry_a.name] == group[match.entry_b.name]
        assert match.sheet is not None
    note = AuditEntry.objects.get(action="event.draw")
    assert as_written(note.after)["groups"] == [groups[number] for number in (1, 2)]


def test_same_lot_draws_the_same_groups(club: Club) -> None:
    event = group_cup(club)
    assert plan_groups(event).groups == plan_groups(event).groups
    event.lot_seed = 2
    drawn = {tuple(entry.name for entry in plan_groups(event).groups[0])}
    for seed in range(3, 12):
        event.lot_seed = seed
        drawn.add(tuple(entry.name for entry in plan_groups(event).groups[0]))
    assert len(drawn) > 1


def test_names_change_no_groups(club: Club) -> None:
    """Of those without a seed too: they are in the order of a lot, and not of their names."""
    event = group_cup(club)
    event.entries.update(seed=None)

    def groups() -> list[list[int]]:
        return [[entry.pk for entry in group] for group in plan_groups(event).groups]

    before = groups()
    for number, entry in enumerate(event.entries.order_by("name")):
        change_player(actor=OPERATOR, player=entry.players.get(), name=f"Name {90 - number}")
    assert groups() == before


def test_pairs_that_are_not_drawn_are_in_different_groups(club: Club) -> None:
    event = group_cup(club)
    one, other = (event.entries.get(name=name) for name in ("E1", "E4"))
    ForbiddenPair.objects.create(
        event=event, entry_a=min(one, other, key=_pk), entry_b=max(one, other, key=_pk)
    )
    for seed in range(1, 9):
        event.lot_seed = seed
        assert not any({one, other} <= set(group) for group in plan_groups(event).groups)


def _pk(entry: Entry) -> int:
    return entry.pk


def test_best_of_each_group_go_on_and_group_mates_are_kept_apart(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    first, second = (groups_of(event)[number] for number in (1, 2))
    plan = plan_bracket(event)
    assert not plan.notes
    assert not event_table(event, AS_WRITTEN).groups_differ
    assert {entry.name for entry in plan.entries[:2]} == {first[0], second[0]}
    assert {entry.name for entry in plan.entries[2:]} == {first[1], second[1]}
    round_ = publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    assert round_.number == 4
    met = {frozenset(pair.split(" v ")) for pair in pairs(round_)}
    assert met == {frozenset((first[0], second[1])), frozenset((second[0], first[1]))}
    for tie, names in ((tie, pair.split("-")) for tie, pair in list(ties(event).items())[:2]):
        win(event, tie, names[0])
    final = next_round(event)
    assert final.number == 5
    winners = pairs(final)[0].split(" v ")
    win(event, 3, winners[0])
    found = places(event)
    assert (found[winners[0]], found[winners[1]]) == (1, 2)
    assert sorted(found.values()) == [1, 2, 3, 3]


def test_places_after_the_knockout_are_what_the_next_event_goes_by(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    semifinals = {tie: sides.split("-") for tie, sides in ties(event).items() if tie < 3}
    # The runners-up of the groups win the semifinals.
    for tie, (_first, second) in semifinals.items():
        win(event, tie, second)
    next_round(event)
    winner, loser = semifinals[2][1], semifinals[1][1]
    win(event, 3, winner)
    order = [entry.name for entry in plan_again(event=event, season=None).entries]
    assert order[:2] == [winner, loser]
    assert set(order[2:4]) == {semifinals[1][0], semifinals[2][0]}
    # Who did not get there: thirds of their groups before fourths.
    groups = groups_of(event).values()
    assert set(order[4:6]) == {names[2] for names in groups}
    assert set(order[6:]) == {names[3] for names in groups}
    later = EventFactory.create(club=club, name="Later", slug="later", format="swiss")
    for entry in event.entries.all():
        EntryFactory.create(event=later, name=entry.name, players=list(entry.players.all()))
    seeds = plan_seeds(event=later, by=SeedBy.EVENT, earlier=event)
    assert [planned.entry.name for planned in seeds] == order


def test_withdrawn_entry_does_not_go_on_and_the_next_does(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    best = groups_of(event)[1][0]
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(name=best), reason="moved")
    names = {entry.name for entry in plan_bracket(event).entries}
    assert best not in names
    assert groups_of(event)[1][2] in names


def unequal_groups(club: Club, **settings: Any) -> tuple[Event, str, str]:
    """Groups of three and four, one of each goes on: who won all three matches, and who won both.

    The first won each by 30, the second each by 20. In the group of three everybody rests once.
    """
    event = group_cup(club, 7, qualifiers=1)
    Event.objects.filter(pk=event.pk).update(**settings)
    event.refresh_from_db()
    draw_groups(actor=OPERATOR, event=event)
    four, three = sorted(groups_of(event).values(), key=len, reverse=True)
    for match in event.matches.filter(tie=None).exclude(entry_b=None).select_related("sheet", "event"):
        assert match.entry_b is not None
        points = 30 if match.entry_a.name in four else 20
        play(match, points if seed_of(match.entry_a.name) < seed_of(match.entry_b.name) else -points)
    recalculate(event.pk)
    return event, four[0], three[0]


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param({"bye_points": 2}, id="a rest gives points"),
        pytest.param({"bye_points": 0}, id="a rest gives nothing"),
        pytest.param({"bye_points": 2, "bye_net": "own_average"}, id="and a net"),
    ],
)
def test_rests_count_nothing_between_groups(club: Club, settings: dict[str, Any]) -> None:
    """Three of three by 30 each stands above two of two by 20 each: both have 2 points a match."""
    event, of_four, of_three = unequal_groups(club, **settings)
    plan = plan_bracket(event)
    assert [entry.name for entry in plan.entries] == [of_four, of_three]
    said = "Groups are not equally large: seeds go by figures per match played, without rests."
    assert list(plan.notes) == [said]
    assert event_table(event, AS_WRITTEN).groups_differ


@pytest.mark.parametrize("compared", ["per_match", "without_last"])
def test_best_second_goes_on_by_what_the_event_says(club: Club, compared: str) -> None:
    """The second of four won two of three, the second of three one of two, by more.

    Without the results against the last of the four both have won one of two.
    """
    event = group_cup(club, 7, qualifiers=1)
    Event.objects.filter(pk=event.pk).update(best_next=1, groups_compared=compared)
    event.refresh_from_db()
    draw_groups(actor=OPERATOR, event=event)
    four, three = sorted(groups_of(event).values(), key=len, reverse=True)
    for match in event.matches.filter(tie=None).exclude(entry_b=None).select_related("sheet", "event"):
        assert match.entry_b is not None
        better = min((match.entry_a.name, match.entry_b.name), key=seed_of)
        points = 40 if better == three[1] else 30
        play(match, points if better == match.entry_a.name else -points)
    recalculate(event.pk)
    plan = plan_bracket(event)
    best, other = (four[1], three[1]) if compared == "per_match" else (three[1], four[1])
    assert {entry.name for entry in plan.entries} == {four[0], three[0], best}
    figures = {"per_match": ("1.33", "10", "1", "5"), "without_last": ("1", "5", "1", "0")}[compared]
    assert plan.notes[1:] == (
        f"{best} goes on as the best of place 2 (points {figures[0]}, net {figures[1]} a match).",
        f"{other} does not go on from place 2 (points {figures[2]}, net {figures[3]} a match).",
    )
    if compared == "without_last":
        assert plan.notes[0].endswith(f"without the results against {four[3]}.")
    cuts = event_table(event, AS_WRITTEN).cuts
    assert [(row.entry.name, row.goes_on) for row in cuts.next_rows] == [(best, True), (other, False)]
    leading = {row.named.name for row in event_table(event, AS_WRITTEN).rows if row.leading}
    assert leading == {four[0], three[0], best}
    round_ = publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    assert (round_.number, event.ties.count()) == (4, 3)


def test_shared_places_of_groups_are_ordered_per_match(club: Club) -> None:
    """Seconds of groups share a place: 2 of 3 matches won is more than 1 of 2, whatever a rest is worth."""
    event, of_four, of_three = unequal_groups(club, bye_points=2)
    publish_round(actor=OPERATOR, round_=draw_bracket(actor=OPERATOR, event=event))
    win(event, 1, of_three)
    order = [entry.name for entry in plan_again(event=event, season=None).entries]
    four, three = sorted(groups_of(event).values(), key=len, reverse=True)
    assert order == [of_three, of_four, four[1], three[1], four[2], three[2], four[3]]


def test_a_bracket_drawn_by_the_points_of_rests_keeps_them_until_it_is_drawn_again(club: Club) -> None:
    event, of_four, of_three = unequal_groups(club, bye_points=2)
    draw_bracket(actor=OPERATOR, event=event)
    stored = [event.entries.get(name=name).pk for name in (of_three, of_four)]
    Event.objects.filter(pk=event.pk).update(rests_between_groups=True, qualified=stored)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
    draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert event.qualified == stored[::-1]
    assert bracket_in_doubt(event) == ""


def test_bracket_needs_all_results_of_the_groups_or_the_directors_word(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    before = contents()
    with pytest.raises(LeagueError, match="12 results are missing") as refused:
        draw_bracket(actor=OPERATOR, event=event)
    assert (refused.value.code, refused.value.field) == ("results_missing", "despite_missing")
    assert contents() == before
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event")[:11]:
        assert match.entry_b is not None
        play(match, seed_of(match.entry_b.name) - seed_of(match.entry_a.name))
    with pytest.raises(LeagueError, match="1 result is missing"):
        draw_bracket(actor=OPERATOR, event=event)
    draw_bracket(actor=OPERATOR, event=event, despite_missing=True)
    assert event.ties.count() == 3


def test_groups_are_drawn_again_until_their_first_hand(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    draw_groups(actor=OPERATOR, event=event)
    assert event.rounds.count() == 3
    play(event.matches.select_related("sheet", "event")[0], 5)
    before = contents()
    with refuses(LeagueError, "has_hands"):
        draw_groups(actor=OPERATOR, event=event)
    assert contents() == before


def test_bracket_after_groups_is_drawn_again_without_them(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    draw_bracket(actor=OPERATOR, event=event)
    draw_bracket(actor=OPERATOR, event=event)
    assert event.rounds.count() == 4
    assert event.matches.filter(tie=None).count() == 12


def test_deleting_the_draw_empties_the_groups(club: Club) -> None:
    event = group_cup(club)
    draw_groups(actor=OPERATOR, event=event)
    delete_draw(actor=OPERATOR, event=event)
    assert groups_of(event) == {}


def test_rounds_before_the_bracket_say_what_to_do(club: Club) -> None:
    event = group_cup(club)
    with pytest.raises(LeagueError, match="Draw the groups first"):
        plan_next_round(event)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    with pytest.raises(LeagueError, match="Draw the bracket once they are played"):
        plan_next_round(event)


@pytest.mark.parametrize(
    ("count", "groups", "qualifiers", "code", "said"),
    [
        pytest.param(3, 2, 1, "too_few_entries", "2 groups need at least 4 entries, not 3", id="too few"),
        pytest.param(
            7,
            2,
            4,
            "group_too_small",
            "4 of each group are to go on, and a group has only 3",
            id="more than the smallest group has",
        ),
        pytest.param(8, None, 2, "groups", "how many groups", id="no number of groups"),
        pytest.param(8, 2, None, "no_qualifiers", "how many of each group go on", id="no qualifiers"),
    ],
)
def test_draw_of_groups_refuses_and_changes_nothing(
    club: Club, count: int, groups: int | None, qualifiers: int | None, code: str, said: str
) -> None:
    event = cup(club, count, format="groups", group_count=groups, qualifiers=qualifiers)
    before = contents()
    with pytest.raises(LeagueError, match=said) as refused:
        draw_groups(actor=OPERATOR, event=event)
    assert refused.value.code == code
    assert contents() == before


def test_pairs_that_cannot_be_kept_apart_are_refused(club: Club) -> None:
    event = group_cup(club, 4)
    everybody = list(event.entries.order_by("pk"))
    for other in everybody[1:]:
        ForbiddenPair.objects.create(event=event, entry_a=everybody[0], entry_b=other)
    with refuses(PairingError, "not_apart"):
        draw_groups(actor=OPERATOR, event=event)


def test_other_formats_have_no_groups(club: Club) -> None:
    with refuses(LeagueError, "no_groups"):
        draw_groups(actor=OPERATOR, event=cup(club, 8))
