"""Substitutes during a match: a seat changes hands on the sheet and in the line-up."""

from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.models import AWARDED, Appearance, Match, Player
from league.policy import Permission, require
from league.policy.eligibility import check_free, check_stands_in
from league.record.audit import given_reason, locked, record_audit
from league.record.locking import lock_match
from league.record.requests import request_standings
from scoring.core.actors import Actor
from scoring.models import Scoresheet, Seat
from scoring.services import add_substitute, remove_substitute


class Sitting(NamedTuple):
    """A seat at the table and the appearance of its present player."""

    side: int
    place: int
    appearance: Appearance


def sitting_now(match: Match) -> list[Sitting]:
    """Return who sits at the table now, by side and seat."""
    places: dict[tuple[int, int], Sitting] = {}
    rows = match.appearances.select_related("player", "entry").order_by("side", "from_deal", "position")
    place_of: dict[tuple[int, int], int] = {}
    for row in rows:
        place = row.position if row.replaces is None else place_of[row.side, row.replaces]
        place_of[row.side, row.position] = place
        places[row.side, place] = Sitting(row.side, place, row)
    return [places[key] for key in sorted(places)]


@transaction.atomic
def seat_substitute(
    *, actor: Actor, match: Match, replaces: Player, player: Player, from_deal: int, reason: str = ""
) -> Match:
    """Let `player` take over the seat of `replaces` from deal `from_deal` to the end of the sheet.

    A substitute belongs to the club, plays for no other entry of the event except a guest's, and nowhere else
    in the round. Before the first deal the line-up is changed instead. Deals already recorded from there on
    pass to the substitute as a correction, with its reason and permission. The side keeps its result; each
    player has their own hands and a share of the net.
    """
    event = match.event
    require(actor, Permission.RECORD, event.club)
    match, sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    if match.state in AWARDED or sheet is None:
        raise LeagueError("not_played", _("%(match)s is not played.") % {"match": match})
    seat = next((each for each in sitting_now(match) if each.appearance.player == replaces), None)
    if seat is None:
        raise LeagueError(
            "not_seated",
            _("%(player)s does not sit at this table.") % {"player": replaces},
            field="replaces",
        )
    check_stands_in(event, match.side(seat.side), [player])
    check_free(match.round, [player], match=match)
    write_substitute(
        actor=actor,
        match=match,
        sheet=sheet,
        seat=seat,
        player=player,
        from_deal=from_deal,
        reason=reason,
    )
    record_audit(
        actor,
        "match.substitute",
        match,
        before={"player": replaces},
        after={"player": player, "from_deal": from_deal},
        reason=reason,
    )
    if match.has_result:
        request_standings(event.pk)
    return match


def write_substitute(
    *,
    actor: Actor,
    match: Match,
    sheet: Scoresheet,
    seat: Sitting,
    player: Player,
    from_deal: int,
    reason: str = "",
) -> Appearance:
    """Write who takes over a seat, on the sheet and in the line-up; no audit entry.

    The caller holds the sheet and the match, and has checked that the player may sit there.
    """
    on_sheet = _seats(sheet, seat.side)
    add_substitute(
        actor=actor,
        sheet=sheet,
        side=seat.side,
        replaces=on_sheet[seat.appearance.position].name,
        name=player.name,
        person=player.code,
        from_deal=from_deal,
        reason=reason,
    )
    return Appearance.objects.create(
        round_id=match.round_id,
        match=match,
        leg=match.leg,
        side=seat.side,
        position=len(on_sheet),
        player=player,
        entry=seat.appearance.entry,
        from_deal=from_deal,
        replaces=seat.appearance.position,
    )


@transaction.atomic
def unseat_substitute(*, actor: Actor, match: Match, player: Player, reason: str) -> Match:
    """Remove a substitute named by mistake, before a hand of theirs is recorded."""
    event = match.event
    require(actor, Permission.RECORD, event.club)
    reason = given_reason(reason)
    match, sheet = lock_match(match)
    event = match.event = locked(event)
    check_doing(event.name, event.state, Doing.PLAY)
    appearance = match.appearances.filter(player=player, replaces__isnull=False).first()
    if appearance is None or sheet is None:
        raise LeagueError(
            "not_seated",
            _("%(player)s is not a substitute in this match.") % {"player": player},
            field="player",
        )
    name = _seats(sheet, appearance.side)[appearance.position].name
    remove_substitute(actor=actor, sheet=sheet, name=name, reason=reason)
    record_audit(
        actor,
        "match.unseat",
        match,
        before={"player": player, "from_deal": appearance.from_deal},
        reason=reason,
    )
    side, position = appearance.side, appearance.position
    appearance.delete()
    _close_gap(match, side, position)
    return match


def _seats(sheet: Scoresheet, side: int) -> list[Seat]:
    """Return the seats of a side in order of line-up positions."""
    return list(Seat.objects.filter(sheet=sheet, side__position=side).order_by("number"))


def _close_gap(match: Match, side: int, position: int) -> None:
    """Renumber positions without a gap, like the seats of the sheet. Replaced players are never removed."""
    for later in match.appearances.filter(side=side, position__gt=position).order_by("position"):
        later.position -= 1
        if later.replaces is not None and later.replaces > position:
            later.replaces -= 1
        later.save(update_fields=["position", "replaces"])
