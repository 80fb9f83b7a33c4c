"""Keys that are generated once and kept: a restart logs nobody out, and devices go on being told."""

import base64
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec


def new_secret_key() -> str:
    """A new key to sign with."""
    return secrets.token_urlsafe(50)


def new_push_key() -> str:
    """A new private key on the curve P-256, as its 32 bytes in base64url: the site's to push services."""
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).decode("ascii").rstrip("=")


def kept_key(path: Path, make: Callable[[], str]) -> str:
    """The key in `path`, made on first use and readable by its owner only.

    Several processes may start at once: each writes a file of its own and links it into place, so one key
    wins and all read that one complete.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(make())
                file.flush()
                os.fsync(file.fileno())
            os.link(own, path)
        except FileExistsError:
            pass  # another process won
        finally:
            own.unlink()
    return path.read_text(encoding="ascii").strip()
