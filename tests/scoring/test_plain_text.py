"""Which characters a name may have."""

import sys
import unicodedata
from xml.etree import ElementTree

import pytest

from scoring.core.plain_text import for_xml, is_plain


@pytest.mark.parametrize(
    "name",
    [
        "Ann Berg",
        "Jean\u2011Luc d\u2019Arc",
        "علی\u200cرضا",  # Persian needs the non-joiner
        "क्\u200dष",  # an explicit half form
        "Shira שירה",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467 Ann",  # a family
        "\u2764\ufe0f\u200d\U0001f525",  # a heart on fire
        "葛\U000e0100城",  # a variant of an ideograph
        "Nguyễn",
        "Ann\u00a0Berg",
    ],
)
def test_names_of_the_world_are_plain(name: str) -> None:
    assert is_plain(name)


@pytest.mark.parametrize(
    "name",
    [
        "Ann\nBerg",
        "Ann\x07",
        "Ann\x85",
        "\u202egreB nnA",
        "Ann\u200f",
        "\u2066Ann\u2069",
        "Ann\u200bBerg",
        "\ufeffAnn",
        "So\u00adphie",
        "\u200dAnn",
        "Ann\u200c Berg",
        "A\u200d\u200dnn",
        "\ufe0fAnn",
        "\ud800",
        "\ufffe",
        "\u3164",
        "Ann\U000e0041",
    ],
)
def test_what_nobody_sees_is_not(name: str) -> None:
    assert not is_plain(name)


def test_no_letter_or_number_of_any_script_is_refused() -> None:
    """But for the two fillers of Hangul, which are letters and blank."""
    refused = {
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.category(character)[0] in "LN" and not is_plain(character)
    }
    assert refused == {"\u3164", "\uffa0"}


def test_no_control_of_text_is_taken() -> None:
    """Controls, surrogates, formats but for the two joiners, and the signs of Arabic that are seen."""
    bidi = {
        character
        for character in map(chr, range(sys.maxunicode + 1))
        if unicodedata.bidirectional(character)
        in {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"}
    }
    taken = {character for character in bidi if is_plain(f"a{character}b")}
    assert taken == {"\u200c", "\u200d"}


def test_text_for_xml_is_taken_by_a_parser() -> None:
    every = "".join(map(chr, range(0x10000))).replace("&", "").replace("<", "")
    (read,) = ElementTree.fromstring(f"<a><b>{for_xml(every)}</b></a>")  # noqa: S314 (our own)
    assert read.text is not None
    assert len(read.text) == len(every)
