"""Short names for the heads of narrow columns that still tell the sides apart.

A letter here is a user-perceived character: its accents and other marks stay with it.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final

SHORTEST: Final = 3
LONGEST: Final = 6

_JOINER: Final = "\u200d"
_SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS: Final = range(0x1F1E6, 0x1F200)


def short_names(names: Iterable[str]) -> tuple[str, ...]:
    """Three letters for each side, or up to six where that tells them apart.

    Where six are not enough, of two the differing ends: “…1” and “…2”. Names without a visible difference,
    and more than two that six letters do not tell apart, become A, B and so on.
    """
    letters = [_letters(" ".join(name.split())) for name in names]
    for length in range(SHORTEST, LONGEST + 1):
        cut = tuple([_cut(name, length) for name in letters])
        if len(set(cut)) == len(cut) and all(cut):
            return cut
    if len(letters) > 2:
        return tuple("ABCDEF"[: len(letters)])
    first, second = letters
    same = _same_beginning(first, second)
    for place in (_beginning_of_word(first, same), same):
        endings = _ending(first, place), _ending(second, place)
        if endings[0] != endings[1] and all(endings):
            return endings
    return "A", "B"


def shown_width(name: str) -> int:
    """The width of a name in letters; East Asian letters and emoji count two."""
    return sum(_width(letter) for letter in _letters(name))


def cut_short(name: str, width: int) -> str:
    """The name; one that is wider than so many letters is cut, with “…” behind what is left."""
    if shown_width(name) <= width:
        return name
    kept, room = "", width - 1
    for letter in _letters(name):
        room -= _width(letter)
        if room < 0:
            break
        kept += letter
    return f"{kept.rstrip()}…"


def _letters(name: str) -> Sequence[str]:
    """The letters of a name, without characters that only set the writing direction."""
    letters: list[str] = []
    for character in name:
        category = unicodedata.category(character)
        if category in ("Cf", "Cc") and character != _JOINER:
            continue
        hangs_on = category in ("Mn", "Me", "Mc") or character == _JOINER or ord(character) in _SKIN_TONES
        ends_flag = (
            bool(letters)
            and len(letters[-1]) == 1
            and ord(letters[-1]) in _FLAG_LETTERS
            and ord(character) in _FLAG_LETTERS
        )
        if letters and (hangs_on or ends_flag or letters[-1].endswith(_JOINER)):
            letters[-1] += character
        else:
            letters.append(character)
    return letters


def _width(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter[0]) in ("W", "F") else 1


def _cut(letters: Sequence[str], length: int, *, room: int = LONGEST) -> str:
    """The first letters, fewer where they are wide."""
    kept = ""
    for letter in letters[:length]:
        room -= _width(letter)
        if room < 0:
            break
        kept += letter
    return kept.strip()


def _same_beginning(first: Sequence[str], second: Sequence[str]) -> int:
    """The number of letters both have in common at the beginning."""
    shortest = min(len(first), len(second))
    return next((place for place in range(shortest) if first[place] != second[place]), shortest)


def _beginning_of_word(letters: Sequence[str], same: int) -> int:
    """The start of the last word within the first `same` letters, if it is close."""
    words = (place + 1 for place, letter in enumerate(letters[:same]) if not letter[0].isalnum())
    word = max(words, default=0)
    return word if same - word < LONGEST - 1 else same


def _ending(letters: Sequence[str], same: int) -> str:
    """The rest of a name after its first `same` letters; its beginning if there is no rest."""
    rest = list(letters[same:])
    while rest and not rest[0].isalnum() and _width(rest[0]) == 1:
        rest.pop(0)
    return f"…{_cut(rest, LONGEST, room=LONGEST - 1)}" if rest else _cut(letters, LONGEST)
