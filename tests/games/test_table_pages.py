"""The page of a table of members: what each reader is sent, and what comes of what he presses."""

import random
import re
from collections.abc import Callable
from html import unescape
from itertools import count
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from games.bots import house_bot
from games.gin.actions import Action, ActionKind
from games.gin.cards import CARD_TEXTS, Hand, cards_of
from games.gin.hand import HandState, shuffled
from games.gin.melds import deadwood
from games.gin.offering import knock_choices
from games.gin.view import View
from games.models import TableMatch
from games.templatetags.playing import card_words
from scoring.core.actors import Actor
from scoring.models import Scoresheet
from scoring.services import void_sheet
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.factories import OPERATOR, house_rules
from tests.games.member_tables import hand_in_play, hand_of, member, table
from tests.games.test_laying_off import deal_again

pytestmark = pytest.mark.django_db

_ALL_WORDS = [card_words(card) for card in range(52)]
_SUITS = dict(zip("♣♦♥♠", "CDHS", strict=True))
_IN_WORDS = re.compile("|".join(_ALL_WORDS))
_TYPED = re.compile(r"\b[2-9TJQKA][CDHS]\b")
# Drawn by chance, and now and then with what looks like a card: “BszlJTnp8o9hx-4H”.
_KEYS = re.compile(r'name="key" value="[^"]+"')
_PRINTED = re.compile(r"(10|[2-9AJQK])\s*([♣♦♥♠])")


def signed_in(actor: Actor) -> Client:
    return logged_in(get_user_model().objects.get(pk=actor.id))


def address(match: TableMatch, name: str = "play_table", **more: Any) -> str:
    return reverse(name, kwargs={"code": match.code, **more})


def press(client: Client, match: TableMatch, action: str, **fields: Any) -> str:
    """The page after pressing this, with the fields of the page that is open unless told otherwise."""
    page = client.get(address(match)).content.decode()
    sent = {name: re.search(rf'name="{name}" value="([^"]+)"', page) for name in ("version", "key")}
    known = {name: found[1] for name, found in sent.items() if found}
    data = {**known, "action": action, **fields}
    return client.post(address(match, "play_act"), data, headers={"HX-Request": "true"}).content.decode()


def cards_named(text: str) -> set[int]:
    """The cards that a page names: in words, as typed, or as printed."""
    text = _KEYS.sub("", unescape(text))
    named = {_ALL_WORDS.index(words) for words in _IN_WORDS.findall(text)}
    named |= {CARD_TEXTS.index(typed) for typed in _TYPED.findall(text)}
    printed = _PRINTED.findall(re.sub(r"<[^>]+>", "", text))
    return named | {CARD_TEXTS.index(rank.replace("10", "T") + _SUITS[suit]) for rank, suit in printed}


def left_by(view: View) -> Callable[[Action], int]:
    """The deadwood that a discard leaves; 0 for whatever is none."""
    return lambda action: 0 if action.card is None else view.after.get(action.card, 0)


def test_what_is_seen_of_a_hand_names_no_card_that_its_reader_has_not_seen() -> None:
    """Two members and a spectator look after every move of a hand, and at its end."""
    ann, bob = member(), member()
    match = table(ann, bob)
    seats = [signed_in(ann), signed_in(bob)]
    spectator = signed_in(member())
    chances = random.Random(3)
    for _ in count():
        state = hand_in_play(match)
        last = match.hands.filter(is_over=True).order_by("-deal").first()
        open_cards = set(range(52)) if last and not _has_moved(state) else set()
        for seat, client in enumerate(seats):
            page = client.get(address(match)).content.decode()
            allowed = set(range(52)) - set(cards_of(state.view(seat).unseen.mask))
            assert cards_named(page) <= allowed | open_cards
            assert set(cards_of(state.hands[seat])) <= cards_named(page)
        if last is None:
            assert cards_named(spectator.get(address(match)).content.decode()) == set()
        if last is not None:
            break
        legal = state.legal_actions()
        ends = [one for one in legal if one.kind in (ActionKind.KNOCK, ActionKind.GIN, ActionKind.BIG_GIN)]
        chosen = min(ends or chances.sample(legal, len(legal)), key=left_by(state.view(state.turn)))
        client = seats[state.turn]
        if chosen.kind is ActionKind.DISCARD:
            page = press(client, match, "discard", card=CARD_TEXTS[chosen.card or 0])
        else:
            page = press(client, match, str(chosen))
        assert 'role="alert"' not in page
    recorded = [hand for deal in kept_sheet(match.sheet).deals for hand in deal.hands]
    over = match.hands.filter(is_over=True)
    assert [result for hand in over for result in hand_of(match, hand, hand.pack).results] == recorded


def _has_moved(state: HandState) -> bool:
    return {move.seat for move in state.view(0).moves} == {0, 1}


def test_the_part_that_changes_is_sent_only_when_it_has_changed() -> None:
    ann, bob = member(), member()
    match = table(ann, bob)
    mover = (ann, bob)[hand_in_play(match).turn]
    client, other = signed_in(mover), signed_in(bob if mover is ann else ann)
    first = other.get(address(match, "play_live"))
    asked = {"If-None-Match": first["ETag"]}
    assert other.get(address(match, "play_live"), headers=asked).status_code == 304
    press(client, match, "pass")
    after = other.get(address(match, "play_live"), headers=asked)
    assert (after.status_code, after["ETag"] != first["ETag"]) == (200, True)
    spectator = signed_in(member()).get(address(match, "play_live"))
    assert spectator["ETag"] not in (after["ETag"], client.get(address(match, "play_live"))["ETag"])


def test_a_press_that_is_late_doubled_foreign_or_of_no_card_changes_nothing_and_says_so() -> None:
    ann, bob = member(), member()
    match = table(ann, bob)
    turn = hand_in_play(match).turn
    mover, waiting = signed_in((ann, bob)[turn]), signed_in((ann, bob)[1 - turn])

    def said(client: Client, action: str, **fields: Any) -> str:
        found = re.search(r'role="alert">([^<]+)<', press(client, match, action, **fields))
        return found[1] if found else ""

    assert said(waiting, "pass", version=1, key="a") == "It is not your turn."
    assert said(signed_in(member()), "pass", version=1, key="a") == "You do not sit in this seat."
    assert said(mover, "discard") == "Choose a card first."
    assert said(mover, "pass", version=7).startswith("The table was changed meanwhile")
    assert said(mover, "pass", version="x").startswith("The table was changed meanwhile")
    assert TableMatch.objects.get(pk=match.pk).version == 1
    assert said(mover, "pass", version=1, key="a") == ""
    assert said(mover, "pass", version=1, key="a") == ""
    assert TableMatch.objects.get(pk=match.pk).version == 2
    plain = mover.post(address(match, "play_act"), {"version": 2, "key": "b", "action": "draw"})
    assert (plain.status_code, b'role="alert"' in plain.content) == (409, True)
    answered = waiting.post(address(match, "play_act"), {"version": 2, "key": "b", "action": "pass"})
    assert answered["Location"] == address(match)
    assert Client().post(address(match, "play_act"), {}).status_code == 404


def test_a_hand_that_is_over_is_shown_with_what_proves_its_pack() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    client, chances = signed_in(ann), random.Random(4)
    assert client.get(address(match, "play_hand", deal=1)).status_code == 404
    seal = match.hands.get(deal=1).commitment
    assert seal in client.get(address(match)).content.decode()
    while not match.hands.filter(deal=1, is_over=True).exists():
        legal = hand_in_play(match).legal_actions()
        press(client, match, str(chances.choice([one for one in legal if one.kind == "gin"] or legal)))
    page = client.get(address(match, "play_hand", deal=1)).content.decode()
    hand = match.hands.get(deal=1)
    assert all(text in page for text in (seal, hand.pack, hand.nonce, "pack and nonce give the seal"))
    match.hands.filter(deal=1).update(nonce="0" * 64)
    page = client.get(address(match, "play_hand", deal=1)).content.decode()
    assert "Pack and nonce do not give the seal." in page
    assert "give the seal that was shown" not in page


def test_a_table_of_a_sheet_that_was_voided_is_over() -> None:
    ann = member()
    match = table(ann, house_bot("simple"))
    void_sheet(actor=OPERATOR, sheet=Scoresheet.objects.get(pk=match.sheet_id), reason="Never mind.")
    page = signed_in(ann).get(address(match)).content.decode()
    assert 'name="action"' not in page


def test_what_has_happened_is_told_to_those_who_hear_the_page_without_signs() -> None:
    """Card and deadwood in words: “You drew the seven of spades; deadwood 14.”"""
    ann, bob = member(), member()
    match = table(ann, bob, deal="elder_eleven")
    seats = [signed_in(ann), signed_in(bob)]

    def heard(seat: int) -> str:
        answer = seats[seat].get(address(match, "play_live")).content.decode()
        said = re.search(r'<p id="latest"[^>]*>(.*?)</p>', answer, re.DOTALL)
        assert said
        return " ".join(unescape(said[1]).split())

    elder = hand_in_play(match).turn
    names = [side.players[0] for side in kept_sheet(match.sheet).sides]
    card = cards_of(hand_in_play(match).hands[elder])[0]
    assert heard(1 - elder) == f"You have dealt. {names[elder]} is to move. {_deadwood(match, 1 - elder)}"
    press(seats[elder], match, "discard", card=CARD_TEXTS[card])
    assert heard(elder).startswith(f"You discard the {card_words(card)}. {names[1 - elder]} is to move.")
    told = heard(1 - elder)
    assert told.startswith(
        f"{names[elder]} discards the {card_words(card)}. Draw from the stock, or take the"
    )
    held = hand_in_play(match).hands[1 - elder]
    press(seats[1 - elder], match, "draw")
    (drawn,) = cards_of(hand_in_play(match).hands[1 - elder] & ~held)
    left = _deadwood(match, 1 - elder).lower()
    assert heard(1 - elder).startswith(f"You drew the {card_words(drawn)}; {left} Discard")
    assert heard(elder).endswith(f"{names[1 - elder]} is to move. {_deadwood(match, elder)}")
    assert heard(elder).startswith(f"{names[1 - elder]} draws from the stock.")


@pytest.mark.parametrize(
    ("limit", "said"),
    [(10, "You drew the king of diamonds. Discard, knock, or say gin."), (0, "Discard, or say gin.")],
)
def test_who_may_say_gin_is_told_so(limit: int, said: str) -> None:
    """All but the king that was drawn is in melds; by the other rules nobody knocks but with gin."""
    ann, bob = member(), member()
    match = table(ann, bob, knock_limit=limit)
    deal_again(match, elder="3C 4C 5C 8D 8H 8S TS JS QS KS")
    seats = [signed_in(ann), signed_in(bob)]
    for seat, action in ((1, "pass"), (0, "pass"), (1, "draw")):
        press(seats[seat], match, action)
    page = seats[1].get(address(match)).content.decode()
    assert said in " ".join(unescape(re.sub("<[^>]*>", " ", page)).split())
    assert ("Knock …" in page) == (limit > 0)


def _deadwood(match: TableMatch, seat: int) -> str:
    return f"Deadwood {deadwood(Hand(hand_in_play(match).hands[seat]))}."


def test_knocks_to_choose_from_are_legal_and_begin_with_what_is_offered() -> None:
    """In hands of players who wait for gin, so that many cards are in more than one meld."""
    rules, shown, several = house_rules().rules, 0, 0
    for seed in range(120):
        state = HandState(rules, shuffled(seed), dealer=0)
        while not state.is_over:
            view = state.view(state.turn)
            cards = [one.card for one in view.legal if one.kind is ActionKind.KNOCK]
            choices = knock_choices(view)
            assert {one.card for one in choices[: len(cards)]} == set(cards)
            assert len(set(choices)) == len(choices)
            for choice in choices:
                assert state.checked(choice) == choice
            shown, several = shown + len(choices), several + (len(choices) > len(cards))
            discards = [one for one in view.legal if one.kind is ActionKind.DISCARD]
            state.act(min(discards or view.legal, key=left_by(view)))
    assert shown > 500
    assert several > 50
