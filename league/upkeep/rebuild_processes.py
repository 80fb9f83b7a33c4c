"""Does the parts of a rebuild in this process or in several.

It imports no models, since it is what a started process imports before it knows the settings.
"""

import logging
import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import django
from django.db import connection
from django.utils.translation import activate, get_language

from games.processes import without_interrupts, work_for_parent

if TYPE_CHECKING:
    from league.upkeep.rebuild_parts import Found, Part

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Failed:
    """A part could not be done; `reason` is for whoever runs the site, blank if its process died."""

    reason: str


def rebuild_parts(
    parts: Sequence["Part"],
    *,
    apply: bool,
    processes: int,
    journal: Path | None,
    progress: Callable[["Found | Failed"], object],
) -> Iterator[tuple["Part", "Found | Failed"]]:
    """Yield what was found in each part, in their order; `progress` is called as each is done.

    One process is this one. What is done is noted in the journal.
    """
    if processes == 1:
        worker = _Worker(apply, journal)
        try:
            for part in parts:
                found = worker.do(part)
                progress(found)
                yield part, found
        finally:
            worker.close()
        return
    pool = ProcessPoolExecutor(
        processes,
        # Spawned, not forked: connections are not shared.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(connection.settings_dict["NAME"], get_language(), apply, journal),
    )
    try:
        with without_interrupts():
            futures = [pool.submit(_do, part) for part in parts]
        for future in futures:
            future.add_done_callback(lambda done: done.cancelled() or progress(_result(done.result)))
        for part, future in zip(parts, futures, strict=True):
            yield part, _result(future.result)
    finally:
        pool.shutdown(cancel_futures=True)


def _result(result: Callable[[], "Found | Failed"]) -> "Found | Failed":
    try:
        return result()
    except BrokenProcessPool:
        return Failed("")


class _Worker:
    """Does parts, in whichever process it was made."""

    def __init__(self, apply: bool, journal: Path | None) -> None:
        from league.upkeep.rebuild_journal import Journal

        self._apply = apply
        self._journal = Journal(journal) if journal else None

    def do(self, part: "Part") -> "Found | Failed":
        """Do a part; if that fails the log has the traceback."""
        from league.upkeep.rebuild_parts import rebuild_part

        try:
            found = rebuild_part(part, apply=self._apply, note=lambda lines: self._note(part, lines))
            if self._journal:
                self._journal.done(part, found)
        except Exception as error:  # noqa: BLE001 - whatever it was, other parts do not depend on it
            _log.exception("%s %d could not be rebuilt.", *part)
            return Failed(f"{part.kind} {part.pk}: {type(error).__name__}: {error}")
        return found

    def _note(self, part: "Part", lines: list[str]) -> None:
        if self._journal:
            self._journal.note(part, lines)

    def close(self) -> None:
        if self._journal:
            self._journal.close()


# Inside the processes.

_WORKER: Final[list[_Worker]] = []


def _start(database: str, language: str | None, apply: bool, journal: Path | None) -> None:
    work_for_parent()
    django.setup()
    if language is not None:
        activate(language)
    connection.settings_dict["NAME"] = database
    _WORKER.append(_Worker(apply, journal))


def _do(part: "Part") -> "Found | Failed":
    return _WORKER[0].do(part)
