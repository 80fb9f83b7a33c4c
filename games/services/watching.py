"""What changes whenever a table of members does: the tags of its page, and what its streams look at."""

from collections.abc import Collection
from datetime import datetime
from typing import Final, NamedTuple

from django.conf import settings
from django.core import signing

from games.models import TableMatch

_SALT: Final = "games.services.watching"
# Seconds in which a stream can be opened with the pass of a page.
_PASS_LASTS: Final = 12 * 60 * 60


class Stamp(NamedTuple):
    """Equal for as long as nothing changes that any page of the table shows."""

    version: int
    asides: int
    is_live: bool
    sheet_version: int
    sheet_status: str
    sheet_updated_at: datetime


def stamp_of(match: TableMatch) -> Stamp:
    """The stamp of a table that has been read with its sheet."""
    sheet = match.sheet
    return Stamp(match.version, match.asides, match.is_live, sheet.version, sheet.status, sheet.updated_at)


def stamps(codes: Collection[str]) -> dict[str, Stamp]:
    """The stamps of the tables with these codes, in one query; without those that are no more."""
    read = TableMatch.objects.filter(code__in=codes).values_list(
        "code", "version", "asides", "is_live", "sheet__version", "sheet__status", "sheet__updated_at"
    )
    return {code: Stamp._make(fields) for code, *fields in read}


def stream_address(code: str) -> str:
    """Where whoever shows this table is told to look again, "" if the site runs no streams.

    Its pass is for whoever may see the table, and is asked for nothing else: a stream tells when, never what.
    """
    if not settings.STREAMS_URL:
        return ""
    return f"{settings.STREAMS_URL}{signing.TimestampSigner(salt=_SALT).sign(code)}"


def passed(text: str) -> str | None:
    """The code of the table that this pass is for, None if it is none or too old."""
    try:
        return signing.TimestampSigner(salt=_SALT).unsign(text, max_age=_PASS_LASTS)
    except signing.BadSignature:
        return None
