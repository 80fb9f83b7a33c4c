"""`python -m tests.faults.sender`: a worker that sends what waits in the outbox until it is killed."""

import os
import threading

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    django.setup()
    from league.notices.delivery import deliver

    pause = threading.Event()
    while True:
        deliver()
        pause.wait(0.05)


if __name__ == "__main__":
    main()
