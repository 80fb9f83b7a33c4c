"""Members play, at one hand, what is dealt to more than two: the hands, who sees what, clocks and pauses."""

import datetime
import random
from functools import partial
from html import unescape
from io import StringIO
from itertools import count
from typing import Any, Final

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.bots import house_bot
from games.bots.base import GameView
from games.bots.several import ACTIONS, Several
from games.errors import GameError
from games.gin.cards import CARD_TEXTS, cards_of
from games.gin.jersey import JerseyHand
from games.gin.one_pack import OnePackHand
from games.gin.playing import InPlay
from games.models import SealedPack, TableHand, TableMatch
from games.services import (
    act,
    agree_pause,
    ask_pause,
    deal_anew,
    hand_stands,
    hint,
    keep_clocks,
    open_table,
    table_state,
    verified_hand,
    watched_state,
)
from games.services.conduct import agreement_of
from games.services.hands import hands_over, state_of
from games.services.planning import game_on
from games.services.reports import costs_of, hands_to_report, report_hand, report_on
from games.tables.clocks import PRESETS, Clock, TimeOut, default_action
from games.tables.play import choose
from games.templatetags.playing import card_words
from scoring.core.actors import Actor
from scoring.core.sheet_state import players_by_seat
from scoring.core.sheets import SheetSide, score_sheet
from scoring.documents.sheets import deal_document
from scoring.models import Scoresheet
from scoring.services import correct_deals
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR
from tests.games.bot_matches import WE_AND_YOU, blank_sheet
from tests.games.kinds.sheets import seats_of
from tests.games.member_tables import member
from tests.games.test_table_pages import cards_named, press
from tests.refusals import refuses

pytestmark = pytest.mark.django_db

# What brings a hand nearer to its end, in rummy too.
_ENDINGS: Final = frozenset({"knock", "gin", "big_gin", "meld", "lay_off"})
# By name: who plays, and by which rules.
GAMES: Final[dict[str, tuple[tuple[SheetSide, ...], dict[str, Any]]]] = {
    "jersey": (seats_of(3), {"kind": "jersey", "target": 10_000}),
    "jersey of last two": (
        seats_of(3),
        {"kind": "jersey", "target": 10_000, "jersey": {"discards": "last_two", "upcard": "open"}},
    ),
    "one pack": (WE_AND_YOU, {"packs": "shared", "target": 10_000}),
    "one pack that is soon over": (
        WE_AND_YOU,
        {"packs": "shared", "target": 10_000, "knock_limit": 98},
    ),
    "partners": (
        WE_AND_YOU,
        {"kind": "partners_one_pack", "target": 10_000, "partners_one_pack": {"cards": 7, "reshuffles": 2}},
    ),
    "rummy": (seats_of(4), {"kind": "basic_rummy", "target": 10_000}),
    "rummy of three": (seats_of(3), {"kind": "basic_rummy", "target": 10_000}),
    "rummy of two": (
        seats_of(2),
        {
            "kind": "basic_rummy",
            "target": 10_000,
            "basic_rummy": {"stock": "shuffled", "turnovers": 2, "last_discard": True, "floating": True},
        },
    ),
}
VARIANTS: Final = (
    "rummy of three",
    "jersey of last two",
    "one pack that is soon over",
    "partners",
    "rummy of two",
)
every_game = pytest.mark.parametrize("name", [name for name in GAMES if name not in VARIANTS])
every_variant = pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.long) if name in VARIANTS else name for name in GAMES]
)


class Seated:
    """Members, and bots, at a table of such a game."""

    def __init__(self, name: str, *others: Any, clock: Clock | None = None) -> None:
        sides, knobs = GAMES[name]
        players = [player for side in sides for player in side.players]
        who = [*others, *[member() for _player in players[len(others) :]]]
        self.members: dict[int, Actor] = {seat: one for seat, one in enumerate(who) if isinstance(one, Actor)}
        self.match = open_table(sheet=blank_sheet(sides, **knobs), seats=dict(enumerate(who)), clock=clock)
        self._keys = count()

    def told(self, seat: int) -> dict[str, Any]:
        return table_state(actor=self.members[seat], match=self.match, seat=seat)

    @property
    def version(self) -> int:
        return TableMatch.objects.get(pk=self.match.pk).version

    def act(self, seat: int, action: str, version: int | None = None) -> None:
        key = f"key {next(self._keys)}"
        since = self.version if version is None else version
        act(actor=self.members[seat], match=self.match, seat=seat, version=since, action=action, key=key)

    def refused(self, seat: int, action: str, version: int | None = None) -> str:
        with pytest.raises(GameError) as refusal:
            self.act(seat, action, version)
        assert str(refusal.value.message).endswith(".")
        return refusal.value.code

    def hand(self) -> TableHand:
        return self.match.hands.select_related("sealed_pack").get(is_over=False)

    def state(self) -> InPlay:
        return state_of(self.hand(), self.kept())

    def kept(self) -> Any:
        return kept_sheet(Scoresheet.objects.select_related("rules").get(pk=self.match.sheet_id))

    def turn(self) -> int:
        """The seat that is to move."""
        return self.hand().seats[self.state().turn]

    def move(self, chances: random.Random) -> int:
        """Some legal action of who is to move, an ending where there is one; returns his seat."""
        hand, state = self.hand(), self.state()
        seat = hand.seats[state.turn]
        self.act(seat, str(chosen(state, chances)))
        return seat


def chosen(state: InPlay, chances: random.Random) -> Any:
    """A legal action by chance; whoever can end the hand does it, mostly, and nothing is passed for ever."""
    legal = state.legal_actions()
    if chances.random() < 0.3:
        return default_action(state)
    endings = [one for one in legal if one.kind in _ENDINGS]
    return chances.choice(endings or legal)


def signed_in(actor: Actor) -> Client:
    return logged_in(User.objects.get(pk=actor.id))


def page_of(client: Client, match: TableMatch, name: str = "play_table", **more: Any) -> str:
    response = client.get(reverse(name, kwargs={"code": match.code, **more}))
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_a_sheet_of_hands_by_chance_equals_their_replay(name: str) -> None:
    """Members play twenty deals through the services, with looks at what each is told."""
    table, chances = Seated(name), random.Random(5)
    while len(table.kept().deals) < 20:
        if chances.random() < 0.05:
            assert_told(table)
        table.move(chances)
    kept = table.kept()
    over = list(hands_over(table.match))
    assert [verified_hand(hand).results for hand in over] == [tuple(deal.hands) for deal in kept.deals]
    assert (
        kept.state.to_document() == score_sheet(kept.sheet.rules.rules, kept.sides, kept.deals).to_document()
    )
    assert SealedPack.objects.count() == 1


def assert_told(table: Seated) -> None:
    """Every seat is told its own cards, how many all others hold, and whose turn it is."""
    hand, state = table.hand(), table.state()
    watched = watched_state(match=table.match)
    assert (watched["hand"], watched["turn"]) == (None, hand.seats[state.turn])
    for seat in table.members:
        told = table.told(seat)["hand"]
        place = hand.seats.index(seat)
        assert set(told["hand"].split()) == {CARD_TEXTS[card] for card in cards_of(state.hands[place])}
        assert told["counts"] == [mask.bit_count() for mask in state.hands]
        assert bool(told["legal"]) == (place == state.turn)


def put_down(hand: TableHand) -> set[int]:
    """The cards that were put down in this hand."""
    return {card for action in hand.actions for card in cards_named(action)}


@pytest.mark.dear("every page and answer in a whole hand is read")
@every_variant
def test_no_byte_that_is_sent_names_a_card_that_its_reader_has_not_seen(name: str) -> None:
    """Every seat and a spectator look at every seventh move of a hand, on the page and as JSON."""
    table, chances = Seated(name), random.Random(11)
    clients = {seat: signed_in(actor) for seat, actor in table.members.items()}
    spectator = signed_in(member())
    while not hands_over(table.match).exists():
        hand, state = table.hand(), table.state()
        if len(state.actions) % 7:
            table.move(chances)
            continue
        for seat, client in clients.items():
            place = hand.seats.index(seat)
            # What was put down openly before may be in a stock again.
            seen = set(range(52)) - set(cards_of(state.view(place).unseen.mask)) | put_down(hand)
            page = page_of(client, table.match)
            assert cards_named(page) <= seen
            assert set(cards_of(state.hands[place])) <= cards_named(page)
            told = repr({key: value for key, value in table.told(seat).items() if key != "last_hand"})
            assert cards_named(told) <= seen
        assert_told(table)
        assert cards_named(page_of(spectator, table.match)) == set()
        assert cards_named(repr(watched_state(match=table.match))) == set()
        secret = SealedPack.objects.get()
        assert secret.nonce not in page
        table.move(chances)
    hand = hands_over(table.match).get()
    held = {card for mask in state_of(hand, table.kept()).hands for card in cards_of(mask)}
    assert held <= cards_named(page_of(spectator, table.match))
    assert verified_hand(hand).results == table.kept().deals[0].hands
    out = StringIO()
    call_command("verify_hand", table.match.code, "1", stdout=out)
    assert hand.commitment in out.getvalue()
    for move in (0, 1, len(hand.actions)):
        address = reverse("play_hand", kwargs={"code": table.match.code, "deal": 1})
        shown = spectator.get(address, {"move": move})
        assert shown.status_code == 200
    assert hand.nonce in unescape(shown.content.decode())
    assert "pack and nonce give the seal" in shown.content.decode()


def test_what_is_pressed_on_the_page_of_rummy_is_done() -> None:
    """Each kind of action is once pressed: a card drawn, a meld laid down, a card laid off, one discarded."""
    table = Seated("rummy")
    clients = {seat: signed_in(actor) for seat, actor in table.members.items()}
    pressed: set[str] = set()
    while not pressed >= {"draw", "meld", "lay_off", "discard"}:
        hand, seat, legal = table.hand(), table.turn(), table.state().legal_actions()
        found = [one for one in legal if one.kind in ("meld", "lay_off")]
        action = (found or [default_action(table.state())])[0]
        kind, _, rest = str(action).partition(" ")
        sent = {"discard": {"card": rest}, "meld": {"meld": str(action)}, "lay_off": {"lay_off": str(action)}}
        if kind not in pressed:
            page = press(clients[seat], table.match, kind, **sent.get(kind, {}))
            assert 'role="alert"' not in page
            assert TableHand.objects.get(pk=hand.pk).actions[-1] == str(action)
            pressed.add(kind)
        else:
            table.act(seat, str(action))
    assert "On the table" in page_of(clients[table.turn()], table.match)


@every_game
def test_bots_take_their_turns_in_the_same_hand(name: str) -> None:
    """One member and bots in all other seats; a bot that does not play the game is refused."""
    ann, steady = member(), house_bot("steady")
    places = sum(len(side.players) for side in GAMES[name][0])
    table, chances = Seated(name, ann, *[steady] * (places - 1)), random.Random(3)
    while len(table.kept().deals) < 1:
        assert table.move(chances) == 0
    assert [verified_hand(hand).results for hand in hands_over(table.match)] == [
        tuple(deal.hands) for deal in table.kept().deals
    ]
    with refuses(GameError, "not_played"):
        Seated(name, ann, *[house_bot("simple")] * (places - 1))


@every_game
def test_nobody_moves_for_another_and_an_old_version_is_refused(name: str) -> None:
    table = Seated(name)
    turn = table.turn()
    for seat in set(table.members) - {turn}:
        assert table.refused(seat, "draw") == "not_your_turn"
        with refuses(GameError, "not_your_seat"):
            act(actor=table.members[seat], match=table.match, seat=turn, version=1, action="draw", key="a")
    table.act(turn, str(table.state().legal_actions()[-1]), 1)
    assert table.refused(table.turn(), str(table.state().legal_actions()[0]), 1) == "stale_version"
    assert table.refused(table.turn(), "no action") == "unknown_action"


@every_game
def test_a_time_out_plays_a_turn_and_the_next_ones_clock_begins(
    name: str, clock: time_machine.Traveller
) -> None:
    table = Seated(name, clock=Clock(30, 0, TimeOut.DEFAULT_ACTION))
    for turn in range(1, 4):
        seat = table.turn()
        clock.shift(31)
        keep_clocks(datetime.datetime.now(datetime.UTC))
        told = table.told(seat)["clock"]["seats"]
        assert [one["time_outs"] for one in told].count(1) == turn
        assert [number for number, one in enumerate(told) if one["deadline"]] == [table.turn()] != [seat]


def test_the_card_below_the_top_is_taken_on_the_page() -> None:
    """Of three the last discard of who sits on the left may be taken from below (RULES §8, `discards`)."""
    table = Seated("jersey of last two")
    for action in ("draw", "draw"):
        seat = table.turn()
        table.act(seat, action)
        table.act(seat, str(default_action(table.state())))
    state = table.state()
    assert isinstance(state, JerseyHand)
    seat, below = table.turn(), state.pile[-2]
    client = signed_in(table.members[seat])
    assert f"or the {card_words(below)} below it." in page_of(client, table.match)
    assert "from below" in press(client, table.match, "take_below")
    assert table.state().hands[seat] >> below & 1


def test_a_game_that_is_over_is_told_while_the_other_from_the_same_pack_goes_on() -> None:
    """One knocks with anything, and who lays off ends their game; all four look, and hear the page."""
    table = Seated("one pack that is soon over")
    seat, place = table.turn(), table.state().turn
    for action in ("pass", "pass", "pass", "pass"):
        table.act(table.turn(), action)
    assert table.turn() == seat
    table.act(seat, "draw")
    table.act(seat, next(str(one) for one in table.state().legal_actions() if one.kind == "knock"))
    answers = table.turn()
    table.act(answers, "lay_off")
    state = table.state()
    assert isinstance(state, OnePackHand)
    assert [game.is_over for game in state.games] == [place < 2, place >= 2]
    names = table.hand().seats
    for other in table.members:
        client = signed_in(table.members[other])
        said = client.get(reverse("play_live", args=[table.match.code])).content.decode()
        assert ("In the other game" in said) == (names.index(other) // 2 == place // 2)
        assert ("lay off" if other == answers else "lays off") in said


def test_where_more_than_two_sides_play_no_clock_says_that_the_match_is_lost() -> None:
    """RULES §11: a table of three is forfeited to nobody."""
    with refuses(GameError, "no_forfeit"):
        Seated("jersey", clock=PRESETS["correspondence"])


def test_a_pause_of_three_needs_all_of_them(clock: time_machine.Traveller) -> None:
    table = Seated("jersey", clock=PRESETS["lively"])

    def by(seat: int) -> dict[str, Any]:
        return {"actor": table.members[seat], "match": table.match, "seat": seat}

    def is_paused() -> bool:
        return TableMatch.objects.get(pk=table.match.pk).paused_at is not None

    turn = table.turn()
    second, third = [seat for seat in range(3) if seat != turn]
    ask_pause(**by(second))
    agree_pause(**by(turn))
    assert not is_paused()
    with refuses(GameError, "no_pause_asked"):
        agree_pause(**by(turn))
    # Who has agreed may move; who has not declines by moving.
    table.act(turn, "pass")
    assert TableMatch.objects.get(pk=table.match.pk).pause_asked_by == second
    assert "asks for a pause" in page_of(signed_in(table.members[third]), table.match)
    agree_pause(**by(third))
    assert is_paused()


def test_a_pause_of_three_is_declined_by_who_moves_without_having_agreed(
    clock: time_machine.Traveller,
) -> None:
    table = Seated("jersey", clock=PRESETS["lively"])
    turn = table.turn()
    other = next(seat for seat in range(3) if seat != turn)
    ask_pause(actor=table.members[other], match=table.match, seat=other)
    table.act(turn, "pass")
    assert TableMatch.objects.get(pk=table.match.pk).pause_asked_by is None


def weighs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Choices are weighed with a twentieth of what is played out otherwise."""
    little = partial(Several, actions=ACTIONS // 20)
    monkeypatch.setattr("games.bots.judges.Several", little)


of_several = pytest.mark.parametrize("name", ["rummy of three", "jersey", "partners"])


def among_bots(name: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Seated, int, Actor]:
    """A member at a table of bots, in the last seat, whose choices are weighed by little."""
    weighs_little(monkeypatch)
    sides, _knobs = GAMES[name]
    others = sum(len(side.players) for side in sides) - 1
    table = Seated(name, *[house_bot("steady")] * others)
    return table, others, table.members[others]


def play_plainly(table: Seated, seat: int) -> None:
    """The member does what a plain bot would do."""
    state = table.state()
    bot: Any = house_bot("steady").sit_down_at(game_on(table.match.sheet), 1)
    table.act(seat, str(choose(bot, state, GameView(1, ()), table.hand().deal)))


@pytest.mark.dear("weighs every choice of a hand")
@of_several
def test_choices_in_hands_of_several_are_reported_and_told_to_their_player(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whichever seat a member plays it, with their curve; the sums of directors are of hands of two."""
    table, seat, ann = among_bots(name, monkeypatch)
    reader, choices = signed_in(ann), None
    # A bot may end a hand before there was anything to choose.
    while choices is None or not any(one is not None and one.options for one in choices):
        while not (owed := hands_to_report()):
            play_plainly(table, seat)
        (pk,) = owed
        report_hand(pk)
        hand = hands_over(table.match).get(pk=pk)
        choices = report_on(hand, seat)
    assert hands_to_report() == []
    assert len(choices) == len(hand.actions)
    told = [(move, one) for move, one in enumerate(choices, start=1) if one is not None]
    assert [str(one.chosen) for _move, one in told] == [
        hand.actions[move - 1].partition(":")[0] for move, _one in told
    ]
    move = next(move for move, one in told if one.options)
    address = reverse("play_hand", args=[table.match.code, hand.deal])
    page = reader.get(address, {"move": move}).content.decode()
    assert "yours</span>" in page
    assert "Your choices" in page
    # Nobody knocks in rummy.
    assert ("after a knock" in page) == (table.match.sheet.rules.rules.kind != "basic_rummy")
    # The figures of `expert` are of hands of two.
    assert "Checked by" not in page
    assert ("dear choices is overstated" in page) == (table.match.sheet.rules.rules.kind != "jersey")
    assert "Your choices" not in signed_in(member()).get(address, {"move": move}).content.decode()
    (costs,) = costs_of(int(ann.id))
    assert sum(costs.counts.values()) >= len(told)
    TableMatch.objects.update(is_live=False)
    assert agreement_of(table.match, seat) is None


@of_several
def test_who_plays_alone_among_bots_gets_hints_in_hands_of_several(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, seat, ann = among_bots(name, monkeypatch)
    # Of what is offered often only one choice comes into question.
    while (
        len(table.state().legal_actions()) < 2
        or not (found := hint(actor=ann, match=table.match, seat=seat)).advice.estimates
    ):
        play_plainly(table, seat)
    assert found == hint(actor=ann, match=table.match, seat=seat)
    assert found.advice.action in table.state().legal_actions()
    assert found.advice.estimates[0].action == found.advice.action
    assert not any(one.is_chance for one in found.advice.estimates)
    reader = signed_in(ann)
    assert reverse("play_hint", args=[table.match.code]) in page_of(reader, table.match)
    page = page_of(reader, table.match, "play_hint")
    assert "Hint:" in page
    assert "points (one standard error)" in page


@pytest.fixture
def cutthroat(monkeypatch: pytest.MonkeyPatch) -> Seated:
    """A table of three by cutthroat, of whom two play a deal."""
    rules = {"kind": "cutthroat", "target": 10_000, "knock_limit": 98}
    monkeypatch.setitem(GAMES, "cutthroat", (seats_of(3), rules))
    table = Seated("cutthroat")
    while not table.kept().deals or loser_of_last(table) is None:
        finish_hand(table)
    return table


def finish_hand(table: Seated) -> None:
    """Play the hand in play to its end, knocking as soon as it can be done."""
    deal = table.hand().deal
    while table.hand().deal == deal:
        legal = [str(action) for action in table.state().legal_actions()]
        table.act(table.turn(), next((one for one in legal if one.startswith("knock")), legal[-1]))


def last_hand(table: Seated) -> dict[str, Any]:
    """The hand of the last deal, as JSON."""
    document = deal_document(table.kept().deals[-1])
    assert document is not None
    (hand,) = document["hands"]
    return dict(hand)


def loser_of_last(table: Seated) -> str | None:
    """Who of the two has lost the last deal, and waits now; None if it was dead."""
    hand = last_hand(table)
    names = players_by_seat(table.kept().sides, len(table.kept().deals) + 1)
    playing = {names[seat] for seat in table.hand().seats}
    out = {hand["knocker"], hand["defender"]} - playing
    return out.pop() if len(out) == 1 else None


def correct_last(table: Seated, *, won_by_the_other: bool) -> None:
    """Correct the last deal to ten points for the one of its two, or the other, who had lost it."""
    hand = last_hand(table)
    lost = loser_of_last(table)
    (won,) = {hand["knocker"], hand["defender"]} - {lost}
    winner, loser = (lost, won) if won_by_the_other else (won, lost)
    points = {"kind": "points", "winner": winner, "loser": loser, "points": 10}
    changes = {len(table.kept().deals): {"hands": [points]}}
    correct_deals(actor=OPERATOR, sheet=table.match.sheet, changes=changes, reason="misread")


def test_hand_is_dealt_anew_once_a_correction_says_that_others_play_it(cutthroat: Seated) -> None:
    """The winner of a deal stays: with another winner the hand in play is of the wrong two."""
    table, deal = cutthroat, len(cutthroat.kept().deals)
    playing = set(table.hand().seats)
    correct_last(table, won_by_the_other=True)
    assert not hand_stands(TableMatch.objects.get(pk=table.match.pk))
    assert table.refused(table.turn(), str(table.state().legal_actions()[0])) == "sheet_changed"
    deal_anew(actor=OPERATOR, match=table.match)
    assert set(table.hand().seats) != playing
    finish_hand(table)
    assert len(table.kept().deals) == deal + 1


def test_hand_goes_on_after_a_correction_that_leaves_the_same_two(cutthroat: Seated) -> None:
    table, deal = cutthroat, len(cutthroat.kept().deals)
    correct_last(table, won_by_the_other=False)
    assert hand_stands(TableMatch.objects.get(pk=table.match.pk))
    finish_hand(table)
    assert len(table.kept().deals) == deal + 1
