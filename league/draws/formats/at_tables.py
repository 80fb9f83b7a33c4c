"""What formats of tables of three to six share: games at which all play one another at once."""

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy

from league.draws import table_rounds
from league.draws.formats import Format
from league.models import Event

SETTINGS = frozenset(
    {
        "rounds_planned",
        "check_in",
        "table_size",
        "place_points",
        "late_points",
        "absent_points",
        "absent_net",
    }
)


# Of matches of two sides, and of the strength of opponents.
IDLE_SETTINGS = frozenset(
    {
        "points_scheme",
        "win_points",
        "draw_points",
        "loss_points",
        "column_points",
        "sheet_points",
        "forfeit_net",
        "forfeit_strength",
        "bye_strength",
    }
)


class TableFormat(Format):
    """Rounds paired one after another, at tables of as many as the game is for (RULES §8)."""

    has_tables = True
    usual_order = ("match_points", "net", "wins", "hands_won", "lot")
    # Nobody stands above who has played for having rested.
    usual_settings: ClassVar[dict[str, Any]] = {"bye_points": 0, "absent_points": 0}
    first_act = "pair"
    settings = SETTINGS
    idle_settings = IDLE_SETTINGS
    night_by_night = True
    no_evening = gettext_lazy(
        "A table of three or more cannot be forfeited: what becomes of it without one of them is for a "
        "director."
    )
    keeps_apart = True
    drawn_by_seeds = False
    takes_added_matches = False

    def fewest_entries(self, event: Event) -> int:
        """As many as sit at the smallest table."""
        return table_rounds.sizes_of(event).fewest
