"""Text in cells: names that a spreadsheet must not take for formulas, and the players of a side.

Both are written so that reading gives back exactly what was written, and a file that knows nothing of it
reads as it stands.
"""

import re
import unicodedata
from collections.abc import Iterable

# What makes a spreadsheet calculate a cell, its full-width forms too; after any number of apostrophes, so
# that a name which itself begins with one survives.
_FORMULA = re.compile(
    "'*[=+\\-@\t\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}]"
)


def guarded(text: str) -> str:
    """The text for a cell: an apostrophe goes before what a spreadsheet would calculate."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """The text of a cell, in composed Unicode and without the apostrophe that `guarded` put there."""
    text = unicodedata.normalize("NFC", cell.strip())
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def joined(players: Iterable[str]) -> str:
    """A side's players as one text, `Ann+Cid`; no player's name has a plus in it."""
    return "+".join(players)


def parted(text: str) -> tuple[str, ...]:
    """The players of a side, the inverse of `joined`."""
    return tuple(player.strip() for player in text.split("+"))
