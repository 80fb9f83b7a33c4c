from django.apps import AppConfig
from django.core.checks import register
from django.db.backends.signals import connection_created

from deploy.database import allow_long_statements


class DeployConfig(AppConfig):
    """Has no tables; installed for its management commands and the database options."""

    name = "deploy"

    def ready(self) -> None:
        from deploy.limits import check_limits  # needs the models

        register(check_limits)
        connection_created.connect(allow_long_statements, dispatch_uid="deploy.allow_long_statements")
