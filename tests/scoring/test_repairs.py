"""Which slips are found behind a figure that differs: by hand, and by making every kind of slip at random."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scoring.core.rules import ExtraBoxes, Rules
from scoring.core.sheets import RunningSheet, SheetSide, SheetState
from scoring.typing.cells import NotationError, parse_cell, write_cell
from scoring.typing.notation import TypedSheet, read_rows, write_row
from scoring.typing.paper_figures import Paper, differences
from scoring.typing.repairs import MOST_FIELDS, Explanation, Repair, RepairKind, Unsearched, explain
from scoring.typing.slips import Slip, number_slips
from scoring.typing.wording import difference_words
from tests.scoring.strategies import sides

PLAYERS = (SheetSide("Eklund", ("Eklund",)), SheetSide("Castell", ("Castell",)))
HOLLYWOOD = Rules.preset("standard", columns=3)
# Columns by hand: I Eklund 102–77, II Castell 131–96, III Castell 101–71. With boxes and the bonus of 100:
# I 302–152, II 196–356, III 146–301; 150 − 160 − 155 = −165.
SHEET = "a18|b12|a25g|b30|d|a15|b35|a44g|b27u|a8 20|b6|b33"

Rows = list[tuple[str, ...]]


def repaired(repair: Repair, rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows with the repair made."""
    made = [tuple(row) for row in rows]
    index = repair.row - 1
    if repair.new is None:
        del made[index]
    elif repair.old is None:
        made.insert(index, (repair.new,))
    else:
        cells = list(made[index])
        cells[repair.cell or 0] = repair.new
        made[index] = tuple(cells)
    return made


def rows_of(text: str) -> Rows:
    return [(row,) for row in text.split("|")]


def told(text: str, paper: Paper, **options: Any) -> list[str]:
    return [str(repair.sentence) for repair in explanation(text, paper, **options).repairs]


def explanation(text: str, paper: Paper, **options: Any) -> Explanation:
    return explain(rows_of(text), paper, rules=options.pop("rules", HOLLYWOOD), sides=PLAYERS, **options)


def paper_of(text: str, **options: Any) -> Paper:
    """All that a paper can say of a sheet that was typed rightly."""
    rules = options.pop("rules", HOLLYWOOD)
    return whole_paper(read_rows(rows_of(text), rules=rules, sides=PLAYERS, **options).state)


def whole_paper(state: SheetState) -> Paper:
    totals = tuple((column.sides[0].total, column.sides[1].total) for column in state.columns)
    lines = sum(not scored.deal.is_void for scored in state.deals)
    return Paper(net=state.net, totals=totals, boxes=(state.boxes[0], state.boxes[1]), lines=lines)


SLIPS = {
    # (typed instead of SHEET): the sentence that mends it, where the paper says everything.
    "two digits swapped": ("b35", "b53", "row 7: b35, not b53?"),
    "one digit": ("a44g", "a41g", "row 8: a44g, not a41g?"),
    "a count": ("a8 20", "a8 29", "row 10: a8 20, not a8 29?"),
    "counts the wrong way round": ("a8 20", "a20 8", "row 10: a8 20, not a20 8?"),
    "the wrong side": ("a15", "b15", "row 6: a15, not b15?"),
    "a doubled line": ("b6", "b6|b6", "row 12: b6 typed twice?"),
    "a skipped line": ("b6|", "", "before row 9 (or 10, 11): b6 left out?"),
    "a skipped dead hand": ("d|", "", "before row 1 (or at 10 other places): d left out?"),
    "a digit left out": ("b12", "b1", "row 2: b12, not b1?"),
    "a digit too many": ("b6", "b66", "row 11: b6, not b66?"),
}


@pytest.mark.parametrize(("right", "wrong", "sentence"), SLIPS.values(), ids=SLIPS)
def test_explain_when_one_slip_was_made(right: str, wrong: str, sentence: str) -> None:
    assert sentence in told(SHEET.replace(right, wrong), paper_of(SHEET))


def test_explain_puts_the_likelier_slip_first() -> None:
    """A net alone leaves several; the swapped digits come before the wrong ones."""
    sentences = told(SHEET.replace("b35", "b53"), Paper(net=paper_of(SHEET).net))
    assert sentences[0] == "row 7: b35, not b53?"
    assert len(sentences) > 1


def test_explain_finds_nothing_when_sheet_and_paper_agree() -> None:
    assert told(SHEET, paper_of(SHEET)) == []


UNSEARCHED = {
    "the paper says nothing": (SHEET, Paper(), Unsearched.NO_FIGURES),
    "the paper has no net": (SHEET, Paper(no_net=True), Unsearched.NO_FIGURES),
    "a row cannot be read": (SHEET.replace("b35", "35"), Paper(net=5), Unsearched.UNREADABLE),
    "a row is empty": (SHEET.replace("b35", ""), Paper(net=5), Unsearched.UNREADABLE),
    "nothing is typed": ("", Paper(net=5), Unsearched.UNREADABLE),
}


@pytest.mark.parametrize(("text", "paper", "why"), UNSEARCHED.values(), ids=UNSEARCHED)
def test_explain_says_why_it_has_not_searched(text: str, paper: Paper, why: Unsearched) -> None:
    assert explanation(text, paper) == Explanation(unsearched=why)


def test_explain_that_searched_and_found_nothing_is_another_answer() -> None:
    assert explanation(SHEET, Paper(net=1)) == Explanation()


def test_explain_searches_long_sheets_and_says_where_it_no_longer_does() -> None:
    rules = Rules.preset("standard", columns=1, target=10_000)
    rows = ["a53"] + ["b1"] * (MOST_FIELDS - 2) + ["t"]
    paper = paper_of("|".join(["a35", *rows[1:]]), rules=rules)
    assert told("|".join(rows), paper, rules=rules)[0] == "row 1: a35, not a53?"
    longer = "|".join([*rows[:-1], "b1", "t"])
    assert explanation(longer, paper, rules=rules) == Explanation(unsearched=Unsearched.TOO_LONG)


def test_explain_searches_a_team_of_four_over_a_whole_evening() -> None:
    pair = (SheetSide("We", ("A", "B", "C", "D")), SheetSide("They", ("E", "F", "G", "H")))
    rules = Rules.preset("standard", columns=1, target=10_000)
    right: Rows = [("a16", "b12", "a7", "b3")] * 21 + [("t",)]
    paper = Paper(net=read_rows(right, rules=rules, sides=pair).state.net)
    wrong = [*right[:5], ("a61", "b12", "a7", "b3"), *right[6:]]
    found = explain(wrong, paper, rules=rules, sides=pair)
    assert str(found.repairs[0].sentence) == "row 6, table 1: a16, not a61?"


def test_explain_counts_no_struck_row_as_a_line() -> None:
    """A correction keeps struck rows; what the paper counts is the others."""
    paper = paper_of("a18|v|b12|a25g")
    assert paper.lines == 3
    assert any("a25 left out" in sentence for sentence in told("a18|v|b12", paper))


def test_explain_finds_nothing_when_the_players_added_wrongly() -> None:
    paper = paper_of(SHEET)
    assert told(SHEET, Paper(net=1, boxes=paper.boxes, lines=paper.lines, totals=((1, 1),))) == []


def test_explain_mends_a_slip_that_ended_the_sheet_too_early() -> None:
    sheet = SHEET.replace("b6|", "b96|")
    assert read_rows(rows_of(sheet), rules=HOLLYWOOD, sides=PLAYERS).errors
    assert "row 11: b6, not b96?" in told(sheet, paper_of(SHEET))


def test_explain_mends_a_running_total_and_with_it_the_next() -> None:
    totals = "a18|b12|a43g|b42|d|a58|b77|a102g|b92u|a8 20|b98|b131"
    paper = paper_of(totals, running_totals=True)
    assert told(totals.replace("b42", "b24"), paper, running_totals=True)[0] == "row 4: b42, not b24?"
    # Lower than what stood there: the row itself is refused until it is mended.
    assert told(totals.replace("a58", "a38"), paper, running_totals=True)[0] == "row 6: a58, not a38?"
    # Whatever the missing total was, the next one makes up for it.
    assert "before row 4 (or 5, 6, 7): a line left out, a… with whatever the paper has there?" in told(
        totals.replace("a58|", ""), paper, running_totals=True
    )


def test_explain_finds_the_mark_that_was_forgotten() -> None:
    rules = Rules.preset("standard", columns=3, extra_boxes={"gin": 1})
    sentences = told(SHEET.replace("a25g", "a25"), paper_of(SHEET, rules=rules), rules=rules)
    assert sentences == ["row 3: a25g, not a25?"]


def test_explain_finds_the_undercut_that_was_forgotten() -> None:
    # Without its mark nothing is taken off b; of 25 the mark tells which of the two has them.
    rules = Rules(undercut_penalty="bonus")
    right = "b40|a6u|b30|a60|a50"
    found = told(right.replace("a6u", "a6"), paper_of(right, rules=rules), rules=rules)
    assert found[0] == "row 2: a6u, not a6?"
    rules = Rules(undercut_penalty="all")
    right = "b40|a31u|b30|a60|a50"
    assert "row 2: a31u, not a31?" in told(
        right.replace("a31u", "a31"), paper_of(right, rules=rules), rules=rules
    )


def test_explain_finds_the_undercut_that_was_left_out() -> None:
    # 40 − 25 for b, and 0 points but a box for a: equal counts. The figures say nothing of its place.
    rules = Rules(undercut_penalty="bonus")
    right = "b40|a0u|b30|a60|a50"
    assert "before row 1 (or 2, 3, 4): a0u left out?" in told(
        right.replace("a0u|", ""), paper_of(right, rules=rules), rules=rules
    )
    rules = Rules(undercut_penalty="all")
    right = "b40|a31u|b65|a60|a50"
    # As typed b had ended it with 105, and the rows after that are refused.
    assert "before row 1 (or 2): a31u left out?" in told(
        right.replace("a31u|", ""), paper_of(right, rules=rules), rules=rules
    )


def test_explain_finds_a_line_that_would_end_the_sheet_too_early_with_fewer_points() -> None:
    # With 1 or 2 a penalty is taken off in I, and a wins III a row too soon; with 34 I has been won by then.
    rules = Rules(
        columns=3,
        undercut_penalty="bonus",
        box_credit="at_once",
        team_target=100,
        extra_boxes=ExtraBoxes(gin=1, undercut=2),
    )
    right = "a34|a42|b28|b3u|ag 49|a5"
    wrong = right.replace("a34|", "")
    assert read_rows(rows_of(f"a1|{wrong}"), rules=rules, sides=PLAYERS).errors
    found = told(wrong, paper_of(right, rules=rules), rules=rules)
    assert any(sentence.startswith("before row 1") and "a34 left out" in sentence for sentence in found)


def test_explain_writes_points_where_the_running_total_is_below_0() -> None:
    # 25 off b, or twice 25, and 10 for him: no total below 0 can be typed, but in the first row 10 is one.
    rules = Rules(undercut_penalty="bonus")
    right = "a2u|a5u|b10!|a60|a105"
    found = told(
        right.replace("|b10!", ""),
        paper_of(right, rules=rules, running_totals=True),
        rules=rules,
        running_totals=True,
    )
    assert "before row 2 (or 3, 4): b10! left out?" in found


def test_explain_finds_a_line_left_out_of_a_match_of_deals() -> None:
    # 60 to 70 after five, and 60 to 55 without it: b has won, wherever it stood.
    rules = Rules(deals=5)
    right = "a20|b30|a40|b15|b25"
    assert "before row 1 (or at 4 other places): b15 left out?" in told(
        right.replace("|b15", ""), paper_of(right, rules=rules), rules=rules
    )


def test_explain_finds_the_spade_that_was_forgotten() -> None:
    rules = Rules.preset("standard", columns=3, spades_double=True)
    right = SHEET.replace("a8 20", "a8 20s")
    sentences = told(SHEET, paper_of(right, rules=rules), rules=rules)
    assert "row 10: a8 20s, not a8 20?" in sentences


def test_explain_finds_that_time_was_called() -> None:
    assert told("a50|b20", paper_of("a50|b20|t"))[0] == "after row 2: t, was time called?"


def test_explain_works_table_by_table_for_teams() -> None:
    pair = sides(2)
    right = [("a16", "b12"), ("b13", "ag 5"), ("a60", "a70")]
    paper = whole_paper(read_rows(right, rules=Rules(), sides=pair).state)
    wrong = [right[0], ("b31", "ag 5"), right[2]]
    repairs = explain(wrong, paper, rules=Rules(), sides=pair).repairs
    assert str(repairs[0].sentence) == "row 2, table 1: b13, not b31?"
    assert repaired(repairs[0], wrong) == right
    repairs = explain([right[0], right[2]], paper, rules=Rules(), sides=pair).repairs
    assert "before row 1 (or 2): la17 left out?" in [str(repair.sentence) for repair in repairs]


def test_explain_writes_lines_without_their_l_where_rows_have_none() -> None:
    pair = sides(2)
    right = [("a16",), ("b31 2",), ("a110",)]
    paper = whole_paper(read_rows(right, rules=Rules(), sides=pair, lines_only=True).state)
    wrong = [right[0], ("b13 2",), right[2]]
    (first, *_) = explain(wrong, paper, rules=Rules(), sides=pair, lines_only=True).repairs
    assert str(first.sentence) == "row 2: b31 2, not b13 2?"
    (left_out, *_) = explain([right[0], right[2]], paper, rules=Rules(), sides=pair, lines_only=True).repairs
    assert str(left_out.sentence) == "before row 1 (or 2): b31 2 left out?"


def test_number_slips_are_ranked_and_never_repeated() -> None:
    slips = list(number_slips(53))
    assert slips[0] == (Slip.SWAPPED, 0, 35)
    assert (Slip.DIGIT, 0, 63) in slips
    assert (Slip.DIGIT, 1, 93) in slips
    assert (Slip.LENGTH, 1, 5) in slips
    assert (Slip.LENGTH, 0, 553) in slips
    figures = [figure for _, _, figure in slips]
    assert len(figures) == len(set(figures))
    assert 53 not in figures


def test_differences_are_said_in_words() -> None:
    state = read_rows(rows_of(SHEET), rules=HOLLYWOOD, sides=PLAYERS).state
    paper = Paper(net=-96, totals=((None, 235),), boxes=(5, 7), lines=13)
    assert [str(difference_words(difference, state)) for difference in differences(state, paper)] == [
        "The sheet gives Castell 165, the paper 96.",
        "Game I, Castell: the sheet gives 152, the paper 235.",
        "Boxes of Castell, each win once: the sheet has 6, the paper 7.",
        "The sheet has 12 rows, the paper 13.",
    ]
    (turned,) = differences(state, Paper(net=20))
    assert str(difference_words(turned, state)).endswith("the paper Eklund 20.")
    (level,) = differences(state, Paper(net=0))
    assert str(difference_words(level, state)).endswith("the paper neither anything.")


@dataclass(frozen=True)
class Evening:
    """A sheet as it should have been typed, and how it is read."""

    rows: Rows
    rules: Rules
    pair: tuple[SheetSide, SheetSide]
    running_totals: bool

    def read(self, rows: Sequence[Sequence[str]]) -> TypedSheet:
        return read_rows(rows, rules=self.rules, sides=self.pair, running_totals=self.running_totals)

    def explain(self, rows: Sequence[Sequence[str]], paper: Paper) -> tuple[Repair, ...]:
        options: dict[str, Any] = {"rules": self.rules, "sides": self.pair}
        return explain(rows, paper, running_totals=self.running_totals, **options).repairs


@st.composite
def evenings(draw: st.DrawFn, sizes: tuple[int, ...] = (1, 1, 1, 2), totals: bool = True) -> Evening:
    """A whole sheet under house rules of any kind, finished or stopped, points or running totals."""
    box_credit = draw(st.sampled_from(["at_end", "at_end", "at_once"]))
    columns = draw(st.sampled_from([1, 3]))
    rules = Rules.preset(
        draw(st.sampled_from(["standard", "continental", "classic", "tournament"])),
        columns=columns,
        deals=draw(st.sampled_from([None, None, 12])) if columns == 1 else None,
        undercut_penalty=draw(st.sampled_from(["none", "none", "bonus", "all"])),
        target=draw(st.sampled_from([100, 150])),
        box_credit=box_credit,
        extra_boxes=draw(st.sampled_from([{}, {"gin": 1, "undercut": 2}])),
        last_column_double=draw(st.booleans()),
        team_scoring=draw(st.sampled_from(["net", "sum"])),
    )
    pair = sides(draw(st.sampled_from(sizes)))
    size = len(pair[0].players)
    running_totals = totals and size == 1 and draw(st.booleans())
    random = Random(draw(st.integers(0, 10**6)))
    sheet = RunningSheet(rules, pair)
    rows: Rows = []
    length = random.randint(3, 40)
    while not sheet.is_finished and len(rows) < length:
        fields = tuple([_hand(random, rules) for _ in range(size)])
        before = sheet.copy()
        read = read_rows([*_plain(before, rules, pair), fields], rules=rules, sides=pair)
        (score,) = read.state.deals[-1:]
        sheet.add(score.deal)
        if running_totals and fields[0][0] in "ab" and " " not in fields[0]:
            line = sheet.settle().deals[-1].lines[0]
            side = int(line.side != pair[0].name)
            entry = sheet.settle().columns[line.columns[0] - 1].sides[side].entries[-1]
            letter, mark = fields[0][0], fields[0].lstrip("ab0123456789")
            if mark == "u" and rules.undercut_penalty == "all":
                # What is taken off adds to no total.
                figure = fields[0][1:-1]
            elif entry.running < 0:
                figure = f"{fields[0][1:].removesuffix(mark)}!"
            else:
                figure = str(entry.running)
            fields = (f"{letter}{figure}{mark}",)
        rows.append(fields)
    if not sheet.is_finished:
        rows.append(("t",))
    return Evening(rows, rules, pair, running_totals)


def _plain(sheet: RunningSheet, rules: Rules, pair: tuple[SheetSide, SheetSide]) -> Rows:
    return [write_row(deal.deal, deal.number, rules=rules, sides=pair) for deal in sheet.settle().deals]


def _hand(random: Random, rules: Rules) -> str:
    side = random.choice("ab")
    match random.randrange(10):
        case 0:
            return "d"
        case 1:
            return f"{side}{random.randint(25, 70)}g"
        case 2:
            bonus = 0 if rules.undercut_penalty == "bonus" else 25
            return f"{side}{random.randint(bonus, bonus + 10)}u"
        case 3:
            return f"{side}{random.randint(0, 10)} {random.randint(0, 50)}"
        case 4:
            return f"{side}g {random.randint(0, 60)}"
        case _:
            return f"{side}{random.randint(1, 60)}"


def lines_of(evening: Evening, rows: Sequence[Sequence[str]]) -> list[Any]:
    return [deal.lines for deal in evening.read(rows).state.deals]


def restores(evening: Evening, repair: Repair, wrong: Rows) -> bool:
    """Whether the repair, at one of the places it names, makes the lines of the sheet as it should be."""
    right = lines_of(evening, evening.rows)
    if repair.kind is not RepairKind.SKIPPED:
        return lines_of(evening, repaired(repair, wrong)) == right
    assert repair.new is not None
    if repair.is_partial:
        return any(
            [*wrong[: row - 1], evening.rows[row - 1], *wrong[row - 1 :]] == evening.rows
            for row in repair.rows
            if evening.rows[row - 1 : row]
        )
    return any(
        lines_of(evening, [*wrong[: row - 1], (repair.new,), *wrong[row - 1 :]]) == right
        for row in repair.rows
    )


def slip_in_a_field(evening: Evening, random: Random, kind: str) -> Rows | None:
    """The rows with one field wrong; None where there is nothing to get wrong in that way."""
    index = random.randrange(len(evening.rows))
    place = random.randrange(len(evening.rows[index]))
    text = evening.rows[index][place]
    places = [number for number, key in enumerate(text) if key.isdigit()]
    keys = list(text)
    if kind == "side":
        if text[0] not in "ab":
            return None
        keys[0] = "b" if text[0] == "a" else "a"
    elif kind == "digit" and places:
        keys[random.choice(places)] = random.choice("0123456789")
    elif kind == "swap" and len(places) > 1:
        first = random.choice(places[:-1])
        if first + 1 not in places:
            return None
        keys[first], keys[first + 1] = keys[first + 1], keys[first]
    else:
        return None
    # Nobody types 008; as a figure it is two digits away from 108.
    if re.search(r"(?<!\d)0\d\d", "".join(keys)):
        return None
    fields = list(evening.rows[index])
    fields[place] = "".join(keys)
    return [*evening.rows[:index], tuple(fields), *evening.rows[index + 1 :]]


def check_offers(evening: Evening, wrong: Rows, paper: Paper) -> None:
    """Every repair makes the paper's sheet, and one of them the true one."""
    try:
        assume([tuple([write_cell(parse_cell(text)) for text in row]) for row in wrong] != evening.rows)
    except NotationError:
        assume(False)
    read = evening.read(wrong)
    assume(read.errors or differences(read.state, paper))
    offered = evening.explain(wrong, paper)
    for repair in offered:
        assert repair.row in repair.rows
        if repair.is_partial:
            continue
        mended = evening.read(repaired(repair, wrong))
        assert not mended.errors
        assert not differences(mended.state, paper)
    assert any(restores(evening, repair, wrong) for repair in offered)


def papers(evening: Evening) -> st.SearchStrategy[Paper]:
    """What a careful or a careless paper says of the sheet."""
    whole = whole_paper(evening.read(evening.rows).state)
    return st.sampled_from([whole, Paper(net=whole.net), Paper(net=whole.net, lines=whole.lines)])


@pytest.mark.dear("tries every repair of whole evenings")
@given(evenings(), st.sampled_from(["side", "digit", "swap"]), st.integers(0, 10**6), st.data())
def test_a_slip_in_a_field_is_always_among_the_repairs(
    evening: Evening, kind: str, seed: int, data: st.DataObject
) -> None:
    wrong = slip_in_a_field(evening, Random(seed), kind)
    assume(wrong is not None)
    assert wrong is not None
    check_offers(evening, wrong, data.draw(papers(evening)))


@given(evenings(), st.integers(0, 39), st.data())
def test_a_doubled_row_is_always_among_the_repairs(evening: Evening, index: int, data: st.DataObject) -> None:
    assume(index < len(evening.rows) and evening.rows[index] != ("t",))
    # A second line with the same running total is one of no points, which changes boxes alone.
    wrong = [*evening.rows[: index + 1], *evening.rows[index:]]
    check_offers(evening, wrong, data.draw(papers(evening)))


@pytest.mark.dear("looks for repairs of many evenings")
@given(evenings(sizes=(1,)), st.integers(0, 39), st.data())
def test_a_skipped_row_is_always_among_the_repairs(evening: Evening, index: int, data: st.DataObject) -> None:
    assume(index < len(evening.rows) and evening.rows[index] != ("t",))
    wrong = [*evening.rows[:index], *evening.rows[index + 1 :]]
    assume(wrong)
    check_offers(evening, wrong, data.draw(papers(evening)))
