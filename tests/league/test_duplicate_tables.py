"""Duplicate on this site: every table of a round is dealt its packs, and nobody is told a card too early."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from itertools import count
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from django.urls import reverse

from games.errors import GameError
from games.gin.actions import ActionKind
from games.gin.cards import cards_of
from games.gin.hand import HandState, shuffled
from games.gin.log import HandLog
from games.models import HandReport, TableHand, TableMatch
from games.services import (
    act,
    adjourn,
    deal_anew,
    end_table,
    gives_hints,
    let_go_on,
    report_hand,
    table_state,
    verified_hand,
    watched_state,
)
from games.services.members import time_out
from games.services.outages import beat_site
from games.services.reports import costs_of
from games.services.seen_tables import SeenTable
from games.services.table_pages import table_page
from games.tables.duplicate import held_in
from games.tables.pack_lists import write_pack_list
from league.bots.bot_matches import plant_in_event, play_now
from league.draws.hall import show_in_hall
from league.draws.online import play_online
from league.draws.packs import draw_packs, take_packs
from league.draws.round_life import complete_round, discard_round, reopen_round
from league.errors import LeagueError
from league.events.event_life import finish_event, reopen_event
from league.events.events import change_event
from league.matches.matches import renew_sheet
from league.matches.member_tables import begin_table, conduct_of
from league.models import (
    AuditEntry,
    Club,
    Event,
    EventState,
    Match,
    PackPlays,
    PlayedWhere,
    Player,
    Role,
    Round,
    RoundPacks,
    RoundState,
)
from league.people.own_data import own_data
from league.tables.duplicates import plays_of
from league.tables.standings import current_standings
from scoring.core.errors import CodedError
from scoring.core.sheets import Deal
from scoring.models import Scoresheet
from scoring.services import record_deals, void_sheet
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import (
    OPERATOR,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    UserFactory,
    house_rules,
)
from tests.games.test_reports_on_hands import reported
from tests.games.test_table_pages import cards_named
from tests.league.table_players import browser, by, member, play_on
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# Two packs a round; whoever has drawn may knock.
RULES: Final[dict[str, Any]] = {"columns": 1, "knock_limit": 98, "deals": 4}
ENDINGS: Final = frozenset({ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN})
NAMES: Final = ("Ann", "Bob", "Cid", "Dan")


@pytest.fixture
def club(club: Club) -> Club:
    club.is_public = True
    club.save()
    return club


@pytest.fixture
def players(club: Club) -> list[Player]:
    return [member(club, name) for name in NAMES]


def event_of(club: Club, slug: str = "evening", **settings: Any) -> Event:
    event: Event = EventFactory.create(
        club=club,
        slug=slug,
        state=EventState.RUNNING,
        is_duplicate=True,
        criteria=["duplicate", "net"],
        **{"played": PlayedWhere.ONLINE, "rules": house_rules(**RULES), **settings},
    )
    return event


@pytest.fixture
def matches(club: Club, players: list[Player]) -> list[Match]:
    """Ann against Bob and Cid against Dan in a round of two packs."""
    return drawn(event_of(club), players)


def drawn(event: Event, players: list[Player]) -> list[Match]:
    round_ = RoundFactory.create(event=event, state=RoundState.PUBLISHED)
    entries = [EntryFactory.create(event=event, name=each.name, players=[each]) for each in players]
    return [
        MatchFactory.create(event=event, round=round_, entry_a=one, entry_b=other)
        for one, other in (entries[:2], entries[2:])
    ]


def opened(matches: list[Match], players: list[Player]) -> list[TableMatch]:
    return [play_online(actor=by(players[2 * at]), match=match) for at, match in enumerate(matches)]


def play_out(matches: list[Match], players: list[Player]) -> list[TableMatch]:
    """Both tables, first all of one and then of the other, at which Dan knocks with another card."""
    tables = opened(matches, players)
    play_on(tables[0], *players[:2])
    for number in count():
        if not move(tables[1], players[2:], number, knock_of_second=-1):
            return tables
    raise AssertionError("The sheet does not end.")


def close(match: Match) -> None:
    complete_round(actor=OPERATOR, round_=Round.objects.get(pk=match.round_id))


def refused(code: str, what: Callable[[], object]) -> None:
    with refuses(CodedError, code), transaction.atomic():
        what()


def sheet_of(match: Match) -> Scoresheet:
    return Scoresheet.objects.select_related("rules").get(match=match)


def replayed(hand: TableHand, pack: str, names: tuple[str, str]) -> HandState:
    log = HandLog.from_document({"deck": pack, "dealer": hand.dealer, "actions": hand.actions})
    return HandState.replay(hand.match.sheet.rules.rules, log, players=names)


# -- the packs ----------------------------------------------------------------------------------------------


def test_two_tables_of_a_round_are_dealt_the_same_packs_with_seats_changed(
    matches: list[Match], players: list[Player]
) -> None:
    tables = play_out(matches, players)
    packs = RoundPacks.objects.get().packs
    hands = TableHand.objects.select_related("match__sheet__rules")
    for table in tables:
        own = list(hands.filter(match=table).order_by("deal"))
        assert [hand.pack for hand in own] == packs * 2
        assert [hand.dealer for hand in own] == [held_in(deal, 0, 2).dealer for deal in (1, 2, 3, 4)]
        # What the first side's player held of a pack, his opponent is dealt in the second half.
        first, second = [replayed(hand, hand.pack, ("0", "1")) for hand in (own[0], own[2])]
        dealt = [HandState(one.rules, one.deck, dealer=one.dealer).hands for one in (first, second)]
        assert dealt[0] == dealt[1][::-1]


def test_the_sheet_equals_the_replay_and_standings_follow_as_from_sheets_keyed_in(
    matches: list[Match], players: list[Player], club: Club
) -> None:
    tables = play_out(matches, players)
    close(matches[0])
    keyed = drawn(event_of(club, "keyed", played=PlayedWhere.AT_TABLE), players)
    for table, match, names, other in zip(tables, matches, (NAMES[:2], NAMES[2:]), keyed, strict=True):
        hands = table.hands.order_by("deal")
        assert all(verified_hand(hand).is_over for hand in hands)
        results = [result for hand in hands for result in replayed(hand, hand.pack, names).results]
        deals = kept_sheet(sheet_of(match)).deals
        assert results == [result for deal in deals for result in deal.hands]
        record_deals(actor=OPERATOR, sheet=sheet_of(other), deals=[Deal((one,)) for one in results])
    scores = [
        [(row.entry.name, row.metrics["duplicate"]) for row in current_standings(event)]
        for event in (matches[0].event, keyed[0].event)
    ]
    assert scores[0] == scores[1]
    assert any(float(score) for _name, score in scores[0])


def test_seals_of_a_pack_differ_from_table_to_table_and_prove_it_when_the_round_is_over(
    matches: list[Match], players: list[Player]
) -> None:
    """The seal of a hand is shown before its first card, and tells no other table which pack it is."""
    tables = opened(matches, players)
    before = [watched_state(match=table)["commitment"] for table in tables]
    assert [table.hands.get().commitment for table in tables] == before
    assert len(set(before)) == 2
    play_on(tables[0], *players[:2])
    play_on(tables[1], *players[2:])
    assert len(set(TableHand.objects.values_list("commitment", flat=True))) == 8
    close(matches[0])
    for table, seal in zip(tables, before, strict=True):
        told = Client().get(f"/api/v1/tables/{table.code}/hands/1/").json()
        assert told["pack"] == RoundPacks.objects.get().packs[0]
        assert sha256(f"{told['pack']} {told['nonce']}".encode()).hexdigest() == told["commitment"] == seal
        call_command("verify_hand", table.code, "1")


def test_packs_are_drawn_by_the_first_table_unless_a_director_has(
    matches: list[Match], players: list[Player]
) -> None:
    kept = draw_packs(actor=OPERATOR, round_=matches[0].round)
    opened(matches[:1], players)
    assert RoundPacks.objects.get().packs == kept.packs
    refused("has_begun", lambda: draw_packs(actor=OPERATOR, round_=Round.objects.get()))
    assert AuditEntry.objects.filter(action="round.draw_packs").count() == 1


def test_packs_of_a_list_are_not_played_on_this_site(matches: list[Match]) -> None:
    listed = write_pack_list([shuffled(1), shuffled(2)])
    refused("online", lambda: take_packs(actor=OPERATOR, round_=matches[0].round, listed=listed))


def test_teams_hold_both_hands_of_a_pack_at_once(club: Club, players: list[Player]) -> None:
    rules = house_rules(columns=1, knock_limit=98, deals=2)
    event = event_of(club, kind="team", team_size=2, rules=rules)
    sides = [EntryFactory.create(event=event, players=players[at : at + 2]) for at in (0, 2)]
    match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    table = play_online(actor=by(players[0]), match=match)
    (pack,) = RoundPacks.objects.get().packs
    assert list(table.hands.order_by("table").values_list("sealed_pack__pack", "dealer")) == [
        (pack, 0),
        (pack, 1),
    ]
    play_on(table, *players)
    assert set(table.hands.values_list("pack", flat=True)) == {pack}
    spectator = table_page_text(Client(), table)
    assert cards_named(spectator) == set()


def test_where_packs_are_played_once_nobody_meets_one_again(club: Club, players: list[Player]) -> None:
    rules = house_rules(columns=1, knock_limit=98, deals=3)
    matches = drawn(event_of(club, packs_played=PackPlays.ONCE, rules=rules), players)
    tables = play_out(matches, players)
    packs = RoundPacks.objects.get().packs
    assert len(set(packs)) == 3
    for table in tables:
        assert list(table.hands.order_by("deal").values_list("pack", flat=True)) == packs
    plays = plays_of(matches[0].event)
    names = dict(matches[0].event.entries.values_list("pk", "name"))
    dealt = sorted((one.pack, names[one.dealer], names[one.other]) for one in plays)
    assert dealt == [
        (1, "Ann", "Bob"),
        (1, "Cid", "Dan"),
        (2, "Bob", "Ann"),
        (2, "Dan", "Cid"),
        (3, "Ann", "Bob"),
        (3, "Cid", "Dan"),
    ]


def test_a_bot_is_dealt_the_packs_too(club: Club, players: list[Player]) -> None:
    robin = PlayerFactory.create(club=club, name="Robin", strategy="simple")
    matches = drawn(event_of(club), [players[0], robin, *players[2:]])
    table = begin_table(actor=by(players[0]), sheet=sheet_of(matches[0]), seat=0)
    assert table.is_duplicate
    assert not gives_hints(table)
    assert table.hands.get(deal=1).sealed_pack.pack == RoundPacks.objects.get().packs[0]


def test_bots_among_themselves_play_no_duplicate(club: Club) -> None:
    bots = [PlayerFactory.create(club=club, name=name, strategy="simple") for name in ("Robin", "Wren")]
    event = event_of(club)
    sides = [EntryFactory.create(event=event, name=bot.name, players=[bot]) for bot in bots]
    match = MatchFactory.create(event=event, entry_a=sides[0], entry_b=sides[1])
    refused("not_played", lambda: play_now(actor=OPERATOR, match=match))
    assert plant_in_event(event, 1) == []


# -- who is told what ---------------------------------------------------------------------------------------


def table_page_text(client: Client, table: TableMatch) -> str:
    return client.get(reverse("play_table", args=[table.code])).content.decode()


def told_to(client: Client, match: Match, table: TableMatch) -> Iterator[str]:
    """All that is answered about a table, its match and its event, but for the table's own page."""
    of_event = ["harbour", match.event.slug]
    yield client.get(reverse("play_live", args=[table.code])).content.decode()
    for deal in (1, 4):
        yield client.get(reverse("play_hand", args=[table.code, deal])).content.decode()
        yield client.get(f"/api/v1/tables/{table.code}/hands/{deal}/").content.decode()
    for name, more in (
        ("match", [match.code]),
        ("event", []),
        ("event_packs", []),
        ("event_screen", []),
        ("pack_list", [match.round.number]),
    ):
        yield client.get(reverse(name, args=[*of_event, *more])).content.decode()


def known_to(table: TableMatch, seat: int) -> set[int]:
    """What a seat has seen of the hand in play, and of the one before, of which both hands were laid down."""
    known: set[int] = set()
    hands = table.hands.select_related("match__sheet__rules", "sealed_pack").order_by("-deal")
    for hand in hands[:2]:
        state = replayed(hand, hand.pack if hand.is_over else hand.sealed_pack.pack, ("0", "1"))
        known |= set(range(52)) - set(cards_of(state.view(seat).unseen.mask))
        if hand.is_over:
            known |= {card for mask in state.hands for card in cards_of(mask)}
    return known


def move(table: TableMatch, players: list[Player], key: int, *, knock_of_second: int = 0) -> bool:
    """One move at a table; False when play there is over. The second side has this of its knocks."""
    for seat, player in enumerate(players):
        told = table_state(actor=by(player), match=table, seat=seat)
        if told["deal"] is None:
            return False
        if told["turn"] == seat:
            legal = told["hand"]["legal"]
            knocks = [each for each in legal if each.startswith("knock")]
            action = knocks[knock_of_second if seat else 0] if knocks else legal[-1]
            version = told["version"]
            act(actor=by(player), match=table, seat=seat, version=version, action=action, key=f"{key}")
            return True
    raise AssertionError("Nobody is to move.")


@pytest.mark.dear("all that is answered to four readers, from the first card to the last")
def test_nobody_is_told_a_card_of_others_packs_before_the_round_is_over(
    matches: list[Match], players: list[Player], club: Club
) -> None:
    """Ann and Bob play, and another table has the packs still to play; it and a director look on."""
    table, match = opened(matches, players)[0], matches[0]
    show_in_hall(actor=OPERATOR, match=match)
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    others, own = [director, browser(players[2])], [browser(player) for player in players[:2]]
    answered: list[str] = []
    own_answers: list[str] = []

    def look() -> None:
        for client in others:
            page = table_page_text(client, table)
            program = client.get(f"/api/v1/tables/{table.code}/").json()
            assert program["last_hand"] is None
            answered.extend([page, json.dumps(program), *told_to(client, match, table)])
            assert not any(cards_named(each) for each in answered)
        for seat, client in enumerate(own):
            known = known_to(table, seat)
            program = client.get(f"/api/v1/tables/{table.code}/").json()
            assert program["last_hand"] is None
            assert cards_named(json.dumps(program)) <= known
            live, *beside = told_to(client, match, table)
            own_answers.extend([live, *beside])
            assert cards_named(live) <= known
            assert not any(cards_named(each) for each in beside)
            user = players[seat].user
            assert user is not None
            assert cards_named(json.dumps(own_data(user)["seats_at_tables"])) == set()
            assert costs_of(user.pk) == []

    look()
    moves = count()
    while table.hands.count() == 1:
        assert move(table, players[:2], next(moves))
    first = table.hands.get(deal=1)
    report_hand(first.pk)
    assert HandReport.objects.filter(hand=first).count() == 2
    look()
    while move(table, players[:2], next(moves)):
        pass
    look()
    nonces = [*table.hands.values_list("nonce", flat=True), RoundPacks.objects.get().nonce]
    assert not [nonce for nonce in nonces if nonce in "".join(answered + own_answers)]
    for hand in table.hands.all():
        refused("withheld", partial(verified_hand, hand))
    with pytest.raises(CommandError, match="when the round is over"):
        call_command("verify_hand", table.code, "1")


def test_after_a_dead_hand_each_sees_his_own_cards_alone(matches: list[Match], players: list[Player]) -> None:
    table = opened(matches, players)[0]
    hand = table.hands.select_related("match__sheet__rules", "sealed_pack").get()
    state = replayed(hand, hand.sealed_pack.pack, ("Ann", "Bob"))
    while not state.is_over:
        state.act(next(each for each in state.legal_actions()[::-1] if each.kind not in ENDINGS))
    assert state.answer is None
    hand.actions, hand.is_over = [str(each) for each in state.actions], True
    hand.pack, hand.nonce = hand.sealed_pack.pack, hand.sealed_pack.nonce
    hand.save()
    for seat, player in enumerate(players[:2]):
        (laid,) = table_page(SeenTable(table, by(player), seat)).last_laid
        assert laid[0] == player.name
        assert {card for meld in laid[1].melds for card in meld.cards} | set(laid[1].unmatched) == set(
            cards_of(state.hands[seat])
        )
    assert table_page(SeenTable(table, by(players[2]), None)).last is None


def test_after_a_hand_lost_by_time_each_sees_who_lost_it_and_himself(
    matches: list[Match], players: list[Player]
) -> None:
    """As after a knock: what was counted lies open. Whoever won it had nothing to lay down."""
    Event.objects.update(online_clock="lively", online_time_out="lose_hand")
    table = opened([Match.objects.get(pk=matches[0].pk)], players)[0]
    late = table_state(actor=by(players[0]), match=table, seat=0)["turn"]
    now = table.deadline
    assert now is not None
    beat_site(now)
    time_out(table, now)
    for seat, player in enumerate(players[:2]):
        told = table_page(SeenTable(table, by(player), seat))
        assert told.is_withheld
        assert [name for name, _hand in told.last_laid] == [
            each.name for at, each in enumerate(players[:2]) if at in (seat, late)
        ]
    assert table_page(SeenTable(table, by(players[2]), None)).last is None


def test_when_the_round_is_over_all_is_told(matches: list[Match], players: list[Player]) -> None:
    tables = play_out(matches, players)
    for hand in TableHand.objects.all():
        report_hand(hand.pk)
    address = f"/api/v1/tables/{tables[0].code}/"
    tag = Client().get(address).headers["ETag"]
    ann = browser(players[0])
    assert "hands are shown when the round is over" in table_page_text(ann, tables[0])
    close(matches[0])
    followed = Client().get(address, headers={"If-None-Match": tag})
    assert followed.status_code == 200
    assert followed.json()["last_hand"]["pack"] == RoundPacks.objects.get().packs[1]
    shown = Client().get(reverse("play_hand", args=[tables[0].code, 4])).content.decode()
    assert tables[0].hands.get(deal=4).nonce in shown
    assert reverse("play_hand", args=[tables[0].code, 1]) in table_page_text(ann, tables[0])
    assert players[0].user is not None
    (seat,) = own_data(players[0].user)["seats_at_tables"]
    assert seat["acts"]
    assert len(seat["choices_weighed"]) == 4
    packs = Client().get(reverse("event_packs", args=["harbour", "evening"])).content.decode()
    assert RoundPacks.objects.get().nonce in packs
    assert "Pack 2" in packs


def test_what_choices_cost_is_added_up_for_nobody_before_the_round_is_over(
    matches: list[Match], players: list[Player], club: Club
) -> None:
    """Neither for the director, who judges how it was played, nor in what a member may have."""
    table = TableMatch.objects.get(pk=play_out(matches, players)[0].pk)
    reported(table)
    director = logged_in(UserFactory.create(club=club, role=Role.DIRECTOR))
    page = reverse("match_conduct", args=["harbour", "evening", matches[0].code])
    user = players[0].user
    assert user is not None

    def told() -> list[bool]:
        (seat,) = own_data(user)["seats_at_tables"]
        sums = [conduct_of(matches[0], table)[0].agreement, seat["choices_added_up"]]
        return [each is not None for each in sums]

    assert told() == [False, False]
    assert "Shown once the round is closed." in director.get(page).content.decode()
    close(matches[0])
    assert told() == [True, True]
    assert "Shown once" not in director.get(page).content.decode()


# -- what directors do --------------------------------------------------------------------------------------


def test_a_hand_is_not_dealt_anew_as_its_cards_were_seen(matches: list[Match], players: list[Player]) -> None:
    table = opened(matches, players)[0]
    move(table, players[:2], 0)
    pack = table.hands.get().sealed_pack.pack
    adjourn(actor=OPERATOR, match=table, reason="A call.")
    refused("same_pack", lambda: deal_anew(actor=OPERATOR, match=table))
    let_go_on(actor=OPERATOR, match=table)
    assert table.hands.get().sealed_pack.pack == pack
    # The operator enters a dead hand for it: then the next pack is dealt.
    adjourn(actor=OPERATOR, match=table, reason="A call.")
    record_deals(actor=OPERATOR, sheet=sheet_of(matches[0]), deals=[{"hands": [{"kind": "dead"}]}])
    deal_anew(actor=OPERATOR, match=table)
    assert table.hands.get(deal=2).sealed_pack.pack == RoundPacks.objects.get().packs[1]


def test_a_round_is_closed_when_nobody_plays_its_packs_any_more_and_stays_so(
    matches: list[Match], players: list[Player]
) -> None:
    tables = opened(matches, players)
    play_on(tables[0], *players[:2])
    round_ = Round.objects.get()
    refused("packs_in_play", lambda: complete_round(actor=OPERATOR, round_=round_, reason="late"))
    end_table(actor=OPERATOR, match=tables[1])
    director = logged_in(UserFactory.create(club=round_.event.club, role=Role.DIRECTOR))
    asked = director.post(f"/admin/league/round/{round_.pk}/complete/", {"reason": "late"}).content.decode()
    assert "everybody sees its packs. That cannot be taken back." in asked
    complete_round(actor=OPERATOR, round_=round_, reason="late")
    refused("packs_told", lambda: reopen_round(actor=OPERATOR, round_=round_))
    refused("wrong_state", lambda: begin_table(actor=by(players[2]), sheet=sheet_of(matches[1])))


def test_when_an_event_finishes_its_rounds_are_closed_and_told(
    matches: list[Match], players: list[Player]
) -> None:
    tables = opened(matches, players)
    event = matches[0].event
    finish = partial(finish_event, actor=OPERATOR, event=event, despite_unfinished=True)
    refused("packs_in_play", finish)
    assert Event.objects.get().state == EventState.RUNNING
    play_on(tables[0], *players[:2])
    end_table(actor=OPERATOR, match=tables[1])
    finish()
    assert verified_hand(tables[0].hands.get(deal=1)).is_over
    reopen_event(actor=OPERATOR, event=event)
    refused("wrong_state", lambda: begin_table(actor=by(players[2]), sheet=sheet_of(matches[1])))


def test_who_has_seen_a_pack_does_not_play_it_on_another_sheet(
    matches: list[Match], players: list[Player]
) -> None:
    table = opened(matches, players)[0]
    refused("has_hands", lambda: discard_round(actor=OPERATOR, round_=Round.objects.get()))
    play_on(table, *players[:2])
    void_sheet(actor=OPERATOR, sheet=sheet_of(matches[0]), reason="wrong side")
    renew_sheet(actor=OPERATOR, match=matches[0])
    again = Match.objects.get(pk=matches[0].pk)
    refused("same_pack", lambda: play_online(actor=by(players[0]), match=again))
    assert Client().get(f"/api/v1/tables/{table.code}/hands/1/").status_code == 404
    with pytest.raises(GameError, match="when the round is over"):
        verified_hand(table.hands.get(deal=1))


def test_where_it_is_played_is_settled_before_it_is_drawn(
    matches: list[Match], players: list[Player]
) -> None:
    event = Event.objects.get()
    refused(
        "already_drawn",
        lambda: change_event(actor=OPERATOR, event=event, played=PlayedWhere.AT_TABLE),
    )
    event.played = PlayedWhere.EITHER
    with pytest.raises(ValidationError) as refusal:
        event.clean()
    assert set(refusal.value.message_dict) == {"is_duplicate"}
    Event.objects.update(played=PlayedWhere.AT_TABLE)
    sheet = sheet_of(matches[0])
    with refuses(LeagueError, "not_online"):
        begin_table(actor=by(players[0]), sheet=sheet)
