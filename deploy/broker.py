"""Transport options for the broker: a folder on this machine, or Valkey or Redis."""

from pathlib import Path
from typing import Any


def broker_options(url: str, data: Path) -> dict[str, Any]:
    """The transport's options; for a folder it is created inside `data`.

    An absent broker must cost a recorded hand next to nothing: one short try, then the sweep takes over.
    """
    if not url.startswith("filesystem:"):
        return {"socket_connect_timeout": 1, "socket_timeout": 1, "max_retries": 0}
    messages, control = data / "broker" / "messages", data / "broker" / "control"
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    for folder in (messages.parent, messages, control):
        folder.mkdir(mode=0o700, exist_ok=True)
    return {"data_folder_in": str(messages), "data_folder_out": str(messages), "control_folder": str(control)}
