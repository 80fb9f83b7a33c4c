"""Planning bot matches: a sheet, a bot for every seat, a seed."""

import datetime
import secrets
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.bots import HouseBot, Strategy
from games.bots.strategies import strategies_with
from games.errors import GameError
from games.models import SEED_LIMIT, BotMatch, BotMatchState
from games.tables.dealing import ONE_PACK_TEAM, game_of
from scoring.core.actors import Actor
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import SheetAction
from scoring.services.acts import ask, locked_sheet


def strategies() -> Mapping[str, Strategy]:
    """The strategies available here by name: those of the house and of `BOT_STRATEGIES`."""
    return strategies_with(tuple(settings.BOT_STRATEGIES))


def game_on(sheet: Scoresheet) -> str | None:
    """What a strategy must say that it plays (`game_of`) on this sheet."""
    return game_of(sheet.rules.rules, team_size_on(sheet))


def team_size_on(sheet: Scoresheet) -> int:
    """How many are the first side of this sheet at once."""
    return sheet.seats.filter(side__position=0, replaces=None).count()


@transaction.atomic
def plan_bot_match(
    *,
    sheet: Scoresheet,
    bots: Mapping[int, HouseBot],
    seed: int | None = None,
    due_at: datetime.datetime | None = None,
) -> BotMatch:
    """Plans a bot match on this sheet, to be played from `due_at` (None: now).

    `bots` has a bot for every seat number. The sheet may have deals but must be open; the bots continue from
    there. The caller has checked permission. Without a `seed` (0 … 2**53 - 1) a random one is used. Locks the
    sheet.

    Refuses `no_bot`, `unknown_seat`, `sheet_over`, `already_planned`, `shared_pack`, `seed_out_of_range`,
    `not_played` (a strategy that does not play this game), and, like `HouseBot.from_document`, one that is
    not available here.
    """
    locked = locked_sheet(sheet)
    if locked.status != SheetStatus.OPEN:
        raise GameError("sheet_over", _("This sheet has ended; bots play on open ones."), field="sheet")
    if BotMatch.objects.filter(sheet=locked).exists():
        raise GameError("already_planned", _("This sheet has its bot match already."), field="sheet")
    documents = _bots_by_seat(locked, bots)
    rules = locked.rules.rules
    size = team_size_on(locked)
    if rules.packs == "shared" and size > ONE_PACK_TEAM:
        raise GameError(
            "shared_pack",
            _("One pack is shared by two against two at most."),
            field="rules.packs",
        )
    game = game_of(rules, size)
    for bot in bots.values():
        bot.strategy.check_plays(game)
    if seed is None:
        seed = secrets.randbelow(SEED_LIMIT)
    elif type(seed) is not int or not 0 <= seed < SEED_LIMIT:
        raise GameError("seed_out_of_range", _("A seed is a whole number from 0 to 2⁵³ − 1."), field="seed")
    return BotMatch.objects.create(sheet=locked, bots=documents, seed=seed, due_at=due_at or timezone.now())


@transaction.atomic
def play_on(*, match: BotMatch) -> BotMatch:
    """Resumes a cancelled match at once, with the same bots and seed, from the current state of its sheet.

    The caller has checked permission. Locks the sheet. Refuses `sheet_over`, and with `not_cancelled` a match
    that is still to be played or that its bots have ended.
    """
    if locked_sheet(match.sheet).status != SheetStatus.OPEN:
        raise GameError("sheet_over", _("This sheet has ended; bots play on open ones."), field="sheet")
    taken_up = BotMatch.objects.filter(pk=match.pk, state=BotMatchState.CANCELLED).update(
        state=BotMatchState.DUE, due_at=timezone.now(), ended_at=None, handed_at=None, attempts=0, said=None
    )
    if not taken_up:
        raise GameError("not_cancelled", _("This bot match was not cancelled."))
    match.refresh_from_db()
    return match


@transaction.atomic
def try_again(*, actor: Actor, match: BotMatch) -> None:
    """Retries a match that was left alone; else `not_left_alone`. Takes permission to cancel it."""
    ask(actor, SheetAction.VOID, locked_sheet(match.sheet))
    match.refresh_from_db()
    if not match.is_left_alone:
        raise GameError("not_left_alone", _("This bot match is not waiting to be tried again."))
    match.attempts, match.handed_at, match.said = 0, None, None
    match.save(update_fields=["attempts", "handed_at", "said"])


def _bots_by_seat(sheet: Scoresheet, bots: Mapping[int, HouseBot]) -> dict[str, Any]:
    """The bots' documents by seat, as stored."""
    names = dict(sheet.seats.order_by("number").values_list("number", "name"))
    for number, name in names.items():
        if number not in bots:
            raise GameError("no_bot", _("There is no bot for %(name)s.") % {"name": name}, field="bots")
    for number in bots:
        if number not in names:
            raise GameError(
                "unknown_seat", _("The sheet has no seat %(number)s.") % {"number": number}, field="bots"
            )
    known = strategies()
    return {
        str(number): HouseBot.from_document(bots[number].to_document(), known).to_document()
        for number in names
    }
