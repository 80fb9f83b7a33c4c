"""Batches: each entry is written separately, and the response has an outcome for each."""

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
    """Return an outcome for each entry: `about(entry)` merged with the result of `write`, or its refusal.

    An internal error is the outcome of that entry only (500). After a temporary outage, such as a lost
    database, no further entry is tried: each gets the same outcome (503).
    """
    outcomes: list[dict[str, Any]] = []
    away: dict[str, Any] | None = None
    for entry in entries:
        outcome = away
        if outcome is None:
            try:
                outcome = write(entry)
            except Exception as error:  # noqa: BLE001 (entries committed before must be reported)
                outcome = refused_outcome(error)
                away = outcome if passes(error) else None
        outcomes.append({**about(entry), **outcome})
    return outcomes
