"""Which release of the product makes the pages."""

from functools import cache
from hashlib import sha256
from pathlib import Path

from django.apps import apps
from django.template import engines


@cache
def release_mark() -> str:
    """Return a digest of the code and the templates: the same rows make another page where it is another.

    The same on every machine of a site; found once for each process.
    """
    folders = [(Path(apps.get_app_config(name).path), "*.py") for name in ("league", "games", "scoring")]
    folders += [(Path(folder), "*.html") for engine in engines.all() for folder in engine.dirs]
    digest = sha256()
    for folder, kind in folders:
        for file in sorted(folder.rglob(kind)):
            digest.update(file.read_bytes())
    return digest.hexdigest()
