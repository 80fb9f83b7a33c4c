"""Tasks of Celery that wait, done in the test itself."""

from typing import Any

from celery import current_app


def run_tasks(task: Any, queue: str = "celery") -> int:
    """Do what workers were asked of this task; returns how often that was."""
    done = 0
    with current_app.connection_for_read() as connection, connection.SimpleQueue(queue) as waiting:
        while True:
            try:
                message = waiting.get(block=False)
            except waiting.Empty:
                return done
            if message.headers["task"] == task.name:
                task(*message.payload[0])
                done += 1
