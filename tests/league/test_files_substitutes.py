"""Substitutes in files: whoever really sat there comes out as he went in, from any deal on or for all."""

from random import Random
from typing import Any

import hypothesis
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import strategies as st

from league.core.hand_files.problems import FileRefused
from league.draws.recalculating import recalculate
from league.errors import LeagueError
from league.files.exporting import export_hands
from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.files.undoing import plan_undo, undo_import
from league.matches.line_ups import set_line_up
from league.matches.substitutes import seat_substitute, sitting_now
from league.models import Club, Event, ImportBatch, IndividualStanding, Match, Player
from scoring.core.hands import Dead, Points
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal, TeamLine
from scoring.models import Scoresheet, SheetStatus
from scoring.services import correct_deals, record_deals, stop_sheet
from scoring.services.records import kept_sheet
from scoring.words.messages import translated
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    house_rules,
    won,
)
from tests.kept import assert_derived, contents
from tests.league.hand_files import Row, batch_of, comes, dead, file_of, imported, knock, stopped

pytestmark = pytest.mark.django_db


def sheets_of(event: Event) -> list[dict[str, Any]]:
    """What the sheets of an event say, and who sat where, by names."""
    told = []
    for match in Match.objects.filter(event=event).select_related("sheet__rules").order_by("label"):
        assert match.sheet is not None
        kept = kept_sheet(assert_derived(match.sheet))
        seats = match.appearances.order_by("side", "position")
        told.append(
            {
                "sides": kept.sides,
                "deals": kept.deals,
                "nets": match.sheet.nets,
                "status": match.sheet.status,
                "derived": match.sheet.derived,
                "seats": list(
                    seats.values_list(
                        "side", "position", "player__name", "entry__name", "from_deal", "replaces"
                    )
                ),
            }
        )
    return told


def individuals_of(event: Event) -> list[tuple[Any, ...]]:
    recalculate(event.pk)
    rows = IndividualStanding.objects.filter(event=event).order_by("player__name")
    return list(rows.values_list("player__name", "played", "substitute_matches", "wins", "hands_won", "net"))


def moved(event: Event) -> Event:
    """The event as an empty club gets it from the export; it exports the same file, and both skip theirs."""
    text = export_hands(event).text
    club = ClubFactory.create()
    imported(club, text.encode(), rules=event.rules.rules)
    copy = Event.objects.get(club=club)
    assert export_hands(copy).text == text
    for one in (event, copy):
        assert imported(one.club, text.encode(), create=False, rules=None) is None
    return copy


def event_of(size: int, **knobs: Any) -> Event:
    """Two teams of so many, or two players, and a match between them."""
    rules = house_rules(**({"target": 9999, "team_target": 9999} | knobs))
    event: Event = EventFactory.create(rules=rules, team_size=size)
    entries = []
    for letter in "ab":
        names = [f"{letter}{number}" for number in range(size)]
        players = [PlayerFactory.create(club=event.club, name=name) for name in names]
        entries.append(EntryFactory.create(event=event, name=" & ".join(names), players=players))
    MatchFactory.create(event=event, entry_a=entries[0], entry_b=entries[1])
    return event


def played_by_chance(event: Event, random: Random, deals: int) -> None:
    """Deals by chance, with substitutes at most before every second one."""
    match = event.matches.get()
    new = (PlayerFactory.create(club=event.club, name=f"sub {number}") for number in range(99))
    for number in range(1, deals + 1):
        seats = sitting_now(match)
        for seat in random.sample(seats, random.choice((0, 0, 1, 2))) if number > 1 else ():
            seat_substitute(
                actor=OPERATOR,
                match=match,
                replaces=seat.appearance.player,
                player=next(new),
                from_deal=number,
            )
        seats = sitting_now(match)
        left, right = (
            [seat.appearance.player.name for seat in seats if seat.side == side] for side in (0, 1)
        )
        random.shuffle(right)
        assert match.sheet is not None
        if len(left) > 1 and random.random() < 0.2:
            deal = Deal(line=TeamLine(match.side_name(random.randrange(2)), random.randrange(50)))
        else:
            hands = []
            for pair in zip(left, right, strict=True):
                one, other = random.sample(pair, 2)
                points = Points(one, other, random.randrange(1, 90))
                hands.append(points if random.random() < 0.8 else Dead(pair))
            deal = Deal(tuple(hands))
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=[deal])
        if random.random() < 0.15:
            correct_deals(actor=OPERATOR, sheet=match.sheet, changes={number: VOID}, reason="not played")


@hypothesis.settings(max_examples=3)
@hypothesis.given(size=st.integers(1, 12), seed=st.integers(0, 2**32), stops=st.booleans())
def test_whoever_took_over_comes_out_as_he_went_in(size: int, seed: int, stops: bool) -> None:
    event = event_of(size)
    played_by_chance(event, Random(seed), 5)
    if stops:
        sheet = event.matches.get().sheet
        assert sheet is not None
        stop_sheet(actor=OPERATOR, sheet=sheet)
    copy = moved(event)
    assert sheets_of(copy) == sheets_of(event)
    assert individuals_of(copy) == individuals_of(event)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_who_played_a_whole_sheet_for_somebody_comes_out_so(size: int) -> None:
    event = event_of(size)
    match = event.matches.get()
    xid, yve = (PlayerFactory.create(club=event.club, name=name) for name in ("Xid", "Yve"))
    assert match.entry_b is not None
    players = [*match.entry_b.players.order_by("name")]
    set_line_up(actor=OPERATOR, match=match, side=1, players=[xid, *players[1:]])
    assert match.sheet is not None
    pairs = zip(
        [f"a{number}" for number in range(size)], ["Xid", *[f"b{n}" for n in range(1, size)]], strict=True
    )
    deals = [Deal(tuple([Points(one, other, 9) for one, other in pairs]))]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    # Later he leaves, too.
    seat_substitute(actor=OPERATOR, match=match, replaces=xid, player=yve, from_deal=2)
    copy = moved(event)
    assert sheets_of(copy) == sheets_of(event)
    assert individuals_of(copy) == individuals_of(event)
    assert sorted(copy.entries.values_list("name", flat=True)) == sorted(
        event.entries.values_list("name", flat=True)
    )
    assert set(copy.entries.values_list("players__name", flat=True)) == {
        f"{e}{n}" for e in "ab" for n in range(size)
    }


def test_a_drawn_match_is_filled_and_undoing_leaves_it_as_it_was(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    ann, bob = (
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
        for name in ("Ann", "Bob")
    )
    for name in ("Xid", "Yve"):
        PlayerFactory.create(club=club, name=name)
    match = MatchFactory.create(event=event, label="W1-1", entry_a=ann, entry_b=bob)
    before = match.appearances.order_by("side").values_list(
        "player__name", "entry__name", "from_deal", "replaces"
    )
    drawn = list(before)
    # Of two sides the file may have the second one first.
    turned = {"side_a": "Bob", "side_b": "Ann"}
    data = file_of(
        comes(1, "Xid", "Bob", **turned),
        knock(1, "Ann", defender="Xid", **turned),
        comes(2, "Yve", "Ann", **turned),
        knock(2, "Xid", defender="Yve", **turned),
    )
    plan = plan_import(club=club, data=data, file_name="n.csv", options=ImportOptions())
    assert "Seated: 2 substitutes." in plan.lines()
    batch = batch_of(club, data, create=False, rules=None)
    match.refresh_from_db()
    assert match.sheet is not None
    sheet = assert_derived(match.sheet)
    first, second = kept_sheet(sheet).sides
    assert (first.name, first.everyone, second.name, second.everyone) == (
        "Ann",
        ("Ann", "Yve"),
        "Bob",
        ("Xid",),
    )
    assert sheet.nets == [0, 0]
    plan = plan_import(club=club, data=data, file_name="n.csv", options=ImportOptions())
    assert plan.changes_nothing

    undo_import(actor=OPERATOR, batch=batch)
    match.refresh_from_db()
    assert list(before.all()) == drawn
    assert match.sheet is not None
    assert kept_sheet(match.sheet).sides == kept_sheet(match.sheet).without_seats([]).sides
    assert [side.everyone for side in kept_sheet(match.sheet).sides] == [("Ann",), ("Bob",)]
    assert (match.state, match.sheet.status, match.sheet.deal_count) == ("scheduled", SheetStatus.OPEN, 0)
    assert imported(club, data, create=False, rules=None) is not None


def test_a_preview_tells_of_them(club: Club) -> None:
    data = file_of(knock(1), comes(2, "Xid", "Ann"), knock(2, "Xid", defender="Bob"))
    plan = plan_import(club=club, data=data, file_name="n.csv", options=ImportOptions(create=True))
    assert "Seated: 1 substitute." in plan.lines()
    assert "New players: Ann, Bob, Xid." in plan.lines()


def test_a_file_from_before_somebody_took_over_is_skipped(club: Club) -> None:
    imported(club, file_of(knock(1)))
    match = Match.objects.get()
    whole = export_hands(match.event).text
    xid = PlayerFactory.create(club=club, name="Xid")
    ann = Player.objects.get(name="Ann")
    seat_substitute(actor=OPERATOR, match=match, replaces=ann, player=xid, from_deal=2)
    assert imported(club, whole.encode(), create=False, rules=None) is None
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("Xid", "Bob", 12)])
    # Deals after that need a row that tells who plays.
    for row in (knock(2, "Ann", defender="Bob"), knock(2, "Xid", defender="Bob")):
        with pytest.raises(FileRefused):
            imported(club, file_of(knock(1), row), create=False, rules=None)


def test_who_comes_after_the_end_is_left_out(club: Club) -> None:
    event = event_of(1, columns=1, target=50)
    match = event.matches.get()
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won("a0", "b0", 20)])
    xid = PlayerFactory.create(club=event.club, name="Xid")
    a0 = Player.objects.get(name="a0")
    seat_substitute(actor=OPERATOR, match=match, replaces=a0, player=xid, from_deal=2)
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes={1: won("a0", "b0", 70)}, reason="misread")
    assert "Xid" not in export_hands(event).text


GIVEN = (knock(1), knock(2, "Xid", defender="Bob"))
REFUSED: dict[str, tuple[tuple[Row, ...], str]] = {
    "from a deal that is not there": (
        (*GIVEN[:1], comes(4, "Xid", "Ann")),
        "row 3, deal: The last deal of sheet W1-1 is 1 here; a substitute sits from deal 2 at the latest.",
    ),
    "a seat that is not there": (
        (*GIVEN, comes(2, "Xid", "Zed")),
        "row 4, replaces: “Zed” does not sit at this table before deal 2.",
    ),
    "a seat that has changed hands": (
        (*GIVEN, comes(2, "Xid", "Ann"), comes(3, "Yve", "Ann")),
        "row 5, replaces: “Ann” does not sit at this table before deal 3.",
    ),
    "who sits there already": (
        (*GIVEN, comes(2, "Bob", "Ann")),
        "row 4, player: “Bob” is named twice.",
    ),
    "twice at once": (
        (*GIVEN, comes(2, "Xid", "Ann"), comes(2, "Yve", "Xid")),
        "row 5, deal: Xid plays from deal 2: a substitute can sit from 3 on.",
    ),
    "several": (
        (*GIVEN, comes(2, "Xid+Yve", "Ann")),
        "row 4, player: Here is the name of one player, of 80 characters at most.",
    ),
    "who is no player of the club": (
        (knock(1), comes(2, "Wim", "Ann")),
        "row 3, player: Harbour has no player “Wim”.",
    ),
    "a player of another entry": (
        (knock(1), comes(2, "Cid", "Ann")),
        "row 3, player: Cid plays for “Cid”.",
    ),
    "a player of an entry that the file makes": (
        (knock(1), comes(2, "Xid", "Ann"), dead(1, sheet="W2-1", round=2, side_a="Xid", side_b="Bob")),
        "row 3, player: Xid plays for “Xid”.",
    ),
    "a player of another sheet": (
        (knock(1), comes(2, "Xid", "Ann"), dead(1, sheet="W1-2", side_a="Xid", side_b="Yve", table=2)),
        "row 4, side_a: Xid plays in round 1 already, on sheet W1-1.",
    ),
    "after the end": (
        tuple([knock(n, own=5, other=45) for n in (1, 2, 3)] + [comes(4, "Xid", "Ann")]),
        "row 5, deal: Sheet W1-1 had ended before deal 4.",
    ),
    "a hand of who has left": (
        (knock(1), comes(2, "Xid", "Ann"), knock(2, "Ann", defender="Bob")),
        "row 4, knocker: Ann does not sit at the table in this deal.",
    ),
    "nobody": ((knock(1), comes(2, "", "Ann")), "row 3, player: This cell is empty"),
    "no deal": ((knock(1), comes("", "Xid", "Ann")), "row 3, deal: This cell is empty"),
    "a substitute in a row with a hand": (
        (knock(1, player="Xid"),),
        "row 2, player: A row of kind knock leaves this cell empty; here is “Xid”.",
    ),
}


@pytest.fixture
def cup(club: Club) -> Event:
    event: Event = EventFactory.create(club=club, name="Winter Cup", rules=house_rules(columns=1, target=100))
    for name in ("Ann", "Bob", "Cid"):
        EntryFactory.create(event=event, name=name, players=[PlayerFactory.create(club=club, name=name)])
    for name in ("Xid", "Yve"):
        PlayerFactory.create(club=club, name=name)
    return event


@pytest.mark.parametrize(("rows", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_is_refused_with_row_and_column(
    club: Club, cup: Event, rows: tuple[Row, ...], said: str
) -> None:
    before = contents()
    with pytest.raises(FileRefused) as refusal:
        imported(club, file_of(*rows), create=False, rules=None)
    lines = [translated(line) for line in refusal.value.lines()]
    assert any(line.startswith(said.replace("Harbour", str(club))) for line in lines), lines
    assert contents() == before


def test_on_a_sheet_with_deals_a_file_seats_nobody(club: Club, cup: Event) -> None:
    imported(club, file_of(knock(1, other=9)), create=False, rules=None)
    before = contents()
    longer = file_of(
        knock(1, other=9), comes(2, "Xid", "Ann"), knock(2, "Xid", other=9, defender="Bob"), stopped()
    )
    with pytest.raises(FileRefused) as refusal:
        imported(club, longer, create=False, rules=None)
    assert [translated(line) for line in refusal.value.lines()] == [
        "row 3, player: On sheet W1-1, which has deals already, Xid does not sit from deal 2 on; seat the "
        "substitute there first."
    ]
    assert contents() == before
    ann, xid = (Player.objects.get(name=name) for name in ("Ann", "Xid"))
    seat_substitute(actor=OPERATOR, match=Match.objects.get(), replaces=ann, player=xid, from_deal=2)
    batch = batch_of(club, longer, create=False, rules=None)
    assert batch.deals == 1


def line_up_of(match: Match) -> list[str]:
    """Who sits there by the line-up, which is what the sheet says."""
    sheet = Match.objects.select_related("sheet__rules").get(pk=match.pk).sheet
    assert sheet is not None
    names = list(match.appearances.order_by("side", "position").values_list("player__name", flat=True))
    assert [name for side in kept_sheet(sheet).sides for name in side.everyone] == names
    return names


@pytest.fixture
def drawn(cup: Event) -> Match:
    """The sheet of Ann and Bob, blank."""
    ann, bob, _cid = cup.entries.order_by("name")
    match: Match = MatchFactory.create(event=cup, label="W1-1", entry_a=ann, entry_b=bob)
    return match


def stand_in(club: Club) -> ImportBatch:
    """An import that does nothing but put Xid in the place of Ann."""
    return batch_of(club, file_of(comes(1, "Xid", "Ann")), create=False, rules=None)


def refused_undo(batch: ImportBatch) -> str:
    before = contents()
    with pytest.raises(LeagueError) as preview:
        plan_undo(batch)
    with pytest.raises(LeagueError) as refusal:
        undo_import(actor=OPERATOR, batch=batch)
    assert contents() == before
    assert preview.value.code == refusal.value.code == "built_upon"
    assert str(preview.value) == str(refusal.value)
    return str(refusal.value)


def test_who_stands_in_on_a_sheet_without_deals_is_written_and_taken_back(club: Club, drawn: Match) -> None:
    data = file_of(comes(1, "Xid", "Ann"))
    plan = plan_import(club=club, data=data, file_name="n.csv", options=ImportOptions())
    assert "Seated: 1 substitute." in plan.lines()
    batch = stand_in(club)
    assert line_up_of(drawn) == ["Xid", "Bob"]
    assert imported(club, data, create=False, rules=None) is None
    assert plan_undo(batch).lines() == ["Seated as before: 1 blank sheet."]
    undo_import(actor=OPERATOR, batch=batch)
    assert line_up_of(drawn) == ["Ann", "Bob"]


def test_who_stands_in_beside_other_sheets_is_taken_back_with_them(club: Club, drawn: Match) -> None:
    other = {"sheet": "W1-2", "table": 2, "side_a": "Cid", "side_b": "Yve"}
    data = file_of(comes(1, "Xid", "Ann"), dead(1, **other))
    batch = batch_of(club, data, rules=None)
    assert batch.sheets == 2
    assert line_up_of(drawn) == ["Xid", "Bob"]
    undo_import(actor=OPERATOR, batch=batch)
    assert line_up_of(drawn) == ["Ann", "Bob"]
    assert Match.objects.get() == drawn


def test_who_stood_in_and_has_played_since_is_not_taken_back(club: Club, drawn: Match) -> None:
    batch = stand_in(club)
    sheet = Match.objects.select_related("sheet").get().sheet
    assert sheet is not None
    record_deals(actor=OPERATOR, sheet=sheet, deals=[won("Xid", "Bob", 9)])
    assert refused_undo(batch).startswith(f"Sheet {sheet} has changed since the import")


def test_who_has_sat_elsewhere_since_is_not_put_back(club: Club, cup: Event, drawn: Match) -> None:
    batch = stand_in(club)
    ann, yve = (Player.objects.get(name=name) for name in ("Ann", "Yve"))
    guest = EntryFactory.create(event=cup, name="Yve", players=[yve])
    cid = cup.entries.get(name="Cid")
    other = MatchFactory.create(event=cup, round=drawn.round, label="W1-2", entry_a=cid, entry_b=guest)
    other.appearances.filter(side=1).update(player=ann)
    assert refused_undo(batch) == "Ann plays in this round since, on sheet W1-2; undo that first."


def test_seat_that_two_imports_have_given_is_given_back_by_the_later_first(club: Club, drawn: Match) -> None:
    first = stand_in(club)
    second = batch_of(club, file_of(comes(1, "Yve", "Xid", side_a="Xid")), create=False, rules=None)
    assert line_up_of(drawn) == ["Yve", "Bob"]
    assert refused_undo(first).startswith("The import of night.csv has changed a line-up")
    undo_import(actor=OPERATOR, batch=second)
    assert line_up_of(drawn) == ["Xid", "Bob"]
    undo_import(actor=OPERATOR, batch=first)
    assert line_up_of(drawn) == ["Ann", "Bob"]


def test_seats_that_one_import_has_passed_on_are_given_back(club: Club, cup: Event, drawn: Match) -> None:
    cid = cup.entries.get(name="Cid")
    dee = EntryFactory.create(event=cup, name="Dee", players=[PlayerFactory.create(club=club, name="Dee")])
    # Of a guest's entry a player may stand in for others.
    cup.entries.filter(name="Ann").update(is_guest=True)
    other = MatchFactory.create(event=cup, round=drawn.round, label="W1-2", entry_a=cid, entry_b=dee)
    cells = {"sheet": "W1-2", "table": "", "side_a": "Cid", "side_b": "Dee"}
    data = file_of(comes(1, "Xid", "Ann"), comes(1, "Ann", "Cid", **cells))
    batch = batch_of(club, data, create=False, rules=None)
    assert (line_up_of(drawn), line_up_of(other)) == (["Xid", "Bob"], ["Ann", "Dee"])
    undo_import(actor=OPERATOR, batch=batch)
    assert (line_up_of(drawn), line_up_of(other)) == (["Ann", "Bob"], ["Cid", "Dee"])


def test_a_sheet_opened_without_deals_is_voided_when_undone(club: Club, cup: Event) -> None:
    batch = stand_in(club)
    undo_import(actor=OPERATOR, batch=batch)
    assert not Match.objects.exists()
    assert Scoresheet.objects.get().status == SheetStatus.VOID


def test_a_new_sheet_is_seated_once(club: Club, cup: Event) -> None:
    data = file_of(knock(1, other=9), comes(2, "Xid", "Ann"), knock(2, "Xid", other=9, defender="Bob"))
    with CaptureQueriesContext(connection) as asked:
        imported(club, data, create=False, rules=None)
    sql = [query["sql"] for query in asked]
    assert sum(text.startswith('INSERT INTO "scoring_side"') for text in sql) == 1
    assert not [text for text in sql if text.startswith('DELETE FROM "scoring_side"')]


def test_outside_events_who_plays_from_the_first_is_a_side(club: Club) -> None:
    outside = {"event": "", "round": "", "table": ""}
    data = file_of(knock(1, "Xid", **outside), comes(1, "Xid", "Ann", **outside))
    with pytest.raises(FileRefused) as refusal:
        imported(club, data, rules=Rules.preset("standard"))
    assert [translated(line) for line in refusal.value.lines()] == [
        "row 3, deal: Whoever plays from the first deal on is a side of a sheet outside events."
    ]
