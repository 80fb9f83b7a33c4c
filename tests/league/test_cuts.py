"""Who is level where a table is cut: never decided by names, nor by the order in which anybody came."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.core.lots import by_lot
from league.core.standings.cuts import CutKind
from league.draws.brackets import draw_bracket, keep_bracket, plan_bracket
from league.draws.group_rounds import draw_groups
from league.draws.levels import LevelAt, decide_level, is_asked, take_back_decision, undecided
from league.draws.qualifying import bracket_in_doubt
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.rounds import delete_draw, draw_round_robin
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.event_life import finish_event, reopen_event
from league.events.next_step import step_of
from league.events.pyramids import create_pyramid, draft_next_season, plan_next_season
from league.models import (
    AuditEntry,
    Club,
    ClubRules,
    CutDecision,
    CutHow,
    Entry,
    Event,
    EventState,
    Match,
    Pyramid,
    Role,
    Season,
    ShownAs,
)
from league.people.players import change_player
from league.people.register import change_shown
from league.policy import actor_of
from league.policy.naming import AS_WRITTEN
from league.tables.cut_tables import PrizeRow
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
    UserFactory,
    play,
)
from tests.kept import contents
from tests.league.admin_pages import page, text
from tests.league.api.world import ANYBODY, Asking
from tests.league.bracket_play import correct_first_deal, cup, drawn, next_round, win
from tests.league.followed import Watch

pytestmark = pytest.mark.django_db

PLAIN = ["match_points", "net"]


@pytest.fixture(params=[(), ("lot",), ("lot", "boxes")], ids=["no lot", "lot last", "lot before another"])
def criteria(request: pytest.FixtureRequest) -> list[str]:
    """Orders of a table that are one where it is cut: the lot parts nobody there."""
    return [*PLAIN, *request.param]


def drawn_groups(club: Club, count: int, *, groups: int, qualifiers: int = 1, **values: Any) -> Event:
    """Groups that are drawn, with a table that has no lot where nothing else is said."""
    values = {"criteria": PLAIN, **values}
    event = cup(club, count, format="groups", group_count=groups, qualifiers=qualifiers, **values)
    draw_groups(actor=OPERATOR, event=event)
    return event


def level_groups(club: Club, count: int = 4, *, groups: int = 2, qualifiers: int = 1, **values: Any) -> Event:
    """Groups in which every sheet was drawn, so that everybody is level."""
    event = drawn_groups(club, count, groups=groups, qualifiers=qualifiers, **values)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, stopped=True)
    recalculate(event.pk)
    event.refresh_from_db()
    return event


def rename_all(event: Event) -> None:
    """Everybody gets a name that turns the order of names round."""
    entries = list(event.entries.order_by("name"))
    for number, entry in enumerate(entries):
        change_player(actor=OPERATOR, player=entry.players.get(), name=f"N{len(entries) - number:02}")


def decide(event: Event, level: LevelAt, how: CutHow = CutHow.WORD, **said: Any) -> CutDecision:
    if how is CutHow.WORD:
        said = {"order": level.entries, "reason": "agreed", **said}
    return decide_level(actor=OPERATOR, event=event, key=level.cut.key, how=how, **said)


def decide_all(event: Event) -> None:
    while asked := undecided(event):
        decide(event, asked[0])


def prizes_of(event: Event) -> Sequence[PrizeRow]:
    return event_table(event, AS_WRITTEN).cuts.prizes


def refused(event: Event) -> str:
    with pytest.raises(LeagueError) as refusal:
        plan_bracket(event)
    assert refusal.value.code == "level_at_cut"
    return str(refusal.value.message)


# --- every place where a table is cut


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
    with pytest.raises(LeagueError) as refusal:
        plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert refusal.value.code == "level_at_cut"
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
    with pytest.raises(LeagueError) as refusal:
        plan_next_season(pyramid=pyramid, season_from=seasons[0], season_to=seasons[1])
    assert refusal.value.code == "level_at_cut"
    decide(event, level)
    assert not undecided(event)
    plan = plan_next_season(pyramid=pyramid, season_from=seasons[0], season_to=seasons[1])
    upper = [plan.entries[move.entry] for move in plan.divisions[0].moves]
    assert (level.entries[0] in upper, level.entries[1] in upper) == (True, False)


@pytest.mark.parametrize("criteria", [["place"], ["lot"]])
def test_knockout_is_asked_for_its_prizes_after_the_final(club: Club, criteria: list[str]) -> None:
    event = cup(club, 4, criteria=criteria, prizes=3)
    drawn(event)
    win(event, 1, "E1")
    win(event, 2, "E2")
    next_round(event)
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
    with pytest.raises(LeagueError) as refusal:
        plan_next_season(pyramid=pyramid, season_from=old, season_to=new)
    assert refusal.value.code == "level_at_cut"
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


# --- the three ways


def test_director_decides_with_a_reason_and_it_is_told(club: Club) -> None:
    event = level_groups(club)
    one, other = (level.entries[::-1] for level in undecided(event))
    for level in undecided(event):
        decide(event, level, order=level.entries[::-1], reason="who came on time")
    assert not undecided(event)
    plan = plan_bracket(event)
    assert {entry.pk for entry in plan.entries} == {one[0].pk, other[0].pk}
    told = event_table(event, AS_WRITTEN).cuts.cuts[0].words
    assert told.startswith("Decided by the director on ")
    assert told.endswith(f"in this order: {one[0]} and {one[1]}. Reason: who came on time")
    note = AuditEntry.objects.filter(action="level.decide").earliest("id")
    assert (note.actor_name, note.reason) == ("The tests", "who came on time")


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"reason": " "}, "reason_missing"),
        ({"order": []}, "order"),
        ({"how": CutHow.LOT, "key": "0" * 16}, "not_level"),
    ],
)
def test_decisions_are_refused_and_change_nothing(club: Club, said: dict[str, Any], code: str) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    values = {"key": level.cut.key, "how": CutHow.WORD, "order": level.entries, "reason": "agreed"}
    before = contents()
    with pytest.raises(LeagueError) as refusal:
        decide_level(actor=OPERATOR, event=event, **(values | said))
    assert refusal.value.code == code
    assert contents() == before


def test_only_directors_decide(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    keeper = actor_of(UserFactory.create(club=club, role=Role.SCOREKEEPER))
    with pytest.raises(LeagueError) as refusal:
        decide_level(actor=keeper, event=event, key=level.cut.key, how=CutHow.LOT)
    assert refusal.value.code == "not_allowed"
    decision = decide(event, level)
    with pytest.raises(LeagueError) as refusal:
        take_back_decision(actor=keeper, decision=decision, reason="no")
    assert refusal.value.code == "not_allowed"


def test_lot_is_kept_and_can_be_drawn_again_by_anybody(club: Club) -> None:
    event = level_groups(club)
    for level in undecided(event):
        decision = decide(event, level, CutHow.LOT)
        assert decision.lot is not None
        codes = {entry.pk: entry.code for entry in level.entries}
        assert decision.order == by_lot(codes, decision.lot)
    before = [entry.pk for entry in plan_bracket(event).entries]
    rename_all(event)
    assert [entry.pk for entry in plan_bracket(event).entries] == before
    told = event_table(event, AS_WRITTEN).cuts.cuts[0].words
    assert told.startswith(f"By lot number {CutDecision.objects.earliest('id').lot}, drawn on ")
    assert AuditEntry.objects.filter(action="level.decide").count() == 2


def play_offs(event: Event) -> list[Match]:
    rows = event.matches.exclude(play_off=None).select_related("sheet", "event").order_by("round", "table")
    return list(rows)


def test_play_off_counts_for_that_order_alone(club: Club) -> None:
    event = level_groups(club)
    before = [(row.entry_id, row.points, row.net, row.played) for row in current_standings(event)]
    for level in undecided(event):
        decide(event, level, CutHow.PLAY_OFF)
    assert not undecided(event)
    assert "They play off for it, and a result is missing." in refused(event)
    played = play_offs(event)
    assert [match.round.number for match in played] == [2, 3]
    for match in played:
        play(match, -9)
    recalculate(event.pk)
    assert [(row.entry_id, row.points, row.net, row.played) for row in current_standings(event)] == before
    plan = plan_bracket(event)
    assert set(plan.entries) == {match.entry_b for match in played}
    assert any(note.startswith("By a play-off, in this order: ") for note in plan.notes)
    round_ = draw_bracket(actor=OPERATOR, event=event)
    assert round_.number == 4
    assert bracket_in_doubt(event) == ""


def test_play_off_of_three_is_all_against_all_and_may_leave_some_level(club: Club) -> None:
    """The first wins both; the other two are drawn, and asked again: for the second place of two."""
    event = level_groups(club, 6, groups=2, qualifiers=2)
    level = undecided(event)[0]
    decide(event, level, CutHow.PLAY_OFF)
    played = play_offs(event)
    assert len(played) == 3
    best = level.entries[2]
    for match in played:
        sides = (match.entry_a, match.entry_b)
        play(match, *([9 if sides[0] == best else -9] if best in sides else []), stopped=best not in sides)
    again = next(each for each in undecided(event) if each.cut.group == level.cut.group)
    assert set(again.entries) == {*level.entries} - {best}
    decide(event, again, CutHow.PLAY_OFF)
    play(play_offs(event)[-1], stopped=True)
    third = next(each for each in undecided(event) if each.cut.group == level.cut.group)
    assert "The play-off has left them level." in third.state
    decide(event, third, CutHow.LOT)
    decide_all(event)
    assert best in plan_bracket(event).entries


def test_void_where_the_tie_is_no_longer_the_same(club: Club) -> None:
    event = level_groups(club)
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""
    match = event.matches.filter(tie=None).select_related("sheet", "entry_a", "entry_b").first()
    assert match is not None
    assert match.sheet is not None
    assert match.entry_b is not None
    # Corrected: one has won, so nothing is level any more. Then the other, then neither, by another figure.
    correct_first_deal(match, match.entry_b.name)
    recalculate(event.pk)
    group = match.entry_a.group
    rows = [told for told in event_table(event, AS_WRITTEN).cuts.cuts if told.cut.group == group]
    assert rows == []
    assert bracket_in_doubt(event) != ""
    assert not undecided(event)


def test_another_tie_between_the_same_is_asked_again(club: Club) -> None:
    """A third won against both by as much, so the two are level below the line; a correction lifts them."""
    event = level_groups(club, 6, groups=2, qualifiers=1)
    level = undecided(event)[0]
    decide_all(event)
    before = [entry.pk for entry in plan_bracket(event).entries]
    leaver = level.entries[2]
    withdraw_entry(actor=OPERATOR, entry=leaver, reason="moved")
    said = refused(event)
    assert "An earlier decision is void: the tie is no longer the same." in said
    assert leaver.name not in said
    Entry.objects.filter(pk=leaver.pk).update(withdrawn_at=None)
    assert [entry.pk for entry in plan_bracket(event).entries] == before


def test_decided_twice_the_second_is_told(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    decide(event, level)
    before = contents()
    with pytest.raises(LeagueError) as refusal:
        decide(event, level, CutHow.LOT)
    assert refusal.value.code == "decided_already"
    assert str(refusal.value.message).startswith("The tests has decided this meanwhile. Decided by The tests")
    assert contents() == before


def test_taken_back_it_is_asked_again_and_an_unplayed_play_off_goes(club: Club) -> None:
    event = level_groups(club)
    level = undecided(event)[0]
    decision = decide(event, level, CutHow.PLAY_OFF)
    assert event.rounds.count() == 2
    take_back_decision(actor=OPERATOR, decision=decision, reason="no time for it")
    assert (event.rounds.count(), play_offs(event)) == (1, [])
    assert undecided(event)[0].cut.key == level.cut.key
    decision = decide(event, level, CutHow.PLAY_OFF)
    play(play_offs(event)[0], 9)
    with pytest.raises(LeagueError) as refusal:
        take_back_decision(actor=OPERATOR, decision=decision, reason="no")
    assert refusal.value.code == "has_hands"


def test_results_that_are_missing_are_waited_for(club: Club) -> None:
    event = drawn_groups(club, 4, groups=2)
    play(event.matches.select_related("sheet", "event")[0], stopped=True)
    assert not is_asked(event)
    level = undecided(event)[0]
    with pytest.raises(LeagueError) as refusal:
        decide(event, level)
    assert refusal.value.code == "results_missing"
    decide(event, level, despite_missing=True)


def test_draw_that_is_deleted_takes_what_was_decided_with_it(club: Club) -> None:
    event = drawn_groups(club, 4, groups=2)
    decide(event, undecided(event)[0], CutHow.PLAY_OFF, despite_missing=True)
    assert event.matches.count() == 3
    delete_draw(actor=OPERATOR, event=event)
    assert not event.matches.exists()
    assert not CutDecision.objects.exists()


def test_bracket_drawn_as_listed_stays_in_no_doubt_until_it_is_drawn_again(club: Club) -> None:
    """As before there were decisions: who was level went on in the order of the table."""
    event = level_groups(club)
    decide_all(event)
    draw_bracket(actor=OPERATOR, event=event)
    CutDecision.objects.all().delete()
    event.refresh_from_db()
    assert "are level in everything" in bracket_in_doubt(event)
    with pytest.raises(LeagueError) as refusal:
        keep_bracket(actor=OPERATOR, event=event, reason="all agree")
    assert refusal.value.code == "level_at_cut"
    listed = [row.entry_id for row in current_standings(event) if row.position == 1]
    Event.objects.filter(pk=event.pk).update(level_as_listed=True, lot_settled_bracket=True, qualified=listed)
    event.refresh_from_db()
    assert bracket_in_doubt(event) == ""


# --- told to readers


def test_api_tells_the_decision_and_who_goes_on_as_the_reader_may_see(club: Club) -> None:
    event = drawn_groups(club, 6, groups=3, best_next=1)
    for match in event.matches.exclude(entry_b=None).select_related("sheet", "event"):
        play(match, 30, stopped=True)
    recalculate(event.pk)
    (level,) = undecided(event)
    secret, *others = level.entries
    player = secret.players.get()
    change_shown(actor=OPERATOR, player=player, shown_as=ShownAs.NICKNAME, nickname="Fox")
    decide(event, level, order=level.entries, reason="because of Ann")
    told = ANYBODY.get(f"events/{event.code}/cuts/")
    assert (told["place"], told["left_out"]) == (2, [])
    assert [(row["entry"]["name"], row["goes_on"]) for row in told["next_places"]] == [
        ("Fox", True),
        *((entry.name, False) for entry in others),
    ]
    (decision,) = told["decisions"]
    assert (decision["how"], decision["kind"], decision["lot"]) == ("word", "next", None)
    assert decision["order"] == [entry.code for entry in level.entries]
    assert decision["reason"] == "(for members of the club)"
    public = Client().get(reverse("event", args=[club.slug, event.slug])).content.decode()
    assert "in this order: Fox" in public
    assert secret.name not in public
    assert "because of Ann" not in public
    director = Client()
    director.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    shown = director.get(reverse("event", args=[club.slug, event.slug])).content.decode()
    assert "Reason: because of Ann" in shown


def test_ties_are_decided_and_decisions_taken_back_through_the_api(club: Club) -> None:
    """All three ways; who is level is told to directors alone."""
    event = level_groups(club, 6, groups=3)
    browser = Client()
    browser.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    ask = Asking(browser)
    at = f"events/{event.code}/levels/"

    def sent(address: str, status: int = 200, **body: Any) -> Any:
        answer = ask.send("POST", address, body)
        assert answer.status_code == status, answer.content
        return answer.json()

    first, second, third = ask.get(at)["levels"]
    assert (first["kind"], first["group"], first["above"], first["is_open"]) == ("group", 1, 0, True)
    assert (first["missing"], first["decision"], ask.get(at)["void"]) == ([], None, [])
    codes = [entry["code"] for entry in first["entries"]]

    word = f"{at}{first['key']}/decision/"
    assert sent(word, 422, how="word", order=codes)["code"] == "reason_missing"
    assert sent(word, 422, how="word", order=codes[:1], reason="r")["code"] == "order"
    assert sent(word, 422, how="coin")["field"] == "how"
    told = sent(word, how="word", order=codes[::-1], reason="agreed")["levels"][0]
    assert (told["is_open"], told["decision"]["order"]) == (False, codes[::-1])
    assert sent(word, 422, how="lot")["code"] == "decided_already"

    lot = sent(f"{at}{second['key']}/decision/", how="lot")["levels"][1]["decision"]
    by_code = {entry["code"]: entry["code"] for entry in second["entries"]}
    assert lot["order"] == sorted(
        by_code, key=lambda code: sha256(f"{lot['lot']}:{code}".encode()).hexdigest(), reverse=True
    )

    made = sent(f"{at}{third['key']}/decision/", how="play_off", date="2027-01-05")["levels"][2]
    assert (made["is_open"], made["decision"]["order"]) == (False, [])
    (match,) = made["decision"]["matches"]
    assert Match.objects.get(code=match).play_off_id is not None
    back = f"{at}{third['key']}/cancellation/"
    assert sent(back, reason="nobody can come")["levels"][2]["is_open"]
    assert not Match.objects.filter(code=match).exists()
    assert sent(back, 404, reason="again")["code"] == "not_found"

    # Without one of them there is no tie; the decision on it is void, and goes.
    withdraw_entry(actor=OPERATOR, entry=event.entries.get(code=codes[0]), reason="ill")
    recalculate(event.pk)
    void = ask.get(at)
    assert [row["key"] for row in void["void"]] == [first["key"]]
    assert sent(f"{at}{first['key']}/cancellation/", reason="void")["void"] == []
    # What is decided is public, who is level is not.
    assert [row["how"] for row in ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]] == ["lot"]
    assert Client().get(f"/api/v1/{at}").status_code == 401


def test_nothing_is_told_of_results_that_are_held_back(club: Club) -> None:
    event = level_groups(club, holds_results=True)
    decide_all(event)
    told = ANYBODY.get(f"events/{event.code}/cuts/")
    assert told["decisions"] == []
    assert event_table(event, AS_WRITTEN).cuts.cuts == []
    for round_ in event.rounds.all():
        release_round(actor=OPERATOR, round_=round_)
    assert len(ANYBODY.get(f"events/{event.code}/cuts/")["decisions"]) == 2


def test_page_asks_one_tie_after_another_and_the_second_director_is_told(club: Club) -> None:
    event = level_groups(club)
    director = Client()
    director.force_login(UserFactory.create(club=club, role=Role.DIRECTOR))
    address = page("event", event, "decide_level")
    first, second = undecided(event)
    assert first.state in text(director.get(address))
    sent = {"key": first.cut.key, "how": "word", "reason": "agreed"}
    places = {f"place_{number}": entry.pk for number, entry in enumerate(first.entries, start=1)}
    assert director.post(address, sent).status_code == 422
    assert "_confirm" in text(director.post(address, sent | places))
    assert not CutDecision.objects.exists()
    done = director.post(address, sent | places | {"_confirm": "1"}, follow=True)
    assert "in this order: " in text(done)
    assert second.state in text(director.get(address))
    late = director.post(address, sent | places | {"_confirm": "1"})
    assert late.status_code == 422
    assert "has decided this meanwhile. Decided by" in text(late)
    assert CutDecision.objects.count() == 1
    listed = director.get(reverse("admin:league_cutdecision_changelist"))
    assert first.entries[0].name in text(listed)
    row = page("cutdecision", CutDecision.objects.get())
    assert "in this order: " in text(director.get(row))
