"""Django's command line for this project: `manage.py` in a clone, `ginleague` where it is installed."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    try:
        # Django would go on without settings, to say that it knows no command of ours.
        settings.INSTALLED_APPS  # noqa: B018
    except ImproperlyConfigured as fault:
        sys.exit(f"{fault}")
    execute_from_command_line(sys.argv)
