"""What a rebuild has done, in a file, so that another one goes on where it was ended.

A line is a JSON document: the first says what is rebuilt, each other one the lines of a part before they are
written, or all that was found in it when it is done. It is written at once by whichever process knows it.
The file is gone when a rebuild is through.
"""

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.utils import timezone

from league.upkeep.rebuild_parts import DerivedKind, Found, Part


class NotResumable(Exception):
    """There is nothing to go on with; `differs` if what was interrupted was another rebuild."""

    def __init__(self, *, differs: bool) -> None:
        super().__init__(differs)
        self.differs = differs


class Journal:
    """Appends to the file at `path`, which `opened` has begun."""

    def __init__(self, path: Path) -> None:
        # Without O_CREAT: what was removed meanwhile is not begun again without its head.
        self._file = os.open(path, os.O_WRONLY | os.O_APPEND)

    def note(self, part: Part, lines: Sequence[str]) -> None:
        """Note differences that are about to be written."""
        self._append({"part": part, "lines": lines})

    def done(self, part: Part, found: Found) -> None:
        """Note that a part is done."""
        self._append({"part": part, "found": asdict(found)})

    def close(self) -> None:
        """Close the file."""
        os.close(self._file)

    def _append(self, document: dict[str, Any]) -> None:
        # One call, so that lines of several processes do not mix.
        os.write(self._file, json.dumps(document).encode() + b"\n")


class Past:
    """What was done before: `done` parts, and lines `noted` in others; `begun` is when, as ISO 8601."""

    def __init__(self, begun: str) -> None:
        self.begun = begun
        self.done: dict[Part, Found] = {}
        self.noted: dict[Part, list[str]] = {}

    def whole(self, part: Part, found: Found) -> Found:
        """What was found in a part, with what was noted before and is written since."""
        if noted := self.noted.get(part):
            found.lines = list(dict.fromkeys([*noted, *found.lines]))
        return found


@contextmanager
def opened(path: Path, head: dict[str, Any], *, resume: bool) -> Iterator[Past | None]:
    """Begin the file, or go on with it; yields what was done before. None while another rebuild has it.

    Refuses (`NotResumable`) to go on with nothing, or with a rebuild whose head is another one.
    """
    if resume and not path.exists():
        raise NotResumable(differs=False)
    with path.open("a+b") as file:
        os.fchmod(file.fileno(), 0o600)  # names of persons
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield None
            return
        if resume:
            file.seek(0)
            past = _read(file.read(), head)
            # A line whose end was never written must not swallow the next one.
            file.write(b"\n")
        else:
            past = Past(timezone.now().isoformat(timespec="seconds"))
            file.truncate(0)
            file.write(json.dumps({**head, "begun": past.begun}).encode() + b"\n")
        file.flush()
        yield past


def _read(text: bytes, head: dict[str, Any]) -> Past:
    documents = [document for line in text.splitlines() if (document := _document(line)) is not None]
    if not documents:
        raise NotResumable(differs=False)
    first, *rest = documents
    past = Past(first.pop("begun", ""))
    if first != head:
        raise NotResumable(differs=True)
    for document in rest:
        kind, pk = document["part"]
        part = Part(DerivedKind(kind), pk)
        if "found" in document:
            past.done[part] = past.whole(part, Found(**document["found"]))
        else:
            past.noted.setdefault(part, []).extend(document["lines"])
    return past


def _document(line: bytes) -> dict[str, Any] | None:
    """A line's document; None if the line was not written whole."""
    try:
        document = json.loads(line)
    except ValueError:
        return None
    return document if isinstance(document, dict) else None
