from django.apps import AppConfig


class DeployConfig(AppConfig):
    """Installed for its management commands only; it has no tables."""

    name = "deploy"
