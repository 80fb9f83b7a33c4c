"""Telephones at tables of several: a link for everybody, entries of all, signed and disputed by each."""

import html
import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.urls import reverse

from league.events.entries import withdraw_entry
from league.matches.substitutes import seat_substitute
from league.matches.table_links import make_links, make_round_links, revoke_links
from league.models import Club, CountsWhen, Match, Role, TableLink
from league.policy import live_links
from scoring.core.hands import Outcome, Points
from scoring.models import Claim, Dispute, Scoresheet, SheetStatus, Signature
from scoring.services import correct_deals, stop_sheet
from scoring.services.claims import open_claims, settle_claim
from scoring.services.records import kept_sheet
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    house_rules,
)
from tests.kept import assert_derived, contents
from tests.league.phone.conftest import Seat, Sit
from tests.league.phone.forms import SCRIPT
from tests.league.phone.test_links import officer
from tests.league.table_cases import NINE, drawn, evening, names_at
from tests.pdf_text import texts

JERSEY = {
    "how-0": "knock",
    "won-0": "0",
    "by-0": "counts",
    "count0-0": "6",
    "count1-0": "18",
    "count2-0": "26",
}
HOUSE = {"captains": {"box_held": "hand"}}


def table_of(preset: str, players: int, knobs: dict[str, Any] | None = None, **values: Any) -> Match:
    club = Club.objects.filter(slug="harbour").first() or ClubFactory.create(slug="harbour", is_public=False)
    event = evening(club, NINE[:players], preset=preset, knobs=knobs, table_size=players, **values)
    (match,) = drawn(event)
    return match


@pytest.fixture
def jersey(db: None) -> Match:
    return table_of("jersey", 3, counts_when=CountsWhen.BOTH_SIGNATURES)


def sheet_of(match: Match) -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get(match=match)


def enter(client: Seat, number: int, key: str, fields: Mapping[str, str] = JERSEY, **changed: str) -> Any:
    sent = {**fields, **{f"{name}-0": value for name, value in changed.items()}, "number": number, "key": key}
    return client.post(client.at("deals/"), sent, **SCRIPT)


def said(client: Seat) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", client.get(client.at("state/")).text).split())


def turns_told(client: Seat) -> dict[str, Any]:
    told = re.search(r'data-turns="([^"]+)"', client.get(client.at()).text)
    assert told is not None
    turns: dict[str, Any] = json.loads(html.unescape(told[1]))
    return turns


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("preset", "players", "knobs"),
    [("jersey", 3, None), ("cutthroat", 4, None), ("captains", 6, HOUSE), ("basic_rummy", 5, None)],
)
def test_everybody_at_a_table_has_a_link_of_his_own(
    sit: Sit, preset: str, players: int, knobs: dict[str, Any] | None
) -> None:
    match = table_of(preset, players, knobs)
    made = make_links(actor=OPERATOR, match=match)
    assert [link.side for link, _secret in made] == list(range(players))
    for side, name in enumerate(names_at(match)):
        client = sit(side, match)
        page = client.get(client.at()).text
        assert f"You enter for {name}." in page
        assert all(other in page for other in names_at(match))


@pytest.mark.django_db
def test_cards_of_a_table_say_who_else_sits_there(jersey: Match) -> None:
    first, second, third = names_at(jersey)
    keeper = officer(jersey)
    address = reverse("round_links", args=["harbour", "evening", 1])
    printed = texts(keeper.post(address, {"what": "pdf"}).content)
    assert {first, f"with {second}, {third}", third, f"with {first}, {second}"} <= set(printed)
    shown = keeper.post(address, {"what": "make"}).text
    assert shown.count("data:image/svg+xml") == 3
    assert f"with {first}, {third}" in shown
    listed = keeper.get(reverse("match_links", args=["harbour", "evening", jersey.code])).text
    assert all(f"End this link of {name}" in listed for name in (first, second, third))


def test_links_of_a_round_are_for_tables_of_any_size(db: None) -> None:
    club = ClubFactory.create(slug="harbour")
    drawn(event := evening(club, NINE[:7], preset="cutthroat"))
    made = make_round_links(actor=OPERATOR, round_=event.rounds.get())
    assert sorted(len(links) for _match, links in made) == [3, 4]


def test_a_side_that_nobody_has_opens_nothing(sit: Sit, jersey: Match) -> None:
    client = sit(2, jersey)
    for side in (0, 1, 3, 6, 99):
        assert client.get(f"/table/{sheet_of(jersey).code}/{side}/").status_code == 404


def test_one_entry_stands_and_each_other_one_waits(sit: Sit, jersey: Match) -> None:
    """The same from the third is the same; what a second and a third tell otherwise is shown to all."""
    a, b, c = names_at(jersey)
    one, two, three = (sit(side, jersey) for side in range(3))
    assert enter(one, 1, "k1").json() == {"message": "Deal 1 is saved.", "next": 2}
    assert enter(one, 1, "k1").json()["message"] == "Deal 1 is saved."
    # In points, without the counts: 18 − 6 and 26 − 6.
    bare = {"how-0": "knock", "won-0": "0", "by-0": "points", "points1-0": "12", "points2-0": "20"}
    assert enter(two, 1, "k2", bare).json()["message"] == "Deal 1 is there already, just the same."
    other = enter(two, 1, "k3", count2="25").json()
    assert other["message"] == "Deal 1 is kept; the director decides whether it counts."
    enter(three, 1, "k4", {"how-0": "dead"})
    assert [claim.actor_name for claim in open_claims(sheet_of(jersey))] == [b, c]
    for client in (one, two, three):
        text = said(client)
        assert text.count("Deal 1 was entered twice, and not the same.") == 2
        assert f"{a} entered: {a} 32 (12 {b}, 20 {c})" in text
        assert f"{b} entered: {a} 31 (12 {b}, 19 {c})" in text
        assert f"{c} entered: dead hand" in text
    claim = open_claims(sheet_of(jersey)).first()
    assert claim is not None
    settle_claim(actor=OPERATOR, claim=claim, take=True)
    told = three.post(three.at("claim/undo/"), {"claim": Claim.objects.latest("id").pk}, **SCRIPT)
    assert told.status_code == 200
    assert f"Deal 1: {a} 31 (12 {b}, 19 {c})" in said(one)
    assert_derived(sheet_of(jersey))


def test_a_director_decides_between_entries_of_a_dead_hand(sit: Sit, jersey: Match) -> None:
    one, two = sit(0, jersey), sit(2, jersey)
    enter(one, 1, "k1", {"how-0": "dead"})
    enter(two, 1, "k2")
    page = officer(jersey, Role.DIRECTOR).get(reverse("admin:league_match_decide_claim", args=[jersey.pk]))
    shown = " ".join(page.text.split())
    assert "dead hand" in shown
    assert f"{names_at(jersey)[0]} knocks 6–18–26 for 32" in shown


def test_what_is_refused_names_its_field_and_changes_nothing(sit: Sit, jersey: Match) -> None:
    client = sit(1, jersey)
    before = contents()
    refusals: list[tuple[dict[str, str], str, str]] = [
        ({"count1": ""}, "missing_field", "count1-0"),
        ({"count0": "11"}, "illegal_knock", "knocker_deadwood"),
        ({"count2": "5"}, "not_won", "how-0"),
    ]
    for changed, code, field in refusals:
        for answer in (
            enter(client, 1, "k", JERSEY, **changed),
            client.get(
                client.at("preview/"), {**JERSEY, **{f"{n}-0": v for n, v in changed.items()}, "number": "1"}
            ),
        ):
            assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (422, code, field)
    told = client.get(client.at("preview/"), {**JERSEY, "number": "1"}).json()
    a, b, c = names_at(jersey)
    assert told == {"worth": f"{a} 32", "said": f"{a} 32 (12 {b}, 20 {c})"}
    assert contents() == before


def test_who_sits_out_neither_wins_nor_loses(sit: Sit, db: None) -> None:
    match = table_of("cutthroat", 3)
    third = names_at(match)[2]
    client = sit(2, match)
    turns = turns_told(client)
    first = turns["turns"][turns["now"]]
    assert (first["playing"], first["waiting"], turns["last"]) == ([0, 1], [2], None)
    won = {"how-0": "knock", "by-0": "points", "points-0": "12", "won-0": "0"}
    before = contents()
    refused = enter(client, 1, "k0", {**won, "pair-0": "2 0"})
    assert (refused.status_code, refused.json()["code"]) == (422, "sits_out")
    assert refused.json()["message"] == f"{third} sits out in this deal."
    assert contents() == before
    assert enter(client, 1, "k1", {**won, "pair-0": "0 1"}).status_code == 200
    assert enter(client, 2, "k2", {**won, "pair-0": "0 1"}).json()["code"] == "sits_out"
    assert enter(client, 2, "k3", {**won, "pair-0": "0 2"}).status_code == 200
    after = turns_told(client)
    assert after["turns"][after["now"]]["playing"] == [0, 1]
    # The turn before, as this telephone may take its deal back.
    assert after["turns"][after["last"]]["playing"] == [0, 2]


def test_all_sign_and_any_disputes(sit: Sit, jersey: Match) -> None:
    names = names_at(jersey)
    phones = [sit(side, jersey) for side in range(3)]
    enter(phones[1], 1, "k1")
    stop_sheet(actor=OPERATOR, sheet=sheet_of(jersey))
    text = said(phones[2])
    # 32 with a box of 25, from two: 57 + 57, and 57 less each.
    for place, name, net in ((1, names[0], "+114"), (2, names[1], "−57"), (2, names[2], "−57")):
        assert f"{place}. {name} {net} : not signed yet" in text
    version = sheet_of(jersey).version
    for side in (0, 1):
        answer = phones[side].post(phones[side].at("signature/"), {"version": version}, **SCRIPT)
        assert answer.status_code == 200
    jersey.refresh_from_db()
    assert jersey.held
    wrong = {"version": version, "sentence": "I had 24."}
    assert phones[2].post(phones[2].at("dispute/"), wrong, **SCRIPT).status_code == 200
    assert Dispute.objects.get().side == 2
    assert f"{names[2]} −57 : disputes it" in said(phones[0])
    phones[2].post(phones[2].at("dispute/end/"), {"reason": "Counted again."}, **SCRIPT)
    signed = phones[2].post(phones[2].at("signature/"), {"version": version}, **SCRIPT)
    assert signed.status_code == 200
    assert sorted(Signature.objects.values_list("side", flat=True)) == [0, 1, 2]
    jersey.refresh_from_db()
    assert jersey.is_counted


def test_level_at_first_are_told_together(sit: Sit, db: None) -> None:
    match = table_of("basic_rummy", 4, {"basic_rummy": {"settlement": "totals"}})
    a, b, _third, d = names_at(match)
    client = sit(0, match)
    out = {"how-0": "out", "count0-0": "5", "count1-0": "5", "count2-0": "5", "count3-0": "5"}
    enter(client, 1, "k1", {**out, "won-0": "0"})
    enter(client, 2, "k2", {**out, "won-0": "1"})
    stop_sheet(actor=OPERATOR, sheet=sheet_of(match))
    # 15 each to none: each of the first two wins 15 from each of the last two.
    assert f"{a}, {b} +30" in said(client)
    assert f"3. {d} −30" in said(client)


def test_a_link_that_is_ended_ends_for_one_alone(sit: Sit, jersey: Match) -> None:
    two, three = sit(1, jersey), sit(2, jersey)
    link = TableLink.objects.filter(side=2).latest("id")
    revoke_links(actor=OPERATOR, match=jersey, code=link.code)
    refused = enter(three, 1, "k1")
    assert (refused.status_code, refused.json()["code"]) == (404, "link_over")
    assert enter(two, 1, "k2").status_code == 200
    again = sit(2, jersey)
    assert enter(again, 1, "k1").json()["message"] == "Deal 1 is there already, just the same."
    revoke_links(actor=OPERATOR, match=jersey)
    assert not live_links().exists()


def test_a_sheet_that_was_stopped_meanwhile_keeps_what_comes_late(sit: Sit, db: None) -> None:
    """Deals that nobody could send before time was called wait for the director, whoever played them."""
    match = table_of("cutthroat", 3)
    client = sit(0, match)
    stop_sheet(actor=OPERATOR, sheet=sheet_of(match))
    won = {"how-0": "knock", "by-0": "points", "points-0": "12", "won-0": "1"}
    for number, pair in ((1, "0 1"), (2, "1 2")):
        told = enter(client, number, f"k{number}", {**won, "pair-0": pair}).json()
        assert told["message"] == f"Deal {number} is kept; the director decides whether it counts."
    for claim in list(open_claims(sheet_of(match))):
        settle_claim(actor=OPERATOR, claim=claim, take=True)
    a, b, c = names_at(match)
    first, second = (deal.two_handed[0] for deal in kept_sheet(sheet_of(match)).deals)
    assert (first, second) == (Points(b, a, 12, Outcome.KNOCK), Points(c, b, 12, Outcome.KNOCK))
    assert sheet_of(match).status == SheetStatus.STOPPED
    assert_derived(sheet_of(match))


def test_who_takes_over_a_seat_is_asked_for_from_then_on(sit: Sit, jersey: Match) -> None:
    gone = names_at(jersey)[2]
    client = sit(2, jersey)
    enter(client, 1, "k1")
    guest = PlayerFactory.create(club=jersey.event.club, name="Guest")
    player = jersey.side(2)[0].players.get()
    seat_substitute(actor=OPERATOR, match=jersey, replaces=player, player=guest, from_deal=2)
    page = client.get(client.at()).text
    assert "from Guest" in page
    assert f"from {gone}" not in page
    assert enter(client, 2, "k2", JERSEY, won="2", how="gin").status_code == 200
    # Against 6 and 18, with 25 from each.
    assert f"Guest gin {6 + 25 + 18 + 25}" in said(client)


def test_a_table_somebody_has_withdrawn_from_is_not_begun(sit: Sit, jersey: Match) -> None:
    client = sit(0, jersey)
    withdraw_entry(actor=OPERATOR, entry=jersey.side(1)[0], reason="ill")
    before = contents()
    refused = enter(client, 1, "k1")
    assert (refused.status_code, refused.json()["code"]) == (422, "withdrawn")
    assert contents() == before


def test_ones_own_last_deal_is_taken_back(sit: Sit, jersey: Match) -> None:
    one, two = sit(0, jersey), sit(1, jersey)
    enter(one, 1, "k1")
    assert two.post(two.at("undo/"), {"number": "1", "key": "u"}, **SCRIPT).json()["code"] == "not_yours"
    assert one.post(one.at("undo/"), {"number": "1", "key": "u"}, **SCRIPT).json()["next"] == 1
    assert enter(two, 1, "k2", {"how-0": "dead"}).json()["message"] == "Deal 1 is saved."
    correct_deals(actor=OPERATOR, sheet=sheet_of(jersey), changes={1: None}, reason="not dealt")
    assert "struck out" in said(one)
    assert_derived(sheet_of(jersey))


def test_a_table_is_opened_by_who_sits_there_with_an_account(jersey: Match) -> None:
    player = jersey.side(2)[0].players.get()
    client = officer(jersey, Role.MEMBER)
    player.user_id = client.session["_auth_user_id"]
    player.save()
    page = client.get(reverse("match", args=["harbour", "evening", jersey.code])).text
    address = reverse("phone:match_page", args=[jersey.code])
    assert address in page
    assert client.get(address)["Location"] == f"/table/{sheet_of(jersey).code}/2/"


def test_partners_with_one_pack_are_two_sides(sit: Sit, db: None) -> None:
    """RULES §8: a wins 16, the other game is dead: 16."""
    event = EventFactory.create(slug="league", team_size=2, rules=house_rules("partners_one_pack", columns=1))
    we, you = (EntryFactory.create(event=event, name=name) for name in ("We", "You"))
    match = MatchFactory.create(
        event=event, round=RoundFactory.create(event=event), entry_a=we, entry_b=you, table=1
    )
    client = sit(1, match)
    assert "data-turns" not in client.get(client.at()).text
    hands = {
        "meets-0": "0",
        "won-0": "0",
        "how-0": "knock",
        "by-0": "points",
        "points-0": "16",
        "meets-1": "1",
    }
    assert enter(client, 1, "k1", {**hands, "how-1": "dead"}).status_code == 200
    assert kept_sheet(sheet_of(match)).state.totals == (16 + 25, 0)
    again = enter(client, 2, "k2", {**hands, "how-1": "dead", "meets-1": "0"})
    assert (again.status_code, again.json()["code"], again.json()["hand"]) == (422, "player_twice", 2)
