"""Form fields for the knobs of the house rules."""

from collections.abc import Mapping
from typing import Any

from django import forms

from scoring.core.rules import CHOICES, EXTRA_BOX_KINDS, RANGES, SWITCHES, ExtraBoxes, Rules
from scoring.words.knobs import KNOBS


def knob_fields() -> dict[str, forms.Field]:
    """Return a form field for every knob, in order of groups."""
    return {knob: _field(knob) for knob in KNOBS}


def rules_from(data: Mapping[str, Any]) -> Rules:
    """Return the rules in a valid form; raises `RulesError` for knobs that clash."""
    knobs = {knob: data[knob] for knob in KNOBS if knob in data}
    extra = ExtraBoxes(**{kind: knobs.pop(f"extra_boxes_{kind}") for kind in EXTRA_BOX_KINDS})
    return Rules(**knobs, extra_boxes=extra)


def _field(knob: str) -> forms.Field:
    label, help_text = KNOBS[knob].title, KNOBS[knob].help_text
    if knob in CHOICES:
        choices = [(value, KNOBS[knob].choices[value]) for value in CHOICES[knob]]
        return forms.ChoiceField(label=label, help_text=help_text, choices=choices)
    if knob in SWITCHES:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    low, high = RANGES.get(knob, (0, 10) if knob.startswith("extra_boxes_") else (0, 1000))
    return forms.IntegerField(
        label=label,
        help_text=help_text,
        min_value=low,
        max_value=high,
        required=knob != "big_gin_bonus",
    )
