"""The observed moves of a hand in the kernel's form, and the samples of hidden cards it maintains."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Final

from games.bots.kernel_inference import MOST_TURNS, ROW, SEEN_SIZE, WORK_SIZE
from games.bots.kernel_melds import Ints
from games.gin.actions import ActionKind
from games.gin.cards import CARD_COUNT
from games.gin.refusals import MOST_TAKES_RUNNING
from games.gin.view import View

DEALT: Final = 10
# Samples of a chain, each after some more changes; but there are some chains even for few samples.
IN_A_ROW: Final = 16
FEWEST_CHAINS: Final = 16


class History:
    """The opponent's observed choices, a row of numbers each (`kernel_inference.OFFERED` …)."""

    def __init__(self, view: View) -> None:
        self.rows: list[list[int]] = []
        # By seat: cards taken openly and still held, and the number of discards.
        self.known = [0, 0]
        self.turns = [0, 0]
        self.running = 0
        self.first = DEALT
        other = 1 - view.seat
        if view.rules.deal == "elder_eleven" and view.dealer == view.seat:
            self.first += 1
        self.places = self.first
        self._walk(view, other)

    def _walk(self, view: View, other: int) -> None:
        pile = [] if view.upcard is None else [view.upcard]
        passes = 0
        row: list[int] = []
        for move in view.moves:
            mine = move.seat != other
            top = pile[-1] if pile else -1
            match move.kind:
                case ActionKind.PASS:
                    passes += 1
                    if not mine:
                        self.rows.append([top, 0, -1, *self._seen(pile, other), self.places, 0, 0, 0])
                case ActionKind.TAKE:
                    pile.pop()
                    self.running += 1
                    self.known[move.seat] |= 1 << top
                    row = [top, 1]
                case ActionKind.DRAW:
                    offered = pile and passes != 2 and self.running < MOST_TAKES_RUNNING
                    passes = 0
                    self.running = 0
                    self.places += not mine
                    row = [top if offered else -1, 0]
                case ActionKind.DISCARD if move.card is not None:
                    if not mine:
                        offered_card, took = row or [-1, 0]
                        from_places = not self.known[other] >> move.card & 1
                        drew = bool(row) and not took
                        self.rows.append(
                            [
                                offered_card,
                                took,
                                move.card,
                                *self._seen(pile, other),
                                self.places,
                                self.turns[other],
                                int(drew),
                                int(from_places),
                            ]
                        )
                    pile.append(move.card)
                    self.known[move.seat] &= ~(1 << move.card)
                    self.turns[move.seat] += 1
                    row = []

    def _seen(self, pile: Sequence[int], other: int) -> list[int]:
        return [sum([1 << card for card in pile]), self.known[1 - other]]


class Guesses:
    """Samples of the opponent's hand and the stock, maintained through a hand.

    They come from `count` chains, `in_a_row` from each: at least as many as asked for.
    """

    def __init__(self, kernel: SimpleNamespace, samples: int) -> None:
        self._infer = kernel.infer
        self.count = max(min(FEWEST_CHAINS, samples), samples // IN_A_ROW)
        self.in_a_row = -(-samples // self.count)
        self.samples = samples = self.count * self.in_a_row
        self._work: Ints = kernel.ints(WORK_SIZE)
        self.chains: Ints = kernel.ints(samples * ROW)
        self._picked: Ints = kernel.ints(self.count * ROW)
        self._seen: Ints = kernel.ints(MOST_TURNS * SEEN_SIZE)
        self._turns = 0
        self.places = 0
        self.total = 0

    def follow(
        self,
        view: View,
        history: History,
        *,
        settling: int,
        steps: int,
        kinds: int,
        rules: Ints,
        policies: Ints,
        after: Ints,
        chances: Ints,
    ) -> None:
        """Updates the samples to what has been observed by now."""
        for at, number in enumerate([number for row in history.rows for number in row]):
            self._seen[at] = number
        self.total = history.places + view.stock
        turns = len(history.rows)
        self._infer(
            self.chains,
            self.count,
            self.in_a_row,
            history.first,
            history.places,
            self.places,
            self.total,
            settling,
            steps,
            view.unseen.mask,
            kinds,
            self._seen,
            turns,
            self._turns,
            rules,
            policies,
            self._work,
            self._picked,
            after,
            chances,
        )
        self.places, self._turns = history.places, turns

    def hands(self, view: View) -> list[int]:
        """The opponent's hand in each sample, as a mask; cards he is known to hold are in all of them."""
        unseen, found = view.unseen.mask, []
        for row in range(0, self.samples * ROW, ROW):
            hand = view.known
            for place in range(row, row + self.places):
                hand |= 1 << int(self.chains[place]) & unseen
            found.append(hand)
        return found


def drawn_so_far(view: View) -> int:
    """The number of cards of the pack that were dealt, turned up or drawn."""
    return CARD_COUNT - view.stock
