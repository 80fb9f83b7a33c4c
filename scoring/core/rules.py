"""House rules: a set of independent knobs, each with a sentence on its effect and the school that plays it.

`Rules` holds every knob (RULES §9); a preset is a name for some of their values. Stored rules are stored
whole, never as a preset with differences. The tags [S0]…[S4] name the source of a value.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Final, Self

from scoring.core.errors import RulesError, shown
from scoring.core.messages import mark
from scoring.core.own_knobs import OWN_KNOBS, OwnKnobs, check_choice, check_int, check_switch


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraBoxes:
    """Boxes beyond a hand's own, by how it was won: 0 to 10 each, all 0 by default."""

    gin: int = 0
    big_gin: int = 0
    undercut: int = 0
    gin_off: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Every knob of the house rules. The defaults are the preset `standard` [S1].

    Refuses with `RulesError`, naming the knob: `unknown_knob`, `wrong_type`, `out_of_range`,
    `unknown_value`, `conflicting_knobs`.
    """

    # The game that is played (RULES §8), by its key; `own` has the knobs that only this kind has.
    kind: str = "gin"
    # The most deadwood a player may knock with; 0 is gin only [S0].
    knock_limit: int = 10
    # Whether Q-K-A is a run too: `low` [S0-S3] or `low_or_high` [S4]; an ace counts 1 either way.
    ace: str = "low"
    # The upcard lowers the knock limit: `off`, `ace_is_one` [S2], `ace_is_gin` [S0, S1].
    oklahoma: str = "off"
    # A hand whose upcard is a spade counts double [S1, S3].
    spades_double: bool = False
    gin_bonus: int = 25
    # None where big gin is not played; 0 where it is played without a bonus.
    big_gin_bonus: int | None = 31
    undercut_bonus: int = 25
    # Equal deadwood is an undercut; off, such a hand is dead.
    undercut_on_tie: bool = True
    extra_boxes: ExtraBoxes = field(default_factory=ExtraBoxes)
    # Extra boxes for a team that wins every hand of a deal.
    sweep_boxes: int = 0
    # What a spade doubles of the boxes: `none`, `extra` (the extra boxes), `all` (the hand's box too).
    spades_double_boxes: str = "none"
    # A knock with nothing left but without saying gin: `knock` [S1] or scored as `gin`.
    zero_knock: str = "knock"
    # What of an undercut is taken off the knocker, not won: `none`, the `bonus` [S5], or `all` of it [S2].
    undercut_penalty: str = "none"
    # The sheet ends after so many deals [S0, S12]; None: at the target.
    deals: int | None = None
    target: int = 100
    team_target: int = 125
    box_bonus: int = 25
    # Boxes count towards the target `at_end` (not at all) or `at_once`, as they are won.
    box_credit: str = "at_end"
    game_bonus: int = 100
    # What a shutout adds: `none`, `double_game_bonus` [S1, S4], `double_points`, `double_total` [S3], `flat`.
    shutout: str = "double_game_bonus"
    shutout_amount: int = 100
    # The difference doubles where the loser has no box in the game [S4].
    double_if_loser_boxless: bool = False
    # Games on one sheet: 1 is an ordinary game, 3 is Hollywood.
    columns: int = 1
    # The result of the last column counts twice.
    last_column_double: bool = False
    # A team's line: the `net` of the deal's hands or the `sum` of what its own winners made.
    team_scoring: str = "net"
    # A pack at each table, or one `shared` among four [S1].
    packs: str = "per_table"
    # Which cut chooses the first dealer: `high` or `low`.
    first_dealer: str = "high"
    # Who deals next: the hand's `loser` [S1], its `winner`, or the two `alternate` [S3].
    next_dealer: str = "loser"
    # The 21st card is turned up, or goes to the non-dealer: `upcard` or `elder_eleven` [S3].
    deal: str = "upcard"
    # May the card taken from the pile be discarded at once: `never`, `always`, `fiftieth_card` [S3].
    discard_taken_card: str = "never"
    # When the stock runs out: `two_left` [S2, S4] or `fiftieth_card` [S0].
    stock_end: str = "two_left"
    own: OwnKnobs | None = None

    def __post_init__(self) -> None:
        for name, (low, high) in RANGES.items():
            if name not in OPTIONAL or getattr(self, name) is not None:
                check_int(name, getattr(self, name), low, high)
        for name in SWITCHES:
            check_switch(name, getattr(self, name))
        for name, values in CHOICES.items():
            check_choice(name, getattr(self, name), values)
        if not isinstance(self.extra_boxes, ExtraBoxes):
            raise RulesError(
                "wrong_type", mark("extra_boxes is an object of counts."), field="rules.extra_boxes"
            )
        for kind in EXTRA_BOX_KINDS:
            check_int(f"extra_boxes.{kind}", getattr(self.extra_boxes, kind), 0, 10)
        if self.deal == "elder_eleven" and (self.oklahoma != "off" or self.spades_double):
            knob = "oklahoma" if self.oklahoma != "off" else "spades_double"
            raise RulesError(
                "conflicting_knobs",
                mark("With deal elder_eleven there is no upcard, so %(knob)s cannot be played.", knob=knob),
                field=f"rules.{knob}",
            )
        own = OWN_KNOBS.get(self.kind)
        if self.own is None and own is not None:
            object.__setattr__(self, "own", own())
        elif self.own is not None and type(self.own) is not own:
            raise RulesError(
                "conflicting_knobs",
                mark("These are knobs of another kind of game."),
                field=f"rules.{self.own.KIND}",
            )
        if self.columns > 1 and self.deals is not None:
            message = mark("A sheet that ends after a number of deals has one game.")
            raise RulesError("conflicting_knobs", message, field="rules.columns")
        if self.columns > 1 and self.own is not None and not self.own.has_columns:
            message = mark("Sheets of this kind of game have one game.")
            raise RulesError("conflicting_knobs", message, field="rules.columns")

    @classmethod
    def preset(cls, name: str, /, **overrides: Any) -> Self:
        """The rules of a preset (RULES §9) with some knobs changed.

        `extra_boxes` (a mapping or ExtraBoxes) and the knobs of the kind, under its name, are merged key by
        key; a `target` without a `team_target` applies to teams too.
        """
        if not isinstance(name, str):
            raise RulesError("wrong_type", mark("A preset is named as text."), field="rules.preset")
        if name not in PRESETS:
            raise RulesError(
                "unknown_preset",
                mark(
                    "There is no preset “%(name)s”; there are: %(presets)s.",
                    name=shown(name),
                    presets=", ".join(PRESETS),
                ),
                field="rules.preset",
            )
        kind = overrides.get("kind", PRESETS[name].get("kind", "gin"))
        own = OWN_KNOBS.get(kind) if isinstance(kind, str) else None
        for knob in overrides:
            if knob not in KNOBS and (own is None or knob != own.KIND):
                raise RulesError(
                    "unknown_knob",
                    mark("“%(knob)s” is not a knob of the house rules.", knob=shown(knob)),
                    field=f"rules.{shown(knob)}",
                )
        knobs = {**PRESETS[name], **overrides}
        if "target" in overrides and "team_target" not in overrides:
            knobs["team_target"] = overrides["target"]
        if "extra_boxes" in overrides:
            knobs["extra_boxes"] = _extra_boxes(overrides["extra_boxes"])
        given = {knob: knobs.pop(knob) for knob in OWN_KNOBS if knob in knobs}
        if own is not None and own.KIND in given:
            of_preset = PRESETS[name].get(own.KIND, {})
            said = given[own.KIND]
            knobs["own"] = own.from_document({**of_preset, **said} if isinstance(said, Mapping) else said)
        return cls(**knobs)

    @classmethod
    def from_document(cls, document: object) -> Self:
        """Rules from JSON: a preset (standard if none is named) with the given knobs replaced."""
        if not isinstance(document, Mapping):
            raise RulesError("wrong_type", mark("The rules are an object of knobs."), field="rules")
        overrides = dict(document)
        return cls.preset(overrides.pop("preset", "standard"), **overrides)

    def to_document(self) -> dict[str, Any]:
        """Every knob with its value, as JSON; `from_document` reads it back to equal rules."""
        document = {knob: getattr(self, knob) for knob in KNOBS} | {"extra_boxes": asdict(self.extra_boxes)}
        if self.own is not None:
            document[self.own.KIND] = self.own.to_document()
        return document

    def for_team_size(self, size: int) -> Self:
        """These rules with `target` set to the target for sides of this size."""
        if size == 1 or self.target == self.team_target:
            return self
        return replace(self, target=self.team_target)


EXTRA_BOX_KINDS: Final = ("gin", "big_gin", "undercut", "gin_off")

# The kinds of game; `scoring.core.kinds` has an object for each.
KINDS: Final = ("gin", "cutthroat", "captains", "jersey", "partners_one_pack", "basic_rummy")

CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "kind": KINDS,
    "undercut_penalty": ("none", "bonus", "all"),
    "ace": ("low", "low_or_high"),
    "oklahoma": ("off", "ace_is_one", "ace_is_gin"),
    "spades_double_boxes": ("none", "extra", "all"),
    "zero_knock": ("knock", "gin"),
    "box_credit": ("at_end", "at_once"),
    "shutout": ("none", "double_game_bonus", "double_points", "double_total", "flat"),
    "team_scoring": ("net", "sum"),
    "packs": ("per_table", "shared"),
    "first_dealer": ("high", "low"),
    "next_dealer": ("loser", "winner", "alternate"),
    "deal": ("upcard", "elder_eleven"),
    "discard_taken_card": ("never", "always", "fiftieth_card"),
    "stock_end": ("two_left", "fiftieth_card"),
}

RANGES: Final = {
    "deals": (1, 500),
    "knock_limit": (0, 98),
    "big_gin_bonus": (0, 1000),
    "gin_bonus": (0, 1000),
    "undercut_bonus": (0, 1000),
    "sweep_boxes": (0, 10),
    "target": (1, 10_000),
    "team_target": (1, 10_000),
    "box_bonus": (0, 1000),
    "game_bonus": (0, 1000),
    "shutout_amount": (0, 1000),
    "columns": (1, 12),
}

# Numbers that may be absent.
OPTIONAL: Final = frozenset({"big_gin_bonus", "deals"})

SWITCHES: Final = ("spades_double", "undercut_on_tie", "double_if_loser_boxless", "last_column_double")

KNOBS: Final = tuple(knob.name for knob in fields(Rules) if knob.name != "own")

PRESETS: Final[dict[str, dict[str, Any]]] = {
    "standard": {},
    "tournament": {
        "big_gin_bonus": None,
        "zero_knock": "gin",
        "next_dealer": "alternate",
        "stock_end": "fiftieth_card",
    },
    "online": {
        "big_gin_bonus": None,
        "game_bonus": 0,
        "box_bonus": 0,
        "shutout": "none",
        "zero_knock": "gin",
        "next_dealer": "alternate",
    },
    "classic": {
        "big_gin_bonus": None,
        "shutout": "double_total",
        "zero_knock": "gin",
        "next_dealer": "alternate",
    },
    "continental": {
        "ace": "low_or_high",
        "gin_bonus": 20,
        "big_gin_bonus": None,
        "undercut_bonus": 10,
        "box_bonus": 20,
        "double_if_loser_boxless": True,
        "zero_knock": "gin",
    },
    "gin_only": {"knock_limit": 0},
    "oklahoma": {"oklahoma": "ace_is_gin", "spades_double": True},
    "cutthroat": {"kind": "cutthroat"},
    "captains": {"kind": "captains"},
    "jersey": {"kind": "jersey", "target": 200},
    "battle_royal": {
        "kind": "jersey",
        "target": 200,
        "gin_bonus": 20,
        "big_gin_bonus": None,
        "undercut_bonus": 20,
        "undercut_penalty": "bonus",
        "jersey": {"count": "sum", "discards": "last_two"},
    },
    "partners_one_pack": {"kind": "partners_one_pack", "packs": "shared"},
    "basic_rummy": {"kind": "basic_rummy"},
}


def _extra_boxes(value: object) -> ExtraBoxes:
    if isinstance(value, ExtraBoxes):
        return value
    if not isinstance(value, Mapping):
        raise RulesError("wrong_type", mark("extra_boxes is an object of counts."), field="rules.extra_boxes")
    for kind in value:
        if kind not in EXTRA_BOX_KINDS:
            raise RulesError(
                "unknown_knob",
                mark(
                    "extra_boxes has %(kinds)s; not “%(kind)s”.",
                    kinds=", ".join(EXTRA_BOX_KINDS),
                    kind=shown(kind),
                ),
                field=f"rules.extra_boxes.{shown(kind)}",
            )
    return ExtraBoxes(**value)
