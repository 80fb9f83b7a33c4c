"""Members play at a table: who acts, on which version, what he sees, and what the sheet has after it."""

import json
import random
from functools import partial
from io import StringIO
from itertools import count
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.bots import house_bot
from games.errors import GameError
from games.gin.actions import Action
from games.gin.cards import cards_of, text_of
from games.gin.hand import HandState
from games.gin.view import Phase
from games.models import SealedPack, TableAct, TableMatch
from games.services import act, end_table, open_table, table_state
from games.services.hands import TABLE
from games.tables.dealing import derived_seed
from games.tables.members import commitment_of, running_sheet
from games.tables.play import game_views
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import ScoringError
from scoring.models import Scoresheet, SheetAct, SheetStatus
from scoring.services import record_deals, void_sheet
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, UserFactory
from tests.games.bot_matches import WE_AND_YOU, blank_sheet, planned
from tests.games.member_tables import hand_in_play, hand_of, member, table
from tests.refusals import refuses


def play(match: TableMatch, members: dict[int, Actor], chances: random.Random, hands: int) -> None:
    """Plays legal actions by chance, those that end a hand first, until so many hands are over."""
    keys = count()
    while match.hands.filter(is_over=True).count() < hands:
        seat, told = next(
            (seat, told)
            for seat, actor in members.items()
            if (told := table_state(actor=actor, match=match, seat=seat))["hand"] is None
            or told["hand"]["turn"] == seat
        )
        if told["hand"] is None:
            return
        assert_hidden(match, told, seat)
        legal = told["hand"]["legal"]
        endings = [action for action in legal if action.split()[0] in ("knock", "gin", "big_gin")]
        action = chances.choice(endings or legal)
        key = f"key {next(keys)}"
        act(actor=members[seat], match=match, seat=seat, version=told["version"], action=action, key=key)


def assert_hidden(match: TableMatch, told: dict[str, Any], seat: int) -> None:
    """Nothing that is told of the hand names a card that the seat has not seen."""
    state = hand_in_play(match)
    unseen = set(text_of(state.view(seat).unseen).split())
    live = {name: value for name, value in told.items() if name != "last_hand"}
    words = set(json.dumps(live).replace('"', " ").replace(",", " ").split())
    assert unseen.isdisjoint(words)
    assert set(text_of(cards_of(state.hands[seat])).split()) == set(told["hand"]["hand"].split())
    sealed = SealedPack.objects.get(hand__match=match)
    everything = json.dumps(told)
    assert sealed.nonce not in everything
    assert sealed.pack not in everything


def assert_replays(match: TableMatch) -> None:
    """The sheet has what every hand comes to, from packs that were committed to."""
    over = list(match.hands.filter(is_over=True))
    recorded = [hand for deal in kept_sheet(match.sheet).deals for hand in deal.hands]
    assert [result for hand in over for result in hand_of(match, hand, hand.pack).results] == recorded
    assert {hand.commitment for hand in over} == {commitment_of(hand.pack, hand.nonce) for hand in over}
    assert len({hand.pack for hand in over}) == len(over)


def refused(code: str, **what: Any) -> None:
    with refuses(GameError, code) as refusal:
        act(**what)
    assert str(refusal.value.message).endswith(".")


@pytest.mark.django_db
def test_a_member_and_a_bot_fill_a_sheet_that_equals_the_replay() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    play(match, {0: ann}, random.Random(5), 6)
    assert_replays(match)
    sheet = Scoresheet.objects.get(pk=match.sheet_id)
    assert sheet.deal_count >= 1
    assert (match.hands.filter(is_over=False).exists()) == (sheet.status == SheetStatus.OPEN)
    assert SealedPack.objects.count() == match.hands.filter(is_over=False).count()
    authors = SheetAct.objects.filter(sheet=sheet, kind="record").values_list("actor_kind", "actor_id")
    assert set(authors) == {(TABLE.kind, TABLE.id)}


@pytest.mark.django_db
def test_two_members_play_and_neither_moves_for_the_other() -> None:
    ann, bob, other = member(), member(), member()
    match = table(ann, bob)
    state = hand_in_play(match)
    turn = state.turn
    mover, waiting = (ann, bob) if turn == 0 else (bob, ann)
    asked = partial(refused, match=match, version=1, action="pass", key="a")
    asked("not_your_seat", actor=waiting, seat=turn)
    asked("not_your_seat", actor=other, seat=turn)
    asked("not_your_seat", actor=mover, seat=2)
    asked("not_your_turn", actor=waiting, seat=1 - turn)
    refused("stale_version", actor=mover, match=match, seat=turn, version=0, action="pass", key="a")
    refused("unknown_action", actor=mover, match=match, seat=turn, version=1, action="jump", key="a")
    refused("wrong_key", actor=mover, match=match, seat=turn, version=1, action="pass", key="")
    refused(
        state.refusal(Action.parse("draw")).code,
        actor=mover, match=match, seat=turn, version=1, action="draw", key="a",
    )  # fmt: skip
    assert TableMatch.objects.get().version == 1
    assert not TableAct.objects.exists()
    with refuses(GameError, "not_your_seat"):
        table_state(actor=ann, match=match, seat=1)
    play(match, {0: ann, 1: bob}, random.Random(6), 1)
    assert_replays(match)


@pytest.mark.django_db
def test_the_same_key_is_answered_as_it_was_also_when_late() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    told = table_state(actor=ann, match=match, seat=0)
    first = {"actor": ann, "match": match, "seat": 0, "version": told["version"], "key": "first"}
    action = told["hand"]["legal"][0]
    answer = act(**first, action=action)
    play(match, {0: ann}, random.Random(7), 1)
    before = list(match.hands.values()), TableMatch.objects.get().version
    again = act(**first, action=action)
    assert (again.version, again.repeated, answer.repeated) == (answer.version, True, False)
    assert (list(match.hands.values()), TableMatch.objects.get().version) == before
    refused("key_reused", **first, action="gin AS")


@pytest.mark.django_db
def test_the_bot_of_a_table_plays_as_it_would_have_without_a_break() -> None:
    """A bot that remembers its hand is taken through it anew at each action: the same hand in one go."""
    ann = member()
    match = table(ann, house_bot("simple"))
    play(match, {0: ann}, random.Random(8), 1)
    hand = match.hands.get(deal=1)
    done = hand_of(match, hand, hand.pack)
    sheet = running_sheet(match.sheet.rules.rules, kept_sheet(match.sheet).sides, ())
    seed = derived_seed(int(hand.nonce, 16), "bot", 1, 0, 1)
    bot, state = house_bot("simple").sit_down(seed), HandState(done.rules, done.deck, dealer=hand.dealer)
    for action in done.actions:
        # No bot is asked how it lays off.
        if state.turn == 1 and state.view(1).phase is not Phase.LAY_OFF:
            assert bot.choose(state.view(1), game_views(sheet)[1])[:2] == action[:2]
        state.act(action)
    assert state.is_over


@pytest.mark.django_db
def test_a_table_begins_only_with_members_who_may_record_on_an_open_sheet_of_two() -> None:
    ann, simple = member(), house_bot("simple")

    def code(seats: dict[int, Any], sheet: Scoresheet | None = None) -> str:
        with pytest.raises((GameError, ScoringError)) as refusal:
            open_table(sheet=sheet or blank_sheet(), seats=seats)
        return refusal.value.code

    assert code({0: ann}) == "unknown_seat"
    assert code({0: simple, 1: simple}) == "no_member"
    assert code({0: OPERATOR, 1: simple}) == "no_member"
    assert code({0: ann, 1: ann}) == "same_member"
    assert code({0: ann, 1: simple}, blank_sheet(WE_AND_YOU)) == "unknown_seat"
    stranger = UserFactory.create(is_staff=False)
    assert code({0: Actor(ActorKind.USER, str(stranger.pk), "x"), 1: simple}) == "not_allowed"
    assert code({0: ann, 1: simple}, planned().sheet) == "already_planned"
    assert code({0: ann, 1: simple}, table(ann, simple).sheet) == "already_planned"
    assert TableMatch.objects.count() == 1


@pytest.mark.django_db
def test_nobody_acts_on_a_sheet_that_was_changed_or_voided_meanwhile() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    told = table_state(actor=ann, match=match, seat=0)
    asked = {"actor": ann, "match": match, "seat": 0, "version": told["version"], "key": "a"}
    action = told["hand"]["legal"][0]
    dead = {"hands": [{"kind": "dead", "knocker": "Ann", "defender": "Bob"}]}
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[dead])
    refused("sheet_changed", **asked, action=action)
    void_sheet(actor=OPERATOR, sheet=match.sheet, reason="Never mind.")
    refused("table_over", **asked, action=action)
    assert table_state(actor=ann, match=match, seat=0)["hand"] is None
    assert TableMatch.objects.get().version == told["version"]


@pytest.mark.django_db
def test_while_it_is_played_other_doors_record_nothing_until_somebody_ends_it() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    told = table_state(actor=ann, match=match, seat=0)
    dead = {"hands": [{"kind": "dead", "knocker": "Ann", "defender": "Bob"}]}
    with refuses(ScoringError, "table_plays"):
        record_deals(actor=ann, sheet=match.sheet, deals=[dead])
    with refuses(ScoringError, "not_allowed"):
        end_table(actor=Actor(ActorKind.USER, "0", ""), match=match)
    end_table(actor=ann, match=match)
    assert not SealedPack.objects.exists()
    after = table_state(actor=ann, match=match, seat=0)
    assert (after["hand"], after["last_hand"], after["version"]) == (None, None, told["version"] + 1)
    action = {"action": told["hand"]["legal"][0], "version": after["version"], "key": "a"}
    refused("table_over", actor=ann, match=match, seat=0, **action)
    with refuses(GameError, "table_over"):
        end_table(actor=ann, match=match)
    record_deals(actor=ann, sheet=match.sheet, deals=[dead])


@pytest.mark.django_db
def test_the_command_tells_a_hand_from_one_of_another_pack() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))

    def said(deal: int) -> str:
        out = StringIO()
        call_command("verify_hand", match.code, str(deal), stdout=out)
        return out.getvalue()

    with pytest.raises(CommandError, match="not over yet"):
        said(1)
    with pytest.raises(CommandError, match="no such hand"):
        said(99)
    play(match, {0: ann}, random.Random(9), 1)
    hand = match.hands.get(deal=1)
    assert hand.commitment in said(1)
    first, second, *others = hand.pack.split()
    match.hands.filter(deal=1).update(pack=" ".join([second, first, *others]))
    with pytest.raises(CommandError, match="do not give the seal"):
        said(1)
    match.hands.filter(deal=1).update(pack=hand.pack, actions=hand.actions[:-1])
    with pytest.raises(CommandError, match="do not end the hand"):
        said(1)
