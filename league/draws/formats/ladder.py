"""A ladder: places are won by challenging players a few rungs above, all year round."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.draws import ladders
from league.draws.formats import Due, Format, register
from league.models import Event
from league.tables.ladders import ladder_places


class Ladder(Format):
    """See `league.core.ladder`. Each challenge is a round of one match, so nothing is drawn or paired."""

    key = "ladder"
    title = gettext_lazy("ladder")
    has_ladder = True
    leading_criteria = ("place",)
    usual_order = ("place",)
    first_act = "challenge"
    acts = frozenset({"challenge", "call-off", "away", "end-absence"})
    tabs = (("event_ladder", gettext_lazy("Ladder")),)
    settings = frozenset({"challenge_reach", "challenge_days", "protected_days", "absence_days"})
    fixed_by_draw = frozenset()
    pairs_rounds = False
    takes_late_entries = False
    drawn_by_seeds = False
    takes_added_matches = False
    takes_foreign_matches = False

    def first_round_of_late(self, event: Event) -> int:
        """Always the first: nobody is late, newcomers join at the foot."""
        return 1

    def under_way(self, event: Event) -> Due | None:
        """The next challenge, as long as the event runs."""
        count = event.challenges.filter(called_off_at=None, decided_at=None).count()
        if not count:
            return _("Running; no challenge is open."), "challenge"
        said = ngettext("Running; %d challenge is open.", "Running; %d challenges are open.", count)
        return said % count, "challenge"

    def places(self, event: Event, *, until: int | None = None) -> Mapping[int, int]:
        return ladder_places(event, until=until)

    def settle(self, event: Event) -> bool:
        return ladders.settle_ladder(event)

    def unsettled(self, event: Event) -> list[str]:
        return ladders.unsettled(event)


register(Ladder())
