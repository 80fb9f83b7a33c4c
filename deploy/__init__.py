"""Settings, addresses, background jobs and the commands that run it all. No logic of the league lives here."""

from deploy.celery import app as celery_app

__all__ = ["celery_app"]
