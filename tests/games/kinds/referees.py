"""Hands of every kind followed by somebody else, with cards as text, from the words of RULES §3 and §8 alone.

A referee is told the log, knows what may be done, and says how the hand ended as JSON (INTERFACES §2).
"""

from collections import deque
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from games.gin.cards import CARD_TEXTS
from scoring.core.rules import Rules
from tests.games import brute
from tests.scoring.kinds import slow

# Nobody takes from the pile for ever: as `refusals.MOST_TAKES_RUNNING`.
MOST_TAKES: Final = 20


class JerseyReferee:
    """Three at once."""

    def __init__(self, rules: Rules, deck: Sequence[int], dealer: int, players: Sequence[str]) -> None:
        cards = deque(CARD_TEXTS[card] for card in deck)
        self.rules, self.players = rules, players
        self.turn = (dealer + 1) % 3
        self.hands: list[set[str]] = [set(), set(), set()]
        for number in range(30):
            self.hands[(self.turn + number) % 3].add(cards.popleft())
        self.upcard = cards.popleft()
        self.pile = [self.upcard]
        self.stock = cards
        self.offers = 3 if slow.knob(rules, "upcard") == "offered" else 0
        self.must_draw = self.has_drawn = False
        # Who still may knock with the last discard.
        self.last: int | None = None
        self.taken: str | None = None
        self.takes = 0
        self.discards: list[tuple[int, str]] = []
        self.over = False
        self.ended: tuple[str, int] | None = None

    def below(self) -> str | None:
        """The last discard of the player to the left, if it is there."""
        left = (self.turn + 1) % 3
        own = [card for seat, card in self.discards if seat == left]
        if slow.knob(self.rules, "discards") == "last" or not own or own[-1] not in self.pile:
            return None
        # Where what was taken may be discarded at once, it can lie there as another's.
        by = [seat for seat, card in self.discards if card == own[-1]]
        return own[-1] if by[-1] == left else None

    def legal(self) -> set[str]:
        if self.over:
            return set()
        hand, kept = self.hands[self.turn], self.taken
        if self.offers:
            return {"take", "pass"}
        if self.last is not None:
            if self.has_drawn:
                return self.endings(hand, kept)
            top = self.pile[-1]
            return {"pass", "take"} if self.endings(hand | {top}, top) else {"pass"}
        if not self.has_drawn:
            if self.must_draw or self.takes == MOST_TAKES:
                return {"draw"}
            return {"draw", "take"} | ({"take_below"} if self.below() else set())
        may_return = self.rules.discard_taken_card == "always"
        return {f"discard {card}" for card in hand if card != kept or may_return} | self.endings(hand, kept)

    def endings(self, hand: set[str], taken: str | None) -> set[str]:
        return endings(self.rules, self.upcard, hand, taken, is_last=self.last is not None)

    def act(self, action: str) -> None:
        kind, _, card = action.partition(" ")
        hand = self.hands[self.turn]
        left = (self.turn + 1) % 3
        if kind == "pass":
            if self.offers:
                self.offers -= 1
                self.must_draw = not self.offers
            else:
                assert self.last is not None
                self.last -= 1
                self.over = not self.last
            self.turn = left
        elif kind in ("take", "take_below"):
            top = self.pile[-1] if kind == "take" else self.below()
            assert top is not None
            self.pile.remove(top)
            hand.add(top)
            self.taken, self.has_drawn, self.offers = top, True, 0
            self.takes += 1
        elif kind == "draw":
            hand.add(self.stock.popleft())
            self.has_drawn, self.must_draw, self.takes = True, False, 0
        else:
            if card:
                hand.remove(card)
                self.pile.append(card)
                self.discards.append((self.turn, card))
            self.taken, self.has_drawn = None, False
            if kind != "discard":
                self.over, self.ended = True, (kind, self.turn)
                return
            self.turn = left
            if len(self.stock) == slow.knob(self.rules, "stock_left"):
                self.last = 2
                self.over = self.rules.stock_end == "two_left"

    def document(self) -> dict[str, Any]:
        """The hand as on a sheet."""
        if self.ended is None:
            return {"kind": "dead", "upcard": self.upcard}
        kind, seat = self.ended
        ace = self.rules.ace
        cards = frozenset(self.hands[seat])
        second, third = (seat + 1) % 3, (seat + 2) % 3
        first, other = (frozenset(self.hands[one]) for one in (second, third))
        own = brute.least(cards, ace)
        if kind == "knock":
            tied = tied_arrangements(cards, ace)
            chained = slow.knob(self.rules, "lay_off") == "chained"
            ways = [brute.in_turn(melds, first, other, ace, chained=chained) for melds in tied]
            most = max(sum(way) for way in ways)
            answers = {way for way in ways if sum(way) == most}
        else:
            answers = {(brute.least(first, ace), brute.least(other, ace))}
        # Several arrangements may leave both together as much.
        found = [
            {
                "kind": kind,
                "knocker": self.players[seat],
                **({"knocker_deadwood": own} if kind == "knock" else {}),
                "others": dict(zip([self.players[second], self.players[third]], answer, strict=True)),
                "upcard": self.upcard,
            }
            for answer in sorted(answers)
        ]
        return found[0] if len(found) == 1 else {"one of": found}


def tied_arrangements(cards: brute.Cards, ace: str) -> list[tuple[brute.Cards, ...]]:
    """The arrangements that leave least."""
    least = brute.least(cards, ace)
    return [
        melds
        for melds in brute.arrangements(cards, ace)
        if brute.count(cards) - sum(map(brute.count, melds)) == least
    ]


def endings(
    rules: Rules, upcard: str | None, hand: set[str], taken: str | None, *, is_last: bool
) -> set[str]:
    """The ways to end a hand of gin with these cards, one too many."""
    limit = rules.knock_limit
    if rules.oklahoma != "off" and upcard is not None:
        value = brute.count(frozenset([upcard]))
        limit = min(limit, 0 if value == 1 and rules.oklahoma == "ace_is_gin" else value)
    found = set()
    for card in hand:
        knob = rules.discard_taken_card
        if card == taken and (knob == "never" or (knob == "fiftieth_card" and not is_last)):
            continue
        left = brute.least(frozenset(hand - {card}), rules.ace)
        if left == 0:
            found.add(f"gin {card}")
        if left <= limit and (left or (rules.zero_knock == "knock" and limit)):
            found.add(f"knock {card}")
    if rules.big_gin_bonus is not None and brute.least(frozenset(hand), rules.ace) == 0:
        found.add("big_gin")
    return found


class RummyReferee:
    """Two to six, who lay down melds as they go."""

    def __init__(
        self,
        rules: Rules,
        deck: Sequence[int],
        dealer: int,
        players: Sequence[str],
        orders: Sequence[Sequence[int]] = (),
    ) -> None:
        cards = deque(CARD_TEXTS[card] for card in deck)
        self.rules, self.players = rules, players
        self.orders = [[CARD_TEXTS[card] for card in order] for order in orders]
        self.turn = (dealer + 1) % len(players)
        self.hands: list[set[str]] = [set() for _ in players]
        each = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}[len(players)]
        for number in range(each * len(players)):
            self.hands[(self.turn + number) % len(players)].add(cards.popleft())
        self.pile = [cards.popleft()]
        self.stock = cards
        self.table: list[frozenset[str]] = []
        self.begun: set[int] = set()
        self.laid: set[int] = set()
        self.turnovers = slow.knob(rules, "turnovers")
        self.has_drawn = self.over = False
        self.takes = self.without_stock = self.melds = 0
        self.taken: str | None = None
        self.new_to_it = True
        self.ended: dict[str, Any] = {}

    def knob(self, name: str) -> Any:
        return slow.knob(self.rules, name)

    def can_draw(self) -> bool:
        least = 1 if self.knob("stock") == "turned_over" else 2
        return bool(self.stock) or (self.turnovers > 0 and len(self.pile) >= least)

    def legal(self) -> set[str]:
        if self.over:
            return set()
        hand = frozenset(self.hands[self.turn])
        if not self.has_drawn:
            top = self.pile[-1] if self.pile else None
            can_take = top is not None and (
                bool(hand) or any(self.is_meld(one | {top}) for one in self.table)
            )
            if not self.can_draw():
                return {"take", "pass"} if can_take else {"pass"}
            return {"draw", "take"} if can_take and self.takes < MOST_TAKES else {"draw"}
        table = tuple(self.table)
        has_begun = self.turn in self.begun
        return {
            text for text, after in self.steps(hand, table, has_begun, self.melds) if self.can_end(*after)
        }

    def is_meld(self, cards: frozenset[str]) -> bool:
        return cards in rummy_melds(self.knob("ace"))

    def steps(
        self, hand: frozenset[str], table: tuple[frozenset[str], ...], has_begun: bool, melds: int
    ) -> list[tuple[str, Any]]:
        """What could be done with these cards, each with what it leads to; None is the turn's end."""
        must_go = self.knob("melds") == "one" and melds > 1
        found: list[tuple[str, Any]] = [
            (f"discard {card}", (None, table, True, melds))
            for card in hand
            if card != self.taken and (not must_go or len(hand) == 1)
        ]
        for meld in rummy_melds(self.knob("ace")):
            if meld <= hand:
                found.append((f"meld {in_order(meld)}", (hand - meld, (*table, meld), True, melds + 1)))
        if has_begun or self.knob("lay_off") == "always":
            for card in hand:
                for place, meld in enumerate(table):
                    if self.is_meld(meld | {card}):
                        after = (*table[:place], meld | {card}, *table[place + 1 :])
                        found.append((f"lay_off {card} {place}", (hand - {card}, after, has_begun, melds)))
        return found

    def can_end(
        self, hand: frozenset[str] | None, table: tuple[frozenset[str], ...], has_begun: bool, melds: int
    ) -> bool:
        """Whether the turn can be ended after that."""
        if hand is None:
            return True
        if not hand:
            return not self.knob("last_discard") or bool(self.knob("floating"))
        if hand - {self.taken} and not (self.knob("melds") == "one" and melds > 1):
            return True
        return any(self.can_end(*after) for _text, after in self.steps(hand, table, has_begun, melds))

    def act(self, action: str) -> None:
        kind, *words = action.split()
        hand = self.hands[self.turn]
        if kind == "draw":
            if not self.stock:
                self.turnovers -= 1
                if self.knob("stock") == "turned_over":
                    self.stock, self.pile = deque(self.pile), []
                else:
                    *under, top = self.pile
                    order = self.orders.pop(0)
                    self.stock, self.pile = deque(card for card in order if card in under), [top]
            hand.add(self.stock.popleft())
            self.takes = 0
            self.drawn()
        elif kind == "take":
            if not self.can_draw():
                self.without_stock += 1
            self.taken = self.pile.pop()
            hand.add(self.taken)
            self.takes += 1
            self.drawn()
        elif kind == "pass":
            self.block()
        elif kind == "discard":
            hand.remove(words[0])
            self.pile.append(words[0])
            self.end_turn(is_out=not hand)
        else:
            if kind == "meld":
                hand -= set(words)
                self.table.append(frozenset(words))
                self.begun.add(self.turn)
                self.melds += 1
            else:
                card, place = words
                hand.remove(card)
                self.table[int(place)] |= {card}
            self.laid.add(self.turn)
            if not hand:
                self.end_turn(is_out=not self.knob("last_discard"))

    def drawn(self) -> None:
        self.has_drawn, self.melds = True, 0
        self.new_to_it = self.turn not in self.laid

    def end_turn(self, *, is_out: bool) -> None:
        if is_out:
            self.over = True
            order = [(self.turn + step) % len(self.players) for step in range(1, len(self.players))]
            left = {self.players[seat]: self.count(seat) for seat in order}
            rummy = {"rummy": True} if self.new_to_it else {}
            self.ended = {"kind": "out", "winner": self.players[self.turn], "left": left, **rummy}
        elif self.without_stock == len(self.players):
            self.block()
        self.taken, self.has_drawn = None, False
        if not self.over:
            self.turn = (self.turn + 1) % len(self.players)

    def block(self) -> None:
        self.over = True
        left = {player: self.count(seat) for seat, player in enumerate(self.players)}
        self.ended = {"kind": "blocked", "left": left}

    def count(self, seat: int) -> int:
        aces = sum(card[0] == "A" for card in self.hands[seat])
        return brute.count(frozenset(self.hands[seat])) + aces * (int(self.knob("ace_points")) - 1)

    def document(self) -> dict[str, Any]:
        """The hand as on a sheet."""
        return self.ended


@lru_cache(maxsize=3)
def rummy_melds(ace: str) -> frozenset[frozenset[str]]:
    """All melds of the pack, with aces as rummy has them."""
    line = {"low": "A23456789TJQK", "high": "23456789TJQKA", "low_or_high": "A23456789TJQKA"}[ace]
    runs = [
        frozenset(rank + suit for rank in line[start:end])
        for suit in "CDHS"
        for start in range(len(line))
        for end in range(start + 3, len(line) + 1)
        if end - start <= 13
    ]
    sets = [meld for meld in brute.melds_of_pack("low") if len({card[0] for card in meld}) == 1]
    return frozenset([*runs, *sets])


def in_order(meld: frozenset[str]) -> str:
    """The cards of a meld as an action prints them: suit by suit, each from the ace up."""
    return " ".join(sorted(meld, key=CARD_TEXTS.index))


class OnePackReferee:
    """Two against two: two games, one stock. Seats 0 and 1 play one game, 2 and 3 the other."""

    def __init__(
        self,
        rules: Rules,
        deck: Sequence[int],
        dealer: int,
        players: Sequence[str],
        orders: Sequence[Sequence[int]],
    ) -> None:
        cards = deque(CARD_TEXTS[card] for card in deck)
        self.rules, self.players = rules, players
        self.orders = [[CARD_TEXTS[card] for card in order] for order in orders]
        self.reshuffles = slow.knob(rules, "reshuffles")
        self.turn = (dealer + 1) % 4
        self.hands: list[set[str]] = [set(), set(), set(), set()]
        for number in range(4 * slow.knob(rules, "cards")):
            self.hands[(self.turn + number) % 4].add(cards.popleft())
        # By game.
        self.piles: list[list[str]] = [[], []]
        self.upcards: list[str | None] = [None, None]
        self.offers = [0, 0]
        self.ended: list[tuple[str, int | None] | None] = [None, None]
        self.takes = [0, 0]
        self.must_draw = [False, False]
        self.has_drawn = False
        for game in (self.turn // 2, 1 - self.turn // 2):
            card = cards.popleft()
            if rules.deal == "upcard":
                self.piles[game], self.upcards[game], self.offers[game] = [card], card, 2
            else:
                first = next(s for s in ((self.turn + step) % 4 for step in range(4)) if s // 2 == game)
                self.hands[first].add(card)
        self.eleven = rules.deal == "elder_eleven"
        self.begun: set[int] = set()
        self.stock = cards
        # Who may still knock with the last discard of his game.
        self.last: set[int] | None = None
        self.taken: str | None = None

    @property
    def over(self) -> bool:
        return None not in self.ended

    def legal(self) -> set[str]:
        if self.over:
            return set()
        seat, game = self.turn, self.turn // 2
        hand = self.hands[seat]
        if self.offers[game]:
            return {"take", "pass"}
        if self.last is not None:
            if self.has_drawn:
                return self.endings(hand, self.taken)
            top = self.piles[game][-1]
            return {"pass", "take"} if self.endings(hand | {top}, top) else {"pass"}
        if not self.has_drawn and not (self.eleven and game not in self.begun):
            return {"draw"} if self.must_draw[game] or self.takes[game] == MOST_TAKES else {"draw", "take"}
        may_return = self.rules.discard_taken_card == "always"
        discards = {f"discard {card}" for card in hand if card != self.taken or may_return}
        return discards | self.endings(hand, self.taken)

    def endings(self, hand: set[str], taken: str | None) -> set[str]:
        upcard = self.upcards[self.turn // 2]
        return endings(self.rules, upcard, hand, taken, is_last=self.last is not None)

    def act(self, action: str) -> None:
        kind, _, card = action.partition(" ")
        game, hand = self.turn // 2, self.hands[self.turn]
        if kind == "pass":
            if self.offers[game]:
                self.offers[game] -= 1
                self.must_draw[game] = not self.offers[game]
            else:
                self.ended[game] = ("dead", None)
            self.pass_turn()
        elif kind == "take":
            self.taken = self.piles[game].pop()
            hand.add(self.taken)
            self.has_drawn, self.offers[game] = True, 0
            self.takes[game] += 1
        elif kind == "draw":
            hand.add(self.stock.popleft())
            self.has_drawn, self.must_draw[game], self.takes[game] = True, False, 0
        else:
            if card:
                hand.remove(card)
                self.piles[game].append(card)
            self.begun.add(game)
            if kind != "discard":
                self.ended[game] = (kind, self.turn)
            self.taken, self.has_drawn = None, False
            # Whose turn it is in his own game when the stock ends.
            if len(self.stock) == 2 and self.last is None:
                self.end_stock(game, self.turn)
            self.pass_turn()

    def end_stock(self, game: int, seat: int) -> None:
        if self.reshuffles:
            self.reshuffles -= 1
            again = set(self.stock)
            for pile in self.piles:
                again |= set(pile[:-1])
                del pile[:-1]
            self.stock = deque(card for card in self.orders.pop(0) if card in again)
            return
        self.last = set()
        for one in (0, 1):
            if self.ended[one] is None:
                if self.rules.stock_end == "two_left":
                    self.ended[one] = ("dead", None)
                else:
                    # Of the two, who comes first round the table.
                    self.last.add(next(s for s in self.round(seat) if s // 2 == one and s != seat))

    def round(self, seat: int) -> list[int]:
        return [(seat + step) % 4 for step in range(1, 5)]

    def pass_turn(self) -> None:
        for seat in self.round(self.turn):
            if self.ended[seat // 2] is None and (self.last is None or seat in self.last):
                self.turn = seat
                return

    def documents(self) -> list[dict[str, Any]]:
        """Both hands as on a sheet."""
        return [self.document(game) for game in (0, 1)]

    def document(self, game: int) -> dict[str, Any]:
        said = self.ended[game]
        assert said is not None
        kind, seat = said
        upcard = {"upcard": self.upcards[game]} if self.upcards[game] else {}
        if seat is None:
            names = dict(zip(("knocker", "defender"), self.players[2 * game : 2 * game + 2], strict=True))
            return {"kind": kind, **names, **upcard}
        other = seat ^ 1
        cards, others = frozenset(self.hands[seat]), frozenset(self.hands[other])
        own, left = brute.least(cards, self.rules.ace), brute.least(others, self.rules.ace)
        if kind == "knock":
            tied = tied_arrangements(cards, self.rules.ace)
            left = max(brute.least_after_lay_offs(melds, others, self.rules.ace) for melds in tied)
        names = {"knocker": self.players[seat], "defender": self.players[other]}
        counts = {"knocker_deadwood": own} if kind == "knock" else {}
        return {"kind": kind, **names, **counts, "defender_deadwood": left, **upcard}
