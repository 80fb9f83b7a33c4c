"""A PostgreSQL server for one test run, with its own folder and port, removed afterwards."""

import contextlib
import ctypes
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg

START_SECONDS = 60
# Statistics taken while tests roll back their rows show empty tables, and plans for an empty table take
# minutes on a full one.
SETTINGS = ("max_connections=200", "autovacuum=off", "max_wal_size=256MB")
# Of a server in memory, which need not outlive a failure of power. Whoever knows no statistics expects large
# results, and would compile (`jit`) what answers at once.
IN_MEMORY = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "jit=off")


class NotStarted(Exception):
    """No PostgreSQL could be started; the message says what was tried."""


def server_folders() -> list[Path]:
    """Folders with `initdb`, `pg_ctl` and `postgres`: from the path first, then Debian's, newest first."""
    on_path = [Path(folder) for folder in os.get_exec_path()]
    on_path += [
        Path(found).resolve().parent for name in ("initdb", "pg_ctl") if (found := shutil.which(name))
    ]
    debian = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"),
        key=lambda folder: int(folder.parent.name) if folder.parent.name.isdigit() else 0,
        reverse=True,
    )
    complete = [
        folder
        for folder in [*on_path, *debian]
        if all(os.access(folder / name, os.X_OK) for name in ("initdb", "pg_ctl", "postgres"))
    ]
    return list(dict.fromkeys(complete))


@contextlib.contextmanager
def running_server(folder: Path | None = None) -> Iterator["Server"]:
    """Starts a server, yields it, and stops it; `NotStarted` if there is none.

    Its data are in `folder`, which users other than its owner must be able to enter, or else with temporary
    files.
    """
    folders = server_folders()
    if not folders:
        raise NotStarted("no initdb and pg_ctl on the path or in /usr/lib/postgresql")
    refusals = []
    for binaries in folders:
        with contextlib.ExitStack() as stack:
            try:
                server = stack.enter_context(_server_from(binaries, folder))
            except NotStarted as refusal:
                # An installation may be a mere wrapper without a server behind it.
                refusals.append(f"{binaries}: {refusal}")
                continue
            yield server
            return
    raise NotStarted("; ".join(refusals))


class Server:
    """A PostgreSQL with data of its own; `url` is the `DATABASE_URL` of its database `league`."""

    def __init__(self, root: str, command: list[str | Path], settings: dict[str, Any], log: Path) -> None:
        self.url = f"{root}/league"
        self._root = root
        self._command = command
        self._settings = settings
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Starts it and returns once it answers; `NotStarted` if it does not."""
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, preexec_fn=_end_with_parent(), **self._settings
        )
        _wait_until_it_answers(self._process, f"{self._root}/postgres", self._log)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stops it: by SIGINT open connections are ended, by SIGQUIT it recovers at its next start.

        So it does after SIGKILL, which its own processes outlive for a moment.
        """
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None


@contextlib.contextmanager
def _server_from(binaries: Path, folder: Path | None) -> Iterator["Server"]:
    home = Path(tempfile.mkdtemp(prefix="gin-postgres-", dir=folder))
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, home, ignore_errors=True)
        identity = _unprivileged_identity()
        password = secrets.token_urlsafe(24)
        password_file = home / "password"
        password_file.write_text(password)
        for owned in (home, password_file):
            if identity:
                shutil.chown(owned, identity["user"], identity["group"])
        environment = {**os.environ, "HOME": str(home), "LC_ALL": "C"}
        log = stack.enter_context((home / "log").open("w+b"))
        settings: dict[str, Any] = {"cwd": home, "env": environment, "stdout": log, "stderr": log, **identity}

        initialise: list[str | Path] = [
            binaries / "initdb",
            "-D",
            home / "data",
            "-U",
            "gin",
            f"--pwfile={password_file}",
        ]
        initialise += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C"]
        done = subprocess.run(initialise, check=False, stdin=subprocess.DEVNULL, **settings)
        if done.returncode:
            raise NotStarted(_last_line(home / "log"))
        port = free_port()
        serve: list[str | Path] = [
            binaries / "postgres",
            "-D",
            home / "data",
            "-p",
            str(port),
        ]
        more = IN_MEMORY if folder else ()
        for setting in ("listen_addresses=127.0.0.1", "unix_socket_directories=", *SETTINGS, *more):
            serve += ["-c", setting]
        url = f"postgresql://gin:{password}@127.0.0.1:{port}"
        server = Server(url, serve, settings, home / "log")
        stack.callback(server.stop)
        server.start()
        yield server


def _unprivileged_identity() -> dict[str, Any]:
    """Arguments for `subprocess` to run as another user, because PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            user = pwd.getpwnam(name)
            return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise NotStarted("PostgreSQL does not run as root, and there is no user postgres or nobody")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_with_parent() -> Callable[[], None] | None:
    """On Linux, has the kernel shut the server down if the tests are killed."""
    if sys.platform != "linux":
        return None
    libc = ctypes.CDLL(None)
    set_parent_death_signal = 1
    return lambda: libc.prctl(set_parent_death_signal, signal.SIGINT)


def _wait_until_it_answers(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    for _ in range(START_SECONDS * 10):
        try:
            psycopg.connect(url, connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(timeout=0.1)
                raise NotStarted(_last_line(log)) from None
    raise NotStarted(f"it did not answer within {START_SECONDS} s")


def _last_line(log: Path) -> str:
    lines = log.read_text(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
