"""What the tables share: public codes, authors, names as they are printed, rows that stay as written."""

import secrets
from collections.abc import Collection
from typing import Any, ClassVar, Final, NoReturn, Self

from django.db import models

from scoring.core.actors import Actor, ActorKind
from scoring.core.origin import current_origin
from scoring.core.printed_names import are_covered, printed, printed_within

# No vowels and no look-alikes: a code is read aloud and typed, and should spell nothing.
_CODE_LETTERS: Final = "23456789bcdfghjkmnpqrstvwxz"


def random_code() -> str:
    """A public code of ten letters and digits (about 47 bits), for addresses nobody should guess."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(10))


class Printed(models.Model):
    """A row with people's names, which are spelt as it is read: see `printed_names`.

    `NAMES` are its fields that hold one, `SENTENCES` those in whose texts names may stand. While names are
    covered no row is saved: it might have been read so.
    """

    NAMES: ClassVar[tuple[str, ...]] = ()
    SENTENCES: ClassVar[tuple[str, ...]] = ()

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        if are_covered():
            raise TypeError(f"{type(self).__name__} rows are not saved while names are covered.")
        super().save(*args, **kwargs)

    @classmethod
    def from_db(
        cls, db: str | None, field_names: Collection[str], values: Collection[Any], **how: Any
    ) -> Self:
        row = super().from_db(db, field_names, values, **how)
        if are_covered():
            read = row.__dict__
            read.update({name: printed(read[name]) for name in cls.NAMES if read.get(name)})
            read.update({name: printed_within(read[name]) for name in cls.SENTENCES if read.get(name)})
        return row


class ActedOn(Printed):
    """Who did it, as `Actor` says; the name is what history prints."""

    NAMES = ("actor_name",)

    actor_kind = models.CharField(max_length=12, choices=[(kind.value, kind.value) for kind in ActorKind])
    actor_id = models.CharField(max_length=64)
    actor_name = models.CharField(max_length=150)

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
