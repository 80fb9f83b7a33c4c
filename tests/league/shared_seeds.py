"""Stories by chance are told on both databases, but not each of them on both."""

from collections.abc import Sequence

from django.db import connection


def told_here(seeds: Sequence[int], *, long: bool) -> Sequence[int]:
    """Every other seed, PostgreSQL those that SQLite leaves; all of them where it may take long.

    What a story does is decided by its seed alone. Each database meets each kind of story.
    """
    return seeds if long else seeds[connection.vendor == "postgresql" :: 2]
