"""Settings, addresses, background jobs and the commands that run it all; no logic of the league."""

from deploy.celery import app as celery_app

__all__ = ["celery_app"]
