"""Django's command line for this project: `manage.py` in a clone, `ginleague` where it is installed."""

import os
import sys

from django.core.management import execute_from_command_line


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    execute_from_command_line(sys.argv)
