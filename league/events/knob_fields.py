"""Form fields for the knobs of the house rules."""

from collections.abc import Mapping
from typing import Any, Final

from django import forms

from scoring.core.rules import CHOICES, EXTRA_BOX_KINDS, OPTIONAL, RANGES, SWITCHES, ExtraBoxes, Rules
from scoring.words.knobs import KNOBS, groups_of

# Each group's title and its knobs, as forms offer them: those of the game whose sheets are kept.
OFFERED: Final = tuple(
    (title, tuple(knob for knob in knobs if knob != "kind")) for title, knobs in groups_of(Rules())
)
_OFFERED_KNOBS: Final = tuple(knob for _title, knobs in OFFERED for knob in knobs)


def knob_fields() -> dict[str, forms.Field]:
    """Return a form field for every knob that is offered, in order of groups."""
    return {knob: _field(knob) for knob in _OFFERED_KNOBS}


def rules_from(data: Mapping[str, Any]) -> Rules:
    """Return the rules in a valid form; raises `RulesError` for knobs that clash."""
    knobs = {knob: data[knob] for knob in _OFFERED_KNOBS if knob in data}
    extra = ExtraBoxes(**{kind: knobs.pop(f"extra_boxes_{kind}") for kind in EXTRA_BOX_KINDS})
    return Rules(**knobs, extra_boxes=extra)


def _field(knob: str) -> forms.Field:
    label, help_text = KNOBS[knob].title, KNOBS[knob].help_text
    if knob in CHOICES:
        choices = [(value, KNOBS[knob].choices[value]) for value in CHOICES[knob]]
        return forms.ChoiceField(label=label, help_text=help_text, choices=choices)
    if knob in SWITCHES:
        return forms.BooleanField(label=label, help_text=help_text, required=False)
    # Beside the numbers of `RANGES` there are only the extra boxes.
    low, high = RANGES.get(knob, (0, 10))
    return forms.IntegerField(
        label=label, help_text=help_text, min_value=low, max_value=high, required=knob not in OPTIONAL
    )
