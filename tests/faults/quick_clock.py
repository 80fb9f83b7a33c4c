"""The product's Celery app with its sweeps every second, for tests that cannot wait a minute."""

from deploy.celery import app

for sweep in ("sweep", "clocks"):
    app.conf.beat_schedule[sweep] |= {"schedule": 1.0}
