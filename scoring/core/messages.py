"""Sentences for people as values: a text that is marked for translation, and what is put into it.

A core knows no language. It says `mark("%(card)s is there twice.", card=card)`; the shell shows that with
`scoring.words.messages.translated` in the reader's language, and `str()` gives the English, for logs and
tests. `makemessages` finds a text by the names of the two functions, so it stands in the call as it is.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Self


@dataclass(frozen=True, slots=True)
class Message:
    """A marked text with its parameters, by name; one that is a message itself is translated with it.

    `many` is the text for any `count` but one, empty where nothing is counted.
    """

    text: str
    parameters: Mapping[str, "Value"] = field(default_factory=dict, hash=False)
    many: str = ""
    count: int = 1

    def __str__(self) -> str:
        text = self.many if self.many and self.count != 1 else self.text
        return text % self.parameters if self.parameters else text

    def filled(self, **parameters: "Value") -> Self:
        """The same with those of these parameters that it has."""
        known = {name: value for name, value in parameters.items() if name in self.parameters}
        return replace(self, parameters={**self.parameters, **known}) if known else self


# A core's message, or what a shell has said in the reader's language.
Sentence = Message | str
Value = str | int | Message


def mark(text: str, /, **parameters: "Value") -> Message:
    """The message of that text; a parameter stands in it as `%(name)s`."""
    return Message(text, parameters)


def mark_plural(one: str, many: str, count: int, /, **parameters: "Value") -> Message:
    """The message of either text, by a count, which both may give as `%(count)s`."""
    return Message(one, {"count": count, **parameters}, many, count)


def together(parts: Iterable[Sentence], by: str = " ") -> Message:
    """One message of several, with that sign between them; there is nothing in it to translate."""
    parameters: dict[str, Value] = {f"part{n}": part for n, part in enumerate(parts)}
    return Message(by.join([f"%({name})s" for name in parameters]), parameters)
