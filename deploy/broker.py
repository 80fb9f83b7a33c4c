"""Options for the broker, a folder on this machine, or Valkey or Redis, and for such a server as a cache."""

from pathlib import Path
from typing import Any, Final

# Of a server that is silent: it must cost whoever asks next to nothing.
_PATIENCE: Final = {"socket_connect_timeout": 1, "socket_timeout": 1}


def broker_options(url: str, data: Path) -> dict[str, Any]:
    """The transport's options; for a folder it is created inside `data`.

    An absent broker must cost a recorded hand next to nothing: one short try, then the sweep takes over.
    """
    if not url.startswith("filesystem:"):
        return {**_PATIENCE, "max_retries": 0}
    messages, control = data / "broker" / "messages", data / "broker" / "control"
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in (messages.parent, messages, control):
        folder.mkdir(mode=0o700, exist_ok=True)
    return {"data_folder_in": str(messages), "data_folder_out": str(messages), "control_folder": str(control)}


def with_patience(cache: dict[str, Any]) -> dict[str, Any]:
    """Django's cache entry; a server is asked for a second at most, as everything works without."""
    if not cache["BACKEND"].endswith("RedisCache"):
        return cache
    return cache | {"BACKEND": "deploy.caches.ServerCache", "OPTIONS": _PATIENCE | cache.get("OPTIONS", {})}


def left_out_while_away(cache: dict[str, Any]) -> dict[str, Any]:
    """Django's cache entry; what asks it for limits alone goes on while its server is away."""
    if not cache["BACKEND"].endswith("ServerCache"):
        return cache
    return cache | {"BACKEND": "deploy.caches.LeftOutWhileAway"}
