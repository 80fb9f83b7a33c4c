"""A demo evening that is played on this site: a round over, and a second with a match at its table.

The hands are dealt and played by the services with which members play, so that proof, replay and sheet are
real, and no two demos have the same ones. For each member a bot chooses, by what he may see. Members move as
accounts; these are there while they play and gone afterwards, as the demo has none.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from games.bots import house_bot
from games.gin.actions import ActionKind
from games.models import TableMatch
from games.services import act
from games.services.hands import hands_at_turn
from games.tables.members import running_sheet
from games.tables.play import choose, game_views
from league.demo.lots import draw_by_names
from league.draws.hall import show_in_hall
from league.draws.online import open_for
from league.draws.recalculating import recalculate
from league.draws.round_life import draft_round, publish_round
from league.events.entries import enter_players
from league.events.event_life import start_event
from league.events.events import create_event
from league.models import Club, Match, PlayedWhere, Player
from league.policy import actor_of
from league.record.locking import lock_match
from scoring.core.actors import Actor
from scoring.models import HouseRules, Scoresheet

_NAME: Final = "Tonight Online"
_SLUG: Final = "tonight-online"
# Its hands are the shortest.
_STRATEGY: Final = "simple"
# The hand that is in play is the second of its sheet, and so many moves old; no move has ended it.
_DEAL_SHOWN: Final = 2
_MOVES_SHOWN: Final = 12
_GOES_ON: Final = frozenset({ActionKind.PASS, ActionKind.TAKE, ActionKind.DRAW, ActionKind.DISCARD})


def play_online_evening(
    *,
    actor: Actor,
    club: Club,
    players: Sequence[Player],
    rules: HouseRules,
    progress: Callable[[int], object],
) -> None:
    """Have four `players` play a Swiss online: one round, and of the next one match; the other is in play.

    `progress` is called for every sheet.
    """
    event = create_event(
        actor=actor,
        club=club,
        name=_NAME,
        slug=_SLUG,
        rules=rules,
        format="swiss",
        rounds_planned=3,
        played=PlayedWhere.ONLINE,
    )
    enter_players(actor=actor, event=event, players=players)
    draw_by_names(event)
    event = start_event(actor=actor, event=event)
    today = timezone.localdate(timezone=club.zone)
    with _accounts(players):
        for moves in (None, _MOVES_SHOWN):
            drafted = draft_round(actor=actor, event=event, date=today)
            round_ = publish_round(actor=actor, round_=drafted)
            done, other = round_.matches.order_by("table")
            for match, last in ((done, None), (other, moves)):
                _play(_table(actor, match), moves=last)
                progress(1)
            recalculate(event.pk)
        show_in_hall(actor=actor, match=other)


@contextmanager
def _accounts(players: Sequence[Player]) -> Iterator[None]:
    """Give these players accounts for as long as they play."""
    made = []
    for player in players:
        player.user = User.objects.create_user(f"demo-{player.code}")
        player.save(update_fields=["user"])
        made.append(player.user.pk)
    yield
    User.objects.filter(pk__in=made).delete()


@transaction.atomic
def _table(actor: Actor, match: Match) -> TableMatch:
    match, _sheet = lock_match(match)
    return open_for(actor=actor, match=match)


def _play(table: TableMatch, *, moves: int | None = None) -> None:
    """Play the sheet to its end, or only so many moves into its second hand, in which nobody knocks."""
    seats = table.seats.select_related("account").order_by("number")
    actors = [actor_of(seat.account) for seat in seats if seat.account is not None]
    while True:
        table.refresh_from_db()
        standing = hands_at_turn(table, Scoresheet.objects.select_related("rules").get(pk=table.sheet_id))
        if standing is None:
            return
        kept, ((hand, state),) = standing
        views = game_views(running_sheet(kept.sheet.rules.rules, kept.sides, kept.deals))
        bots = [house_bot(_STRATEGY).sit_down(number) for number, _actor in enumerate(actors)]
        version = table.version
        while not state.is_over:
            seat = hand.seats[state.turn]
            chosen = choose(bots[seat], state, views[seat], hand.deal)
            is_last = moves is not None and hand.deal == _DEAL_SHOWN
            if is_last and (len(state.actions) == moves or chosen.kind not in _GOES_ON):
                return
            actor, key = actors[seat], str(version)
            answer = act(actor=actor, match=table, seat=seat, version=version, action=str(chosen), key=key)
            version = answer.version
            state.act(chosen)
