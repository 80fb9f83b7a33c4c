"""Where the browser of the tests is."""

import shutil
from typing import Final

# Without windows it does the same for half the time: the others draw theirs although nobody sees them.
PROGRAMS: Final = ("chromium-headless-shell", "chromium", "chromium-browser")


def chromium_program() -> str | None:
    """The path of the first chromium there is."""
    return next((found for name in PROGRAMS if (found := shutil.which(name))), None)
