"""`python -m games.tables.table`: the table bots sit at, a process of its own.

So a bot that hangs, or takes its process along, stops nobody but itself. Standard input brings one line of
JSON, what `request` makes, and stays open: when it closes, whoever asked is gone, and the table ends. What
happens is told line by line on standard output, each a JSON object:

    {"preparing": [deal, player]}        whose turn it is in a deal that counts nothing
    {"choosing": [deal, player]}         whose turn it is, before every choice
    {"deal": {number, deal, hands}}      a deal was played; each hand with `log` and `estimates`
    {"failed": {bot, deal, reason}}      a bot failed, and nothing more comes
    {"refused": {code, message, field}}  this cannot be played
    {"fault": text}                      something else went wrong
    {"end": true}                        the sheet is finished or full

What bots with levels load or compile to think with, they do in the deal that counts nothing, where they have
more time; for a bot without levels `simple` plays there. What cannot be loaded there is a fault of the
machine, which nobody forfeits for; a bot that raises anything else is asked again where it counts. Whatever
bots print goes to standard error. No Django here, and no clock but the alarm.
"""

import json
import os
import resource
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from games.bots import Estimate, HouseBot, house_bot
from games.bots.strategies import strategies_with
from games.errors import GameError
from games.tables.play import BotError, PlayedDeal, play_deals
from scoring.core.errors import ScoringError
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import DealReader, deal_document
from scoring.documents.sides import read_sides

# In bytes: more is not a bot's thinking, but something that would take the machine along.
MOST_MEMORY: Final = 2 << 30
# How much later than the one who listens the kernel ends a choice, should nobody listen any more.
ALARM_SLACK_SECONDS: Final = 5.0
# Compiling takes a quarter of a minute of a free core, and there may be none.
PREPARE_SECONDS: Final = 300.0


def request(
    rules: Mapping[str, Any],
    sides: Sequence[SheetSide],
    bots: Mapping[str, Mapping[str, Any]],
    seed: int,
    *,
    played: Sequence[Deal],
    strategies: Sequence[str],
    move_seconds: float,
    prepare_seconds: float = PREPARE_SECONDS,
) -> dict[str, Any]:
    """What a table is asked to play: `bots` are documents by player, `strategies` the paths of a site's own.

    `move_seconds` is how long one choice may take, `prepare_seconds` in the deal that counts nothing.
    """
    return {
        "rules": rules,
        "sides": [_side_document(side) for side in sides],
        "bots": bots,
        "seed": seed,
        "played": [deal_document(deal) for deal in played],
        "strategies": list(strategies),
        "move_seconds": move_seconds,
        "prepare_seconds": prepare_seconds,
    }


def main() -> None:
    # Whoever stops this process closes its input; a signal to a whole group is not meant for it.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    _limit_memory()
    tether, line = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    with os.fdopen(line, "wb") as output, os.fdopen(tether, "rb") as given:

        def tell(**what: Any) -> None:
            output.write(json.dumps(what).encode() + b"\n")
            output.flush()

        asked = json.loads(given.readline())
        with open(os.devnull, "rb") as nothing:
            os.dup2(nothing.fileno(), 0)
        threading.Thread(target=_end_with, args=(given.fileno(),), daemon=True).start()
        _play(asked, tell)


def _play(asked: Mapping[str, Any], tell: Callable[..., None]) -> None:
    """Plays what was asked for and tells of it, to its end whatever that is."""

    def before_choice(bot: str, deal: int, *, what: str = "choosing", seconds: str = "move_seconds") -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        tell(**{what: [deal, bot]})
        # Ends the process even while compiled code keeps Python from doing anything.
        signal.setitimer(signal.ITIMER_REAL, asked[seconds] + ALARM_SLACK_SECONDS)

    try:
        strategies = strategies_with(tuple(asked["strategies"]))
        sides = read_sides(asked["sides"])
        reader = DealReader(sides, anyone=True)
        played = [reader.read(deal, number) for number, deal in enumerate(asked["played"], 1)]
        bots = {player: HouseBot.from_document(bot, strategies) for player, bot in asked["bots"].items()}
        rules = Rules.from_document(asked["rules"])
        if any(bot.samples for bot in bots.values()):
            watch = partial(before_choice, what="preparing", seconds="prepare_seconds")
            quick = {player: _thinking_least(bot) for player, bot in bots.items()}
            _prepare(play_deals(rules, sides, quick, 0, before_choice=watch))
        for deal in play_deals(rules, sides, bots, asked["seed"], played=played, before_choice=before_choice):
            signal.setitimer(signal.ITIMER_REAL, 0)
            tell(deal=_played_document(deal))
        tell(end=True)
    except BotError as failure:
        signal.setitimer(signal.ITIMER_REAL, 0)
        tell(failed={"bot": failure.bot, "deal": failure.deal, "reason": failure.reason})
    except (GameError, ScoringError) as refusal:
        tell(refused={"code": refusal.code, "message": str(refusal.message), "field": refusal.field})
    except Exception as fault:
        tell(fault=f"{type(fault).__name__}: {fault}")
        raise


def _prepare(deals: Iterator[PlayedDeal]) -> None:
    """Plays the deal that counts nothing; raises again what says that this machine cannot play."""
    try:
        next(deals)
    except BotError as failure:
        # Who chooses badly here does so again where it counts.
        if isinstance(failure.__cause__, (ImportError, OSError)):
            raise failure.__cause__ from None


def _thinking_least(bot: HouseBot) -> HouseBot:
    """Who plays for it in the deal that counts nothing: not itself where it has nothing to get ready."""
    return HouseBot(bot.strategy, bot.level, 1) if bot.samples else house_bot("simple")


def _played_document(played: PlayedDeal) -> dict[str, Any]:
    hands = [
        {"log": hand.log.to_document(), "estimates": [_estimates_document(one) for one in estimates]}
        for hand, estimates in zip(played.hands, played.estimates, strict=True)
    ]
    return {"number": played.number, "deal": deal_document(played.deal), "hands": hands}


def _estimates_document(estimates: tuple[Estimate, ...]) -> list[list[Any]] | None:
    """Each as [action, value, samples, whether it is a chance]; None where nothing was weighed."""
    return [[str(one.action), round(one.value, 4), one.samples, one.is_chance] for one in estimates] or None


def _side_document(side: SheetSide) -> dict[str, Any]:
    substitutes = [
        {"player": one.player, "replaces": one.replaces, "from_deal": one.from_deal}
        for one in side.substitutes
    ]
    return {"name": side.name, "players": list(side.players), "substitutes": substitutes}


def _limit_memory() -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = MOST_MEMORY if hard == resource.RLIM_INFINITY else min(MOST_MEMORY, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _end_with(tether: int) -> None:
    """Ends this process, and what a bot may have started, when nobody holds the other end any more."""
    os.read(tether, 1)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
