"""What JSON is made of here: objects with known fields, names, whole numbers; refused where it is not."""

from collections.abc import Mapping
from typing import Any, Final
from unicodedata import category

from scoring.core.errors import DocumentError, HandError, SheetError, shown

LONGEST_NAME: Final = 80

# Control characters, halves of a surrogate pair, and separators of lines and paragraphs.
_NOT_IN_NAMES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def json_object(value: object, field: str, message: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DocumentError("wrong_type", message, field=field or None)
    return value


def only(document: Mapping[str, Any], known: frozenset[str], kind: str = "", *, field: str = "") -> None:
    for name in document:
        if name not in known:
            where = f" in a hand of kind {kind}" if kind else ""
            raise DocumentError(
                "unknown_field",
                f"“{shown(name)}” has no meaning{where}; there are: {', '.join(sorted(known))}.",
                field=f"{field}.{shown(name)}" if field else shown(name),
            )


def integer(document: Mapping[str, Any], field: str, most: int | None, *, least: int = 0) -> int:
    value = document.get(field)
    if type(value) is int:
        if least <= value and (most is None or value <= most):
            return value
        bounds = f"{least} or more" if most is None else f"from {least} to {most}"
        raise HandError("out_of_range", f"{field} is {bounds}, not {shown(value)}.", field=field)
    if value is None:
        raise HandError("missing_field", f"{field} is missing.", field=field)
    raise HandError("wrong_type", f"{field} is a whole number.", field=field)


def name_of(value: object, field: str) -> str:
    if value is None:
        raise SheetError("missing_field", "A name is missing.", field=field)
    if not isinstance(value, str):
        raise SheetError("wrong_type", "A name is text.", field=field)
    if not value.strip():
        raise SheetError("missing_field", "A name is empty.", field=field)
    if len(value) > LONGEST_NAME:
        raise SheetError("too_long", f"A name has at most {LONGEST_NAME} characters.", field=field)
    # Spaces and joiners of any script may be in a name; what ends a line or cannot be stored may not.
    if not value.isprintable() and any(category(character) in _NOT_IN_NAMES for character in value):
        raise SheetError("wrong_name", "A name has a character that cannot be printed.", field=field)
    return value
