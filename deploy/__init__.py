"""Settings, URLs, background jobs and operating commands; no league logic."""

from deploy.celery import app as celery_app

__all__ = ["celery_app"]
