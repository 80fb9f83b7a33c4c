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

    Where six are not enough, the differing ends of those whose six are the same: “…1” and “…2”. Names without
    a visible difference, and those that even so are not told apart, become A, B and so on.
    """
    letters = [_letters(" ".join(name.split())) for name in names]
    for length in range(SHORTEST, LONGEST + 1):
        cut = [_cut(name, length) for name in letters]
        if _differ(cut):
            return tuple(cut)
    for at_a_word in (True, False):
        ends = [_told_apart(name, letters, at_a_word=at_a_word) for name in letters]
        if _differ(ends):
            return tuple(ends)
    return tuple("ABCDEF"[: len(letters)])


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


def _differ(names: Sequence[str]) -> bool:
    return len(set(names)) == len(names) and all(names)


def _told_apart(name: Sequence[str], names: Sequence[Sequence[str]], *, at_a_word: bool) -> str:
    """A name's beginning if no other of these has it, else its end, where possible a whole word."""
    alike = names
    for length in range(SHORTEST, LONGEST + 1):
        alike = [one for one in names if _cut(one, length) == _cut(name, length)]
        if len(alike) == 1:
            return _cut(name, length)
    places = enumerate(zip(*alike, strict=False))
    same = next((place for place, signs in places if len(set(signs)) > 1), min(map(len, alike)))
    return _ending(name, _beginning_of_word(name, same) if at_a_word else same)


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
