"""Events of tables of three to six, through the services: drawn, played, ranked, told."""

import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from league.demo.hands import whole_sheet
from league.draws.forfeits import award_walkover
from league.draws.planning import plan_next_round
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round, repair_round
from league.draws.round_swaps import swap_entries
from league.entry.tray import TrayState, tray_of
from league.errors import LeagueError
from league.events.entries import withdraw_entry
from league.events.events import change_event, create_event
from league.events.house_rules import make_club_rules
from league.matches.line_ups import set_line_up
from league.matches.matches import renew_sheet
from league.models import Club, CountsWhen, Match, MatchState, Player, Standing
from league.people.erasing import erase_person
from league.policy.naming import AS_WRITTEN
from league.tables.latest import result_line
from league.tables.ratings import current_ratings
from league.tables.ratings import recalculate as recalculate_ratings
from scoring.models import SheetStatus
from scoring.services import correct_deals, record_deals, sign_sheet, void_sheet
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.entry_drafts import draft_of, echo, save
from tests.factories import OPERATOR, PlayerFactory, UserFactory, house_rules, sheet_of
from tests.league.table_cases import NINE, drawn, evening, names_at, play_jersey
from tests.league.test_pages import read
from tests.pdf_text import texts
from tests.refusals import refuses
from tests.scoring.kinds import slow

pytestmark = pytest.mark.django_db


def play_whole(match: Match) -> None:
    """Hands by chance, up to the end of the sheet."""
    assert match.sheet is not None
    kept = kept_sheet(match.sheet)
    deals = whole_sheet(kept.sheet.rules.rules, kept.sides, random.Random(match.label))
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=deals)
    match.refresh_from_db()


def points_by_hand(places: Sequence[int], worth: Sequence[int]) -> list[Fraction]:
    """Places shared share their points, to the hundredth, halves up."""
    told = []
    for place in places:
        level = places.count(place)
        shared = [worth[min(each, len(worth)) - 1] for each in range(place, place + level)]
        told.append(Fraction(int(Fraction(sum(shared), level) * 100 + Fraction(1, 2)), 100))
    return told


def test_a_jersey_league_of_six_rounds_has_the_table_of_another_computation(club: Club) -> None:
    """Sheets are scored by the slow scorer of RULES §8, points and order added up here."""
    event = evening(club, rounds_planned=6)
    points: dict[str, Fraction] = defaultdict(Fraction)
    nets, wins, hands = Counter[str](), Counter[str](), Counter[str]()
    met = Counter[tuple[str, str]]()
    rules = event.rules.rules
    for number in range(1, 7):
        matches = drawn(event)
        assert [len(match.sides) for match in matches] == [3, 3, 3]
        assert sorted(name for match in matches for name in names_at(match)) == list(NINE)
        for match in matches:
            names = names_at(match)
            met.update(combinations(sorted(names), 2))
            order = [names[(number + turn) % 3] for turn in (0, 0, 1)]
            played = play_jersey(match, *order, seed=number)
            sides, deals = [{"name": name} for name in names], [{"hands": [hand]} for hand in played]
            scored = slow.score(rules, sides, deals)
            told = [scored.net(name) for name in names]
            places = [1 + sum(other > net for other in told) for net in told]
            assert [tuple(figures[:2]) for figures in match.at_table] == list(zip(places, told, strict=True))
            for name, place, given in zip(names, places, points_by_hand(places, (3, 1, 0)), strict=True):
                points[name] += given
                wins[name] += place == 1 and places.count(1) == 1
            nets.update(dict(zip(names, told, strict=True)))
            hands.update(order)
    # Four rounds of nine at tables of three are an affine plane; two more make a second meeting.
    assert sorted(Counter(met.values()).items()) == [(1, 18), (2, 18)]
    recalculate(event.pk)
    rows = list(Standing.objects.filter(event=event).select_related("entry").order_by("position"))
    order = sorted(NINE, key=lambda name: (points[name], nets[name], wins[name], hands[name]), reverse=True)
    assert [row.entry.name for row in rows] == order
    assert {row.entry.name: Fraction(row.points) for row in rows} == points
    assert {row.entry.name: row.net for row in rows} == nets
    assert {row.entry.name: row.wins for row in rows} == wins
    assert {row.played for row in rows} == {6}


def test_seven_sit_at_a_table_of_three_and_one_of_four(club: Club) -> None:
    event = evening(club, NINE[:7], preset="cutthroat")
    matches = drawn(event)
    assert sorted(len(match.sides) for match in matches) == [3, 4]
    assert not event.matches.filter(state=MatchState.BYE).exists()


def test_who_sits_out_where_no_table_is_left_has_no_points_by_default(club: Club) -> None:
    event = evening(club, NINE[:7])
    for _number in range(7):
        for match in drawn(event):
            play_jersey(match, names_at(match)[0])
    byes = event.matches.filter(state=MatchState.BYE)
    assert sorted(byes.values_list("entry_a__name", flat=True)) == list(NINE[:7])
    recalculate(event.pk)
    # Fourteen tables of 3 + 1 + 0, but for what is lost where three share a place; rests are worth nothing.
    assert 55.9 <= sum(row.points for row in Standing.objects.filter(event=event)) <= 56


def test_by_points_those_who_have_as_many_sit_together(club: Club) -> None:
    event = evening(club, format="tables_swiss")
    first = drawn(event)
    for match in first:
        play_jersey(match, names_at(match)[0])
    winners = {names_at(match)[0] for match in first}
    seconds = {
        match.side(side)[0].name for match in first for place, side, _net in match.by_place if place == 2
    }
    second = drawn(event)
    assert set(names_at(second[0])) == winners
    assert set(names_at(second[1])) == seconds or len(seconds) != 3


def test_one_table_is_an_event_of_one_round(club: Club) -> None:
    event = evening(
        club, NINE[:3], preset="captains", knobs={"captains": {"box_held": "hand"}}, rounds_planned=1
    )
    (match,) = drawn(event)
    assert sheet_of(match).sides.count() == 3
    with pytest.raises(LeagueError, match="it is paired"):
        plan_next_round(event)


@pytest.mark.parametrize("preset", ["standard"])
def test_a_game_of_two_is_refused(club: Club, preset: str) -> None:
    rules = make_club_rules(actor=OPERATOR, club=club, name="Two", rules=house_rules(preset).rules)
    with refuses(LeagueError, "no_tables"):
        create_event(actor=OPERATOR, club=club, name="E", slug="e", rules=rules.rules, format="tables")


def test_criteria_of_two_are_refused(club: Club) -> None:
    event = evening(club)
    with pytest.raises((LeagueError, ValidationError)) as refused:
        change_event(actor=OPERATOR, event=event, criteria=["match_points", "buchholz"])
    assert "has no meaning" in str(refused.value)


@pytest.mark.parametrize("written", ["", "3 a", "1 3", "101", "3,1,0", "1 1 1 1 1 1 1", "0.125"])
def test_points_by_place_that_say_nothing_are_refused(club: Club, written: str) -> None:
    event = evening(club)
    with pytest.raises((LeagueError, ValidationError)):
        change_event(actor=OPERATOR, event=event, place_points=written)
    event.refresh_from_db()
    assert event.place_points == "3 1 0"


def test_points_by_place_are_the_clubs(club: Club) -> None:
    event = evening(club, NINE[:3], rounds_planned=1)
    (match,) = drawn(event)
    first, second, _third = names_at(match)
    play_jersey(match, first, first, second)
    change_event(actor=OPERATOR, event=event, place_points="5 2.5 -1")
    recalculate(event.pk)
    rows = Standing.objects.filter(event=event).order_by("position")
    places = [place for place, _side, _net in match.by_place]
    assert places == [1, 2, 3]
    assert [float(row.points) for row in rows] == [5, 2.5, -1]


def test_all_sign_before_it_counts(club: Club) -> None:
    event = evening(club, NINE[:3], counts_when=CountsWhen.BOTH_SIGNATURES)
    (match,) = drawn(event)
    play_jersey(match, names_at(match)[0])
    for side in range(3):
        assert match.held
        sign_sheet(actor=OPERATOR, sheet=sheet_of(match), sides=[side])
        match.refresh_from_db()
    assert not match.held


def test_a_table_is_not_forfeited(club: Club) -> None:
    (match, *_more) = drawn(evening(club))
    with refuses(LeagueError, "at_table"):
        award_walkover(actor=OPERATOR, match=match, winner_side=0, reason="gone")


def test_a_voided_sheet_leaves_nothing_at_the_table(club: Club) -> None:
    event = evening(club, NINE[:3])
    (match,) = drawn(event)
    play_jersey(match, names_at(match)[0])
    assert match.at_table
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="wrong people")
    match.refresh_from_db()
    assert (match.at_table, match.winner_side, match.sheet.status) == ([], None, SheetStatus.VOID)


def test_pages_show_the_table_with_places(client: Client, club: Club) -> None:
    event = evening(club, NINE[:3])
    (match,) = drawn(event)
    names = names_at(match)
    text = read(client, "round", "harbour", "evening", 1)
    assert all(name in text for name in names)
    play_jersey(match, names[1])
    recalculate(event.pk)
    assert f"1. {names[1]}" in read(client, "round", "harbour", "evening", 1)
    assert f"1. {names[1]}" in result_line(match, AS_WRITTEN)
    assert ", ".join(names) in read(client, "match", "harbour", "evening", match.code)
    assert names[0] in read(client, "event", "harbour", "evening")
    player = Player.objects.get(name=names[1])
    told = read(client, "player", "harbour", player.code)
    assert f"{names[0]}, {names[2]}" in told
    assert "1 of 3" in told
    assert " 0–0" not in told


def test_the_api_tells_places_and_nets_by_side(client: Client, club: Club) -> None:
    (match,) = drawn(evening(club, NINE[:3]))
    play_jersey(match, names_at(match)[2])
    answer = client.get(f"/api/v1/matches/{match.code}/").json()
    assert [side["name"] for side in answer["sides"]] == names_at(match)
    assert [[side["place"], side["net"]] for side in answer["sides"]] == [each[:2] for each in match.at_table]
    assert (answer["winner"], answer["net"]) == (2, None)


def test_ratings_go_by_places(club: Club) -> None:
    """Who came first gains, who came last loses; of three who have played nothing yet the second stays."""
    (match,) = drawn(evening(club, NINE[:3]))
    names = names_at(match)
    play_jersey(match, names[0], names[0], names[1], names[0])
    places = {match.side(side)[0].name: place for place, side, _net in match.by_place}
    now = current_ratings(club.pk)
    gained = {
        place: now.ratings.players[Player.objects.get(name=name).pk].mu - 25 for name, place in places.items()
    }
    assert gained[1] > 0 > gained[3]
    assert gained[2] == pytest.approx(0, abs=1e-6)
    assert sum(gained.values()) == pytest.approx(0, abs=1e-5)
    assert not now.expectations.scores


@pytest.fixture
def keeper(club: Club) -> Client:
    return logged_in(UserFactory.create(club=club))


def test_a_table_is_typed_from_its_paper(keeper: Client, club: Club) -> None:
    """RULES §8: a 12 20 are 32 for a, and gin of c against 18 and 26 are 94."""
    (match,) = drawn(evening(club, NINE[:3]))
    a, b, c = names_at(match)
    shown = keeper.get(reverse("entry:sheet", args=[match.code])).content.decode()
    assert all(name in shown for name in (a, b, c))
    paper = {"net": "-5 / -176 / 181", "boxes": "1 / 0 / 1", "lines": "2"}
    rows = ["a 12 20", "cg 18 26", "t"]
    told = echo(keeper, match, draft_of(*rows, paper=paper))
    assert f"{a} 32 (12 from {b}, 20 from {c})" in told
    status, answer = save(keeper, match, draft_of(*rows, paper=paper))
    assert (status, answer["outcome"]) == (200, "saved")
    match.refresh_from_db()
    assert match.at_table == [[2, -5, 1, 0], [3, -176, 0, 0], [1, 181, 1, 1]]
    assert (match.winner_side, match.state, match.is_counted) == (2, MatchState.STOPPED, True)


def test_papers_have_a_column_and_a_line_for_everybody(keeper: Client, club: Club) -> None:
    (match,) = drawn(evening(club, NINE[:4], preset="cutthroat"))
    for name in ("blank_sheets_pdf", "slips_pdf", "pairings_pdf"):
        answer = keeper.get(reverse(name, args=["harbour", "evening", 1]))
        said = " ".join(texts(answer.content))
        assert all(person in said for person in names_at(match)), name
    assert ", ".join(names_at(match)) in " ".join(said.split())


def test_two_of_a_draft_swap_tables(club: Club) -> None:
    event = evening(club)
    round_ = draft_round(actor=OPERATOR, event=event)
    one, other = (list(round_.matches.with_sides().order_by("table"))[table].entry_c for table in (0, 1))
    assert one is not None
    assert other is not None
    swap_entries(actor=OPERATOR, round_=round_, one=one, other=other)
    first, second, _third = round_.matches.order_by("table")
    assert (first.entry_c_id, second.entry_c_id) == (other.pk, one.pk)
    publish_round(actor=OPERATOR, round_=round_)


def test_who_withdraws_leaves_a_draft_that_is_paired_again(club: Club) -> None:
    event = evening(club, preset="cutthroat")
    round_ = draft_round(actor=OPERATOR, event=event)
    gone = event.entries.get(name="Ida")
    withdraw_entry(actor=OPERATOR, entry=gone, reason="ill")
    round_ = repair_round(actor=OPERATOR, round_=round_)
    publish_round(actor=OPERATOR, round_=round_)
    seated = [name for match in round_.matches.with_sides() for name in names_at(match)]
    assert sorted(seated) == list(NINE[:8])


def test_a_sheet_begun_again_has_all_its_players(club: Club) -> None:
    (match,) = drawn(evening(club, NINE[:3]))
    assert match.sheet is not None
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="wet")
    match = renew_sheet(actor=OPERATOR, match=match)
    assert match.sheet is not None
    assert [side.name for side in match.sheet.sides.all()] == names_at(match)
    play_jersey(match, names_at(match)[0])
    assert match.at_table


def test_the_best_two_of_each_table_go_on_until_one_table_is_left(club: Club) -> None:
    """Nine at three tables, six at two, and four in the final."""
    event = evening(club, format="tables_cup", preset="cutthroat", table_size=3, qualifiers=2)
    sizes = []
    out: list[str] = []
    for number in range(1, 4):
        matches = drawn(event)
        sizes.append([len(match.sides) for match in matches])
        for match in matches:
            play_whole(match)
        assert [place for match in matches for place, _side, _net in match.by_place] == [
            place for match in matches for place in range(1, len(match.sides) + 1)
        ]
        if number < 3:
            out += [
                match.side(side)[0].name
                for match in matches
                for place, side, _net in match.by_place
                if place > 2
            ]
    assert sizes == [[3, 3, 3], [3, 3], [4]]
    with refuses(LeagueError, "no_more_rounds"):
        plan_next_round(event)
    recalculate(event.pk)
    rows = list(Standing.objects.filter(event=event).select_related("entry").order_by("position"))
    final = [match.side(side)[0].name for match in matches for _place, side, _net in match.by_place]
    assert [row.entry.name for row in rows[:4]] == final
    assert {row.entry.name for row in rows[4:]} == set(out)


def test_who_shares_the_last_place_that_goes_on_is_not_put_in_order(club: Club) -> None:
    """A director withdraws who does not go on, and the others do."""
    event = evening(club, NINE[:6], format="tables_cup", preset="cutthroat", table_size=3, qualifiers=2)
    first, second = drawn(event)
    winner, loser, _third = names_at(first)
    hand = {"kind": "points", "winner": winner, "loser": loser, "points": 20}
    record_deals(actor=OPERATOR, sheet=sheet_of(first), deals=[{"hands": [hand]}], stopped=True)
    first.refresh_from_db()
    play_whole(second)
    assert [place for place, _side, _net in first.by_place] == [1, 2, 2]
    with refuses(LeagueError, "level_at_cut") as refused:
        plan_next_round(event)
    level = [first.side(side)[0] for place, side, _net in first.by_place if place == 2]
    assert all(entry.name in str(refused.value) for entry in level)
    withdraw_entry(actor=OPERATOR, entry=level[0], reason="lost the lot")
    (final,) = plan_next_round(event).matches
    seated = {entry.name for side in final.sides for entry in side}
    best = {second.side(side)[0].name for place, side, _net in second.by_place if place <= 2}
    assert seated == {winner, level[1].name} | best


def test_places_still_possible_are_told_until_the_last_table(client: Client, club: Club) -> None:
    """Two rounds of six, places 3–1–0; who has won both tables cannot be caught by who has a table left."""
    event = evening(club, NINE[:6], rounds_planned=2, criteria=["match_points", "net"])

    def told() -> dict[str, tuple[int | None, int | None, bool]]:
        recalculate(event.pk)
        rows = Standing.objects.filter(event=event).select_related("entry")
        return {row.entry.name: (row.best_place, row.worst_place, row.place_decided) for row in rows}

    matches = drawn(event)
    assert set(told().values()) == {(1, None, False)}, "before the last round is paired others may come"
    for match in matches:
        play_jersey(match, names_at(match)[0])
    winners, seconds = (
        {
            match.side(side)[0].name
            for match in matches
            for place, side, _net in match.by_place
            if place == wanted
        }
        for wanted in (1, 2)
    )
    match, last = sorted(drawn(event), key=lambda each: not winners & set(names_at(each)))
    champion = next(name for name in names_at(match) if name in winners)
    play_jersey(match, champion)
    now = told()
    # He has 6. At the other table the other winner, who has 3, may come level; others have 1 at most.
    at_last = set(names_at(last))
    (rival,) = winners - {champion}
    assert now[champion] == ((1, 2, False) if rival in at_last else (1, 1, True))
    if rival in at_last:
        # If he is last there the others win 3 and 1, and one passes him; or 2 and 2, if both had a point.
        assert now[rival] == (1, 4 if seconds < at_last else 3, False)
    page = read(client, "event", "harbour", "evening")
    assert "if every table left is played, whoever has which place" in " ".join(page.split())
    play_jersey(last, names_at(last)[0])
    assert {places[:2] for places in told().values()} == {(None, None)}, "nothing is left"


def test_the_next_round_opens_once_ratings_are_counted(client: Client, club: Club) -> None:
    event = evening(club, rounds_planned=3)
    for match in drawn(event):
        play_jersey(match, names_at(match)[0])
    recalculate(event.pk)
    recalculate_ratings(club.pk)
    match, *_others = drawn(event)
    text = read(client, "round", "harbour", "evening", 2)
    assert all(name in text for name in NINE)
    assert "xpected" not in text
    assert names_at(match)[2] in read(client, "match", "harbour", "evening", match.code)


def test_the_tray_says_who_leads_and_who_has_signed(keeper: Client, club: Club) -> None:
    event = evening(club, NINE[:3])
    (match,) = drawn(event)
    third = names_at(match)[2]
    play_jersey(match, third)
    assert match.sheet is not None
    sign_sheet(actor=OPERATOR, sheet=match.sheet, sides=[0, 1])
    shown = keeper.get(reverse("entry:tray", args=[match.round.code])).content.decode()
    assert f"{third} +" in shown
    assert ", ".join(names_at(match)) in shown
    assert tray_of(match.round).rows[0].state is not TrayState.SIGNED
    sign_sheet(actor=OPERATOR, sheet=match.sheet, sides=[2])
    assert tray_of(match.round).rows[0].state is TrayState.SIGNED


def test_in_place_of_who_withdrew_somebody_else_plays(club: Club) -> None:
    """The round goes on: another table has begun, so it cannot be paired again."""
    event = evening(club)
    first, second, _third = drawn(event)
    play_jersey(first, names_at(first)[0])
    gone = second.side(2)[0]
    withdraw_entry(actor=OPERATOR, entry=gone, reason="ill")
    with refuses(LeagueError, "withdrawn"):
        play_jersey(second, names_at(second)[0])
    guest = PlayerFactory.create(club=club, name="Guest")
    second.refresh_from_db()
    set_line_up(actor=OPERATOR, match=second, side=2, players=[guest])
    play_jersey(second, names_at(second)[0])
    assert second.is_counted


def test_a_correction_is_told_in_words(client: Client, club: Club) -> None:
    (match,) = drawn(evening(club, NINE[:3]))
    first, second, third = names_at(match)
    (hand,) = play_jersey(match, first)
    other = {**hand, "from": {second: 7, third: 8}}
    correct_deals(actor=OPERATOR, sheet=sheet_of(match), changes={1: {"hands": [other]}}, reason="misread")
    text = read(client, "match", "harbour", "evening", match.code)
    assert f"{first} 15 (7 {second}, 8 {third})" in text
    assert "struck out" not in text


@pytest.mark.parametrize("preset", ["jersey", "basic_rummy"])
def test_a_dead_hand_of_all_is_told_in_words(client: Client, club: Club, preset: str) -> None:
    (match,) = drawn(evening(club, NINE[:3], preset=preset))
    assert match.sheet is not None
    dead = {"hands": [{"kind": "dead"}]}
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[dead])
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes={1: None}, reason="not dealt")
    correct_deals(actor=OPERATOR, sheet=match.sheet, changes={1: dead}, reason="dealt after all")
    assert "dead hand" in read(client, "match", "harbour", "evening", match.code)


def test_erasing_reaches_the_third_side(club: Club) -> None:
    (match,) = drawn(evening(club, NINE[:3]))
    gone = match.side(2)[0].players.get()
    play_jersey(match, names_at(match)[0])
    erase_person(actor=OPERATOR, player=gone)
    assert gone.name not in [side.name for side in sheet_of(match).sides.all()]
