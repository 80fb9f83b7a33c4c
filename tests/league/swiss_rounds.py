"""A Swiss whose rounds are drafted, published and played, as the tests of rounds have it."""

import random

from league.draws.round_life import draft_round, publish_round
from league.models import (
    Club,
    Entry,
    Event,
    MatchState,
    Round,
)
from scoring.core.actors import Actor
from tests.factories import (
    EntryFactory,
    EventFactory,
    play,
)


def swiss_of(club: Club, count: int, *, team_size: int = 1, **values: object) -> Event:
    event: Event = EventFactory.create(
        club=club, name="Saturday Swiss", format="swiss", team_size=team_size, **values
    )
    for number in range(1, count + 1):
        EntryFactory.create(event=event, name=f"Entry {number:02}", seed=number)
    return event


def who(round_: Round) -> list[str]:
    """Who meets whom, and who sits out, in order of tables."""
    rows = round_.matches.select_related("entry_a", "entry_b").order_by("id")
    return [
        " – ".join(sorted(entry.name[-2:] for entry in (match.entry_a, match.entry_b) if entry))
        for match in rows
    ]


def play_all(round_: Round, *, chance: random.Random | None = None) -> None:
    """Plays every match: the first named wins, or who chance says."""
    for match in round_.matches.filter(state=MatchState.SCHEDULED).order_by("pk"):
        points = 50 if chance is None else chance.choice([40, -40, 60, -60])
        play(match, points, stopped=True)


def paired(director: Actor, event: Event) -> Round:
    return publish_round(actor=director, round_=draft_round(actor=director, event=event))


def seeded(event: Event, seed: int) -> Entry:
    return event.entries.get(seed=seed)
