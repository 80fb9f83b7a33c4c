"""Lots of the demo, which are the same in every demo."""

from hashlib import sha256

from league.models import Entry, Event


def draw_by_names(event: Event) -> None:
    """Let the lots of an event be drawn with one seed, and by digests of the names of its present entries."""
    event.lot_seed = 1
    event.save(update_fields=["lot_seed"])
    entries = list(event.entries.all())
    for entry in entries:
        entry.lot_key = sha256(entry.name.encode()).hexdigest()
    Entry.objects.bulk_update(entries, ["lot_key"])
