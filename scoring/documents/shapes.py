"""Checks for JSON: objects with known fields, names, integers."""

from collections.abc import Mapping
from typing import Any, Final

from scoring.core.errors import DocumentError, HandError, SheetError, shown
from scoring.core.messages import Sentence, Value, mark
from scoring.core.plain_text import is_plain

LONGEST_NAME: Final = 80


def json_object(value: object, field: str, message: Sentence) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise DocumentError("wrong_type", message, field=field or None)
    return value


def only(document: Mapping[str, Any], known: frozenset[str], kind: str = "", *, field: str = "") -> None:
    for name in document:
        if name not in known:
            named: dict[str, Value] = {"name": shown(name), "known": ", ".join(sorted(known))}
            message = mark("“%(name)s” has no meaning; there are: %(known)s.", **named)
            if not known:
                message = mark("“%(name)s” has no meaning here.", name=shown(name))
            elif kind:
                message = mark(
                    "“%(name)s” has no meaning in a hand of kind %(kind)s; there are: %(known)s.",
                    kind=kind,
                    **named,
                )
            raise DocumentError(
                "unknown_field",
                message,
                field=f"{field}.{shown(name)}" if field else shown(name),
            )


def integer(document: Mapping[str, Any], field: str, most: int | None, *, least: int = 0) -> int:
    value = document.get(field)
    if type(value) is int:
        if least <= value and (most is None or value <= most):
            return value
        said: dict[str, Value] = {"field": field, "least": least, "value": shown(value)}
        message = mark("%(field)s is %(least)s or more, not %(value)s.", **said)
        if most is not None:
            message = mark("%(field)s is from %(least)s to %(most)s, not %(value)s.", most=most, **said)
        raise HandError("out_of_range", message, field=field)
    if value is None:
        raise HandError("missing_field", mark("%(field)s is missing.", field=field), field=field)
    raise HandError("wrong_type", mark("%(field)s is a whole number.", field=field), field=field)


def name_of(value: object, field: str) -> str:
    if value is None:
        raise SheetError("missing_field", mark("A name is missing."), field=field)
    if not isinstance(value, str):
        raise SheetError("wrong_type", mark("A name is text."), field=field)
    if not value.strip():
        raise SheetError("missing_field", mark("A name is empty."), field=field)
    if len(value) > LONGEST_NAME:
        raise SheetError(
            "too_long",
            mark("A name has at most %(most)s characters.", most=LONGEST_NAME),
            field=field,
        )
    if not is_plain(value):
        raise SheetError("wrong_name", mark("A name has a character that cannot be seen."), field=field)
    return value
