"""Members' choices are weighed once a hand is over, and told to their player alone; and hints are given."""

import json
import re
from html import unescape
from itertools import islice
from typing import Any

import pytest
from django.test import Client

from games.bots import house_bot
from games.bots.appraising import REPLAYED, Appraisal, ChoiceKind, Option
from games.bots.judges import HINT_ERROR
from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import text_of
from games.models import HandReport, TableHand, TableMatch
from games.services import act, end_table, forget_reports, hands_to_report, hint, report_hand, table_state
from games.services.reports import costs_of, dearest_of, is_told
from games.tables.members import commitment_of
from games.tables.play import play_deals
from games.tables.reports import appraisal_document, dearest
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import stop_sheet
from tests.factories import OPERATOR, UserFactory
from tests.games.bot_play import ANN_AND_BOB
from tests.games.member_tables import hand_in_play, member, table
from tests.games.test_clocks_of_tables import Two
from tests.games.test_table_pages import address, signed_in
from tests.games.test_tables_of_teams import Teams, state_of
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# A king instead of a seven: kept with a pair it would have cost nothing.
BLUNDER = Appraisal(
    ChoiceKind.DISCARD,
    Action.parse("discard 7S"),
    Action.parse("discard KH"),
    4.25,
    0.75,
    (
        Option(Action.parse("discard KH"), 6.5, 14, 0.03, 5),
        Option(Action.parse("discard 7S"), 2.25, 21, 0.22, 2),
    ),
)


def played(*seats: Any, hands: int = 1) -> TableMatch:
    """A table at which so many hands are over, played as bots play, before the one in play."""
    match = table(*seats)
    match.hands.update(deal=hands + 1)
    bots = dict.fromkeys(("Ann", "Bob"), house_bot("simple"))
    for one in islice(play_deals(match.sheet.rules.rules, ANN_AND_BOB, bots, 5), hands):
        (hand,) = one.two_handed
        pack, nonce = text_of(hand.deck), f"{one.number:064x}"
        match.hands.create(
            deal=one.number,
            dealer=hand.dealer,
            commitment=commitment_of(pack, nonce),
            actions=[str(action) for action in hand.actions],
            is_over=True,
            pack=pack,
            nonce=nonce,
        )
    return match


def reported(match: TableMatch, seat: int = 0, deal: int = 1, appraisal: Appraisal = BLUNDER) -> HandReport:
    """A report in which this was the seat's only choice, with the second action of the hand."""
    choices = [None, appraisal_document(appraisal)]
    hand = match.hands.get(deal=deal)
    return HandReport.objects.create(
        hand=hand, seat=seat, choices=choices, discards=1, discard_cost=appraisal.cost
    )


@pytest.mark.dear("loads the compiled kernel")
def test_a_worker_weighs_every_choice_of_the_members_once() -> None:
    ann, bob = member(), member()
    match = played(ann, bob)
    hand = match.hands.get(is_over=True)
    assert hands_to_report() == [hand.pk]
    report_hand(hand.pk)
    rows = list(HandReport.objects.filter(hand=hand))
    assert [row.seat for row in rows] == [0, 1]
    for row in rows:
        assert len(row.choices) == len(hand.actions)
        kinds = [one["kind"] for one in row.choices if one is not None]
        counts = {"discard": row.discards, "take": row.takes, "knock": row.knocks}
        assert {kind: kinds.count(kind) for kind in counts} == counts
        chosen = [one and one["chosen"] for one in row.choices]
        for action, text in zip(hand.actions, chosen, strict=True):
            assert text is None or Action.parse(action).plain == Action.parse(text)
    # A second worker, or the same message again, changes nothing; and there is nothing left to do.
    report_hand(hand.pk)
    assert list(HandReport.objects.filter(hand=hand).values()) == [_fields(row) for row in rows]
    assert hands_to_report() == []


def _fields(row: HandReport) -> dict[str, Any]:
    return {field.attname: getattr(row, field.attname) for field in HandReport._meta.concrete_fields}


def test_only_hands_that_are_over_and_seats_of_accounts_in_use_are_owed() -> None:
    ann, bob = member(), member()
    live, over = table(ann, bob), played(ann, house_bot("simple"))
    assert hands_to_report() == [over.hands.get(is_over=True).pk]
    report_hand(live.hands.get().pk)
    assert not HandReport.objects.exists()
    UserFactory._meta.model.objects.filter(pk=ann.id).update(is_active=False)
    assert hands_to_report() == []


def test_a_hand_that_cannot_be_played_again_gets_an_empty_report() -> None:
    match = played(member(), house_bot("simple"))
    match.hands.filter(is_over=True).update(pack="KC KC")
    report_hand(match.hands.get(is_over=True).pk)
    assert HandReport.objects.get().choices == []
    assert hands_to_report() == []


def test_what_is_forgotten_is_not_weighed_again() -> None:
    ann = member()
    match = played(ann, house_bot("simple"), hands=2)
    report = reported(match)
    forget_reports(match.seats.filter(account=int(ann.id)))
    report.refresh_from_db()
    assert (report.choices, report.discards, report.discard_cost) == ([], 0, 0)
    assert HandReport.objects.count() == 2
    assert hands_to_report() == []
    assert costs_of(int(ann.id)) == []


def test_the_dearest_are_those_that_clearly_cost_most() -> None:
    """Three at most; not what cost less than a point, or less than twice its standard error."""
    costs = [(9.0, 5.0), (0.9, 0.1), (3.0, 1.0), (5.0, 1.0), (2.0, 0.5), (4.0, 0.5)]
    made = [BLUNDER._replace(cost=cost, error=error) for cost, error in costs]
    found = dearest({1: [None, *made[:3]], 2: made[3:], 3: [BLUNDER._replace(better=None, cost=0.0)]})
    assert [(one.deal, one.move, one.points) for one in found] == [(2, 1, 5.0), (2, 3, 4.0), (1, 4, 3.0)]
    made_one, better = found[0].compared
    assert (str(made_one.action), str(better.action)) == ("discard 7S", "discard KH")


def test_of_a_card_that_was_to_be_taken_it_is_told_which() -> None:
    """It is what the other has just put down; of the upcard it is told that it lay on the pile."""
    ann = member()
    match = played(ann, house_bot("simple"), hands=1)
    hand = match.hands.get(deal=1)
    draw, take = Action.parse("draw"), Action.parse("take")
    options = (Option(take, 6.5, 14, None, 5), Option(draw, 2.25, 21, None, 2))
    left = BLUNDER._replace(chosen=draw, better=take, options=options)
    hand.actions = ["pass", "pass", "draw", "discard 7S", "draw", "discard KD"]
    hand.save()
    choices = [appraisal_document(left), None, None, None, appraisal_document(left)]
    HandReport.objects.create(hand=hand, seat=0, choices=choices)
    page = signed_in(ann).get(address(match)).content.decode()
    told = " ".join(unescape(re.sub("<[^>]*>", " ", page)).replace("\ufe0e", "").split())
    assert "Deal 1, move 5 : draw from the stock cost 4.3 points, better: take 7♠." in told
    assert "Deal 1, move 1 : draw from the stock cost 4.3 points, better: take the top of the pile." in told


def test_costs_over_time_are_of_ones_own_seat_and_of_matches_that_may_be_told() -> None:
    ann, bob = member(), member()
    against_bot, live = played(ann, house_bot("simple")), played(ann, bob)
    reported(against_bot)
    reported(live, seat=0)
    reported(live, seat=1, appraisal=BLUNDER._replace(cost=1.0))
    (costs,) = costs_of(int(ann.id))
    assert (costs.match.pk, costs.counts[ChoiceKind.DISCARD], costs.costs[ChoiceKind.DISCARD]) == (
        against_bot.pk,
        1,
        4.25,
    )
    assert costs_of(int(bob.id)) == []
    TableMatch.objects.filter(pk=live.pk).update(is_live=False)
    (costs,) = costs_of(int(bob.id))
    assert costs.costs[ChoiceKind.DISCARD] == 1.0


def test_the_page_of_a_hand_tells_its_player_what_he_chose_and_nobody_else() -> None:
    ann = member()
    match = played(ann, house_bot("simple"))
    reader, other = signed_in(ann), signed_in(member())
    page = address(match, "play_hand", deal=1)
    assert "They are being weighed" in reader.get(page).content.decode()
    reported(match)
    told = reader.get(f"{page}?move=2").content.decode()
    assert "This choice cost about 4.3 points (±0.8)." in told or "4.2 points" in told
    # And how true such figures are.
    assert f"weighed at 3 points loses {REPLAYED.lost} (±{REPLAYED.error}) on" in told
    assert "It leaves 21 in deadwood, the better one 14." in told
    assert "Unseen cards with which you could knock next: 2, after the better choice 5." in told
    told = told.replace("\N{NO-BREAK SPACE}", " ")
    assert "The next player can meld it in 22 % of the deals, the better one in 3 %." in told
    for stranger in (other, Client()):
        assert "Your choices" not in stranger.get(f"{page}?move=2").content.decode()
    # And on the page of the table, with the deal.
    assert "Deal 1, move 2" in reader.get(address(match)).content.decode()
    assert "cost you most" not in other.get(address(match)).content.decode()


def test_against_a_member_nothing_is_told_before_play_is_over() -> None:
    ann, bob = member(), member()
    match = played(ann, bob)
    reported(match)
    reader, page = signed_in(ann), address(match, "play_hand", deal=1)
    assert "Your choices" not in reader.get(page).content.decode()
    assert "cost you most" not in reader.get(address(match)).content.decode()
    TableMatch.objects.filter(pk=match.pk).update(is_live=False)
    assert "Your choices" in reader.get(page).content.decode()
    assert [one.move for one in dearest_of(match, 0)] == [2]
    assert dearest_of(match, 1) == []


def test_of_teams_everybody_is_told_of_his_own_hand_at_whichever_table() -> None:
    """Seats 0 and 2 are bots'; Cid and Dan are in seats 1 and 3, of which one at least is at table 2."""
    cid, dan = member(), member()
    teams = Teams(house_bot("simple"), cid, house_bot("simple"), dan)
    for live in teams.live():
        teams.end(live)
    end_table(actor=cid, match=teams.match)
    hands = {seat: hand for hand in teams.match.hands.filter(deal=1) for seat in hand.seats}
    assert {hands[1].table, hands[3].table} & {1}
    for seat, cost in ((1, 6.5), (3, 3.5)):
        choices = [None, appraisal_document(BLUNDER._replace(cost=cost))]
        HandReport.objects.create(hand=hands[seat], seat=seat, choices=choices)
    for seat, reader, own, others in ((1, cid, "6.5", "3.5"), (3, dan, "3.5", "6.5")):
        client = signed_in(reader)
        page = client.get(address(teams.match)).content.decode()
        (link,) = re.findall(r'href="([^"]+/deals/1/\?move=2)"', page)
        shown = client.get(link).content.decode()
        assert f"<strong>\n      table {hands[seat].table_number}</strong>" in shown
        for told in (page, shown):
            assert f"cost {own} points" in told
            assert f"cost {others} points" not in told
    shared = address(teams.match) + "deals/1/tables/{}/"
    for hand in {hands[1], hands[3]}:
        watched = signed_in(member()).get(shared.format(hand.table_number)).content.decode()
        assert "Your choices" not in watched


def test_a_member_among_bots_in_teams_gets_a_hint() -> None:
    ann = member()
    teams = Teams(*[house_bot("simple")] * 3, ann)
    (live,) = teams.live()
    while len(state_of(teams.match, live).view(live.seats.index(3)).legal) < 2:
        teams.move(live)
        (live,) = teams.live()
    advised = hint(actor=ann, match=teams.match, seat=3).advice.action
    assert advised in state_of(teams.match, live).legal_actions()


def test_a_hint_is_what_expert_would_do_by_what_the_player_sees() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    before = (TableMatch.objects.get(pk=match.pk).version, hand_in_play(match).actions)
    found = _hinted(ann, match)
    view = hand_in_play(match).view(0)
    assert found.action in view.legal
    assert found == _hinted(ann, match)
    if found.estimates:
        assert found.estimates[0].action == found.action
        assert all(0 <= one.value <= 1 for one in found.estimates)
    assert (TableMatch.objects.get(pk=match.pk).version, hand_in_play(match).actions) == before
    client = signed_in(ann)
    page = client.get(address(match)).content.decode()
    assert re.search(r'href="[^"]+/hint/"', page)
    # A script asks with what the table itself is asked with, and gets the hint though nothing has changed.
    told = re.search(r'hx-headers="([^"]+)"', page)
    assert told is not None
    for headers in ({}, {"HX-Request": "true", **json.loads(unescape(told[1]))}):
        answer = client.get(address(match, "play_hint"), headers=headers)
        assert answer.status_code == 200
        # Below the hand, which stays where it was.
        assert answer.content.decode().index('class="hand-foot') < answer.content.decode().index("Hint:")
        assert not found.estimates or f"less than about {HINT_ERROR}&nbsp;%" in answer.content.decode()


def _hinted(ann: Actor, match: TableMatch) -> Any:
    """A hint at the first choice there is."""
    while len(hand_in_play(match).view(0).legal) < 2:
        play_one(ann, match)
    return hint(actor=ann, match=match, seat=0).advice


def play_one(ann: Actor, match: TableMatch) -> None:
    """The first legal action."""
    told = table_state(actor=ann, match=match, seat=0)
    action, key = told["hand"]["legal"][0], f"key {told['version']}"
    act(actor=ann, match=match, seat=0, version=told["version"], action=action, key=key)


def test_no_hint_against_a_member_or_for_whoever_plays_one_elsewhere() -> None:
    ann, bob = member(), member()
    friendly, rated = table(ann, house_bot("simple")), table(ann, bob)
    for actor, match, seat, code in (
        (ann, rated, 0, "no_hints"),
        (bob, friendly, 0, "not_your_seat"),
        (ann, friendly, 1, "not_your_seat"),
        (ann, friendly, 0, "at_table"),
    ):
        with refuses(GameError, code):
            hint(actor=actor, match=match, seat=seat)
    assert "/hint/" not in signed_in(bob).get(address(rated)).content.decode()
    answer = signed_in(ann).get(address(rated, "play_hint"))
    assert answer.status_code == 409
    assert "Hints are given in friendly games against bots." in answer.content.decode()


def test_no_hint_in_a_game_that_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    monkeypatch.setattr("league.policy.ClubPolicy.counts", lambda policy, sheet: True)
    with refuses(GameError, "no_hints"):
        hint(actor=ann, match=match, seat=0)


def test_no_hint_when_it_is_over_or_not_ones_turn() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    TableHand.objects.filter(match=match, is_over=False).delete()
    with refuses(GameError, "table_over"):
        hint(actor=ann, match=match, seat=0)
    assert Scoresheet.objects.get(pk=match.sheet_id).version == match.sheet.version


def test_reports_are_told_once_the_sheet_was_ended_otherwise_than_by_play() -> None:
    """As when time is called: the table is left as it is, for a sheet that is reopened."""
    two = Two()
    assert not is_told(two.row)
    stop_sheet(actor=OPERATOR, sheet=two.match.sheet)
    assert two.row.is_live
    assert is_told(two.row)
