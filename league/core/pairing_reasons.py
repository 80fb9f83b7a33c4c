"""Reasons for a pairing: sentences, translated and filled with names when they are displayed.

Stored as a JSON list. Plain text names nobody; `{"says": text, "entry": id, "other": id, …}` is a marked
text with the placeholders `%(entry)s` and `%(other)s` for entries, and others for figures; `{"said": text}`
is older text with names written in.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from scoring.core.messages import Message

Because = str | Mapping[str, Any]
_ENTRIES: Final = ("entry", "other")


def because(sentence: Message, **entries: int) -> Because:
    """Return a reason to store; `entry` and `other` are the ids of entries that its sentence may name."""
    said = sentence.filled(**entries)
    return {"says": said.text, **said.parameters} if said.parameters else said.text


def reason_words(
    reasons: Iterable[Because],
    called: Mapping[int, str],
    text: Callable[[str], str],
    translated: Callable[[str], str],
) -> list[str]:
    """Return the reasons as text, `translated`: entries named by `called`, older texts as `text` has them."""
    words = []
    for reason in reasons:
        if isinstance(reason, str):
            words.append(translated(reason))
        elif "said" in reason:
            words.append(text(reason["said"]))
        else:
            named = {name: called.get(reason[name], "–") for name in _ENTRIES if name in reason}
            words.append(translated(reason["says"]) % {**reason, **named})
    return words
