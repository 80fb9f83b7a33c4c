"""Django's `makemessages`, extended to texts that the cores mark with `mark` and `mark_plural`."""

from typing import Final

from django.core.management.commands import makemessages

KEYWORDS: Final = ("--keyword=mark:1", "--keyword=mark_plural:1,2")


class Command(makemessages.Command):
    """Collects all marked texts into `locale/<language>/LC_MESSAGES/django.po`."""

    xgettext_options = [*makemessages.Command.xgettext_options, *KEYWORDS]
