"""Everything stored about a user, as one document."""

import dataclasses
import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from games.models import HandReport, TableAct, TablePhrase, TableSeat, TableWarning
from games.services import agreement_of
from games.services.packs import is_withheld
from games.services.reports import is_told
from games.tables.agreement import Agreement
from league.models import (
    DETAILS,
    ApiToken,
    AuditEntry,
    CalendarAddress,
    GameOffer,
    Invitation,
    JoinRequest,
    LineUpSeat,
    MailBounce,
    Match,
    MatchState,
    Membership,
    Notice,
    NoticeChoices,
    OnlineOffer,
    Player,
    ProposedTime,
    PushDevice,
    RemovedMember,
)
from league.people.records import PlayedMatch, matches_of
from league.tables.rating_lists import rating_of
from scoring.core.actors import ActorKind
from scoring.models import Claim, Dispute, Seat, SheetAct, Signature

VERSION: Final = 1


def own_data(user: User) -> dict[str, Any]:
    """The account, its players with their results, and everything done with it, as JSON data.

    Times are ISO 8601 in UTC. Secrets are not included; the database has only their digests.
    """
    tokens = list(ApiToken.objects.filter(user=user).select_related("club", "event", "sheet"))
    acted = Q(actor_kind=ActorKind.USER.value, actor_id=str(user.pk)) | Q(
        actor_kind=ActorKind.TOKEN.value, actor_id__in=[token.code for token in tokens]
    )
    players = Player.objects.filter(user=user).select_related("club").order_by("club__name", "pk")
    of_players = AuditEntry.objects.filter(
        object_type="player", object_id__in=[str(player.pk) for player in players]
    )
    return {
        "version": VERSION,
        "account": {
            "username": user.username,
            "name": user.get_full_name(),
            "email": user.email,
            "addresses": [
                {"email": one.email, "verified": one.verified}
                for one in EmailAddress.objects.filter(user=user).order_by("pk")
            ],
            "made_at": _at(user.date_joined),
            "last_login": _at(user.last_login),
        },
        "offices": [
            {"club": office.club.name, "role": office.role}
            for office in Membership.objects.filter(user=user).select_related("club")
        ],
        "asks_to_join": [
            {
                "club": one.club.name,
                "name": one.name,
                "member_number": one.member_number,
                "note": one.note,
                "made_at": _at(one.made_at),
            }
            for one in JoinRequest.objects.filter(user=user).select_related("club").order_by("pk")
        ],
        "removed_from": [
            {"club": one.club.name, "removed_at": _at(one.removed_at)}
            for one in RemovedMember.objects.filter(user=user).select_related("club").order_by("pk")
        ],
        "invitations": [
            {"club": one.club.name, "role": one.role, "email": one.email, "accepted_at": _at(one.accepted_at)}
            for one in Invitation.objects.filter(accepted_by=user).select_related("club")
        ],
        "sign_ins": [
            {
                "at": _at(one.attempt_time),
                "address": one.ip_address,
                "browser": one.user_agent,
                "failed": failed,
            }
            for failed, model in ((False, AccessLog), (True, AccessAttempt))
            for one in model.objects.filter(username=user.get_username()).order_by("pk")
        ],
        "second_factors": [
            {"kind": one.type, "made_at": _at(one.created_at), "last_used_at": _at(one.last_used_at)}
            for one in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "sessions": [
            {"begun_at": _at(one.created_at), "address": one.ip, "browser": one.user_agent}
            for one in UserSession.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [_token(token) for token in tokens],
        "calendar_made_at": _at(
            CalendarAddress.objects.filter(user=user).values_list("made_at", flat=True).first()
        ),
        "notice_choices": [
            {
                "club": one.club.name,
                "kinds": one.kinds,
                "pushed_kinds": one.pushed_kinds,
                "off": one.is_off,
                "quiet_from": one.quiet_from and one.quiet_from.isoformat(),
                "quiet_until": one.quiet_until and one.quiet_until.isoformat(),
                "digest_at": one.digest_at and one.digest_at.isoformat(),
            }
            for one in NoticeChoices.objects.filter(user=user).select_related("club")
        ],
        "returned_mail": [
            {
                "address": one.address,
                "status": one.status,
                "at": _at(one.at),
                "times": one.times,
                "off_at": _at(one.off_at),
            }
            for one in MailBounce.objects.filter(user=user)
        ],
        "devices": [
            {
                "name": one.name,
                "push_service": urlsplit(one.endpoint).hostname,
                "made_at": _at(one.made_at),
                "reached_at": _at(one.reached_at),
            }
            for one in PushDevice.objects.filter(user=user).order_by("pk")
        ],
        "notices": [
            {
                "club": one.club.name,
                "kind": one.kind,
                "way": one.way,
                "event": one.event and one.event.name,
                "made_at": _at(one.made_at),
                "ended_at": _at(one.ended_at),
                "end": one.end,
                "answer": one.answer,
            }
            for one in Notice.objects.filter(user=user).select_related("club", "event").order_by("pk")
        ],
        "players": [_player(player) for player in players],
        "line_ups_handed_in": [
            {
                "event": one.match.event.name,
                "side": one.side,
                "position": one.position,
                "player": one.player.name,
                "at": _at(one.at),
            }
            for one in LineUpSeat.objects.filter(acted)
            .select_related("match__event", "player")
            .order_by("pk")
            .select_related("match__event", "player")
            .order_by("pk")
        ],
        "sheet_acts": [
            {
                "sheet": act.sheet.code,
                "kind": act.kind,
                "at": _at(act.at),
                "reason": act.reason,
                "door": act.door,
                "address": act.address,
            }
            for act in SheetAct.objects.filter(acted).select_related("sheet").order_by("pk")
        ],
        "signatures": [
            {"sheet": one.sheet.code, "version": one.version, "side": one.side, "at": _at(one.at)}
            for one in Signature.objects.filter(acted).select_related("sheet").order_by("pk")
        ],
        "claims": [
            {"sheet": one.sheet.code, "deal": one.number, "body": one.body, "at": _at(one.at)}
            for one in Claim.objects.filter(acted).select_related("sheet").order_by("pk")
        ],
        "disputes": [
            {"sheet": one.sheet.code, "sentence": one.sentence, "at": _at(one.at)}
            for one in Dispute.objects.filter(acted).select_related("sheet").order_by("pk")
        ],
        "seats_at_tables": [
            _own_seat(seat)
            for seat in TableSeat.objects.filter(account=user).select_related("match__sheet").order_by("pk")
        ],
        "changes_made": [_change(entry) for entry in AuditEntry.objects.filter(acted).order_by("pk")],
        "changes_of_players": [
            {"action": entry.action, "at": _at(entry.at), "before": entry.before, "after": entry.after}
            for entry in of_players.order_by("pk")
        ],
    }


def _at(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.astimezone(datetime.UTC).isoformat()


def _token(token: ApiToken) -> dict[str, Any]:
    return {
        "name": token.name,
        "scope": token.scope,
        "club": token.club and token.club.name,
        "event": token.event and token.event.name,
        "sheet": token.sheet and token.sheet.code,
        "made_at": _at(token.created),
        "ends_at": _at(token.expiry),
        "last_used_at": _at(token.last_used_at),
    }


def _own_seat(seat: TableSeat) -> dict[str, Any]:
    acts = TableAct.objects.filter(match=seat.match_id, seat=seat.number).order_by("version")
    reports = HandReport.objects.filter(hand__match=seat.match_id, seat=seat.number)
    # Against a member they are told here, too, only when play is over.
    if not is_told(seat.match):
        reports = reports.none()
    if is_withheld(seat.match):
        acts = acts.none()
    return {
        "sheet": seat.match.sheet.code,
        "seat": seat.number,
        "begun_at": _at(seat.match.created_at),
        "acts": [
            {
                "version": act.version,
                "action": act.action,
                "took_seconds": None if act.took is None else act.took.total_seconds(),
            }
            for act in acts
        ],
        "phrases": [
            {"phrase": each.phrase, "at": _at(each.said_at)}
            for each in TablePhrase.objects.filter(match=seat.match_id, seat=seat.number).order_by("pk")
        ],
        "warnings": [
            {"reason": each.reason, "at": _at(each.warned_at)}
            for each in TableWarning.objects.filter(match=seat.match_id, seat=seat.number).order_by("pk")
        ],
        "choices_weighed": [
            {"deal": report.hand.deal, "choices": report.choices}
            for report in reports.select_related("hand").order_by("hand__deal")
        ],
        "choices_added_up": _agreement(agreement_of(seat.match, seat.number)),
    }


def _agreement(sums: Agreement | None) -> dict[str, Any] | None:
    """How many choices count, the share that agrees with `expert`, and what one cost on average."""
    if sums is None:
        return None
    return {
        "choices": sums.choices,
        "share": round(sums.share, 4),
        "mean_cost": round(sums.mean_cost, 2),
    }


def _player(player: Player) -> dict[str, Any]:
    rating = rating_of(player)
    entered = Match.objects.of_entries(player.entries.all()).values("pk")
    return {
        "club": player.club.name,
        "code": player.code,
        "name": player.name,
        "other_names": list(player.aliases.values_list("name", flat=True)),
        "shown_as": player.shown_as,
        "nickname": player.nickname,
        **{detail.name: detail.of(player) for detail in DETAILS},
        "external_id": player.external_id,
        "made_at": _at(player.created_at),
        "rating": None if rating is None else dataclasses.asdict(rating),
        "entries": [
            {
                "event": member.event.name,
                "entry": member.entry.name,
                "fee_paid_at": _at(member.entry.paid_at),
            }
            for member in player.memberships_in_entries.select_related("event", "entry").order_by("pk")
        ],
        "requests": [
            {
                "event": request.event.name,
                "state": request.state,
                "position": request.position,
                "reason": request.reason,
                "team": request.team_name,
                "made_at": _at(request.made_at),
            }
            for request in player.entry_requests.select_related("event").order_by("pk")
        ],
        "invitations_to_teams": [
            {
                "event": asked.event.name,
                "captain": asked.request.player.name,
                "team": asked.request.team_name,
                "state": asked.state,
                "made_at": _at(asked.made_at),
            }
            for asked in player.partner_invitations.select_related("event", "request__player").order_by("pk")
        ],
        "looks_for_partners": [
            {"event": search.event.name, "note": search.note, "made_at": _at(search.made_at)}
            for search in player.partner_searches.select_related("event").order_by("pk")
        ],
        "days_away": [
            {"first_day": one.first_day.isoformat(), "last_day": one.last_day.isoformat()}
            for one in player.absences.all()
        ],
        "games_offered": [
            {"to": [seat.player.name for seat in offer.seats.all() if seat.player], **_offer(offer)}
            for offer in player.games_offered.prefetch_related("seats__player")
        ],
        "games_offered_by_others": [
            {
                "by": seat.offer.by.name,
                "agreed_at": _at(seat.agreed_at),
                "has_declined": seat.has_declined,
                **_offer(seat.offer),
            }
            for seat in player.seats_offered.select_related("offer__by").order_by("pk")
        ],
        "daily_hands": [
            {"day": one.hand.day.isoformat(), "actions": one.actions, "points": one.points}
            for one in player.daily_tries.select_related("hand").order_by("pk")
        ],
        "matches": [_match(played) for played in matches_of(player)],
        "times_proposed": [
            {
                "event": one.match.event.name,
                "side": one.side,
                "at": _at(one.at),
                "place": one.place,
                "made_at": _at(one.made_at),
            }
            for one in ProposedTime.objects.filter(match__in=entered).select_related("match__event")
        ],
        "offers_to_play_online": [
            {"event": one.match.event.name, "side": one.side, "made_at": _at(one.made_at)}
            for one in OnlineOffer.objects.filter(match__in=entered).select_related("match__event")
        ],
        "tables": [_table(seat) for seat in _seats_at_tables(player)],
    }


def _offer(offer: GameOffer) -> dict[str, Any]:
    return {
        "is_rated": offer.is_rated,
        "state": offer.state,
        "made_at": _at(offer.made_at),
    }


def _seats_at_tables(player: Player) -> QuerySet[Seat]:
    """The seats of the player on sheets outside events, those of players merged into this one included."""
    codes = [player.code, *player.merged.values_list("code", flat=True)]
    seats = Seat.objects.filter(person__in=codes, sheet__exhibition__isnull=False)
    return seats.select_related("sheet__rules", "sheet__exhibition", "side").order_by("sheet_id", "number")


def _table(seat: Seat) -> dict[str, Any]:
    sheet, side = seat.sheet, seat.side.position
    return {
        "sheet": sheet.code,
        "label": sheet.label,
        "rules": sheet.rules.name,
        "opened_at": _at(sheet.opened_at),
        "status": sheet.status,
        "is_rated": sheet.exhibition.is_rated,
        "written": seat.name,
        "from_deal": seat.from_deal,
        "net": sheet.nets[side],
        "place": sheet.places[side] if sheet.places else None,
    }


def _match(played: PlayedMatch) -> dict[str, Any]:
    match = played.match
    return {
        "event": match.event.name,
        "round": match.round.number,
        "date": match.round.date and match.round.date.isoformat(),
        "sheet": match.sheet and match.sheet.code,
        "state": match.state,
        "against": (", " if match.is_table else " + ").join(entry.name for entry in played.opponent),
        "with": played.partner and played.partner.name,
        "planned_at": _at(match.planned_at),
        "planned_place": match.planned_place,
        "result": played.verdict,
        "net": None if match.state == MatchState.TAKEN_OVER else played.net,
        "place": played.place,
        "columns": None if match.is_table else list(played.columns),
        "figures": dict(played.figures),
    }


def _change(entry: AuditEntry) -> dict[str, Any]:
    return {
        "action": entry.action,
        "object": entry.object_name,
        "at": _at(entry.at),
        "reason": entry.reason,
        "door": entry.door,
        "address": entry.address,
    }
