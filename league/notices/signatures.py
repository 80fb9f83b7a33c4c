"""Secrets and signatures of webhooks, as the Standard Webhooks specification 1.0.0 has them.

https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, “Signature
scheme” and “Webhook headers”.
"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

_PREFIX: Final = "whsec_"
# 24 to 64 by the specification.
_BYTES: Final = 32


def new_signing_secret() -> str:
    """A new secret, as it is shown: `whsec_` and random bytes in base64."""
    return _PREFIX + base64.b64encode(secrets.token_bytes(_BYTES)).decode()


def signature_headers(message_id: str, timestamp: int, body: bytes, signing: Iterable[str]) -> dict[str, str]:
    """The headers of one attempt at a time in seconds since 1970, signed with each of the secrets."""
    signed = b".".join([message_id.encode(), str(timestamp).encode(), body])
    made = [
        base64.b64encode(hmac.digest(_key(secret), signed, hashlib.sha256)).decode() for secret in signing
    ]
    return {
        "webhook-id": message_id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(f"v1,{each}" for each in made),
    }


def _key(secret: str) -> bytes:
    return base64.b64decode(secret.removeprefix(_PREFIX))
