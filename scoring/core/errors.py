"""What can be wrong with a rule, a hand or a sheet, as one exception with a stable code.

A caller shows `message` beside `field`; programs read `code`. `deal` and `hand` count from 1 and are
filled in by whoever knows them: a hand scored alone has no number, the sheet around it has.
"""

from typing import Self


class ScoringError(Exception):
    """Base of every refusal in scoring; `code` is contract, the sentence is not."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        field: str | None = None,
        deal: int | None = None,
        hand: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.field = field
        self.deal = deal
        self.hand = hand

    def at(self, *, deal: int | None = None, hand: int | None = None) -> Self:
        """The same error, placed: fills the numbers that are still unknown."""
        if self.deal is None:
            self.deal = deal
        if self.hand is None:
            self.hand = hand
        return self

    @property
    def place(self) -> str:
        """Where it is, for a person: "deal 3, hand 1, knocker_deadwood" or ""."""
        parts = []
        if self.deal is not None:
            parts.append(f"deal {self.deal}")
        if self.hand is not None:
            parts.append(f"hand {self.hand}")
        if self.field is not None:
            parts.append(self.field)
        return ", ".join(parts)

    def __str__(self) -> str:
        return f"{self.place}: {self.message}" if self.place else self.message


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
