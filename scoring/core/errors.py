"""Errors in rules, hands and sheets: exceptions with a stable code.

Callers show `message` next to `field`; programs read `code`. `deal` and `hand` count from 1 and are filled in
by the code that knows them: a hand scored alone has no number, the sheet around it does.
"""

from collections.abc import Iterator
from typing import Final, Self

from scoring.core.messages import Sentence, mark, together

# What is answered where nobody refused anything.
FAULT_SENTENCE: Final = mark(
    "The fault is ours, not yours. What had been saved is saved; try again in a minute."
)
AWAY_SENTENCE: Final = mark("The data cannot be reached just now. Send the same again in a while.")
TOO_LARGE_SENTENCE: Final = mark("The request is too large.")


class CodedError(Exception):
    """A refusal, in any app; `code` is part of the contract, the wording is not.

    `message` is a message of a core, or a shell's text in the reader's language; `field` names the input to
    correct.
    """

    def __init__(self, code: str, message: Sentence, *, field: str | None = None) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.field = field

    def __str__(self) -> str:
        return str(self.placed)

    @property
    def placed(self) -> Sentence:
        """The message with its place in front: “deal 3, hand 1, knocker_deadwood: …”."""
        places = together(self._places(), ", ")
        return together([places, self.message], ": ") if places.parameters else self.message

    def _places(self) -> Iterator[Sentence]:
        if self.field is not None:
            yield self.field


class ScoringError(CodedError):
    """Base class of every refusal in scoring."""

    def __init__(
        self,
        code: str,
        message: Sentence,
        *,
        field: str | None = None,
        deal: int | None = None,
        hand: int | None = None,
    ) -> None:
        super().__init__(code, message, field=field)
        self.deal = deal
        self.hand = hand

    def at(self, *, deal: int | None = None, hand: int | None = None) -> Self:
        """This error with the deal and hand numbers filled in where they are still missing."""
        if self.deal is None:
            self.deal = deal
        if self.hand is None:
            self.hand = hand
        return self

    def _places(self) -> Iterator[Sentence]:
        if self.deal is not None:
            yield mark("deal %(number)s", number=self.deal)
        if self.hand is not None:
            yield mark("hand %(number)s", number=self.hand)
        yield from super()._places()


def shown(value: str | int) -> str:
    """Input as a message may quote it: at most 40 characters, without unprintable or unencodable ones."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else "a number with that many digits"
    text = value if len(value) <= 40 else f"{value[:39]}…"
    return "".join(
        [character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text]
    )


class RulesError(ScoringError):
    """An unknown knob, or a value of the wrong type, out of range or in conflict with another."""


class HandError(ScoringError):
    """A hand that is impossible under the rules that score it."""


class SheetError(ScoringError):
    """An impossible sheet: wrong sides, a player twice, a deal after the end."""


class DocumentError(ScoringError):
    """A JSON document of the wrong shape."""


class RecordingError(ScoringError):
    """A refused write to a stored sheet: stale, not allowed, or a key reused for other content."""
