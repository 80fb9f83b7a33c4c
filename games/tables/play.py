"""Bots play whole sheets of any kind of game, until the sheet is finished (RULES §3, §7, §8).

All randomness in a deal comes from the sheet's seed and the deal's number, and who plays and deals from the
deals before (`dealing`). So play that resumes after some stored deals continues exactly as it would have
anyway.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from traceback import format_exception_only
from typing import Any, Final, Self

from games.bots.base import ColumnView, Estimate, GameView, HouseBot
from games.errors import GameError
from games.gin.actions import LAY_OFF, Action
from games.gin.hand import HandState
from games.gin.playing import InPlay, Pack
from games.gin.rummy_actions import RummyAction
from games.gin.view import Phase
from games.tables.dealing import ONE_PACK_TEAM, Dealing, dealing_of, derived_seed
from games.tables.duplicate import FromPacks
from scoring.core.errors import shown
from scoring.core.messages import Sentence, mark
from scoring.core.rules import Rules
from scoring.core.sheets import MOST_DEALS, ColumnFigures, Deal, RunningSheet, SheetSide
from scoring.documents.sides import check_sides

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
    """A played deal: its number, its entry for the sheet, and what was dealt, by table.

    `two_handed` are the hands of two with a pack of their own: in most games all. `estimates` are by table,
    then by action of the hand: the bot's estimates for that choice, empty if it has none.
    """

    number: int
    deal: Deal
    hands: tuple[InPlay, ...]
    estimates: tuple[tuple[tuple[Estimate, ...], ...], ...]

    @property
    def two_handed(self) -> tuple[HandState, ...]:
        return tuple([hand for hand in self.hands if isinstance(hand, HandState)])


def play_sheet(
    rules: Rules,
    seats: Sequence[SheetSide],
    bots: Mapping[str, HouseBot],
    seed: int,
    *,
    played: Sequence[Deal] = (),
) -> Iterator[Deal]:
    """The deals of a sheet after those `played`: `play_deals` without the hands (INTERFACES §5)."""
    return (one.deal for one in play_deals(rules, seats, bots, seed, played=played))


def play_deals(
    rules: Rules,
    seats: Sequence[SheetSide],
    bots: Mapping[str, HouseBot],
    seed: int,
    *,
    played: Sequence[Deal] = (),
    packs: Sequence[Pack] | None = None,
    before_choice: Watch = lambda bot, deal: None,
) -> Iterator[PlayedDeal]:
    """The deals of a sheet after those `played`, until it is finished or full (`MOST_DEALS`).

    `seats` are the sides, `bots` maps players to their bots. Equal arguments give equal deals, from any
    starting point. At each table of two sides a pair keeps its own order of dealing; a pair that meets for
    the first time cuts. With `packs` the sheet is played as duplicate, from these (`FromPacks`).
    `before_choice` is called for every choice and when a bot sits down; it does not affect play.

    Refuses with `GameError` `no_bot`, `not_played` (a strategy that does not play this game) and
    `shared_pack` (one pack for more than two tables), with a `ScoringError` sides or deals that make no
    sheet, and packs as `FromPacks` does. During play: `BotError`.
    """
    sides = check_sides(seats, rules)
    players = [player for side in sides for player in side.everyone]
    for player in players:
        if player not in bots:
            raise GameError(
                "no_bot", mark("There is no bot for %(player)s.", player=shown(player)), field="bots"
            )
    if rules.packs == "shared" and len(sides[0].players) > ONE_PACK_TEAM:
        raise GameError(
            "shared_pack", mark("One pack is shared by two against two at most."), field="rules.packs"
        )
    sheet = RunningSheet(rules, sides)
    dealing = dealing_of(sheet, seed) if packs is None else FromPacks(sheet, packs)
    for player in players:
        bots[player].strategy.check_plays(dealing.game)
    for deal in played:
        dealing.note(sheet.add(deal))
    return _play_on(sheet, dealing, bots, seed, before_choice)


def _play_on(
    sheet: RunningSheet,
    dealing: Dealing,
    bots: Mapping[str, HouseBot],
    seed: int,
    before_choice: Watch,
) -> Iterator[PlayedDeal]:
    side_of = {player: number for number, side in enumerate(sheet.sides) for player in side.everyone}
    while not sheet.is_finished and sheet.played < MOST_DEALS:
        number = sheet.played + 1
        seen = game_views(sheet)
        hands, estimates = dealing.hands(number), []
        for table, state in enumerate(hands):
            seated, games = [], []
            for seat, player in enumerate(state.players):
                before_choice(player, number)
                chances = derived_seed(seed, "bot", number, table, seat)
                seated.append(sit_down(bots[player], dealing.game, player, number, chances))
                games.append(seen[side_of[player]])
            estimates.append(_play_hand(state, seated, games, number, before_choice))
        deal = Deal(tuple([result for state in hands for result in state.results]))
        dealing.note(sheet.add(deal))
        yield PlayedDeal(number, deal, tuple(hands), tuple(estimates))


def _play_hand(
    state: InPlay, bots: Sequence[Any], games: Sequence[GameView], number: int, before_choice: Watch
) -> tuple[tuple[Estimate, ...], ...]:
    """Plays a hand to its end; returns the estimates of every choice."""
    # What a bot that weighs its choices says of the last one, the best first.
    saying = [getattr(bot, "estimates", None) for bot in bots]
    estimates: list[tuple[Estimate, ...]] = []
    while not state.is_over:
        seat = state.turn
        bot = state.players[seat]
        before_choice(bot, number)
        action = choose(bots[seat], state, games[seat], number)
        try:
            weighing = saying[seat]
            if weighing is None or action == LAY_OFF:
                estimates.append(())
            else:
                estimates.append(_checked(weighing(), state, len(state.legal_actions())))
        except Exception as error:
            raise BotError(bot, number, _words(error)) from error
        try:
            state.act(action)
        except GameError as error:
            said = mark("It chose “%(action)s”. %(why)s", action=str(action), why=error.message)
            raise BotError(bot, number, said) from error
    return tuple(estimates)


def choose(bot: Any, state: InPlay, game: GameView, number: int) -> Any:
    """The action that the bot to move chooses in this deal, legal or not; raises `BotError`.

    No bot is asked what it lays off: it takes what leaves it least.
    """
    seat = state.turn
    view = state.view(seat)
    if view.phase is Phase.LAY_OFF:
        return LAY_OFF
    try:
        chosen = bot.choose(view, game)
        # It may merely be equal to a legal one, with a plain string as its kind or a card that is no int.
        action = state.known(chosen)
    except Exception as error:
        raise BotError(state.players[seat], number, _words(error)) from error
    if action is None:
        raise BotError(state.players[seat], number, _no_action(chosen))
    return action


def _checked(estimates: tuple[Estimate, ...], state: InPlay, most: int) -> tuple[Estimate, ...]:
    """The estimates with plain actions and floats; raises on anything a bot may not report."""
    if len(estimates) > most:
        raise ValueError("There are more estimates than choices.")
    checked = []
    for one in estimates:
        action = state.known(one.action) if isinstance(one, Estimate) else None
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


def sit_down(house_bot: HouseBot, game: str | None, bot: str, number: int, seed: int) -> Any:
    """The player of one hand of this game, called `bot` in this deal; raises `BotError`."""
    try:
        return house_bot.sit_down_at(game, seed)
    except Exception as error:
        raise BotError(bot, number, _words(error)) from error


def game_views(sheet: RunningSheet) -> list[GameView]:
    """The sheet from each side's point of view."""
    target, columns, left = sheet.rules.target, sheet.figures, sheet.deals_left
    return [
        GameView(target, tuple([_column_view(column, side) for column in columns]), left)
        for side in range(len(sheet.sides))
    ]


def _column_view(column: ColumnFigures, side: int) -> ColumnView:
    is_open, running, boxes = column
    # Of several others the one who is nearest to the target.
    other = max([one for one in range(len(running)) if one != side], key=running.__getitem__)
    return ColumnView(is_open, running[side], running[other], boxes[side], boxes[other])


def _no_action(chosen: object) -> Sentence:
    if isinstance(chosen, Action | RummyAction):
        return mark("There is no such action.")
    return mark("What it chose is not an action but of type %(type)s.", type=type(chosen).__name__)


def _words(error: Exception) -> str:
    # An exception that cannot be printed is the bot's fault too.
    return shown(format_exception_only(error)[-1].strip())
