"""Strategies by name: those of the house, and those the site adds."""

import re
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Final

from games.bots import STRATEGIES, Strategy

# As allowed in the URL of its page, and in the length of its column.
_NAME: Final = re.compile(r"[-a-zA-Z0-9_]{1,40}")


@cache
def strategies_with(paths: tuple[str, ...]) -> Mapping[str, Strategy]:
    """The strategies of the house, then those at these dotted paths (`package.module.NAME`), by name.

    Raises `ImportError` for a path that leads nowhere, `TypeError` for something that is no strategy, and
    `ValueError` for a name that is taken, also by the arena's field, or cannot be part of a URL.
    """
    # Imported here, because the table calls this at its start and mostly has no paths.
    from games.bots.field import FIELD

    found = dict(STRATEGIES)
    for path in paths:
        module, _, name = path.rpartition(".")
        if not module:
            raise ImportError(f"{path} is no dotted path.")
        strategy = getattr(import_module(module), name, None)
        if strategy is None:
            raise ImportError(f"{module} has no {name}.")
        if not isinstance(strategy, Strategy):
            raise TypeError(f"{path} is no strategy.")
        if not _NAME.fullmatch(strategy.name):
            raise ValueError(f"{path}: a name is 1 to 40 letters A to Z, digits, - and _.")
        if strategy.name in found or strategy.name in FIELD:
            raise ValueError(f"{path}: there is a strategy {strategy.name} already.")
        found[strategy.name] = strategy
    return found
