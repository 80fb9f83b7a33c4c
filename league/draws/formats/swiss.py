"""A Swiss: every round is paired by the scores so far, and nobody meets twice."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from league.core.standings import CountsAs
from league.draws import swiss_rounds
from league.draws.formats import Format, register
from league.draws.plans import RoundPlan
from league.models import Entry, Event, Match


class Swiss(Format):
    """See `league.core.pairing.swiss`. The number of rounds may change after the start."""

    key = "swiss"
    plays_duplicate = True
    title = _("Swiss")
    usual_order = ("match_points", "buchholz", "sonneborn_berger", "net", "lot")
    # Nobody loses Buchholz by a bye, or by an opponent who withdrew.
    usual_settings = dict.fromkeys(("bye_strength", "forfeit_strength", "absent_strength"), CountsAs.FIDE)
    first_act = "pair"
    own_settings: ClassVar[Mapping[str, StrOrPromise]] = {
        "accelerated": _("The first half by seed begins with virtual points, so leaders meet sooner."),
    }
    fixed_by_draw = frozenset({"accelerated"})
    settings = frozenset(
        {
            "accelerated",
            "rounds_planned",
            "check_in",
            "late_points",
            "absent_points",
            "absent_net",
            "absent_strength",
            "pyramid",
            "level",
        }
    )
    night_by_night = True
    pairs_by_results = True
    keeps_apart = True
    writes_trf = True
    # By the usual rule results stay, however few they are.
    may_annul = True

    def seeded_matches(self, event: Event) -> QuerySet[Match]:
        """Those of round 1; later rounds are paired by scores."""
        return event.matches.filter(round__number=1)

    def drawn(self, event: Event, number: int) -> None:
        if event.accelerated and number == 1:
            swiss_rounds.fix_acceleration(event)

    def accelerated_by(self, event: Event, number: int) -> str:
        return swiss_rounds.acceleration_words(event, number)

    def plan_round(self, event: Event, number: int, present: Sequence[Entry]) -> RoundPlan:
        return swiss_rounds.plan(event, number, present)


register(Swiss())
