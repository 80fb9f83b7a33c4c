"""Secrets for links. The database stores only a digest, so reading it opens nothing."""

import hashlib
import secrets
from typing import Final

_BYTES: Final = 32


def new_secret() -> tuple[str, str]:
    """Return a new secret, to be shown once, and its digest, to be stored.

    The secret is 43 URL-safe characters, the digest 64 hexadecimal digits.
    """
    secret = secrets.token_urlsafe(_BYTES)
    return secret, digest_of(secret)


def digest_of(secret: str) -> str:
    """Return the digest of a secret. A secret with so many random bits needs neither salt nor a slow hash."""
    return hashlib.sha256(secret.encode()).hexdigest()
