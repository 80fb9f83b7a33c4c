"""The Celery app. Work to be done is stored in the database; a message only wakes a worker."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from kombu.transport import TRANSPORT_ALIASES

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


# By name: whoever keeps messages in a folder need not load it.
TRANSPORT_ALIASES.update(
    redis="deploy.redis_transport:Transport",
    rediss="deploy.redis_transport:Transport",
    sentinel="deploy.redis_transport:SentinelTransport",
)

app = Celery("ginleague")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def sweep_at_once(**_: Any) -> None:
    """Sweeps when a worker starts, instead of waiting for the next minute of the beat.

    A worker for bots leaves that to the workers that take sweeps.
    """
    if app.conf.task_default_queue in app.amqp.queues.consume_from:
        app.send_task("league.tasks.sweep")
