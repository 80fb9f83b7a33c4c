"""Blank sheets as PDF: any alphabet, any number of games, the same bytes for the same round."""

import datetime
import re
from typing import Any

import pytest
from fpdf.fonts import TTFFont

from scoring.core.sheets import Substitute
from scoring.paper.blank_sheets import BlankSheet, blank_sheets_pdf
from scoring.paper.layout import sheet_frame
from scoring.paper.pdf import Document
from tests.pdf_text import pages, texts

NIGHT = datetime.datetime(2025, 12, 11, 18, 0, tzinfo=datetime.UTC)


def blank(first: str = "Eklund", second: str = "Castell", *, columns: int = 3, **fields: Any) -> BlankSheet:
    frame = sheet_frame((first, second), columns, order=fields.pop("order", "abab"))
    given: dict[str, Any] = {
        "heading": "Harbour Gin Club",
        "occasion": "League, round 15",
        "rules": "three games to 100",
    }
    return BlankSheet(frame, ((first,), (second,)), **(given | {"label": "HL15-5", "table": 5} | fields))


def written(*sheets: BlankSheet) -> bytes:
    return blank_sheets_pdf(sheets, title="Round 15", made_at=NIGHT)


@pytest.mark.parametrize(
    ("count", "columns", "expected"),
    [(1, 3, 1), (2, 3, 1), (3, 3, 2), (8, 1, 4), (2, 4, 2), (1, 12, 1)],
)
def test_two_sheets_of_up_to_three_games_go_on_a_page(count: int, columns: int, expected: int) -> None:
    assert pages(written(*[blank(columns=columns)] * count)) == expected


def test_a_round_without_matches_is_one_page_that_says_so() -> None:
    pdf = written()
    assert pages(pdf) == 1
    assert texts(pdf) == ["There is no sheet to print in this round."]


def test_a_sheet_says_whose_and_which_it_is() -> None:
    said = texts(written(blank("Ωμέγα", "山田太郎 ♠ Жуков")))
    for words in ("HL15-5", "Harbour Gin Club", "table 5", "Ωμέγα", "山田太郎 ♠ Жуков"):
        assert said.count(words) == 1
    assert "League, round 15 · three games to 100" in said
    assert [words for words in said if words.startswith("Game")] == ["Game I", "Game II", "Game III"]
    assert [words for words in said if words.isdigit()] == [str(number) for number in range(1, 21)]
    assert said[-2:] == ["signed: Ωμέγα", "signed: 山田太郎 ♠ Жуков"]


def numbered(said: list[str]) -> list[int]:
    return [int(words) for words in said if words.isdigit()]


def test_a_match_of_deals_has_a_row_for_each() -> None:
    said = texts(written(blank(columns=1, deals=8)))
    assert numbered(said) == list(range(1, 9))
    assert "penalties" not in said
    assert said[-2:] == ["signed: Eklund", "signed: Castell"]


def test_a_long_match_goes_on_on_another_paper() -> None:
    # 25 rows are the most on a paper; the settlement stands on the last one.
    pdf = written(blank(columns=1, deals=60))
    said = texts(pdf)
    assert (pages(pdf), numbered(said)) == (2, list(range(1, 61)))
    assert [words.rpartition(" · ")[2] for words in said if "paper" in words] == [
        "paper 1 of 3",
        "paper 2 of 3",
        "paper 3 of 3",
    ]
    assert (said.count("HL15-5"), said.count("total"), said.count("signed: Eklund")) == (3, 1, 1)


def test_penalties_have_a_row_at_the_foot() -> None:
    said = texts(written(blank(has_penalties=True)))
    foot = [words for words in said if words in ("points", "penalties", "boxes", "bonus", "total")]
    assert foot == ["points", "penalties", "boxes", "bonus", "total"]


def test_sheets_stand_in_the_order_given() -> None:
    sheets = [blank(label=label) for label in ("T2", "T1", "T3")]
    assert [words for words in texts(written(*sheets)) if words.startswith("T")] == ["T2", "T1", "T3"]


def test_the_same_sheets_give_the_same_bytes() -> None:
    sheet = blank("Dvořák", "Ωμέγα", address="https://gin.example/clubs/harbour/")
    assert written(sheet) == written(sheet)


@pytest.mark.parametrize(
    "name",
    ["Dvořák", "Łukasz Żółć", "Ωμέγα", "Жуков", "Đặng Thị Ánh", "O’Neill — “Ace”", "Þór", "−562 † ‡"],
)
def test_every_character_of_a_name_has_a_glyph(name: str) -> None:
    assert missing(name) == []


@pytest.mark.parametrize("name", ["山田太郎", "김철수", "张伟", "たなか"])
def test_east_asian_names_bring_in_further_fonts(name: str) -> None:
    assert missing(name) == []


@pytest.mark.parametrize(
    "name", ["🂡 Ace", "\U00012000", "\u0600\u202e", "a\u0301\u0301\u0301", "\x07", "ﷺ", ""]
)
def test_a_character_without_a_glyph_does_no_harm(name: str) -> None:
    assert pages(written(blank(name, "Castell"))) == 1


def test_names_of_80_characters_are_cut_to_fit() -> None:
    pdf = document()
    pdf.add_page()
    pdf.face(13)
    pdf.put(10, 10, 40, 6, "W" * 80)
    assert pdf.drawn().get_x() <= 50.01
    whole = written(blank("W" * 80, "M" * 80), blank("i" * 80, "x y " * 20))
    assert pages(whole) == 1
    cut = [words for words in texts(whole) if words.endswith("…")]
    assert [words.strip("…")[:3] for words in cut[:2]] == ["WWW", "MMM"]


@pytest.mark.parametrize("order", ["abab", "aabb"])
def test_both_orders_of_columns_and_teams_print(order: str) -> None:
    players = (("Ann", "Cid"), ("Bob", "Dee"))
    frame = sheet_frame(("We", "They"), 3, order=order)
    address = "https://x.example/"
    sheet = BlankSheet(frame, players, "Club", "Cup", "three games to 125", "T1", None, address, team_size=2)
    pdf = written(sheet)
    assert pages(pdf) == 1
    assert {"Ann", "Bob", "Cid", "Dee"} <= set(" ".join(texts(pdf)).replace(",", " ").split())
    # The headings: sides in each game, or games of each side.
    heads = [words for words in texts(pdf) if words.startswith("Game") or words in ("We", "They")]
    assert heads.count("Game I") == (1 if order == "abab" else 0)


def document(*texts: str) -> Document:
    return Document(title="Test", made_at=NIGHT, texts=texts)


def missing(name: str) -> list[str]:
    """The characters of a name that none of the fonts of its document has."""
    pdf = document(name).drawn()
    known = {point for font in pdf.fonts.values() if isinstance(font, TTFFont) for point in font.cmap}
    return [character for character in name if ord(character) not in known]


def team_sheet(size: int, **fields: Any) -> BlankSheet:
    players = fields.pop("players", (tuple("ABCD"[:size]), tuple("WXYZ"[:size])))
    frame = sheet_frame(("We", "They"), 3, left_side=fields.pop("left_side", 0))
    return BlankSheet(frame, players, "Club", "Cup", "three games to 125", "T1", team_size=size, **fields)


def test_a_teams_sheet_says_in_each_row_who_meets_whom() -> None:
    said = texts(written(team_sheet(2)))
    assert {"1 A, 2 B", "1 W, 2 X"} <= set(said)
    # RULES §7: A1–B1, A2–B2, then A1–B2, A2–B1, and so on.
    pairs = [words for words in said if "–" in words]
    assert pairs[:8] == ["1–1", "2–2", "1–2", "2–1"] * 2
    assert len(pairs) == 40
    assert said.count("mark") == 2


def test_who_meets_whom_is_printed_in_eight_points_and_leaves_room(monkeypatch: pytest.MonkeyPatch) -> None:
    put = Document.put
    faces: list[tuple[float, float]] = []

    def noted(document: Document, *place: Any, **how: Any) -> None:
        if "–" in place[4]:
            faces.append((document._font[2], place[2] - document.get_string_width(place[4])))
        put(document, *place, **how)

    monkeypatch.setattr(Document, "put", noted)
    for size in (2, 4, 6):
        written(team_sheet(size))
    assert len(faces) == 20 * (2 + 4 + 6)
    assert min(points for points, _room in faces) >= 8
    # A mark with its points, as in “12 x”, takes a centimetre.
    assert min(room for _points, room in faces) > 10


@pytest.mark.parametrize(
    ("players", "seats"),
    [
        (((), ()), ("1 ____, 2 ____", "1 ____, 2 ____")),
        (((), ("W", "X")), ("1 ____, 2 ____", "1 W, 2 X")),
        ((("A", "B"), ()), ("1 A, 2 B", "1 ____, 2 ____")),
        ((("A",), ("W", "X")), ("1 A, 2 ____", "1 W, 2 X")),
    ],
)
def test_seats_without_a_player_yet_are_printed_empty(players: Any, seats: tuple[str, str]) -> None:
    sheet = team_sheet(2, players=players)
    assert tuple(re.sub("_+", "____", sheet.seats(side)) for side in (0, 1)) == seats
    assert [words for words in texts(written(sheet)) if words.startswith("1–")][:2] == ["1–1", "1–2"]


def test_larger_teams_go_on_by_one_seat() -> None:
    sheet = team_sheet(3)
    assert [sheet.meetings(deal) for deal in (1, 2, 3, 4)] == [
        ("1–1", "2–2", "3–3"),
        ("1–2", "2–3", "3–1"),
        ("1–3", "2–1", "3–2"),
        ("1–1", "2–2", "3–3"),
    ]
    # Seen from the other side, whose first player meets the third where the first's first meets the second.
    assert team_sheet(3, left_side=1).meetings(2) == ("2–1", "3–2", "1–3")
    assert blank().meetings(1) == ()


def test_a_sheet_printed_again_says_who_took_over_a_seat() -> None:
    later = (Substitute("C", "B", 4), Substitute("D", "C", 9))
    said = " ".join(texts(written(team_sheet(2, substitutes=later))))
    assert "1 A, 2 B; C for B from deal 4; D for C from deal 9" in said


def table_paper(*names: str, **fields: Any) -> BlankSheet:
    frame = sheet_frame(names, 1, left_side=fields.pop("left_side", 0))
    players = tuple((name,) for name in names)
    return BlankSheet(frame, players, "Club", "Evening", "Jersey gin, one game to 200", "Table 3", **fields)


def test_paper_of_several_has_a_column_a_player_and_who_deals_and_sits_out() -> None:
    said = texts(written(table_paper("Ann", "Bob", "Cid", turns=("deals", "out"))))
    assert {"a Ann", "b Bob", "c Cid", "deals", "out", "net"} <= set(said)
    assert "v" not in said
    assert "to" not in said
    assert [words for words in said if words.startswith("signed: ")] == [
        "signed: Ann",
        "signed: Bob",
        "signed: Cid",
    ]


def test_columns_of_a_paper_begin_with_the_side_on_the_left() -> None:
    said = texts(written(table_paper("Ann", "Bob", "Cid", left_side=1)))
    assert {"a Bob", "b Cid", "c Ann"} <= set(said)


def test_two_papers_of_six_go_on_a_page_and_rummy_has_no_boxes() -> None:
    six = table_paper("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", has_boxes=False)
    pdf = written(six, six)
    assert pages(pdf) == 1
    assert not {"boxes", "bonus"} & set(texts(pdf))
    assert {"points", "total", "net"} <= set(texts(pdf))
