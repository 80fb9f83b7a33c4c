"""Leaving a club by oneself, and erasing oneself there or everywhere.

What a member may withdraw from is withdrawn. A running event is not damaged: the entry stays, a director is
told and withdraws it. Played sheets and standings stay in any case.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from league.draws.arranging import still_arranged, take_back_times
from league.errors import LeagueError
from league.events.entering import why_it_stays, withdraw_player
from league.events.teams import check_may_leave, go_from_team
from league.events.waiting import fill_places
from league.matches.arrivals import leave_kept_seats
from league.matches.offers import forget_offers
from league.models import (
    ApiToken,
    Challenge,
    Club,
    Entry,
    EntryMember,
    EntryRequest,
    Event,
    EventKind,
    EventState,
    JoinRequest,
    Match,
    MatchState,
    Membership,
    Notice,
    NoticeChoices,
    Player,
    PlayerAbsence,
    RequestState,
    RoundState,
)
from league.notices.causes import comes_or_goes
from league.people.accounts import own_players
from league.people.clubs import check_goes, sync_admin_access
from league.people.erasing import (
    Erasure,
    check_no_administrator,
    erase_account,
    erase_person,
    planned_erasure,
)
from league.people.forming_teams import leave_all_teams, teams_of
from league.people.renaming import lock_places
from league.policy import actor_of, events_seen
from league.policy.own import sides_arranged_by
from league.policy.refusals import refused
from league.record.audit import change_row, locked, record_audit, remove_row
from scoring.core.actors import Actor

_OVER = (EventState.FINISHED, EventState.ARCHIVED)


@dataclass(frozen=True, slots=True)
class Staying:
    """An entry that only a director withdraws, why, and what is still to be played with it.

    `arranged` are those of its `matches` of which a time is agreed, `challenges` those that are challenges.
    """

    entry: Entry
    why: str
    matches: int
    arranged: int
    challenges: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """What happens to a member who leaves a club.

    `ends` are the events of which his entry, or his place on the list, goes; `stays` are the entries that do
    not. `refusal` says why he cannot leave, "" if he can.
    """

    club: Club
    office: Membership | None
    players: Sequence[Player]
    ends: Sequence[Event]
    stays: Sequence[Staying]
    tokens: int
    refusal: str


@dataclass(frozen=True, slots=True)
class ErasingOneself:
    """What happens to who erases himself: how he leaves each club, and what goes there.

    `closes` is whether the account is closed. `refusal` says why it cannot be, "" if it can.
    """

    leaving: Sequence[Leaving]
    erasures: Sequence[Erasure]
    closes: bool
    refusal: str


def clubs_left(user: User) -> list[Club]:
    """The clubs that the user belongs to, by an office or as a player, in the order of locks."""
    # Asked by ids, as one join would repeat a club for each of his players.
    offices = Club.objects.filter(memberships__user=user).values("pk")
    players = Club.objects.filter(players__user=user).values("pk")
    return list(Club.objects.filter(Q(pk__in=offices) | Q(pk__in=players)).order_by("pk"))


def planned_leaving(user: User, club: Club) -> Leaving:
    """What `leave_club` would do now, as the user may see it: no drafts of events."""
    players = list(own_players(user.pk, club))
    office = Membership.objects.filter(club=club, user=user).first()
    entries = _open_entries(players).filter(event__in=events_seen(user))
    requests = _requests(players)
    reasons = [(entry, _why_it_stays(entry)) for entry in entries]
    return Leaving(
        club,
        office,
        players,
        [
            *(entry.event for entry, why in reasons if not why),
            *(request.event for request in requests.select_related("event")),
            *(team.event for team in teams_of(players)),
        ],
        [_staying(entry, why) for entry, why in reasons if why],
        ApiToken.objects.filter(user=user, club=club).count(),
        _refusal(club, office, players),
    )


@transaction.atomic
def leave_club(*, user: User, club: Club) -> Leaving:
    """Have the user leave the club by himself, with office, entries and tokens; returns what was done.

    His player stays in the register, without an account. Refused: who does not belong to it (`not_member`),
    and the last owner (`last_owner`) or director (`last_director`).
    """
    club = locked(club)
    actor = actor_of(user)
    plan = _end_what_is_open(actor, user, club)
    for player in plan.players:
        leave_kept_seats(player)
        change_row(actor, "player.change", player, {"user": None})
        PlayerAbsence.objects.filter(player=player).delete()
    forget_offers(plan.players)
    for token in ApiToken.objects.filter(user=user, club=club):
        remove_row(actor, "token.revoke", token)
    for model in (Notice, NoticeChoices, JoinRequest):
        model._default_manager.filter(user=user, club=club).delete()
    if plan.office is not None:
        remove_row(actor, "membership.remove", plan.office)
        sync_admin_access(user)
    _note(actor, user, plan)
    return plan


def planned_self_erasure(user: User, club: Club | None = None) -> ErasingOneself:
    """What `erase_oneself` would do now. Withdraws him to find the texts, and rolls that back."""
    clubs = clubs_left(user) if club is None else [club]
    leaving = [planned_leaving(user, each) for each in clubs]
    with transaction.atomic():
        for each in [locked(plan.club) for plan in leaving if plan.players and not plan.refusal]:
            _end_what_is_open(actor_of(user), user, each)
        erasures = [planned_erasure(player) for plan in leaving for player in plan.players]
        transaction.set_rollback(True)
    refusal = next((plan.refusal for plan in leaving if plan.refusal), "")
    if club is None:
        refusal = refusal or refused(partial(check_no_administrator, user))
    closes = club is None or any(each.closes is not None for each in erasures)
    return ErasingOneself(leaving, erasures, closes, refusal)


@transaction.atomic
def erase_oneself(*, user: User, club: Club | None = None) -> None:
    """Erase the user in one club, or in all of them with his account; for himself, permanently.

    An account that belongs to that one club alone is closed too. What he can leave, he leaves first. Refused:
    as `leave_club` and `league.people.erasing.erase_person`, who is no player of the club (`no_player`), and
    with all clubs an administrator of the site (`administrator`).
    """
    actor = actor_of(user)
    reason = _("The person's own wish.")
    if club is None:
        check_no_administrator(user)
        # All clubs before any player: the order of locks.
        clubs = [locked(each) for each in clubs_left(user)]
    else:
        clubs = [locked(club)]
        if not own_players(user.pk, club).exists():
            raise LeagueError("no_player", _("You are not a player of %(club)s.") % {"club": club})
    plans = []
    for each in clubs:
        if own_players(user.pk, each).exists():
            plan = _end_what_is_open(actor, user, each)
            plans.append(plan)
            _note(actor, user, plan)
        else:
            leave_club(user=user, club=each)
    for plan in plans:
        for player in plan.players:
            erase_person(actor=actor, player=player, reason=reason)
    user.refresh_from_db()
    if club is None and user.is_active:
        erase_account(actor=actor, user=user, reason=reason)


@transaction.atomic
def erase_player(*, actor: Actor, player: Player) -> Erasure:
    """Erase a person as `league.people.erasing.erase_person`; places kept for his teams go to the lists."""
    events = [team.event for team in teams_of([player])]
    erased = erase_person(actor=actor, player=player)
    for event in events:
        fill_places(actor=actor, event=locked(event))
    return erased


def _end_what_is_open(actor: Actor, user: User, club: Club) -> Leaving:
    """Withdraw from what can be withdrawn from, and take back what is proposed; returns all of it.

    Locks the players, and all that names them, before it writes. The club is locked.
    """
    players = [locked(player) for player in own_players(user.pk, club)]
    if players:
        lock_places(*players)
    office = Membership.objects.filter(club=club, user=user).first()
    if office is None and not players:
        raise LeagueError("not_member", _("You do not belong to %(club)s.") % {"club": club})
    if office is not None:
        check_goes(office)
    stays = []
    for match in _proposed(players):
        sides = sides_arranged_by(user.pk, match)
        if match.proposed_times.filter(side__in=sides).exists() and not still_arranged(match):
            take_back_times(actor=actor, match=match)
    ends: list[Event] = []
    for player in players:
        for team in teams_of([player]):
            go_from_team(actor=actor, event=locked(team.event), player=player)
            ends.append(team.event)
        leave_all_teams(player)
        for request in _requests([player]):
            withdraw_player(actor=actor, event=locked(request.event), player=player)
            ends.append(request.event)
        for entry in _open_entries([player]):
            why = _why_it_stays(entry)
            if why:
                stays.append(_staying(entry, why))
                continue
            withdraw = go_from_team if entry.event.kind == EventKind.TEAM else withdraw_player
            withdraw(actor=actor, event=locked(entry.event), player=player)
            ends.append(entry.event)
    tokens = ApiToken.objects.filter(user=user, club=club).count()
    return Leaving(club, office, players, ends, stays, tokens, "")


def _note(actor: Actor, user: User, plan: Leaving) -> None:
    """Put on the record that he leaves, and what a director has to withdraw; directors are told."""
    stays = sorted({str(each.entry.event) for each in plan.stays})
    entry = record_audit(
        actor,
        "club.leave",
        plan.club,
        club=plan.club,
        after={"office": plan.office and plan.office.role, "stays": stays},
    )
    comes_or_goes(plan.club, user, entry)


def _requests(players: Sequence[Player]) -> QuerySet[EntryRequest]:
    """The places of the players on lists of events of players."""
    rows = EntryRequest.objects.filter(player__in=players, event__kind=EventKind.INDIVIDUAL)
    return rows.exclude(state=RequestState.DECLINED)


def _open_entries(players: Sequence[Player]) -> QuerySet[Entry]:
    """The entries of the players, teams too, in events that are not over, which they have not withdrawn."""
    entries = EntryMember.objects.filter(player__in=players).values("entry")
    rows = Entry.objects.filter(pk__in=entries, withdrawn_at=None).exclude(event__state__in=_OVER)
    return rows.select_related("event__club").order_by("event", "pk")


def _why_it_stays(entry: Entry) -> str:
    """Why the entry is not withdrawn by who leaves: a sentence; "" if it is."""
    if entry.event.kind == EventKind.TEAM:
        why = refused(partial(check_may_leave, entry.event, entry))
    else:
        why = why_it_stays(entry.event, entry)
    if not why and (Match.objects.of_entry(entry).exists() or entry.adjustments.exists()):
        return _("It has matches already: only a director can withdraw it.")
    return why


def _staying(entry: Entry, why: str) -> Staying:
    matches = Match.objects.of_entry(entry).filter(state=MatchState.SCHEDULED)
    matches = matches.exclude(round__state=RoundState.DRAFTED)
    challenges = Challenge.objects.filter(
        Q(challenger=entry) | Q(challenged=entry), match__state=MatchState.SCHEDULED
    )
    return Staying(entry, why, matches.count(), matches.exclude(planned_at=None).count(), challenges.count())


def _proposed(players: Sequence[Player]) -> list[Match]:
    """The matches of the players of which times are proposed, in the order in which they are locked."""
    rows = Match.objects.of_entries(Entry.objects.filter(members__player__in=players).values("pk"))
    rows = rows.filter(state=MatchState.SCHEDULED, proposed_times__isnull=False).distinct()
    return list(rows.with_sides("round", "event__club").order_by("pk"))


def _refusal(club: Club, office: Membership | None, players: Sequence[Player]) -> str:
    """Why the user cannot leave: a sentence; "" if he can."""
    if office is None:
        return "" if players else _("You do not belong to %(club)s.") % {"club": club}
    return refused(partial(check_goes, office))
