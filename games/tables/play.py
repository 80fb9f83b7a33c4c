"""Bots play whole sheets: one hand per table and deal, until the sheet is finished (RULES §3, §7).

All randomness in a deal comes from the sheet's seed and the deal's number (`derived_seed`), and the dealer
from the deals before. So play that resumes after some stored deals continues exactly as it would have anyway.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import isfinite
from traceback import format_exception_only
from typing import Final, Self

from games.bots.base import Bot, ColumnView, Estimate, Estimating, GameView, HouseBot
from games.errors import GameError
from games.gin.actions import ALL_ACTIONS, Action
from games.gin.cards import RANK_COUNT
from games.gin.hand import SEATS, HandState, shuffled
from scoring.core.errors import shown
from scoring.core.kinds import check_kept
from scoring.core.messages import Sentence, mark
from scoring.core.rules import Rules
from scoring.core.sheets import MOST_DEALS, Deal, DealScore, RunningSheet, SheetSide, SheetState
from scoring.documents.sheets import players_of
from scoring.documents.sides import check_sides
from scoring.typing.rows import team_pairing
from scoring.typing.wording import deals_left

Pair = tuple[str, str]
# A bot's action may merely be equal to a legal one, with a plain string as its kind or a card that is no int.
_KNOWN: Final = {action: action for action in ALL_ACTIONS}
# More samples than any bot uses; integers below it are exact in JSON.
_MOST_SAID: Final = 1 << 53
# Called before every choice, with the bot's player and the deal.
Watch = Callable[[str, int], None]


class BotError(GameError):
    """A bot raised an exception or an illegal action; the deal was not played to its end."""

    def __init__(self, bot: str, deal: int, reason: Sentence) -> None:
        super().__init__(
            "bot_failed",
            mark("%(bot)s failed in deal %(deal)s: %(reason)s", bot=bot, deal=deal, reason=reason),
        )
        self.bot = bot
        self.deal = deal
        self.reason = reason

    def __reduce__(self) -> tuple[type[Self], tuple[str, int, Sentence]]:
        """Pickles the exception for other processes."""
        return type(self), (self.bot, self.deal, self.reason)


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """A played deal: its number, its entry for the sheet, and the hands by table.

    `estimates` are by table, then by action of the hand: the bot's estimates for that choice, empty if it has
    none.
    """

    number: int
    deal: Deal
    hands: tuple[HandState, ...]
    estimates: tuple[tuple[tuple[Estimate, ...], ...], ...]


def play_sheet(
    rules: Rules,
    seats: Sequence[SheetSide],
    bots: Mapping[str, HouseBot],
    seed: int,
    *,
    played: Sequence[Deal] = (),
) -> Iterator[Deal]:
    """The deals of a sheet after those `played`, one by one: `play_deals` without the hands."""
    return (one.deal for one in play_deals(rules, seats, bots, seed, played=played))


def play_deals(
    rules: Rules,
    seats: Sequence[SheetSide],
    bots: Mapping[str, HouseBot],
    seed: int,
    *,
    played: Sequence[Deal] = (),
    before_choice: Watch = lambda bot, deal: None,
) -> Iterator[PlayedDeal]:
    """The deals of a sheet after those `played`, until it is finished or full (`MOST_DEALS`).

    `seats` are the two sides, `bots` maps players to their bots. Equal arguments give equal deals, from any
    starting point. At each table a pair keeps its own order of dealing; a pair that meets for the first time
    cuts. `before_choice` is called for every choice and when a bot sits down; it does not affect play.

    Refuses with `GameError` `no_bot` and `shared_pack` (one pack for several tables is not dealt here), and
    with a `ScoringError` sides or deals that make no sheet, and the rules of a game whose sheets cannot be
    stored. During play: `BotError`.
    """
    check_kept(rules)
    first, second = check_sides(seats, rules)
    for player in first.everyone + second.everyone:
        if player not in bots:
            raise GameError(
                "no_bot", mark("There is no bot for %(player)s.", player=shown(player)), field="bots"
            )
    if rules.packs == "shared" and len(first.players) > 1:
        raise GameError(
            "shared_pack",
            mark("Bots play with a pack at each table, not with a shared one."),
            field="rules.packs",
        )
    sheet = RunningSheet(rules, (first, second))
    dealers = _Dealers(sheet, seed)
    for deal in played:
        dealers.note(sheet.add(deal))
    return _play_on(sheet, dealers, bots, seed, before_choice)


def derived_seed(seed: int, *parts: object) -> int:
    """The first 8 bytes, big-endian, of the SHA-256 of the seed and the parts, as text joined by spaces.

    Parts are `pack` or `cut`, deal, table; or `bot`, deal, table, side. Deals count from 1, the others from
    0.
    """
    text = " ".join([str(part) for part in (seed, *parts)])
    return int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def first_dealer(rules: Rules, seed: int) -> int:
    """The side (0 or 1) that deals first by the cut: the higher card, or the lower (RULES §3).

    The ace is lowest; equal ranks are ordered by suit, spades highest.
    """
    cards = shuffled(seed)[:2]
    ranked = [(card % RANK_COUNT, card) for card in cards]
    highest = ranked.index(max(ranked))
    return highest if rules.first_dealer == "high" else 1 - highest


class _Dealers:
    """The next dealer, for each pair of opponents (RULES §3)."""

    def __init__(self, sheet: RunningSheet, seed: int) -> None:
        self._rules = sheet.rules
        self._first_side = frozenset(sheet.sides[0].everyone)
        self._seed = seed
        self._next: dict[Pair, int] = {}

    def of(self, pair: Pair, number: int, table: int) -> int:
        """The side that deals; a pair that has not met cuts, in this deal and at this table."""
        if pair not in self._next:
            self._next[pair] = first_dealer(self._rules, derived_seed(self._seed, "cut", number, table))
        return self._next[pair]

    def note(self, score: DealScore) -> None:
        """Takes note of a deal's hands; after a dead hand the same dealer deals again."""
        for table, (result, hand) in enumerate(score.two_handed):
            one, other = players_of(result)
            pair = (one, other) if one in self._first_side else (other, one)
            dealer = self.of(pair, score.number, table)
            if hand.winner is None:
                continue
            winner = pair.index(hand.winner)
            match self._rules.next_dealer:
                case "loser":
                    self._next[pair] = 1 - winner
                case "winner":
                    self._next[pair] = winner
                case _:
                    self._next[pair] = 1 - dealer


def _play_on(
    sheet: RunningSheet,
    dealers: _Dealers,
    bots: Mapping[str, HouseBot],
    seed: int,
    before_choice: Watch,
) -> Iterator[PlayedDeal]:
    while not sheet.is_finished and sheet.played < MOST_DEALS:
        number = sheet.played + 1
        games = _game_views(sheet)
        hands, estimates = [], []
        for table, pair in enumerate(team_pairing(number, sheet.sides)):
            dealer = dealers.of(pair, number, table)
            deck = shuffled(derived_seed(seed, "pack", number, table))
            state = HandState(sheet.rules, deck, dealer=dealer, players=pair)
            seated = []
            for side in SEATS:
                before_choice(pair[side], number)
                chances = derived_seed(seed, "bot", number, table, side)
                seated.append(_sit_down(bots[pair[side]], pair[side], number, chances))
            estimates.append(_play_hand(state, seated, games, number, before_choice))
            hands.append(state)
        deal = Deal(tuple([state.result for state in hands if state.result is not None]))
        dealers.note(sheet.add(deal))
        yield PlayedDeal(number, deal, tuple(hands), tuple(estimates))


def _play_hand(
    state: HandState, bots: Sequence[Bot], games: Sequence[GameView], number: int, before_choice: Watch
) -> tuple[tuple[Estimate, ...], ...]:
    """Plays a hand to its end; returns the estimates of every choice."""
    saying = [bot if isinstance(bot, Estimating) else None for bot in bots]
    estimates: list[tuple[Estimate, ...]] = []
    while not state.is_over:
        seat = state.turn
        bot = state.players[seat]
        view = state.view(seat)
        before_choice(bot, number)
        try:
            chosen = bots[seat].choose(view, games[seat])
            weighing = saying[seat]
            estimates.append(_checked(weighing.estimates(), len(view.legal)) if weighing else ())
            is_action = isinstance(chosen, Action)
            action = _KNOWN.get(chosen) if is_action else None
        except Exception as error:
            raise BotError(bot, number, _words(error)) from error
        if action is None:
            raise BotError(bot, number, _no_action(chosen))
        try:
            state.act(action)
        except GameError as error:
            said = mark("It chose “%(action)s”. %(why)s", action=str(action), why=error.message)
            raise BotError(bot, number, said) from error
    return tuple(estimates)


def _checked(estimates: tuple[Estimate, ...], most: int) -> tuple[Estimate, ...]:
    """The estimates with plain actions and floats; raises on anything a bot may not report."""
    if len(estimates) > most:
        raise ValueError("There are more estimates than choices.")
    checked = []
    for one in estimates:
        action = _KNOWN.get(one.action) if isinstance(one, Estimate) else None
        if action is None:
            raise TypeError("That is no estimate.")
        value = float(one.value)
        if not isfinite(value):
            raise ValueError("The value of an estimate is not finite.")
        if not (isinstance(one.samples, int) and 0 <= one.samples < _MOST_SAID):
            raise TypeError("An estimate is from no such number of samples.")
        if not isinstance(one.is_chance, bool):
            raise TypeError("An estimate is a chance or it is none.")
        checked.append(Estimate(action, value, one.samples, one.is_chance))
    return tuple(checked)


def _sit_down(house_bot: HouseBot, bot: str, number: int, seed: int) -> Bot:
    try:
        return house_bot.sit_down(seed)
    except Exception as error:
        raise BotError(bot, number, _words(error)) from error


def _game_views(sheet: RunningSheet) -> tuple[GameView, GameView]:
    """The sheet from each side's point of view."""
    state = sheet.settle()
    return _game_view(state, 0), _game_view(state, 1)


def _game_view(state: SheetState, side: int) -> GameView:
    seen = []
    for column in state.columns:
        own, other = column.sides[side], column.sides[1 - side]
        is_open = column.status == "open"
        seen.append(ColumnView(is_open, own.running, other.running, own.boxes, other.boxes))
    return GameView(state.rules.target, tuple(seen), deals_left(state))


def _no_action(chosen: object) -> Sentence:
    if isinstance(chosen, Action):
        return mark("There is no such action.")
    return mark("What it chose is no action but of type %(type)s.", type=type(chosen).__name__)


def _words(error: Exception) -> str:
    # An exception that cannot be printed is the bot's fault too.
    return shown(format_exception_only(error)[-1].strip())
