"""The actor of a write: its kind, id and printed name are stored with everything it writes."""

from dataclasses import dataclass
from enum import StrEnum


class ActorKind(StrEnum):
    """Kinds of actors."""

    USER = "user"
    TABLE_LINK = "table_link"
    TOKEN = "token"
    IMPORT = "import"
    BOT = "bot"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Actor:
    """The author of a write: `id` is unique within the kind, `name` is what the history prints."""

    kind: ActorKind
    id: str
    name: str
