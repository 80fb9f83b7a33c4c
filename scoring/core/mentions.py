"""Mentions of persons in JSON: a person's key beside the written name, so that names can be shown as of now.

A mention is `{"person": key, "name": written}`. Audit facts and the bodies of acts name people this way; code
that shows them looks up how each person is called.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

_MEMBERS: Final = {"person", "name"}

Mention = dict[str, str]
# A path in a document: field names and list indexes; `FIELD` at the end means the name of a field itself.
Path = tuple[str | int, ...]
FIELD: Final = "\n"


def mention(person: str, name: str) -> Mention:
    """The JSON of a mention; the key is "" for an unknown person."""
    return {"person": person, "name": name}


def is_mention(value: object) -> bool:
    """Whether a JSON value is a mention."""
    return isinstance(value, dict) and value.keys() == _MEMBERS


def told(document: Any, person: Callable[[str, str], str]) -> Any:
    """The document with every mention replaced by `person(key, written name)`."""
    if is_mention(document):
        return person(document["person"], document["name"]) if document["person"] else document["name"]
    if isinstance(document, list):
        return [told(each, person) for each in document]
    if isinstance(document, dict):
        return {key: told(each, person) for key, each in document.items()}
    return document


def keys_in(document: Any) -> set[str]:
    """The keys of everybody mentioned in a document."""
    if is_mention(document):
        return {document["person"]}
    inside = (
        document.values() if isinstance(document, dict) else document if isinstance(document, list) else ()
    )
    return set().union(*(keys_in(each) for each in inside))


def with_names(document: Any, names: Mapping[str, str]) -> Any:
    """The document with new written names in the mentions of these keys."""
    if is_mention(document):
        return mention(document["person"], names.get(document["person"], document["name"]))
    if isinstance(document, list):
        return [with_names(each, names) for each in document]
    if isinstance(document, dict):
        return {key: with_names(each, names) for key, each in document.items()}
    return document


def free_texts(document: Any, path: Path = ()) -> list[tuple[Path, str]]:
    """Every text of the document with its path, field names included.

    Texts of mentions with a key are left out: the key says whom they mean. So is the sentence of a message
    (`scoring.core.messages`), which nobody wrote; what it is filled with is not.
    """
    if isinstance(document, str):
        return [(path, document)]
    if isinstance(document, list):
        return [found for place, each in enumerate(document) for found in free_texts(each, (*path, place))]
    if is_mention(document) and document["person"] and ":" not in document["person"]:
        return []
    if isinstance(document, dict):
        sentence = ("says", "many") if "says" in document else ()
        inside = [
            found
            for key, each in document.items()
            if key not in sentence
            for found in free_texts(each, (*path, key))
        ]
        return inside if sentence else [*(((*path, key, FIELD), key) for key in document), *inside]
    return []


def text_at(document: Any, path: Sequence[str | int]) -> str | None:
    """The text at a path of the document; None where the path does not exist."""
    for step in path:
        if step == FIELD:
            break
        try:
            document = document[step]
        except (LookupError, TypeError):
            return None
    if path and path[-1] == FIELD:
        return str(path[-2])
    return document if isinstance(document, str) else None


def with_text(document: Any, path: Sequence[str | int], text: str) -> Any:
    """The document with the text at an existing path replaced."""
    if not path:
        return text
    if len(path) == 2 and path[1] == FIELD:
        return {text if key == path[0] else key: each for key, each in document.items()}
    step, rest = path[0], path[1:]
    if isinstance(document, list):
        return [with_text(each, rest, text) if place == step else each for place, each in enumerate(document)]
    return {key: with_text(each, rest, text) if key == step else each for key, each in document.items()}
