"""Reasons for a pairing: sentences, some about an entry, which is named when they are displayed.

Stored as a JSON list. Plain text names nobody; `{"says": sentence, "entry": id}` has the placeholder
`%(entry)s`; `{"said": text}` is older text with names written in.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

Because = str | Mapping[str, Any]


def because(sentence: str, entry: int) -> Because:
    """Return a reason about the entry with this id; the sentence contains `%(entry)s`."""
    return {"says": sentence, "entry": entry}


def reason_words(
    reasons: Iterable[Because], called: Mapping[int, str], text: Callable[[str], str]
) -> list[str]:
    """Return the reasons as text: entries named by `called`, older texts passed through `text`."""
    words = []
    for reason in reasons:
        if isinstance(reason, str):
            words.append(reason)
        elif "said" in reason:
            words.append(text(reason["said"]))
        else:
            words.append(reason["says"] % {"entry": called.get(reason["entry"], "–")})
    return words
