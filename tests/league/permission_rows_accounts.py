"""Rows of the permission table for the pages of the library for accounts.

Those who ask here have no password of their own, so that where it is asked for once more they are let in by
nothing (403); `tests/league/accounts` has the others.
"""

from collections.abc import Mapping
from typing import Final

from tests.league.permission_cells import ANYBODY, NOBODY, NOT_THERE, SIGNED_IN, Cell, Row, let

_OWN: Final = let(SIGNED_IN, 200, else_=302)
_AGAIN: Final = let(NOBODY, 302, else_=302, others=dict.fromkeys(SIGNED_IN, 403))
_NONE_THERE: Final = let(NOBODY, 302, else_=302, others=dict.fromkeys(SIGNED_IN, 404))
_READ_ONLY: Final = let(NOBODY, 302, else_=302, others=dict.fromkeys(SIGNED_IN, 405))
# What has not begun leads to where it begins.
_LED: Final = let(ANYBODY, 302)


def _only(cell: Cell) -> Row:
    """A page that answers alike, however it is asked."""
    return Row({}, refused=cell)


def _read(cell: Cell) -> Row:
    return Row({"GET": cell}, refused=_READ_ONLY)


_FACTORS: Final = "account/factors/"
_KEY: Final = f"{_FACTORS}webauthn/keys/<int:pk>/"

ACCOUNTS: Final[Mapping[str, Row]] = {
    "login/code/": _only(NOT_THERE),
    "login/code/confirm/": _only(_LED),
    # Nobody makes an account by himself.
    "account/new/": Row({"GET": let(SIGNED_IN, 302, else_=200)}, refused=let(SIGNED_IN, 302, else_=200)),
    "account/password/set/": _only(_AGAIN),
    "account/again/": _only(_AGAIN),
    "account/again/code/": _only(_AGAIN),
    "account/again/code/confirm/": _only(_LED),
    "account/address/": _only(NOT_THERE),
    "account/address/sent/": Row({"GET": let(ANYBODY, 200)}),
    # A link that is none says so.
    "account/address/<str:key>/": Row({"GET": let(ANYBODY, 200), "POST": NOT_THERE}),
    "account/sessions/": Row({"GET": _OWN, "POST": _LED, "PUT": _LED}, refused=_READ_ONLY),
    _FACTORS: _read(_OWN),
    f"{_FACTORS}authenticate/": _only(_LED),
    f"{_FACTORS}reauthenticate/": _only(_AGAIN),
    f"{_FACTORS}totp/activate/": _only(_AGAIN),
    f"{_FACTORS}totp/deactivate/": _only(_NONE_THERE),
    f"{_FACTORS}recovery-codes/": _read(_NONE_THERE),
    f"{_FACTORS}recovery-codes/generate/": _only(_AGAIN),
    f"{_FACTORS}recovery-codes/download/": _only(_NONE_THERE),
    f"{_FACTORS}webauthn/": _read(_OWN),
    f"{_FACTORS}webauthn/add/": _only(_AGAIN),
    f"{_FACTORS}webauthn/reauthenticate/": _only(_AGAIN),
    f"{_FACTORS}webauthn/login/": Row(
        {"GET": _LED, "POST": _LED, "PUT": _LED}, refused=let(SIGNED_IN, 302, else_=405)
    ),
    f"{_KEY}edit/": Row({}, {"pk": "nobody"}, refused=_AGAIN),
    f"{_KEY}remove/": Row({}, {"pk": "nobody"}, refused=_AGAIN),
}
