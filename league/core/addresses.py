"""Addresses that are handed to others."""

from typing import Final
from urllib.parse import urlsplit

_HERE: Final = frozenset({"localhost", "127.0.0.1", "::1"})


def public_address(link: str) -> str:
    """An address that others can open, for a QR code; blank for one of this machine alone."""
    return "" if urlsplit(link).hostname in _HERE else link
