"""Reads stored sheets into the core: database rows in, `SheetState` out.

Also translates between the core's deals, which name players, and stored ones, which have seat numbers and
side positions.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, NamedTuple

from django.db import connection

from scoring.core.actors import Actor
from scoring.core.keys import stored_forms
from scoring.core.sheets import Deal, SheetSide, SheetState, Substitute, score_sheet
from scoring.documents.hand_names import renamed_hand
from scoring.documents.player_records import shares_of_net, tallies_of
from scoring.documents.sheets import DealReader, deal_document
from scoring.models import DealVersion, HouseRules, Scoresheet, Seat, SheetAct, Side


class KeptDeal(NamedTuple):
    """The current version of a deal (see `DealVersion`), and the id of the act that wrote it."""

    pk: int
    act_id: int
    number: int
    version: int
    body: dict[str, Any] | None

    @property
    def act(self) -> SheetAct:
        """The act that wrote it, from the database."""
        return SheetAct.objects.get(pk=self.act_id)


class Answered(NamedTuple):
    """An earlier use of a key: the digest of the request, and the answer, None for an act without one.

    The digest is "" once the receipt is forgotten.
    """

    digest: str
    answer: dict[str, Any] | None


@dataclass(frozen=True)
class KeptSheet:
    """A stored sheet with its sides and current deals, ready to be scored.

    `seat_names` are the players by seat number, `persons` the keys of those who are known. `answered` is the
    earlier use of a key, if one was looked up.
    """

    sheet: Scoresheet
    sides: tuple[SheetSide, ...]
    seat_names: Mapping[int, str]
    versions: Sequence[KeptDeal] = field(default=())
    persons: Mapping[int, str] = field(default_factory=dict)
    answered: Answered | None = None

    @cached_property
    def deals(self) -> list[Deal]:
        """The current deals in order."""
        return [self.deal(version.body, version.number) for version in self.versions]

    @cached_property
    def state(self) -> SheetState:
        """The score; deals after the end are kept uncounted."""
        return self.score(self.deals, stopped=self.sheet.stopped)

    def score(self, deals: Sequence[Deal], *, stopped: bool) -> SheetState:
        """The score of this sheet with other deals."""
        return score_sheet(self.sheet.rules.rules, self.sides, deals, stopped=stopped, surplus="keep")

    @cached_property
    def reader(self) -> DealReader:
        """A reader of deals that name this sheet's current players."""
        return DealReader(self.sides, self.sheet.rules.rules)

    @cached_property
    def _kept_reader(self) -> DealReader:
        """A reader of stored deals, in which an earlier version may name a player replaced since."""
        if not self.has_substitutes:
            return self.reader
        return DealReader(self.sides, self.sheet.rules.rules, anyone=True)

    @property
    def has_substitutes(self) -> bool:
        """Whether anybody took over a seat."""
        return any(side.substitutes for side in self.sides)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in self.seat_names.items()}

    @property
    def order(self) -> list[list[int]]:
        """The seat numbers by side: the players, then the substitutes in the order they sat down."""
        return [
            [number for number, name in self.seat_names.items() if name in side.everyone]
            for side in self.sides
        ]

    def called(
        self, person: Callable[[str, str], str], sides: Sequence[str | None] | None = None
    ) -> "KeptSheet":
        """The sheet with its players renamed by `person`, called with key and written name.

        `sides` may name the sides. Otherwise a side named after its players gets their new names, and any
        other keeps its own. Equal names are numbered, since deals refer to players by name.
        """
        wanted = {
            number: person(self.persons[number], name) if number in self.persons else name
            for number, name in self.seat_names.items()
        }
        sides = sides or [None] * len(self.sides)
        if wanted == self.seat_names and not any(sides):
            return self
        names = made_distinct(wanted)
        by_written = {name: names[number] for number, name in self.seat_names.items()}
        renamed = [
            SheetSide(
                _side_called(side, by_written) if called is None else called,
                tuple([by_written[player] for player in side.players]),
                tuple(
                    [
                        replace(one, player=by_written[one.player], replaces=by_written[one.replaces])
                        for one in side.substitutes
                    ]
                ),
            )
            for side, called in zip(self.sides, sides, strict=True)
        ]
        all_names = [side.name for side in renamed]
        told = tuple(
            [
                replace(side, name=f"{side.name} ({number})") if all_names.count(side.name) > 1 else side
                for number, side in enumerate(renamed, start=1)
            ]
        )
        return replace(self, sides=told, seat_names=names)

    def without_seats(self, numbers: Collection[int]) -> "KeptSheet":
        """The sheet before these substitutes sat down."""
        names = {name for number, name in self.seat_names.items() if number in numbers}
        sides = [
            replace(side, substitutes=tuple(one for one in side.substitutes if one.player not in names))
            for side in self.sides
        ]
        return replace(self, sides=tuple(sides))

    def deal(self, body: Mapping[str, Any] | None, number: int) -> Deal:
        """A stored deal as a `Deal`."""
        if body is None:
            return self._kept_reader.read(None)
        if "line" in body:
            line = body["line"]
            winner = self.sides[line["winner"]].name
            return self._kept_reader.read({"line": {**line, "winner": winner}}, number)
        hands = [renamed_hand(hand, self.seat_names.__getitem__, self._named) for hand in body["hands"]]
        return self._kept_reader.read({"hands": hands}, number)

    def stored(self, deal: Deal) -> dict[str, Any] | None:
        """A deal in its stored form."""
        return self._numbered(deal_document(deal), self._numbers.__getitem__, self._positions.__getitem__)

    def by_seats(self, document: dict[str, Any] | None) -> dict[str, Any] | None:
        """A document in the stored form; names that are not on this sheet stay as they are."""
        numbers, positions = self._numbers, self._positions
        return self._numbered(
            document, lambda name: numbers.get(name, name), lambda name: positions.get(name, name)
        )

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {side.name: position for position, side in enumerate(self.sides)}

    @staticmethod
    def _numbered(
        document: dict[str, Any] | None, seat: Callable[[str], object], side: Callable[[str], object]
    ) -> dict[str, Any] | None:
        """The document with seat numbers for players' names and positions for sides' names."""
        if document is None:
            return None
        if "line" in document:
            return {"line": {**document["line"], "winner": side(document["line"]["winner"])}}
        return {
            "hands": [renamed_hand(hand, seat, lambda name: str(seat(name))) for hand in document["hands"]]
        }

    def _named(self, key: str) -> str:
        """The player of a seat whose number is the key of an object."""
        return self.seat_names[int(key)]


# One query, because it runs for every recorded deal: every version of every deal, the seats, the house rules,
# and the answer stored for a key. Columns that do not apply are null. The deals come first, since PostgreSQL
# takes the column types from them.
_ROWS: Final = """
SELECT 'deal' AS kind, number, version, id, act_id, body,
       NULL AS text, NULL AS side, NULL AS position, NULL AS replaces, NULL AS from_deal, NULL AS person
  FROM scoring_dealversion
 WHERE sheet_id = %s
UNION ALL
SELECT 'seat', seat.number, 0, NULL, NULL, NULL,
       seat.name, side.name, side.position, seat.replaces, seat.from_deal, seat.person
  FROM scoring_seat seat JOIN scoring_side side ON side.id = seat.side_id
 WHERE seat.sheet_id = %s
UNION ALL
SELECT 'rules', 0, 0, id, NULL, knobs, NULL, NULL, NULL, NULL, NULL, NULL
  FROM scoring_houserules
 WHERE id = %s
UNION ALL
SELECT 'act', 0, 0, id, NULL, answer, digest, NULL, NULL, NULL, NULL, NULL
  FROM scoring_sheetact
 WHERE sheet_id = %s AND key_holder = %s AND "key" IN (%s, %s)
 ORDER BY 2, 3
"""


def kept_sheet(sheet: Scoresheet, *, by: Actor | None = None, key: str | None = None) -> KeptSheet:
    """A sheet with its rules, in one query; `answered` is set if this `key` of `by` was used on it."""
    seats: list[SeatRow] = []
    current: dict[int, KeptDeal] = {}
    answered: Answered | None = None
    who = (None, None, None) if by is None or key is None else (by.key_holder, *stored_forms(key))
    with connection.cursor() as cursor:
        cursor.execute(_ROWS, [sheet.pk, sheet.pk, sheet.rules_id, sheet.pk, *who])
        for kind, number, version, id_, act, body, text, side, position, *seat in cursor:
            document = None if body is None else json.loads(body)
            match kind:
                case "deal":
                    current[number] = KeptDeal(id_, act, number, version, document)
                case "seat":
                    seats.append(SeatRow(number, text, position, side, *seat))
                case "rules" if not Scoresheet.rules.is_cached(sheet):
                    sheet.rules = HouseRules.from_db(connection.alias, ["id", "knobs"], (id_, document))
                case "act":
                    answered = Answered(text, document)
    return kept_of(sheet, seats, current, answered)


def kept_sheets(sheets: Iterable[Scoresheet]) -> list[KeptSheet]:
    """Many sheets in two queries, in the order given; their `rules` should be loaded (`select_related`)."""
    sheets = list(sheets)
    ids = [sheet.pk for sheet in sheets]
    seats: dict[int, list[SeatRow]] = defaultdict(list)
    columns = ("number", "name", "side__position", "side__name", "replaces", "from_deal", "person")
    rows = Seat.objects.filter(sheet__in=ids).order_by("number").values_list("sheet_id", *columns)
    for sheet_id, *seat in rows:
        seats[sheet_id].append(SeatRow(*seat))
    current: dict[int, dict[int, KeptDeal]] = defaultdict(dict)
    deals = DealVersion.objects.filter(sheet__in=ids).order_by("number", "version")
    for sheet_id, *columns in deals.values_list("sheet_id", *KeptDeal._fields):
        deal = KeptDeal(*columns)
        current[sheet_id][deal.number] = deal
    return [kept_of(sheet, seats[sheet.pk], current[sheet.pk]) for sheet in sheets]


def kept_of(
    sheet: Scoresheet,
    seats: Sequence["SeatRow"],
    current: Mapping[int, KeptDeal],
    answered: Answered | None = None,
) -> KeptSheet:
    """The sheet of these seats and of the current deals, both in order of number. Reads nothing."""
    names = {seat.number: seat.name for seat in seats}
    persons = {seat.number: seat.person for seat in seats if seat.person}
    return KeptSheet(sheet, _sides(seats), names, tuple(current.values()), persons, answered)


# Separators in a side's name that is made of its players' names.
_JOINTS: Final = (" + ", " & ", "+", "&", " / ", "/", ", ", " and ")


def recalled(name: str, players: Sequence[str], called: Sequence[str]) -> str | None:
    """A name made of one or several players' names, with their new names; None for any other name."""
    now = dict(zip(players, called, strict=True))
    for joint in _JOINTS:
        parts = name.split(joint)
        if all(part in now for part in parts):
            return joint.join([now[part] for part in parts])
    return None


def side_called(side: Side, person: Callable[[str, str], str]) -> str:
    """The name of a stored side with its seats loaded, by the rule of `KeptSheet.called`."""
    seats = [seat for seat in side.seats.all() if seat.replaces is None]
    called = [person(seat.person, seat.name) if seat.person else seat.name for seat in seats]
    return recalled(side.name, [seat.name for seat in seats], called) or side.name


def _side_called(side: SheetSide, by_written: Mapping[str, str]) -> str:
    called = [by_written[player] for player in side.players]
    return recalled(side.name, side.players, called) or side.name


def made_distinct(names: Mapping[int, str]) -> dict[int, str]:
    """The names, with a number added to each repeated one."""
    told: dict[int, str] = {}
    for seat, name in names.items():
        number, free = 1, name
        while free in told.values():
            number += 1
            free = f"{name} ({number})"
        told[seat] = free
    return told


class SeatRow(NamedTuple):
    """A seat as it is stored, with the position and the name of its side."""

    number: int
    name: str
    position: int
    side: str
    replaces: int | None
    from_deal: int
    person: str


def _sides(seats: Sequence[SeatRow]) -> tuple[SheetSide, ...]:
    """The sides of the seats, which are ordered by number."""
    names: dict[int, str] = {}
    players: dict[int, list[str]] = defaultdict(list)
    substitutes: dict[int, list[Substitute]] = defaultdict(list)
    for seat in seats:
        names[seat.position] = seat.side
        if seat.replaces is None:
            players[seat.position].append(seat.name)
        else:
            replaced = next(other.name for other in seats if other.number == seat.replaces)
            substitutes[seat.position].append(Substitute(seat.name, replaced, seat.from_deal))
    return tuple(
        [
            SheetSide(
                names[side],
                tuple(players[side]),
                tuple(sorted(substitutes[side], key=lambda substitute: substitute.from_deal)),
            )
            for side in sorted(names)
        ]
    )


def derived_document(kept: KeptSheet, state: SheetState) -> dict[str, Any]:
    """The figures derived for lists and statistics and stored beside the deals.

    By side: `totals`, `columns_won`, `boxes`, `hands_won`, `gins`. `columns` have status, winner (position of
    the side, or None) and points by side. `seats` have by seat number the hands played and won, gins (big
    gins included), undercuts (those with nothing left included), knocks and points won. Hands after the end
    do not count, and a team's line is no hand. With substitutes, and with sides of different size, `order`
    lists the seat numbers by side; players who shared a seat have their share of the `net`.
    """
    names = [side.name for side in kept.sides]
    tallies = tallies_of(state)
    document: dict[str, Any] = {
        "totals": list(state.totals),
        "columns_won": list(state.columns_won),
        "boxes": list(state.boxes),
        "hands_won": _sums(kept, tallies, "won"),
        "gins": _sums(kept, tallies, "gins"),
        "columns": [
            {
                "status": column.status,
                "winner": None if column.winner is None else names.index(column.winner),
                "points": [side.points for side in column.sides],
            }
            for column in state.columns
        ],
    }
    for player, net in shares_of_net(state).items():
        tallies.setdefault(player, {})["net"] = net
    if kept.has_substitutes or len({len(side.players) for side in kept.sides}) > 1:
        document["order"] = kept.order
    document["seats"] = {
        str(number): tallies[name] for number, name in kept.seat_names.items() if name in tallies
    }
    return document


def seat_figures(sheet: Scoresheet, side: int, position: int, *, size: int) -> dict[str, int]:
    """The derived figures of one seat (`derived_document`): hands, won, gins …, where not 0.

    `position` counts a side's `size` players, then its substitutes in the order they sat down. `net` is
    present for players who shared the seat: their share. All others take the net of their side.
    """
    seats: dict[str, dict[str, int]] = sheet.derived.get("seats", {})
    order: list[list[int]] | None = sheet.derived.get("order")
    number = side * size + position if order is None else order[side][position]
    return seats.get(str(number), {})


def _sums(kept: KeptSheet, tallies: Mapping[str, Mapping[str, int]], figure: str) -> list[int]:
    """A figure, added up over the players of each side."""
    return [
        sum([tallies[player].get(figure, 0) for player in side.everyone if player in tallies])
        for side in kept.sides
    ]
