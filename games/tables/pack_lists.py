"""Lists of packs as text: what a director deals real cards by, and takes from another program.

A line a pack: its number, the ten cards of the non-dealer and of the dealer, the upcard, and the stock from
the top, each in the order in which they are dealt (INTERFACES §1 has the cards).
"""

import csv
from collections.abc import Sequence
from io import StringIO
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT, parse_number, text_of
from games.gin.playing import Pack
from scoring.core.messages import Message, mark

HAND_SIZE: Final = 10
# One list may be this long.
MOST_CHARACTERS: Final = 100_000
COLUMNS: Final = ("pack", "non_dealer", "dealer", "upcard", "stock")


class DealtPack(NamedTuple):
    """A pack by where its cards go, each part in order."""

    non_dealer: Pack
    dealer: Pack
    upcard: int
    stock: Pack


def parts_of(pack: Pack) -> DealtPack:
    """The pack as it is dealt: one card at a time, the non-dealer first, then the upcard (RULES §3)."""
    dealt = 2 * HAND_SIZE
    return DealtPack(pack[:dealt:2], pack[1:dealt:2], pack[dealt], pack[dealt + 1 :])


def write_pack_list(packs: Sequence[Pack]) -> str:
    """The packs as CSV, which `read_pack_list` reads."""
    written = StringIO()
    lines = csv.writer(written, lineterminator="\n")
    lines.writerow(COLUMNS)
    for number, pack in enumerate(packs, 1):
        parts = parts_of(pack)
        lines.writerow(
            [
                number,
                text_of(parts.non_dealer),
                text_of(parts.dealer),
                text_of([parts.upcard]),
                text_of(parts.stock),
            ]
        )
    return written.getvalue()


def read_pack_list(text: str, *, count: int) -> list[Pack]:
    """The packs of such a list, in order of number; refuses what is no list of packs 1 to `count`.

    `wrong_list`: it is too long, a column is missing, numbers are not 1 to `count` once each, a hand is not
    of ten cards, or a pack not of all 52; `unknown_card`.
    """
    if len(text) > MOST_CHARACTERS:
        raise _refusal(mark("The list is too long."))
    lines = csv.DictReader(StringIO(text.strip()))
    if lines.fieldnames is None or set(lines.fieldnames) != set(COLUMNS):
        raise _refusal(mark("The first line names the columns: %(columns)s.", columns=",".join(COLUMNS)))
    packs: dict[str, Pack] = {}
    try:
        for line in lines:
            if None in line:
                raise _refusal(mark("A line has more values than there are columns."))
            number = (line["pack"] or "").strip()
            if number in packs:
                raise _refusal(mark("Pack %(number)s is there twice.", number=number))
            packs[number] = _pack(number, *((line[name] or "") for name in COLUMNS[1:]))
    except csv.Error:
        raise _refusal(mark("This is not a list of values separated by commas.")) from None
    wanted = [str(number) for number in range(1, count + 1)]
    if set(packs) != set(wanted):
        raise _refusal(mark("The list must have the packs 1 to %(last)s, once each.", last=count))
    return [packs[number] for number in wanted]


def _pack(number: str, *columns: str) -> Pack:
    non_dealer, dealer, upcard, stock = (
        [parse_number(card, field="packs") for card in column.split()] for column in columns
    )
    if len(non_dealer) != HAND_SIZE or len(dealer) != HAND_SIZE or len(upcard) != 1:
        raise _refusal(
            mark("Pack %(number)s: each hand has ten cards, and one card is turned up.", number=number)
        )
    dealt = [card for pair in zip(non_dealer, dealer, strict=True) for card in pair]
    pack = (*dealt, *upcard, *stock)
    if sorted(pack) != list(range(CARD_COUNT)):
        raise _refusal(mark("Pack %(number)s is not of all 52 cards.", number=number))
    return pack


def _refusal(message: Message) -> GameError:
    return GameError("wrong_list", message, field="packs")
