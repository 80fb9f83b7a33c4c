"""The order of names in lists."""

from league.collation import name_key


def test_marks_and_capitals_do_not_move_a_name() -> None:
    names = ["Zoë", "élan", "Łukasz", "Åse", "Ørsted", "Çelik", "abbott", "Oswald", "Dvořák", "Ζεύς", "Orr"]
    assert sorted(names, key=name_key) == [
        "abbott",
        "Åse",
        "Çelik",
        "Dvořák",
        "élan",
        "Łukasz",
        "Orr",
        "Ørsted",
        "Oswald",
        "Zoë",
        "Ζεύς",
    ]


def test_names_that_differ_only_in_marks_have_an_order_too() -> None:
    assert sorted(["Müller", "Muller", "muller"], key=name_key) == ["Muller", "Müller", "muller"]
