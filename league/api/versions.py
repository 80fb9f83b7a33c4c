"""Which version of a thing is read, and that it is still the one when it is written.

An ETag is a digest of the representation; it is strong, for what a change names with `If-Match`.
"""

import hashlib
import json
from typing import Any

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.utils.encoders import JSONEncoder

from league.errors import LeagueError


def etag_of(body: Any) -> str:
    """The ETag of a representation, quoted."""
    written = json.dumps(body, cls=JSONEncoder, sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.sha256(written.encode()).hexdigest()[:32]}"'


def require_match(request: Request, etag: str | None, *, optional: bool = False) -> None:
    """Refuses a change of what has this ETag by a writer who names none (`no_version`, 428, unless
    `optional`) or another one (`stale_version`, 412). None is the ETag of what is not there: whoever
    names one means another. To be asked while the row is locked.
    """
    header: str = request.headers.get("If-Match", "")
    if not header.strip():
        if optional:
            return
        raise LeagueError("no_version", _("Say with If-Match which version you change."), field="If-Match")
    named = parse_etags(header)
    if etag is None or (etag not in named and "*" not in named):
        raise LeagueError(
            "stale_version", _("This was changed since you read it; read it again."), field="If-Match"
        )
