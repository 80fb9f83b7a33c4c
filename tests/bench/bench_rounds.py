"""Drafting a round through the services, by format and size: read, paired, written, noted.

What the pairing alone takes is in `bench_swiss` and its like; the rest is reading and writing rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Final

from django.db import transaction

from league.models import Event, EventFormat
from league.services.round_life import draft_round
from league.services.rounds import draw_round_robin
from tests.bench.registry import Figure, bench
from tests.factories import OPERATOR, EventFactory, big_event

SIZES: Final = (64, 128, 256, 512)


@dataclass(frozen=True, slots=True)
class Case:
    """A format at a size: how many rounds are played before the one that is measured, and how it is made."""

    title: str
    format: EventFormat
    sizes: tuple[int, ...]
    rounds: int
    draw: Callable[[Event], object]
    settings: dict[str, Any]


def next_round(event: Event) -> object:
    return draft_round(actor=OPERATOR, event=event)


CASES: Final = (
    Case("Swiss, round 9", EventFormat.SWISS, SIZES, 8, next_round, {}),
    Case(
        "round robin, whole",
        EventFormat.ROUND_ROBIN,
        (64, 128),
        0,
        lambda event: draw_round_robin(actor=OPERATOR, event=event),
        {},
    ),
)


@bench(database=True)
def drafting_a_round() -> list[Figure]:
    figures = []
    for case in CASES:
        taken = [seconds(case, size) for size in case.sizes]
        figures += [
            Figure(f"{case.title}, {size} entries", time, "s")
            for size, time in zip(case.sizes, taken, strict=True)
        ]
        first, last = case.sizes[0], case.sizes[-1]
        figures.append(
            Figure(
                f"{case.title}, {last} entries beside {first}: {last // first} times as many",
                taken[-1] / taken[0],
                "×",
            )
        )
    return figures


def seconds(case: Case, size: int) -> float:
    """The shortest of three, each taken back."""
    event: Event = EventFactory.create(format=case.format, **case.settings)
    big_event(entries=size, matches=size // 2 * case.rounds, event=event, sheets=False)
    best = float("inf")
    for _ in range(3):
        with transaction.atomic():
            start = perf_counter()
            case.draw(event)
            best = min(best, perf_counter() - start)
            transaction.set_rollback(True)
    return best
