"""Why the pairing made a match: sentences, and sentences about an entry, which is named when they are read.

Stored as a list. A text names nobody; `{"says": sentence, "entry": id}` has `%(entry)s` where the entry is
named; `{"said": text}` was written with names before these were kept apart.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Because = str | Mapping[str, Any]


def because(sentence: str, entry: int) -> Because:
    """A reason that is about the entry of this id; its sentence has `%(entry)s`."""
    return {"says": sentence, "entry": entry}


def reason_words(
    reasons: Iterable[Because], called: Mapping[int, str], text: Callable[[str], str]
) -> list[str]:
    """The reasons in words: entries by their ids as they are called, and `text` for what has names in it."""
    words = []
    for reason in reasons:
        if isinstance(reason, str):
            words.append(reason)
        elif "said" in reason:
            words.append(text(reason["said"]))
        else:
            words.append(reason["says"] % {"entry": called.get(reason["entry"], "–")})
    return words
