"""The product's Celery app with a sweep every second, for tests that cannot wait a minute."""

from deploy.celery import app

app.conf.beat_schedule["sweep"] |= {"schedule": 1.0}
