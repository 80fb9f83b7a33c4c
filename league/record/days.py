"""The range of valid dates, to catch mistyped years."""

import datetime
from typing import Final

from django.utils.translation import gettext as _

from league.errors import LeagueError

FIRST: Final = datetime.date(1900, 1, 1)
LAST: Final = datetime.date(2199, 12, 31)


def check_day(day: datetime.date | None, field: str) -> None:
    """Refuse (`out_of_range`) a date outside `FIRST` to `LAST`."""
    if day is not None and not FIRST <= day <= LAST:
        raise LeagueError(
            "out_of_range",
            _("Days are between %(first)d and %(last)d.") % {"first": FIRST.year, "last": LAST.year},
            field=field,
        )
