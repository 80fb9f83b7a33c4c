"""`python -m games.tables.table`: a table for bots, in a process of its own.

A bot that hangs or crashes thus stops nothing but its own table. Standard input has one line of JSON, as
made by `request`, and stays open: when it closes, the listener is gone, and the table ends. Events are
written to standard output, one JSON object per line:

    {"preparing": [deal, player]}        whose turn it is in a deal that does not count
    {"choosing": [deal, player]}         whose turn it is, before every choice
    {"deal": {number, deal, hands}}      a deal was played; each hand with `log` and `estimates`
    {"failed": {bot, deal, reason}}      a bot failed, and nothing more comes
    {"refused": {code, message, field}}  this cannot be played; messages are values (`read_sentence`)
    {"fault": text}                      something else went wrong
    {"end": true}                        the sheet is finished or full

A first deal does not count and has a longer time limit, so that bots with levels can load or compile what
they need; bots without levels are replaced by `simple` there. Failing to load is a fault of the machine, for
which nobody forfeits; after any other exception the bot is asked again where it counts. Whatever bots print
goes to standard error. No Django here, and no clock but the alarm.
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
from scoring.core.messages import sentence_document
from scoring.core.rules import Rules
from scoring.core.sheets import Deal, SheetSide
from scoring.documents.sheets import DealReader, deal_document
from scoring.documents.sides import read_sides

# In bytes: more is not thinking, but would bring the machine down.
MOST_MEMORY: Final = 2 << 30
# The kernel's alarm ends a choice this much later than the listener would, in case nobody listens any more.
ALARM_SLACK_SECONDS: Final = 5.0
# Compiling takes a quarter of a minute on a free core, and there may be none.
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
    """The request for a table: `bots` are documents by player, `strategies` the paths of the site's own.

    `move_seconds` limits a choice, `prepare_seconds` one in the deal that does not count.
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
    # The listener ends this process by closing its input; signals to the whole group are not meant for it.
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
    """Plays the request and reports on it, up to the end or failure."""

    def before_choice(bot: str, deal: int, *, what: str = "choosing", seconds: str = "move_seconds") -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        tell(**{what: [deal, bot]})
        # Ends the process even while compiled code keeps Python from running.
        signal.setitimer(signal.ITIMER_REAL, asked[seconds] + ALARM_SLACK_SECONDS)

    try:
        strategies = strategies_with(tuple(asked["strategies"]))
        rules = Rules.from_document(asked["rules"])
        sides = read_sides(asked["sides"], rules)
        reader = DealReader(sides, rules, anyone=True)
        played = [reader.read(deal, number) for number, deal in enumerate(asked["played"], 1)]
        bots = {player: HouseBot.from_document(bot, strategies) for player, bot in asked["bots"].items()}
        if any(bot.weighs for bot in bots.values()):
            watch = partial(before_choice, what="preparing", seconds="prepare_seconds")
            quick = {player: _warm_up_bot(bot) for player, bot in bots.items()}
            _prepare(play_deals(rules, sides, quick, 0, before_choice=watch))
        for deal in play_deals(rules, sides, bots, asked["seed"], played=played, before_choice=before_choice):
            signal.setitimer(signal.ITIMER_REAL, 0)
            tell(deal=_played_document(deal))
        tell(end=True)
    except BotError as failure:
        signal.setitimer(signal.ITIMER_REAL, 0)
        tell(failed={"bot": failure.bot, "deal": failure.deal, "reason": sentence_document(failure.reason)})
    except (GameError, ScoringError) as refusal:
        said = sentence_document(refusal.message)
        tell(refused={"code": refusal.code, "message": said, "field": refusal.field})
    except Exception as fault:
        tell(fault=f"{type(fault).__name__}: {fault}")
        raise


def _prepare(deals: Iterator[PlayedDeal]) -> None:
    """Plays the deal that does not count; raises if this machine cannot play."""
    try:
        next(deals)
    except BotError as failure:
        # A bot that fails here will fail again where it counts.
        if isinstance(failure.__cause__, (ImportError, OSError)):
            raise failure.__cause__ from None


def _warm_up_bot(bot: HouseBot) -> HouseBot:
    """The bot at its fewest samples, for the deal that does not count; `simple` without samples."""
    return HouseBot(bot.strategy, bot.level, 1) if bot.weighs else house_bot("simple")


def _played_document(played: PlayedDeal) -> dict[str, Any]:
    hands = [
        {"log": hand.log.to_document(), "estimates": [_estimates_document(one) for one in estimates]}
        for hand, estimates in zip(played.hands, played.estimates, strict=True)
    ]
    return {"number": played.number, "deal": deal_document(played.deal), "hands": hands}


def _estimates_document(estimates: tuple[Estimate, ...]) -> list[list[Any]] | None:
    """Each as [action, value, samples, whether it is a chance]; None if nothing was weighed."""
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
    """Ends this process, and what a bot may have started, when the other end is closed."""
    os.read(tether, 1)
    if os.getpgrp() == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    main()
