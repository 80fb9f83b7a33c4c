"""What notices say of a club: letters, answers, who waits or has left, its programs, games, and evenings."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import TableMatch
from league.core.evening import EveningState
from league.matches.offers import (
    game_words,
    games_begun,
    matches_begun,
    offers_to_answer,
    online_offers_to_answer,
)
from league.models import (
    AuditEntry,
    Club,
    Evening,
    Event,
    EventState,
    GameOffer,
    JoinRequest,
    Match,
    MatchState,
    Notice,
    OfferState,
    Player,
    WebhookPause,
)
from league.notices.choices import clubs_of
from league.notices.saying import Said, event_page, match_page
from league.policy import Permission, can, events_seen
from league.policy.naming import Names


def of_letter(notice: Notice, letter: AuditEntry, reader: User, names: Names) -> Said | None:
    """What an officer has written, as it stands on the record now."""
    event = notice.event
    if not clubs_of(reader).filter(pk=notice.club_id).exists():
        return None
    written = letter.after or {}
    lines = [line for line in written["text"].splitlines() if line.strip()]
    by = _("%(name)s, for %(where)s") % {"name": names.author(letter), "where": event or notice.club}
    if event is not None and events_seen(reader).filter(pk=event.pk).exists():
        return Said(written["subject"], (*lines, by), *event_page(event))
    return Said(written["subject"], (*lines, by), reverse("club", args=[notice.club.slug]), _("The club"))


def of_pause(club: Club, reader: User) -> Said | None:
    """Which addresses of programs were paused as they fail, to those who direct the club."""
    paused = list(club.webhooks.exclude(pause__in=["", WebhookPause.BY_HAND]))
    if not paused or not can(reader, Permission.DIRECT, club):
        return None
    lines = [
        _("%(host)s: %(why)s.") % {"host": hook.host, "why": hook.get_pause_display()} for hook in paused
    ]
    lines.append(_("They are told nothing until you resume them."))
    return Said(_("A webhook is paused"), tuple(lines), reverse("webhooks", args=[club.slug]), _("Webhooks"))


def of_games(notice: Notice, reader: User, names: Names) -> Said | None:
    """Which games had begun for the reader when this was noted, and which he is offered."""
    club = notice.club
    players = list(Player.objects.filter(user=reader, club=club, merged_into=None))
    begun = [
        _("Your game with %(names)s has begun: %(what)s.")
        % {"names": ", ".join(_others(offer, players, names)), "what": game_words(offer)}
        for offer in games_begun(players, by=notice.made_at)
    ]
    begun += [
        _("Your match in %(event)s has begun: %(what)s.")
        % {"event": match.event.name, "what": names.match(match)}
        for match in matches_begun(players, by=notice.made_at)
    ]
    lines = [
        (_("%(name)s: %(what)s, rated.") if offer.is_rated else _("%(name)s: %(what)s."))
        % {"name": names.player(offer.by), "what": game_words(offer)}
        for offer in offers_to_answer(club, players).prefetch_related("seats")
    ]
    lines += [
        _("%(name)s: %(what)s.")
        % {"name": names.side(offer.match, offer.side), "what": names.match(offer.match)}
        for offer in online_offers_to_answer(players)
    ]
    if not (begun or lines) or not clubs_of(reader).filter(pk=club.pk).exists():
        return None
    title = _("Your game has begun")
    if not begun:
        title = ngettext("You are offered a game", "You are offered %(count)s games", len(lines))
        title %= {"count": len(lines)}
    page = (reverse("club_play", args=[club.slug]), _("Play on this site"))
    return Said(title, (*begun, *lines), *page)


def _others(offer: GameOffer, players: Sequence[Player], names: Names) -> list[str]:
    """Who plays beside these players: members, guests by the names they typed, bots."""
    seats = offer.seats.all()
    members = [offer.by, *[seat.player for seat in seats if seat.player is not None]]
    others = [names.player(one) for one in members if one not in players]
    return [*others, *[seat.guest_name or seat.bot for seat in seats if seat.guest_name or seat.bot]]


def of_own_game(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
    """That somebody declines what the reader offers, or that a bot's failure has stopped his game."""
    club = notice.club
    if what.action == "table.adjourn":
        table = _still_stopped(what)
        if table is None or not table.seats.filter(account=reader.pk).exists():
            return None
        lines = (table.adjourned_note, _("Its page says how it goes on."))
        page = (reverse("play_table", args=[table.code]), _("The table"))
        return Said(_("Your game is adjourned"), lines, *page)
    if what.object_type == "match":
        return _of_own_match(what, reader, names)
    offer = GameOffer.objects.filter(pk=what.object_id, by__user=reader).select_related("rules").first()
    if offer is None or not clubs_of(reader).filter(pk=club.pk).exists():
        return None
    told = [_("%(name)s does not play: %(game)s.") % {"name": names.author(what), "game": game_words(offer)}]
    if offer.state == OfferState.DECLINED:
        told.append(_("Your offer is over."))
    page = (reverse("club_play", args=[club.slug]), _("Play on this site"))
    return Said(_("Your game is declined"), tuple(told), *page)


def _of_own_match(what: AuditEntry, reader: User, names: Names) -> Said | None:
    """That the other side declines to play the reader's match here; until it is played or offered again."""
    own = Match.objects.filter(pk=what.object_id, appearances__player__user=reader)
    own = own.filter(state=MatchState.SCHEDULED, online_offer=None, event__in=events_seen(reader))
    match = own.with_sides("event__club").first()
    if match is None:
        return None
    line = _("%(name)s declines to play it online: %(match)s.")
    words = {"name": names.author(what), "match": names.match(match)}
    return Said(_("Your match is not played online"), (line % words,), *match_page(match))


def of_waiting_game(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
    """To who directs the club: a game outside events stands still, with the act that ends it."""
    table = _still_stopped(what)
    if table is None or not can(reader, Permission.DIRECT, notice.club_id):
        return None
    words = {"sheet": table.sheet, "club": notice.club}
    lines = (_("%(sheet)s: play is adjourned.") % words, table.adjourned_note)
    page = reverse("admin:league_exhibition_end_play", args=[table.sheet.exhibition.pk])
    return Said(_("A game is adjourned in %(club)s") % words, lines, page, _("End play on this site"))


def _still_stopped(what: AuditEntry) -> TableMatch | None:
    """The table of which the record says that a bot has stopped play there, while it stands still."""
    stopped = TableMatch.objects.filter(pk=what.object_id, is_live=True, adjourned_at__isnull=False)
    return stopped.select_related("sheet__exhibition").first()


def of_answer(notice: Notice, answer: AuditEntry, reader: User, names: Names) -> Said | None:
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
        lines = [_("%(club)s has not accepted you as a member.") % {"club": club}]
    else:
        lines = [_("An officer of %(club)s could not confirm who you are there.") % {"club": club}]
    if answer.reason:
        lines.append(answer.reason)
    return Said(title, tuple(lines), reverse("club", args=[club.slug]), _("The club"))


def of_people(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
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
    line = _("%(name)s says: I am in the register.") if waits.is_claim else _("%(name)s asks to join.")
    return Said(_("Somebody waits for an answer in %(club)s") % words, (line % words,), *page)


def of_evening(notice: Notice, what: AuditEntry, reader: User, names: Names) -> Said | None:
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
        lines = [what.reason, _("Once that is settled, let the evening go on.")]
    elif what.action == "evening.absent":
        title = _("Somebody is missing: %(event)s")
        lines = [_("Not at their tables in round %(round)s: %(names)s. You say what becomes of it.") % words]
    elif what.action == "evening.left_out":
        title = _("Somebody is no longer paired: %(event)s")
        line = _("Has missed two matches in a row, and is not in round %(round)s: %(names)s.") % words
        lines = [line, _("They may say themselves that they are back, or you mark them as here.")]
    else:
        title = _("The evening is over: %(event)s")
        lines = [_("All rounds are played. Look at the table, and finish the event.")]
    return Said(title % words, tuple(lines), *event_page(event))
