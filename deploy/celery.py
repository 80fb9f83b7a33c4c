"""The Celery app. The database says what is to be done; a message only wakes a worker up."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("ginleague")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def sweep_at_once(**_: Any) -> None:
    """A worker that was away sweeps when it comes back, and does not wait for the beat's next minute.

    One that is kept for bots leaves that to those who take the sweeps.
    """
    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        app.send_task("league.tasks.sweep")
