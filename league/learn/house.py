"""By which house rules a club's lessons are told."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import OuterRef, Subquery

from league.models import Club, ClubRules
from league.policy import Who, events_seen
from scoring.models import HouseRules


@dataclass(frozen=True, slots=True)
class OwnRules:
    """A club's house rules by kind of game, each in its newest version; the main ones first."""

    by_kind: Mapping[str, list[HouseRules]]

    def main(self, kind: str) -> HouseRules | None:
        """The main rules for a kind, None if the club has none."""
        rules = self.by_kind.get(kind)
        return rules[0] if rules else None

    def called(self, kind: str, code: str) -> HouseRules | None:
        """The rules for a kind that have this code, None if the club does not list them."""
        return next((each for each in self.by_kind.get(kind, ()) if each.code == code), None)


def own_rules(club: Club, who: Who) -> OwnRules:
    """Return the club's house rules by kind, in one query.

    The main ones are those of the newest event that the reader may see; before any event, those made first.
    """
    events = events_seen(who).filter(club=OuterRef("club"), rules__code=OuterRef("rules__code"))
    newest = events.order_by("-created_at", "-pk").values("created_at")[:1]
    rows = ClubRules.objects.filter(club=club).select_related("rules").order_by("pk")
    by_kind: dict[str, list[HouseRules]] = {}
    dated = [(row.newest, row.rules) for row in rows.annotate(newest=Subquery(newest))]
    played = sorted([each for each in dated if each[0] is not None], key=lambda each: each[0], reverse=True)
    for _when, rules in [*played, *(each for each in dated if each[0] is None)]:
        by_kind.setdefault(rules.rules.kind, []).append(rules)
    return OwnRules(by_kind)
