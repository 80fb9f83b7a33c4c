"""gunicorn's settings, by `--config python:deploy.web_workers`: what its workers do when they start."""

from typing import Any

from games.tables import warming


def post_worker_init(worker: Any) -> None:
    """Has hints ready at once, in a thread beside the first requests."""
    warming.warm_up_beside()
