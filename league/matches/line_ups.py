"""Line-ups of a match, until anything is recorded on its sheet."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.matches import appearances_of, bots_for, bring_sheet
from league.models import AWARDED, Appearance, Match, MatchState, Player, RoundState
from league.policy import Permission, require
from league.policy.eligibility import check_free, check_line_up, check_not_in_play, check_not_withdrawn
from league.record.audit import locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor


@transaction.atomic
def set_line_up(
    *, actor: Actor, match: Match, side: int, players: Sequence[Player], reason: str = ""
) -> Match:
    """Set the players of a side (0 or 1) in order; refused once anything is on the sheet, or in play.

    Players are members of the side's entries, or of no entry of the event, or guests. Once both line-ups are
    known the sheet is opened, or its names are updated. Of who has a bye the bot that may play them takes its
    seats (`bots_for`). After the first deal use `substitutes.seat_substitute`.
    """
    require(actor, Permission.RECORD, match.event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    entries, bots = match.side(side), () if sheet is not None else bots_for(match)
    is_played = match.state not in AWARDED or (match.state == MatchState.BYE and sheet is not None)
    if not entries or not (is_played or bots):
        raise LeagueError("not_played", _("%(match)s is not played.") % {"match": match})
    if match.round.state == RoundState.DRAFTED:
        raise LeagueError(
            "round_drafted",
            _("Round %(number)s is a draft; line-ups are set once it is published.")
            % {"number": match.round.number},
        )
    if sheet is not None and sheet.acts.exists():
        raise LeagueError(
            "has_hands",
            _(
                "The line-up is locked once something is recorded on the sheet; a substitute may take over "
                "a seat from the next deal on."
            ),
        )
    check_not_in_play(Match.objects.filter(pk=match.pk))
    check_not_withdrawn(match, side=side, players=players)
    check_line_up(event, entries, players)
    old = [appearance.player for appearance in match.appearances.filter(side=side).select_related("player")]
    if old == list(players):
        return match
    match.appearances.filter(side=side).delete()
    if match.bot_side == side:
        match.bot_side = None
        match.save(update_fields=["bot_side"])
    check_free(match.round, players, match=match)
    Appearance.objects.bulk_create(
        [*appearances_of(match, side, players), *appearances_of(match, 1 - side, bots)]
    )
    bring_sheet(actor, match)
    record_audit(
        actor,
        "match.line_up",
        match,
        before={"entry": list(match.side(side)), "players": old},
        after={"entry": list(match.side(side)), "players": list(players)},
        reason=reason,
    )
    if bots:
        request_standings(event.pk)
    return match
