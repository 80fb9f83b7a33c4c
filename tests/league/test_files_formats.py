"""Files of events that were paired: hands come out, and none goes in twice."""

import csv
import io

import pytest

from league.core.hand_files.problems import FileRefused
from league.files.exporting import export_hands
from league.models import Event, MatchState, Standing
from tests.factories import ClubFactory
from tests.league.hand_files import imported
from tests.league.simulation import Course, Simulation

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_movements")]

KINDS = {
    "swiss": Course(format="swiss", entries=6, rounds=3, seed=1, given=0, drawn=0),
    "double": Course(format="double", entries=4, seed=1, given=0, drawn=0),
    "three": Course(format="single", entries=4, seed=1, given=0, drawn=0, settings={"best_of": 3}),
    "groups": Course(
        format="groups",
        entries=6,
        seed=1,
        given=0,
        drawn=0,
        settings={"group_count": 2, "qualifiers": 1},
    ),
    "rotation": Course(format="rotation", entries=8, rounds=3, seed=1, given=0, drawn=0),
}


def played(kind: str) -> Event:
    return Simulation(KINDS[kind]).run().event


@pytest.mark.parametrize("kind", KINDS)
def test_same_file_again_changes_nothing(kind: str) -> None:
    event = played(kind)
    export = export_hands(event)
    assert export.hands >= event.matches.filter(state=MatchState.FINISHED).count() > 0
    assert imported(event.club, export.text.encode(), rules=None) is None


def test_file_of_matches_of_several_sheets_says_that_it_goes_nowhere_else() -> None:
    event = played("three")
    export = export_hands(event)
    assert (
        "Some matches here have several sheets: an import into another event is refused, as two meet once a "
        "round there."
    ) in export.notes
    with pytest.raises(FileRefused):
        imported(ClubFactory.create(), export.text.encode(), create=True, rules=event.rules.rules)
    assert not any("several sheets" in note for note in export_hands(played("double")).notes)


def test_pair_of_a_rotating_evening_goes_by_both_names() -> None:
    """Its file is this event's; whoever takes it elsewhere is told what becomes of the pairs."""
    event = played("rotation")
    export = export_hands(event)
    rows = list(csv.DictReader(io.StringIO(export.text)))
    sides = {match.label: (match.side_name(0), match.side_name(1)) for match in event.matches.all()}
    for row in rows:
        # A name that begins as a formula would is guarded; these do not.
        assert (row["team_a"], row["team_b"]) == sides[row["sheet"]]
        assert row["team_a"] == row["side_a"].replace("+", " + ")
    assert "Partners rotate here: an import into another event makes a team of each pair." in export.notes
    assert Standing.objects.filter(event=event).count() == 8
