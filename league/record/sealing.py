"""Secrets that must be read again: kept encrypted by the site's key, so that a backup does not tell them.

What only has to be recognised is kept as a digest instead (`league.core.secrets`).
"""

import base64
import hashlib

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


class Unreadable(Exception):
    """The secret was sealed with another `SECRET_KEY`."""


def sealed(secret: str, use: str) -> str:
    """The secret as it is stored; `use` keeps what is sealed for one thing from being taken for another."""
    return _cipher(use).encrypt(secret.encode()).decode()


def unsealed(stored: str, use: str) -> str:
    """The secret again; raises `Unreadable`."""
    try:
        return _cipher(use).decrypt(stored.encode()).decode()
    except InvalidToken as error:
        raise Unreadable from error


def _cipher(use: str) -> Fernet:
    key = hashlib.sha256(f"{use}:{settings.SECRET_KEY}".encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))
