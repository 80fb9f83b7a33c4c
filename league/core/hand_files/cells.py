"""Text in CSV cells: escaping of formulas, and the players of a side.

Reading gives back exactly what was written. A file made by other software, without the escape, reads as it
stands.
"""

import re
import unicodedata
from collections.abc import Iterable

# What makes a spreadsheet calculate a cell, full-width forms included. It may follow any number of
# apostrophes, so that a name that itself starts with one survives.
_FORMULA = re.compile(
    "'*[=+\\-@\t\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}"
    "\N{FULLWIDTH HYPHEN-MINUS}\N{FULLWIDTH COMMERCIAL AT}]"
)


def guarded(text: str) -> str:
    """Escape a cell's text: what a spreadsheet would calculate gets a leading apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def unguarded(cell: str) -> str:
    """Return the text of a cell, in composed Unicode (NFC), without the apostrophe that `guarded` added."""
    text = unicodedata.normalize("NFC", cell.strip())
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def joined(players: Iterable[str]) -> str:
    """Join a side's players, as in `Ann+Cid`; no player's name contains a plus sign."""
    return "+".join(players)


def parted(text: str) -> tuple[str, ...]:
    """Split a side's players; the inverse of `joined`."""
    return tuple(player.strip() for player in text.split("+"))
