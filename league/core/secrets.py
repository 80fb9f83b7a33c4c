"""Secrets of links, of which the database keeps a digest only: whoever reads it opens nothing with it."""

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32


def new_secret() -> tuple[str, str]:
    """A new secret, to be shown once, and its digest, to be stored.

    The secret is 43 characters that stand in an address as they are; the digest 64 hexadecimal ones.
    """
    secret = secrets.token_urlsafe(_BYTES)
    return secret, digest_of(secret)


def digest_of(secret: str) -> str:
    """What a stored digest is compared with. A secret of so many random bits needs no salt, and is quick."""
    return hashlib.sha256(secret.encode()).hexdigest()
