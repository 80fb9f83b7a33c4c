"""What the tables share: public codes, authors, rows that stay as written."""

import secrets
from typing import Any, Final, NoReturn

from django.db import models
from django.utils.translation import gettext_lazy as _

from scoring.core.actors import Actor, ActorKind
from scoring.core.origin import current_origin

# No vowels and no look-alikes: a code is read aloud and typed, and should spell nothing.
_CODE_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"


def random_code() -> str:
    """A public code of ten letters and digits (about 47 bits), for addresses nobody should guess."""
    return "".join(secrets.choice(_CODE_LETTERS) for _letter in range(10))


_KINDS: Final = (
    (ActorKind.USER.value, _("account")),
    (ActorKind.TABLE_LINK.value, _("table link")),
    (ActorKind.TOKEN.value, _("token")),
    (ActorKind.IMPORT.value, _("import")),
    (ActorKind.BOT.value, _("bot")),
    (ActorKind.OPERATOR.value, _("operator")),
)


class ActedOn(models.Model):
    """The author of a row, as `Actor` says: a reference, and the name that he had when he wrote it."""

    actor_kind = models.CharField(_("kind of author"), max_length=12, choices=_KINDS)
    actor_id = models.CharField(max_length=64)
    actor_name = models.CharField(_("author"), max_length=150)

    class Meta:
        abstract = True

    @staticmethod
    def actor_fields(actor: Actor) -> dict[str, str]:
        """The three columns for an actor."""
        return {"actor_kind": actor.kind.value, "actor_id": actor.id, "actor_name": actor.name[:150]}

    def is_by(self, actor: Actor) -> bool:
        """Whether it was this actor, whatever the name."""
        return (self.actor_kind, self.actor_id) == (actor.kind.value, actor.id)


class Kept(models.Model):
    """A row that is written once: a second save and a delete are refused."""

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError(f"{type(self).__name__} rows are never deleted.")


class Traced(models.Model):
    """Where a write came from: by which door, and from which address where it came over the network."""

    door = models.CharField(max_length=10, blank=True, default="", db_default="", editable=False)
    address = models.GenericIPAddressField(null=True, blank=True, editable=False)

    class Meta:
        abstract = True

    @staticmethod
    def origin_fields() -> dict[str, str | None]:
        """The two columns for what is being answered now."""
        origin = current_origin()
        return {"door": origin.door, "address": origin.address}
