"""What an evening that runs itself does by itself, several times a minute.

What it does is done by the services that a director's buttons call, as `EVENING`, under the locks of the
event; each step is decided once more under them, so that of two workers, or of a worker and a director, one
draws the round. The evening's row is locked last.

Whatever needs a person stops it, and the directors are told why.
"""

import datetime
import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import chain
from typing import Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, prefetch_related_objects
from django.utils.translation import gettext as _

from games.services.outages import is_site_silent, mend_outage
from league.bots.bot_matches import play_now, waiting_for_bots
from league.core.evening import EveningState, EveningTurn, RoundsStanding, turn_of
from league.core.lifecycle import Doing, may
from league.draws.forfeits import award_walkover
from league.draws.formats import format_of
from league.draws.missing import missing_results, results_missing
from league.draws.online import open_for
from league.draws.sitting_in import give_bye_instead
from league.errors import LeagueError
from league.events.evening_steps import (
    EVENING,
    begin_break,
    begin_round,
    has_draft,
    held_evening,
    hold_evening,
    move_on,
    next_sheets,
    note,
    open_round,
    played_now,
    rests_before,
    seat_without_word,
    taken_back,
)
from league.events.evenings import check_rounds, check_settable
from league.matches.arrivals import following_round, reserves_there, shown_by, to_begin, waited_for
from league.matches.line_ups import open_line_ups, write_line_up
from league.models import (
    AbsentAt,
    Appearance,
    Arrival,
    Entry,
    Evening,
    Event,
    Match,
    MatchState,
    Player,
    Round,
    RoundState,
    between_bots,
    extra_to_play,
)
from league.models.matches import MatchQuerySet
from league.notices.causes import evening_told
from league.policy.eligibility import check_not_withdrawn
from league.policy.refusals import refused
from league.record.audit import locked
from league.record.locking import check_all_locked, left_when_crossed, lock_match, lock_matches
from scoring.models import SheetStatus
from scoring.words.messages import translated

logger = logging.getLogger(__name__)

# Somebody else was faster, or has a round in hand: it is looked at again by the next sweep.
_MEANWHILE: Final = frozenset({"clash", "crossed", "gone", "paired_already", "round_drafted"})


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
    if not may(event.state, Doing.PAIR):
        # Read once the event is reopened, when a refusal's words would be true no more.
        _halt(event, partial(_stopped, why=_("The event was finished before its evening was over.")))
        return
    try:
        check_settable(event)
        check_rounds(event)
        format_of(event).settle(event)
        _take_round(event, now)
        _miss(event, now)
        _seat_next(event)
        _let_bots_play(event)
        _open_tables(event)
        _advance(event, now)
    except LeagueError as refusal:
        if refusal.code not in _MEANWHILE:
            _halt(event, partial(_stopped, why=translated(refusal.message)))


def _going(event: Event) -> Evening | None:
    """The event's evening while it goes on, not locked."""
    return Evening.objects.select_related("round").filter(event=event, state=EveningState.GOING).first()


def _held(event: Event) -> Evening | None:
    """The event's evening while it goes on, locked; the caller holds the event.

    None also where the event was finished since the sweep began: the next one stops its evening.
    """
    evening = held_evening(event)
    return evening if evening is not None and evening.is_going and may(event.state, Doing.PAIR) else None


@transaction.atomic
def _take_round(event: Event, now: datetime.datetime) -> None:
    """Take a round as it is found that a director has published, or has taken back to a draft."""
    seen = _going(event)
    if seen is None or (played_now(event, seen) == seen.round and not _is_draft(seen.round)):
        return
    event = hold_evening(event)
    evening = _held(event)
    if evening is None:
        return
    played = played_now(event, evening)
    if _is_draft(evening.round):
        evening.round = evening.come_by = None
        evening.save(update_fields=["round", "come_by"])
    elif played is not None and played != evening.round:
        back = taken_back(event, evening)
        if has_draft(event) if back is None else played.number >= back.number:
            return
        if rests_before(event, evening):
            begin_break(EVENING, event, evening, now)
        else:
            begin_round(evening, played, now)


def _is_draft(round_: Round | None) -> bool:
    return round_ is not None and round_.state == RoundState.DRAFTED


@transaction.atomic
def _miss(event: Event, now: datetime.datetime) -> None:
    """Decide about those who have not come in time, once."""
    due = _going(event)
    if due is None or due.come_by is None or due.come_by > now:
        return
    matches = Match.objects.filter(round=due.round_id)
    ids = lock_matches(matches)
    event = locked(event)
    check_all_locked(matches, ids)
    evening = _held(event)
    if (
        evening is None
        or evening.round_id != due.round_id
        or evening.come_by is None
        or evening.come_by > now
        or is_site_silent(now)
    ):
        return
    missed = [*_miss_matches(event, evening, matches), *_miss_byes(event, evening, matches)]
    evening.come_by = None
    evening.save(update_fields=["come_by"])
    if missed:
        told = note(evening, "evening.absent", after={"round": _number(evening), "absent": missed})
        if evening.absent == AbsentAt.TELL:
            evening_told(event.club, told)


def _miss_matches(event: Event, evening: Evening, matches: MatchQuerySet) -> list[Player]:
    """Decide about two sides of which one has not come, or none; returns who has missed his match."""
    waiting = matches.filter(state=MatchState.SCHEDULED, annulled=False).exclude(entry_b=None)
    waiting = waiting.with_sides("round", "sheet__rules", "sheet__table_match").order_by("table", "id")
    missed: list[Player] = []
    for match, waiting_for in waited_for(waiting).items():
        match.event = event
        table = getattr(match.sheet, "table_match", None)
        if table is not None and table.is_live:
            continue
        if refused(partial(check_not_withdrawn, match)):
            # Nobody can come to it any more, so who has not withdrawn has missed nothing.
            if evening.absent == AbsentAt.FORFEIT:
                _award_withdrawn(match)
            continue
        if match.sheet is None:
            # Where nobody has said who plays, a director does: the evening stops for him.
            continue
        missing = _let_reserves_play(match, waiting_for)
        absent = list(chain.from_iterable(missing.values()))
        there = [side for side, players in missing.items() if not players]
        missed += absent
        if absent and evening.absent == AbsentAt.FORFEIT:
            winner = there[0] if there else None
            reason = _not_there(evening, absent)
            award_walkover(actor=EVENING, match=match, winner_side=winner, reason=reason)
    return missed


def _miss_byes(event: Event, evening: Evening, matches: MatchQuerySet) -> list[Player]:
    """Give the bye to those who have not come to play the bot in its place; returns them."""
    missed: list[Player] = []
    # What somebody has typed on the sheet meanwhile is for him to end.
    blank = matches.filter(extra_to_play(), annulled=False, sheet__acts=None, sheet__table_match=None)
    for match, waiting_for in waited_for(blank.with_sides("round")).items():
        match.event = event
        if refused(partial(check_not_withdrawn, match)):
            give_bye_instead(actor=EVENING, match=match, reason=_withdrawn(match.side(0)))
            continue
        if away := _let_reserves_play(match, waiting_for)[0]:
            # Nobody is kept waiting by who has the bye: it counts as one.
            give_bye_instead(actor=EVENING, match=match, reason=_not_there(evening, away))
            missed += away
    return missed


def _not_there(evening: Evening, absent: Iterable[Player]) -> str:
    names = ", ".join(map(str, absent))
    return _("Not at the table by %(time)s: %(names)s.") % {"time": shown_by(evening), "names": names}


def _let_reserves_play(match: Match, waiting_for: dict[int, list[Player]]) -> dict[int, list[Player]]:
    """Seat those of a team who have come without being in its line-up for those who have not come.

    In order of the roster; who is left over does not play. Returns by side who is missing still. The caller
    holds the match and its event.
    """
    missing = dict(waiting_for)
    for side, absent in waiting_for.items():
        reserves = reserves_there(match, side) if absent and match.event.team_size > 1 else []
        if not reserves:
            continue
        missing[side] = absent[len(reserves) :]
        for_whom = dict(zip([player.pk for player in absent], reserves, strict=False))
        seats = match.appearances.filter(side=side, replaces=None).select_related("player")
        players = [for_whom.get(seat.player_id, seat.player) for seat in seats.order_by("position")]
        reason = _("A reserve plays for somebody who is not at the table.")
        write_line_up(actor=EVENING, match=match, side=side, players=players, reason=reason)
        match.refresh_from_db(fields=["sheet"])
    return missing


def _award_withdrawn(match: Match) -> None:
    """Award a match that a withdrawal keeps from being played to the side that has not withdrawn."""
    gone = [[entry for entry in match.side(side) if entry.withdrawn_at is not None] for side in match.sides]
    left = [side for side in match.sides if not gone[side]]
    reason = _withdrawn(list(chain.from_iterable(gone)))
    award_walkover(actor=EVENING, match=match, winner_side=left[0] if left else None, reason=reason)


def _withdrawn(entries: Sequence[Entry]) -> str:
    return _("Withdrawn: %(names)s.") % {"names": ", ".join(map(str, entries))}


def _seat_next(event: Event) -> None:
    """Let the same players of teams with reserves play the next sheet of their tie."""
    seen = _going(event)
    if seen is not None and seen.round is not None and next_sheets(seen.round).exists():
        _seat_next_sheets(event)


@transaction.atomic
def _seat_next_sheets(event: Event) -> None:
    event = hold_evening(event)
    evening = _held(event)
    if evening is not None and evening.round is not None:
        seat_without_word(event, evening.round, next_sheets(evening.round))


def _let_bots_play(event: Event) -> None:
    """Plan the matches between bots of the round that is played, of which nobody has planned any."""
    if (evening := _going(event)) is not None:
        for match in waiting_for_bots(event).filter(round=evening.round_id).select_related("event__club"):
            play_now(actor=EVENING, match=match)


def _open_tables(event: Event) -> None:
    """Open the tables of those who have come: to the next sheet of a tie nobody comes anew.

    Where nobody forfeits, who is there plays once the time to come is over.
    """
    evening = _going(event)
    for match in [] if evening is None else _to_open(evening):
        _open_table(event, match)


@transaction.atomic
def _open_table(event: Event, match: Match) -> None:
    lock_match(match)
    evening = _held(locked(event))
    if evening is not None and match in _to_open(evening):
        open_for(actor=EVENING, match=match)


def _to_open(evening: Evening) -> list[Match]:
    """The matches of the round that is played whose table is to be opened now."""
    come = Arrival.objects.filter(round=evening.round_id, player=OuterRef("player"))
    seats = Appearance.objects.filter(Exists(come), match=OuterRef("pk"), replaces=None)
    blank = to_begin(evening).filter(
        Exists(seats), sheet__version=0, sheet__table_match=None, sheet__bot_match=None
    )
    found = []
    blank = blank.exclude(between_bots()).with_sides("event__club", "round", "sheet__rules")
    for match, waiting_for in waited_for(blank).items():
        there = [side for side, players in waiting_for.items() if not players]
        some_play = evening.absent == AbsentAt.TELL and evening.come_by is None and there
        if (some_play or len(there) == len(match.sides)) and not refused(partial(check_not_withdrawn, match)):
            found.append(match)
    return found


def _advance(event: Event, now: datetime.datetime) -> None:
    """Begin the break, draw the next round, stop or end, as the rounds stand."""
    evening = _going(event)
    if evening is None:
        return
    # Nothing is locked every few seconds while nothing is to be done.
    if turn_of(_standing(event, evening), evening.break_, now) is not EveningTurn.WAIT:
        _take_turn(event, now)


@transaction.atomic
def _take_turn(event: Event, now: datetime.datetime) -> None:
    event = hold_evening(event)
    evening = _held(event)
    if evening is None:
        return
    standing = _standing(event, evening)
    match turn_of(standing, evening.break_, now):
        case EveningTurn.WAIT:
            pass
        case EveningTurn.BREAK_OFF:
            evening.next_at = None
            evening.save(update_fields=["next_at"])
        case EveningTurn.BREAK:
            begin_break(EVENING, event, evening, now)
        case EveningTurn.DRAW:
            open_round(EVENING, event, evening, now)
        case EveningTurn.STOP:
            _stopped(evening, standing.needs)
        case EveningTurn.END:
            _ended(evening)


def _standing(event: Event, evening: Evening) -> RoundsStanding:
    """How the rounds of the event stand now."""
    last, following = event.rounds.order_by("-number").first(), following_round(event, evening)
    number = 1 if last is None else last.number + 1
    if following is not None:
        number = following.number
    back = taken_back(event, evening)
    is_drafted = back is None and following is None and has_draft(event)
    if back is not None and following is not None and following.number < back.number:
        back = None
    elif back is not None:
        number = back.number
    is_open = False
    held, adjourned, ended, left, unseated = [], [], [], [], []
    missing = missing_results(event, before=number)
    prefetch_related_objects(missing, "sheet__table_match", "sheet__bot_match")
    for match in missing:
        table = getattr(match.sheet, "table_match", None)
        if match.held:
            held.append(match)
        elif match.sheet is None and not refused(partial(check_not_withdrawn, match)):
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
        needs.append(_("Nobody has been named to play at %(labels)s.") % {"labels": ", ".join(unseated)})
    if back is not None:
        needs.append(_("%(round)s is a draft: publish it first.") % {"round": back})
    unsettled = format_of(event).between_rounds(event)
    needs += unsettled.for_director
    is_open = is_open or unsettled.by_itself
    is_left = following is not None or format_of(event).has_more(event, number)
    return RoundsStanding(is_open, is_drafted, " ".join(needs), is_left, evening.next_at)


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
def _halt(event: Event, how: Callable[[Evening], None]) -> None:
    evening = held_evening(locked(event))
    if evening is not None and evening.is_going:
        how(evening)


def _stopped(evening: Evening, why: str) -> None:
    evening.why = why if len(why) <= 300 else f"{why[:299]}…"
    move_on(EVENING, evening, EveningState.STOPPED, "evening.stop", reason=evening.why)


def _ended(evening: Evening) -> None:
    evening.come_by = None
    open_line_ups(evening.event.matches.all())
    move_on(EVENING, evening, EveningState.OVER, "evening.end")


def _number(evening: Evening) -> int | None:
    return None if evening.round is None else evening.round.number
