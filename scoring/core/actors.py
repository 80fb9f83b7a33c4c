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
    """The author of a write: `id` is unique within the kind, `name` is what the history prints.

    `account` is the id of the account for which a program acts.
    """

    kind: ActorKind
    id: str
    name: str
    account: str = ""

    @property
    def key_holder(self) -> str:
        """Whose idempotency keys it sends: the account's, by whichever token; else its own."""
        if self.account:
            return f"{ActorKind.USER}:{self.account}"
        return f"{self.kind}:{self.id}"
