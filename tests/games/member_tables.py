"""Tables of members for the tests: who plays, and the hand in play with all its cards."""

from typing import Any

from games.gin.hand import HandState
from games.gin.log import HandLog
from games.models import TableHand, TableMatch
from games.services import open_table
from scoring.core.actors import Actor, ActorKind
from tests.factories import UserFactory
from tests.games.bot_matches import blank_sheet

PLAYERS = ("Ann", "Bob")


def member() -> Actor:
    """The actor of an account that may record on any sheet."""
    user = UserFactory.create(is_superuser=True, is_staff=True)
    return Actor(ActorKind.USER, str(user.pk), user.username)


def table(*seats: Any, **knobs: Any) -> TableMatch:
    """A table on a blank sheet."""
    return open_table(sheet=blank_sheet(**knobs), seats=dict(enumerate(seats)))


def hand_in_play(match: TableMatch) -> HandState:
    """The hand as only the engine knows it."""
    hand = match.hands.select_related("sealed_pack").get(is_over=False)
    return hand_of(match, hand, hand.sealed_pack.pack)


def hand_of(match: TableMatch, hand: TableHand, pack: str) -> HandState:
    """The hand as far as it was played, from this pack."""
    log = HandLog.from_document({"deck": pack, "dealer": hand.dealer, "actions": hand.actions})
    return HandState.replay(match.sheet.rules.rules, log, players=PLAYERS)
