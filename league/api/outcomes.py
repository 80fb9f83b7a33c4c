"""Batches: each entry is written by itself, and what became of each is always answered."""

from collections.abc import Callable, Iterable
from typing import Any

from scoring.api.problems import refused_outcome
from scoring.services.outages import passes


def outcomes_of(
    entries: Iterable[object],
    *,
    about: Callable[[object], dict[str, Any]],
    write: Callable[[object], dict[str, Any]],
) -> list[dict[str, Any]]:
    """What became of each entry: what names it (`about`) with what `write` answers, or with its refusal.

    A fault of ours is the outcome of its entry alone (500). Once the database is away nothing more is tried,
    and every further entry is answered as that one was (503).
    """
    outcomes: list[dict[str, Any]] = []
    away: dict[str, Any] | None = None
    for entry in entries:
        outcome = away
        if outcome is None:
            try:
                outcome = write(entry)
            except Exception as error:  # noqa: BLE001 (what was committed before it is to be answered)
                outcome = refused_outcome(error)
                away = outcome if passes(error) else None
        outcomes.append({**about(entry), **outcome})
    return outcomes
