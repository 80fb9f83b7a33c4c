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
    tokens = ApiToken.objects.filter(user=user)
    acted = Q(actor_kind=ActorKind.USER.value, actor_id=str(user.pk)) | Q(
        actor_kind=ActorKind.TOKEN.value, actor_id__in=list(tokens.values_list("code", flat=True))
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
            "addresses": _rows(EmailAddress.objects.filter(user=user).order_by("pk"), "email verified"),
            "made_at": _at(user.date_joined),
            "last_login": _at(user.last_login),
        },
        "offices": _rows(Membership.objects.filter(user=user), "club=club__name role"),
        "asks_to_join": _rows(
            JoinRequest.objects.filter(user=user).order_by("pk"),
            "club=club__name name member_number note made_at",
        ),
        "removed_from": _rows(
            RemovedMember.objects.filter(user=user).order_by("pk"), "club=club__name removed_at"
        ),
        "invitations": _rows(
            Invitation.objects.filter(accepted_by=user), "club=club__name role email accepted_at"
        ),
        "sign_ins": [
            {**one, "failed": failed}
            for failed, model in ((False, AccessLog), (True, AccessAttempt))
            for one in _rows(
                model.objects.filter(username=user.get_username()).order_by("pk"),
                "at=attempt_time address=ip_address browser=user_agent",
            )
        ],
        "second_factors": _rows(
            Authenticator.objects.filter(user=user).order_by("pk"),
            "kind=type made_at=created_at last_used_at",
        ),
        "sessions": _rows(
            UserSession.objects.filter(user=user).order_by("pk"),
            "begun_at=created_at address=ip browser=user_agent",
        ),
        "tokens": _rows(
            tokens,
            "name scope club=club__name event=event__name sheet=sheet__code "
            "made_at=created ends_at=expiry last_used_at",
        ),
        "calendar_made_at": _at(
            CalendarAddress.objects.filter(user=user).values_list("made_at", flat=True).first()
        ),
        "notice_choices": _rows(
            NoticeChoices.objects.filter(user=user),
            "club=club__name kinds pushed_kinds off=is_off quiet_from quiet_until digest_at",
        ),
        "returned_mail": _rows(MailBounce.objects.filter(user=user), "address status at times off_at"),
        "devices": [
            {
                "name": one.name,
                "push_service": urlsplit(one.endpoint).hostname,
                "made_at": _at(one.made_at),
                "reached_at": _at(one.reached_at),
            }
            for one in PushDevice.objects.filter(user=user).order_by("pk")
        ],
        "notices": _rows(
            Notice.objects.filter(user=user).order_by("pk"),
            "club=club__name kind way event=event__name made_at ended_at end answer",
        ),
        "players": [_player(player) for player in players],
        "line_ups_handed_in": _rows(
            LineUpSeat.objects.filter(acted).order_by("pk"),
            "event=match__event__name side position player=player__name at",
        ),
        "sheet_acts": _rows(
            SheetAct.objects.filter(acted).order_by("pk"), "sheet=sheet__code kind at reason door address"
        ),
        "signatures": _rows(
            Signature.objects.filter(acted).order_by("pk"), "sheet=sheet__code version side at"
        ),
        "claims": _rows(Claim.objects.filter(acted).order_by("pk"), "sheet=sheet__code deal=number body at"),
        "disputes": _rows(Dispute.objects.filter(acted).order_by("pk"), "sheet=sheet__code sentence at"),
        "seats_at_tables": [
            _own_seat(seat)
            for seat in TableSeat.objects.filter(account=user).select_related("match__sheet").order_by("pk")
        ],
        "changes_made": _rows(
            AuditEntry.objects.filter(acted).order_by("pk"),
            "action object=object_name at reason door address",
        ),
        "changes_of_players": _rows(of_players.order_by("pk"), "action at before after"),
    }


def _rows(rows: QuerySet[Any], fields: str) -> list[dict[str, Any]]:
    """Each row as a dict of `fields`, in their order, with spaces between; times and durations as in JSON.

    A field is told by its own name, or as `club=club__name` by another, which may be that of a field itself:
    `QuerySet.values` takes no such name.
    """
    paths = {name: path or name for name, _is, path in (each.partition("=") for each in fields.split())}
    told = rows.values_list(*paths.values())
    return [dict(zip(paths, map(_as_json, row), strict=True)) for row in told]


def _as_json(value: Any) -> Any:
    if isinstance(value, datetime.datetime):
        return _at(value)
    if isinstance(value, datetime.timedelta):
        return value.total_seconds()
    return value.isoformat() if isinstance(value, datetime.date | datetime.time) else value


def _at(time: datetime.datetime | None) -> str | None:
    return None if time is None else time.astimezone(datetime.UTC).isoformat()


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
        "acts": _rows(acts, "version action took_seconds=took"),
        "phrases": _rows(
            TablePhrase.objects.filter(match=seat.match_id, seat=seat.number).order_by("pk"),
            "phrase at=said_at",
        ),
        "warnings": _rows(
            TableWarning.objects.filter(match=seat.match_id, seat=seat.number).order_by("pk"),
            "reason at=warned_at",
        ),
        "choices_weighed": _rows(reports.order_by("hand__deal"), "deal=hand__deal choices"),
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
        "entries": _rows(
            player.memberships_in_entries.order_by("pk"),
            "event=event__name entry=entry__name fee_paid_at=entry__paid_at",
        ),
        "requests": _rows(
            player.entry_requests.order_by("pk"),
            "event=event__name state position reason team=team_name made_at",
        ),
        "invitations_to_teams": _rows(
            player.partner_invitations.order_by("pk"),
            "event=event__name captain=request__player__name team=request__team_name state made_at",
        ),
        "looks_for_partners": _rows(player.partner_searches.order_by("pk"), "event=event__name note made_at"),
        "days_away": _rows(player.absences.all(), "first_day last_day"),
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
        "daily_hands": _rows(player.daily_tries.order_by("pk"), "day=hand__day actions points"),
        "matches": [_match(played) for played in matches_of(player)],
        "times_proposed": _rows(
            ProposedTime.objects.filter(match__in=entered), "event=match__event__name side at place made_at"
        ),
        "offers_to_play_online": _rows(
            OnlineOffer.objects.filter(match__in=entered), "event=match__event__name side made_at"
        ),
        "tables": [_table(seat) for seat in _seats_at_tables(player)],
    }


def _offer(offer: GameOffer) -> dict[str, Any]:
    return {
        "is_rated": offer.is_rated,
        "clock": offer.clock,
        "length": offer.length,
        "state": offer.state,
        "made_at": _at(offer.made_at),
    }


def _seats_at_tables(player: Player) -> QuerySet[Seat]:
    """The seats of the player on sheets outside events, those of players merged into this one included."""
    seats = Seat.objects.filter(person__in=player.codes, sheet__exhibition__isnull=False)
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
