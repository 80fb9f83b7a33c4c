"""The product, saying what each choice of `expert` took of its thread's processor time.

As a Celery app (`--app tests.faults.timed`), and with a port as the web server of `up`.
"""

import socket
import sys
import time
from threading import Thread

from deploy.celery import app
from games.bots import GameView
from games.bots.expert import Expert
from games.gin.actions import Action
from games.gin.view import View
from games.tables import warming

__all__ = ["app"]

_choose = Expert.choose


def _timed(self: Expert, view: View, game: GameView) -> Action:
    begun = time.thread_time()
    action = _choose(self, view, game)
    if self.estimates():
        print(f"weighed a choice in {(time.thread_time() - begun) * 1e3:.1f} ms.", flush=True)
    return action


Expert.choose = _timed  # type: ignore[method-assign]


def main() -> None:
    """The web server of `up`, which says when it is warm."""
    from deploy import web_server

    begin = warming.warm_up_beside

    def watched() -> None:
        begun = begin()
        assert begun is not None
        begun.join()
        print("is warm.", flush=True)

    def watch() -> Thread:
        thread = Thread(target=watched, daemon=True)
        thread.start()
        return thread

    warming.warm_up_beside = watch
    with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as listener:
        sys.argv[1] = str(listener.fileno())
        web_server.main()


if __name__ == "__main__":
    main()
