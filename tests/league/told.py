"""What a note of the audit says, with the names that were written in it."""

from typing import Any

from scoring.core.mentions import told


def as_written(facts: Any) -> Any:
    """The facts with the written name wherever somebody is mentioned; a match as "A v B"."""
    return _matches(told(facts, lambda _key, name: name))


def _matches(facts: Any) -> Any:
    if isinstance(facts, dict) and facts.keys() == {"sides"}:
        return " v ".join(" + ".join(side) for side in facts["sides"])
    if isinstance(facts, dict):
        return {name: _matches(each) for name, each in facts.items()}
    return [_matches(each) for each in facts] if isinstance(facts, list) else facts
