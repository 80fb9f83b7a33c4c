"""Takes a report of a mail server that a mail could not be delivered: the server pipes it in."""

import os
import sys
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, InterfaceError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.core.bounces import read_report
from league.notices.bounces import BounceOutcome, take_report

# A report quotes the mail or its headers; whatever is longer is none of ours.
_LONGEST: Final = 4 * 1024 * 1024
_SAID: Final = {
    BounceOutcome.OFF: gettext_lazy("The address is switched off."),
    BounceOutcome.COUNTED: gettext_lazy("It is counted; the address stays on."),
    BounceOutcome.KNOWN: gettext_lazy("This report was taken before: nothing is changed."),
    BounceOutcome.NOT_COUNTED: gettext_lazy(
        "It is not a permanent failure of the address: nothing is changed."
    ),
}


class Command(BaseCommand):
    """Exits with the codes of sysexits.h, which mail servers know.

    0: taken, or nothing to take. 65 (EX_DATAERR): no report on a delivery. 67 (EX_NOUSER): it came to no
    return path of this site, or to a forged one, or its reader has another address by now. 75
    (EX_TEMPFAIL): the database cannot be reached; the server tries again.
    """

    help = "Take a mail server's report (RFC 3464) from standard input, and switch the address off."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "address", nargs="?", default="", help="the address it came to, if the server says so"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        report = read_report(sys.stdin.buffer.read(_LONGEST))
        if report is None:
            raise CommandError(_("This is not a report on a delivery (RFC 3464)."), returncode=os.EX_DATAERR)
        try:
            outcome = take_report(report, options["address"])
        except (DatabaseError, InterfaceError) as error:
            raise CommandError(_("The database cannot be reached."), returncode=os.EX_TEMPFAIL) from error
        if outcome is BounceOutcome.UNKNOWN:
            raise CommandError(_("It was not sent to a return path of this site."), returncode=os.EX_NOUSER)
        self.stdout.write(str(_SAID[outcome]))
