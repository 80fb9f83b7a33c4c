"""Whose hands a file has: people by every name they go by, drawn matches, teams and substitutes."""

import pytest

from league.files.planning import plan_import
from league.files.plans import ImportOptions
from league.models import (
    Club,
    Entry,
    Match,
    Player,
    PlayerAlias,
)
from scoring.services.records import kept_sheet
from tests.factories import (
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
)
from tests.kept import assert_derived
from tests.league.hand_files import (
    Row,
    dead,
    file_of,
    imported,
    knock,
    the_sheet,
)

pytestmark = pytest.mark.django_db


def test_people_are_found_by_name_and_by_other_name(club: Club) -> None:
    ann = PlayerFactory.create(club=club, name="Ann Marie")
    PlayerAlias.objects.create(club=club, player=ann, name="Ann")
    gone = PlayerFactory.create(club=club, name="Bob")
    robert = PlayerFactory.create(club=club, name="Robert")
    gone.merged_into = robert
    gone.save()

    imported(club, file_of(knock(1), knock(2, "Bob")))

    assert set(Player.objects.filter(appearances__isnull=False)) == {ann, robert}
    assert Player.objects.count() == 3
    assert [side.name for side in kept_sheet(the_sheet()).sides] == ["Ann Marie", "Robert"]
    assert imported(club, file_of(knock(1), knock(2, "Bob"))) is None
    assert imported(club, file_of(knock(1, "Ann Marie", side_a="Ann Marie"))) is None


def test_names_in_another_unicode_form_are_the_same(club: Club) -> None:
    PlayerFactory.create(club=club, name="Zoé")
    decomposed = "Zoe\N{COMBINING ACUTE ACCENT}"
    imported(club, file_of(knock(1, decomposed, side_a=decomposed)))
    assert Player.objects.count() == 2


def test_a_drawn_match_gets_the_deals_of_the_file(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup")
    match = MatchFactory.create(
        event=event,
        label="W1-1",
        entry_a=EntryFactory.create(event=event, name="Bob"),
        entry_b=EntryFactory.create(event=event, name="Ann"),
    )

    batch = imported(club, file_of(knock(1), knock(2)), create=False, rules=None)

    assert batch is not None
    assert {kind: len(ids) for kind, ids in batch.created.items() if ids} == {}
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.state, match.net, match.sheet.deal_count) == ("playing", -0, 2)
    assert_derived(match.sheet)


def test_a_drawn_match_without_line_ups_is_seated_by_the_file(club: Club) -> None:
    event = EventFactory.create(club=club, name="Winter Cup", team_size=2)
    squad = [PlayerFactory.create(club=club, name=name) for name in ("Ann", "Cid", "Eve")]
    entry_a = EntryFactory.create(event=event, name="Aces", players=squad)
    rivals = [PlayerFactory.create(club=club, name=name) for name in ("Bob", "Dora")]
    entry_b = EntryFactory.create(event=event, name="Blues", players=rivals)
    match = Match.objects.create(
        event=event,
        round=RoundFactory.create(event=event),
        label="W1-1",
        entry_a=entry_a,
        entry_b=entry_b,
    )
    sides = {"side_a": "Eve+Ann", "side_b": "Bob+Dora"}
    data = file_of(
        knock(1, "Eve", defender="Bob", **sides),
        knock(1, "Dora", defender="Ann", **sides),
    )

    batch = imported(club, data, create=False, rules=None)

    assert batch is not None
    match.refresh_from_db()
    assert list(match.appearances.order_by("side", "position").values_list("player__name", flat=True)) == [
        "Eve",
        "Ann",
        "Bob",
        "Dora",
    ]
    assert imported(club, data, create=False, rules=None) is None


def test_teams_with_names_may_have_substitutes(club: Club) -> None:
    def row(number: int, side_a: str, side_b: str) -> tuple[Row, Row]:
        (a1, a2), (b1, b2) = side_a.split("+"), side_b.split("+")
        common = {
            "round": number,
            "sheet": f"W{number}",
            "side_a": side_a,
            "side_b": side_b,
            "team_a": "Aces",
            "team_b": "Blues",
        }
        return dead(1, **common, knocker=a1, defender=b1), dead(1, **common, knocker=a2, defender=b2)

    data = file_of(*row(1, "Ann+Cid", "Bob+Dora"), *row(2, "Ann+Eve", "Bob+Dora"))
    imported(club, data)

    assert {entry.name: entry.players.count() for entry in Entry.objects.all()} == {"Aces": 3, "Blues": 2}
    assert imported(club, data) is None


def test_names_alike_are_pointed_out(club: Club) -> None:
    PlayerFactory.create(club=club, name="ann")
    plan = plan_import(
        club=club, data=file_of(knock(1)), file_name="night.csv", options=ImportOptions(create=True)
    )
    assert plan.notes == ["“Ann” is new, beside “ann”."]
