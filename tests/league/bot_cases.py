"""Rows of bots for the tests of acts and pages: matches between bots, schedules, exhibitions."""

import datetime
from typing import Any

from django.utils import timezone

from games.models import MOST_ATTEMPTS, BotMatch
from games.services.recording import actor_of
from league.bots.bot_matches import plant_exhibitions, play_now
from league.bots.bot_schedules import create_schedule
from league.errors import LeagueError
from league.models import BotSchedule, Club, Entry, Event, Exhibition, Match, Player, Round
from scoring.services import record_deals
from tests.factories import (
    OPERATOR,
    ClubFactory,
    EntryFactory,
    EventFactory,
    MatchFactory,
    PlayerFactory,
    RoundFactory,
    won,
)
from tests.kept import refused_service

# Monday 2 November 2026, which `clock` in conftest shows.
NOON = datetime.datetime(2026, 11, 2, 12, tzinfo=datetime.UTC)
REASON = {"reason": "so it is"}


def refused(code: str, call: Any, **values: Any) -> LeagueError:
    """The refusal of this service, with a sentence, and nothing stored."""
    refusal = refused_service(code, call, actor=OPERATOR, **values)
    assert str(refusal.message).endswith(".")
    return refusal


def bots(club: Club, count: int = 2) -> list[Player]:
    """Bots of the club; all of them play as `simple`."""
    return PlayerFactory.create_batch(count, club=club, strategy="simple")


def bot_entries(event: Event, count: int = 2) -> list[Entry]:
    """Bots that are entered, each alone."""
    made = bots(event.club, count)
    return [EntryFactory.create(event=event, name=bot.name, players=[bot]) for bot in made]


def bot_match(event: Event | None = None, **more: Any) -> Match:
    """A match between two bots, drawn and not begun."""
    event = event or EventFactory.create()
    entry_a, entry_b = bot_entries(event)
    match: Match = MatchFactory.create(event=event, entry_a=entry_a, entry_b=entry_b, **more)
    return match


def planted(event: Event | None = None) -> Match:
    """One that bots are to play."""
    match = bot_match(event)
    play_now(actor=OPERATOR, match=match)
    return match


def of(match: Match) -> BotMatch:
    """The bot match on its sheet as it is stored."""
    return BotMatch.objects.select_related("sheet").get(sheet=match.sheet_id)


def begin(match: Match) -> None:
    """A deal goes on the sheet of the match, by its bots."""
    bots = of(match)
    one, two = bots.sheet.seats.order_by("number").values_list("name", flat=True)
    record_deals(actor=actor_of(bots), sheet=bots.sheet, deals=[won(one, two, 20)])


def left_alone() -> BotMatch:
    """One that was tried so often in vain that nobody tries it any more."""
    bots = of(planted())
    bots.attempts, bots.said = MOST_ATTEMPTS, "It could not go on."
    bots.save()
    return bots


def round_of_bots(*, planted: bool = False) -> tuple[Round, dict[str, Any]]:
    """A round with two matches between bots, and one of a person."""
    event = EventFactory.create()
    round_: Round = RoundFactory.create(event=event)
    matches = [bot_match(event, round=round_) for _ in range(2)]
    MatchFactory.create(event=event, round=round_)
    if not planted:
        return round_, {}
    for match in matches:
        play_now(actor=OPERATOR, match=match)
    return round_, REASON


def pair_schedule(club: Club | None = None, **values: Any) -> BotSchedule:
    """Two bots that play a sheet every day, from an hour ahead on."""
    event = EventFactory.create(club=club or ClubFactory.create())
    event.club.house_rules.create(rules=event.rules)
    bot_a, bot_b = bots(event.club)
    wanted: dict[str, Any] = {
        "name": "Evenings",
        "starts_at": timezone.now() + datetime.timedelta(hours=1),
        "recurrence": "FREQ=DAILY",
        "bot_a": bot_a,
        "bot_b": bot_b,
        "rules": event.rules,
    }
    return create_schedule(actor=OPERATOR, club=event.club, **wanted | values)


def event_schedule(event: Event, **values: Any) -> BotSchedule:
    """A schedule of an event: one match a day, from an hour ahead on."""
    wanted: dict[str, Any] = {
        "name": "League nights",
        "starts_at": timezone.now() + datetime.timedelta(hours=1),
        "recurrence": "FREQ=DAILY",
    }
    return create_schedule(actor=OPERATOR, club=event.club, event=event, **wanted | values)


def exhibition() -> tuple[Exhibition, dict[str, Any]]:
    """One that bots are to play."""
    (made,) = plant_exhibitions(pair_schedule())
    return Exhibition.objects.get(sheet=made.sheet), REASON
