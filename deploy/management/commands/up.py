"""`manage.py up`: everything for one club on one machine, in one terminal."""

import contextlib
import fcntl
import http.client
import os
import secrets
import select
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError
from django.urls import reverse
from django.utils.translation import gettext as _

from deploy.addresses import PortTaken, claim_port, network_names
from deploy.places import COMMAND
from deploy.progress import sheets_progress
from deploy.supervisor import GaveUp, Program, Stopped, Supervisor
from league.demo import SHEETS, load_demo
from league.models import Club
from league.people.beginning import may_begin, new_code
from scoring.services.outages import passes

STDOUT, STDERR = 1, 2
READY_TRIES = 300
READY_SECONDS = 0.2
ANSWER_SECONDS = 60
DISTINCT_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


class Command(BaseCommand):
    help = (
        "Starts everything for one machine: database, web server, background workers and clock. "
        "Ctrl-C ends it; the data stay in DATA_DIR."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="port of the web server (8000)")
        parser.add_argument("--lan", action="store_true", help="let others on the network in")
        first = parser.add_mutually_exclusive_group()
        first.add_argument(
            "--demo",
            action="store_const",
            const=True,
            help="at the first start load the demo club, without asking",
        )
        first.add_argument(
            "--empty",
            action="store_const",
            const=False,
            dest="demo",
            help="at the first start load nothing, to begin a club of your own",
        )

    def handle(self, *, port: int, lan: bool, demo: bool | None, **options: Any) -> None:
        if not 0 < port < 65536:
            raise CommandError(_("--port is a number from 1 to 65535."), returncode=2)
        os.umask(0o077)  # keeps the data private; the children inherit it
        with contextlib.ExitStack() as stack:
            try:
                listener = stack.enter_context(claim_port("0.0.0.0" if lan else "127.0.0.1", port))  # noqa: S104
            except PortTaken as refusal:
                raise CommandError(str(refusal), returncode=2) from refusal
            try:
                stack.enter_context(self._only_one())
                self._prepare_database(demo)
                self._run(listener.fileno(), port, network_names() if lan else [])
            except (Stopped, KeyboardInterrupt):
                self._say(_("Stopped. The data are kept."))
            except GaveUp as reason:
                said = _("%(reason)s Everything is stopped; the lines above say why.") % {"reason": reason}
                raise CommandError(said) from reason
            except (DatabaseError, OSError) as fault:
                if not passes(fault):
                    raise
                why = getattr(fault, "strerror", None) or fault
                said = _("The data in %(folder)s cannot be written: %(reason)s.")
                raise CommandError(said % {"folder": settings.DATA_DIR, "reason": why}) from fault

    @contextlib.contextmanager
    def _only_one(self) -> Iterator[None]:
        """Two at once on the same data would sweep twice and share one clock."""
        with (settings.DATA_DIR / "up.lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise CommandError(
                    _("`up` is already running on %(folder)s.") % {"folder": settings.DATA_DIR}, returncode=2
                ) from error
            yield

    def _prepare_database(self, demo: bool | None) -> None:
        self._say(_("Preparing the database …"))
        call_command("migrate", interactive=False, verbosity=0)
        # Also one whose account is closed: somebody has set this site up already.
        administrators = User.objects.filter(is_superuser=True)
        if not Club.objects.exists() and not administrators.exists():
            if not (self._asks_for_demo() if demo is None else demo):
                # The guide makes the administrator, together with the club.
                return
            self._say(_("It is empty: loading the demo club …"))
            with sheets_progress(_("Demo club"), SHEETS) as step:
                load_demo(progress=step)
        if not administrators.exists():
            password = "-".join(
                "".join(secrets.choice(DISTINCT_LETTERS) for _letter in range(4)) for _group in range(4)
            )
            User.objects.create_superuser("admin", password=password)
            self._say("")
            self._listed(_("Administrator"), "admin")
            once = _("(shown this once; `%(command)s changepassword --own admin`)") % {"command": COMMAND}
            self._listed(_("Password"), f"{password}   {once}")
            self._say("")

    def _asks_for_demo(self) -> bool:
        """Whether the demo is wanted: as answered in the terminal, else it is.

        Nobody is waited for where there is no terminal, and not for long where nobody answers.
        """
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return True
        self._say("")
        self._say(_("Nothing is here yet. What shall it be?"))
        self._say(_("  1  look around a demo club"))
        self._say(_("  2  begin your own club"))
        while True:
            self._say(_("1 or 2, then Enter (1 in %(seconds)d seconds):") % {"seconds": ANSWER_SECONDS})
            ready, _writable, _broken = select.select([sys.stdin], [], [], ANSWER_SECONDS)
            answer = sys.stdin.readline().strip() if ready else "1"
            if answer in ("", "1", "2"):
                return answer != "2"

    def _run(self, listener: int, port: int, names: list[str]) -> None:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "deploy.settings",
            "DATA_DIR": str(settings.DATA_DIR),  # it may be relative to the current folder
            "ALLOWED_HOSTS": ",".join({*settings.ALLOWED_HOSTS, "localhost", "127.0.0.1", *names}),
            # The worker never unpickles, which is what Celery's warning to root is about.
            "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
        }
        with Supervisor(
            _programs(listener), folder=settings.BASE_DIR, environment=environment, say=self._say
        ) as supervisor:
            self._wait_until_it_answers(supervisor, port)
            self._listed(_("Open"), f"http://127.0.0.1:{port}/")
            if may_begin():
                # Whoever starts the site here runs it, so this owner becomes its administrator too.
                way = reverse("begin_by_code", args=[new_code(administers=True)])
                self._listed(_("Begin a club"), f"http://127.0.0.1:{port}{way}")
            for name in names:
                self._listed(_("On the network"), f"http://{name}:{port}/")
            self._listed(_("Administration"), f"http://127.0.0.1:{port}/admin/")
            self._listed(_("Data"), str(settings.DATA_DIR))
            self._say(_("Ctrl-C ends it."))
            supervisor.wait()

    def _wait_until_it_answers(self, supervisor: Supervisor, port: int) -> None:
        for _try in range(READY_TRIES):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=READY_SECONDS)
            try:
                connection.request("GET", "/healthz")
                if connection.getresponse().status == http.HTTPStatus.OK:
                    return
            except (OSError, http.client.HTTPException):
                pass  # not yet
            finally:
                connection.close()
            supervisor.wait(READY_SECONDS)
        raise GaveUp(_("The web server does not answer."))

    def _listed(self, title: str, value: str) -> None:
        self._say(f"{title:<14} {value}")

    def _say(self, line: str) -> None:
        try:
            self.stdout.write(line)
            self.stdout.flush()
        except OSError:
            # A closed terminal must not keep us from ending the children. What is left in the buffers goes
            # nowhere, or Python would end with 120 for not being rid of it.
            with Path(os.devnull).open("wb") as nowhere:
                os.dup2(nowhere.fileno(), STDOUT)
                os.dup2(nowhere.fileno(), STDERR)


def _programs(listener: int) -> list[Program]:
    """One web server process, as suits SQLite, and two single-process workers, one of them for bots."""
    # `up` itself has checked all that is checked, and a worker then loads no pages.
    celery = ["celery", "--app", "deploy", "--quiet", "--skip-checks"]
    worker = ["worker", "--pool", "solo", "--loglevel", "WARNING"]
    worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    bots = ["--queues", "bots", "--hostname", "bots@%h"]
    return [
        Program(_("web server"), ["deploy.web_server", str(listener)], descriptors=[listener]),
        Program(_("worker"), [*celery, *worker, "--queues", "celery"]),
        Program(_("worker for bots"), [*celery, *worker, *bots], optional=True),
        Program(_("clock"), [*celery, "beat", "--loglevel", "WARNING"], optional=True),
    ]
