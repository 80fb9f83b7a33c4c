"""The packs of a table of members: fresh ones, or those of its round, which other tables play as well.

Of the latter nobody is told a hand before all tables have played it (RULES §24).
"""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.errors import GameError
from games.gin.cards import parse_number
from games.gin.playing import Pack
from games.models import TableMatch
from scoring.models import Scoresheet
from scoring.policy import policy


def packs_of(sheet: Scoresheet) -> tuple[Pack, ...]:
    """The packs that are dealt on this sheet as on others, in order; none if each hand has its own."""
    return tuple([tuple([parse_number(card) for card in pack.split()]) for pack in policy().packs(sheet)])


def is_withheld(match: TableMatch) -> bool:
    """Whether the hands of a table are told to nobody yet; makes a query for a table of duplicate alone."""
    return match.is_duplicate and withheld_sheets().filter(pk=match.sheet_id).exists()


def withheld_sheets() -> QuerySet[Scoresheet]:
    """The sheets of tables whose hands are told to nobody yet."""
    return policy().withheld(Scoresheet.objects.filter(table_match__is_duplicate=True))


def check_told(match: TableMatch) -> None:
    """Refuse (`withheld`) the hands of a table whose packs are still to be played elsewhere."""
    if is_withheld(match):
        raise GameError(
            "withheld",
            _("Other tables play the same packs: hands are shown when the round is over."),
        )
