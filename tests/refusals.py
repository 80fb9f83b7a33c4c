"""How a test says that something is refused."""

from collections.abc import Callable
from typing import TypeVar

import pytest

from scoring.core.errors import CodedError

RefusalT = TypeVar("RefusalT", bound=CodedError)


def refuses(kind: type[RefusalT], code: str, **told: object) -> "pytest.RaisesExc[RefusalT]":
    """What is done inside is refused with this error and code, which also tells this: its field, its deal."""
    expected = {"code": code} | told

    def is_it(refusal: RefusalT) -> bool:
        return {name: getattr(refusal, name) for name in expected} == expected

    return pytest.raises(kind, check=is_it)


def code_of(call: Callable[[], object]) -> str:
    """The code with which this is refused, or "done"."""
    try:
        call()
    except CodedError as refusal:
        return refusal.code
    return "done"
