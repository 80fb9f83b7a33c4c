"""`python -m tests.faults.sender`: a worker that sends what waits in the outbox until it is killed."""

import contextlib
import os
import threading

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from django.db import OperationalError, close_old_connections

    from league.notices.delivery import deliver

    pause = threading.Event()
    while True:
        # A task that fails as the database goes away is followed by that of the next sweep.
        with contextlib.suppress(OperationalError):
            deliver()
        close_old_connections()
        pause.wait(0.05)


if __name__ == "__main__":
    main()
