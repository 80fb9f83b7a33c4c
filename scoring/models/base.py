"""Common to the tables: public codes, authors, and rows that are never changed."""

import secrets
from typing import Any, ClassVar, Final, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.core.actors import Actor, ActorKind
from scoring.core.origin import current_origin

# No vowels and no look-alikes: codes are read aloud and typed, and must not spell words.
_CODE_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"


def random_code() -> str:
    """A random public code of ten letters and digits (about 47 bits), for unguessable addresses."""
    return "".join(secrets.choice(_CODE_LETTERS) for _letter in range(10))


ACTOR_KINDS: Final = (
    (ActorKind.USER.value, _("account")),
    (ActorKind.TABLE_LINK.value, _("table link")),
    (ActorKind.TOKEN.value, _("token")),
    (ActorKind.IMPORT.value, _("import")),
    (ActorKind.BOT.value, _("bot")),
    (ActorKind.OPERATOR.value, _("operator")),
)


class ActedOn(models.Model):
    """The author of a row, taken from an `Actor`: a reference, and the name at the time of writing.

    `AUTHORS` are the prefixes of such columns: a row may have a second author, who settled or undid it.
    """

    AUTHORS: ClassVar[tuple[str, ...]] = ("actor",)

    actor_kind = models.CharField(_("kind of author"), max_length=12, choices=ACTOR_KINDS)
    actor_id = models.CharField(max_length=64)
    actor_name = models.CharField(_("author"), max_length=150)

    class Meta:
        abstract = True

    @staticmethod
    def actor_fields(actor: Actor, author: str = "actor") -> dict[str, str]:
        """Field values for an actor, for the columns with this prefix."""
        return {
            f"{author}_kind": actor.kind.value,
            f"{author}_id": actor.id,
            f"{author}_name": actor.name[:150],
        }

    def is_by(self, actor: Actor) -> bool:
        """Whether the author is this actor, whatever the name."""
        return (self.actor_kind, self.actor_id) == (actor.kind.value, actor.id)


class Kept(models.Model):
    """A row that is written once: further saves and deletes are refused."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class Traced(models.Model):
    """The origin of a write: its entry point, and the network address if there was one."""

    door = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    address = models.GenericIPAddressField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    @staticmethod
    def origin_fields(actor: Actor) -> dict[str, str | None]:
        """Field values for the current origin; the address is not of what this site does by itself.

        Whoever sends a request on which it does something, as a player his last move, is not its author.
        """
        origin = current_origin()
        return {
            "door": origin.door,
            "address": None if actor.kind is ActorKind.OPERATOR else origin.address,
        }
