"""The daily hand: what all members of a club play once a day from one pack, against the same bot.

It is on no sheet and counts nowhere. A day is one by the club's clock. Until a member has played the hand to
its end nothing tells him how others did; until the day is over nobody is shown the pack. Locks: the try.
"""

import datetime
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import house_bot
from games.gin.actions import Action
from games.gin.cards import CARD_COUNT, text_of
from games.gin.hand import HandState
from games.gin.log import HandLog
from games.tables.dealing import game_of
from games.tables.members import commitment_of, laid_by_player, running_sheet, with_replies
from league.bots.house_bots import as_league
from league.errors import LeagueError
from league.models import Club, DailyHand, DailyTry, Player
from league.people.friendlies import own_of, rules_to_play
from league.policy import account_in
from scoring.core.actors import Actor
from scoring.core.sheets import SheetSide
from scoring.documents.sides import check_sides
from scoring.models import HouseRules

# It answers at once and has no levels, so that it is the same for all.
BOT: Final = "steady"
# The seat of a member; the bot has the other.
MEMBER: Final = 0
_NAMES: Final = ("member", "bot")
_NONCE_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class DailyLine:
    """A line of the table of a day; place and points are None for who has not played it to its end."""

    place: int | None
    player: Player
    points: int | None


def hand_of_today(club: Club) -> DailyHand | None:
    """The club's hand of today; None until somebody has begun to play it."""
    rows = DailyHand.objects.select_related("club", "rules")
    return rows.filter(club=club, day=_today(club)).first()


def last_hand_over(club: Club) -> DailyHand | None:
    """The club's latest hand of a day that is over."""
    rows = DailyHand.objects.select_related("club", "rules")
    return rows.filter(club=club, day__lt=_today(club)).order_by("-day").first()


def own_try(hand: DailyHand, account: int) -> DailyTry | None:
    """How this account plays, or has played, a daily hand."""
    return DailyTry.objects.filter(hand=hand, account=account).first()


@transaction.atomic
def begin_daily(*, actor: Actor, club: Club) -> DailyTry:
    """Begin the hand of today, or the same try again; whoever is first of the club makes its pack.

    It is played by the rules of gin that the club's members play by (`daily_rules`). Refused: who has no
    player in the club (`no_player`), whose player has begun it from another account (`begun_elsewhere`), and
    a club without house rules for two (`no_rules`).
    """
    player = own_of(actor, club)[0]
    account = player.user_id
    assert account is not None  # noqa: S101 (it is an account's own player)
    hand = hand_of_today(club) or _made(club)
    own = own_try(hand, account)
    if own is None:
        # Of two requests at once the row of the first is found, by its player.
        own, _is_new = DailyTry.objects.get_or_create(
            hand=hand,
            player=player,
            defaults=_written(state_of(hand, [])) | {"account_id": account},
        )
        if own.account_id != account:
            raise LeagueError(
                "begun_elsewhere",
                _("%(player)s has played today’s hand from another account.") % {"player": player},
            )
    return own


@transaction.atomic
def act_daily(*, actor: Actor, club: Club, version: int, action: str) -> DailyTry:
    """Carry out a member's action on this version of his try at the hand of today, and the bot's replies.

    Refused: who has not begun it (`not_begun`), a hand that is over (`table_over`), another version than the
    latest (`stale_version`), and what is no action or not legal now. Then nothing is changed.
    """
    hand, account = hand_of_today(club), account_in(actor, club)
    rows = DailyTry.objects.select_for_update(of=("self",)).filter(hand=hand)
    own = None if account is None else rows.filter(account=account).first()
    if hand is None or own is None:
        raise LeagueError("not_begun", _("You have not begun today’s hand."))
    if own.points is not None:
        raise LeagueError("table_over", _("You have played this hand: everybody has one try."))
    if own.version != version:
        raise LeagueError("stale_version", _("The table was changed meanwhile; look at it again."))
    with as_league():
        state = state_of(hand, own.actions)
        state.act(laid_by_player(state, Action.parse(action)))
        state = state_of(hand, [str(one) for one in state.actions])
    for name, value in _written(state).items():
        setattr(own, name, value)
    own.version += 1
    own.save(update_fields=["actions", "points", "version"])
    own.hand = hand
    return own


def state_of(hand: DailyHand, actions: Iterable[str]) -> HandState:
    """The hand after these actions and the bot's replies to them: over, or the member's turn."""
    rules = hand.rules.rules
    sides = check_sides([SheetSide(name, (name,)) for name in _NAMES], rules)
    bots = {1 - MEMBER: house_bot(hand.strategy)}
    log = log_of(hand, actions)
    dealt = HandState(rules, log.deck, dealer=log.dealer, players=_NAMES)
    return with_replies(dealt, log.actions, bots, running_sheet(rules, sides, ()), hand.nonce)


def log_of(hand: DailyHand, actions: Iterable[str]) -> HandLog[Action]:
    """The log of a try with these actions."""
    return HandLog.from_document({"deck": hand.pack, "dealer": hand.dealer, "actions": list(actions)})


def points_of(state: HandState) -> int:
    """By how much a hand that is over puts the member ahead, less than 0 for the bot."""
    score = state.score()
    net = score.points + score.penalty
    return net if score.winner == _NAMES[MEMBER] else -net


def table_of_day(hand: DailyHand) -> list[DailyLine]:
    """All who began the hand: the most points first, level ones with one place; who has not ended it last."""
    tries = DailyTry.objects.filter(hand=hand).select_related("player__merged_into")
    ended = sorted([one for one in tries if one.points is not None], key=lambda one: -(one.points or 0))
    lines: list[DailyLine] = []
    for points, level in groupby(ended, key=lambda one: one.points):
        place = len(lines) + 1
        lines += [DailyLine(place, one.player, points) for one in level]
    return lines + [DailyLine(None, one.player, None) for one in tries if one.points is None]


def _today(club: Club) -> datetime.date:
    return timezone.localdate(timezone=club.zone)


def daily_rules(club: Club) -> list[HouseRules]:
    """The club's own rules of gin for two, in the order of `rules_to_play`."""
    return [row for row in rules_to_play(club) if game_of(row.rules, 1) is None]


def _made(club: Club) -> DailyHand:
    """The hand of today, with a pack of its own; of two at once the first stays."""
    rules = daily_rules(club)
    if not rules:
        raise LeagueError("no_rules", _("The club has no house rules for two yet. Its directors make them."))
    cards = list(range(CARD_COUNT))
    secrets.SystemRandom().shuffle(cards)
    pack, nonce = text_of(cards), secrets.token_hex(_NONCE_BYTES)
    hand, _is_new = DailyHand.objects.get_or_create(
        club=club,
        day=_today(club),
        defaults={
            "rules": rules[0],
            "strategy": BOT,
            "dealer": secrets.randbelow(2),
            "commitment": commitment_of(pack, nonce),
            "pack": pack,
            "nonce": nonce,
        },
    )
    return hand


def _written(state: HandState) -> dict[str, object]:
    """What is kept of a try at which the hand stands so."""
    return {
        "actions": [str(one) for one in state.actions],
        "points": points_of(state) if state.is_over else None,
    }
