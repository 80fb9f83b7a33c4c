"""Searches of long lists in the administration find what they say, however they go about it."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Club, Entry, Event, Match
from scoring.models import Scoresheet
from tests.clients import logged_in
from tests.factories import EntryFactory, EventFactory, MatchFactory, PlayerFactory, UserFactory, sheet_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

NAMES = (
    ("Ann Berg", "Bob Lund"),
    ("Ann Lund", "Bo 100% Ek"),
    ("Nils_Berg", "Ann O'Hara"),
    ("Berga", "Cy \\ Dahl"),
)
# What is searched, with those of `NAMES` whose sheets have it, and whose matches do. On a sheet all words
# stand in its label, its code and one name; in a match in its label and any names.
WORDS: dict[str, tuple[set[int], set[int]]] = {
    "berg": ({0, 2, 3}, {0, 2, 3}),
    "ERG": ({0, 2, 3}, {0, 2, 3}),
    "a": ({0, 1, 2, 3}, {0, 1, 2, 3}),
    "ann berg": ({0}, {0, 2}),
    "lund ann": ({1}, {0, 1}),
    '"ann berg"': ({0}, {0}),
    "'berg ann'": (set(), set()),
    "100%": ({1}, {1}),
    "%": ({1}, {1}),
    "_": ({2}, {2}),
    "\\": ({3}, {3}),
    "o'hara": ({2}, {2}),
    "page-2": ({2}, set()),
    "page- berg": ({0, 2, 3}, set()),
    "match-2": (set(), {2}),
    "match- berg": (set(), {0, 2, 3}),
    "nobody": (set(), set()),
    "berg nobody": (set(), set()),
}


@pytest.fixture(params=["owner", "administrator"])
def reader(request: pytest.FixtureRequest, owner: Client) -> Client:
    if request.param == "owner":
        return owner
    return logged_in(UserFactory.create(is_superuser=True, is_staff=True))


@pytest.fixture
def matches(club: Club) -> list[Match]:
    """A match for each of `NAMES`, with these on its sheet too."""
    event = EventFactory.create(club=club)
    made = []
    for number, names in enumerate(NAMES):
        match = MatchFactory.create(event=event, label=f"match-{number}")
        assert match.sheet is not None
        Scoresheet.objects.filter(pk=match.sheet.pk).update(label=f"page-{number}")
        for side, name in enumerate(names):
            (entry,) = match.side(side)
            Entry.objects.filter(pk=entry.pk).update(name=name)
            match.sheet.sides.filter(position=side).update(name=name)
        made.append(match)
    return made


def found(reader: Client, name: str, words: str) -> list[Any]:
    """The ids that the list shows, all on one page, in its order."""
    changes = reader.get(reverse(f"admin:{name}_changelist"), {"q": words}).context["cl"]
    ids = [row.pk for row in changes.result_list]
    assert changes.result_count == len(ids) == len(set(ids))
    return ids


def test_sheets_are_found_by_each_of_their_words_newest_first(reader: Client, matches: list[Match]) -> None:
    for words, (wanted, _matches) in WORDS.items():
        ids = [matches[number].sheet_id for number in sorted(wanted, reverse=True)]
        assert found(reader, "scoring_scoresheet", words) == ids, words
    for match in matches:
        assert found(reader, "scoring_scoresheet", sheet_of(match).code.upper()) == [match.sheet_id]


@pytest.mark.parametrize("few", [500, 0])
def test_matches_are_found_by_each_of_their_words_in_order(
    reader: Client, matches: list[Match], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.admin.matches.FEW", few)
    for words, (_sheets, wanted) in WORDS.items():
        assert found(reader, "league_match", words) == [matches[number].pk for number in sorted(wanted)], (
            words
        )


@pytest.mark.parametrize("few", [500, 0])
@pytest.mark.parametrize("seats", [("c", "d", "e", "f"), ("partner_a", "partner_b")])
def test_match_is_found_by_everybody_who_plays_it(
    reader: Client, matches: list[Match], seats: tuple[str, ...], few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.admin.matches.FEW", few)
    match = matches[1]
    for seat in seats:
        field = seat if seat.startswith("partner") else f"entry_{seat}"
        more = EntryFactory.create(event=match.event, name=f"Sits at {seat}")
        Match.objects.filter(pk=match.pk).update(**{field: more})
        assert found(reader, "league_match", f'"sits at {seat}"') == [match.pk]
    assert found(reader, "league_match", "sits") == [match.pk]


def test_entries_are_found_by_their_own_words_and_those_of_one_player(reader: Client, event: Event) -> None:
    club = event.club
    players = [PlayerFactory.create(club=club, name=name) for name in ("Ann Berg", "Bo Lund", "Ann Lund")]
    pair = EntryFactory.create(event=event, players=players[:2])
    alone = EntryFactory.create(event=event, players=players[2:])
    Entry.objects.filter(pk=pair.pk).update(name="The Aces")
    Entry.objects.filter(pk=alone.pk).update(name="Ann Lund")
    wanted = {
        "aces": [pair],
        "berg": [pair],
        "ANN": [alone, pair],
        "aces ann": [pair],
        "ann lund": [alone],
        "berg lund": [],
        "the lund": [pair],
    }
    for words, entries in wanted.items():
        assert set(found(reader, "league_entry", words)) == {entry.pk for entry in entries}, words


def test_what_another_club_keeps_is_not_found(owner: Client, matches: list[Match]) -> None:
    other = MatchFactory.create(label="match-9")
    Entry.objects.filter(pk=other.entry_a_id).update(name="Ann Berg")
    sheet_of(other).sides.filter(position=0).update(name="Ann Berg")
    assert found(owner, "league_match", '"ann berg"') == [matches[0].pk]
    assert found(owner, "scoring_scoresheet", "ann berg") == [matches[0].sheet_id]
