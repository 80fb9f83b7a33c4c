"""The Celery app. Work to be done is stored in the database; a message only wakes a worker."""

import os
from typing import Any

from celery import Celery
from celery.signals import worker_ready
from kombu.transport import redis, virtual

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")


class Acknowledging(redis.QoS):
    """A message that could not be acknowledged, as the broker was away, is over for the worker all the same.

    Kombu would go on counting it among those the worker is busy with, and a worker that takes one at a time
    would never ask for another, nor notice that the broker is back.
    """

    def ack(self, delivery_tag: str) -> None:
        try:
            super().ack(delivery_tag)
        except redis.get_redis_error_classes().connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


redis.Channel.QoS = Acknowledging

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
