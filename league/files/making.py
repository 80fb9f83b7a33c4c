"""What a file's event needs beside what is in the file: house rules, a season, an address."""

from collections.abc import Iterable
from datetime import date

from django.utils.translation import gettext as _

from league.events.events import create_season
from league.events.house_rules import make_club_rules
from league.models import Club, ClubRules, Season
from league.record.slugs import free_slug
from scoring.core.actors import Actor
from scoring.core.rules import Rules
from scoring.models import HouseRules

Created = dict[str, list[int]]


def rules_of_club(*, actor: Actor, club: Club, rules: Rules, name: str, created: Created) -> HouseRules:
    """The club's rules that equal these, or newly made ones of this name, noted in `created`."""
    for own in ClubRules.objects.filter(club=club).select_related("rules").order_by("pk"):
        if own.rules.rules == rules:
            return own.rules
    made = make_club_rules(actor=actor, club=club, name=name[:80], rules=rules)
    created.setdefault("clubrules", []).append(made.pk)
    return made.rules


def rules_called_after(event_name: str) -> str:
    """What the rules of a file's event are called where they are made for it."""
    return _("Rules of %(event)s") % {"event": event_name}


def season_called(name: str, *, actor: Actor, club: Club, dates: Iterable[date], created: Created) -> Season:
    """The club's season of this name, or a newly made one of these dates, noted in `created`."""
    season = Season.objects.filter(club=club, name=name).first()
    if season is None:
        days = list(dates)
        season = create_season(
            actor=actor,
            club=club,
            name=name,
            slug=free_slug(club.seasons.values_list("slug", flat=True), name),
            starts_on=min(days, default=None),
            ends_on=max(days, default=None),
        )
        created["season"] = [season.pk]
    return season
