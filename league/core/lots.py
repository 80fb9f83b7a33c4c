"""Lots: drawn from a seed and a key that says nothing of whose it is, so that anybody can draw one again.

The seed is an event's, with a word for what is drawn: who is first in one lot is not so in all of them.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

# Hexadecimal digits of a lot: 52 bits, which every database and JSON reader holds exactly.
_DIGITS: Final = 13


def lot(seed: int | str, key: str) -> int:
    """Return the lot of a key: the beginning of SHA-256 of “seed:key”. The higher one comes first."""
    return int(sha256(f"{seed}:{key}".encode()).hexdigest()[:_DIGITS], 16)


def by_lot(keys: Mapping[T, str], seed: int | str) -> list[T]:
    """Return whose keys these are in the order of the lot."""
    return sorted(keys, key=lambda one: lot(seed, keys[one]), reverse=True)
