"""House rules as text for a command line: `preset=standard,columns=3,extra_boxes.gin=1`.

So are the knobs of one kind of game: `preset=jersey,jersey.count=sum`.
"""

import re
from typing import Any, Final

from scoring.core.errors import RulesError, shown
from scoring.core.messages import mark
from scoring.core.own_knobs import OWN_KNOBS
from scoring.core.rules import CHOICES, Rules

_WORDS: Final[dict[str, bool | None]] = {
    "true": True,
    "yes": True,
    "on": True,
    "false": False,
    "no": False,
    "off": False,
    "null": None,
    "none": None,
}
# Values of knobs that are spelt like a switch.
_SPELT: Final = {knob: _WORDS.keys() & set(values) for knob, values in CHOICES.items()}
# Knobs whose value is an object: its own knobs are named after a dot.
_OBJECTS: Final = ("extra_boxes", *OWN_KNOBS)


def rules_from_text(text: str) -> Rules:
    """The rules named by the text.

    Refuses with `RulesError` a part without `=`, a knob given twice, and whatever `Rules` refuses.
    """
    knobs: dict[str, Any] = {}
    objects: dict[str, dict[str, Any]] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not name or not value:
            raise RulesError(
                "wrong_type",
                mark("“%(part)s” is not a knob with a value, as in columns=3.", part=shown(part)),
                field="rules",
            )
        outer, dot, inner = name.partition(".")
        is_inner = dot and outer in _OBJECTS
        goes_to, key = (objects.setdefault(outer, {}), inner) if is_inner else (knobs, name)
        if key in goes_to:
            raise RulesError(
                "conflicting_knobs",
                mark("“%(name)s” is given twice.", name=shown(name)),
                field=f"rules.{name}",
            )
        goes_to[key] = _value(name, value)
    return Rules.from_document(knobs | objects)


def _value(name: str, text: str) -> Any:
    if re.fullmatch(r"[0-9]{1,9}", text):
        return int(text)
    if text not in _SPELT.get(name, ()) and text.lower() in _WORDS:
        return _WORDS[text.lower()]
    return text
