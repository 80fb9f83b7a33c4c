"""Names for the heads of narrow columns: short, and never the same for both sides."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.paper.short_names import LONGEST, cut_short, short_names, shown_width


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Eklund", "Castell"), ("Ekl", "Cas")),
        (("Jo", "Al"), ("Jo", "Al")),
        (("Abbott", "Abbey"), ("Abbo", "Abbe")),
        (("Ann", "Anna"), ("Ann", "Anna")),
        (("Ann B", "Ann C"), ("Ann B", "Ann C")),
        (("  Dvořák ", "Ω"), ("Dvo", "Ω")),
    ],
)
def test_the_first_letters_tell_the_sides_apart(names: tuple[str, str], short: tuple[str, str]) -> None:
    assert short_names(names) == short


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("The very long team name number 1", "The very long team name number 2"), ("…1", "…2")),
        (("Christensen, P.", "Christensen, K."), ("…P.", "…K.")),
        (("Christensen", "Christensen, K."), ("Christ", "…K.")),
        (("Gruber+Jansen", "Gruber+Janssen"), ("…Janse", "…Janss")),
        (("Ann Johansson", "Ann Johannsen"), ("…sson", "…nsen")),
        (("אברהם כהן א", "אברהם כהן ב"), ("…א", "…ב")),
        (("山田太郎一", "山田太郎二"), ("…一", "…二")),
    ],
)
def test_where_the_beginning_is_the_same_the_end_that_differs(
    names: tuple[str, str], short: tuple[str, str]
) -> None:
    assert short_names(names) == short


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Dee Eaton", "novice", "novice 2"), ("Dee", "novice", "…2")),
        (("novice 2", "Dee Eaton", "novice 3", "novice"), ("…2", "Dee", "…3", "novice")),
        (("Christensen, P.", "Christensen, K.", "Christiansen"), ("A", "B", "C")),
        (("expert", "expert", "novice"), ("A", "B", "C")),
    ],
)
def test_of_several_those_alike_have_the_end_that_differs(
    names: tuple[str, ...], short: tuple[str, ...]
) -> None:
    assert short_names(names) == short


@pytest.mark.parametrize(
    "names", [("same", "same"), ("", ""), ("Ann Bo", "Ann Bo\u200e"), ("Longname X", "LongnameX")]
)
def test_where_nothing_differs_that_can_be_seen_letters_stand_for_the_sides(names: tuple[str, str]) -> None:
    assert short_names(names) == ("A", "B")


def test_a_letter_is_never_cut_in_two() -> None:
    family, wave = "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f44b\U0001f3fd"
    accented = "e\u0301"
    flag = "\U0001f1e9\U0001f1f0"
    assert short_names((family + wave + flag + "x", accented * 5)) == (family + wave + flag, accented * 3)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Castell", "Castell"),
        ("Bartholomew", "Bartho…"),
        ("Anna van Dyk", "Anna v…"),
        ("Papa  Pol", "Papa…"),
        ("漢字漢字", "漢字漢…"),
        ("e\u0301" * 8, "e\u0301" * 6 + "…"),
    ],
)
def test_a_name_that_is_too_wide_is_cut_at_a_letter(name: str, shown: str) -> None:
    assert cut_short(name, 7) == shown
    assert shown_width(shown) <= 7


@given(st.text(max_size=40), st.text(max_size=40))
def test_short_names_are_short_and_differ(first: str, second: str) -> None:
    pair = short_names((first, second))
    assert pair[0] != pair[1]
    assert all(name and shown_width(name) <= LONGEST for name in pair)


@given(st.text(min_size=8, max_size=30), st.text(max_size=9), st.text(max_size=9))
def test_a_common_beginning_changes_nothing_of_that(common: str, first: str, second: str) -> None:
    pair = short_names((common + first, common + second))
    assert pair[0] != pair[1]
    assert all(name and shown_width(name) <= LONGEST for name in pair)
