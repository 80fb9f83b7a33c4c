"""Addresses made from names."""

from collections.abc import Iterable
from itertools import chain, count

from django.utils.text import slugify


def free_slug(taken: Iterable[str], name: str, *, nameless: str = "event") -> str:
    """An unused slug made from the name; from `nameless` where nothing of it can stand in an address."""
    wanted = slugify(name)[:50] or nameless
    slugs = set(taken)
    return next(slug for slug in chain([wanted], (f"{wanted}-{n}" for n in count(2))) if slug not in slugs)
