"""Who writes: every write names an actor and keeps its kind, id and printed name."""

from dataclasses import dataclass
from enum import StrEnum


class ActorKind(StrEnum):
    """What stands behind a write."""

    USER = "user"
    TABLE_LINK = "table_link"
    TOKEN = "token"
    IMPORT = "import"
    BOT = "bot"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Actor:
    """An actor: `id` is unique within the kind, `name` is what history prints."""

    kind: ActorKind
    id: str
    name: str
