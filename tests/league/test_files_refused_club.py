"""Files that are right in themselves and do not fit the club: its events, players, draws and stored deals."""

from pathlib import Path
from typing import Any

import pytest

from league.models import Club, Match, MatchState
from scoring.models import Scoresheet
from scoring.services import void_sheet
from tests.factories import OPERATOR, ClubFactory, EntryFactory, EventFactory, MatchFactory, PlayerFactory
from tests.league.hand_files import (
    HOLLYWOOD,
    OTHER,
    dead,
    file_of,
    imported,
    knock,
    lines_of_refusal,
    points,
)

pytestmark = pytest.mark.django_db


def test_unknown_event_is_refused_without_create(club: Club, tmp_path: Path) -> None:
    assert lines_of_refusal(tmp_path, HOLLYWOOD) == [
        "row 2, event: Harbour has no event “Hollywood League 2025”. Make it, or let the import make it.",
        "--create creates the event and its people.",
    ]


def test_event_of_another_club_is_not_found(club: Club, tmp_path: Path) -> None:
    EventFactory.create(name="Winter Cup", club=ClubFactory.create(slug="old-town"))
    lines = lines_of_refusal(tmp_path, file_of(dead()), "--club", "harbour")
    assert lines[0] == "row 2, event: Harbour has no event “Winter Cup”. Make it, or let the import make it."


def test_sheet_of_another_event_is_not_touched(club: Club) -> None:
    imported(club, file_of(dead(1)))
    (sheet,) = Scoresheet.objects.all()
    imported(club, file_of(dead(1, event="Summer Cup"), dead(2, event="Summer Cup")))
    sheet.refresh_from_db()
    assert (sheet.deal_count, Scoresheet.objects.count()) == (1, 2)


def test_two_events_of_one_name_must_be_told_apart(club: Club, tmp_path: Path) -> None:
    for slug in ("cup-a", "cup-b"):
        EventFactory.create(club=club, name="Winter Cup", slug=slug)
    (line,) = lines_of_refusal(tmp_path, file_of(dead()), "--create")
    assert line.endswith("write the address of one of them: cup-a, cup-b.")


def test_unknown_player_is_refused_without_create(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    PlayerFactory.create(club=club, name="Cid")
    lines = lines_of_refusal(tmp_path, file_of(dead(1, **OTHER | {"side_a": "cid"})))
    assert lines == [
        "row 2, side_a: Harbour has no player “cid”. Did you mean “Cid”? Enter the player, give one that "
        "other name, or let the import make new players.",
        "row 2, side_b: Harbour has no player “Dora”. Enter the player, give one that other name, or let the "
        "import make new players.",
        "--create creates the event and its people.",
    ]


def test_deal_that_differs_is_refused_by_row(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(knock(1), knock(2)))
    assert lines_of_refusal(tmp_path, file_of(knock(1), knock(2, upcard="7S"))) == [
        "row 3, deal: Deal 2 of sheet W1-1 is stored differently (knock Ann 5, Bob 25). It is corrected only "
        "with a reason.",
        "--correct REASON corrects deals that differ.",
    ]


def test_deal_of_a_finished_sheet_is_refused_even_as_a_correction(club: Club, tmp_path: Path) -> None:
    wins = [points(number, "Ann", 300) for number in (1, 2, 3)]
    imported(club, file_of(*wins))
    data = file_of(*wins, dead(4))
    for words in ([], ["--correct", "one more"]):
        assert lines_of_refusal(tmp_path, data, *words) == [
            "row 5, deal: Sheet W1-1 had ended before deal 4."
        ]


def test_correction_the_rules_do_not_allow_is_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(knock(1)))
    lines = lines_of_refusal(tmp_path, file_of(knock(1, own=12)), "--correct", "typed wrong")
    assert lines == ["row 2, knocker_deadwood: Ann cannot knock with 12: the limit is 10."]


def test_deals_that_leave_a_gap_after_the_stored_ones_are_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    assert lines_of_refusal(tmp_path, file_of(dead(3))) == [
        "row 2, deal: After deal 1 of sheet W1-1 comes 2, not 3."
    ]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"round": 2}, "row 2, round: Sheet W1-1 is of round 1 in this event, not 2."),
        ({"side_b": "Cid"}, "row 2, side_a: Sheet W1-1 is Ann against Bob in this event."),
        (
            {"sheet": "W9", "side_b": "Cid"},
            "row 2, side_a: Ann plays in round 1 already, on sheet W1-1.",
        ),
    ],
    ids=["another round", "other players", "a player who plays already"],
)
def test_sheet_that_does_not_fit_the_draw_is_refused(
    club: Club, tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    entries = [EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid")]
    MatchFactory.create(event=event, label="W1-1", entry_a=entries[0], entry_b=entries[1])
    assert lines_of_refusal(tmp_path, file_of(dead(1, **change))) == [sentence]


def test_forfeited_match_takes_no_deals(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    Match.objects.update(state=MatchState.FORFEIT)
    assert lines_of_refusal(tmp_path, file_of(dead(1))) == [
        "row 2, sheet: Sheet W1-1 is not played: a forfeit was awarded for it."
    ]


def test_voided_sheet_takes_no_deals(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    void_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(), reason="wrong table")
    (line,) = lines_of_refusal(tmp_path, file_of(dead(1)))
    assert line.startswith("row 2, sheet: Sheet W1-1 was voided.")


def test_two_names_of_one_player_on_a_sheet_are_refused(club: Club, tmp_path: Path) -> None:
    ann = PlayerFactory.create(club=club, name="Ann")
    ann.aliases.create(club=club, name="Annie")
    assert lines_of_refusal(tmp_path, file_of(dead(side_b="Annie")), "--create") == [
        "row 2, side_b: Two names on this sheet belong to one player."
    ]


def test_other_rules_than_the_events_are_refused(club: Club, tmp_path: Path) -> None:
    imported(club, file_of(dead(1)))
    lines = lines_of_refusal(tmp_path, file_of(dead(1)), "--create", "--rules", "columns=1")
    assert lines == ["“Winter Cup” exists and has other rules, which apply; leave the rules out."]
