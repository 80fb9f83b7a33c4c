"""Events of tables of three to six, and their rounds."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from league.draws.round_life import draft_round, publish_round
from league.events.events import create_event
from league.events.house_rules import make_club_rules
from league.models import Club, Event, EventState, Match
from scoring.core.rules import Rules
from scoring.services import record_deals
from scoring.services.records import kept_sheet
from tests.factories import OPERATOR, EntryFactory, PlayerFactory

NINE = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida")


def evening(
    club: Club,
    names: Sequence[str] = NINE,
    *,
    preset: str = "jersey",
    knobs: Mapping[str, Any] | None = None,
    **values: Any,
) -> Event:
    game = Rules.from_document({"preset": preset, **(knobs or {})})
    rules = make_club_rules(actor=OPERATOR, club=club, name=preset, rules=game)
    values = {"format": "tables", "lot_seed": 1, **values}
    event = create_event(
        actor=OPERATOR, club=club, name="Evening", slug="evening", rules=rules.rules, **values
    )
    event.state = EventState.RUNNING
    event.save()
    for name in names:
        player = PlayerFactory.create(club=club, name=name)
        EntryFactory.create(event=event, name=name, players=[player])
    return event


def drawn(event: Event) -> list[Match]:
    """The next round, paired and published."""
    round_ = draft_round(actor=OPERATOR, event=event)
    publish_round(actor=OPERATOR, round_=round_)
    return list(round_.matches.exclude(entry_b=None).with_sides("sheet", "event").order_by("table"))


def names_at(match: Match) -> list[str]:
    return [entry.name for side in match.sides for entry in match.side(side)]


def play_jersey(match: Match, *winners: str, seed: int = 0) -> list[dict[str, Any]]:
    """Hands won by these, of figures that the seed gives; then time is called. Returns the hands."""
    assert match.sheet is not None
    there = [side.players[0] for side in kept_sheet(match.sheet).sides]
    source = random.Random(f"{match.label}:{seed}")
    hands = [
        {
            "kind": "points",
            "winner": winner,
            "from": {other: source.randrange(1, 60) for other in there if other != winner},
        }
        for winner in winners
    ]
    record_deals(actor=OPERATOR, sheet=match.sheet, deals=[{"hands": [hand]} for hand in hands], stopped=True)
    match.refresh_from_db()
    return hands
