"""Tasks of Celery that wait, done in the test itself."""

from typing import Any

from celery import current_app


def run_tasks(task: Any) -> int:
    """Do what workers were asked of this task; returns how often that was."""
    done = 0
    with current_app.connection_for_read() as connection, connection.SimpleQueue("celery") as queue:
        while True:
            try:
                message = queue.get(block=False)
            except queue.Empty:
                return done
            if message.headers["task"] == task.name:
                task(*message.payload[0])
                done += 1
