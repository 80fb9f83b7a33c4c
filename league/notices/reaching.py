"""One request to a program's address, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import requests
from django.utils.translation import gettext as _

from league.errors import LeagueError
from league.notices.outgoing import SECONDS, NotAllowed, OutgoingSession, check_host

# Characters kept of an answer.
MOST_KEPT: Final = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """What an address answered: its status, after how many seconds to ask again, and how it begins."""

    status: int
    retry_after: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Unreached:
    """That no answer came, and why, in a sentence; and whether the site asks this address at all."""

    text: str
    is_allowed: bool = True


def allowed_address(url: str) -> str:
    """The address without spaces around it; refuses (`bad_address`) one that the site does not call."""
    url = url.strip()
    try:
        check_host(url)
    except NotAllowed as error:
        raise LeagueError("bad_address", str(error), field="url") from error
    return url


def post(url: str, body: bytes, headers: Mapping[str, str]) -> Answer | Unreached:
    """Send it; the address is looked at again, as what its name means may have changed."""
    try:
        with OutgoingSession() as session:
            response = session.post(url, data=body, headers=dict(headers))
            return Answer(response.status_code, _seconds(response), _beginning(response.content))
    except NotAllowed as error:
        return Unreached(str(error), is_allowed=False)
    except requests.Timeout:
        return Unreached(_("No whole answer in %(seconds)d seconds.") % {"seconds": SECONDS})
    except requests.exceptions.SSLError:
        return Unreached(_("Its certificate is not valid."))
    except requests.ConnectionError:
        return Unreached(_("It cannot be reached."))
    except requests.RequestException:
        return Unreached(_("What it answers is not HTTP."))


def _seconds(response: requests.Response) -> int | None:
    """`Retry-After` in seconds; None where there is none, and for a date, which few send."""
    text = response.headers.get("Retry-After", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def _beginning(content: bytes) -> str:
    text = content.decode(errors="replace")
    return "".join(each if each.isprintable() else " " for each in " ".join(text.split()))[:MOST_KEPT]
