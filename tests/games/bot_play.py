"""Sheets that bots play for the tests: alone, mirrored, and looked at move by move."""

from collections.abc import Iterator
from itertools import islice

from games.arena.pairs import ARENA_RULES
from games.bots import STRATEGIES, HouseBot, house_bot
from games.gin.actions import Action
from games.gin.hand import HandState
from games.gin.view import View
from games.tables.play import PlayedDeal, play_deals
from scoring.core.rules import Rules
from scoring.core.sheets import SheetSide, score_sheet

ANN_AND_BOB = (SheetSide("Ann", ("Ann",)), SheetSide("Bob", ("Bob",)))
PUBLISHED = ARENA_RULES


def quick_bot(name: str) -> HouseBot:
    """The bot of that name, at its lowest level where it has levels."""
    return house_bot(name, 1 if STRATEGIES[name].levels else None)


def game(first: str, second: str, seed: int, rules: Rules = PUBLISHED) -> list[PlayedDeal]:
    """A sheet of Ann, who plays as `first`, against Bob."""
    bots = {"Ann": house_bot(first), "Bob": house_bot(second)}
    return list(play_deals(rules, ANN_AND_BOB, bots, seed))


def mirrored_wins(one: str, other: str, seed: int) -> int:
    """How many of two games `one` wins, 0 to 2: the same packs, then with the seats changed."""
    wins = 0
    for first, second, winner in ((one, other, "Ann"), (other, one, "Bob")):
        deals = [played.deal for played in game(first, second, seed)]
        wins += score_sheet(PUBLISHED, ANN_AND_BOB, deals).winner == winner
    return wins


def hands_of(strategy: str, how_many: int, rules: Rules = PUBLISHED, seed: int = 1) -> Iterator[HandState]:
    """Hands between two of that strategy, as they ended."""
    bot = quick_bot(strategy)
    for sheet in range(how_many):
        sheets = play_deals(rules, ANN_AND_BOB, {"Ann": bot, "Bob": bot}, seed + sheet)
        for played in islice(sheets, max(1, how_many // 20)):
            yield played.two_handed[0]
            how_many -= 1
        if how_many <= 0:
            return


def choices(hand: HandState) -> Iterator[tuple[View, Action]]:
    """Every choice of the hand: what the player in turn could see, and what he did."""
    state = HandState(hand.rules, hand.deck, dealer=hand.dealer, players=hand.players)
    for action in hand.actions:
        yield state.view(state.turn), action
        state.act(action)
