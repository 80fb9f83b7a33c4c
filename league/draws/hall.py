"""Which match, played card by card on this site, the hall's screen shows: the one that a director has chosen.

Everybody in the hall reads it, so that it is shown as guests may see it: hands once they are over.
"""

from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from games.models import TableMatch, on_now
from games.services.hands import UnreadableHand
from games.services.seen_tables import SeenTable
from games.services.table_pages import TablePage, table_page
from league.core.lifecycle import Doing, check_doing
from league.errors import LeagueError
from league.matches.member_tables import live_table
from league.models import Event, Match
from league.policy import Permission, require
from league.policy.withholding import is_withheld
from league.record.audit import change_row, locked
from scoring.core.actors import Actor, ActorKind

_GUEST: Final = Actor(ActorKind.USER, "0", "")


@transaction.atomic
def show_in_hall(*, actor: Actor, match: Match) -> None:
    """Show this match on the hall's screen, in place of the one before, for as long as it is played.

    Refused: a match that is not being played on this site (`not_live`), and one whose result is hidden until
    the director releases the night (`withheld`).
    """
    require(actor, Permission.DIRECT, match.event.club)
    event = locked(match.event)
    check_doing(event.name, event.state, Doing.PLAY)
    if not TableMatch.objects.filter(on_now(), sheet=match.sheet_id).exists():
        raise LeagueError("not_live", _("This match is not being played on this site."))
    if is_withheld(event, match.round):
        raise LeagueError("withheld", _("Results of this round are hidden: the screen may not show it."))
    _choose(actor, event, match)


@transaction.atomic
def hide_in_hall(*, actor: Actor, match: Match) -> None:
    """Show this match on the hall's screen no longer; refuses one that is not shown there (`not_shown`)."""
    require(actor, Permission.DIRECT, match.event.club)
    event = locked(match.event)
    if event.hall_match_id != match.pk:
        raise LeagueError("not_shown", _("The hall’s screen does not show this match."))
    _choose(actor, event, None)


def is_in_hall(match: Match) -> bool:
    """Whether the hall's screen shows this match."""
    return match.event.hall_match_id == match.pk


def hall_table(event: Event) -> TablePage | None:
    """The table that the hall's screen shows, as guests may see it; None without one that is being played."""
    match = event.hall_match
    table = None if match is None else live_table(match)
    if match is None or table is None or is_withheld(event, match.round):
        return None
    # In nobody's seat, also where a player has opened the page.
    try:
        return table_page(SeenTable(table, _GUEST, None))
    except UnreadableHand:
        return None


def _choose(actor: Actor, event: Event, match: Match | None) -> None:
    values = {"hall_match": match}
    change_row(actor, "event.hall", event, values)
