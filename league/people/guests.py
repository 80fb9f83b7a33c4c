"""Friendly games with guests: a member makes a link, and whoever opens it first plays him without an account.

The link is a capability, of which only a digest is stored. It opens one seat of one table, for some days: it
is over with the game, and earlier if the member takes the offer back or breaks the game off. Locks: the
member's player, then the offer, then the sheet.
"""

import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from games.models import TableMatch
from games.services import Guest, open_table
from league.bots.house_bots import as_league
from league.core.secrets import digest_of, new_secret
from league.errors import LeagueError
from league.matches.club_sheets import open_friendly_sheet
from league.matches.offers import OFFER_DAYS, end_offer, lock_offer, open_offers
from league.models import Club, GameOffer, OfferState, Player, TableLink
from league.people.friendlies import (
    MOST_TABLES,
    check_of_two,
    is_free,
    offers_waiting,
    own_player_locked,
)
from league.policy import actor_of, live_links
from league.record.audit import check_plain, locked
from scoring.core.actors import Actor
from scoring.models import HouseRules

LONGEST_NAME: Final = 40
# The side of the guest; the member who made the link has the other.
_SIDE: Final = 1


@transaction.atomic
def offer_to_guest(*, actor: Actor, club: Club, rules: HouseRules) -> str:
    """Offer a friendly game to whoever has the secret that is returned: it is not stored.

    Refused: who has no player in the club (`no_player`), too many offers that wait (`too_many`), and rules
    for others than two (`not_two`).
    """
    player = own_player_locked(actor, club)
    offers_waiting(player)
    check_of_two(rules)
    secret, digest = new_secret()
    GameOffer.objects.create(club=club, by=player, rules=rules, guest_digest=digest)
    return secret


def guest_offer(secret: str) -> GameOffer | None:
    """The offer that this secret may still take."""
    found = GameOffer.objects.select_related("club").filter(guest_digest=digest_of(secret)).first()
    return None if found is None else open_offers(found.club).filter(pk=found.pk).first()


def guest_table(secret: str) -> tuple[TableMatch, TableLink] | None:
    """The table at which this secret opens a seat, and its link."""
    link = live_links().filter(digest=digest_of(secret), sheet__table_match__seats__is_guest=True).first()
    return None if link is None else (TableMatch.objects.get(sheet=link.sheet_id), link)


@transaction.atomic
def sit_down_as_guest(*, offer: GameOffer, name: str) -> TableMatch:
    """Take a game that was offered to a guest, under this name; the member who offered it has seat 0.

    Refused: an offer that is over (`offer_over`), a name that is missing or too long (`invalid`) or a
    player's of the club (`known_name`), a member who plays too many games (`too_many`), and whatever
    `open_friendly_sheet` refuses.
    """
    by = locked(offer.by)
    offer = lock_offer(offer)
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_NAME:
        message = _("Give a name of up to %(most)d characters.") % {"most": LONGEST_NAME}
        raise LeagueError("invalid", message, field="name")
    check_plain(name, "name")
    if Player.objects.filter(club=offer.club, name__iexact=name).exists():
        # Who is asked for a name is not told who plays in the club.
        message = _("You cannot play under this name: add something to it.")
        raise LeagueError("known_name", message, field="name")
    if offer.rules is None or not offer.guest_digest or by.user is None:
        raise LeagueError("not_allowed", _("This game is offered to somebody else."))
    if not is_free(by):
        # A guest may not be one to whom the member's name is shown.
        message = _("Whoever sent you this link plays %(count)s games already: one of them is ended first.")
        raise LeagueError("too_many", message % {"count": MOST_TABLES})
    host = actor_of(by.user)
    sheet = open_friendly_sheet(actor=host, club=offer.club, rules=offer.rules, one=by, other=name)
    TableLink.objects.create(
        sheet=sheet,
        side=_SIDE,
        digest=offer.guest_digest,
        expires_at=timezone.now() + datetime.timedelta(days=OFFER_DAYS),
        **TableLink.actor_fields(host),
    )
    with as_league():
        table = open_table(sheet=sheet, seats={0: host, _SIDE: Guest()})
    end_offer(offer, OfferState.TAKEN)
    return table
