"""Results of who withdrew are annulled, and come back: what counts, what is left to play (RULES §14)."""

import random
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.draws.board import board_of
from league.draws.brackets import draw_bracket
from league.draws.forfeits import award_forfeit
from league.draws.group_rounds import draw_groups
from league.draws.qualifying import qualified
from league.draws.recalculating import recalculate
from league.draws.releasing import release_round
from league.draws.round_life import complete_round, draft_round, publish_round, repair_round
from league.draws.rounds import draw_round_robin
from league.draws.staleness import no_longer_fits
from league.entry.nights import nights
from league.entry.tray import tray_of
from league.events.annulling import annul_results, restore_results, table_without, usual_rule
from league.events.entries import reinstate_entry, withdraw_entry
from league.events.event_life import unfinished
from league.events.next_step import next_step
from league.files.exporting import export_hands
from league.files.trf import export_trf
from league.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    EventState,
    IndividualStanding,
    Match,
    MatchState,
    Role,
    Round,
    Standing,
)
from league.policy.naming import AS_WRITTEN
from league.tables.crosstables import crosstable_page
from league.tables.individuals import current_players, differences
from league.tables.latest import latest_results
from league.tables.ratings import rated_matches
from league.tables.ratings import recalculate as recalculate_ratings
from league.tables.standings import current_standings, standings_as_of
from league.tables.tables import event_table
from league.upkeep.rebuilding import check_table
from scoring.core.actors import Actor
from scoring.services import correct_deals
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, EntryFactory, EventFactory, UserFactory, play, won
from tests.kept import contents, refused_service
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of
from tests.league.test_group_rounds import group_cup, play_groups

pytestmark = pytest.mark.django_db

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus")
# Who met whom, and how strong they were, decides here.
BY_OPPONENTS = ["match_points", "head_to_head", "sonneborn_berger", "buchholz", "net", "lot"]
Facts = list[dict[str, Any]]


def league_of(club: Club, count: int, **settings: Any) -> Event:
    event: Event = EventFactory.create(club=club, name="Monday League", **settings)
    for seed, name in enumerate(NAMES[:count], start=1):
        EntryFactory.create(event=event, name=name, seed=seed)
    draw_round_robin(actor=OPERATOR, event=event)
    return event


def called(event: Event, name: str) -> Entry:
    return Entry.objects.select_related("event__club").get(event=event, name=name)


def between(event: Event, one: str, other: str) -> Match:
    both = [one, other]
    return Match.objects.select_related("event", "sheet").get(
        event=event, entry_a__name__in=both, entry_b__name__in=both
    )


def wins(event: Event, winner: str, loser: str, points: int = 50) -> Match:
    match = between(event, winner, loser)
    return play(match, points if match.entry_a.name == winner else -points, stopped=True)


def facts(rows: list[Standing]) -> Facts:
    """What the table says, row by row."""
    kept = []
    for row in rows:
        said = {field.name: getattr(row, field.attname) for field in Standing._meta.concrete_fields}
        kept.append({name: value for name, value in said.items() if name != "id"})
    return kept


def table(event: Event) -> list[tuple[str, int, int]]:
    return [(row.entry.name, int(row.points), row.net) for row in current_standings(event)]


def annul(event: Event, name: str, **how: Any) -> Entry:
    withdraw_entry(actor=OPERATOR, entry=called(event, name), reason="moved away", annul=True, **how)
    return called(event, name)


def as_without(event: Event, entry: Entry, told: Callable[[Event], Any]) -> Any:
    """What is told of the event when the entry, and all its matches, were never there."""
    with transaction.atomic():
        Match.objects.of_entry(entry).delete()
        Standing.objects.filter(entry=entry).delete()
        entry.delete()
        found = told(event)
        transaction.set_rollback(True)
    return found


@pytest.fixture
def six(club: Club) -> Event:
    """Ann has beaten Bob and lost to Cid, two of her five; Bob has beaten Cid; Dee and Eve are level."""
    event = league_of(club, 6)
    wins(event, "Ann", "Bob", 60)
    wins(event, "Cid", "Ann", 20)
    wins(event, "Bob", "Cid", 30)
    wins(event, "Dee", "Eve", 10)
    return event


def test_annulled_results_count_for_nobody(six: Event) -> None:
    # Every line is worth 25 more: its box.
    both = [("Bob", 2, 55), ("Dee", 2, 35)]
    assert table(six)[:2] == [("Ann", 2, 40), both[1]]
    annul(six, "Ann")
    assert table(six) == [*both, ("Fay", 0, 0), ("Eve", 0, -35), ("Cid", 0, -55)]
    recalculate(six.pk)
    assert not Standing.objects.filter(entry__name="Ann").exists()
    assert check_table(six).lines == []
    shown = event_table(six, AS_WRITTEN)
    assert [named.name for named in shown.annulled] == ["Ann"]
    assert shown.unranked == []


def test_sheets_deals_and_results_stay_as_they_are(six: Event) -> None:
    before = contents()
    annul(six, "Ann")
    after = contents()
    changed = {name for name in before.keys() | after.keys() if before.get(name) != after.get(name)}
    assert changed == {"Entry", "Match", "AuditEntry", "StandingsRequest"}
    for old, new in zip(before["Match"], after["Match"], strict=True):
        assert {key for key in old if old[key] != new[key]} <= {"annulled", "updated_at"}


@pytest.mark.parametrize("seed", range(4))
def test_annulled_table_is_the_table_without_the_entry_and_comes_back_exactly(club: Club, seed: int) -> None:
    chance = random.Random(seed)
    count = chance.choice([5, 6])
    event = league_of(club, count, criteria=BY_OPPONENTS, bye_points=chance.choice([0, 2]))
    for match in event.matches.exclude(entry_b=None).select_related("event", "sheet").order_by("pk"):
        if chance.random() < 0.6:
            play(match, chance.choice([40, -40, 60, -60]), stopped=True)
        elif chance.random() < 0.3:
            award_forfeit(actor=OPERATOR, match=match, winner_side=chance.choice([0, 1]), reason="ill")
    names = list(NAMES[:count])
    gone = called(event, chance.choice(names))
    last = event.rounds.count()
    withdraw_entry(actor=OPERATOR, entry=gone, reason="moved", give_matches=chance.random() < 0.5)
    before = [facts(current_standings(event)), *(facts(standings_as_of(event, n)) for n in range(1, last))]
    annul_results(actor=OPERATOR, entry=gone, reason="the rule")
    without = [facts(current_standings(event)), *(facts(standings_as_of(event, n)) for n in range(1, last))]
    assert without == as_without(
        event,
        called(event, gone.name),
        lambda event: [
            facts(current_standings(event)),
            *(facts(standings_as_of(event, n)) for n in range(1, last)),
        ],
    )
    # A second one goes and comes back, and a sheet is corrected meanwhile and put right again.
    other = called(event, next(name for name in names if name != gone.name))
    withdraw_entry(actor=OPERATOR, entry=other, reason="ill", annul=True)
    restore_results(actor=OPERATOR, entry=other, reason="misread")
    reinstate_entry(actor=OPERATOR, entry=other, reason="well again")
    assert facts(current_standings(event)) == without[0]
    restore_results(actor=OPERATOR, entry=gone, reason="misread")
    assert [
        facts(current_standings(event)),
        *(facts(standings_as_of(event, n)) for n in range(1, last)),
    ] == before
    assert not event.matches.filter(annulled=True).exists()


def turn_over(match: Match) -> None:
    """The director corrects a sheet: the other side has won the one deal on it."""
    assert match.sheet is not None
    match.sheet.refresh_from_db()
    sides = [side.name for side in kept_sheet(match.sheet).sides]
    winner, loser = sides if match.winner_side == 1 else sides[::-1]
    correct_deals(
        actor=OPERATOR,
        sheet=match.sheet,
        changes={1: won(winner, loser, 45)},
        expected_version=match.sheet.version,
        reason="misread",
    )


def test_a_result_corrected_meanwhile_counts_when_it_comes_back(six: Event) -> None:
    gone = annul(six, "Ann")
    annulled = table(six)
    turn_over(between(six, "Ann", "Bob"))
    assert table(six) == annulled
    restore_results(actor=OPERATOR, entry=gone, reason="misread")
    assert {name: (points, net) for name, points, net in table(six)}["Bob"] == (4, 125)


def test_matches_of_who_is_annulled_are_not_left_to_play(six: Event) -> None:
    annul(six, "Ann")
    left = {str(match) for match in unfinished(six).matches}
    assert left
    assert not any("Ann" in words for words in left)
    for match in six.matches.filter(state=MatchState.SCHEDULED, annulled=False).exclude(entry_b=None):
        play(match, 10, stopped=True)
    assert not unfinished(six).anything
    assert next_step(six) == "Everything is played: finish the event."
    for round_ in six.rounds.all():
        complete_round(actor=OPERATOR, round_=round_)


def test_night_does_not_wait_for_sheets_of_annulled_matches(six: Event) -> None:
    keeper = UserFactory.create(club=six.club, role=Role.SCOREKEEPER)
    first = between(six, "Ann", "Dee").round

    def counted() -> tuple[list[str], int, int]:
        tray = tray_of(first)
        night = next(night for night in nights(keeper) if night.round == first)
        assert night.expected == len(tray.expected)
        return sorted(row.word for row in tray.rows), night.expected, night.to_type

    words, expected, to_type = counted()
    annul(six, "Ann")
    after, fewer, to_type_then = counted()
    assert (fewer, to_type_then) == (expected - 1, to_type - 1)
    assert set(after) - set(words) == {"annulled"}
    board = board_of(first, now=timezone.now())
    (table_,) = [each for each in board.tables if each.match.annulled]
    assert (table_.says, table_.is_done) == ("annulled", True)


def test_ratings_stay(six: Event) -> None:
    before = rated_matches(six.club_id)
    annul(six, "Ann")
    assert rated_matches(six.club_id) == before


def test_crosstable_shows_what_does_not_count_in_brackets(six: Event) -> None:
    annul(six, "Ann")
    recalculate(six.pk)
    (square,) = crosstable_page(six, seen=Round.objects.all()).tables
    last = square.lines[-1]
    assert last.entry.name == "Ann"
    figures = sorted(cell.figure for cells in last.cells for cell in cells)
    assert figures == ["(+85)", "(−45)", "–", "–", "–"]


def test_feed_has_only_results_that_count(six: Event) -> None:
    annul(six, "Ann")
    lines = [result.line for result in latest_results(six, AS_WRITTEN, seen=Round.objects.all())]
    assert len(lines) == 2
    assert not any("Ann" in line for line in lines)


def test_hands_are_exported_and_the_file_says_what_counts_for_nobody(six: Event) -> None:
    before = export_hands(six)
    annul(six, "Ann")
    after = export_hands(six)
    assert after.text == before.text
    assert "2 annulled matches are in the file, and only here count for nobody." in after.notes


def test_players_of_an_annulled_team_and_those_they_met_lose_what_they_made(club: Club) -> None:
    event: Event = EventFactory.create(club=club, team_size=2)
    for seed, name in enumerate(NAMES[:3], start=1):
        EntryFactory.create(event=event, name=name, seed=seed)
    draw_round_robin(actor=OPERATOR, event=event)
    wins(event, "Ann", "Bob", 60)
    wins(event, "Bob", "Cid", 30)
    recalculate(event.pk)
    before = {row.player_id: row for row in IndividualStanding.objects.filter(event=event)}
    gone = annul(event, "Ann")
    recalculate(event.pk)
    assert {row.player.name: row.net for row in IndividualStanding.objects.filter(event=event)} == {
        "Bob 1": 55,
        "Bob 2": 55,
        "Cid 1": -55,
        "Cid 2": -55,
    }
    restore_results(actor=OPERATOR, entry=gone, reason="misread")
    back = current_players(event)
    assert len(back) == len(before)
    assert all(differences(before[row.player_id], row) == {} for row in back)


def test_usual_rule_goes_by_what_is_played(six: Event) -> None:
    rule = usual_rule(called(six, "Ann"))
    assert rule is not None
    assert rule.annuls
    assert rule.words == (
        "2 of its 5 matches are played, less than half: by the usual rule its results are annulled."
    )
    given = between(six, "Ann", "Dee")
    award_forfeit(actor=OPERATOR, match=given, winner_side=0, reason="ill")
    assert usual_rule(called(six, "Ann")) == rule
    wins(six, "Ann", "Eve")
    rule = usual_rule(called(six, "Ann"))
    assert rule is not None
    assert not rule.annuls
    assert (
        rule.words
        == "3 of its 5 matches are played, half of them or more: by the usual rule its results stay."
    )


def test_a_match_given_up_after_a_hand_was_played(six: Event) -> None:
    begun = play(between(six, "Ann", "Dee"), 10)
    award_forfeit(actor=OPERATOR, match=begun, winner_side=0, reason="ill")
    rule = usual_rule(called(six, "Ann"))
    assert rule is not None
    assert not rule.annuls


def test_what_is_refused(six: Event) -> None:
    ann = called(six, "Ann")
    refused_service("not_withdrawn", annul_results, actor=OPERATOR, entry=ann, reason="the rule")
    refused_service("not_annulled", restore_results, actor=OPERATOR, entry=ann, reason="misread")
    refused_service("reason_missing", withdraw_entry, actor=OPERATOR, entry=ann, reason=" ", annul=True)
    ann = annul(six, "Ann")
    refused_service("annulled_already", annul_results, actor=OPERATOR, entry=ann, reason="the rule")
    refused_service("reason_missing", restore_results, actor=OPERATOR, entry=ann, reason=" ")
    refused_service("annulled", reinstate_entry, actor=OPERATOR, entry=ann, reason="is back")
    Event.objects.filter(pk=six.pk).update(state=EventState.ARCHIVED)
    ann = called(six, "Ann")
    refused_service("wrong_state", restore_results, actor=OPERATOR, entry=ann, reason="misread")


def test_a_finished_event_is_put_right_too(six: Event) -> None:
    withdraw_entry(actor=OPERATOR, entry=called(six, "Ann"), reason="moved away")
    Event.objects.filter(pk=six.pk).update(state=EventState.FINISHED)
    annul_results(actor=OPERATOR, entry=called(six, "Ann"), reason="the rule")
    assert "Ann" not in [name for name, _points, _net in table(six)]


@pytest.mark.parametrize("format_", ["single", "double", "consolation", "ladder", "rotation"])
def test_formats_in_which_results_stay(club: Club, format_: str) -> None:
    event: Event = EventFactory.create(
        club=club, format=format_, team_size=2 if format_ == "rotation" else 1, kind="individual"
    )
    entry = EntryFactory.create(event=event)
    assert usual_rule(entry) is None
    refused_service("results_stay", withdraw_entry, actor=OPERATOR, entry=entry, reason="moved", annul=True)


def test_only_who_has_withdrawn_is_annulled_in_the_database_too(six: Event) -> None:
    gone = annul(six, "Ann")
    with pytest.raises(IntegrityError), transaction.atomic():
        Entry.objects.filter(pk=gone.pk).update(withdrawn_at=None)


def test_the_record_says_who_and_why(director: Actor, six: Event) -> None:
    withdraw_entry(actor=director, entry=called(six, "Ann"), reason="moved away", annul=True)
    done = AuditEntry.objects.get(action="entry.annul")
    assert (done.object_name, done.reason, done.actor_id) == ("Ann", "moved away", director.id)
    assert done.before == {"annulled_at": None}
    restore_results(actor=director, entry=called(six, "Ann"), reason="misread")
    back = AuditEntry.objects.get(action="entry.restore")
    assert back.reason == "misread"
    assert back.after == {"annulled_at": None}


def test_preview_tells_the_table_and_changes_nothing(six: Event) -> None:
    before = contents()
    moved = {
        each.entry.name: (each.before and each.before.row.rank, each.after and each.after.row.rank)
        for each in table_without(called(six, "Ann"), annulled=True)
    }
    assert contents() == before
    annul(six, "Ann")
    assert {name: after for name, (_before, after) in moved.items() if after} == {
        row.entry.name: row.rank for row in current_standings(six)
    }
    assert moved["Ann"][1] is None


def test_rebuild_finds_and_repairs_what_is_marked_wrongly(six: Event) -> None:
    annul(six, "Ann")
    recalculate(six.pk)
    recalculate_ratings(six.club_id)
    wrong, right = between(six, "Ann", "Bob"), between(six, "Bob", "Cid")
    Match.objects.filter(pk=wrong.pk).update(annulled=False)
    Match.objects.filter(pk=right.pk).update(annulled=True)
    said = [
        f"match {wrong.label} of Monday League: is not annulled, and one of its entries is",
        f"match {right.label} of Monday League: is annulled, and its entries are not",
    ]
    told = StringIO()
    with pytest.raises(CommandError):
        call_command("rebuild", stdout=told)
    assert set(said) <= set(told.getvalue().splitlines())
    call_command("rebuild", apply=True, stdout=StringIO())
    again = StringIO()
    call_command("rebuild", stdout=again)
    assert "No differences." in again.getvalue()
    marks = Match.objects.filter(event=six).with_sides()
    assert all(match.annulled == match.names_annulled for match in marks)


def test_held_back_rounds_stay_held_back(club: Club) -> None:
    event = league_of(club, 4, holds_results=True)
    for match in event.matches.exclude(entry_b=None).select_related("event", "sheet"):
        play(match, 10, stopped=True)
    first = event.rounds.get(number=1)
    release_round(actor=OPERATOR, round_=first)
    annul(event, "Ann")
    assert sum(row.played for row in current_standings(event)) == 2
    back = table_without(called(event, "Ann"), annulled=False)
    assert [line.after.row.played for line in back if line.after is not None] == [1, 1, 1, 1]


def test_annulled_in_its_group_and_next_of_the_group_goes_on(club: Club) -> None:
    event = group_cup(club, 8)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    first = Entry.objects.select_related("event__club").get(event=event, name="E1")
    assert "E1" in [entry.name for entry in qualified(event)[0]]
    withdraw_entry(actor=OPERATOR, entry=first, reason="ill", annul=True)
    recalculate(event.pk)
    going_on, said = qualified(event)
    assert "E1" not in [entry.name for entry in going_on]
    assert said == ["Groups are not equally large: seeds go by figures per match played, without rests."]
    shown = event_table(event, AS_WRITTEN)
    assert [[named.name for named in section.annulled] for section in shown.sections].count(["E1"]) == 1


def test_who_is_in_the_bracket_keeps_the_results_it_came_by(club: Club) -> None:
    event = group_cup(club, 8)
    draw_groups(actor=OPERATOR, event=event)
    play_groups(event)
    draw_bracket(actor=OPERATOR, event=event)
    entry = Entry.objects.select_related("event__club").get(event=event, name="E1")
    refused_service("in_bracket", withdraw_entry, actor=OPERATOR, entry=entry, reason="ill", annul=True)


def test_in_a_swiss_results_stay_by_the_rule_and_a_draft_notices_if_they_do_not(
    club: Club, director: Actor
) -> None:
    event = swiss_of(club, 6)
    play_all(paired(director, event))
    rule = usual_rule(seeded(event, 1))
    assert rule is not None
    assert not rule.annuls
    drafted = draft_round(actor=director, event=event)
    withdraw_entry(actor=director, entry=seeded(event, 1), reason="expelled", annul=True)
    assert no_longer_fits(event, drafted)[0] == "Results of round 1 have changed since this round was drawn."
    again = repair_round(actor=director, round_=drafted)
    assert not again.matches.filter(annulled=True).exists()
    assert not Match.objects.of_entry(seeded(event, 1)).filter(round=again).exists()
    play_all(publish_round(actor=director, round_=again))
    assert check_table(event).waits
    recalculate(event.pk)
    assert check_table(event).lines == []
    (line,) = [line for line in export_trf(event).splitlines() if "Entry 01" in line]
    # Neither its own round nor its opponent's is a game in the file.
    assert line.split()[-6:] == ["0000", "-", "Z", "0000", "-", "Z"]
    # Two matches of three in round 1 count, and the two of round 2.
    assert sum(row.played for row in current_standings(event)) == 8
