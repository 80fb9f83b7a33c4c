"""The games of an arena in a file, written as they are played, so that one that was interrupted goes on."""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from games.arena.pairs import PlayedPair
from games.bots.base import HouseBot
from games.bots.policies import DIGEST
from games.errors import GameError
from scoring.core.messages import mark
from scoring.core.rules import Rules

# The number of the packs and the indexes of the two bots, in the order of `seated`.
Unit = tuple[int, int, int]


def seated(bots: Sequence[HouseBot]) -> tuple[HouseBot, ...]:
    """The bots in the order in which an arena counts them, however they are named."""
    return tuple(sorted(bots, key=lambda bot: (bot.strategy.name, bot.level or 0)))


class KeptPairs(dict[Unit, PlayedPair]):
    """The pairs of games that were played; what is added is appended to the file at once.

    The first line says by whom, by which rules, on which packs, by which version and by which numbers of
    `policies` they were played; each other line holds a pair. A file that is not there is begun. A last line
    that was cut off is taken away, and its pair played again. Any other file is left as it is and refused
    with `GameError`: `other_games`.
    """

    def __init__(
        self, place: Path, bots: Sequence[HouseBot], *, seed: int, rules: Rules, version: str
    ) -> None:
        super().__init__()
        self._place = place
        begun = {
            "bots": [bot.to_document() for bot in seated(bots)],
            "rules": rules.to_document(),
            "seed": seed,
            "version": version,
            "policies": DIGEST,
        }
        first = json.dumps(begun, sort_keys=True).encode() + b"\n"
        text = place.read_bytes() if place.exists() else b""
        if first.startswith(text):
            place.write_bytes(first)
            return
        whole = text[: text.rindex(b"\n") + 1] if text.startswith(first) else b""
        try:
            for line in whole.splitlines()[1:]:
                (packs, one, other), pair = json.loads(line)
                scores, hands, points, decisions, seconds = pair
                played = PlayedPair(tuple(scores), hands, points, tuple(decisions), tuple(seconds))
                super().__setitem__((packs, one, other), played)
        except (TypeError, ValueError):
            whole = b""
        if not whole:
            said = mark("%(file)s keeps no games of this arena: name another file.", file=place.name)
            raise GameError("other_games", said, field="keep")
        os.truncate(place, len(whole))

    def __setitem__(self, unit: Unit, pair: PlayedPair) -> None:
        super().__setitem__(unit, pair)
        with self._place.open("a", encoding="utf-8") as file:
            file.write(json.dumps([unit, pair]) + "\n")
