"""The browser for the tests."""

import shutil
from typing import Final

# The headless shell first: it takes half the time, because the others render windows that nobody sees.
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")


def chromium_program() -> str | None:
    """The path of the first chromium found."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)
