"""A member plays at a table through several web servers at once, while something under them is killed."""

import re
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from html import unescape
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.parse import urlencode

from django.contrib.auth import get_user_model

from games.bots import house_bot
from games.models import TableAct, TableMatch
from scoring.services.records import kept_sheet
from tests.clients import logged_in
from tests.faults.threads import at_once
from tests.faults.workers import until
from tests.games.member_tables import hand_of, member, table

_SECRET = "s" * 32
_FIRST = ("big_gin", "gin", "lay_off", "knock", "draw", "pass", "discard")


def begin(strategy: str) -> dict[str, str]:
    """A table of a member and a bot on a sheet that does not end; its code, and the member's session."""
    ann = member()
    match = table(ann, house_bot(strategy), target=10_000)
    client = logged_in(get_user_model().objects.get(pk=ann.id))
    return {"code": match.code, "session": client.cookies["sessionid"].value}


def verified(code: str) -> dict[str, int]:
    """The sheet has what each hand comes to, from its pack; how many are over, how many acts there were."""
    match = TableMatch.objects.get(code=code)
    over = list(match.hands.filter(is_over=True))
    results = [result for hand in over for result in hand_of(match, hand, hand.pack).results]
    assert results == [hand for deal in kept_sheet(match.sheet).deals for hand in deal.hands]
    assert [hand.deal for hand in over] == list(range(1, len(over) + 1))
    return {"over": len(over), "acts": TableAct.objects.filter(match=match).count()}


class Seat:
    """The member at several addresses of the site, who presses what the page offers."""

    def __init__(self, sites: Sequence[str], told: Mapping[str, str]) -> None:
        self._sites = sites
        self._path = f"/play/{told['code']}/"
        self._headers = {
            "Cookie": f"sessionid={told['session']}; csrftoken={_SECRET}",
            "X-CSRFToken": _SECRET,
            "HX-Request": "true",
        }

    def act(self, disturbance: Callable[[], object]) -> str:
        """One action, sent to all addresses at once and again until one answers, while something happens.

        Returns the table as it is then.
        """
        fields = pressed(self._own_turn())
        with ThreadPoolExecutor(1) as pool:
            sent = pool.submit(self._asked, self._sites, urlencode(fields).encode())
            # In this thread, as what is started in another one ends with it.
            disturbance()
            pages = sent.result()
        for page in pages:
            assert 'role="alert"' not in page, page
        return pages[0]

    def _own_turn(self) -> str:
        """The table once the member is to move, which a bot that thinks may be before."""
        pages: list[str] = []

        def is_own() -> bool:
            pages[:] = self._asked(self._sites, None)
            return 'data-turn="own"' in pages[0]

        until(is_own, what="the member is to move")
        return pages[0]

    def _asked(self, sites: Sequence[str], body: bytes | None) -> list[str]:
        """The answers there are, from one address at least."""
        found: list[str] = []

        def has_answered() -> bool:
            answers = at_once([partial(self._sent, site, body) for site in sites])
            found.extend([answer for answer in answers if answer is not None])
            return bool(found)

        until(has_answered, what="one of the web servers answers")
        return found

    def _sent(self, site: str, body: bytes | None) -> str | None:
        """The page; None where the server, or what is under it, is away."""
        address = f"{site}{self._path}" + ("act/" if body else "live/")
        request = urllib.request.Request(address, body, self._headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return str(answer.read().decode())
        except (OSError, HTTPException) as away:
            if isinstance(away, HTTPError) and away.code < 500:
                raise
            return None


def pressed(page: str) -> dict[str, str]:
    """The form's fields after pressing what is open: what ends the hand first, and the last card down."""
    hidden = {name: _values(page, name)[0] for name in ("version", "key")}
    buttons = _values(page, "action")
    action = next(one for kind in _FIRST for one in buttons if one.split()[0] == kind)
    chosen = {name: _values(page, name)[:1] for name in ("knock", "lay_off")} | {
        "card": _values(page, "card")[-1:]
    }
    return {**hidden, "action": action} | {name: found[0] for name, found in chosen.items() if found}


def _values(page: str, name: str) -> list[str]:
    """The values of what has this name and may be used."""
    tags = re.findall(rf'<(?:input|button)[^>]*name="{name}"[^>]*>', page)
    found = [
        re.search(r'value="([^"]*)"', tag) for tag in tags if "disabled" not in tag.replace("hx-disabled", "")
    ]
    return [unescape(value[1]) for value in found if value]
