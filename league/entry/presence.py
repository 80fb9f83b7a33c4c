"""Who is typing which sheet: cache entries, refreshed by previews, that expire after `SECONDS`."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from league.record import fleeting
from scoring.core.actors import Actor

SECONDS: Final = 120


@dataclass(frozen=True, slots=True)
class Typing:
    """Somebody typing a sheet, and the number of unsaved rows."""

    actor_id: str
    name: str
    rows: int


def note_typing(sheet_id: int, actor: Actor, rows: int) -> None:
    """Record that the actor has this many unsaved rows; 0 removes the entry."""
    if rows:
        fleeting.note(_key(sheet_id), (actor.id, actor.name, rows), SECONDS)
    else:
        forget_typing(sheet_id, actor)


def forget_typing(sheet_id: int, actor: Actor) -> None:
    """Remove the actor's entry; leaves anybody else's."""
    found = who_types([sheet_id]).get(sheet_id)
    if found is not None and found.actor_id == actor.id:
        fleeting.forget(_key(sheet_id))


def who_types(sheet_ids: Iterable[int]) -> dict[int, Typing]:
    """The typists of these sheets, by sheet id."""
    keys = {_key(sheet_id): sheet_id for sheet_id in sheet_ids}
    return {keys[key]: Typing(*note) for key, note in fleeting.noted(keys).items()}


def someone_else(sheet_id: int, actor: Actor) -> Typing | None:
    """The sheet's typist, if it is not the actor."""
    found = who_types([sheet_id]).get(sheet_id)
    return None if found is None or found.actor_id == actor.id else found


def _key(sheet_id: int) -> str:
    return f"typing:{sheet_id}"
