"""The figures that come with the program, of an arena: so a new site knows how strong its bots are.

They are in `shipped.json` beside this module, which `bots arena --write` makes; `ShippedArena` says how. What
a site measures itself is kept apart, in its database.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final, Self

from games.arena.figures import Arena, LevelStep, Share
from games.arena.pairs import label
from games.bots.base import HouseBot, Strategy
from scoring.core.skills import Skill

PLACE: Final = Path(__file__).with_name("shipped.json")


@dataclass(frozen=True, slots=True)
class ShippedBot:
    """A bot as it was measured: its rating, and the processor time of a choice in seconds, the mean of all.

    `name` is its label in the arena.
    """

    name: str
    strategy: str
    level: int | None
    samples: int | None
    mu: float
    sigma: float
    games: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ShippedMeeting:
    """The games of two bots, by label, from the point of view of `one`; `error` is that of its share."""

    one: str
    other: str
    games: int
    wins: float
    error: float
    hands: int
    points: int

    @property
    def share(self) -> Share:
        return Share(self.games // 2, self.wins / self.games, self.error)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where and when the arena was played: by this version, on this day, on so many processors.

    `is_compiled` is whether the kernel of `expert` was, `policies` the `DIGEST` of the numbers it played by.
    """

    version: str
    day: str
    processes: int
    python: str
    is_compiled: bool
    policies: str


@dataclass(frozen=True, slots=True)
class ShippedArena:
    """An arena: `games` between any two bots, `level_games` between two of which one has levels."""

    circumstances: Circumstances
    seed: int
    games: int
    level_games: int
    bots: tuple[ShippedBot, ...]
    meetings: tuple[ShippedMeeting, ...]
    steps: tuple[LevelStep, ...]

    @classmethod
    def of(
        cls, arena: Arena, ratings: Mapping[str, Skill], circumstances: Circumstances, level_games: int
    ) -> Self:
        """The figures of this arena, the strongest bot first."""
        bots = [
            ShippedBot(
                label(one.bot),
                one.bot.strategy.name,
                one.bot.level,
                one.bot.samples,
                ratings[label(one.bot)].mu,
                ratings[label(one.bot)].sigma,
                one.games,
                float(f"{one.seconds_per_decision:.3g}"),
            )
            for one in arena.standings()
        ]
        meetings = [
            ShippedMeeting(
                label(one.one),
                label(one.other),
                one.games,
                one.wins,
                round(one.share.error, 6),
                one.hands,
                one.points,
            )
            for one in arena.meetings
        ]
        by_strength = sorted(bots, key=lambda bot: (-bot.mu, bot.name))
        return cls(
            circumstances,
            arena.seed,
            arena.games,
            level_games,
            tuple(by_strength),
            tuple(meetings),
            tuple(arena.steps()),
        )

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """The figures from `to_document`."""
        return cls(
            Circumstances(**document["circumstances"]),
            document["seed"],
            document["games"],
            document["level_games"],
            tuple([ShippedBot(**bot) for bot in document["bots"]]),
            tuple([ShippedMeeting(**meeting) for meeting in document["meetings"]]),
            tuple([LevelStep(**step) for step in document["steps"]]),
        )

    def to_document(self) -> dict[str, Any]:
        """The figures as JSON."""
        return asdict(self)

    @property
    def day(self) -> date:
        """When it was played."""
        return date.fromisoformat(self.circumstances.day)

    @property
    def games_in_all(self) -> int:
        return sum([meeting.games for meeting in self.meetings])

    def figures_of(self, bot: HouseBot) -> ShippedBot | None:
        """What was measured of this bot; None if it was not, or had other samples: that was another bot."""
        found = next((one for one in self.bots if one.name == label(bot)), None)
        return found if found is not None and found.samples == bot.samples else None

    def meetings_of(self, bot: ShippedBot) -> list[tuple[ShippedBot, ShippedMeeting]]:
        """Its games with each of the others, from its own point of view, the strongest opponent first."""
        by_name = {one.name: one for one in self.bots}
        found = {meeting.other: meeting for meeting in self.meetings if meeting.one == bot.name}
        found |= {meeting.one: _turned(meeting) for meeting in self.meetings if meeting.other == bot.name}
        return [(by_name[name], found[name]) for name in by_name if name in found]

    def steps_of(self, strategy: Strategy) -> list[LevelStep]:
        """How far each of its levels is ahead of the one below, as far as both were measured as they are."""
        measured = {
            level
            for level in range(1, strategy.levels + 1)
            if self.figures_of(HouseBot.of(strategy, level)) is not None
        }
        return [
            step
            for step in self.steps
            if step.strategy == strategy.name and {step.lower, step.higher} <= measured
        ]


def _turned(meeting: ShippedMeeting) -> ShippedMeeting:
    """The same games from the other's point of view."""
    return ShippedMeeting(
        meeting.other,
        meeting.one,
        meeting.games,
        meeting.games - meeting.wins,
        meeting.error,
        meeting.hands,
        -meeting.points,
    )


@cache
def shipped() -> ShippedArena:
    """The figures that this program came with."""
    return ShippedArena.from_document(json.loads(PLACE.read_text(encoding="utf-8")))
