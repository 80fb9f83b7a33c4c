"""Messages as values: a text marked for translation, and its parameters.

The cores know no language. They say `mark("%(card)s is there twice.", card=card)`; the shell translates with
`scoring.words.messages.translated`, and `str()` gives the English, for logs and tests. `makemessages` finds
texts by the names of these two functions, so a text stands literally in the call.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Message:
    """A marked text with its parameters by name; a parameter that is a message is translated too.

    `many` is the plural text, empty where nothing is counted.
    """

    text: str
    parameters: Mapping[str, "Value"] = field(default_factory=dict, hash=False)
    many: str = ""
    count: int = 1

    def __str__(self) -> str:
        text = self.many if self.many and self.count != 1 else self.text
        return text % self.parameters if self.parameters else text

    def filled(self, **parameters: "Value") -> Self:
        """The same message with new values for those of the parameters it has."""
        known = {name: value for name, value in parameters.items() if name in self.parameters}
        return replace(self, parameters={**self.parameters, **known}) if known else self

    def to_document(self) -> dict[str, Any]:
        """The message as JSON."""
        values = {name: sentence_document(value) for name, value in self.parameters.items()}
        counted = {"many": self.many, "count": self.count} if self.many else {}
        return {"says": self.text, "with": values, **counted}


# A message of a core, or a shell's text in the reader's language.
Sentence = Message | str
Value = str | int | Message


def mark(text: str, /, **parameters: "Value") -> Message:
    """The message of a text; `%(name)s` in it stands for a parameter."""
    return Message(text, parameters)


def mark_plural(one: str, many: str, count: int, /, **parameters: "Value") -> Message:
    """The message of the singular or plural text; both may contain `%(count)s`."""
    return Message(one, {"count": count, **parameters}, many, count)


def sentence_document(sentence: "Sentence | int") -> Any:
    """The sentence as JSON, for `read_sentence`."""
    return sentence.to_document() if isinstance(sentence, Message) else sentence


def read_sentence(document: Any) -> "Sentence":
    """The sentence of a JSON value: a message from `sentence_document`, a text as it is.

    `ValueError` if it is neither.
    """
    match document:
        case str(text):
            return text
        case {"says": str(text), "with": dict(given), **counted}:
            parameters = {
                str(name): value if isinstance(value, int) else read_sentence(value)
                for name, value in given.items()
            }
            many, count = counted.get("many", ""), counted.get("count", 1)
            if isinstance(many, str) and isinstance(count, int):
                message = Message(text, parameters, many, count)
                with suppress(LookupError, TypeError, ValueError):
                    str(message)
                    return message
    raise ValueError("That is no message.")


def together(parts: Iterable[Sentence], by: str = " ") -> Message:
    """Several messages joined by `by`, which is not translated."""
    parameters: dict[str, Value] = {f"part{n}": part for n, part in enumerate(parts)}
    return Message(by.join([f"%({name})s" for name in parameters]), parameters)
