"""Public addresses of pages."""

from typing import Final
from urllib.parse import urlsplit

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def public_address(link: str) -> str:
    """Return an address that others can open, for a QR code; "" for one that only this machine can open."""
    return "" if urlsplit(link).hostname in _HERE else link
