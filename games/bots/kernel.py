"""The kernel of `expert`, plain or compiled, from one source: the modules `kernel_*`.

With numba (the extra `bots`) their functions are compiled; otherwise they run as they are, some fifty times
slower but with the same results, because they use only 64-bit integers, tables, and a random generator of
their own. Nothing is imported here before a bot needs it.

Compiled code is kept in a folder of the user, or in `GINLEAGUE_CACHE` where he has none, for each state of
the code and not by where the program lies, so that the next process need not compile; without a writable
folder every process compiles.
"""

import fcntl
import logging
import os
import sys
from array import array
from collections.abc import Callable, Iterator, Mapping, MutableSequence
from contextlib import contextmanager
from dataclasses import dataclass
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
            _say_why_not(error)
    return kernel(compiled=False)


@cache
def kernel(*, compiled: bool) -> SimpleNamespace:
    """The kernel's functions by name, and arrays for them: `ints(size)`, zeroed, and `ints_of(numbers)`.

    Compiled, the functions that `expert` calls are compiled at once, others when called. Raises whatever
    numba raises.
    """
    if compiled:
        return _compiled()
    return SimpleNamespace(**_functions(), ints=_list, ints_of=list)


def _list(size: int) -> MutableSequence[int]:
    return [0] * size


def _functions() -> dict[str, Callable[..., Any]]:
    return {
        name: value
        for module in _SOURCES
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and name[0] != "_"
    }


def is_kept() -> bool | None:
    """Whether the compiled kernel lies in its folder; None without a folder, or a numba that works."""
    try:
        parts = _parts()
    except Exception as error:  # noqa: BLE001 (as in `quickest`)
        _say_why_not(error)
        return None
    return None if parts.folder is None else parts.mark(parts.folder).exists()


def _say_why_not(error: Exception) -> None:
    logger.warning(
        "numba is installed and does not work, so bots that rehearse are slow: %s: %s",
        type(error).__name__,
        error,
    )


@dataclass(frozen=True, slots=True)
class _Parts:
    """What the kernel is compiled with: numba, numpy, the constants and tables by name, and the folder."""

    numba: Any
    numpy: Any
    names: dict[str, Any]
    folder: Path | None

    def mark(self, folder: Path) -> Path:
        """The file that is there once all that `expert` calls has been compiled by this numba."""
        return folder / f"whole-{self.numba.__version__}-{sys.implementation.cache_tag}"


@cache
def _parts() -> _Parts:
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
    return _Parts(numba, numpy, names, _cache_folder(numba, _digest(names)))


def _compiled() -> SimpleNamespace:
    parts = _parts()
    numba, numpy, folder = parts.numba, parts.numpy, parts.folder
    names, before = dict(parts.names), numba.config.CACHE_DIR
    source = None
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
        # numba files what it compiled under the path of the source: this one is the same for every copy of
        # the program.
        source = folder / "kernel.py"
        source.touch()
    try:
        jit = numba.njit(cache=folder is not None)
        functions = {
            name: jit(FunctionType(_filed(function.__code__, source), names, name))
            for name, function in _functions().items()
        }
    finally:
        numba.config.CACHE_DIR = before
    names.update(functions)
    numbers = numba.typeof(numpy.zeros(1, numpy.int64))
    with _alone_in(folder):
        for name in _ENTRIES:
            kinds = [kind for of, kind in _functions()[name].__annotations__.items() if of != "return"]
            functions[name].compile(tuple([numba.int64 if kind is int else numbers for kind in kinds]))
        if folder is not None:
            parts.mark(folder).touch()
    return SimpleNamespace(
        **functions,
        ints=lambda size: numpy.zeros(size, numpy.int64),
        ints_of=lambda numbers: numpy.array(numbers, numpy.int64),
    )


def _filed(code: CodeType, source: Path | None) -> CodeType:
    return code if source is None else code.replace(co_filename=str(source))


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
    base = numba.config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for place in (base, os.environ.get("GINLEAGUE_CACHE")):
        if place:
            try:
                folder = Path(place).expanduser() / "ginleague" / f"kernel-{digest}"
                folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                usable = os.access(folder, os.W_OK) and folder.stat().st_uid == os.getuid()
            except (OSError, RuntimeError):
                continue
            if usable:
                return folder
    return None
