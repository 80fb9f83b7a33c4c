"""The kernel of `expert`, plain or compiled, from one source: the modules `kernel_*`.

With numba (the extra `bots`) their functions are compiled; otherwise they run as they are, some fifty times
slower but with the same results, because they use only 64-bit integers, tables, and a random generator of
their own. Nothing is imported here before a bot needs it.

Compiled code is cached in a folder of the user, one for each state of the code, so that the next process need
not compile; without a writable folder every process compiles.
"""

import fcntl
import logging
import os
from array import array
from collections.abc import Callable, Iterator, Mapping, MutableSequence
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, FunctionType, SimpleNamespace
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


# The functions called from outside; the rest is compiled along with them.
_ENTRIES: Final = ("infer", "roll_out", "advised", "score_discards")

logger = logging.getLogger(__name__)


@cache
def quickest() -> SimpleNamespace:
    """The compiled kernel where numba works, else the plain one; decided once per process."""
    if find_spec("numba") is not None:
        try:
            return kernel(compiled=True)
        except Exception as error:  # noqa: BLE001 (whatever ails it, bots do without)
            logger.warning(
                "numba is installed and does not work, so bots that rehearse are slow: %s: %s",
                type(error).__name__,
                error,
            )
    return kernel(compiled=False)


@cache
def kernel(*, compiled: bool) -> SimpleNamespace:
    """The kernel's functions by name, and `ints(size)`, a zeroed array for them.

    Compiled, the functions that `expert` calls are compiled at once, others when called. Raises whatever
    numba raises.
    """
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
                # Signed, because numba makes the difference of unsigned numbers unsigned.
                names[name] = numpy.frombuffer(value, numpy.int8)
            elif isinstance(value, array):
                names[name] = numpy.array(value, numpy.int64)
    folder = _cache_folder(numba, _digest(names))
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
    numbers = numba.typeof(numpy.zeros(1, numpy.int64))
    with _alone_in(folder):
        for name in _ENTRIES:
            kinds = [kind for of, kind in _functions()[name].__annotations__.items() if of != "return"]
            functions[name].compile(tuple([numba.int64 if kind is int else numbers for kind in kinds]))
    return SimpleNamespace(**functions, ints=lambda size: numpy.zeros(size, numpy.int64))


def _digest(names: Mapping[str, Any]) -> str:
    """A digest of the code and tables as loaded in this process, even if the sources changed since."""
    digest = sha256()
    for name, value in sorted(names.items()):
        table = repr(value) if isinstance(value, int | str) else value.tobytes().hex()
        digest.update(f"{name} {table}\n".encode())
    for name, function in sorted(_functions().items()):
        digest.update(f"{name} {_said(function.__code__)}\n".encode())
    return digest.hexdigest()[:16]


def _said(code: CodeType) -> str:
    constants = [_said(one) if isinstance(one, CodeType) else repr(one) for one in code.co_consts]
    return repr((code.co_code, code.co_argcount, code.co_varnames, code.co_names, constants))


@contextmanager
def _alone_in(folder: Path | None) -> Iterator[None]:
    """Makes other processes that would compile into this folder wait and find the result there."""
    if folder is None:
        yield
        return
    with (folder / "lock").open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _cache_folder(numba: Any, digest: str) -> Path | None:
    """The folder for compiled code, writable by this user only; None if there can be none."""
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME")
    try:
        folder = Path(base) if base else Path.home() / ".cache"
        folder = folder / "ginleague" / f"kernel-{digest}"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid()
    except (OSError, RuntimeError):
        return None
    return folder if usable else None
