"""Knobs that only one kind of game has (RULES §8), and how a knob is checked.

`OWN_KNOBS` has the class of each kind that has any, by the kind's key; `Rules` holds an instance of it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Final, Self

from scoring.core.errors import RulesError, shown
from scoring.core.messages import mark


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnKnobs:
    """Base of the knobs of a kind: each is a switch, one of `CHOICES` or a number in `RANGES`."""

    KIND: ClassVar[str]
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {}
    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {}

    def __post_init__(self) -> None:
        for knob in fields(self):
            value, name = getattr(self, knob.name), f"{self.KIND}.{knob.name}"
            if knob.name in self.RANGES:
                check_int(name, value, *self.RANGES[knob.name])
            elif knob.name in self.CHOICES:
                check_choice(name, value, self.CHOICES[knob.name])
            else:
                check_switch(name, value)

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Knobs from a JSON object; those that it leaves out have their defaults."""
        if not isinstance(document, Mapping):
            raise RulesError(
                "wrong_type",
                mark("%(name)s is an object of knobs.", name=cls.KIND),
                field=f"rules.{cls.KIND}",
            )
        known = [knob.name for knob in fields(cls)]
        for name in document:
            if name not in known:
                raise RulesError(
                    "unknown_knob",
                    mark(
                        "%(kind)s has %(knobs)s; not “%(knob)s”.",
                        kind=cls.KIND,
                        knobs=", ".join(known),
                        knob=shown(name),
                    ),
                    field=f"rules.{cls.KIND}.{shown(name)}",
                )
        return cls(**document)

    def to_document(self) -> dict[str, Any]:
        """Every knob with its value, as JSON."""
        return asdict(self)

    @property
    def has_columns(self) -> bool:
        """Whether a sheet may have several games."""
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class CutthroatKnobs(OwnKnobs):
    """Two play, the others wait."""

    KIND: ClassVar[str] = "cutthroat"
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {"sits_out": ("loser", "in_turn")}

    # Who goes out: the `loser` of the hand [S4, S5], or all `in_turn` [S10].
    sits_out: str = "loser"
    # Who has just gone out deals [S4]; off, who comes in deals and plays [S5].
    sitter_deals: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptainsKnobs(OwnKnobs):
    """One alone against the captain of the others."""

    KIND: ClassVar[str] = "captains"
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {"box_held": ("game", "hand")}

    # How long the box is held: for the `game` [S5, S8], or until a `hand` is lost [S16].
    box_held: str = "game"
    # The player in the box always deals [S16].
    box_deals: bool = False

    @property
    def has_columns(self) -> bool:
        return self.box_held == "game"


@dataclass(frozen=True, slots=True, kw_only=True)
class JerseyKnobs(OwnKnobs):
    """Three at once, from one pack."""

    KIND: ClassVar[str] = "jersey"
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {
        "count": ("each", "sum"),
        "bonus": ("each", "once"),
        "undercut": ("lowest", "each"),
        "lay_off": ("original", "chained"),
        "upcard": ("offered", "open"),
        "discards": ("last", "last_two"),
    }
    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {"stock_left": (0, 9)}

    # The winner scores the difference to `each` [S4, S9], or the others' `sum` less his count [S5].
    count: str = "each"
    # The bonus for gin is won from `each` [S5] or `once`.
    bonus: str = "each"
    # The `lowest` count wins from all [S5, S9], or `each` opponent is against the knocker alone.
    undercut: str = "lowest"
    # Cards are laid off on the knocker's `original` melds [S5], or `chained` on what others laid off.
    lay_off: str = "original"
    # The upcard is `offered` to each in turn [S5], or `open` to the first player [S6].
    upcard: str = "offered"
    # Only the `last` discard may be taken [S6], or the `last_two`, one of each opponent [S5].
    discards: str = "last"
    # So many cards of the stock are not drawn: 3 [S5], 2 [S10].
    stock_left: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class OnePackKnobs(OwnKnobs):
    """Two games of partners from one pack."""

    KIND: ClassVar[str] = "partners_one_pack"
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {"cards": (10, 7)}
    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {"reshuffles": (0, 9)}

    # Cards for each: 10 [S1] or 7 [S11].
    cards: int = 10
    # How often the piles become a new stock.
    reshuffles: int = 1

    @property
    def has_columns(self) -> bool:
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class RummyKnobs(OwnKnobs):
    """Basic rummy: melds are laid down in the course of play."""

    KIND: ClassVar[str] = "basic_rummy"
    CHOICES: ClassVar[Mapping[str, tuple[str | int, ...]]] = {
        "ace": ("low", "high", "low_or_high"),
        "ace_points": (1, 11, 15),
        "melds": ("any", "one"),
        "lay_off": ("always", "after_meld"),
        "stock": ("turned_over", "shuffled"),
        "blocked": ("dead", "lowest_each", "lowest_once", "lowest_full", "all_lose"),
        "settlement": ("hands", "totals"),
    }
    RANGES: ClassVar[Mapping[str, tuple[int, int]]] = {"turnovers": (0, 9)}

    # Runs with the ace: A-2-3 (`low`), Q-K-A (`high`), or both.
    ace: str = "low"
    # What an ace left in a hand counts: 1, 11 [S15] or 15 [S18].
    ace_points: int = 1
    # Melds laid down in one turn: `any` [S0, S9] or `one` [S12, S18].
    melds: str = "any"
    # Lay-offs: `always` [S9, S12], or only `after_meld` of one's own [variation, S12].
    lay_off: str = "always"
    # The last card must be discarded [S13].
    last_discard: bool = False
    # Who has no card for it floats, and plays on.
    floating: bool = False
    # Going rummy doubles [S0, S9, S12].
    going_rummy_doubles: bool = True
    # The pile becomes the stock as it is `turned_over` [S9, S12, S13], or `shuffled` [S0, S18].
    stock: str = "turned_over"
    # How often: 1 [S0; variation, S12], 0 [S13].
    turnovers: int = 1
    # What a blocked hand counts: `dead` [S0], to the lowest `lowest_each` [S17], `lowest_once` [S14] or
    # `lowest_full`, or `all_lose` what they hold [S13].
    blocked: str = "dead"
    # Each hand is paid to its winner (`hands`) [S9], or each settles the `totals` with each.
    settlement: str = "hands"

    def __post_init__(self) -> None:
        OwnKnobs.__post_init__(self)
        if self.floating and not self.last_discard:
            raise RulesError(
                "conflicting_knobs",
                mark("Nobody floats unless the last card must be discarded."),
                field="rules.basic_rummy.floating",
            )
        if self.ace_points != 1 and self.ace == "low":
            raise RulesError(
                "conflicting_knobs",
                mark("An ace that is low counts 1."),
                field="rules.basic_rummy.ace_points",
            )


OWN_KNOBS: Final[Mapping[str, type[OwnKnobs]]] = {
    knobs.KIND: knobs for knobs in (CutthroatKnobs, CaptainsKnobs, JerseyKnobs, OnePackKnobs, RummyKnobs)
}


def check_int(name: str, value: object, low: int, high: int) -> None:
    """Refuse (`wrong_type`, `out_of_range`) what is no whole number from `low` to `high`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise RulesError("wrong_type", mark("%(name)s is a whole number.", name=name), field=f"rules.{name}")
    if not low <= value <= high:
        raise RulesError(
            "out_of_range",
            mark(
                "%(name)s is from %(low)s to %(high)s, not %(value)s.",
                name=name,
                low=low,
                high=high,
                value=shown(value),
            ),
            field=f"rules.{name}",
        )


def check_switch(name: str, value: object) -> None:
    """Refuse (`wrong_type`) what is neither true nor false."""
    if not isinstance(value, bool):
        raise RulesError("wrong_type", mark("%(name)s is true or false.", name=name), field=f"rules.{name}")


def check_choice(name: str, value: object, values: tuple[str | int, ...]) -> None:
    """Refuse (`wrong_type`, `unknown_value`) what is none of the values."""
    is_right = isinstance(value, type(values[0])) and not isinstance(value, bool)
    if not is_right or value not in values:
        raise RulesError(
            "unknown_value" if is_right else "wrong_type",
            mark("%(name)s is one of: %(values)s.", name=name, values=", ".join(map(str, values))),
            field=f"rules.{name}",
        )
