"""FIDE's Tournament Report File as it is read: columns of TRF16, and all that is refused with its line."""

import datetime
from decimal import Decimal

import pytest

from league.core.hand_files.problems import FileRefused
from league.core.trf import Virtual
from league.core.trf_reading import LARGEST_TRF, MOST_PLAYERS, ReadGame, read_trf
from tests.league.trf_files import CUP, POINTS, changed, line_of


def refusal(data: bytes) -> list[str]:
    with pytest.raises(FileRefused) as refused:
        read_trf(data)
    return [str(line) for line in refused.value.lines()]


def test_a_file_is_read_by_its_columns() -> None:
    read = read_trf(CUP.encode())
    assert (read.name, read.rounds, read.rounds_told, read.meets_all) == ("Autumn Cup", 3, 3, False)
    assert read.dates == [datetime.date(2025, 10, 4)] * 3
    first, second, *_others = read.players
    assert (first.number, first.name, first.fide_id, first.rank) == (1, "Novak, Jan", "1503014", 1)
    assert list(first.games) == [ReadGame(4, "w", "1"), ReadGame(2, "b", "="), ReadGame(3, "w", "1")]
    assert (second.fide_id, second.games[2]) == ("", ReadGame(0, "", "H"))
    assert read.players[5].games == [ReadGame(3, "b", "-"), ReadGame(), ReadGame()]
    assert {player.number: player.points for player in read.players} == {
        number: Decimal(points) for number, points in POINTS.items()
    }


@pytest.mark.parametrize("ending", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
def test_lines_end_as_they_like_in_utf8_or_latin1(ending: str, encoding: str) -> None:
    read = read_trf(CUP.replace("\n", ending).encode(encoding))
    assert [player.name for player in read.players[3:]] == ["O'Hara, Müge", "Berg, Ann", "Zola, Émile"]


def test_records_of_2026_and_those_of_pairing_programs() -> None:
    """162: the symbol in column 6, its points in 7 to 10, and so on every nine columns."""
    points = "162  W 3.0    D 1.0    P 2.0\n132" + " " * 88 + "25/10/04  25/10/05\n202 BH/C1,SB\n### end"
    data = changed("XXR 3", points).decode()
    for number, (old, new) in enumerate(
        (("2.5", "7.0"), ("2.0", "5.0"), ("1.0", "3.0"), ("1.5", "3.0"), ("1.5", "4.0")), start=1
    ):
        line = next(each for each in data.splitlines() if each.startswith(f"001    {number}"))
        data = data.replace(line, line.replace(f" {old} ", f" {new} "))
    read = read_trf(data.encode())
    assert read.rounds_told is None
    assert [read.worth[symbol] for symbol in "WDLAP"] == [3, 1, 0, 0, 2]
    assert read.dates == [datetime.date(2025, 10, 4), datetime.date(2025, 10, 5), datetime.date(2025, 10, 4)]
    assert read.tie_breaks == "PTS,BH/C1,SB"


FAULTS = [
    ("   2 b =", "   9 b =", "001    1", "1 Novak, Jan: Round 2: there is no opponent with the number 9."),
    (
        "   4 w 1     2 b =",
        "   6 w 1     2 b =",
        "001    1",
        "1 Novak, Jan: Round 1 is against 6, whose line 16 has another opponent.",
    ),
    (
        "   4 w 1     2 b =",
        "   4 b 1     2 b =",
        "001    1",
        "1 Novak, Jan: Round 1: the colours of both sides against 4 contradict.",
    ),
    (
        "   4 w 1     2 b =",
        "   4 - 1     2 b =",
        "001    1",
        "1 Novak, Jan: Round 1: the colours of both sides against 4 contradict.",
    ),
    (
        "   4 w 1     2 b =",
        "   4 w =     2 b =",
        "001    1",
        "1 Novak, Jan: Round 1: the result against 4, “=”, and “0” in line 14 are not of one game.",
    ),
    ("6 w +", "6 w X", "001    3", "3 Lund, Bob: Round 1 has an unknown result: “X”."),
    ("6 w +", "6 w  ", "001    3", "3 Lund, Bob: Round 1 has an opponent, 6, and no result of a game."),
    ("6 w +", "6 x +", "001    3", "3 Lund, Bob: Round 1 is malformed: “6 x +” is not an opponent, a colour"),
    ("0000 - H", "0000 - 1", "001    2", "2 Berg, Ann: Round 3 has a game and no opponent."),
    ("0000 - H", "0000 w H", "001    2", "2 Berg, Ann: Round 3 has a game and no opponent."),
    ("0000 - Z", "0000 - U", "001    6", "6 Zola, Émile: Round 2 has a second bye of the draw (U)."),
    ("XXR 3", "XXR 2", "001    1", "1 Novak, Jan: Round 3 has a result, and the file says that there are 2"),
    ("XXR 3", "142 4\nXXR 3", "XXR", "The file says two numbers of rounds."),
    ("XXR 3", "XXR three", "XXR", "This is not a number of rounds."),
    ("062 6", "062 7", "062", "The file says 7 players and has 6."),
    ("001    6", "001    5", "001    6", "5 Zola, Émile: Line 15 has the start number 5 too."),
    (
        "001    6",
        "001   6x",
        "001    6",
        "6x Zola, Émile: This is malformed: the start number (columns 5–8).",
    ),
    ("Zola, Émile", "           ", "001    6", "6: This is malformed: the name (columns 15–47)."),
    (" 2.5 ", " 2,x ", "001    1", "1 Novak, Jan: This is malformed: the points (columns 81–84)."),
    ("2.5    1", "2.5    a", "001    1", "1 Novak, Jan: This is malformed: the rank (columns 86–89)."),
    ("2.5    1 ", "2.5    11", "001    1", "1 Novak, Jan: This is malformed: a blank column between two"),
    ("2.5    1", " 2.5   1", "001    1", "1 Novak, Jan: This is malformed: a blank column between two"),
    (" 2.5 ", " 3.0 ", "001    1", "1 Novak, Jan: The points are 3.0, and the results make 2.5."),
    ("022 Harbour", "Harbour", "022", "A line begins with the three letters or figures of its record."),
    ("022 Harbour", "013 Harbour", "022", "This is a tournament of teams; only those of players"),
    ("XXR 3", "162  W 0.5    D 1.0", "XXR", "Such points for a win, a draw and a loss are not"),
]


@pytest.mark.parametrize(("old", "new", "at", "said"), FAULTS)
def test_a_fault_is_refused_with_its_line_and_player(old: str, new: str, at: str, said: str) -> None:
    lines = refusal(changed(old, new))
    line = line_of(at) + (new.count("\n"))
    assert any(each.startswith(f"line {line}") and said in each for each in lines), lines


def test_all_faults_are_told_at_once() -> None:
    lines = refusal(changed("6 w +", "6 w X").replace(b"0000 - H", b"0000 - 1"))
    assert [line.split(":")[0] for line in lines] == ["line 12, 2 Berg, Ann", "line 13, 3 Lund, Bob"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (CUP.encode("utf-16"), "This is not text in UTF-8 or Latin-1."),
        (b"\x00\x01\x02", "This is not text in UTF-8 or Latin-1."),
        (CUP.replace("Novak", "No\u202evak").encode(), "This is not text in UTF-8 or Latin-1."),
        (b"x" * (LARGEST_TRF + 1), "The file is larger than 1 MB."),
        (b"", "There is no player in it: no line begins with 001."),
        (changed("012 Autumn Cup\n", ""), "The tournament has no name: record 012."),
    ],
)
def test_a_file_that_is_none_is_refused(data: bytes, said: str) -> None:
    assert said in refusal(data)


def test_a_tournament_may_not_have_begun() -> None:
    line = f"001    1      {'Novak, Jan':66} 0.0    1"
    read = read_trf(f"012 Cup\n{line}\n".encode())
    assert (read.rounds, [player.name for player in read.players]) == (0, ["Novak, Jan"])


def test_points_of_record_299_are_those_of_the_round_and_of_none() -> None:
    """2 has 1½ for the bye of round 3, in place of ½; 1 and 2 have a penalty of ½; games are won for 1½."""
    told = "299 H         1.5  003    2\n299          -0.5  000    1    2\n299 W         1.5\n"
    data = changed("XXR 3", f"XXR 3\n{told.strip()}").decode()
    # 1 has won twice, 3 by forfeit alone, 4 once, 5 once, 2 once.
    for number, (old, new) in enumerate(
        (("2.5", "3.0"), ("2.0", "3.0"), ("1.0", "1.0"), ("1.5", "1.5"), ("1.5", "2.0")), start=1
    ):
        line = next(each for each in data.splitlines() if each.startswith(f"001    {number}"))
        data = data.replace(line, line.replace(f" {old} ", f" {new} "))
    read = read_trf(data.encode())
    assert [player.bonus for player in read.players[:3]] == [Decimal("-0.5"), Decimal("-0.5"), 0]
    assert read.points_of(read.players[1].games[2]) == Decimal("1.5")
    assert [read.points_of(game) for game in read.players[0].games] == [
        Decimal("1.5"),
        Decimal("0.5"),
        Decimal("1.5"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "299 H         1.5  003    9",  # nobody has the number
        "299 H         1.5  002    2",  # a game, not a bye
        "299 X         1.5",
        "299 H         1,x  003    2",
        "299          -0.5  000",  # whose penalty
        "299 H         1.5  three  2",
    ],
)
def test_points_of_record_299_that_nobody_can_have_are_refused(line: str) -> None:
    said = "This is malformed: points, for what result, in which round and whose."
    assert f"line {line_of('XXR') + 1}: {said}" in refusal(changed("XXR 3", f"XXR 3\n{line}"))


def test_who_is_kept_apart_and_has_virtual_points_is_read() -> None:
    """Records 250 and 260, as in the format's examples; pairs for a part of the rounds are passed over."""
    told = "250 00.0 02.0 001 002 0001 0004\n250       1.0 003 003 0001 0004\n260 001 003    1    2    5"
    read = read_trf(changed("XXR 3", f"XXR 3\n{told}\n260 001 002    3    4\n260 1"))
    assert read.virtual == [Virtual(Decimal(2), 1, 2, 4), Virtual(Decimal(1), 3, 3, 4)]
    assert read.apart == [(1, 2), (1, 5), (2, 5)]


def test_more_players_than_anybody_has_are_refused() -> None:
    lines = [f"001 {1 + at % 9999:4}      {'N':66} 0.0    1" for at in range(MOST_PLAYERS + 1)]
    said = refusal("\n".join(["012 Cup", *lines]).encode())
    assert f"line {MOST_PLAYERS + 2}, 2001 N: These are more than 2000 players." in said
