"""The demo club's bots: among its members, among themselves, and in a weekly exhibition.

Their matches are not played here but planted, spread over the first twenty minutes, so that somebody who has
just started the demo can watch; the first includes one of the strongest and slowest bots. Their seeds come
from the demo's, so all demos play the same sheets.
"""

import datetime
from collections.abc import Iterable
from random import Random
from typing import Final

from django.utils import timezone

from games.models import BotMatch
from league.bots.bot_matches import play_now
from league.bots.bot_schedules import create_schedule
from league.models import Club, Event, Match, Player, between_bots
from league.people.players import create_player
from scoring.core.actors import Actor
from scoring.models import HouseRules

# Name, strategy, level.
BOTS: Final = (("Hoyle", "expert", 2), ("Ada", "steady", None), ("Pip", "novice", None))

_BETWEEN: Final = datetime.timedelta(minutes=3)
_EVERY_WEEK: Final = "FREQ=WEEKLY"
_EXHIBITION: Final = datetime.time(20)
_FRIDAY: Final = 4


def make_bots(*, actor: Actor, club: Club) -> list[Player]:
    """Create the house bots, strongest first."""
    return [
        create_player(actor=actor, club=club, name=name, strategy=strategy, level=level)
        for name, strategy, level in BOTS
    ]


def plant_bot_matches(*, actor: Actor, events: Iterable[Event], chance: Random) -> None:
    """Plant the events' waiting bot matches: the first at once, the others later."""
    waiting = Match.objects.filter(between_bots(), event__in=[event.pk for event in events])
    waiting = waiting.select_related("event__club", "sheet").order_by("round__number", "event_id", "table")
    due = timezone.now()
    for match in waiting:
        planted = play_now(actor=actor, match=match)
        BotMatch.objects.filter(pk=planted.pk).update(seed=chance.getrandbits(48), due_at=due)
        due += _BETWEEN


def exhibit(*, actor: Actor, club: Club, bots: list[Player], rules: HouseRules) -> None:
    """Schedule two bots for every Friday evening, from the next one on."""
    now = timezone.localtime(timezone=club.zone)
    day = now.date() + datetime.timedelta(days=(_FRIDAY - now.weekday()) % 7 or 7)
    create_schedule(
        actor=actor,
        club=club,
        name="Friday exhibition",
        bot_a=bots[0],
        bot_b=bots[1],
        rules=rules,
        recurrence=_EVERY_WEEK,
        starts_at=datetime.datetime.combine(day, _EXHIBITION, club.zone),
    )
