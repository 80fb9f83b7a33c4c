"""`manage.py rebuild` and ratings: what was tampered with is mended, what waits is no difference."""

from collections.abc import Callable

import pytest
from django.core.management import CommandError

from league.draws import recalculating
from league.models import Club, Event, Player, Rating, RatingStep, StandingsRequest
from league.tables import ratings
from league.upkeep.rebuilding_ratings import check_ratings
from tests.factories import EntryFactory, EventFactory, MatchFactory, play
from tests.league.hand_files import command

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(club: Club) -> Event:
    """Ann beats Bob, Bob beats Cid, Dot has a bye; the table is up to date, the ratings are not."""
    event = EventFactory.create(club=club, name="Winter Cup")
    ann, bob, cid, dot = [
        EntryFactory.create(event=event, name=name) for name in ("Ann", "Bob", "Cid", "Dot")
    ]
    play(MatchFactory.create(event=event, entry_a=ann, entry_b=bob, label="AB"), 40, stopped=True)
    play(MatchFactory.create(event=event, entry_a=bob, entry_b=cid, label="BC"), 60, stopped=True)
    MatchFactory.create(event=event, entry_a=dot, entry_b=None)
    recalculating.recalculate(event.pk)
    return event


def rebuild(*words: str) -> list[str]:
    try:
        return command("rebuild", *words).splitlines()
    except CommandError as ended:
        return str(ended).splitlines()


@pytest.mark.parametrize(
    ("tamper", "line"),
    [
        pytest.param(
            lambda: Rating.objects.filter(player__name="Ann").update(mu=30),
            "ratings of Harbour, Ann: mu is 30.0, the matches give ",
            id="a rating",
        ),
        pytest.param(
            lambda: Rating.objects.filter(player__name="Ann").delete(),
            "ratings of Harbour, Ann: is missing",
            id="a rating that is gone",
        ),
        pytest.param(
            lambda: RatingStep.objects.filter(player__name="Ann", match__label="AB").update(number=2),
            "ratings of Harbour, Ann in match AB of Winter Cup: number is 2, the matches give 1",
            id="a step",
        ),
        pytest.param(
            lambda: Rating.objects.create(player=Player.objects.get(name="Dot"), mu=25, sigma=8, matches=0),
            "ratings of Harbour, Dot: is stored, the matches give none",
            id="one too many",
        ),
    ],
)
def test_rebuild_finds_and_mends_ratings(event: Event, tamper: Callable[[], object], line: str) -> None:
    ratings.recalculate(event.club_id)
    right = list(Rating.objects.order_by("player").values("player", "mu", "sigma", "matches"))
    assert check_ratings(event.club).lines == []
    tamper()
    (found,) = check_ratings(event.club).lines
    assert found.startswith(line)
    assert rebuild("--apply")[-1] == "Differences written: 1."
    assert rebuild() == ["No differences."]
    assert list(Rating.objects.order_by("player").values("player", "mu", "sigma", "matches")) == right


def test_ratings_that_wait_are_no_difference(event: Event) -> None:
    assert rebuild()[0] == "ratings of Harbour: waiting to be recalculated"
    assert rebuild("--apply")[-1] == "No differences."
    assert rebuild() == ["No differences."]
    StandingsRequest.objects.create(event=event)
    assert check_ratings(event.club).waits
