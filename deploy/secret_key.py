"""A secret key that is generated once and kept, so that a restart logs nobody out."""

import os
import secrets
from pathlib import Path


def kept_secret_key(path: Path) -> str:
    """The key in `path`, generated on first use and readable by its owner only.

    Several processes may start at once: each writes a file of its own and links it into place, so one key
    wins and all read that one complete.
    """
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        own = path.with_name(f"{path.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                file.write(secrets.token_urlsafe(50))
                file.flush()
                os.fsync(file.fileno())
            os.link(own, path)
        except FileExistsError:
            pass  # another process won
        finally:
            own.unlink()
    return path.read_text(encoding="ascii").strip()
