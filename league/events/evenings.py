"""An event that runs itself for an evening: rounds follow one another, and who has not come forfeits.

A director sets it up, begins it after check-in, may pause it, and may draw, award and change whatever he
likes meanwhile: the evening takes every round as it finds it. What it does is done by the services that a
director's buttons call, as `EVENING`, under the locks of the event; each step is decided once more under
them, so that of two workers, or of a worker and a director, one draws the round. The evening's row is locked
last.

Whatever needs a person stops it, and the directors are told why.
"""

import datetime
import logging
from collections.abc import Mapping
from functools import partial
from itertools import chain
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games.services.outages import is_site_silent, mend_outage
from league.bots.bot_matches import play_now, waiting_for_bots
from league.core.evening import (
    MISSED_IN_A_ROW,
    EveningState,
    Standing,
    Turn,
    check_evening_step,
    turn_of,
)
from league.core.lifecycle import Doing, check_doing
from league.draws.advancing import hold_bracket
from league.draws.forfeits import award_walkover
from league.draws.formats import format_of
from league.draws.missing import missing_results, results_missing
from league.draws.online import open_for
from league.draws.overdue import club_today
from league.draws.planning import asks_who_is_here, attendance_of, next_number
from league.draws.round_life import draft_round, publish_round
from league.draws.sitting_in import give_bye_instead
from league.errors import LeagueError
from league.events.evening_presence import carry_presence
from league.matches.arrivals import clock_words, has_reserves, opens_in_turn, reserves_there, waited_for
from league.matches.line_ups import set_line_up
from league.matches.matches import line_ups_without_word
from league.models import (
    AbsentAt,
    Appearance,
    Arrival,
    AuditEntry,
    Evening,
    Event,
    EventState,
    Match,
    MatchState,
    PlayedWhere,
    Player,
    Round,
    RoundState,
    between_bots,
    extra_to_play,
)
from league.notices.causes import evening_told, line_ups_wanted, round_opened
from league.policy import Permission, require
from league.policy.eligibility import check_not_withdrawn
from league.policy.refusals import refused
from league.record.audit import add_row, change_row, locked, record_audit, remove_row
from league.record.locking import check_all_locked, left_when_crossed, lock_match, lock_matches
from scoring.core.actors import Actor, ActorKind
from scoring.models import SheetStatus
from scoring.words.messages import translated

logger = logging.getLogger(__name__)

# The actor of what an evening does by itself.
EVENING: Final = Actor(ActorKind.OPERATOR, "evening", "the evening")

# Somebody else was faster, or has a round in hand: it is looked at again by the next sweep.
_MEANWHILE: Final = frozenset({"clash", "crossed", "gone", "paired_already", "round_drafted"})


@transaction.atomic
def set_evening(
    *, actor: Actor, event: Event, break_minutes: int, wait_minutes: int, absent: AbsentAt
) -> Evening:
    """Have an event run itself once its evening is begun, or change how; what runs already stays.

    Refused: as by `check_settable`, minutes out of range (`invalid`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    check_doing(event.name, event.state, Doing.SETTINGS)
    check_settable(event)
    values: dict[str, Any] = {
        "break_minutes": break_minutes,
        "wait_minutes": wait_minutes,
        "absent": absent.value,
    }
    evening = _held(event)
    if evening is None:
        evening = Evening(event=event, **values)
        add_row(actor=actor, action="evening.set", row=evening, club=event.club)
    else:
        change_row(actor=actor, action="evening.set", row=evening, club=event.club, values=values)
    return evening


@transaction.atomic
def begin_evening(*, actor: Actor, event: Event) -> Evening:
    """Begin the evening, or let it go on; who is waited for has as much time left as when it stood.

    If nothing is drawn yet, the first round is drawn from those who are here, and published; so is a round
    that is a draft. Refused: no evening set up (`not_set`), one that goes on (`wrong_state`), as by
    `check_beginnable`, and by the draw.
    """
    require(actor, Permission.DIRECT, event.club)
    event = _hold(event)
    check_doing(event.name, event.state, Doing.PAIR)
    evening, now = _set_up(event), timezone.now()
    check_evening_step(evening.state, EveningState.GOING)
    check_beginnable(event)
    if evening.come_by is not None and evening.paused_at is not None:
        evening.come_by += now - evening.paused_at
    _move(actor, evening, EveningState.GOING, "evening.begin")
    if not event.rounds.exists() or _has_draft(event):
        _open_round(actor, event, evening, now)
    elif evening.round is None and (played := _played_now(event, evening)) is not None:
        _begin_round(evening, played, now)
    return evening


@transaction.atomic
def pause_evening(*, actor: Actor, event: Event) -> Evening:
    """Pause the evening: nothing is drawn or forfeited until it goes on, and nobody's time to come runs.

    Refused: no evening set up (`not_set`), and one that does not go on (`wrong_state`).
    """
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    evening = _set_up(event)
    check_evening_step(evening.state, EveningState.PAUSED)
    return _move(actor, evening, EveningState.PAUSED, "evening.pause")


@transaction.atomic
def drop_evening(*, actor: Actor, event: Event) -> None:
    """Have an event run itself no longer; what it has done stays. Refused: no evening set up (`not_set`)."""
    require(actor, Permission.DIRECT, event.club)
    event = locked(event)
    remove_row(actor=actor, action="evening.drop", row=_set_up(event), club=event.club)


def check_settable(event: Event) -> None:
    """Refuse an event that cannot run itself, with what `not_settable` says of it."""
    if (why := not_settable(event)) is not None:
        raise why


def not_settable(event: Event) -> LeagueError | None:
    """Why an event cannot run itself; None if it can.

    Its format needs a person between its rounds (`wrong_format`, and why), or it is not played online
    (`not_online`).
    """
    if why := format_of(event).no_evening:
        return LeagueError(
            "wrong_format",
            _("%(format)s: it does not run itself. %(why)s")
            % {"format": event.get_format_display().capitalize(), "why": why},
        )
    if event.played != PlayedWhere.ONLINE:
        return LeagueError("not_online", _("Only an event that is played online runs itself."))
    return None


def check_beginnable(event: Event) -> None:
    """Refuse to begin the evening of an event that cannot run itself to its end.

    As by `check_settable`, and: a number of rounds that is open (`rounds_open`), several rounds that are
    drafts (`rounds_drafted`), nobody checked in for the first round (`nobody_here`), teams of fewer players
    than sit at a table (`line_ups_open`), and players of the next round, if nobody says who plays, who have
    no account with which to come to their table (`no_account`).
    """
    check_settable(event)
    _check_rounds(event)
    if event.rounds.filter(state=RoundState.DRAFTED).count() > 1:
        raise LeagueError(
            "rounds_drafted",
            _("Several rounds are drafts: publish them first, and they are played one after another."),
        )
    number = (event.rounds.order_by("-number").values_list("number", flat=True).first() or 0) + 1
    attendance = attendance_of(event, number)
    if number == 1 and attendance.expects_check_in and not attendance.present:
        raise LeagueError("nobody_here", _("Nobody is checked in. Tick first who is here."))
    usual = line_ups_without_word(event, number)
    if names := [str(entry) for entry in attendance.present if entry.pk not in usual]:
        raise LeagueError(
            "line_ups_open",
            _("%(names)s: fewer players than sit at a table.") % {"names": ", ".join(names)},
        )
    players = [player for entry in attendance.present for player in usual[entry.pk] if not player.is_bot]
    active = set(
        Player.objects.filter(pk__in=[player.pk for player in players], user__is_active=True).values_list(
            "pk", flat=True
        )
    )
    if names := [str(player) for player in players if player.pk not in active]:
        raise LeagueError(
            "no_account",
            _("%(names)s: no account here, which one needs to play online.") % {"names": ", ".join(names)},
        )


def _hold(event: Event) -> Event:
    """Lock what an evening writes as it draws and opens rounds, then the event; returns its current row."""
    unseated = Q(state__in=(MatchState.SCHEDULED, MatchState.BYE), sheet=None)
    return hold_bracket(event, Q(round__state=RoundState.DRAFTED) | unseated)


def _check_rounds(event: Event) -> None:
    if format_of(event).night_by_night and event.rounds_planned is None:
        raise LeagueError("rounds_open", _("Say first how many rounds are played."))


def sweep_evenings(now: datetime.datetime) -> None:
    """Do what is due in every evening that goes on; called several times a minute.

    Each step is its own transaction. Two sweeps at once do it once. An evening in which it fails is logged,
    and keeps no other from going on.
    """
    going = Evening.objects.filter(state=EveningState.GOING)
    events = list(Event.objects.filter(evening__in=going).select_related("club").order_by("pk"))
    if events:
        mend_outage(now)
    for event in events:
        try:
            with left_when_crossed():
                _run(event, now)
        except Exception:
            logger.exception("The evening of event %s could not go on.", event.code)


def give_back_outage(since: datetime.datetime, until: datetime.datetime) -> None:
    """Give those who are waited for, and those who rest, the time back in which the site was down."""
    going = Evening.objects.filter(state=EveningState.GOING)
    going.filter(come_by__gt=since).update(come_by=F("come_by") + (until - since))
    going.filter(next_at__gt=since).update(next_at=F("next_at") + (until - since))


def _run(event: Event, now: datetime.datetime) -> None:
    try:
        if event.state != EventState.RUNNING:
            _end(event)
            return
        check_settable(event)
        _check_rounds(event)
        format_of(event).settle(event)
        _take_round(event, now)
        _miss(event, now)
        _let_bots_play(event)
        _open_tables(event)
        _advance(event, now)
    except LeagueError as refusal:
        if refusal.code not in _MEANWHILE:
            _stop(event, translated(refusal.message))


@transaction.atomic
def _take_round(event: Event, now: datetime.datetime) -> None:
    """Take a round as it is found that a director has published, or has taken back to a draft."""
    seen = Evening.objects.select_related("round").filter(event=event).first()
    if seen is None or (_played_now(event, seen) == seen.round and not _is_draft(seen.round)):
        return
    event = _hold(event)
    evening = _held(event)
    if evening is None or not evening.is_going:
        return
    played = _played_now(event, evening)
    if _is_draft(evening.round):
        evening.round = evening.come_by = None
        evening.save(update_fields=["round", "come_by"])
    elif played is not None and played != evening.round and not _has_draft(event):
        _begin_round(evening, played, now)


def _is_draft(round_: Round | None) -> bool:
    return round_ is not None and round_.state == RoundState.DRAFTED


def _played_now(event: Event, evening: Evening) -> Round | None:
    """The round that is played: the last that is published, or of those to be opened in turn the one opened.

    Before any is opened that is the first in which something is left to play.
    """
    published = event.rounds.exclude(state=RoundState.DRAFTED)
    last = published.order_by("-number").first()
    if not opens_in_turn(event):
        return last
    return evening.round or _first_to_play(event, after=0) or last


def _first_to_play(event: Event, *, after: int) -> Round | None:
    """The first published round after this number in which a result is missing."""
    last = event.rounds.aggregate(last=Max("number"))["last"] or 0
    waiting = (match.round for match in missing_results(event, before=last + 1))
    return next((round_ for round_ in waiting if round_.number > after), None)


def _following(event: Event, evening: Evening) -> Round | None:
    """The published round that the evening opens next; None where it is to be drawn."""
    if evening.round is None or not opens_in_turn(event):
        return None
    return _first_to_play(event, after=evening.round.number)


@transaction.atomic
def _miss(event: Event, now: datetime.datetime) -> None:
    """Decide about those who have not come in time, once."""
    due = Evening.objects.filter(event=event, state=EveningState.GOING, come_by__lte=now).first()
    if due is None:
        return
    matches = Match.objects.filter(round=due.round_id)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    evening = _held(event)
    if (
        evening is None
        or not evening.is_going
        or evening.round_id != due.round_id
        or evening.come_by is None
        or evening.come_by > now
        or is_site_silent(now)
    ):
        return
    time = clock_words(evening.come_by, event.club.zone)
    # Where nobody has said who plays, a director does: the evening stops for him.
    waiting = matches.filter(state=MatchState.SCHEDULED, annulled=False, sheet__isnull=False)
    waiting = waiting.exclude(entry_b=None)
    missed: list[Player] = []
    for match in waiting.with_sides("round", "sheet__rules", "sheet__table_match").order_by("table", "id"):
        match.event = event
        table = getattr(match.sheet, "table_match", None)
        if table is not None and table.is_live:
            continue
        if refused(partial(check_not_withdrawn, match)):
            # Nobody can come to it any more, so who has not withdrawn has missed nothing.
            if evening.absent == AbsentAt.FORFEIT:
                _award_withdrawn(match)
            continue
        _let_reserves_play(match)
        waiting_for = waited_for(match)
        absent = list(chain.from_iterable(waiting_for.values()))
        there = [side for side, players in waiting_for.items() if not players]
        missed += absent
        names = ", ".join(map(str, absent))
        if absent and evening.absent == AbsentAt.FORFEIT:
            reason = _("Not at the table by %(time)s: %(names)s.") % {"time": time, "names": names}
            award_walkover(actor=EVENING, match=match, winner_side=there[0] if there else None, reason=reason)
    # What somebody has typed on the sheet meanwhile is for him to end.
    blank = matches.filter(extra_to_play(), annulled=False, sheet__acts=None, sheet__table_match=None)
    for match in blank.with_sides("round"):
        match.event = event
        _let_reserves_play(match)
        if absent := waited_for(match)[0]:
            # Nobody is kept waiting by who has the bye: it counts as one.
            names = ", ".join(map(str, absent))
            reason = _("Not at the table by %(time)s: %(names)s.") % {"time": time, "names": names}
            give_bye_instead(actor=EVENING, match=match, reason=reason)
            missed += absent
    evening.come_by = None
    evening.save(update_fields=["come_by"])
    if missed:
        told = _note(evening, "evening.absent", after={"round": _number(evening), "absent": missed})
        if evening.absent == AbsentAt.TELL:
            evening_told(event.club, told)


def _let_reserves_play(match: Match) -> None:
    """Seat those of a team who have come without being in its line-up for those who have not come.

    In order of the roster; who is left over does not play. The caller holds the match and its event.
    """
    if match.event.team_size == 1:
        return
    for side, absent in waited_for(match).items():
        reserves = reserves_there(match, side)
        if not absent or not reserves:
            continue
        for_whom = dict(zip([player.pk for player in absent], reserves, strict=False))
        seats = match.appearances.filter(side=side, replaces=None).select_related("player")
        players = [for_whom.get(seat.player_id, seat.player) for seat in seats.order_by("position")]
        reason = _("A reserve plays for who is not at the table.")
        set_line_up(actor=EVENING, match=match, side=side, players=players, reason=reason)
        match.refresh_from_db(fields=["sheet"])


def _award_withdrawn(match: Match) -> None:
    """Award a match that a withdrawal keeps from being played to the side that has not withdrawn."""
    gone = [[entry for entry in match.side(side) if entry.withdrawn_at is not None] for side in match.sides]
    left = [side for side in match.sides if not gone[side]]
    names = ", ".join(str(entry) for side in gone for entry in side)
    reason = _("Withdrawn: %(names)s.") % {"names": names}
    award_walkover(actor=EVENING, match=match, winner_side=left[0] if left else None, reason=reason)


def _let_bots_play(event: Event) -> None:
    """Plan the matches between bots of the round that is played, of which nobody has planned any."""
    evening = Evening.objects.filter(event=event, state=EveningState.GOING).first()
    if evening is not None:
        for match in waiting_for_bots(event).filter(round=evening.round_id).select_related("event__club"):
            play_now(actor=EVENING, match=match)


def _open_tables(event: Event) -> None:
    """Open the tables of those who have come: to the next sheet of a tie nobody comes anew.

    Where nobody forfeits, who is there plays once the time to come is over.
    """
    evening = Evening.objects.filter(event=event, state=EveningState.GOING).first()
    for match in [] if evening is None else _to_open(evening):
        _open_table(event, match)


@transaction.atomic
def _open_table(event: Event, match: Match) -> None:
    lock_match(match)
    evening = _held(locked(event))
    if evening is not None and evening.is_going and match in _to_open(evening):
        open_for(actor=EVENING, match=match)


def _to_open(evening: Evening) -> list[Match]:
    """The matches of the round that is played whose table is to be opened now."""
    come = Arrival.objects.filter(round=evening.round_id, player=OuterRef("player"))
    seats = Appearance.objects.filter(Exists(come), match=OuterRef("pk"), replaces=None)
    blank = Match.objects.filter(
        Exists(seats),
        Q(state=MatchState.SCHEDULED) | extra_to_play(),
        round=evening.round_id,
        annulled=False,
        sheet__version=0,
        sheet__table_match=None,
        sheet__bot_match=None,
    )
    found = []
    for match in blank.exclude(between_bots()).with_sides("event__club", "round", "sheet__rules"):
        there = [side for side, players in waited_for(match).items() if not players]
        some_play = evening.absent == AbsentAt.TELL and evening.come_by is None and there
        if (some_play or len(there) == len(match.sides)) and not refused(partial(check_not_withdrawn, match)):
            found.append(match)
    return found


def _advance(event: Event, now: datetime.datetime) -> None:
    """Begin the break, draw the next round, stop or end, as the rounds stand."""
    evening = Evening.objects.filter(event=event, state=EveningState.GOING).first()
    if evening is None:
        return
    standing = _standing(event, evening)
    turn = turn_of(standing, evening.break_, now)
    # Nothing is locked every few seconds while nothing is to be done.
    if turn is not Turn.WAIT or _breaks_off(standing):
        _take_turn(event, now)


def _breaks_off(standing: Standing) -> bool:
    """Whether a result was taken back, or a round drawn by hand, during the break."""
    return standing.is_open and standing.next_at is not None


@transaction.atomic
def _take_turn(event: Event, now: datetime.datetime) -> None:
    event = _hold(event)
    evening = _held(event)
    if evening is None or not evening.is_going:
        return
    standing = _standing(event, evening)
    match turn_of(standing, evening.break_, now):
        case Turn.WAIT:
            if _breaks_off(standing):
                evening.next_at = None
                evening.save(update_fields=["next_at"])
        case Turn.BREAK:
            evening.next_at, evening.come_by = now + evening.break_, None
            evening.save(update_fields=["next_at", "come_by"])
            if has_reserves(event):
                # Captains hand in their line-ups in the break, when they know whom they meet.
                if (following := _following(event, evening)) is None:
                    _draw_round(EVENING, event, evening)
                else:
                    line_ups_wanted(event, following)
        case Turn.DRAW:
            _open_round(EVENING, event, evening, now)
        case Turn.STOP:
            _stopped(evening, standing.needs)
        case Turn.END:
            _ended(evening)


def _open_round(actor: Actor, event: Event, evening: Evening, now: datetime.datetime) -> None:
    """Open the round that is drawn ahead, or draw the next one or take its draft, and publish it.

    The caller holds all of it.
    """
    if (following := _following(event, evening)) is not None:
        _begin_round(evening, following, now)
        round_opened(event, following)
        return
    _begin_round(evening, _draw_round(actor, event, evening), now)


def _draw_round(actor: Actor, event: Event, evening: Evening) -> Round:
    """Draw the next round, or take its draft, and publish it; the caller holds all of it."""
    today = club_today(event.club)
    round_ = event.rounds.filter(state=RoundState.DRAFTED).first()
    round_ = round_ or format_of(event).draw_ahead(actor=actor, event=event, date=today)
    if round_ is None:
        number = next_number(event)
        if number > 1 and asks_who_is_here(event, number):
            _carry(event, evening, number)
        round_ = draft_round(actor=actor, event=event, number=number, date=today)
    if round_.state == RoundState.DRAFTED:
        round_ = publish_round(actor=actor, round_=round_)
    return round_


def _begin_round(evening: Evening, round_: Round, now: datetime.datetime) -> None:
    """Begin a round: for teams of which nobody has said who plays, those play who would without a word."""
    event = evening.event
    waiting = round_.matches.filter(state__in=(MatchState.SCHEDULED, MatchState.BYE), sheet=None)
    if event.team_size > 1 and (unseated := list(waiting.with_sides("round"))):
        usual = line_ups_without_word(event, round_.number)
        for match in unseated:
            match.event = event
            seated = set(match.appearances.values_list("side", flat=True))
            for side in set(match.sides) - seated:
                if players := usual.get(match.side(side)[0].pk):
                    refused(partial(set_line_up, actor=EVENING, match=match, side=side, players=players))
    evening.round, evening.come_by, evening.next_at = round_, now + evening.wait, None
    evening.save(update_fields=["round", "come_by", "next_at"])


def _carry(event: Event, evening: Evening, number: int) -> None:
    """Say who is here in the next round, and tell the directors whom it leaves out."""
    here, away = carry_presence(event, number)
    if here:
        _note(evening, "presence.everybody", after={"round": number, "here": here})
    if away:
        reason = _("Missed in a row: %(count)d.") % {"count": MISSED_IN_A_ROW}
        told = _note(evening, "evening.left_out", after={"round": number, "absent": away}, reason=reason)
        evening_told(event.club, told)


def _standing(event: Event, evening: Evening) -> Standing:
    """How the rounds of the event stand now."""
    last, following = event.rounds.order_by("-number").first(), _following(event, evening)
    number = 1 if last is None else last.number + 1
    if following is not None:
        number = following.number
    is_open = _has_draft(event)
    held, adjourned, ended, left, unseated = [], [], [], [], []
    for match in missing_results(event, before=number):
        table = getattr(match.sheet, "table_match", None)
        if match.held:
            held.append(match)
        elif match.sheet is None:
            unseated.append(match.label)
        elif table is not None and table.adjourned_at is not None:
            adjourned.append(match.label)
        elif _has_stopped(match):
            ended.append(match.label)
        elif _is_left(evening, match):
            left.append(match.label)
        else:
            is_open = True
    needs = [results_missing(held)] if held else []
    if adjourned:
        needs.append(_("Play is adjourned at %(labels)s.") % {"labels": ", ".join(adjourned)})
    if ended:
        needs.append(_("Play has ended without a result at %(labels)s.") % {"labels": ", ".join(ended)})
    if left:
        needs.append(
            _("Play has not begun at %(labels)s, and nobody is waited for.") % {"labels": ", ".join(left)}
        )
    if unseated:
        needs.append(_("It is not said who plays at %(labels)s.") % {"labels": ", ".join(unseated)})
    unsettled = format_of(event).between_rounds(event)
    needs += unsettled.for_director
    is_open = is_open or unsettled.by_itself
    is_left = following is not None or format_of(event).has_more(event, number)
    return Standing(is_open=is_open, needs=" ".join(needs), is_left=is_left, next_at=evening.next_at)


def _has_stopped(match: Match) -> bool:
    """Whether the sheet of a match was voided, or is open still, though it is not played any more here."""
    if match.sheet is None or match.sheet.status != SheetStatus.OPEN:
        return match.sheet is not None and match.sheet.status == SheetStatus.VOID
    table, bots = getattr(match.sheet, "table_match", None), getattr(match.sheet, "bot_match", None)
    return (table is not None and not table.is_live) or (bots is not None and bots.is_over)


def _is_left(evening: Evening, match: Match) -> bool:
    """Whether a match that has not begun is left to a director, as its time to come is over.

    Not in a round that was published meanwhile: the evening takes it next.
    """
    if evening.round is None or match.round.number > evening.round.number:
        return False
    if evening.round_id == match.round_id and evening.come_by is not None:
        return False
    is_blank = match.sheet is None or not match.sheet.version
    return is_blank and not (hasattr(match.sheet, "table_match") or hasattr(match.sheet, "bot_match"))


@transaction.atomic
def _stop(event: Event, why: str) -> None:
    event = locked(event)
    evening = _held(event)
    if evening is not None and evening.is_going:
        _stopped(evening, why)


def _stopped(evening: Evening, why: str) -> None:
    evening.why = why if len(why) <= 300 else f"{why[:299]}…"
    _move(EVENING, evening, EveningState.STOPPED, "evening.stop", reason=evening.why)


@transaction.atomic
def _end(event: Event) -> None:
    event = locked(event)
    evening = _held(event)
    if evening is not None and evening.is_going:
        _ended(evening)


def _ended(evening: Evening) -> None:
    evening.come_by = None
    _move(EVENING, evening, EveningState.OVER, "evening.end")


def _move(actor: Actor, evening: Evening, to: EveningState, action: str, *, reason: str = "") -> Evening:
    """Take a step and note it; directors are told of those that nobody of them took."""
    before, evening.state = evening.state, to
    evening.next_at = None
    evening.paused_at = timezone.now() if to in (EveningState.PAUSED, EveningState.STOPPED) else None
    if to != EveningState.STOPPED:
        evening.why = ""
    evening.save(update_fields=["state", "round", "come_by", "next_at", "paused_at", "why"])
    entry = record_audit(
        actor=actor,
        action=action,
        target=evening.event,
        club=evening.event.club,
        before={"state": before},
        after={"state": to.value},
        reason=reason,
    )
    if actor is EVENING:
        evening_told(evening.event.club, entry)
    return evening


def _note(evening: Evening, action: str, *, after: Mapping[str, Any], reason: str = "") -> AuditEntry:
    return record_audit(
        actor=EVENING,
        action=action,
        target=evening.event,
        club=evening.event.club,
        after=after,
        reason=reason,
    )


def _number(evening: Evening) -> int | None:
    return None if evening.round is None else evening.round.number


def _has_draft(event: Event) -> bool:
    return event.rounds.filter(state=RoundState.DRAFTED).exists()


def _held(event: Event) -> Evening | None:
    """The event's evening, locked, with this event; None without one. The caller holds the event."""
    row = Evening.objects.select_for_update(no_key=True, of=("self",)).filter(event=event).first()
    if row is not None:
        row.event = event
    return row


def _set_up(event: Event) -> Evening:
    evening = _held(event)
    if evening is None:
        raise LeagueError("not_set", _("The event does not run itself yet. Say first how it should."))
    return evening
