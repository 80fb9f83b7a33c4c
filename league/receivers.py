"""What follows in league from changes of sheets, from play at tables and of bots, and from accounts."""

import datetime
import logging
from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_out
from django.db import transaction
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils.translation import gettext

from games.models import BotMatch, BotMatchState, SiteHeartbeat, TableMatch, TableSeat
from games.services import hand_stands
from games.services.hands import TABLE
from games.signals import bot_match_ended, seat_taken, site_was_down, table_adjourned, table_forfeited
from league.bots.bot_matches import end_on_sheet, house
from league.draws.advancing import check_goes_on
from league.draws.forfeits import award_forfeit
from league.draws.qualifying import check_bracket_fits
from league.draws.sitting_in import seat_who_arrived
from league.errors import LeagueError
from league.events.evening_sweep import give_back_outage
from league.matches.fields import COUNTED_FIELDS, match_fields
from league.matches.member_tables import note_stopped
from league.models import OFF_SHEET, SAT_OUT, SEATED, Exhibition, Match, MatchState, SignUp
from league.notices.bounces import switch_on
from league.notices.causes import game_stopped, play_stopped, result_changed, result_counts, sheet_acted_on
from league.notices.devices import SWITCHED_ON, end_device, end_device_at
from league.people.friendlies import end_if_friendly
from league.policy.eligibility import check_not_withdrawn
from league.record.requests import request_ratings, request_standings
from scoring.core.actors import Actor, ActorKind
from scoring.core.errors import RecordingError, ScoringError
from scoring.models import ActKind, Claim, ClaimSettlement, Scoresheet, SheetAct, SheetStatus
from scoring.services import stop_sheet
from scoring.signals import sheet_changed

_log = logging.getLogger(__name__)


@receiver(email_confirmed, dispatch_uid="league.email_confirmed")
def open_account(email_address: EmailAddress, **_: Any) -> None:
    """Open an account that somebody has made for himself, once its address is verified.

    Mail that came back from there before says nothing any more.
    """
    SignUp.objects.filter(user=email_address.user_id).delete()
    switch_on(email_address.user)


@receiver(user_logged_out, dispatch_uid="league.signed_out")
def end_its_device(request: HttpRequest, user: User | None, **_: Any) -> None:
    """Tell who signs out nothing more in that browser, which others may use next.

    It was switched on in this session, or in one before, of which the browser tells on the account page.
    """
    if user is None:
        return
    code, endpoint = request.session.get(SWITCHED_ON), request.POST.get("endpoint")
    if code is not None:
        end_device(user=user, code=code)
    if endpoint:
        end_device_at(user=user, endpoint=endpoint)


@receiver(sheet_changed, sender=Scoresheet, dispatch_uid="league.sheet_changed")
def write_result(sheet: Scoresheet, act: SheetAct, **_: Any) -> None:
    """Bring the match in line with its sheet, in the transaction that locked the sheet.

    A stated forfeit or walkover stays until the director removes it. The table is requested, and a result
    noted to be told, only if something it counts has changed, which a deal in the middle of a match does not.
    Refused, and with it the act: beginning a match of a withdrawn side (`withdrawn`), and a correction that
    would advance another entry in a bracket, unless a director makes it (`next_begun`).
    """
    if not _is_one_more_deal(sheet, act):
        _bring_in_line(sheet, act.kind, Actor(ActorKind(act.actor_kind), act.actor_id, act.actor_name))
        sheet_acted_on(sheet, act)


@receiver(post_save, sender=Claim, dispatch_uid="league.claimed")
@receiver(post_save, sender=ClaimSettlement, dispatch_uid="league.claim_settled")
def wait_for_claims(instance: Claim | ClaimSettlement, created: bool, raw: bool = False, **_: Any) -> None:
    """Withhold a match from the table while its sheet has an open claim, in the claim's transaction.

    Refuses as `write_result`.
    """
    if not created or raw:
        return
    claim = instance if isinstance(instance, Claim) else instance.claim
    by = Actor(ActorKind(instance.actor_kind), instance.actor_id, instance.actor_name)
    # Reload it: the director's decision may just have corrected it.
    _bring_in_line(Scoresheet.objects.get(pk=claim.sheet_id), None, by)


def _bring_in_line(sheet: Scoresheet, kind: str | None, by: Actor) -> None:
    """Write the result that the sheet gives now; `kind` is that of the act that changed it, if any.

    A rated friendly game has none: what it counts for the club's ratings is in its sheet.
    """
    rows = Match.objects.filter(sheet=sheet).order_by()
    if sheet.status != SheetStatus.OPEN:
        # Depends on the event and on the players.
        rows = rows.select_related("event", *SEATED)
    match = next(iter(rows), None)
    if match is None:
        _request_ratings_of(sheet.pk)
        return
    if match.state in OFF_SHEET:
        return
    fields = match_fields(sheet, match)
    changed = {name for name, value in fields.items() if getattr(match, name) != value}
    if not changed:
        if match.held and kind != ActKind.RECORD:
            # The reason for waiting may have changed: save, so that followers are notified.
            Match.objects.filter(pk=match.pk).update(held=True)
        return
    if match.state == MatchState.SCHEDULED and kind == ActKind.RECORD:
        _check_begins(match, by)
    had_result = match.has_result
    for name, value in fields.items():
        setattr(match, name, value)
    # Checked in the UPDATE: an outcome stated meanwhile is not overwritten.
    written = Match.objects.filter(pk=match.pk).exclude(state__in=OFF_SHEET).update(**fields)
    if written and had_result:
        check_goes_on(match, by)
        check_bracket_fits(match, by)
    if written and (had_result or match.has_result) and changed & COUNTED_FIELDS:
        request_standings(match.event_id)
        if match.state in SAT_OUT:
            return  # nobody is told of the result of a round that is sat out
        if match.has_result:
            result_counts(match, by)
        else:
            result_changed(match)


def _request_ratings_of(sheet: int) -> None:
    """Request the ratings for which this sheet counts, if it is that of a friendly game."""
    for club in Exhibition.objects.filter(sheet=sheet, is_rated=True).values_list("club", flat=True):
        request_ratings(club)


@receiver(bot_match_ended, sender=BotMatch, dispatch_uid="league.bot_match_ended")
def give_what_was_forfeited(match: BotMatch, **_: Any) -> None:
    """State a forfeit by the side whose bot failed, in the transaction that ended the bot match.

    If it cannot be stated (the event is finished, the match decided), the bot match keeps its note, and the
    director decides.
    """
    if match.state == BotMatchState.FORFEITED and match.loser_side is not None:
        _give(match.sheet_id, 1 - match.loser_side, house(), match.note)


@receiver(table_forfeited, sender=TableMatch, dispatch_uid="league.table_forfeited")
def give_what_was_lost_by_time(match: TableMatch, **_: Any) -> None:
    """State a forfeit by the seat whose clock ran out, in the transaction that ended the table.

    If it cannot be stated the table still tells who lost, and the director decides. What is played outside
    of events stays as it stands on its sheet, which ends if it is that of a friendly game.
    """
    if match.forfeited_by is None:
        return
    reason = gettext("Time ran out.") if match.is_lost_by_time else gettext("Given up.")
    if not end_if_friendly(match, reason):
        _give(match.sheet_id, 1 - match.forfeited_by, TABLE, reason)


@receiver(seat_taken, sender=TableMatch, dispatch_uid="league.seat_taken")
def write_who_has_come(match: TableMatch, chair: TableSeat, from_deal: int, **_: Any) -> None:
    """Write who plays from this deal on in place of a bot, in the transaction that gave him the seat."""
    seat_who_arrived(table=match, chair=chair, from_deal=from_deal)


@receiver(table_adjourned, sender=TableMatch, dispatch_uid="league.table_adjourned")
def note_what_stopped(match: TableMatch, **_: Any) -> None:
    """Note why play stopped, and tell of it, in the transaction that stopped it."""
    noted = note_stopped(match)
    play_stopped(match.sheet, TABLE)
    if noted.club is not None and not Match.objects.filter(sheet=match.sheet_id).exists():
        seated = match.seats.filter(account__isnull=False)
        game_stopped(noted.club, set(seated.values_list("account", flat=True)), noted)


@receiver(site_was_down, sender=SiteHeartbeat, dispatch_uid="league.site_was_down")
def give_time_back(since: datetime.datetime, until: datetime.datetime, **_: Any) -> None:
    """Wait for players of evenings as much longer as the site was down."""
    give_back_outage(since, until)


def _give(sheet: int, winner_side: int, by: Actor, reason: str) -> None:
    """Award the match on this sheet, if there is one, or end that of a bye; a refusal is logged."""
    forfeited = Match.objects.select_related("event__club").filter(sheet=sheet).first()
    if forfeited is None:
        return
    try:
        with transaction.atomic():
            if forfeited.state == MatchState.BYE:
                # A bye is not forfeited: what is played in its place is over, and lost.
                stop_sheet(actor=by, sheet=Scoresheet.objects.get(pk=sheet), reason=reason)
            else:
                award_forfeit(actor=by, match=forfeited, winner_side=winner_side, reason=reason)
    except (LeagueError, ScoringError) as refusal:
        _log.warning("The forfeit of %s is not awarded: %s", forfeited.label, refusal)


@receiver(sheet_changed, sender=Scoresheet, dispatch_uid="league.hand_overtaken")
def tell_of_an_overtaken_hand(sheet: Scoresheet, act: SheetAct, **_: Any) -> None:
    """Tell directors that the hand in play no longer fits the sheet, as a deal was entered or taken back.

    While a table is played it alone records, and an operator: nobody else's deals are looked at.
    """
    is_usual = act.kind == ActKind.RECORD and act.actor_kind != ActorKind.OPERATOR
    if is_usual or act.actor_id == TABLE.id or sheet.status != SheetStatus.OPEN:
        return
    table = TableMatch.objects.filter(sheet=sheet, is_live=True).select_related("sheet").first()
    if table is not None and not hand_stands(table):
        play_stopped(sheet, Actor(ActorKind(act.actor_kind), act.actor_id, act.actor_name))


@receiver(sheet_changed, sender=Scoresheet, dispatch_uid="league.sheet_voided")
def end_with_sheet(sheet: Scoresheet, act: SheetAct, **_: Any) -> None:
    """Cancel the pending bot match of a voided sheet."""
    if act.kind == ActKind.VOID:
        end_on_sheet(sheet)


def _check_begins(match: Match, by: Actor) -> None:
    """Refuse to begin a match of a withdrawn side; to bots with an error that scoring knows."""
    try:
        check_not_withdrawn(match)
    except LeagueError as refusal:
        if by.kind is not ActorKind.BOT:
            raise
        raise RecordingError(refusal.code, refusal.message) from refusal


def _is_one_more_deal(sheet: Scoresheet, act: SheetAct) -> bool:
    """Return whether an open sheet only got one more deal, by far the most frequent change.

    The match has been marked as being played since the first deal, so nothing changes.
    """
    return (
        act.kind == ActKind.RECORD
        and sheet.status == SheetStatus.OPEN
        and sheet.paper is None
        and sheet.version > 1
        and act.answer is not None
        and (act.answer["first"] or 0) > 1
    )
