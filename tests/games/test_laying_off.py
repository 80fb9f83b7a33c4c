"""A defender melds and lays off by choice after a knock that names its melds (RULES §2)."""

import itertools
import json
import random
from collections.abc import Mapping
from itertools import islice
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.bots import Estimate, GameView, HouseBot, Strategy, house_bot
from games.bots.simple import Simple
from games.errors import GameError
from games.gin.actions import DRAW, LAY_OFF, LONGEST_TEXT, PASS, Action, ActionKind
from games.gin.cards import CARD_TEXTS, Hand, cards_of, mask_of, text_of
from games.gin.hand import HandState, shuffled
from games.gin.jersey import JerseyHand
from games.gin.layoffs import LayOff, reply
from games.gin.log import HandLog
from games.gin.offering import offered_knock, offered_lay_off
from games.gin.view import Phase, View
from games.models import BotHand, TableMatch
from games.services import act, table_state
from games.services.telling import verified_hand
from games.tables.members import commitment_of, running_sheet, seat_document, with_replies
from games.tables.play import play_deals
from games.tables.replaying import replayed
from games.templatetags.playing import move_words
from scoring.core.hands import Knock, Outcome
from scoring.core.rules import Rules
from scoring.services.records import kept_sheet
from tests.factories import ClubFactory
from tests.games import brute
from tests.games.bot_play import ANN_AND_BOB
from tests.games.member_tables import member, table
from tests.games.shown_matches import exhibition
from tests.games.tables import do, pack
from tests.games.test_chosen_melds import some_melds
from tests.games.test_tables_of_members import assert_hidden
from tests.refusals import refuses

PLAYERS = ("Ann", "Bob")
# Bob, the elder, knocks with the ace and the two: 3 are left.
KNOCKER = "3C 4C 5C 8D 8H 8S JS QS AH 2H"
KNOCK = "knock KD: 3C 4C 5C / 8D 8H 8S"
# On his run go the 2C, and the 6C and then the 7C; on the eights the 8C. The 8C is also in Ann's own run, and
# the 2C in her set: 2 + 2 + 2 + 6 + 7 + 8 + 9 + 10 + 10 + 5 are 61 in all.
DEFENDER = "2C 2D 2S 6C 7C 8C 9C TC JD 5H"
RULES = Rules(knock_limit=30)


def knocked(other: str = DEFENDER, *, rules: Rules = RULES) -> HandState:
    deck = pack(elder=KNOCKER, younger=other, upcard="9D", stock="KD")
    return do(HandState(rules, deck, dealer=0, players=PLAYERS), "pass", "pass", "draw", KNOCK)


@pytest.mark.parametrize(
    ("choice", "left"),
    [
        # All at its best: the set of twos, the run from the six; the jack and the five are left.
        ("lay_off", 15),
        ("lay_off 2C 2D 2S / 6C 7C 8C 9C TC:", 15),
        # The six and the seven go onto the run in either order.
        ("lay_off 2C 2D 2S / 8C 9C TC: 7C 0 / 6C 0", 15),
        ("lay_off 8C 9C TC: 6C 0 / 2C 0 / 7C 0", 19),
        # The poorer is his to choose: 61 and all of it, and what the eight alone takes off.
        ("lay_off:", 61),
        ("lay_off: 8C 1", 53),
    ],
)
def test_the_hand_counts_what_the_defender_chose(choice: str, left: int) -> None:
    state = knocked()
    assert (state.turn, state.phase, state.result, state.legal_actions()) == (
        0,
        Phase.LAY_OFF,
        None,
        (LAY_OFF,),
    )
    do(state, choice)
    assert state.result == Knock("Bob", "Ann", 23, left, "9D")
    assert state.answer is not None
    assert (state.answer.deadwood, state.answer.unmatched.value) == (left, left)
    assert (state.is_over, state.legal_actions(), str(state.actions[-1])) == (True, (), choice)
    score = state.score()
    # Below 23 it is an undercut: 25 and the difference.
    won = ("Ann", 25 + 23 - left) if left <= 23 else ("Bob", left - 23)
    assert (score.winner, score.points) == won


def test_nothing_left_is_a_gin_off_and_a_tie_an_undercut() -> None:
    off = knocked("6C 7C TD TH TC 9S 9H 9C 8C 2C")
    assert (
        do(off, "lay_off TC TD TH / 9C 9H 9S: 2C 0 / 6C 0 / 7C 0 / 8C 1").score().outcome is Outcome.GIN_OFF
    )
    tied = knocked("6C 7C TD TH TC 9S 9H 9C KS 4S", rules=Rules(knock_limit=30, undercut_on_tie=True))
    assert do(tied, "lay_off TC TD TH / 9C 9H 9S: 6C 0").score().points == 25 + 2


@pytest.mark.parametrize(
    ("choice", "code", "said"),
    [
        ("lay_off 2C 2D:", "not_a_meld", "“2C 2D” is neither a set nor a run."),
        ("lay_off 2C 2D 2H:", "not_in_hand", "The defender does not hold 2H."),
        ("lay_off: 6D 0", "not_in_hand", "The defender does not hold 6D."),
        ("lay_off 2C 2D 2S / 2C 3C 4C:", "not_in_hand", "The defender does not hold 3C 4C."),
        ("lay_off 6C 7C 8C / 8C 9C TC:", "card_twice", "8C is in two melds."),
        ("lay_off 2C 2D 2S: 2C 0", "card_twice", "2C is there twice."),
        ("lay_off: 8C 1 / 8C 1", "card_twice", "8C is there twice."),
        ("lay_off: 8C 2", "unknown_meld", "The knocker has laid down no meld with the number 2."),
        ("lay_off: 8C 0", "does_not_fit", "8C does not fit on 3C 4C 5C."),
        # The six is not there to carry the seven; after 2-3-4-5-6 the eight would need it.
        ("lay_off: 7C 0", "does_not_fit", "7C does not fit on 3C 4C 5C."),
        ("lay_off: 8C 0 / 2C 0 / 6C 0", "does_not_fit", "8C does not fit on 2C 3C 4C 5C 6C."),
        ("lay_off: 9C 1", "does_not_fit", "9C does not fit on 8D 8H 8S."),
        ("lay_off: 8C 1 / 9C 1", "does_not_fit", "9C does not fit on 8C 8D 8H 8S."),
        ("pass", "not_now", "The knocker’s cards are down; lay off on those melds."),
        (KNOCK, "not_now", "The knocker’s cards are down; lay off on those melds."),
    ],
)
def test_what_does_not_lie_as_the_rules_say_is_refused(choice: str, code: str, said: str) -> None:
    state = knocked()
    before = state.view(0), state.view(1), list(state.actions)
    with pytest.raises(GameError) as caught:
        do(state, choice)
    assert (caught.value.code, str(caught.value.message), caught.value.field) == (code, said, "action")
    assert (state.view(0), state.view(1), state.actions) == before


def test_nothing_is_laid_off_but_on_a_knock_that_names_its_melds() -> None:
    deck = pack(elder=KNOCKER, younger=DEFENDER, upcard="9D", stock="KD")
    state = do(HandState(RULES, deck, dealer=0, players=PLAYERS), "pass", "pass", "draw")
    for choice in ("lay_off", "lay_off 2C 2D 2S:"):
        with refuses(GameError, "not_now"):
            do(state, choice)
    # The referee lays off at once; with gin nothing is laid off.
    assert do(state, "knock KD").result == Knock("Bob", "Ann", 23, 15, "9D")
    gin = pack(elder="3C 4C 5C 8D 8H 8S JS QS KS TS", younger=DEFENDER, upcard="9D", stock="KD")
    state = do(HandState(RULES, gin, dealer=0), "pass", "pass", "draw", "gin KD")
    assert (state.is_over, state.answer and state.answer.deadwood) == (True, 15)


def test_three_at_a_table_leave_it_to_the_referee() -> None:
    state = JerseyHand(
        Rules.from_document({"kind": "jersey", "knock_limit": 98, "jersey": {}}), shuffled(1), dealer=0
    )
    while DRAW not in state.legal_actions():
        state.act(PASS)
    state.act(DRAW)
    for choice in ("lay_off", "lay_off: 2C 0"):
        with refuses(GameError, "not_now"):
            state.act(Action.parse(choice))
    card = cards_of(state.hands[state.turn])[0]
    state.act(Action(ActionKind.KNOCK, card, ()))
    assert state.is_over


def test_what_is_no_lay_off_is_not_read() -> None:
    for text in (
        "lay_off 2C 2D 2S",
        "lay_off 2C 0",
        "lay_off: 2C",
        "lay_off: 2C 0 1",
        "lay_off: 2C -1",
        "lay_off: 2C 0 /",
        "lay_off: 2C ²",
        "knock: 2C 0",
        f"lay_off:{' ' * LONGEST_TEXT}2C 0",
    ):
        with pytest.raises(GameError) as caught:
            Action.parse(text)
        assert (text, caught.value.code) == (text, "unknown_action")
    state = knocked()
    for lay_offs in ((LayOff(-1, 0),), (LayOff(52, 0),), (LayOff(3, -1),), ((3, 0),), [LayOff(7, 1)], 7):
        action = Action(ActionKind.LAY_OFF, None, (), lay_offs)  # type: ignore[arg-type]
        assert state.known(action) is None
        with refuses(GameError, "unknown_action"):
            state.act(action)


def test_the_defender_sees_the_knockers_cards_and_nobody_more() -> None:
    state = knocked()
    mine, his = state.view(0), state.view(1)
    assert (mine.shown, his.shown) == (state.hands[1], None)
    assert mine.laid == his.laid == state.laid
    shown = seat_document(state, 0)
    assert (shown["phase"], shown["turn"], shown["legal"]) == ("lay_off", 0, ["lay_off"])
    assert shown["laid"] == {"melds": ["3C 4C 5C", "8D 8H 8S"], "deadwood": 23, "unmatched": "AH 2H JS QS"}
    assert Action.parse(shown["offered"]) == offered_lay_off(mine)
    # What is told to both names each card of the knocker's, and none of the stock or of the defender's.
    told = [json.dumps(seat_document(state, seat)) for seat in (0, 1)]
    for card in state.stock:
        assert not any(CARD_TEXTS[card] in text for text in told)
    assert not any(card in told[1] for card in DEFENDER.split())
    assert seat_document(state, 1)["offered"] is None
    assert set(Hand(his.unseen.mask)) == {*state.stock, *cards_of(state.hands[0])}


def open_knock(seed: int, rules: Rules, rng: random.Random) -> HandState:
    """A deal in which the elder knocks at once, with some melds that he names."""
    state = do(HandState(rules, shuffled(seed), dealer=0, players=PLAYERS), "pass", "pass", "draw")
    card = rng.choice(cards_of(state.hands[1]))
    melds = offered_knock(state.view(1), card).melds if rng.random() < 0.5 else None
    chosen = tuple(some_melds(rng, state.hands[1] ^ 1 << card, rules.ace)) if melds is None else melds
    state.act(Action(ActionKind.KNOCK, card, chosen))
    return state


@pytest.mark.parametrize("ace", ["low", "low_or_high"])
def test_offer_is_the_referees_and_no_choice_leaves_less(ace: str) -> None:
    """Some choice for each of many deals, legal or not by the melds of `brute`; the offer for all of them."""
    rules, rng = Rules(knock_limit=98, ace=ace), random.Random(12)
    legal = illegal = worse = 0
    for seed in range(500):
        state = open_knock(seed, rules, rng)
        assert state.laid is not None
        held, knockers = state.hands[0], state.laid.melds
        best = reply(knockers, Hand(held), ace=ace)
        offer = offered_lay_off(state.view(0))
        for action in (LAY_OFF, offer):
            done = HandState.replay(rules, HandLog(state.deck, 0, (*state.actions, action)), players=PLAYERS)
            assert done.answer == best
        own = tuple(some_melds(rng, held, ace))
        free = cards_of(held & ~mask_of(card for meld in own for card in cards_of(meld)))
        fitting = [
            LayOff(card, number)
            for card in free
            for number, meld in enumerate(knockers)
            if rng.random() < 0.05 or _may_follow(card, meld.mask)
        ]
        lay_offs = tuple(
            {one.card: one for one in rng.sample(fitting, rng.randint(0, len(fitting)))}.values()
        )
        action = Action(ActionKind.LAY_OFF, None, own, lay_offs)
        assert Action.parse(str(action)) == action
        assert Action.parse(str(offer)) == offer
        assert max(len(str(action)), len(str(offer))) <= LONGEST_TEXT
        grown = [
            mask | mask_of(one.card for one in lay_offs if one.meld == number)
            for number, mask in enumerate(meld.mask for meld in knockers)
        ]
        if not all(frozenset(text_of(cards_of(mask)).split()) in brute.melds_of_pack(ace) for mask in grown):
            illegal += 1
            with refuses(GameError, "does_not_fit"):
                state.act(action)
            continue
        legal += 1
        state.act(action)
        left = set(free) - {one.card for one in lay_offs}
        assert state.answer is not None
        assert state.answer.deadwood == brute.count(frozenset(text_of(left).split())) >= best.deadwood
        worse += state.answer.deadwood > best.deadwood
        log = HandLog.from_document(json.loads(json.dumps(state.log.to_document())))
        again = HandState.replay(rules, log, players=PLAYERS)
        assert (again.result, again.answer, again.log) == (state.result, state.answer, state.log)
    assert min(legal, illegal, worse) > 20


def _may_follow(card: int, meld: int) -> bool:
    """Whether the card is of the rank of a set, or of the suit of a run."""
    cards = cards_of(meld)
    return card % 13 == cards[0] % 13 == cards[1] % 13 or (card // 13 == cards[0] // 13 == cards[1] // 13)


def dealt_as(state: HandState) -> HandState:
    """The hand as it was dealt."""
    return HandState(state.rules, state.deck, dealer=state.dealer, players=state.players)


def test_a_bot_lays_off_what_is_offered_and_its_own_knock_is_answered() -> None:
    sheet = running_sheet(RULES, ANN_AND_BOB, ())
    state = knocked()
    nonce = "ab" * 32
    done = with_replies(dealt_as(state), state.actions, {0: house_bot("simple")}, sheet, nonce)
    assert (done.is_over, done.actions[-1]) == (True, offered_lay_off(state.view(0)))
    assert done.actions[-1].lay_offs is not None
    waits = with_replies(dealt_as(state), state.actions[:-1], {1: house_bot("simple")}, sheet, nonce)
    assert (waits.turn, waits.phase, len(waits.actions)) == (0, Phase.LAY_OFF, 4)


class Naming:
    """Plays as simple does and names the melds of a knock; has an estimate of every choice."""

    def __init__(self, chances: Any) -> None:
        self._simple = Simple(chances)
        self._said: tuple[Estimate, ...] = ()

    def choose(self, view: View, game: GameView) -> Action:
        assert view.phase is not Phase.LAY_OFF
        chosen = self._simple.choose(view, game)
        if chosen.kind is ActionKind.KNOCK and chosen.card is not None:
            chosen = offered_knock(view, chosen.card)
        self._said = (Estimate(chosen, 0.5, 1),)
        return chosen

    def estimates(self) -> tuple[Estimate, ...]:
        return self._said


def test_no_bot_is_asked_what_it_lays_off() -> None:
    naming = HouseBot.of(Strategy("naming", "Names.", lambda samples, chances: Naming(chances)))
    bots: Mapping[str, HouseBot] = {"Ann": naming, "Bob": naming}
    laid_off = 0
    for played in islice(play_deals(Rules(), ANN_AND_BOB, bots, 3), 4):
        (hand,), (estimates,) = played.two_handed, played.estimates
        for action, said in zip(hand.actions, estimates, strict=True):
            assert bool(said) == (action != LAY_OFF)
            laid_off += action == LAY_OFF
    assert laid_off


def test_replay_shows_what_was_laid_off_and_says_it() -> None:
    state = do(knocked(), "lay_off 2C 2D 2S / 8C 9C TC: 7C 0 / 6C 0")
    shown = replayed(RULES, state.log, players=PLAYERS)
    knock, end = shown.frames[-2:]
    assert (knock.turn, list(knock.endings), knock.lines) == (0, [1], ())
    assert [text_of(meld.cards) for meld in knock.hands[1].melds] == ["3C 4C 5C", "8D 8H 8S"]
    assert (knock.hands[0].deadwood, end.hands[0].deadwood, list(end.endings)) == (15, 15, [1])
    assert [text_of(meld.cards) for meld in end.hands[1].melds] == ["3C 4C 5C 6C 7C", "8D 8H 8S"]
    assert [text_of(meld.cards) for meld in end.hands[0].melds] == ["2C 2D 2S", "8C 9C TC"]
    assert end.move is not None
    assert end.move.seat == 0
    assert move_words(end.move).replace("\ufe0e", "") == "lays off 6♣ 7♣, keeps 15"
    none = replayed(RULES, do(knocked(), "lay_off:").log, players=PLAYERS).frames[-1].move
    assert none is not None
    assert move_words(none) == "lays off nothing, keeps 61"


@pytest.mark.django_db
def test_page_of_a_hand_tells_the_lay_off(client: Client) -> None:
    match = exhibition(ClubFactory.create(is_public=True), house_bot("simple"), knock_limit=30)
    state = do(knocked(rules=match.sheet.rules.rules), "lay_off: 8C 1")
    BotHand.objects.create(match=match, deal=1, log=state.log.to_document())
    address = reverse("bot_hand", args=[match.code, 1])
    for move in (4, 5):
        content = client.get(f"{address}?move={move}").content.decode().replace("\ufe0e", "")
        assert "lays off 8♣, keeps 53" in content
        assert ">knocks</span>" in content.replace("\n", "").replace(" ", "")


def deal_again(match: TableMatch, elder: str = KNOCKER) -> None:
    """The hand in play is dealt by seat 0 from the pack of `knocked`, and nobody has moved."""
    hand = match.hands.select_related("sealed_pack").get(is_over=False)
    sealed = hand.sealed_pack
    sealed.pack = text_of(pack(elder=elder, younger=DEFENDER, upcard="9D", stock="KD"))
    sealed.save()
    hand.dealer, hand.actions, hand.commitment = 0, [], commitment_of(sealed.pack, sealed.nonce)
    hand.save()


@pytest.mark.django_db
def test_at_a_table_the_defender_chooses_and_the_sheet_has_it() -> None:
    ann, bob = member(), member()
    match = table(ann, bob, knock_limit=30)
    deal_again(match)
    actors, keys = (ann, bob), itertools.count()

    def acts(seat: int, action: str) -> None:
        version = TableMatch.objects.get().version
        key = str(next(keys))
        act(actor=actors[seat], match=match, seat=seat, version=version, action=action, key=key)

    for seat, action in ((1, "pass"), (0, "pass"), (1, "draw"), (1, KNOCK)):
        acts(seat, action)
    mine, his = (table_state(actor=actors[seat], match=match, seat=seat) for seat in (0, 1))
    assert_hidden(match, mine, 0)
    assert_hidden(match, his, 1)
    assert (mine["hand"]["turn"], his["hand"]["turn"], mine["hand"]["legal"]) == (0, 0, ["lay_off"])
    assert mine["hand"]["laid"]["melds"] == ["3C 4C 5C", "8D 8H 8S"]
    with refuses(GameError, "does_not_fit"):
        acts(0, "lay_off: 8C 0")
    with refuses(GameError, "not_your_turn"):
        acts(1, "lay_off")
    acts(0, "lay_off: 8C 1")
    assert TableMatch.objects.get().version == 6
    hand = match.hands.get(deal=1)
    assert (hand.is_over, hand.actions[-2:]) == (True, [KNOCK, "lay_off: 8C 1"])
    assert verified_hand(hand).results == (Knock("Bob", "Ann", 23, 53, "9D"),)
    assert kept_sheet(match.sheet).deals[0].hands == (Knock("Bob", "Ann", 23, 53, "9D"),)


@pytest.mark.django_db
def test_at_a_table_a_bot_lays_off_what_is_best_with_the_knock() -> None:
    bob = member()
    match = table(house_bot("simple"), bob, knock_limit=30)
    deal_again(match)
    for number, action in enumerate(("pass", "draw", KNOCK)):
        version = TableMatch.objects.get().version
        act(actor=bob, match=match, seat=1, version=version, action=action, key=str(number))
    hand = match.hands.get(deal=1)
    assert hand.actions == [
        "pass", "pass", "draw", KNOCK, str(offered_lay_off(knocked().view(0))),
    ]  # fmt: skip
    assert kept_sheet(match.sheet).deals[0].hands == (Knock("Bob", "Ann", 23, 15, "9D"),)
