"""What a notice says to its reader, with the names and results that he may know when it is sent."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.services import hand_stands
from league.matches.counting import Waits, in_words, said_under, waits_for
from league.matches.line_ups import to_hand_in
from league.matches.member_tables import live_table
from league.models import (
    AuditEntry,
    Entry,
    Evening,
    Event,
    EventState,
    Match,
    MatchState,
    Notice,
    NoticeEnd,
    NoticeKind,
    Rest,
    Round,
    RoundState,
    traits_of,
)
from league.notices import club_words, entry_words
from league.notices.saying import NotYet, Said, Told, clock, event_page, match_page
from league.policy import Permission, can, events_seen
from league.policy.naming import Names
from league.policy.own import sides_arranged_by
from league.policy.withholding import is_withheld, last_released
from league.tables.ladders import deadlines_of
from league.tables.latest import result_line
from league.tables.placings import final_places
from scoring.services.disputes import open_disputes

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_RESTS: "Final[Mapping[Rest, StrOrPromise]]" = {
    Rest.BYE: gettext_lazy("%(who)s has a bye."),
    Rest.BESIDES: gettext_lazy("%(who)s has a bye, and may play a bot."),
    Rest.PLAYED: gettext_lazy("%(who)s plays a bot, as there is no opponent."),
    Rest.ABSENT: gettext_lazy("%(who)s sits out."),
}
# Matches of a draw that one notice lists, and places of a final table.
_MOST_MATCHES: Final = 30
_LEADING: Final = 3
_SIGNATURES: Final = frozenset({Waits.ONE_SIGNATURE, Waits.BOTH_SIGNATURES, Waits.ALL_SIGNATURES})


def said_by(notice: Notice, reader: User, names: Names) -> Said | None:
    """Return what the notice says; None if it is no longer true, or the reader may not know it any more.

    The event with its club, the round and the letter must be loaded. `NotYet` while a table is being
    calculated.
    """
    if notice.letter is not None:
        return _OF_RECORD[NoticeKind(notice.kind)](notice, notice.letter, reader, names)
    if notice.kind == NoticeKind.PAUSED:
        return club_words.of_pause(notice.club, reader)
    if notice.kind == NoticeKind.GAME:
        return club_words.of_games(notice, reader, names)
    event = notice.event
    if event is None or not events_seen(reader).filter(pk=event.pk).exists():
        return None
    return _SAID[NoticeKind(notice.kind)](Told(notice, event, reader, names))


def _round(told: Told) -> Said | None:
    event, round_ = told.event, told.notice.round
    if event.state != EventState.RUNNING or (round_ is not None and round_.state == RoundState.DRAFTED):
        return None
    own = told.own
    drawn = event.matches.of_entries(own).exclude(round__state=RoundState.DRAFTED)
    rows = drawn.filter(state__in=[MatchState.SCHEDULED, MatchState.BYE, MatchState.ABSENT])
    if round_ is not None:
        rows = rows.filter(round=round_)
    matches = list(
        rows.with_sides("round", "event__club").order_by("round__number", "leg", "pk")[: _MOST_MATCHES + 1]
    )
    if not matches:
        is_out = round_ is not None and not drawn.filter(round=round_).exists()
        return _no_match_any_more(told, round_) if round_ is not None and is_out else None
    lines = [_meeting(match, own, told.names) for match in matches[:_MOST_MATCHES]]
    if len(matches) > _MOST_MATCHES:
        lines.append(_("More are on the event's page."))
    evening = None if round_ is None else Evening.objects.filter(round=round_, come_by__isnull=False).first()
    if evening is not None and evening.come_by is not None and (meeting := _to_come_to(matches)) is not None:
        lines.append(_("Come to your table by %(time)s.") % {"time": clock(told, evening.come_by)})
        return Said(_of_number(event, meeting.round), tuple(lines), *match_page(meeting))
    if round_ is not None and (hands_in := _to_hand_in(told, matches)) is not None:
        meeting, line = hands_in
        lines.append(line)
        return Said(_of_number(event, meeting.round), tuple(lines), *match_page(meeting))
    if round_ is None or not event.counts_rounds:
        title = _("You play in %(event)s") if round_ is None else _("You have a match in %(event)s")
        return Said(title % {"event": event.name}, tuple(lines), *event_page(event))
    return _of_round(event, round_, tuple(lines))


def _to_come_to(matches: Sequence[Match]) -> Match | None:
    """The first of these matches in which somebody is waited for; in a bye, if it counts as it is played."""
    return next((match for match in matches if match.rest in (None, Rest.PLAYED)), None)


def _no_match_any_more(told: Told, round_: Round) -> Said | None:
    """That the reader does not play in a round, if he was told that he does and has not withdrawn."""
    before = Notice.objects.filter(
        kind=NoticeKind.ROUND, event=told.event, user=told.reader, end=NoticeEnd.SENT
    )
    if not before.filter(Q(round=round_) | Q(round=None)).exists():
        return None
    if not Entry.objects.filter(pk__in=told.own, withdrawn_at=None).exists():
        return None
    line = _("A result before it was corrected: you no longer have a match in this round.")
    return _of_round(told.event, round_, (line,))


def _to_hand_in(told: Told, matches: Sequence[Match]) -> tuple[Match, str] | None:
    """The first of these matches of which the reader is to say who plays for his team, and the sentence."""
    for match in matches:
        match.event = told.event
        wanted = to_hand_in(match, told.reader.pk)
        if wanted is not None and not wanted.players:
            if wanted.until is None:
                return match, _("Before the round begins name who plays for your team.")
            said = _("By %(time)s name who plays for your team; otherwise those who played last will play.")
            return match, said % {"time": clock(told, wanted.until)}
    return None


def _of_number(event: Event, round_: Round) -> str:
    return _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number}


def _of_round(event: Event, round_: Round, lines: tuple[str, ...]) -> Said:
    title = _of_number(event, round_)
    address = reverse("round", args=[event.club.slug, event.slug, round_.number])
    return Said(title, lines, address, _("The round"))


def _meeting(match: Match, own: set[int], names: Names) -> str:
    """A match, its event loaded: the round, its day, the table, and whom one of the entries `own` meets."""
    side = next(side for side in match.sides if own.intersection(match.ids_of(side)))
    words = {
        "who": names.marked_side(match, side),
        "others": ", ".join(names.marked_side(match, other) for other in match.sides if other != side),
        "table": match.table or "",
    }
    if match.rest is not None:
        said = str(_RESTS[match.rest])
    elif match.table is None:
        said = _("%(who)s against %(others)s.")
    else:
        said = _("%(who)s against %(others)s, at table %(table)s.")
    line = said % words
    when = [_("Round %(number)s") % {"number": match.round.number}] if match.event.counts_rounds else []
    arranged = match.round.last_day is not None and match.planned_on is None
    if (day := match.day) and not arranged:
        when.append(date_format(day))
    if when:
        line = _("%(when)s: %(line)s") % {"when": ", ".join(when), "line": line}
    if (last := _last_day(match)) is not None:
        line += " " + _("To be played by %(day)s.") % {"day": date_format(last)}
    return line


def _last_day(match: Match) -> datetime.date | None:
    """The last day to play a match, on a ladder with the days on which somebody is away."""
    if traits_of(match.event).has_challenges:
        return deadlines_of(match.event, [match])[match.pk]
    return match.deadline or match.round.last_day


def _to_arrange(told: Told) -> Match | None:
    """The match that it is about, if it is still to be played, and the reader plays in it."""
    match = told.match()
    if match is None or match.state != MatchState.SCHEDULED or told.event.state != EventState.RUNNING:
        return None
    return match if sides_arranged_by(told.reader.pk, match) else None


def _has_left(match: Match) -> bool:
    """Whether somebody of the match has withdrawn: its players arrange it no more."""
    return any(entry.withdrawn_at is not None for side in match.sides for entry in match.side(side))


def _proposed(told: Told) -> Said | None:
    match = _to_arrange(told)
    rows = [] if match is None else list(match.proposed_times.all())
    if match is None or not rows or _has_left(match):
        return None
    lines = [
        _("%(who)s proposes to play %(match)s:")
        % {"who": told.names.marked_side(match, rows[0].side), "match": told.names.match(match)},
        *(clock(told, row.at) for row in rows),
    ]
    if rows[0].place:
        lines.append(_("Where: %(place)s.") % {"place": rows[0].place})
    title = _("A time is proposed: %(label)s, %(event)s")
    return _about(match, title, lines, *_arrange_page(match))


def _agreed(told: Told) -> Said | None:
    match = _to_arrange(told)
    if match is None or match.planned_on is None:
        return None
    at = match.planned_at
    when = date_format(match.planned_on, "l j F Y") if at is None else clock(told, at)
    lines = [_("%(match)s: %(when)s.") % {"match": told.names.match(match), "when": when}]
    if match.planned_place:
        lines.append(_("Where: %(place)s.") % {"place": match.planned_place})
    return _about(match, _("When you play: %(label)s, %(event)s"), lines, *_arrange_page(match))


def _near(told: Told) -> Said | None:
    match = _to_arrange(told)
    last = None if match is None or _has_left(match) else _last_day(match)
    if match is None or last is None or (match.planned_at is not None and match.planned_at > timezone.now()):
        return None
    line = _("%(match)s is to be played by %(day)s, and no time is agreed.")
    words = {"match": told.names.match(match), "day": date_format(last, "l j F Y")}
    title = _("The last day is near: %(label)s, %(event)s")
    return _about(match, title, [line % words], *_arrange_page(match))


def _arrange_page(match: Match) -> tuple[str, str]:
    event = match.event
    return reverse("match_arrange", args=[event.club.slug, event.slug, match.code]), _("When you play")


def _sign(told: Told) -> Said | None:
    match = told.match()
    if match is None or match.sheet is None or not match.held:
        return None
    said = said_under(match.sheet)
    if _SIGNATURES.isdisjoint(waits_for(match, match.sheet, said)) or told.sides(match) <= said.signed:
        return None
    line = _("Sheet %(label)s has ended and does not count yet: look at it, and sign it if it is right.")
    return _of_match(match, _("Please sign: %(label)s, %(event)s"), line)


def _disputed(told: Told) -> Said | None:
    match = told.match()
    dispute = None if match is None or match.sheet is None else open_disputes(match.sheet).first()
    if match is None or dispute is None:
        return None
    if not told.sides(match) and not can(told.reader, Permission.DIRECT, told.event.club):
        return None
    line = _("%(who)s disputes sheet %(label)s. It does not count until that is settled.")
    who = told.names.marked_side(match, dispute.side)
    return _of_match(match, _("Disputed: %(label)s, %(event)s"), line, who=who)


def _decided(told: Told) -> Said | None:
    match = told.match()
    if match is None or match.sheet is None or open_disputes(match.sheet).exists() or not told.sides(match):
        return None
    line = _("The dispute about sheet %(label)s is settled.")
    if waits := waits_for(match, match.sheet):
        line += " " + _("It does not count yet: %(waits)s.")
        return _of_match(match, _("Settled: %(label)s, %(event)s"), line, waits=in_words(waits))
    return _of_match(match, _("Settled: %(label)s, %(event)s"), line)


def _stopped(told: Told) -> Said | None:
    """That the play of a match waits for a director, with the act that has it go on."""
    match = told.match()
    table = None if match is None else live_table(match)
    if match is None or table is None or not can(told.reader, Permission.DIRECT, told.event.club):
        return None
    words = {"match": told.names.match(match), "why": table.adjourned_note}
    if table.adjourned_at is not None:
        line = _("%(match)s: play is adjourned. %(why)s Nobody moves until a director lets it go on.") % words
        page = _act_page(match, "let_go_on", _("Let play go on"))
    elif not hand_stands(table):
        line = _("%(match)s: the sheet was changed during a hand, which a director has to redeal.") % words
        page = _act_page(match, "deal_anew", _("Redeal the hand"))
    else:
        return None
    return _about(match, _("Play waits for a director: %(label)s, %(event)s"), [line], *page)


def _act_page(match: Match, act: str, title: str) -> tuple[str, str]:
    """The page of an administration's act on a match, with its name."""
    return reverse(f"admin:league_match_{act}", args=[match.pk]), title


def _result(told: Told) -> Said | None:
    match = told.match()
    if match is None or not match.is_counted or is_withheld(told.event, match.round):
        return None
    if not told.sides(match):
        return None
    line = _("%(result)s (%(match)s).") % {
        "result": result_line(match, told.names),
        "match": told.names.match(match),
    }
    return _about(match, _("Result: %(label)s, %(event)s"), [line], *match_page(match))


def _of_match(match: Match, title: str, line: str, **words: str) -> Said:
    return _about(match, title, [line % {"label": match.label, **words}], *match_page(match))


def _about(match: Match, title: str, lines: Sequence[str], path: str, page: str) -> Said:
    return Said(title % {"label": match.label, "event": match.event.name}, tuple(lines), path, page)


def _table(told: Told) -> Said | None:
    event = told.event
    if event.state not in (EventState.FINISHED, EventState.ARCHIVED) or last_released(event) is not None:
        return None
    if event.standings_requests.exists():
        raise NotYet
    standings = list(event.standings.select_related("entry").order_by("position"))
    places = final_places(event, standings)
    ordered: list[tuple[int, Entry]] = sorted(
        ((places[row.entry_id], row.entry) for row in standings), key=lambda placed: placed[0]
    )
    own = told.own
    lines = [
        _("%(place)s. %(name)s") % {"place": place, "name": told.names.marked(entry)}
        for place, entry in ordered
        if place <= _LEADING or entry.pk in own
    ]
    title = _("%(event)s: the final table") % {"event": event.name}
    return Said(title, (_("“%(event)s” is finished.") % {"event": event.name}, *lines), *event_page(event))


_OF_RECORD: Final[Mapping[NoticeKind, Callable[[Notice, AuditEntry, User, Names], Said | None]]] = {
    NoticeKind.LETTER: club_words.of_letter,
    NoticeKind.ANSWER: club_words.of_answer,
    NoticeKind.PEOPLE: club_words.of_people,
    NoticeKind.EVENING: club_words.of_evening,
    NoticeKind.GAME: club_words.of_own_game,
    NoticeKind.STOPPED: club_words.of_waiting_game,
}

_SAID: Final[Mapping[NoticeKind, Callable[[Told], Said | None]]] = {
    NoticeKind.ROUND: _round,
    NoticeKind.PROPOSED: _proposed,
    NoticeKind.AGREED: _agreed,
    NoticeKind.NEAR: _near,
    NoticeKind.SIGN: _sign,
    NoticeKind.DISPUTED: _disputed,
    NoticeKind.DECIDED: _decided,
    NoticeKind.STOPPED: _stopped,
    NoticeKind.RESULT: _result,
    NoticeKind.PLACE: entry_words.of_place,
    NoticeKind.INVITED: entry_words.of_invitations,
    NoticeKind.TEAM: entry_words.of_team,
    NoticeKind.EVENT: entry_words.of_event,
    NoticeKind.TABLE: _table,
}
