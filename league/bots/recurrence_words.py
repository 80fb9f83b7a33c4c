"""Recurrences in words."""

import datetime
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_stubs_ext import StrPromise

from league.core.recurrence import Recurrence, Unit

WEEKDAY_NAMES: Final[tuple[StrPromise, ...]] = (
    gettext_lazy("Monday"),
    gettext_lazy("Tuesday"),
    gettext_lazy("Wednesday"),
    gettext_lazy("Thursday"),
    gettext_lazy("Friday"),
    gettext_lazy("Saturday"),
    gettext_lazy("Sunday"),
)


def recurrence_words(recurrence: str, zone: datetime.tzinfo) -> str:
    """A recurrence as “every 2 weeks on Monday, Thursday, until 2027-03-31”; `zone` is the club's."""
    if not recurrence:
        return _("once")
    rule = Recurrence.from_text(recurrence)
    words = _every(rule)
    if rule.weekdays:
        days = ", ".join(str(WEEKDAY_NAMES[day]) for day in rule.weekdays)
        words = _("%(every)s on %(days)s") % {"every": words, "days": days}
    if rule.count is not None:
        times = ngettext("%d time", "%d times", rule.count) % rule.count
        words = _("%(every)s, %(times)s") % {"every": words, "times": times}
    if rule.until is not None:
        words = _("%(every)s, until %(day)s") % {"every": words, "day": rule.until.astimezone(zone).date()}
    return words


def _every(rule: Recurrence) -> str:
    count = rule.interval
    match rule.unit:
        case Unit.MINUTES:
            return _("every %d minutes") % count
        case Unit.HOURS:
            return _("every hour") if count == 1 else _("every %d hours") % count
        case Unit.DAYS:
            return _("every day") if count == 1 else _("every %d days") % count
        case Unit.WEEKS:
            return _("every week") if count == 1 else _("every %d weeks") % count
        case Unit.MONTHS:
            return _("every month") if count == 1 else _("every %d months") % count
