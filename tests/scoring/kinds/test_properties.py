"""What holds for every sheet of every kind of game, whatever its rules, its sides and its deals."""

import json
from itertools import accumulate
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.rules import Rules
from scoring.core.sheets import RunningSheet
from scoring.documents.sheets import DealReader, deal_document, read_deals, score_document
from scoring.documents.sides import read_sides
from tests.scoring.kinds import slow
from tests.scoring.kinds.strategies import KINDS, Sheet, seated, sheets
from tests.scoring.strategies import sheets as two_sided

every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
@given(data=st.data(), stopped=st.booleans())
def test_sheet_is_what_the_slow_scorer_says(kind: str, data: st.DataObject, stopped: bool) -> None:
    for _ in range(3):
        check_sheet(data.draw(sheets(kind)), stopped)


def check_sheet(sheet: Sheet, stopped: bool) -> None:
    answer = score_document({**sheet, "stopped": stopped})
    said = slow.score(Rules.from_document(sheet["rules"]), sheet["sides"], sheet["deals"])
    check_lines(answer, said)
    check_column(answer["columns"], said)
    check_settlement(answer, said, "finished" if said.ended is not None else "stopped" if stopped else "open")
    check_tables(sheet, said)
    if answer["status"] != "open":
        assert "next" not in answer
        return
    table, number = said.tables[-1], len(sheet["deals"]) + 1
    assert answer["next"] == {
        "playing": [seated(sheet["sides"][seat], number) for seat in table.playing],
        "waiting": [seated(sheet["sides"][seat], number) for seat in table.waiting],
        "dealer": seated(sheet["sides"][table.dealer], number),
    }


def check_lines(answer: dict[str, Any], said: slow.Sheet) -> None:
    assert [deal.get("counted", True) for deal in answer["deals"]] == said.counted
    lines = [
        (deal["number"], line["side"], line["points"], line["boxes"], line.get("from", {}))
        for deal in answer["deals"]
        for line in deal["lines"]
    ]
    assert lines == [entry[:5] for entry in said.entries]


def check_column(columns: list[dict[str, Any]], said: slow.Sheet) -> None:
    (column,) = columns
    assert column["closed_by_deal"] == said.ended
    if said.winner is not None:
        assert column["winner"] == said.winner
    at_once = said.box_bonus if said.rules.box_credit == "at_once" else 0
    for side in column["sides"]:
        own = [entry for entry in said.entries if entry[1] == side["name"]]
        running = accumulate(points + boxes * at_once for _deal, _side, points, boxes, *_ in own)
        assert side["entries"] == [
            {"deal": entry[0], "points": entry[2], "running": now}
            for entry, now in zip(own, running, strict=True)
        ]
        assert (side["points"], side["boxes"]) == (said.points(side["name"]), said.boxes(side["name"]))


def check_settlement(answer: dict[str, Any], said: slow.Sheet, status: str) -> None:
    """Totals, nets, places and the winner; the nets add up to 0."""
    is_open = status == "open"
    assert answer["status"] == status
    assert answer["totals"] == {name: said.total(name) for name in said.names}
    assert answer["net"] == {name: 0 if is_open else said.net(name) for name in said.names}
    assert sum(answer["net"].values()) == 0
    places = {name: said.place(name, is_open=is_open) for name in said.names}
    assert answer.get("places", places) == places
    assert ("places" in answer) == (len(places) > 2)
    first = [name for name, place in places.items() if place == 1]
    assert answer["winner"] == (first[0] if not is_open and len(first) == 1 else None)


def check_tables(sheet: Sheet, said: slow.Sheet) -> None:
    """Who plays, waits and deals before each deal."""
    rules = Rules.from_document(sheet["rules"])
    sides = read_sides(sheet["sides"], rules)
    running = RunningSheet(rules, sides, surplus="keep")
    for deal, table in zip(read_deals(sheet["deals"], sides, rules), said.tables[:-1], strict=True):
        now = running.table
        assert now is not None
        assert ([*now.playing], [*now.waiting], now.dealer) == (table.playing, table.waiting, table.dealer)
        running.add(deal)


@every_kind
@given(data=st.data(), anyone=st.booleans())
def test_deals_read_back_as_they_were_written(kind: str, data: st.DataObject, anyone: bool) -> None:
    sheet = data.draw(sheets(kind, most=6))
    rules = Rules.from_document(sheet["rules"])
    reader = DealReader(read_sides(sheet["sides"], rules), rules, anyone=anyone)
    for number, document in enumerate(sheet["deals"], start=1):
        deal = reader.read(document, number)
        written = deal_document(deal)
        assert written == document
        assert reader.read(json.loads(json.dumps(written)), number) == deal


@every_kind
@given(data=st.data())
def test_rules_of_an_answer_score_the_same_again(kind: str, data: st.DataObject) -> None:
    sheet = data.draw(sheets(kind, most=4))
    answer = score_document(sheet)
    assert score_document({**sheet, "rules": answer["rules"]}) == answer
    assert json.loads(json.dumps(answer)) == answer


@every_kind
@given(data=st.data(), count=st.integers(0, 10))
def test_sheet_goes_on_from_any_deal_alike(kind: str, data: st.DataObject, count: int) -> None:
    sheet = data.draw(sheets(kind, most=10))
    rules = Rules.from_document(sheet["rules"])
    sides = read_sides(sheet["sides"], rules)
    deals = read_deals(sheet["deals"], sides, rules)
    running = RunningSheet(rules, sides, surplus="keep")
    for deal in deals[:count]:
        running.add(deal)
    before, other = running.settle(stopped=True), running.copy()
    for deal in deals[count:]:
        other.add(deal)
    assert running.settle(stopped=True) == before
    after = other.settle(stopped=True)
    assert after.deals[:count] == before.deals
    if before.status == "finished":
        assert (after.columns, after.nets, after.places) == (before.columns, before.nets, before.places)


def renamed(document: Any, names: dict[str, str]) -> Any:
    """A document with other names, wherever they stand."""
    if isinstance(document, dict):
        return {names.get(name, name): renamed(value, names) for name, value in document.items()}
    if isinstance(document, list):
        return [renamed(one, names) for one in document]
    return names.get(document, document) if isinstance(document, str) else document


@pytest.mark.parametrize("kind", ["jersey", "basic_rummy"])
@given(data=st.data(), steps=st.integers(1, 5))
def test_moving_everybody_on_moves_every_figure(kind: str, data: st.DataObject, steps: int) -> None:
    """Where all play at once no seat is better than another, but for who deals."""
    sheet = data.draw(sheets(kind, most=8))
    sides = sheet["sides"][steps:] + sheet["sides"][:steps]
    one = score_document({**sheet, "stopped": True})
    other = score_document({**sheet, "sides": sides, "stopped": True})
    for figure in ("net", "totals", "places", "winner", "status"):
        assert one.get(figure) == other.get(figure)
    for deal, moved in zip(one["deals"], other["deals"], strict=True):
        # Only of what all lose does the order begin with the first seat.
        assert sorted(deal["lines"], key=str) == sorted(moved["lines"], key=str)


@given(data=st.data(), stopped=st.booleans(), columns=st.integers(1, 3))
def test_captains_for_the_game_are_two_sided_gin(data: st.DataObject, stopped: bool, columns: int) -> None:
    """Whoever is captain, the sheet is that of one player for all of them, settled with each."""
    sheet = data.draw(sheets("captains", captains={"box_held": "game"}))
    knobs: dict[str, Any] = {**sheet["rules"], "columns": columns}
    if columns > 1:
        knobs["deals"] = None
    alone, *partners = sheet["sides"]
    substitutes = [one for side in partners for one in side.get("substitutes", [])]
    team = {"name": "We", "players": [side["name"] for side in partners], "substitutes": substitutes}
    asked = {**sheet, "rules": knobs, "sides": [alone, team], "stopped": stopped}
    answer = score_document(asked)
    one_for_all = dict.fromkeys((*team["players"], *(one["player"] for one in substitutes)), "We")
    one_for_all |= {one["player"]: alone["name"] for one in alone.get("substitutes", [])}
    two = {
        "rules": {name: value for name, value in knobs.items() if name not in ("kind", "captains")},
        "sides": [{"name": alone["name"]}, {"name": "We"}],
        "deals": renamed(sheet["deals"], one_for_all),
    }
    gin = score_document({**asked, **two})
    net = gin["net"][alone["name"]] * len(partners)
    assert answer["net"] == {alone["name"]: net, "We": -net}
    for part in ("status", "winner", "totals", "columns_won"):
        assert answer[part] == gin[part]
    assert [deal["lines"] for deal in answer["deals"]] == [deal["lines"] for deal in gin["deals"]]
    for one, other in zip(answer["columns"], gin["columns"], strict=True):
        assert one == {**other, "result": other["result"] * len(partners)}


@given(two_sided(most=12, sizes=(2,)))
def test_one_pack_is_scored_as_teams_are(sheet: Any) -> None:
    rules, sides, deals = sheet
    document = {
        "rules": rules.to_document(),
        "sides": [{"name": side.name, "players": list(side.players)} for side in sides],
        "deals": [deal_document(deal) for deal in deals],
        "surplus": "keep",
    }
    gin = score_document(document)
    one_pack = score_document({**document, "rules": {**document["rules"], "kind": "partners_one_pack"}})
    assert one_pack.pop("rules")["packs"] == "shared"
    gin.pop("rules")
    assert one_pack == gin
