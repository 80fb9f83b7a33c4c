"""Duplicate: every table of a round plays the same packs, twice with seats changed, or once (RULES §24).

A sheet of 2n deals has n packs. They are played in order, and then all again in the same order: by then
nobody remembers a hand as he would at once. In the second half the other side deals, so it is dealt the cards
that the first had. At the tables of two teams the seats differ from table to table as well. Where each pack
is played once, a sheet has as many packs as deals, and there is no second half.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.errors import GameError
from games.gin.cards import CARD_COUNT
from games.gin.playing import Pack
from games.tables.dealing import AtTables, Pair
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheets import RunningSheet

SIDES: Final = 2


class HeldPack(NamedTuple):
    """The number of a deal's pack, from 1, and the side (0 or 1) that deals it."""

    pack: int
    dealer: int


def pack_count(rules: Rules, times: int = SIDES) -> int:
    """The number of packs of a sheet under these rules, each of which is played so many times, twice or once.

    Refuses with `GameError` `not_duplicate` rules whose sheets do not end after a number of deals, an even
    one for packs that are played twice, are not of two sides, or deal two games from one pack.
    """
    if rules.kind != "gin" or rules.packs == "shared":
        raise GameError(
            "not_duplicate",
            mark("Duplicate is played by two sides, each hand with a pack of its own."),
            field="rules",
        )
    if rules.deals is None or rules.deals % times:
        raise GameError(
            "not_duplicate",
            mark("Duplicate plays every pack twice: its sheets end after an even number of deals.")
            if times == SIDES
            else mark("In duplicate sheets end after a number of deals."),
            field="rules.deals",
        )
    return rules.deals // times


def held_in(deal: int, table: int, packs: int) -> HeldPack:
    """What is held in this deal (from 1) at this table (from 0) of a sheet with so many packs.

    Pack after pack, and table after table, the sides take turns in dealing first.
    """
    half, pack = divmod(deal - 1, packs)
    return HeldPack(pack + 1, (pack + half + table) % SIDES)


class FromPacks(AtTables):
    """Deals the hands of a sheet from the packs of its round; refuses as `pack_count`, and other packs.

    As many packs as deals are played once each, half as many twice. `wrong_packs`: too few or too many, or
    one that is not of all 52 cards.
    """

    def __init__(self, sheet: RunningSheet, packs: Sequence[Pack]) -> None:
        super().__init__(sheet, 0)
        self._packs = tuple(packs)
        times = 1 if len(self._packs) == sheet.rules.deals else SIDES
        needed = pack_count(sheet.rules, times)
        if len(self._packs) != needed:
            raise GameError(
                "wrong_packs",
                mark(
                    "There are %(given)s packs; these rules need %(needed)s.",
                    given=len(self._packs),
                    needed=needed,
                ),
                field="packs",
            )
        for number, pack in enumerate(self._packs, 1):
            if sorted(pack) != list(range(CARD_COUNT)):
                raise GameError(
                    "wrong_packs",
                    mark("Pack %(number)s is not of all 52 cards.", number=number),
                    field="packs",
                )

    def _pack(self, number: int, table: int) -> Pack:
        return self._packs[held_in(number, table, len(self._packs)).pack - 1]

    def _dealer(self, pair: Pair, number: int, table: int) -> int:
        return held_in(number, table, len(self._packs)).dealer
