"""What can be wrong with a rule, a hand or a sheet, as one exception with a stable code.

A caller shows `message` beside `field`; programs read `code`. `deal` and `hand` count from 1 and are
filled in by whoever knows them: a hand scored alone has no number, the sheet around it has.
"""

from collections.abc import Iterator
from typing import Self

from scoring.core.messages import Sentence, mark, together


class CodedError(Exception):
    """Something that is not taken, in any app; `code` is contract, the sentence is not.

    `message` is a core's message, or what a shell said in the reader's language; `field` is what to mend.
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
        """The sentence behind where it is: “deal 3, hand 1, knocker_deadwood: …”."""
        places = together(self._places(), ", ")
        return together([places, self.message], ": ") if places.parameters else self.message

    def _places(self) -> Iterator[Sentence]:
        if self.field is not None:
            yield self.field


class ScoringError(CodedError):
    """Base of every refusal in scoring."""

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
        """The same error, placed: fills the numbers that are still unknown."""
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
    """What was sent, as a message may repeat it: short, and without what cannot be printed or encoded."""
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else "a number with that many digits"
    text = value if len(value) <= 40 else f"{value[:39]}…"
    return "".join(
        [character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text]
    )


class RulesError(ScoringError):
    """A knob that is unknown, of the wrong type, out of range, or at odds with another."""


class HandError(ScoringError):
    """A hand that cannot have happened under the rules it is scored by."""


class SheetError(ScoringError):
    """A sheet that cannot be: wrong sides, a player twice, a deal after the end."""


class DocumentError(ScoringError):
    """A JSON document that is not of the shape asked for."""


class RecordingError(ScoringError):
    """A write to a kept sheet that is not taken: stale, not allowed, answered already with other content."""
