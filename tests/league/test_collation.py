"""The order of names in lists."""

import pytest

from league.acts.fields import InOrderOfNames, NamesField
from league.admin.event_acts import EnterForm
from league.core.collation import name_key
from tests.factories import EventFactory, PlayerFactory


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


@pytest.mark.django_db
def test_players_are_offered_in_the_order_of_their_letters() -> None:
    event = EventFactory.create()
    for name in ("Zoë", "Åse", "Bob"):
        PlayerFactory.create(club=event.club, name=name)
    offered = EnterForm(event).fields["players"]
    assert isinstance(offered, NamesField)
    assert [label for _, label in InOrderOfNames(offered)] == ["Åse", "Bob", "Zoë"]
