"""`manage.py begin`: a link by which the first club of a site is begun."""

from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from league.people.beginning import CODE_DAYS, may_begin, new_code


class Command(BaseCommand):
    help = "Prints a link by which the first club of this site, and its owner's account, are made."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "address", nargs="?", default="", help="where the site is, as in https://league.example.org"
        )

    def handle(self, *, address: str, **options: Any) -> None:
        if not may_begin():
            raise CommandError(_("This site has a club already."), returncode=2)
        code = new_code()
        if not address:
            self.stdout.write(_("Open /begin/ on your site and enter this code:"))
            self.stdout.write(code)
            return
        self.stdout.write(address.rstrip("/") + reverse("begin_by_code", args=[code]))
        self.stdout.write(_("It works once, within %(days)d days.") % {"days": CODE_DAYS})
