"""Django's `makemessages`, which also finds what the cores mark with `mark` and `mark_plural`."""

from typing import Final

from django.core.management.commands import makemessages

KEYWORDS: Final = ("--keyword=mark:1", "--keyword=mark_plural:1,2")


class Command(makemessages.Command):
    """Collects every text that is marked for translation into `locale/<language>/LC_MESSAGES/django.po`."""

    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
