"""Strategies by name: those of the house, and those a site adds of its own."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module

from games.bots import STRATEGIES, Strategy


@cache
def strategies_with(paths: tuple[str, ...]) -> Mapping[str, Strategy]:
    """The strategies of the house, then those at these dotted paths, `package.module.NAME`, by their names.

    Refuses with `ImportError` a path that leads nowhere, with `TypeError` what is no strategy, and with
    `ValueError` a name that is taken.
    """
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
        if strategy.name in found:
            raise ValueError(f"{path}: there is a strategy {strategy.name} already.")
        found[strategy.name] = strategy
    return found
