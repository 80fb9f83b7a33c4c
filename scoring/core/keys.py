"""Idempotency keys: while their receipt is kept they are stored as sent, afterwards as a digest."""

import hashlib
from typing import Final

_SPENT: Final = "spent:"


def spent_key(key: str) -> str:
    """What stays of a key for good once its receipt is forgotten: it records nothing a second time."""
    return _SPENT + hashlib.sha256(key.encode()).hexdigest()


def stored_forms(key: str) -> tuple[str, str]:
    """How a key may be stored: as sent, or spent."""
    return key, spent_key(key)
