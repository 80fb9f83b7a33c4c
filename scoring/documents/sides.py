"""The sides of a sheet: reading them from JSON, and checking players and substitutes."""

from collections.abc import Sequence
from typing import Final

from scoring.core.errors import SheetError
from scoring.core.kinds import kind_of
from scoring.core.messages import mark
from scoring.core.rules import Rules
from scoring.core.sheets import MOST_DEALS, SheetSide, Substitute
from scoring.documents.shapes import json_object, name_of, only

LARGEST_TEAM: Final = 12
MOST_SUBSTITUTES: Final = 24


def read_sides(document: object, rules: Rules) -> tuple[SheetSide, ...]:
    """The sides from JSON, checked by `check_sides`."""
    if not isinstance(document, list):
        raise SheetError("wrong_sides", mark("A sheet has a list of sides."), field="sides")
    sides = [_read_side(side, f"sides[{index}]") for index, side in enumerate(document)]
    return check_sides(sides, rules)


def check_sides(sides: Sequence[SheetSide], rules: Rules) -> tuple[SheetSide, ...]:
    """The sides, checked: as the kind of game has them, with no name used twice.

    Refused: `wrong_sides` and `unequal_sides` by the kind, `duplicate_name`, and what `_check_substitutes`
    refuses.
    """
    names: set[str] = set()
    players: set[str] = set()
    for side in sides:
        if side.name in names:
            raise SheetError(
                "duplicate_name", mark("Two sides are called “%(name)s”.", name=side.name), field="sides"
            )
        names.add(side.name)
        if not 1 <= len(side.players) <= LARGEST_TEAM:
            raise SheetError(
                "out_of_range",
                mark("A side has 1 to %(most)s players.", most=LARGEST_TEAM),
                field="sides",
            )
        for player in side.everyone:
            if player in players:
                raise SheetError(
                    "duplicate_name", mark("“%(player)s” is named twice.", player=player), field="sides"
                )
            players.add(player)
    kind_of(rules).check_sides(rules, sides)
    return tuple(
        [
            _check_substitutes(side, f"sides[{index}].substitutes") if side.substitutes else side
            for index, side in enumerate(sides)
        ]
    )


def _check_substitutes(side: SheetSide, field: str) -> SheetSide:
    """The side with its substitutes ordered by first deal.

    Refuses a substitute whose predecessor does not sit there until then (`unknown_player`), or whose first
    deal is not after the predecessor's (`out_of_range`). Callers check that names differ.
    """
    since = dict.fromkeys(side.players, 1)
    ordered = sorted(side.substitutes, key=lambda substitute: substitute.from_deal)
    for substitute in ordered:
        begun = since.pop(substitute.replaces, None)
        if begun is None:
            raise SheetError(
                "unknown_player",
                mark(
                    "“%(replaces)s” does not sit for %(name)s before deal %(from_deal)s.",
                    replaces=substitute.replaces,
                    name=side.name,
                    from_deal=substitute.from_deal,
                ),
                field=field,
            )
        if substitute.from_deal <= begun:
            raise SheetError(
                "out_of_range",
                mark(
                    "%(replaces)s plays from deal %(begun)s: a substitute can sit from %(first)s on.",
                    replaces=substitute.replaces,
                    begun=begun,
                    first=begun + 1,
                ),
                field=field,
            )
        since[substitute.player] = substitute.from_deal
    return SheetSide(side.name, side.players, tuple(ordered))


def _read_side(document: object, field: str) -> SheetSide:
    side = json_object(document, field, mark("A side is an object with a name."))
    only(side, frozenset({"name", "players", "substitutes"}), field=field)
    name = name_of(side.get("name"), f"{field}.name")
    substitutes = _read_substitutes(side.get("substitutes"), f"{field}.substitutes")
    players = side.get("players")
    if players is None:
        return SheetSide(name, (name,), substitutes)
    if not isinstance(players, list):
        raise SheetError("wrong_type", mark("players is a list of names."), field=f"{field}.players")
    if not 1 <= len(players) <= LARGEST_TEAM:
        raise SheetError(
            "out_of_range",
            mark("A side has 1 to %(most)s players.", most=LARGEST_TEAM),
            field=f"{field}.players",
        )
    return SheetSide(name, tuple(name_of(player, f"{field}.players") for player in players), substitutes)


def _read_substitutes(documents: object, field: str) -> tuple[Substitute, ...]:
    if documents is None:
        return ()
    if not isinstance(documents, list):
        raise SheetError("wrong_type", mark("substitutes is a list."), field=field)
    if len(documents) > MOST_SUBSTITUTES:
        raise SheetError(
            "out_of_range",
            mark("A side has at most %(most)s substitutes.", most=MOST_SUBSTITUTES),
            field=field,
        )
    substitutes = []
    for index, document in enumerate(documents):
        place = f"{field}[{index}]"
        message = mark("A substitute is an object with player, replaces and from_deal.")
        substitute = json_object(document, place, message)
        only(substitute, frozenset({"player", "replaces", "from_deal"}), field=place)
        from_deal = substitute.get("from_deal")
        if type(from_deal) is not int:
            raise SheetError("wrong_type", mark("from_deal is a whole number."), field=f"{place}.from_deal")
        if not 2 <= from_deal <= MOST_DEALS:
            raise SheetError(
                "out_of_range",
                mark("A substitute sits from a deal from 2 to %(most)s on.", most=MOST_DEALS),
                field=f"{place}.from_deal",
            )
        player = name_of(substitute.get("player"), f"{place}.player")
        substitutes.append(
            Substitute(player, name_of(substitute.get("replaces"), f"{place}.replaces"), from_deal)
        )
    return tuple(substitutes)
