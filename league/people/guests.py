"""Guests in friendly games: whoever opens a link that a member has made first sits down without an account.

The link is a capability, of which only a digest is stored. It opens one seat of one table, for some days: it
is over with the game, and earlier if the member takes the offer back or a game is broken off.
"""

from typing import Final

from django.utils.translation import gettext as _

from games.models import TableMatch
from league.core.secrets import digest_of
from league.errors import LeagueError
from league.matches.offers import open_offers
from league.models import OfferSeat, Player, TableLink
from league.people.friendlies import MOST_TABLES
from league.people.lobbies import take_guest_seat
from league.policy import live_links
from league.record.audit import check_plain

LONGEST_NAME: Final = 40


def guest_seat(secret: str) -> OfferSeat | None:
    """The seat in an open offer that this secret takes, or has taken."""
    found = OfferSeat.objects.select_related("offer__club").filter(guest_digest=digest_of(secret)).first()
    if found is None:
        return None
    offer = open_offers(found.offer.club).filter(pk=found.offer_id).first()
    if offer is None:
        return None
    found.offer = offer
    return found


def guest_table(secret: str) -> tuple[TableMatch, TableLink] | None:
    """The table at which this secret opens a seat, and its link."""
    link = live_links().filter(digest=digest_of(secret), sheet__table_match__seats__is_guest=True).first()
    return None if link is None else (TableMatch.objects.get(sheet=link.sheet_id), link)


def sit_down_as_guest(*, seat: OfferSeat, name: str) -> TableMatch | None:
    """Take a guest's seat in a game that is offered, under this name; the table, if it has begun with that.

    Refused: a name that is missing or too long (`invalid`), that of a player of the club or of a guest there
    (`known_name`), an offer that is over (`offer_over`), and what `take_guest_seat` refuses.
    """
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        message = _("Give a name of up to %(most)d characters.") % {"most": LONGEST_NAME}
        raise LeagueError("invalid", message, field="name")
    check_plain(name, "name")
    if Player.objects.filter(club=seat.offer.club, name__iexact=name).exists():
        # Who is asked for a name is not told who plays in the club.
        message = _("You cannot play under this name: add something to it.")
        raise LeagueError("known_name", message, field="name")
    try:
        return take_guest_seat(seat=seat, name=name)
    except LeagueError as refusal:
        # A guest may not be one to whom members' names are shown.
        if refusal.code == "too_many":
            message = _("Somebody at this table plays %(count)d games already: one of them is ended first.")
            raise LeagueError("too_many", message % {"count": MOST_TABLES}) from refusal
        if refusal.code == "no_account":
            raise LeagueError(
                "no_account", _("Somebody at this table no longer has an account.")
            ) from refusal
        raise
