"""Progress bars in a terminal, silence elsewhere."""

import contextlib
from collections.abc import Callable, Iterator

from django.utils.translation import gettext as _
from tqdm import tqdm


@contextlib.contextmanager
def rows_progress(title: str) -> Iterator[Callable[[str, int], None]]:
    """Yields `advance(table, rows)`; the bar appears after a second, and only in a terminal."""
    with tqdm(desc=title, unit=" " + _("rows"), delay=1, disable=None, leave=False) as bar:

        def advance(table: str, rows: int) -> None:
            bar.update(rows)

        yield advance


@contextlib.contextmanager
def sheets_progress(title: str, total: int) -> Iterator[Callable[[int], object]]:
    """Yields what is called with the sheets just done; the bar appears as that of `rows_progress`."""
    with tqdm(desc=title, total=total, unit=" " + _("sheets"), delay=1, disable=None, leave=False) as bar:
        yield bar.update
