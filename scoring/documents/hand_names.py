"""The players that a hand names, in its form as JSON (INTERFACES §2)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

# Fields whose value is a player, and those with a figure for each of several players.
_PLAYERS: Final = frozenset({"knocker", "defender", "winner", "loser"})
_FIGURES: Final = frozenset({"others", "from", "penalties", "left"})
_GAINS: Final = "gains"


def renamed_hand(
    hand: Mapping[str, Any], name: Callable[[Any], Any], key: Callable[[str], str] | None = None
) -> dict[str, Any]:
    """The hand with other names, as `name` gives them; `key` gives those that are keys of an object.

    What has not the shape of a hand stays as it is.
    """
    key = key or name
    told: dict[str, Any] = {}
    for field, value in hand.items():
        if field in _PLAYERS:
            told[field] = name(value)
        elif field in _FIGURES and isinstance(value, Mapping):
            told[field] = {key(player): figure for player, figure in value.items()}
        elif field == _GAINS and isinstance(value, list):
            told[field] = [
                renamed_hand(gain, name, key) if isinstance(gain, Mapping) else gain for gain in value
            ]
        else:
            told[field] = value
    return told


def named_in_hand(hand: Mapping[str, Any]) -> Iterator[Any]:
    """All that a hand names, values and keys, some of them several times."""
    for field, value in hand.items():
        if field in _PLAYERS:
            yield value
        elif field in _FIGURES:
            yield from value
        elif field == _GAINS:
            for gain in value:
                yield from named_in_hand(gain)
