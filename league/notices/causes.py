"""What people and programs are told; each is called by the service that did it, in its transaction."""

import datetime
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from league.models import (
    SEATED,
    AuditEntry,
    Club,
    CountsWhen,
    Entry,
    EntryMember,
    Event,
    EventState,
    Match,
    Membership,
    Notice,
    NoticeEnd,
    NoticeKind,
    Player,
    Round,
    WebhookKind,
)
from league.notices.outbox import tell, tell_club, tell_of_record, tells, told_of
from league.notices.webhooks import tell_webhooks
from league.policy import Permission, roles_with
from league.policy.withholding import is_withheld, last_released
from scoring.core.actors import Actor, ActorKind
from scoring.models import ActKind, Scoresheet, SheetAct, SheetStatus

# Acts after which the signatures that there were no longer stand.
_RENEWS: Final = frozenset({ActKind.RECORD, ActKind.CORRECT, ActKind.STOP})
# So often a day a player is told of invitations to one event, whoever invites him and takes it back.
_INVITED_A_DAY: Final = 3
# And so often a day somebody is told of games that he is offered in one club.
_OFFERED_A_DAY: Final = 5
_SIGNED: Final = (CountsWhen.ONE_SIGNATURE, CountsWhen.BOTH_SIGNATURES)


def rounds_published(event: Event, rounds: Sequence[Round]) -> None:
    """Tell those who play in them where and against whom; of several rounds at once in one notice."""
    tell_webhooks(WebhookKind.ROUND, event, [round_.number for round_ in rounds])
    if tells():
        one = rounds[0] if len(rounds) == 1 else None
        tell(NoticeKind.ROUND, event, _drawn(Match.objects.filter(round__in=rounds)), round_=one)


def round_opened(event: Event, round_: Round) -> None:
    """Tell those who play in a round that was published before that it is their turn now."""
    if tells():
        tell(NoticeKind.ROUND, event, _drawn(Match.objects.filter(round=round_)), round_=round_)


def line_ups_wanted(event: Event, round_: Round) -> None:
    """Tell the captains who play in a round that was published before that it comes next."""
    if tells():
        drawn = {entry for seated in round_.matches.order_by().values_list(*SEATED) for entry in seated}
        captains = Entry.objects.filter(pk__in=drawn - {None}, captain__user__isnull=False)
        users = set(captains.order_by().values_list("captain__user", flat=True))
        tell(NoticeKind.ROUND, event, users, round_=round_)


def match_added(match: Match) -> None:
    """Tell those who play in a match that was added to a published round."""
    tell_webhooks(WebhookKind.ROUND, match.event, [match.round.number])
    if tells():
        drawn = _drawn(Match.objects.filter(pk=match.pk))
        tell(NoticeKind.ROUND, match.event, drawn, round_=match.round)


def matches_lost(event: Event, lost: Iterable[tuple[Round, Entry]]) -> None:
    """Tell those of entries that have lost their match in a published round, as results were corrected."""
    if not tells():
        return
    by_round: dict[Round, set[int]] = defaultdict(set)
    for round_, entry in lost:
        by_round[round_].add(entry.pk)
    for round_, entries in by_round.items():
        tell(NoticeKind.ROUND, event, _members(entries), round_=round_)


def times_proposed(match: Match, by: Actor) -> None:
    """Tell those of a match that times to play it are proposed, but not whoever proposes them."""
    if tells():
        _tell_others(NoticeKind.PROPOSED, match, by)


def time_agreed(match: Match, by: Actor) -> None:
    """Tell those of a match when it is played, but not whoever accepted or set that."""
    if tells() and match.planned_on is not None:
        _tell_others(NoticeKind.AGREED, match, by)


def last_day_near(match: Match) -> None:
    """Tell those of a match that its last day is near."""
    if tells():
        tell(NoticeKind.NEAR, match.event, (), matches={match.pk: _of_sides(match)})


def sheet_acted_on(sheet: Scoresheet, act: SheetAct) -> None:
    """Tell that the sheet waits for signatures, is disputed, or that a dispute is settled."""
    if not tells() or act.actor_kind == ActorKind.IMPORT:
        return
    if act.kind == ActKind.DISPUTE:
        _disputed(sheet, act)
    elif act.kind == ActKind.SETTLE:
        _settled(sheet, act)
    elif act.kind in _RENEWS and sheet.status in (SheetStatus.FINISHED, SheetStatus.STOPPED):
        # Who has signed by then is not asked to.
        waits = Match.objects.filter(sheet=sheet, held=True, event__counts_when__in=_SIGNED)
        for match in waits.select_related("event__club"):
            tell(NoticeKind.SIGN, match.event, (), matches=told_of(Match.objects.filter(pk=match.pk)))


def play_stopped(sheet: Scoresheet, by: Actor) -> None:
    """Tell those who direct the club, but not whoever did it, that the play of a match waits for them."""
    if not tells():
        return
    for match in Match.objects.filter(sheet=sheet).select_related("event__club"):
        told = _officers(match.event.club_id) - own_id(by)
        tell(NoticeKind.STOPPED, match.event, (), matches={match.pk: told})


def game_stopped(club: Club, users: Collection[int], what: AuditEntry) -> None:
    """Tell those who play it (ids) that a game outside events stands still, and who directs the club."""
    tell_of_record(NoticeKind.GAME, club, what, users)
    tell_of_record(NoticeKind.STOPPED, club, what, _officers(club.pk) - set(users))


def result_counts(match: Match, by: Actor) -> None:
    """Tell those who sit in it that a match counts, unless its result is held back or imported.

    What is held back is told when it is released (`results_released`). Of an imported result programs are
    told that the table is another.
    """
    if by.kind is ActorKind.IMPORT:
        if not _is_withheld(match):
            table_touched(match.event)
        return
    result_changed(match)
    if tells() and not _is_withheld(match):
        tell(NoticeKind.RESULT, match.event, (), matches=told_of(Match.objects.filter(pk=match.pk)))


def result_changed(match: Match) -> None:
    """Tell programs that a result that is not held back counts, has changed, or counts no longer."""
    if _is_withheld(match):
        return
    tell_webhooks(WebhookKind.RESULT, match.event, [match.code])
    table_touched(match.event)


def _is_withheld(match: Match) -> bool:
    """Whether the result is held back; its round is looked at only where any is."""
    return match.event.holds_results and is_withheld(match.event, match.round)


def table_touched(event: Event) -> None:
    """Tell programs that the table that all may see has changed, while later rounds are held back.

    It is counted from the results whenever it is asked for; else `table_calculated` tells.
    """
    if last_released(event) is not None:
        tell_webhooks(WebhookKind.TABLE, event)


def results_released(event: Event, round_: Round) -> None:
    """Tell the results of a round that count, each to those who sit in it and do not know it yet.

    And the final table, if that was all that was held back of a finished event.
    """
    public = {match.pk: match.code for match in round_.matches.order_by() if match.is_counted}
    tell_webhooks(WebhookKind.RESULT, event, list(public.values()))
    table_shown(event)
    if tells():
        _released(event, list(public))
    event_finished(event)


def table_shown(event: Event) -> None:
    """Tell programs that all may see another table, as results are released or held back again."""
    tell_webhooks(WebhookKind.TABLE, event)


def table_calculated(event: Event) -> None:
    """Tell programs that the table that was calculated has changed, if that is the one that all may see.

    While a round is held back it is not, and `table_touched` tells.
    """
    if last_released(event) is None:
        tell_webhooks(WebhookKind.TABLE, event)


def entries_made(event: Event, entries: Iterable[Entry]) -> None:
    """Tell programs of entries that are made, or whose withdrawal is taken back."""
    tell_webhooks(WebhookKind.ENTERED, event, [entry.code for entry in entries])


def entry_withdrawn(event: Event, entry: Entry) -> None:
    """Tell programs that an entry is withdrawn or deleted."""
    tell_webhooks(WebhookKind.WITHDRAWN, event, [entry.code])


def _released(event: Event, counted: Sequence[int]) -> None:
    """Tell results that count, by the ids of their matches, to those who do not know them yet."""
    told = told_of(Match.objects.filter(pk__in=counted))
    # Held back again, a result may have been corrected since it was told.
    sent = Notice.objects.filter(kind=NoticeKind.RESULT, match__in=counted, end=NoticeEnd.SENT)
    corrected = _played_since(SheetAct.objects.filter(sheet=OuterRef("match__sheet")))
    known = set(sent.exclude(corrected).values_list("match", "user"))
    new = {match: [user for user in users if (match, user) not in known] for match, users in told.items()}
    tell(NoticeKind.RESULT, event, (), matches=new)


def moved_up(event: Event, player: Player) -> None:
    """Tell a player that he has a place, for which he waited."""
    if player.user_id is not None:
        tell(NoticeKind.PLACE, event, {player.user_id})


def invited_to_team(event: Event, player: Player) -> None:
    """Tell a player that a captain invites him to a team, `_INVITED_A_DAY` times a day for an event at most.

    Further invitations he reads on the pages, and in what still waits to be sent.
    """
    if player.user_id is None:
        return
    told = Notice.objects.filter(
        kind=NoticeKind.INVITED,
        event=event,
        user=player.user_id,
        made_at__gt=timezone.now() - datetime.timedelta(days=1),
    )
    if told.count() < _INVITED_A_DAY:
        tell(NoticeKind.INVITED, event, {player.user_id})


def game_waits(club: Club, user: int) -> None:
    """Tell a user (an id) that a game waits for him, offered or begun, `_OFFERED_A_DAY` times a day at most.

    That is in a club; the rest he reads on the pages, and in what still waits to be sent.
    """
    if _told_of_games(club, user, in_record=False) < _OFFERED_A_DAY:
        tell_club(NoticeKind.GAME, club, {user})


def game_declined(club: Club, hosts: Iterable[Player], what: AuditEntry) -> None:
    """Tell those who offer a game who does not play, `_OFFERED_A_DAY` times a day in a club at most."""
    users = {player.user_id for player in hosts if player.user_id is not None}
    told = {user for user in users if _told_of_games(club, user, in_record=True) < _OFFERED_A_DAY}
    tell_of_record(NoticeKind.GAME, club, what, told)


def _told_of_games(club: Club, user: int, *, in_record: bool) -> int:
    """How often somebody was told today of games: of what stands on the record, or of what waits for him."""
    since = timezone.now() - datetime.timedelta(days=1)
    told = Notice.objects.filter(kind=NoticeKind.GAME, club=club, user=user, made_at__gt=since)
    return told.filter(letter__isnull=not in_record).count()


def team_changed(event: Event, users: Collection[int]) -> None:
    """Tell these users (ids) how their team stands: complete, with a place, short of somebody, or over."""
    tell(NoticeKind.TEAM, event, users)


def entries_opened(event: Event) -> None:
    """Tell the club's members and players that an event takes entries: those who want to know."""
    tell_webhooks(WebhookKind.OPENED, event)
    if tells():
        of_club = User.objects.filter(Q(memberships__club=event.club) | Q(players__club=event.club))
        tell(NoticeKind.EVENT, event, set(of_club.values_list("pk", flat=True)))


def event_finished(event: Event) -> None:
    """Tell all who were entered that a finished event has its final table, unless results are held back.

    Whoever knows it already is told again only if a sheet has changed since.
    """
    finished = event.state in (EventState.FINISHED, EventState.ARCHIVED)
    if not finished or last_released(event) is not None:
        return
    tell_webhooks(WebhookKind.FINISHED, event)
    if tells():
        members = EntryMember.objects.filter(event=event, player__user__isnull=False)
        sent = Notice.objects.filter(kind=NoticeKind.TABLE, event=event, end=NoticeEnd.SENT)
        corrected = _played_since(SheetAct.objects.filter(sheet__in=event.matches.order_by().values("sheet")))
        known = set(sent.exclude(corrected).values_list("user", flat=True))
        tell(NoticeKind.TABLE, event, set(members.order_by().values_list("player__user", flat=True)) - known)


def answered(club: Club, user: User, answer: AuditEntry) -> None:
    """Tell who has asked to join, or has said who he is, what an officer answers."""
    tell_of_record(NoticeKind.ANSWER, club, answer, {user.pk})


def comes_or_goes(club: Club, user: User, what: AuditEntry) -> None:
    """Tell those who direct the club, but not him, that somebody asks to join, says who he is, or leaves."""
    tell_of_record(NoticeKind.PEOPLE, club, what, _officers(club.pk) - {user.pk})


def evening_told(club: Club, what: AuditEntry) -> None:
    """Tell those who direct the club what has become of an evening that runs itself."""
    officers = Membership.objects.filter(club=club, role__in=roles_with(Permission.DIRECT))
    tell_of_record(NoticeKind.EVENING, club, what, set(officers.values_list("user", flat=True)))


def _played_since(acts: QuerySet[SheetAct]) -> Exists:
    """True for notices since whose end something was played or corrected by one of the acts."""
    return Exists(acts.filter(kind__in=_RENEWS, at__gt=OuterRef("ended_at")))


def _disputed(sheet: Scoresheet, act: SheetAct) -> None:
    """Tell the other sides and those who direct the club, but not whoever disputes it."""
    for match in Match.objects.filter(sheet=sheet).select_related("event__club"):
        seats = match.appearances.filter(player__user__isnull=False).exclude(side=(act.body or {})["side"])
        told = {*seats.values_list("player__user", flat=True), *_officers(match.event.club_id)}
        tell(NoticeKind.DISPUTED, match.event, (), matches={match.pk: told - _own(act)})


def _settled(sheet: Scoresheet, act: SheetAct) -> None:
    """Tell those who sit in it, but not whoever settled it."""
    for match in Match.objects.filter(sheet=sheet).select_related("event__club"):
        told = told_of(Match.objects.filter(pk=match.pk)).get(match.pk, set())
        tell(NoticeKind.DECIDED, match.event, (), matches={match.pk: told - _own(act)})


def _officers(club: int) -> set[int]:
    """The users (ids) who direct the club (by id)."""
    officers = Membership.objects.filter(club=club, role__in=roles_with(Permission.DIRECT))
    return set(officers.values_list("user", flat=True))


def _own(act: SheetAct) -> set[int]:
    return {int(act.actor_id)} if act.actor_kind == ActorKind.USER else set()


def own_id(by: Actor) -> set[int]:
    """The account (id) of who acts, to leave it out of those who are told; none but of users."""
    return {int(by.id)} if by.kind is ActorKind.USER else set()


def _tell_others(kind: NoticeKind, match: Match, by: Actor) -> None:
    """Tell those of a match, but not who did it; what still waits for him of what that replaces is over."""
    own = own_id(by)
    Notice.objects.filter(kind=kind, match=match, user__in=own, ended_at=None, owner="").delete()
    tell(kind, match.event, (), matches={match.pk: _of_sides(match) - own})


def _of_sides(match: Match) -> set[int]:
    """The users (ids) of the members of both sides, and of those in the line-ups."""
    one = Match.objects.filter(pk=match.pk)
    return _drawn(one) | told_of(one).get(match.pk, set())


def _drawn(matches: QuerySet[Match]) -> set[int]:
    """The users (ids) of the members of all entries in the matches, as line-ups may be chosen later."""
    drawn = {entry for seated in matches.order_by().values_list(*SEATED) for entry in seated}
    return _members(drawn - {None})


def _members(entries: Collection[int | None]) -> set[int]:
    """The users (ids) of the members of these entries."""
    members = EntryMember.objects.filter(entry__in=entries, player__user__isnull=False)
    return set(members.order_by().values_list("player__user", flat=True))
