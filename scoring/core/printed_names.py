"""How people's names are printed in what is being answered now.

Some people are shown to the public by initials or by a nickname. Who reads is known to whoever answers a
request (`print_names`); the rows that carry names ask (`printed`) as they are read, so that no page, no PDF
and no figure in one can forget to. While names are printed otherwise than they are, rows are not written:
see `models.Printed`.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Protocol


class Spelling(Protocol):
    """How names are printed for a reader."""

    def shown(self, name: str) -> str:
        """What is printed for a name."""

    def in_sentence(self, sentence: str) -> str:
        """What is printed for a sentence in which names may stand."""


@dataclass(slots=True)
class _Answer:
    """What is known of the answer being made."""

    spelling: Spelling | None = None


_CURRENT: ContextVar[_Answer | None] = ContextVar("printed_names", default=None)


@contextmanager
def printing(spelling: Spelling | None = None) -> Iterator[None]:
    """What is read inside carries names as `spelling` has them, or as `print_names` says later."""
    token = _CURRENT.set(_Answer(spelling))
    try:
        yield
    finally:
        _CURRENT.reset(token)


def print_names(spelling: Spelling | None) -> None:
    """From now on, until the `printing` around this ends."""
    answer = _CURRENT.get()
    if answer is None:
        raise RuntimeError("Names are printed otherwise inside of `printing` only.")
    answer.spelling = spelling


def are_covered() -> bool:
    """Whether names are printed otherwise than they are."""
    answer = _CURRENT.get()
    return answer is not None and answer.spelling is not None


def printed(name: str) -> str:
    """A name as it is printed now."""
    answer = _CURRENT.get()
    return name if answer is None or answer.spelling is None else answer.spelling.shown(name)


def printed_within(value: Any) -> Any:
    """A sentence as it is printed now; of a list or a dict, every text in it. Anything else as it is."""
    answer = _CURRENT.get()
    return value if answer is None or answer.spelling is None else spelt(value, answer.spelling.in_sentence)


def spelt(value: Any, spelling: Callable[[str], str]) -> Any:
    """A text spelt so; of a list or a dict every text in it, the keys too: totals stand under names."""
    if isinstance(value, str):
        return spelling(value)
    if isinstance(value, list):
        return [spelt(one, spelling) for one in value]
    if isinstance(value, dict):
        return {spelling(key): spelt(one, spelling) for key, one in value.items()}
    return value
