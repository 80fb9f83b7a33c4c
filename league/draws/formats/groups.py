"""Round robins in groups, then a knockout of the best of each."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.draws.formats import Due, register
from league.draws.formats.with_bracket import WithBracket
from league.draws.qualifying import check_group_sizes, qualified, wanted_groups
from league.models import Entry, Event


class Groups(WithBracket):
    """The table is one per group; places in the knockout come before it (`placings.final_places`)."""

    key = "groups"
    title = gettext_lazy("groups, then a knockout")
    has_groups = True
    meets_all = True
    leading_criteria = ()
    first_act = "draw-groups"
    acts = WithBracket.acts | {"draw-groups"}
    settings = WithBracket.settings | {"group_count", "qualifiers", "third_place"}
    keeps_apart = True
    takes_added_matches = True

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        """The number of qualifiers determines the knockout while the groups are still playing."""
        if not stages:
            stages = ((event.group_count or 0) * (event.qualifiers or 0) - 1).bit_length()
        return super().rounds_in_all(event, rounds, stages=stages, before=before)

    def fewest_entries(self, event: Event) -> int:
        """Two per group; refused (`groups`) if the number of groups is not set."""
        return max(2, 2 * wanted_groups(event))

    def check_start(self, event: Event, count: int) -> None:
        """Check the number of entries, the groups and the qualifiers.

        Also refused: no number of qualifiers (`no_qualifiers`), more than the smallest group has
        (`group_too_small`).
        """
        super().check_start(event, count)
        groups = wanted_groups(event)
        check_group_sizes(event, [count // groups] * groups)

    def next_draw(self, event: Event, last: int, open_ties: int) -> Due | None:
        if not event.ties.exists():
            return _("All results of the groups are in: draw the bracket."), "draw-bracket"
        return super().next_draw(event, last, open_ties)

    def bracket_entries(
        self, event: Event, *, despite_missing: bool = False
    ) -> tuple[list[Entry], list[str]]:
        return qualified(event, despite_missing=despite_missing)


register(Groups())
