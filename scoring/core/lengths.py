"""How long one sheet is where that is not as its house rules say: to another target, or of other games.

It is chosen with the knobs that say so of these rules, and with no others: the number of deals, where that
ends a sheet; else the target, and the number of games.
"""

from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from scoring.core.errors import RulesError
from scoring.core.messages import mark
from scoring.core.rules import RANGES, Rules

# From this target on others are told in steps of so many points, below it in smaller ones.
_FINE_BELOW: Final = 100
_STEP: Final = 25
_FINE_STEP: Final = 5
_USUAL_DEALS: Final = (1, 5, 10, 20)
_HOLLYWOOD: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Length:
    """The length of a sheet; what is None is as the house rules say."""

    target: int | None = None
    columns: int | None = None
    deals: int | None = None

    def __str__(self) -> str:
        """In short: “50”, “3x150”, “3x” to the usual target, “8d” for deals; empty as the rules say."""
        games = "" if self.columns is None else f"{self.columns}x"
        deals = "" if self.deals is None else f"{self.deals}d"
        return games + ("" if self.target is None else str(self.target)) + deals

    def to_document(self) -> dict[str, int]:
        """What is chosen, as JSON."""
        return {knob: value for knob, value in asdict(self).items() if value is not None}

    def beside(self, rules: Rules, size: int) -> "Length":
        """What of this the rules do not say themselves, for sides of this size; refuses as `of`."""
        own = length_of(rules, size).to_document()
        chosen = {knob: value for knob, value in self.to_document().items() if own.get(knob) != value}
        for knob in chosen:
            if (knob == "deals") == (rules.deals is None):
                message = (
                    mark("By these rules a sheet ends at its target, not after a number of deals.")
                    if knob == "deals"
                    else mark("By these rules a sheet ends after a number of deals, not at a target.")
                )
                raise RulesError("conflicting_knobs", message, field="length")
        return Length(**chosen)

    def of(self, rules: Rules, size: int) -> Rules:
        """The rules for a sheet of this length between sides of this size: themselves, if they say the same.

        Refused, naming the `length`: a number of deals where a target ends the sheet, and the other way
        round, or several games where there is one (`conflicting_knobs`); a number beyond those that house
        rules have (`out_of_range`, `wrong_type`).
        """
        knobs: dict[str, Any] = self.beside(rules, size).to_document()
        if "target" in knobs:
            knobs["team_target"] = knobs["target"]
        try:
            return replace(rules, **knobs)
        except RulesError as refusal:
            raise RulesError(refusal.code, refusal.message, field="length") from None


AS_RULES_SAY: Final = Length()


def length_of(rules: Rules, size: int) -> Length:
    """How long the rules say that a sheet of sides of this size is."""
    if rules.deals is not None:
        return Length(deals=rules.deals)
    return Length(target=rules.for_team_size(size).target, columns=rules.columns)


def usual_lengths(rules: Rules, size: int) -> list[Length]:
    """A few lengths to choose from by these rules, short ones first, that which they say among them.

    Those are one game, or three where a sheet may have several, to the target, to half of it and to half as
    much again; or a few numbers of deals.
    """
    own = length_of(rules, size)
    if own.target is None:
        return [Length(deals=deals) for deals in sorted({*_USUAL_DEALS, own.deals or 1})]
    step = _STEP if own.target >= _FINE_BELOW else _FINE_STEP
    others = [round(own.target * share / step) * step for share in (0.5, 1.5)]
    targets = sorted({own.target, *[each for each in others if 0 < each <= RANGES["target"][1]]})
    games = (1, _HOLLYWOOD) if rules.own is None or rules.own.has_columns else (1,)
    every = [Length(target=target, columns=columns) for columns in games for target in targets]
    return every if own in every else [*every, own]
