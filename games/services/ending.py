"""Ends of bot matches: played, forfeited or cancelled. The apps above are signalled in the transaction."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import GameError
from games.models import TO_PLAY, BotMatch, BotMatchState, kept_note
from games.services.leases import LeaseLost
from games.signals import bot_match_ended
from games.tables.play import BotError
from scoring.core.actors import Actor
from scoring.core.messages import Sentence, mark
from scoring.models import Scoresheet, SheetStatus
from scoring.policy import SheetAction
from scoring.services.acts import ask, checked_reason, locked_sheet
from scoring.services.records import kept_sheet


@transaction.atomic
def cancel_bot_match(*, actor: Actor, match: BotMatch, reason: str) -> None:
    """Cancels the match at any deal: what was played stays, and the sheet is free for people.

    `play_on` resumes it. Asks the policy for permission to void the sheet. Refuses `match_over`, and with
    `ScoringError` `not_allowed` and a reason that is missing or too long.
    """
    sheet = locked_sheet(match.sheet)
    ask(actor, SheetAction.VOID, sheet)
    note = mark("Cancelled by %(name)s: %(reason)s", name=actor.name, reason=checked_reason(reason))
    try:
        end(match, BotMatchState.CANCELLED, note=note)
    except LeaseLost:
        raise GameError("match_over", _("This bot match is over.")) from None


@transaction.atomic
def finish(match: BotMatch, token: str, *, note: Sentence = "") -> None:
    """Ends a match that is played out or cannot continue; a stopped or voided sheet cancels it, with a note.

    For a sheet that is still open, `note` says why it ends. `LeaseLost` if another worker plays it.
    """
    finish_on(locked_sheet(match.sheet), match, token, note=note)


def finish_on(sheet: Scoresheet, match: BotMatch, token: str, *, note: Sentence = "") -> None:
    """`finish` for callers that hold the sheet."""
    if sheet.status == SheetStatus.VOID:
        end(match, BotMatchState.CANCELLED, note=mark("The sheet was voided."), token=token)
    elif sheet.status == SheetStatus.STOPPED:
        end(match, BotMatchState.CANCELLED, note=mark("Time was called on the sheet."), token=token)
    else:
        end(match, BotMatchState.FINISHED, note=note, token=token)


@transaction.atomic
def end_failed(match: BotMatch, token: str, failure: BotError) -> None:
    """Ends the match of a failed bot: forfeited for its side; finished, if the sheet has ended meanwhile.

    At a table of more than two sides nobody gets it: it is cancelled with a note, and the sheet stays open.
    `LeaseLost` if another worker plays it.
    """
    sheet = locked_sheet(match.sheet)
    if sheet.status != SheetStatus.OPEN:
        finish_on(sheet, match, token)
        return
    first, *others = kept_sheet(sheet).sides
    if len(others) > 1:
        end(match, BotMatchState.CANCELLED, note=failure.message, token=token)
        return
    loser_side = int(failure.bot not in first.everyone)
    end(match, BotMatchState.FORFEITED, note=failure.message, loser_side=loser_side, token=token)


def end(
    match: BotMatch,
    state: BotMatchState,
    *,
    note: Sentence = "",
    loser_side: int | None = None,
    token: str | None = None,
) -> None:
    """Ends the match of a locked sheet and signals the apps above.

    `LeaseLost` if it is over or not owned by `token`; None requires no owner.
    """
    rows = BotMatch.objects.filter(pk=match.pk, state__in=TO_PLAY)
    if token is not None:
        rows = rows.filter(owner=token)
    ended = {"state": state, "said": kept_note(note), "loser_side": loser_side, "ended_at": timezone.now()}
    if not rows.update(**ended, owner="", heartbeat=None):
        raise LeaseLost
    match.refresh_from_db()
    bot_match_ended.send(BotMatch, match=match)
