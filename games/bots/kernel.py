"""The kernel of `expert`, plain or compiled: one source, the modules `kernel_*`.

Where numba is installed (the extra `bots`) their functions are compiled when they are first called, else they
run as they stand, some fifty times slower and to the same result: whole numbers within 64 bits only, tables,
and a generator of random numbers of its own. Nothing here is imported before a bot needs it.

What was compiled is kept in a folder of the user's cache, one for each state of the sources, so that the next
process need not compile; where there is no such folder to write to, it compiles anew.
"""

import os
from array import array
from collections.abc import Callable, MutableSequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, Final

from games.bots import (
    kernel_ends,
    kernel_inference,
    kernel_melds,
    kernel_play,
    kernel_policy,
    kernel_rollouts,
    kernel_tables,
)

_SOURCES: Final = (
    kernel_tables,
    kernel_melds,
    kernel_ends,
    kernel_policy,
    kernel_play,
    kernel_inference,
    kernel_rollouts,
)


def has_compiler() -> bool:
    """Whether numba is there."""
    return find_spec("numba") is not None


@cache
def kernel(*, compiled: bool) -> SimpleNamespace:
    """Every function of the kernel by its name, and `ints(size)`: an array of zeros for it to work on."""
    if compiled:
        return _compiled()
    return SimpleNamespace(**_functions(), ints=_list)


def _list(size: int) -> MutableSequence[int]:
    return [0] * size


def _functions() -> dict[str, Callable[..., Any]]:
    return {
        name: value
        for module in _SOURCES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_"
    }


def _compiled() -> SimpleNamespace:
    numba, numpy = import_module("numba"), import_module("numpy")
    names: dict[str, Any] = {"__name__": __name__}
    for module in _SOURCES:
        for name, value in vars(module).items():
            if isinstance(value, int):
                names[name] = value
            elif isinstance(value, bytes):
                # Signed: numba makes the difference of unsigned numbers an unsigned one.
                names[name] = numpy.frombuffer(value, numpy.int8)
            elif isinstance(value, array):
                names[name] = numpy.array(value, numpy.int64)
    folder = _cache_folder(numba)
    before = numba.config.CACHE_DIR
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
    try:
        jit = numba.njit(cache=folder is not None)
        functions = {
            name: jit(FunctionType(function.__code__, names, name)) for name, function in _functions().items()
        }
    finally:
        numba.config.CACHE_DIR = before
    names.update(functions)
    return SimpleNamespace(**functions, ints=lambda size: numpy.zeros(size, numpy.int64))


def _cache_folder(numba: Any) -> Path | None:
    """Where compiled code is kept, a folder that only this user writes to; None where there cannot be one."""
    digest = sha256()
    for module in _SOURCES:
        digest.update(Path(module.__file__ or "").read_bytes())
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".cache"
        folder = folder / "ginleague" / f"kernel-{digest.hexdigest()[:16]}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid()
    except (OSError, RuntimeError):
        return None
    return folder if usable else None
