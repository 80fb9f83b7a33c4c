"""Differences between two sets of house rules, knob by knob, and the preset nearest to some rules."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Final

from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import EXTRA_BOX_KINDS, KNOBS, PRESETS, Rules

KnobValue = int | str | bool | None

# The knobs that only one kind of game has, by the kind; each is called by both: `jersey_count`.
OWN_SINGLE_KNOBS: Final = {
    kind: tuple(f"{kind}_{knob.name}" for knob in fields(own)) for kind, own in OWN_KNOBS.items()
}
# Every knob with a single value: each kind of extra boxes is a knob of its own.
SINGLE_KNOBS: Final = (
    *(
        single
        for knob in KNOBS
        for single in (
            [f"extra_boxes_{kind}" for kind in EXTRA_BOX_KINDS] if knob == "extra_boxes" else [knob]
        )
    ),
    *(single for singles in OWN_SINGLE_KNOBS.values() for single in singles),
)


@dataclass(frozen=True, slots=True)
class KnobChange:
    """A knob of `SINGLE_KNOBS` whose value changed; None where the kind of game has no such knob."""

    knob: str
    before: KnobValue
    after: KnobValue


def single_knobs(rules: Rules) -> dict[str, KnobValue]:
    """The value of every knob of `SINGLE_KNOBS` that the kind of game has, in that order."""
    extra = asdict(rules.extra_boxes)
    values: dict[str, KnobValue] = {}
    for knob in KNOBS:
        if knob == "extra_boxes":
            values |= {f"extra_boxes_{kind}": extra[kind] for kind in EXTRA_BOX_KINDS}
        else:
            values[knob] = getattr(rules, knob)
    if rules.own is not None:
        values |= {f"{rules.kind}_{knob}": value for knob, value in rules.own.to_document().items()}
    return values


def differences(before: Rules, after: Rules) -> tuple[KnobChange, ...]:
    """The knobs that change from `before` to `after`; empty between equal rules."""
    return tuple(_differences(single_knobs(before), single_knobs(after)))


def nearest_preset(rules: Rules) -> str:
    """The preset of the same kind with the fewest different knobs; ties go to the first in `PRESETS`."""
    of_kind = [name for name, knobs in PRESETS.items() if knobs.get("kind", "gin") == rules.kind]
    return min(of_kind, key=lambda name: len(differences(Rules.preset(name), rules)))


def _differences(before: dict[str, KnobValue], after: dict[str, KnobValue]) -> Iterator[KnobChange]:
    for knob in SINGLE_KNOBS:
        if before.get(knob) != after.get(knob):
            yield KnobChange(knob, before.get(knob), after.get(knob))
