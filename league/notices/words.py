"""What a notice says to its reader, with the names and results that he may know when it is sent."""

import datetime
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.contrib.auth.models import User
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.services import hand_stands
from league.core.evening import EveningState
from league.matches.counting import Waits, in_words, said_under, waits_for
from league.matches.member_tables import live_table
from league.matches.offers import offers_to_answer, online_offers_to_answer
from league.models import (
    AuditEntry,
    Club,
    Entry,
    EntryMember,
    EntryRequest,
    Evening,
    Event,
    EventState,
    InvitationState,
    JoinRequest,
    Match,
    MatchState,
    Notice,
    NoticeEnd,
    NoticeKind,
    PartnerInvitation,
    Player,
    RequestState,
    Rest,
    Round,
    RoundState,
    WebhookPause,
    traits_of,
)
from league.notices.choices import clubs_of
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
    Rest.PLAYED: gettext_lazy("%(who)s has a bye, and may play a bot."),
    Rest.ABSENT: gettext_lazy("%(who)s sits out."),
}
# Matches of a draw that one notice lists, and places of a final table.
_MOST_MATCHES: Final = 30
_LEADING: Final = 3
_SIGNATURES: Final = frozenset({Waits.ONE_SIGNATURE, Waits.BOTH_SIGNATURES, Waits.ALL_SIGNATURES})


class NotYet(Exception):
    """What the notice tells is being calculated: it is to be asked again."""


@dataclass(frozen=True, slots=True)
class Said:
    """A notice in words: its title, what it says, and the path of the page that says more, with its name."""

    title: str
    lines: tuple[str, ...]
    path: str
    page: str


@dataclass(frozen=True, slots=True)
class _Told:
    """A notice of an event with its reader, and the names that he may see."""

    notice: Notice
    event: Event
    reader: User
    names: Names

    @property
    def own(self) -> set[int]:
        """The reader's entries in the event, by id."""
        members = EntryMember.objects.filter(event=self.event, player__user=self.reader)
        return set(members.order_by().values_list("entry", flat=True))

    def match(self) -> Match | None:
        """The match that it is about, if the round is still published, with its sides, round and sheet."""
        rows = Match.objects.exclude(round__state=RoundState.DRAFTED).with_sides("round", "sheet")
        if (match := rows.filter(notices=self.notice).first()) is not None:
            match.event = self.event
        return match

    def sides(self, match: Match) -> set[int]:
        """The sides of the match on which the reader sits."""
        seats = match.appearances.filter(player__user=self.reader).order_by()
        return set(seats.values_list("side", flat=True))


def said_by(notice: Notice, reader: User, names: Names) -> Said | None:
    """Return what the notice says; None if it is no longer true, or the reader may not know it any more.

    The event with its club, the round and the letter must be loaded. `NotYet` while a table is being
    calculated.
    """
    if notice.letter is not None:
        return _OF_RECORD[NoticeKind(notice.kind)](notice, notice.letter, reader, names)
    if notice.kind == NoticeKind.PAUSED:
        return _paused(notice.club, reader)
    if notice.kind == NoticeKind.GAME:
        return _game(notice.club, reader, names)
    event = notice.event
    if event is None or not events_seen(reader).filter(pk=event.pk).exists():
        return None
    return _SAID[NoticeKind(notice.kind)](_Told(notice, event, reader, names))


def _round(told: _Told) -> Said | None:
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
        lines.append(_("Come to your table by %(time)s.") % {"time": _clock(told, evening.come_by)})
        title = _("%(event)s, round %(number)s") % {"event": event.name, "number": meeting.round.number}
        return Said(title, tuple(lines), *_match_page(meeting))
    if round_ is None or not event.counts_rounds:
        title = _("You play in %(event)s") if round_ is None else _("You have a match in %(event)s")
        return Said(title % {"event": event.name}, tuple(lines), *_event_page(event))
    return _of_round(event, round_, tuple(lines))


def _to_come_to(matches: Sequence[Match]) -> Match | None:
    """The first of these matches in which somebody is waited for; in a bye, if it counts as it is played."""
    return next((match for match in matches if match.rest in (None, Rest.PLAYED)), None)


def _no_match_any_more(told: _Told, round_: Round) -> Said | None:
    """That the reader does not play in a round, if he was told that he does and has not withdrawn."""
    before = Notice.objects.filter(
        kind=NoticeKind.ROUND, event=told.event, user=told.reader, end=NoticeEnd.SENT
    )
    if not before.filter(Q(round=round_) | Q(round=None)).exists():
        return None
    if not Entry.objects.filter(pk__in=told.own, withdrawn_at=None).exists():
        return None
    line = _("A result before it was corrected: you have no match in this round any more.")
    return _of_round(told.event, round_, (line,))


def _of_round(event: Event, round_: Round, lines: tuple[str, ...]) -> Said:
    title = _("%(event)s, round %(number)s") % {"event": event.name, "number": round_.number}
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


def _to_arrange(told: _Told) -> Match | None:
    """The match that it is about, if it is still to be played, and the reader plays in it."""
    match = told.match()
    if match is None or match.state != MatchState.SCHEDULED or told.event.state != EventState.RUNNING:
        return None
    return match if sides_arranged_by(told.reader.pk, match) else None


def _has_left(match: Match) -> bool:
    """Whether somebody of the match has withdrawn: its players arrange it no more."""
    return any(entry.withdrawn_at is not None for side in match.sides for entry in match.side(side))


def _clock(told: _Told, at: datetime.datetime) -> str:
    """A time by the club's clock."""
    return date_format(at.astimezone(told.event.club.zone), "l j F Y, H:i")


def _proposed(told: _Told) -> Said | None:
    match = _to_arrange(told)
    rows = [] if match is None else list(match.proposed_times.all())
    if match is None or not rows or _has_left(match):
        return None
    lines = [
        _("%(who)s proposes to play %(match)s:")
        % {"who": told.names.marked_side(match, rows[0].side), "match": told.names.match(match)},
        *(_clock(told, row.at) for row in rows),
    ]
    if rows[0].place:
        lines.append(_("Where: %(place)s.") % {"place": rows[0].place})
    title = _("A time is proposed: %(label)s, %(event)s")
    return _about(match, title, lines, *_arrange_page(match))


def _agreed(told: _Told) -> Said | None:
    match = _to_arrange(told)
    if match is None or match.planned_on is None:
        return None
    at = match.planned_at
    when = date_format(match.planned_on, "l j F Y") if at is None else _clock(told, at)
    lines = [_("%(match)s: %(when)s.") % {"match": told.names.match(match), "when": when}]
    if match.planned_place:
        lines.append(_("Where: %(place)s.") % {"place": match.planned_place})
    return _about(match, _("When you play: %(label)s, %(event)s"), lines, *_arrange_page(match))


def _near(told: _Told) -> Said | None:
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


def _sign(told: _Told) -> Said | None:
    match = told.match()
    if match is None or match.sheet is None or not match.held:
        return None
    said = said_under(match.sheet)
    if _SIGNATURES.isdisjoint(waits_for(match, match.sheet, said)) or told.sides(match) <= said.signed:
        return None
    line = _("Sheet %(label)s has ended and does not count yet: look at it, and sign it if it is right.")
    return _of_match(match, _("Please sign: %(label)s, %(event)s"), line)


def _disputed(told: _Told) -> Said | None:
    match = told.match()
    dispute = None if match is None or match.sheet is None else open_disputes(match.sheet).first()
    if match is None or dispute is None:
        return None
    if not told.sides(match) and not can(told.reader, Permission.DIRECT, told.event.club):
        return None
    line = _("%(who)s disputes sheet %(label)s. It does not count until that is settled.")
    who = told.names.marked_side(match, dispute.side)
    return _of_match(match, _("Disputed: %(label)s, %(event)s"), line, who=who)


def _decided(told: _Told) -> Said | None:
    match = told.match()
    if match is None or match.sheet is None or open_disputes(match.sheet).exists() or not told.sides(match):
        return None
    line = _("The dispute about sheet %(label)s is settled.")
    if waits := waits_for(match, match.sheet):
        line += " " + _("It does not count yet: %(waits)s.")
        return _of_match(match, _("Settled: %(label)s, %(event)s"), line, waits=in_words(waits))
    return _of_match(match, _("Settled: %(label)s, %(event)s"), line)


def _stopped(told: _Told) -> Said | None:
    """That the play of a match waits for a director, with the act that has it go on."""
    match = told.match()
    table = None if match is None else live_table(match)
    if match is None or table is None or not can(told.reader, Permission.DIRECT, told.event.club):
        return None
    words = {"match": told.names.match(match), "why": table.adjourned_note}
    if table.adjourned_at is not None:
        line = _("%(match)s: play stands still. %(why)s Nobody moves until a director lets it go on.") % words
        page = _act_page(match, "let_go_on", _("Let play go on"))
    elif not hand_stands(table):
        line = _("%(match)s: the sheet was changed during a hand, which a director has dealt anew.") % words
        page = _act_page(match, "deal_anew", _("Deal the hand anew"))
    else:
        return None
    return _about(match, _("Play waits for a director: %(label)s, %(event)s"), [line], *page)


def _act_page(match: Match, act: str, title: str) -> tuple[str, str]:
    """The page of an administration's act on a match, with its name."""
    return reverse(f"admin:league_match_{act}", args=[match.pk]), title


def _result(told: _Told) -> Said | None:
    match = told.match()
    if match is None or not match.is_counted or is_withheld(told.event, match.round):
        return None
    if not told.sides(match):
        return None
    line = _("%(result)s (%(match)s).") % {
        "result": result_line(match, told.names),
        "match": told.names.match(match),
    }
    return _about(match, _("Result: %(label)s, %(event)s"), [line], *_match_page(match))


def _of_match(match: Match, title: str, line: str, **words: str) -> Said:
    return _about(match, title, [line % {"label": match.label, **words}], *_match_page(match))


def _about(match: Match, title: str, lines: Sequence[str], path: str, page: str) -> Said:
    return Said(title % {"label": match.label, "event": match.event.name}, tuple(lines), path, page)


def _match_page(match: Match) -> tuple[str, str]:
    return reverse("match", args=[match.event.club.slug, match.event.slug, match.code]), _("The match")


def _place(told: _Told) -> Said | None:
    event = told.event
    entered = Entry.objects.filter(pk__in=told.own, withdrawn_at=None)
    if event.state not in (EventState.OPEN, EventState.RUNNING) or not entered.exists():
        return None
    title = _("You have a place in %(event)s") % {"event": event.name}
    line = _("A place became free in “%(event)s”, and you are entered.") % {"event": event.name}
    if event.state == EventState.OPEN:
        line += " " + _("If you cannot play, please withdraw: the next one moves up.")
    return Said(title, (line,), *_event_page(event))


def _invited(told: _Told) -> Said | None:
    event = told.event
    rows = PartnerInvitation.objects.filter(
        event=event,
        player__user=told.reader,
        state=InvitationState.INVITED,
        request__state=RequestState.FORMING,
    )
    asked = list(rows.select_related("request__player").order_by("pk"))
    if event.state != EventState.OPEN or not asked:
        return None
    lines = []
    for row in asked:
        team = row.request
        line = _("%(captain)s invites you to play in one team in “%(event)s”.")
        if team.team_name:
            line = _("%(captain)s invites you to play in the team “%(team)s” in “%(event)s”.")
        words = {"captain": told.names.player(team.player), "team": team.team_name, "event": event.name}
        lines.append(line % words)
        if team.kept_until is not None:
            lines.append(
                _("The team keeps its turn until %(when)s.") % {"when": _clock(told, team.kept_until)}
            )
    title = _("You are invited to a team: %(event)s") % {"event": event.name}
    return Said(title, tuple(lines), *_enter_page(event))


def _team(told: _Told) -> Said | None:
    """How the reader's team stands now: with a place, on the list, short of somebody, or over."""
    event = told.event
    if event.state not in (EventState.OPEN, EventState.RUNNING):
        return None
    entry = Entry.objects.filter(pk__in=told.own, withdrawn_at=None).first()
    if entry is not None:
        title = _("Your team has a place in %(event)s") % {"event": event.name}
        line = _("“%(team)s” is complete and entered.") % {"team": told.names.entry(entry)}
        return Said(title, (line,), *_enter_page(event))
    joined = Q(invitations__player__user=told.reader, invitations__state=InvitationState.ACCEPTED)
    rows = EntryRequest.objects.filter(Q(player__user=told.reader) | joined, event=event)
    team = rows.select_related("player").order_by("-pk").first()
    title = _("Your team for %(event)s") % {"event": event.name}
    return Said(title, tuple(_team_lines(told, team)), *_enter_page(event))


def _team_lines(told: _Told, team: EntryRequest | None) -> list[str]:
    if team is None:
        return [_("The team that you were in, or were asked to join, is not entered any more.")]
    if team.state == RequestState.LAPSED:
        return [_("Entries are closed, and your team was not complete: it is not entered.")]
    if team.state == RequestState.DECLINED:
        return [_("A director has declined your team: %(reason)s") % {"reason": team.reason}]
    if team.state == RequestState.ASKED and told.event.approves_entries:
        return [_("Your team is complete. A director has yet to approve it.")]
    if team.state != RequestState.FORMING:
        return [_("Your team is complete, and waits for a place.")]
    lines = [
        _("%(player)s: %(state)s.")
        % {"player": told.names.player(row.player), "state": row.get_state_display()}
        for row in team.invitations.select_related("player").order_by("pk")
    ]
    if team.kept_until is None:
        lines.append(_("Your team is not complete, and its turn is not kept any more."))
    else:
        when = _clock(told, team.kept_until)
        lines.append(_("Your team is not complete yet. It keeps its turn until %(when)s.") % {"when": when})
    return lines


def _enter_page(event: Event) -> tuple[str, str]:
    return reverse("event_enter", args=[event.club.slug, event.slug]), _("Your team")


def _event(told: _Told) -> Said | None:
    event = told.event
    if event.state != EventState.OPEN or not clubs_of(told.reader).filter(pk=event.club_id).exists():
        return None
    title = _("%(event)s takes entries") % {"event": event.name}
    line = _("Entries for “%(event)s” are open.") % {"event": event.name}
    return Said(title, (line,), *_event_page(event))


def _letter(notice: Notice, letter: AuditEntry, reader: User, names: Names) -> Said | None:
    """What an officer has written, as it stands on the record now."""
    event = notice.event
    if not clubs_of(reader).filter(pk=notice.club_id).exists():
        return None
    written = letter.after or {}
    lines = [line for line in written["text"].splitlines() if line.strip()]
    by = _("%(name)s, for %(where)s") % {"name": names.author(letter), "where": event or notice.club}
    if event is not None and events_seen(reader).filter(pk=event.pk).exists():
        return Said(written["subject"], (*lines, by), *_event_page(event))
    return Said(written["subject"], (*lines, by), reverse("club", args=[notice.club.slug]), _("The club"))


def _paused(club: Club, reader: User) -> Said | None:
    """Which addresses of programs were paused as they fail, to those who direct the club."""
    paused = list(club.webhooks.exclude(pause__in=["", WebhookPause.BY_HAND]))
    if not paused or not can(reader, Permission.DIRECT, club):
        return None
    lines = [
        _("%(host)s: %(why)s.") % {"host": hook.host, "why": hook.get_pause_display()} for hook in paused
    ]
    lines.append(_("They are told nothing until you have them told again."))
    return Said(_("A webhook is paused"), tuple(lines), reverse("webhooks", args=[club.slug]), _("Webhooks"))


def _game(club: Club, reader: User, names: Names) -> Said | None:
    """Which games the reader is offered, and by whom."""
    players = list(Player.objects.filter(user=reader, club=club, merged_into=None))
    lines = [
        (_("%(name)s: %(what)s, rated.") if offer.is_rated else _("%(name)s: %(what)s."))
        % {"name": names.player(offer.by), "what": offer.rules.name}
        for offer in offers_to_answer(club, players)
    ]
    lines += [
        _("%(name)s: %(what)s.")
        % {"name": names.side(offer.match, offer.side), "what": names.match(offer.match)}
        for offer in online_offers_to_answer(players)
    ]
    if not lines or not clubs_of(reader).filter(pk=club.pk).exists():
        return None
    page = (reverse("club_play", args=[club.slug]), _("Play on this site"))
    return Said(_("You are offered a game"), tuple(lines), *page)


def _answer(notice: Notice, answer: AuditEntry, reader: User, names: Names) -> Said | None:
    """What the reader is answered who has asked to join, or has said which player of the register he is."""
    club = notice.club
    own = (reverse("club_me", args=[club.slug]), _("My club"))
    title = _("%(club)s has answered you") % {"club": club}
    if answer.action == "join.approve":
        belongs = clubs_of(reader).filter(pk=club.pk).exists()
        return (
            Said(title, (_("You are a member of %(club)s now.") % {"club": club},), *own) if belongs else None
        )
    if answer.action == "claim.confirm":
        player = Player.objects.filter(user=reader, club=club, merged_into=None).order_by("pk").first()
        if player is None:
            return None
        line = _("Your account is linked to %(player)s in %(club)s: your matches are under My club.")
        return Said(title, (line % {"player": player, "club": club},), *own)
    if answer.action == "join.refuse":
        lines = [_("%(club)s has not taken you in.") % {"club": club}]
    else:
        lines = [_("An officer of %(club)s could not confirm who you are there.") % {"club": club}]
    if answer.reason:
        lines.append(answer.reason)
    return Said(title, tuple(lines), reverse("club", args=[club.slug]), _("The club"))


def _people(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
    """To who directs the club: somebody waits there for an answer, or has left."""
    club = notice.club
    if not can(reader, Permission.DIRECT, club.pk):
        return None
    page = (reverse("members", args=[club.slug]), _("Members and invitations"))
    if what.action == "club.leave":
        title = _("%(name)s has left %(club)s") % {"name": names.author(what), "club": club}
        stays = (what.after or {}).get("stays") or []
        lines = [_("%(name)s has left the club.") % {"name": names.author(what)}]
        if stays:
            lines.append(
                _("A director withdraws the entry, which goes on, in: %(events)s.")
                % {"events": ", ".join(stays)}
            )
        return Said(title, tuple(lines), *page)
    waits = JoinRequest.objects.filter(pk=what.object_id, club=club, user__is_active=True).first()
    if waits is None:
        return None
    words = {"name": waits.user.get_full_name() or waits.user.get_username(), "club": club}
    line = _("%(name)s says that he is in the register.") if waits.is_claim else _("%(name)s asks to join.")
    return Said(_("Somebody waits for an answer in %(club)s") % words, (line % words,), *page)


def _table(told: _Told) -> Said | None:
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
    return Said(title, (_("“%(event)s” is finished.") % {"event": event.name}, *lines), *_event_page(event))


def _event_page(event: Event) -> tuple[str, str]:
    return reverse("event", args=[event.club.slug, event.slug]), _("The event")


def _evening(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
    """To who directs the club: what has become of an evening that runs itself, and where that is seen."""
    club = notice.club
    event = Event.objects.filter(pk=what.object_id, club=club).select_related("club").first()
    if event is None or not can(reader, Permission.DIRECT, club.pk) or event.state != EventState.RUNNING:
        return None
    stopped = Evening.objects.filter(event=event, state=EveningState.STOPPED)
    if what.action == "evening.stop" and not stopped.exists():
        return None
    noted = names.told(what.after or {})
    absent = ", ".join(noted.get("absent", []))
    words = {"event": event.name, "names": absent, "round": noted.get("round")}
    if what.action == "evening.stop":
        title = _("%(event)s has stopped and waits for you")
        lines = [what.reason, _("Settle that, and let the evening go on.")]
    elif what.action == "evening.absent":
        title = _("Somebody is missing: %(event)s")
        lines = [_("Not at their tables in round %(round)s: %(names)s. You say what becomes of it.") % words]
    elif what.action == "evening.left_out":
        title = _("Somebody is not paired any more: %(event)s")
        line = _("Has missed two matches in a row, and is not in round %(round)s: %(names)s.") % words
        lines = [line, _("He may say himself that he is back, or you mark him as here.")]
    else:
        title = _("The evening is over: %(event)s")
        lines = [_("All rounds are played. Look at the table, and finish the event.")]
    return Said(title % words, tuple(lines), *_event_page(event))


_OF_RECORD: Final[Mapping[NoticeKind, Callable[[Notice, AuditEntry, User, Names], Said | None]]] = {
    NoticeKind.LETTER: _letter,
    NoticeKind.ANSWER: _answer,
    NoticeKind.PEOPLE: _people,
    NoticeKind.EVENING: _evening,
}

_SAID: Final[Mapping[NoticeKind, Callable[[_Told], Said | None]]] = {
    NoticeKind.ROUND: _round,
    NoticeKind.PROPOSED: _proposed,
    NoticeKind.AGREED: _agreed,
    NoticeKind.NEAR: _near,
    NoticeKind.SIGN: _sign,
    NoticeKind.DISPUTED: _disputed,
    NoticeKind.DECIDED: _decided,
    NoticeKind.STOPPED: _stopped,
    NoticeKind.RESULT: _result,
    NoticeKind.PLACE: _place,
    NoticeKind.INVITED: _invited,
    NoticeKind.TEAM: _team,
    NoticeKind.EVENT: _event,
    NoticeKind.TABLE: _table,
}
