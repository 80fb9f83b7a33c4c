"""Rotating partners: four to a table, everyone playing with and against everyone."""

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.draws import rotation_rounds
from league.draws.formats import Due, Format, register
from league.draws.plans import RoundPlan
from league.errors import LeagueError
from league.models import Appearance, Entry, Event, Match, MatchState


class Rotation(Format):
    """See `league.core.pairing.rotation`. Players are entered; two of them form a side for a round.

    The number of rounds determines all seating from the first round on; the lot decides it, not seeds.
    """

    key = "rotation"
    title = gettext_lazy("partners that rotate")
    partners_rotate = True
    usual_order = ("match_points", "net", "hands_won", "lot")
    first_act = "draw-movement"
    acts = frozenset({"draw-movement", "draw-rest"})
    settings = frozenset(
        {"rounds_planned", "check_in", "late_points", "absent_points", "absent_net", "absent_strength"}
    )
    fixed_by_draw = Format.fixed_by_draw | {"rounds_planned"}
    night_by_night = True
    drawn_by_seeds = False
    takes_foreign_matches = False
    export_note = gettext_lazy(
        "Partners rotate here: an import into another event makes a team of each pair."
    )

    def rounds_in_all(self, event: Event, rounds: int, *, stages: int, before: int) -> int | None:
        return event.rounds_planned and max(rounds, event.rounds_planned)

    def fewest_entries(self, event: Event) -> int:
        return 4

    def first_round_of_late(self, event: Event) -> int:
        """The first round that can be drawn again; refused (`already_drawn`) if all have begun."""
        first = rotation_rounds.first_open_round(event)
        if first > (event.rounds_planned or first):
            raise LeagueError(
                "already_drawn",
                _("Something has happened in the last round of “%(event)s”; nobody comes in after it.")
                % {"event": event},
            )
        return first

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return rotation_rounds.plan(event, number, present)

    def left_behind(self, event: Event) -> Due | tuple[()]:
        """Players who have withdrawn and still sit in future matches."""
        waiting = _left_behind(event)
        if not waiting:
            return ()
        gone = sorted(
            event.entries.exclude(withdrawn_at=None)
            .filter(members__player__appearances__match__in=waiting)
            .distinct()
            .values_list("name", flat=True)
        )
        said = ngettext(
            "%(names)s has withdrawn and still sits in %(labels)s:",
            "%(names)s have withdrawn and still sit in %(labels)s:",
            len(gone),
        ) % {"names": ", ".join(gone), "labels": ", ".join(match.label for match in waiting)}
        if rotation_rounds.first_open_round(event) <= min(match.round.number for match in waiting):
            return f"{said} " + _("redraw the rest, or name substitutes in the line-ups."), "draw-rest"
        return f"{said} " + _("name substitutes in the line-ups; some of it can no longer be redrawn."), ""


def _left_behind(event: Event) -> list[Match]:
    """Return matches not begun with a withdrawn player in their line-ups."""
    seated = Appearance.objects.filter(
        match__event=event,
        match__state=MatchState.SCHEDULED,
        player__memberships_in_entries__entry__event=event,
        player__memberships_in_entries__entry__withdrawn_at__isnull=False,
    )
    waiting = Match.objects.filter(pk__in=seated.values("match")).select_related("round")
    return list(waiting.order_by("round__number", "table", "pk"))


register(Rotation())
