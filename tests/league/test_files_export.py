"""Export: the file that was imported comes out again, and an empty club gets equal standings from it."""

import csv
import io
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from django.core.management import CommandError
from hypothesis import strategies as st

from league.core.hand_files.cells import guarded, joined, parted, unguarded
from league.core.hand_files.deals import placeholder
from league.demo.lots import draw_by_names
from league.draws.forfeits import award_forfeit
from league.events.house_rules import make_club_rules
from league.files.exporting import export_hands
from league.models import Club, Entry, Event, Match, Player
from league.tables.standings import current_standings
from scoring.core.rules import Rules
from scoring.core.sheets import VOID, Deal
from scoring.models import PaperState, Scoresheet
from scoring.services import correct_deals, record_deals, stop_sheet, void_sheet
from scoring.services.records import kept_sheet
from scoring.typing.paper_figures import Paper
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    won,
)
from tests.kept import contents
from tests.league.hand_files import HOLLYWOOD, TEAMS, command, dead, file_of, imported, knock, points
from tests.scoring.strategies import sheets as random_sheets

pytestmark = pytest.mark.django_db


def table_of(event: Event) -> list[dict[str, Any]]:
    """The table as it is now, by names. Lots have no place in a file: they are drawn by names too."""
    draw_by_names(event)
    wanted = ("rank", "played", "wins", "draws", "losses", "points", "net", "columns_won", "boxes", "metrics")
    return [
        {"entry": row.entry.name} | {name: getattr(row, name) for name in wanted}
        for row in current_standings(event)
    ]


def rows_of(event: Event) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(export_hands(event).text)))


def moved(event: Event) -> Event:
    """The event as an empty club gets it from the export, under the same rules."""
    club = ClubFactory.create()
    imported(club, export_hands(event).text.encode(), rules=event.rules.rules)
    return Event.objects.get(club=club)


def assert_moves(event: Event) -> Event:
    """An empty club gets an equal table and equal sheets from the export, and exports the same file."""
    copy = moved(event)
    assert table_of(copy) == table_of(event)
    assert export_hands(copy).text == export_hands(event).text
    return copy


@pytest.mark.parametrize(("data", "columns"), [(HOLLYWOOD, 3), (TEAMS, 1)], ids=["hollywood", "teams"])
def test_season_when_exported_is_the_file_it_came_from(
    club: Club, data: bytes, columns: int, long: bool
) -> None:
    """And it moves whole; but for a long proof its first rounds, as the demo's tests export all of them."""
    data = data if long else first_rounds(data, 3)
    imported(club, data, rules=Rules.preset("standard", columns=columns))
    event = Event.objects.get()
    assert export_hands(event).text.encode() == data
    assert export_hands(event).notes == []
    assert_moves(event)


def first_rounds(data: bytes, count: int) -> bytes:
    """The file of a season as it was after so many rounds."""
    head, *lines = data.decode().splitlines(keepends=True)
    at = head.split(",").index("round")
    return "".join([head, *(line for line in lines if int(line.split(",")[at]) <= count)]).encode()


def test_export_imported_where_it_came_from_changes_nothing(club: Club) -> None:
    event = played_event(club)
    before = contents()
    assert imported(club, export_hands(event).text.encode(), create=False, rules=None) is None
    assert contents() == before


def played_event(club: Club) -> Event:
    """An event with everything a sheet can hold: marks, a stop, a voided deal, one after the end."""
    rules = make_club_rules(actor=OPERATOR, club=club, name="Short", rules=Rules(columns=2, target=50)).rules
    event = EventFactory.create(club=club, name="Winter Cup", rules=rules)
    names = ("Ann", "Bob", "Cid", "Dora", "Eve", "Finn")
    ann, bob, cid, dora, eve, finn = (EntryFactory.create(event=event, name=name) for name in names)
    round_ = RoundFactory.create(event=event)
    make = {"event": event, "round": round_}
    match = MatchFactory.create(**make, label="S1", entry_a=ann, entry_b=bob)
    deals = [won("Ann", "Bob", 30), won("Bob", "Ann", 12), won("Ann", "Bob", 40), won("Ann", "Bob", 45)]
    sheet = record(match, deals)
    correct_deals(actor=OPERATOR, sheet=sheet, changes={2: VOID}, reason="not played")
    match = MatchFactory.create(**make, label="S2", entry_a=cid, entry_b=dora)
    stop_sheet(actor=OPERATOR, sheet=record(match, [won("Dora", "Cid", 20)]))
    match = MatchFactory.create(**make, label="S3", entry_a=eve, entry_b=finn)
    sheet = record(match, [won("Eve", "Finn", 60), won("Eve", "Finn", 10), won("Finn", "Eve", 40)])
    # The correction ends the sheet earlier, so the last deal is after the end.
    correct_deals(actor=OPERATOR, sheet=sheet, changes={2: won("Eve", "Finn", 90)}, reason="misread")
    return event


def record(match: Match, deals: list[Deal]) -> Scoresheet:
    assert match.sheet is not None
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    return match.sheet


def test_event_with_stops_voids_and_surplus_moves_whole(club: Club) -> None:
    event = played_event(club)
    kinds = [(row["sheet"], row["deal"], row["kind"]) for row in rows_of(event)]
    assert ("S1", "2", "void") in kinds
    assert ("S2", "", "stopped") in kinds
    assert ("S3", "2", "points") in kinds
    assert ("S3", "3", "points") not in kinds
    assert export_hands(event).notes == ["Left out: 1 deal after the end of its sheet."]
    copy = assert_moves(event)
    assert {tuple(sheet.nets) for sheet in Scoresheet.objects.filter(match__event=copy)} == {
        tuple(sheet.nets) for sheet in Scoresheet.objects.filter(match__event=event)
    }


def test_what_the_format_has_no_place_for_is_left_out_and_said(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    names = ("Ann", "Bob", "Cid", "Dora", "Eve", "Finn", "Gus", "Hal", "Ida")
    entries = [EntryFactory.create(event=event, name=name) for name in names]
    round_ = RoundFactory.create(event=event)
    pairs = list(zip(entries[0:8:2], entries[1:8:2], strict=True))
    sheets = []
    for index, (one, other) in enumerate(pairs):
        match = MatchFactory.create(event=event, round=round_, label=f"S{index}", entry_a=one, entry_b=other)
        sheets.append(record(match, [won(one.name, other.name, 20)]))
    MatchFactory.create(event=event, round=round_, label="bye", entry_a=entries[8], entry_b=None)
    award_forfeit(actor=OPERATOR, match=Match.objects.get(label="S1"), winner_side=0, reason="left early")
    void_sheet(actor=OPERATOR, sheet=sheets[2], reason="wrong table")
    record_deals(actor=OPERATOR, sheet=sheets[3], deals=[], paper=Paper(net=999))
    assert Scoresheet.objects.get(pk=sheets[3].pk).paper_state == PaperState.DIFFERS

    assert {row["sheet"] for row in rows_of(event)} == {"S0"}
    assert export_hands(event).notes == [
        "Left out: 2 byes, forfeits or walkovers.",
        "Left out: 1 voided sheet.",
        "Left out: 1 sheet that differs from its paper.",
    ]


def test_team_lines_names_and_marks_move_whole(club: Club) -> None:
    sides = {"side_a": "Ann+Cid", "side_b": "Bob+Dora", "team_a": "Aces", "team_b": "+ and -"}
    data = file_of(
        points(1, "Aces", 28, kind="line", **sides),
        points(2, "+ and -", 12, kind="line", mark="3", **sides),
        points(3, "Ann", 40, defender="Dora", mark="undercut", **sides),
        dead(3, knocker="Cid", defender="Bob", upcard="10s", **sides),
    )
    imported(club, data)
    event = Event.objects.get()
    rows = rows_of(event)
    assert [row["mark"] for row in rows] == ["", "3", "undercut", ""]
    assert [row["team_b"] for row in rows] == ["'+ and -"] * 4
    assert rows[3]["upcard"] == "TS"
    assert_moves(event)
    assert set(Entry.objects.values_list("name", flat=True)) == {"Aces", "+ and -"}


def test_names_that_look_like_formulas_move_whole(club: Club) -> None:
    names = ['=HYPERLINK("x")', "@sum", "-1", "'=x", "O'Neill", "'t Hooft"]
    rows = [
        knock(1, names[at], side_a=names[at], side_b=names[at + 1], sheet=f"=S{at}", event="=Cup")
        for at in (0, 2, 4)
    ]
    club = ClubFactory.create()
    imported(club, file_of(*rows))
    # A plain file is taken as it stands: only an apostrophe before such a sign is one too many.
    assert set(Player.objects.values_list("name", flat=True)) == {*names, "=x"} - {"'=x"}

    event = Event.objects.get()
    assert event.name == "=Cup"
    for row in rows_of(event):
        for cell in row.values():
            assert not cell.startswith(("=", "+", "-", "@"))
    assert_moves(event)


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "'=1", "''-1", "'x", "x", "", "＝1", "O'Neill"])
def test_guarded_text_reads_back(text: str) -> None:
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "＝"))


def test_joined_players_read_back() -> None:
    assert parted(joined(["Ann", "Cid"])) == ("Ann", "Cid")
    assert parted(" Ann + Cid ") == ("Ann", "Cid")


def test_player_who_is_called_otherwise_by_now_is_exported_so(club: Club) -> None:
    imported(club, file_of(knock(1), knock(2, "Bob")))
    Player.objects.filter(name="Ann").update(name="Anna")
    (first, second) = rows_of(Event.objects.get())
    assert (first["side_a"], first["knocker"], second["defender"]) == ("Anna", "Anna", "Anna")


@pytest.mark.dear("moves events drawn by chance")
@hypothesis.settings(max_examples=25)
@hypothesis.given(data=st.data(), numbers=st.integers(1, 3))
def test_any_event_when_moved_has_equal_standings(data: st.DataObject, numbers: int) -> None:
    """Export → import → equal, whatever the rules and the deals."""
    by, pair, deals = data.draw(random_sheets(most=12))
    size = len(pair[0].players)
    club = ClubFactory.create()
    rules = make_club_rules(actor=OPERATOR, club=club, name="Drawn", rules=by).rules
    event = EventFactory.create(club=club, rules=rules, team_size=size)
    entries = [
        EntryFactory.create(
            event=event,
            name=side.name,
            players=[PlayerFactory.create(club=club, name=name) for name in side.players],
        )
        for side in pair
    ]
    for number in range(1, numbers + 1):
        match = MatchFactory.create(
            event=event,
            round=RoundFactory.create(event=event, number=number),
            label=f"S{number}",
            entry_a=entries[number % 2],
            entry_b=entries[1 - number % 2],
        )
        assert match.sheet is not None
        keep(match.sheet, deals[: len(deals) * number // numbers], stopped=data.draw(st.booleans()))
    if any(sheet.deal_count for sheet in Scoresheet.objects.filter(match__event=event)):
        copy = moved(event)
        assert_equal_sheets(event, copy)
        assert imported(copy.club, export_hands(event).text.encode(), create=False, rules=None) is None


def keep(sheet: Scoresheet, deals: list[Deal], *, stopped: bool) -> None:
    """Records what the sheet takes up to its end, voiding what is void; time is called if it is open.

    What is void stands as a dead hand for a moment: it is voided before the next is recorded, which it might
    leave no room for.
    """
    kept = kept_sheet(Scoresheet.objects.select_related("rules").get(pk=sheet.pk))
    counted = [scored.deal for scored in kept.score(deals, stopped=False).deals if scored.counted]
    if not counted:
        return
    drawn = placeholder(kept.sheet.rules.rules, kept.sides, [])
    waiting: list[Deal] = []
    for number, deal in enumerate(counted, start=1):
        waiting.append(drawn if deal.is_void else deal)
        if deal.is_void or number == len(counted):
            record_deals(actor=OPERATOR, sheet=sheet, deals=waiting)
            waiting = []
        if deal.is_void:
            correct_deals(actor=OPERATOR, sheet=sheet, changes={number: deal}, reason="not played")
    sheet.refresh_from_db()
    if stopped and sheet.status == "open":
        stop_sheet(actor=OPERATOR, sheet=sheet)


def assert_equal_sheets(event: Event, copy: Event) -> None:
    assert export_hands(copy).text == export_hands(event).text
    fields = ("label", "state", "winner_side", "net", "columns_a", "columns_b", "boxes_a", "boxes_b")
    played = Match.objects.exclude(state="scheduled").order_by("label")
    assert list(played.filter(event=copy).values(*fields)) == list(played.filter(event=event).values(*fields))
    ours, theirs = table_of(event), table_of(copy)
    assert [row["points"] for row in ours] == [row["points"] for row in theirs]
    assert [row["net"] for row in ours] == [row["net"] for row in theirs]


# The command


def test_command_writes_to_a_file_once(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(knock(1)))
    target = tmp_path / "out.csv"
    assert "Hands written to " in command("export_hands", "Winter Cup", target)
    assert target.read_bytes() == file_of(knock(1, defender="Bob"))
    with pytest.raises(CommandError, match="cannot be written: File exists") as refusal:
        command("export_hands", "Winter Cup", target)
    assert refusal.value.returncode == 2


def test_command_without_a_file_prints(club: Club) -> None:
    imported(club, file_of(knock(1)))
    assert (
        command("export_hands", "winter-cup", "--club", "harbour")
        == file_of(knock(1, defender="Bob")).decode()
    )


def bots_event() -> Event:
    """Two bots and a person, every pair once."""
    event: Event = EventFactory.create()
    players = [
        PlayerFactory.create(club=event.club, name=name, strategy=strategy)
        for name, strategy in (("Zork", "simple"), ("Hal", "novice"), ("Ann", ""))
    ]
    zork, hal, ann = (
        EntryFactory.create(event=event, name=player.name, players=[player]) for player in players
    )
    for a, b, points_of_a in ((zork, hal, 60), (hal, ann, 40), (ann, zork, 90)):
        match: Match = MatchFactory.create(event=event, entry_a=a, entry_b=b)
        assert match.sheet is not None
        record_deals(actor=OPERATOR, sheet=match.sheet, deals=[won(a.name, b.name, points_of_a)])
        stop_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(pk=match.sheet.pk))
    return event


def test_bots_go_by_their_bare_names_and_an_empty_club_gets_an_equal_table() -> None:
    event = bots_event()
    names = {row[side] for row in rows_of(event) for side in ("side_a", "side_b")}
    assert names == {"Zork", "Hal", "Ann"}
    assert export_hands(event).notes == [
        "Bots go by their names alone, and an import makes them players if they are not yet: Hal, Zork."
    ]
    copy = assert_moves(event)
    assert not any(player.is_bot for player in copy.club.players.all())


def test_club_that_has_the_bots_keeps_them_and_their_matches_give_nothing_there_either() -> None:
    event = bots_event()
    Event.objects.update(bot_matches_count=False)
    event.refresh_from_db()
    assert (
        export_hands(event).notes[1]
        == "Matches between bots are in the file; only here do they count for nothing."
    )
    club = ClubFactory.create()
    for name in ("Zork", "Hal"):
        PlayerFactory.create(club=club, name=name, strategy="simple")
    imported(club, export_hands(event).text.encode(), rules=event.rules.rules)
    copy = Event.objects.get(club=club)
    assert sorted(entry.name for entry in copy.entries.filter(is_bot=True)) == ["Hal", "Zork"]
    assert table_of(copy) != table_of(event)
    Event.objects.update(bot_matches_count=False)
    copy.refresh_from_db()
    assert table_of(copy) == table_of(event)
