"""A tournament of another program taken over as a finished event: its points, its crosstable, no deals."""

import random
from decimal import Decimal
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from league.core.trf_reading import read_trf
from league.draws.forfeits import award_walkover
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.events.event_life import archive_event, reopen_event
from league.events.events import remove_event
from league.events.linking import link_entry
from league.events.presence import set_presence
from league.files.taking_over import TakingOptions, TakingPlan, apply_taking, plan_taking
from league.files.trf import export_trf
from league.files.undoing import plan_undo, undo_import
from league.models import (
    Appearance,
    AuditEntry,
    Club,
    Entry,
    Event,
    EventState,
    ImportBatch,
    Match,
    MatchState,
    PresenceState,
    Round,
    RoundState,
)
from league.people.records import matches_of, record_of
from league.tables import ratings
from league.tables.adjustments import add_adjustment, remove_adjustment
from league.tables.crosstables import crosstable_page
from league.tables.standings import current_standings, standings_as_of
from league.upkeep.rebuilding import check_matches, check_table
from scoring.core.actors import Actor
from tests.factories import OPERATOR, PlayerFactory, play
from tests.kept import contents
from tests.league.swiss_rounds import paired, play_all, seeded, swiss_of
from tests.league.trf_files import CUP, POINTS, changed
from tests.refusals import refuses

pytestmark = pytest.mark.django_db


def plan(club: Club, data: bytes = CUP.encode(), **options: Any) -> TakingPlan:
    return plan_taking(club=club, data=data, file_name="cup.trf", options=TakingOptions(**options))


def taken(club: Club, data: bytes = CUP.encode(), **options: Any) -> Event:
    batch = apply_taking(actor=OPERATOR, plan=plan(club, data, **options))
    assert batch.event is not None
    recalculate(batch.event.pk)
    return Event.objects.get(pk=batch.event.pk)


def table(event: Event) -> list[tuple[int, int | None, Decimal]]:
    """Place, start number and points."""
    return [(row.rank, row.entry.seed, row.points) for row in current_standings(event)]


def test_table_has_the_points_and_places_of_the_file(club: Club) -> None:
    event = taken(club)
    assert (event.state, event.taken_over, event.format) == (EventState.FINISHED, True, "swiss")
    assert {seed: points for _rank, seed, points in table(event)} == {
        number: Decimal(points) for number, points in POINTS.items()
    }
    assert [(rank, seed) for rank, seed, _points in table(event)] == [
        (1, 1),
        (2, 2),
        (3, 4),
        (4, 5),
        (5, 3),
        (6, 6),
    ]
    assert "net" not in event.criteria
    assert {round_.state for round_ in event.rounds.all()} == {RoundState.COMPLETE}
    assert check_table(event).lines == []
    assert list(check_matches(event, {})) == []


def test_preview_says_all_and_writes_nothing(club: Club) -> None:
    before = contents()
    assert plan(club).lines() == [
        "Autumn Cup, Harbour: a finished event, whose results are taken over.",
        "6 players, 3 rounds will be entered.",
        "6 games without sheets or deals.",
        "1 walkover.",
        "4 byes, or rounds sat out.",
        "Known by number: 0. All others are entries as written.",
        "Points are as in the file. They count for no rating.",
        "Places are as in the file.",
    ]
    assert contents() == before
    other = changed("2.5    1", "2.5    2").replace(b"2.0    2", b"2.0    1")
    assert (
        plan(club, other).lines()[-1]
        == "Tie-breaks give another place than the file to 2: Novak, Jan; Berg, Ann."
    )


def test_games_have_no_sheet_and_no_figures(club: Club) -> None:
    event = taken(club)
    games = event.matches.filter(state=MatchState.TAKEN_OVER)
    assert games.count() == 6
    assert not event.matches.exclude(sheet=None).exists()
    with pytest.raises(IntegrityError), transaction.atomic():
        games.update(net=1)
    for state, count in ((MatchState.WALKOVER, 1), (MatchState.BYE, 1), (MatchState.ABSENT, 3)):
        assert event.matches.filter(state=state).count() == count
    assert {row.net for row in current_standings(event)} == {0}


def test_games_are_numbered_in_their_round_and_byes_by_themselves(club: Club) -> None:
    rows = taken(club).matches.order_by("label").values_list("label", "entry_a__seed", "entry_b__seed")
    assert list(rows) == [
        ("AC01-1", 1, 4),
        ("AC01-2", 3, 6),
        ("AC01-3", 5, 2),
        ("AC02-1", 2, 1),
        ("AC02-2", 5, 3),
        ("AC02-bye", 4, None),
        ("AC02-bye.2", 6, None),
        ("AC03-1", 1, 3),
        ("AC03-2", 4, 5),
        ("AC03-bye", 2, None),
        ("AC03-bye.2", 6, None),
    ]


def test_crosstable_has_the_games_from_each_side(club: Club) -> None:
    """Rows by place: 1, 2, 4, 5, 3 and 6 of the file. A cell has whom against, by place, and the result."""
    event = taken(club)
    (table,) = crosstable_page(event, seen=Round.objects.all(), by="rounds").tables
    assert [[(each.against, each.figure) for (each,) in line.cells] for line in table.lines] == [
        [("3", "1"), ("2", "½"), ("5", "1")],
        [("4", "1"), ("1", "½"), ("", "½")],
        [("1", "0"), ("", "bye"), ("4", "½")],
        [("2", "0"), ("5", "1"), ("3", "½")],
        [("6", "won"), ("4", "0"), ("1", "0")],
        [("5", "lost"), ("", "–"), ("", "–")],
    ]


def test_who_is_known_by_number_and_nobody_by_name(club: Club) -> None:
    """Jan Novak's FIDE id is his member number; an Ann Berg of the club is nobody of the file."""
    jan = PlayerFactory.create(club=club, name="Jan Novak", member_number="1503014")
    PlayerFactory.create(club=club, name="Berg, Ann")
    planned = plan(club)
    assert [(each.read.number, each.player, each.is_found) for each in planned.players if each.player] == [
        (1, jan, True)
    ]
    event = taken(club)
    names = {entry.seed: entry.name for entry in event.entries.all()}
    assert (names[1], names[2], names[5]) == ("Jan Novak", "Berg, Ann", "Berg, Ann (5)")
    assert [entry.seed for entry in event.entries.filter(members__player=jan)] == [1]
    assert Appearance.objects.filter(match__event=event).count() == 3


def test_a_name_with_a_number_may_be_somebody_elses(club: Club) -> None:
    """2 and 5 are Ann Bergs; 4, who comes before 5, is really called as 5 would be."""
    event = taken(club, changed("O'Hara, Müge ", "Berg, Ann (5)"))
    names = {entry.seed: entry.name for entry in event.entries.all()}
    assert (names[2], names[4], names[5]) == ("Berg, Ann", "Berg, Ann (5)", "Berg, Ann (5) (5)")


def test_two_who_could_be_meant_are_nobody(club: Club) -> None:
    PlayerFactory.create(club=club, member_number="1503014")
    PlayerFactory.create(club=club, external_id="1503014")
    assert not any(each.player for each in plan(club).players)


def test_a_choice_stands_above_what_is_found(club: Club) -> None:
    jan = PlayerFactory.create(club=club, external_id="1503014")
    ann = PlayerFactory.create(club=club)
    chosen = {each.read.number: each.player for each in plan(club, players={1: None, 2: ann}).players}
    assert (chosen[1], chosen[2], chosen[5]) == (None, ann, None)
    refusals = [
        ("player_twice", {2: ann, 5: ann}),
        ("player_twice", {2: jan}),
        ("other_club", {2: PlayerFactory.create()}),
        ("bot", {2: PlayerFactory.create(club=club, strategy="novice")}),
    ]
    for code, players in refusals:
        with refuses(LeagueError, code):
            plan(club, players=players)


def test_results_are_in_the_record_and_not_in_ratings(club: Club) -> None:
    jan = PlayerFactory.create(club=club, external_id="1503014")
    taken(club)
    record = record_of(matches_of(jan))
    assert (record.played, record.won, record.drawn, record.lost, record.with_sheets) == (3, 2, 1, 0, 0)
    ratings.recalculate(club.pk)
    assert ratings.rated_matches(club.pk) == []


def test_the_same_file_twice_is_refused(club: Club) -> None:
    first = plan(club)
    taken(club)
    for data, code in ((CUP.encode(), "taken_over_already"), (changed("ENG", "NOR"), "event_exists")):
        with refuses(LeagueError, code):
            plan(club, data)
    # Planned before, as by two who look at the preview at once.
    with refuses(LeagueError, "taken_over_already"):
        apply_taking(actor=OPERATOR, plan=first)
    assert taken(club, changed("ENG", "NOR"), name="Other Cup").slug == "other-cup"


def test_it_is_finished_for_good(club: Club, director: Actor) -> None:
    event = taken(club)
    for service, code in ((reopen_event, "taken_over"), (remove_event, "in_use")):
        with refuses(LeagueError, code):
            service(actor=director, event=event)


def test_undoing_the_import_deletes_all_of_it(club: Club) -> None:
    PlayerFactory.create(club=club, external_id="1503014")
    before = contents()
    event = taken(club, season="2025")
    batch = ImportBatch.objects.get()
    assert plan_undo(batch).lines() == ["Deleted: matches: 11, rounds: 3, entries: 6, events: 1, seasons: 1."]
    archived = archive_event(actor=OPERATOR, event=event)
    with refuses(LeagueError, "wrong_state"):
        undo_import(actor=OPERATOR, batch=batch)
    Event.objects.filter(pk=archived.pk).update(state=EventState.FINISHED)
    undo_import(actor=OPERATOR, batch=batch)
    after = contents()
    # Versions of house rules stay.
    for name in ("AuditEntry", "ImportBatch", "HouseRules", "Deletion", "RatingsRequest", "StandingsRequest"):
        before.pop(name, None)
        after.pop(name, None)
    assert {name: len(rows) for name, rows in after.items() if rows} == {
        name: len(rows) for name, rows in before.items() if rows
    }
    taken(club)


def test_a_director_says_later_who_somebody_is(club: Club, director: Actor) -> None:
    event = taken(club)
    ann = PlayerFactory.create(club=club, name="Ann Berg")
    entry = event.entries.get(seed=2)
    before = table(event)
    link_entry(actor=director, entry=entry, player=ann)
    entry.refresh_from_db()
    assert entry.name == "Ann Berg"
    record = record_of(matches_of(ann))
    assert (record.played, record.won, record.drawn) == (2, 1, 1)
    assert [played.bye_points for played in matches_of(ann) if not played.opponent] == [Decimal("0.50")]
    assert table(event) == before
    (noted,) = AuditEntry.objects.filter(action="entry.link")
    assert noted.before == {"name": "Berg, Ann"}
    taken_name = PlayerFactory.create(club=club, name="Zola, Émile")
    for other, player, code in (
        (entry, PlayerFactory.create(club=club), "linked_already"),
        (event.entries.get(seed=5), ann, "player_twice"),
        (event.entries.get(seed=5), taken_name, "name_taken"),
    ):
        with refuses(LeagueError, code):
            link_entry(actor=director, entry=other, player=player)


def test_entries_of_other_events_are_not_linked(club: Club, director: Actor) -> None:
    event = swiss_of(club, 2)
    with refuses(LeagueError, "linked_already"):
        link_entry(actor=director, entry=seeded(event, 1), player=PlayerFactory.create(club=club))


def test_tie_breaks_that_the_file_says_are_taken(club: Club) -> None:
    assert list(plan(club, changed("XXR 3", "XXR 3\n212 PTS,DE,BH/C1,SB")).criteria) == [
        "match_points",
        "head_to_head",
        "buchholz_cut1",
        "sonneborn_berger",
        "place",
    ]
    unknown = plan(club, changed("XXR 3", "XXR 3\n202 BH,TPR,SB"))
    assert list(unknown.criteria) == ["match_points", "buchholz", "place"]
    others = plan(club, changed("XXR 3", "XXR 3\n212 TPR,PTS"))
    assert list(others.criteria) == ["match_points", "buchholz", "sonneborn_berger", "place"]


# With 3, 2 and 1 who does not come has nothing. 1 has a penalty of ½; 2 and 3 are kept apart.
ABSENT = """012 Absent
062 4
092 Individual: Swiss-System
142 3
162  W 3.0    D 2.0    L 1.0    A 0.0
212 PTS
001    1      Ann                                                                5.5    1     2 w +     3 w 1
001    2      Bob                                                                3.0    2     1 b -     4 w 1
001    3      Cid                                                                3.0    3     4 b =     1 b 0
001    4      Dot                                                                3.0    4     3 w =     2 b 0
260 001 003    2    3
299          -0.5  000    1
"""


def test_points_of_record_299_and_of_who_did_not_come_are_taken(club: Club) -> None:
    event = taken(club, ABSENT.encode())
    assert table(event) == [(1, 1, Decimal("5.5")), (2, 2, 3), (3, 3, 3), (4, 4, 3)]
    assert list(event.criteria) == ["match_points", "place"]
    (walkover,) = event.matches.filter(state=MatchState.WALKOVER)
    assert (walkover.given_points, walkover.given_points_b) == (Decimal(3), Decimal(0))
    (note,) = event.adjustments.all()
    assert (note.entry.name, note.points, note.reason) == (
        "Ann",
        Decimal("-0.5"),
        "as in the file (record 299)",
    )
    (pair,) = event.forbidden_pairs.all()
    assert {pair.entry_a.name, pair.entry_b.name} == {"Bob", "Cid"}
    assert event.rounds_planned == 3
    again = read_trf(export_trf(event).encode())
    assert {player.name: player.points for player in again.players} == {
        "Ann": Decimal("5.5"),
        "Bob": 3,
        "Cid": 3,
        "Dot": 3,
    }


def test_places_of_earlier_rounds_are_not_those_of_the_file(club: Club) -> None:
    """After round 1 Cid and Dot have 2 points each, and share a place; after the last Cid is ahead."""
    event = taken(club, ABSENT.encode())
    for number, ranks in ((1, [1, 2, 2, 4]), (2, [1, 2, 3, 4])):
        assert [row.rank for row in standings_as_of(event, number)] == ranks


def test_undoing_takes_what_came_with_it(club: Club, director: Actor) -> None:
    event = taken(club, ABSENT.encode())
    batch = ImportBatch.objects.get()
    added = add_adjustment(actor=director, entry=event.entries.get(seed=2), points=Decimal(1), reason="later")
    with refuses(LeagueError, "built_upon"):
        plan_undo(batch)
    remove_adjustment(actor=director, adjustment=added)
    undo_import(actor=OPERATOR, batch=batch)
    assert not Event.objects.exists()


@pytest.mark.parametrize("seed", range(4))
def test_a_swiss_comes_back_as_it_went(club: Club, director: Actor, seed: int) -> None:
    """Drawn, played, given and sat out by chance: the same points, games, byes and letters."""
    chance = random.Random(seed)
    points = chance.choice([(2, 1, 0), (3, 1, 0)])
    worth = dict(zip(("win_points", "draw_points", "loss_points"), points, strict=True))
    count = chance.randint(4, 7)
    event = swiss_of(
        club,
        count,
        rounds_planned=3,
        **worth,
        bye_points=points[0],
        absent_points=chance.choice([0, points[1]]),
    )
    for number in (1, 2):
        if count > 4 and chance.random() < 0.7:
            entry = seeded(event, chance.randint(1, count))
            set_presence(actor=director, event=event, entry=entry, number=number, state=PresenceState.BYE)
        round_ = paired(director, event)
        for match in round_.matches.filter(state=MatchState.SCHEDULED):
            if chance.random() < 0.2:
                award_walkover(
                    actor=director, match=match, winner_side=chance.choice([0, 1, None]), reason="away"
                )
            elif chance.random() < 0.3:
                play(match, stopped=True)
        play_all(round_, chance=chance)
    recalculate(event.pk)
    data = export_trf(event).encode()
    back = taken(club, data.replace(b"012 Saturday Swiss", b"012 Came back"))
    again = export_trf(back).encode()
    one, other = read_trf(data), read_trf(again)
    assert [player.games for player in one.players] == [player.games for player in other.players]
    assert [player.points for player in one.players] == [player.points for player in other.players]
    unit = Decimal(2 if points == (2, 1, 0) else 1)
    there = {row.entry.seed: Decimal(row.points) / unit for row in current_standings(event)}
    assert there == {row.entry.seed: Decimal(row.points) for row in current_standings(back)}
    assert Entry.objects.filter(event=back).count() == count
    assert not Match.objects.filter(event=back).exclude(sheet=None).exists()
