"""Differences between two sets of house rules, knob by knob, and the preset nearest to some rules."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Final

from scoring.core.rules import EXTRA_BOX_KINDS, KNOBS, PRESETS, Rules

KnobValue = int | str | bool | None

# Every knob with a single value: each kind of extra boxes is a knob of its own.
SINGLE_KNOBS: Final = tuple(
    single
    for knob in KNOBS
    for single in ([f"extra_boxes_{kind}" for kind in EXTRA_BOX_KINDS] if knob == "extra_boxes" else [knob])
)


@dataclass(frozen=True, slots=True)
class KnobChange:
    """A knob of `SINGLE_KNOBS` whose value changed."""

    knob: str
    before: KnobValue
    after: KnobValue


def single_knobs(rules: Rules) -> dict[str, KnobValue]:
    """The value of every knob of `SINGLE_KNOBS`, in that order."""
    extra = asdict(rules.extra_boxes)
    values: dict[str, KnobValue] = {}
    for knob in KNOBS:
        if knob == "extra_boxes":
            values |= {f"extra_boxes_{kind}": extra[kind] for kind in EXTRA_BOX_KINDS}
        else:
            values[knob] = getattr(rules, knob)
    return values


def differences(before: Rules, after: Rules) -> tuple[KnobChange, ...]:
    """The knobs that change from `before` to `after`; empty between equal rules."""
    return tuple(_differences(single_knobs(before), single_knobs(after)))


def nearest_preset(rules: Rules) -> str:
    """The preset with the fewest different knobs; ties go to the first in `PRESETS`."""
    return min(PRESETS, key=lambda name: len(differences(Rules.preset(name), rules)))


def _differences(before: dict[str, KnobValue], after: dict[str, KnobValue]) -> Iterator[KnobChange]:
    for knob, value in after.items():
        if value != before[knob]:
            yield KnobChange(knob, before[knob], value)
