"""A tournament as another program writes it, and faults put into it."""

from pathlib import Path
from typing import Final

# Written for these tests by the description of TRF16 (FIDE Handbook C.04, annex 2): six players and three
# rounds. A forfeit, a bye of the draw, one asked for (half a point), one who leaves after the first round.
CUP: Final = (Path(__file__).parent / "autumn_cup.trf").read_text(encoding="utf-8")
# Novak 1 + 1/2 + 1, Berg 1 + 1/2 + 1/2, O'Hara 0 + 1 + 1/2, the other Berg 0 + 1 + 1/2, Lund 1, Zola 0.
POINTS: Final = {1: "2.5", 2: "2.0", 3: "1.0", 4: "1.5", 5: "1.5", 6: "0.0"}


def changed(old: str, new: str, times: int = 1) -> bytes:
    """The file with one text replaced, which must be in it."""
    assert CUP.count(old) >= 1, old
    return CUP.replace(old, new, times).encode()


def line_of(text: str) -> int:
    """The number of the first line with a text."""
    return next(number for number, line in enumerate(CUP.splitlines(), start=1) if text in line)
