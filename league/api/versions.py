"""ETags of representations, and the check that a change is made to the version that was read.

An ETag is a digest of the representation, and strong, as `If-Match` requires.
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
    """Return the quoted ETag of a representation: 32 hex digits of the SHA-256 of its canonical JSON."""
    written = json.dumps(body, cls=JSONEncoder, sort_keys=True, separators=(",", ":"))
    return f'"{hashlib.sha256(written.encode()).hexdigest()[:32]}"'


def require_match(request: Request, etag: str | None, *, optional: bool = False) -> None:
    """Refuse a change unless `If-Match` names this ETag or `*`; call it while the row is locked.

    Refused: no header (`no_version`, 428), unless `optional`; another ETag (`stale_version`, 412). For a
    row that does not exist `etag` is None, and every header is refused.
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
