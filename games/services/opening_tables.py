"""How a table of members begins: who sits in it, and with which key it was begun."""

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import HouseBot
from games.errors import GameError
from games.models import SEED_LIMIT, BotMatch, TableAct, TableMatch, TableSeat
from games.services.hands import dealt, reply_and_deal
from games.services.members import check_act_key, next_turns, no_forfeit
from games.services.planning import strategies
from games.tables.clocks import Clock
from games.tables.dealing import game_of
from games.tables.members import running_sheet, seat_sides
from scoring.core.actors import Actor, ActorKind
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import SheetAction, policy
from scoring.services.acts import ask, key_reused, locked_sheet
from scoring.services.records import kept_sheet


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody without an account, whom a link to his side of the sheet lets in."""


@transaction.atomic
def open_table(
    *,
    sheet: Scoresheet,
    seats: Mapping[int, Actor | HouseBot | Guest],
    clock: Clock | None = None,
    has_phrases: bool = False,
) -> TableMatch:
    """Begins a table on this sheet and deals its next hands; `seats` has who plays for everybody.

    They are counted through all sides, the first side's players first. A `clock` runs from now on for whoever
    is to move. With `has_phrases` members may send each other set phrases, where there are two at least and
    no guest; bots are told none. A sheet with `SheetPolicy.packs` is dealt these. The caller has checked
    permission; every account is asked for its own to record. Locks the sheet.

    Refuses `sheet_over`, `already_planned`, what `running_sheet` refuses, `unknown_seat` (seats other than
    those of the players), `no_member` (no account, or an actor who is no account), `same_member`, `slow_bot`
    (a bot that weighs samples where more than two play), `not_played` (one that does not play this game),
    `no_forfeit` (a clock by which one of more than two sides would lose a hand, or all), whatever
    `HouseBot.from_document` refuses, and with `ScoringError` `not_allowed`.
    """
    locked = locked_sheet(sheet)
    if locked.status != SheetStatus.OPEN:
        raise GameError("sheet_over", _("This sheet has ended: choose an open one."), field="sheet")
    if BotMatch.objects.filter(sheet=locked).exists() or TableMatch.objects.filter(sheet=locked).exists():
        raise GameError("already_planned", _("This sheet is played at a table already."), field="sheet")
    kept = kept_sheet(locked)
    running_sheet(locked.rules.rules, kept.sides, kept.deals)
    sides = seat_sides(kept.sides)
    if seats.keys() != set(range(len(sides))):
        message = _("This table has the seats 0 to %(last)d.") % {"last": len(sides) - 1}
        raise GameError("unknown_seat", message, field="seats")
    if clock is not None and clock.is_for_two and len(kept.sides) > 2:
        raise no_forfeit("clock")
    members = [one for one in seats.values() if isinstance(one, Actor)]
    if not members or any(one.kind is not ActorKind.USER for one in members):
        raise GameError("no_member", _("A member plays at this table."), field="seats")
    if len({one.id for one in members}) < len(members):
        raise GameError("same_member", _("Nobody plays against themselves."), field="seats")
    for one in members:
        ask(one, SheetAction.RECORD, locked)
    if len(seats) > 2:
        _check_quick(seats.values())
    now = timezone.now()
    match = TableMatch.objects.create(
        sheet=locked,
        # By the clock by which it is told that it has begun.
        created_at=now,
        cut_seed=secrets.randbelow(SEED_LIMIT),
        clock=None if clock is None else clock.to_document(),
        has_phrases=has_phrases
        and len(members) > 1
        and not any(isinstance(one, Guest) for one in seats.values()),
        is_duplicate=bool(policy().packs(locked)),
    )
    game = game_of(locked.rules.rules, len(kept.sides[0].players))
    chairs = [
        _seat(match, number, sides[number], who, game)
        for number, who in sorted(seats.items(), key=itemgetter(0))
    ]
    if clock is not None:
        for chair in chairs:
            chair.bank = clock.bank
    TableSeat.objects.bulk_create(chairs)
    following = reply_and_deal(match, dealt(match, kept), kept, chairs, version=match.version, now=now)
    begun = next_turns(match, chairs, following, now)
    for name, value in begun.items():
        setattr(match, name, value)
    match.save(update_fields=list(begun))
    return match


def begun_with(*, sheet: Scoresheet, account: int, key: str, asked: str) -> TableMatch | None:
    """The table that this account began with this key, None if it began none; asked while it is locked.

    `asked` is what was asked for, in up to 120 characters. Refuses `wrong_key`, and `key_reused`: what the
    key began was something else, or on another sheet.
    """
    check_act_key(key)
    begun = TableAct.objects.filter(
        key=key, version=0, match__seats__number=F("seat"), match__seats__account=account
    )
    earlier = begun.select_related("match").first()
    if earlier is None:
        return None
    if (earlier.match.sheet_id, earlier.action) != (sheet.pk, asked):
        raise key_reused()
    return earlier.match


def keep_beginning(*, match: TableMatch, seat: int, key: str, asked: str) -> None:
    """Keeps with which key the account in this seat began the table, for `begun_with`."""
    TableAct.objects.create(match=match, seat=seat, key=key, version=0, action=asked, answered=match.version)


def _seat(
    match: TableMatch, number: int, side: int, who: Actor | HouseBot | Guest, game: str | None
) -> TableSeat:
    """The seat as stored; refuses a bot that is not available here, or does not play this game."""
    if isinstance(who, Actor):
        return TableSeat(match=match, number=number, side=side, account_id=int(who.id))
    if isinstance(who, Guest):
        return TableSeat(match=match, number=number, side=side, is_guest=True)
    bot = HouseBot.from_document(who.to_document(), strategies())
    bot.strategy.check_plays(game)
    return TableSeat(match=match, number=number, side=side, bot=bot.to_document())


def _check_quick(seated: Iterable[Actor | HouseBot | Guest]) -> None:
    """Refuse (`slow_bot`) a bot that weighs samples: several hands would wait for it."""
    for one in seated:
        if isinstance(one, HouseBot) and one.weighs:
            message = _("%(strategy)s thinks too long for a table of several; choose one without levels.")
            raise GameError("slow_bot", message % {"strategy": one.strategy.name}, field="seats")
