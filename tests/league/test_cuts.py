"""Who is level where a table is cut: never decided by names, nor by the order in which anybody came."""

from collections.abc import Sequence

import pytest
from django.test import Client
from django.urls import reverse

from league.core.lots import by_lot
from league.core.standings.cuts import CutKind
from league.draws.brackets import draw_bracket, plan_bracket
from league.draws.group_rounds import draw_groups
from league.draws.levels import is_asked, take_back_decision, undecided
from league.draws.qualifying import bracket_in_doubt
from league.draws.recalculating import recalculate
from league.draws.rounds import draw_round_robin
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event, reopen_event
from league.events.next_step import step_of
from league.events.pyramids import create_pyramid, draft_next_season, plan_next_season
from league.models import Club, ClubRules, CutDecision, CutHow, Event, EventState, Pyramid, Season
from league.policy.naming import AS_WRITTEN
from league.tables.placings import final_places
from league.tables.standings import current_standings
from league.tables.tables import event_table
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    SeasonFactory,
    play,
)
from tests.kept import contents
from tests.league.admin_pages import text
from tests.league.api.world import ANYBODY
from tests.league.bracket_play import after_first_round, cup, win
from tests.league.cut_cases import (
    PLAIN,
    decide,
    decide_all,
    drawn_groups,
    level_groups,
    play_offs,
    prizes_of,
    refused,
    rename_all,
)
from tests.league.followed import Watch
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


@pytest.fixture(params=[(), ("lot",), ("lot", "boxes")], ids=["no lot", "lot last", "lot before another"])
def criteria(request: pytest.FixtureRequest) -> list[str]:
    """Orders of a table that are one where it is cut: the lot parts nobody there."""
    return [*PLAIN, *request.param]


def test_level_at_the_line_of_a_group_is_asked(club: Club, criteria: list[str]) -> None:
    event = level_groups(club, criteria=criteria)
    before = contents()
    said = refused(event)
    first = undecided(event)[0]
    assert said.startswith(" and ".join(entry.name for entry in first.entries))
    assert "are level in everything for places 1 and 2 of group 1." in said
    assert contents() == before
    rename_all(event)
    refused(event)
    step = step_of(event)
    assert (step.act, is_asked(event)) == ("decide-level", True)


def test_level_for_the_first_place_of_a_group_is_asked_as_it_makes_the_seed(
    club: Club, criteria: list[str]
) -> None:
    """Both go on; who won the group is seeded above who came second."""
    event = level_groups(club, qualifiers=2, criteria=criteria)
    assert "places 1 and 2 of group 1" in refused(event)


def test_level_below_every_line_is_not_asked(club: Club) -> None:
    """The first of each group won all; of the others, who are level, nobody goes on."""
    event = drawn_groups(club, 6, groups=2)
    best = {min(e.seed or 0 for e in event.entries.filter(group=group)) for group in (1, 2)}
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        assert match.entry_b is not None
        points = 50 if match.entry_a.seed in best else -50 if match.entry_b.seed in best else None
        play(match, *([points] if points else []), stopped=True)
    assert len(plan_bracket(event).entries) == 2
    assert not undecided(event)


def test_level_as_the_best_of_the_next_places_is_asked(club: Club, criteria: list[str]) -> None:
    """Three groups of two: all firsts have won by 30, so all seconds are level for the one free place."""
    event = drawn_groups(club, 6, groups=3, best_next=1, criteria=criteria)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, 30, stopped=True)
    assert "are level as the best of the next places, and 1 of them goes on." in refused(event)
    (level,) = undecided(event)
    assert (level.cut.kind, len(level.entries)) == (CutKind.NEXT, 3)
    rename_all(event)
    refused(event)
    chosen = list(level.entries[::-1])
    decide(event, level, order=chosen)
    plan = plan_bracket(event)
    assert plan.entries[-1] == chosen[0]
    assert not set(chosen[1:]) & set(plan.entries)


def test_level_for_the_last_place_is_asked_where_results_against_it_are_left_out(
    club: Club, criteria: list[str]
) -> None:
    """In the group of four the last two are level, and the results against one of them are left out."""
    event = drawn_groups(club, 7, groups=2, groups_compared="without_last", criteria=criteria)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        assert match.entry_b is not None
        own = list(event.entries.filter(group=match.entry_a.group).order_by("seed"))
        a, b = own.index(match.entry_a), own.index(match.entry_b)
        play(match, *([] if {a, b} == {2, 3} else [50 if a < b else -50]), stopped=True)
    assert "are level in everything for places 3 and 4" in refused(event)
    decide_all(event)
    assert len(plan_bracket(event).entries) == 2


@pytest.fixture
def seasons(club: Club) -> tuple[Season, Season]:
    old, new = (SeasonFactory.create(club=club, name=year, slug=year) for year in ("2026", "2027"))
    return old, new


def division(
    pyramid: Pyramid,
    own_rules: ClubRules,
    season: Season,
    level: int,
    *,
    is_last: bool,
    criteria: Sequence[str] = PLAIN,
) -> Event:
    """Three of whom the last two are level, or else the first two."""
    event: Event = EventFactory.create(
        club=pyramid.club,
        rules=own_rules.rules,
        pyramid=pyramid,
        season=season,
        level=level,
        name=f"Division {level}",
        slug=f"division-{level}",
        criteria=list(criteria),
        state=EventState.FINISHED,
    )
    alone, *others = [EntryFactory.create(event=event, name=f"D{level}{number}") for number in range(3)]
    for other in others:
        match = MatchFactory.create(event=event, entry_a=alone, entry_b=other)
        play(match, 50 if is_last else -50, stopped=True)
    play(MatchFactory.create(event=event, entry_a=others[0], entry_b=others[1]), stopped=True)
    recalculate(event.pk)
    event.refresh_from_db()
    return event


@pytest.fixture
def pyramid(club: Club) -> Pyramid:
    return create_pyramid(actor=OPERATOR, club=club, name="Divisions", slug="divisions", moving=1)


@pytest.mark.parametrize("level", [pytest.param(1, id="relegation"), pytest.param(2, id="promotion")])
def test_level_at_promotion_and_relegation_is_asked(
    pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season], level: int, criteria: list[str]
) -> None:
    old, new = seasons
    events = [
        division(pyramid, own_rules, old, number, is_last=level == 1, criteria=criteria) for number in (1, 2)
    ]
    event = events[level - 1]
    with refuses(LeagueError, "level_at_cut") as refusal:
        plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert str(refusal.value.message).startswith(f"Division {level}: ")
    (asked,) = undecided(event)
    assert is_asked(event)
    step = step_of(event)
    assert step.act == "decide-level"
    assert step.words.endswith(asked.state)
    # The other division is not cut where its entries are level.
    assert not undecided(events[2 - level])
    chosen = list(asked.entries[::-1])
    decide(event, asked, order=chosen)
    plan = plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert any("Decided by The tests" in note for note in plan.notes)
    upper = [plan.entries[move.entry] for move in plan.divisions[0].moves]
    if level == 1:
        assert (chosen[0] in upper, chosen[1] in upper) == (True, False)
    else:
        assert (chosen[0] in upper, chosen[1] in upper) == (True, False)
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)


def test_page_of_a_division_follows_who_is_in_the_others(
    pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season]
) -> None:
    upper, lower = (division(pyramid, own_rules, seasons[0], number, is_last=True) for number in (1, 2))
    decide(upper, undecided(upper)[0])
    reopen_event(actor=OPERATOR, event=lower)
    watch = Watch(pyramid.club)
    guest, address = Client(), reverse("event", args=[pyramid.club.slug, upper.slug])
    assert "agreed" in guest.get(address).text
    for entry in lower.entries.all():
        withdraw_entry(actor=OPERATOR, entry=entry, reason="moved away")
    # Nobody goes up, so nobody goes down, and what was decided does not matter.
    assert watch.wrong() == []
    assert "agreed" not in guest.get(address).text


def test_division_that_still_runs_is_asked_once_it_is_played_out_and_may_have_a_play_off(
    pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season]
) -> None:
    events = [division(pyramid, own_rules, seasons[0], number, is_last=True) for number in (1, 2)]
    event = events[0]
    Event.objects.filter(pk=event.pk).update(state=EventState.RUNNING, format="swiss", rounds_planned=9)
    event.refresh_from_db()
    assert not undecided(event)
    assert not is_asked(event)
    Event.objects.filter(pk=event.pk).update(rounds_planned=event.rounds.count())
    event.refresh_from_db()
    step = step_of(event)
    assert (step.act, step.words.startswith("Everything is played. ")) == ("decide-level", True)
    (level,) = undecided(event)
    decide(event, level, CutHow.PLAY_OFF)
    assert step_of(event).act == ""
    play(play_offs(event)[0], 9, stopped=True)
    recalculate(event.pk)
    assert step_of(event).act == "finish"


def test_level_for_a_prize_is_asked_once_all_is_played(club: Club, criteria: list[str]) -> None:
    """The first has beaten all; the others are level, and there are two prizes."""
    event = cup(club, 4, format="round_robin", criteria=criteria, prizes=2)
    draw_round_robin(actor=OPERATOR, event=event)
    for match in event.matches.select_related("sheet", "event", "entry_a", "entry_b"):
        assert not is_asked(event)
        sides = [match.side_name(0), match.side_name(1)]
        play(match, *([5 if sides[0] == "E1" else -5] if "E1" in sides else []), stopped="E1" not in sides)
    recalculate(event.pk)
    step = step_of(event)
    assert step.act == "decide-level"
    assert "are level in everything for places 2 to 4, and a prize depends on it." in step.words
    assert all(name in step.words for name in ("E2", "E3", "E4"))
    (level,) = undecided(event)
    rename_all(event)
    assert undecided(event)[0].cut.key == level.cut.key
    at = reverse("event", args=[club.slug, event.slug])
    assert "The first 2 places have a prize." in text(Client().get(at))
    decision = decide(event, level, CutHow.LOT)
    assert step_of(event).act == "finish"
    assert event_table(event, AS_WRITTEN).cuts.cuts[0].words.startswith("By lot number ")
    assert not event_table(event, AS_WRITTEN).cuts.prizes

    event = finish_event(actor=OPERATOR, event=event)
    first = event.entries.get(standing__rank=1)
    told = [(row.first, row.last, [each.pk for each in row.entries]) for row in prizes_of(event)]
    assert told == [(1, 1, [first.pk]), (2, 2, [decision.order[0]])]
    assert '<h2 id="prizes">Prizes</h2>' in text(Client().get(at))
    take_back_decision(actor=OPERATOR, decision=decision, reason="drawn too early")
    assert [(row.first, row.last, len(row.entries)) for row in prizes_of(event)] == [(1, 1, 1), (2, 4, 3)]
    assert "Nobody has decided yet who comes first for places 2 to 4." in text(Client().get(at))
    assert [row["place"] for row in ANYBODY.get(f"events/{event.code}/cuts/")["prizes"]] == [1, 2, 2, 2]


def test_who_is_in_order_for_a_prize_is_so_for_going_down(
    pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season], criteria: list[str]
) -> None:
    event, _other = [
        division(pyramid, own_rules, seasons[0], number, is_last=True, criteria=criteria) for number in (1, 2)
    ]
    Event.objects.filter(pk=event.pk).update(prizes=2)
    event.refresh_from_db()
    (level,) = undecided(event)
    assert level.cut.kind == CutKind.PRIZE
    with refuses(LeagueError, "level_at_cut"):
        plan_next_season(pyramid=pyramid, season_from=seasons[0], season_to=seasons[1])
    decide(event, level)
    assert not undecided(event)
    plan = plan_next_season(pyramid=pyramid, season_from=seasons[0], season_to=seasons[1])
    upper = [plan.entries[move.entry] for move in plan.divisions[0].moves]
    assert (level.entries[0] in upper, level.entries[1] in upper) == (True, False)


@pytest.mark.parametrize("criteria", [["place"], ["lot"]])
def test_knockout_is_asked_for_its_prizes_after_the_final(club: Club, criteria: list[str]) -> None:
    event = after_first_round(cup(club, 4, criteria=criteria, prizes=3), "E1", "E2")
    assert not is_asked(event)
    win(event, 3, "E1")
    (level,) = undecided(event)
    assert {entry.name for entry in level.entries} == {"E3", "E4"}
    assert step_of(event).act == "decide-level"


def test_lot_of_the_table_is_not_drawn_again_by_a_new_name(club: Club) -> None:
    event = level_groups(club, 10, criteria=[*PLAIN, "lot"])
    before = [row.entry_id for row in current_standings(event)]
    rename_all(event)
    assert [row.entry_id for row in current_standings(event)] == before


def test_event_as_it_is_by_default_asks_who_goes_on(club: Club) -> None:
    """The usual order of a table ends with the lot."""
    event = cup(club, 4, format="groups", group_count=2, qualifiers=1)
    assert event.criteria[-1] == "lot"
    draw_groups(actor=OPERATOR, event=event)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, stopped=True)
    recalculate(event.pk)
    assert "are level in everything for places 1 and 2 of group 1." in refused(event)
    # In the table the lot has put them in order, and who leads by it alone is not marked as going on.
    rows = [row for row in event_table(event, AS_WRITTEN).rows if row.standing.group == 1]
    assert [(row.standing.rank, row.above_next_by, row.leading) for row in rows] == [
        (1, "lot", True),
        (2, "", True),
    ]


def test_groups_that_are_level_are_seeded_by_lot_not_by_their_numbers(club: Club) -> None:
    """Two groups of two whose winners have won by as much: who is seeded first differs by the lot."""
    firsts = set()
    for seed in range(8):
        event = drawn_groups(ClubFactory.create(), 4, groups=2, lot_seed=seed)
        for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
            play(match, 30, stopped=True)
        best = plan_bracket(event).entries
        assert {entry.group for entry in best} == {1, 2}
        keys = {entry: entry.drawn_as for entry in best}
        assert list(best) == by_lot(keys, f"{seed} groups")
        firsts.add(best[0].group)
    assert firsts == {1, 2}


def test_what_the_lot_has_decided_before_stays_until_it_is_drawn_anew_or_reopened(
    club: Club, pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season]
) -> None:
    """As brackets were drawn, and events finished, while the lot of the table settled who goes on."""
    event = level_groups(club, 6, groups=3, best_next=1, criteria=[*PLAIN, "lot"])
    table = current_standings(event)
    winners = {row.group: row.entry_id for row in table if row.position == 1}
    lots = {row.entry_id: row.metrics["lot"] for row in table if row.position == 2}
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    CutDecision.objects.all().delete()
    kept = [winners[1], winners[2], winners[3], max(lots, key=lots.__getitem__)]
    Event.objects.filter(pk=event.pk).update(lot_settled_bracket=True, qualified=kept)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
    (best, *_others) = event_table(event, AS_WRITTEN).cuts.next_rows
    assert (best.entry.pk, best.goes_on, best.by_lot) == (kept[-1], True, True)
    # It can be drawn again, and then it is asked.
    refused(event)
    assert undecided(event)
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert not event.lot_settled_bracket

    over = division(pyramid, own_rules, seasons[0], 1, is_last=True, criteria=[*PLAIN, "lot"])
    Event.objects.filter(pk=over.pk).update(lot_settled_places=True, prizes=3)
    over.refresh_from_db()
    assert [len(row.entries) for row in prizes_of(over)] == [1, 1, 1]
    assert not undecided(over)
    over = reopen_event(actor=OPERATOR, event=over)
    assert [len(level.entries) for level in undecided(over)] == [2]


def test_places_that_the_lot_has_settled_stay_and_the_next_season_asks(
    pyramid: Pyramid, own_rules: ClubRules, seasons: tuple[Season, Season]
) -> None:
    """Of the upper division two are level for the second place and the last, told as 2 and 3.

    Once the next season is drafted the lot has decided, as it did where it was drafted before.
    """
    old, new = seasons
    upper, lower = (
        division(pyramid, own_rules, old, number, is_last=number == 1, criteria=[*PLAIN, "lot"])
        for number in (1, 2)
    )
    (level,) = undecided(lower)
    decide(lower, level, order=level.entries)
    Event.objects.filter(pk=upper.pk).update(lot_settled_places=True)
    upper.refresh_from_db()
    standings = current_standings(upper)
    assert [final_places(upper, standings)[row.entry_id] for row in standings] == [1, 2, 3]
    (asked,) = undecided(upper)
    assert set(asked.cut.entries) == {row.entry_id for row in standings[1:]}
    with refuses(LeagueError, "level_at_cut"):
        plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    # The other way round than the lot has them.
    decide(upper, asked, order=[row.entry for row in standings[:0:-1]])
    plan = plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert not [note for note in plan.notes if "first is" in note]
    draft_next_season(actor=OPERATOR, pyramid=pyramid, season_from=old, season_to=new)
    stayed = Event.objects.get(season=new, level=1).entries.values_list("name", flat=True)
    assert [row.entry.name in stayed for row in standings] == [True, False, True]
    CutDecision.objects.all().delete()
    assert not undecided(upper)
    assert [final_places(upper, standings)[row.entry_id] for row in standings] == [1, 2, 3]
