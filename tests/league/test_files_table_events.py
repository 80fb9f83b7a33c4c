"""Files of events of tables: filled from a file, taken back, moved to a club that has nothing."""

import random
from typing import Any

import pytest
from django.db import transaction

from league.core.hand_files.problems import FileRefused
from league.demo.hands import whole_sheet
from league.demo.lots import draw_by_names
from league.draws.levels import undecided
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.files.exporting import export_hands
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.undoing import plan_undo, undo_import
from league.matches.line_ups import set_line_up
from league.matches.substitutes import seat_substitute
from league.models import Appearance, Club, CutHow, Event, Match, Player, Standing
from league.tables.standings import current_standings
from scoring.models import Scoresheet
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from scoring.words.messages import translated
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, PlayerFactory, sheet_of
from tests.kept import assert_derived, contents
from tests.league.cut_cases import decide
from tests.league.hand_files import PLAIN, batch_of, dead, file_of, imported, stopped
from tests.league.table_cases import NINE, drawn, evening, names_at, play_jersey

pytestmark = pytest.mark.django_db

# The rules of a game, and how many sit at its one table.
GAMES: dict[str, tuple[dict[str, Any], int]] = {
    "jersey": ({}, 3),
    "cutthroat": ({}, 4),
    "captains": ({"captains": {"box_held": "hand"}}, 5),
    "basic_rummy": ({}, 6),
}


def play_some(match: Match, count: int = 3) -> None:
    """The first of the hands by chance that make a whole sheet."""
    assert match.sheet is not None
    kept = kept_sheet(match.sheet)
    deals = whole_sheet(kept.sheet.rules.rules, kept.sides, random.Random(match.label))[:count]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    match.refresh_from_db()
    if match.state == "playing":
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=[], stopped=True)


def told(event: Event) -> list[dict[str, Any]]:
    """The tables of an event, played or not: who sits where, what was dealt, who came where."""
    rows = []
    for match in Match.objects.filter(event=event).exclude(entry_b=None).order_by("round__number", "label"):
        sheet = assert_derived(sheet_of(match))
        seats = Appearance.objects.filter(match=match).order_by("side", "position")
        rows.append(
            {
                "match": (match.label, match.table, match.state, match.winner_side, match.at_table),
                "entries": names_at(match),
                "seats": list(
                    seats.values_list("side", "player__name", "entry__name", "from_deal", "replaces")
                ),
                "deals": kept_sheet(sheet).deals,
                "nets": sheet.nets,
            }
        )
    return rows


def table_of(event: Event) -> list[tuple[Any, ...]]:
    draw_by_names(event)
    return [
        (row.entry.name, row.rank, row.played, row.wins, row.draws, row.losses, row.points, row.net)
        for row in current_standings(event)
    ]


def moved(event: Event) -> Event:
    """The event as an empty club gets it from the export, which it exports and skips itself."""
    text = export_hands(event).text
    club = ClubFactory.create()
    assert imported(club, text.encode(), rules=event.rules.rules) is not None
    copy = Event.objects.get(club=club)
    assert export_hands(copy).text == text
    assert imported(club, text.encode(), create=False, rules=None) is None
    return copy


@pytest.mark.parametrize(("preset", "knobs", "seats"), [(name, *game) for name, game in GAMES.items()])
def test_an_empty_club_gets_an_equal_event(
    club: Club, preset: str, knobs: dict[str, Any], seats: int
) -> None:
    event = evening(club, NINE[:seats], preset=preset, knobs=knobs, rounds_planned=1, table_size=seats)
    (match,) = drawn(event)
    play_some(match)
    copy = moved(event)
    assert (copy.format, copy.place_points) == ("tables", event.place_points)
    assert told(copy) == told(event)
    assert table_of(copy) == table_of(event)


@pytest.mark.parametrize("lot", range(4))
def test_an_event_that_was_moved_goes_on(club: Club, lot: int) -> None:
    event = evening(club, NINE[:3], rounds_planned=2)
    (match,) = drawn(event)
    play_some(match)
    copy = moved(event)
    # Drawn by a lot of its own, it would seat the players of the first round in another order.
    Event.objects.filter(pk=copy.pk).update(lot_seed=lot)
    (following,) = drawn(Event.objects.get(pk=copy.pk))
    # Whoever has dealt first does not do so again.
    assert names_at(following)[0] != names_at(match)[0]


def file_of_played(event: Event) -> bytes:
    """The file of a round as it will be once it is played, and nothing played."""
    with transaction.atomic():
        for match in event.matches.exclude(entry_b=None).with_sides("sheet"):
            play_some(match)
        text = export_hands(event).text
        transaction.set_rollback(True)
    return text.encode()


SETTINGS: dict[str, dict[str, Any]] = {
    "tables": {"rounds_planned": 1},
    "tables_swiss": {},
    "tables_cup": {"qualifiers": 1},
}


@pytest.mark.parametrize("event_format", SETTINGS)
def test_drawn_tables_are_filled_and_undoing_leaves_them_as_they_were(club: Club, event_format: str) -> None:
    event = evening(club, NINE[:3], format=event_format, **SETTINGS[event_format])
    drawn(event)
    blank, data = told(event), file_of_played(event)
    assert told(event) == blank
    plan = plan_import(club=club, data=data, file_name="n.csv", options=ImportOptions())
    assert plan.lines() == [
        f"Evening, {club}: 3 hands on 1 sheets.",
        "New: 3 deals.",
        "Time called: 1 sheet.",
    ]
    batch = batch_of(club, data, create=False, rules=None)
    assert export_hands(event).text.encode() == data
    assert all(match.at_table for match in event.matches.all())
    assert imported(club, data, create=False, rules=None) is None

    undo_import(actor=OPERATOR, batch=batch)
    assert told(event) == blank
    assert Scoresheet.objects.filter(status="void", match=None).count() == 1
    assert not Standing.objects.filter(event=event).exclude(points=0).exists()
    assert imported(club, data, create=False, rules=None) is not None
    assert export_hands(event).text.encode() == data


def test_undoing_leaves_entries_that_a_drafted_table_seats(club: Club) -> None:
    event = evening(club, (), rounds_planned=2)
    row = {"event": "Evening", "game": "jersey", "side_c": "Cid"}
    batch = batch_of(club, file_of(dead(1, **row), stopped(**row)), rules=None)
    draft = draft_round(actor=OPERATOR, event=event)
    kept = "Kept, as others use them: entries: 3, players: 3."
    assert plan_undo(batch).lines()[-1] == kept
    assert undo_import(actor=OPERATOR, batch=batch).lines()[-1] == kept
    (match,) = draft.matches.with_sides()
    assert set(names_at(match)) == {"Ann", "Bob", "Cid"}


def test_a_play_off_is_left_out_and_gives_nothing_elsewhere(club: Club) -> None:
    """At one table nobody won anything, so that all three are level for one prize."""
    event = evening(club, NINE[:3], rounds_planned=1, prizes=1)
    (match,) = drawn(event)
    play_jersey(match)
    recalculate(event.pk)
    (level,) = undecided(event)
    decision = decide(event, level, CutHow.PLAY_OFF)
    file = export_hands(event)
    assert file.notes == []
    (play_off,) = event.matches.filter(play_off=decision).with_sides("sheet", "event")
    play_jersey(play_off, *names_at(play_off)[:1])
    assert export_hands(event).text == file.text
    assert export_hands(event).notes == ["Left out: 1 match of a play-off."]
    assert table_of(moved(event)) == table_of(event)


NOTES: dict[str, list[str]] = {
    "tables": [],
    "tables_swiss": [
        "Tables are by points here: an import that makes the event makes it one of “tables of three to six”."
    ],
    "tables_cup": [
        "This is a knockout by tables: an import that makes the event makes it one of “tables of three to "
        "six”, in order of points."
    ],
}


@pytest.mark.parametrize("event_format", NOTES)
def test_an_export_says_what_becomes_of_its_format(club: Club, event_format: str) -> None:
    event = evening(club, NINE[:3], format=event_format, **SETTINGS[event_format])
    (match,) = drawn(event)
    play_some(match)
    assert export_hands(event).notes == NOTES[event_format]
    assert moved(event).get_format_display() == "tables of three to six"


def test_substitutes_at_a_table_come_out_as_they_went_in(club: Club) -> None:
    event = evening(club, NINE[:3], preset="battle_royal", rounds_planned=1)
    (match,) = drawn(event)
    first, second, third = names_at(match)
    xid, yve = (PlayerFactory.create(club=club, name=name) for name in ("Xid", "Yve"))
    set_line_up(actor=OPERATOR, match=match, side=2, players=[xid])
    match.refresh_from_db()
    assert match.sheet is not None
    hand = {"kind": "points", "winner": "Xid", "from": {first: 3, second: 4}, "penalties": {first: 20}}
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[{"hands": [hand]}])
    leaving = Player.objects.get(name=first)
    seat_substitute(actor=OPERATOR, match=match, replaces=leaving, player=yve, from_deal=2)
    hand = {"kind": "points", "winner": "Yve", "from": {second: 5, "Xid": 6}, "penalties": {"Xid": 20}}
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[{"hands": [hand]}], stopped=True)
    copy = moved(event)
    assert told(copy) == told(event)
    assert set(copy.entries.values_list("players__name", flat=True)) == {first, second, third}


def refusal_of(club: Club, data: bytes, **options: Any) -> list[str]:
    before = contents()
    with pytest.raises(FileRefused) as refusal:
        imported(club, data, **({"create": False, "rules": None} | options))
    assert contents() == before
    return [translated(line) for line in refusal.value.lines()]


def test_tables_that_do_not_match_are_problems(club: Club) -> None:
    event = evening(club, NINE[:6], rounds_planned=1)
    round_ = draft_round(actor=OPERATOR, event=event)
    first, second = round_.matches.with_sides().order_by("table")
    a, b, c = names_at(first)
    d, e, _f = names_at(second)
    common = PLAIN | {"event": "Evening", "date": "", "game": "jersey"}
    sheet = {"sheet": first.label, "table": 1}

    def of(*names: str, **cells: Any) -> bytes:
        return file_of(
            common | dict(zip(("side_a", "side_b", "side_c", "side_d"), names, strict=False)) | cells
        )

    assert refusal_of(club, of(a, b, c, **sheet)) == [
        "row 2, round: Round 1 is a draft; publish it before its sheets are filled."
    ]
    publish_round(actor=OPERATOR, round_=round_)
    sits = (
        f"row 2, side_a: At the table of sheet {first.label} sit {a}, {b}, {c} in this event, in this order."
    )
    # Others, the same in another order.
    assert refusal_of(club, of(a, b, d, **sheet)) == [sits]
    assert refusal_of(club, of(b, c, a, **sheet)) == [sits]
    assert refusal_of(club, of(a, b, **sheet, game="gin")) == [
        "row 2, game: “Evening” is an event of jersey; this sheet is of gin."
    ]
    assert refusal_of(club, of(a, b, c, sheet=first.label, round=2)) == [
        f"row 2, round: Sheet {first.label} is of round 1 in this event, not 2."
    ]
    # A table that was not drawn takes nobody who sits at another.
    assert refusal_of(club, of(d, e, a, sheet="New", table=9)) == [
        f"row 2, {side}: {name} plays in round 1 already, on sheet {label}."
        for side, name, label in (
            ("side_a", d, second.label),
            ("side_b", e, second.label),
            ("side_c", a, first.label),
        )
    ]
    assert refusal_of(club, of(a, b, "Zed", **sheet))[0].startswith(
        f"row 2, side_c: {club} has no player “Zed”."
    )


def test_a_cup_takes_no_table_that_it_has_not_drawn(club: Club) -> None:
    drawn(evening(club, format="tables_cup", **SETTINGS["tables_cup"]))
    data = file_of(
        PLAIN | {"event": "Evening", "game": "jersey", "side_c": "Cid", "sheet": "X", "round": 2, "table": 1}
    )
    assert refusal_of(club, data) == [
        "row 2, sheet: “Evening” has no sheet X, and takes none that it has not drawn."
    ]


def test_an_event_of_two_sides_takes_no_table_and_one_of_tables_no_match_of_two(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    for name in ("Ann", "Bob", "Cid"):
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
    three = PLAIN | {"side_c": "Cid", "game": "jersey"}
    assert refusal_of(club, file_of(three)) == [
        "row 2, game: “Winter Cup” is an event of gin; this sheet is of jersey."
    ]
    evening(ClubFactory.create(), NINE[:4], preset="basic_rummy")
    other = Event.objects.get(name="Evening").club
    two = PLAIN | {"event": "Evening", "game": "basic_rummy"}
    assert refusal_of(other, file_of(two)) == [
        "row 2, side_c: “Evening” is an event of tables of three and more; this sheet has two sides."
    ]
    # Nor is one of two sides made of sheets for so many.
    rummy = PLAIN | {"event": "New", "game": "basic_rummy", "kind": "dead"}
    mixed = file_of(rummy | {"side_c": "Cid"}, rummy | {"sheet": "2", "side_a": "Dee", "side_b": "Eve"})
    assert refusal_of(other, mixed, create=True) == [
        "row 3, side_c: “New” is an event of tables of three and more; this sheet has two sides."
    ]
